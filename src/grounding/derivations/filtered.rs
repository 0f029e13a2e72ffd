//! Counts the records that match a condition of a sentence: a value of a field, a value over or under an amount that
//! the sentence states, one number that is larger than another, or all but a group that it excludes. Also counts the
//! distinct values of a field.

use std::ops::Range;

use foldhash::HashSet;

use super::reply::Reply;
use super::rows::{List, Row, Source, columns_of, number};
use toolgauge_facts::{Token, WordList};
use toolgauge_model::{Json, Member};

/// How many lists are read, and how many rows of each.
const MOST_LISTS: usize = 12;
const MOST_ROWS: usize = 400;

/// How many columns or keys of each list are read.
const MOST_COLUMNS: usize = 8;

/// How many amounts of the sentence are tried as limits.
const MOST_LIMITS: usize = 4;

/// Smaller numbers are equal too often by chance.
const LEAST_SAME: f64 = 100.0;

/// Smaller numbers are themselves counts and not limits.
const LEAST_LIMIT: f64 = 10.0;

/// An object with fewer numbers is a record and not a list of amounts by name.
const FEWEST_NAMED: usize = 3;

/// Words that exclude what they name.
static EXCLUDING: WordList = WordList::of(
    "except excluding excludes excluded without ignoring other others rest remaining not ohne außer sauf hormis excepto salvo sin",
);

/// Words that compare two values of one record.
static COMPARING: WordList = WordList::of(
    "less fewer below under lower short more above over exceed exceeds exceeded greater higher larger unter über weniger \
    mehr moins plus menos más",
);

/// Returns the counts that a sentence may state at `at`. The most likely come first.
pub fn counts(reply: &Reply<'_, '_>, at: usize, sentence: &Range<usize>) -> Vec<usize> {
    let mut counts = Counts::default();
    let limits: Vec<_> = reply
        .places_in(sentence)
        .filter(|other| *other != at)
        .filter_map(|other| number(&reply.stated[other]))
        .filter(|limit| *limit >= LEAST_LIMIT)
        .take(MOST_LIMITS)
        .collect();
    let rows = reply.rows();
    let compares = says_one_of(reply, sentence, &COMPARING);
    let excludes = says_one_of(reply, sentence, &EXCLUDING);
    for list in rows.lists.iter().take(MOST_LISTS) {
        if excludes {
            add_others(reply, sentence, list, &mut counts);
        }
        add_same(reply, list, &limits, &mut counts);
        if compares {
            add_compared(reply, sentence, list, &mut counts);
        }
        for column in columns_of(rows, list).into_iter().take(MOST_COLUMNS) {
            let values = rows.column(list, column).take(MOST_ROWS);
            let values: Vec<_> = values.map(|(_, value)| value).collect();
            add_by_limits(&values, &limits, &mut counts);
        }
        add_different(reply, sentence, list, &mut counts);
    }
    for limit in limits.iter().filter(|limit| **limit >= LEAST_SAME) {
        let lines = rows.rows.iter().take(MOST_ROWS);
        let lines = lines.filter(|row| matches!(row.source, Source::Line));
        let with = lines.filter(|row| row.cells.iter().any(|cell| cell.value == *limit));
        counts.add(with.count());
    }
    for row in rows.rows.iter().take(MOST_ROWS) {
        if let Some(values) = named_values(row) {
            add_by_limits(&values, &limits, &mut counts);
            counts.add(values.len());
        }
    }
    counts.0
}

/// Distinct counts in the order in which they were found.
#[derive(Default)]
struct Counts(Vec<usize>);

impl Counts {
    fn add(&mut self, count: usize) {
        if count > 0 && !self.0.contains(&count) {
            self.0.push(count);
        }
    }
}

fn says_one_of(reply: &Reply<'_, '_>, sentence: &Range<usize>, list: &WordList) -> bool {
    let words = reply.content[sentence.clone()].split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .any(|word| Token::of_word(word).says_one_of(list))
}

/// Adds how many rows of a list are outside of each group that the sentence names.
fn add_others(reply: &Reply<'_, '_>, sentence: &Range<usize>, list: &List, counts: &mut Counts) {
    let names = reply.names_of(sentence);
    let of_list: HashSet<_> = list.rows.iter().take(MOST_ROWS).collect();
    let inside = |rows: &[usize]| rows.iter().filter(|row| of_list.contains(row)).count();
    for group in &names.groups {
        let count = inside(group);
        if count > 0 && count < of_list.len() {
            counts.add(of_list.len() - count);
        }
    }
    let count = inside(&names.rows);
    if count > 0 && count < of_list.len() {
        counts.add(of_list.len() - count);
    }
}

/// Adds how many rows of a list contain each of the numbers.
fn add_same(reply: &Reply<'_, '_>, list: &List, limits: &[f64], counts: &mut Counts) {
    let rows = reply.rows();
    for limit in limits.iter().filter(|limit| **limit >= LEAST_SAME) {
        let rows = list.rows.iter().take(MOST_ROWS).map(|row| &rows.rows[*row]);
        let with = rows.filter(|row| row.cells.iter().any(|cell| cell.value == *limit));
        counts.add(with.count());
    }
}

/// Adds, for each two columns that the sentence names, how many rows have less in one than in the other, and how many
/// have more.
fn add_compared(reply: &Reply<'_, '_>, sentence: &Range<usize>, list: &List, counts: &mut Counts) {
    let rows = reply.rows();
    let names = reply.names_of(sentence);
    let columns = columns_of(rows, list);
    let named = columns
        .into_iter()
        .filter(|column| names.are_of(rows.key_of(*column)));
    let named: Vec<_> = named.take(MOST_COLUMNS).collect();
    let value = |row: &Row<'_>, column: usize| {
        let mut cells = row.cells.iter();
        cells
            .find(|cell| cell.column == column)
            .map(|cell| cell.value)
    };
    for (at, one) in named.iter().enumerate() {
        for other in &named[..at] {
            let (mut less, mut more) = (0, 0);
            for row in list.rows.iter().take(MOST_ROWS) {
                let row = &rows.rows[*row];
                if let Some((one, other)) = value(row, *one).zip(value(row, *other)) {
                    less += usize::from(one < other);
                    more += usize::from(one > other);
                }
            }
            counts.add(less);
            counts.add(more);
        }
    }
}

/// Adds how many values are under and over each limit that lies among them.
fn add_by_limits(values: &[f64], limits: &[f64], counts: &mut Counts) {
    for limit in limits {
        let under = values.iter().filter(|value| *value < limit).count();
        let over = values.iter().filter(|value| *value > limit).count();
        if under > 0 && over > 0 {
            counts.add(over);
            counts.add(under);
            counts.add(values.len() - under);
            counts.add(values.len() - over);
        }
    }
}

/// Adds how many distinct texts a list has under each key, if some of them repeat. Keys that the sentence names come
/// first.
fn add_different(reply: &Reply<'_, '_>, sentence: &Range<usize>, list: &List, counts: &mut Counts) {
    let rows = reply.rows();
    let names = reply.names_of(sentence);
    let objects = list.rows.iter().take(MOST_ROWS);
    let objects: Vec<&[Member<'_>]> = objects
        .filter_map(|row| match rows.rows[*row].source {
            Source::Members(members) => Some(members),
            Source::Items(_) | Source::Line | Source::Number => None,
        })
        .collect();
    let Some(first) = objects.first() else {
        return;
    };
    let keys = first.iter().filter(|(_, value)| value.as_str().is_some());
    let (named, others): (Vec<_>, Vec<_>) =
        keys.map(|(key, _)| *key).partition(|key| names.are_of(key));
    for key in named.into_iter().chain(others).take(MOST_COLUMNS) {
        let texts = objects.iter().filter_map(|members| {
            let mut members = members.iter();
            members.find(|(other, _)| *other == key)?.1.as_str()
        });
        let different: HashSet<&str> = texts.clone().collect();
        let count = texts.count();
        if different.len() > 1 && different.len() < count {
            counts.add(different.len());
        }
    }
}

/// Returns the values of an object that maps names to amounts, such as one amount per day.
fn named_values(row: &Row<'_>) -> Option<Vec<f64>> {
    let Source::Members(members) = row.source else {
        return None;
    };
    let values: Option<Vec<f64>> = members
        .iter()
        .map(|(_, value)| match value {
            Json::Number(number) => Some(number.as_f64()),
            Json::Null | Json::Bool(_) | Json::String(_) | Json::Array(_) | Json::Object(_) => None,
        })
        .collect();
    values.filter(|values| (FEWEST_NAMED..=MOST_ROWS).contains(&values.len()))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    /// Asserts which numbers of replies to this result are unsupported.
    fn check(result: &str, cases: &[(&str, &[&str])]) {
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"And?"}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look_up","result":{result}}}]}}"#
        );
        for (reply, expected) in cases {
            let found = texts_unsupported_after(&turns, reply);
            assert_eq!(found, *expected, "{reply}");
        }
    }

    /// Ten stalls in four towns. The first seven sold more than they ordered.
    fn stalls() -> String {
        let towns = [
            "Ulm", "Bern", "Ulm", "Graz", "Ulm", "Bern", "Linz", "Ulm", "Graz", "Ulm",
        ];
        let stalls = towns.iter().enumerate().map(|(at, town)| {
            let sold = 300 - 20 * at;
            format!(r#"{{"stall":"S{at}","town":"{town}","sold":{sold},"ordered":170}}"#)
        });
        format!("[{}]", stalls.collect::<Vec<_>>().join(","))
    }

    #[test]
    fn different_values_of_a_field_are_counted() {
        check(
            &stalls(),
            &[
                ("The stalls stand in 4 towns.", &[]),
                ("The stalls stand in 8 towns.", &["8"]),
            ],
        );
    }

    #[test]
    fn records_over_a_stated_limit_are_counted() {
        check(
            r#"{"Mon":412,"Tue":388,"Wed":502,"Thu":377,"Fri":461,"Sat":640,"Sun":355,"goal":400}"#,
            &[
                ("The goal of 400 was passed on 4 of them.", &[]),
                ("The goal of 400 was passed on 6 of them.", &["6"]),
            ],
        );
    }

    #[test]
    fn records_with_less_of_one_than_of_another_are_counted() {
        check(
            &stalls(),
            &[
                ("7 sold more than they ordered.", &[]),
                ("6 sold more than they ordered.", &["6"]),
            ],
        );
    }
}
