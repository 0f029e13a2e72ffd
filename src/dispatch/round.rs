//! Reads the calls of a round from any provider.

use foldhash::HashSet;
use serde::Serialize;

use super::duplicates::without_duplicates;
use toolgauge_formats::WrittenCall;
use toolgauge_model::{Json, Reader};

/// The calls of a round to run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Round<'a> {
    /// The calls, in order.
    pub calls: Vec<RoundCall<'a>>,
    /// The positions of the calls that were left out, because a later call has the same id or a call with the
    /// same id is running.
    pub duplicates: Vec<usize>,
}

/// One call of a round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RoundCall<'a> {
    /// Its position among the given calls, from 0.
    pub place: usize,
    /// Its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<&'a str>,
    /// The name of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'a str>,
    /// The arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<Json<'a>>,
    /// Why the call can't run: it is not a call, names no tool, or its arguments are not an object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// Reads a round of calls and removes duplicates.
pub fn read_round<'a>(
    calls: &[Json<'a>],
    running: &HashSet<String>,
    reader: Reader<'a>,
) -> Round<'a> {
    let read: Vec<RoundCall<'a>> = calls
        .iter()
        .enumerate()
        .map(|(place, call)| RoundCall::read(place, *call, reader))
        .collect();
    let ids: Vec<_> = read.iter().map(|call| call.id.map(str::to_owned)).collect();
    let kept = without_duplicates(&ids, running);
    let is_kept = |place: &usize| kept.binary_search(place).is_ok();
    Round {
        duplicates: (0..calls.len()).filter(|place| !is_kept(place)).collect(),
        calls: read
            .into_iter()
            .filter(|call| is_kept(&call.place))
            .collect(),
    }
}

impl<'a> RoundCall<'a> {
    fn read(place: usize, source: Json<'a>, reader: Reader<'a>) -> Self {
        let nothing = Self {
            place,
            id: None,
            name: None,
            arguments: None,
            problem: None,
        };
        let call = match WrittenCall::read(source, reader).call {
            Ok(call) => call,
            Err(reason) => {
                return Self {
                    problem: Some(reason),
                    ..nothing
                };
            }
        };
        let problem = match (call.name, call.arguments, call.raw_arguments) {
            (None | Some(""), ..) => Some("the call names no tool".to_owned()),
            (_, _, Some(_)) => Some("the arguments are not valid JSON".to_owned()),
            (_, Some(Json::Object(_) | Json::Null) | None, None) => None,
            (_, Some(other), None) => Some(format!(
                "the arguments are {}, expected an object",
                other.kind()
            )),
        };
        Self {
            id: call.id,
            name: call.name,
            arguments: call.arguments.filter(|arguments| !arguments.is_null()),
            problem,
            ..nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn calls_of_any_provider_are_read() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let calls = arena_json(
            &arena,
            r#"[
                {"id":"a","name":"f","arguments":{"q":1}},
                {"id":"b","type":"function","function":{"name":"g","arguments":"{\"q\":2}"}},
                {"type":"tool_use","id":"c","name":"h","input":{}},
                {"id":"a","name":"f","arguments":{"q":3}},
                7,
                {"name":"","arguments":{}},
                {"id":"d","function":{"name":"g","arguments":"{\"q\":"}},
                {"name":"f","arguments":[1]},
                {"name":"f"}
            ]"#,
        );
        let round = read_round(calls.items().expect("a list"), &HashSet::default(), reader);
        assert_eq!(round.duplicates, [0]);
        let read: Vec<_> = round
            .calls
            .iter()
            .map(|call| (call.place, call.name, call.problem.is_some()))
            .collect();
        assert_eq!(
            read,
            [
                (1, Some("g"), false),
                (2, Some("h"), false),
                (3, Some("f"), false),
                (4, None, true),
                (5, Some(""), true),
                (6, Some("g"), true),
                (7, Some("f"), true),
                (8, Some("f"), false),
            ]
        );
    }
}
