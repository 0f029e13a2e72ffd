//! Result files of the Berkeley Function Calling Leaderboard: `{id, result, …}`. The result is what a model
//! answered: a list of calls `{name: arguments}`, whose arguments may be JSON text, or a text, which may be
//! calls as Python writes them.

use crate::kit::conversation::Conversation;
use crate::kit::fields::Fields;
use crate::kit::{Import, Likeness};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, ToolCall, Trajectory};

/// The member with what the model answered.
const RESULT: &str = "result";

/// Members of calls, questions and messages that have an id and a result, too.
const OF_OTHERS: [&str; 14] = [
    "name",
    "tool",
    "toolName",
    "tool_name",
    "function",
    "arguments",
    "args",
    "input",
    "type",
    "role",
    "jsonrpc",
    "question",
    "ground_truth",
    "turns",
];

/// How much a document looks like a row of a result file.
pub fn likeness(value: Json<'_>) -> Likeness {
    let has_id = value.get("id").is_some_and(|id| id.as_str().is_some());
    let is_other = || OF_OTHERS.iter().any(|key| value.get(key).is_some());
    match value.get(RESULT) {
        Some(result) if has_id && is_answer(result) && !is_other() => Likeness::Full,
        _ => Likeness::None,
    }
}

/// Whether this is a text, or a list of calls `{name: arguments}`, or a list of these for each turn.
fn is_answer(result: Json<'_>) -> bool {
    match result {
        Json::String(_) => true,
        Json::Array(items) => items.iter().all(|item| match item {
            Json::Object([(_, arguments)]) => {
                matches!(arguments, Json::Object(_) | Json::String(_))
            }
            other => is_answer(*other),
        }),
        _ => false,
    }
}

/// Reads a row of a result file.
pub fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let fields = Fields::of(value, Path::root(), "a result: {id, result}")?;
    let path = fields.path().key(RESULT);
    let mut conversation = Conversation::default();
    match fields.get(RESULT).unwrap_or_default() {
        Json::Array(items) if items.iter().any(|item| item.items().is_some()) => {
            import.warn(
                &path,
                "the turns of the user are not in the file: the answers stand one after the other",
            );
            read_turns(items, &path, &mut conversation, import);
        }
        answer => read_answer(answer, &path, &mut conversation, import),
    }
    Ok(vec![Trajectory {
        trajectory_id: fields.text("id"),
        turns: conversation.into_turns(),
        extra: fields.rest(import.arena(), |key, _| matches!(key, "id" | RESULT)),
        ..Trajectory::default()
    }])
}

/// Reads the answers to several turns of the user, each a list of steps.
fn read_turns<'a>(
    items: &'a [Json<'a>],
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    for (at, item) in items.iter().enumerate() {
        let path = path.index(at);
        match item {
            Json::Array(steps) if !steps.iter().all(|step| step.members().is_some()) => {
                read_turns(steps, &path, conversation, import);
            }
            answer => read_answer(*answer, &path, conversation, import),
        }
    }
}

/// Reads one answer of the model: calls, or a text that may be calls.
fn read_answer<'a>(
    answer: Json<'a>,
    path: &Path,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) {
    match answer {
        Json::Array(calls) => {
            let mut made = Vec::new();
            for (at, call) in calls.iter().enumerate() {
                if let Json::Object([(name, arguments)]) = call {
                    let path = || path.index(at).key(name);
                    made.push(read_call(name, *arguments, &path, import));
                }
            }
            conversation.turn(Role::Agent, "", made);
        }
        Json::String(text) => match calls_in(text, import) {
            Some(calls) => conversation.turn(Role::Agent, "", calls),
            None => {
                if looks_like_calls(text) {
                    import.warn(path, "this text is not read as calls in Python");
                }
                conversation.turn(Role::Agent, text, Vec::new());
            }
        },
        _ => {}
    }
}

fn read_call<'a>(
    name: &'a str,
    arguments: Json<'a>,
    path: &dyn Fn() -> Path,
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: Some(name),
        ..ToolCall::default()
    };
    import.arguments(&mut call, Some(arguments), path);
    call
}

/// Returns the calls that a text writes in Python. Models put them in a fence, and leave out the brackets.
fn calls_in<'a>(text: &'a str, import: &Import<'a>) -> Option<Vec<ToolCall<'a>>> {
    let text = unfenced(text);
    let reader = import.reader;
    let listed = || {
        let list = match text.starts_with('[') {
            true => format!("{text}]"),
            false => format!("[{text}]"),
        };
        reader.read_python_calls(reader.arena().alloc_str(&list))
    };
    let calls = reader.read_python_calls(text).or_else(listed)?;
    let made = calls.into_iter().map(|(name, arguments)| ToolCall {
        name: Some(name),
        arguments: Some(arguments),
        ..ToolCall::default()
    });
    Some(made.collect())
}

/// The text without the marks of code around it.
fn unfenced(text: &str) -> &str {
    let text = text.trim_matches(|letter| matches!(letter, '`' | '\n' | ' ' | '\''));
    let code = ["python\n", "tool_code\n"]
        .into_iter()
        .find_map(|language| text.strip_prefix(language));
    code.unwrap_or(text).trim()
}

/// Whether a text begins like calls: `[name(` or `name(`.
fn looks_like_calls(text: &str) -> bool {
    let text = unfenced(text);
    let text = text.strip_prefix('[').unwrap_or(text);
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '.')));
    end.is_some_and(|end| end > 0 && text[end..].starts_with('('))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::kit::{Likeness, TrajectoryFormat};
    use crate::testing::{calls_of, imported, turns_of};
    use toolgauge_model::Role;
    use toolgauge_model::testing::arena_json;

    fn calls(result: &str) -> Vec<String> {
        let arena = Bump::new();
        let read = imported(
            &arena,
            &format!(r#"[{{"id":"simple_0","result":{result},"latency":1.5}}]"#),
        );
        assert_eq!(read.format, TrajectoryFormat::Bfcl);
        assert_eq!(read.value[0].trajectory_id, Some("simple_0"));
        assert_eq!(read.value[0].extra[0].0, "latency");
        calls_of(&read.value[0])
    }

    #[test]
    fn answers_are_read_as_calls() {
        let area = [r#"{"name":"area","arguments":{"w":3}}"#.to_owned()];
        assert_eq!(calls(r#"[{"area":"{\"w\":3}"}]"#), area);
        assert_eq!(calls(r#"[{"area":{"w":3}}]"#), area);
        assert_eq!(calls(r#""[area(w=3)]""#), area);
        assert_eq!(calls(r#""area(w=3)""#), area);
        assert_eq!(calls(r#""```python\narea(w=3)\n```""#), area);
        assert_eq!(calls(r#""area(w=3), area(w=3)""#).len(), 2);
        assert_eq!(calls(r#""[area(w=3), area(w=3)""#).len(), 2);
        assert_eq!(
            calls(r#"[{"area":"{\"w\":"}]"#),
            [r#"{"name":"area","rawArguments":"{\"w\":"}"#]
        );
        assert!(calls("[]").is_empty());
    }

    #[test]
    fn texts_are_replies_and_a_warning_if_they_begin_like_calls() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"id":"a","result":"Which sheet (the first)?"},{"id":"b","result":"[area(3)]"}]"#,
        );
        let said = |at: usize| turns_of(&read.value[at]);
        assert_eq!(
            said(0),
            [(Role::Agent, "Which sheet (the first)?".to_owned(), 0)]
        );
        assert_eq!(said(1), [(Role::Agent, "[area(3)]".to_owned(), 0)]);
        let places: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(places, ["[1].result"]);
    }

    #[test]
    fn calls_with_results_are_no_rows() {
        for text in [
            r#"{"id":"c1","name":"f","arguments":{},"result":"ok"}"#,
            r#"{"jsonrpc":"2.0","id":"1","result":[]}"#,
            r#"{"id":"c1","result":{"ok":true}}"#,
        ] {
            let arena = Bump::new();
            let likeness = super::likeness(arena_json(&arena, text));
            assert!(matches!(likeness, Likeness::None), "{text}");
        }
    }

    #[test]
    fn answers_to_several_turns_stand_one_after_the_other() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"id":"multi_turn_base_0","result":[[[{"cd":"{\"folder\":\"x\"}"}],"Done."],[["ls()"]]]}"#,
        );
        assert_eq!(turns_of(&read.value[0]).len(), 3);
        assert_eq!(calls_of(&read.value[0]).len(), 2);
        assert_eq!(read.warnings.len(), 1);
    }
}
