//! Finds tool calls that a model wrote into its reply and that nobody made: whoever served the model did not know its dialect.

use std::collections::BTreeSet;

use super::MOST_FOLLOWING;
use super::issue::{ResultIssue, ResultIssueDetails, ResultIssueType};
use toolgauge_base::issue::IssueType;
use toolgauge_model::text_calls::{TextCall, TextCalls};
use toolgauge_model::{Role, Trajectory, Turn, start_of};
use toolgauge_schema::ToolSet;

/// The longest quotation, in characters.
const LONGEST_QUOTE: usize = 300;

/// Returns one issue for each reply that contains calls as text, in order. A call that the agent made before the user
/// speaks again is none: some logs keep the text beside the call. An example is none either: a call that the text does not
/// open with, of a tool that the conversation does not know.
pub fn leaked_calls(trajectory: &Trajectory<'_>, tools: &ToolSet) -> Vec<ResultIssue> {
    let found = trajectory
        .agent_turns()
        .filter_map(|(at, turn)| Some((at, turn, TextCalls::of(turn.content)?)));
    let mut known = None;
    let mut issues = Vec::new();
    for (at, turn, calls) in found {
        let known = known.get_or_insert_with(|| KnownNames::of(trajectory, tools));
        let is_known = |name: &str| known.has(name);
        let is_meant = match makes_calls(trajectory, at) {
            // The text may repeat these calls, under other names.
            true => calls.names().any(is_known),
            false => {
                let is_last = calls.are_last() && known.may_lack_tools();
                is_last || calls.are_meant(is_known, false)
            }
        };
        if is_meant {
            issues.extend(issue(turn, &calls, &made_around(trajectory, at)));
        }
    }
    issues
}

fn issue(turn: &Turn<'_>, calls: &TextCalls<'_>, made: &BTreeSet<&str>) -> Option<ResultIssue> {
    let is_made = |call: &&TextCall<'_>| call.name().is_some_and(|name| made.contains(name));
    let mut leaked = calls.calls.iter().filter(|call| !is_made(call));
    let first = leaked.next()?;
    let name = first.name()?;
    let more = match leaked.count() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let kind = ResultIssueType::LeakedCall;
    Some(ResultIssue {
        kind,
        severity: kind.severity(),
        description: format!(
            "the reply contains a call of {name:?}{more} as text, in the dialect of {}, but no such call was made",
            first.dialect.name
        ),
        turn_id: Some(turn.turn_id),
        tool_name: Some(name.to_owned()),
        details: ResultIssueDetails {
            quote: Some(start_of(first.marked.trim(), LONGEST_QUOTE).to_owned()),
            ..ResultIssueDetails::default()
        },
        known: false,
    })
}

/// Whether the agent makes calls in the turn `at` or right after it.
fn makes_calls(trajectory: &Trajectory<'_>, at: usize) -> bool {
    let turns = trajectory.turns[at..].iter().take(2);
    let mut turns = turns.filter(|turn| turn.role == Role::Agent);
    turns.any(|turn| !turn.tool_calls.is_empty())
}

/// The names of the tools that the agent calls between the turns of the user around the turn `at`.
fn made_around<'t>(trajectory: &'t Trajectory<'_>, at: usize) -> BTreeSet<&'t str> {
    let is_agent = |turn: &&Turn<'_>| turn.role != Role::User;
    let before = trajectory.turns[..at].iter().rev();
    let after = trajectory.turns[at..].iter();
    let before = before.take(MOST_FOLLOWING).take_while(is_agent);
    let after = after.take(MOST_FOLLOWING).take_while(is_agent);
    let calls = before.chain(after).flat_map(|turn| &turn.tool_calls);
    calls.filter_map(|call| call.name).collect()
}

/// The tools that a conversation knows.
struct KnownNames<'k> {
    tools: &'k ToolSet,
    called: BTreeSet<&'k str>,
    instructions: Vec<&'k str>,
}

impl<'k> KnownNames<'k> {
    fn of(trajectory: &'k Trajectory<'_>, tools: &'k ToolSet) -> Self {
        let instructions = trajectory.turns.iter();
        let instructions = instructions.filter(|turn| turn.role == Role::System);
        Self {
            tools,
            called: trajectory.calls().filter_map(|call| call.name).collect(),
            instructions: instructions.map(|turn| turn.content).collect(),
        }
    }

    /// Whether the conversation is one with tools, but does not say with which.
    fn may_lack_tools(&self) -> bool {
        !self.called.is_empty() && !self.tools.is_given()
    }

    fn has(&self, name: &str) -> bool {
        self.called.contains(name)
            || self.tools.resolve(name).is_some()
            || self.instructions.iter().any(|text| text.contains(name))
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_formats::import_trajectory;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    /// The turns and descriptions of the leaked calls in turns of toolgauge's own shape.
    fn leaked(turns: &str) -> Vec<(Option<i64>, String)> {
        let arena = Bump::new();
        let text = format!(r#"{{"turns":[{turns}]}}"#);
        let reader = Reader::new(&arena, Limits::default());
        let imported = import_trajectory(arena_json(&arena, &text), None, reader);
        let issues = leaked_calls(&imported.expect("turns").value, &ToolSet::not_given());
        let described = issues.into_iter();
        described
            .map(|issue| (issue.turn_id, issue.description))
            .collect()
    }

    const CALL: &str = r#"{"turn_id":1,"role":"agent","content":"","tool_calls":[{"name":"find","arguments":{},"result":1}]}"#;

    fn agent(turn_id: usize, content: &str) -> String {
        let content = serde_json::to_string(content).expect("JSON");
        format!(r#"{{"turn_id":{turn_id},"role":"agent","content":{content}}}"#)
    }

    #[test]
    fn a_call_that_nobody_made_is_leaked() {
        let user = r#"{"turn_id":2,"role":"user","content":"And now?"}"#;
        let cases = [
            (
                "<tool_call>{\"name\": \"find\"}</tool_call>",
                "\"find\" as text, in the dialect of Hermes and Qwen",
            ),
            (
                "I book it.\n<function_calls>\n<invoke name=\"book\">\n</invoke>\n</function_calls>",
                "\"book\" as text, in the dialect of Claude",
            ),
            (
                "I look.\n[TOOL_CALLS]find[ARGS]{}",
                "\"find\" as text, in the dialect of Mistral",
            ),
            (
                "{\"name\": \"find\", \"arguments\": {}}",
                "\"find\" as text, in the dialect of Llama 3 and xLAM",
            ),
            (
                "<invoke name=\"book\"></invoke>\n<invoke name=\"pay\"></invoke>",
                "\"book\" and 1 more as text, in the dialect of Claude",
            ),
        ];
        for (text, what) in cases {
            let what = format!("the reply contains a call of {what}, but no such call was made");
            let turns = [CALL, user, &agent(3, text)].join(",");
            assert_eq!(leaked(&turns), [(Some(3), what)], "{text}");
        }
    }

    #[test]
    fn calls_that_were_made_and_examples_are_not_leaked() {
        let made = agent(2, "<tool_call>{\"name\": \"find\"}</tool_call>");
        assert_eq!(leaked(&[CALL, &made].join(",")), []);
        assert_eq!(leaked(&[&made, CALL].join(",")), []);
        let renamed = agent(
            2,
            "<function=edit>\n<parameter=path>a.py</parameter>\n</function>",
        );
        assert_eq!(leaked(&[&renamed, CALL].join(",")), []);
        for text in [
            "A call looks like this:\n<tool_call>{\"name\": \"f\"}</tool_call>\nThe server reads it.",
            "```json\n{\"name\": \"find\", \"arguments\": {}}\n```\nThat is a call.",
            "{\"name\": \"lamp\", \"parameters\": {\"watts\": 5}}",
        ] {
            let user = r#"{"turn_id":2,"role":"user","content":"How does a call look?"}"#;
            assert_eq!(
                leaked(&[CALL, user, &agent(3, text)].join(",")),
                [],
                "{text}"
            );
        }
    }
}
