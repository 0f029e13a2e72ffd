//! Lines of batch APIs. Results are `{custom_id, response: {status_code, body}}` of OpenAI, Mistral and Groq, `{custom_id,
//! result: {type, message}}` of Anthropic, `{key, response}` of Gemini and `{recordId, modelInput, modelOutput}` of Amazon
//! Bedrock; requests are `{custom_id, body}` or `{custom_id, params}`. What they hold is a document of another format.

use crate::kit::conversation::Conversation;
use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::items;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Batch,
    marks: &[],
    likeness,
    read,
};

/// The members with the id that a request has in its batch.
const IDS: [&str; 3] = ["custom_id", "recordId", "key"];

/// Where a request may be.
const REQUESTS: [&str; 4] = ["body", "params", "request", "modelInput"];

/// Where an answer may be: the keys to follow. The first that exist count.
const ANSWERS: [&[&str]; 4] = [
    &["response", "body"],
    &["result", "message"],
    &["response"],
    &["modelOutput"],
];

fn likeness(value: Json<'_>) -> Likeness {
    let is_text = |key| value.get(key).is_some_and(|id| id.as_str().is_some());
    let holds = |key: &str| value.get(key).is_some_and(|it| it.members().is_some());
    let of_gemini = || {
        let answer = value.get("response").unwrap_or_default();
        let request = value.get("request").unwrap_or_default();
        !items(answer, "candidates").is_empty() || !items(request, "contents").is_empty()
    };
    let has_some = |keys: &[&str]| keys.iter().any(|key| holds(key));
    match () {
        () if is_text("custom_id") => {
            match has_some(&["response", "result", "body", "params", "error"]) {
                true => Likeness::Full,
                false => Likeness::Partial("a `response`, a `result`, or the `body` of a request"),
            }
        }
        () if is_text("recordId") && has_some(&["modelInput", "modelOutput"]) => Likeness::Full,
        () if is_text("key") && of_gemini() => Likeness::Full,
        () => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(
        value,
        Path::root(),
        "a row of a batch: {custom_id, response}",
    )?;
    let mut read = Row::default();
    for key in REQUESTS {
        if let Some(request) = row.get(key).filter(|it| it.members().is_some()) {
            read.add(request, &row.path().key(key), import)?;
        }
    }
    let failure = failure_in(value);
    let has_failed = failure.is_some();
    if let Some((path, failure)) = failure {
        let said = import.label(failure);
        import.warn(&path, format!("the request failed: {said}"));
    } else if let Some((path, answer)) = answer_in(value) {
        read.add(answer, &path, import)?;
    }
    Ok(vec![Trajectory {
        trajectory_id: IDS.iter().find_map(|key| row.text(key)),
        turns: read.conversation.into_turns(),
        tools: read.tools,
        extra: row.rest(import.arena(), |key, value| match key {
            "response" | "result" | "modelOutput" => !has_failed,
            key if is_one_of(key, &REQUESTS) => value.members().is_some(),
            key => value.is_null() || is_one_of(key, &IDS),
        }),
        ..Trajectory::default()
    }])
}

/// The answer in a row, and its path.
fn answer_in<'a>(row: Json<'a>) -> Option<(Path, Json<'a>)> {
    ANSWERS.into_iter().find_map(|keys| {
        let answer = keys.iter().try_fold(row, |it, key| it.get(key))?;
        let path = keys.iter().fold(Path::root(), |path, key| path.key(key));
        answer.members().is_some().then_some((path, answer))
    })
}

/// Why there is no answer, and where the row says so.
fn failure_in<'a>(row: Json<'a>) -> Option<(Path, Json<'a>)> {
    let root = Path::root();
    let error = row.get("error").filter(|error| !error.is_null());
    if let Some(error) = error {
        return Some((root.key("error"), message_of(error)));
    }
    let body = row
        .get("response")
        .and_then(|response| response.get("body"));
    if let Some(error) = body
        .and_then(|body| body.get("error"))
        .filter(|it| !it.is_null())
    {
        let path = root.key("response").key("body").key("error");
        return Some((path, message_of(error)));
    }
    let result = row.get("result").filter(|it| it.get("message").is_none())?;
    let error = result.get("error").map(message_of).or(result.get("type"));
    Some((root.key("result"), error.unwrap_or(result)))
}

/// The text of an error, which may be in an error itself.
fn message_of<'a>(error: Json<'a>) -> Json<'a> {
    let inner = error.get("error").unwrap_or(error);
    let text = ["message", "errorMessage"]
        .into_iter()
        .find_map(|key| inner.get(key));
    text.unwrap_or(inner)
}

/// What a row holds.
#[derive(Default)]
struct Row<'a> {
    conversation: Conversation<'a>,
    tools: Option<Json<'a>>,
}

impl<'a> Row<'a> {
    /// Adds a request or an answer, a document of another format.
    fn add(&mut self, document: Json<'a>, path: &Path, import: &mut Import<'a>) -> Result<()> {
        let Some(read) = import.read_inner(document, path) else {
            return Err(Error::invalid_input(
                path.clone(),
                "a request or an answer in a known format",
                document.describe(),
            ));
        };
        let (trajectories, results) = read.map_err(|error| error.inside(path))?;
        for trajectory in trajectories {
            let turns = trajectory.turns.into_iter();
            turns.for_each(|turn| self.conversation.push(turn));
            self.tools = self.tools.or(trajectory.tools);
        }
        for result in results {
            import.takes_orphan(&result, path);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use crate::{Imported, TrajectoryFormat};
    use toolgauge_model::{Role, Trajectory};

    fn read<'a>(arena: &'a Bump, name: &str) -> Imported<Vec<Trajectory<'a>>, TrajectoryFormat> {
        imported(arena, &fixture(&format!("batch/{name}")))
    }

    #[test]
    fn results_of_openai_are_answers_of_either_api() {
        let arena = Bump::new();
        let read = read(&arena, "openai.jsonl");
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("tram-1"), Some("tram-2"), Some("tram-3")]);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"call_1","name":"tram_times","arguments":{"stop":"Kongens gate"}}"#]
        );
        assert_eq!(
            calls_of(&read.value[1]),
            [r#"{"id":"call_2","name":"tram_times","arguments":{"stop":"Lade"},"item_id":"fc_1"}"#]
        );
        assert!(read.value[2].turns.is_empty());
        let warnings: Vec<_> = read
            .warnings
            .iter()
            .map(|it| (it.path.as_str(), it.message.as_str()))
            .collect();
        assert_eq!(
            warnings,
            [(
                "[2].response.body.error",
                "the request failed: the model does not exist"
            )]
        );
    }

    #[test]
    fn results_of_anthropic_may_have_failed() {
        let arena = Bump::new();
        let read = read(&arena, "anthropic.jsonl");
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"toolu_1","name":"tram_times","arguments":{"stop":"Lade"}}"#]
        );
        let said: Vec<_> = read.warnings.iter().map(|it| it.message.as_str()).collect();
        assert_eq!(
            said,
            [
                "the request failed: max_tokens is missing",
                "the request failed: expired"
            ]
        );
    }

    #[test]
    fn rows_with_their_request_are_whole_conversations() {
        let arena = Bump::new();
        let bedrock = read(&arena, "bedrock.jsonl");
        assert_eq!(
            turns_of(&bedrock.value[0]),
            [
                (Role::User, "When does the tram leave Lade?".to_owned(), 0),
                (Role::Agent, String::new(), 1),
            ]
        );
        assert!(bedrock.value[0].tools.is_some());
        let gemini = read(&arena, "gemini.jsonl");
        assert_eq!(gemini.value[0].trajectory_id, Some("tram-1"));
        assert_eq!(
            calls_of(&gemini.value[0]),
            [r#"{"name":"tram_times","arguments":{"stop":"Lade"}}"#]
        );
        let requests = read(&arena, "requests.jsonl");
        assert_eq!(calls_of(&requests.value[0]).len(), 1);
        assert!(requests.value[0].tools.is_some());
    }

    #[test]
    fn an_answer_that_no_format_has_is_an_error() {
        let reason =
            failure(r#"{"custom_id":"a","response":{"body":{"object":"list","data":[]}}}"#);
        assert!(reason.to_string().contains("response.body"), "{reason}");
        let reason = failure(r#"{"custom_id":"a"}"#).to_string();
        assert!(reason.contains("batch, but it lacks"), "{reason}");
    }
}
