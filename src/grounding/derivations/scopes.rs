//! What a number of a reply may be worked out of, the nearest first.
//!
//! First come the amounts of its sentence, then those before and after it, then the rows of results that its sentence
//! names, the columns of lists, and the rows that are named elsewhere in the reply. The order matters: the later
//! something is tried, the more bits it costs (see [`super::search`]).

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::super::background::Background;
use super::char_start;
use super::claim::Claim;
use super::cues::{Operation, cues_around};
use super::rows::{Cell, List, Rows, columns_of, number};
use super::search::{Operand, Search};
use super::spans::Moment;
use super::{counts, ranges, spans, units};
use crate::facts::{Fact, FactKind, FactValue, TextId, Token, TokenKind, key_of};
use crate::model::Role;

/// Numbers of fewer bits are hit by chance again: they follow at each place or not at all.
const LEAST_REPEATED: f64 = 7.0;

/// The first scopes are of the reply itself; words must name the operation in all others.
const SCOPES_OF_REPLY: usize = 2;

/// How many amounts of its sentence a number is worked out of.
const MOST_SAID: usize = 8;

/// How many amounts before it, outside its sentence.
const MOST_BEFORE: usize = 6;

/// How many amounts after it.
const MOST_AFTER: usize = 3;

/// How many of the latest turns are looked at for amounts that were mentioned, and how many of those.
const MOST_TURNS: usize = 12;
const MOST_MENTIONED: usize = 60;

/// How many facts before and after it are looked at.
const MOST_PLACES: usize = 100;

/// How many amounts of all those that were mentioned are compared with what is known.
const MOST_COMPARED: usize = 600;

/// How many bytes of a sentence are read before a number and after it.
const LONGEST_SENTENCE: usize = 2000;

/// How many characters of a line are compared with those that start others.
const LONGEST_START: usize = 60;

/// How many amounts are added up.
const LONGEST_RUN: usize = 24;

/// Longer runs of words name no row.
const LONGEST_NAME: usize = 8;

/// How many bytes before a sentence and after it tell what it speaks of.
const BEFORE: usize = 800;
const AFTER: usize = 200;

/// How many words of a text are looked at for names of rows.
const MOST_WORDS: usize = 600;

/// A name that more rows have tells what they have in common.
const MOST_OF_NAME: usize = 3;

/// The same of names with digits.
const MOST_OF_CODE: usize = 8;

/// How many rows that are named are looked at.
const MOST_NAMED: usize = 10;

/// How many numbers of a row are paired with one another.
const MOST_PAIRED: usize = 12;

/// How many lists of results are looked at.
const MOST_LISTS: usize = 12;

/// How many numbers beside a list are added to its totals.
const MOST_BESIDE: usize = 4;

/// How many columns of one list.
const MOST_COLUMNS: usize = 16;

/// How long a column may be for all runs of its numbers to be added up.
const LONGEST_COLUMN_OF_RUNS: usize = 12;

/// How many characters at the start of a word tell what it is about.
const STEM: usize = 5;

/// Numbers that need no evidence where words say that something is multiplied or divided.
const CONSTANTS: [f64; 9] = [2.0, 12.0, 7.0, 52.0, 30.0, 24.0, 60.0, 365.0, 3.0];

/// The rows that a part of a reply names.
#[derive(Default)]
pub struct Names {
    /// Those that are named by themselves.
    pub rows: Vec<usize>,
    /// Those that have something in common that is named.
    pub groups: Vec<Vec<usize>>,
    /// The starts of the words.
    stems: HashSet<u64>,
}

impl Names {
    /// Whether a key has a word of them.
    fn are_of(&self, key: &str) -> bool {
        words_of_key(key).any(|word| self.stems.contains(&stem(&word)))
    }
}

/// The words of a key in lower case: `priceTotal`, `price_total`.
fn words_of_key(key: &str) -> impl Iterator<Item = String> {
    let parts = key.split(|c: char| !c.is_alphanumeric());
    parts.flat_map(|part| {
        let mut words = vec![String::new()];
        let mut was_lower = false;
        for c in part.chars() {
            if c.is_uppercase() && was_lower {
                words.push(String::new());
            }
            was_lower = c.is_lowercase();
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        words.into_iter().filter(|word| word.len() > 2)
    })
}

fn stem(word: &str) -> u64 {
    let end = word
        .char_indices()
        .nth(STEM)
        .map_or(word.len(), |(at, _)| at);
    key_of(&word[..end])
}

/// A reply whose numbers are worked out.
pub struct Reply<'r, 'a> {
    /// Its text.
    pub content: &'r str,
    /// The same, among the texts that were read.
    pub id: TextId,
    /// Its facts, in their order.
    pub stated: &'r [Fact<'r>],
    /// What is known.
    pub background: &'r Background<'r, 'a>,
    /// How many expressions were tried.
    pub tried: u32,
    /// How many numbers of results were looked at.
    pub looked_at: usize,
    rows: OnceCell<Rows<'a>>,
    today: OnceCell<Vec<Moment>>,
    line_starts: OnceCell<Vec<usize>>,
    names: HashMap<(usize, usize), Names>,
}

impl<'r, 'a> Reply<'r, 'a> {
    /// The reply with these facts.
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
            line_starts: OnceCell::new(),
            names: HashMap::default(),
        }
    }

    /// The rows of results.
    pub fn rows(&self) -> &Rows<'a> {
        self.rows
            .get_or_init(|| Rows::of(self.background.calls, self.background.texts))
    }

    /// The days that the instructions speak of.
    pub fn today(&self) -> &[Moment] {
        self.today.get_or_init(|| spans::today(self.background))
    }

    /// Where the line of a place starts.
    fn line_start(&self, place: usize) -> usize {
        let starts = self.line_starts.get_or_init(|| {
            let ends = self.content.match_indices('\n');
            ends.map(|(at, _)| at + 1).collect()
        });
        let count = starts.partition_point(|start| *start <= place);
        count.checked_sub(1).map_or(0, |last| starts[last])
    }

    /// Whether the fact at `at` follows from what is known.
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
        if units::is_converted(self, &claim, &self.stated[at]) {
            return true;
        }
        if is_repeated(&claim, self.stated, known, at) {
            return true;
        }
        for part in [self.around(&sentence), self.whole()] {
            self.read_names(&part);
        }
        let mut search = Search::of(&claim);
        let scope = Scope {
            reply: self,
            at,
            known,
            sentence: &sentence,
        };
        scope.try_all(&claim, &mut search);
        self.tried += search.tried();
        self.looked_at += search.looked_at();
        search.found()
    }

    /// The names of a part of the reply.
    pub fn names_of(&self, part: &Range<usize>) -> &Names {
        &self.names[&(part.start, part.end)]
    }

    fn whole(&self) -> Range<usize> {
        0..self.content.len()
    }

    /// What stands around a sentence.
    fn around(&self, sentence: &Range<usize>) -> Range<usize> {
        let start = char_start(self.content, sentence.start.saturating_sub(BEFORE));
        start..char_start(self.content, sentence.end + AFTER)
    }

    /// The rows of results that have hardly any.
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

    /// Where the sentence of the fact at `at` starts and ends.
    fn sentence(&self, at: usize) -> Range<usize> {
        let fact = &self.stated[at];
        let end = fact.start + fact.text.len();
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

    fn read_names(&mut self, part: &Range<usize>) {
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
        let tokens: Vec<&Token<'_>> = of_part
            .filter(|token| token.word.is_some())
            .take(MOST_WORDS)
            .collect();
        let words: Vec<_> = tokens.iter().filter_map(|token| token.word).collect();
        let mut names = Names::default();
        for token in &tokens {
            if token.text.chars().count() > 2 {
                names.stems.insert(stem(&token.text.to_lowercase()));
            }
        }
        let rows = self.rows();
        let may_start = |from: &usize| rows.starts_name(words[*from]);
        for from in (0..words.len()).filter(may_start) {
            for to in from + 1..=words.len().min(from + LONGEST_NAME) {
                let has_code = tokens[from..to]
                    .iter()
                    .any(|token| token.kind != TokenKind::Letters);
                names.add(rows.named(&words[from..to]), has_code);
            }
        }
        for fact in self.facts_in(part) {
            if let FactValue::Date(date) = &fact.value {
                names.add(rows.dated(*date), false);
            }
        }
        names
    }

    /// The facts of a part of the reply.
    pub fn facts_in(&self, part: &Range<usize>) -> impl Iterator<Item = &'r Fact<'r>> {
        let places = self.places_in(part);
        self.stated[places].iter()
    }

    /// Their places among all.
    pub fn places_in(&self, part: &Range<usize>) -> Range<usize> {
        let first = self.stated.partition_point(|fact| fact.start < part.start);
        let last = self.stated.partition_point(|fact| fact.start < part.end);
        first..last.max(first)
    }
}

impl Names {
    fn add(&mut self, rows: &[usize], has_code: bool) {
        if rows.is_empty() {
            return;
        }
        let most = if has_code { MOST_OF_CODE } else { MOST_OF_NAME };
        if rows.len() <= most {
            // Codes tell best, and the last are the nearest.
            for row in rows {
                match has_code {
                    true => {
                        self.rows.retain(|known| known != row);
                        self.rows.insert(0, *row);
                    }
                    false if !self.rows.contains(row) => self.rows.push(*row),
                    false => {}
                }
            }
            self.rows.truncate(MOST_NAMED);
        }
        if rows.len() > 1
            && self.groups.len() < MOST_NAMED
            && !self.groups.iter().any(|group| group == rows)
        {
            self.groups.push(rows.to_vec());
        }
    }
}

/// Whether the same number, of another kind, follows elsewhere in the reply.
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

/// What one number may be worked out of.
struct Scope<'s, 'r, 'a> {
    reply: &'s Reply<'r, 'a>,
    at: usize,
    known: &'s [bool],
    sentence: &'s Range<usize>,
}

impl Scope<'_, '_, '_> {
    fn try_all(&self, claim: &Claim, search: &mut Search<'_>) {
        let scopes: [fn(&Self, &Claim, &mut Search<'_>); 7] = [
            Self::try_sentence,
            Self::try_near,
            Self::try_named_rows,
            Self::try_lists,
            Self::try_rows_around,
            Self::try_rows_of_reply,
            Self::try_mentioned,
        ];
        for (at, scope) in scopes.into_iter().enumerate() {
            if at == SCOPES_OF_REPLY {
                search.take_only_named();
            }
            if search.is_over() {
                return;
            }
            if at > 0 {
                search.take_only_clear();
            }
            scope(self, claim, search);
        }
    }

    fn operand(&self, at: usize) -> Option<Operand> {
        let fact = &self.reply.stated[at];
        let value = number(fact).filter(|_| self.known[at] && at != self.at)?;
        Some(Operand {
            value,
            kind: Some(fact.kind),
        })
    }

    /// The known amounts of the sentence, the nearest first.
    fn said(&self) -> Vec<Operand> {
        let places = self.reply.places_in(self.sentence);
        let mut places: Vec<_> = places.filter(|at| *at != self.at).collect();
        places.sort_by_key(|at| at.abs_diff(self.at));
        let said = places.into_iter().filter_map(|at| self.operand(at));
        said.take(MOST_SAID).collect()
    }

    fn try_sentence(&self, claim: &Claim, search: &mut Search<'_>) {
        let said = self.said();
        try_pairs(&said, search);
        let like = said
            .iter()
            .filter(|operand| operand.kind == Some(claim.kind));
        search.runs(like.map(|operand| operand.value));
        let is_named = claim.cues.name(Operation::Product) || claim.cues.name(Operation::Quotient);
        if is_named && claim.kind != FactKind::Percent {
            for operand in said.iter().take(2) {
                for constant in CONSTANTS {
                    search.offer(Operation::Product, operand.value * constant);
                    search.offer(Operation::Quotient, operand.value / constant);
                }
            }
        }
    }

    /// The known amounts before or after, the nearest first, those of the same kind before all others.
    fn near(&self, claim: &Claim) -> Vec<Operand> {
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let is_other = |operand: &Operand| operand.kind != Some(claim.kind);
        let before = || self.before(claim);
        let after = || self.after(claim);
        let like = before().filter(is_like).take(MOST_BEFORE);
        let like = like.chain(after().filter(is_like).take(MOST_AFTER));
        let others = before().filter(is_other).take(MOST_AFTER);
        like.chain(others).collect()
    }

    /// The known amounts before the number, the nearest first; such as are far larger or smaller number something.
    fn before(&self, claim: &Claim) -> impl Iterator<Item = Operand> {
        let places = (0..self.at).rev().take(MOST_PLACES);
        let operands = places.filter_map(|at| self.operand(at));
        operands.filter(|operand| claim.may_be_of(operand.value))
    }

    /// Those after it.
    fn after(&self, claim: &Claim) -> impl Iterator<Item = Operand> {
        let places = (self.at + 1..self.reply.stated.len()).take(MOST_PLACES);
        let operands = places.filter_map(|at| self.operand(at));
        operands.filter(|operand| claim.may_be_of(operand.value))
    }

    fn try_near(&self, claim: &Claim, search: &mut Search<'_>) {
        try_pairs(&self.near(claim), search);
        if claim.kind == FactKind::Percent {
            return;
        }
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let value = |operand: Operand| operand.value;
        let before = self.before(claim).filter(is_like).map(value);
        search.runs(before.take(LONGEST_RUN));
        let after = self.after(claim).filter(is_like).map(value);
        search.runs(after.take(LONGEST_RUN));
        for place in [Place::First, Place::Last] {
            search.runs(self.column_before(claim, place).into_iter());
        }
        if claim.cues.name(Operation::Sum) {
            search.runs(self.less_discounts(claim).into_iter());
        }
        for sum in self.sums_by_label(claim) {
            search.offer(Operation::Sum, sum);
        }
    }

    /// The amounts of the same kind before the number, those that are presented as differences below 0.
    fn less_discounts(&self, claim: &Claim) -> Vec<f64> {
        let Reply {
            content, stated, ..
        } = *self.reply;
        let places = (0..self.at).rev().take(MOST_PLACES);
        let operands = places.filter_map(|at| Some((at, self.operand(at)?)));
        let like = operands.filter(|(_, operand)| operand.kind == Some(claim.kind));
        like.take(MOST_BEFORE)
            .map(|(at, operand)| {
                let is_discount = cues_around(content, stated, at).name(Operation::Difference);
                if is_discount {
                    -operand.value
                } else {
                    operand.value
                }
            })
            .collect()
    }

    /// The sums of the last amounts of lines that start with the same words.
    fn sums_by_label(&self, claim: &Claim) -> Vec<f64> {
        let mut by_label: BTreeMap<u64, (usize, usize, f64)> = BTreeMap::new();
        for at in (0..self.at).rev().take(MOST_PLACES) {
            let fact = &self.reply.stated[at];
            let Some(operand) = self
                .operand(at)
                .filter(|operand| operand.kind == Some(claim.kind))
            else {
                continue;
            };
            let line = self.reply.line_start(fact.start);
            let start = &self.reply.content[line..];
            let end = start.char_indices().nth(LONGEST_START);
            let start = &start[..end.map_or(start.len(), |(at, _)| at)];
            let label = start.split([':', '\n']).next().unwrap_or(start);
            let (last, count, sum) = by_label
                .entry(key_of(label))
                .or_insert((usize::MAX, 0, 0.0));
            if *last != line {
                (*last, *count, *sum) = (line, *count + 1, *sum + operand.value);
            }
        }
        let sums = by_label.into_values().filter(|(_, count, _)| *count > 1);
        sums.map(|(_, _, sum)| sum).collect()
    }

    /// The first or the last amount of each line before that of the number, the nearest first.
    fn column_before(&self, claim: &Claim, place: Place) -> Vec<f64> {
        let mut column: Vec<(usize, f64)> = Vec::new();
        let from = self.sentence.start;
        for at in (0..self.at).rev().take(MOST_PLACES) {
            let fact = &self.reply.stated[at];
            let Some(operand) = self.operand(at) else {
                continue;
            };
            if fact.start >= from || operand.kind != Some(claim.kind) {
                continue;
            }
            let line = self.reply.line_start(fact.start);
            let is_full = column.len() == LONGEST_RUN;
            match column.last_mut() {
                Some((last, value)) if *last == line => {
                    if place == Place::First {
                        *value = operand.value;
                    }
                }
                _ if is_full => break,
                _ => column.push((line, operand.value)),
            }
        }
        column.into_iter().map(|(_, value)| value).collect()
    }

    fn names(&self) -> &Names {
        self.reply.names_of(self.sentence)
    }

    /// The numbers of a row, those first whose keys the sentence has words of.
    fn cells(&self, row: usize, claim: &Claim) -> Vec<(Cell, Operand)> {
        let rows = self.reply.rows();
        let names = self.names();
        let cells = rows.rows[row].cells.iter();
        let cells = cells.filter(|cell| claim.may_be_of(cell.value));
        let (named, others): (Vec<_>, Vec<_>) =
            cells.partition(|cell| names.are_of(rows.key_of(cell.column)));
        let cells = named.into_iter().chain(others);
        cells
            .map(|cell: &Cell| (*cell, of_cell(*cell)))
            .take(MOST_PAIRED)
            .collect()
    }

    fn try_named_rows(&self, claim: &Claim, search: &mut Search<'_>) {
        let said = self.said();
        let mut named = self.names().rows.clone();
        if named.is_empty() {
            named = self.reply.only_rows();
        }
        for row in &named {
            let cells: Vec<_> = self
                .cells(*row, claim)
                .into_iter()
                .map(|(_, operand)| operand)
                .collect();
            try_pairs(&cells, search);
            for operand in &said {
                cells.iter().for_each(|cell| search.pair(*operand, *cell));
            }
            if search.is_over() {
                return;
            }
        }
        self.try_between(&named, claim, search);
    }

    /// Tries the numbers of rows with those of the same column of others: of other rows that are named, else of
    /// the same list.
    fn try_between(&self, named: &[usize], claim: &Claim, search: &mut Search<'_>) {
        let all = self.reply.rows();
        for (at, row) in named.iter().enumerate() {
            for (cell, operand) in self.cells(*row, claim) {
                for other in &named[..at] {
                    let cells = all.rows[*other].cells.iter();
                    cells
                        .filter(|other| other.column == cell.column)
                        .for_each(|other| search.pair(operand, of_cell(*other)));
                }
            }
            if search.is_over() {
                return;
            }
        }
        for row in named {
            let Some(list) = all.list_of(*row) else {
                continue;
            };
            for (cell, operand) in self.cells(*row, claim) {
                if !self.names().are_of(all.key_of(cell.column)) && named.len() > 1 {
                    continue;
                }
                search.look_at(list.rows.len());
                for (other, value) in all.column(list, cell.column).take(LONGEST_RUN) {
                    if other != *row {
                        search.pair(operand, Operand { value, kind: None });
                    }
                }
            }
        }
    }

    fn try_lists(&self, claim: &Claim, search: &mut Search<'_>) {
        let rows = self.reply.rows();
        for list in rows.lists.iter().take(MOST_LISTS) {
            search.look_at(list.rows.len());
            let columns = columns_of(rows, list);
            let (named, others): (Vec<_>, Vec<_>) = columns
                .into_iter()
                .partition(|column| self.names().are_of(rows.key_of(*column)));
            for column in named.into_iter().chain(others).take(MOST_COLUMNS) {
                self.try_column(claim, list, column, search);
                if search.is_over() {
                    return;
                }
            }
        }
    }

    fn try_column(&self, claim: &Claim, list: &List, column: usize, search: &mut Search<'_>) {
        let names = self.names();
        let column: Vec<_> = self.reply.rows().column(list, column).collect();
        let (Some(first), Some(last)) = (column.first(), column.last()) else {
            return;
        };
        if column.len() < 2 {
            return;
        }
        let total: f64 = column.iter().map(|(_, value)| value).sum();
        // The rows of a group are in order; those that are named by themselves are few.
        let of = |is_in: &dyn Fn(&usize) -> bool| -> Vec<f64> {
            let of_group = column.iter().filter(|(row, _)| is_in(row));
            of_group.map(|(_, value)| *value).collect()
        };
        search.look_at(column.len() * (1 + names.groups.len()));
        let groups = names.groups.iter();
        let groups = groups.map(|group| of(&|row| group.binary_search(row).is_ok()));
        let groups: Vec<_> = groups
            .filter(|group| group.len() > 1 && group.len() < column.len())
            .collect();
        let named = of(&|row| names.rows.contains(row));
        if claim.kind == FactKind::Percent {
            for value in &named {
                search.share(*value, total);
            }
            for group in &groups {
                search.share(group.iter().sum(), total);
            }
            search.change(first.1, last.1);
            return;
        }
        search.offer(Operation::Sum, total);
        search.offer(Operation::Mean, total / column.len() as f64);
        for group in &groups {
            search.offer_of_group(group.iter().sum());
        }
        for group in groups
            .iter()
            .chain([&named])
            .filter(|group| !group.is_empty())
        {
            let sum: f64 = group.iter().sum();
            search.offer(Operation::Sum, sum);
            search.offer(Operation::Mean, sum / group.len() as f64);
        }
        let sum = Operand {
            value: total,
            kind: None,
        };
        for operand in self.said() {
            search.pair(operand, sum);
        }
        if let Some(parent) = list.parent {
            for cell in self.reply.rows().rows[parent]
                .cells
                .iter()
                .take(MOST_BESIDE)
            {
                search.offer(Operation::Sum, total + cell.value);
            }
        }
        search.offer(Operation::Difference, last.1 - first.1);
        if column.len() <= LONGEST_COLUMN_OF_RUNS {
            for from in 0..column.len() {
                search.runs(column[from..].iter().map(|(_, value)| *value));
            }
        }
    }

    fn try_rows_around(&self, claim: &Claim, search: &mut Search<'_>) {
        let around = self.reply.around(self.sentence);
        self.try_rows(&self.reply.names_of(&around).rows, claim, search);
    }

    fn try_rows_of_reply(&self, claim: &Claim, search: &mut Search<'_>) {
        self.try_rows(
            &self.reply.names_of(&self.reply.whole()).rows,
            claim,
            search,
        );
    }

    /// Tries the numbers of rows with one another and with those near the claim.
    fn try_rows(&self, named: &[usize], claim: &Claim, search: &mut Search<'_>) {
        self.try_between(named, claim, search);
        let mut near = self.said();
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        near.extend(self.before(claim).filter(is_like).take(MOST_AFTER));
        for row in named {
            let cells = self.cells(*row, claim).into_iter();
            let cells: Vec<_> = cells.map(|(_, operand)| operand).collect();
            try_pairs(&cells, search);
            for operand in &near {
                cells.iter().for_each(|cell| search.pair(*operand, *cell));
            }
            if search.is_over() {
                return;
            }
        }
    }
}

impl Scope<'_, '_, '_> {
    /// Tries the amounts of money that people and the agent spoke of lately with those near the number.
    fn try_mentioned(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind != FactKind::Money {
            return;
        }
        let Background {
            earlier,
            said,
            texts,
            evidence,
            ..
        } = self.reply.background;
        let turns = earlier.iter().zip(*said).rev().take(MOST_TURNS);
        let said = turns.filter(|(turn, _)| turn.role != Role::System);
        let amounts = said.flat_map(|(_, text)| texts.facts(*text));
        let amounts = amounts.take(MOST_COMPARED);
        let amounts = amounts.filter(|fact| fact.kind == FactKind::Money);
        let known = amounts.filter_map(|fact| {
            let value = number(fact).filter(|value| evidence.holds_number(*value, fact.text))?;
            Some(Operand {
                value,
                kind: Some(fact.kind),
            })
        });
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        let near: Vec<_> = self
            .near(claim)
            .into_iter()
            .filter(is_like)
            .take(MOST_AFTER)
            .collect();
        for mentioned in known.take(MOST_MENTIONED) {
            near.iter()
                .for_each(|operand| search.pair(*operand, mentioned));
            if search.is_over() {
                return;
            }
        }
    }
}

/// Which amount of a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Last,
}

fn of_cell(cell: Cell) -> Operand {
    Operand {
        value: cell.value,
        kind: None,
    }
}

/// Tries all pairs, those of the first ones first.
fn try_pairs(operands: &[Operand], search: &mut Search<'_>) {
    for (at, operand) in operands.iter().enumerate() {
        for other in &operands[..at] {
            search.pair(*other, *operand);
        }
        if search.is_over() {
            return;
        }
    }
}
