//! Searches for a claimed number among the results of expressions. Likelier expressions are tried first. The more
//! results precede the first match, the more bits it costs to name that match.

use foldhash::HashSet;

use super::claim::Claim;
use super::cues::Operation;
use toolgauge_facts::FactKind;

/// How many bits an expression must be cheaper than the number if words name its operation.
const LEAST_NAMED: f64 = 2.0;

/// The same if no words name its operation.
const LEAST: f64 = 5.5;

/// The same if, in addition, the operands are in other sentences.
const LEAST_FAR: f64 = 8.0;

/// How many expressions are tried for one number.
const MOST_TRIED: u32 = 4000;

/// How many numbers of results are read for one number.
const MOST_LOOKED_AT: usize = 200_000;

/// Counts below `LEAST_ADDED` are not added to numbers above `LARGEST_BESIDE`.
const LEAST_ADDED: f64 = 5.0;
const LARGEST_BESIDE: f64 = 20.0;

/// The smallest ratio of two numbers that are added up.
const LEAST_SHARE: f64 = 0.002;

/// A number that others are derived from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operand {
    /// The number.
    pub value: f64,
    /// The kind of the number, if a text shows it.
    pub kind: Option<FactKind>,
}

impl Operand {
    fn is(self, kind: FactKind) -> bool {
        self.kind == Some(kind)
    }

    fn may_be(self, kind: FactKind) -> bool {
        self.kind.is_none_or(|own| own == kind)
    }
}

/// The expressions that were tried for a claim.
pub struct Search<'c> {
    claim: &'c Claim,
    /// How many results come from operations that words name.
    named: u32,
    /// How many results come from any operation.
    all: u32,
    tried: u32,
    looked_at: usize,
    /// The results, in steps of the last digit.
    results: HashSet<i64>,
    found: bool,
    /// How many bits an expression must be cheaper than the number if no words name its operation.
    least: f64,
    /// The same if words name it.
    least_named: f64,
    /// Whether only operations that words name are accepted.
    only_named: bool,
    /// Whether the numbers added up belong to rows that words name.
    is_group: bool,
    /// Whether words are ignored.
    is_plain: bool,
    /// Whether any expression is accepted, however many were tried.
    takes_any: bool,
}

impl<'c> Search<'c> {
    /// Creates a search for `claim`.
    pub fn of(claim: &'c Claim) -> Self {
        Self {
            claim,
            named: 0,
            all: 0,
            tried: 0,
            looked_at: 0,
            results: HashSet::default(),
            found: false,
            least: LEAST,
            least_named: LEAST_NAMED,
            only_named: false,
            is_group: false,
            is_plain: false,
            takes_any: false,
        }
    }

    /// Adds the bits that it costs to name this search.
    pub fn cost(&mut self, bits: f64) {
        self.least += bits;
        self.least_named += bits;
    }

    /// From now on, operands are farther away, so an expression without words must be far cheaper than the number.
    pub fn take_only_clear(&mut self) {
        self.least = LEAST_FAR;
    }

    /// From now on, only operations that words name are accepted.
    pub fn take_only_named(&mut self) {
        self.only_named = true;
    }

    /// Checks whether the number was found.
    pub fn found(&self) -> bool {
        self.found
    }

    /// Returns how many expressions were tried.
    pub fn tried(&self) -> u32 {
        self.tried
    }

    /// Counts numbers of results that are read, whether or not they become part of expressions.
    pub fn look_at(&mut self, count: usize) {
        self.looked_at += count;
    }

    /// Returns how many numbers of results were read.
    pub fn looked_at(&self) -> usize {
        self.looked_at
    }

    /// Checks whether the number is found or can no longer be: further expressions cost more than the number.
    pub fn is_over(&self) -> bool {
        let costs = |count: u32| f64::from(count.max(1)).log2();
        let is_too_dear = !self.takes_any
            && costs(self.named) > self.claim.bits - LEAST_NAMED
            && costs(self.all) > self.claim.bits - LEAST;
        let is_long = self.tried >= MOST_TRIED || self.looked_at >= MOST_LOOKED_AT;
        self.found || is_too_dear || is_long
    }

    /// From now on, any expression that results in the number is accepted.
    pub fn take_any(&mut self) {
        self.takes_any = true;
    }

    /// Accepts the number, because there are too many expressions to try.
    pub fn give_up(&mut self) {
        self.found = true;
    }

    /// Tries a result as if words named its operation, such as a sum over a group of rows that they name.
    pub fn offer_of_group(&mut self, operation: Operation, result: f64) {
        let before = std::mem::replace(&mut self.is_group, true);
        self.offer(operation, result);
        self.is_group = before;
    }

    /// Tries a result as if no words were around the number.
    pub fn offer_plain(&mut self, operation: Operation, result: f64) {
        let before = std::mem::replace(&mut self.is_plain, true);
        self.offer(operation, result);
        self.is_plain = before;
    }

    /// Tries a result.
    pub fn offer(&mut self, operation: Operation, result: f64) {
        if self.found {
            return;
        }
        self.tried += 1;
        let claim = self.claim;
        if !claim.is_like(result) {
            return;
        }
        let is_percentage = matches!(operation, Operation::Share | Operation::Change);
        let is_named = !self.is_plain
            && (self.is_group || claim.cues.name(operation) || (is_percentage && !self.only_named));
        if self.only_named && !is_named && !claim.said.name(operation) {
            return;
        }
        let steps = (result.abs() / claim.half).round() as i64;
        if self.results.insert(steps) {
            self.all += 1;
            self.named += u32::from(is_named);
        } else if !claim.is(result) {
            return;
        }
        let is_cheap =
            |count: u32, least: f64| claim.bits - f64::from(count.max(1)).log2() >= least;
        self.found = claim.is(result)
            && (self.takes_any
                || is_cheap(self.all, self.least)
                || (is_named && is_cheap(self.named, self.least_named)));
    }

    /// Tries the results of two numbers.
    pub fn pair(&mut self, a: Operand, b: Operand) {
        match self.claim.kind {
            FactKind::Percent => self.percentages(a, b),
            kind => self.amounts(kind, a, b),
        }
    }

    fn percentages(&mut self, a: Operand, b: Operand) {
        if a.is(FactKind::Percent) || b.is(FactKind::Percent) {
            if a.may_be(FactKind::Percent) && b.may_be(FactKind::Percent) {
                self.offer(Operation::Difference, a.value - b.value);
                self.offer(Operation::Sum, a.value + b.value);
            }
            return;
        }
        self.share(a.value, b.value);
        self.change(a.value, b.value);
        if a.value > 0.0 && b.value > 0.0 {
            let both = a.value + b.value;
            self.offer(Operation::Share, 100.0 * a.value / both);
            self.offer(Operation::Share, 100.0 * b.value / both);
        }
    }

    /// Tries the smaller number as a percentage of the larger.
    pub fn share(&mut self, a: f64, b: f64) {
        let (less, more) = if a.abs() < b.abs() { (a, b) } else { (b, a) };
        self.offer(Operation::Share, 100.0 * less / more);
    }

    /// Tries the change between two numbers in percent, in both directions.
    pub fn change(&mut self, a: f64, b: f64) {
        self.offer(Operation::Change, 100.0 * (b - a) / a);
        self.offer(Operation::Change, 100.0 * (a - b) / b);
    }

    fn amounts(&mut self, kind: FactKind, a: Operand, b: Operand) {
        if a.is(FactKind::Percent) || b.is(FactKind::Percent) {
            let (value, percent) = if b.is(FactKind::Percent) {
                (a, b)
            } else {
                (b, a)
            };
            if value.is(FactKind::Percent) && kind == FactKind::Number {
                // Percentage points.
                self.offer_of_group(Operation::Difference, a.value - b.value);
            }
            if value.may_be(kind) {
                // "10% of it", "you save 10%", "with tax".
                let cues = self.claim.cues;
                let named = [Operation::Difference, Operation::Sum];
                let named = named.into_iter().find(|operation| cues.name(*operation));
                let operation = named.unwrap_or(Operation::Product);
                let share = percent.value / 100.0;
                for factor in [share, 1.0 + share, 1.0 - share, 1.0 / (1.0 + share)] {
                    self.offer(operation, value.value * factor);
                }
            }
            return;
        }
        if a.may_be(kind) && b.may_be(kind) && are_comparable(a.value, b.value) {
            self.offer(Operation::Difference, a.value - b.value);
            self.offer(Operation::Sum, a.value + b.value);
        }
        let are_money = a.is(FactKind::Money) && b.is(FactKind::Money);
        if !are_money {
            self.offer(Operation::Product, a.value * b.value);
        }
        if !are_money || kind == FactKind::Number {
            self.offer(Operation::Quotient, a.value / b.value);
            self.offer(Operation::Quotient, b.value / a.value);
        }
    }

    /// Tries the sums of the first two, three, … of `values`.
    pub fn runs(&mut self, values: impl Iterator<Item = f64>) {
        let mut sum = 0.0;
        for (count, value) in values.enumerate() {
            sum += value;
            if count > 0 {
                self.offer(Operation::Sum, sum);
            }
            if self.is_over() {
                return;
            }
        }
    }
}

/// Checks whether two numbers are similar enough in size to be added up. A wrong number is mostly near the right one,
/// so adding something small would support it.
fn are_comparable(a: f64, b: f64) -> bool {
    let (less, more) = (a.abs().min(b.abs()), a.abs().max(b.abs()));
    let is_small_count = less.fract() == 0.0 && less < LEAST_ADDED && more > LARGEST_BESIDE;
    !is_small_count && less >= more * LEAST_SHARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn claim_of(content: &str) -> Claim {
        let stated = facts(content);
        Claim::of(content, &stated, 0, &(0..content.len())).expect("a number")
    }

    fn operand(value: f64) -> Operand {
        Operand { value, kind: None }
    }

    fn follows(content: &str, a: f64, b: f64) -> bool {
        let claim = claim_of(content);
        let mut search = Search::of(&claim);
        search.pair(operand(a), operand(b));
        search.found()
    }

    #[test]
    fn long_numbers_follow_without_words() {
        assert!(follows("There are 7437 of them.", 4127.0, 3310.0));
        assert!(!follows("There are 7438 of them.", 4127.0, 3310.0));
        assert!(follows("There are 817 of them.", 4127.0, 3310.0));
    }

    #[test]
    fn short_numbers_need_words_for_what_was_done() {
        assert!(follows("The difference is 7 there.", 58.0, 51.0));
        assert!(!follows("There are 7 of them.", 58.0, 51.0));
        assert!(!follows("The difference is 8 there.", 58.0, 51.0));
    }

    #[test]
    fn percentages_are_shares_and_changes() {
        assert!(follows("It is 12.5% of it.", 31.0, 248.0));
        assert!(!follows("It is 13.5% of it.", 31.0, 248.0));
        assert!(follows("It rose by 18.4%.", 250.0, 296.0));
    }

    #[test]
    fn the_more_was_tried_the_less_follows() {
        let claim = claim_of("There are 817 of them.");
        let mut search = Search::of(&claim);
        (100..200).for_each(|result| search.offer(Operation::Sum, f64::from(result)));
        search.offer(Operation::Difference, 817.0);
        assert!(!search.found());
    }

    #[test]
    fn a_search_ends_when_too_many_numbers_were_looked_at() {
        let claim = claim_of("There are 81752 of them.");
        let mut search = Search::of(&claim);
        assert!(!search.is_over());
        search.look_at(MOST_LOOKED_AT);
        assert!(search.is_over());
    }
}
