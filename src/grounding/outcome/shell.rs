//! Finds errors in the output of commands and programs.

use super::text::{is_exception, next_number, start_of_line};
use crate::keys::Part;
use toolgauge_model::{Json, ToolCall, start_of};

/// An exit code is searched for in this many characters at the start of an output.
const START: usize = 400;

/// Only this many bytes at the end of an output are read.
const END: usize = 400;

/// An output that consists only of errors has at most this many lines.
const FEW_LINES: usize = 6;

/// A part of most phrases that introduce an exit code.
const EXIT: Part = Part::of("exit");
/// A part of all other phrases that introduce an exit code.
const RETURN: Part = Part::of("return");

/// Programs that exit with 1 if they find nothing, or a difference.
const SEARCHES: &[&str] = &[
    "[", "[[", "ack", "ag", "cmp", "command", "diff", "egrep", "expr", "fgrep", "grep", "pgrep",
    "pidof", "pkill", "rg", "test", "type", "which", "zgrep",
];

/// Programs that print the contents of files.
const PRINTERS: &[&str] = &[
    "awk",
    "bat",
    "cat",
    "dmesg",
    "egrep",
    "fgrep",
    "grep",
    "head",
    "journalctl",
    "less",
    "more",
    "nl",
    "rg",
    "sed",
    "sort",
    "strings",
    "tail",
    "zcat",
    "zgrep",
];

/// Returns the command or the program text that `call` runs.
fn command<'a>(call: &ToolCall<'a>) -> Option<&'a str> {
    const KEYS: &[&str] = &[
        "command",
        "cmd",
        "script",
        "code",
        "bash",
        "shell_command",
        "input",
    ];
    let arguments = call.arguments?;
    KEYS.iter().find_map(|key| match arguments.get(key)? {
        Json::String(text) => Some(text),
        // `["bash", "-lc", "<command>"]`
        Json::Array(items) => items.last()?.as_str(),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::Object(_) => None,
    })
}

/// Returns the programs that `command` runs, in order.
fn programs(command: &str) -> impl Iterator<Item = &str> {
    let parts = start_of(command, 2_000).split(['|', ';', '&', '\n', '(', '`']);
    parts.filter_map(|part| {
        let is_prefix = |word: &&str| {
            matches!(
                *word,
                "sudo" | "!" | "if" | "then" | "do" | "time" | "env" | "git" | "xargs" | "docker"
            ) || word.contains('=')
        };
        let word = part.split_whitespace().find(|word| !is_prefix(word))?;
        Some(word.rsplit('/').next().unwrap_or(word))
    })
}

/// Checks whether exit code 1 only means that a search found nothing, or that a comparison found a difference.
pub fn is_answer_of_search(code: f64, has_output: bool, call: &ToolCall<'_>) -> bool {
    let finds = |program: &str| match program {
        "diff" | "cmp" => true,
        _ => !has_output && SEARCHES.binary_search(&program).is_ok(),
    };
    code == 1.0 && command(call).is_some_and(|command| programs(command).any(finds))
}

/// What the output of a command says about how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The command ended with this exit code.
    Code(i64),
    /// The output does not contain an exit code.
    Unknown,
}

/// Returns the exit code in the first or last lines of `text`: `Exit code: 1`, `exited with code 2`,
/// `<returncode>1</returncode>`.
pub fn ending_of(text: &str) -> Ending {
    let (start, end) = (start_of(text, START), end_of(text));
    let rest = &text[start.len()..];
    let end = if rest.len() < end.len() { rest } else { end };
    let mut lines = start.lines().chain(end.lines());
    lines
        .find_map(exit_code)
        .map_or(Ending::Unknown, Ending::Code)
}

/// Returns the exit code that `line` states.
fn exit_code(line: &str) -> Option<i64> {
    const PHRASES: &[&str] = &[
        "exit code",
        "exit status",
        "exit value",
        "exit_code",
        "exitcode",
        "exited with",
        "exits with",
        "non-zero exit status",
        "return code",
        "returncode",
    ];
    if line.len() > 160 || !(EXIT.is_in(line) || RETURN.is_in(line)) {
        return None;
    }
    let lower = line.to_lowercase();
    let found = PHRASES
        .iter()
        .filter_map(|phrase| Some((lower.find(phrase)?, phrase)));
    let (at, phrase) = found.min_by_key(|(at, _)| *at)?;
    let rest = lower[at + phrase.len()..]
        .trim_start_matches(|c: char| !(c.is_ascii_digit() || c == '-' || c == '\n'));
    let between = lower[at + phrase.len()..].len() - rest.len();
    // In a manual, `exit code (0, when …)` is not an exit code.
    let is_near = between <= 9 && lower[..at].split_whitespace().count() <= 8;
    let (code, rest) = next_number(rest)?;
    let ends = rest.trim_start_matches([']', ')', '>', '"', '\'', '.', ',', ':', '}', ' ']);
    let is_over =
        ends.is_empty() || ends.starts_with('<') || rest.starts_with([':', ')', ']', ',', '.']);
    (is_near && is_over).then_some(code)
}

/// Returns the end of `text`, at most [`END`] bytes.
pub fn end_of(text: &str) -> &str {
    let mut at = text.len().saturating_sub(END);
    while !text.is_char_boundary(at) {
        at += 1;
    }
    &text[at..]
}

/// Checks whether `text`, the output of a command without an exit code, is an error: either its last line is one, or
/// the output is short and consists of errors.
pub fn is_error(text: &str, call: &ToolCall<'_>) -> bool {
    if prints_files(call) {
        return is_error_of_printer(text, call);
    }
    ends_in_traceback(text) || consists_of_errors(text) || (runs(call) && ends_in_error(text))
}

/// Checks whether a command failed although its exit code is 0; a pipe has the exit code of its last command.
pub fn fails_although_it_ended_well(text: &str, call: &ToolCall<'_>) -> bool {
    if prints_files(call) {
        return is_error_of_printer(text, call);
    }
    ends_in_traceback(text) || consists_of_errors(text)
}

/// Checks whether `call` runs a command or a program.
fn runs(call: &ToolCall<'_>) -> bool {
    command(call).is_some()
}

/// Checks whether the output is the contents of a file, which can contain any text.
pub fn prints_files(call: &ToolCall<'_>) -> bool {
    let prints = |program: &str| PRINTERS.binary_search(&program).is_ok();
    command(call).is_some_and(|command| {
        let mut programs =
            programs(command).filter(|program| *program != "cd" && *program != "echo");
        programs.next().is_some_and(prints)
    })
}

/// Checks whether the output consists only of errors of the program: `cat: notes.txt: No such file or directory`.
fn is_error_of_printer(text: &str, call: &ToolCall<'_>) -> bool {
    let program = |line: &str| {
        let program = line.split(':').next().unwrap_or_default();
        matches!(program, "bash" | "sh" | "zsh" | "/bin/sh" | "/bin/bash")
            || command(call).is_some_and(|command| programs(command).any(|other| other == program))
    };
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    text.len() <= START
        && lines.all(|line| program(line) && is_error_line(line))
        && !text.trim().is_empty()
}

/// Checks whether a program ended with an uncaught exception.
fn ends_in_traceback(text: &str) -> bool {
    let last = end_of(text)
        .trim_end()
        .lines()
        .next_back()
        .unwrap_or_default();
    is_exception(last) && text.contains("Traceback (most recent call last)")
}

/// Checks whether at least half of the lines of a short text are errors.
fn consists_of_errors(text: &str) -> bool {
    if text.len() > 2 * START {
        return false;
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let (mut all, mut errors) = (0, 0);
    for line in lines {
        all += 1;
        errors += usize::from(is_error_line(line));
    }
    all <= FEW_LINES && errors > 0 && errors * 2 >= all
}

/// Checks whether the last line of `text` says that the command ended with an error.
fn ends_in_error(text: &str) -> bool {
    let last = end_of(text)
        .trim_end()
        .lines()
        .next_back()
        .unwrap_or_default();
    is_last_word(last.trim())
}

/// Checks whether `line`, the last line of an output, says that the command ended with an error.
fn is_last_word(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "bash: ",
        "command failed",
        "fatal: ",
        "killed",
        "make: ***",
        "npm err!",
        "npm error",
        "segmentation fault",
        "sh: ",
        "zsh: ",
    ];
    let lower = start_of(line, 200).to_lowercase();
    STARTS.iter().any(|start| lower.starts_with(start)) && is_error_line(line)
}

/// Checks whether `line` is an error in the format of a common program.
pub fn is_error_line(line: &str) -> bool {
    const STARTS: &[&str] = &[
        "command failed",
        "curl: (",
        "eacces",
        "enoent",
        "error[",
        "exception in thread",
        "fatal: ",
        "make: ***",
        "npm err!",
        "npm error",
        "panic: ",
        "uncaught ",
        "unhandled ",
    ];
    const WHOLE: &[&str] = &[
        "aborted",
        "bus error",
        "killed",
        "segmentation fault",
        "terminated",
        "zsh: killed",
    ];
    let line = start_of(start_of_line(line), 300);
    let lower = line.to_lowercase();
    if lower.contains("warning:")
        || lower.contains("no job control")
        || lower.contains("terminal process group")
    {
        return false;
    }
    let whole = lower
        .trim_end_matches(['.', '!'])
        .trim_end_matches(" (core dumped)");
    STARTS.iter().any(|start| lower.starts_with(start))
        || WHOLE.contains(&whole)
        || lower.ends_with(" has been aborted")
        || lower.ends_with(" has been aborted.")
        || (lower.starts_with("thread '") && lower.contains("panicked"))
        || is_exception(line)
        || names_program(&lower).is_some_and(has_complaint)
}

/// Returns the text after the program at the start of a line: `bash: …`, `/usr/bin/python: …`, `user@host: …`.
fn names_program(line: &str) -> Option<&str> {
    let (program, rest) = line.split_once(": ")?;
    let is_program = !program.is_empty()
        && program.len() <= 120
        && !program.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '{' | '<' | '='));
    // `src/app.rs:12: …` is a line of a file.
    let is_place = program.contains(':');
    (is_program && !is_place).then_some(rest)
}

/// Checks whether `rest`, in lower case, is an error message of a program.
fn has_complaint(rest: &str) -> bool {
    const ANYWHERE: &[&str] = &[
        "command not found",
        "connection refused",
        "connection timed out",
        "could not resolve",
        "device or resource busy",
        "file exists",
        "is a directory",
        "no module named",
        "no space left on device",
        "no such file or directory",
        "no such process",
        "not a directory",
        "operation not permitted",
        "permission denied",
        "read-only file system",
        "syntax error",
        "unexpected eof",
    ];
    const STARTS: &[&str] = &[
        "can't ",
        "cannot ",
        "could not ",
        "error response",
        "error: ",
        "failed to ",
        "fatal: ",
        "illegal option",
        "invalid option",
        "missing operand",
        "unable to ",
        "unknown option",
        "unrecognized arguments",
        "unrecognized option",
    ];
    ANYWHERE.iter().any(|phrase| rest.contains(phrase))
        || STARTS.iter().any(|start| rest.starts_with(start))
        || rest.ends_with(": not found")
        || rest.ends_with(" error")
}
