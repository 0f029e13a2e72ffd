//! Reads expected calls that other projects write down as expectations: `{calls:
//! [{tool, args, matchers}]}`.
//!
//! An answer of the Berkeley Function Calling Leaderboard lists the acceptable values of each argument:
//! `{ground_truth: [{tool: {argument: [value, …]}}]}`. An empty text among them means that the argument
//! may be left out. An object among them has such a list for each of its own members.

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use crate::kit::fields::Fields;
use crate::kit::{Import, Imported, TrajectoryFormat};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{ExpectedCall, Json, Member, Path, Reader, Trajectory};

/// At most this many alternatives are written out for one call.
const MOST_ALTERNATIVES: usize = 64;

/// The formats that expectations are read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ExpectationFormat {
    /// toolgauge's own: `{calls, forbidden, order, matchers}`, taken as it is.
    Expectations,
    /// A list of calls, `[{tool, args}]`.
    Calls,
    /// An answer of the Berkeley Function Calling Leaderboard.
    Bfcl,
    /// A trajectory in any known format that holds expected calls.
    Trajectory,
}

/// Whether `document` is an object of expectations: `{calls, …}` or `{turns: [{calls}, …], …}`. The turns of a
/// trajectory have roles.
pub fn are_expectations(document: Json<'_>) -> bool {
    matches!(document.get("calls"), Some(Json::Array(_))) || are_by_turns(document)
}

fn are_by_turns(document: Json<'_>) -> bool {
    let turns = document.get("turns").and_then(Json::items);
    let is_expected = |turn: &Json<'_>| {
        matches!(turn.get("calls"), Some(Json::Array(_))) && turn.get("role").is_none()
    };
    turns.is_some_and(|turns| !turns.is_empty() && turns.iter().all(is_expected))
}

/// The expectations of a document that is written as such: toolgauge's own, or an answer of the Berkeley
/// Function Calling Leaderboard. `None` for any other document.
///
/// # Errors
/// [`Error::InvalidInput`] names the part of an answer that has another shape.
pub fn read_own<'a>(
    document: Json<'a>,
    reader: Reader<'a>,
) -> Result<Option<Imported<Json<'a>, ExpectationFormat>>> {
    let mut import = Import::new(reader);
    let (format, value) = if document.get("calls").is_some() || are_by_turns(document) {
        (ExpectationFormat::Expectations, document)
    } else if document.get("ground_truth").is_some() {
        (ExpectationFormat::Bfcl, read_answer(document, &mut import)?)
    } else {
        return Ok(None);
    };
    Ok(Some(Imported {
        value,
        format,
        warnings: import.warnings,
    }))
}

/// The expectations that a list of calls states. Calls in toolgauge's own shape stay as they are, any
/// other becomes `{tool, args}`.
///
/// # Errors
/// [`Error::InvalidInput`] names the item that is not a call.
pub fn read_calls<'a>(
    items: &[Json<'a>],
    reader: Reader<'a>,
) -> Result<Imported<Json<'a>, ExpectationFormat>> {
    let is_own = |item: Json<'a>| {
        item.as_str().is_some()
            || ["tool", "anyOf", "sequence", "unordered"]
                .iter()
                .any(|key| item.get(key).is_some())
    };
    let import = Import::new(reader);
    let mut calls = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if is_own(*item) {
            calls.push(*item);
        } else {
            let fields = Fields::of(*item, Path::root().index(at), "a call: {tool, args}")?;
            calls.push(of_call(&fields.call(reader)?, &import));
        }
    }
    Ok(Imported {
        value: of_list(&calls, &import),
        format: ExpectationFormat::Calls,
        warnings: Vec::new(),
    })
}

/// The expectations that the expected calls of a trajectory state.
///
/// # Errors
/// [`Error::InvalidInput`] if the trajectory has no expected calls.
pub fn of_trajectory<'a>(
    trajectory: Imported<Trajectory<'a>, TrajectoryFormat>,
    reader: Reader<'a>,
) -> Result<Imported<Json<'a>, ExpectationFormat>> {
    let calls = trajectory.value.expected_calls.ok_or_else(|| {
        let actual = format!("none in what is read as {}", trajectory.format.label());
        Error::invalid_input(Path::root(), "expected calls", actual)
    })?;
    Ok(Imported {
        value: of_calls(&calls, &Import::new(reader)),
        format: ExpectationFormat::Trajectory,
        warnings: trajectory.warnings,
    })
}

fn of_calls<'a>(calls: &[ExpectedCall<'a>], import: &Import<'a>) -> Json<'a> {
    let calls: Vec<_> = calls.iter().map(|call| of_call(call, import)).collect();
    of_list(&calls, import)
}

fn of_call<'a>(call: &ExpectedCall<'a>, import: &Import<'a>) -> Json<'a> {
    let members = [("tool", Json::String(call.tool)), ("args", call.args)];
    object(import, &members)
}

fn of_list<'a>(calls: &[Json<'a>], import: &Import<'a>) -> Json<'a> {
    object(import, &[("calls", array(import, calls))])
}

fn object<'a>(import: &Import<'a>, members: &[Member<'a>]) -> Json<'a> {
    Json::Object(import.arena().alloc_slice_copy(members))
}

fn array<'a>(import: &Import<'a>, items: &[Json<'a>]) -> Json<'a> {
    Json::Array(import.arena().alloc_slice_copy(items))
}

fn read_answer<'a>(document: Json<'a>, import: &mut Import<'a>) -> Result<Json<'a>> {
    let fields = Fields::of(document, Path::root(), "an answer: {id, ground_truth}")?;
    let truth = fields.items(
        "ground_truth",
        "a list of calls: {tool: {argument: [value, …]}}",
    )?;
    let path = Path::root().key("ground_truth");
    let mut calls = Vec::new();
    for (at, call) in truth.iter().enumerate() {
        calls.push(read_call(*call, &path.index(at), import)?);
    }
    let calls = array(import, &calls);
    Ok(object(import, &[("calls", calls)]))
}

fn read_call<'a>(call: Json<'a>, path: &Path, import: &mut Import<'a>) -> Result<Json<'a>> {
    let what = "one call: {tool: {argument: [value, …]}}";
    let Some([(tool, arguments)]) = call.members() else {
        return Err(Error::invalid_input(path.clone(), what, call.describe()));
    };
    let at = path.key(tool);
    let variants = variants_of_object(*arguments, &Path::root(), &at, import)?;
    let patterns: Vec<_> = variants
        .iter()
        .map(|variant| variant.call(tool, import))
        .collect();
    Ok(match patterns.as_slice() {
        [one] => *one,
        _ => {
            let patterns = array(import, &patterns);
            object(import, &[("anyOf", patterns)])
        }
    })
}

/// One way to match an argument: a literal value, and matchers.
#[derive(Clone, Default)]
struct Variant<'a> {
    value: Option<Json<'a>>,
    matchers: Vec<Member<'a>>,
}

impl<'a> Variant<'a> {
    fn call(&self, tool: &'a str, import: &Import<'a>) -> Json<'a> {
        let args = self.value.unwrap_or(Json::Object(&[]));
        let mut members = vec![("tool", Json::String(tool)), ("args", args)];
        if !self.matchers.is_empty() {
            members.push(("matchers", object(import, &self.matchers)));
        }
        object(import, &members)
    }
}

/// All ways to match an object whose members list acceptable values.
fn variants_of_object<'a>(
    json: Json<'a>,
    path: &Path,
    at: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Variant<'a>>> {
    let Json::Object(members) = json else {
        let what = "acceptable values by argument: {argument: [value, …]}";
        return Err(Error::invalid_input(at.clone(), what, json.describe()));
    };
    let mut parts = Vec::new();
    for (key, acceptable) in members {
        let inner = path.key(key);
        parts.push((
            *key,
            variants_of_list(*acceptable, &inner, &at.key(key), import)?,
        ));
    }
    let choices: Vec<_> = parts
        .iter()
        .map(|(_, variants)| variants.as_slice())
        .collect();
    let combined = combinations(&choices, at, import);
    let build = |choice: Vec<&Variant<'a>>| {
        let values = parts.iter().zip(&choice);
        let members: Vec<_> = values
            .filter_map(|((key, _), variant)| Some((*key, variant.value?)))
            .collect();
        Variant {
            value: Some(object(import, &members)),
            matchers: choice
                .iter()
                .flat_map(|variant| variant.matchers.clone())
                .collect(),
        }
    };
    Ok(combined.into_iter().map(build).collect())
}

/// All ways to match one value of a list. All plain values of the list together are one way.
fn variants_of_list<'a>(
    acceptable: Json<'a>,
    path: &Path,
    at: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Variant<'a>>> {
    let Json::Array(values) = acceptable else {
        let what = "a list of acceptable values";
        return Err(Error::invalid_input(
            at.clone(),
            what,
            acceptable.describe(),
        ));
    };
    let optional = values.contains(&Json::String(""));
    let place: &'a str = import.arena().alloc_str(path.as_str());
    let plain: Vec<_> = values
        .iter()
        .copied()
        .filter(|value| !holds_objects(*value))
        .collect();
    let mut variants = Vec::new();
    for (index, value) in values.iter().enumerate() {
        if holds_objects(*value) {
            variants.extend(variants_of_value(*value, path, &at.index(index), import)?);
        }
    }
    let only_left_out = plain == [Json::String("")];
    match plain.as_slice() {
        [] => {}
        _ if only_left_out && !variants.is_empty() => {}
        [one] if !optional => variants.push(Variant {
            value: Some(*one),
            matchers: Vec::new(),
        }),
        several => {
            let values = ("oneOf", array(import, several));
            let optional = optional.then_some(("optional", Json::Bool(true)));
            let rule: Vec<_> = [Some(values), optional].into_iter().flatten().collect();
            variants.push(Variant {
                value: None,
                matchers: vec![(place, object(import, &rule))],
            });
            return Ok(variants);
        }
    }
    if optional {
        let rule = object(import, &[("optional", Json::Bool(true))]);
        for variant in &mut variants {
            variant.matchers.insert(0, (place, rule));
        }
    }
    Ok(variants)
}

fn holds_objects(value: Json<'_>) -> bool {
    match value {
        Json::Object(_) => true,
        Json::Array(items) => items.iter().any(|item| holds_objects(*item)),
        _ => false,
    }
}

/// All ways to match a value that contains objects.
fn variants_of_value<'a>(
    value: Json<'a>,
    path: &Path,
    at: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Variant<'a>>> {
    let items = match value {
        Json::Object(_) => return variants_of_object(value, path, at, import),
        Json::Array(items) if holds_objects(value) => items,
        plain => {
            return Ok(vec![Variant {
                value: Some(plain),
                matchers: Vec::new(),
            }]);
        }
    };
    let mut parts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        parts.push(variants_of_value(
            *item,
            &path.index(index),
            &at.index(index),
            import,
        )?);
    }
    let choices: Vec<_> = parts.iter().map(Vec::as_slice).collect();
    let combined = combinations(&choices, at, import);
    let build = |choice: Vec<&Variant<'a>>| {
        let values: Vec<_> = choice
            .iter()
            .map(|variant| variant.value.unwrap_or_default())
            .collect();
        Variant {
            value: Some(array(import, &values)),
            matchers: choice
                .iter()
                .flat_map(|variant| variant.matchers.clone())
                .collect(),
        }
    };
    Ok(combined.into_iter().map(build).collect())
}

/// Every choice of one item from each list, up to [`MOST_ALTERNATIVES`]. If there are more, a warning
/// says so.
fn combinations<'c, T>(choices: &[&'c [T]], at: &Path, import: &mut Import<'_>) -> Vec<Vec<&'c T>> {
    let mut combined: Vec<Vec<&T>> = vec![Vec::new()];
    for options in choices {
        let longer = combined.iter().flat_map(|chosen| {
            options
                .iter()
                .map(|option| chosen.iter().copied().chain([option]).collect())
        });
        combined = longer.take(MOST_ALTERNATIVES + 1).collect();
    }
    if combined.len() > MOST_ALTERNATIVES {
        combined.truncate(MOST_ALTERNATIVES);
        import.warn(
            at,
            format!("only the first {MOST_ALTERNATIVES} of the acceptable calls are kept"),
        );
    }
    combined
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ImportWarning;
    use crate::import_expectations;
    use bumpalo::Bump;
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    fn imported(text: &str) -> (String, ExpectationFormat, Vec<ImportWarning>) {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = import_expectations(arena_json(&arena, text), reader).expect("expectations");
        (
            serde_json::to_string(&read.value).expect("JSON"),
            read.format,
            read.warnings,
        )
    }

    #[test]
    fn acceptable_values_become_matchers() {
        let (value, format, warnings) = imported(
            r#"{"id":"x","ground_truth":[
                {"area":{"base":[10],"unit":["cm","m",""],"tags":[["a","b"]]}},
                {"order":{"drink":[{"size":["large"],"milk":["oat","soy"],"note":["hot",""]}]}},
                {"mail":{"to":[[{"name":["Ann"]},{"name":["Bob","Robert"]}]]}},
                {"noop":{}}]}"#,
        );
        assert_eq!(format, ExpectationFormat::Bfcl);
        assert!(warnings.is_empty());
        let calls = [
            r#"{"tool":"area","args":{"base":10,"tags":["a","b"]},"matchers":{"unit":{"oneOf":["cm","m",""],"optional":true}}}"#,
            r#"{"tool":"order","args":{"drink":{"size":"large"}},"matchers":{"drink.milk":{"oneOf":["oat","soy"]},"drink.note":{"oneOf":["hot",""],"optional":true}}}"#,
            r#"{"tool":"mail","args":{"to":[{"name":"Ann"},{}]},"matchers":{"to[1].name":{"oneOf":["Bob","Robert"]}}}"#,
            r#"{"tool":"noop","args":{}}"#,
        ];
        assert_eq!(value, format!(r#"{{"calls":[{}]}}"#, calls.join(",")));
    }

    #[test]
    fn several_acceptable_objects_are_alternatives() {
        let (value, ..) =
            imported(r#"{"ground_truth":[{"f":{"a":[{"x":[1]},{"y":[2]}],"b":[3]}}]}"#);
        assert_eq!(
            value,
            r#"{"calls":[{"anyOf":[{"tool":"f","args":{"a":{"x":1},"b":3}},{"tool":"f","args":{"a":{"y":2},"b":3}}]}]}"#
        );
        let (value, ..) = imported(r#"{"ground_truth":[{"f":{"a":[{"x":[1]},""]}}]}"#);
        assert_eq!(
            value,
            r#"{"calls":[{"tool":"f","args":{"a":{"x":1}},"matchers":{"a":{"optional":true}}}]}"#
        );
        let many = r#"[{"x":[1]},{"x":[2]},{"x":[3]},{"x":[4]}]"#;
        let (_, _, warnings) = imported(&format!(
            r#"{{"ground_truth":[{{"f":{{"a":{many},"b":{many},"c":{many},"d":{many}}}}}]}}"#
        ));
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn call_lists_own_files_and_trajectories_are_expectations() {
        let (value, format, _) = imported(r#"[{"name":"f","arguments":{"n":1}}]"#);
        assert_eq!(
            (value.as_str(), format),
            (
                r#"{"calls":[{"tool":"f","args":{"n":1}}]}"#,
                ExpectationFormat::Calls
            )
        );
        let own = r#"{"calls":[],"order":"strict"}"#;
        assert_eq!(imported(own).0, own);
        let list = r#"["f",{"anyOf":["g"]},{"tool":"h","matchers":{"n":"type"},"times":2}]"#;
        assert_eq!(imported(list).0, format!(r#"{{"calls":{list}}}"#));
        let (value, format, _) =
            imported(r#"{"traj":[],"info":{"task":{"actions":[{"name":"f","kwargs":{}}]}}}"#);
        assert_eq!(
            (value.as_str(), format),
            (
                r#"{"calls":[{"tool":"f","args":{}}]}"#,
                ExpectationFormat::Trajectory
            )
        );
    }

    #[test]
    fn the_error_for_an_odd_answer_names_its_path() {
        let cases = [
            (r#"{"ground_truth":{}}"#, Some("ground_truth")),
            (
                r#"{"ground_truth":[{"a":{},"b":{}}]}"#,
                Some("ground_truth[0]"),
            ),
            (
                r#"{"ground_truth":[{"f":{"n":1}}]}"#,
                Some("ground_truth[0].f.n"),
            ),
            (r#"{"ground_truth":[{"f":[]}]}"#, Some("ground_truth[0].f")),
            (
                r#"{"ground_truth":[{"f":{"n":[{"m":2}]}}]}"#,
                Some("ground_truth[0].f.n[0].m"),
            ),
            (r#"{"turns":[]}"#, None),
            (r#"{"what":[]}"#, None),
        ];
        for (text, place) in cases {
            let arena = Bump::new();
            let reader = Reader::new(&arena, Limits::default());
            let error = import_expectations(arena_json(&arena, text), reader).expect_err(text);
            assert_eq!(error.report().path.as_deref(), place, "{text}: {error}");
        }
    }
}
