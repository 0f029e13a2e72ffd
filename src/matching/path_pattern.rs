//! The paths that matchers apply to: inside the arguments, with `*` for any key or item.

use super::glob::is_glob;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};

const WHAT: &str = "a path inside the arguments, as in filters.tags[*] or items[0][\"odd key\"]; \"\" for all of them";

/// One step of a path pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The member with this name.
    Key(String),
    /// Any member whose name matches this pattern.
    KeyGlob(String),
    /// Any member.
    AnyKey,
    /// The item at this position, from 0.
    Index(usize),
    /// Any item.
    AnyItem,
}

/// Reads the steps of `pattern`: `a.b`, `a[2]`, `a[*].b`, `*.b`, `*_id`, `a["odd.key"]`; none for `""`. A key in brackets
/// is a name, whatever it contains.
///
/// # Errors
/// [`Error::InvalidInput`] at `path` if the pattern is not a path.
pub fn read_pattern(pattern: &str, path: &Path) -> Result<Vec<Step>> {
    let invalid = || Error::invalid_input(path.clone(), WHAT, format!("{pattern:?}"));
    let mut steps = Vec::new();
    let mut rest = pattern;
    while !rest.is_empty() {
        let (step, left) = match rest.strip_prefix('[') {
            Some(inside) => bracketed(inside).ok_or_else(invalid)?,
            None => {
                let rest = match steps.is_empty() {
                    true => rest,
                    false => rest.strip_prefix('.').ok_or_else(invalid)?,
                };
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (key, left) = rest.split_at(end);
                match key {
                    "" => return Err(invalid()),
                    "*" => (Step::AnyKey, left),
                    key if is_glob(key) => (Step::KeyGlob(key.to_owned()), left),
                    key => (Step::Key(key.to_owned()), left),
                }
            }
        };
        steps.push(step);
        rest = left;
    }
    Ok(steps)
}

/// Reads the step in brackets, and returns what follows it.
fn bracketed(inside: &str) -> Option<(Step, &str)> {
    if inside.starts_with('"') {
        let mut keys = serde_json::Deserializer::from_str(inside).into_iter::<String>();
        let key = keys.next()?.ok()?;
        let left = inside.get(keys.byte_offset()..)?.strip_prefix(']')?;
        return Some((Step::Key(key), left));
    }
    let (index, left) = inside.split_once(']')?;
    let step = match index {
        "*" => Step::AnyItem,
        index if index.bytes().all(|byte| byte.is_ascii_digit()) => {
            Step::Index(index.parse().ok()?)
        }
        _ => return None,
    };
    Some((step, left))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(pattern: &str) -> Option<Vec<Step>> {
        read_pattern(pattern, &Path::root()).ok()
    }

    #[test]
    fn path_patterns_are_split_into_steps() {
        let key = |name: &str| Step::Key(name.to_owned());
        assert_eq!(steps(""), Some(vec![]));
        assert_eq!(
            steps("a.b[2].*[*].c"),
            Some(vec![
                key("a"),
                key("b"),
                Step::Index(2),
                Step::AnyKey,
                Step::AnyItem,
                key("c")
            ])
        );
        assert_eq!(
            steps(r#"["x.y"][""].z"#),
            Some(vec![key("x.y"), key(""), key("z")])
        );
    }

    #[test]
    fn a_star_in_a_key_makes_it_a_pattern_except_in_brackets() {
        let glob = |text: &str| Step::KeyGlob(text.to_owned());
        let key = |text: &str| Step::Key(text.to_owned());
        assert_eq!(steps("*_id"), Some(vec![glob("*_id")]));
        assert_eq!(
            steps("filters.*_at[*]"),
            Some(vec![key("filters"), glob("*_at"), Step::AnyItem])
        );
        assert_eq!(steps("**"), Some(vec![glob("**")]));
        assert_eq!(steps(r#"["*_id"]["*"]"#), Some(vec![key("*_id"), key("*")]));
    }

    #[test]
    fn printed_paths_can_be_read_back() {
        let path = Path::root().key("a b").index(3).key("c").key("q\"]");
        let expected = [
            Step::Key("a b".to_owned()),
            Step::Index(3),
            Step::Key("c".to_owned()),
            Step::Key("q\"]".to_owned()),
        ];
        assert_eq!(steps(path.as_str()), Some(expected.to_vec()));
    }

    #[test]
    fn invalid_paths_are_rejected() {
        for pattern in [
            ".", "a.", ".a", "a..b", "a[", "a[x]", "a[-1]", "a[\"b]", "a[0]b", "[1", "[+1]", "[]",
        ] {
            assert_eq!(steps(pattern), None, "{pattern}");
        }
    }
}
