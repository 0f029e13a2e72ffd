//! Pairs two lists without crossings: by the weighted longest common subsequence, or place by place.

use super::budget::Budget;

/// What an alignment may skip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gaps {
    /// Any row and any column.
    Anywhere,
    /// Optional rows, and the rest of one list when the other ends.
    OptionalRows,
}

/// How often a row is paired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Row {
    /// Once.
    Required,
    /// Once or not at all.
    Optional,
    /// With any number of columns.
    Repeatable,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Pair,
    SkipRow,
    SkipColumn,
}

/// How many table cells cost one step of the budget: a cell takes only a few instructions.
const CELLS_PER_STEP: usize = 4;

/// Returns pairs of rows and columns, ascending in both, with the highest possible sum of `gain`. Gains are
/// from 0 to `most`, and no optional row gains more than a required one. Pairs without gain are left out.
///
/// With [`Gaps::Anywhere`] and gains of 0 or 1 this is the longest common subsequence. The work grows with
/// the product of both lengths and is taken from `budget`. If that is spent, there are no pairs.
pub fn align(
    rows: &[Row],
    columns: usize,
    gaps: Gaps,
    most: f64,
    budget: &Budget,
    mut gain: impl FnMut(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    if gaps == Gaps::OptionalRows && rows.iter().all(|row| *row == Row::Required) {
        let places = 0..rows.len().min(columns);
        let fitting = places.filter(|at| budget.spend(1) && gain(*at, *at) > 0.0);
        return fitting.map(|at| (at, at)).collect();
    }
    // A common beginning at the highest gain can be paired first: no alignment gains more.
    let start = match gaps {
        Gaps::Anywhere => common_beginning(rows, columns, |at| gain(at, at) >= most),
        Gaps::OptionalRows => 0,
    };
    let table = Table {
        rows: &rows[start..],
        columns: columns - start,
        gaps,
    };
    let mut pairs: Vec<_> = (0..start).map(|at| (at, at)).collect();
    let rest = table.pairs(budget, |row, column| gain(start + row, start + column));
    pairs.extend(
        rest.into_iter()
            .map(|(row, column)| (start + row, start + column)),
    );
    pairs
}

fn common_beginning(rows: &[Row], columns: usize, mut fits: impl FnMut(usize) -> bool) -> usize {
    let places = 0..rows.len().min(columns);
    let same = places.take_while(|at| rows[*at] == Row::Required && fits(*at));
    same.count()
}

/// The table of dynamic programming.
struct Table<'t> {
    rows: &'t [Row],
    columns: usize,
    gaps: Gaps,
}

impl Table<'_> {
    fn pairs(
        &self,
        budget: &Budget,
        mut gain: impl FnMut(usize, usize) -> f64,
    ) -> Vec<(usize, usize)> {
        let cells = self.rows.len().saturating_mul(self.columns);
        if cells == 0 || !budget.spend(cells / CELLS_PER_STEP) {
            return Vec::new();
        }
        let steps = self.fill(cells, budget, &mut gain);
        match budget.is_spent() {
            true => Vec::new(),
            false => self.follow(&steps, gain),
        }
    }

    /// Fills in the best step from each cell.
    fn fill(
        &self,
        cells: usize,
        budget: &Budget,
        mut gain: impl FnMut(usize, usize) -> f64,
    ) -> Vec<Step> {
        // best[column] is the highest gain of the rows from `row` with the columns from `column`.
        let mut best = vec![0.0; self.columns + 1];
        let mut steps = vec![Step::SkipRow; cells];
        for (row, kind) in self.rows.iter().enumerate().rev() {
            let anywhere = self.gaps == Gaps::Anywhere;
            let may_skip_row = anywhere || *kind != Row::Required;
            let mut diagonal = best[self.columns];
            for column in (0..self.columns).rev() {
                if budget.is_spent() {
                    return steps;
                }
                let gained = gain(row, column);
                let after = match kind {
                    Row::Required | Row::Optional => diagonal,
                    Row::Repeatable => best[column + 1],
                };
                let choices = [
                    (Step::Pair, gained > 0.0 || !anywhere, gained + after),
                    (Step::SkipRow, may_skip_row, best[column]),
                    (Step::SkipColumn, anywhere, best[column + 1]),
                ];
                diagonal = best[column];
                let mut chosen = (Step::SkipRow, -1.0);
                for (step, is_possible, value) in choices {
                    if is_possible && value > chosen.1 {
                        chosen = (step, value);
                    }
                }
                steps[row * self.columns + column] = chosen.0;
                best[column] = chosen.1;
            }
        }
        steps
    }

    /// Follows the steps through the table and returns the pairs.
    fn follow(
        &self,
        steps: &[Step],
        mut gain: impl FnMut(usize, usize) -> f64,
    ) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        let (mut row, mut column) = (0, 0);
        while row < self.rows.len() && column < self.columns {
            match steps[row * self.columns + column] {
                Step::Pair => {
                    if gain(row, column) > 0.0 {
                        pairs.push((row, column));
                    }
                    column += 1;
                    row += usize::from(self.rows[row] != Row::Repeatable);
                }
                Step::SkipRow => row += 1,
                Step::SkipColumn => column += 1,
            }
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use toolgauge_model::Limits;

    fn aligned(rows: &str, columns: &str, gaps: Gaps) -> String {
        let (wanted, made) = (rows.as_bytes(), columns.as_bytes());
        let gain =
            |row: usize, column: usize| f64::from(wanted[row].eq_ignore_ascii_case(&made[column]));
        let rows: Vec<_> = wanted.iter().map(|row| kind(*row)).collect();
        align(&rows, made.len(), gaps, 1.0, &budget(), gain)
            .into_iter()
            .map(|(_, column)| char::from(made[column]))
            .collect()
    }

    /// Reads an upper-case letter as an optional row and a digit as a repeatable one.
    fn kind(row: u8) -> Row {
        match row {
            b'A'..=b'Z' => Row::Optional,
            b'0'..=b'9' => Row::Repeatable,
            _ => Row::Required,
        }
    }

    fn budget() -> Budget {
        Budget::new(Limits::default())
    }

    #[test]
    fn common_subsequences_skip_entries_in_between() {
        assert_eq!(aligned("abcd", "xaycbd", Gaps::Anywhere).len(), 3);
        assert_eq!(aligned("abc", "abc", Gaps::Anywhere), "abc");
        assert_eq!(aligned("abc", "cba", Gaps::Anywhere).len(), 1);
        assert_eq!(aligned("", "abc", Gaps::Anywhere), "");
    }

    #[test]
    fn place_by_place_skips_only_optional_rows() {
        assert_eq!(aligned("abc", "xbc", Gaps::OptionalRows), "bc");
        assert_eq!(aligned("abc", "xabc", Gaps::OptionalRows), "");
        assert_eq!(aligned("aBc", "ac", Gaps::OptionalRows), "ac");
        assert_eq!(aligned("aBc", "abc", Gaps::OptionalRows), "abc");
        assert_eq!(aligned("Aab", "ab", Gaps::OptionalRows), "ab");
    }

    #[test]
    fn a_repeatable_row_takes_any_number_of_columns() {
        assert_eq!(aligned("1a1", "111a11", Gaps::Anywhere), "111a11");
        assert_eq!(aligned("1a1", "a", Gaps::Anywhere), "a");
        assert_eq!(aligned("1a2", "11a1", Gaps::Anywhere), "11a");
        assert_eq!(aligned("1ab", "11ab", Gaps::OptionalRows), "11ab");
        assert_eq!(aligned("1ab", "ab", Gaps::OptionalRows), "ab");
    }

    #[test]
    fn the_heavier_pairs_win() {
        let best = |gain: [[f64; 2]; 2]| {
            let rows = [Row::Required; 2];
            align(&rows, 2, Gaps::Anywhere, 1.0, &budget(), |row, column| {
                gain[row][column]
            })
        };
        assert_eq!(best([[0.9, 0.5], [0.0, 0.9]]), [(0, 0), (1, 1)]);
        assert_eq!(best([[0.2, 0.9], [0.3, 0.0]]), [(0, 1)]);
    }

    #[test]
    fn lists_with_a_common_beginning_take_linear_steps() {
        let rows = vec![Row::Required; 5_000];
        for gaps in [Gaps::Anywhere, Gaps::OptionalRows] {
            let budget = budget();
            let equal = |row: usize, column: usize| f64::from(column == row);
            let pairs = align(&rows, rows.len() + 1, gaps, 1.0, &budget, equal);
            assert_eq!(pairs.len(), rows.len());
            assert!(budget.taken() <= rows.len());
        }
    }

    #[test]
    fn lists_beyond_the_budget_are_not_aligned() {
        let budget = Budget::new(Limits {
            max_comparison_steps: 1_000,
            ..Limits::default()
        });
        let other = |row: usize, column: usize| f64::from(row + 1 == column);
        let rows = vec![Row::Required; 100];
        assert_eq!(
            align(&rows, 100, Gaps::Anywhere, 1.0, &budget, other),
            [(0, 0); 0]
        );
        assert!(budget.is_spent());
    }

    proptest! {
        #[test]
        fn pairs_ascend_and_lists_can_be_reversed(a in "[abc]{0,9}", b in "[abc]{0,9}") {
            let forth = aligned(&a, &b, Gaps::Anywhere);
            prop_assert_eq!(forth.len(), aligned(&b, &a, Gaps::Anywhere).len());
            prop_assert!(forth.len() <= a.len().min(b.len()));
            prop_assert_eq!(aligned(&a, &a, Gaps::Anywhere), a.clone());
            prop_assert!(aligned(&a, &b, Gaps::OptionalRows).len() <= forth.len());
        }
    }
}
