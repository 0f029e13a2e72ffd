//! Reads JSON text into borrowed values.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;

use bumpalo::Bump;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::compare::sorted;
use super::json::{Json, Member, Number};
use super::limits::Limits;
use super::lines::{event_data, is_event_line, json_lines, looks_whole};
use super::path::Path;
use super::scan::Scanner;
use super::text::are_same;
use super::text_calls::rendered_chat;
use crate::error::{Error, Result};

/// The most members of an object that is searched for repeated keys one by one.
const SMALL: usize = 32;

/// Reads JSON into an arena, within limits.
///
/// Lone surrogate escapes (`"\ud83d"`), which are valid in JSON text but not in UTF-8, are read as U+FFFD:
/// both are one UTF-16 unit, so offsets stay correct. If a key is repeated in one object, its last value wins
/// but keeps the place of the first, as in JavaScript.
#[derive(Clone, Copy)]
pub struct Reader<'a> {
    arena: &'a Bump,
    limits: Limits,
}

impl<'a> Reader<'a> {
    /// Creates a reader that allocates in `arena`.
    pub fn new(arena: &'a Bump, limits: Limits) -> Self {
        Self { arena, limits }
    }

    /// Returns the arena of this reader.
    pub fn arena(self) -> &'a Bump {
        self.arena
    }

    /// Returns how many bytes a document may have.
    pub fn max_input_bytes(self) -> usize {
        self.limits.max_input_bytes
    }

    /// Returns how many calls may be expected.
    pub fn max_expected_calls(self) -> usize {
        self.limits.max_expected_calls
    }

    /// Returns how deep a document may be nested.
    pub(super) fn max_depth(self) -> usize {
        self.limits.max_depth
    }

    /// Reads the document in `bytes`, UTF-8 with or without a byte order mark: one JSON value, or the list of
    /// the values of JSON Lines or of server-sent events. An error in a line contains its number. A text that begins with
    /// the mark of a chat template is a string.
    pub fn read(self, bytes: &'a [u8]) -> Result<Json<'a>> {
        check_size(bytes.len(), self.limits)?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let text = std::str::from_utf8(bytes)
            .map_err(|error| no_text(bytes).unwrap_or(not_utf8(error)))?;
        if let Some(value) = self.try_text(text) {
            return Ok(value);
        }
        if rendered_chat(text).is_some() {
            return Ok(Json::String(text));
        }
        self.read_lines(text)
            .unwrap_or_else(|| Err(no_text(bytes).unwrap_or_else(|| self.explain(text))))
    }

    /// Reads JSON Lines or server-sent events as a list of values; `None` if the text is neither. It is JSON Lines if the
    /// first of several lines is an object or array by itself.
    fn read_lines(self, text: &'a str) -> Option<Result<Json<'a>>> {
        let mut lines = json_lines(text);
        let (_, first) = lines.next()?;
        if is_event_line(first) {
            return Some(self.read_values(&mut event_data(text)));
        }
        let is_lines = looks_whole(first) && lines.next().is_some();
        self.try_text(first).filter(|_| is_lines)?;
        Some(self.read_values(&mut json_lines(text)))
    }

    /// Reads the values in numbered lines as a list.
    fn read_values(self, lines: &mut dyn Iterator<Item = (usize, &'a str)>) -> Result<Json<'a>> {
        let mut scanner = Scanner::new(Builder::new(self));
        let mut items = Vec::new();
        let mut count = Count::default();
        for (number, line) in lines {
            let Some(item) = scanner.scan(line) else {
                return Err(self.explain(line).of_line(number, items.len()));
            };
            count = count.and(scanner.built().count);
            if let Some(error) = count.passed(self.limits) {
                return Err(error.of_line(number, items.len()));
            }
            items.push(item);
        }
        Ok(Json::Array(self.arena.alloc_slice_copy(&items)))
    }

    /// Reads the JSON value in `text`.
    pub fn read_text(self, text: &'a str) -> Result<Json<'a>> {
        self.try_text(text).ok_or_else(|| self.explain(text))
    }

    /// Reads a value from any serde format.
    pub fn read_from<'de: 'a, D: Deserializer<'de>>(self, deserializer: D) -> Result<Json<'a>> {
        let mut builder = Builder::new(self);
        let value = ValueSeed::of(&mut builder).deserialize(deserializer);
        let too_deep = builder.too_deep.get();
        let too_much = builder.count.passed(self.limits);
        value.map_err(|error| match too_much {
            _ if too_deep => self.too_deep(Path::root()),
            Some(too_much) => too_much,
            None => Error::invalid_input(Path::root(), "a JSON value", error.to_string()),
        })
    }

    fn try_text(self, text: &'a str) -> Option<Json<'a>> {
        Scanner::new(Builder::new(self)).scan(text)
    }

    /// Explains why `text` can't be read. This second pass keeps reading valid text fast.
    fn explain(self, text: &str) -> Error {
        if text.trim_ascii().is_empty() {
            return invalid_json("the text is empty", 1, 1, Path::root());
        }
        if looks_like_a_path(text) {
            let reason = "it looks like the path of a file, but no file is read here: pass the content of the \
                          file, as in readFileSync(path),";
            return invalid_json(reason, 1, 1, Path::root());
        }
        if let Some(error) = self.too_much(text) {
            return error;
        }
        let mended = replace_lone_surrogates(text);
        let text = mended.as_deref().unwrap_or(text);
        let tamed = tame_numbers(text);
        let text = tamed.as_deref().unwrap_or(text);
        let Some((path, error)) = first_failure(text, self.limits.max_depth) else {
            return invalid_json("it can't be read", 1, 1, Path::root());
        };
        // All types of values are accepted, so data errors come from limits only.
        if error.is_data() {
            return self.too_deep(path);
        }
        let whole = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let reason = match whole.strip_suffix(&place) {
            Some(reason) => reason,
            None => &whole,
        };
        invalid_json(reason, error.line(), error.column(), path)
    }

    /// Returns the error for the limit that `text` exceeds first, if it does so before it is malformed.
    fn too_much(self, text: &str) -> Option<Error> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, self.limits);
        let mut scanner = Scanner::new(Builder::new(reader));
        let read = scanner.scan(text);
        let passed = scanner.built().count.passed(self.limits);
        passed.filter(|_| read.is_none())
    }

    fn too_deep(self, path: Path) -> Error {
        Error::LimitExceeded {
            limit: "limits.maxDepth",
            allowed: self.limits.max_depth,
            actual: None,
            path,
        }
    }
}

/// Reads many short texts inside a document, reusing the same buffers.
pub struct TextReader<'a> {
    reader: Reader<'a>,
    scanner: RefCell<Option<Scanner<'a>>>,
}

impl<'a> TextReader<'a> {
    /// Creates a reader with the settings of `reader`.
    pub fn new(reader: Reader<'a>) -> Self {
        Self {
            reader,
            scanner: RefCell::new(None),
        }
    }

    /// See [`Reader::read_text`].
    pub fn read_text(&self, text: &'a str) -> Result<Json<'a>> {
        self.try_text(text).ok_or_else(|| self.reader.explain(text))
    }

    /// Returns the JSON object or array in the text of a string, if it is one.
    pub fn read_nested(&self, text: &'a str) -> Option<Json<'a>> {
        let looks_like_json = matches!(
            text.trim_ascii_start().as_bytes().first(),
            Some(b'{' | b'[')
        );
        looks_like_json.then(|| self.try_text(text)).flatten()
    }

    fn try_text(&self, text: &'a str) -> Option<Json<'a>> {
        let mut scanner = self.scanner.borrow_mut();
        let scanner = scanner.get_or_insert_with(|| Scanner::new(Builder::new(self.reader)));
        scanner.scan(text)
    }
}

/// Rejects an input of more than [`Limits::max_input_bytes`].
pub fn check_size(bytes: usize, limits: Limits) -> Result<()> {
    if bytes <= limits.max_input_bytes {
        return Ok(());
    }
    Err(Error::LimitExceeded {
        limit: "limits.maxInputBytes",
        allowed: limits.max_input_bytes,
        actual: Some(bytes.to_string()),
        path: Path::root(),
    })
}

/// Explains why `text` is not one JSON value, for a message about a call's arguments. Wrongly merged streams
/// contain several values in sequence.
pub fn why_not_json(text: &str) -> String {
    let tamed = tame_numbers(text);
    let text = tamed.as_deref().unwrap_or(text);
    let values = serde_json::Deserializer::from_str(text).into_iter::<IgnoredAny>();
    match values.collect::<std::result::Result<Vec<_>, _>>() {
        Ok(values) if values.len() > 1 => {
            format!("it holds {} JSON values, one after the other", values.len())
        }
        _ => match serde_json::from_str::<IgnoredAny>(text) {
            Err(error) => error.to_string(),
            Ok(_) => "it is nested too deep, or holds too many values".to_owned(),
        },
    }
}

/// How files begin that hold no JSON text in UTF-8, and what they are.
const OTHER_FILES: [(&[u8], &str); 8] = [
    (
        b"PK\x03\x04",
        "a ZIP archive; of an Inspect log (.eval), pass what `inspect log dump` prints",
    ),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (
        b"\x1f\x8b",
        "a file compressed with gzip; pass what `gunzip --stdout` prints",
    ),
    (
        b"\x28\xb5\x2f\xfd",
        "a file compressed with Zstandard; pass what `unzstd --stdout` prints",
    ),
    (
        b"SQLite format 3\0",
        "an SQLite database; export the logs in it as JSON Lines",
    ),
    (b"PAR1", "a Parquet file; export its rows as JSON Lines"),
    (b"\xff\xfe", UTF_16),
    (b"\xfe\xff", UTF_16),
];

const UTF_16: &str = "text in UTF-16; pass what `iconv -f UTF-16 -t UTF-8` prints";

/// The error if `bytes` begin as a file that holds no JSON text.
fn no_text(bytes: &[u8]) -> Option<Error> {
    let (_, actual) = OTHER_FILES
        .iter()
        .find(|(start, _)| bytes.starts_with(start))?;
    let expected = "JSON text in UTF-8";
    Some(Error::invalid_input(Path::root(), expected, *actual))
}

/// Longer texts are not paths of files.
const LONGEST_PATH: usize = 1_000;

/// The endings of files whose content can be read here.
const FILE_ENDINGS: [&str; 6] = [".json", ".jsonl", ".ndjson", ".txt", ".log", ".traj"];

/// Returns whether the text looks like the path of a file.
fn looks_like_a_path(text: &str) -> bool {
    let text = text.trim_ascii();
    let is_line = text.len() <= LONGEST_PATH && !text.contains(['\n', '{', '}', '"']);
    is_line && !text.starts_with('[') && FILE_ENDINGS.iter().any(|ending| text.ends_with(ending))
}

fn not_utf8(error: std::str::Utf8Error) -> Error {
    let at = error.valid_up_to();
    let reason = format!("byte {at} is not UTF-8");
    invalid_json(reason, 1, at + 1, Path::root())
}

fn invalid_json(reason: impl Into<String>, line: usize, column: usize, path: Path) -> Error {
    Error::InvalidJson {
        reason: reason.into(),
        line,
        column,
        path,
    }
}

/// The number of values and objects that were read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Count {
    objects: usize,
    values: usize,
}

impl Count {
    /// Adds two counts.
    fn and(self, other: Self) -> Self {
        Self {
            objects: self.objects + other.objects,
            values: self.values + other.values,
        }
    }

    /// Returns whether this exceeds the limits on an input.
    #[inline(always)]
    fn is_too_much(self, limits: Limits) -> bool {
        self.objects > limits.max_objects || self.values > limits.max_values
    }

    /// Returns the error for the exceeded limit.
    fn passed(self, limits: Limits) -> Option<Error> {
        let (limit, allowed) = match self.objects > limits.max_objects {
            true => ("limits.maxObjects", limits.max_objects),
            false => ("limits.maxValues", limits.max_values),
        };
        self.is_too_much(limits).then(|| Error::LimitExceeded {
            limit,
            allowed,
            actual: None,
            path: Path::root(),
        })
    }
}

/// Collects the children of open containers, and then moves them to the arena in one piece.
pub(super) struct Builder<'a> {
    pub(super) arena: &'a Bump,
    pub(super) items: Vec<Json<'a>>,
    pub(super) members: Vec<Member<'a>>,
    pub(super) max_depth: usize,
    limits: Limits,
    /// What was closed since the current text began.
    count: Count,
    too_deep: Cell<bool>,
}

impl<'a> Builder<'a> {
    fn new(reader: Reader<'a>) -> Self {
        Self {
            arena: reader.arena,
            items: Vec::with_capacity(16),
            members: Vec::with_capacity(32),
            max_depth: reader.limits.max_depth,
            limits: reader.limits,
            count: Count::default(),
            too_deep: Cell::new(false),
        }
    }

    /// Starts a new text: forgets the children of containers that were never closed.
    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.members.clear();
        self.count = Count::default();
    }

    /// Creates the array of the items from `start` on; `None` if the text exceeds a limit.
    pub(super) fn close_array(&mut self, start: usize) -> Option<Json<'a>> {
        self.count.values += self.items.len() - start;
        if self.count.is_too_much(self.limits) {
            return None;
        }
        let items = self.arena.alloc_slice_copy(&self.items[start..]);
        self.items.truncate(start);
        Some(Json::Array(items))
    }

    /// Creates the object of the members from `start` on; `None` if the text exceeds a limit.
    pub(super) fn close_object(&mut self, start: usize) -> Option<Json<'a>> {
        self.count.objects += 1;
        self.count.values += self.members.len() - start;
        if self.count.is_too_much(self.limits) {
            return None;
        }
        drop_repeated_keys(&mut self.members, start);
        let members = self.arena.alloc_slice_copy(&self.members[start..]);
        self.members.truncate(start);
        Some(Json::Object(members))
    }
}

/// Removes repeated keys from `start` on: the last value stays, in the place of the first.
pub(super) fn drop_repeated_keys(members: &mut Vec<Member<'_>>, start: usize) {
    let open = &members[start..];
    let is_repeated = |at: usize| open[..at].iter().any(|(key, _)| are_same(key, open[at].0));
    if open.len() <= SMALL && !(1..open.len()).any(is_repeated) {
        return;
    }
    let mut keys = sorted(open);
    keys.dedup_by_key(|(key, _)| *key);
    if keys.len() == open.len() {
        return;
    }
    let mut places = vec![None; keys.len()];
    let mut kept: Vec<Member<'_>> = Vec::with_capacity(keys.len());
    for member in members.drain(start..) {
        let Ok(rank) = keys.binary_search_by_key(&member.0, |(key, _)| *key) else {
            continue;
        };
        match places[rank] {
            Some(place) => kept[place] = member,
            None => {
                places[rank] = Some(kept.len());
                kept.push(member);
            }
        }
    }
    members.append(&mut kept);
}

struct ValueSeed<'b, 'a> {
    builder: &'b mut Builder<'a>,
    depth: usize,
}

impl<'b, 'a> ValueSeed<'b, 'a> {
    fn of(builder: &'b mut Builder<'a>) -> Self {
        Self { builder, depth: 0 }
    }

    fn enter<E: serde::de::Error>(&self) -> std::result::Result<usize, E> {
        if self.depth == self.builder.max_depth {
            self.builder.too_deep.set(true);
            return Err(E::custom("too deep"));
        }
        Ok(self.depth + 1)
    }
}

impl<'de: 'a, 'a> DeserializeSeed<'de> for ValueSeed<'_, 'a> {
    type Value = Json<'a>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Json<'a>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for ValueSeed<'_, 'a> {
    type Value = Json<'a>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json<'a>, E> {
        Ok(Json::Null)
    }

    fn visit_none<E>(self) -> std::result::Result<Json<'a>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> std::result::Result<Json<'a>, E> {
        Ok(Json::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> std::result::Result<Json<'a>, E> {
        Ok(Json::Number(Number::Unsigned(value)))
    }

    fn visit_i64<E>(self, value: i64) -> std::result::Result<Json<'a>, E> {
        Ok(Json::Number(match u64::try_from(value) {
            Ok(value) => Number::Unsigned(value),
            Err(_) => Number::Negative(value),
        }))
    }

    fn visit_f64<E>(self, value: f64) -> std::result::Result<Json<'a>, E> {
        Ok(Json::Number(Number::Float(value)))
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<Json<'a>, E> {
        Ok(Json::String(self.builder.arena.alloc_str(value)))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> std::result::Result<Json<'a>, E> {
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(
        self,
        mut access: A,
    ) -> std::result::Result<Json<'a>, A::Error> {
        let depth = self.enter()?;
        let builder = self.builder;
        let start = builder.items.len();
        while let Some(item) = access.next_element_seed(ValueSeed { builder, depth })? {
            builder.items.push(item);
        }
        builder.close_array(start).ok_or_else(too_much)
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut access: A,
    ) -> std::result::Result<Json<'a>, A::Error> {
        let depth = self.enter()?;
        let builder = self.builder;
        let start = builder.members.len();
        while let Some(key) = access.next_key_seed(KeySeed(builder.arena))? {
            let value = access.next_value_seed(ValueSeed { builder, depth })?;
            builder.members.push((key, value));
        }
        builder.close_object(start).ok_or_else(too_much)
    }
}

fn too_much<E: serde::de::Error>() -> E {
    E::custom("too much")
}

struct KeySeed<'a>(&'a Bump);

impl<'de: 'a, 'a> DeserializeSeed<'de> for KeySeed<'a> {
    type Value = &'a str;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<&'a str, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for KeySeed<'a> {
    type Value = &'a str;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_str<E>(self, value: &str) -> std::result::Result<&'a str, E> {
        Ok(self.0.alloc_str(value))
    }

    fn visit_borrowed_str<E>(self, value: &'de str) -> std::result::Result<&'a str, E> {
        Ok(value)
    }
}

/// Replaces each number outside the range of doubles by an invalid one of the same length; `None` if there
/// are none. JSON allows such numbers, but serde_json rejects them.
pub(super) fn tame_numbers(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut tamed: Option<Vec<u8>> = None;
    let mut is_string = false;
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if is_string => at += 1,
            b'"' => is_string = !is_string,
            b'0'..=b'9' if !is_string => {
                let end = at + number_length(&bytes[at..]);
                let number = text.get(at..end)?;
                let is_json = !matches!(number.as_bytes(), [b'0', b'0'..=b'9', ..]);
                if is_json && number.parse().is_ok_and(f64::is_infinite) {
                    tame(&mut tamed.get_or_insert_with(|| bytes.to_vec())[at..end]);
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    tamed.and_then(|tamed| String::from_utf8(tamed).ok())
}

/// Returns the length of the number at the start of `bytes`.
fn number_length(bytes: &[u8]) -> usize {
    let digits = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default().iter();
        rest.take_while(|byte| byte.is_ascii_digit()).count()
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') && digits(end + 1) > 0 {
        end += 1 + digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        end += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    end
}

/// Makes a number small: its exponent becomes 0, and all digits but the first become decimals.
fn tame(number: &mut [u8]) {
    let exponent = number.iter().position(|byte| matches!(byte, b'e' | b'E'));
    let exponent = exponent.unwrap_or(number.len());
    let (size, exponent) = number.split_at_mut(exponent);
    let digits = exponent.iter_mut().filter(|byte| byte.is_ascii_digit());
    digits.for_each(|digit| *digit = b'0');
    if size.len() > 2 {
        size.iter_mut()
            .filter(|it| **it == b'.')
            .for_each(|point| *point = b'0');
        size[1] = b'.';
    }
}

/// Replaces each escape of a lone surrogate, which serde_json rejects, by an escape of U+FFFD.
pub fn without_lone_surrogates(json: &[u8]) -> Cow<'_, [u8]> {
    let mended = std::str::from_utf8(json)
        .ok()
        .and_then(replace_lone_surrogates);
    mended.map_or(Cow::Borrowed(json), |text| Cow::Owned(text.into_bytes()))
}

/// Replaces each escape of a lone surrogate by U+FFFD; `None` if there are none.
pub(super) fn replace_lone_surrogates(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut mended = String::new();
    let mut copied = 0;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] != b'\\' {
            at += 1;
            continue;
        }
        let paired = is_escape(bytes, at, b"89ab") && is_escape(bytes, at + 6, b"cdef");
        if paired {
            at += 12;
        } else if is_escape(bytes, at, b"89abcdef") {
            mended.push_str(&text[copied..at]);
            mended.push_str("\\ufffd");
            at += 6;
            copied = at;
        } else {
            at += 2;
        }
    }
    (copied > 0).then(|| mended + &text[copied..])
}

/// Returns whether `\uDxyz` is at `at`, with `x` one of `second` (lower case).
fn is_escape(bytes: &[u8], at: usize, second: &[u8]) -> bool {
    bytes.get(at..at + 6).is_some_and(|escape| {
        escape.starts_with(b"\\u")
            && escape[2].eq_ignore_ascii_case(&b'd')
            && second.contains(&escape[3].to_ascii_lowercase())
            && escape[4..].iter().all(u8::is_ascii_hexdigit)
    })
}

/// Returns where serde_json fails to read `text`, the innermost value that is open there, and the reason.
fn first_failure(text: &str, max_depth: usize) -> Option<(Path, serde_json::Error)> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    deserializer.disable_recursion_limit();
    let mut open = Vec::new();
    let seed = PlaceSeed {
        open: &mut open,
        max_depth,
    };
    let read = seed.deserialize(&mut deserializer);
    let error = read.and_then(|()| deserializer.end()).err()?;
    let path = open.iter().fold(Path::root(), |path, step| match step {
        Step::Key(key) => path.key(key),
        Step::Index(index) => path.index(*index),
    });
    Some((path, error))
}

enum Step {
    Key(String),
    Index(usize),
}

struct PlaceSeed<'b> {
    open: &'b mut Vec<Step>,
    max_depth: usize,
}

impl<'de> DeserializeSeed<'de> for PlaceSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl PlaceSeed<'_> {
    fn enter<E: serde::de::Error>(&self) -> std::result::Result<(), E> {
        if self.open.len() == self.max_depth {
            return Err(E::custom("too deep"));
        }
        Ok(())
    }
}

impl<'de> Visitor<'de> for PlaceSeed<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> std::result::Result<(), A::Error> {
        self.enter()?;
        let Self { open, max_depth } = self;
        for index in 0.. {
            open.push(Step::Index(index));
            let next = access.next_element_seed(PlaceSeed { open, max_depth })?;
            open.pop();
            if next.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> std::result::Result<(), A::Error> {
        self.enter()?;
        let Self { open, max_depth } = self;
        while let Some(key) = access.next_key::<String>()? {
            open.push(Step::Key(key));
            access.next_value_seed(PlaceSeed { open, max_depth })?;
            open.pop();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read<'a>(arena: &'a Bump, text: &'a str) -> Result<Json<'a>> {
        Reader::new(arena, Limits::default()).read(text.as_bytes())
    }

    fn failure(text: &str) -> Error {
        read(&Bump::new(), text).expect_err("malformed text")
    }

    #[test]
    fn values_keep_their_type_and_order() {
        let arena = Bump::new();
        let value =
            read(&arena, r#" {"b": [1, -2, 3.5, null, true, "x"], "a": {}} "#).expect("JSON");
        assert_eq!(
            serde_json::to_string(&value).expect("serializes"),
            r#"{"b":[1,-2,3.5,null,true,"x"],"a":{}}"#
        );
    }

    #[test]
    fn truncated_text_names_the_innermost_open_value() {
        let error = failure(r#"{"turns":[{"turn_id":1},{"tool_calls":[{"name":"sea"#);
        assert_eq!(
            error.report().path.as_deref(),
            Some("turns[1].tool_calls[0].name")
        );
        let text = error.to_string();
        assert!(
            text.contains("EOF while parsing a string at line 1, column 51"),
            "{text}"
        );
    }

    #[test]
    fn empty_text_and_trailing_text_are_named() {
        assert!(
            failure("  ")
                .to_string()
                .contains("the text is empty at line 1, column 1")
        );
        assert!(failure("{} {}").to_string().contains("trailing characters"));
        assert!(failure("nonsense").to_string().contains("expected ident"));
    }

    #[test]
    fn one_value_per_line_is_read_as_a_list() {
        let arena = Bump::new();
        for text in [
            "{\"a\":1}\n[2]\n",
            "\u{feff}{\"a\":1}\r\n\r\n[2]",
            "\n {\"a\":1} \n\t[2]\n\n",
        ] {
            let value = read(&arena, text).expect("JSON Lines");
            assert_eq!(
                serde_json::to_string(&value).expect("serializes"),
                r#"[{"a":1},[2]]"#,
                "{text}"
            );
        }
        let one = read(&arena, "\n{\"a\":1}\n").expect("one document");
        assert!(one.members().is_some());
        let spread = read(&arena, "[[1]\n,[2]]").expect("one document");
        assert_eq!(spread.items().map(<[_]>::len), Some(2));
    }

    #[test]
    fn a_bad_line_is_reported_by_number() {
        let error = failure("{\"a\":1}\n\n{\"b\":[1,\n{}\n");
        assert_eq!(error.report().path.as_deref(), Some("[1].b[1]"));
        assert!(error.to_string().contains("at line 3, column 8"), "{error}");
        let deep = format!("{{}}\n{}", "[".repeat(300));
        assert!(
            failure(&deep)
                .to_string()
                .starts_with("limits.maxDepth is 256"),
            "{}",
            failure(&deep)
        );
        for text in ["{} {}", "{\"a\":\n1}}\n", "7\n8", "[\n1,\n"] {
            let error = failure(text);
            assert!(
                error
                    .report()
                    .path
                    .is_none_or(|path| !path.starts_with("[1].")),
                "{error}"
            );
        }
    }

    #[test]
    fn bytes_that_are_not_utf8_are_an_error_with_their_place() {
        let arena = Bump::new();
        let error = Reader::new(&arena, Limits::default())
            .read(b"[\"\xff\"]")
            .expect_err("not UTF-8");
        assert!(error.to_string().contains("byte 2 is not UTF-8"), "{error}");
    }

    #[test]
    fn a_byte_order_mark_is_skipped() {
        assert_eq!(
            read(&Bump::new(), "\u{feff}[]").expect("JSON"),
            Json::Array(&[])
        );
    }

    #[test]
    fn nesting_beyond_the_limit_is_an_error_with_its_path() {
        let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
        let arena = Bump::new();
        assert!(read(&arena, &deep(256)).is_ok());
        let error = failure(&deep(257));
        assert!(
            matches!(
                error,
                Error::LimitExceeded {
                    limit: "limits.maxDepth",
                    ..
                }
            ),
            "{error}"
        );
        assert_eq!(error.report().path, Some("[0]".repeat(256)));
        assert!(error.to_string().ends_with("(256 levels)"), "{error}");
        assert!(matches!(
            failure(&deep(100_000)),
            Error::LimitExceeded { .. }
        ));
        assert!(matches!(
            failure(&"[".repeat(1_000_000)),
            Error::LimitExceeded { .. }
        ));
    }

    #[test]
    fn the_size_limit_names_both_sizes() {
        let arena = Bump::new();
        let limits = Limits {
            max_input_bytes: 4,
            ..Limits::default()
        };
        let error = Reader::new(&arena, limits)
            .read(b"[1,2]")
            .expect_err("too long");
        assert_eq!(
            error.to_string(),
            "limits.maxInputBytes is 4, the input needs 5"
        );
    }

    #[test]
    fn a_number_beyond_the_doubles_is_infinite() {
        let arena = Bump::new();
        let digits = "9".repeat(310);
        for (number, expected) in [
            ("1e400", f64::INFINITY),
            ("-1e999", f64::NEG_INFINITY),
            (&digits, f64::INFINITY),
            (&format!("-{digits}.5E+1"), f64::NEG_INFINITY),
        ] {
            let text = format!("[{{\"n\":{number}}}]");
            let value = read(&arena, arena.alloc_str(&text)).expect("JSON");
            let expected = Json::Number(Number::Float(expected));
            assert_eq!(value.items().expect("a list")[0].get("n"), Some(expected));
            let (cut, line) = (
                format!("[\"1e400\",{number},,1]"),
                format!("{{}}\n[{number}"),
            );
            let error = failure(&cut).to_string();
            assert!(
                error.contains("expected value") && error.contains("[2]"),
                "{error}"
            );
            assert!(failure(&line).to_string().contains("at line 2"));
            assert!(
                !why_not_json(&cut).contains("range"),
                "{}",
                why_not_json(&cut)
            );
        }
    }

    #[test]
    fn too_many_objects_or_values_are_an_error_that_names_the_limit() {
        let limits = Limits {
            max_objects: 3,
            max_values: 8,
            ..Limits::default()
        };
        let arena = Bump::new();
        let reader = Reader::new(&arena, limits);
        let cases = [
            ("[{},{},{}]", None),
            ("[{},{},{},{}]", Some("limits.maxObjects is 3")),
            ("{}\n{}\n{}\n", None),
            ("{}\n{}\n{}\n{}\n", Some("limits.maxObjects is 3")),
            ("[1,1,1,1,1,1,1,1]", None),
            ("[1,1,1,1,1,1,1,1,1]", Some("limits.maxValues is 8")),
            ("[[],[],[],[[],[],[],[]],[]]", Some("limits.maxValues is 8")),
            ("[1,1,1]\n[1,1,1,1]\n[1,1]", Some("limits.maxValues is 8")),
            (r#"{"a":{"b":{"c":1,"d":2}}}"#, None),
            ("[{},{},{},{},", Some("limits.maxObjects is 3")),
        ];
        for (text, expected) in cases {
            let read = reader
                .read(text.as_bytes())
                .map_err(|error| error.to_string());
            let by_serde = reader
                .read_from(&mut serde_json::Deserializer::from_str(text))
                .map_err(|error| error.to_string());
            let is_lines = text.contains('\n');
            for read in [Some(read), (!is_lines).then_some(by_serde)]
                .into_iter()
                .flatten()
            {
                match (read, expected) {
                    (Ok(_), None) => {}
                    (Err(error), Some(expected)) => assert!(error.contains(expected), "{error}"),
                    (read, _) => panic!("{text}: {read:?}"),
                }
            }
        }
    }

    #[test]
    fn invalid_json_is_explained() {
        let cases = [
            (
                r#"{"a":1}{"b":2}"#,
                "it holds 2 JSON values, one after the other",
            ),
            (
                r#"{"a":1} {} []"#,
                "it holds 3 JSON values, one after the other",
            ),
            (r#"{"a":"#, "EOF while parsing a value at line 1 column 5"),
            (r#"{"a":1}{"b"#, "trailing characters at line 1 column 8"),
            ("", "EOF while parsing a value at line 1 column 0"),
        ];
        for (text, reason) in cases {
            assert_eq!(why_not_json(text), reason, "{text}");
        }
    }

    #[test]
    fn lone_surrogates_become_replacement_characters_of_the_same_length() {
        let arena = Bump::new();
        let text =
            r#"["\ud83d","\ud83d\ude00","\ude00x","\\ud83d","\uD83D\n","\ud83d\ud83d\ude00"]"#;
        let value = read(&arena, text).expect("JSON");
        let strings: Vec<_> = value
            .items()
            .expect("array")
            .iter()
            .map(|s| s.as_str().expect("string"))
            .collect();
        assert_eq!(
            strings,
            [
                "\u{fffd}",
                "😀",
                "\u{fffd}x",
                "\\ud83d",
                "\u{fffd}\n",
                "\u{fffd}😀"
            ]
        );
    }

    #[test]
    fn only_lone_surrogates_are_replaced_for_serde() {
        for (json, read) in [
            (r#"{"a\ud83d":"\ude00b"}"#, r#"{"a\ufffd":"\ufffdb"}"#),
            (
                r#"["\ud83d\ude00", "\\ud83d"]"#,
                r#"["\ud83d\ude00", "\\ud83d"]"#,
            ),
        ] {
            assert_eq!(*without_lone_surrogates(json.as_bytes()), *read.as_bytes());
            assert!(
                serde_json::from_str::<serde_json::Value>(read).is_ok(),
                "{read}"
            );
        }
        assert_eq!(*without_lone_surrogates(b"\xff"), *b"\xff");
    }

    #[test]
    fn a_repeated_key_keeps_its_first_place_and_last_value() {
        let arena = Bump::new();
        let value = read(&arena, r#"{"a":1,"b":2,"a":3}"#).expect("JSON");
        assert_eq!(
            serde_json::to_string(&value).expect("serializes"),
            r#"{"a":3,"b":2}"#
        );
        let many: String = (0..40).map(|n| format!("\"k{}\":{n},", n % 20)).collect();
        let text = format!("{{{}}}", many.trim_end_matches(','));
        let value = read(&arena, arena.alloc_str(&text)).expect("JSON");
        let members = value.members().expect("object");
        assert_eq!(members.len(), 20);
        assert_eq!(members[0], ("k0", Json::Number(Number::Unsigned(20))));
    }

    #[test]
    fn only_texts_of_objects_and_arrays_are_read_as_nested_json() {
        let arena = Bump::new();
        let reader = TextReader::new(Reader::new(&arena, Limits::default()));
        assert_eq!(
            reader.read_nested(" [1]").map(Json::kind),
            Some(crate::Kind::Array)
        );
        assert_eq!(reader.read_nested("42"), None);
        assert_eq!(reader.read_nested("{not json"), None);
        assert_eq!(reader.read_nested(""), None);
    }

    #[test]
    fn files_that_hold_no_text_are_named() {
        let named: [(&[u8], &str); 8] = [
            (b"PK\x03\x04\x14\0\0\0", "a ZIP archive"),
            (b"PK\x05\x06\0\0", "an empty ZIP archive"),
            (b"\x1f\x8b\x08\0", "compressed with gzip"),
            (b"\x28\xb5\x2f\xfd\x04", "compressed with Zstandard"),
            (b"SQLite format 3\0\x10", "an SQLite database"),
            (b"PAR1\x15\x04", "a Parquet file"),
            (b"\xff\xfe{\0}\0", "text in UTF-16"),
            (b"\xfe\xff\0{\0}", "text in UTF-16"),
        ];
        for (bytes, name) in named {
            let arena = Bump::new();
            let read = Reader::new(&arena, Limits::default()).read(bytes);
            let message = read.expect_err(name).to_string();
            assert!(message.contains(name), "{message}");
        }
        let arena = Bump::new();
        let other = Reader::new(&arena, Limits::default()).read(b"PARTIAL");
        assert!(
            other
                .expect_err("no JSON")
                .to_string()
                .starts_with("not valid JSON")
        );
    }

    proptest! {
        #[test]
        fn each_of_many_texts_is_read_independently(
            texts in prop::collection::vec("[\\[\\]{},:1 ]{0,12}|(\\[\\{\"a\":){0,8}1(\\}\\]){0,8}", 0..12),
        ) {
            let arena = Bump::new();
            let limits = Limits { max_depth: 12, ..Limits::default() };
            let reader = Reader::new(&arena, limits);
            let texts_reader = TextReader::new(reader);
            for text in &texts {
                let alone = reader.read_text(text).map_err(|error| error.to_string());
                let read = texts_reader.read_text(text).map_err(|error| error.to_string());
                prop_assert_eq!(read, alone);
            }
        }
    }
}
