//! The state of one import, and reading that all formats share.

use std::cell::RefCell;

use bumpalo::Bump;
use foldhash::{HashMap, HashSet};
use serde::Serialize;

use super::conversation::CallResult;
use super::detection::whole_format;
use super::format::Format;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path, Reader, TextReader, ToolCall, Trajectory, why_not_json};

/// A part of an imported document that was lost or is doubtful.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct ImportWarning {
    /// The path in the document, such as `messages[3]`. Empty for the whole document.
    pub path: String,
    /// What is wrong there.
    pub message: String,
}

/// The trajectories of a document inside another, and the results that answer no call in it.
pub type Inner<'a> = (Vec<Trajectory<'a>>, Vec<CallResult<'a>>);

/// The state of one import: the allocator, and the warnings so far.
pub struct Import<'a> {
    /// Reads values, and holds the limits of the import.
    pub reader: Reader<'a>,
    /// Reads texts that contain JSON.
    pub texts: TextReader<'a>,
    /// The warnings so far.
    pub warnings: Vec<ImportWarning>,
    /// The path of the current document in the input.
    base: Path,
    /// The formats of documents that a document may contain.
    formats: &'static [Format],
    /// The results that answer no call, while a document inside another is read.
    orphans: Option<Vec<CallResult<'a>>>,
    /// The JSON in long texts that were read, by their place in memory and their length.
    nested: RefCell<HashMap<(usize, usize), Json<'a>>>,
}

/// Texts from this length on are kept once they are read: looking a shorter one up takes as long as reading it.
const LONG_TEXT: usize = 256;

impl<'a> Import<'a> {
    /// A fresh import, which allocates where `reader` does and reads no documents inside others.
    pub fn new(reader: Reader<'a>) -> Self {
        Self::with_formats(reader, &[])
    }

    /// As [`Import::new`], but it also reads documents of `formats` inside others.
    pub fn with_formats(reader: Reader<'a>, formats: &'static [Format]) -> Self {
        Self {
            reader,
            texts: TextReader::new(reader),
            warnings: Vec::new(),
            base: Path::root(),
            formats,
            orphans: None,
            nested: RefCell::default(),
        }
    }

    /// Where this import allocates.
    pub fn arena(&self) -> &'a Bump {
        self.reader.arena()
    }

    /// Adds a warning about the place at `path`.
    pub fn warn(&mut self, path: &Path, message: impl Into<String>) {
        self.add_warning(path, message.into());
    }

    /// Kept out of line: it has many callers, and inlining only grows the module.
    #[cold]
    fn add_warning(&mut self, path: &Path, message: String) {
        self.warnings.push(ImportWarning {
            path: self.base.join_written(path.as_str()),
            message,
        });
    }

    /// Reads a part of the document. Paths of warnings and errors in `read` are relative to
    /// `place`, which is only called if there are any: writing all paths takes longer than reading
    /// the parts.
    pub fn within<T>(
        &mut self,
        place: &dyn Fn() -> Path,
        read: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let base = std::mem::take(&mut self.base);
        let known = self.warnings.len();
        let read = read(self);
        self.base = base;
        if self.warnings.len() > known {
            self.move_warnings(known, place);
        }
        match read {
            Ok(read) => Ok(read),
            Err(error) => Err(moved(error, place)),
        }
    }

    /// Makes the paths of the warnings from index `first` on absolute. They are relative to `place`.
    #[cold]
    fn move_warnings(&mut self, first: usize, place: &dyn Fn() -> Path) {
        let place = self.base.join(&place());
        for warning in &mut self.warnings[first..] {
            warning.path = place.join_written(&warning.path);
        }
    }

    /// Keeps a result that answers no call for the document around the current one. If there is no such
    /// document, adds a warning and returns `false`.
    pub fn takes_orphan(&mut self, result: &CallResult<'a>, path: &Path) -> bool {
        match &mut self.orphans {
            Some(orphans) => orphans.push(*result),
            None => self.warn(path, result.orphaned()),
        }
        self.orphans.is_some()
    }

    /// The trajectories of a document inside another, and the results that answer no call in it. `path`
    /// is the path of the document. `None` if it has no known format, or is itself inside such a
    /// document.
    ///
    /// # Errors
    /// The document looks like a format, but a part of it has another shape.
    pub fn read_inner(&mut self, document: Json<'a>, path: &Path) -> Option<Result<Inner<'a>>> {
        if self.orphans.is_some() {
            return None;
        }
        let format = whole_format(self.formats, document)?;
        let base = self.base.join(path);
        let outer = std::mem::replace(&mut self.base, base);
        self.orphans = Some(Vec::new());
        let read = (format.read)(document, self);
        let orphans = self.orphans.take().unwrap_or_default();
        self.base = outer;
        Some(read.map(|trajectories| (trajectories, orphans)))
    }

    /// The trajectories of all `documents`, which are the items of the input.
    pub fn read_each(
        &mut self,
        documents: &'a [Json<'a>],
        format: &Format,
    ) -> Result<Vec<Trajectory<'a>>> {
        let mut trajectories = Vec::new();
        for (at, document) in documents.iter().enumerate() {
            self.base = Path::root().index(at);
            let read = (format.read)(*document, self);
            trajectories.extend(read.map_err(|error| error.inside(&self.base))?);
        }
        self.base = Path::root();
        Ok(trajectories)
    }

    /// Adds members to those that `call` keeps. A member that it already has stays as it is.
    pub fn keep(&self, call: &mut ToolCall<'a>, members: &[Member<'a>]) {
        call.extra = self.merge(call.extra, members);
    }

    /// All `members`, and those of `more` that have another name.
    pub fn merge(&self, members: &'a [Member<'a>], more: &[Member<'a>]) -> &'a [Member<'a>] {
        if more.is_empty() {
            return members;
        }
        let known: HashSet<_> = members.iter().map(|(key, _)| *key).collect();
        let new = more.iter().filter(|(key, _)| !known.contains(key));
        let all: Vec<_> = members.iter().chain(new).copied().collect();
        self.arena().alloc_slice_copy(&all)
    }

    /// A list of one value.
    pub fn slice(&self, value: Json<'a>) -> &'a [Json<'a>] {
        self.arena().alloc_slice_copy(&[value])
    }

    /// The object or array in a text that is JSON, or else the value itself.
    pub fn nested(&self, value: Json<'a>) -> Json<'a> {
        let text = value.as_str();
        text.and_then(|text| self.nested_in(text)).unwrap_or(value)
    }

    /// The object or array in a text that is JSON.
    pub fn nested_in(&self, text: &'a str) -> Option<Json<'a>> {
        if text.len() < LONG_TEXT {
            return self.texts.read_nested(text);
        }
        let place = (text.as_ptr().addr(), text.len());
        let known = self.nested.borrow().get(&place).copied();
        known.or_else(|| {
            let read = self.texts.read_nested(text)?;
            self.nested.borrow_mut().insert(place, read);
            Some(read)
        })
    }

    /// Joins texts with line breaks.
    pub fn join_text(&self, mut parts: impl Iterator<Item = &'a str>) -> &'a str {
        match (parts.next(), parts.next()) {
            (one, None) => one.unwrap_or_default(),
            (first, second) => {
                let all: Vec<_> = first.into_iter().chain(second).chain(parts).collect();
                self.arena().alloc_str(&all.join("\n"))
            }
        }
    }

    /// An id as text.
    pub fn label(&self, id: Json<'a>) -> &'a str {
        match id {
            Json::String(text) => text,
            other => self
                .arena()
                .alloc_str(&toolgauge_model::Preview::of(other, 80).to_string()),
        }
    }

    /// The value of a result: the JSON in its text, the texts of its text parts, or else the parts
    /// themselves.
    pub fn content(&self, content: Json<'a>) -> Json<'a> {
        let text_of = |part: &Json<'a>| match part.get("type") {
            None => None,
            Some(_) => part.get("text")?.as_str(),
        };
        let texts: Option<Vec<_>> = match content {
            Json::Array(parts) => parts.iter().map(text_of).collect(),
            one => return self.nested(one),
        };
        texts.map_or(content, |texts| self.texts(&texts))
    }

    /// Several texts of one result as one value: a list if one of them is JSON, or else one text.
    pub fn texts(&self, texts: &[&'a str]) -> Json<'a> {
        let values = texts.iter().map(|text| self.nested(Json::String(text)));
        let values: Vec<_> = values.collect();
        match values.as_slice() {
            [one] => *one,
            values if values.iter().any(|value| value.as_str().is_none()) => {
                Json::Array(self.arena().alloc_slice_copy(values))
            }
            _ => Json::String(self.join_text(texts.iter().copied())),
        }
    }

    /// The object in a text that is JSON.
    pub fn object_in(&mut self, value: Json<'a>) -> Option<Json<'a>> {
        let text = value.as_str()?.trim_ascii_start();
        let read = text.starts_with('{').then(|| self.texts.read_text(text));
        read?.ok().filter(|read| read.members().is_some())
    }

    /// Sets the arguments of `call` from JSON text. An object is taken as it is.
    ///
    /// Providers send an empty text for a call without arguments: it becomes `{}`. A text that is not
    /// valid JSON becomes `rawArguments`, and validation reports it. An incomplete call gets a warning
    /// at `place`, the path of the arguments: see [`Import::within`].
    pub fn arguments(
        &mut self,
        call: &mut ToolCall<'a>,
        arguments: Option<Json<'a>>,
        place: &dyn Fn() -> Path,
    ) {
        if call.incomplete {
            self.warn(
                &place(),
                "the call was still being written: its arguments may be cut off",
            );
        }
        let Some(Json::String(text)) = arguments else {
            call.arguments = arguments;
            return;
        };
        if text.trim_ascii().is_empty() {
            call.arguments = Some(Json::Object(&[]));
            return;
        }
        match self.texts.read_text(text) {
            Ok(value) => call.arguments = Some(value),
            Err(error) => {
                call.raw_arguments = Some(text);
                if !call.incomplete {
                    self.warn(&place(), not_arguments(text, &error));
                }
            }
        }
    }
}

#[cold]
fn moved(error: Error, place: &dyn Fn() -> Path) -> Error {
    error.inside(&place())
}

/// Why the arguments of a call can't be read: they are not valid JSON, or exceed a limit.
fn not_arguments(text: &str, error: &Error) -> String {
    match error {
        Error::InvalidJson { .. } => format!("not valid JSON: {}", why_not_json(text)),
        other => other.to_string(),
    }
}

/// Reads each item of a list with `read`, or a single value.
pub fn one_or_each<'a, T>(
    value: Json<'a>,
    import: &mut Import<'a>,
    read: impl Fn(Json<'a>, &mut Import<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    match value {
        Json::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, item)| {
                import.within(&|| Path::root().index(at), |import| read(*item, import))
            })
            .collect(),
        one => Ok(vec![read(one, import)?]),
    }
}
