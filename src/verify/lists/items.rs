//! Finds the lists in a result, and what distinguishes their items.

use super::moments::{Moment, moments_in};
use super::tokens::words_in;
use toolgauge_model::{Json, Number, singular, words_of};

/// Replies summarize longer lists instead of presenting them.
const LONGEST: usize = 40;

/// The most lists of one result that are read.
const MOST_LISTS: usize = 16;

/// The most values that are read from the items of all lists of one result.
const MOST_VALUES: usize = 4_000;

/// How deep in a result lists are searched for.
const DEEPEST: usize = 5;

/// The most values of one item that are read.
const MOST_FIELDS: usize = 24;

/// The most words of a name; longer values are sentences, which replies may paraphrase.
const LONGEST_NAME: usize = 12;

/// A list in a result.
#[derive(Debug, Default)]
pub struct List {
    /// The words of the member that contains it, in the singular.
    pub nouns: Vec<String>,
    /// Its items.
    pub items: Vec<Item>,
}

/// An item of a list.
#[derive(Debug, Default)]
pub struct Item {
    /// The name that messages use for it.
    pub label: String,
    /// Its values.
    pub fields: Vec<Field>,
}

/// A value of an item.
#[derive(Debug)]
pub struct Field {
    /// The member that contains it.
    pub key: String,
    /// The value as messages show it.
    pub text: String,
    /// The words of the value.
    pub words: Vec<String>,
    /// Other notations of the value.
    pub notations: Vec<Vec<String>>,
    /// How well it identifies the item.
    pub weight: Weight,
}

/// How well a value identifies an item if no other item has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// Not at all: a boolean or an empty value.
    None,
    /// Only together with a second one: a number of one or two digits.
    Small,
    /// If most of the words that only it has appear: a sentence.
    Sentence,
    /// Well: a number, a date, a time or a word.
    Plain,
    /// Certainly: an id, a code or a name of several words.
    Specific,
}

/// Returns the lists of `result`, the outermost first.
pub fn lists_in(result: Json<'_>) -> Vec<List> {
    let mut found = Found::default();
    collect(result, "", 0, &mut found);
    let mut found = found.lists;
    let repeated: Vec<_> = found.iter().map(|list| is_repeated(list, &found)).collect();
    let mut repeated = repeated.into_iter();
    found.retain(|_| repeated.next() != Some(true));
    found
}

/// The lists found so far in a result.
#[derive(Default)]
struct Found {
    lists: Vec<List>,
    values: usize,
}

impl Found {
    fn add(&mut self, list: Option<List>) {
        let values = list
            .iter()
            .flat_map(|list| &list.items)
            .map(|item| item.fields.len());
        self.values += values.sum::<usize>();
        self.lists.extend(list);
    }

    fn is_full(&self) -> bool {
        self.lists.len() >= MOST_LISTS || self.values >= MOST_VALUES
    }
}

/// Returns whether a list contains only the ids of another list's items.
fn is_repeated(list: &List, lists: &[List]) -> bool {
    let is_once_in = |text: &str, other: &List| {
        let has = |item: &&Item| {
            item.fields
                .iter()
                .any(|field| !field.key.is_empty() && field.text == text)
        };
        other.items.iter().filter(has).count() == 1
    };
    let mut ids = list.items.iter().map(|item| match item.fields.as_slice() {
        [only] if only.key.is_empty() => Some(only.text.as_str()),
        _ => None,
    });
    let others = lists
        .iter()
        .take(4)
        .filter(|other| !std::ptr::eq(*other, list));
    let mut others = others.filter(|other| other.items.len() >= list.items.len());
    others.any(|other| {
        ids.clone()
            .all(|id| id.is_some_and(|id| is_once_in(id, other)))
    }) && ids.all(|id| id.is_some())
}

fn collect(value: Json<'_>, key: &str, depth: usize, found: &mut Found) {
    if depth > DEEPEST || found.is_full() {
        return;
    }
    match value {
        Json::Array(values) => {
            found.add(list_of(key, values.iter().map(|value| ("", *value))));
            let objects = values.iter().filter(|value| value.members().is_some());
            for value in objects.take(LONGEST) {
                collect(*value, key, depth + 1, found);
            }
        }
        Json::Object(members) => {
            if is_map(members) {
                found.add(list_of(key, members.iter().copied()));
            }
            for (key, value) in members.iter().take(LONGEST) {
                collect(*value, key, depth + 1, found);
            }
        }
        Json::String(text) => found.add(super::lines::list_in(text, key)),
        Json::Null | Json::Bool(_) | Json::Number(_) => {}
    }
}

/// Returns whether an object is a map from ids to records of one kind.
fn is_map(members: &[(&str, Json<'_>)]) -> bool {
    let mut records = members.iter().map(|(_, value)| value.members());
    let Some(Some(first)) = records.next() else {
        return false;
    };
    let first = &first[..first.len().min(MOST_FIELDS)];
    let is_like_first = |record: &[(&str, Json<'_>)]| {
        let keys = record.iter().take(MOST_FIELDS);
        let shared = keys.filter(|(key, _)| first.iter().any(|(other, _)| key == other));
        shared.count() * 2 > first.len()
    };
    (2..=LONGEST).contains(&members.len())
        && records.all(|record| record.is_some_and(is_like_first))
}

/// Makes a list of `values` of one kind, each with its id if they come from a map.
fn list_of<'a>(
    key: &str,
    values: impl ExactSizeIterator<Item = (&'a str, Json<'a>)>,
) -> Option<List> {
    if !(2..=LONGEST).contains(&values.len()) {
        return None;
    }
    let items: Option<Vec<_>> = values.map(|(id, value)| item_of(id, value)).collect();
    let items = items?;
    let is_scalar = |item: &Item| item.fields.len() == 1 && item.fields[0].key.is_empty();
    let scalars = items.iter().filter(|item| is_scalar(item)).count();
    (scalars == 0 || scalars == items.len()).then(|| List {
        nouns: nouns_of(key),
        items,
    })
}

/// Returns the words of a member's name in the singular.
pub fn nouns_of(key: &str) -> Vec<String> {
    words_of(key).into_iter().map(stem).collect()
}

/// Returns the singular of an English noun.
pub fn stem(word: String) -> String {
    match word.strip_suffix("ies") {
        Some(start) if start.len() > 1 => format!("{start}y"),
        _ => singular(word),
    }
}

fn item_of(id: &str, value: Json<'_>) -> Option<Item> {
    let mut item = Item::default();
    match value {
        Json::String(text) => item.fields.push(Field::of_text("", text)),
        Json::Object(members) => {
            if !id.is_empty() {
                item.fields.push(Field::of_text("", id));
            }
            add_members(members, 0, &mut item);
            add_full_name(members, &mut item);
        }
        _ => return None,
    }
    item.label = label_of(&item, value);
    (!item.fields.is_empty()).then_some(item)
}

fn add_members(members: &[(&str, Json<'_>)], depth: usize, item: &mut Item) {
    for (key, value) in members.iter().take(MOST_FIELDS) {
        if item.fields.len() >= MOST_FIELDS {
            return;
        }
        match value {
            Json::String(text) => item.fields.push(Field::of_text(key, text)),
            Json::Number(number) => item.fields.push(Field::of_number(key, *number)),
            Json::Bool(value) => item.fields.push(Field::of_switch(key, *value)),
            Json::Object(members) if depth < 2 => add_members(members, depth + 1, item),
            Json::Null | Json::Array(_) | Json::Object(_) => {}
        }
    }
}

/// Adds the first and the last name together, because replies call people by both.
fn add_full_name(members: &[(&str, Json<'_>)], item: &mut Item) {
    const NAMES: [(&str, &str); 3] = [
        ("first_name", "last_name"),
        ("firstName", "lastName"),
        ("given_name", "family_name"),
    ];
    let value = |key: &str| {
        let member = members.iter().find(|(name, _)| *name == key);
        member.and_then(|(_, value)| value.as_str())
    };
    for (first_key, last_key) in NAMES {
        if let (Some(first), Some(last)) = (value(first_key), value(last_key)) {
            let name = format!("{first} {last}");
            item.fields
                .retain(|field| field.key != first_key && field.key != last_key);
            item.fields.insert(0, Field::of_text("name", &name));
        }
    }
}

/// Returns the name that messages use for an item: its name or id, or its first value.
fn label_of(item: &Item, value: Json<'_>) -> String {
    const LABELS: [&str; 8] = [
        "name", "title", "subject", "label", "id", "number", "code", "sku",
    ];
    let named = LABELS.iter().find_map(|label| {
        let mut fields = item.fields.iter();
        fields.find(|field| {
            field.weight >= Weight::Small && {
                let words = words_of(&field.key);
                words.last().is_some_and(|word| word == label)
            }
        })
    });
    let field = match value {
        Json::String(_) => item.fields.first(),
        _ => named.or_else(|| item.fields.iter().find(|field| field.weight > Weight::None)),
    };
    field.map(|field| field.text.clone()).unwrap_or_default()
}

impl Item {
    /// Returns the value of the member `key`.
    pub fn value(&self, key: &str) -> Option<&String> {
        let mut fields = self.fields.iter();
        fields
            .find(|field| field.key == key)
            .map(|field| &field.text)
    }
}

impl Field {
    /// Reads a text as a name, an id, a number, a date or a sentence.
    pub fn of_text(key: &str, text: &str) -> Self {
        let words = words_in(toolgauge_model::start_of(text, 1_000));
        let moments = moments_in(text);
        let is_moment = words.len() <= 8 && !moments.is_empty();
        let notations = match words.len() <= LONGEST_NAME {
            true => moments.iter().flat_map(Moment::notations).collect(),
            false => Vec::new(),
        };
        let weight = match words.as_slice() {
            [] => Weight::None,
            _ if is_switch(text) => Weight::None,
            _ if is_moment => Weight::Plain,
            _ if words.len() > LONGEST_NAME => Weight::Sentence,
            [word] if word.len() <= 2 => Weight::Small,
            [word] if word.len() >= 6 && word.starts_with(|c: char| c.is_ascii_digit()) => {
                Weight::Specific
            }
            [_] => Weight::Plain,
            [..] => Weight::Specific,
        };
        Self {
            key: key.to_owned(),
            text: text.to_owned(),
            words,
            notations,
            weight,
        }
    }

    fn of_number(key: &str, number: Number) -> Self {
        let text = serde_json::to_string(&Json::Number(number)).unwrap_or_default();
        let words = words_in(&text);
        let weight = match words.as_slice() {
            [word] if word.len() <= 2 => Weight::Small,
            [word] if word.len() >= 6 => Weight::Specific,
            _ => Weight::Plain,
        };
        Self {
            key: key.to_owned(),
            text,
            words,
            notations: Vec::new(),
            weight,
        }
    }

    fn of_switch(key: &str, value: bool) -> Self {
        Self {
            key: key.to_owned(),
            text: value.to_string(),
            words: Vec::new(),
            notations: Vec::new(),
            weight: Weight::None,
        }
    }

    /// Returns all word sequences that can stand for this value.
    pub fn needles(&self) -> impl Iterator<Item = &[String]> {
        let is_name = (1..=LONGEST_NAME).contains(&self.words.len()) && self.weight > Weight::None;
        let name = is_name.then_some(self.words.as_slice());
        name.into_iter()
            .chain(self.notations.iter().map(Vec::as_slice))
    }
}

fn is_switch(text: &str) -> bool {
    let text = text.trim();
    ["true", "false", "yes", "no", "null", "none", "n/a"]
        .iter()
        .any(|word| text.eq_ignore_ascii_case(word))
}
