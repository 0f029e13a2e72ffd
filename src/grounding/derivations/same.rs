//! Derives the numbers of a table or list of the reply that all follow from one formula over the record of their line.
//!
//! The lines vouch for one another: the chance that one formula results in the numbers of several records is as small
//! as all their digits together make it, so no words are needed. A wrong number among them does not match the formula.

use std::ops::Range;

use super::claim::Claim;
use super::formulas::{Formula, MOST_COLUMNS, Records, formulas};
use super::reply::Reply;
use super::rows::number;
use toolgauge_facts::FactKind;

/// How many lines of a reply are read.
const MOST_LINES: usize = 80;

/// How many numbers of a line are read.
const MOST_OF_LINE: usize = 12;

/// How many records are tried for one line.
const MOST_RECORDS: usize = 3;

/// How many columns of a reply are tried.
const MOST_SLOTS: usize = 40;

/// How many numbers of records are read.
const MOST_LOOKED_AT: usize = 400_000;

/// How many bits a formula must be cheaper than the numbers.
const LEAST: f64 = 3.0;

/// The position of a number in its line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Slot {
    /// The index of its cell in a row of a table.
    Cell(usize, FactKind),
    /// Its index among the numbers of its kind, counted from the start of the line.
    FromStart(usize, FactKind),
    /// The same, counted from the end of the line.
    FromEnd(usize, FactKind),
}

/// A number of a line, and the records that the line may describe.
struct Member {
    at: usize,
    claim: Claim,
    rows: Vec<usize>,
}

/// Returns the open facts that follow from the same formula as others of their column.
pub fn follow(reply: &mut Reply<'_, '_>, open: &[usize]) -> Vec<usize> {
    let is_number = |at: &&usize| number(&reply.stated[**at]).is_some();
    if open.iter().filter(is_number).count() < 2 {
        return Vec::new();
    }
    let slots = slots(reply, open);
    let mut found = Vec::new();
    let mut looked_at = 0;
    for members in slots {
        if looked_at > MOST_LOOKED_AT {
            break;
        }
        found.extend(by_one_formula(reply, &members, &mut looked_at));
    }
    reply.looked_at += looked_at;
    found
}

/// Returns the numbers of lines that name records, grouped by their position.
fn slots(reply: &mut Reply<'_, '_>, open: &[usize]) -> Vec<Vec<Member>> {
    let mut slots: Vec<(Slot, Vec<Member>)> = Vec::new();
    for (line, facts) in lines(reply, open) {
        reply.read_names(&line);
        let all = reply.rows();
        let rows = reply.names_of(&line).rows.iter();
        let rows = rows.filter(|row| all.rows[**row].cells.len() > 1);
        let rows: Vec<_> = rows.copied().take(MOST_RECORDS).collect();
        if rows.is_empty() {
            continue;
        }
        let numbers = facts
            .clone()
            .filter(|at| number(&reply.stated[*at]).is_some());
        let numbers: Vec<_> = numbers.take(MOST_OF_LINE).collect();
        for at in numbers.iter().copied().filter(|at| open.contains(at)) {
            for slot in slots_of(reply, &line, at, &numbers) {
                let Some(claim) = Claim::of(reply.content, reply.stated, at, &line) else {
                    continue;
                };
                let member = Member {
                    at,
                    claim,
                    rows: rows.clone(),
                };
                match slots.iter().position(|(other, _)| *other == slot) {
                    Some(place) => slots[place].1.push(member),
                    None if slots.len() < MOST_SLOTS => slots.push((slot, vec![member])),
                    None => {}
                }
            }
        }
    }
    let slots = slots.into_iter().map(|(_, members)| members);
    slots.filter(|members| members.len() > 1).collect()
}

/// Returns the ranges of the lines with open facts, each with the indices of its facts.
fn lines(reply: &Reply<'_, '_>, open: &[usize]) -> Vec<(Range<usize>, Range<usize>)> {
    let mut lines: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    for at in open {
        let start = reply.line_start(reply.stated[*at].start);
        if lines.last().is_some_and(|(line, _)| line.start == start) {
            continue;
        }
        if lines.len() == MOST_LINES {
            break;
        }
        let length = reply.content[start..].find('\n');
        let line = start..length.map_or(reply.content.len(), |length| start + length);
        let facts = reply.places_in(&line);
        lines.push((line, facts));
    }
    lines
}

fn slots_of(reply: &Reply<'_, '_>, line: &Range<usize>, at: usize, numbers: &[usize]) -> Vec<Slot> {
    let fact = &reply.stated[at];
    let before = &reply.content[line.start..fact.start];
    if before.trim_start().starts_with('|') {
        return vec![Slot::Cell(before.matches('|').count(), fact.kind)];
    }
    let like = numbers
        .iter()
        .filter(|other| reply.stated[**other].kind == fact.kind);
    let earlier = like.clone().filter(|other| **other < at).count();
    let later = like.filter(|other| **other > at).count();
    vec![
        Slot::FromStart(earlier, fact.kind),
        Slot::FromEnd(later, fact.kind),
    ]
}

/// Returns the facts that follow from one formula. Of the formulas that are cheaper than the numbers they result in, it
/// is the one that matches the most members.
fn by_one_formula(reply: &Reply<'_, '_>, members: &[Member], looked_at: &mut usize) -> Vec<usize> {
    let rows = reply.rows();
    let mut columns: Vec<usize> = Vec::new();
    for row in members.iter().flat_map(|member| &member.rows) {
        for cell in &rows.rows[*row].cells {
            if columns.len() < MOST_COLUMNS && !columns.contains(&cell.column) {
                columns.push(cell.column);
            }
        }
    }
    let kind = reply.stated[members[0].at].kind;
    let formulas = formulas(kind, columns.len());
    let mut records = Records::of(rows, columns);
    let mut best = Vec::new();
    for (tried, formula) in formulas.into_iter().enumerate() {
        let given = given(&mut records, formula, members);
        if given.len() > best.len() && is_cheap(&given, members, tried) {
            best = given;
        }
        if best.len() == members.len() || records.looked_at > MOST_LOOKED_AT {
            break;
        }
    }
    *looked_at += records.looked_at;
    best.into_iter().map(|member| members[member].at).collect()
}

/// Returns the indices of the members that a formula results in.
fn given(records: &mut Records<'_, '_>, formula: Formula, members: &[Member]) -> Vec<usize> {
    let gives = |member: &Member| {
        member.rows.iter().any(|row| {
            let result = records.result(formula, *row);
            result.is_some_and(|result| result != 0.0 && member.claim.is(result))
        })
    };
    let mut gives = gives;
    (0..members.len())
        .filter(|member| gives(&members[*member]))
        .collect()
}

/// Checks whether it takes fewer bits to name the formula and the matching members than their digits carry.
fn is_cheap(given: &[usize], members: &[Member], tried: usize) -> bool {
    let Some((first, others)) = given.split_first() else {
        return false;
    };
    let claim = |member: &usize| &members[*member].claim;
    let is_constant = others
        .iter()
        .all(|other| claim(other).readings == claim(first).readings);
    let bits: f64 = given.iter().map(|member| claim(member).bits).sum();
    let left = members.len() - given.len();
    let choices = (0..left).map(|at| ((members.len() - at) as f64 / (at + 1) as f64).log2());
    let cost = ((tried + 1) as f64).log2() + choices.sum::<f64>();
    !others.is_empty() && !is_constant && bits - cost >= LEAST
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    const PRESSES: &str = r#"{"turn_id":1,"role":"user","content":"And?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"list","result":[
            {"press":"Alder","jars":140,"price":6.45,"cost":5.2,"sold":118},
            {"press":"Birch","jars":75,"price":8.9,"cost":9.6,"sold":31},
            {"press":"Cedar","jars":230,"price":3.15,"cost":2.05,"sold":187}]}]}"#;

    fn check(cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(
                texts_unsupported_after(PRESSES, reply),
                *expected,
                "{reply}"
            );
        }
    }

    #[test]
    fn one_formula_gives_a_column_of_a_table() {
        check(&[
            (
                "| Press | Made | Gain | Sold |\n|---|---|---|---|\n| Alder | $903.00 | $175.00 | 84% |\n\
                 | Birch | $667.50 | $52.50 | 41% |\n| Cedar | $724.50 | $253.00 | 81% |",
                &[],
            ),
            (
                "| Press | Made | Gain | Sold |\n|---|---|---|---|\n| Alder | $903.00 | $175.00 | 84% |\n\
                 | Birch | $667.50 | $52.50 | 46% |\n| Cedar | $742.50 | $253.00 | 81% |",
                &["46%", "$742.50"],
            ),
        ]);
    }

    #[test]
    fn one_formula_gives_numbers_of_a_list() {
        check(&[
            ("- Alder: 22 left\n- Birch: 44 left\n- Cedar: 43 left", &[]),
            (
                "- Alder: 25 to go\n- Birch: 46 to go\n- Cedar: 41 to go",
                &["25", "46", "41"],
            ),
        ]);
    }
}
