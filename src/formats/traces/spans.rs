//! Spans of OpenTelemetry: OTLP JSON, whose attributes are lists of `{key, value: {stringValue}}`, and
//! the lists of objects that SDKs and trace stores export.

use std::collections::BTreeMap;

use super::events::Event;
use super::figures;
use super::trace::{Node, Time};
use crate::kit::Import;
use crate::kit::fields::Fields;
use crate::kit::marks::{Mark, both, marks};
use crate::kit::signs::{MOST_LOOKED_AT, items};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Member, Number, Path};

/// Flattened keys are split into at most this many parts. The last part is the rest of the key.
const MOST_STEPS: usize = 24;

/// Members that hold spans or log records, or what holds them: of OTLP, Jaeger, Tempo and trace stores.
const HOLDERS: [&str; 13] = [
    "resourceSpans",
    "resource_spans",
    "batches",
    "scopeSpans",
    "scope_spans",
    "instrumentationLibrarySpans",
    "resourceLogs",
    "resource_logs",
    "scopeLogs",
    "scope_logs",
    "logRecords",
    "log_records",
    "spans",
];

/// Every document with spans has one of these names, or one of [`HOLDERS`]. Messages of the conventions alone have
/// `parts`.
const OTHER_MARKS: [&str; 8] = [
    "attributes",
    "tags",
    "gen_ai",
    "eventName",
    "event_name",
    "data",
    "trace",
    "parts",
];

/// The marks of documents with spans.
pub const MARKS: [Mark; 21] = both(marks(HOLDERS), marks(OTHER_MARKS));

/// The beginning of the columns with attributes in a table of spans.
const COLUMN: &str = "attributes.";

/// Members with the attributes of a span, in OTLP and in Jaeger.
const ATTRIBUTES: [&str; 2] = ["attributes", "tags"];

/// Members with the name of a span.
const NAMES: [&str; 3] = ["name", "operationName", "span_name"];

/// Members with the name of a log record's event.
const EVENT_NAMES: [&str; 2] = ["eventName", "event_name"];

/// One span, or the events that are logged for it.
pub struct Span<'a> {
    /// The object of the span.
    pub fields: Fields<'a>,
    /// Its attributes, an object.
    attributes: Json<'a>,
    /// Its events.
    pub events: Vec<Event<'a>>,
    /// Whether it is no span, but the events that are logged for one.
    is_logged: bool,
}

/// The first of the members `keys` that is not `null`.
pub fn first_of<'a>(value: Json<'a>, keys: &[&str]) -> Option<Json<'a>> {
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
    let has = |span: Json<'_>| has_any(attributes_of(span), prefixes);
    let is_named = |record: Json<'_>| {
        let name = event_name(record).unwrap_or_default();
        prefixes.iter().any(|prefix| name.starts_with(prefix))
    };
    Some(spans.iter().any(|(span, _)| {
        has(*span)
            || is_named(*span)
            || items(*span, "events").iter().any(|event| has(*event))
            || members_of(*span)
                .iter()
                .any(|(key, _)| starts(key.strip_prefix(COLUMN), prefixes))
    }))
}

fn starts(key: Option<&str>, prefixes: &[&str]) -> bool {
    key.is_some_and(|key| prefixes.iter().any(|prefix| key.starts_with(prefix)))
}

fn has_any(attributes: Json<'_>, prefixes: &[&str]) -> bool {
    let fits = |key: &str| starts(Some(key), prefixes);
    let fits_group = |key: &str, value: Json<'_>| {
        value.members().is_some() && prefixes.iter().any(|it| it.strip_suffix('.') == Some(key))
    };
    match attributes {
        Json::Array(list) => list
            .iter()
            .any(|it| it.get("key").and_then(Json::as_str).is_some_and(fits)),
        Json::Object(members) => members
            .iter()
            .any(|(key, value)| fits(key) || fits_group(key, *value)),
        // A column of a table may hold the attributes as JSON text.
        Json::String(text) => prefixes
            .iter()
            .any(|prefix| text.contains(&format!("\"{prefix}"))),
        _ => false,
    }
}

fn members_of(value: Json<'_>) -> &[Member<'_>] {
    value.members().unwrap_or_default()
}

fn attributes_of(value: Json<'_>) -> Json<'_> {
    match first_of(value, &ATTRIBUTES) {
        Some(attributes) => attributes,
        None if is_bare(value) => value,
        None => Json::Null,
    }
}

/// Whether a value is the attributes of a span without the span around them.
fn is_bare(value: Json<'_>) -> bool {
    let is_other = ["role", "event.name", "parts", "content", "type"];
    members_of(value)
        .iter()
        .any(|(key, _)| key.starts_with("gen_ai."))
        && !is_other.iter().any(|key| value.get(key).is_some())
}

fn is_span(value: Json<'_>) -> bool {
    let has_attributes = match first_of(value, &ATTRIBUTES) {
        Some(Json::Array(_) | Json::Object(_)) => true,
        Some(Json::String(text)) => text.trim_ascii_start().starts_with('{'),
        _ => members_of(value)
            .iter()
            .any(|(key, _)| key.starts_with(COLUMN)),
    };
    has_attributes && NAMES.iter().any(|key| value.get(key).is_some()) || is_bare(value)
}

/// The name of the event that a log record holds.
fn event_name(record: Json<'_>) -> Option<&str> {
    let own = first_of(record, &EVENT_NAMES).and_then(Json::as_str);
    let attribute = || match attributes_of(record) {
        Json::Array(list) => {
            let named = list
                .iter()
                .find(|it| it.get("key").and_then(Json::as_str) == Some("event.name"));
            let value = named?.get("value")?;
            first_of(value, &["stringValue", "string_value"])?.as_str()
        }
        object => object.get("event.name")?.as_str(),
    };
    own.or_else(attribute)
}

fn is_record(value: Json<'_>) -> bool {
    let has_trace = ["traceId", "trace_id", "body", "attributes"];
    has_trace.iter().any(|key| value.get(key).is_some())
        && event_name(value).is_some_and(|name| name.starts_with("gen_ai."))
}

/// Collects the spans among the first values of a document, up to `room` of them, with their paths.
fn collect<'a>(value: Json<'a>, path: &Path, room: &mut usize, spans: &mut Vec<(Json<'a>, Path)>) {
    let Some(left) = room.checked_sub(1) else {
        return;
    };
    *room = left;
    if is_record(value) || is_span(value) {
        spans.push((value, path.clone()));
        return;
    }
    if let Json::Array(list) = value {
        for (at, item) in list.iter().enumerate().take(*room) {
            collect(*item, &path.index(at), room, spans);
        }
        return;
    }
    let is_holder = |key: &&str| value.get(key).is_some_and(|it| it.items().is_some());
    let holders = HOLDERS.into_iter().filter(is_holder);
    let around = ["data", "trace"];
    let around = around.into_iter().filter(|key| value.get(key).is_some());
    let mut keys = holders.collect::<Vec<_>>();
    if keys.is_empty() {
        keys.extend(around);
    }
    for key in keys {
        if let Some(inner @ (Json::Array(_) | Json::Object(_))) = value.get(key) {
            collect(inner, &path.key(key), room, spans);
        }
    }
}

/// All spans of a document, in order. Events that are logged apart are spans of their own, one for each span that they
/// belong to.
///
/// # Errors
/// If a span is not an object.
pub fn spans_of<'a>(document: Json<'a>, import: &Import<'a>) -> Result<Vec<Span<'a>>> {
    let mut found = Vec::new();
    let mut room = usize::MAX;
    collect(document, &Path::root(), &mut room, &mut found);
    let mut spans: Vec<Span<'a>> = Vec::new();
    let mut logged = foldhash::HashMap::default();
    for (value, path) in found {
        let fields = Fields::of(value, path, "a span: {name, attributes}")?;
        if !is_record(value) {
            spans.push(Span::of(fields, all_attributes(value, import), import));
            continue;
        }
        let (event, attributes) = record(value, import);
        let mut span = Span::new(fields, attributes, vec![event]);
        span.is_logged = true;
        let belongs = (span.trace_id(), span.own_id());
        match belongs.1.and_then(|_| logged.get(&belongs).copied()) {
            Some(at) => {
                let known: &mut Span<'a> = &mut spans[at];
                known.attributes = joined(known.attributes, attributes, import);
                known.events.extend(span.events);
            }
            None => {
                logged.insert(belongs, spans.len());
                spans.push(span);
            }
        }
    }
    Ok(spans)
}

/// The event of a log record, and the attributes that say more than its name.
fn record<'a>(value: Json<'a>, import: &Import<'a>) -> (Event<'a>, Json<'a>) {
    let attributes = decoded(attributes_of(value), import);
    let body = value.get("body").map(|body| value_of(body, import));
    let body = body.map(|body| import.nested(body)).unwrap_or_default();
    let members = joined(body, attributes, import);
    ((event_name(value).unwrap_or_default(), members), attributes)
}

/// The members of two objects.
fn joined<'a>(first: Json<'a>, second: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let first = first.members().unwrap_or_default();
    Json::Object(import.merge(first, second.members().unwrap_or_default()))
}

/// The attributes of a span, in whichever form they are written.
fn all_attributes<'a>(span: Json<'a>, import: &Import<'a>) -> Json<'a> {
    let written = import.nested(attributes_of(span));
    if !written.is_null() {
        return decoded(written, import);
    }
    let column = |(key, value): &Member<'a>| Some((key.strip_prefix(COLUMN)?, *value));
    let columns: Vec<_> = members_of(span).iter().filter_map(column).collect();
    Json::Object(import.arena().alloc_slice_copy(&columns))
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

/// Attributes as an object: `[{key, value}]` becomes one.
pub fn decoded<'a>(attributes: Json<'a>, import: &Import<'a>) -> Json<'a> {
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
    /// A span with these attributes, an object, and the events that it holds.
    pub fn of(fields: Fields<'a>, attributes: Json<'a>, import: &Import<'a>) -> Self {
        let value = fields.value();
        let events = first_of(value, &["events", "otel_events"]).map(|it| import.nested(it));
        let events = events.and_then(Json::items).unwrap_or_default();
        let read = |event: &Json<'a>| {
            let name = first_of(*event, &["name", "event_name"])?.as_str()?;
            Some((name, decoded(attributes_of(*event), import)))
        };
        let of_jaeger = |log: &Json<'a>| {
            let attributes = decoded(log.get("fields")?, import);
            let name = first_of(attributes, &["event", "name"])?.as_str()?;
            Some((name, attributes))
        };
        let logs = items(value, "logs").iter().filter_map(of_jaeger);
        let events = events.iter().filter_map(read).chain(logs).collect();
        Self::new(fields, attributes, events)
    }

    fn new(fields: Fields<'a>, attributes: Json<'a>, events: Vec<Event<'a>>) -> Self {
        Self {
            fields,
            attributes,
            events,
            is_logged: false,
        }
    }

    /// Its attributes, an object.
    pub fn attributes(&self) -> Json<'a> {
        self.attributes
    }

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
        first_of(self.fields.value(), &NAMES)?.as_str()
    }

    /// The id of the trace.
    pub fn trace_id(&self) -> Option<&'a str> {
        let span = self.fields.value();
        let keys = ["traceId", "trace_id", "traceID", "context.trace_id"];
        let context = || first_of(first_of(span, &CONTEXTS)?, &["trace_id", "traceId"]);
        first_of(span, &keys).or_else(context)?.as_str()
    }

    fn own_id(&self) -> Option<&'a str> {
        let span = self.fields.value();
        let keys = ["spanId", "span_id", "spanID", "context.span_id"];
        let context = || first_of(first_of(span, &CONTEXTS)?, &["span_id", "spanId"]);
        let own = first_of(span, &keys).or_else(context);
        own.or_else(|| first_of(span, &["id"]))?.as_str()
    }

    /// The position of the span among those of its trace.
    pub fn node(&self) -> Node<'a> {
        let span = self.fields.value();
        let parents = [
            "parentSpanId",
            "parent_span_id",
            "parent_id",
            "parentId",
            "parentObservationId",
            "parent_observation_id",
        ];
        let parent_context = || first_of(span.get("parentSpanContext")?, &["spanId"]);
        let reference = || items(span, "references").first()?.get("spanID");
        let parent = first_of(span, &parents)
            .or_else(parent_context)
            .or_else(reference);
        let parent = parent.and_then(Json::as_str).filter(|id| !id.is_empty());
        let (id, parent) = match self.is_logged {
            true => (None, self.own_id()),
            false => (self.own_id(), parent),
        };
        Node {
            id,
            parent,
            time: Time::of(self.start()),
        }
    }

    /// The start time, as the source writes it.
    pub fn time(&self, import: &Import<'a>) -> Option<&'a str> {
        self.start().map(|time| figures::label(time, import))
    }

    fn start(&self) -> Option<Json<'a>> {
        let keys = [
            "startTimeUnixNano",
            "start_time_unix_nano",
            "startTime",
            "start_time",
            "start_timestamp",
            "timestamp",
            "timeUnixNano",
            "time_unix_nano",
        ];
        first_of(self.fields.value(), &keys)
    }

    /// The error of the span. `None` if it succeeded.
    pub fn error(&self) -> Option<Json<'a>> {
        let span = self.fields.value();
        let status = span.get("status").unwrap_or_default();
        let codes = ["status_code", "statusCode", "otel_status_code", "level"];
        let code = first_of(status, &["code", "status_code", "statusCode"])
            .or(first_of(span, &codes))
            .or(self.get("otel.status_code"))
            .or(Some(status));
        let failed = match code {
            Some(Json::Number(code)) => code == Number::Unsigned(2),
            Some(Json::String(code)) => code.to_ascii_uppercase().ends_with("ERROR"),
            _ => false,
        };
        if !failed {
            return None;
        }
        let thrown = self.events.iter().find_map(|(name, attributes)| {
            let message = member(*attributes, "exception.message");
            message.filter(|_| *name == "exception")
        });
        let is_said = |text: &Json<'_>| text.as_str() != Some("");
        let said = first_of(status, &["message", "description"])
            .or(first_of(
                span,
                &["status_message", "statusMessage", "otel_status_message"],
            ))
            .or(self.get("otel.status_description"))
            .filter(is_said);
        said.or(thrown)
            .or(self.get("error.type"))
            .or(Some(Json::String("ERROR")))
    }

    /// Whether the flattened list below `prefix` lacks its beginning, because the number of attributes is limited.
    pub fn is_cut_off(&self, prefix: &str) -> bool {
        let index = |key: &str| {
            let rest = key.strip_prefix(prefix)?.strip_prefix('.')?;
            rest.split('.').next()?.parse::<u64>().ok()
        };
        let attributes = self.attributes.members().unwrap_or_default();
        let first = attributes.iter().filter_map(|(key, _)| index(key)).min();
        first.is_some_and(|first| first > 0)
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
