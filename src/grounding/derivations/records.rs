//! Derives claims from the rows of results that the reply names.

use super::claim::Claim;
use super::names::Names;
use super::nearby::LONGEST_RUN;
use super::rows::Cell;
use super::scopes::{MOST_AFTER, Scope, try_pairs};
use super::search::{Operand, Search};

/// How many numbers of a row are paired with one another.
const MOST_PAIRED: usize = 12;

impl Scope<'_, '_, '_> {
    /// Returns the rows that the sentence names.
    pub fn names(&self) -> &Names {
        self.reply.names_of(self.sentence)
    }

    /// Returns the numbers of a row. Those whose keys share a word with the sentence come first.
    pub fn cells(&self, row: usize, claim: &Claim) -> Vec<(Cell, Operand)> {
        let rows = self.reply.rows();
        let names = self.names();
        let cells = rows.rows[row].cells.iter();
        let cells = cells.filter(|cell| claim.may_be_of(cell.value));
        let (named, others): (Vec<_>, Vec<_>) =
            cells.partition(|cell| names.are_of(rows.key_of(cell.column)));
        let cells = named.into_iter().chain(others);
        cells
            .map(|cell: &Cell| (*cell, of_cell(*cell)))
            .take(MOST_PAIRED)
            .collect()
    }

    /// Tries the rows that the sentence names.
    pub fn try_named_rows(&self, claim: &Claim, search: &mut Search<'_>) {
        let said = self.said();
        let mut named = self.names().rows.clone();
        if named.is_empty() {
            named = self.reply.only_rows();
        }
        for row in &named {
            let cells: Vec<_> = self
                .cells(*row, claim)
                .into_iter()
                .map(|(_, operand)| operand)
                .collect();
            try_pairs(&cells, search);
            for operand in &said {
                cells.iter().for_each(|cell| search.pair(*operand, *cell));
            }
            if search.is_over() {
                return;
            }
        }
        self.try_between(&named, claim, search);
    }

    /// Tries the numbers of rows with those of the same column in other named rows, then in other rows of the same
    /// list.
    fn try_between(&self, named: &[usize], claim: &Claim, search: &mut Search<'_>) {
        let all = self.reply.rows();
        for (at, row) in named.iter().enumerate() {
            for (cell, operand) in self.cells(*row, claim) {
                for other in &named[..at] {
                    let cells = all.rows[*other].cells.iter();
                    cells
                        .filter(|other| other.column == cell.column)
                        .for_each(|other| search.pair(operand, of_cell(*other)));
                }
            }
            if search.is_over() {
                return;
            }
        }
        for row in named {
            let Some(list) = all.list_of(*row) else {
                continue;
            };
            for (cell, operand) in self.cells(*row, claim) {
                if !self.names().are_of(all.key_of(cell.column)) && named.len() > 1 {
                    continue;
                }
                search.look_at(list.rows.len());
                for (other, value) in all.column(list, cell.column).take(LONGEST_RUN) {
                    if other != *row {
                        search.pair(operand, Operand { value, kind: None });
                    }
                }
            }
        }
    }

    /// Tries the rows that are named around the sentence.
    pub fn try_rows_around(&self, claim: &Claim, search: &mut Search<'_>) {
        let around = self.reply.around(self.sentence);
        self.try_rows(&self.reply.names_of(&around).rows, claim, search);
    }

    /// Tries the rows that are named anywhere in the reply.
    pub fn try_rows_of_reply(&self, claim: &Claim, search: &mut Search<'_>) {
        self.try_rows(
            &self.reply.names_of(&self.reply.whole()).rows,
            claim,
            search,
        );
    }

    /// Tries the numbers of rows with one another and with those near the claim.
    fn try_rows(&self, named: &[usize], claim: &Claim, search: &mut Search<'_>) {
        self.try_between(named, claim, search);
        let mut near = self.said();
        let is_like = |operand: &Operand| operand.kind == Some(claim.kind);
        near.extend(self.before(claim).filter(is_like).take(MOST_AFTER));
        for row in named {
            let cells = self.cells(*row, claim).into_iter();
            let cells: Vec<_> = cells.map(|(_, operand)| operand).collect();
            try_pairs(&cells, search);
            for operand in &near {
                cells.iter().for_each(|cell| search.pair(*operand, *cell));
            }
            if search.is_over() {
                return;
            }
        }
    }
}

/// Converts a number of a row to an operand.
pub fn of_cell(cell: Cell) -> Operand {
    Operand {
        value: cell.value,
        kind: None,
    }
}
