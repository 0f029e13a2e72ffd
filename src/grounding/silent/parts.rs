//! Detects numbers that only repeat what is beside them: a share in small numbers beside its percentage ("75%, three
//! out of four"), and the single unit that a price is for (`1泊8,400円`).

use toolgauge_facts::{Fact, FactKind, FactValue, small_number_words};
use toolgauge_model::{first_bytes, last_bytes};

/// The largest number in a share that is written in small numbers.
const LARGEST: f64 = 12.0;

/// How many percentage points a share in small numbers may be off.
const MOST_OFF: f64 = 3.0;

/// How far before and after a share its percentage is searched, in bytes.
const NEAR: usize = 1500;

/// The longest price with its separators, in bytes.
const LONGEST_PRICE: usize = 16;

/// What joins the two numbers of a share.
const JOINTS: [&str; 8] = [
    " out of ",
    " in ",
    " of ",
    " von ",
    " sur ",
    " de ",
    " de cada ",
    " av ",
];

/// What may be between a unit and its price.
const EACH: [&str; 4] = ["あたり", "当たり", "につき", "당"];

/// Checks whether a number repeats what is beside it.
pub fn is_said_again(fact: &Fact<'_>, content: &str) -> bool {
    fact.kind == FactKind::Number && (is_share(fact, content) || is_unit_of_price(fact, content))
}

/// Checks whether a number is one of the two numbers of a share whose percentage is nearby.
fn is_share(fact: &Fact<'_>, content: &str) -> bool {
    let FactValue::Number(values) = &fact.value else {
        return false;
    };
    let is_small = |number: &f64| (1.0..=LARGEST).contains(number) && number.fract() == 0.0;
    let Some(number) = values.first().copied().filter(is_small) else {
        return false;
    };
    let (before, after) = (&content[..fact.start], &content[fact.end()..]);
    let whole = JOINTS.iter().find_map(|joint| {
        let rest = after.strip_prefix(joint)?;
        small_number(rest.split(|c: char| !c.is_alphanumeric()).next()?)
    });
    let part = JOINTS.iter().find_map(|joint| {
        let rest = before.strip_suffix(joint)?;
        small_number(rest.rsplit(|c: char| !c.is_alphanumeric()).next()?)
    });
    let share = match (whole, part) {
        (Some(whole), _) if number < whole => 100.0 * number / whole,
        (_, Some(part)) if part < number => 100.0 * part / number,
        _ => return false,
    };
    percentages(around(content, fact)).any(|percent| (percent - share).abs() <= MOST_OFF)
}

/// Parses a number that is written as a word or in figures.
fn small_number(word: &str) -> Option<f64> {
    let figure = word.parse::<f64>().ok();
    let spelt = || {
        let lower = word.to_lowercase();
        let is_known = small_number_words().any(|known| known == lower);
        let facts = toolgauge_facts::facts(word);
        match &facts.first().filter(|_| is_known)?.value {
            FactValue::Number(values) => values.first().copied(),
            FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => None,
        }
    };
    figure
        .or_else(spelt)
        .filter(|number| (1.0..=LARGEST).contains(number))
}

/// Returns the text around a fact.
fn around<'c>(content: &'c str, fact: &Fact<'_>) -> &'c str {
    let before = last_bytes(&content[..fact.start], NEAR);
    let after = first_bytes(&content[fact.start..], NEAR);
    &content[fact.start - before.len()..fact.start + after.len()]
}

/// Returns the percentages of a text.
fn percentages(text: &str) -> impl Iterator<Item = f64> {
    text.match_indices('%').filter_map(|(at, _)| {
        let figures = text[..at].trim_end_matches([' ', '\u{a0}', '\u{202f}']);
        let start = figures
            .bytes()
            .rev()
            .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
            .count();
        figures[figures.len() - start..]
            .replace(',', ".")
            .parse()
            .ok()
    })
}

/// Checks whether a number is the single unit that the price right after it is for.
fn is_unit_of_price(fact: &Fact<'_>, content: &str) -> bool {
    let after = &content[fact.end()..];
    let mut letters = after.chars();
    let is_counter = |c: char| matches!(c, '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}');
    if fact.text != "1" || !letters.next().is_some_and(is_counter) {
        return false;
    }
    let rest = letters.as_str();
    let rest = EACH
        .iter()
        .find_map(|each| rest.strip_prefix(each))
        .unwrap_or(rest);
    let price = rest.trim_start_matches([' ', '¥', '￥', '₩']);
    let end = price
        .find(|c: char| !(c.is_ascii_digit() || c == ',' || c == '.'))
        .unwrap_or(price.len());
    let has_sign = price.len() < rest.trim_start_matches(' ').len();
    (1..=LONGEST_PRICE).contains(&end)
        && (has_sign || price[end..].starts_with(['円', '元', '원', '块', '¥']))
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn said_again(content: &str) -> Vec<&str> {
        let facts = facts(content).into_iter();
        let again = facts.filter(|fact| is_said_again(fact, content));
        again.map(|fact| fact.text).collect()
    }

    #[test]
    fn shares_in_words_need_their_percentage() {
        assert_eq!(
            said_again("Yes: 33 (41%). So two out of five agree."),
            ["two", "five"]
        );
        assert_eq!(
            said_again("Yes: 33 (41%). So three out of five agree."),
            [""; 0]
        );
        assert_eq!(said_again("So two out of five agree."), [""; 0]);
    }

    #[test]
    fn one_unit_of_a_price_counts_nothing() {
        assert_eq!(said_again("1泊8,400円です"), ["1"]);
        assert_eq!(said_again("1泊あたり8,400円です"), ["1"]);
        assert_eq!(said_again("2泊8,400円です"), [""; 0]);
        assert_eq!(said_again("1泊です"), [""; 0]);
    }
}
