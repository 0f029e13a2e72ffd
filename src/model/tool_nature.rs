//! Classifies tools by their names and arguments.

use crate::{ToolCall, start_of, words_of};

/// What a call of a tool means for the calls around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolNature {
    /// It looks something up or does one thing: equal arguments mean the same.
    Plain,
    /// It runs commands or code: the next result depends on what this call did.
    Command,
    /// It moves something by a step, like a click or a key: the same call again is the next step.
    Gesture,
    /// It waits, or returns something else each time by design: it is meant to be repeated.
    Waiting,
}

/// Words that mean a command anywhere in a name.
const COMMANDS: [&str; 12] = [
    "bash",
    "shell",
    "terminal",
    "exec",
    "execute",
    "command",
    "cmd",
    "python",
    "repl",
    "console",
    "powershell",
    "interpreter",
];

/// Names that are commands only as a whole. Inside a longer name they may mean anything.
const WHOLE_COMMANDS: [&str; 4] = ["run", "code", "action", "computer"];

/// Arguments that hold a command or code.
const COMMAND_ARGUMENTS: [&str; 5] = ["command", "cmd", "code", "script", "commands"];

/// Words that mean a gesture at the beginning of a name, or in a name with a word of [`OPERATED`].
const GESTURES: [&str; 19] = [
    "click", "tap", "press", "key", "keypress", "type", "scroll", "swipe", "drag", "hover", "move",
    "navigate", "goto", "back", "forward", "next", "step", "turn", "act",
];

/// First words of names of tools that are operated by gestures.
const OPERATED: [&str; 8] = [
    "browser", "mouse", "keyboard", "page", "computer", "screen", "ui", "device",
];

/// Words that mean waiting anywhere in a name.
const WAITING: [&str; 9] = [
    "wait", "sleep", "poll", "random", "roll", "dice", "shuffle", "toss", "draw",
];

impl ToolNature {
    /// Classifies the tool of `call`.
    pub fn of(call: &ToolCall<'_>) -> Self {
        let words = words_of(start_of(call.name.unwrap_or_default(), 200));
        let holds = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
        let starts_with = |known: &[&str]| {
            words
                .first()
                .is_some_and(|word| known.contains(&word.as_str()))
        };
        let is_gesture = starts_with(&GESTURES) || (starts_with(&OPERATED) && holds(&GESTURES));
        let is_whole = matches!(&words[..], [word] if WHOLE_COMMANDS.contains(&word.as_str()));
        let arguments = call.arguments.and_then(|arguments| arguments.members());
        let takes_command = arguments
            .unwrap_or_default()
            .iter()
            .any(|(name, _)| COMMAND_ARGUMENTS.contains(name));
        if holds(&WAITING) {
            Self::Waiting
        } else if holds(&COMMANDS) || is_whole || takes_command {
            Self::Command
        } else if is_gesture {
            Self::Gesture
        } else {
            Self::Plain
        }
    }
}
