//! Answers of the Berkeley Function Calling Leaderboard as expectations.
//!
//! An answer lists the acceptable values of each argument: `{ground_truth: [{tool: {argument: [value, …]}}]}`. An empty
//! text among them means that the argument may be left out. An object among them has such a list for each of its own
//! members.

use super::Import;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path};

/// At most this many alternatives are written out for one call.
const MOST_ALTERNATIVES: usize = 64;

/// The acceptable value that stands for an argument that is left out.
const LEFT_OUT: Json<'static> = Json::String("");

/// Reads the calls of an answer, which are at `path`, as expectations: `{calls}`.
///
/// # Errors
/// [`Error::InvalidInput`] names the part that has another shape.
pub fn read_answers<'a>(
    truth: &'a [Json<'a>],
    path: &Path,
    import: &mut Import<'a>,
) -> Result<Json<'a>> {
    let mut calls = Vec::new();
    for (at, call) in truth.iter().enumerate() {
        calls.push(read_call(*call, &path.index(at), import)?);
    }
    let calls = array(import, &calls);
    Ok(object(import, &[("calls", calls)]))
}

fn object<'a>(import: &Import<'a>, members: &[Member<'a>]) -> Json<'a> {
    Json::Object(import.arena().alloc_slice_copy(members))
}

fn array<'a>(import: &Import<'a>, items: &[Json<'a>]) -> Json<'a> {
    Json::Array(import.arena().alloc_slice_copy(items))
}

fn read_call<'a>(call: Json<'a>, path: &Path, import: &mut Import<'a>) -> Result<Json<'a>> {
    let what = "one call: {tool: {argument: [value, …]}}";
    let Some([(tool, arguments)]) = call.members() else {
        return Err(Error::invalid_input(path.clone(), what, call.describe()));
    };
    let at = path.key(tool);
    let Json::Object(arguments) = *arguments else {
        let what = "acceptable values by argument: {argument: [value, …]}";
        return Err(Error::invalid_input(at, what, arguments.describe()));
    };
    let place = (&Path::root(), Depth::Call);
    let variants = variants_of_object(arguments, place, &at, import)?;
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

/// How deep in the arguments a value is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// The arguments of the call.
    Call,
    /// Inside an object.
    Object,
}

/// All ways to match an object whose members list acceptable values.
fn variants_of_object<'a>(
    members: &'a [Member<'a>],
    (path, depth): (&Path, Depth),
    at: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Variant<'a>>> {
    let mut parts = Vec::new();
    for (key, acceptable) in members {
        let (inner, at) = (path.key(key), at.key(key));
        let Json::Array(values) = acceptable else {
            let what = "a list of acceptable values";
            return Err(Error::invalid_input(at, what, acceptable.describe()));
        };
        parts.push((
            *key,
            variants_of_list(values, (&inner, depth), &at, import)?,
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
    values: &'a [Json<'a>],
    (path, depth): (&Path, Depth),
    at: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Variant<'a>>> {
    let place: &'a str = import.arena().alloc_str(path.as_str());
    let is_plain = |value: &&Json<'a>| !holds_objects(**value);
    let plain: Vec<_> = values.iter().filter(is_plain).copied().collect();
    let mut variants = Vec::new();
    for (index, value) in values.iter().enumerate() {
        if holds_objects(*value) {
            variants.extend(variants_of_value(*value, path, &at.index(index), import)?);
        }
    }
    if values.is_empty() {
        import.warn(at, "no value is acceptable here, so no call fits");
    }
    let is_optional = plain.contains(&LEFT_OUT);
    if plain.iter().any(|value| *value != LEFT_OUT) || variants.is_empty() {
        variants.push(plain_variant(&plain, place, depth, import));
    } else if is_optional {
        let rule = object(import, &[("optional", Json::Bool(true))]);
        for variant in &mut variants {
            variant.matchers.insert(0, (place, rule));
        }
    }
    Ok(variants)
}

/// The way to match one of several values without objects. Texts are compared as the leaderboard compares them.
fn plain_variant<'a>(
    values: &[Json<'a>],
    place: &'a str,
    depth: Depth,
    import: &Import<'a>,
) -> Variant<'a> {
    let by = values
        .iter()
        .any(|value| is_normalized(*value, depth))
        .then_some(Json::String("normalized"));
    let (value, rule) = match values {
        [one] if *one != LEFT_OUT => (Some(*one), by),
        several => {
            let Acceptable { values, default } = Acceptable::of(several);
            let members = [
                Some(("oneOf", array(import, &values))),
                by.map(|by| ("match", by)),
                default.map(|default| ("default", default)),
            ];
            let members: Vec<_> = members.into_iter().flatten().collect();
            (None, Some(object(import, &members)))
        }
    };
    Variant {
        value,
        matchers: rule.map(|rule| (place, rule)).into_iter().collect(),
    }
}

/// Several acceptable values, and the one that stands for an argument that is left out, if it may be.
struct Acceptable<'a> {
    values: Vec<Json<'a>>,
    default: Option<Json<'a>>,
}

impl<'a> Acceptable<'a> {
    /// The leaderboard compares types first, so a text is acceptable only beside texts, and an empty list where all
    /// others are lists.
    fn of(listed: &[Json<'a>]) -> Self {
        const NOTHING: Json<'static> = Json::Array(&[]);
        let mut values: Vec<_> = listed
            .iter()
            .copied()
            .filter(|it| *it != LEFT_OUT)
            .collect();
        if values.len() == listed.len() {
            return Self {
                values,
                default: None,
            };
        }
        let first = values.first().copied();
        let mut typed = values.iter().filter(|value| !value.is_null());
        let is_untyped = typed.clone().next().is_none();
        let has_texts = typed.clone().any(|value| value.as_str().is_some());
        let are_lists = typed.all(|value| value.items().is_some());
        values.extend((has_texts || is_untyped).then_some(LEFT_OUT));
        values.extend(are_lists.then_some(NOTHING));
        let default = first.filter(|_| !has_texts).unwrap_or(LEFT_OUT);
        Self {
            values,
            default: Some(default),
        }
    }
}

/// Whether the leaderboard normalizes a value before it compares: texts, and the texts in a list that is an argument.
fn is_normalized(value: Json<'_>, depth: Depth) -> bool {
    let is_text = |value: &Json<'_>| value.as_str().is_some() && *value != LEFT_OUT;
    match (value, depth) {
        (Json::Array(items), Depth::Call) => items.iter().any(is_text),
        (value, _) => is_text(&value),
    }
}

fn holds_objects(value: Json<'_>) -> bool {
    match value {
        Json::Object(_) => true,
        Json::Array(items) => items.iter().any(|item| holds_objects(*item)),
        _ => false,
    }
}

/// All ways to match a value that contains objects. An object lists the acceptable values of its members, or else it is
/// the acceptable value itself.
fn variants_of_value<'a>(
    value: Json<'a>,
    path: &Path,
    at: &Path,
    import: &mut Import<'a>,
) -> Result<Vec<Variant<'a>>> {
    let items = match value {
        Json::Object(members) if members.iter().all(|(_, it)| it.items().is_some()) => {
            return variants_of_object(members, (path, Depth::Object), at, import);
        }
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
    use bumpalo::Bump;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    /// Returns the expectations of an answer, and the paths of the warnings.
    fn read(truth: &str) -> (String, Vec<String>) {
        let arena = Bump::new();
        let mut import = Import::new(Reader::new(&arena, Limits::default()));
        let truth = arena_json(&arena, truth).items().expect("a list");
        let read = read_answers(truth, &Path::root(), &mut import).expect("an answer");
        let paths = import.warnings.into_iter().map(|warning| warning.path);
        (serde_json::to_string(&read).expect("JSON"), paths.collect())
    }

    #[test]
    fn acceptable_values_become_matchers() {
        let (value, warnings) = read(
            r#"[
                {"area":{"base":[10],"unit":["cm","m",""],"tags":[["a","b"]]}},
                {"order":{"drink":[{"size":["large"],"milk":["oat","soy"],"note":["hot",""]}]}},
                {"mail":{"to":[[{"name":["Ann"]},{"name":["Bob","Robert"]}]]}},
                {"noop":{}}]"#,
        );
        assert!(warnings.is_empty());
        let calls = [
            r#"{"tool":"area","args":{"base":10,"tags":["a","b"]},"matchers":{"unit":{"oneOf":["cm","m",""],"match":"normalized","default":""},"tags":"normalized"}}"#,
            r#"{"tool":"order","args":{"drink":{"size":"large"}},"matchers":{"drink.size":"normalized","drink.milk":{"oneOf":["oat","soy"],"match":"normalized"},"drink.note":{"oneOf":["hot",""],"match":"normalized","default":""}}}"#,
            r#"{"tool":"mail","args":{"to":[{"name":"Ann"},{}]},"matchers":{"to[0].name":"normalized","to[1].name":{"oneOf":["Bob","Robert"],"match":"normalized"}}}"#,
            r#"{"tool":"noop","args":{}}"#,
        ];
        assert_eq!(value, format!(r#"{{"calls":[{}]}}"#, calls.join(",")));
    }

    #[test]
    fn several_acceptable_objects_are_alternatives() {
        let (value, _) = read(r#"[{"f":{"a":[{"x":[1]},{"y":[2]}],"b":[3]}}]"#);
        assert_eq!(
            value,
            r#"{"calls":[{"anyOf":[{"tool":"f","args":{"a":{"x":1},"b":3}},{"tool":"f","args":{"a":{"y":2},"b":3}}]}]}"#
        );
        let (value, _) = read(r#"[{"f":{"a":[{"x":[1]},""]}}]"#);
        assert_eq!(
            value,
            r#"{"calls":[{"tool":"f","args":{"a":{"x":1}},"matchers":{"a":{"optional":true}}}]}"#
        );
        let many = r#"[{"x":[1]},{"x":[2]},{"x":[3]},{"x":[4]}]"#;
        let (_, warnings) = read(&format!(
            r#"[{{"f":{{"a":{many},"b":{many},"c":{many},"d":{many}}}}}]"#
        ));
        assert_eq!(warnings.len(), 1);
    }

    #[test]
    fn only_texts_that_the_leaderboard_normalizes_are_normalized() {
        let (value, _) =
            read(r#"[{"f":{"rows":[[["a"],["b"]]],"store":[{"kinds":[["x y"]],"name":["z"]}]}}]"#);
        assert_eq!(
            value,
            r#"{"calls":[{"tool":"f","args":{"rows":[["a"],["b"]],"store":{"kinds":["x y"],"name":"z"}},"matchers":{"store.name":"normalized"}}]}"#
        );
    }

    #[test]
    fn an_argument_that_may_be_left_out_has_a_default() {
        let rows = [
            (
                r#"["a",""]"#,
                r#"{"oneOf":["a",""],"match":"normalized","default":""}"#,
            ),
            (r#"[5,6,""]"#, r#"{"oneOf":[5,6],"default":5}"#),
            (r#"[[1],""]"#, r#"{"oneOf":[[1],[]],"default":[1]}"#),
            (r#"[""]"#, r#"{"oneOf":["",[]],"default":""}"#),
            (r#"[null,""]"#, r#"{"oneOf":[null,"",[]],"default":null}"#),
        ];
        for (values, rule) in rows {
            let (value, _) = read(&format!(r#"[{{"f":{{"n":{values}}}}}]"#));
            let call = format!(r#"{{"tool":"f","args":{{}},"matchers":{{"n":{rule}}}}}"#);
            assert_eq!(value, format!(r#"{{"calls":[{call}]}}"#));
        }
    }

    #[test]
    fn an_object_with_plain_members_is_the_value_itself() {
        let (value, warnings) = read(
            r#"[{"f":{"ego":[{"position":[{"lateral":10.5}],"lane":[3]}],"meta":[{"format":"ms"}]}}]"#,
        );
        assert_eq!(
            value,
            r#"{"calls":[{"tool":"f","args":{"ego":{"position":{"lateral":10.5},"lane":3},"meta":{"format":"ms"}}}]}"#
        );
        assert!(warnings.is_empty());
    }

    #[test]
    fn without_acceptable_values_no_call_fits_and_a_warning_says_so() {
        let (value, warnings) = read(r#"[{"f":{"start":[],"n":[1]}}]"#);
        assert_eq!(
            value,
            r#"{"calls":[{"tool":"f","args":{"n":1},"matchers":{"start":{"oneOf":[]}}}]}"#
        );
        assert_eq!(warnings, ["[0].f.start"]);
    }
}
