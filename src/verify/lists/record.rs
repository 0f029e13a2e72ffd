//! Distinguishes the result of a call from other results by its codes.

use foldhash::{HashSet, HashSetExt};

use super::items::{Item, List, Weight};
use super::moments::moments_in;
use toolgauge_model::Json;

/// What distinguishes the result of a call from other results.
pub struct Record {
    /// The codes among the arguments of the call.
    pub codes: Vec<String>,
    /// The texts of the result, in lower case.
    pub values: HashSet<String>,
}

impl Record {
    /// Reads the record that a call with `arguments` returned.
    pub fn of(arguments: Json<'_>, result: Json<'_>) -> Self {
        let mut record = Self {
            codes: own_codes(arguments),
            values: HashSet::new(),
        };
        if !record.codes.is_empty() {
            record.add_values(result, 0);
        }
        record
    }

    fn add_values(&mut self, value: Json<'_>, depth: usize) {
        if depth > MOST_DEPTH || self.values.len() >= MOST_VALUES {
            return;
        }
        match value {
            Json::String(text) if text.len() <= 40 => {
                self.values.insert(text.to_lowercase());
            }
            Json::String(text) => {
                let words = words_in_place(text).take(MOST_VALUES);
                self.values.extend(words.map(str::to_lowercase));
            }
            Json::Array(values) => values
                .iter()
                .for_each(|value| self.add_values(*value, depth + 1)),
            Json::Object(members) => members.iter().for_each(|(key, value)| {
                self.values.insert(key.to_lowercase());
                self.add_values(*value, depth + 1);
            }),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }
}

/// The most texts of a result that are compared with codes.
const MOST_VALUES: usize = 4_000;

/// How deep in a result texts are searched for.
const MOST_DEPTH: usize = 8;

/// Returns whether a call has an argument that only this item has as a value.
pub fn is_argument(list: &List, item: usize, arguments: &[Json<'_>]) -> bool {
    let has = |item: &Item, text: &str| {
        let mut fields = item.fields.iter();
        fields.any(|field| field.weight == Weight::Specific && field.text == text)
    };
    let is_value = |text: &str| {
        has(&list.items[item], text)
            && list.items.iter().filter(|item| has(item, text)).count() == 1
    };
    arguments.iter().any(|arguments| {
        let members = arguments
            .members()
            .unwrap_or_default()
            .iter()
            .take(MOST_ARGUMENTS);
        members.clone().any(|(_, value)| match value {
            Json::String(text) => is_value(text),
            Json::Array(values) => values
                .iter()
                .take(MOST_ARGUMENTS)
                .any(|value| value.as_str().is_some_and(is_value)),
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => false,
        })
    })
}

/// The most arguments of one call that are read.
const MOST_ARGUMENTS: usize = 20;

/// The most codes of one call.
const MOST_CODES: usize = 4;

/// Returns the codes among the arguments of a call, in lower case: words with a digit.
fn own_codes(arguments: Json<'_>) -> Vec<String> {
    let members = arguments
        .members()
        .unwrap_or_default()
        .iter()
        .take(MOST_ARGUMENTS);
    let texts = members.filter_map(|(_, value)| value.as_str());
    let is_code = |text: &&str| {
        (4..=40).contains(&text.len())
            && text.contains(|c: char| c.is_ascii_digit())
            && !text.contains(char::is_whitespace)
            && moments_in(text).is_empty()
    };
    let codes = texts.filter(is_code).take(MOST_CODES);
    codes.map(str::to_lowercase).collect()
}

/// Returns whether a word is a code of the same shape as `code`.
pub fn is_like(word: &str, code: &str) -> bool {
    let has_letters = |text: &str| text.contains(char::is_alphabetic);
    let is_sign = |c: &char| !c.is_alphanumeric();
    word.len() == code.len()
        && word
            .chars()
            .filter(is_sign)
            .eq(code.chars().filter(is_sign))
        && has_letters(word) == has_letters(code)
        && word.contains(|c: char| c.is_ascii_digit())
}

/// Returns the words of `text`, including signs such as `#` and `_`.
pub fn words_in_place(text: &str) -> impl Iterator<Item = &str> + Clone {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '#' | '_' | '-' | '@');
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.contains(char::is_alphanumeric))
}

/// Returns whether a heading is only the name of the record that the call asked for: `Order #W12`.
pub fn is_record_heading(heading: &str, codes: &[String]) -> bool {
    let mut words = words_in_place(heading);
    words.clone().count() <= 4 && words.any(|word| codes.iter().any(|code| word == code))
}
