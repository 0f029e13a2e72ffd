//! Derives claims from the columns of the reply's own tables and lists: their sums, means and spreads.

use std::collections::BTreeMap;

use super::claim::Claim;
use super::cues::Operation;
use super::scopes::Scope;
use super::search::{Operand, Search};
use toolgauge_facts::FactKind;

/// How many facts before and after a number are read.
const MOST_PLACES: usize = 80;

/// How many columns are tried.
const MOST_COLUMNS: usize = 16;

/// The position of a number in its line: the index of its table cell, or its index among the numbers of its kind,
/// counted from the start or from the end.
type Slot = (u8, usize, FactKind);

impl Scope<'_, '_, '_> {
    /// Tries the sum, mean and spread of each column of the reply.
    pub fn try_columns_of_reply(&self, claim: &Claim, search: &mut Search<'_>) {
        let sums_up = self.is_after_list();
        let columns = self.columns_of_reply(claim);
        for column in &columns {
            let sum: f64 = column.iter().sum();
            search.offer(Operation::Mean, sum / column.len() as f64);
            if sums_up {
                search.offer_of_group(Operation::Sum, sum);
            } else {
                search.offer(Operation::Sum, sum);
            }
        }
        for column in &columns {
            let [first, .., last] = column.as_slice() else {
                continue;
            };
            let (least, most) = column
                .iter()
                .fold((f64::MAX, f64::MIN), |(least, most), value| {
                    (least.min(*value), most.max(*value))
                });
            search.offer(Operation::Difference, most - least);
            search.offer(Operation::Difference, last - first);
            // The last line may be the total.
            let sum: f64 = column.iter().sum();
            search.offer(Operation::Mean, (sum - last) / (column.len() - 1) as f64);
            if search.is_over() {
                return;
            }
        }
    }

    /// Checks whether the sentence is the first one after a list or table.
    fn is_after_list(&self) -> bool {
        let start = self.reply.line_start(self.sentence.start);
        let is_first = self.reply.content[start..self.sentence.start]
            .trim()
            .is_empty();
        let before = self.reply.content[..start].trim_end();
        let last = before.rsplit('\n').next().unwrap_or_default().trim_start();
        let digits = last.bytes().take_while(u8::is_ascii_digit).count();
        let is_item = last.starts_with(['-', '*', '•', '–', '|'])
            || (digits > 0 && last[digits..].starts_with(['.', ')']));
        is_first && is_item
    }

    /// Returns the columns of the reply: known numbers of different lines at the same position, at least two each.
    fn columns_of_reply(&self, claim: &Claim) -> Vec<Vec<f64>> {
        let stated = self.reply.stated;
        let from = self.at.saturating_sub(MOST_PLACES);
        let to = stated.len().min(self.at + MOST_PLACES);
        let own = self.reply.line_start(stated[self.at].start);
        let mut lines: BTreeMap<usize, Vec<(usize, Operand)>> = BTreeMap::new();
        for (at, fact) in stated.iter().enumerate().take(to).skip(from) {
            let line = self.reply.line_start(fact.start);
            if let Some(operand) = self.operand(at).filter(|_| line != own) {
                lines.entry(line).or_default().push((at, operand));
            }
        }
        let mut columns: BTreeMap<Slot, Vec<f64>> = BTreeMap::new();
        for (line, operands) in lines {
            for (at, operand) in &operands {
                let Some(kind) = operand.kind else { continue };
                if (kind == FactKind::Percent) != (claim.kind == FactKind::Percent) {
                    continue;
                }
                let before = &self.reply.content[line..stated[*at].start];
                let like = operands
                    .iter()
                    .filter(|(_, other)| other.kind == operand.kind);
                let slots: [Option<Slot>; 2] = match before.trim_start().starts_with('|') {
                    true => [Some((0, before.matches('|').count(), kind)), None],
                    false => {
                        let earlier = like.clone().filter(|(other, _)| other < at).count();
                        let later = like.filter(|(other, _)| other > at).count();
                        [Some((1, earlier, kind)), Some((2, later, kind))]
                    }
                };
                for slot in slots.into_iter().flatten() {
                    columns.entry(slot).or_default().push(operand.value);
                }
            }
        }
        let columns = columns.into_values().filter(|column| column.len() > 1);
        columns.take(MOST_COLUMNS).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    const JARS: &str = r#"{"turn_id":1,"role":"user","content":"And?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"list","result":[
            {"press":"Alder","a":{"first":143.5,"then":61}},{"press":"Birch","b":{"first":88.25,"then":17}}]}]}"#;

    fn check(cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(texts_unsupported_after(JARS, reply), *expected, "{reply}");
        }
    }

    #[test]
    fn what_follows_a_list_sums_it_up() {
        check(&[
            ("- Alder: 61\n- Birch: 17\n\nThat's 78 jars.", &[]),
            ("- Alder: 61\n- Birch: 17\n\nThat's 87 jars.", &["87"]),
        ]);
    }

    #[test]
    fn columns_have_a_mean_and_a_spread() {
        check(&[
            (
                "- Alder: 143.5\n- Birch: 88.25\n\nThe average is 115.9.",
                &[],
            ),
            (
                "- Alder: 143.5\n- Birch: 88.25\n\nThe average is 119.5.",
                &["119.5"],
            ),
        ]);
    }
}
