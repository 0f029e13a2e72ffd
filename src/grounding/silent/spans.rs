//! Detects spans of code, formulas, thoughts and tool calls.

use std::ops::Range;

use toolgauge_facts::{Token, WordList};
use toolgauge_model::start_of;
use toolgauge_model::text_calls::TextCalls;

/// The longest formula within a line, in bytes.
const LONGEST_FORMULA: usize = 300;

/// The fewest letters of a word that belongs to a sentence rather than to a formula.
const SHORTEST_WORD: usize = 3;

/// The languages of fenced blocks that contain code. Blocks with data and output are read like the reply's own words.
static LANGUAGES: WordList = WordList::of(
    "python py python3 javascript js jsx typescript ts tsx java c cpp csharp cs rust rs go golang sql mysql postgresql \
    psql bash sh shell zsh powershell ps1 ruby rb php kotlin swift scala r matlab julia perl lua html css scss less \
    dockerfile makefile latex tex diff patch xml graphql proto hcl terraform haskell elixir dart vue svelte nginx vim \
    objc asm solidity regex",
);

/// Tags around the thoughts of a model.
const THOUGHTS: [&str; 3] = ["think", "thinking", "reasoning"];

/// Returns the spans of `text` that state nothing, in order and without overlap.
pub fn silent(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    add_thoughts(text, &mut found);
    add_calls(text, &mut found);
    add_fences(text, &mut found);
    super::code::add_blocks(text, &mut found);
    add_formulas(text, &mut found);
    found.sort_by_key(|span| span.start);
    // Merge overlapping spans.
    let mut merged: Vec<Range<usize>> = Vec::new();
    for span in found {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

fn add_thoughts(text: &str, found: &mut Vec<Range<usize>>) {
    if !text.contains("</") {
        return;
    }
    for tag in THOUGHTS {
        let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
        let mut from = 0;
        while let Some(end) = text[from..].find(&close) {
            let end = from + end + close.len();
            // Some models receive the opening tag in the prompt and only write the closing one.
            let start = text[from..end].find(&open).map(|start| from + start);
            if start.is_some() || from == 0 {
                found.push(start.unwrap_or(0)..end);
            }
            from = end;
        }
    }
}

/// Adds the tool calls that a model wrote into its text.
fn add_calls(text: &str, found: &mut Vec<Range<usize>>) {
    let calls = TextCalls::of(text).map(|found| found.calls);
    found.extend(calls.into_iter().flatten().map(|call| call.start..call.end));
}

fn add_fences(text: &str, found: &mut Vec<Range<usize>>) {
    let mut fences = text.match_indices("```").map(|(at, _)| at);
    while let Some(start) = fences.next() {
        let end = fences.next().map_or(text.len(), |end| end + 3);
        let name = text[start + 3..end].split(|c: char| !c.is_ascii_alphanumeric());
        let name = name.into_iter().next().unwrap_or_default();
        if !name.is_empty() && Token::of_word(name).says_one_of(&LANGUAGES) {
            found.push(start..end);
        }
    }
}

fn add_formulas(text: &str, found: &mut Vec<Range<usize>>) {
    for (open, close) in [("\\(", "\\)"), ("\\[", "\\]")] {
        add_between(text, open, close, found);
    }
    add_boxes(text, found);
    if !text.contains('$') {
        return;
    }
    add_between(text, "$$", "$$", found);
    let mut from = 0;
    while let Some(start) = text[from..].find('$').map(|at| from + at) {
        let rest = &text[start + 1..];
        let line = start_of(rest, LONGEST_FORMULA).split('\n').next();
        let end = line.and_then(|line| line.find('$'));
        let is_formula = end.is_some_and(|end| {
            let follows = rest[end + 1..].chars().next();
            !follows.is_some_and(|c| c.is_ascii_digit()) && is_formula(&rest[..end])
        });
        match end.filter(|_| is_formula) {
            Some(end) => {
                let end = start + 1 + end + 1;
                found.push(start..end);
                from = end;
            }
            None => from = start + 1,
        }
    }
}

/// Adds the spans from `open` to `close`.
fn add_between(text: &str, open: &str, close: &str, found: &mut Vec<Range<usize>>) {
    let mut from = 0;
    while let Some(start) = text[from..].find(open).map(|at| from + at) {
        let inner = start + open.len();
        let Some(end) = text[inner..].find(close) else {
            return;
        };
        from = inner + end + close.len();
        found.push(start..from);
    }
}

/// Adds the boxed results, including nested braces.
fn add_boxes(text: &str, found: &mut Vec<Range<usize>>) {
    const BOX: &str = "\\boxed{";
    let mut from = 0;
    while let Some(start) = text[from..].find(BOX).map(|at| from + at) {
        let inner = start + BOX.len();
        let mut open = 1;
        let end = text[inner..].bytes().position(|byte| {
            match byte {
                b'{' => open += 1,
                b'}' => open -= 1,
                _ => {}
            }
            open == 0
        });
        let Some(end) = end else {
            return;
        };
        from = inner + end + 1;
        found.push(start..from);
    }
}

/// Checks whether the text between two dollar signs is a formula rather than two amounts.
fn is_formula(inner: &str) -> bool {
    let trimmed = inner.trim();
    if trimmed.is_empty() {
        return false;
    }
    if trimmed.contains(['\\', '^', '{']) {
        return true;
    }
    let has_word = trimmed
        .split(|c: char| !c.is_alphabetic())
        .any(|word| word.chars().count() >= SHORTEST_WORD);
    let has_sign = trimmed.contains(['=', '_', '+', '*', '<', '>']);
    // "US$ 5 / NZ$ 6" contains letters, too.
    let has_letter = trimmed.contains(char::is_alphabetic) && !inner.contains(' ');
    let is_spaced = inner.starts_with(' ') && inner.ends_with(' ');
    let ends_amount = inner.ends_with([' ', '-', '–', '/', '(']) && !is_spaced;
    !has_word && !ends_amount && (has_sign || has_letter || is_spaced)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<&str> {
        silent(text).into_iter().map(|span| &text[span]).collect()
    }

    #[test]
    fn spans_are_in_order_and_apart() {
        assert_eq!(
            shown("$x=1$ <think>\\(a\\)</think> ```py\n1``` é"),
            ["$x=1$", "<think>\\(a\\)</think>", "```py\n1```"]
        );
        assert_eq!(shown("</think> a ```rust"), ["</think>", "```rust"]);
        assert_eq!(
            shown(
                "It is 7.\n<invoke name=\"f\"><parameter name=\"a\">$5$</parameter></invoke> So 8."
            ),
            ["<invoke name=\"f\"><parameter name=\"a\">$5$</parameter></invoke>"]
        );
        assert_eq!(shown("\\boxed{\\frac{1}{6}} 7"), ["\\boxed{\\frac{1}{6}}"]);
        assert_eq!(shown("\\boxed{\\frac{1}{6} 7"), [""; 0]);
    }

    #[test]
    fn amounts_and_output_are_no_spans() {
        for text in ["$5 or $6", "```\n1\n```", "\\(open", "$", "``", "a </b>"] {
            assert_eq!(shown(text), [""; 0], "{text}");
        }
    }
}
