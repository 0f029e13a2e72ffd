//! Derives claims from totals over two columns of a list: amounts times prices, or one column less the other. Such
//! totals are also combined with a number beside the list, which is added, subtracted or added as a tax. Weighted means
//! are tried as well.

use super::claim::Claim;
use super::cues::Operation;
use super::rows::{List, columns_of};
use super::scopes::Scope;
use super::search::Search;
use toolgauge_facts::FactKind;

/// How many lists of results are tried.
const MOST_LISTS: usize = 8;

/// How many columns are tried per list.
const MOST_COLUMNS: usize = 6;

/// How many rows are read per list.
const MOST_ROWS: usize = 200;

/// How many numbers beside a list are combined with its totals.
const MOST_BESIDE: usize = 8;

/// If a claim has fewer bits than this, a total supports it only if words name the operation.
const LEAST_BITS: f64 = 9.0;

impl Scope<'_, '_, '_> {
    /// Tries the totals over each two columns of a list.
    pub fn try_products(&self, claim: &Claim, search: &mut Search<'_>) {
        if claim.kind == FactKind::Percent {
            return;
        }
        let rows = self.reply.rows();
        for list in rows.lists.iter().take(MOST_LISTS) {
            let columns = columns_of(rows, list);
            let columns = &columns[..columns.len().min(MOST_COLUMNS)];
            for (at, a) in columns.iter().enumerate() {
                for b in &columns[..at] {
                    self.try_two(claim, list, (*b, *a), search);
                    if search.is_over() {
                        return;
                    }
                }
            }
        }
    }

    fn try_two(&self, claim: &Claim, list: &List, (a, b): (usize, usize), search: &mut Search<'_>) {
        let rows = self.reply.rows();
        search.look_at(2 * list.rows.len());
        let a = rows.column(list, a).take(MOST_ROWS);
        let b: Vec<_> = rows.column(list, b).take(MOST_ROWS).collect();
        let both = a.filter_map(|(row, a)| {
            let place = b.binary_search_by_key(&row, |(row, _)| *row).ok()?;
            Some((row, a, b[place].1))
        });
        let both: Vec<_> = both.collect();
        if both.len() < 2 {
            return;
        }
        let names = self.names();
        let whole: &dyn Fn(usize) -> bool = &|_| true;
        let named: &dyn Fn(usize) -> bool = &|row| names.rows.contains(&row);
        let other: &dyn Fn(usize) -> bool = &|row| !names.rows.contains(&row);
        let described = self.reply.names_of(&self.reply.whole());
        let described: &dyn Fn(usize) -> bool = &|row| described.rows.contains(&row);
        for is_in in [whole, named, other, described] {
            let of = both.iter().filter(|(row, ..)| is_in(*row));
            let (mut product, mut first, mut second, mut count) = (0.0, 0.0, 0.0, 0);
            for (_, a, b) in of {
                product += a * b;
                first += a;
                second += b;
                count += 1;
            }
            if count < 2 {
                continue;
            }
            let may_be_plain = claim.bits >= LEAST_BITS;
            let offer = |search: &mut Search<'_>, operation, result| match may_be_plain {
                true => search.offer_of_group(operation, result),
                false => search.offer(operation, result),
            };
            offer(search, Operation::Sum, product);
            search.offer(Operation::Mean, product / first);
            search.offer(Operation::Mean, product / second);
            offer(search, Operation::Difference, first - second);
            search.offer(Operation::Mean, (first - second) / f64::from(count));
            if count as usize == both.len() {
                self.try_beside(list, product, search);
            }
        }
    }

    /// Tries a total combined with the numbers beside its list.
    fn try_beside(&self, list: &List, total: f64, search: &mut Search<'_>) {
        let rows = self.reply.rows();
        let Some(parent) = list.parent else {
            return;
        };
        for cell in rows.rows[parent].cells.iter().take(MOST_BESIDE) {
            search.offer(Operation::Sum, total + cell.value);
            search.offer(Operation::Difference, total - cell.value);
            let share = if cell.value < 1.0 { 1.0 } else { 100.0 };
            if cell.value > 0.0 && cell.value < 100.0 {
                search.offer(Operation::Sum, total * (1.0 + cell.value / share));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    const BILL: &str = r#"{"turn_id":1,"role":"user","content":"And?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"bill","result":{"vat":0.19,"way":14.9,
            "lines":[{"jar":"Plum","qty":3,"unit":12.4},{"jar":"Fig","qty":7,"unit":8.35},{"jar":"Pear","qty":2,"unit":31.5}]}}]}"#;

    fn check(cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(texts_unsupported_after(BILL, reply), *expected, "{reply}");
        }
    }

    #[test]
    fn totals_are_sums_of_products_with_what_stands_beside_them() {
        check(&[
            ("The subtotal is $158.65.", &[]),
            ("The subtotal is $156.85.", &["$156.85"]),
            ("The total is $188.79.", &[]),
            ("The total is $187.89.", &["$187.89"]),
            ("The total is $173.55.", &[]),
        ]);
    }

    #[test]
    fn means_are_weighted() {
        check(&[
            ("On average a jar costs $13.22.", &[]),
            ("On average a jar costs $17.82.", &["$17.82"]),
        ]);
    }
}
