//! Rows of xLAM and datasets like it: `{query, tools, answers}`, each a list or the text of one. The answers are the
//! expected calls.

use crate::kit::calls::read_list;
use crate::kit::conversation::Conversation;
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Xlam,
    marks: &[],
    likeness,
    read,
};

const ANSWERS: &str = "answers";

fn likeness(value: Json<'_>) -> Likeness {
    let asks = value.get("query").is_some_and(|it| it.as_str().is_some());
    let is_list = |key| match value.get(key) {
        Some(Json::Array(_)) => true,
        Some(Json::String(text)) => text.trim_start().starts_with('['),
        _ => false,
    };
    match (asks && is_list("tools"), value.get(ANSWERS)) {
        (true, Some(_)) if is_list(ANSWERS) => Likeness::Full,
        (true, Some(_)) => Likeness::Partial("a list of calls as `answers`"),
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let row = Fields::of(value, Path::root(), "a row: {query, tools, answers}")?;
    let mut conversation = Conversation::default();
    let Some(asked) = row.text("query") else {
        return Err(row.mismatch("query", "what the user asks"));
    };
    conversation.turn(Role::User, asked, Vec::new());
    let list = |key, what| {
        let nested = import.nested(row.get(key).unwrap_or_default());
        nested.items().ok_or_else(|| row.mismatch(key, what))
    };
    let answers = list(ANSWERS, "a list of calls: {name, arguments}")?;
    let tools = list("tools", "a list of tool definitions")?;
    Ok(vec![Trajectory {
        trajectory_id: row.get("id").map(|id| import.label(id)),
        turns: conversation.into_turns(),
        tools: (!tools.is_empty()).then_some(Json::Array(tools)),
        expected_calls: Some(read_list(answers, &row.path().key(ANSWERS), import.reader)?),
        extra: row.rest(import.arena(), |key, _| {
            matches!(key, "id" | "query" | "tools" | ANSWERS)
        }),
    }])
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{failure, fixture, imported, turns_of};

    #[test]
    fn the_answers_are_expected_calls() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("xlam/rows.jsonl"));
        assert_eq!(read.format, TrajectoryFormat::Xlam);
        let expected: Vec<_> = read
            .value
            .iter()
            .map(|it| serde_json::to_string(&it.expected_calls).expect("JSON"))
            .collect();
        assert_eq!(
            expected,
            [
                r#"[{"tool":"tide","args":{"port":"Brest","days":2}},{"tool":"wind","args":{}}]"#,
                "[]",
            ]
        );
        assert_eq!(
            turns_of(&read.value[0]),
            [(
                Role::User,
                "Tide in Brest for two days, and the wind?".to_owned(),
                0
            )]
        );
        let tools = read.value[0].tools.expect("tools");
        let tools = crate::import_tools(
            tools,
            toolgauge_model::Reader::new(&arena, Default::default()),
        );
        let tools = tools.expect("definitions").value;
        assert_eq!(
            serde_json::to_string(&tools[0].parameters).expect("JSON"),
            r#"{"type":"object","properties":{"port":{"type":"string","description":"The port."},"days":{"type":"integer","description":"How many days.","default":1}},"required":["port"]}"#
        );
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text: &str| failure(text).report().path.unwrap_or_default().to_string();
        assert_eq!(
            path(r#"{"query":"a","tools":[],"answers":[{}]}"#),
            "answers[0].tool"
        );
        assert_eq!(
            path(r#"{"query":"a","tools":[],"answers":"[x"}"#),
            "answers"
        );
        let error = failure(r#"{"query":"a","tools":[],"answers":7}"#).to_string();
        assert!(
            error.contains("xlam, but it lacks a list of calls"),
            "{error}"
        );
    }
}
