//! Recognizes numbers that count something: the items that the reply lists, the lines of a text, the rows with a common
//! property that the sentence names, or the different words that the lines of a text start with.

use std::ops::Range;

use super::filtered;
use super::reply::Reply;
use super::rows::number;
use toolgauge_facts::{Fact, FactKind, Token, WordList};

/// Larger numbers are not taken as counts of listed items.
const LARGEST: f64 = 400.0;

/// How many bits must be saved by naming the counted list instead of guessing the number.
const LEAST: f64 = 1.0;

/// Words for the first line of a table.
static HEADINGS: WordList =
    WordList::of("header heading headings headers kopfzeile en-tête encabezado");

/// How many lines before or after a number are searched for the items that it counts.
const MOST_LINES: usize = 2000;

/// How many bytes may precede, in its paragraph, a number that counts the list above it: "All of these four".
const MOST_BEFORE_COUNT: usize = 24;

/// The largest indentation of a bullet, in bytes.
const DEEPEST: usize = 12;

/// Checks whether the number at `at` counts something.
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
    is_cheap(&rows.line_counts, count)
        || rows.keyed_counts.contains(&count)
        || names.groups.iter().any(|group| group.len() == count)
        || (says_heading(reply, sentence) && is_one_less(reply, at, sentence, count))
        || (!rows.line_counts.is_empty() && is_cheap(&rows.kind_counts, count))
        || is_cheap(&filtered::counts(reply, at, sentence), count)
}

/// Checks whether naming one of `counts`, the latest first, takes fewer bits than guessing a number of so many digits.
fn is_cheap(counts: &[usize], count: usize) -> bool {
    let place = counts.iter().position(|other| *other == count);
    place.is_some_and(|place| {
        let bits = (count.max(9) as f64).log2();
        bits - ((place + 1) as f64).log2() >= LEAST
    })
}

/// Checks whether a number equals the count of bullets after it or right before its paragraph. That supports the number
/// at this place only, not the same number elsewhere: a reply may omit items that it should list.
pub fn counts_bullets(content: &str, fact: &Fact<'_>) -> bool {
    let count = number(fact).filter(|_| fact.kind == FactKind::Number);
    let after = || listed_after(content, fact.end());
    let before = || listed_before(content, fact.start);
    count.is_some_and(|count| {
        let is_meant = |listed: usize| listed as f64 == count;
        (1.0..=LARGEST).contains(&count)
            && (after().is_some_and(is_meant) || (count > 1.0 && before().is_some_and(is_meant)))
    })
}

/// Checks whether a sentence mentions the heading of a table.
fn says_heading(reply: &Reply<'_, '_>, sentence: &Range<usize>) -> bool {
    let words = reply.content[sentence.clone()].split(|c: char| !c.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .any(|word| Token::of_word(word).says_one_of(&HEADINGS))
}

/// Checks whether the sentence states another count that is larger by one: the count of all lines with the heading.
fn is_one_less(reply: &Reply<'_, '_>, at: usize, sentence: &Range<usize>, count: usize) -> bool {
    let mut others = reply.places_in(sentence).filter(|other| *other != at);
    others.any(|other| number(&reply.stated[other]) == Some((count + 1) as f64))
}

/// Counts the bullets after the line that contains `place`. Nested bullets are not counted, and one that is indented
/// less ends the list.
fn listed_after(content: &str, place: usize) -> Option<usize> {
    let mut lines = content[place..]
        .lines()
        .skip(1)
        .take(MOST_LINES)
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

/// Counts the bullets of the outer level, or the rows of a table, right before the paragraph that contains `place`.
fn listed_before(content: &str, place: usize) -> Option<usize> {
    let start = content[..place].rfind('\n')?;
    if place - start > MOST_BEFORE_COUNT {
        return None;
    }
    let lines = content[..start]
        .rsplit('\n')
        .take(MOST_LINES)
        .skip_while(|line| line.trim().is_empty());
    let items: Vec<_> = lines
        .map_while(|line| depth_of_bullet(line).map(|depth| (depth, line)))
        .collect();
    let depth = items.iter().map(|(depth, _)| *depth).min()?;
    let is_rule = |line: &str| line.contains('-') && !line.contains(char::is_alphanumeric);
    // The line above the rule of a table is its heading.
    let rule = items.iter().position(|(_, line)| is_rule(line));
    let of_depth = items[..rule.unwrap_or(items.len())]
        .iter()
        .filter(|(own, _)| *own == depth);
    Some(of_depth.count())
}

/// Returns the indentation of a line that starts with a bullet or an item number.
fn depth_of_bullet(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let depth = line.len() - text.len();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let is_numbered = (1..=3).contains(&digits) && text[digits..].starts_with(['.', ')']);
    let is_bullet = text.starts_with(['-', '*', '•', '–', '|']) || is_numbered;
    (is_bullet && depth <= DEEPEST).then_some(depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn says_bullets(content: &str) -> bool {
        let stated = facts(content);
        counts_bullets(content, &stated[0])
    }

    #[test]
    fn bullets_of_one_depth_are_counted() {
        assert!(says_bullets(
            "I see 3 of them:\n\n- a\n  - b\n- c\n- d\nThat is all."
        ));
        assert!(!says_bullets(
            "I see 4 of them:\n\n- a\n  - b\n- c\n- d\nThat is all."
        ));
        assert!(!says_bullets("I see 3 of them.\nNo list:\n- a\n- b\n- c"));
    }

    #[test]
    fn lists_right_before_a_paragraph_are_counted() {
        let counts = |content: &str| {
            let stated = facts(content);
            counts_bullets(content, stated.last().expect("a number"))
        };
        let list = "- a\n  - b\n- c\n\n";
        assert!(counts(&format!("{list}All two are open.")));
        assert!(!counts(&format!("{list}All four are open.")));
        assert!(!counts(&format!("{list}Well.\n\nAll two are open.")));
        let table = "| Item |\n|---|\n| a |\n| b |\n| c |\n\n";
        assert!(counts(&format!("{table}All three are open.")));
        assert!(!counts(&format!("{table}All five are open.")));
    }

    #[test]
    fn bullets_start_with_signs_or_numbers() {
        assert_eq!(depth_of_bullet("  12. Plums"), Some(2));
        assert_eq!(depth_of_bullet("* Plums"), Some(0));
        assert_eq!(depth_of_bullet("1250. Plums"), None);
        assert_eq!(depth_of_bullet("Plums - 3"), None);
    }

    #[test]
    fn the_more_counts_there_are_the_less_small_ones_follow() {
        assert!(is_cheap(&[4, 9], 4));
        assert!(!is_cheap(&[4, 9], 5));
        assert!(!is_cheap(&[31, 12, 44, 17, 8, 25, 9, 6], 6));
        assert!(is_cheap(&[31, 12, 44, 17, 8, 25, 9, 61], 61));
    }
}
