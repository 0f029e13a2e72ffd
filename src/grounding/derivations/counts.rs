//! Numbers that count: the items that the reply itself lists, the lines of a text, the rows that have in common what
//! the sentence says, the kinds of what a column holds.

use std::ops::Range;

use foldhash::HashSet;

use super::rows::{Source, number};
use super::scopes::Reply;
use crate::facts::FactKind;

/// Larger numbers are no counts of what is listed.
const LARGEST: f64 = 400.0;

/// How many bytes of a line may stand before its bullet.
const DEEPEST: usize = 12;

/// Whether the number at `at` counts something.
pub fn is_count(reply: &Reply<'_, '_>, at: usize, sentence: &Range<usize>) -> bool {
    let fact = &reply.stated[at];
    let Some(count) = number(fact).filter(|count| {
        fact.kind == FactKind::Number && count.fract() == 0.0 && (1.0..=LARGEST).contains(count)
    }) else {
        return false;
    };
    let count = count as usize;
    let rows = reply.rows();
    let names = reply.names_of(sentence);
    rows.line_counts.contains(&count)
        || rows.keyed_counts.contains(&count)
        || names.groups.iter().any(|group| group.len() == count)
        || listed_after(reply.content, sentence.end) == Some(count)
        || (!rows.line_counts.is_empty() && kinds(reply).contains(&count))
}

/// How many bullets follow the line that a place is in, those that are indented less or more left out.
fn listed_after(content: &str, place: usize) -> Option<usize> {
    let mut lines = content[place..]
        .lines()
        .skip(1)
        .skip_while(|line| line.trim().is_empty());
    let first = lines.next()?;
    let depth = depth_of_bullet(first)?;
    let depths = lines
        .filter(|line| !line.trim().is_empty())
        .map_while(|line| {
            let own = depth_of_bullet(line);
            let indented = line.len() - line.trim_start().len();
            match own {
                Some(own) if own < depth => None,
                Some(own) => Some(own),
                None if indented > depth => Some(usize::MAX),
                None => None,
            }
        });
    Some(1 + depths.filter(|own| *own == depth).count())
}

/// How far a line is indented that starts with a bullet or the number of an item.
fn depth_of_bullet(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = (1..=3).contains(&digits) && text[digits..].starts_with(['.', ')']);
    let is_bullet = text.starts_with(['-', '*', '•', '–', '|']) || is_numbered;
    (is_bullet && depth <= DEEPEST).then_some(depth)
}

/// How many different words the lines of a text start with, up to a colon or a space.
fn kinds(reply: &Reply<'_, '_>) -> Vec<usize> {
    let rows = reply.rows();
    let lists = rows.lists.iter();
    let of_lines = lists.map(|list| {
        let lines = list
            .rows
            .iter()
            .filter_map(|row| match rows.rows[*row].source {
                Source::Line(line) => line.split([':', ' ', '\t', ',']).next(),
                Source::Members(_) | Source::Items(_) | Source::Number => None,
            });
        lines.collect::<HashSet<_>>().len()
    });
    of_lines.filter(|count| *count > 1).collect()
}
