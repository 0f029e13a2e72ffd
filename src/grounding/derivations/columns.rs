//! Derives claims from the columns of lists: totals, means and shares of all rows, of the rows that the sentence names,
//! and of groups of rows with a common property that it names.

use std::collections::BTreeMap;

use super::claim::Claim;
use super::cues::Operation;
use super::rows::{List, Source, columns_of};
use super::scopes::Scope;
use super::search::{Operand, Search};
use toolgauge_facts::FactKind;

/// How many lists of the results are tried.
const MOST_LISTS: usize = 12;

/// How many numbers of the record around a list are added to its total.
const MOST_BESIDE: usize = 4;

/// How many columns are tried per list.
const MOST_COLUMNS: usize = 16;

/// Up to this length, a column also has the sums of all its runs of neighbouring numbers tried.
const LONGEST_COLUMN_OF_RUNS: usize = 12;

/// If a claim has fewer bits than this, a total supports it only if the words around it name a sum.
const LEAST_BITS: f64 = 9.0;

impl Scope<'_, '_, '_> {
    /// Tries the columns of all lists, beginning with those that the sentence names.
    pub fn try_lists(&self, claim: &Claim, search: &mut Search<'_>) {
        let rows = self.reply.rows();
        self.try_lists_of_numbers(search);
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

    /// Tries totals over lists of plain numbers that several records have under the same key.
    fn try_lists_of_numbers(&self, search: &mut Search<'_>) {
        let rows = self.reply.rows();
        let mut totals: BTreeMap<usize, (usize, f64)> = BTreeMap::new();
        for list in rows.lists.iter().take(MOST_LISTS) {
            let numbers = list.rows.iter().map(|row| &rows.rows[*row]);
            let mut numbers = numbers
                .filter(|row| matches!(row.source, Source::Number))
                .peekable();
            let Some(column) = numbers.peek().and_then(|row| row.cells.first()) else {
                continue;
            };
            let (count, total) = totals.entry(column.column).or_default();
            *count += 1;
            search.look_at(list.rows.len());
            *total += numbers
                .filter_map(|row| row.cells.first())
                .map(|cell| cell.value)
                .sum::<f64>();
        }
        for (column, (count, total)) in totals {
            if count > 1 && self.names().are_of(rows.key_of(column)) {
                search.offer_of_group(Operation::Sum, total);
            }
        }
    }

    fn try_column(&self, claim: &Claim, list: &List, at: usize, search: &mut Search<'_>) {
        let names = self.names();
        let column: Vec<_> = self.reply.rows().column(list, at).collect();
        let (Some(first), Some(last)) = (column.first(), column.last()) else {
            return;
        };
        if column.len() < 2 {
            return;
        }
        let total: f64 = column.iter().map(|(_, value)| value).sum();
        // The rows of a group are sorted. The rows that the sentence names itself are few, so no search is needed.
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
            search.share(named.iter().sum(), total);
            for group in &groups {
                search.share(group.iter().sum(), total);
            }
            search.change(first.1, last.1);
            return;
        }
        let is_named = names.are_of(self.reply.rows().key_of(at));
        if is_named || claim.bits >= LEAST_BITS {
            search.offer_of_group(Operation::Sum, total);
        } else {
            search.offer(Operation::Sum, total);
        }
        search.offer(Operation::Mean, total / column.len() as f64);
        if !named.is_empty() {
            search.offer(Operation::Sum, total - named.iter().sum::<f64>());
        }
        for group in &groups {
            search.offer_of_group(Operation::Sum, group.iter().sum());
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
}
