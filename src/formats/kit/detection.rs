//! Detects the format of a document: the one that it looks like most.

use std::cell::LazyCell;
use std::slice;

use super::fields::is_one_of;
use super::format::{Format, Likeness, TrajectoryFormat};
use super::marks::Names;
use super::signs::first_of;
use super::tool_call::CallShape;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

/// Whether an input is one document or a list of them.
#[derive(Clone, Copy)]
pub enum Layout {
    /// The input is one document.
    Whole,
    /// The input is a list of documents.
    Each,
}

/// The format of `formats` that `document` is of.
pub fn whole_format(formats: &'static [Format], document: Json<'_>) -> Option<&'static Format> {
    let names = LazyCell::new(|| Names::of(document));
    let mut candidates = formats
        .iter()
        .filter(|format| format.may_be(document, &names));
    candidates.find(|format| format.is_whole(document))
}

impl Format {
    /// Whether `document`, which has these names, may be of this format or lack a part of it.
    fn may_be(&self, document: Json<'_>, names: &LazyCell<Names, impl FnOnce() -> Names>) -> bool {
        // Many documents are of one of the first formats, which have no marks.
        let may_be = self.marks.is_empty() || names.has_any(self.marks);
        let is_like = |document| {
            matches!(
                (self.likeness)(document),
                Likeness::Full | Likeness::Partial(_)
            )
        };
        debug_assert!(may_be || !is_like(document), "{}", self.name.label());
        may_be
    }

    /// Whether `document` is one document of this format.
    pub fn is_whole(&self, document: Json<'_>) -> bool {
        matches!((self.likeness)(document), Likeness::Full)
    }

    /// Whether each item of a list can be a document of this format, and at least one surely is.
    pub fn is_each(&self, documents: &[Json<'_>]) -> bool {
        let is_sure = |item| matches!(self.likeness_of_item(item), Likeness::Full);
        // Compares the first item before all others, because most lists are of another format.
        documents.first().is_some_and(|item| self.fits(item))
            && first_of(documents).iter().any(is_sure)
            && self.fits_each(documents)
    }

    /// Whether each item of a list can be a document of this format.
    fn fits_each(&self, documents: &[Json<'_>]) -> bool {
        !documents.is_empty() && documents.iter().all(|item| self.fits(item))
    }

    fn fits(&self, item: &Json<'_>) -> bool {
        let likeness = self.likeness_of_item(item);
        matches!(likeness, Likeness::Full | Likeness::Plain)
    }

    /// A single message is not a document: a list of messages is one conversation.
    fn likeness_of_item(&self, item: &Json<'_>) -> Likeness {
        match item.get("role") {
            None => (self.likeness)(*item),
            Some(_) => Likeness::None,
        }
    }

    /// How to read `document` in this format, which the caller chose.
    pub fn applied_to(&'static self, document: Json<'_>) -> (&'static Self, Layout) {
        let is_each = |documents| !self.is_whole(document) && self.fits_each(documents);
        match document.items().is_some_and(is_each) {
            true => (self, Layout::Each),
            false => (self, Layout::Whole),
        }
    }
}

/// The formats to choose from.
pub struct Registry {
    /// All formats, in the order in which a document is compared with them.
    pub formats: &'static [Format],
    /// Whether a document holds tool definitions: then the error for a document of no format says so.
    pub holds_tools: fn(Json<'_>) -> bool,
}

impl Registry {
    /// The format that `document` looks like, and whether it is one document or a list of them.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`] names the nearest format and what is missing.
    pub fn detect(&self, document: Json<'_>) -> Result<(&'static Format, Layout)> {
        let names = LazyCell::new(|| Names::of(document));
        let candidates = || self.formats.iter().filter(|it| it.may_be(document, &names));
        let mut nearest = None;
        for format in candidates() {
            match (format.likeness)(document) {
                Likeness::Full => return Ok((format, Layout::Whole)),
                Likeness::Partial(missing) => nearest = nearest.or(Some((format.name, missing))),
                Likeness::Plain | Likeness::None => {}
            }
        }
        if let Json::Array(documents) = document
            && let Some(format) = candidates().find(|it| it.is_each(documents))
        {
            return Ok((format, Layout::Each));
        }
        Err(Error::UnknownFormat {
            path: Path::root(),
            kind: "trajectory",
            reason: self.unknown_reason(document, nearest),
        })
    }

    /// Why `document` may not be of `format`, which the caller chose. Reading it can lose a part.
    pub fn doubt(&self, format: &Format, document: Json<'_>, layout: Layout) -> Option<String> {
        let reason = match ((format.likeness)(document), layout) {
            // Rows that look like documents may be one document of another format.
            (Likeness::Full | Likeness::Plain, _) | (_, Layout::Each) => {
                match self.detect(document) {
                    Ok((found, Layout::Whole))
                        if !self.is_any(found) && found.name != format.name =>
                    {
                        format!("looks like {}", found.name.label())
                    }
                    _ => return None,
                }
            }
            (Likeness::Partial(missing), _) => format!("lacks {missing}"),
            (Likeness::None, _) => match self.detect(document) {
                Ok((found, _)) => format!("looks like {}", found.name.label()),
                Err(_) => format!("is {}", outline(document)),
            },
        };
        Some(format!("read as {}, but it {reason}", format.name.label()))
    }

    /// Whether `format` is the last one, which takes plain messages of all others.
    fn is_any(&self, format: &Format) -> bool {
        self.formats
            .last()
            .is_some_and(|last| last.name == format.name)
    }

    fn unknown_reason(
        &self,
        document: Json<'_>,
        nearest: Option<(TrajectoryFormat, &str)>,
    ) -> String {
        let (name, missing) = match (document, nearest) {
            (_, Some(nearest)) => nearest,
            (Json::Array([]), None) => return "the list is empty".to_owned(),
            (Json::Array(_), None) if holds_calls(document) => return CALLS_FOUND.to_owned(),
            _ if holds_calls(document) => return CALL_FOUND.to_owned(),
            _ if (self.holds_tools)(document) => return TOOLS_FOUND.to_owned(),
            (Json::Array(documents), None) => return self.unlike_reason(documents),
            (other, None) => return format!("found {}", outline(other)),
        };
        format!("nearest is {}, but it lacks {missing}", name.label())
    }

    /// Why a list is not a list of documents of one format.
    fn unlike_reason(&self, documents: &[Json<'_>]) -> String {
        let format_of = |item| whole_format(self.formats, item);
        let first = documents.first().copied().and_then(format_of);
        let odd = first.and_then(|first| documents.iter().position(|it| !first.is_whole(*it)));
        match (first, odd) {
            (Some(first), Some(at)) => format!(
                "the first of the list is {}, but [{at}] is not: found {}",
                first.name.label(),
                outline(documents[at])
            ),
            _ => format!("found {}", outline(Json::Array(documents))),
        }
    }
}

/// The error if tool definitions are passed as trajectories.
const TOOLS_FOUND: &str =
    "this contains tool definitions; pass it as the tools, on the command line with --tools";

/// The error if a list of calls is passed as trajectories.
const CALLS_FOUND: &str = "this is a list of calls without the conversation around them; compare it with scoreToolCalls, on the command line with score --actual";

/// The error if one call is passed as a trajectory.
const CALL_FOUND: &str = "this is a call without the conversation around it; compare it, in a list, with scoreToolCalls, on the command line with score --actual";

/// The members of definitions that may hold the schema of the arguments.
pub const PARAMETERS: [&str; 6] = [
    "parameters",
    "input_schema",
    "inputSchema",
    "parametersJsonSchema",
    "parameters_json_schema",
    COHERE_PARAMETERS,
];

/// The member with the parameters in version 1 of Cohere's API.
pub const COHERE_PARAMETERS: &str = "parameter_definitions";

/// How deep definitions may be in a document.
const DEPTH: usize = 6;

/// Whether a definition in `document` has a schema. Without one, an object with a name may be anything.
pub fn has_schema(document: Json<'_>) -> bool {
    has_schema_within(document, DEPTH)
}

fn has_schema_within(value: Json<'_>, depth: usize) -> bool {
    let inside = |value: &Json<'_>| depth > 0 && has_schema_within(*value, depth - 1);
    match value {
        Json::Array(items) => items.iter().any(inside),
        Json::Object(members) => members.iter().any(|(key, value)| {
            let is_named = is_one_of(key, &PARAMETERS) || *key == "schema";
            let is_schema = is_named && value.members().is_some();
            is_schema || inside(value)
        }),
        _ => false,
    }
}

/// Whether a document, or the first item of a list, names a tool and its arguments.
pub fn holds_calls(document: Json<'_>) -> bool {
    let has_one = |item: &Json<'_>, keys: [&str; 2]| keys.iter().any(|key| item.get(key).is_some());
    let is_call = |item| has_one(item, ["name", "tool"]) && has_one(item, ["args", "arguments"]);
    let items = match &document {
        Json::Array(items) => items,
        one => slice::from_ref(one),
    };
    items.first().is_some_and(is_call) || CallShape::of_list(items).is_some()
}

/// Describes a value by its type and keys.
pub fn outline(value: Json<'_>) -> String {
    match value {
        Json::Object(members) => {
            let keys: Vec<_> = members.iter().take(6).map(|(key, _)| *key).collect();
            let more = if members.len() > keys.len() {
                ", …"
            } else {
                ""
            };
            format!("an object with the keys {{{}{more}}}", keys.join(", "))
        }
        Json::Array([first, ..]) => format!("a list of which the first is {}", outline(*first)),
        other => other.describe(),
    }
}
