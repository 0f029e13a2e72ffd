//! Short formulas over the numbers of one record: products, differences, quotients, shares, changes, sums of
//! neighbours.

use foldhash::HashMap;

use super::rows::{List, Rows};
use toolgauge_facts::FactKind;

/// How many numbers of a record are used in formulas.
pub const MOST_COLUMNS: usize = 9;

/// The longest run of neighbours that is added up.
const LONGEST_RUN: usize = 6;

/// The factors that convert a number to another unit or span of time.
pub const SCALES: [f64; 14] = [
    12.0,
    1.0 / 12.0,
    60.0,
    1.0 / 60.0,
    1000.0,
    1.0 / 1000.0,
    1.0 / 1024.0,
    100.0,
    52.0,
    7.0,
    1.0 / 7.0,
    24.0,
    1.0 / 3600.0,
    1e-6,
];

/// A formula over the numbers of a record. It refers to them by column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Formula {
    /// `a × b`.
    Product(usize, usize),
    /// `a - b`.
    Difference(usize, usize),
    /// `a ÷ b`.
    Quotient(usize, usize),
    /// `(a - b) × c`.
    Gain(usize, usize, usize),
    /// The sum of neighbouring columns, from the first to the second.
    Run(usize, usize),
    /// A number in another unit.
    Scaled(usize, f64),
    /// The difference from the record before.
    Step(usize),
    /// The sum over this record and all before it.
    Running(usize),
    /// `a` as a percentage of `b`.
    Share(usize, usize),
    /// The percentage of `b` that remains without `a`.
    Rest(usize, usize),
    /// The change from `b` to `a` in percent.
    Change(usize, usize),
    /// `a` as a percentage of `a + b`.
    Part(usize, usize),
    /// A number as a percentage of the total of the list.
    ShareOfTotal(usize),
    /// The change from the record before, in percent.
    Growth(usize),
}

/// Returns all formulas over this many columns that can result in a number of this kind. The likeliest come first.
pub fn formulas(kind: FactKind, columns: usize) -> Vec<Formula> {
    let pairs = || (0..columns).flat_map(move |a| (0..columns).map(move |b| (a, b)));
    let different = || pairs().filter(|(a, b)| a != b);
    let mut all = Vec::new();
    if kind == FactKind::Percent {
        all.extend((0..columns).map(Formula::ShareOfTotal));
        all.extend(different().map(|(a, b)| Formula::Share(a, b)));
        all.extend(different().map(|(a, b)| Formula::Change(a, b)));
        all.extend((0..columns).map(Formula::Growth));
        all.extend(different().map(|(a, b)| Formula::Rest(a, b)));
        all.extend(different().map(|(a, b)| Formula::Part(a, b)));
        return all;
    }
    let ordered = || pairs().filter(|(a, b)| a < b);
    all.extend(ordered().map(|(a, b)| Formula::Product(a, b)));
    all.extend(ordered().map(|(a, b)| Formula::Difference(a, b)));
    all.extend(different().map(|(a, b)| Formula::Quotient(a, b)));
    let is_short = |(from, to): &(usize, usize)| to - from < LONGEST_RUN;
    all.extend(ordered().filter(is_short).map(|(a, b)| Formula::Run(a, b)));
    all.extend((0..columns).map(Formula::Step));
    all.extend((0..columns).map(Formula::Running));
    let scaled = (0..columns).flat_map(|a| SCALES.map(|scale| Formula::Scaled(a, scale)));
    all.extend(scaled);
    let gains = ordered().flat_map(|(a, b)| (0..columns).map(move |c| (a, b, c)));
    let gains = gains.filter(|(a, b, c)| c != a && c != b);
    all.extend(gains.map(|(a, b, c)| Formula::Gain(a, b, c)));
    all
}

/// Evaluates formulas on the rows of results.
pub struct Records<'r, 'a> {
    rows: &'r Rows<'a>,
    columns: Vec<usize>,
    /// The totals that were computed, by the first row of the list and the column.
    totals: HashMap<(usize, usize), f64>,
    /// How many numbers were read.
    pub looked_at: usize,
}

impl<'r, 'a> Records<'r, 'a> {
    /// Creates an evaluator over these columns.
    pub fn of(rows: &'r Rows<'a>, columns: Vec<usize>) -> Self {
        Self {
            rows,
            columns,
            totals: HashMap::default(),
            looked_at: 0,
        }
    }

    /// Returns the result of a formula for a row, or `None` if the row lacks a number or the result is not finite.
    pub fn result(&mut self, formula: Formula, row: usize) -> Option<f64> {
        let result = match formula {
            Formula::Product(a, b) => self.cell(row, a)? * self.cell(row, b)?,
            Formula::Difference(a, b) => self.cell(row, a)? - self.cell(row, b)?,
            Formula::Quotient(a, b) => self.cell(row, a)? / self.cell(row, b)?,
            Formula::Gain(a, b, c) => {
                (self.cell(row, a)? - self.cell(row, b)?) * self.cell(row, c)?
            }
            Formula::Run(from, to) => {
                let cells = (from..=to).map(|column| self.cell(row, column));
                cells.sum::<Option<f64>>()?
            }
            Formula::Scaled(a, scale) => self.cell(row, a)? * scale,
            Formula::Step(a) => self.cell(row, a)? - self.before(row, a)?,
            Formula::Running(a) => self.running(row, a)?,
            Formula::Share(a, b) => 100.0 * self.cell(row, a)? / self.cell(row, b)?,
            Formula::Rest(a, b) => 100.0 - 100.0 * self.cell(row, a)? / self.cell(row, b)?,
            Formula::Change(a, b) => 100.0 * self.cell(row, a)? / self.cell(row, b)? - 100.0,
            Formula::Part(a, b) => {
                let (a, b) = (self.cell(row, a)?, self.cell(row, b)?);
                100.0 * a / (a + b)
            }
            Formula::ShareOfTotal(a) => 100.0 * self.cell(row, a)? / self.total(row, a)?,
            Formula::Growth(a) => 100.0 * self.cell(row, a)? / self.before(row, a)? - 100.0,
        };
        result.is_finite().then_some(result)
    }

    fn cell(&mut self, row: usize, column: usize) -> Option<f64> {
        let column = self.columns[column];
        let cells = &self.rows.rows[row].cells;
        self.looked_at += 1;
        let cell = cells.iter().find(|cell| cell.column == column)?;
        Some(cell.value)
    }

    fn list(&self, row: usize) -> Option<&'r List> {
        self.rows.list_of(row)
    }

    /// Returns the number in the same column of the record before.
    fn before(&mut self, row: usize, column: usize) -> Option<f64> {
        let place = self.list(row)?.rows.binary_search(&row).ok()?;
        let before = self.list(row)?.rows[place.checked_sub(1)?];
        self.cell(before, column)
    }

    fn total(&mut self, row: usize, column: usize) -> Option<f64> {
        let list = self.list(row)?;
        let key = (*list.rows.first()?, column);
        if let Some(total) = self.totals.get(&key) {
            return Some(*total);
        }
        self.looked_at += list.rows.len();
        let total = self.rows.column(list, self.columns[column]);
        let total = total.map(|(_, value)| value).sum();
        self.totals.insert(key, total);
        Some(total)
    }

    fn running(&mut self, row: usize, column: usize) -> Option<f64> {
        let list = self.list(row)?;
        self.looked_at += list.rows.len();
        let cells = self.rows.column(list, self.columns[column]);
        let until = cells.take_while(|(other, _)| *other <= row);
        let (count, sum) = until.fold((0, 0.0), |(count, sum), (_, value)| {
            (count + 1, sum + value)
        });
        (count > 1).then_some(sum)
    }
}
