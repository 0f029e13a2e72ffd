//! Rules for names: those that providers reject, and those that are easily confused.

use std::collections::{BTreeMap, BTreeSet};

use super::descriptions::identical;
use super::findings::{Findings, shown, shown_name};
use super::issue::{LintIssueType as Kind, ModelProvider};
use super::walk::{Node, walk};
use super::words::{bare, grouped, words};
use toolgauge_base::issue::Severity;
use toolgauge_formats::{Declared, ToolDefinition};
use toolgauge_model::{Json, Reader};

/// Checks the names of the definition itself.
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
        "Use at most 64 letters, digits and _, starting with a letter.",
    );
    if let Declared::Schema(schema) = &definition.arguments {
        walk(schema.source, &schema.path, &mut |node| {
            of_parameters(findings, node);
        });
    }
}

/// Checks a tool name against the documentation of the APIs: OpenAI's functions, Anthropic's tools, Gemini's
/// FunctionDeclaration, Bedrock's ToolSpecification.
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

/// Checks a parameter name. Anthropic's API, also on Bedrock, names this pattern in its errors for parameters
/// at the root. Gemini's rule is in the documentation of Vertex AI.
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

/// Describes what is unusual about a name.
fn why(name: &str) -> String {
    let length = name.chars().count();
    let odd = name
        .chars()
        .find(|c| !c.is_ascii_alphanumeric() && !"_-".contains(*c));
    match odd {
        _ if name.is_empty() => ": it is empty".to_owned(),
        Some(odd) => format!(": it contains {}", shown_name(&odd.to_string())),
        None if length > 64 => format!(": it has {length} characters"),
        None if starts_oddly(name) => ": it does not start with a letter".to_owned(),
        None => ": it contains \"-\"".to_owned(),
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
                &format!("this parameter name{}", why(name)),
                "Use at most 64 letters, digits and _, starting with a letter.",
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
            let what = format!("differs from {} only in spelling", shown_name(same[0]));
            let hint = "Keep one of them, or give them names with different words.";
            let issue = findings.add(Kind::SimilarParameterNames, &path(name), &what, hint);
            issue.details.other = Some(same[0].to_owned());
        }
    }
}

/// A conflict of a tool with another of its set.
pub struct Clash<'n> {
    /// The position of the tool in the set.
    pub at: usize,
    pub kind: Kind,
    pub severity: Severity,
    /// The name of the other tool.
    pub other: &'n str,
    pub what: String,
    pub hint: &'static str,
}

/// Finds the conflicts between the tools of a set, given by name and description. The order of the tools does
/// not matter.
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
    // From here on each name occurs once, and names are sorted.
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

/// Receives a conflict: the position of the tool, the kind, its severity, the name of the other tool.
type Add<'f, 'n> = &'f mut dyn FnMut(usize, Kind, Severity, &'n str);

/// Groups names that share a key.
fn by_key(names: &[(&str, usize)], key: &dyn Fn(&str) -> String) -> Vec<Vec<usize>> {
    grouped(names.iter().map(|(name, _)| key(name)).collect(), 2)
}

/// Reports names that resemble another one, each name once.
struct Reporter<'f, 'n> {
    names: &'f [(&'n str, usize)],
    is_reported: Vec<bool>,
    kind: Kind,
    add: Add<'f, 'n>,
}

impl<'f, 'n> Reporter<'f, 'n> {
    fn of(names: &'f [(&'n str, usize)], kind: Kind, add: Add<'f, 'n>) -> Self {
        Self {
            names,
            is_reported: vec![false; names.len()],
            kind,
            add,
        }
    }

    /// Reports that the others of a group resemble `one` of it.
    fn others(&mut self, group: &[usize], one: usize, severity: Severity) {
        for at in group.iter().filter(|at| **at != one) {
            if !std::mem::replace(&mut self.is_reported[*at], true) {
                let (place, other) = (self.names[*at].1, self.names[one].0);
                (self.add)(place, self.kind, severity, other);
            }
        }
    }
}

/// Returns the name of a tool with that of its server before it, if the document says which server lists it.
pub fn on_server<'a>(definition: &ToolDefinition<'a>, reader: Reader<'a>) -> &'a str {
    let name = definition.tool.name;
    match definition.server {
        Some(server) => {
            let name = format!("{MCP}{server}__{name}");
            reader.arena().alloc_str(&name)
        }
        None => name,
    }
}

/// What begins the names of tools of MCP servers: `mcp__server__tool`.
const MCP: &str = "mcp__";

/// The parts before `__` that name servers in a set of tools: those after `mcp__`, and those that several tools share.
struct Servers<'n> {
    prefixes: BTreeSet<&'n str>,
    /// The names of tools without such a prefix.
    tools: BTreeSet<&'n str>,
}

impl<'n> Servers<'n> {
    fn of(names: &[(&'n str, usize)]) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut prefixes = BTreeSet::new();
        for (name, _) in names {
            let Some((prefix, _)) = split(whole(name)) else {
                continue;
            };
            *counts.entry(prefix).or_default() += 1;
            if name.starts_with(MCP) {
                prefixes.insert(prefix);
            }
        }
        let shared = counts.into_iter().filter(|(_, count)| *count > 1);
        prefixes.extend(shared.map(|(prefix, _)| prefix));
        let mut servers = Self {
            prefixes,
            tools: BTreeSet::new(),
        };
        servers.tools = names.iter().map(|(name, _)| servers.tool(name)).collect();
        servers
    }

    /// Returns `name` without the prefixes of servers. What is before the name of another tool is one, too.
    fn tool(&self, name: &'n str) -> &'n str {
        let mut tool = whole(name);
        while let Some((prefix, rest)) = split(tool) {
            if !self.prefixes.contains(prefix) && !self.tools.contains(rest) {
                break;
            }
            tool = rest;
        }
        tool
    }
}

/// Returns `name` without `mcp__`.
fn whole(name: &str) -> &str {
    name.strip_prefix(MCP).unwrap_or(name)
}

/// Splits a name at its first `__`.
fn split(name: &str) -> Option<(&str, &str)> {
    let parts = name.split_once("__");
    parts.filter(|(prefix, rest)| !prefix.is_empty() && !rest.is_empty())
}

/// Reports names that differ only in their prefixes.
fn ambiguous<'n>(names: &[(&'n str, usize)], add: Add<'_, 'n>) {
    let servers = Servers::of(names);
    let tools: Vec<_> = names.iter().map(|(name, _)| servers.tool(name)).collect();
    let is_bare = |at: &&usize| tools[**at] == names[**at].0;
    let mut reporter = Reporter::of(names, Kind::AmbiguousName, add);
    for group in by_key(names, &|name| whole(name).to_owned()) {
        reporter.others(&group, group[0], Severity::High);
    }
    for group in grouped(tools.iter().map(|tool| (*tool).to_owned()).collect(), 2) {
        match group.iter().find(is_bare) {
            Some(bare) => reporter.others(&group, *bare, Severity::Medium),
            None => reporter.others(&group, group[0], Severity::Low),
        }
    }
}

/// Reports names that differ only in spelling or a plural.
fn similar<'n>(names: &[(&'n str, usize)], add: Add<'_, 'n>) {
    let mut reporter = Reporter::of(names, Kind::SimilarNames, add);
    for group in by_key(names, &bare) {
        reporter.others(&group, group[0], Severity::Medium);
    }
    for group in by_key(names, &|name| words(name).concat()) {
        reporter.others(&group, group[0], Severity::Low);
    }
}

fn words_for(kind: Kind, severity: Severity, other: &str) -> (String, &'static str) {
    let other = shown(Json::String(other));
    match (kind, severity) {
        (Kind::DuplicateName, _) => (
            "another tool has the same name".to_owned(),
            "Rename one of them, or remove it: only the last can be called.",
        ),
        (Kind::AmbiguousName, Severity::High) => (
            format!("means the same tool of the same server as {other}, apart from its prefix"),
            "Name the servers differently, or give only one of them to the model.",
        ),
        (Kind::AmbiguousName, _) => (
            format!("has the same name as {other}, apart from the prefix of its server"),
            "Give them different names, so that a call without the prefix means only one of them.",
        ),
        (Kind::SimilarNames, Severity::Low) => (
            format!("differs from {other} only in a plural"),
            "Give them names with different words, such as get_user and list_users.",
        ),
        (Kind::SimilarNames, _) => (
            format!("differs from {other} only in spelling"),
            "Give them names with different words.",
        ),
        _ => (
            format!("has the same description as {other}"),
            "Say in each how it differs from the other, and when to use which.",
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

    /// Returns the positions of the providers that report an issue.
    fn finding(document: &Value) -> Vec<usize> {
        let finds = |at: &usize| !found_by(document, Some(PROVIDERS[*at])).is_empty();
        (0..PROVIDERS.len()).filter(finds).collect()
    }

    #[test]
    fn each_provider_has_its_own_rule_for_tool_names() {
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
    fn each_provider_has_its_own_rule_for_parameter_names() {
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

    /// Returns the conflicts in a set of tools with these names: severity, type, name, other name.
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
        let mut lines: Vec<_> = issues
            .iter()
            .map(|issue| {
                let (severity, kind) = (issue.severity.label(), issue.kind.label());
                let name = issue.tool_name.as_deref().unwrap_or_default();
                let other = issue.details.other.as_deref().unwrap_or_default();
                format!("{severity} {kind} {name} {other}")
            })
            .collect();
        lines.sort();
        lines
    }

    #[test]
    fn easily_confused_names_are_reported() {
        let cases: [(&[&str], &[&str]); 13] = [
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
                &["notes__search", "notes__read", "mail__search", "mail__send"],
                &["low ambiguous_name notes__search mail__search"],
            ),
            (&["get_tvl__by_protocol", "get_fees__by_protocol"], &[]),
            (&["notes__search", "mail__search"], &[]),
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
    fn parameters_that_differ_only_in_spelling_are_reported() {
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
