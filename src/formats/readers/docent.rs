//! Agent runs of Docent: `{id, transcripts: [{messages}], metadata}`; older ones hold the transcripts by name. Messages are
//! those of Inspect AI. Each transcript is a trajectory.

use crate::kit::dialects::openai_chat::read_messages;
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Docent,
    marks: &[],
    likeness,
    read,
};

const TRANSCRIPTS: &str = "transcripts";
const MESSAGES: &str = "messages";

fn likeness(value: Json<'_>) -> Likeness {
    let first = match value.get(TRANSCRIPTS) {
        Some(Json::Array([first, ..])) => *first,
        Some(Json::Object([(_, first), ..])) => *first,
        _ => return Likeness::None,
    };
    match first.get(MESSAGES) {
        Some(Json::Array(_)) => Likeness::Full,
        _ => Likeness::Partial("a list of `messages` in each transcript"),
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let run = Fields::of(value, Path::root(), "an agent run: {transcripts}")?;
    let path = run.path().key(TRANSCRIPTS);
    let places: Vec<_> = match run.get(TRANSCRIPTS) {
        Some(Json::Array(list)) => {
            let listed = list.iter().enumerate();
            listed.map(|(at, it)| (*it, path.index(at), None)).collect()
        }
        Some(Json::Object(named)) => {
            let named = named.iter();
            named
                .map(|(name, it)| (*it, path.key(name), Some(*name)))
                .collect()
        }
        _ => return Err(run.mismatch(TRANSCRIPTS, "transcripts: {messages}")),
    };
    let about = run.rest(import.arena(), |key, _| matches!(key, "id" | TRANSCRIPTS));
    let mut read = Vec::with_capacity(places.len());
    for (transcript, path, name) in places {
        let transcript = Fields::of(transcript, path, "a transcript: {messages}")?;
        let messages = transcript.items(MESSAGES, "a list of messages")?;
        let own = transcript.rest(import.arena(), |key, _| matches!(key, "id" | MESSAGES));
        read.push(Trajectory {
            trajectory_id: transcript.text("id").or(name).or(run.text("id")),
            turns: read_messages(messages, &transcript.path().key(MESSAGES), import)?,
            extra: import.merge(own, about),
            ..Trajectory::default()
        });
    }
    Ok(read)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported};

    #[test]
    fn each_transcript_is_a_trajectory() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("docent/run.json"));
        let ids: Vec<_> = read.value.iter().map(|it| it.trajectory_id).collect();
        assert_eq!(ids, [Some("tr-1"), Some("tr-2")]);
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c1","name":"dig","arguments":{"row":4},"result":"6 carrots"}"#]
        );
        assert!(
            read.value[1]
                .extra
                .iter()
                .any(|(key, _)| *key == "metadata")
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn transcripts_may_have_names() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"id":"r","transcripts":{"default":{"messages":[{"role":"user","content":"a"}]}},"metadata":{}}"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Docent);
        assert_eq!(read.value[0].trajectory_id, Some("default"));
        let error = failure(r#"{"transcripts":[{"messages":[]},{"messages":7}]}"#);
        assert_eq!(
            error.report().path.as_deref(),
            Some("transcripts[1].messages")
        );
        let error = failure(r#"{"transcripts":[{}]}"#).to_string();
        assert!(error.contains("docent, but it lacks a list"), "{error}");
    }
}
