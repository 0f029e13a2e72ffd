//! A reply that is judged, sentence by sentence: which names each is about, and which of its values conflict with them.

use super::binding::beside;
use super::excuses::MOST_LABEL;
use super::identity::Identity;
use super::mentions::{Mention, Strength};
use super::records::Records;
use super::segments::{Segment, segments};
use super::words::{CHANGES, CONDITIONS, GUARDS, SUMS};
use super::wrong::Wrong;
use crate::facts::Token;

/// A reply that is judged.
pub struct Judge<'j, 'a> {
    pub content: &'j str,
    /// Its tokens.
    pub tokens: &'j [Token<'a>],
    /// The values that it mentions.
    pub mentions: Vec<Mention>,
    pub identities: Vec<Option<Identity>>,
    /// All records.
    pub records: &'j Records<'a>,
    /// How many of the mentions are of this reply: one more may be what the replies before were about.
    pub count: usize,
    pub focus_name: String,
    /// Whether this reply may be about what those before were about.
    pub has_focus: bool,
    /// How many calls were made when that was named.
    pub since_focus: usize,
    /// What the user said last.
    pub asked: &'j [Token<'a>],
}

/// What a sentence is about.
#[derive(Clone, Copy)]
pub struct Around<'n> {
    /// The mentions in it that name records.
    names: &'n [usize],
    /// The mention above it that does.
    context: Option<usize>,
    /// Those of the lines of its block that do.
    labels: &'n [usize],
    /// Whether a line stands above it.
    is_headed: bool,
}

/// A line above others.
pub struct Above {
    indent: usize,
    /// The mention that names a record, if one does.
    named: Option<usize>,
    role: Role,
}

/// What a line is for those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The lines that are indented farther are about it.
    Head,
    /// It says "order: A-1", and the lines of the same block are about it too.
    Label,
}

impl Judge<'_, '_> {
    pub fn wrong(&self) -> Vec<(Option<usize>, Wrong)> {
        let mut wrong = Vec::new();
        let mut above: Vec<Above> = Vec::new();
        let mut next = 0;
        let mut last_on_line = None;
        for segment in segments(self.content, self.tokens) {
            let first = next;
            while next < self.count && self.mentions[next].first < segment.end {
                next += 1;
            }
            let within = first..next;
            if segment.starts_line {
                last_on_line = None;
                let is_block = !segment.is_heading && !self.follows_gap(&segment);
                let ends = |last: &mut Above| {
                    last.indent > segment.indent
                        || (last.indent == segment.indent
                            && !(is_block && last.role == Role::Label))
                };
                while above.pop_if(ends).is_some() {}
            }
            let names: Vec<usize> = within
                .clone()
                .filter(|at| self.is_name(*at, &within))
                .collect();
            let context = last_on_line.or_else(|| above.last().and_then(|line| line.named));
            let labels: Vec<usize> = above
                .iter()
                .filter(|line| line.role == Role::Label && line.indent == segment.indent)
                .filter_map(|line| line.named)
                .collect();
            let around = Around {
                names: &names,
                context,
                labels: &labels,
                is_headed: !above.is_empty(),
            };
            self.judge_segment(&segment, within.clone(), around, &mut wrong);
            if let Some(odd) = super::attributes::odd_ones(self, &segment, &within, &names, context)
            {
                wrong.extend(odd.into_iter().map(|odd| (None, odd)));
            }
            let statuses =
                super::statuses::wrong_statuses(self, &segment, &within, &names, context);
            wrong.extend(statuses.into_iter().map(|status| (None, status)));
            let named = self.one_of(&names);
            if named.is_some() || !names.is_empty() {
                last_on_line = named;
            }
            if segment.starts_line && (segment.is_heading || !names.is_empty()) {
                let is_label = named.is_some_and(|name| {
                    self.is_id(name)
                        && self.is_labelled(name)
                        && self.mentions[name].first <= segment.first + MOST_LABEL
                });
                above.push(Above {
                    indent: segment.indent,
                    named,
                    role: match is_label {
                        true => Role::Label,
                        false => Role::Head,
                    },
                });
            }
        }
        wrong
    }

    pub fn judge_segment(
        &self,
        segment: &Segment,
        within: std::ops::Range<usize>,
        around: Around<'_>,
        wrong: &mut Vec<(Option<usize>, Wrong)>,
    ) {
        let Around {
            names,
            context,
            labels,
            is_headed,
        } = around;
        if within.is_empty() {
            return;
        }
        let weak = match names.is_empty() && context.is_none() {
            true => self.weak_name(&within),
            false => None,
        };
        let is_change = self.tokens[segment.first..segment.end]
            .iter()
            .chain(context.map_or(&[][..], |context| self.line_of(context)))
            .any(|token| token.says_one_of(&CHANGES));
        let is_sum = self.tokens[segment.first..segment.end]
            .iter()
            .any(|token| token.says_one_of(&SUMS));
        let is_focus = names.is_empty()
            && context.is_none()
            && weak.is_none()
            && self.has_focus
            && !is_headed
            && self.is_all_of_focus(within.start);
        let is_guarded = self.tokens[segment.first..segment.end]
            .iter()
            .any(|token| token.says_one_of(&GUARDS));
        let is_condition = self.tokens[segment.first..segment.end]
            .iter()
            .any(|token| token.says_one_of(&CONDITIONS));
        let outliers = self.outliers(segment, names, &within);
        let bounds: Vec<_> = outliers.iter().map(|(name, _)| *name).collect();
        wrong.extend(
            outliers
                .into_iter()
                .map(|(name, wrong)| (Some(name), wrong)),
        );
        for at in within.clone() {
            if self
                .bracketed(at, names)
                .is_some_and(|name| bounds.contains(&name))
            {
                continue;
            }
            let is_sum = is_sum && self.is_sum(at, segment);
            if names.contains(&at) || weak == Some(at) || is_sum || self.is_derived(at) {
                continue;
            }
            let holder = self.bracketed(at, names);
            let beside: Vec<usize> = match (names.is_empty(), holder) {
                (true, _) if is_focus => vec![self.count],
                (true, _) => context.or(weak).into_iter().collect(),
                (false, Some(holder)) => vec![holder],
                (false, None) => beside(at, &within, names),
            };
            if beside.is_empty() || self.is_fine(at, &beside) || self.is_labels_own(at, labels) {
                continue;
            }
            if is_focus && (!self.is_said_of_it(at) || self.is_new(at)) {
                continue;
            }
            if self.is_other_word(at) {
                continue;
            }
            let is_bound = match self.mentions[at].strength {
                Strength::Strong => !is_condition || holder.is_some() || !self.is_amount(at),
                Strength::Weak => {
                    (!is_guarded || holder.is_some())
                        && !is_focus
                        && weak.is_none()
                        && self.is_bound(at, &within, &beside)
                }
            };
            if !is_bound {
                continue;
            }
            let conflict = beside
                .iter()
                .find_map(|name| Some((*name, self.conflict(*name, at, holder.is_some())?)));
            if holder.is_none() && (is_change || self.follows_versus(at)) {
                continue;
            }
            let compares = |name: usize, held: usize| {
                let is_named_alone = beside.len() == 1 && !names.is_empty();
                match holder {
                    Some(_) => false,
                    None if is_named_alone => self.is_said_of(name, held, &within, names),
                    None => self.is_said(held, 0..self.count),
                }
            };
            if let Some((name, (owner, held))) = conflict
                && !compares(name, held)
                && !self.is_difference(at, held)
                && (holder.is_some()
                    || !(self.is_told_of(owner, at, &within, names)
                        || self.is_part_of(held, name)
                        || self.is_of_another(name, at)
                        || self.has_other_label(at, segment)))
                && !self.is_partly_named(owner, segment)
            {
                let place = self.place(&self.mentions[at]);
                let wrong_one = self.wrong_at(place, segment, name, Some(owner), held);
                wrong.push((Some(at), wrong_one));
            }
        }
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

    /// Whether an empty line stands before a segment.
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
