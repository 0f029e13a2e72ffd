//! The tools that exist, as far as their definitions are known.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::expectation::{CallPattern, Expectations};
use super::grammar::{ExpectationsMember, READ_ONLY};
use super::tool_pattern::names;
use toolgauge_model::ToolSchema;
use toolgauge_schema::{ToolNames, did_you_mean, endings, nearest};

/// The tools whose definitions are known.
#[derive(Debug, Clone)]
pub struct KnownTools {
    names: Rc<ToolNames>,
    /// For each of them, whether it only reads.
    read_only: Rc<[bool]>,
    /// Where the definitions are from.
    source: ToolSource,
}

/// Where tool definitions are from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSource {
    /// They are given with the expectations, for all runs.
    Given,
    /// The run contains them. Expectations of several runs may name tools that one of them does not have.
    Carried,
}

impl KnownTools {
    /// Creates the list of these tools.
    pub fn of(tools: &[ToolSchema<'_>], source: ToolSource) -> Self {
        let names = tools.iter().map(|tool| tool.name.to_owned());
        Self {
            names: Rc::new(ToolNames::new(names.collect())),
            read_only: tools.iter().map(ToolSchema::is_read_only).collect(),
            source,
        }
    }

    /// Returns whether the tool that is called `name` only reads.
    fn only_reads(&self, name: &str) -> bool {
        let found = self.names.resolve(name);
        found.is_some_and(|at| self.read_only[at])
    }

    /// Returns whether `pattern` names one of the tools.
    fn has(&self, pattern: &str) -> bool {
        let mut all = self.names.all().iter();
        self.names.resolve(pattern).is_some() || all.any(|name| names(pattern, name))
    }

    /// Returns the most similar name, or else the most similar one without its MCP prefix.
    fn nearest(&self, pattern: &str) -> Option<&str> {
        let without_prefix = self.names.all().iter().flat_map(|name| endings(name));
        self.names
            .nearest(pattern)
            .or_else(|| nearest(pattern, without_prefix))
    }
}

impl<'a> Expectations<'a> {
    /// Takes note of the tools that exist.
    pub fn know_tools(&mut self, tools: KnownTools) {
        self.known_tools = Some(tools);
    }

    /// Returns whether calls of `tool` do not count.
    pub fn ignores(&self, tool: &str) -> bool {
        let terms = &self.terms;
        terms.ignored.iter().any(|pattern| names(pattern, tool))
            || terms.ignores_read_only && self.known().is_some_and(|known| known.only_reads(tool))
    }

    fn known(&self) -> Option<&KnownTools> {
        self.known_tools.as_ref()
    }

    /// Returns a sentence for each name and pattern of tools that names no given tool. A tool that was `called` exists.
    pub(super) fn unknown_tools(&self, called: &[&str]) -> Vec<String> {
        let Some(known) = self.known() else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if known.source == ToolSource::Given {
            for (member, patterns) in self.tool_patterns() {
                let is_unknown = |pattern: &&str| {
                    !known.has(pattern) && !called.iter().any(|name| names(pattern, name))
                };
                for pattern in patterns.into_iter().filter(is_unknown) {
                    let member: &str = member.into();
                    let hint = did_you_mean(known.nearest(pattern));
                    found.push(format!(
                        "{member}: no given tool is named {pattern:?}{hint}"
                    ));
                }
            }
        }
        if self.terms.ignores_read_only && !known.read_only.contains(&true) {
            found.push(format!(
                "ignoreTools: {{{READ_ONLY}: true}} leaves out nothing, because no tool has annotations.readOnlyHint"
            ));
        }
        found
    }

    /// Returns the names and patterns of tools by the member that contains them.
    fn tool_patterns(&self) -> [(ExpectationsMember, BTreeSet<&'a str>); 4] {
        let turns = self.turns.iter().flatten().flat_map(|turn| &turn.calls);
        let calls = self.calls.iter().chain(turns);
        let expected = calls.flat_map(|call| &call.alternatives);
        let written = |pattern: &CallPattern<'a>| pattern.written;
        let only = self.terms.only.iter().flatten();
        [
            (ExpectationsMember::Calls, expected.map(written).collect()),
            (
                ExpectationsMember::Forbidden,
                self.forbidden.iter().map(written).collect(),
            ),
            (ExpectationsMember::Only, only.copied().collect()),
            (
                ExpectationsMember::IgnoreTools,
                self.terms.ignored.iter().copied().collect(),
            ),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_formats::import_tools;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Path, Reader};

    const TOOLS: &str = r#"[
        {"name":"mcp__shop__search","inputSchema":{},"annotations":{"readOnlyHint":true}},
        {"name":"delete","inputSchema":{},"annotations":{"readOnlyHint":true}},
        {"name":"mcp__shop__delete","inputSchema":{},"annotations":{"readOnlyHint":false}},
        {"name":"pay","inputSchema":{}}]"#;

    /// Passes expectations that know these tools to `body`.
    fn with<T>(
        expected: &str,
        tools: &str,
        source: ToolSource,
        body: impl FnOnce(&Expectations<'_>) -> T,
    ) -> T {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let root = Path::root();
        let mut expectations =
            Expectations::read(arena_json(&arena, expected), &root, reader).expect("expectations");
        let tools = import_tools(arena_json(&arena, tools), reader).expect("tools");
        expectations.know_tools(KnownTools::of(&tools.value, source));
        body(&expectations)
    }

    #[test]
    fn tools_that_only_read_by_their_definition_are_ignored() {
        let ignores = |expected: &str, tool: &str| {
            with(expected, TOOLS, ToolSource::Carried, |it| it.ignores(tool))
        };
        let read_only = r#"{"calls":[],"ignoreTools":[{"readOnly":true},"log_*"]}"#;
        for (tool, is_ignored) in [
            ("mcp__shop__search", true),
            ("search", true),
            ("delete", true),
            ("mcp__shop__delete", false),
            ("pay", false),
            ("other", false),
            ("log_it", true),
        ] {
            assert_eq!(ignores(read_only, tool), is_ignored, "{tool}");
            let by_name = r#"{"calls":[],"ignoreTools":["log_*"]}"#;
            assert_eq!(ignores(by_name, tool), tool == "log_it", "{tool}");
        }
    }

    fn warnings(expected: &str, source: ToolSource, called: &[&str]) -> Vec<String> {
        with(expected, TOOLS, source, |it| it.warnings(called))
    }

    #[test]
    fn names_and_patterns_of_no_given_tool_are_reported_once() {
        let expected = r#"{
            "calls":["serch",{"anyOf":["pay","buy_*"]},{"sequence":["mcp__s*","serch","shop__search"]}],
            "forbidden":["delet*",{"tool":"mcp__*__delete"}],
            "only":["*","searching"],
            "ignoreTools":["log_*","made_up"]}"#;
        let found = warnings(expected, ToolSource::Given, &["made_up"]);
        assert_eq!(
            found
                .iter()
                .filter(|found| found.contains("no given tool"))
                .collect::<Vec<_>>(),
            [
                r#"calls: no given tool is named "buy_*""#,
                r#"calls: no given tool is named "serch"; did you mean "search"?"#,
                r#"only: no given tool is named "searching"; did you mean "search"?"#,
                r#"ignoreTools: no given tool is named "log_*""#,
            ]
        );
    }

    #[test]
    fn the_tools_of_one_run_need_not_be_all_tools() {
        assert_eq!(warnings(r#"["serch"]"#, ToolSource::Carried, &[]), [""; 0]);
        let expected = r#"{"turns":[{"calls":["serch"]}]}"#;
        assert_eq!(warnings(expected, ToolSource::Given, &[]).len(), 1);
    }

    #[test]
    fn ignoring_tools_that_only_read_is_reported_if_it_has_no_effect_or_too_much() {
        let expected = r#"{"calls":["search","pay"],"ignoreTools":[{"readOnly":true}]}"#;
        assert_eq!(
            warnings(expected, ToolSource::Carried, &[]),
            [r#"ignoreTools: {readOnly: true} leaves out "search", which is expected"#]
        );
        let tools = r#"[{"name":"pay","inputSchema":{}}]"#;
        let found = with(expected, tools, ToolSource::Carried, |it| it.warnings(&[]));
        assert_eq!(
            found,
            [
                "ignoreTools: {readOnly: true} leaves out nothing, because no tool has annotations.readOnlyHint"
            ]
        );
    }
}
