//! Paths inside a JSON document.

use std::borrow::Cow;
use std::fmt;

use super::text::{MOST_QUOTED, first_bytes, last_bytes};

/// A path inside a JSON document, written as `turns[2].tool_calls[0].arguments.limit`.
///
/// The empty path is the whole document. A key that would be misread (empty, or containing a dot, a
/// bracket, a quote, white space or a control character) is written in brackets as a JSON string:
/// `headers["x.y"]`.
#[derive(Debug, Clone, PartialEq, Eq, Default, PartialOrd, Ord, Hash)]
pub struct Path(String);

impl Path {
    /// Returns the path of the whole document.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns whether this is the whole document.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the path in `text`, which must be written as paths are displayed.
    #[must_use]
    pub fn written(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// Returns the path of the member `key`.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        let mut text = String::with_capacity(self.0.len() + key.len() + 1);
        text.push_str(&self.0);
        push_key(&mut text, key);
        Self(text)
    }

    /// Returns the path of the item `index`, from 0.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(index);
        let mut text = String::with_capacity(self.0.len() + digits.len() + 2);
        for part in [&self.0, "[", digits, "]"] {
            text.push_str(part);
        }
        Self(text)
    }

    /// Appends `inner`, a path inside the value at this path.
    #[must_use]
    pub fn join(&self, inner: &Self) -> Self {
        Self(self.join_written(&inner.0))
    }

    /// Like [`Path::join`], for an inner path given as text.
    pub fn join_written(&self, inner: &str) -> String {
        let mut text = String::with_capacity(self.0.len() + inner.len() + 1);
        text.push_str(&self.0);
        if !text.is_empty() && !inner.is_empty() && !inner.starts_with('[') {
            text.push('.');
        }
        text.push_str(inner);
        text
    }

    /// Returns this path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns this path for people: a very deep one is shortened to its first and last levels, with the
    /// number of levels.
    pub fn shortened(&self) -> Cow<'_, str> {
        let starts = self.level_starts();
        let levels = starts.len();
        if levels <= MOST_LEVELS {
            return ends_of(&self.0);
        }
        let (head, tail) = (starts[LEVELS_AT_AN_END], starts[levels - LEVELS_AT_AN_END]);
        let (head, tail) = (&self.0[..head], self.0[tail..].trim_start_matches('.'));
        let (head, tail) = (ends_of(head), ends_of(tail));
        Cow::Owned(format!("{head} … {tail} ({levels} levels)"))
    }

    /// Returns where each level starts in the text.
    fn level_starts(&self) -> Vec<usize> {
        let starts = self.walk().map(|(start, _)| start);
        starts.collect()
    }

    /// Returns the steps from the whole document to this place, in order.
    pub fn steps(&self) -> Vec<Step> {
        self.walk().map(|(_, step)| step).collect()
    }

    /// Returns the steps in order, each with its position in the text.
    fn walk(&self) -> impl Iterator<Item = (usize, Step)> {
        let mut rest = self.0.as_str();
        std::iter::from_fn(move || {
            let start = self.0.len() - rest.len();
            let (step, after) = (!rest.is_empty()).then(|| next_step(rest))?;
            rest = after;
            Some((start, step))
        })
    }
}

/// One step of a path: from a value to one of its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// To the member of this name.
    Key(String),
    /// To the item at this position, from 0.
    Index(usize),
}

/// Returns the first step of a path that is not empty, and the rest of the text.
fn next_step(text: &str) -> (Step, &str) {
    let Some(bracketed) = text.strip_prefix('[') else {
        let text = text.strip_prefix('.').unwrap_or(text);
        let end = text.find(['.', '[']).unwrap_or(text.len());
        return (Step::Key(text[..end].to_owned()), &text[end..]);
    };
    if let Some((digits, after)) = bracketed.split_once(']')
        && let Ok(index) = digits.parse()
    {
        return (Step::Index(index), after);
    }
    let mut keys = serde_json::Deserializer::from_str(bracketed).into_iter::<String>();
    let key = keys.next().and_then(Result::ok).unwrap_or_default();
    let after = &bracketed[keys.byte_offset()..];
    (Step::Key(key), after.strip_prefix(']').unwrap_or(""))
}

/// Paths with more levels are shortened for people.
const MOST_LEVELS: usize = 24;

/// How many levels of each end are then shown.
const LEVELS_AT_AN_END: usize = 8;

impl fmt::Display for Path {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Shortens a path with very long keys to its start and its end.
fn ends_of(path: &str) -> Cow<'_, str> {
    if path.len() <= 2 * MOST_QUOTED {
        return Cow::Borrowed(path);
    }
    let (start, end) = (
        first_bytes(path, MOST_QUOTED),
        last_bytes(path, MOST_QUOTED),
    );
    Cow::Owned(format!("{start}…{end}"))
}

fn push_key(text: &mut String, key: &str) {
    if needs_brackets(key) {
        text.push('[');
        text.push_str(&serde_json::Value::from(key).to_string());
        text.push(']');
        return;
    }
    if !text.is_empty() {
        text.push('.');
    }
    text.push_str(key);
}

fn needs_brackets(key: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    let is_special =
        |c: char| matches!(c, '.' | '[' | ']' | '"' | '\'') || c.is_whitespace() || c.is_control();
    key.is_empty() || (!key.bytes().all(is_plain) && key.contains(is_special))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keys_and_indices_read_as_written_in_code() {
        let path = Path::root().key("a").key("b").index(2).key("c");
        assert_eq!(path.as_str(), "a.b[2].c");
    }

    #[test]
    fn keys_that_would_be_misread_are_quoted() {
        let path = Path::root().key("a.b").key("").key("x\"y");
        assert_eq!(path.as_str(), r#"["a.b"][""]["x\"y"]"#);
    }

    proptest! {
        #[test]
        fn a_path_has_the_steps_it_was_built_from(
            steps in prop::collection::vec(
                prop_oneof![
                    any::<String>().prop_map(Step::Key),
                    "[a-z0-9_.\\[\\]\" ]{0,4}".prop_map(Step::Key),
                    (0_usize..2_000).prop_map(Step::Index),
                ],
                0..6,
            ),
        ) {
            let path = steps.iter().fold(Path::root(), |path, step| match step {
                Step::Key(key) => path.key(key),
                Step::Index(index) => path.index(*index),
            });
            prop_assert_eq!(path.steps(), steps);
        }
    }

    #[test]
    fn a_path_of_very_many_levels_is_shortened_in_the_middle() {
        let deep =
            |levels| (0..levels).fold(Path::root().key("a"), |path, _| path.index(0).key("x.[\"y"));
        assert_eq!(deep(11).shortened(), deep(11).as_str());
        let long = deep(2_000);
        let shown = long.shortened();
        let (head, tail) = shown.split_once(" … ").expect("an ellipsis");
        assert_eq!(head, r#"a[0]["x.[\"y"][0]["x.[\"y"][0]["x.[\"y"][0]"#);
        let key = r#"[0]["x.[\"y"]"#;
        assert_eq!(tail, format!("{} (4001 levels)", key.repeat(4)));
        let wide = Path::root().key(&"é".repeat(5_000)).key("end");
        assert!(wide.shortened().len() < 500 && wide.shortened().ends_with("é.end"));
        let names = (0..30).fold(Path::root(), |path, at| path.key(&format!("k{at}")));
        assert_eq!(
            names.shortened(),
            "k0.k1.k2.k3.k4.k5.k6.k7 … k22.k23.k24.k25.k26.k27.k28.k29 (30 levels)"
        );
    }

    #[test]
    fn joining_keeps_both_halves() {
        let outer = Path::root().key("messages").index(1);
        assert_eq!(
            outer.join(&Path::root().key("content")).as_str(),
            "messages[1].content"
        );
        assert_eq!(
            outer.join(&Path::root().index(0)).as_str(),
            "messages[1][0]"
        );
        assert_eq!(outer.join(&Path::root()), outer);
        assert_eq!(Path::root().join(&outer), outer);
    }
}
