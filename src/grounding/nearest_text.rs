//! Finds the text in results that a wrong name or code of a reply was probably meant to be.

use super::likeness::Likeness;
use super::report::Closest;
use toolgauge_model::{Json, Path, ToolCall};

/// How many values are searched at most.
const MOST_VALUES: usize = 5000;

/// The longest text that is searched, in bytes.
const LONGEST: usize = 200;

/// The largest share of letters by which a similar code may differ.
const FARTHEST: f64 = 0.7;

/// Finds the latest value of results that contains `words` as whole words. Returns it with the number of its call.
pub fn with_words(calls: &[&ToolCall<'_>], words: &str) -> Option<(usize, Closest)> {
    nearest(calls, |text| {
        let at = text.find(words)?;
        let ends = !text[at + words.len()..].starts_with(char::is_alphanumeric);
        let starts = !text[..at].ends_with(char::is_alphanumeric);
        (starts && ends).then_some((0.0, text))
    })
}

/// Finds the word of results that is most similar to a code. Returns it with the number of its call.
pub fn most_like(calls: &[&ToolCall<'_>], code: &str) -> Option<(usize, Closest)> {
    let likeness = Likeness::to(code);
    nearest(calls, |text| {
        let words = text.split(|c: char| !(c.is_alphanumeric() || "-_.".contains(c)));
        let words = words.map(|word| word.trim_matches(['.', '-', '_']));
        let near = words.filter(|word| !word.is_empty() && *word != code);
        near.filter_map(|word| Some((likeness.distance(word, FARTHEST)?, word)))
            .min_by(|a, b| a.0.total_cmp(&b.0))
    })
}

/// Finds the part of a value with the smallest `distance`. If several are equally near, the latest call wins.
fn nearest<'a>(
    calls: &[&ToolCall<'a>],
    distance: impl Fn(&'a str) -> Option<(f64, &'a str)>,
) -> Option<(usize, Closest)> {
    let mut search = Search {
        left: MOST_VALUES,
        found: None,
        distance,
    };
    let mut nearest = None;
    for (number, call) in calls.iter().enumerate().rev() {
        let before = search.found.as_ref().map(|(distance, _, _)| *distance);
        search.see(
            call.result.or(call.error).unwrap_or_default(),
            &Path::root(),
        );
        let Some((distance, value, path)) = &search.found else {
            continue;
        };
        if before.is_none_or(|before| *distance < before) {
            let closest = Closest {
                value: (*value).to_owned(),
                tool: call.name.map(str::to_owned),
                path: Some(path.to_string()),
            };
            nearest = Some((number, closest));
        }
        if *distance == 0.0 || search.left == 0 {
            break;
        }
    }
    nearest
}

struct Search<'a, D> {
    /// How many values may still be searched.
    left: usize,
    /// The smallest distance so far, the part of the value that has it, and the path of the value.
    found: Option<(f64, &'a str, Path)>,
    distance: D,
}

impl<'a, D: Fn(&'a str) -> Option<(f64, &'a str)>> Search<'a, D> {
    fn see(&mut self, json: Json<'a>, path: &Path) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        self.left = left;
        match json {
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
            Json::String(text) => self.weigh(text, path),
            Json::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.see(*item, &path.index(at));
                }
            }
            Json::Object(members) => {
                for (key, value) in members {
                    self.see(*value, &path.key(key));
                }
            }
        }
    }

    fn weigh(&mut self, text: &'a str, path: &Path) {
        if text.len() > LONGEST {
            return;
        }
        let Some((distance, part)) = (self.distance)(text) else {
            return;
        };
        let is_nearer = self
            .found
            .as_ref()
            .is_none_or(|(least, _, _)| distance < *least);
        if is_nearer {
            self.found = Some((distance, part, path.clone()));
        }
    }
}
