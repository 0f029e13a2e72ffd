//! The assignment problem: partners at the least cost in total.

use lapjv::{Matrix, lapjv};

/// The longer of two lists that are paired at the least cost has at most this many entries: the time it
/// takes grows with its cube, and 2,000 take well under a second.
pub const MOST_TO_ASSIGN: usize = 2_000;

/// For each of `rows` its partner among `columns`, so that the sum of `cost` over the pairs is the least
/// that is possible; as many are paired as can be. Costs must be finite and not negative. More than
/// [`MOST_TO_ASSIGN`] rows or columns are paired in their order.
///
/// The method is that of Jonker and Volgenant (Computing 38, 1987).
pub fn best_pairs(
    rows: usize,
    columns: usize,
    mut cost: impl FnMut(usize, usize) -> f64,
) -> Vec<Option<usize>> {
    let size = rows.max(columns);
    let in_order = || {
        (0..rows)
            .map(|row| (row < columns).then_some(row))
            .collect()
    };
    if rows.min(columns) == 0 || size > MOST_TO_ASSIGN {
        return in_order();
    }
    let costs = Matrix::from_shape_fn((size, size), |(row, column)| {
        if row < rows && column < columns {
            cost(row, column)
        } else {
            0.0
        }
    });
    match lapjv(&costs) {
        Ok((partners, _)) => partners[..rows]
            .iter()
            .map(|column| (*column < columns).then_some(*column))
            .collect(),
        // It fails on a matrix that is not square, which this one is, and never otherwise ends.
        Err(_) => in_order(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(pairs: &[Option<usize>], cost: &[Vec<u32>]) -> u32 {
        let rows = pairs.iter().enumerate();
        rows.filter_map(|(row, column)| Some(cost[row][(*column)?]))
            .sum()
    }

    /// The least cost by trying everything.
    fn least(cost: &[Vec<u32>], row: usize, taken: &mut Vec<bool>) -> u32 {
        if row == cost.len() {
            return 0;
        }
        let mut best = u32::MAX;
        for column in 0..taken.len() {
            if !std::mem::replace(&mut taken[column], true) {
                best = best.min(cost[row][column] + least(cost, row + 1, taken));
                taken[column] = false;
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_other_pairing_costs_less(
            cost in (1usize..6, 0usize..3).prop_flat_map(|(rows, more)| {
                prop::collection::vec(prop::collection::vec(0u32..9, rows + more), rows)
            }),
        ) {
            let (rows, columns) = (cost.len(), cost[0].len());
            let pairs = best_pairs(rows, columns, |row, column| f64::from(cost[row][column]));
            prop_assert!(pairs.iter().all(Option::is_some));
            let mut partners: Vec<_> = pairs.iter().flatten().collect();
            partners.sort_unstable();
            partners.dedup();
            prop_assert_eq!(partners.len(), rows);
            prop_assert_eq!(total(&pairs, &cost), least(&cost, 0, &mut vec![false; columns]));

            let turned = best_pairs(columns, rows, |row, column| f64::from(cost[column][row]));
            prop_assert_eq!(turned.iter().flatten().count(), rows);
            let back: u32 = turned.iter().enumerate().filter_map(|(column, row)| Some(cost[(*row)?][column])).sum();
            prop_assert_eq!(back, total(&pairs, &cost));
        }
    }

    #[test]
    fn there_may_be_nothing_to_pair() {
        assert_eq!(best_pairs(0, 3, |_, _| 0.0), []);
        assert_eq!(best_pairs(2, 0, |_, _| 0.0), [None, None]);
    }
}
