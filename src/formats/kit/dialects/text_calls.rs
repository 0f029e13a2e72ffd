//! Calls in the text of an agent, and results in the text of a user, as open models write them. Which marks they have is
//! in [`toolgauge_model::text_calls`].

use crate::kit::Import;
use crate::kit::conversation::{CallResult, Conversation, Outcome};
use crate::kit::signs::first_of;
use toolgauge_model::text_calls::{
    CallBody, CallMarks, HARMONY_ENDS, HARMONY_MESSAGE, TextCall, TextCalls, names, python_calls,
    unreadable_dialect,
};
use toolgauge_model::{Json, Member, Path, Role, ToolCall, Trajectory, Turn, UNTYPED, json_lines};

/// What a conversation says about its tools.
#[derive(Default)]
pub struct KnownTools<'s, 'a> {
    /// The definitions beside the messages: a list, or the text of one.
    pub definitions: Option<Json<'a>>,
    /// The instructions, which may name the tools.
    pub instructions: Vec<&'s str>,
}

impl KnownTools<'_, '_> {
    /// Whether a tool of this name is defined, or the instructions mention it.
    pub fn has(&self, name: &str) -> bool {
        self.instructions.iter().any(|text| text.contains(name))
            || self
                .definitions
                .is_some_and(|tools| names_tool(tools, name))
    }
}

/// Whether definitions in any format have a tool of this name: in a list, under its name, or in the text of one.
fn names_tool(tools: Json<'_>, name: &str) -> bool {
    let is_named = |tool: &Json<'_>| {
        if let Json::String(definition) = tool {
            return definition.contains(name);
        }
        let function = tool.get("function").unwrap_or(*tool);
        function.get("name").and_then(Json::as_str) == Some(name)
    };
    match tools {
        Json::String(text) => text.contains(name),
        Json::Array(tools) => first_of(tools).iter().any(is_named),
        tools => tools.get(name).is_some(),
    }
}

/// The calls in the text of an agent, if they are meant as calls.
pub fn calls_meant<'t>(
    text: &'t str,
    known: &KnownTools<'_, '_>,
    has_results: bool,
) -> Option<TextCalls<'t>> {
    TextCalls::of(text).filter(|calls| calls.are_meant(|name| known.has(name), has_results))
}

/// The text of an agent without its calls, and the calls. Warns of a text that seems to hold a call but none that can be
/// read or is certain. `path` is the path of the text.
pub fn split<'a>(
    text: &'a str,
    known: &KnownTools<'_, 'a>,
    has_results: bool,
    path: &Path,
    import: &mut Import<'a>,
) -> (&'a str, Vec<ToolCall<'a>>) {
    let Some(found) = calls_meant(text, known, has_results) else {
        let said = match is_marked(text) {
            true => outside(text, import),
            false => text,
        };
        // Marks of the template may have hidden the one of a call.
        if said.len() < text.len() && calls_meant(said, known, has_results).is_some() {
            return split(said, known, has_results, path, import);
        }
        warn_of_calls(text, path, import);
        return (said, Vec::new());
    };
    let mut calls = Vec::new();
    let mut said = Vec::new();
    let mut from = 0;
    for call in &found.calls {
        said.push(&text[from..call.start]);
        from = call.end;
        read_block(call, &mut calls, path, import);
    }
    said.push(&text[from..]);
    let said = said.into_iter().map(|part| outside(part, import));
    let said: Vec<_> = said.filter(|part| !part.is_empty()).collect();
    (import.join_text(said.into_iter()), calls)
}

/// Warns of a text that may hold a call although none is read.
fn warn_of_calls<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) {
    if let Some(models) = unreadable_dialect(text) {
        import.warn(path, unreadable(models));
        return;
    }
    let found = TextCalls::of(text).filter(TextCalls::are_last);
    if let Some(call) = found.as_ref().and_then(|found| found.calls.first()) {
        let what = format!(
            "the text contains a call of {:?} in the dialect of {}; it is left as text, because neither a tool of that name nor a result shows that it was made",
            call.name().unwrap_or_default(),
            call.dialect.name
        );
        import.warn(path, what);
    }
}

fn unreadable(models: &str) -> String {
    format!(
        "the text begins with the mark of a tool call in the dialect of {models}, but no call can be read"
    )
}

/// Marks that belong to no text: closing marks without calls, and ends of messages.
const STRAY: [&str; 8] = [
    "</tool_call>",
    "<|tool_calls_section_end|>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<｜end▁of▁sentence｜>",
    "</s>",
];

/// Whether a text without calls has marks of a chat template around it.
fn is_marked(text: &str) -> bool {
    let is_harmony = text.starts_with("<|") && text.contains(HARMONY_MESSAGE);
    is_harmony || STRAY.iter().any(|mark| text.ends_with(mark))
}

/// What a part of a text outside its calls says. Thoughts of Harmony are put into the marks that other models use.
fn outside<'a>(part: &'a str, import: &Import<'a>) -> &'a str {
    let mut part = part.trim();
    while let Some(rest) = STRAY.into_iter().find_map(|mark| part.strip_prefix(mark)) {
        part = rest.trim_start();
    }
    while let Some(rest) = STRAY.into_iter().find_map(|mark| part.strip_suffix(mark)) {
        part = rest.trim_end();
    }
    match part.contains(HARMONY_MESSAGE) {
        true => harmony_text(part, import),
        false if part.starts_with("<|start|>") => "",
        false => part,
    }
}

/// The texts of Harmony messages.
fn harmony_text<'a>(part: &'a str, import: &Import<'a>) -> &'a str {
    let mut said = Vec::new();
    let mut rest = part;
    while let Some((header, body)) = rest.split_once(HARMONY_MESSAGE) {
        let ends = HARMONY_ENDS.iter().filter_map(|end| body.find(end));
        let end = ends.min().unwrap_or(body.len());
        let text = body[..end].trim();
        said.push(match header.contains("analysis") {
            true => import.arena().alloc_str(&format!("<think>{text}</think>")),
            false => text,
        });
        rest = &body[end..];
    }
    said.retain(|text| !text.is_empty());
    import.join_text(said.into_iter())
}

/// Adds the calls between two marks. A call that can't be read keeps its text.
fn read_block<'a>(
    call: &TextCall<'a>,
    calls: &mut Vec<ToolCall<'a>>,
    path: &Path,
    import: &mut Import<'a>,
) {
    let first = calls.len();
    match call.dialect.body {
        CallBody::Json => calls.extend(read_json_calls(call.inner.trim(), path, import)),
        CallBody::Python => {
            let read = python_calls(call.inner, import.reader).unwrap_or_default();
            calls.extend(read.into_iter().map(|(name, arguments)| ToolCall {
                name: Some(name),
                arguments: Some(arguments),
                ..ToolCall::default()
            }));
        }
        CallBody::Functions => {
            let functions = call.marked.split("<function=").skip(1);
            calls.extend(functions.filter_map(|text| read_function(text, path, import)));
        }
        CallBody::Invokes => {
            let invokes = call.marked.split("invoke name=").skip(1);
            calls.extend(invokes.filter_map(|text| read_invoke(text, path, import)));
        }
        CallBody::Keys => calls.extend(read_keys(call.inner, import)),
        CallBody::Named(marks) => read_named(call.inner, marks, calls, path, import),
        CallBody::Harmony => calls.extend(read_harmony(call, path, import)),
        CallBody::Unread => {}
    }
    if calls.len() == first {
        let mut broken = broken_call(call.marked, path, import);
        broken.name = call.name();
        calls.push(broken);
    }
    if call.is_closed {
        return;
    }
    let is_whole = match call.dialect.body {
        CallBody::Json | CallBody::Python | CallBody::Named(_) | CallBody::Harmony => {
            // A text as the argument may go on.
            let is_value = |value: Json<'_>| value.as_str().is_none();
            let mut calls = calls[first..].iter();
            calls.all(|call| call.arguments.is_some_and(is_value))
        }
        CallBody::Functions | CallBody::Invokes | CallBody::Keys | CallBody::Unread => {
            let end = call.marked.trim_end();
            WHOLE.iter().any(|mark| end.ends_with(mark))
        }
    };
    if let Some(last) = calls[first..].last_mut().filter(|_| !is_whole) {
        last.incomplete = true;
        let what = format!(
            "the call in the dialect of {} was still being written: its arguments may be cut off",
            call.dialect.name
        );
        import.warn(path, what);
    }
}

/// The marks that end a call whose outermost closing mark is missing.
const WHOLE: [&str; 2] = ["</function>", "invoke>"];

fn call_of<'a>(
    name: &'a str,
    arguments: &'a str,
    path: &Path,
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let mut call = ToolCall {
        name: Some(names::plain(name)),
        ..ToolCall::default()
    };
    import.arguments(&mut call, Some(Json::String(arguments.trim())), &|| {
        path.clone()
    });
    call
}

/// The rest of a function after `<function=`.
fn read_function<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) -> Option<ToolCall<'a>> {
    let (name, body) = text.split_once('>')?;
    let body = body.split("</function>").next().unwrap_or_default();
    if body.trim_start().starts_with('{') {
        return Some(call_of(name, body, path, import));
    }
    let mut values = Values::default();
    for parameter in body.split("<parameter=").skip(1) {
        let (key, value) = parameter.split_once('>')?;
        values.add(key.trim(), until(value, "</parameter>"), import);
    }
    Some(values.call(name, import))
}

/// The rest of an invocation after `invoke name=`.
fn read_invoke<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) -> Option<ToolCall<'a>> {
    let (tag, body) = text.split_once('>')?;
    let name = tag.trim().trim_matches(['"', '\'']);
    let body = body.split("invoke>").next().unwrap_or_default();
    let body = body.strip_suffix("</").unwrap_or(body);
    if body.trim_start().starts_with('{') {
        let body = body.strip_suffix("</｜DSML｜").unwrap_or(body);
        return Some(call_of(name, body, path, import));
    }
    let mut values = Values::default();
    for parameter in body.split("parameter name=").skip(1) {
        let (tag, value) = parameter.split_once('>')?;
        let key = names::value(tag)?;
        let value = value.split("parameter>").next().unwrap_or_default();
        let value = value.strip_suffix("｜DSML｜").unwrap_or(value);
        let value = value.strip_suffix("</").unwrap_or(value);
        // DeepSeek says which values are texts.
        match tag
            .split_once("string=")
            .map(|(_, kind)| names::value(kind))
        {
            Some(Some("true")) => values.members.push((key, Json::String(value))),
            Some(_) => {
                let value = import.texts.read_text(value).unwrap_or(Json::String(value));
                values.members.push((key, value));
            }
            None => values.add(key, value, import),
        }
    }
    Some(values.call(name, import))
}

/// A name, and pairs of keys and values.
fn read_keys<'a>(text: &'a str, import: &mut Import<'a>) -> Option<ToolCall<'a>> {
    let (name, _) = names::leading(text.trim_start())?;
    let mut values = Values::default();
    let prefix = match text.contains("<longcat_arg_key>") {
        true => "longcat_",
        false => "",
    };
    for pair in text.split(&format!("<{prefix}arg_key>")).skip(1) {
        let (key, rest) = pair.split_once("</")?;
        let (_, value) = rest.split_once("arg_value>")?;
        let value = until(value, &format!("</{prefix}arg_value>"));
        values.add(key.trim(), value, import);
    }
    Some(values.call(name, import))
}

/// Calls whose names stand before their arguments.
fn read_named<'a>(
    text: &'a str,
    marks: CallMarks,
    calls: &mut Vec<ToolCall<'a>>,
    path: &Path,
    import: &mut Import<'a>,
) {
    let each: Vec<_> = match marks.begin.is_empty() {
        true => vec![text],
        false => text.split(marks.begin).skip(1).collect(),
    };
    let read = each
        .into_iter()
        .map(|text| read_named_call(text, marks, path, import));
    calls.extend(read);
}

/// The rest of a call after the mark before its name. Without arguments it was cut off.
fn read_named_call<'a>(
    text: &'a str,
    marks: CallMarks,
    path: &Path,
    import: &mut Import<'a>,
) -> ToolCall<'a> {
    let ended = text.split_once(marks.end).filter(|_| !marks.end.is_empty());
    let (text, is_ended) = ended.map_or((text, false), |(text, _)| (text, true));
    // Mistral may leave the mark out before an object.
    let parts = text.split_once(marks.between);
    let parts = parts.or_else(|| Some(text.split_at(text.find('{')?)));
    let (header, arguments) = parts.unwrap_or((text, ""));
    let (header, id) = header.split_once("[CALL_ID]").unwrap_or((header, ""));
    let (header, arguments) = match header.trim() {
        "function" => arguments.split_once('\n').unwrap_or((arguments, "")),
        header => (header, arguments),
    };
    let name = names::leading(header).map_or(header, |(name, _)| name);
    let arguments = unfenced(arguments);
    let mut call = match is_ended || !arguments.is_empty() {
        true => call_of(name, arguments, path, import),
        false => ToolCall {
            name: Some(names::plain(name)),
            ..ToolCall::default()
        },
    };
    // Kimi's name of a call is its id, too.
    let id = if name.contains(':') { name } else { id.trim() };
    call.id = Some(id).filter(|id| !id.is_empty());
    call
}

fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inside = text.strip_prefix("```json").or(text.strip_prefix("```"));
    inside.map_or(text, |inside| {
        inside.trim_end().trim_end_matches('`').trim()
    })
}

fn read_harmony<'a>(
    call: &TextCall<'a>,
    path: &Path,
    import: &mut Import<'a>,
) -> Option<ToolCall<'a>> {
    let (header, _) = call.marked.split_once(HARMONY_MESSAGE)?;
    let (_, arguments) = call.inner.split_once(HARMONY_MESSAGE)?;
    let name = names::recipient(header)?;
    let arguments = arguments.trim();
    let is_json = header.contains("json") || arguments.starts_with('{');
    if is_json && (call.is_closed || !arguments.is_empty()) {
        return Some(call_of(name, arguments, path, import));
    }
    // Tools of the platform, such as python, take any text.
    Some(ToolCall {
        name: Some(name),
        arguments: Some(Json::String(arguments)).filter(|_| !arguments.is_empty()),
        ..ToolCall::default()
    })
}

fn until<'a>(text: &'a str, end: &str) -> &'a str {
    text.split(end).next().unwrap_or_default()
}

/// The arguments of a dialect that writes values without quotes, so that only a schema could say their types.
#[derive(Default)]
struct Values<'a> {
    members: Vec<Member<'a>>,
    /// Whether a value could have another type than it is read with.
    are_doubtful: bool,
}

impl<'a> Values<'a> {
    /// Adds a value. What looks like JSON is read, if it can be written back as it was.
    fn add(&mut self, key: &'a str, text: &'a str, import: &Import<'a>) {
        let text = text.strip_prefix('\n').unwrap_or(text);
        let text = text.strip_suffix('\n').unwrap_or(text);
        let value = typed(text.trim(), import).unwrap_or(Json::String(text));
        let is_plain = match value {
            Json::String(text) => !is_like_a_number_or_word(text.trim()),
            _ => false,
        };
        self.are_doubtful |= !is_plain;
        self.members.push((key, value));
    }

    fn call(self, name: &'a str, import: &Import<'a>) -> ToolCall<'a> {
        let mut call = ToolCall {
            name: Some(names::plain(name)),
            arguments: Some(Json::Object(import.arena().alloc_slice_copy(&self.members))),
            ..ToolCall::default()
        };
        if self.are_doubtful {
            import.keep(&mut call, &[(UNTYPED, Json::Bool(true))]);
        }
        call
    }
}

/// The value of a text that is not written as a string.
fn typed<'a>(text: &'a str, import: &Import<'a>) -> Option<Json<'a>> {
    match text {
        "true" => Some(Json::Bool(true)),
        "false" => Some(Json::Bool(false)),
        "null" => Some(Json::Null),
        _ if text.starts_with(['{', '[']) => literal(text, import),
        _ if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
            let number = import.texts.read_text(text).ok()?;
            let written = serde_json::to_string(&number).ok()?;
            (written == text).then_some(number)
        }
        _ => None,
    }
}

fn is_like_a_number_or_word(text: &str) -> bool {
    text.parse::<f64>().is_ok()
        || ["true", "false", "none"]
            .into_iter()
            .any(|word| text.eq_ignore_ascii_case(word))
}

/// The calls in a text that should be JSON: one, a list, or one after the other.
pub fn read_json_calls<'a>(
    text: &'a str,
    path: &Path,
    import: &mut Import<'a>,
) -> Vec<ToolCall<'a>> {
    let values = match literal(text, import) {
        Some(Json::Array(list)) => list.to_vec(),
        Some(one) => vec![one],
        None => one_after_the_other(text, import),
    };
    if values.is_empty() || !values.iter().all(is_call) {
        return vec![broken_call(text, path, import)];
    }
    let calls = values.into_iter();
    calls.map(|call| read_call(call, path, import)).collect()
}

/// The values of a text that has one per line or, as Llama writes them, between semicolons. Empty if a part of it can't
/// be read.
fn one_after_the_other<'a>(text: &'a str, import: &Import<'a>) -> Vec<Json<'a>> {
    let read = |parts: &mut dyn Iterator<Item = &'a str>| -> Option<Vec<Json<'a>>> {
        parts.map(|part| literal(part, import)).collect()
    };
    let mut lines = json_lines(text).map(|(_, line)| line);
    let lines = read(&mut lines);
    lines
        .or_else(|| read(&mut text.split(';')))
        .unwrap_or_default()
}

fn is_call(value: &Json<'_>) -> bool {
    name_of(function_of(*value)).is_some()
}

fn function_of(call: Json<'_>) -> Json<'_> {
    let function = call.get("function").filter(|it| it.members().is_some());
    function.unwrap_or(call)
}

fn name_of(function: Json<'_>) -> Option<&str> {
    let name = function.get("name").or_else(|| function.get("tool_name"));
    name.and_then(Json::as_str)
}

fn read_call<'a>(call: Json<'a>, path: &Path, import: &mut Import<'a>) -> ToolCall<'a> {
    let function = function_of(call);
    let text = |key| call.get(key).and_then(Json::as_str);
    let mut read = ToolCall {
        id: text("id").or(text("tool_call_id")),
        name: name_of(function).map(names::plain),
        ..ToolCall::default()
    };
    let arguments = ["arguments", "parameters", "args"];
    let arguments = arguments.into_iter().find_map(|key| function.get(key));
    match arguments {
        Some(Json::String(written)) if !written.trim().is_empty() => {
            match literal(written.trim(), import) {
                Some(value) => read.arguments = Some(value),
                None => import.arguments(&mut read, arguments, &|| path.clone()),
            }
        }
        arguments => import.arguments(&mut read, arguments, &|| path.clone()),
    }
    read
}

/// A call that can't be read. It keeps its text, and its name if that is found.
fn broken_call<'a>(text: &'a str, path: &Path, import: &mut Import<'a>) -> ToolCall<'a> {
    let why = match import.texts.read_text(text) {
        Ok(_) => "it is not an object with a name".to_owned(),
        Err(error) => error.to_string(),
    };
    import.warn(path, format!("a call in the text can't be read: {why}"));
    ToolCall {
        name: names::in_json(text),
        raw_arguments: Some(text),
        ..ToolCall::default()
    }
}

/// The object or list in a text that is JSON or a Python literal.
pub fn literal<'a>(text: &'a str, import: &Import<'a>) -> Option<Json<'a>> {
    let text = text.trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let value = import.texts.read_nested(text);
    value.or_else(|| import.reader.read_python(text))
}

/// The marks around results in the text of a user or a tool.
const RESULTS: [(&str, &str); 8] = [
    ("<tool_response>", "</tool_response>"),
    ("<function_results>", "</function_results>"),
    ("<function_result>", "</function_result>"),
    ("<tool_result>", "</tool_result>"),
    ("<TOOL_RESPONSE>", "</TOOL_RESPONSE>"),
    ("[TOOL_RESULTS]", "[/TOOL_RESULTS]"),
    ("<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"),
    ("<|tool_response|>", "<|/tool_response|>"),
];

/// Whether the text of a user begins with results, or contains those of Hermes.
pub fn holds_results(text: &str) -> bool {
    marks_of_results(text).is_some()
}

fn marks_of_results(text: &str) -> Option<(&'static str, &'static str)> {
    let hermes = RESULTS[0];
    let start = text.trim_start();
    let start = start
        .strip_prefix("<｜tool▁outputs▁begin｜>")
        .unwrap_or(start);
    let mut marks = RESULTS.into_iter();
    marks
        .find(|(open, _)| start.starts_with(open))
        .or(text.contains(hermes.0).then_some(hermes))
}

/// The text outside the results in `text`, and the results. Without marks there are none.
pub fn split_results<'a>(text: &'a str, import: &Import<'a>) -> (&'a str, Vec<&'a str>) {
    match marks_of_results(text) {
        Some((open, close)) => between(text, open, close, import),
        None => (text, Vec::new()),
    }
}

/// The text outside pairs of marks, and the texts inside. The last pair may lack its closing mark.
pub fn between<'a>(
    text: &'a str,
    open: &str,
    close: &str,
    import: &Import<'a>,
) -> (&'a str, Vec<&'a str>) {
    let mut outside = Vec::new();
    let mut inside = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        outside.push(before.trim());
        let (found, after) = after.split_once(close).unwrap_or((after, ""));
        inside.push(found.trim());
        rest = after;
    }
    if inside.is_empty() {
        return (text, inside);
    }
    outside.push(rest.trim());
    outside.retain(|part| !part.is_empty());
    (import.join_text(outside.into_iter()), inside)
}

/// A result as a text. It may name its tool and the id of its call.
pub fn read_result<'a>(
    text: &'a str,
    id: Option<&'a str>,
    import: &mut Import<'a>,
) -> CallResult<'a> {
    let text = text.trim();
    let value = literal(text, import).unwrap_or(Json::String(text));
    let own = |key| value.get(key).and_then(Json::as_str);
    let is_wrapped = own("name").is_some() || own("call_id").is_some();
    let content = value.get("content").filter(|_| is_wrapped);
    let id = own("tool_call_id").or(own("call_id")).or(id);
    CallResult {
        id: id.filter(|id| !id.is_empty()),
        name: own("name").filter(|_| content.is_some()),
        outcome: Outcome::Result(import.nested(content.unwrap_or(value))),
    }
}

/// Adds the results in `text`, or the text as one result, to the calls of `conversation`. Returns the text outside the
/// results. `tool` is the tool that returned them, if the message names it.
pub fn add_results<'a>(
    text: &'a str,
    tool: Option<&'a str>,
    conversation: &mut Conversation<'a>,
    import: &mut Import<'a>,
) -> &'a str {
    let (said, mut results) = split_results(text, import);
    if results.is_empty() {
        results.push(text);
    }
    for text in results {
        let mut result = read_result(text, None, import);
        result.name = result.name.or(tool);
        conversation.result(&result, &Path::root(), import);
    }
    said
}

/// Reads the calls in the texts of a trajectory that has no others, and the results in the texts of its users. A
/// warning names the dialect, because whoever served the model left the calls in its text.
pub fn read_in_texts<'a>(trajectory: &mut Trajectory<'a>, import: &mut Import<'a>) {
    let is_agent = |turn: &&Turn<'_>| turn.role == Role::Agent && !turn.content.is_empty();
    let mut texts = trajectory.turns.iter().filter(is_agent);
    if trajectory.call_count() > 0 {
        for turn in texts {
            if let Some(models) = unreadable_dialect(turn.content) {
                let what = format!("turn {}: {}", turn.turn_id, unreadable(models));
                import.warn(&Path::root(), what);
            }
        }
        return;
    }
    if texts.any(|turn| {
        TextCalls::of(turn.content).is_some() || unreadable_dialect(turn.content).is_some()
    }) {
        let turns = std::mem::take(&mut trajectory.turns);
        trajectory.turns = with_calls(turns, trajectory.tools, import);
    }
}

fn with_calls<'a>(
    turns: Vec<Turn<'a>>,
    tools: Option<Json<'a>>,
    import: &mut Import<'a>,
) -> Vec<Turn<'a>> {
    let instructions = turns.iter().filter(|turn| turn.role == Role::System);
    let known = KnownTools {
        definitions: tools,
        instructions: instructions.map(|turn| turn.content).collect(),
    };
    let mut conversation = Conversation::default();
    let mut left = turns.into_iter().peekable();
    while let Some(mut turn) = left.next() {
        let place = Path::root();
        match turn.role {
            Role::Agent if !turn.content.is_empty() => {
                let has_results = left
                    .peek()
                    .is_some_and(|next| next.role == Role::User && holds_results(next.content));
                let text = turn.content;
                (turn.content, turn.tool_calls) = split(text, &known, has_results, &place, import);
                if !turn.tool_calls.is_empty()
                    && let Some(found) = TextCalls::of(text)
                {
                    let models = found.calls.first().map_or("", |call| call.dialect.name);
                    let what = format!(
                        "turn {}: the calls are in the text, in the dialect of {models}; they are read as calls",
                        turn.turn_id
                    );
                    import.warn(&place, what);
                }
            }
            Role::User
                if holds_results(turn.content) && conversation.calls_since(0).next().is_some() =>
            {
                turn.content = add_results(turn.content, None, &mut conversation, import);
                if turn.content.is_empty() {
                    continue;
                }
            }
            Role::User | Role::Agent | Role::System => {}
        }
        conversation.push(turn);
    }
    conversation.into_turns()
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, imported, turns_of};
    use toolgauge_model::{Limits, Reader};

    /// The text of an agent without its calls, the calls, and the warnings.
    fn read(text: &str) -> (String, Vec<String>, usize) {
        let arena = Bump::new();
        let mut import = Import::new(Reader::new(&arena, Limits::default()));
        let text = arena.alloc_str(text);
        let known = KnownTools::default();
        let (said, calls) = split(text, &known, true, &Path::root(), &mut import);
        let calls = calls
            .iter()
            .map(|call| serde_json::to_string(call).expect("JSON"));
        (said.to_owned(), calls.collect(), import.warnings.len())
    }

    /// Texts in each dialect, and the call in each.
    fn dialects() -> Vec<(String, &'static str)> {
        const CALL: &str = r#"{"name":"get_tide","arguments":{"port":"Bergen","days":2}}"#;
        const UNTYPED: &str =
            r#"{"name":"get_tide","arguments":{"port":"Bergen","days":2},"untyped":true}"#;
        const WITH_ID: &str =
            r#"{"id":"t1","name":"get_tide","arguments":{"port":"Bergen","days":2}}"#;
        const KIMI: &str = r#"{"id":"functions.get_tide:0","name":"get_tide","arguments":{"port":"Bergen","days":2}}"#;
        let json = r#"{"name": "get_tide", "arguments": {"port": "Bergen", "days": 2}}"#;
        let arguments = r#"{"port": "Bergen", "days": 2}"#;
        let python = r#"get_tide(port="Bergen", days=2)"#;
        let function = "<function=get_tide>\n<parameter=port>\nBergen\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>";
        let invoke = "<invoke name=\"get_tide\">\n<parameter name=\"port\">Bergen</parameter>\n<parameter name=\"days\">2</parameter>\n</invoke>";
        let keys = "<arg_key>port</arg_key>\n<arg_value>Bergen</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>";
        vec![
            (format!("<tool_call>\n{json}\n</tool_call>"), CALL),
            (format!("<tool_call>\n{function}\n</tool_call>"), UNTYPED),
            (format!("{function}\n</tool_call>"), UNTYPED),
            (format!("<function=get_tide>{arguments}</function>"), CALL),
            (format!("<tool_call>get_tide\n{keys}\n</tool_call>"), UNTYPED),
            (format!("<tool_call>get_tide{}</tool_call>", keys.replace('\n', "")), UNTYPED),
            (format!("<seed:tool_call>\n{function}\n</seed:tool_call>"), UNTYPED),
            (format!("<function_calls>\n{invoke}\n</function_calls>"), UNTYPED),
            (format!("<function_calls>\n<invoke name=\"get_tide\">\n{arguments}\n</invoke>\n</function_calls>"), CALL),
            (invoke.to_owned(), UNTYPED),
            (format!("<minimax:tool_call>\n{invoke}\n</minimax:tool_call>"), UNTYPED),
            (
                "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get_tide\">\n<｜DSML｜parameter name=\"port\" string=\"true\">Bergen</｜DSML｜parameter>\n<｜DSML｜parameter name=\"days\" string=\"false\">2</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>".to_owned(),
                CALL,
            ),
            (format!("<function_calls>\n{python}\n</function_calls>"), CALL),
            (format!("[TOOL_CALLS] [{json}]</s>"), CALL),
            (format!("[TOOL_CALLS][{}]", json.replace("}}", "}, \"id\": \"t1\"}")), WITH_ID),
            (format!("[TOOL_CALLS]get_tide[ARGS]{arguments}"), CALL),
            (format!("[TOOL_CALLS]get_tide[CALL_ID]t1[ARGS]{arguments}"), WITH_ID),
            (format!("[TOOL_CALLS]get_tide{arguments}"), CALL),
            (format!("<|python_tag|>{}<|eom_id|>", json.replace("arguments", "parameters")), CALL),
            (format!("<|python_tag|>{}", python.replace('(', ".call(")), CALL),
            (format!("<|python_start|>[{python}]<|python_end|>"), CALL),
            (
                format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_tide<｜tool▁sep｜>{arguments}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>"),
                CALL,
            ),
            (
                format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_tide\n```json\n{arguments}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"),
                CALL,
            ),
            (
                format!("<|tool_calls_section_begin|><|tool_call_begin|>functions.get_tide:0<|tool_call_argument_begin|>{arguments}<|tool_call_end|><|tool_calls_section_end|>"),
                KIMI,
            ),
            (format!("<|channel|>commentary to=functions.get_tide <|constrain|>json<|message|>{arguments}<|call|>"), CALL),
            (format!("<|start|>assistant to=functions.get_tide<|channel|>commentary json<|message|>{arguments}<|call|>"), CALL),
            (format!("<TOOLCALL>[{json}]</TOOLCALL>"), CALL),
            (format!("<tool_calls>\n{json}\n</tool_calls>"), CALL),
            (format!("<|tool_call|>[{json}]<|/tool_call|>"), CALL),
            (format!("<|tool_call_start|>[{python}]<|tool_call_end|>"), CALL),
            (format!("<|tool_call_start|>[{json}]<|tool_call_end|>"), CALL),
            (format!("<longcat_tool_call>{json}</longcat_tool_call>"), CALL),
            (
                format!("<longcat_tool_call>get_tide\n{}\n</longcat_tool_call>", keys.replace("arg_", "longcat_arg_")),
                UNTYPED,
            ),
            (
                format!("<|START_ACTION|>[{{\"tool_call_id\": \"t1\", \"tool_name\": \"get_tide\", \"parameters\": {arguments}}}]<|END_ACTION|>"),
                WITH_ID,
            ),
            (format!("<|action_start|><|plugin|>{json}<|action_end|>"), CALL),
            (
                "<functioncall> {\"name\": \"get_tide\", \"arguments\": '{\"port\": \"Bergen\", \"days\": 2}'} <|endoftext|>".to_owned(),
                CALL,
            ),
            (format!("<function_call>{json}</function_call>"), CALL),
            (json.replace("arguments", "parameters"), CALL),
            (format!("[{json}]"), CALL),
            (format!("```json\n{json}\n```"), CALL),
            (format!("[{python}]"), CALL),
            (format!("```tool_code\n{python}\n```"), CALL),
        ]
    }

    #[test]
    fn every_dialect_is_read() {
        for (text, call) in dialects() {
            assert_eq!(
                read(&text),
                (String::new(), vec![call.to_owned()], 0),
                "{text}"
            );
            let thought = format!("<think>I need the tide.</think>\n\n{text}");
            let (said, calls, _) = read(&thought);
            assert_eq!(said, "<think>I need the tide.</think>", "{thought}");
            assert_eq!(calls, [call], "{thought}");
        }
    }

    #[test]
    fn every_dialect_may_be_cut_off_anywhere() {
        for (text, call) in dialects() {
            for (at, _) in text.char_indices() {
                let (_, calls, warnings) = read(&text[..at]);
                let is_whole = calls == [call];
                let is_doubtful = calls
                    .iter()
                    .all(|call| call.contains("\"incomplete\":true"));
                assert!(is_whole || is_doubtful, "{} {calls:?}", &text[..at]);
                assert!(
                    is_whole || calls.is_empty() || warnings > 0,
                    "{}",
                    &text[..at]
                );
            }
        }
    }

    #[test]
    fn marks_of_a_template_do_not_hide_a_call() {
        for hidden in [
            "<|message|><function=f",
            "</s> <|message|><function=f>{}</function>",
        ] {
            let (said, calls, _) = read(hidden);
            assert_eq!((said.as_str(), calls.len()), ("", 1), "{hidden}");
        }
    }

    #[test]
    fn several_calls_are_read() {
        let cases = [
            "<tool_call>{\"name\":\"f\"}</tool_call> and <tool_call>{\"name\":\"g\"}</tool_call>",
            "and\n<tool_call>\n<function=f>\n</function>\n<function=g>\n</function>\n</tool_call>",
            "and\n<function_calls><invoke name=\"f\"></invoke><invoke name=\"g\"></invoke></function_calls>",
            "and[TOOL_CALLS]f[ARGS]{}[TOOL_CALLS]g[ARGS]{}",
            "and<|python_tag|>{\"name\":\"f\",\"parameters\":{}}; {\"name\":\"g\",\"parameters\":{}}",
            "and\n<function_calls>\nf()\ng()\n</function_calls>",
            "and<|tool_calls_section_begin|><|tool_call_begin|>f<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>g<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        ];
        for text in cases {
            let (said, calls, warnings) = read(text);
            assert_eq!((said.as_str(), warnings), ("and", 0), "{text}");
            let called: Vec<_> = calls.iter().map(|call| &call[..11]).collect();
            assert_eq!(called, [r#"{"name":"f""#, r#"{"name":"g""#], "{text}");
        }
    }

    #[test]
    fn values_without_types_keep_their_text() {
        let value = |text: &str| {
            let (_, calls, _) = read(&format!(
                "<tool_call>\n<function=f>\n<parameter=a>\n{text}\n</parameter>\n</function>\n</tool_call>"
            ));
            calls.concat()
        };
        let cases = [
            ("Bergen", r#"{"a":"Bergen"}}"#),
            ("3", r#"{"a":3},"untyped":true}"#),
            ("1.10", r#"{"a":"1.10"},"untyped":true}"#),
            ("007", r#"{"a":"007"},"untyped":true}"#),
            ("True", r#"{"a":"True"},"untyped":true}"#),
            ("[1, 2]", r#"{"a":[1,2]},"untyped":true}"#),
            ("{'a': None}", r#"{"a":{"a":null}},"untyped":true}"#),
            ("  two\n\n lines ", r#"{"a":"  two\n\n lines "}}"#),
            ("[not a list", r#"{"a":"[not a list"}}"#),
        ];
        for (text, expected) in cases {
            assert_eq!(
                value(text),
                format!(r#"{{"name":"f","arguments":{expected}"#),
                "{text}"
            );
        }
    }

    #[test]
    fn a_call_that_is_cut_off_is_read_if_it_is_complete() {
        let whole = [
            "<tool_call>{\"name\":\"f\",\"arguments\":{}}",
            "<function_calls>\n<invoke name=\"f\">\n</invoke>",
            "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n</function>",
            "[TOOL_CALLS]f[ARGS]{}",
            "<|python_tag|>{\"name\":\"f\",\"parameters\":{}}",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{}",
        ];
        for text in whole {
            let (_, calls, warnings) = read(text);
            assert_eq!((calls.len(), warnings), (1, 0), "{text}");
            assert!(!calls[0].contains("incomplete"), "{text}");
        }
        let half = [
            "<tool_call>{\"name\":\"f\",\"arguments\":{",
            "<function_calls>\n<invoke name=\"f\">\n<parameter name=\"a\">x",
            "<tool_call>\n<function=f>\n<parameter=a>\nx",
            "<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>",
            "[TOOL_CALLS]f[ARGS]{\"a\":",
            "<|python_tag|>{\"name\":\"f\",\"parameters\":{",
            "<tool_call>f\n<arg_key>a</arg_key>\n<arg_value>x",
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>{\"a\":",
        ];
        for text in half {
            let (_, calls, warnings) = read(text);
            assert!(
                calls[0].contains("\"incomplete\":true") && warnings > 0,
                "{text} {calls:?}"
            );
        }
    }

    #[test]
    fn harmony_messages_become_thoughts_texts_and_calls() {
        let text = "<|channel|>analysis<|message|>I need the tide.<|end|><|start|>assistant<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>commentary to=functions.get_tide <|constrain|>json<|message|>{}<|call|>";
        let (said, calls, _) = read(text);
        assert_eq!(said, "<think>I need the tide.</think>\nI look it up.");
        assert_eq!(calls, [r#"{"name":"get_tide","arguments":{}}"#]);
        let (_, calls, _) = read("<|channel|>analysis to=python code<|message|>print(1)<|call|>");
        assert_eq!(calls, [r#"{"name":"python","arguments":"print(1)"}"#]);
    }

    #[test]
    fn calls_in_the_texts_of_other_formats_are_read() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"object":"response","output":[{"type":"message","role":"assistant","content":[{"type":"output_text",
                "text":"<tool_call>\n<function=zoom>\n<parameter=factor>\n3\n</parameter>\n</function>\n</tool_call>"}]}]}"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"zoom","arguments":{"factor":3},"untyped":true}"#]
        );
        assert_eq!(
            read.warnings[0].message,
            "turn 1: the calls are in the text, in the dialect of Qwen3-Coder; they are read as calls"
        );
        let read = imported(
            &arena,
            r#"[{"role":"user","parts":[{"text":"Zoom."}]},
                {"role":"model","parts":[{"text":"<tool_call>{\"name\":\"zoom\"}</tool_call>"}]},
                {"role":"user","parts":[{"text":"<tool_response>sharp</tool_response>"}]},
                {"role":"model","parts":[{"text":"It is sharp."}]}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"name":"zoom","result":"sharp"}"#]
        );
        assert_eq!(turns_of(&read.value[0]).len(), 3);
    }

    #[test]
    fn texts_beside_structured_calls_stay_texts() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"[{"role":"assistant","content":"<tool_call>{\"name\":\"g\"}</tool_call>","tool_calls":[{"id":"1","function":{"name":"f","arguments":"{}"}}]},
                {"role":"assistant","content":"[TOOL_CALLS]"}]"#,
        );
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"1","name":"f","arguments":{}}"#]
        );
        assert_eq!(
            read.value[0].turns[0].content,
            "<tool_call>{\"name\":\"g\"}</tool_call>"
        );
        assert_eq!(read.warnings.len(), 1, "{:?}", read.warnings);
    }
}
