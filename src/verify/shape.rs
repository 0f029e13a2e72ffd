//! Compares the result of a call with the output schema of its tool.

use bumpalo::Bump;

use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Path, Reader};
use toolgauge_schema::{OutputSchema, SchemaIssue, Violation, ViolationKind};

/// The member of an MCP result that the output schema describes.
const STRUCTURED: &str = "structuredContent";

/// The members under which MCP servers wrap a result that is not an object. Their text content then holds the
/// bare result.
const WRAPPERS: [&str; 2] = ["result", "content"];

/// How many differences the sentence lists.
const MOST_SHOWN: usize = 3;

/// How a result differs from the output schema.
#[derive(Debug)]
pub struct Difference {
    /// Each difference, as `validateSchema` reports it.
    pub violations: Vec<SchemaIssue>,
    /// Whether there are more differences.
    pub truncated: bool,
}

impl Difference {
    /// Describes the differences in the result of `tool` in one sentence.
    pub fn describe(&self, tool: &str) -> String {
        let shown = self.violations.iter().take(MOST_SHOWN).map(|violation| {
            if violation.path.is_empty() {
                violation.message.clone()
            } else {
                format!("{}: {}", violation.path, violation.message)
            }
        });
        let mut shown: Vec<_> = shown.collect();
        let more = self.violations.len() - shown.len();
        match (more, self.truncated) {
            (0, false) => {}
            (more, false) => shown.push(format!("and {more} more")),
            (more, true) => shown.push(format!("and more than {more} more")),
        }
        let shown = shown.join("; ");
        format!("the result of {tool:?} does not match its output schema: {shown}")
    }
}

/// Compares `result` with the output schema `declared`. Returns `None` if it matches.
///
/// Text that holds JSON is compared as JSON. Of an MCP result, `structuredContent` is compared, or the text
/// content if there is none. A bare result also matches a schema that wraps it as `{result: …}`.
///
/// # Errors
/// As [`OutputSchema::violations`].
pub fn difference(
    result: Json<'_>,
    declared: &OutputSchema,
    limits: Limits,
) -> Result<Option<Difference>> {
    let arena = Bump::new();
    let check = ShapeCheck {
        declared,
        limits,
        reader: Reader::new(&arena, limits),
    };
    match Mcp::of(result, declared) {
        Some(Mcp::Structured(value)) => check.strictly(value, &Path::root().key(STRUCTURED)),
        Some(Mcp::Content(blocks)) => check.content(blocks),
        None => check.leniently(result, &Path::root()),
    }
}

/// The part of an MCP result that an output schema describes.
enum Mcp<'a> {
    Structured(Json<'a>),
    Content(&'a [Json<'a>]),
}

impl<'a> Mcp<'a> {
    /// Returns `None` if `result` is not an MCP result, or if `declared` describes the whole of it.
    fn of(result: Json<'a>, declared: &OutputSchema) -> Option<Self> {
        let member = |name: &str| {
            let known = declared.properties();
            let is_declared = known.is_some_and(|known| known.contains_key(name));
            result.get(name).filter(|_| !is_declared)
        };
        if let Some(structured) = member(STRUCTURED).filter(|value| !value.is_null()) {
            return Some(Self::Structured(structured));
        }
        let blocks = member("content")?.items()?;
        let is_block = |block: &Json<'_>| block.get("type").and_then(Json::as_str).is_some();
        blocks.iter().all(is_block).then_some(Self::Content(blocks))
    }
}

struct ShapeCheck<'j, 'a> {
    declared: &'j OutputSchema,
    limits: Limits,
    reader: Reader<'a>,
}

impl<'a> ShapeCheck<'_, 'a> {
    fn strictly(&self, value: Json<'_>, at: &Path) -> Result<Option<Difference>> {
        let (violations, truncated) = self.declared.violations(value, self.limits)?;
        let at_place = |violation: Violation| {
            SchemaIssue::from(Violation {
                path: at.join(&violation.path),
                ..violation
            })
        };
        let differs = truncated || !violations.is_empty();
        Ok(differs.then(|| Difference {
            violations: violations.into_iter().map(at_place).collect(),
            truncated,
        }))
    }

    /// Compares every reading of `value`; one of them has to match.
    fn leniently(&self, value: Json<'a>, at: &Path) -> Result<Option<Difference>> {
        let read = self.read(value);
        if self.fits(read)? || self.fits(value)? {
            return Ok(None);
        }
        let is_document = matches!(read, Json::Object(_) | Json::Array(_));
        self.strictly(if is_document { read } else { value }, at)
    }

    /// Compares the texts of an MCP result; one of them, or all together, has to match.
    fn content(&self, blocks: &[Json<'a>]) -> Result<Option<Difference>> {
        let text_of = |(at, block): (usize, &Json<'a>)| {
            let text = block.get("text").filter(|text| text.as_str().is_some())?;
            Some((Path::root().key("content").index(at).key("text"), text))
        };
        let texts: Vec<_> = blocks.iter().enumerate().filter_map(text_of).collect();
        let arena = self.reader.arena();
        let plain = arena.alloc_slice_fill_iter(texts.iter().map(|(_, text)| *text));
        let read = arena.alloc_slice_fill_iter(plain.iter().map(|text| self.read(*text)));
        let each = read.iter().chain(plain.iter()).copied();
        for whole in each.chain([Json::Array(read), Json::Array(plain)]) {
            if self.fits(whole)? {
                return Ok(None);
            }
        }
        let mut documents = texts
            .iter()
            .zip(read.iter())
            .filter(|(_, read)| matches!(read, Json::Object(_) | Json::Array(_)));
        match (documents.next(), documents.next()) {
            (Some(((at, _), document)), None) => self.strictly(*document, at),
            _ => Ok(Some(without_structure())),
        }
    }

    /// Returns the JSON that `value` holds as text, or `value` itself.
    fn read(&self, value: Json<'a>) -> Json<'a> {
        let text = value.as_str();
        text.and_then(|text| self.reader.read_text(text).ok())
            .unwrap_or(value)
    }

    /// Returns whether `value` matches as it is, or wrapped as the schema declares.
    fn fits(&self, value: Json<'a>) -> Result<bool> {
        if self.accepts(value)? {
            return Ok(true);
        }
        let Some(wrapper) = self.wrapper(value) else {
            return Ok(false);
        };
        // The value may come from a text that is meant as text.
        Ok(self.accepts(self.wrapped(wrapper, value))?
            || self.accepts(self.wrapped(wrapper, self.written(value)))?)
    }

    fn accepts(&self, value: Json<'_>) -> Result<bool> {
        self.declared.accepts(value, self.limits)
    }

    /// Returns the only member that the schema declares, if it wraps a value such as `value`.
    fn wrapper(&self, value: Json<'_>) -> Option<&'static str> {
        let known = self
            .declared
            .properties()
            .filter(|known| known.len() == 1)?;
        let mut wrappers = WRAPPERS.into_iter();
        let wrapper = wrappers.find(|name| known.contains_key(*name))?;
        value.get(wrapper).is_none().then_some(wrapper)
    }

    fn wrapped(&self, wrapper: &'a str, value: Json<'a>) -> Json<'a> {
        let members = self.reader.arena().alloc_slice_copy(&[(wrapper, value)]);
        Json::Object(members)
    }

    fn written(&self, value: Json<'a>) -> Json<'a> {
        match (value, serde_json::to_string(&value)) {
            (Json::Object(_) | Json::Array(_), Ok(text)) => {
                Json::String(self.reader.arena().alloc_str(&text))
            }
            _ => value,
        }
    }
}

fn without_structure() -> Difference {
    let missing = Violation {
        kind: ViolationKind::Required,
        path: Path::root().key(STRUCTURED),
        keyword: "required".to_owned(),
        expected: None,
        actual: None,
        coerced: None,
        suggestion: None,
        message: "required, but missing".to_owned(),
    };
    Difference {
        violations: vec![missing.into()],
        truncated: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_formats::import_tools;
    use toolgauge_model::testing::arena_json;
    use toolgauge_schema::{Compiler, ToolSet};

    const WEATHER: &str = r#"{"type":"object","properties":{"city":{"type":"string"},"degrees":{"type":"number"},
        "days":{"type":"array","items":{"type":"object","properties":{"sky":{"enum":["clear","rain"]}},"required":["sky"]}}},
        "required":["city","degrees"]}"#;

    /// Returns each difference as `path: message`; empty if the result matches `schema`.
    fn differences_of(schema: &str, result: &str) -> Vec<String> {
        let arena = Bump::new();
        let limits = Limits::default();
        let tool = format!(r#"{{"name":"f","inputSchema":{{}},"outputSchema":{schema}}}"#);
        let reader = Reader::new(&arena, limits);
        let tools = import_tools(arena_json(&arena, &tool), reader).expect("a tool");
        let set = ToolSet::compile(&tools.value, &Compiler::new(Vec::new())).expect("a tool");
        let declared = set.only().and_then(|tool| tool.output()).expect("a schema");
        let found = difference(arena_json(&arena, result), declared, limits).expect("a verdict");
        let violations = found.map(|found| found.violations).unwrap_or_default();
        violations
            .iter()
            .map(|violation| format!("{}: {}", violation.path, violation.message))
            .collect()
    }

    #[test]
    fn a_result_is_compared_wherever_an_envelope_holds_it() {
        let good = r#"{"city":"Bergen","degrees":7,"days":[{"sky":"rain"}]}"#;
        let bad = r#"{"city":"Bergen","days":[{"sky":"clear"},{"sky":"grey"}]}"#;
        let text = |json: &str| serde_json::to_string(json).expect("a text");
        let said = |json: &str| format!(r#"{{"type":"text","text":{}}}"#, text(json));
        for (form, prefix) in [
            (
                (|json, _, _| json) as fn(String, String, String) -> String,
                "",
            ),
            (|_, text, _| text, ""),
            (
                |json, _, _| format!(r#"{{"content":[],"structuredContent":{json}}}"#),
                "structuredContent.",
            ),
            (
                |json, _, _| {
                    format!(
                        r#"{{"content":[{{"type":"text","text":"7 degrees"}}],"structuredContent":{json},"isError":false}}"#
                    )
                },
                "structuredContent.",
            ),
            (
                |_, _, said| format!(r#"{{"content":[{said}]}}"#),
                "content[0].text.",
            ),
            (
                |_, _, said| {
                    format!(
                        r#"{{"content":[{{"type":"image","data":"","mimeType":"image/png"}},{said}],"structuredContent":null}}"#
                    )
                },
                "content[1].text.",
            ),
        ] {
            let of = |json: &str| form(json.to_owned(), text(json), said(json));
            assert_eq!(differences_of(WEATHER, &of(good)), [""; 0], "{}", of(good));
            let wanted = [
                format!(
                    "{prefix}days[1].sky: expected one of \"clear\", \"rain\", got \"grey\" (string)"
                ),
                format!("{prefix}degrees: required, but missing (number)"),
            ];
            let mut found = differences_of(WEATHER, &of(bad));
            found.sort();
            assert_eq!(found, wanted, "{}", of(bad));
        }
    }

    #[test]
    fn a_value_of_another_kind_is_reported_once() {
        assert_eq!(
            differences_of(WEATHER, r#""It rains.""#),
            [": expected object, got \"It rains.\" (string)"]
        );
        assert_eq!(
            differences_of(WEATHER, "[]"),
            [": expected object, got an array"]
        );
        for content in [
            r#"[{"type":"text","text":"It rains."}]"#,
            r#"[{"type":"text","text":"{\"city\":1}"},{"type":"text","text":"{\"city\":2}"}]"#,
            r#"[{"type":"image","data":"","mimeType":"image/png"}]"#,
            "[]",
        ] {
            assert_eq!(
                differences_of(WEATHER, &format!(r#"{{"content":{content}}}"#)),
                ["structuredContent: required, but missing"],
                "{content}"
            );
        }
    }

    #[test]
    fn text_stays_text_where_the_schema_expects_text() {
        for result in [r#""It rains.""#, r#""7""#, r#""{\"a\":1}""#] {
            assert_eq!(
                differences_of(r#"{"type":"string"}"#, result),
                [""; 0],
                "{result}"
            );
        }
        assert_eq!(differences_of(r#"{"type":"integer"}"#, r#""7""#), [""; 0]);
        assert_eq!(
            differences_of(r#"{"type":"integer"}"#, r#""seven""#),
            [": expected integer, got \"seven\" (string)"]
        );
    }

    #[test]
    fn a_bare_result_matches_a_wrapping_schema() {
        let wrapped = |schema: &str| {
            format!(
                r#"{{"type":"object","properties":{{"result":{schema}}},"required":["result"]}}"#
            )
        };
        let block = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
        let texts = wrapped(r#"{"type":"array","items":{"type":"string"}}"#);
        for (schema, result) in [
            (wrapped(r#"{"type":"string"}"#), r#""It rains.""#.to_owned()),
            (wrapped(r#"{"type":"integer"}"#), r#""7""#.to_owned()),
            (wrapped(r#"{"type":"integer"}"#), "7".to_owned()),
            (
                wrapped(r#"{"type":"integer"}"#),
                r#"{"result":7}"#.to_owned(),
            ),
            (
                wrapped(r#"{"type":"integer"}"#),
                format!(r#"{{"content":[{}]}}"#, block("7")),
            ),
            (
                texts.clone(),
                format!(r#"{{"content":[{},{}]}}"#, block("a"), block("7")),
            ),
            (texts.clone(), r#"{"content":[]}"#.to_owned()),
            (texts.clone(), r#"["a","b"]"#.to_owned()),
        ] {
            assert_eq!(
                differences_of(&schema, &result),
                [""; 0],
                "{schema} {result}"
            );
        }
        let file = r#"{"type":"object","properties":{"content":{"type":"string"}},"required":["content"]}"#;
        for result in [
            r#""a,b""#,
            r#""[1, 2]""#,
            "[1, 2]",
            r#"{"a":1}"#,
            r#"{"content":"a,b"}"#,
        ] {
            assert_eq!(differences_of(file, result), [""; 0], "{result}");
        }
        assert_eq!(
            differences_of(file, r#"{"content":[1]}"#),
            ["content: expected string, got an array"]
        );
        assert_eq!(
            differences_of(&wrapped(r#"{"type":"integer"}"#), r#"{"result":"x"}"#),
            ["result: expected integer, got \"x\" (string)"]
        );
        assert_eq!(
            differences_of(&texts, r#"{"content":[],"structuredContent":["a"]}"#),
            ["structuredContent: expected object, got an array"]
        );
    }

    #[test]
    fn declared_members_are_not_taken_for_an_envelope() {
        let page = r#"{"type":"object","properties":{"content":{"type":"array"},"next":{"type":"string"}},"required":["next"]}"#;
        assert_eq!(
            differences_of(page, r#"{"content":[],"next":"p2"}"#),
            [""; 0]
        );
        assert_eq!(
            differences_of(page, r#"{"content":[]}"#),
            ["next: required, but missing (string)"]
        );
    }
}
