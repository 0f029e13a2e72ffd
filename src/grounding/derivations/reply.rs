//! A reply whose numbers are derived: its sentences and lines, and the rows of results that they name.

use std::cell::OnceCell;
use std::ops::Range;

use foldhash::HashMap;

use super::super::background::Background;
use super::char_start;
use super::claim::Claim;
use super::fits::{is_exponent, try_exponents};
use super::labels::label;
use super::names::{MOST_OF_NAME, Names};
use super::plans::{Code, codes_of, totals_of};
use super::rows::{Rows, number};
use super::scopes::Scope;
use super::search::Search;
use super::spans::Moment;
use super::values::Values;
use super::{counts, ranges, siblings, spans, units};
use toolgauge_facts::{Fact, FactKind, FactValue, TextId};

/// A number of fewer bits may occur twice by chance, so each occurrence must be derived by itself.
const LEAST_REPEATED: f64 = 7.0;

/// How many bytes of a sentence are read before and after a number.
const LONGEST_SENTENCE: usize = 2000;

/// How many bytes before and after a sentence belong to its surroundings.
const BEFORE: usize = 800;
const AFTER: usize = 200;

/// A method that tries expressions for a claim.
type Look = fn(&Scope<'_, '_, '_>, &Claim, &mut Search<'_>);

/// The methods in order, each with the bits that it costs to name it.
const SEARCHES: [(f64, Look); 8] = [
    (0.0, |scope, claim, search| scope.try_all(claim, search)),
    (1.0, |scope, claim, search| scope.try_labels(claim, search)),
    (1.0, |scope, claim, search| {
        scope.try_subtotals(claim, search)
    }),
    (1.0, |scope, claim, search| scope.try_plans(claim, search)),
    (1.0, |scope, claim, search| scope.try_rates(claim, search)),
    (1.0, |scope, claim, search| {
        scope.try_columns_of_reply(claim, search);
    }),
    (1.0, |scope, claim, search| {
        scope.try_products(claim, search);
    }),
    (1.0, |scope, claim, search| {
        try_exponents(scope.reply, claim, search);
    }),
];

/// A reply whose numbers are derived.
pub struct Reply<'r, 'a> {
    /// The text of the reply.
    pub content: &'r str,
    /// The id of this text.
    pub id: TextId,
    /// The facts of the reply, in order.
    pub stated: &'r [Fact<'r>],
    /// The evidence.
    pub background: &'r Background<'r, 'a>,
    /// How many expressions were tried.
    pub tried: u32,
    /// How many numbers of results were read.
    pub looked_at: usize,
    rows: OnceCell<Rows<'a>>,
    today: OnceCell<Vec<Moment>>,
    numbers: OnceCell<Vec<Option<f64>>>,
    line_starts: OnceCell<Vec<usize>>,
    codes: OnceCell<Vec<Code>>,
    totals: OnceCell<Vec<f64>>,
    values: OnceCell<Values>,
    names: HashMap<(usize, usize), Names>,
}

impl<'r, 'a> Reply<'r, 'a> {
    /// Creates the reply with these facts.
    pub fn of(
        content: &'r str,
        id: TextId,
        stated: &'r [Fact<'r>],
        background: &'r Background<'r, 'a>,
    ) -> Self {
        Self {
            content,
            id,
            stated,
            background,
            tried: 0,
            looked_at: 0,
            rows: OnceCell::new(),
            today: OnceCell::new(),
            numbers: OnceCell::new(),
            line_starts: OnceCell::new(),
            codes: OnceCell::new(),
            totals: OnceCell::new(),
            values: OnceCell::new(),
            names: HashMap::default(),
        }
    }

    /// Returns the rows of results.
    pub fn rows(&self) -> &Rows<'a> {
        self.rows
            .get_or_init(|| Rows::of(self.background.calls, self.background.texts))
    }

    /// Returns the codes of the reply that name rows.
    pub fn codes(&self) -> &[Code] {
        self.codes.get_or_init(|| codes_of(self))
    }

    /// Returns the totals of lists within records.
    pub fn totals(&self) -> &[f64] {
        self.totals.get_or_init(|| totals_of(self.rows()))
    }

    /// Returns the numbers of the latest results.
    pub fn values(&self) -> &Values {
        self.values.get_or_init(|| Values::of(self.background))
    }

    /// Returns the number of the fact at `at`. If it has several readings, one that the evidence contains is preferred.
    pub fn number(&self, at: usize) -> Option<f64> {
        let numbers = self.numbers.get_or_init(|| {
            let evidence = self.background.evidence;
            let numbers = self.stated.iter().map(|fact| {
                let first = number(fact)?;
                let FactValue::Number(readings) = &fact.value else {
                    return None;
                };
                let mut held = readings.iter().skip(1);
                let is_held = |reading: f64| evidence.holds_number(reading, fact.text);
                match readings.len() > 1 && !is_held(first) {
                    true => held
                        .find(|reading| is_held(**reading))
                        .copied()
                        .or(Some(first)),
                    false => Some(first),
                }
            });
            numbers.collect()
        });
        numbers[at]
    }

    /// Returns the days that the instructions mention.
    pub fn today(&self) -> &[Moment] {
        self.today.get_or_init(|| spans::today(self.background))
    }

    /// Returns the byte offset at which the line that contains `place` starts.
    pub fn line_start(&self, place: usize) -> usize {
        let starts = self.line_starts.get_or_init(|| {
            let ends = self.content.match_indices('\n');
            ends.map(|(at, _)| at + 1).collect()
        });
        let count = starts.partition_point(|start| *start <= place);
        count.checked_sub(1).map_or(0, |last| starts[last])
    }

    /// Returns the key of the label of the fact at `at` in its line.
    pub fn label(&self, at: usize) -> Option<u64> {
        let fact = &self.stated[at];
        label(self.content, self.line_start(fact.start), fact)
    }

    /// Checks whether the fact at `at` can be derived.
    pub fn follows(&mut self, at: usize, known: &[bool]) -> bool {
        if self.stated[at].kind == FactKind::Identifier {
            return ranges::is_known(self, &self.stated[at]);
        }
        let sentence = self.sentence(at);
        self.read_names(&sentence);
        if spans::follows(self, at, &sentence) {
            return true;
        }
        if counts::is_count(self, at, &sentence) {
            return true;
        }
        let Some(claim) = Claim::of(self.content, self.stated, at, &sentence) else {
            return false;
        };
        let fields = &self.rows().fields;
        if claim
            .readings
            .iter()
            .any(|reading| fields.contains(&reading.to_bits()))
        {
            return true;
        }
        if units::is_converted(self, &claim, &self.stated[at]) {
            return true;
        }
        if is_repeated(&claim, self.stated, known, at) {
            return true;
        }
        let near = self.around(&sentence);
        for part in [&near, &self.whole()] {
            self.read_names(part);
        }
        if siblings::follows(self, at, known) || is_exponent(self, &self.stated[at]) {
            return true;
        }
        let scope = Scope {
            reply: self,
            at,
            known,
            sentence: &sentence,
        };
        let mut searches: [Search<'_>; SEARCHES.len()] =
            std::array::from_fn(|_| Search::of(&claim));
        for (search, (bits, look)) in searches.iter_mut().zip(SEARCHES) {
            search.cost(bits);
            look(&scope, &claim, search);
            if search.found() {
                break;
            }
        }
        self.tried += searches.iter().map(Search::tried).sum::<u32>();
        self.looked_at += searches.iter().map(Search::looked_at).sum::<usize>();
        searches.iter().any(Search::found)
    }

    /// Returns the rows that a part of the reply names. [`Self::read_names`] must have read this part.
    pub fn names_of(&self, part: &Range<usize>) -> &Names {
        &self.names[&(part.start, part.end)]
    }

    pub fn whole(&self) -> Range<usize> {
        0..self.content.len()
    }

    /// Returns the range of a sentence and its surroundings.
    pub fn around(&self, sentence: &Range<usize>) -> Range<usize> {
        let start = char_start(self.content, sentence.start.saturating_sub(BEFORE));
        start..char_start(self.content, sentence.end + AFTER)
    }

    /// Returns the rows with numbers if the results have at most `MOST_OF_NAME` of them, otherwise none.
    pub fn only_rows(&self) -> Vec<usize> {
        let rows = self.rows();
        let with_numbers = (0..rows.rows.len()).filter(|row| !rows.rows[*row].cells.is_empty());
        let rows: Vec<_> = with_numbers.take(MOST_OF_NAME + 1).collect();
        if rows.len() > MOST_OF_NAME {
            Vec::new()
        } else {
            rows
        }
    }

    /// Returns the range of the sentence that contains the fact at `at`.
    fn sentence(&self, at: usize) -> Range<usize> {
        let fact = &self.stated[at];
        let end = fact.end();
        let before = &self.content[..fact.start];
        let earliest = char_start(self.content, fact.start.saturating_sub(LONGEST_SENTENCE));
        let start = self.line_start(fact.start).max(earliest);
        let line = &before[start..];
        let is_end = |(at, _): &(usize, &str)| {
            line[*at..].starts_with(". ") || !line[*at..].starts_with('.')
        };
        let start = line
            .rmatch_indices(['.', '!', '?', '。', ';'])
            .find(is_end)
            .map_or(start, |(at, sign)| start + at + sign.len());
        let latest = char_start(self.content, end + LONGEST_SENTENCE);
        let after = &self.content[end..latest];
        let line_end = after.find('\n').unwrap_or(after.len());
        let line = &after[..line_end];
        let is_end = |(at, sign): &(usize, &str)| {
            *sign != "." || line[at + 1..].is_empty() || line[at + 1..].starts_with(' ')
        };
        let stop = line
            .match_indices(['.', '!', '?', '。', ';'])
            .find(is_end)
            .map_or(line_end, |(at, _)| at);
        start..end + stop
    }

    /// Finds the rows that a part of the reply names, for [`Self::names_of`].
    pub fn read_names(&mut self, part: &Range<usize>) {
        let key = (part.start, part.end);
        if self.names.contains_key(&key) {
            return;
        }
        let names = self.names_in(part);
        self.names.insert(key, names);
    }

    fn names_in(&self, part: &Range<usize>) -> Names {
        let tokens = self.background.texts.tokens(self.id);
        let first = tokens.partition_point(|token| token.start < part.start);
        let of_part = tokens[first..].iter();
        let of_part = of_part.take_while(|token| token.start < part.end);
        let with_words = of_part.filter(|token| token.word.is_some());
        Names::of(with_words, self.facts_in(part), self.rows())
    }

    /// Returns the facts of a part of the reply.
    pub fn facts_in(&self, part: &Range<usize>) -> impl Iterator<Item = &'r Fact<'r>> {
        let places = self.places_in(part);
        self.stated[places].iter()
    }

    /// Returns the indices of the facts of a part of the reply.
    pub fn places_in(&self, part: &Range<usize>) -> Range<usize> {
        let first = self.stated.partition_point(|fact| fact.start < part.start);
        let last = self.stated.partition_point(|fact| fact.start < part.end);
        first..last.max(first)
    }
}

/// Checks whether the same number is known at another place of the reply. Percentages don't count.
fn is_repeated(claim: &Claim, stated: &[Fact<'_>], known: &[bool], at: usize) -> bool {
    let same = stated
        .iter()
        .zip(known)
        .enumerate()
        .filter(|(other, _)| *other != at);
    let mut same = same.filter(|(_, (fact, known))| **known && fact.kind != FactKind::Percent);
    claim.kind != FactKind::Percent
        && claim.bits > LEAST_REPEATED
        && same.any(|(_, (fact, _))| {
            number(fact).is_some_and(|value| claim.readings.contains(&value.abs()))
        })
}
