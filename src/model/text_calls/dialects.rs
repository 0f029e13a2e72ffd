//! The dialects: how the chat templates of models mark tool calls.

use super::names;
use crate::first_bytes;

/// How a family of models writes its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    /// The models that write it, as messages name them.
    pub name: &'static str,
    /// What is between the marks.
    pub body: CallBody,
    /// The mark before the calls.
    pub(super) open: &'static str,
    /// The marks after the calls. If none of them follows, the calls go on to the end of the text.
    pub(super) close: &'static [&'static str],
}

/// What is between the marks of a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallBody {
    /// JSON with the name and the arguments: an object, a list of objects, or one object after the other.
    Json,
    /// Calls in Python, `f(a=1)`: a list, or one per line.
    Python,
    /// `<function=NAME><parameter=KEY>VALUE</parameter></function>`, or with JSON in place of the parameters.
    Functions,
    /// `<invoke name="NAME"><parameter name="KEY">VALUE</parameter></invoke>`, or with JSON in place of the
    /// parameters. The tags may have a prefix.
    Invokes,
    /// `NAME<arg_key>KEY</arg_key><arg_value>VALUE</arg_value>`.
    Keys,
    /// The name, a mark, and the arguments as JSON.
    Named(CallMarks),
    /// A header with the name, `to=functions.NAME`, a mark, and the arguments as JSON.
    Harmony,
    /// A notation that is not read. Such calls have no name.
    Unread,
}

/// The marks of one call whose name stands before its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallMarks {
    /// Before the name. May be empty.
    pub begin: &'static str,
    /// Between the name and the arguments.
    pub between: &'static str,
    /// After the arguments. May be empty.
    pub end: &'static str,
}

/// What ends the message of a model, in all dialects.
pub(super) const ENDS: [&str; 7] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<｜end▁of▁sentence｜>",
    "<|END_OF_TURN_TOKEN|>",
    "</s>",
];

/// The mark between the header of a Harmony message and its text.
pub const HARMONY_MESSAGE: &str = "<|message|>";

/// The marks that end a Harmony message.
pub const HARMONY_ENDS: [&str; 4] = ["<|call|>", "<|end|>", "<|return|>", "<|start|>"];

const MISTRAL: CallMarks = CallMarks {
    begin: "",
    between: "[ARGS]",
    end: "",
};

const DEEPSEEK: CallMarks = CallMarks {
    begin: "<｜tool▁call▁begin｜>",
    between: "<｜tool▁sep｜>",
    end: "<｜tool▁call▁end｜>",
};

const KIMI: CallMarks = CallMarks {
    begin: "<|tool_call_begin|>",
    between: "<|tool_call_argument_begin|>",
    end: "<|tool_call_end|>",
};

const fn dialect(
    name: &'static str,
    open: &'static str,
    close: &'static [&'static str],
    body: CallBody,
) -> Dialect {
    Dialect {
        name,
        body,
        open,
        close,
    }
}

/// The mark of a function without a mark around it.
const FUNCTION: &str = "<function=";

/// The mark of an invocation without a mark around it.
const INVOKE: &str = "<invoke name=";

/// All dialects. Of those with the same opening mark, at most one has a body that begins as the text goes on.
pub(super) const DIALECTS: [Dialect; 34] = [
    dialect(
        "Hermes and Qwen",
        "<tool_call>",
        &["</tool_call>"],
        CallBody::Json,
    ),
    dialect(
        "Qwen3-Coder",
        "<tool_call>",
        &["</tool_call>"],
        CallBody::Functions,
    ),
    dialect("GLM", "<tool_call>", &["</tool_call>"], CallBody::Keys),
    dialect(
        "Qwen3-Coder",
        FUNCTION,
        &["</function>"],
        CallBody::Functions,
    ),
    dialect(
        "Seed-OSS",
        "<seed:tool_call>",
        &["</seed:tool_call>"],
        CallBody::Functions,
    ),
    dialect(
        "Claude",
        "<function_calls>",
        &["</function_calls>"],
        CallBody::Invokes,
    ),
    dialect(
        "OLMo",
        "<function_calls>",
        &["</function_calls>"],
        CallBody::Python,
    ),
    dialect("Claude", INVOKE, &["</invoke>"], CallBody::Invokes),
    dialect(
        "MiniMax",
        "<minimax:tool_call>",
        &["</minimax:tool_call>"],
        CallBody::Invokes,
    ),
    dialect(
        "DeepSeek V3.2",
        "<｜DSML｜function_calls>",
        &["</｜DSML｜function_calls>"],
        CallBody::Invokes,
    ),
    dialect(
        "DeepSeek V4",
        "<｜DSML｜tool_calls>",
        &["</｜DSML｜tool_calls>"],
        CallBody::Invokes,
    ),
    dialect("Mistral", "[TOOL_CALLS]", &[], CallBody::Json),
    dialect("Mistral", "[TOOL_CALLS]", &[], CallBody::Named(MISTRAL)),
    dialect("Llama 3", "<|python_tag|>", &[], CallBody::Json),
    dialect("Llama 3", "<|python_tag|>", &[], CallBody::Python),
    dialect(
        "Llama 4",
        "<|python_start|>",
        &["<|python_end|>"],
        CallBody::Python,
    ),
    dialect(
        "DeepSeek",
        "<｜tool▁calls▁begin｜>",
        &["<｜tool▁calls▁end｜>"],
        CallBody::Named(DEEPSEEK),
    ),
    dialect(
        "Kimi",
        "<|tool_calls_section_begin|>",
        &["<|tool_calls_section_end|>"],
        CallBody::Named(KIMI),
    ),
    dialect("Harmony", "<|channel|>", &HARMONY_ENDS, CallBody::Harmony),
    dialect(
        "Harmony",
        "<|start|>assistant",
        &HARMONY_ENDS,
        CallBody::Harmony,
    ),
    dialect("Nemotron", "<TOOLCALL>", &["</TOOLCALL>"], CallBody::Json),
    dialect(
        "MiniMax, Jamba and Hunyuan",
        "<tool_calls>",
        &["</tool_calls>"],
        CallBody::Json,
    ),
    dialect(
        "Phi and Granite",
        "<|tool_call|>",
        &["<|/tool_call|>", "<|end|>"],
        CallBody::Json,
    ),
    dialect(
        "LFM2",
        "<|tool_call_start|>",
        &["<|tool_call_end|>"],
        CallBody::Python,
    ),
    dialect(
        "LFM2",
        "<|tool_call_start|>",
        &["<|tool_call_end|>"],
        CallBody::Json,
    ),
    dialect(
        "LongCat",
        "<longcat_tool_call>",
        &["</longcat_tool_call>"],
        CallBody::Json,
    ),
    dialect(
        "LongCat",
        "<longcat_tool_call>",
        &["</longcat_tool_call>"],
        CallBody::Keys,
    ),
    dialect(
        "Command",
        "<|START_ACTION|>",
        &["<|END_ACTION|>"],
        CallBody::Json,
    ),
    dialect(
        "InternLM",
        "<|action_start|><|plugin|>",
        &["<|action_end|>"],
        CallBody::Json,
    ),
    dialect(
        "Glaive",
        "<functioncall>",
        &["</functioncall>"],
        CallBody::Json,
    ),
    dialect(
        "Functionary",
        "<function_call>",
        &["</function_call>"],
        CallBody::Json,
    ),
    dialect(
        "Apertus",
        "<|tools_prefix|>",
        &["<|tools_suffix|>"],
        CallBody::Unread,
    ),
    dialect(
        "FunctionGemma",
        "<start_function_call>",
        &["<end_function_call>"],
        CallBody::Unread,
    ),
    dialect(
        "Gemma 4",
        "<|tool_call>",
        &["<tool_call|>"],
        CallBody::Unread,
    ),
];

/// Whether the second byte of an opening mark may be this one: a filter for texts with many brackets.
pub(super) const SECOND_BYTES: [bool; 256] = second_bytes();

const fn second_bytes() -> [bool; 256] {
    let mut found = [false; 256];
    let mut at = 0;
    while at < DIALECTS.len() {
        found[DIALECTS[at].open.as_bytes()[1] as usize] = true;
        at += 1;
    }
    found
}

/// A text that is nothing but JSON with a name and arguments, as Llama 3 and xLAM write their calls.
pub(super) const BARE_JSON: Dialect = dialect("Llama 3 and xLAM", "", &[], CallBody::Json);

/// A text that is nothing but a list of calls in Python, as Llama 3.2 writes it.
pub(super) const BARE_PYTHON: Dialect = dialect("Llama 3.2", "", &[], CallBody::Python);

/// The longest header or name that is looked for, in bytes.
const LONGEST_HEADER: usize = 200;

impl Dialect {
    /// Whether `after`, which follows the opening mark, begins as the calls of this dialect.
    pub(super) fn begins(&self, after: &str) -> bool {
        let inner = after.trim_start();
        match self.body {
            CallBody::Json => inner.starts_with(['{', '[']),
            CallBody::Python => {
                let call = inner.strip_prefix('[').unwrap_or(inner).trim_start();
                names::leading(call).is_some_and(|(_, rest)| rest.starts_with('('))
            }
            CallBody::Functions => self.open == FUNCTION || inner.starts_with(FUNCTION),
            CallBody::Invokes => self.open == INVOKE || names::is_invoke(inner),
            CallBody::Keys => names::leading(inner).is_some_and(|(_, rest)| {
                let rest = rest.trim_start();
                let marks = ["<arg_key>", "<longcat_arg_key>", "</"];
                marks.into_iter().any(|mark| rest.starts_with(mark))
            }),
            CallBody::Named(marks) if marks.begin.is_empty() => {
                names::leading(inner).is_some_and(|(_, rest)| rest.starts_with(['[', '{']))
            }
            CallBody::Named(marks) => inner.starts_with(marks.begin),
            CallBody::Unread => true,
            CallBody::Harmony => {
                let header = first_bytes(after, LONGEST_HEADER).split_once(HARMONY_MESSAGE);
                header.is_some_and(|(header, _)| names::recipient(header).is_some())
            }
        }
    }

    /// Where the calls end in `after`, which follows the opening mark, with and without the closing mark; and whether
    /// a mark ends them.
    pub(super) fn end(&self, after: &str) -> (usize, usize, bool) {
        // A missing closing mark must not make this search the whole rest for each opening mark.
        let next = after.find(self.open).unwrap_or(after.len());
        let inner = &after[..next];
        let marks = self.close.iter().chain(&ENDS);
        let closing = marks.filter_map(|mark| Some((inner.find(mark)?, *mark)));
        match closing.min_by_key(|(at, _)| *at) {
            Some((at, "<|start|>")) => (at, at, true),
            Some((at, mark)) => (at, at + mark.len(), true),
            None => (next, next, self.close.is_empty() && next < after.len()),
        }
    }
}
