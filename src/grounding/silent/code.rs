//! Detects program code that is not in a fenced block.

use std::ops::Range;

use toolgauge_facts::{Token, WordList};

/// Words that begin a line of code. The rest of the line decides.
static STARTS: WordList = WordList::of(
    "async class const def export fn for from func function if import let private public static var while",
);

/// What a statement ends with that opens a block.
const OPENERS: [char; 2] = [':', '{'];

/// What a line may start with that closes a block.
const CLOSERS: [char; 3] = ['}', ')', ']'];

/// Adds the blocks of code: lines that can only be code, with the indented lines below them.
pub fn add_blocks(text: &str, found: &mut Vec<Range<usize>>) {
    let mut block: Option<Block> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        block = match block {
            _ if is_code(line) => {
                Some(block.map_or_else(|| Block::of(line, start..end), |block| block.until(end)))
            }
            Some(block) if block.goes_on(line) => Some(block.until(end)),
            // A blank line belongs to the block only if the block goes on after it.
            Some(block) if line.trim().is_empty() => Some(block),
            Some(block) => {
                found.push(block.span);
                None
            }
            None => None,
        };
        start = end;
    }
    found.extend(block.map(|block| block.span));
}

/// Lines of code without a line of prose between them.
struct Block {
    span: Range<usize>,
    /// The indentation of its first line, in bytes.
    indentation: usize,
}

impl Block {
    fn of(line: &str, span: Range<usize>) -> Self {
        Self {
            span,
            indentation: indentation(line),
        }
    }

    fn until(self, end: usize) -> Self {
        Self {
            span: self.span.start..end,
            ..self
        }
    }

    fn goes_on(&self, line: &str) -> bool {
        let code = line.trim();
        let is_inside = indentation(line) > self.indentation && !code.is_empty();
        is_inside || code.starts_with(CLOSERS)
    }
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Returns `true` if a line can only be code: a definition, a condition, a loop, an import or a declaration.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    let first = line.split(|c: char| !c.is_ascii_alphabetic()).next();
    let first = first.unwrap_or_default();
    if line.starts_with("#include <") {
        return true;
    }
    if first.is_empty()
        || !Token::of_word(first).says_one_of(&STARTS)
        || first.starts_with(char::is_uppercase)
    {
        return false;
    }
    let rest = line[first.len()..].trim_start();
    match first {
        "import" | "from" => is_import(line),
        "const" | "let" | "var" => declares(rest),
        "for" | "while" | "if" => {
            line.ends_with(OPENERS) && (rest.starts_with('(') || is_python_condition(rest))
        }
        "class" => line.ends_with(OPENERS) && is_name(rest.trim_end_matches(OPENERS).trim_end()),
        _ => line.ends_with(OPENERS) && line.contains('(') && line.contains(')'),
    }
}

/// Returns `true` for `import a`, `import a as b`, `from a import b, c` and `import a from "b"`.
fn is_import(line: &str) -> bool {
    let words: Vec<&str> = line
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    match words.as_slice() {
        ["import", module] | ["import", module, "as", _] => is_name(module.trim_end_matches(';')),
        ["from", module, "import", names @ ..] => {
            is_name(module)
                && !module.starts_with(|c: char| c.is_ascii_digit())
                && names.iter().all(|name| is_name(name))
        }
        ["import", .., "from", module] => module.starts_with(['"', '\'']),
        _ => false,
    }
}

/// Returns `true` for `name = …`, also with a type.
fn declares(rest: &str) -> bool {
    let name = rest.split(['=', ':']).next().unwrap_or_default();
    rest.contains('=') && is_name(name.trim())
}

/// Returns `true` for what follows `for`, `while` or `if` in Python, which has signs that sentences do not have.
fn is_python_condition(rest: &str) -> bool {
    rest.contains(['(', '[', '<', '>', '='])
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '*'))
}
