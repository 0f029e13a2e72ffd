//! Finds lists in results that are text: lines of one form.

use super::items::{Field, Item, List, nouns_of};
use super::moments::moments_in;

/// Longer lines are paragraphs.
const LONGEST_LINE: usize = 300;

/// Longer texts are documents.
const LONGEST_TEXT: usize = 8_000;

/// Replies summarize more lines instead of presenting them.
const MOST_LINES: usize = 40;

/// How the lines of a list are marked or divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// By a bullet or a number.
    Marked,
    /// Into columns, by bars.
    Columns,
}

/// Returns the list that the lines of `text` form, if there is exactly one.
pub fn list_in(text: &str, key: &str) -> Option<List> {
    if text.len() > LONGEST_TEXT || !text.contains('\n') {
        return None;
    }
    let mut runs: Vec<(Form, Vec<&str>)> = Vec::new();
    let mut heading = "";
    let mut last = None;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let form = form_of(line);
        match form {
            None if runs.is_empty() => heading = line,
            None => {}
            Some(_) if last != form => runs.extend(form.map(|form| (form, vec![line]))),
            Some(_) => runs
                .last_mut()
                .map(|(_, lines)| lines.push(line))
                .unwrap_or_default(),
        }
        last = form;
    }
    runs.retain(|(_, lines)| lines.len() >= 2);
    let [(form, lines)] = runs.as_slice() else {
        return None;
    };
    let is_list = lines.len() <= MOST_LINES && lines.iter().all(|line| line.len() <= LONGEST_LINE);
    is_list.then(|| List {
        nouns: nouns_of(if heading.is_empty() { key } else { heading }),
        items: lines.iter().map(|line| item_of(line, *form)).collect(),
    })
}

fn form_of(line: &str) -> Option<Form> {
    match super::entries::marker_of(line) {
        super::entries::Marker::Bare if line.contains(" | ") => Some(Form::Columns),
        super::entries::Marker::Bare => None,
        _ => Some(Form::Marked),
    }
}

fn item_of(line: &str, form: Form) -> Item {
    let mut item = Item::default();
    let content = super::entries::content_of(line);
    let parts: Vec<&str> = match form {
        Form::Columns => content.split(" | ").collect(),
        Form::Marked => {
            let parts = content.splitn(2, [':', '—', '–', '|']);
            parts.flat_map(|part| part.split(" - ")).collect()
        }
    };
    for (at, part) in parts.into_iter().enumerate().take(12) {
        let (key, value) = match part.split_once('=') {
            Some((key, value)) => (key.trim().to_owned(), value),
            None => (at.to_string(), part),
        };
        item.fields
            .push(Field::of_text(&key, value.trim().trim_matches('*')));
    }
    for word in content.split([' ', ',', '(', ')', '[', ']']).take(60) {
        let is_code = word.contains(|c: char| c.is_ascii_digit()) && word.len() >= 4;
        if is_code || !moments_in(word).is_empty() {
            item.fields.push(Field::of_text("code", word));
        }
    }
    item.label = item
        .fields
        .first()
        .map(|field| field.text.clone())
        .unwrap_or_default();
    item
}
