//! ToolTalk conversations: `{conversation: [{role, text, apis: [{request:
//! {api_name, parameters}, response, exception}]}]}`. The `apis` of a turn are its
//! expected calls. If an assistant was evaluated, its own calls are in
//! `predictions`.

use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{ExpectedCall, Json, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Tooltalk,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let Some(Json::Array(turns)) = value.get("conversation") else {
        return Likeness::None;
    };
    let has = |key: &str| turns.iter().any(|turn| turn.get(key).is_some());
    match (has("text"), has("apis") || has("predictions")) {
        (true, true) => Likeness::Full,
        (true, false) => Likeness::Partial("the `apis` of its turns"),
        (false, true) => Likeness::Partial("the `text` of its turns"),
        (false, false) => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let fields = Fields::of(value, Path::root(), "a conversation: {conversation}")?;
    let path = fields.path().key("conversation");
    let turns = fields.items("conversation", "a list of turns")?;
    let was_asked = turns.iter().any(|turn| turn.get("predictions").is_some());
    let mut read = Conversation::default();
    for turn in Fields::each(turns, &path, "a turn: {role, text}") {
        let turn = turn?;
        read.turn(&turn, was_asked, import)?;
    }
    if !was_asked && !read.expected.is_empty() {
        import.warn(
            &path,
            "the calls are the expected ones; they also count as made",
        );
    }
    let named = |key| fields.text(key);
    Ok(vec![Trajectory {
        trajectory_id: named("conversation_id").or(named("name")),
        turns: read.turns,
        tools: None,
        expected_calls: Some(read.expected),
        extra: fields.rest(import.arena(), |key, value| match key {
            "conversation" => true,
            "conversation_id" => value.as_str().is_some(),
            _ => false,
        }),
    }])
}

#[derive(Default)]
struct Conversation<'a> {
    turns: Vec<Turn<'a>>,
    expected: Vec<ExpectedCall<'a>>,
}

impl<'a> Conversation<'a> {
    fn turn(&mut self, turn: &Fields<'a>, was_asked: bool, import: &mut Import<'a>) -> Result<()> {
        let role = match turn.text("role") {
            Some("user") => Role::User,
            Some("assistant") => Role::Agent,
            Some("system") => Role::System,
            _ => return Err(turn.mismatch("role", "user, assistant or system")),
        };
        let mut calls = Vec::new();
        let path = turn.path().key("apis");
        for (at, api) in turn
            .optional_items("apis", "a list of calls")?
            .iter()
            .enumerate()
        {
            let call = read_call(&Fields::of(*api, path.index(at), CALL)?, import)?;
            let name = call.name.unwrap_or_default();
            self.expected.push(ExpectedCall::new(name, call.arguments));
            calls.push(call);
        }
        let mut said = turn.text("text");
        if was_asked && role == Role::Agent {
            calls.clear();
            said = None;
            let path = turn.path().key("predictions");
            let predictions = turn.optional_items("predictions", "a list of predictions")?;
            for it in Fields::each(predictions, &path, "a prediction: {role}") {
                let it = it?;
                match it.get("request") {
                    Some(_) => calls.push(read_call(&it, import)?),
                    None => said = it.text("text").or(said),
                }
            }
        }
        self.push(role, calls, said, turn, import);
        Ok(())
    }

    /// The text of an assistant's turn follows its calls.
    fn push(
        &mut self,
        role: Role,
        calls: Vec<ToolCall<'a>>,
        said: Option<&'a str>,
        turn: &Fields<'a>,
        import: &Import<'a>,
    ) {
        let rest = turn.rest(import.arena(), |key, _| {
            matches!(
                key,
                "role"
                    | "text"
                    | "apis"
                    | "predictions"
                    | "turn_id"
                    | "content"
                    | "timestamp"
                    | "tool_calls"
            )
        });
        let mut add = |content, tool_calls, extra| {
            self.turns.push(Turn {
                turn_id: self.turns.len() as i64 + 1,
                role,
                content,
                timestamp: None,
                tool_calls,
                extra,
            });
        };
        match (calls.is_empty(), said) {
            (false, Some(text)) => {
                add("", calls, &[]);
                add(text, Vec::new(), rest);
            }
            (_, text) => add(text.unwrap_or_default(), calls, rest),
        }
    }
}

const CALL: &str = "a call: {request: {api_name, parameters}, response}";

fn read_call<'a>(api: &Fields<'a>, import: &mut Import<'a>) -> Result<ToolCall<'a>> {
    let path = api.path().key("request");
    let request = Fields::of(api.get("request").unwrap_or_default(), path, "{api_name}")?;
    let there = |key| api.get(key).filter(|value| !value.is_null());
    let mut call = ToolCall {
        name: request.text("api_name"),
        result: there("response"),
        error: there("exception"),
        ..ToolCall::default()
    };
    let place = || request.path().key("parameters");
    import.arguments(&mut call, request.get("parameters"), &place);
    let rest = api.rest(import.arena(), |key, _| {
        matches!(key, "request" | "response" | "exception" | "role")
    });
    import.keep(&mut call, rest);
    Ok(call)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn the_calls_of_a_conversation_are_expected_and_made() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("tooltalk/basic.json"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("c-1"));
        assert_eq!(
            turns_of(trajectory),
            [
                (Role::User, "Wake me at six.".to_owned(), 0),
                (Role::Agent, String::new(), 2),
                (Role::Agent, "Your alarm is set.".to_owned(), 0),
            ]
        );
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"name":"AddAlarm","arguments":{"time":"25:00"},"error":"no such time"}"#,
                r#"{"name":"AddAlarm","arguments":{"time":"06:00"},"result":{"alarm_id":"a-9"}}"#,
            ]
        );
        assert_eq!(trajectory.expected_calls.as_ref().map(Vec::len), Some(2));
        assert_eq!(read.warnings[0].path, "conversation");
    }

    #[test]
    fn predictions_are_the_calls_that_were_made() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"conversation":[{"role":"user","text":"hi"},
                {"role":"assistant","text":"expected","apis":[{"request":{"api_name":"f","parameters":{}}}],
                 "predictions":[{"role":"api","request":{"api_name":"g","parameters":{"n":1}},"response":7},{"role":"assistant","text":"said"}]}]}"#,
        );
        let trajectory = &read.value[0];
        assert_eq!(
            calls_of(trajectory),
            [r#"{"name":"g","arguments":{"n":1},"result":7}"#]
        );
        assert_eq!(turns_of(trajectory)[2].1, "said");
        let expected = serde_json::to_string(&trajectory.expected_calls).expect("JSON");
        assert_eq!(expected, r#"[{"tool":"f","args":{}}]"#);
        assert!(read.warnings.is_empty());
    }

    #[test]
    fn the_error_names_what_half_a_conversation_lacks() {
        let reason = failure(r#"{"conversation":[{"role":"user","text":"hi"}]}"#).to_string();
        assert!(
            reason.contains("tooltalk, but it lacks the `apis`"),
            "{reason}"
        );
        let error = failure(
            r#"{"conversation":[{"role":"user","text":"hi"},{"role":"assistant","text":"","apis":[{}]}]}"#,
        );
        assert_eq!(
            error.report().path.as_deref(),
            Some("conversation[1].apis[0].request")
        );
    }
}
