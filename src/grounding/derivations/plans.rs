//! Derives claims from rows that a reply names one after another, such as the legs of a trip or the goods of an order:
//! their sums, such sums times a count, and the differences of such sums from one another, from amounts near the number
//! and from totals of lists within records.
//!
//! The rows nearest to the number are tried first, beginning with the columns that the words around it name.

use std::ops::Range;

use foldhash::HashSet;

use super::claim::Claim;
use super::cues::Operation;
use super::reply::Reply;
use super::rows::{List, Rows, columns_of};
use super::scopes::Scope;
use super::search::Search;
use toolgauge_facts::{FactKind, TokenKind, WordId};

/// How many codes of a reply are used.
const MOST_CODES: usize = 400;

/// Shorter words with digits are not codes of rows.
const SHORTEST_CODE: usize = 4;

/// A code that more rows have identifies none of them.
const MOST_OF_CODE: usize = 8;

/// The largest number of consecutive codes whose rows are added up.
const LONGEST_WINDOW: usize = 4;

/// Like `LONGEST_WINDOW`, for the codes of one sentence.
const MOST_OF_SENTENCE: usize = 6;

/// How many codes away from a number, before or after it, a window may start.
const MOST_SHIFTED: usize = 3;

/// How many rows of one code are tried.
const MOST_ROWS: usize = 3;

/// How many columns are tried.
const MOST_COLUMNS: usize = 8;

/// How many sums over named rows are combined with other amounts.
const MOST_SUMS: usize = 16;

/// How many totals of lists within records are used.
const MOST_TOTALS: usize = 24;

/// How many lists within records are added up, and how long they may be.
const MOST_LISTS: usize = 12;
const LONGEST_LIST: usize = 12;

/// How many amounts near the number are compared with the sums.
const MOST_NEAR: usize = 4;

/// A code of a reply that names rows.
pub struct Code {
    /// Its byte offset in the reply.
    start: usize,
    /// The id of its word.
    word: WordId,
}

/// Returns the codes of a reply that name rows, in order. Immediate repetitions are dropped.
pub fn codes_of(reply: &Reply<'_, '_>) -> Vec<Code> {
    let tokens = reply.background.texts.tokens(reply.id).iter();
    let codes = tokens.filter(|token| {
        token.kind != TokenKind::Letters
            && token.text.len() >= SHORTEST_CODE
            && token.text.bytes().any(|byte| byte.is_ascii_digit())
    });
    let mut found: Vec<Code> = Vec::new();
    for (start, word) in codes.filter_map(|token| Some((token.start, token.word?))) {
        let rows = reply.rows().named(&[word]).len();
        let is_told = found.last().is_some_and(|last| last.word == word);
        if (1..=MOST_OF_CODE).contains(&rows) && !is_told {
            found.push(Code { start, word });
        }
        if found.len() == MOST_CODES {
            break;
        }
    }
    found
}

/// Returns the totals of the lists within records, and the sums of their first and of their last items.
pub fn totals_of(rows: &Rows<'_>) -> Vec<f64> {
    let of_records = rows.lists.iter().filter(|list| list.parent.is_some());
    let short = of_records.filter(|list| list.rows.len() <= LONGEST_LIST);
    let totals = short.take(MOST_LISTS).flat_map(|list| sums_of(rows, list));
    let mut seen = HashSet::default();
    let new = totals.filter(|total| seen.insert(total.to_bits()));
    new.take(MOST_TOTALS).collect()
}

/// Returns the sums of whole columns, followed by those of their first and last items.
fn sums_of(rows: &Rows<'_>, list: &List) -> Vec<f64> {
    let columns = columns_of(rows, list).into_iter().take(MOST_COLUMNS);
    let columns: Vec<Vec<f64>> = columns
        .map(|column| rows.column(list, column).map(|(_, value)| value).collect())
        .collect();
    let mut sums: Vec<f64> = columns.iter().map(|column| column.iter().sum()).collect();
    for column in &columns {
        for at in 2..column.len() {
            sums.push(column[..at].iter().sum());
            sums.push(column[column.len() - at..].iter().sum());
        }
    }
    sums
}

impl Scope<'_, '_, '_> {
    /// Tries the sums over rows that are named one after another.
    pub fn try_plans(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind == FactKind::Percent {
            return;
        }
        let windows = self.windows();
        let mut sums = Vec::new();
        for is_said in [true, false] {
            for window in &windows {
                for sum in self.sums_over(window, is_said, search) {
                    match (window.len(), is_said) {
                        (..=1, _) => {}
                        (_, true) => search.offer(Operation::Sum, sum),
                        (_, false) => search.offer_plain(Operation::Sum, sum),
                    }
                    sums.push(sum);
                }
                if search.is_over() {
                    return;
                }
            }
        }
        let mut seen = HashSet::default();
        sums.retain(|sum| seen.insert(sum.to_bits()));
        sums.truncate(MOST_SUMS);
        let counts = self.counts(claim);
        let totals = self.reply.totals();
        search.take_only_named();
        for sum in sums.iter().chain(totals) {
            for count in &counts {
                search.offer(Operation::Product, sum * count);
            }
        }
        let near: Vec<_> = self.like_near(claim).take(MOST_NEAR).collect();
        for (at, sum) in sums.iter().enumerate() {
            for other in sums[..at].iter().chain(&near).chain(totals) {
                self.try_difference(sum - other, &counts, search);
            }
            if search.is_over() {
                return;
            }
        }
        for total in totals {
            for other in &near {
                self.try_difference(total - other, &counts, search);
            }
        }
    }

    fn try_difference(&self, difference: f64, counts: &[f64], search: &mut Search<'_>) {
        search.offer(Operation::Difference, difference);
        for count in counts {
            search.offer(Operation::Difference, difference * count);
        }
    }

    /// Returns windows of consecutive codes: first those of the sentence, then those before and after the number. The
    /// nearest come first.
    fn windows(&self) -> Vec<&[Code]> {
        let codes = self.reply.codes();
        let place = self.reply.stated[self.at].start;
        let here = codes.partition_point(|code| code.start < place);
        let mut windows: Vec<Range<usize>> = Vec::new();
        let first = codes.partition_point(|code| code.start < self.sentence.start);
        let last = codes.partition_point(|code| code.start < self.sentence.end);
        if (2..=MOST_OF_SENTENCE).contains(&(last - first)) {
            windows.push(first..last);
        }
        for size in 2..=LONGEST_WINDOW {
            windows.push(here.saturating_sub(size)..here);
            windows.push(here..here + size);
        }
        for shift in 1..=MOST_SHIFTED {
            let end = here.saturating_sub(shift);
            windows.push(end.saturating_sub(2)..end);
            windows.push(here + shift..here + shift + 2);
        }
        for shift in 0..MOST_SHIFTED {
            let at = here.saturating_sub(shift);
            windows.push(at.saturating_sub(1)..at);
            windows.push(here + shift..here + shift + 1);
        }
        let mut seen = HashSet::default();
        windows.retain(|window| {
            !window.is_empty() && window.end <= codes.len() && seen.insert(window.clone())
        });
        windows.into_iter().map(|window| &codes[window]).collect()
    }

    /// Returns the sums over the rows of these codes, for each column that all of them have. `is_said` selects the
    /// columns whose keys the words around the number contain, or else all others.
    fn sums_over(&self, window: &[Code], is_said: bool, search: &mut Search<'_>) -> Vec<f64> {
        let all = self.reply.rows();
        let rows: Vec<&[usize]> = window.iter().map(|code| all.named(&[code.word])).collect();
        let mut sums = Vec::new();
        for column in self.columns_of_rows(rows[0], is_said) {
            let cells: Vec<Vec<f64>> = rows
                .iter()
                .map(|rows| self.cells_of(rows, column, search))
                .collect();
            for place in 0..MOST_ROWS {
                let values = cells.iter().map(|cells| {
                    let last = cells.len().checked_sub(1)?;
                    cells.get(place.min(last))
                });
                sums.extend(values.sum::<Option<f64>>());
            }
        }
        let mut seen = HashSet::default();
        sums.retain(|sum: &f64| seen.insert(sum.to_bits()));
        sums
    }

    /// Returns the numbers of rows in one column.
    fn cells_of(&self, rows: &[usize], column: usize, search: &mut Search<'_>) -> Vec<f64> {
        let all = self.reply.rows();
        let cells = rows.iter().filter_map(|row| {
            let cells = &all.rows[*row].cells;
            search.look_at(cells.len());
            cells.iter().find(|cell| cell.column == column)
        });
        cells.map(|cell| cell.value).take(MOST_ROWS).collect()
    }

    fn columns_of_rows(&self, rows: &[usize], is_said: bool) -> Vec<usize> {
        let all = self.reply.rows();
        let names = self.reply.names_of(&self.reply.around(self.sentence));
        let rows = rows.iter().take(MOST_ROWS);
        let cells = rows.flat_map(|row| &all.rows[*row].cells);
        let mut seen = HashSet::default();
        let columns = cells.map(|cell| cell.column);
        let columns = columns
            .filter(|column| names.say(all.key_of(*column)) == is_said && seen.insert(*column));
        columns.take(MOST_COLUMNS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    /// Routes of two legs each, and an order of two others for 3 people.
    const WAYS: &str = r#"{"turn_id":1,"role":"user","content":"And?"},
        {"turn_id":2,"role":"agent","tool_calls":[
            {"name":"search","result":[
                [{"leg":"QX101","fares":{"basic":118,"plain":147},"seats":{"basic":9,"plain":4}},
                 {"leg":"QX202","fares":{"basic":97,"plain":163},"seats":{"basic":7,"plain":2}}],
                [{"leg":"QX101","fares":{"basic":118,"plain":147},"seats":{"basic":9,"plain":4}},
                 {"leg":"QX303","fares":{"basic":106,"plain":189},"seats":{"basic":5,"plain":6}}]]},
            {"name":"order","result":{"order":"R7K2","legs":[{"leg":"QX404","price":212},{"leg":"QX505","price":239}],
                "people":[{"name":"Ada"},{"name":"Bea"},{"name":"Cid"}]}}]}"#;

    fn check(cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(texts_unsupported_after(WAYS, reply), *expected, "{reply}");
        }
    }

    #[test]
    fn legs_that_are_named_one_after_another_are_added_up() {
        check(&[
            (
                "Cheapest in plain: $310\n- QX101 first\n- QX202 second",
                &[],
            ),
            (
                "Cheapest in plain: $340\n- QX101 first\n- QX202 second",
                &["$340"],
            ),
            ("QX101, then QX303, $224 in basic", &[]),
            ("QX101, then QX303, $242 in basic", &["$242"]),
        ]);
    }

    #[test]
    fn sums_over_legs_are_multiplied_where_words_say_so() {
        check(&[
            ("QX101 and QX202 in plain for 3 people, $930 in total.", &[]),
            (
                "QX101 and QX202 in plain for 3 people, $960 in total.",
                &["$960"],
            ),
        ]);
    }

    #[test]
    fn sums_over_legs_differ_from_what_records_hold() {
        check(&[
            ("With QX101 and QX202 in plain your refund is $141.", &[]),
            (
                "With QX101 and QX202 in plain your refund is $171.",
                &["$171"],
            ),
            (
                "With QX101 and QX202 in plain your gift is $141.",
                &["$141"],
            ),
        ]);
    }
}
