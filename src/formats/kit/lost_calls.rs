//! Finds what looks like a call in a document and was not imported. This knows no format, because a reader
//! can't know what it misses.

use foldhash::HashMap;

use super::fields::is_one_of;
use super::import::Import;
use super::signs::kind;
use toolgauge_model::{Json, Member, Path, Trajectory};

/// The most places that the warning lists.
const MOST_PLACES: usize = 3;

/// The most calls that are kept to be reported.
const MOST_LOST: usize = 1_000;

/// The most imported calls of one name that a call is compared with.
const MOST_COMPARED: usize = 200;

/// The deepest nesting that is searched, because each level takes stack.
const DEEPEST: usize = 1_000;

/// The members that hold a list of calls.
const LISTS: [&str; 9] = [
    "tool_calls",
    "toolCalls",
    "invalid_tool_calls",
    "toolInvocations",
    "tool_invocations",
    "function_calls",
    "functionCalls",
    "tools_called",
    "toolsCalled",
];

/// The members that hold one call.
const WRAPPERS: [&str; 5] = [
    "function_call",
    "functionCall",
    "toolUse",
    "toolInvocation",
    "function",
];

/// The members that hold the arguments of a call.
const ARGUMENTS: [&str; 10] = [
    "arguments",
    "inputParameters",
    "input_parameters",
    "tool_kwargs",
    "toolArgs",
    "args",
    "input",
    "rawInput",
    "rawArgs",
    "Arguments",
];

/// The members of a call that may hold its name and its arguments.
const INNER: [&str; 6] = [
    "function",
    "custom",
    "payload",
    "functionCall",
    "toolInvocation",
    "toolUse",
];

/// The members that name the tool of a call.
const NAMES: [&str; 8] = [
    "name",
    "toolName",
    "tool_name",
    "function_name",
    "functionName",
    "FunctionName",
    "tool",
    "function",
];

/// The members that only the id of a call has.
const CALL_IDS: [&str; 6] = [
    "call_id",
    "callId",
    "callID",
    "tool_call_id",
    "toolCallId",
    "toolUseId",
];

/// The other members that may hold the id of a call. Some calls have two ids.
const IDS: [&str; 2] = ["id", "Id"];

/// The members that hold a type.
const TYPES: [&str; 5] = ["type", "part_kind", "stepType", "block_type", "$type"];

/// The types of calls.
const KINDS: [&str; 16] = [
    "tool_use",
    "server_tool_use",
    "mcp_tool_use",
    "function_call",
    "custom_tool_call",
    "mcp_call",
    "tool-call",
    "tool_call",
    "toolCall",
    "functionCall",
    "function-call",
    "tool-invocation",
    "dynamic-tool",
    "tool-input-available",
    "function",
    "FunctionCallContent",
];

/// The members that hold definitions of tools.
const DEFINITIONS: [&str; 8] = [
    "tools",
    "functions",
    "parameters",
    "properties",
    "input_schema",
    "inputSchema",
    "schema",
    "tool_definitions",
];

/// The other members in which there is no call that the agent made: results, and what should have been called.
const OTHERS: [&str; 15] = [
    "toolConfig",
    "tool_config",
    "functionResponse",
    "function_response",
    "toolResult",
    "tool_result",
    "tool_call_chunks",
    "reference",
    "rejected",
    "expected_tools",
    "expectedTools",
    "expected_calls",
    "ground_truth",
    "expectations",
    "examples",
];

/// No shorter text holds a call as JSON.
const SHORTEST: usize = 24;

/// What ADK writes as the tool of a span that is no call: it holds the results of several calls together.
pub const MERGED_TOOLS: &str = "(merged tools)";

/// Adds a warning if `document` holds what looks like calls and `trajectories` lack them. What another warning
/// reports already is left out.
pub fn report_lost_calls<'a>(
    document: Json<'a>,
    trajectories: &[Trajectory<'a>],
    import: &mut Import<'a>,
) {
    let mut search = Search {
        known: Known::of(trajectories),
        lost: Vec::new(),
        import,
    };
    search.value(document, None);
    let Search { known, lost, .. } = search;
    let lost = known.without_spare(lost);
    let is_reported = |path: &Path| {
        let mut warnings = import.warnings.iter();
        warnings.any(|warning| is_within(path.as_str(), &warning.path))
    };
    let lost: Vec<_> = lost
        .into_iter()
        .filter(|it| !is_reported(&it.path))
        .collect();
    if !lost.is_empty() {
        import.warn(&Path::root(), description(&lost));
    }
}

#[cold]
fn description(lost: &[Lost<'_>]) -> String {
    let places = lost.iter().take(MOST_PLACES);
    let places: Vec<_> = places
        .map(|it| match it.path.is_root() {
            true => it.seen.name.to_owned(),
            false => format!("{} at {}", it.seen.name, it.path.shortened()),
        })
        .collect();
    let (subject, verb) = match lost.len() {
        1 => ("1 call".to_owned(), "was"),
        MOST_LOST => (format!("{MOST_LOST} calls or more"), "were"),
        count => (format!("{count} calls"), "were"),
    };
    let more = match lost.len() > places.len() {
        true => ", …",
        false => "",
    };
    format!(
        "{subject} in the document {verb} not imported: {}{more}",
        places.join(", ")
    )
}

/// Whether `path` is `outer`, or inside of it, or around it. The whole document is no place.
fn is_within(path: &str, outer: &str) -> bool {
    let is_in = |path: &str, outer: &str| {
        let rest = path.strip_prefix(outer);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    !outer.is_empty() && (is_in(path, outer) || is_in(outer, path))
}

/// What looks like a call.
#[derive(Clone, Copy)]
struct Seen<'a> {
    /// The object that has the id.
    outer: Json<'a>,
    /// The object that has the name and the arguments.
    inner: Json<'a>,
    name: &'a str,
}

impl<'a> Seen<'a> {
    /// `outer` as a call, if it or an object in it names a tool.
    fn of(outer: Json<'a>) -> Option<Self> {
        let inner = INNER.into_iter().filter_map(|key| outer.get(key));
        let mut places = inner.chain([outer]);
        places.find_map(|inner| {
            let name = NAMES.into_iter().find_map(|key| inner.get(key)?.as_str());
            let name = name.or_else(|| kind(inner)?.strip_prefix("tool-"))?;
            (!name.is_empty()).then_some(Self { outer, inner, name })
        })
    }

    fn has_id(&self) -> bool {
        ids_in(self.outer)
            .chain(ids_in(self.inner))
            .next()
            .is_some()
    }

    /// The arguments, if they are known. Text that holds JSON is parsed, and `null` means none.
    fn arguments(&self, import: &Import<'a>) -> Option<Json<'a>> {
        let holders = [Some(self.inner), self.inner.get("state")];
        let mut holders = holders.into_iter().flatten();
        let found =
            holders.find_map(|holder| ARGUMENTS.into_iter().find_map(|key| holder.get(key)))?;
        let found = Some(import.nested(found)).filter(|it| !it.is_null());
        Some(found.unwrap_or(Json::Object(&[])))
    }
}

/// Whether the members of an object that has arguments say that it is a call.
fn is_call(object: Json<'_>) -> bool {
    let has = |key: &str| object.get(key).is_some_and(|it| it.as_str().is_some());
    let mut kinds = TYPES
        .into_iter()
        .filter_map(|key| object.get(key)?.as_str());
    let is_plain =
        || has("id") && (object.get("arguments").is_some() || object.get("args").is_some());
    let is_call =
        kinds.any(|kind| is_one_of(kind, &KINDS)) || CALL_IDS.into_iter().any(has) || is_plain();
    is_call && !is_result(object)
}

/// The texts in `object` that may be the id of a call.
fn ids_in<'a>(object: Json<'a>) -> impl Iterator<Item = &'a str> {
    let members = object.members().unwrap_or_default().iter();
    members.filter_map(|(key, value)| {
        let text = value.as_str()?;
        let is_id = matches!(key.len(), 2 | 6 | 7 | 9 | 10 | 12)
            && (is_one_of(key, &IDS) || is_one_of(key, &CALL_IDS));
        is_id.then_some(text)
    })
}

/// Whether an object is the result of a call.
fn is_result(object: Json<'_>) -> bool {
    let role = object.get("role").and_then(Json::as_str);
    let mut kinds = TYPES
        .into_iter()
        .filter_map(|key| object.get(key)?.as_str());
    matches!(role, Some("tool" | "function"))
        || kinds.any(|kind| {
            let kind = kind.to_ascii_lowercase();
            let is_of_tool = ["tool", "function", "call"]
                .iter()
                .any(|it| kind.contains(it));
            is_of_tool
                && ["result", "output", "error", "return"]
                    .iter()
                    .any(|it| kind.contains(it))
        })
}

/// A call that was not imported, and its place.
struct Lost<'a> {
    seen: Seen<'a>,
    path: Path,
}

/// A call that was imported, that the document expects, or that is already among the lost ones.
struct KnownCall<'a> {
    name: &'a str,
    arguments: Json<'a>,
    /// Whether it was found in the document.
    is_found: bool,
    /// Whether it is a lost call with an id: a call with another id is another call.
    is_lost_by_id: bool,
}

/// The calls of one name, and the one to compare with next: logs repeat calls in their order.
#[derive(Default)]
struct Named {
    calls: Vec<usize>,
    next: usize,
}

/// The calls that were imported.
#[derive(Default)]
struct Known<'a> {
    calls: Vec<KnownCall<'a>>,
    by_id: HashMap<&'a str, usize>,
    by_name: HashMap<&'a str, Named>,
    /// How many of the calls are in `by_name`, which most documents do not need.
    named: usize,
}

impl<'a> Known<'a> {
    fn of(trajectories: &[Trajectory<'a>]) -> Self {
        let mut known = Self::default();
        for trajectory in trajectories {
            for call in trajectory.turns.iter().flat_map(|turn| &turn.tool_calls) {
                if let Some(id) = call.id {
                    known.by_id.insert(id, known.calls.len());
                }
                known.add(call.name.unwrap_or_default(), call.made_arguments());
            }
            for call in trajectory.expected_calls.iter().flatten() {
                known.add(call.tool, call.args);
            }
        }
        known
    }

    fn add(&mut self, name: &'a str, arguments: Json<'a>) {
        self.calls.push(KnownCall {
            name,
            arguments,
            is_found: false,
            is_lost_by_id: false,
        });
    }

    /// Adds a lost call, so that it is found if the document repeats it.
    fn add_lost(&mut self, seen: &Seen<'a>, arguments: Json<'a>) {
        for id in ids_in(seen.outer).chain(ids_in(seen.inner)) {
            self.by_id.insert(id, self.calls.len());
        }
        self.calls.push(KnownCall {
            name: seen.name,
            arguments,
            is_found: true,
            is_lost_by_id: seen.has_id(),
        });
    }

    /// Whether `object` has the id of a call.
    fn has_id_in(&mut self, object: Json<'a>) -> bool {
        let found = ids_in(object).find_map(|id| self.by_id.get(id).copied());
        if let Some(at) = found {
            self.calls[at].is_found = true;
        }
        found.is_some()
    }

    /// The calls with this name.
    fn named(&mut self, name: &str) -> Option<&mut Named> {
        for (at, call) in self.calls.iter().enumerate().skip(self.named) {
            self.by_name.entry(call.name).or_default().calls.push(at);
        }
        self.named = self.calls.len();
        self.by_name.get_mut(name)
    }

    /// Whether there is a call of this name.
    fn has_name(&mut self, name: &str) -> bool {
        self.named(name).is_some()
    }

    /// Whether there is a call with the name of `seen` and these arguments. If there are too many calls to
    /// compare, it is taken to be one of them.
    fn has_equal(&mut self, seen: &Seen<'a>, arguments: Json<'a>) -> bool {
        let Some(named) = self.named(seen.name) else {
            return false;
        };
        let mut named = std::mem::take(named);
        let Named { calls, next } = &mut named;
        let mut order = (*next..calls.len()).chain(0..*next).take(MOST_COMPARED);
        let equal = order.find(|at| {
            let known = &self.calls[calls[*at]];
            let is_same = is_identical(known.arguments, arguments) || known.arguments == arguments;
            is_same && !(known.is_lost_by_id && seen.has_id())
        });
        if let Some(at) = equal {
            self.calls[calls[at]].is_found = true;
            *next = (at + 1) % calls.len();
        }
        let has_equal = equal.is_some() || calls.len() > MOST_COMPARED;
        if let Some(place) = self.by_name.get_mut(seen.name) {
            *place = named;
        }
        has_equal
    }

    /// The lost calls, without as many of each name as there are imported calls of this name that were not
    /// found in the document: a reader may have changed their arguments.
    fn without_spare(mut self, mut lost: Vec<Lost<'a>>) -> Vec<Lost<'a>> {
        lost.retain(|one| {
            let calls = self.named(one.seen.name).map(|named| named.calls.clone());
            let mut calls = calls.into_iter().flatten();
            let spare = calls.find(|at| !self.calls[*at].is_found);
            if let Some(at) = spare {
                self.calls[at].is_found = true;
            }
            spare.is_none()
        });
        lost
    }
}

/// Whether two values are the same place in memory: most readers keep the arguments as they are.
fn is_identical(a: Json<'_>, b: Json<'_>) -> bool {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => std::ptr::eq(a, b),
        _ => false,
    }
}

/// Where a value is: the object or list around it, and the step from there.
struct Place<'p, 'a> {
    around: Option<&'p Place<'p, 'a>>,
    holder: Json<'a>,
    step: Step<'a>,
    depth: usize,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
    /// Into the JSON in a text.
    Text,
}

impl<'p, 'a> Place<'p, 'a> {
    fn of(around: Option<&'p Place<'p, 'a>>, holder: Json<'a>, step: Step<'a>) -> Self {
        let depth = 1 + around.map_or(0, |it| it.depth);
        Self {
            around,
            holder,
            step,
            depth,
        }
    }

    /// The steps, from the innermost.
    fn steps(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |it| it.around)
    }

    fn path(&self) -> Path {
        let steps: Vec<_> = self.steps().collect();
        let add = |path: Path, place: &&Self| match place.step {
            Step::Key(key) => path.key(key),
            Step::Index(index) => path.index(index),
            Step::Text => path,
        };
        steps.iter().rev().fold(Path::root(), add)
    }

    /// Whether no call that the agent made can be here.
    fn is_other(&self) -> bool {
        self.steps().any(|place| {
            let is_key = matches!(place.step, Step::Key(key) if is_one_of(key, &OTHERS));
            is_key || is_result(place.holder)
        })
    }
}

/// What the key of a member says about its value.
#[derive(Clone, Copy, PartialEq)]
enum Meaning {
    Definitions,
    Arguments,
    Calls,
    Call,
    /// The name of an attribute, whose value is beside it.
    Attribute,
    Other,
}

/// The lengths of the keys that mean something, by two of their bytes: a filter that is cheaper than comparing texts.
const FILTER: [u64; 128] = filter();

const fn filter() -> [u64; 128] {
    let mut lengths = [0; 128];
    let lists: [&[&str]; 5] = [&LISTS, &WRAPPERS, &ARGUMENTS, &DEFINITIONS, &["key"]];
    let mut list = 0;
    while list < lists.len() {
        let mut at = 0;
        while at < lists[list].len() {
            let key = lists[list][at].as_bytes();
            lengths[place_of(key)] |= 1 << key.len();
            at += 1;
        }
        list += 1;
    }
    lengths
}

/// The place in [`FILTER`] of a key that is not empty.
const fn place_of(key: &[u8]) -> usize {
    (key[0] as usize + 3 * key[key.len() / 2] as usize) % 128
}

impl Meaning {
    fn of(key: &str) -> Self {
        let may_matter =
            matches!(key.len(), 1..64) && FILTER[place_of(key.as_bytes())] >> key.len() & 1 == 1;
        match may_matter {
            false => Self::Other,
            true if is_one_of(key, &LISTS) => Self::Calls,
            true if is_one_of(key, &WRAPPERS) => Self::Call,
            true if is_one_of(key, &ARGUMENTS) => Self::Arguments,
            true if is_one_of(key, &DEFINITIONS) => Self::Definitions,
            true if key == "key" => Self::Attribute,
            true => Self::Other,
        }
    }
}

/// The walk over a document.
struct Search<'s, 'a> {
    known: Known<'a>,
    lost: Vec<Lost<'a>>,
    import: &'s Import<'a>,
}

/// Where to go on after a member.
enum Next {
    /// With the value of the member.
    Into,
    /// With the member after it.
    Past,
    /// With what follows the object, because the object is a call.
    Out,
}

impl<'a> Search<'_, 'a> {
    fn value(&mut self, value: Json<'a>, place: Option<&Place<'_, 'a>>) {
        if place.is_some_and(|place| place.depth > DEEPEST) {
            return;
        }
        match value {
            Json::Object(members) => self.object(members, place),
            Json::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    if may_hold_calls(*item) {
                        self.value(*item, Some(&Place::of(place, value, Step::Index(at))));
                    }
                }
            }
            Json::String(text) => self.text(text, place),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }

    fn object(&mut self, members: &'a [Member<'a>], place: Option<&Place<'_, 'a>>) {
        let object = Json::Object(members);
        for (key, value) in members {
            let next = match Meaning::of(key) {
                Meaning::Other => Next::Into,
                meaning => self.member(object, (key, *value), meaning, place),
            };
            match next {
                Next::Into if may_hold_calls(*value) => {
                    self.value(*value, Some(&Place::of(place, object, Step::Key(key))));
                }
                Next::Into if is_attribute(key) && value.as_str() != Some(MERGED_TOOLS) => {
                    self.attribute(*value, &Place::of(place, object, Step::Key(key)));
                }
                Next::Into | Next::Past => {}
                Next::Out => return,
            }
        }
    }

    /// Notes the calls that a member of `object` is or holds, or the object itself if the member shows that it
    /// is a call.
    fn member(
        &mut self,
        object: Json<'a>,
        (key, value): Member<'a>,
        meaning: Meaning,
        place: Option<&Place<'_, 'a>>,
    ) -> Next {
        let inside = Place::of(place, object, Step::Key(key));
        match meaning {
            Meaning::Definitions => Next::Past,
            Meaning::Arguments => self.arguments(object, place),
            Meaning::Calls => {
                self.calls(value, &inside);
                Next::Past
            }
            Meaning::Call => self.call(object, (key, value), &inside),
            Meaning::Attribute => {
                let is_name = value.as_str().is_some_and(is_attribute);
                let value = object.get("value").filter(|_| is_name);
                if let Some(value) = value {
                    self.attribute(value.get("stringValue").unwrap_or(value), &inside);
                }
                Next::Into
            }
            Meaning::Other => Next::Into,
        }
    }

    /// Notes `object`, which has arguments, if it is a call.
    fn arguments(&mut self, object: Json<'a>, place: Option<&Place<'_, 'a>>) -> Next {
        // Some calls hold their arguments in the member `state`.
        let (call, place) = match place {
            Some(place) if matches!(place.step, Step::Key("state")) => (place.holder, place.around),
            place => (object, place),
        };
        let seen = Some(call).filter(|it| is_call(*it)).and_then(Seen::of);
        let Some(seen) = seen else {
            return Next::Into;
        };
        self.note(seen, place);
        Next::Out
    }

    /// Notes the calls of a list. Streams have one call in its place.
    fn calls(&mut self, list: Json<'a>, place: &Place<'_, 'a>) {
        match list {
            Json::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.listed(*item, &Place::of(Some(place), list, Step::Index(at)));
                }
            }
            one => self.listed(one, place),
        }
    }

    fn listed(&mut self, item: Json<'a>, place: &Place<'_, 'a>) {
        if self.known.has_id_in(item) {
            return;
        }
        match Seen::of(item) {
            Some(seen) => self.note(seen, Some(place)),
            None => self.value(item, Some(place)),
        }
    }

    /// Notes the call that a member of `object` holds.
    fn call(&mut self, object: Json<'a>, (key, value): Member<'a>, inside: &Place<'_, 'a>) -> Next {
        // A function without arguments is a definition.
        let is_made = key != "function" || ARGUMENTS.iter().any(|key| value.get(key).is_some());
        let Some(seen) = Some(value).filter(|_| is_made).and_then(Seen::of) else {
            return Next::Into;
        };
        let has_id = ids_in(value).next().is_some();
        let outer = if has_id { seen.outer } else { object };
        self.note(Seen { outer, ..seen }, Some(inside));
        Next::Past
    }

    fn note(&mut self, seen: Seen<'a>, place: Option<&Place<'_, 'a>>) {
        if self.known.has_id_in(seen.outer) || self.known.has_id_in(seen.inner) {
            return;
        }
        let arguments = seen.arguments(self.import);
        let is_known = match arguments {
            Some(arguments) => self.known.has_equal(&seen, arguments),
            None => self.known.has_name(seen.name),
        };
        if !is_known {
            self.keep(seen, arguments.unwrap_or_default(), place);
        }
    }

    /// Notes the value of an attribute that names a called tool. The other attributes of the call are
    /// elsewhere, so it is only looked up by its name.
    fn attribute(&mut self, value: Json<'a>, place: &Place<'_, 'a>) {
        let name = value.as_str().filter(|name| !name.is_empty());
        let Some(name) = name.filter(|name| !self.known.has_name(name)) else {
            return;
        };
        let (outer, inner) = (Json::Null, Json::Null);
        self.keep(Seen { name, outer, inner }, Json::Null, Some(place));
    }

    #[cold]
    fn keep(&mut self, seen: Seen<'a>, arguments: Json<'a>, place: Option<&Place<'_, 'a>>) {
        let is_other = place.is_some_and(Place::is_other);
        if !is_other && self.lost.len() < MOST_LOST {
            self.known.add_lost(&seen, arguments);
            let path = place.map_or(Path::root(), Place::path);
            self.lost.push(Lost { seen, path });
        }
    }

    /// Searches the JSON in a text.
    fn text(&mut self, text: &'a str, place: Option<&Place<'_, 'a>>) {
        // Searching a long result takes longer than seeing that it is one.
        if place.is_some_and(|place| is_result(place.holder)) {
            return;
        }
        let may_hold_calls = text.contains("tool") || text.contains("function");
        if !may_hold_calls || place.is_some_and(Place::is_other) {
            return;
        }
        if let Some(inner) = self.import.nested_in(text) {
            self.value(inner, Some(&Place::of(place, Json::Null, Step::Text)));
        }
    }
}

/// Whether an attribute names a called tool.
fn is_attribute(key: &str) -> bool {
    let is_other = |key: &str| {
        key.ends_with("tool_call.function.name")
            || key.ends_with("gen_ai.tool.name")
            || (key.ends_with(".name") && key.contains(".tool_calls."))
    };
    key == "tool.name" || (key.len() > 15 && is_other(key))
}

fn is_scalar(value: Json<'_>) -> bool {
    matches!(value, Json::Null | Json::Bool(_) | Json::Number(_))
}

/// Whether a value holds other values, if only as JSON in its text.
fn may_hold_calls(value: Json<'_>) -> bool {
    match value {
        // The items of a list are of one kind.
        Json::Array(items) => items.first().is_some_and(|it| !is_scalar(*it)),
        Json::Object(members) => !members.is_empty(),
        Json::String(text) => {
            text.len() >= SHORTEST && matches!(text.as_bytes().first(), Some(b'{' | b'['))
        }
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{fixture, fixtures, imported};
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    /// The warnings if `document` was imported as `trajectories`, with these warnings of the reader.
    fn reported(document: &str, imported: &[Trajectory<'_>], known: &[&str]) -> Vec<String> {
        let arena = Bump::new();
        let mut import = Import::new(Reader::new(&arena, Limits::default()));
        for path in known {
            import.warn(&Path::written(path), "known");
        }
        let text = serde_json::to_string(imported).expect("plain data");
        let wrapped = arena_json(&arena, &format!("{{\"turns\":[],\"all\":{text}}}"));
        let copies: Vec<_> = wrapped
            .get("all")
            .and_then(Json::items)
            .unwrap_or_default()
            .into();
        let copies: Vec<_> = copies
            .into_iter()
            .flat_map(|it| {
                let reader = Reader::new(&arena, Limits::default());
                crate::import_trajectories(it, None, reader).map_or(Vec::new(), |read| read.value)
            })
            .collect();
        report_lost_calls(arena_json(&arena, document), &copies, &mut import);
        let new = import.warnings.into_iter().skip(known.len());
        new.map(|warning| warning.message).collect()
    }

    /// The warnings if nothing was imported.
    fn lost(document: &str) -> Vec<String> {
        reported(document, &[], &[])
    }

    const TWO: &str = r#"[
        {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"find","arguments":"{\"q\":1}"}}]},
        {"role":"tool","tool_call_id":"a","content":"{\"tool_calls\":[{\"id\":\"z\",\"name\":\"no\",\"arguments\":{}}]}"},
        {"role":"assistant","tool_calls":[{"id":"b","type":"function","function":{"name":"send","arguments":"{}"}}]}
    ]"#;

    #[test]
    fn a_call_that_was_not_imported_is_reported_with_its_place() {
        assert_eq!(
            lost(TWO),
            [
                "2 calls in the document were not imported: find at [0].tool_calls[0], send at [2].tool_calls[0]"
            ]
        );
        let arena = Bump::new();
        let mut read = imported(&arena, TWO).value;
        assert_eq!(reported(TWO, &read, &[]), [""; 0]);
        read[0].turns.pop();
        assert_eq!(
            reported(TWO, &read, &[]),
            ["1 call in the document was not imported: send at [2].tool_calls[0]"]
        );
    }

    #[test]
    fn what_a_reader_reports_is_not_reported_again() {
        for place in ["[0]", "[0].tool_calls[0].function.arguments"] {
            let found = reported(TWO, &[], &[place]);
            assert_eq!(
                found,
                ["1 call in the document was not imported: send at [2].tool_calls[0]"],
                "{place}"
            );
        }
        assert_eq!(reported(TWO, &[], &["", "[0].tool"]).len(), 1);
        assert!(reported(TWO, &[], &["", "[0]", "[2]"]).is_empty());
    }

    #[test]
    fn a_call_that_the_document_repeats_is_counted_once() {
        let call = r#"{"functionCall":{"name":"find","args":{"q":1}}}"#;
        let other = r#"{"functionCall":{"name":"find","args":{"q":2}}}"#;
        let both = format!(r#"{{"a":[{call}],"b":[{call},{other}],"c":{{"d":[{call}]}}}}"#);
        let found = lost(&both);
        assert!(found[0].starts_with("2 calls"), "{found:?}");
        let many: Vec<_> = (0..5)
            .map(|at| format!(r#"{{"type":"tool_use","id":"{at}","name":"f","input":{{}}}}"#))
            .collect();
        let many = format!("[{0},{0}]", many.join(","));
        let found = lost(&many);
        assert!(
            found[0].starts_with("5 calls") && found[0].ends_with("[2], …"),
            "{found:?}"
        );
    }

    #[test]
    fn calls_in_the_json_of_a_text_are_found() {
        let messages = r#"[{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"name\":\"find\",\"args\":{}}]}]"#;
        let span = format!(r#"{{"attributes":{{"gen_ai.output.messages":"{messages}"}}}}"#);
        assert_eq!(
            lost(&span),
            [
                "1 call in the document was not imported: find at attributes[\"gen_ai.output.messages\"][0].tool_calls[0]"
            ]
        );
        let attribute = r#"{"attributes":{"gen_ai.tool.name":"find"}}"#;
        assert_eq!(lost(attribute).len(), 1);
    }

    #[test]
    fn definitions_results_and_expectations_are_no_calls() {
        for other in [
            r#"{"tools":[{"type":"function","function":{"name":"f","arguments":{}}}]}"#,
            r#"{"type":"function","function":{"name":"f","parameters":{}}}"#,
            r#"{"role":"tool","content":[{"id":"a","name":"f","arguments":{}}]}"#,
            r#"{"type":"tool_result","tool_use_id":"a","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]}"#,
            r#"{"expected_calls":[{"id":"a","name":"f","arguments":{}}]}"#,
            r#"{"name":"greeting","arguments":[{"name":"who"}]}"#,
            r#"{"type":"tool-output-available","toolCallId":"a","name":"f","input":{}}"#,
            r#"{"id":"run","name":"agent","input":{"question":"?"}}"#,
            r#"{"trace":{"name":"agent","input":"?"},"stderr":{"name":"x"}}"#,
            r#"{"tool_calls":[]}"#,
            r#"{"function_call":"auto"}"#,
        ] {
            assert_eq!(lost(other), [""; 0], "{other}");
        }
        let nested = r#"{"type":"tool_use","id":"a","name":"batch","input":{"calls":[{"id":"b","name":"f","arguments":{}}]}}"#;
        assert_eq!(
            lost(nested),
            ["1 call in the document was not imported: batch"]
        );
    }

    #[test]
    fn a_reader_may_change_the_arguments_of_a_call() {
        let document = r#"[{"functionCall":{"name":"find","args":{"q":1}}},{"functionCall":{"name":"find","args":{"q":2}}}]"#;
        let arena = Bump::new();
        let mut read = imported(&arena, r#"{"turns":[{"role":"agent","tool_calls":[{"name":"find","arguments":{"q":"one"}}]}]}"#).value;
        assert!(reported(document, &read, &[])[0].starts_with("1 call "));
        let again = read[0].turns[0].clone();
        read[0].turns.push(again);
        assert_eq!(reported(document, &read, &[]), [""; 0]);
    }

    /// The fixtures whose calls only their readers can know: texts, pieces, and names of members that say nothing.
    const UNSEEN: [&str; 12] = [
        "bfcl/results.jsonl",
        "copilot-chat/",
        "hermes/",
        "langchain/message-pieces.jsonl",
        "mcp/",
        "mini-swe-agent/text.json",
        "openai-chat/values.jsonl",
        "otel-genai/logs.json",
        "swe-agent/steps.json",
        "toolace/",
        "tooltalk/",
        "when2call/",
    ];

    #[test]
    fn each_fixture_would_be_reported_if_it_was_imported_without_its_calls() {
        let mut unseen = Vec::new();
        for name in fixtures("formats") {
            let arena = Bump::new();
            let read = imported(&arena, &fixture(&name));
            let has_calls = read.value.iter().any(|it| it.call_count() > 0);
            let is_unseen = UNSEEN.iter().any(|it| name.starts_with(it));
            if has_calls && !is_unseen && lost(&fixture(&name)).is_empty() {
                unseen.push(name);
            }
        }
        // Teach `KINDS` and the lists beside it, or add the fixture to `UNSEEN`.
        assert_eq!(unseen, [""; 0]);
    }

    #[test]
    fn each_fixture_is_imported_with_all_its_calls() {
        let mut lost = String::new();
        for name in fixtures("formats") {
            let arena = Bump::new();
            let warnings = imported(&arena, &fixture(&name)).warnings;
            let found = warnings
                .iter()
                .filter(|it| it.message.contains("not imported"));
            found.for_each(|it| lost += &format!("{name}: {}\n", it.message));
        }
        assert!(lost.is_empty(), "\n{lost}");
    }
}
