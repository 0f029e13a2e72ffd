//! Gemini CLI sessions. A file is one object `{sessionId, projectHash, messages}`, or one row per change: the head,
//! messages, `{$set}` and `{$rewindTo}`. Messages are `{id, timestamp, type: "user" | "gemini", content, toolCalls}`, whose
//! content is a text or parts of Gemini. A row with a known id replaces that message. `/chat save` writes `{history}`, contents
//! of Gemini.

use foldhash::{HashMap, HashSet};

use crate::kit::conversation::{Conversation, Outcome};
use crate::kit::dialects::gemini::{self, CALL, RESPONSE, either};
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::message::{About, Message};
use crate::kit::signs::{Sign, items, kind, likeness_of_rows};
use crate::kit::threads::warn_of_return;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::GeminiCli,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    match value.get("messages") {
        None if !saved(value).is_empty() => Likeness::Full,
        Some(Json::Array(_)) if is_head(value) => Likeness::Full,
        Some(_) => Likeness::None,
        None => likeness_of_rows(value, sign),
    }
}

/// The contents in what `/chat save` writes: `{history, authType}`.
fn saved<'a>(document: Json<'a>) -> &'a [Json<'a>] {
    let history = items(document, "history");
    let is_content = |it: &Json<'_>| it.get("role").is_some() && it.get("parts").is_some();
    match history.first().is_some_and(is_content) {
        true => history,
        false => &[],
    }
}

/// Whether a value describes a session.
fn is_head(value: Json<'_>) -> bool {
    let is_text = |key| value.get(key).is_some_and(|it| it.as_str().is_some());
    is_text("sessionId") && is_text("projectHash")
}

fn sign(row: Json<'_>) -> Sign {
    let has = |key| row.get(key).is_some();
    match kind(row) {
        Some("gemini" | "qwen") if has("id") && has("content") => Sign::Decisive,
        Some("gemini" | "qwen") if has("toolCalls") => {
            Sign::Broken("an `id` and `content` in its messages")
        }
        Some("init") if has("session_id") && has("model") => Sign::Broken(IN_STREAMS),
        // With messages it is a whole session.
        None if is_head(row) && !has("messages") => Sign::Decisive,
        None if changes(row).is_some() => Sign::Decisive,
        _ => Sign::Open,
    }
}

/// Why the output of `--output-format stream-json` is not read.
const IN_STREAMS: &str = "what its tools returned, which streams leave out. The file of the session has it: ~/.gemini/tmp/<project>/chats";

/// What a row sets in the session.
fn changes(row: Json<'_>) -> Option<Json<'_>> {
    let set = row.get("$set")?;
    let own = ["messages", "lastUpdated", "sessionId"];
    own.iter().any(|key| set.get(key).is_some()).then_some(set)
}

/// The messages of a session in the order in which they were first written, and what is known about the session.
#[derive(Default)]
struct Session<'a> {
    messages: Vec<Fields<'a>>,
    by_id: HashMap<&'a str, usize>,
    about: &'a [Member<'a>],
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let saved = saved(value);
    if !saved.is_empty() {
        let mut conversation = Conversation::default();
        let path = Path::root().key("history");
        gemini::read_into(saved, &path, &mut conversation, import)?;
        let fields = Fields::of(value, Path::root(), "a saved chat: {history}")?;
        return Ok(vec![Trajectory {
            turns: conversation.into_turns(),
            extra: fields.rest(import.arena(), |key, _| key == "history"),
            ..Trajectory::default()
        }]);
    }
    let mut session = Session::default();
    match value {
        Json::Array(rows) => {
            for row in Fields::each(rows, &Path::root(), "a row of a session") {
                session.add(row?, import)?;
            }
        }
        one => session.add(
            Fields::of(one, Path::root(), "a session: {sessionId, messages}")?,
            import,
        )?,
    }
    let mut conversation = Conversation::default();
    let mut known = HashSet::default();
    for message in &session.messages {
        read_message(message, &mut known, &mut conversation, import)?;
    }
    if conversation.len() == 0 {
        return Err(Error::invalid_input(
            Path::root(),
            "messages of a session",
            "none",
        ));
    }
    let text = |key| Json::Object(session.about).get(key)?.as_str();
    let about = Fields::of(
        Json::Object(session.about),
        Path::root(),
        "the head of a session",
    )?;
    Ok(vec![Trajectory {
        trajectory_id: text("sessionId"),
        turns: conversation.into_turns(),
        extra: about.rest(import.arena(), |key, _| key == "sessionId"),
        ..Trajectory::default()
    }])
}

impl<'a> Session<'a> {
    fn add(&mut self, row: Fields<'a>, import: &mut Import<'a>) -> Result<()> {
        if let Some(set) = changes(row.value()) {
            let set = Fields::of(set, row.path().key("$set"), "the members that changed")?;
            self.describe(&set, import);
            return self.add_new(&set);
        }
        if row.get("$rewindTo").is_some() {
            warn_of_return(&row.path().key("$rewindTo"), import);
            return Ok(());
        }
        if is_head(row.value()) {
            self.describe(&row, import);
            return self.add_new(&row);
        }
        self.put(row);
        Ok(())
    }

    /// Adds what is known about the session. The latest says most.
    fn describe(&mut self, fields: &Fields<'a>, import: &Import<'a>) {
        let new = fields.rest(import.arena(), |key, value| {
            key == "messages" || value.is_null()
        });
        self.about = import.merge(new, self.about);
    }

    /// Adds the messages of a whole history that are not known yet. Those that are known were written when they
    /// happened; in a history they may be shortened.
    fn add_new(&mut self, history: &Fields<'a>) -> Result<()> {
        let messages = history.optional_items("messages", "a list of messages")?;
        let path = history.path().key("messages");
        for message in Fields::each(messages, &path, "a message: {type, content}") {
            let message = message?;
            let is_known = message
                .text("id")
                .is_some_and(|id| self.by_id.contains_key(id));
            if !is_known {
                self.put(message);
            }
        }
        Ok(())
    }

    /// Adds a message, or replaces the one with its id.
    fn put(&mut self, message: Fields<'a>) {
        let new = self.messages.len();
        let at = message
            .text("id")
            .map_or(new, |id| *self.by_id.entry(id).or_insert(new));
        match self.messages.get_mut(at) {
            Some(known) => *known = message,
            None => self.messages.push(message),
        }
    }
}

/// Adds a message. `known` are the ids of all calls so far.
fn read_message<'a>(
    fields: &Fields<'a>,
    known: &mut HashSet<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let role = match fields.text("type") {
        Some("user") => Role::User,
        Some("gemini" | "qwen") => Role::Agent,
        Some("info" | "warning" | "error") => Role::System,
        _ => return Err(fields.mismatch("type", "user, gemini, info, warning or error")),
    };
    let about = About::of(fields, &["type", "content", "toolCalls"], import);
    let path = fields.path().key("toolCalls");
    let list = fields.optional_items("toolCalls", "a list of calls")?;
    let mut calls = Vec::new();
    for call in Fields::each(list, &path, "a call: {id, name, args}") {
        let call = read_call(&call?, import)?;
        known.extend(call.id);
        calls.push(call);
    }
    let parts = match fields.get("content") {
        Some(Json::Array(parts)) => parts,
        Some(one @ (Json::String(_) | Json::Object(_))) => import.slice(one),
        None | Some(Json::Null) => &[],
        Some(_) => return Err(fields.mismatch("content", "a text or a list of parts")),
    };
    let repeats = |part: &Json<'a>| is_known(*part, known, conversation);
    let repeated: Vec<_> = parts.iter().map(repeats).collect();
    if !parts.is_empty() && calls.is_empty() && repeated.iter().all(|it| *it) {
        return Ok(());
    }
    let mut message = Message::new(role, about, conversation);
    message.calls(calls);
    if called_first(fields, list) {
        message.end_answer(import);
    }
    for (at, part) in parts.iter().enumerate().filter(|(at, _)| !repeated[*at]) {
        match part {
            Json::String("") => {}
            Json::String(text) => message.text(text),
            part => {
                let path = fields.path().key("content").index(at);
                let part = Fields::of(*part, path, "a part: {text} or {functionCall}")?;
                gemini::read_part(&part, &mut message, import)?;
            }
        }
    }
    message.finish(import);
    Ok(())
}

/// Whether a part is a call or a result that is in the `toolCalls` of a message.
fn is_known<'a>(part: Json<'a>, known: &HashSet<&'a str>, conversation: &Conversation<'a>) -> bool {
    let id = |keys| either(part, keys)?.get("id")?.as_str();
    let has = |id: &str| known.contains(id);
    id(CALL).is_some_and(has) || id(RESPONSE).is_some_and(|id| has(id) && !conversation.is_open(id))
}

/// Whether the agent wrote its text after the calls of the same message. Times are texts of one form.
fn called_first(message: &Fields<'_>, calls: &[Json<'_>]) -> bool {
    let said = message.text("timestamp").unwrap_or_default();
    let is_earlier = |call: &Json<'_>| {
        let made = call.get("timestamp").and_then(Json::as_str);
        made.is_some_and(|made| made < said)
    };
    !calls.is_empty() && calls.iter().all(is_earlier)
}

fn read_call<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<ToolCall<'a>> {
    let mut call = ToolCall {
        id: fields.text("id"),
        name: fields.text("name"),
        extra: fields.rest(import.arena(), |key, value| {
            let read = ["id", "name", "args", "result"];
            value.is_null()
                || is_one_of(key, &read)
                || (key == "status" && value.as_str() == Some("success"))
        }),
        ..ToolCall::default()
    };
    import.arguments(&mut call, fields.get("args"), &|| fields.path().key("args"));
    let there = |key| fields.get(key).filter(|value| !value.is_null());
    let failed = fields
        .text("status")
        .is_some_and(|it| is_one_of(it, &["error", "cancelled"]));
    let outcome = match there("result") {
        Some(result) => Some(outcome_of(result, import)),
        None => there("resultDisplay")
            .filter(|_| failed)
            .map(Outcome::Error),
    };
    if let Some(parts @ Json::Array([_, _, ..])) = there("result") {
        import.keep(&mut call, &[("resultParts", parts)]);
    }
    match outcome {
        Some(Outcome::Result(value)) if failed => Outcome::Error(value).put_to(&mut call),
        Some(outcome) => outcome.put_to(&mut call),
        None => {}
    }
    Ok(call)
}

/// The outcome in a result, which is a text or a list of parts. One of the parts is the response of the function.
fn outcome_of<'a>(result: Json<'a>, import: &Import<'a>) -> Outcome<'a> {
    let mut parts = result
        .items()
        .unwrap_or_default()
        .iter()
        .copied()
        .chain([result]);
    let response = parts.find_map(|part| either(part, RESPONSE)?.get("response"));
    match response {
        Some(response) => gemini::outcome_of(response, import),
        None => Outcome::Result(text_of(result, import).unwrap_or_else(|| import.nested(result))),
    }
}

/// The texts of parts, if they are nothing else.
fn text_of<'a>(parts: Json<'a>, import: &Import<'a>) -> Option<Json<'a>> {
    let text = |part: &Json<'a>| part.as_str().or_else(|| part.get("text")?.as_str());
    let texts: Option<Vec<_>> = parts.items()?.iter().map(text).collect();
    texts.map(|texts| import.texts(&texts))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn rows_replace_each_other_and_repeat_no_call() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini-cli/session.jsonl"));
        let trajectory = &read.value[0];
        assert_eq!(trajectory.trajectory_id, Some("d4-20"));
        let said: Vec<_> = turns_of(trajectory)
            .into_iter()
            .map(|(role, text, calls)| (role, text.chars().take(12).collect::<String>(), calls))
            .collect();
        let expected = [
            (Role::User, "<session_con", 0),
            (Role::User, "Which trees ", 0),
            (Role::Agent, "I look.", 2),
            (Role::Agent, "Row 4 has 3 ", 0),
            (Role::User, "Write one.", 0),
            (Role::Agent, "", 1),
            (Role::User, "Thanks.", 0),
            (Role::User, "The user ask", 0),
        ];
        assert_eq!(
            said,
            expected.map(|(role, text, calls)| (role, text.to_owned(), calls))
        );
        let outcomes: Vec<_> = trajectory.calls().map(|it| (it.result, it.error)).collect();
        assert_eq!(
            outcomes,
            [
                (Some(Json::String("4,plum,3\n4,quince,1")), None),
                (
                    None,
                    Some(Json::String("File not found: /srv/orchard/plan.md"))
                ),
                (None, Some(Json::String("disk full"))),
            ]
        );
        let warned: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(warned, ["[11].$rewindTo"]);
    }

    #[test]
    fn a_text_that_is_later_than_its_calls_is_a_turn_of_its_own() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini-cli/session.json"));
        assert_eq!(
            turns_of(&read.value[0])[1..4],
            [
                (Role::Agent, String::new(), 1),
                (Role::Agent, "Seven hives are listed.".to_owned(), 0),
                (Role::System, "Request cancelled.".to_owned(), 0),
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn calls_in_the_content_are_those_of_the_message_or_others() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini-cli/parts.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"tide-1","name":"tide","arguments":{"port":"Brest"},"result":"5.1 m","resultParts":[{"functionResponse":{"id":"tide-1","name":"tide","response":{"output":"5.1 m"}}},{"inlineData":{"mimeType":"image/png","data":"AA=="}}]}"#,
                r#"{"id":"tide-2","name":"tide","arguments":{"port":"Roscoff"},"result":"6.0 m"}"#,
            ]
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn saved_chats_hold_contents_of_gemini() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("gemini-cli/saved-chat.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"tide","arguments":{"port":"Lorient"},"result":"4.4 m"}"#]
        );
        assert_eq!(turns_of(&read.value[0]).len(), 3);
    }

    #[test]
    fn errors_name_the_place_and_what_a_stream_lacks() {
        let error = failure(
            r#"[{"sessionId":"s","projectHash":"h"},{"id":"1","type":"cat","content":""}]"#,
        );
        assert_eq!(error.report().path.as_deref(), Some("[1].type"));
        let error = failure(
            r#"{"sessionId":"s","projectHash":"h","messages":[{"type":"user","content":7}]}"#,
        );
        assert_eq!(error.report().path.as_deref(), Some("messages[0].content"));
        let error = failure(r#"{"sessionId":"s","projectHash":"h"}"#);
        assert!(
            error.to_string().contains("messages of a session"),
            "{error}"
        );
        let error = failure(r#"[{"type":"init","session_id":"s","model":"m"}]"#);
        assert!(
            error
                .to_string()
                .contains("gemini-cli, but it lacks what its tools returned"),
            "{error}"
        );
    }
}
