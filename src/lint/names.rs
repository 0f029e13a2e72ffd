//! Rules for names: those that providers reject, and those that are taken for one another.

use super::descriptions::identical;
use super::findings::{Findings, shown, shown_name};
use super::issue::{LintIssueType as Kind, ModelProvider};
use super::walk::{Node, walk};
use super::words::{bare, grouped, words};
use crate::base::issue::Severity;
use crate::formats::Declared;
use crate::model::Json;
use crate::schema::endings;

/// What is wrong with the names of the definition itself.
pub fn lint(findings: &mut Findings<'_, '_>) {
    let definition = findings.definition;
    let name = definition.tool.name;
    if matches!(definition.arguments, Declared::Platform) {
        return;
    }
    findings.add_rejected(
        Kind::InvalidName,
        &definition.path.key("name"),
        &|provider| !is_tool_name(name, provider),
        &format!("this name{}", why(name)),
        "Use letters, digits and _ alone, with a letter first, and at most 64 of them.",
    );
    if let Declared::Schema(schema) = &definition.arguments {
        walk(schema.source, &schema.path, &mut |node| {
            of_parameters(findings, node);
        });
    }
}

/// The rules for names of tools in the documentation of the APIs: OpenAI's of functions, Anthropic's of
/// defined tools, the FunctionDeclaration of Gemini, the ToolSpecification of Bedrock.
fn is_tool_name(name: &str, provider: ModelProvider) -> bool {
    let extra = match provider {
        ModelProvider::Gemini => "_-.:",
        ModelProvider::Openai | ModelProvider::Anthropic | ModelProvider::Bedrock => "_-",
    };
    let most = match provider {
        ModelProvider::Anthropic => 128,
        ModelProvider::Openai | ModelProvider::Gemini | ModelProvider::Bedrock => 64,
    };
    let starts_well = provider != ModelProvider::Gemini || !starts_oddly(name);
    starts_well && is_made_of(name, extra, most)
}

/// Anthropic's API, also where Bedrock runs its models, names this pattern in its errors, for parameters
/// at the root; the rule of Gemini stands in the documentation of Vertex AI.
fn is_parameter_name(name: &str, provider: ModelProvider) -> bool {
    match provider {
        ModelProvider::Openai => true,
        ModelProvider::Anthropic | ModelProvider::Bedrock => is_made_of(name, "_.-", 64),
        ModelProvider::Gemini => is_made_of(name, "_", 64) && !starts_oddly(name),
    }
}

fn is_made_of(name: &str, extra: &str, most: usize) -> bool {
    let is_right = |c: char| c.is_ascii_alphanumeric() || extra.contains(c);
    !name.is_empty() && name.len() <= most && name.chars().all(is_right)
}

fn starts_oddly(name: &str) -> bool {
    !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// What is unusual about a name.
fn why(name: &str) -> String {
    let length = name.chars().count();
    let odd = name
        .chars()
        .find(|c| !c.is_ascii_alphanumeric() && !"_-".contains(*c));
    match odd {
        _ if name.is_empty() => ": it is empty".to_owned(),
        Some(odd) => format!(": it holds {}", shown_name(&odd.to_string())),
        None if length > 64 => format!(": it has {length} characters"),
        None if starts_oddly(name) => ": it starts with no letter".to_owned(),
        None => ": it holds \"-\"".to_owned(),
    }
}

fn of_parameters<'a>(findings: &mut Findings<'_, 'a>, node: Node<'_, 'a>) {
    let properties = node.properties();
    let names = || properties.iter().map(|(name, _)| *name);
    let path = |name: &str| node.path.key("properties").key(name);
    if node.depth == 0 {
        for name in names() {
            findings.add_rejected(
                Kind::InvalidParameterName,
                &path(name),
                &|provider| !is_parameter_name(name, provider),
                &format!("this name of a parameter{}", why(name)),
                "Use letters, digits and _ alone, with a letter first, and at most 64 of them.",
            );
        }
    }
    if node.narrows {
        return;
    }
    for group in grouped(names().map(bare).collect(), 2) {
        let mut same: Vec<_> = group.iter().map(|at| properties[*at].0).collect();
        same.sort_unstable();
        for name in &same[1..] {
            let what = format!("differs from {} in spelling alone", shown_name(same[0]));
            let hint = "Keep one of them, or give them names that differ in a word.";
            let issue = findings.add(Kind::SimilarParameterNames, &path(name), &what, hint);
            issue.details.other = Some(same[0].to_owned());
        }
    }
}

/// What is wrong with a tool beside the others of its set.
pub struct Clash<'n> {
    /// The place of the tool in the set.
    pub at: usize,
    pub kind: Kind,
    pub severity: Severity,
    /// The name of the other tool.
    pub other: &'n str,
    pub what: String,
    pub hint: &'static str,
}

/// What is wrong with the tools of a set, of which the names and descriptions are given, beside one
/// another. The order of the tools does not count.
pub fn clashes<'n>(tools: &[(&'n str, Option<&str>)]) -> Vec<Clash<'n>> {
    let mut found = Vec::new();
    let mut add = |at: usize, kind: Kind, severity: Severity, other: &'n str| {
        let (what, hint) = words_for(kind, severity, other);
        found.push(Clash {
            at,
            kind,
            severity,
            other,
            what,
            hint,
        });
    };
    let by_name = grouped(
        tools.iter().map(|(name, _)| (*name).to_owned()).collect(),
        1,
    );
    for places in &by_name {
        for at in &places[1..] {
            add(*at, Kind::DuplicateName, Severity::High, tools[*at].0);
        }
    }
    // From here on each name counts once, and names are in their order.
    let names: Vec<_> = by_name
        .iter()
        .map(|places| (tools[places[0]].0, places[0]))
        .collect();
    ambiguous(&names, &mut add);
    similar(&names, &mut add);
    for (at, other) in identical(tools) {
        add(at, Kind::IdenticalDescriptions, Severity::Medium, other);
    }
    found
}

/// Takes a clash: the place of the tool, the kind, how bad it is, the name of the other tool.
type Add<'f, 'n> = &'f mut dyn FnMut(usize, Kind, Severity, &'n str);

/// The names by a key of each, where several share it.
fn by_key(names: &[(&str, usize)], key: &dyn Fn(&str) -> String) -> Vec<Vec<usize>> {
    grouped(names.iter().map(|(name, _)| key(name)).collect(), 2)
}

/// Tells of names that are like another one, of each name once.
struct Telling<'f, 'n> {
    names: &'f [(&'n str, usize)],
    is_told: Vec<bool>,
    kind: Kind,
    add: Add<'f, 'n>,
}

impl<'f, 'n> Telling<'f, 'n> {
    fn of(names: &'f [(&'n str, usize)], kind: Kind, add: Add<'f, 'n>) -> Self {
        Self {
            names,
            is_told: vec![false; names.len()],
            kind,
            add,
        }
    }

    /// Tells that the others of a group are like `one` of it.
    fn others(&mut self, group: &[usize], one: usize, severity: Severity) {
        for at in group.iter().filter(|at| **at != one) {
            if !std::mem::replace(&mut self.is_told[*at], true) {
                let (place, other) = (self.names[*at].1, self.names[one].0);
                (self.add)(place, self.kind, severity, other);
            }
        }
    }
}

/// Names that differ in their prefixes alone.
fn ambiguous<'n>(names: &[(&'n str, usize)], add: Add<'_, 'n>) {
    let whole = |name: &str| endings(name).next().unwrap_or(name).to_owned();
    let last = |name: &str| endings(name).last().unwrap_or(name).to_owned();
    let is_bare = |at: &&usize| endings(names[**at].0).nth(1).is_none();
    let mut telling = Telling::of(names, Kind::AmbiguousName, add);
    for group in by_key(names, &whole) {
        telling.others(&group, group[0], Severity::High);
    }
    for group in by_key(names, &last) {
        match group.iter().find(is_bare) {
            Some(bare) => telling.others(&group, *bare, Severity::Medium),
            None => telling.others(&group, group[0], Severity::Low),
        }
    }
}

/// Names that differ in spelling or a plural alone.
fn similar<'n>(names: &[(&'n str, usize)], add: Add<'_, 'n>) {
    let mut telling = Telling::of(names, Kind::SimilarNames, add);
    for group in by_key(names, &bare) {
        telling.others(&group, group[0], Severity::Medium);
    }
    for group in by_key(names, &|name| words(name).concat()) {
        telling.others(&group, group[0], Severity::Low);
    }
}

fn words_for(kind: Kind, severity: Severity, other: &str) -> (String, &'static str) {
    let other = shown(Json::String(other));
    match (kind, severity) {
        (Kind::DuplicateName, _) => (
            "another tool has the same name".to_owned(),
            "Rename one of them, or take it out: only the last can be called.",
        ),
        (Kind::AmbiguousName, Severity::High) => (
            format!("is the same tool of the same server as {other} once its prefix is gone"),
            "Name the servers differently, or give only one of them to the model.",
        ),
        (Kind::AmbiguousName, _) => (
            format!("has the same name as {other} once the prefix of its server is gone"),
            "Name them differently, so that a call without the prefix still means one of them.",
        ),
        (Kind::SimilarNames, Severity::Low) => (
            format!("differs from {other} in a plural alone"),
            "Give them names that differ in a word, such as get_user and list_users.",
        ),
        (Kind::SimilarNames, _) => (
            format!("differs from {other} in spelling alone"),
            "Give them names that differ in a word.",
        ),
        _ => (
            format!("has the same description as {other}"),
            "Say in each what sets it apart, and when to use which.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::LintProvider;
    use super::super::testing::{found_by, linted, with_parameters};

    const PROVIDERS: [LintProvider; 4] = [
        LintProvider::Openai,
        LintProvider::Anthropic,
        LintProvider::Gemini,
        LintProvider::Bedrock,
    ];

    /// Which of the providers find something, by their place among all.
    fn finding(document: &Value) -> Vec<usize> {
        let finds = |at: &usize| !found_by(document, Some(PROVIDERS[*at])).is_empty();
        (0..PROVIDERS.len()).filter(finds).collect()
    }

    #[test]
    fn each_provider_has_its_own_rule_for_names_of_tools() {
        let tool = |name: &str| json!({"name": name, "description": "Walks on, straight ahead.", "parameters": {"type": "object"}});
        for (name, rejecting) in [
            ("walk-on_2".to_owned(), &[][..]),
            ("a".repeat(64), &[]),
            ("a".repeat(65), &[0, 2, 3]),
            ("a".repeat(129), &[0, 1, 2, 3]),
            ("walk.on".to_owned(), &[0, 1, 3]),
            ("walk:on".to_owned(), &[0, 1, 3]),
            ("2walk".to_owned(), &[2]),
            ("-walk".to_owned(), &[2]),
            ("walk on".to_owned(), &[0, 1, 2, 3]),
            ("spazieré".to_owned(), &[0, 1, 2, 3]),
            (String::new(), &[0, 1, 2, 3]),
        ] {
            assert_eq!(finding(&tool(&name)), rejecting, "{name:?}");
        }
    }

    #[test]
    fn each_provider_has_its_own_rule_for_names_of_parameters() {
        for (name, rejecting) in [
            ("city_name".to_owned(), &[][..]),
            ("city.name".to_owned(), &[2]),
            ("city-name".to_owned(), &[2]),
            ("filter[id]".to_owned(), &[1, 2, 3]),
            ("$top".to_owned(), &[1, 2, 3]),
            ("a".repeat(65), &[1, 2, 3]),
        ] {
            let schema = json!({"type": "object", "properties": {&name: {"type": "string", "description": "where the walk starts"}}});
            assert_eq!(finding(&with_parameters(schema)), rejecting, "{name:?}");
        }
        let nested = json!({"type": "object", "properties": {"x": {"type": "object", "description": "where the walk starts", "properties": {"$top": {"type": "string", "description": "where the walk ends"}}}}});
        assert!(finding(&with_parameters(nested)).is_empty());
    }

    /// What clashes in a set of tools of these names: severity, type, name, other name.
    fn clashing(names: &[&str]) -> Vec<String> {
        let tools: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let description = format!("Does the work that is number {at} of all.");
                json!({"name": name, "description": description, "parameters": {"type": "object"}})
            })
            .collect();
        let issues = linted(&json!(tools), None).expect("definitions").issues;
        let mut told: Vec<_> = issues
            .iter()
            .map(|issue| {
                let (severity, kind) = (issue.severity.label(), issue.kind.label());
                let name = issue.tool_name.as_deref().unwrap_or_default();
                let other = issue.details.other.as_deref().unwrap_or_default();
                format!("{severity} {kind} {name} {other}")
            })
            .collect();
        told.sort();
        told
    }

    #[test]
    fn names_that_are_taken_for_one_another_are_told() {
        let cases: [(&[&str], &[&str]); 10] = [
            (&["walk", "walk"], &["high duplicate_name walk walk"]),
            (
                &["mcp__git__log", "git__log"],
                &["high ambiguous_name mcp__git__log git__log"],
            ),
            (
                &["search", "jira__search"],
                &["medium ambiguous_name jira__search search"],
            ),
            (
                &["jira__search", "mcp__github__search"],
                &["low ambiguous_name mcp__github__search jira__search"],
            ),
            (
                &["getUser", "get_user"],
                &["medium similar_names get_user getUser"],
            ),
            (
                &["get_user", "get_users"],
                &["low similar_names get_users get_user"],
            ),
            (&["get_user", "set_user"], &[]),
            (&["create_booking", "delete_booking"], &[]),
            (&["file_to_text", "text_to_file"], &[]),
            (&["search_v1", "search_v2"], &[]),
        ];
        for (names, expected) in cases {
            let mut names = names.to_vec();
            assert_eq!(clashing(&names), expected, "{names:?}");
            names.reverse();
            assert_eq!(clashing(&names), expected, "{names:?}");
        }
    }

    #[test]
    fn parameters_that_differ_in_spelling_alone_are_told() {
        let name =
            |of: &str| json!({"type": "string", "description": format!("which {of} it is about")});
        let schema = json!({"type": "object", "properties": {"user_id": name("man"), "userId": name("woman"), "user": name("one")}});
        let issues = linted(&with_parameters(schema), None)
            .expect("definitions")
            .issues;
        assert_eq!(issues.len(), 1, "{issues:#?}");
        assert_eq!(issues[0].details.path, "parameters.properties.user_id");
        assert_eq!(issues[0].details.other.as_deref(), Some("userId"));
    }
}
