//! Finds the lists in a reply: bullets, numbers, rows of tables, and paragraphs that begin alike.

use std::ops::Range;

/// The most lines of a reply that are read.
const MOST_LINES: usize = 1_000;

/// The marker of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    /// One of `-*•+–`.
    Bullet,
    /// A number.
    Number,
    /// The bar of a table row.
    Row,
    /// No issues.
    Bare,
}

/// A line of a reply.
#[derive(Debug, Clone, Copy)]
struct Line<'t> {
    text: &'t str,
    start: usize,
    indent: usize,
    marker: Marker,
}

/// Consecutive lines of one form, each with the lines that belong to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The marker of its lines, and how far they are indented.
    pub form: (Marker, usize),
    /// The range of the line before it.
    pub heading: Range<usize>,
    /// The range of each entry, up to the next one.
    pub entries: Vec<Range<usize>>,
    /// Where the last entry ends.
    pub end: usize,
}

/// Returns the marker of a line, which is given without surrounding space.
pub fn marker_of(line: &str) -> Marker {
    let mut chars = line.chars();
    match chars.next() {
        Some('-' | '*' | '•' | '+' | '–' | '—' | '·' | '◦' | '▪')
            if chars.as_str().starts_with(char::is_whitespace) =>
        {
            Marker::Bullet
        }
        Some('|') if line.len() > 1 => Marker::Row,
        Some('•' | '◦' | '▪') => Marker::Bullet,
        Some(first) if first.is_ascii_digit() || first == '(' => {
            let rest = line.trim_start_matches(['(', '[']);
            let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
            let marks = line.len() - rest.len() <= 4 && rest.starts_with(['.', ')', ']', ':']);
            let parts = rest.get(1..).is_some_and(|rest| rest.starts_with(' '));
            if marks && parts {
                Marker::Number
            } else {
                Marker::Bare
            }
        }
        _ => Marker::Bare,
    }
}

/// Returns a line without its marker.
pub fn content_of(line: &str) -> &str {
    let line = line.trim();
    match marker_of(line) {
        Marker::Bare => line,
        Marker::Row => line.trim_matches(['|', ' ']),
        Marker::Bullet => line.trim_start_matches(|c: char| {
            !c.is_alphanumeric()
                && !matches!(c, '#' | '$' | '€' | '£' | '"' | '(' | '[' | '*' | '_' | '`')
        }),
        Marker::Number => line
            .split_once(['.', ')', ']', ':'])
            .map_or(line, |(_, rest)| rest.trim()),
    }
}

fn lines_of(text: &str) -> Vec<Line<'_>> {
    let mut start = 0;
    let mut lines = Vec::new();
    for whole in text.split_inclusive('\n').take(MOST_LINES) {
        let trimmed = whole.trim();
        if !trimmed.is_empty() {
            lines.push(Line {
                text: trimmed,
                start,
                indent: whole.len() - whole.trim_start().len(),
                marker: marker_of(trimmed),
            });
        }
        start += whole.len();
    }
    lines
}

/// A run that is not complete yet.
struct Open {
    run: Run,
}

/// Returns all runs of `text`: those of marked lines, and those of bare lines that begin with the same word.
pub fn runs_of(text: &str) -> Vec<Run> {
    let lines = lines_of(text);
    let mut found = marked_runs(&lines, text.len());
    found.extend(bare_runs(&lines, text.len()));
    found
}

fn marked_runs(lines: &[Line<'_>], end: usize) -> Vec<Run> {
    let mut open: Vec<Open> = Vec::new();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if line.marker == Marker::Row && is_separator(line.text) {
            if let Some(top) = open.last_mut() {
                top.run.entries.clear();
            }
            continue;
        }
        let form = (line.marker, line.indent);
        let continues = |open: &Open| {
            let (marker, indent) = open.run.form;
            (marker, indent) == form
                || indent < line.indent
                || (indent == line.indent
                    && marker == Marker::Number
                    && line.marker == Marker::Bullet)
        };
        while open.last().is_some_and(|top| !continues(top)) {
            found.extend(open.pop().map(|top| close(top, line.start)));
        }
        if line.marker == Marker::Bare {
            continue;
        }
        match open.last_mut() {
            Some(top) if top.run.form == form => top.add(line.start),
            _ => {
                let heading = heading_before(lines, at);
                let mut top = Open {
                    run: Run {
                        form,
                        heading,
                        entries: Vec::new(),
                        end,
                    },
                };
                top.add(line.start);
                open.push(top);
            }
        }
    }
    found.extend(open.into_iter().rev().map(|top| close(top, end)));
    found
}

fn heading_before(lines: &[Line<'_>], at: usize) -> Range<usize> {
    match at.checked_sub(1) {
        Some(before) => lines[before].start..lines[at].start,
        None => lines[at].start..lines[at].start,
    }
}

fn is_separator(row: &str) -> bool {
    row.contains('-')
        && row
            .chars()
            .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '+'))
}

impl Open {
    fn add(&mut self, start: usize) {
        if let Some(last) = self.run.entries.last_mut() {
            last.end = start;
        }
        self.run.entries.push(start..start);
    }
}

fn close(open: Open, end: usize) -> Run {
    let mut run = open.run;
    if let Some(last) = run.entries.last_mut() {
        last.end = end;
    }
    run.end = end;
    run
}

/// Finds paragraphs that begin with the same word: `Order #1 …`, `Order #2 …`.
fn bare_runs(lines: &[Line<'_>], end: usize) -> Vec<Run> {
    let bare: Vec<_> = (0..lines.len())
        .filter(|at| lines[*at].marker == Marker::Bare && lines[*at].indent == 0)
        .collect();
    let mut found: Vec<(&str, Run)> = Vec::new();
    for (order, at) in bare.iter().enumerate() {
        let line = lines[*at];
        let word = first_word(line.text);
        let end = bare.get(order + 1).map_or(end, |next| lines[*next].start);
        match found.iter().position(|(of_run, _)| *of_run == word) {
            Some(known) => {
                found[known].1.entries.push(line.start..end);
                found[known].1.end = end;
            }
            None if word.len() >= 3 && found.len() < 20 => found.push((
                word,
                Run {
                    form: (Marker::Bare, 0),
                    heading: heading_before(lines, *at),
                    entries: std::iter::once(line.start..end).collect(),
                    end,
                },
            )),
            None => {}
        }
    }
    let runs = found.into_iter().map(|(_, run)| run);
    runs.filter(|run| run.entries.len() >= 2).collect()
}

fn first_word(line: &str) -> &str {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = line
        .find(|c: char| !c.is_alphanumeric())
        .unwrap_or(line.len());
    &line[..end]
}

/// Returns the sentences of `text`, split at lines, too.
pub fn sentences_of(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let mut from = start;
        let mut is_quoted = false;
        for (at, c) in line.char_indices() {
            is_quoted = match c {
                '"' => !is_quoted,
                '“' | '„' | '«' => true,
                '”' | '»' => false,
                _ => is_quoted,
            };
            let after = line[at + c.len_utf8()..].chars().next();
            let ends = matches!(c, '.' | '!' | '?') && after.is_none_or(char::is_whitespace)
                || matches!(c, '。' | '！' | '？');
            if ends && !is_quoted {
                found.push(from..start + at + c.len_utf8());
                from = start + at + c.len_utf8();
            }
        }
        start += line.len();
        if !text[from..start].trim().is_empty() {
            found.push(from..start);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<(String, Vec<String>)> {
        let runs = runs_of(text).into_iter();
        runs.map(|run| {
            let entries = run
                .entries
                .iter()
                .map(|entry| text[entry.clone()].trim().replace('\n', "/"));
            (
                text[run.heading.clone()].trim().to_owned(),
                entries.collect(),
            )
        })
        .collect()
    }

    #[test]
    fn runs_nest_and_have_the_line_before_as_heading() {
        let text = "rooms:\n- oak\n  - beds:\n    - a\n    - b\n- elm\n\nbye";
        assert_eq!(
            shown(text),
            [
                (
                    "- beds:".to_owned(),
                    vec!["- a".to_owned(), "- b".to_owned()]
                ),
                (
                    "- oak".to_owned(),
                    vec!["- beds:/    - a/    - b".to_owned()]
                ),
                (
                    "rooms:".to_owned(),
                    vec![
                        "- oak/  - beds:/    - a/    - b".to_owned(),
                        "- elm".to_owned()
                    ]
                ),
            ]
        );
        let table = "all:\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |";
        assert_eq!(shown(table)[0].1, ["| 1 | 2 |", "| 3 | 4 |"]);
        assert_eq!(shown("1. a\n- x\n2. b\nend")[1].1, ["1. a/- x", "2. b"]);
        assert_eq!(shown("order 1 is\n- a\norder 2 is\n- b").len(), 3);
    }
}
