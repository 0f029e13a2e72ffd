//! toolgauge's own shape, which is that of `agent-eval-harness`: `{turns:
//! [{turn_id, role, content, tool_calls: [{name, arguments, result}]}]}`. One
//! trajectory, a list of them, or a list of turns.

use crate::kit::fields::{Fields, is_one_of};
use crate::kit::signs::first_of;
use crate::kit::tool_call::read_tool_call;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat, one_or_each};
use toolgauge_model::error::Result;
use toolgauge_model::{
    ExpectedCall, Json, Number, OWN_OF_TRAJECTORIES, OWN_OF_TURNS, Path, Role, Trajectory, Turn,
};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Harness,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let first = match value {
        Json::Array(items) => items.first().copied().unwrap_or_default(),
        other => other,
    };
    match (first.get("turns"), first.get("turn_id")) {
        (Some(Json::Array(turns)), _) if first_of(turns).iter().any(calls_elsewhere) => {
            Likeness::None
        }
        (Some(Json::Array(_)), _) => Likeness::Full,
        (Some(_), _) => Likeness::Partial("a list of turns as `turns`"),
        (None, Some(_)) if first.get("role").is_some() => Likeness::Full,
        (None, Some(_)) => Likeness::Partial("a `role` in each turn"),
        (None, None) => Likeness::None,
    }
}

/// Whether a turn lists its calls under another name, as those of DeepEval do. They have no numbers.
fn calls_elsewhere(turn: &Json<'_>) -> bool {
    let mut names = ["tools_called", "toolsCalled"].into_iter();
    turn.get("turn_id").is_none() && names.any(|key| turn.get(key).is_some())
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    match value {
        Json::Array(turns) if turns.iter().all(|item| item.get("turns").is_none()) => {
            Ok(vec![Trajectory {
                turns: read_turns(turns, &Path::root(), import)?,
                ..Trajectory::default()
            }])
        }
        _ => one_or_each(value, import, read_trajectory),
    }
}

fn read_trajectory<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let fields = Fields::of(value, Path::root(), "a trajectory: {turns}")?;
    let turns = fields.items("turns", "a list of turns")?;
    Ok(Trajectory {
        trajectory_id: label(&fields, "trajectory_id", import),
        turns: read_turns(turns, &fields.path().key("turns"), import)?,
        tools: fields.get("tools"),
        expected_calls: read_expected(&fields, import)?,
        extra: fields.rest(import.arena(), |key, _| {
            is_one_of(key, &OWN_OF_TRAJECTORIES)
        }),
    })
}

fn read_turns<'a>(
    turns: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Turn<'a>>> {
    turns
        .iter()
        .enumerate()
        .map(|(at, turn)| read_turn(*turn, path.index(at), at as i64 + 1, import))
        .collect()
}

/// Reads one turn. `path` is its path, and `position` its number if it has none of its own.
pub fn read_turn<'a>(
    turn: Json<'a>,
    path: Path,
    position: i64,
    import: &mut Import<'a>,
) -> Result<Turn<'a>> {
    let fields = Fields::of(turn, path, "a turn: {turn_id, role, content}")?;
    let calls = fields.optional_items("tool_calls", "a list of tool calls")?;
    let path = fields.path().key("tool_calls");
    let tool_calls = calls
        .iter()
        .enumerate()
        .map(|(at, call)| read_tool_call(*call, path.index(at), import))
        .collect::<Result<_>>()?;
    Ok(Turn {
        turn_id: read_number(&fields, import).unwrap_or(position),
        role: read_role(&fields)?,
        content: read_content(&fields)?,
        timestamp: label(&fields, "timestamp", import),
        tool_calls,
        extra: fields.rest(import.arena(), |key, _| is_one_of(key, &OWN_OF_TURNS)),
    })
}

fn read_number<'a>(fields: &Fields<'a>, import: &mut Import<'a>) -> Option<i64> {
    let value = fields.get("turn_id")?;
    let number = as_integer(value);
    if number.is_none() && !value.is_null() {
        import.warn(&fields.path().key("turn_id"), "this is not an integer");
    }
    number
}

/// An id or a time as text, if it is a text or a number.
fn label<'a>(fields: &Fields<'a>, key: &str, import: &mut Import<'a>) -> Option<&'a str> {
    match fields.get(key) {
        Some(number @ Json::Number(_)) => Some(import.label(number)),
        _ => text(fields, key, import),
    }
}

fn text<'a>(fields: &Fields<'a>, key: &str, import: &mut Import<'a>) -> Option<&'a str> {
    match fields.get(key)? {
        Json::String(text) => Some(text),
        Json::Null => None,
        _ => {
            import.warn(&fields.path().key(key), "this is not a text");
            None
        }
    }
}

fn as_integer(value: Json<'_>) -> Option<i64> {
    match value {
        Json::Number(Number::Unsigned(value)) => value.try_into().ok(),
        Json::Number(Number::Negative(value)) => Some(value),
        Json::Number(Number::Float(value))
            if value.fract() == 0.0 && value.abs() < 2f64.powi(53) =>
        {
            Some(value as i64)
        }
        _ => None,
    }
}

fn read_role(fields: &Fields<'_>) -> Result<Role> {
    match fields.text("role") {
        Some("user") => Ok(Role::User),
        Some("agent" | "assistant") => Ok(Role::Agent),
        Some("system") => Ok(Role::System),
        _ => Err(fields.mismatch("role", "user, agent or system")),
    }
}

fn read_content<'a>(fields: &Fields<'a>) -> Result<&'a str> {
    match fields.get("content") {
        None | Some(Json::Null) => Ok(""),
        Some(Json::String(text)) => Ok(text),
        Some(_) => Err(fields.mismatch("content", "a text")),
    }
}

fn read_expected<'a>(
    fields: &Fields<'a>,
    import: &Import<'a>,
) -> Result<Option<Vec<ExpectedCall<'a>>>> {
    if fields.get("expected_calls").is_none() {
        return Ok(None);
    }
    let calls = fields.items("expected_calls", "a list of calls: {tool, args}")?;
    crate::kit::calls::read_list(calls, &fields.path().key("expected_calls"), import.reader)
        .map(Some)
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{failure, imported};

    #[test]
    fn a_trajectory_is_written_back_as_it_was() {
        let text = r#"{"trajectory_id":"t","turns":[{"turn_id":3,"role":"agent","content":"hi","timestamp":"2026-01-01T00:00:00Z","tool_calls":[{"id":"a","name":"f","arguments":{"x":[1,null]},"result":"r","error":null,"latency_ms":5}],"mood":"fine"}],"expected_calls":[{"tool":"f","args":{}}],"source":{"by":"me"}}"#;
        let arena = Bump::new();
        let read = imported(&arena, text);
        assert_eq!(read.format, TrajectoryFormat::Harness);
        assert_eq!(serde_json::to_string(&read.value[0]).expect("JSON"), text);
    }

    #[test]
    fn fields_of_another_type_become_text_or_a_warning() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"turn_id":"one","role":"assistant","content":null,"timestamp":9,"tool_calls":[{"id":4,"name":["f"],"rawArguments":null}]},{"turn_id":2.0,"role":"user"}]"#,
        );
        let turns = &read.value[0].turns;
        assert_eq!(
            (turns[0].turn_id, turns[0].role, turns[0].content),
            (1, Role::Agent, "")
        );
        assert_eq!(turns[0].timestamp, Some("9"));
        assert_eq!(turns[1].turn_id, 2);
        let call = &turns[0].tool_calls[0];
        assert_eq!((call.id, call.name), (Some("4"), None));
        assert_eq!((turns[0].extra, call.extra), (&[][..], &[][..]));
        let paths: Vec<_> = read.warnings.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["[0].tool_calls[0].name", "[0].turn_id"]);
    }

    #[test]
    fn several_trajectories_are_read() {
        let arena = Bump::new();
        assert_eq!(
            imported(&arena, r#"[{"turns":[]},{"turns":[]}]"#)
                .value
                .len(),
            2
        );
    }

    #[test]
    fn the_error_names_the_part_with_another_shape() {
        let path = |text| failure(text).report().path;
        assert_eq!(path(r#"{"turns":[7]}"#).as_deref(), Some("turns[0]"));
        assert_eq!(
            path(r#"{"turns":[{"role":"agent","content":[]}]}"#).as_deref(),
            Some("turns[0].content")
        );
        assert_eq!(
            path(r#"{"turns":[{"role":"agent","tool_calls":{}}]}"#).as_deref(),
            Some("turns[0].tool_calls")
        );
        assert_eq!(
            path(r#"{"turns":[{"role":"agent","tool_calls":[null]}]}"#).as_deref(),
            Some("turns[0].tool_calls[0]")
        );
    }
}
