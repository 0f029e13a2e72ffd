//! Resolves the name in a call to a tool: the one resolver for the whole core.

use foldhash::HashMap;
use strsim::normalized_damerau_levenshtein;

/// Longer names get no suggestion, because comparing them costs more than a suggestion is worth.
const LONGEST_TO_SUGGEST: usize = 128;

/// How similar two names must be for a suggestion, from 0 to 1.
const ALIKE: f64 = 0.6;

/// The most names that are searched for a suggestion.
const MOST_CANDIDATES: usize = 500;

/// The names of a set of tools.
#[derive(Debug, Default)]
pub struct ToolNames {
    names: Vec<String>,
    exact: HashMap<String, usize>,
    by_ending: HashMap<String, Ending>,
    /// The names with dots, as interfaces that allow none write them; `None` for several of one such name.
    undotted: HashMap<String, Option<usize>>,
}

/// The tools whose name is or ends in certain parts.
#[derive(Debug, Clone, Copy)]
struct Ending {
    /// The only tool with this ending, or `None` if there are several.
    only: Option<usize>,
    /// The only tool that has this as its whole name, `mcp__` aside; `None` if there is none or more than
    /// one.
    whole: Option<usize>,
}

impl ToolNames {
    /// Creates the resolver for `names`, which must be unique.
    pub fn new(names: Vec<String>) -> Self {
        let mut exact = HashMap::default();
        let mut by_ending: HashMap<String, Ending> = HashMap::default();
        let mut undotted: HashMap<String, Option<usize>> = HashMap::default();
        for (at, name) in names.iter().enumerate() {
            exact.insert(name.clone(), at);
            if name.contains('.') {
                let only = undotted.entry(name.replace('.', "_"));
                only.and_modify(|only| *only = None).or_insert(Some(at));
            }
            for (place, ending) in endings(name).enumerate() {
                let whole = (place == 0).then_some(at);
                by_ending
                    .entry(ending.to_owned())
                    .and_modify(|known| {
                        known.only = None;
                        known.whole = known.whole.xor(whole);
                    })
                    .or_insert(Ending {
                        only: Some(at),
                        whole,
                    });
            }
        }
        Self {
            names,
            exact,
            by_ending,
            undotted,
        }
    }

    /// Returns the names in their order.
    pub fn all(&self) -> &[String] {
        &self.names
    }

    /// Returns the tool that `name` means: the tool with exactly that name, or else the only tool whose name
    /// differs in nothing but an MCP prefix (`mcp__server__tool`, `server__tool`, `tool`), or else the only one
    /// whose dots are `_` in it (`math.gcd`, `math_gcd`).
    pub fn resolve(&self, name: &str) -> Option<usize> {
        let exact = self.exact.get(name).copied();
        let undotted = || self.undotted.get(name).copied().flatten();
        exact.or_else(|| self.by_ending(name)).or_else(undotted)
    }

    fn by_ending(&self, name: &str) -> Option<usize> {
        let mut meant = endings(name).enumerate().filter_map(|(place, ending)| {
            let known = self.by_ending.get(ending)?;
            Some(if place == 0 { known.only } else { known.whole })
        });
        match (meant.next(), meant.find(Option::is_some)) {
            (Some(only), None) => only,
            (Some(None), other) => other.flatten(),
            _ => None,
        }
    }

    /// Returns the most similar known name, if it is similar enough to be meant.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.names.iter().map(String::as_str))
    }
}

/// Returns the name without `mcp__`, then without each prefix in turn: `a__b`, `b`.
pub fn endings(name: &str) -> impl Iterator<Item = &str> {
    let whole = name.strip_prefix("mcp__").unwrap_or(name);
    std::iter::successors(Some(whole), |ending| {
        let (_, rest) = ending.split_once("__")?;
        (!rest.is_empty()).then_some(rest)
    })
}

/// Returns the name in `known` that is most similar to `name`, if it is similar enough to be meant.
/// Case, `_`, `-` and `.` are ignored. A name that contains the other counts as similar.
pub fn nearest<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_TO_SUGGEST {
        return None;
    }
    let plain_name = plain(name);
    known
        .filter(|candidate| candidate.len() <= LONGEST_TO_SUGGEST)
        .take(MOST_CANDIDATES)
        .map(|candidate| (likeness(&plain_name, &plain(candidate)), candidate))
        .filter(|(likeness, _)| *likeness >= ALIKE)
        .max_by(|(a, x), (b, y)| a.total_cmp(b).then_with(|| y.cmp(x)))
        .map(|(_, candidate)| candidate)
}

/// Returns the question that ends a message about a name, or nothing without a suggestion.
pub fn did_you_mean(name: Option<&str>) -> String {
    name.map_or(String::new(), |name| format!("; did you mean {name:?}?"))
}

fn likeness(a: &str, b: &str) -> f64 {
    let by_edits = normalized_damerau_levenshtein(a, b);
    let shorter = a.len().min(b.len());
    let holds = shorter >= 4 && (a.contains(b) || b.contains(a));
    if holds { by_edits.max(0.8) } else { by_edits }
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| !matches!(c, '_' | '-' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> ToolNames {
        ToolNames::new(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn mcp_prefixes_do_not_hide_a_tool() {
        let known = names(&["search", "mcp__files__read", "git__log"]);
        assert_eq!(known.resolve("search"), Some(0));
        assert_eq!(known.resolve("mcp__web__search"), Some(0));
        assert_eq!(known.resolve("web__search"), Some(0));
        assert_eq!(known.resolve("read"), Some(1));
        assert_eq!(known.resolve("files__read"), Some(1));
        assert_eq!(known.resolve("mcp__git__log"), Some(2));
        assert_eq!(known.resolve("Search"), None);
    }

    #[test]
    fn another_server_is_another_tool() {
        let known = names(&["jira__search"]);
        assert_eq!(known.resolve("github__search"), None);
        assert_eq!(known.resolve("mcp__github__search"), None);
        assert_eq!(known.resolve("mcp__jira__search"), Some(0));
    }

    #[test]
    fn an_ambiguous_name_resolves_to_no_tool() {
        let known = names(&["jira__search", "github__search"]);
        assert_eq!(known.resolve("search"), None);
        assert_eq!(known.resolve("github__search"), Some(1));
    }

    #[test]
    fn dots_may_be_underscores() {
        let known = names(&["math.gcd", "a.b", "a_b", "c.d_e", "c_d.e"]);
        assert_eq!(known.resolve("math_gcd"), Some(0));
        assert_eq!(known.resolve("math.gcd"), Some(0));
        assert_eq!(known.resolve("mathgcd"), None);
        assert_eq!(known.resolve("a_b"), Some(2));
        assert_eq!(known.resolve("c_d_e"), None);
    }

    #[test]
    fn odd_names_resolve_only_to_themselves() {
        let known = names(&["", "__", "a__"]);
        assert_eq!(known.resolve(""), Some(0));
        assert_eq!(known.resolve("__"), Some(1));
        assert_eq!(known.resolve("a__"), Some(2));
        assert_eq!(known.resolve("b__"), None);
    }

    #[test]
    fn suggestions_are_similar_or_absent() {
        let known = names(&["get_user_details", "search_flights", "send_email"]);
        assert_eq!(known.nearest("getUserDetails"), Some("get_user_details"));
        assert_eq!(known.nearest("get_user"), Some("get_user_details"));
        assert_eq!(known.nearest("serch_flights"), Some("search_flights"));
        assert_eq!(known.nearest("mystery"), None);
        assert_eq!(known.nearest(""), None);
        assert_eq!(known.nearest(&"get_user".repeat(100_000)), None);
    }
}
