//! Spans of OpenTelemetry: OTLP JSON, whose attributes are lists of `{key, value: {stringValue}}`, and
//! the lists of objects that SDKs and trace stores export.

use std::collections::BTreeMap;

use super::trace::{Node, Time};
use crate::kit::Import;
use crate::kit::fields::Fields;
use crate::kit::signs::{MOST_LOOKED_AT, items};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Number, Path};

/// Flattened keys are split into at most this many parts. The last part is the rest of the key.
const MOST_STEPS: usize = 24;

const RESOURCE_SPANS: [&str; 2] = ["resourceSpans", "resource_spans"];
const SCOPE_SPANS: [&str; 3] = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"];

/// One span.
pub struct Span<'a> {
    /// The object of the span.
    pub fields: Fields<'a>,
    /// Its attributes, an object.
    attributes: Json<'a>,
}

/// The first of the members `keys` that is not `null`.
fn first_of<'a>(value: Json<'a>, keys: &[&str]) -> Option<Json<'a>> {
    let found = keys.iter().filter_map(|key| value.get(key));
    found.into_iter().find(|value| !value.is_null())
}

/// Whether a span of the document has an attribute that starts with one of `prefixes`. `None` if there
/// are no spans.
pub fn has_attribute(document: Json<'_>, prefixes: &[&str]) -> Option<bool> {
    let mut spans = Vec::new();
    let mut room = MOST_LOOKED_AT;
    collect(document, &Path::root(), &mut room, &mut spans);
    if spans.is_empty() {
        return None;
    }
    let fits = |key: &str| prefixes.iter().any(|prefix| key.starts_with(prefix));
    let fits_group = |key: &str, value: Json<'_>| {
        value.members().is_some() && prefixes.iter().any(|it| it.strip_suffix('.') == Some(key))
    };
    let has = |span: Json<'_>| match attributes_of(span) {
        Json::Array(list) => list
            .iter()
            .any(|it| it.get("key").and_then(Json::as_str).is_some_and(fits)),
        Json::Object(members) => members
            .iter()
            .any(|(key, value)| fits(key) || fits_group(key, *value)),
        _ => false,
    };
    Some(
        spans
            .iter()
            .any(|(span, _)| has(*span) || items(*span, "events").iter().any(|event| has(*event))),
    )
}

fn attributes_of(value: Json<'_>) -> Json<'_> {
    value.get("attributes").unwrap_or_default()
}

/// Collects the spans among the first values of a document, up to `room` of them, with their paths.
fn collect<'a>(value: Json<'a>, path: &Path, room: &mut usize, spans: &mut Vec<(Json<'a>, Path)>) {
    let Some(left) = room.checked_sub(1) else {
        return;
    };
    *room = left;
    let is_span = |value: Json<'_>| {
        let attributes = attributes_of(value);
        matches!(attributes, Json::Array(_) | Json::Object(_)) && value.get("name").is_some()
    };
    if is_span(value) {
        spans.push((value, path.clone()));
        return;
    }
    let list = value.items().map(|list| (list, path.clone()));
    let keys = RESOURCE_SPANS
        .iter()
        .chain(&SCOPE_SPANS)
        .chain(&["spans", "data"]);
    let key = keys.into_iter().find(|key| value.get(key).is_some());
    let inner = || key.map(|key| (items(value, key), path.key(key)));
    let Some((list, path)) = list.or_else(inner) else {
        return;
    };
    for (at, item) in list.iter().enumerate().take(*room) {
        collect(*item, &path.index(at), room, spans);
    }
}

/// All spans of a document, in order.
///
/// # Errors
/// If a span is not an object.
pub fn spans_of<'a>(document: Json<'a>, import: &Import<'a>) -> Result<Vec<Span<'a>>> {
    let mut spans = Vec::new();
    let mut room = usize::MAX;
    collect(document, &Path::root(), &mut room, &mut spans);
    let read = |(span, path): (Json<'a>, Path)| {
        Ok(Span {
            fields: Fields::of(span, path, "a span: {name, attributes}")?,
            attributes: decoded(attributes_of(span), import),
        })
    };
    spans.into_iter().map(read).collect()
}

/// The spans of each trace. Traces are in the order of their first span.
pub fn by_trace<'a>(spans: Vec<Span<'a>>) -> Vec<Vec<Span<'a>>> {
    let mut traces: Vec<Vec<Span<'a>>> = Vec::new();
    let mut by_id = foldhash::HashMap::default();
    for span in spans {
        let at = *by_id.entry(span.trace_id()).or_insert_with(|| {
            traces.push(Vec::new());
            traces.len() - 1
        });
        traces[at].push(span);
    }
    traces
}

/// The attributes as an object, in whichever form they are written.
fn decoded<'a>(attributes: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let Json::Array(list) = attributes else {
        return attributes;
    };
    let member = |item: &Json<'a>| {
        let key = item.get("key")?.as_str()?;
        Some((key, value_of(item.get("value")?, import)))
    };
    let members: Vec<_> = list.iter().filter_map(member).collect();
    Json::Object(import.arena().alloc_slice_copy(&members))
}

/// The value in `{stringValue}`, `{intValue}` and the like of OTLP.
fn value_of<'a>(value: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let Json::Object([(key, inner)]) = value else {
        return value;
    };
    match (*key, *inner) {
        ("intValue" | "int_value", Json::String(text)) => match text.parse::<i64>() {
            Ok(number) => Json::Number(match u64::try_from(number) {
                Ok(number) => Number::Unsigned(number),
                Err(_) => Number::Negative(number),
            }),
            Err(_) => *inner,
        },
        ("arrayValue" | "array_value", list) => {
            let values = items(list, "values").iter().map(|it| value_of(*it, import));
            let values: Vec<_> = values.collect();
            Json::Array(import.arena().alloc_slice_copy(&values))
        }
        ("kvlistValue" | "kvlist_value", list) => {
            decoded(list.get("values").unwrap_or_default(), import)
        }
        (
            "stringValue" | "string_value" | "intValue" | "int_value" | "doubleValue"
            | "double_value" | "boolValue" | "bool_value" | "bytesValue" | "bytes_value",
            inner,
        ) => inner,
        _ => value,
    }
}

impl<'a> Span<'a> {
    /// The attribute `key`, which may be nested in objects.
    pub fn get(&self, key: &str) -> Option<Json<'a>> {
        member(self.attributes, key)
    }

    /// The text of the first of `keys` that is an attribute.
    pub fn text(&self, keys: &[&str]) -> Option<&'a str> {
        keys.iter().find_map(|key| self.get(key)?.as_str())
    }

    /// The name of the span.
    pub fn name(&self) -> Option<&'a str> {
        self.fields.text("name")
    }

    /// The id of the trace.
    pub fn trace_id(&self) -> Option<&'a str> {
        let span = self.fields.value();
        let own = first_of(span, &["traceId", "trace_id", "traceID"]);
        let context = || first_of(first_of(span, &CONTEXTS)?, &["trace_id", "traceId"]);
        own.or_else(context)?.as_str()
    }

    /// The position of the span among those of its trace.
    pub fn node(&self) -> Node<'a> {
        let span = self.fields.value();
        let own = first_of(span, &["spanId", "span_id"]);
        let context = || first_of(first_of(span, &CONTEXTS)?, &["span_id", "spanId"]);
        let id = own.or_else(context).or_else(|| first_of(span, &["id"]));
        let parents = ["parentSpanId", "parent_span_id", "parent_id", "parentId"];
        let parent_context = || first_of(span.get("parentSpanContext")?, &["spanId"]);
        let parent = first_of(span, &parents).or_else(parent_context);
        Node {
            id: id.and_then(Json::as_str),
            parent: parent.and_then(Json::as_str).filter(|id| !id.is_empty()),
            time: Time::of(self.start()),
        }
    }

    /// The start time, as the source writes it.
    pub fn time(&self, import: &Import<'a>) -> Option<&'a str> {
        self.start().map(|time| import.label(time))
    }

    fn start(&self) -> Option<Json<'a>> {
        let keys = [
            "startTimeUnixNano",
            "start_time_unix_nano",
            "startTime",
            "start_time",
            "timestamp",
        ];
        first_of(self.fields.value(), &keys)
    }

    /// The events: the name and the attributes of each.
    pub fn events(&self, import: &Import<'a>) -> Vec<(&'a str, Json<'a>)> {
        let events = self.fields.get("events").and_then(Json::items);
        let read = |event: &Json<'a>| {
            let name = event.get("name")?.as_str()?;
            Some((name, decoded(attributes_of(*event), import)))
        };
        events.unwrap_or_default().iter().filter_map(read).collect()
    }

    /// The error of the span. `None` if it succeeded.
    pub fn error(&self, import: &Import<'a>) -> Option<Json<'a>> {
        let span = self.fields.value();
        let status = span.get("status").unwrap_or_default();
        let code = first_of(status, &["code", "status_code", "statusCode"])
            .or(first_of(span, &["status_code", "statusCode"]))
            .or(Some(status));
        let failed = match code {
            Some(Json::Number(code)) => code == Number::Unsigned(2),
            Some(Json::String(code)) => code.to_ascii_uppercase().ends_with("ERROR"),
            _ => false,
        };
        if !failed {
            return None;
        }
        let thrown = self
            .events(import)
            .into_iter()
            .find_map(|(name, attributes)| {
                let message = member(attributes, "exception.message");
                message.filter(|_| name == "exception")
            });
        let is_said = |text: &Json<'_>| text.as_str() != Some("");
        let said = first_of(status, &["message", "description"])
            .or(first_of(span, &["status_message", "statusMessage"]))
            .filter(is_said);
        said.or(thrown)
            .or(self.get("error.type"))
            .or(Some(Json::String("ERROR")))
    }

    /// The value that the flattened attributes below `prefix` describe. Numbered keys make lists.
    /// `None` if there are no such attributes.
    pub fn unflattened(&self, prefix: &str, import: &Import<'a>) -> Option<Json<'a>> {
        let whole = self.get(prefix).map(|whole| import.nested(whole));
        if let Some(whole @ (Json::Array(_) | Json::Object(_))) = whole {
            return Some(whole);
        }
        let mut tree = Tree::Branch(BTreeMap::new());
        for (key, value) in self.attributes.members().unwrap_or_default() {
            let rest = key
                .strip_prefix(prefix)
                .and_then(|rest| rest.strip_prefix('.'));
            if let Some(rest) = rest {
                tree.insert(rest, *value);
            }
        }
        match tree {
            Tree::Branch(branch) if branch.is_empty() => None,
            tree => Some(tree.into_json(import)),
        }
    }
}

const CONTEXTS: [&str; 2] = ["context", "spanContext"];

/// The member of `value` for a key with dots: a member with that name, or one in nested objects.
pub fn member<'a>(value: Json<'a>, key: &str) -> Option<Json<'a>> {
    if let Some(found) = value.get(key) {
        return Some(found);
    }
    let dots = key.match_indices('.');
    dots.into_iter().find_map(|(dot, _)| {
        let inner = value.get(&key[..dot])?;
        inner.members()?;
        member(inner, &key[dot + 1..])
    })
}

/// The value that keys with dots describe.
enum Tree<'a> {
    Leaf(Json<'a>),
    Branch(BTreeMap<Step<'a>, Tree<'a>>),
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Step<'a> {
    Index(u64),
    Name(&'a str),
}

impl<'a> Tree<'a> {
    fn insert(&mut self, key: &'a str, value: Json<'a>) {
        let mut tree = self;
        for step in key.splitn(MOST_STEPS, '.') {
            let step = step.parse().map_or(Step::Name(step), Step::Index);
            if let Self::Leaf(_) = tree {
                *tree = Self::Branch(BTreeMap::new());
            }
            let Self::Branch(branch) = tree else { return };
            tree = branch.entry(step).or_insert(Self::Branch(BTreeMap::new()));
        }
        if matches!(tree, Self::Branch(branch) if branch.is_empty()) {
            *tree = Self::Leaf(value);
        }
    }

    fn into_json(self, import: &Import<'a>) -> Json<'a> {
        let branch = match self {
            Self::Leaf(value) => return value,
            Self::Branch(branch) => branch,
        };
        if branch.keys().all(|step| matches!(step, Step::Index(_))) {
            let items = branch.into_values().map(|tree| tree.into_json(import));
            let items: Vec<_> = items.collect();
            return Json::Array(import.arena().alloc_slice_copy(&items));
        }
        let members: Vec<Member<'a>> = branch
            .into_iter()
            .map(|(step, tree)| {
                let key = match step {
                    Step::Name(name) => name,
                    Step::Index(index) => import.arena().alloc_str(&index.to_string()),
                };
                (key, tree.into_json(import))
            })
            .collect();
        Json::Object(import.arena().alloc_slice_copy(&members))
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn unflattened(attributes: &str, prefix: &str) -> Option<String> {
        let arena = Bump::new();
        let import = Import::new(Reader::new(&arena, Limits::default()));
        let span = arena_json(
            &arena,
            &format!(r#"{{"name":"s","attributes":{attributes}}}"#),
        );
        let spans = spans_of(span, &import).expect("a span");
        let value = spans[0].unflattened(prefix, &import)?;
        Some(serde_json::to_string(&value).expect("JSON"))
    }

    #[test]
    fn flattened_keys_become_lists_and_objects() {
        assert_eq!(
            unflattened(
                r#"{"m.10.x":3,"m.2.x":2,"m.0.x":1,"m.0.y.0":"a","other":1}"#,
                "m"
            )
            .as_deref(),
            Some(r#"[{"x":1,"y":["a"]},{"x":2},{"x":3}]"#)
        );
        assert_eq!(
            unflattened(r#"{"m.1000000000.x":1}"#, "m").as_deref(),
            Some(r#"[{"x":1}]"#)
        );
        assert_eq!(
            unflattened(r#"{"m.99999999999999999999999.x":1,"m.a":2,"m.7":3}"#, "m").as_deref(),
            Some(r#"{"7":3,"99999999999999999999999":{"x":1},"a":2}"#)
        );
        assert_eq!(
            unflattened(r#"{"m":[{"x":1}]}"#, "m").as_deref(),
            Some(r#"[{"x":1}]"#)
        );
        assert_eq!(
            unflattened(r#"{"a":{"m":"[1]"}}"#, "a.m").as_deref(),
            Some("[1]")
        );
        assert_eq!(
            unflattened(r#"{"m.a":1,"m.a.b":2,"m.a.c":3}"#, "m").as_deref(),
            Some(r#"{"a":{"b":2,"c":3}}"#)
        );
        assert_eq!(unflattened(r#"{"n.a":1}"#, "m"), None);
        let long = format!(r#"{{"m.{}":1}}"#, "a.".repeat(100_000));
        assert!(unflattened(&long, "m").is_some());
    }

    #[test]
    fn otlp_values_are_unwrapped() {
        let wrapped = r#"[{"key":"m.a","value":{"stringValue":"x"}},{"key":"m.b","value":{"intValue":"-7"}},
            {"key":"m.c","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":0.5}]}}},
            {"key":"m.d","value":{"kvlistValue":{"values":[{"key":"k","value":{"intValue":3}}]}}},{"key":7}]"#;
        assert_eq!(
            unflattened(wrapped, "m").as_deref(),
            Some(r#"{"a":"x","b":-7,"c":[true,0.5],"d":{"k":3}}"#)
        );
    }
}
