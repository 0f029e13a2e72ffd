//! The result of one call among others of its kind: its codes, and what was asked for by them.

use foldhash::{HashSet, HashSetExt};

use super::items::{Item, List, Weight};
use super::moments::moments_in;
use crate::model::Json;

/// What tells the result of a call from other results.
pub struct Record {
    /// The codes that the call was made with.
    pub codes: Vec<String>,
    /// The texts of the result, in lower case.
    pub values: HashSet<String>,
}

impl Record {
    /// The record that a call with `arguments` returned.
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

/// Most texts of a result that are compared with codes.
const MOST_VALUES: usize = 4_000;

/// How deep in a result they are looked for.
const MOST_DEPTH: usize = 8;

/// Whether a call was made with a value that only this item has.
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

/// Most arguments of one call that are looked at.
const MOST_ARGUMENTS: usize = 20;

/// Most codes of one call.
const MOST_CODES: usize = 4;

/// The codes among the arguments of a call, in lower case: words with a digit.
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

/// Whether a word is a code of the shape of `code`.
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

/// The words of `text`, signs like `#` and `_` included.
pub fn words_in_place(text: &str) -> impl Iterator<Item = &str> + Clone {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '#' | '_' | '-' | '@');
    let words = text.split(move |c: char| !is_part(c));
    words.filter(|word| word.contains(char::is_alphanumeric))
}

/// Whether a heading is only the name of the record that the call asked for: `Order #W12`.
pub fn is_record_heading(heading: &str, codes: &[String]) -> bool {
    let mut words = words_in_place(heading);
    words.clone().count() <= 4 && words.any(|word| codes.iter().any(|code| word == code))
}
