//! Tool calls that models write into their text, each family of models in the dialect of its chat template. Servers take
//! them out of the text, unless they don't know the dialect.
//!
//! This finds them and their marks. Reading their arguments is the task of importing.

mod dialects;
pub mod names;

use bumpalo::Bump;

use dialects::{BARE_JSON, BARE_PYTHON, DIALECTS, ENDS};
pub use dialects::{CallBody, CallMarks, Dialect, HARMONY_ENDS, HARMONY_MESSAGE};

use crate::json::{Json, Member};
use crate::limits::Limits;
use crate::lines::json_lines;
use crate::parse::Reader;

/// At most this many tools of a text are looked up.
const MOST_NAMES: usize = 20;

/// The calls between two marks in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextCall<'t> {
    /// The dialect.
    pub dialect: &'static Dialect,
    /// Where the opening mark begins, in bytes.
    pub start: usize,
    /// Where the closing mark ends, in bytes.
    pub end: usize,
    /// The calls with their marks.
    pub marked: &'t str,
    /// The calls without their marks.
    pub inner: &'t str,
    /// Whether a mark ends them, rather than the end of the text.
    pub is_closed: bool,
}

/// The calls that a text contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextCalls<'t> {
    /// At least one, in order.
    pub calls: Vec<TextCall<'t>>,
    /// Whether nothing but thoughts is before them.
    opens: bool,
    /// Whether nothing but marks is after them.
    ends: bool,
    is_bare: bool,
}

impl<'t> TextCall<'t> {
    /// The name of the first tool that is called. `None` if there is none.
    pub fn name(&self) -> Option<&'t str> {
        let (inner, marked) = (self.inner.trim_start(), self.marked);
        let after = |mark: &str| Some(inner.split_once(mark)?.1.trim_start());
        let name = match self.dialect.body {
            CallBody::Json => names::in_json(inner)?,
            CallBody::Python => {
                let calls = is_python(inner).then(|| inner.trim_start_matches(['[', ' ', '\n']))?;
                names::of_python(names::leading(calls)?.0)
            }
            CallBody::Functions => marked.split_once("<function=")?.1.split('>').next()?,
            CallBody::Invokes => names::attribute(marked.split_once("invoke ")?.1)?,
            CallBody::Keys => names::leading(inner)?.0,
            CallBody::Named(marks) => match names::leading(after(marks.begin)?)? {
                // DeepSeek V3 writes the type of the call in place of the name.
                ("function", _) => names::leading(after(marks.between)?)?.0,
                (name, _) => name,
            },
            CallBody::Harmony => names::recipient(marked)?,
            CallBody::Unread => return None,
        };
        let name = names::plain(name);
        names::is_name(name).then_some(name)
    }
}

impl<'t> TextCalls<'t> {
    /// The calls in the text of an agent. `None` if it contains none. Calls in code, in quotes and in thoughts are left
    /// out, and those without a name.
    pub fn of(text: &'t str) -> Option<Self> {
        let start = after_thoughts(text);
        let calls = marked_calls(text, start);
        if let Some(first) = calls.first() {
            let is_first = text[start..first.start].trim().is_empty();
            // Before a Harmony call only thoughts and announcements are possible, with marks of their own.
            let opens = is_first || first.dialect.body == CallBody::Harmony;
            let last = calls.last().map_or(0, |call| call.end);
            return Some(Self {
                calls,
                opens,
                ends: is_end(&text[last..]),
                is_bare: false,
            });
        }
        let call = bare_call(text, start)?;
        Some(Self {
            calls: vec![call],
            opens: true,
            ends: true,
            is_bare: true,
        })
    }

    /// The names of the called tools, or of the first ones if there are very many.
    pub fn names(&self) -> impl Iterator<Item = &'t str> {
        let first = self.calls.iter().take(MOST_NAMES);
        first.filter_map(TextCall::name)
    }

    /// Whether the text ends with calls in the marks of a dialect. Models stop after their calls, but so may an
    /// explanation.
    pub fn are_last(&self) -> bool {
        self.ends && !self.is_bare
    }

    /// Whether these are calls to make, rather than examples in an explanation: the text opens with their marks, one of
    /// the tools is known, or results follow. Without marks only the last two say so.
    pub fn are_meant(&self, is_known: impl Fn(&str) -> bool, has_results: bool) -> bool {
        has_results || (self.opens && !self.is_bare) || self.names().any(is_known)
    }
}

/// The mark before each message of ChatML, which Qwen, Hermes and others use.
pub const CHATML: &str = "<|im_start|>";

/// The mark before each message of Harmony, which gpt-oss uses.
pub const HARMONY: &str = "<|start|>";

/// The mark before each message of Llama 3.
pub const LLAMA: &str = "<|start_header_id|>";

/// A text that is a whole conversation with the marks of a chat template, as a model sees it, from its first message on.
/// `None` for any other text.
pub fn rendered_chat(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let text = text.strip_prefix("<|begin_of_text|>").unwrap_or(text);
    let mut marks = [CHATML, HARMONY, LLAMA].into_iter();
    marks.any(|mark| text.starts_with(mark)).then_some(text)
}

/// The models whose dialect marks the beginning of a text, if no call in it can be read: it has no name.
pub fn unreadable_dialect(text: &str) -> Option<&'static str> {
    let text = text[after_thoughts(text)..].trim_start();
    let first = text.as_bytes().first()?;
    if !OPENINGS.contains(first) {
        return None;
    }
    let is_here = |dialect: &&Dialect| {
        text.strip_prefix(dialect.open).is_some_and(|after| {
            let is_closed = || dialect.close.iter().any(|mark| after.contains(mark));
            // Nobody writes a token of a chat template as a word.
            let is_token = dialect.open.contains(['|', '｜', '[']);
            let is_mark = dialect.body != CallBody::Harmony && (is_token || is_closed());
            dialect.begins(after) || is_mark
        })
    };
    let dialect = DIALECTS.iter().find(is_here)?;
    marked_calls(text, 0).is_empty().then_some(dialect.name)
}

/// Where the text after all thoughts begins.
fn after_thoughts(text: &str) -> usize {
    // Preparing the searches takes longer than looking for one character.
    if !text.as_bytes().contains(&b'<') {
        return 0;
    }
    let ends = ["</think>", "<|END_THINKING|>"].into_iter();
    let ends = ends.filter_map(|end| Some(text.rfind(end)? + end.len()));
    ends.max().unwrap_or_default()
}

fn marked_calls(text: &str, start: usize) -> Vec<TextCall<'_>> {
    let mut found = Vec::new();
    let mut code = Code {
        seen: start,
        ..Code::default()
    };
    let mut from = start;
    // Most texts have neither, and looking for one character is much faster than looking for one of two.
    if !OPENINGS.iter().any(|it| text.as_bytes().contains(it)) {
        return found;
    }
    while let Some(at) = next_opening(text, from) {
        from = at + 1;
        let Some(call) = DIALECTS
            .iter()
            .find_map(|dialect| call_at(dialect, text, at))
        else {
            continue;
        };
        if code.has(text, at) || is_quoted(&text[start..at]) || call.name().is_none() {
            continue;
        }
        from = call.end;
        code.seen = from;
        found.push(call);
    }
    found
}

/// The characters that the opening marks of all dialects begin with.
const OPENINGS: [u8; 2] = [b'<', b'['];

/// Where an opening mark may begin in `text` from the byte `from` on.
fn next_opening(text: &str, from: usize) -> Option<usize> {
    let rest = text.as_bytes().get(from..)?;
    let is_opening =
        |pair: &[u8]| OPENINGS.contains(&pair[0]) && dialects::SECOND_BYTES[usize::from(pair[1])];
    Some(from + rest.windows(2).position(is_opening)?)
}

/// The calls in `dialect` whose opening mark is `at` this place.
fn call_at<'t>(dialect: &'static Dialect, text: &'t str, at: usize) -> Option<TextCall<'t>> {
    let after = text[at..].strip_prefix(dialect.open)?;
    if !dialect.begins(after) {
        return None;
    }
    let inner = at + dialect.open.len();
    let (end, close, is_closed) = dialect.end(after);
    Some(TextCall {
        dialect,
        start: at,
        end: inner + close,
        marked: &text[at..inner + close],
        inner: &text[inner..inner + end],
        is_closed,
    })
}

/// The marks of code in a text, counted up to a place.
#[derive(Default)]
struct Code {
    seen: usize,
    fences: usize,
    /// The backticks in the line of that place.
    ticks: usize,
}

impl Code {
    /// Whether the place `at`, which is after all places before, is in code.
    fn has(&mut self, text: &str, at: usize) -> bool {
        let passed = &text[self.seen..at];
        self.seen = at;
        self.fences += passed.matches("```").count();
        let line = match passed.rsplit_once('\n') {
            Some((_, line)) => {
                self.ticks = 0;
                line
            }
            None => passed,
        };
        self.ticks += line.matches('`').count();
        self.fences % 2 == 1 || self.ticks % 2 == 1
    }
}

/// Whether what follows `before` is in quotes or brackets.
fn is_quoted(before: &str) -> bool {
    before.ends_with(['"', '\'', '“', '‘', '(', '«'])
}

/// Whether `text` holds nothing but closing marks and ends of messages.
fn is_end(text: &str) -> bool {
    let mut text = text.trim();
    while let Some(rest) = ENDS.iter().find_map(|mark| text.strip_prefix(mark)) {
        text = rest.trim_start();
    }
    text.is_empty() || text == "</tool_call>" || text == "<|start|>assistant"
}

/// The call that a text is from `start` on, without the marks of any dialect. It may be in a fence.
fn bare_call(text: &str, start: usize) -> Option<TextCall<'_>> {
    let end = ENDS.iter().fold(text.trim_end(), |text, mark| {
        text.strip_suffix(mark).unwrap_or(text).trim_end()
    });
    let (start, end) = (start, end.len().max(start));
    let marked = &text[start..end];
    let inner = unfenced(marked.trim());
    // Phi-4 writes this word before its list.
    let inner = inner.strip_prefix("functools").unwrap_or(inner);
    let dialect = match inner.as_bytes().first()? {
        b'{' | b'[' if is_bare_json(inner) => &BARE_JSON,
        b'[' if is_bare_python(inner) => &BARE_PYTHON,
        _ if inner.len() < marked.trim().len() && is_bare_python(inner) => &BARE_PYTHON,
        _ => return None,
    };
    Some(TextCall {
        dialect,
        start,
        end,
        marked,
        inner,
        is_closed: true,
    })
}

/// The content of a text that is nothing but a fence, or else the text.
fn unfenced(text: &str) -> &str {
    let inside = || {
        let inside = text.strip_prefix("```")?.strip_suffix("```")?;
        let (_, content) = inside.split_once('\n')?;
        (!content.contains("```")).then(|| content.trim())
    };
    inside().unwrap_or(text)
}

/// Whether `text` is JSON with the members of calls and no others.
fn is_bare_json(text: &str) -> bool {
    let is_likely = text.contains("\"name\"") && text.ends_with(['}', ']']);
    if !is_likely {
        return false;
    }
    let arena = Bump::new();
    match Reader::new(&arena, Limits::default()).read_text(text) {
        Ok(Json::Array(calls)) => {
            !calls.is_empty() && calls.iter().all(|call| is_plain_call(*call))
        }
        Ok(call) => is_plain_call(call),
        Err(_) => false,
    }
}

/// The members of a call that is written as JSON.
const OF_CALLS: [&str; 5] = ["name", "arguments", "parameters", "id", "type"];

fn is_plain_call(call: Json<'_>) -> bool {
    let name = call.get("name").and_then(Json::as_str);
    let arguments = call.get("arguments").or_else(|| call.get("parameters"));
    let is_own = |(key, _): &Member<'_>| OF_CALLS.contains(key);
    name.is_some_and(names::is_name)
        && arguments.is_some_and(|it| it.members().is_some())
        && call
            .members()
            .is_some_and(|members| members.iter().all(is_own))
}

fn is_bare_python(text: &str) -> bool {
    text.ends_with([']', ')']) && is_python(text)
}

/// Whether `text` is nothing but calls in Python.
fn is_python(text: &str) -> bool {
    let arena = Bump::new();
    let text: &str = arena.alloc_str(text);
    python_calls(text, Reader::new(&arena, Limits::default())).is_some()
}

/// The calls of a text that is nothing but calls in Python, a list or one per line: the name and the arguments of each.
/// `None` for any other text.
pub fn python_calls<'a>(text: &'a str, reader: Reader<'a>) -> Option<Vec<Member<'a>>> {
    let calls = reader.read_python_calls(text).or_else(|| {
        let lines = json_lines(text).map(|(_, line)| reader.read_python_calls(line));
        lines
            .collect::<Option<Vec<_>>>()
            .map(|calls| calls.concat())
    })?;
    let named = calls
        .into_iter()
        .map(|(name, arguments)| (names::of_python(name), arguments));
    Some(named.collect()).filter(|calls: &Vec<_>| !calls.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The name of each call in a text, and whether the calls are meant if nothing else says so.
    fn found(text: &str) -> (Vec<&str>, bool) {
        let Some(calls) = TextCalls::of(text) else {
            return (Vec::new(), false);
        };
        let names = calls.calls.iter().filter_map(TextCall::name).collect();
        (names, calls.are_meant(|_| false, false))
    }

    #[test]
    fn calls_that_open_a_text_are_meant() {
        for text in [
            "<tool_call>{\"name\": \"f\"}</tool_call>",
            "  \n<tool_call>{\"name\": \"f\"",
            "<think>So <tool_call>{\"name\":\"no\"}</tool_call>?</think>\n[TOOL_CALLS]f[ARGS]{}",
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{}",
            "<|START_THINKING|>Hm.<|END_THINKING|><|START_ACTION|>[{\"tool_name\": \"f\"}]<|END_ACTION|>",
            "<tool_call>{\"arguments\": {\"name\": \"Ann\"}, \"name\": \"f\"}</tool_call>",
        ] {
            assert_eq!(found(text), (vec!["f"], true), "{text}");
        }
    }

    #[test]
    fn other_calls_are_meant_if_their_tool_is_known_or_results_follow() {
        for text in [
            "I look.\n<tool_call>{\"name\": \"f\"}</tool_call>",
            "{\"name\": \"f\", \"arguments\": {}}",
            "[{\"type\": \"function\", \"name\": \"f\", \"parameters\": {\"a\": 1}}]",
            "```json\n{\"name\": \"f\", \"arguments\": {}}\n```",
            "functools[{\"name\": \"f\", \"arguments\": {}}]",
            "[f(a=1)]",
        ] {
            assert_eq!(found(text), (vec!["f"], false), "{text}");
            let calls = TextCalls::of(text).expect("a call");
            assert!(calls.are_meant(|name| name == "f", false), "{text}");
            assert!(calls.are_meant(|_| false, true), "{text}");
        }
    }

    #[test]
    fn calls_may_end_a_text() {
        let ends = |text: &str| TextCalls::of(text).is_some_and(|calls| calls.are_last());
        assert!(ends(
            "I look.\n<tool_call>{\"name\": \"f\"}</tool_call><|im_end|>\n"
        ));
        assert!(ends("I look.\n<function=f>\n</function>\n</tool_call>"));
        assert!(!ends(
            "<tool_call>{\"name\": \"f\"}</tool_call> That is a call."
        ));
        assert!(!ends("{\"name\": \"f\", \"arguments\": {}}"));
    }

    #[test]
    fn texts_about_calls_hold_none() {
        for text in [
            "Models write `<tool_call>{\"name\": \"f\"}</tool_call>`.",
            "Like this:\n```xml\n<function_calls>\n<invoke name=\"f\">\n</invoke>\n</function_calls>\n```\nThe server parses it.",
            "It writes \"[TOOL_CALLS]f[ARGS]{}\" first.",
            "The tag <tool_call> opens a call, <invoke> a function.",
            "The result has {\"name\": \"f\", \"arguments\": {}} in it.",
            "```json\n{\"name\": \"f\", \"arguments\": {}}\n```\nThat is a call.",
            "{\"name\": \"f\", \"description\": \"Finds.\", \"parameters\": {}}",
            "{\"name\": \"Ann Lee\", \"arguments\": {}}",
            "{\"name\": \"f\", \"arguments\": [1]}",
            "[1, 2]",
            "[a link](https://example.org)",
            "print(1)",
            "<|channel|>final<|message|>Hello.",
            "a < b and c > d [see 3]",
            "",
        ] {
            assert_eq!(found(text), (Vec::new(), false), "{text}");
        }
    }

    #[test]
    fn the_dialect_of_an_unreadable_call_is_known() {
        let gemma = "<start_function_call>call:f{a:<escape>b<escape>}<end_function_call>";
        assert_eq!(unreadable_dialect(gemma), Some("FunctionGemma"));
        assert_eq!(
            unreadable_dialect("<tool_call>\n{\"na"),
            Some("Hermes and Qwen")
        );
        assert_eq!(
            unreadable_dialect("<｜tool▁calls▁begin｜>"),
            Some("DeepSeek")
        );
        for text in [
            "<tool_call>{\"name\":\"f\"}</tool_call>",
            "<tool_call> opens a call.",
            "See <tool_call>{",
            "<|channel|>final<|message|>Hello.<|end|>",
        ] {
            assert_eq!(unreadable_dialect(text), None, "{text}");
        }
    }

    #[test]
    fn each_opening_mark_has_one_dialect_for_each_body() {
        for (at, dialect) in DIALECTS.iter().enumerate() {
            let others = DIALECTS[at + 1..].iter();
            let mut same = others.filter(|other| other.open == dialect.open);
            assert!(
                same.all(|other| other.body != dialect.body),
                "{}",
                dialect.open
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_searched_without_a_panic(parts in proptest::collection::vec(any_part(), 0..12)) {
            let text = parts.concat();
            for call in TextCalls::of(&text).iter().flat_map(|found| &found.calls) {
                prop_assert_eq!(&text[call.start..call.end], call.marked);
            }
            unreadable_dialect(&text);
        }
    }

    /// A mark, a piece of a call, or some characters.
    fn any_part() -> impl Strategy<Value = String> {
        let marks = DIALECTS.iter().flat_map(|dialect| {
            let close = dialect.close.iter().copied();
            close.chain([dialect.open])
        });
        let pieces = [
            "{\"name\":\"f\"",
            "}",
            "f",
            "(a=1)",
            "```",
            "`",
            "\n",
            "[ARGS]",
            "to=f",
            "<|message|>",
            " ",
        ];
        let known: Vec<&str> = marks.chain(pieces).collect();
        prop_oneof![
            proptest::sample::select(known).prop_map(str::to_owned),
            "[a-z<>=\"é ]{0,4}",
        ]
    }
}
