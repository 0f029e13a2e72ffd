//! Chunks of Gemini: responses `{candidates: [{content: {parts}}]}`, of which only the last of an answer says why it ended.

use super::{Rows, usage_in};
use crate::kit::Import;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::gemini::{self, either};
use crate::kit::fields::Fields;
use crate::kit::message::About;
use crate::kit::pieces::joined;
use crate::kit::signs::{first_of, items};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Path, Role};

const FINISH: [&str; 2] = ["finishReason", "finish_reason"];
const ID: [&str; 2] = ["responseId", "response_id"];
const USAGE: [&str; 2] = ["usageMetadata", "usage_metadata"];

/// Whether rows are chunks of answers, rather than whole answers: one does not end its answer, and another does or has the
/// same id.
pub fn are_chunks(rows: &[Json<'_>]) -> bool {
    let rows = first_of(rows);
    let is_response = |row: &Json<'_>| {
        candidate(*row).is_some()
            || row.get("usageMetadata").is_some()
            || row.get("usage_metadata").is_some()
    };
    let goes_on = |row: &Json<'_>| candidate(*row).is_some_and(|it| either(it, FINISH).is_none());
    let [first, .., last] = rows else {
        return false;
    };
    let ends = candidate(*last).is_some_and(|it| either(it, FINISH).is_some());
    let is_one = either(*first, ID).is_some() && either(*first, ID) == either(*last, ID);
    (ends || is_one) && rows.iter().any(goes_on) && rows.iter().all(is_response)
}

fn candidate<'a>(row: Json<'a>) -> Option<Json<'a>> {
    items(row, "candidates").first().copied()
}

/// An answer while its parts arrive.
struct Answer<'a> {
    path: Path,
    about: About<'a>,
    id: Option<Json<'a>>,
    parts: Vec<Part<'a>>,
    is_ended: bool,
    /// The tokens that the model used so far.
    usage: Option<Member<'a>>,
}

struct Part<'a> {
    first: Json<'a>,
    /// The pieces of its text.
    pieces: Vec<&'a str>,
}

pub fn read<'a>(
    rows: &Rows<'a>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> Result<()> {
    let mut answers: Vec<Answer<'a>> = Vec::new();
    for (at, chunk) in rows.chunks() {
        let usage = usage_in(chunk, &USAGE);
        let Some(candidate) = candidate(chunk) else {
            if let Some(answer) = answers.last_mut() {
                answer.usage = usage.or(answer.usage);
            }
            continue;
        };
        let id = either(chunk, ID);
        if answers
            .last()
            .is_none_or(|it| it.is_ended || (it.id.is_some() && id.is_some() && it.id != id))
        {
            let fields = Fields::of(chunk, rows.path(at), "a chunk")?;
            let [usage, usage_metadata] = USAGE;
            let read = ["candidates", usage, usage_metadata];
            answers.push(Answer {
                path: rows.path(at).key("candidates").index(0).key("content"),
                about: About::of(&fields, &read, import),
                id,
                parts: Vec::new(),
                is_ended: false,
                usage: None,
            });
        }
        if let Some(answer) = answers.last_mut() {
            let content = candidate.get("content").unwrap_or_default();
            items(content, "parts")
                .iter()
                .for_each(|part| answer.add(*part));
            answer.is_ended = either(candidate, FINISH).is_some();
            answer.usage = usage.or(answer.usage);
        }
    }
    for answer in answers.into_iter().filter(|it| !it.parts.is_empty()) {
        let parts: Vec<_> = answer.parts.iter().map(|part| part.whole(import)).collect();
        let parts = (
            "parts",
            Json::Array(import.arena().alloc_slice_copy(&parts)),
        );
        let content = Json::Object(import.arena().alloc_slice_copy(&[parts]));
        let fields = Fields::of(content, answer.path, "a content: {role, parts}")?;
        let about = About {
            extra: import.merge(answer.about.extra, answer.usage.as_slice()),
            ..answer.about
        };
        gemini::read_as(Role::Agent, &fields, about, conversation, import)?;
    }
    Ok(())
}

impl<'a> Answer<'a> {
    /// Adds a part. A text continues the text before it, if both are thoughts or both are not.
    fn add(&mut self, part: Json<'a>) {
        let text = part.get("text").and_then(Json::as_str);
        let is_thought = |part: Json<'a>| matches!(part.get("thought"), Some(Json::Bool(true)));
        match (self.parts.last_mut(), text) {
            (Some(last), Some(text))
                if !last.pieces.is_empty() && is_thought(last.first) == is_thought(part) =>
            {
                last.pieces.push(text);
            }
            _ => self.parts.push(Part {
                first: part,
                pieces: text.into_iter().collect(),
            }),
        }
    }
}

impl<'a> Part<'a> {
    fn whole(&self, import: &Import<'a>) -> Json<'a> {
        let Some(members) = self.first.members().filter(|_| self.pieces.len() > 1) else {
            return self.first;
        };
        let whole = import.arena().alloc_slice_copy(members);
        for (key, value) in whole.iter_mut() {
            if *key == "text" {
                *value = Json::String(joined(&self.pieces, import));
            }
        }
        Json::Object(whole)
    }
}
