//! Finds the values of a sentence that conflict with the records named in the sentence or in a line above it.

use std::ops::Range;

use super::binding::beside;
use super::checker::Checker;
use super::mentions::Strength;
use super::segments::Segment;
use super::words::{CHANGES, CONDITIONS, GUARDS, SUMS};
use super::wrong::Wrong;
use toolgauge_facts::WordList;

/// A segment of a reply with its mentions.
pub struct Line {
    /// The segment.
    pub segment: Segment,
    /// The mentions in the segment.
    pub within: Range<usize>,
    /// The mentions that name records.
    pub names: Vec<usize>,
}

/// The context of a line.
pub struct Around {
    /// The mention above the line that names a record.
    pub context: Option<usize>,
    /// The mentions that name records in the labels of the same block.
    pub labels: Vec<usize>,
    /// Whether there is a line above it.
    pub is_headed: bool,
}

/// How a sentence uses its values.
struct Sentence<'s> {
    line: &'s Line,
    around: &'s Around,
    /// The value that serves as a name if there is no name.
    weak: Option<usize>,
    /// Whether the sentence is about the subject of the previous replies.
    is_focus: bool,
    is_change: bool,
    is_sum: bool,
    is_guarded: bool,
    is_condition: bool,
}

/// A value in a sentence, with the names that it may belong to.
struct Stated {
    at: usize,
    /// The name whose brackets contain the value.
    holder: Option<usize>,
    names: Vec<usize>,
}

impl Checker<'_, '_> {
    /// Returns the values of a line that the records named around them do not hold.
    pub fn conflicts(&self, line: &Line, around: &Around) -> Vec<(Option<usize>, Wrong)> {
        if line.within.is_empty() {
            return Vec::new();
        }
        let sentence = self.sentence(line, around);
        let outliers = self.outliers(&line.segment, &line.names, &line.within);
        let bounds: Vec<_> = outliers.iter().map(|(name, _)| *name).collect();
        let values = line.within.clone().filter_map(|at| {
            let holder = self.bracketed(at, &line.names);
            if holder.is_some_and(|name| bounds.contains(&name)) {
                return None;
            }
            let stated = self.stated(at, holder, &sentence)?;
            Some((at, self.conflict_of(&stated, &sentence)?))
        });
        let outliers = outliers.into_iter();
        outliers
            .chain(values)
            .map(|(mention, wrong)| (Some(mention), wrong))
            .collect()
    }

    fn sentence<'s>(&self, line: &'s Line, around: &'s Around) -> Sentence<'s> {
        let context = around.context;
        let names_none = line.names.is_empty() && context.is_none();
        let weak = match names_none {
            true => self.weak_name(&line.within),
            false => None,
        };
        let tokens = &self.tokens[line.segment.first..line.segment.end];
        let says = |words: &WordList| tokens.iter().any(|token| token.says_one_of(words));
        let mut above = context
            .map_or(&[][..], |context| self.line_of(context))
            .iter();
        Sentence {
            line,
            around,
            weak,
            is_focus: names_none
                && weak.is_none()
                && self.has_focus
                && !around.is_headed
                && self.is_all_of_focus(line.within.start),
            is_change: says(&CHANGES) || above.any(|token| token.says_one_of(&CHANGES)),
            is_sum: says(&SUMS),
            is_guarded: says(&GUARDS),
            is_condition: says(&CONDITIONS),
        }
    }

    /// Returns the value `at` with the names that it may belong to. Returns `None` if the value is itself a name, is
    /// calculated, or belongs to these names.
    fn stated(&self, at: usize, holder: Option<usize>, sentence: &Sentence<'_>) -> Option<Stated> {
        let Line {
            segment,
            within,
            names,
        } = sentence.line;
        let is_sum = sentence.is_sum && self.is_sum(at, segment);
        if names.contains(&at) || sentence.weak == Some(at) || is_sum || self.is_derived(at) {
            return None;
        }
        let beside: Vec<usize> = match (names.is_empty(), holder) {
            (true, _) if sentence.is_focus => vec![self.count],
            (true, _) => {
                let above = sentence.around.context.or(sentence.weak);
                above.into_iter().collect()
            }
            (false, Some(holder)) => vec![holder],
            (false, None) => beside(at, within, names),
        };
        let is_theirs = beside.is_empty()
            || self.is_fine(at, &beside)
            || self.is_labels_own(at, &sentence.around.labels);
        let is_open = sentence.is_focus && (!self.is_said_of_it(at) || self.is_new(at));
        let is_around = holder.is_none() && self.is_around(at, &beside);
        (!is_theirs && !is_open && !is_around && !self.is_other_word(at)).then_some(Stated {
            at,
            holder,
            names: beside,
        })
    }

    /// Checks whether a sentence states a value about a record, rather than merely beside it.
    fn is_said_of_names(&self, stated: &Stated, sentence: &Sentence<'_>) -> bool {
        let Stated { at, holder, names } = stated;
        match self.mentions[*at].strength {
            Strength::Strong => !sentence.is_condition || holder.is_some() || !self.is_amount(*at),
            Strength::Weak => {
                (!sentence.is_guarded || holder.is_some())
                    && !sentence.is_focus
                    && sentence.weak.is_none()
                    && self.is_bound(*at, &sentence.line.within, names)
            }
        }
    }

    /// Returns the conflict of a value, if there is one.
    fn conflict_of(&self, stated: &Stated, sentence: &Sentence<'_>) -> Option<Wrong> {
        let Stated { at, holder, names } = stated;
        let is_held = holder.is_some();
        if !self.is_said_of_names(stated, sentence)
            || (!is_held && (sentence.is_change || self.follows_versus(*at)))
        {
            return None;
        }
        let conflicts = names
            .iter()
            .find_map(|name| Some((*name, self.conflict(*name, *at, is_held)?)));
        let (name, (owner, held)) = conflicts?;
        let segment = &sentence.line.segment;
        let is_excused = (!is_held && self.is_excused(stated, sentence, name, (owner, held)))
            || self.is_difference(*at, held)
            || self.is_partly_named(owner, segment);
        let place = self.place(&self.mentions[*at]);
        (!is_excused).then(|| self.wrong_at(place, segment, name, Some(owner), held))
    }

    /// Checks whether a value outside brackets is excused: it is compared, belongs to something else that is named,
    /// or has another label.
    fn is_excused(
        &self,
        stated: &Stated,
        sentence: &Sentence<'_>,
        name: usize,
        (owner, held): (usize, usize),
    ) -> bool {
        let Line {
            segment,
            within,
            names,
        } = sentence.line;
        let is_named_alone = stated.names.len() == 1 && !names.is_empty();
        let compares = match is_named_alone {
            true => self.is_said_of(name, held, within, names),
            false => self.is_said(held, 0..self.count),
        };
        compares
            || self.is_told_of(owner, stated.at, within, names)
            || self.is_part_of(held, name)
            || self.is_of_another(name, stated.at)
            || self.has_other_label(stated.at, segment)
    }
}
