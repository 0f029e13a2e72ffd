//! Checks a reply sentence by sentence: finds the names that each sentence is about, and the values that conflict
//! with them.

use super::agreement::odd_ones;
use super::attributes::odd_ones as wrong_attributes;
use super::excuses::MOST_LABEL;
use super::identity::Identity;
use super::mentions::Mention;
use super::records::Records;
use super::segments::{Segment, segments};
use super::sentence::{Around, Line};
use super::statuses::wrong_statuses;
use super::wrong::Wrong;
use toolgauge_facts::Token;

/// A reply that is being checked.
pub struct Checker<'j, 'a> {
    /// The text of the reply.
    pub content: &'j str,
    /// The tokens of the reply.
    pub tokens: &'j [Token<'a>],
    /// The values that the reply mentions.
    pub mentions: Vec<Mention>,
    /// The records that each mention names.
    pub identities: Vec<Option<Identity>>,
    /// All records so far.
    pub records: &'j Records<'a>,
    /// The number of mentions in this reply. One more mention may follow: the subject of the previous replies.
    pub count: usize,
    /// The name of the subject as an earlier reply wrote it.
    pub focus_name: String,
    /// Whether this reply may be about the subject of the previous replies.
    pub has_focus: bool,
    /// How many calls had been made when that subject was named.
    pub since_focus: usize,
    /// The last user message.
    pub asked: &'j [Token<'a>],
}

/// A line above other lines.
struct Above {
    indent: usize,
    /// The mention that names a record, if there is one.
    named: Option<usize>,
    role: Role,
}

/// What a line is for the lines after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The lines that are indented deeper are about it.
    Head,
    /// The line is a label such as "order: A-1"; the other lines of the same block are about it, too.
    Label,
}

impl Checker<'_, '_> {
    /// Returns the wrong values, each with its mention if it has one.
    pub fn wrong(&self) -> Vec<(Option<usize>, Wrong)> {
        let mut wrong = Vec::new();
        let mut above: Vec<Above> = Vec::new();
        let mut last_on_line = None;
        let lines = self.lines();
        for line in &lines {
            let segment = &line.segment;
            if segment.starts_line {
                last_on_line = None;
                self.leave(segment, &mut above);
            }
            let context = last_on_line.or_else(|| above.last().and_then(|line| line.named));
            let around = Around {
                context,
                labels: labels_of(segment, &above),
                is_headed: !above.is_empty(),
            };
            self.check_line(line, &around, &mut wrong);
            let named = self.one_of(&line.names);
            if !line.names.is_empty() {
                last_on_line = named;
            }
            if segment.starts_line && (segment.is_heading || !line.names.is_empty()) {
                above.push(Above {
                    indent: segment.indent,
                    named,
                    role: self.role(segment, named),
                });
            }
        }
        for odd in odd_ones(self, &lines) {
            wrong.retain(|(at, _)| at.is_none_or(|at| !odd.values.contains(&at)));
            wrong.push((Some(odd.mention), odd.wrong));
        }
        wrong
    }

    /// Returns the segments of the reply with their mentions.
    fn lines(&self) -> Vec<Line> {
        let mut next = 0;
        let segments = segments(self.content, self.tokens).into_iter();
        segments
            .map(|segment| {
                let first = next;
                while next < self.count && self.mentions[next].first < segment.end {
                    next += 1;
                }
                let within = first..next;
                let is_name = |at: &usize| self.is_name(*at, &within);
                Line {
                    names: within.clone().filter(is_name).collect(),
                    segment,
                    within,
                }
            })
            .collect()
    }

    /// Removes the lines from `above` that do not apply to a segment.
    fn leave(&self, segment: &Segment, above: &mut Vec<Above>) {
        let is_block = !segment.is_heading && !self.follows_gap(segment);
        let ends = |last: &mut Above| {
            last.indent > segment.indent
                || (last.indent == segment.indent && !(is_block && last.role == Role::Label))
        };
        while above.pop_if(ends).is_some() {}
    }

    fn role(&self, segment: &Segment, named: Option<usize>) -> Role {
        match named.is_some_and(|name| self.is_id(name) && self.is_label(segment, name)) {
            true => Role::Label,
            false => Role::Head,
        }
    }

    /// Checks whether a line starts with a name that has its key before it.
    pub fn is_label(&self, segment: &Segment, name: usize) -> bool {
        self.is_labelled(name) && self.mentions[name].first <= segment.first + MOST_LABEL
    }

    fn check_line(&self, line: &Line, around: &Around, wrong: &mut Vec<(Option<usize>, Wrong)>) {
        let Line {
            segment,
            within,
            names,
        } = line;
        wrong.extend(self.conflicts(line, around));
        let attributes = wrong_attributes(self, segment, within, names, around.context);
        let attributes = attributes.unwrap_or_default();
        let statuses = wrong_statuses(self, segment, within, names, around.context);
        let others = attributes.into_iter().chain(statuses);
        wrong.extend(others.map(|other| (None, other)));
    }

    /// Returns the words before a mention in its line.
    pub fn line_of(&self, at: usize) -> &[Token<'_>] {
        if at >= self.count {
            return &[];
        }
        let end = self.mentions[at].first;
        let start = self.tokens[end].start;
        let line = self.content[..start].rfind('\n').map_or(0, |at| at + 1);
        let first = self.tokens.partition_point(|token| token.start < line);
        &self.tokens[first..end]
    }

    /// Checks whether an empty line is before a segment.
    pub fn follows_gap(&self, segment: &Segment) -> bool {
        let Some(before) = segment.first.checked_sub(1) else {
            return true;
        };
        let gap = self.tokens[before].end()..self.tokens[segment.first].start;
        self.content[gap].matches('\n').count() > 1
    }

    /// Checks whether a mention covers this byte offset.
    pub fn is_mentioned_at(&self, start: usize) -> bool {
        self.mention_at(start).is_some()
    }

    /// Returns the mention that covers this byte offset.
    pub fn mention_at(&self, start: usize) -> Option<usize> {
        let at = self.mentions[..self.count]
            .partition_point(|mention| self.tokens[mention.first].start <= start);
        at.checked_sub(1)
            .filter(|at| self.tokens[self.mentions[*at].end - 1].end() > start)
    }

    /// Returns a part of the reply.
    pub fn text(&self, place: std::ops::Range<usize>) -> &str {
        &self.content[place]
    }

    /// Returns the byte range of a mention in the reply.
    pub fn place(&self, mention: &Mention) -> std::ops::Range<usize> {
        self.tokens[mention.first].start..self.tokens[mention.end - 1].end()
    }

    /// Reports the value at `place`, which does not belong to the named record.
    pub fn wrong_at(
        &self,
        place: std::ops::Range<usize>,
        segment: &Segment,
        name: usize,
        owner: Option<usize>,
        held: usize,
    ) -> Wrong {
        Wrong {
            start: place.start,
            end: place.end,
            sentence: self.tokens[segment.first].start..self.tokens[segment.end - 1].end(),
            name: match name < self.count {
                true => self.content[self.place(&self.mentions[name])].to_owned(),
                false => self.focus_name.clone(),
            },
            owner,
            held,
        }
    }
}

/// Returns the names in the labels of the block that a line belongs to.
fn labels_of(segment: &Segment, above: &[Above]) -> Vec<usize> {
    let labels = above
        .iter()
        .filter(|line| line.role == Role::Label && line.indent == segment.indent);
    labels.filter_map(|line| line.named).collect()
}
