//! The Berkeley Function Calling Leaderboard: questions `{id, question:
//! [[messages]], function}`, answers `{id, ground_truth: [{name: {argument:
//! [acceptable values]}}]}`, or both in one object. The answers are the expected
//! calls, with the first acceptable value of each argument, and expectations with all of them. Also result
//! files.

mod results;

use crate::kit::answers::read_answers;
use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat::read_message;
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{EXPECTATIONS, ExpectedCall, Json, Member, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Bfcl,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let has_id = value.get("id").is_some_and(|id| id.as_str().is_some());
    let is_list = |key| value.get(key).is_some_and(|it| it.items().is_some());
    let is_question = value.get("function").is_some() || value.get("initial_config").is_some();
    match (value.get("question"), has_id) {
        (Some(Json::Array([Json::Array(_), ..])), true) if is_question => Likeness::Full,
        (Some(Json::Array([Json::Array(_), ..])), true) => {
            Likeness::Partial("the `function` definitions of the question")
        }
        (None, true) if is_list("ground_truth") => Likeness::Full,
        _ => results::likeness(value),
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    if matches!(results::likeness(value), Likeness::Full) {
        return results::read(value, import);
    }
    let fields = Fields::of(value, Path::root(), "a question: {id, question, function}")?;
    let mut conversation = Conversation::default();
    let path = fields.path().key("question");
    for (at, turn) in fields
        .optional_items("question", "a list of turns")?
        .iter()
        .enumerate()
    {
        let path = path.index(at);
        for message in Fields::each(
            turn.items().unwrap_or_default(),
            &path,
            "a message: {role, content}",
        ) {
            let message = message?;
            read_message(&message, &mut conversation, import)?;
        }
    }
    let expected_calls = read_expected_calls(&fields, import);
    let is_read = expected_calls.is_some();
    let expectations = match is_read {
        true => Some((EXPECTATIONS, read_expectations(&fields, import)?)),
        false => None,
    };
    let rest = fields.rest(import.arena(), |key, value| match key {
        "question" | "function" => true,
        "ground_truth" => is_read,
        "id" => value.as_str().is_some(),
        _ => false,
    });
    let extra: Vec<_> = rest.iter().copied().chain(expectations).collect();
    Ok(vec![Trajectory {
        trajectory_id: fields.text("id"),
        turns: conversation.into_turns(),
        tools: fields.get("function"),
        expected_calls,
        extra: import.arena().alloc_slice_copy(&extra),
    }])
}

/// The answers as expectations, with all acceptable values.
fn read_expectations<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Result<Json<'a>> {
    let truth = fields.optional_items("ground_truth", "a list of calls")?;
    read_answers(truth, &fields.path().key("ground_truth"), import)
}

/// The answers, if they are data. The answers to conversations are lines of a program.
fn read_expected_calls<'a>(
    fields: &Fields<'a>,
    import: &mut Import<'a>,
) -> Option<Vec<ExpectedCall<'a>>> {
    let answers = fields.get("ground_truth")?.items()?;
    let calls: Option<Vec<_>> = answers
        .iter()
        .map(|call| read_answer(*call, import))
        .collect();
    if calls.is_none() {
        let path = fields.path().key("ground_truth");
        import.warn(
            &path,
            "these answers are not read: they are not objects keyed by function",
        );
    }
    calls
}

/// Reads `{name: {argument: [value, …]}}`. If "" is acceptable, the argument is left out.
fn read_answer<'a>(call: Json<'a>, import: &Import<'a>) -> Option<ExpectedCall<'a>> {
    let Json::Object([(tool, Json::Object(arguments))]) = call else {
        return None;
    };
    let first = |(name, values): &Member<'a>| -> Option<Member<'a>> {
        let values = values.items()?;
        let is_optional = values.iter().any(|value| value.as_str() == Some(""));
        let value = values.first().filter(|_| !is_optional)?;
        Some((*name, settled(*value, import)))
    };
    let args: Vec<_> = arguments.iter().filter_map(first).collect();
    Some(ExpectedCall {
        tool,
        args: Json::Object(import.arena().alloc_slice_copy(&args)),
    })
}

/// The first acceptable form of a value whose members list acceptable values.
fn settled<'a>(value: Json<'a>, import: &Import<'a>) -> Json<'a> {
    match value {
        Json::Object(members) if members.iter().all(|(_, it)| it.items().is_some()) => {
            let first = |(name, values): &Member<'a>| {
                let value = values
                    .items()?
                    .iter()
                    .find(|value| value.as_str() != Some(""))?;
                Some((*name, settled(*value, import)))
            };
            let members: Vec<_> = members.iter().filter_map(first).collect();
            Json::Object(import.arena().alloc_slice_copy(&members))
        }
        Json::Array(items) => {
            let items: Vec<_> = items.iter().map(|item| settled(*item, import)).collect();
            Json::Array(import.arena().alloc_slice_copy(&items))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{failure, imported};

    #[test]
    fn questions_come_with_their_tools_and_answers() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"id":"simple_0","question":[[{"role":"user","content":"Area of a 3 by 4 sheet?"}]],
                "function":[{"name":"area","parameters":{"type":"dict","properties":{}}}],
                "ground_truth":[{"area":{"width":[3,3.0],"height":[4],"unit":["cm",""],"of":[{"kind":["sheet","page"]}]}}]},
                {"id":"multi_0","question":[[{"role":"user","content":"cd"}]],"initial_config":{},"ground_truth":[["cd(folder='x')"]]}]"#,
        );
        assert_eq!(read.format, TrajectoryFormat::Bfcl);
        let [first, second] = &read.value[..] else {
            panic!("{} questions", read.value.len());
        };
        assert_eq!(first.trajectory_id, Some("simple_0"));
        assert!(first.expectations().is_some());
        let expected = serde_json::to_string(&first.expected_calls).expect("JSON");
        assert_eq!(
            expected,
            r#"[{"tool":"area","args":{"width":3,"height":4,"of":{"kind":"sheet"}}}]"#
        );
        assert!(first.tools.is_some());
        assert_eq!(second.expected_calls, None);
        assert!(second.extra.iter().any(|(key, _)| *key == "ground_truth"));
        assert_eq!(read.warnings[0].path, "[1].ground_truth");
    }

    #[test]
    fn answers_alone_are_expected_calls() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"id":"a","ground_truth":[{"f":{}},{"g":{"n":[1]}}]}"#,
        );
        assert_eq!(read.value[0].expected_calls.as_ref().map(Vec::len), Some(2));
    }

    #[test]
    fn the_error_names_what_half_a_question_lacks() {
        let reason =
            failure(r#"{"id":"a","question":[[{"role":"user","content":"x"}]]}"#).to_string();
        assert!(
            reason.contains("bfcl, but it lacks the `function`"),
            "{reason}"
        );
    }
}
