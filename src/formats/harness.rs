//! toolgauge's own shape, which is that of `agent-eval-harness`: `{turns: [{turn_id, role, content,
//! tool_calls: [{name, arguments, result}]}]}`; one, a list of them, or the bare list of turns.

use super::fields::Fields;
use super::{Format, Import, Likeness, TrajectoryFormat, one_or_each};
use crate::error::Result;
use crate::model::{ExpectedCall, Json, Number, Path, Role, ToolCall, Trajectory, Turn};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Harness,
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let first = match value {
        Json::Array(items) => items.first().copied().unwrap_or_default(),
        other => other,
    };
    match (first.get("turns"), first.get("turn_id")) {
        (Some(Json::Array(_)), _) => Likeness::Full,
        (Some(_), _) => Likeness::Partial("a list of turns as `turns`"),
        (None, Some(_)) if first.get("role").is_some() => Likeness::Full,
        (None, Some(_)) => Likeness::Partial("a `role` in each turn"),
        (None, None) => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    match value {
        Json::Array(turns) if turns.iter().all(|item| item.get("turns").is_none()) => {
            Ok(vec![Trajectory {
                turns: read_turns(turns, &Path::root(), import)?,
                ..Trajectory::default()
            }])
        }
        _ => one_or_each(value, |item, path| read_trajectory(item, path, import)),
    }
}

fn read_trajectory<'a>(
    value: Json<'a>,
    path: Path,
    import: &mut Import<'a>,
) -> Result<Trajectory<'a>> {
    let fields = Fields::of(value, path, "a trajectory: {turns}")?;
    let turns = fields.items("turns", "a list of turns")?;
    Ok(Trajectory {
        trajectory_id: fields.text("trajectory_id"),
        turns: read_turns(turns, &fields.path().key("turns"), import)?,
        tools: fields.get("tools"),
        expected_calls: read_expected(&fields)?,
        extra: fields.rest(import.arena(), |key, value| match key {
            "turns" | "tools" | "expected_calls" => true,
            "trajectory_id" => value.as_str().is_some(),
            _ => false,
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

/// One turn that stands at `path`; `position` is its number when it has none of its own.
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
        .map(|(at, call)| read_call(*call, path.index(at), import))
        .collect::<Result<_>>()?;
    Ok(Turn {
        turn_id: fields
            .get("turn_id")
            .and_then(as_integer)
            .unwrap_or(position),
        role: read_role(&fields)?,
        content: read_content(&fields)?,
        timestamp: fields.text("timestamp"),
        tool_calls,
        extra: fields.rest(import.arena(), |key, value| match key {
            "role" | "content" | "tool_calls" => true,
            "turn_id" => as_integer(value).is_some(),
            "timestamp" => value.as_str().is_some(),
            _ => false,
        }),
    })
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

/// One call that stands at `path`.
pub fn read_call<'a>(call: Json<'a>, path: Path, import: &mut Import<'a>) -> Result<ToolCall<'a>> {
    let fields = Fields::of(call, path, "a tool call: {name, arguments, result}")?;
    Ok(ToolCall {
        id: fields.text("id"),
        name: fields.text("name"),
        arguments: fields.get("arguments"),
        raw_arguments: fields.text("rawArguments"),
        result: fields.get("result"),
        error: fields.get("error"),
        extra: fields.rest(import.arena(), |key, value| match key {
            "arguments" | "result" | "error" => true,
            "id" | "name" | "rawArguments" => value.as_str().is_some(),
            _ => false,
        }),
    })
}

fn read_expected<'a>(fields: &Fields<'a>) -> Result<Option<Vec<ExpectedCall<'a>>>> {
    if fields.get("expected_calls").is_none() {
        return Ok(None);
    }
    let calls = fields.items("expected_calls", "a list of calls: {tool, args}")?;
    super::calls::read_list(calls, &fields.path().key("expected_calls")).map(Some)
}
