//! Solves the assignment problem: partners at the lowest total cost.

use lapjv::{Matrix, lapjv};

use super::budget::Budget;

/// The most entries of the longer list, because the time for the best pairs grows with its cube. 2,000
/// entries take well under a second.
pub const MOST_TO_ASSIGN: usize = 2_000;

/// How many matrix cells cost one step of the budget.
const CELLS_PER_STEP: usize = 4;

/// The partner of a row, with the cost of the pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Partner {
    /// The column.
    pub column: usize,
    /// The cost of the two.
    pub cost: f64,
}

/// Returns a partner among `columns` for each of `rows`, such that as many as possible are paired and the sum
/// of `cost` is the lowest possible. Costs must be finite and not negative.
///
/// With more than [`MOST_TO_ASSIGN`] rows or columns, as many as possible get a partner at no cost, and the
/// others are paired in their order. The steps are taken from `budget`. If that is spent, nothing is paired.
pub fn best_pairs(
    rows: usize,
    columns: usize,
    budget: &Budget,
    mut cost: impl FnMut(usize, usize) -> f64,
) -> Vec<Option<Partner>> {
    let size = rows.max(columns);
    if size > MOST_TO_ASSIGN {
        return free_pairs_first(rows, columns, budget, cost);
    }
    if rows.min(columns) == 0 || !budget.spend(rows * columns / CELLS_PER_STEP) {
        return vec![None; rows];
    }
    let costs = Matrix::from_shape_fn((size, size), |(row, column)| {
        if row < rows && column < columns {
            cost(row, column)
        } else {
            0.0
        }
    });
    let partners = assign(&costs, budget);
    let partner = |(row, column): (usize, usize)| {
        (column < columns).then(|| Partner {
            column,
            cost: costs[(row, column)],
        })
    };
    partners
        .into_iter()
        .enumerate()
        .take(rows)
        .map(partner)
        .collect()
}

/// Returns the column of each row of the square matrix `costs`, at the lowest sum of costs. If the budget is
/// spent, rows and columns are paired in order.
///
/// The method is that of Jonker and Volgenant (Computing 38, 1987).
pub fn assign(costs: &Matrix<f64>, budget: &Budget) -> Vec<usize> {
    let in_order = || (0..costs.nrows()).collect();
    if budget.is_spent() {
        return in_order();
    }
    // `lapjv` fails only for a matrix that is not square, and this one is.
    lapjv(costs).map_or_else(|_| in_order(), |(partners, _)| partners)
}

fn free_pairs_first(
    rows: usize,
    columns: usize,
    budget: &Budget,
    mut cost: impl FnMut(usize, usize) -> f64,
) -> Vec<Option<Partner>> {
    let free = most_pairs(vec![None; rows], columns, budget, |row, column| {
        cost(row, column) == 0.0
    });
    if budget.is_spent() {
        return vec![None; rows];
    }
    let mut is_taken = vec![false; columns];
    for column in free.iter().flatten() {
        is_taken[*column] = true;
    }
    let mut left = (0..columns).filter(|column| !is_taken[*column]);
    let mut partner = |row: usize, free: Option<usize>| match free {
        Some(column) => Some(Partner { column, cost: 0.0 }),
        None => left.next().map(|column| Partner {
            column,
            cost: cost(row, column),
        }),
    };
    let partners = free.iter().enumerate();
    partners.map(|(row, free)| partner(row, *free)).collect()
}

/// Returns for each row a partner among `columns` that `fits`, such that as many rows as possible have one.
/// `partners` are the initial pairs. A row that has a partner at some time always keeps one, so initial rows
/// go before others, and earlier rows before later ones. The steps are taken from `budget`. If that is
/// spent, the result is incomplete.
///
/// The method is that of augmenting paths (Kuhn, Naval Research Logistics Quarterly 2, 1955), breadth
/// first.
pub fn most_pairs(
    mut partners: Vec<Option<usize>>,
    columns: usize,
    budget: &Budget,
    fits: impl FnMut(usize, usize) -> bool,
) -> Vec<Option<usize>> {
    let mut search = Search::new(&partners, columns, budget, fits);
    for row in 0..partners.len() {
        if partners[row].is_none()
            && let Some(last) = search.reach_open_column(row, &partners)
        {
            search.pair_along_path(last, &mut partners);
        }
    }
    partners
}

/// A set of list positions.
struct Bits(Vec<u64>);

impl Bits {
    fn of(length: usize, mut fits: impl FnMut(usize) -> bool) -> Self {
        let mut words = vec![0; length.div_ceil(64)];
        for place in (0..length).filter(|place| fits(*place)) {
            words[place / 64] |= 1 << (place % 64);
        }
        Self(words)
    }

    /// Returns the positions in ascending order.
    fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let rest = |word: &u64| Some(word & (word - 1)).filter(|rest| *rest != 0);
            let words = std::iter::successors(Some(*word).filter(|word| *word != 0), rest);
            words.map(move |word| at * 64 + word.trailing_zeros() as usize)
        })
    }
}

/// A search for a path from a row to a column without partner, in which every second edge is a pair.
struct Search<'b, F> {
    budget: &'b Budget,
    fits: F,
    /// The columns that fit each row, computed when the search reaches the row.
    fitting: Vec<Option<Bits>>,
    /// The row of each column.
    row_of: Vec<Option<usize>>,
    /// The row from which each column was reached.
    reached_from: Vec<usize>,
    /// The number of the search that last reached each column, counted from 1.
    reached_in: Vec<usize>,
}

impl<'b, F: FnMut(usize, usize) -> bool> Search<'b, F> {
    fn new(partners: &[Option<usize>], columns: usize, budget: &'b Budget, fits: F) -> Self {
        let mut row_of = vec![None; columns];
        for (row, column) in partners.iter().enumerate() {
            if let Some(column) = column {
                row_of[*column] = Some(row);
            }
        }
        Self {
            budget,
            fits,
            fitting: partners.iter().map(|_| None).collect(),
            row_of,
            reached_from: vec![0; columns],
            reached_in: vec![0; columns],
        }
    }

    /// Returns the column without partner at the end of a shortest path from `start`.
    fn reach_open_column(&mut self, start: usize, partners: &[Option<usize>]) -> Option<usize> {
        let columns = self.row_of.len();
        let mut queue = std::collections::VecDeque::from([start]);
        while let Some(row) = queue.pop_front() {
            if !self.budget.spend(columns / CELLS_PER_STEP + 1) {
                return None;
            }
            let fits = &mut self.fits;
            let fitting = self.fitting[row]
                .get_or_insert_with(|| Bits::of(columns, |column| fits(row, column)));
            for column in fitting.iter() {
                if partners[row] == Some(column) || self.reached_in[column] == start + 1 {
                    continue;
                }
                self.reached_in[column] = start + 1;
                self.reached_from[column] = row;
                match self.row_of[column] {
                    None => return Some(column),
                    Some(next) => queue.push_back(next),
                }
            }
        }
        None
    }

    /// Pairs each column on the path that ends at `last` with the row before it.
    fn pair_along_path(&mut self, last: usize, partners: &mut [Option<usize>]) {
        let mut open = Some(last);
        while let Some(column) = open {
            let row = self.reached_from[column];
            self.row_of[column] = Some(row);
            open = partners[row].replace(column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use toolgauge_model::Limits;

    fn budget() -> Budget {
        Budget::new(Limits::default())
    }

    fn total(pairs: &[Option<Partner>]) -> f64 {
        pairs.iter().flatten().map(|partner| partner.cost).sum()
    }

    /// Finds the lowest cost by trying everything.
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
            let pairs = best_pairs(rows, columns, &budget(), |row, column| f64::from(cost[row][column]));
            prop_assert!(pairs.iter().all(Option::is_some));
            let mut partners: Vec<_> = pairs.iter().flatten().map(|partner| partner.column).collect();
            partners.sort_unstable();
            partners.dedup();
            prop_assert_eq!(partners.len(), rows);
            prop_assert_eq!(total(&pairs), f64::from(least(&cost, 0, &mut vec![false; columns])));

            let turned = best_pairs(columns, rows, &budget(), |row, column| f64::from(cost[column][row]));
            prop_assert_eq!(turned.iter().flatten().count(), rows);
            prop_assert_eq!(total(&turned), total(&pairs));
        }

        #[test]
        fn no_other_pairing_has_more_pairs(
            fits in (1usize..7, 0usize..7).prop_flat_map(|(rows, columns)| {
                prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.3), columns), rows)
            }),
        ) {
            let (rows, columns) = (fits.len(), fits[0].len());
            let pairs = most_pairs(vec![None; rows], columns, &budget(), |row, column| fits[row][column]);
            let mut taken = vec![false; columns];
            for (row, column) in pairs.iter().enumerate().filter_map(|(row, column)| Some((row, (*column)?))) {
                prop_assert!(fits[row][column]);
                prop_assert!(!std::mem::replace(&mut taken[column], true));
            }
            let cost: Vec<Vec<u32>> = fits
                .iter()
                .map(|row| row.iter().map(|fits| u32::from(!fits)).chain(vec![1; rows]).collect())
                .collect();
            let unpaired = least(&cost, 0, &mut vec![false; columns + rows]) as usize;
            prop_assert_eq!(pairs.iter().flatten().count(), rows - unpaired);
        }
    }

    #[test]
    fn long_lists_find_all_partners_at_no_cost() {
        let size = MOST_TO_ASSIGN + 500;
        let cost = |row: usize, column: usize| match row + column + 1 == size {
            true => 0.0,
            false => 1.0,
        };
        let pairs = best_pairs(size, size, &budget(), cost);
        assert_eq!(total(&pairs), 0.0);
        let pairs = best_pairs(size, size, &budget(), |_, _| 2.0);
        assert_eq!(total(&pairs), 2.0 * size as f64);
    }

    #[test]
    fn nothing_is_paired_after_the_budget_is_spent() {
        let budget = budget();
        assert!(!budget.spend(usize::MAX));
        for size in [3, MOST_TO_ASSIGN + 1] {
            let pairs = best_pairs(size, size, &budget, |_, _| 0.0);
            assert!(pairs.iter().all(Option::is_none));
        }
    }

    #[test]
    fn empty_lists_have_no_pairs() {
        assert_eq!(best_pairs(0, 3, &budget(), |_, _| 0.0), []);
        assert_eq!(best_pairs(2, 0, &budget(), |_, _| 0.0), [None, None]);
    }
}
