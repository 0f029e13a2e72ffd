//! Adds up amounts of a reply that have the same label, such as `price:`: the last two, three, …, or the last and one
//! further above. Also multiplies such sums by a count and subtracts them from a total.

use super::claim::Claim;
use super::cues::{Operation, cues_around};
use super::reply::Reply;
use super::scopes::Scope;
use super::search::Search;
use toolgauge_facts::{Fact, FactKind, key_of};

/// How many facts before a number are read.
const MOST_PLACES: usize = 100;

/// How many different labels are used. The nearest come first.
const MOST_LABELS: usize = 3;

/// How many amounts of one label are used.
const MOST_OF_LABEL: usize = 8;

/// How many of them are added up.
const LONGEST_RUN: usize = 5;

/// How many totals something is subtracted from.
const MOST_TOTALS: usize = 30;

/// How many amounts near the number are multiplied and subtracted.
const MOST_BESIDE: usize = 2;

/// How many subtotals are added up in pairs.
const MOST_SUBTOTALS: usize = 6;

/// How many bytes before an amount are searched for its label.
const LONGEST_LABEL: usize = 60;

/// Amounts with the same label. The nearest comes first.
struct Labelled {
    label: u64,
    values: Vec<f64>,
}

impl Scope<'_, '_, '_> {
    /// Tries sums of amounts with the same label.
    pub fn try_labels(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind == FactKind::Percent {
            return;
        }
        let labels = self.labels(claim);
        for labelled in &labels {
            search.runs(labelled.values.iter().take(LONGEST_RUN).copied());
            let [first, rest @ ..] = labelled.values.as_slice() else {
                continue;
            };
            for value in rest.iter().skip(1) {
                search.offer(Operation::Sum, first + value);
            }
        }
        let counts = self.counts(claim);
        for amount in self.like_near(claim).take(MOST_BESIDE) {
            for count in &counts {
                search.offer(Operation::Product, amount * count);
            }
        }
        for labelled in &labels {
            for sum in runs(&labelled.values) {
                for count in &counts {
                    search.offer(Operation::Product, sum * count);
                }
            }
        }
        let totals: Vec<_> = self.like_before(claim).take(MOST_TOTALS).collect();
        for labelled in &labels {
            for sum in runs(&labelled.values) {
                for total in &totals {
                    search.offer(Operation::Difference, total - sum);
                }
            }
            if search.is_over() {
                return;
            }
        }
        for amount in self.like_near(claim).take(MOST_BESIDE) {
            for total in &totals {
                search.offer(Operation::Difference, total - amount);
            }
        }
    }

    /// Tries the sums of two subtotals.
    pub fn try_subtotals(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind == FactKind::Percent {
            return;
        }
        let subtotals = self.subtotals(claim);
        for (at, subtotal) in subtotals.iter().enumerate() {
            for other in &subtotals[..at] {
                search.offer(Operation::Sum, subtotal + other);
            }
        }
    }

    /// Returns the last amounts before the number that words describe as totals.
    fn subtotals(&self, claim: &Claim) -> Vec<f64> {
        let Reply {
            content, stated, ..
        } = *self.reply;
        let places = (0..self.at).rev().take(MOST_PLACES);
        let like = places.filter_map(|at| {
            let operand = self.operand(at)?;
            let is_total = operand.kind == Some(claim.kind)
                && cues_around(content, stated, at).name(Operation::Sum);
            is_total.then_some(operand.value)
        });
        like.take(MOST_SUBTOTALS).collect()
    }

    /// Returns the amounts before the number by label. Labels that occur only once are dropped.
    fn labels(&self, claim: &Claim) -> Vec<Labelled> {
        let mut found: Vec<Labelled> = Vec::new();
        for at in (0..self.at).rev().take(MOST_PLACES) {
            let Some(operand) = self
                .operand(at)
                .filter(|operand| operand.kind == Some(claim.kind))
            else {
                continue;
            };
            let Some(label) = self.reply.label(at) else {
                continue;
            };
            let known = found.iter().position(|other| other.label == label);
            let values = match known {
                Some(known) => &mut found[known].values,
                None if found.len() < MOST_LABELS => {
                    found.push(Labelled {
                        label,
                        values: Vec::new(),
                    });
                    let last = found.len() - 1;
                    &mut found[last].values
                }
                None => continue,
            };
            if values.len() < MOST_OF_LABEL {
                values.push(operand.value);
            }
        }
        found.retain(|labelled| labelled.values.len() > 1);
        found
    }
}

/// Yields the sums of the first two, three, … values.
fn runs(values: &[f64]) -> impl Iterator<Item = f64> {
    let sums = values.iter().take(LONGEST_RUN).scan(0.0, |sum, value| {
        *sum += value;
        Some(*sum)
    });
    sums.skip(1)
}

/// Returns the key of the label of an amount: the letters before it in its line, back to a comma or a bracket.
pub fn label(content: &str, line_start: usize, fact: &Fact<'_>) -> Option<u64> {
    let from = super::char_start(content, fact.start.saturating_sub(LONGEST_LABEL));
    let before = &content[from.max(line_start).min(fact.start)..fact.start];
    let before = before
        .rsplit([',', ';', '{', '}', '[', ']', '(', ')', '|'])
        .next()?;
    let letters: String = before.chars().filter(|c| c.is_alphabetic()).collect();
    (!letters.is_empty()).then(|| key_of(&letters.to_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    const LEGS: &str = r#"{"turn_id":1,"role":"user","content":"And for 3 people?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"look_up","result":
            [{"code":"QX11","fare":318,"seats":71},{"code":"QX12","fare":467,"seats":64},{"code":"QX13","fare":229,"seats":82}]}]}"#;

    fn check(lines: &str, sum: &str, expected: &[&str]) {
        let reply = format!("{lines}\n{sum}");
        assert_eq!(texts_unsupported_after(LEGS, &reply), expected, "{reply}");
    }

    const LINES: &str = "{\"fare\": 318, \"seats\": 71},\n{\"fare\": 467, \"seats\": 64},\n{\"fare\": 229, \"seats\": 82},";

    #[test]
    fn amounts_of_one_label_are_added_up() {
        check(LINES, "\"fare_of_both\": 696", &[]);
        check(LINES, "\"fare_of_both\": 698", &["698"]);
        check(LINES, "\"fare_of_ends\": 547", &[]);
    }

    #[test]
    fn sums_of_one_label_are_multiplied_and_taken_away() {
        check(LINES, "\"people\": 3,\n\"total\": 2088", &[]);
        check(LINES, "\"people\": 3,\n\"total\": 2058", &["2058"]);
    }

    #[test]
    fn labels_are_the_letters_before_an_amount() {
        let content = "a (Fare: $31, seats $42), fare - $53";
        let stated = toolgauge_facts::facts(content);
        let labels: Vec<_> = stated
            .iter()
            .map(|fact| super::label(content, 0, fact))
            .collect();
        assert_eq!(labels[0], labels[2]);
        assert_ne!(labels[0], labels[1]);
    }
}
