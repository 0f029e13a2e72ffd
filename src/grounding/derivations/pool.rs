//! Derives rates: percentages, means and amounts per item. They are tried over any two of the numbers that the reply
//! mentions: amounts near the claim, numbers of the records that it names, totals and counts of lists, and numbers
//! beside the lists.
//!
//! If no result contains a percentage, a stated one can be derived in too many ways to check its cost. It is then
//! accepted if any two numbers result in it.

use foldhash::HashSet;

use super::claim::Claim;
use super::cues::Operation;
use super::formulas::SCALES;
use super::rows::columns_of;
use super::scopes::Scope;
use super::search::{Operand, Search};
use toolgauge_facts::FactKind;

/// How many numbers are paired.
const MOST: usize = 56;

/// How many of them are from named records, and how many are totals.
const MOST_OF_RECORDS: usize = 24;
const MOST_TOTALS: usize = 24;

/// How many amounts before and after the claim are paired.
const MOST_NEAR: usize = 10;

/// How many lists are read, and how many columns of each.
const MOST_LISTS: usize = 6;
const MOST_COLUMNS: usize = 8;

/// How many rows of lists are tried for percentages.
const MOST_ROWS: usize = 120;

/// How many numbers of results are paired with one another.
const MOST_PAIRED: usize = 30;

/// How many bytes may lie between an amount and a number that converts it to another unit or is a share of it.
const NEAR: usize = 24;

/// If a number has fewer bits, it is hit by chance among so many pairs.
const LEAST_BITS: f64 = 9.0;
const LEAST_BITS_LONG: f64 = 11.0;
const LEAST_BITS_SCALED: f64 = 8.0;

/// How many more bits a percentage costs if no words present it as a share or a change.
const COST_WITHOUT_WORDS: f64 = 1.5;

/// How many more bits a percentage costs if results contain percentages.
const COST_AMONG_OTHERS: f64 = 2.0;

/// How many amounts of the sentence are added up with all combinations of signs.
const MOST_SIGNED: usize = 5;

/// How many amounts near the claim are converted to another span of time.
const MOST_SCALED: usize = 10;

impl Scope<'_, '_, '_> {
    /// Tries the rates of numbers that the reply mentions.
    pub fn try_rates(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind == FactKind::Percent {
            self.try_percentages(claim, search);
            return;
        }
        self.try_scaled(claim, search);
        self.try_long(claim, search);
        self.try_spans_of_time(claim, search);
        let names = |operation| claim.cues.name(operation) || claim.said.name(operation);
        let is_rate = names(Operation::Mean) || names(Operation::Quotient);
        if !is_rate || claim.bits < LEAST_BITS || self.reply.values().have_means {
            return;
        }
        let pool = self.pool(claim);
        for (at, a) in pool.iter().enumerate() {
            for b in &pool[..at] {
                search.offer_of_group(Operation::Quotient, a / b);
                search.offer_of_group(Operation::Quotient, b / a);
            }
            if search.is_over() {
                return;
            }
        }
    }

    fn try_percentages(&self, claim: &Claim, search: &mut Search<'_>) {
        let values = self.reply.values();
        let pool = self.pool(claim);
        let own = self.amounts_of_percentage();
        if values.have_percentages {
            search.cost(COST_AMONG_OTHERS);
            try_all(if own.is_empty() { &pool } else { &own }, &pool, search);
            return;
        }
        let is_set = self.right_before().is_some();
        let names = |operation| claim.cues.name(operation) || claim.said.name(operation);
        if !is_set && !names(Operation::Share) && !names(Operation::Change) {
            search.cost(COST_WITHOUT_WORDS);
            try_all(&own, &pool, search);
            return;
        }
        search.take_any();
        if is_set {
            for a in &own {
                let others = pool.iter().chain(&values.numbers);
                for b in others.filter(|b| *b != a) {
                    search.share(*a, *b);
                    if names(Operation::Change) {
                        search.change(*a, *b);
                    }
                }
            }
        } else if values.are_many {
            search.give_up();
        } else if own.is_empty() && !self.names().rows.is_empty() {
            let cells = self
                .names()
                .rows
                .iter()
                .flat_map(|row| self.cells(*row, claim));
            let cells = cells.map(|(_, operand)| operand.value);
            let cells: Vec<_> = cells.take(MOST_OF_RECORDS).collect();
            try_all(&cells, &cells, search);
            let is_amount = |operand: &Operand| operand.kind != Some(FactKind::Percent);
            for near in self.all_before().filter(is_amount).take(MOST_NEAR) {
                cells
                    .iter()
                    .for_each(|cell| search.share(*cell, near.value));
            }
        } else if own.is_empty() {
            // Without an amount beside it, only named operations count.
            search.take_only_named();
            try_all(&pool, &pool, search);
            self.try_all_records(search);
            let numbers = &values.numbers[..values.numbers.len().min(MOST_PAIRED)];
            try_all(numbers, numbers, search);
        } else {
            try_all(&own, &pool, search);
            try_all(&own, &values.numbers, search);
        }
    }

    /// Returns the amounts that a percentage may refer to: the amount right before it if it is attached to that one,
    /// for example in brackets, otherwise all amounts of its sentence.
    fn amounts_of_percentage(&self) -> Vec<f64> {
        let is_amount = |operand: &Operand| operand.kind != Some(FactKind::Percent);
        match self.right_before().filter(is_amount) {
            Some(operand) => vec![operand.value],
            None => self.own_amounts(),
        }
    }

    /// Returns the known number right before this one, if at most `NEAR` bytes with a bracket, `≈` or `=` lie between
    /// them.
    fn right_before(&self) -> Option<Operand> {
        let before = self.at.checked_sub(1)?;
        let fact = &self.reply.stated[before];
        let between = self
            .reply
            .content
            .get(fact.end()..self.reply.stated[self.at].start)?;
        let is_near = between.len() <= NEAR && !between.contains(['.', ';', ':', '|', '\n', ')']);
        let is_set = is_near && between.contains(['(', '≈', '=', '（']);
        self.operand(before).filter(|_| is_set)
    }

    /// Tries the numbers of each row with one another, and with those of the row before.
    fn try_all_records(&self, search: &mut Search<'_>) {
        let rows = &self.reply.rows().rows;
        for (at, row) in rows.iter().take(MOST_ROWS).enumerate() {
            let cells = &row.cells[..row.cells.len().min(MOST_COLUMNS)];
            search.look_at(cells.len());
            for (place, a) in cells.iter().enumerate() {
                for b in &cells[..place] {
                    search.share(a.value, b.value);
                    search.change(a.value, b.value);
                }
                let before = at
                    .checked_sub(1)
                    .map_or(&[][..], |before| &rows[before].cells);
                let before = before.iter().find(|before| before.column == a.column);
                if let Some(before) = before {
                    search.change(before.value, a.value);
                }
            }
            if search.is_over() {
                return;
            }
        }
    }

    /// For a number with many digits, tries sums of the amounts of its sentence with all combinations of signs, and
    /// sums and differences of one of them and any other number of the pool.
    fn try_long(&self, claim: &Claim, search: &mut Search<'_>) {
        let is_amount = claim.kind == FactKind::Money || claim.is_grouped;
        if claim.bits < LEAST_BITS_LONG || !is_amount {
            return;
        }
        let own = self.own_amounts();
        let few = &own[..own.len().min(MOST_SIGNED)];
        for signs in 0..1_u32 << few.len() {
            let signed = few.iter().enumerate();
            let signed =
                signed.map(|(at, value)| if signs >> at & 1 == 0 { *value } else { -value });
            if few.len() > 1 {
                search.offer_of_group(Operation::Sum, signed.sum());
            }
        }
        let pool = self.pool(claim);
        let near = if own.is_empty() {
            &pool[..pool.len().min(MOST_SIGNED)]
        } else {
            &own[..]
        };
        for a in near {
            for b in &pool {
                search.offer_of_group(Operation::Sum, a + b);
                search.offer_of_group(Operation::Difference, a - b);
            }
            if search.is_over() {
                return;
            }
        }
    }

    /// Tries the nearest amounts converted to another span of time, if words mention one.
    fn try_spans_of_time(&self, claim: &Claim, search: &mut Search<'_>) {
        let names = |operation| claim.cues.name(operation) || claim.said.name(operation);
        let is_amount = claim.kind == FactKind::Money && claim.bits >= LEAST_BITS_SCALED;
        if !names(Operation::Product) || !is_amount {
            return;
        }
        let like = self.like_near(claim).take(MOST_SCALED);
        for amount in like {
            for scale in [12.0, 1.0 / 12.0, 52.0, 7.0] {
                search.offer_of_group(Operation::Product, amount * scale);
            }
        }
    }

    /// Returns the known amounts of the sentence that are not percentages.
    fn own_amounts(&self) -> Vec<f64> {
        let said = self.said().into_iter();
        let amounts = said.filter(|operand| operand.kind != Some(FactKind::Percent));
        amounts.map(|operand| operand.value).collect()
    }

    /// Tries the amount right before the claim in other units.
    fn try_scaled(&self, claim: &Claim, search: &mut Search<'_>) {
        let before = self.right_before();
        let before = before.filter(|operand| operand.kind == Some(claim.kind));
        if let Some(operand) = before {
            for scale in SCALES {
                search.offer_of_group(Operation::Product, operand.value * scale);
            }
        }
    }

    /// Returns the distinct numbers that the reply mentions. The nearest come first.
    pub fn pool(&self, claim: &Claim) -> Vec<f64> {
        let is_amount = |operand: &Operand| operand.kind != Some(FactKind::Percent);
        let value = |operand: Operand| operand.value;
        let said = self.said().into_iter().filter(is_amount).map(value);
        let before = self
            .all_before()
            .filter(is_amount)
            .map(value)
            .take(MOST_NEAR);
        let after = self
            .all_after()
            .filter(is_amount)
            .map(value)
            .take(MOST_NEAR);
        let mut seen = HashSet::default();
        let near = said.chain(before).chain(after);
        let all = near.chain(self.of_records(claim)).chain(self.of_lists());
        let values = self.reply.values();
        // Among so many numbers, an amount of money would be hit by chance.
        let others = if claim.kind == FactKind::Money {
            &[][..]
        } else {
            &values.numbers[..]
        };
        let all = all.chain(others.iter().chain(&values.wishes).copied());
        all.filter(|value: &f64| {
            *value != 0.0 && value.is_finite() && seen.insert(value.abs().to_bits())
        })
        .take(MOST)
        .collect()
    }

    fn all_before(&self) -> impl Iterator<Item = Operand> {
        let places = (0..self.at).rev().take(super::scopes::MOST_PLACES);
        places.filter_map(|at| self.operand(at))
    }

    fn all_after(&self) -> impl Iterator<Item = Operand> {
        let count = self.reply.stated.len();
        let places = (self.at + 1..count).take(super::scopes::MOST_PLACES);
        places.filter_map(|at| self.operand(at))
    }

    /// Returns the numbers of the records that the sentence or the text around it names.
    fn of_records(&self, claim: &Claim) -> Vec<f64> {
        let around = self.reply.around(self.sentence);
        let rows = self.names().rows.iter();
        let rows = rows.chain(&self.reply.names_of(&around).rows);
        let cells = rows.flat_map(|row| self.cells(*row, claim));
        cells
            .map(|(_, operand)| operand.value)
            .take(MOST_OF_RECORDS)
            .collect()
    }

    /// Returns the counts and totals of lists, the totals of groups that the sentence names, and the numbers beside the
    /// lists.
    fn of_lists(&self) -> Vec<f64> {
        let rows = self.reply.rows();
        let mut values = Vec::new();
        let mut of_list: HashSet<usize> = HashSet::default();
        for list in rows.lists.iter().take(MOST_LISTS) {
            of_list.extend(&list.rows);
            values.push(list.rows.len() as f64);
            for column in columns_of(rows, list).into_iter().take(MOST_COLUMNS) {
                values.push(rows.column(list, column).map(|(_, value)| value).sum());
                let groups = self.names().groups.iter().map(Vec::as_slice);
                for group in groups.chain([self.names().rows.as_slice()]) {
                    let of_group = rows
                        .column(list, column)
                        .filter(|(row, _)| group.contains(row));
                    values.push(of_group.map(|(_, value)| value).sum());
                }
            }
        }
        values.truncate(MOST_TOTALS);
        let beside = (0..rows.rows.len()).filter(|row| !of_list.contains(row));
        let cells = beside.take(MOST_ROWS).flat_map(|row| &rows.rows[row].cells);
        values.extend(cells.map(|cell| cell.value).take(MOST_OF_RECORDS));
        values
    }
}

/// Tries the numbers of one slice as percentages of those of the other, and the changes between them.
fn try_all(some: &[f64], others: &[f64], search: &mut Search<'_>) {
    for a in some {
        for b in others.iter().filter(|b| *b != a) {
            search.share(*a, *b);
            search.change(*a, *b);
            if *a > 0.0 && *b > 0.0 {
                search.offer(Operation::Share, 100.0 * a / (a + b));
            }
        }
        if search.is_over() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    fn unsupported(result: &str, reply: &str) -> Vec<String> {
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"And?"}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look_up","result":{result}}}]}}"#
        );
        texts_unsupported_after(&turns, reply)
    }

    fn check(result: &str, cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(unsupported(result, reply), *expected, "{reply}");
        }
    }

    const PRESS: &str = r#"{"press":{"name":"Alder","paid":1730.5,"tax":412.2},"jars":[{"n":412},{"n":377},{"n":196}]}"#;

    #[test]
    fn percentages_follow_from_two_numbers_where_results_have_none() {
        check(
            PRESS,
            &[
                ("Alder has a tax of 412.2 (23.8% of what was paid).", &[]),
                (
                    "Alder has a tax of 412.2 (28.3% of what was paid).",
                    &["28.3%"],
                ),
            ],
        );
    }

    #[test]
    fn changes_from_one_row_to_the_next_need_a_word_for_them() {
        check(
            r#""month | jars\n------+-----\n2031-04 | 812\n2031-05 | 998\n2031-06 | 1310\n(3 rows)""#,
            &[
                ("June was up 31% on May.", &[]),
                ("In June they were 31% higher.", &[]),
                ("June was up 37% on May.", &["37%"]),
            ],
        );
    }

    #[test]
    fn percentages_that_results_have_are_not_worked_out() {
        check(
            r#"{"name":"Alder","paid":1730.5,"tax":412.2,"growth_pct":23.9}"#,
            &[
                ("The growth rate is 23.9%.", &[]),
                ("The growth rate is 29.3%.", &["29.3%"]),
            ],
        );
    }

    #[test]
    fn means_and_amounts_of_each_are_quotients() {
        check(
            PRESS,
            &[
                ("Alder paid 1730.5, an average of $4.20 for 412 jars.", &[]),
                (
                    "Alder paid 1730.5, an average of $4.60 for 412 jars.",
                    &["$4.60"],
                ),
            ],
        );
    }

    #[test]
    fn the_amount_right_before_may_be_said_in_another_unit() {
        check(
            r#"{"memory":1894}"#,
            &[
                ("It takes 1,894 MiB (≈1.85 GiB).", &[]),
                ("It takes 1,894 MiB (≈1.58 GiB).", &["1.58"]),
            ],
        );
    }

    #[test]
    fn amounts_of_a_sentence_are_added_up_with_any_sign() {
        check(
            r#"{"goods":318.4,"way":12.9,"coupon":-20.5}"#,
            &[
                (
                    "You pay $310.80 (goods $318.40, way $12.90, coupon $20.50).",
                    &[],
                ),
                (
                    "You pay $318.10 (goods $318.40, way $12.90, coupon $20.50).",
                    &["$318.10"],
                ),
            ],
        );
    }
}
