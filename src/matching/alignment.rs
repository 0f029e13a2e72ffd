//! Pairing two lists without crossing: the weighted longest common subsequence, and the same place by
//! place.

/// Two lists whose lengths multiply to more than this are not aligned at the best gain in total: each
/// row then takes the first column within [`WINDOW`] that gains anything.
const MOST_CELLS: usize = 16_000_000;

/// How far ahead is looked in lists that are too long.
const WINDOW: usize = 1_000;

/// What an alignment may leave out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gaps {
    /// Any row and any column.
    Anywhere,
    /// Rows that may be left out, and what is left when the other list ends.
    OptionalRows,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Pair,
    SkipRow,
    SkipColumn,
}

/// Pairs of rows and columns in ascending order of both, so that the sum of `gain` is the most that is
/// possible. Gains are 0 or more; pairs that gain nothing are left out.
///
/// With gaps anywhere and gains of 0 or 1 this is the longest common subsequence.
pub fn align(
    rows: usize,
    columns: usize,
    gaps: Gaps,
    is_optional: impl Fn(usize) -> bool,
    mut gain: impl FnMut(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    if rows.saturating_mul(columns) > MOST_CELLS {
        return first_come(rows, columns, gaps, gain);
    }
    // best[column] is the most that the rows from `row` on gain with the columns from `column` on.
    let mut best = vec![0.0; columns + 1];
    let mut steps = vec![Step::SkipRow; rows * columns];
    for row in (0..rows).rev() {
        let mut diagonal = best[columns];
        for column in (0..columns).rev() {
            let gained = gain(row, column);
            let pair = (gained > 0.0 || gaps == Gaps::OptionalRows).then_some(gained + diagonal);
            let skip_row = (gaps == Gaps::Anywhere || is_optional(row)).then_some(best[column]);
            let skip_column = (gaps == Gaps::Anywhere).then_some(best[column + 1]);
            let choices = [
                (Step::Pair, pair),
                (Step::SkipRow, skip_row),
                (Step::SkipColumn, skip_column),
            ];
            diagonal = best[column];
            let mut chosen = (Step::SkipRow, -1.0);
            for (step, value) in choices {
                if let Some(value) = value
                    && value > chosen.1
                {
                    chosen = (step, value);
                }
            }
            steps[row * columns + column] = chosen.0;
            best[column] = chosen.1;
        }
    }
    let mut pairs = Vec::new();
    let (mut row, mut column) = (0, 0);
    while row < rows && column < columns {
        match steps[row * columns + column] {
            Step::Pair => {
                if gain(row, column) > 0.0 {
                    pairs.push((row, column));
                }
                (row, column) = (row + 1, column + 1);
            }
            Step::SkipRow => row += 1,
            Step::SkipColumn => column += 1,
        }
    }
    pairs
}

fn first_come(
    rows: usize,
    columns: usize,
    gaps: Gaps,
    mut gain: impl FnMut(usize, usize) -> f64,
) -> Vec<(usize, usize)> {
    if gaps == Gaps::OptionalRows {
        let places = (0..rows.min(columns)).filter(|at| gain(*at, *at) > 0.0);
        return places.map(|at| (at, at)).collect();
    }
    let mut pairs = Vec::new();
    let mut from = 0;
    for row in 0..rows {
        let mut near = from..columns.min(from + WINDOW);
        if let Some(column) = near.find(|column| gain(row, *column) > 0.0) {
            pairs.push((row, column));
            from = column + 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn aligned(rows: &str, columns: &str, gaps: Gaps) -> String {
        let (wanted, made) = (rows.as_bytes(), columns.as_bytes());
        let gain =
            |row: usize, column: usize| f64::from(wanted[row].eq_ignore_ascii_case(&made[column]));
        let optional = |row: usize| wanted[row].is_ascii_uppercase();
        align(wanted.len(), made.len(), gaps, optional, gain)
            .into_iter()
            .map(|(_, column)| char::from(made[column]))
            .collect()
    }

    #[test]
    fn common_subsequences_skip_what_stands_between() {
        assert_eq!(aligned("abcd", "xaycbd", Gaps::Anywhere).len(), 3);
        assert_eq!(aligned("abc", "abc", Gaps::Anywhere), "abc");
        assert_eq!(aligned("abc", "cba", Gaps::Anywhere).len(), 1);
        assert_eq!(aligned("", "abc", Gaps::Anywhere), "");
    }

    #[test]
    fn place_by_place_only_optional_rows_are_skipped() {
        assert_eq!(aligned("abc", "xbc", Gaps::OptionalRows), "bc");
        assert_eq!(aligned("abc", "xabc", Gaps::OptionalRows), "");
        assert_eq!(aligned("aBc", "ac", Gaps::OptionalRows), "ac");
        assert_eq!(aligned("aBc", "abc", Gaps::OptionalRows), "abc");
        assert_eq!(aligned("Aab", "ab", Gaps::OptionalRows), "ab");
    }

    #[test]
    fn the_heavier_pairs_win() {
        let gain = [[0.9, 0.5], [0.0, 0.9]];
        let pairs = align(
            2,
            2,
            Gaps::Anywhere,
            |_| false,
            |row, column| gain[row][column],
        );
        assert_eq!(pairs, [(0, 0), (1, 1)]);
        let gain = [[0.2, 0.9], [0.3, 0.0]];
        let pairs = align(
            2,
            2,
            Gaps::Anywhere,
            |_| false,
            |row, column| gain[row][column],
        );
        assert_eq!(pairs, [(0, 1)]);
    }

    #[test]
    fn very_long_lists_are_aligned_too() {
        let size = 5_000;
        let equal = |row: usize, column: usize| f64::from(column == row);
        for gaps in [Gaps::Anywhere, Gaps::OptionalRows] {
            assert_eq!(align(size, size, gaps, |_| false, equal).len(), size);
        }
    }

    proptest! {
        #[test]
        fn pairs_ascend_and_lists_can_be_turned(a in "[abc]{0,9}", b in "[abc]{0,9}") {
            let forth = aligned(&a, &b, Gaps::Anywhere);
            prop_assert_eq!(forth.len(), aligned(&b, &a, Gaps::Anywhere).len());
            prop_assert!(forth.len() <= a.len().min(b.len()));
            prop_assert_eq!(aligned(&a, &a, Gaps::Anywhere), a.clone());
            prop_assert!(aligned(&a, &b, Gaps::OptionalRows).len() <= forth.len());
        }
    }
}
