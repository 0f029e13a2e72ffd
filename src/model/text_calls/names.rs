//! The names of tools in calls that are texts.

/// The longest name of a tool, in bytes.
const LONGEST: usize = 128;

/// The name that `text` begins with, and what follows.
pub fn leading(text: &str) -> Option<(&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let is_name =
        (1..=LONGEST).contains(&end) && text.starts_with(|c: char| c.is_alphabetic() || c == '_');
    is_name.then(|| text.split_at(end))
}

/// Whether `text` is a name and nothing else.
pub fn is_name(text: &str) -> bool {
    leading(text).is_some_and(|(_, rest)| rest.is_empty())
}

/// The first name in JSON or in a Python literal, which may be broken.
pub fn in_json(text: &str) -> Option<&str> {
    let keys = ["\"name\"", "'name'", "\"tool_name\""];
    let at = keys.into_iter().find_map(|key| {
        let first = text.find(key)?;
        // Arguments that come first may have a name, too.
        let is_argument = text[..first].contains("\"arguments\"");
        Some(if is_argument { text.rfind(key)? } else { first } + key.len())
    })?;
    let value = text[at..].trim_start().strip_prefix(':')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (name, _) = value[1..].split_once(quote)?;
    Some(name)
}

/// Whether `text` begins with the tag `invoke`, which may have a prefix.
pub fn is_invoke(text: &str) -> bool {
    let tag = text.strip_prefix('<').unwrap_or_default();
    let tag = tag.strip_prefix("｜DSML｜").unwrap_or(tag);
    tag.starts_with("invoke ")
}

/// The value of the attribute `name` in a tag.
pub fn attribute(tag: &str) -> Option<&str> {
    value(tag.split_once("name=")?.1)
}

/// The value that `text` begins with, in quotes or not.
pub fn value(text: &str) -> Option<&str> {
    match text.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(['"', '\'']).next(),
        None => text.split([' ', '>']).next(),
    }
}

/// The tool that the header of a Harmony message is for.
pub fn recipient(header: &str) -> Option<&str> {
    let (_, to) = header.split_once("to=")?;
    let end = to.find(|c: char| c.is_whitespace() || c == '<');
    let to = &to[..end.unwrap_or(to.len())];
    let is_tool = is_name(to) && !matches!(to, "assistant" | "user" | "all");
    is_tool.then(|| plain(to))
}

/// A name without the namespace of functions and without the number of the call: `f` for `functions.f:0`.
pub fn plain(name: &str) -> &str {
    let name = name
        .trim()
        .strip_prefix("functions.")
        .unwrap_or(name.trim());
    match name.rsplit_once(':') {
        Some((name, number))
            if !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()) =>
        {
            name
        }
        _ => name,
    }
}

/// The tool of a call in Python. Llama calls its own tools as `brave_search.call(query="…")`.
pub fn of_python(name: &str) -> &str {
    name.strip_suffix(".call").unwrap_or(name)
}
