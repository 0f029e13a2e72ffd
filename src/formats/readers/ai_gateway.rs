//! Calls of language models as the Vercel AI Gateway and providers of the AI SDK get them: `{prompt, tools}` with the
//! answer `{content, finishReason}`, in one object or as `request` and `response`.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::ai_sdk::{read_message, read_prompt};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::{first_of, items};
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::AiGateway,
    marks: &[],
    likeness,
    read,
};

const PROMPT: &str = "prompt";
const CONTENT: &str = "content";

/// The members that may hold what the model got, and what it answered.
const REQUEST: [&str; 3] = ["request", "params", "options"];
const RESPONSE: [&str; 2] = ["response", "result"];

/// Members of other formats with a prompt.
const OF_OTHERS: [&str; 3] = ["messages", "steps", "choices"];

/// The member of `keys` that is an object, or the document itself.
fn part<'a>(value: Json<'a>, keys: &[&'static str]) -> (Option<&'static str>, Json<'a>) {
    let mut inside = keys.iter().filter_map(|key| {
        let inside = value.get(key).filter(|it| it.members().is_some())?;
        Some((Some(*key), inside))
    });
    inside.next().unwrap_or((None, value))
}

fn likeness(value: Json<'_>) -> Likeness {
    let (_, request) = part(value, &REQUEST);
    let is_other = OF_OTHERS.iter().any(|key| request.get(key).is_some());
    let messages = first_of(items(request, PROMPT));
    let is_message = |message: &Json<'_>| {
        let role = message.get("role").and_then(Json::as_str);
        match message.get(CONTENT) {
            Some(Json::String(_)) => role == Some("system"),
            Some(Json::Array(parts)) => parts.iter().all(|part| part.get("type").is_some()),
            _ => false,
        }
    };
    match !messages.is_empty() && !is_other && messages.iter().all(is_message) {
        true => Likeness::Full,
        false => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let document = Fields::of(value, Path::root(), "a call of a model: {prompt, content}")?;
    let fields_of = |(key, inside): (Option<&'static str>, Json<'a>)| {
        let path = document.path();
        let path = key.map_or_else(|| path.clone(), |key| path.key(key));
        Fields::of(inside, path, "an object")
    };
    let (request, response) = (part(value, &REQUEST), part(value, &RESPONSE));
    let is_wrapped = |key: &str| request.0 == Some(key) || response.0 == Some(key);
    let (request, response) = (fields_of(request)?, fields_of(response)?);
    let mut conversation = Conversation::default();
    read_prompt(&request, &mut conversation, import)?;
    if let Some(content @ Json::Array(_)) = response.get(CONTENT) {
        let members = [("role", Json::String("assistant")), (CONTENT, content)];
        let message = Json::Object(import.arena().alloc_slice_copy(&members));
        let message = Fields::of(message, response.path().clone(), "a message")?;
        read_message(&message, &mut conversation, import)?;
    }
    let rest = |fields: &Fields<'a>| {
        fields.rest(import.arena(), |key, value| {
            value.is_null() || is_wrapped(key) || is_one_of(key, &["id", PROMPT, CONTENT, "tools"])
        })
    };
    let tools = request.get("tools");
    Ok(vec![Trajectory {
        trajectory_id: document.text("id"),
        turns: conversation.into_turns(),
        tools: tools.filter(|it| it.items().is_some_and(|it| !it.is_empty())),
        extra: import.merge(
            import.merge(rest(&document), rest(&request)),
            rest(&response),
        ),
        ..Trajectory::default()
    }])
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use toolgauge_model::Role;

    #[test]
    fn the_answer_follows_the_prompt() {
        for name in ["flat", "wrapped"] {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&format!("ai-gateway/{name}.json")));
            assert_eq!(read.format, TrajectoryFormat::AiGateway);
            let trajectory = &read.value[0];
            assert_eq!(
                turns_of(trajectory),
                [
                    (Role::System, "You bind books.".to_owned(), 0),
                    (Role::User, "Is there blue thread, and glue?".to_owned(), 0),
                    (Role::Agent, "I look.".to_owned(), 1),
                    (Role::Agent, "Blue thread: 3 spools.".to_owned(), 1),
                ],
                "{name}"
            );
            assert_eq!(
                calls_of(trajectory),
                [
                    r#"{"id":"c1","name":"stock","arguments":{"what":"blue thread"},"result":{"spools":3}}"#,
                    r#"{"id":"c2","name":"stock","arguments":{"what":"glue"}}"#,
                ],
                "{name}"
            );
            assert!(trajectory.tools.is_some());
            assert!(trajectory.extra.iter().any(|(key, _)| *key == "usage"));
            assert!(read.warnings.is_empty(), "{:?}", read.warnings);
        }
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let text =
            r#"{"request":{"prompt":[{"role":"cook","content":[{"type":"text","text":"a"}]}]}}"#;
        assert_eq!(
            failure(text).report().path.as_deref(),
            Some("request.prompt[0].role")
        );
    }
}
