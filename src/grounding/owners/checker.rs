//! A reply that is checked, sentence by sentence: which names each is about, and which of its values conflict with them.

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

/// A reply that is checked.
pub struct Checker<'j, 'a> {
    /// The reply.
    pub content: &'j str,
    /// Its tokens.
    pub tokens: &'j [Token<'a>],
    /// The values that it mentions.
    pub mentions: Vec<Mention>,
    /// Which records each of them names.
    pub identities: Vec<Option<Identity>>,
    /// All records.
    pub records: &'j Records<'a>,
    /// How many of the mentions are of this reply: one more may be what the replies before were about.
    pub count: usize,
    /// How the reply before named what it was about.
    pub focus_name: String,
    /// Whether this reply may be about what those before were about.
    pub has_focus: bool,
    /// How many calls were made when that was named.
    pub since_focus: usize,
    /// What the user said last.
    pub asked: &'j [Token<'a>],
}

/// A line above others.
struct Above {
    indent: usize,
    /// The mention that names a record, if one does.
    named: Option<usize>,
    role: Role,
}

/// What a line is for those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The lines that are indented farther are about it.
    Head,
    /// It says "order: A-1", and the lines of the same block are about it too.
    Label,
}

impl Checker<'_, '_> {
    /// The values that are wrong, each with its mention where it is one.
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

    /// The segments of the reply with what they mention.
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

    /// Forgets the lines above that a line is not about.
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

    /// Whether a line starts with a name that has its key before it.
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

    /// The words of a line up to a mention in it.
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

    /// Whether an empty line is before a segment.
    pub fn follows_gap(&self, segment: &Segment) -> bool {
        let Some(before) = segment.first.checked_sub(1) else {
            return true;
        };
        let gap = self.tokens[before].end()..self.tokens[segment.first].start;
        self.content[gap].matches('\n').count() > 1
    }

    /// Whether a mention covers this place.
    pub fn is_mentioned_at(&self, start: usize) -> bool {
        self.mention_at(start).is_some()
    }

    /// The mention that covers this place.
    pub fn mention_at(&self, start: usize) -> Option<usize> {
        let at = self.mentions[..self.count]
            .partition_point(|mention| self.tokens[mention.first].start <= start);
        at.checked_sub(1)
            .filter(|at| self.tokens[self.mentions[*at].end - 1].end() > start)
    }

    /// A part of the reply.
    pub fn text(&self, place: std::ops::Range<usize>) -> &str {
        &self.content[place]
    }

    /// Where a mention is in the reply, in bytes.
    pub fn place(&self, mention: &Mention) -> std::ops::Range<usize> {
        self.tokens[mention.first].start..self.tokens[mention.end - 1].end()
    }

    /// A value at a place of the reply that is not that of a named record.
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

/// The names of the labels of the block in which a line is.
fn labels_of(segment: &Segment, above: &[Above]) -> Vec<usize> {
    let labels = above
        .iter()
        .filter(|line| line.role == Role::Label && line.indent == segment.indent);
    labels.filter_map(|line| line.named).collect()
}
