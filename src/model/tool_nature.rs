//! What kind of thing a tool does, as far as its name and its arguments show.

use crate::{ToolCall, start_of, words_of};

/// What a call of a tool means for the calls around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolNature {
    /// It looks something up or does one thing: the same arguments mean the same.
    Plain,
    /// It runs commands or code: what the next one returns depends on what this one did.
    Command,
    /// It moves something by a step, as a click or a key does: the same again means the next step.
    Gesture,
    /// It waits, or comes to something else each time by design: to repeat it is its use.
    Waiting,
}

/// Words that decide it wherever they occur in a name.
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

/// Names that are commands as a whole; within a longer name they may mean anything.
const WHOLE_COMMANDS: [&str; 4] = ["run", "code", "action", "computer"];

/// Arguments that hold a command or code.
const COMMAND_ARGUMENTS: [&str; 5] = ["command", "cmd", "code", "script", "commands"];

/// Words that mean a gesture when a name begins with them, or speaks of something that is operated.
const GESTURES: [&str; 19] = [
    "click", "tap", "press", "key", "keypress", "type", "scroll", "swipe", "drag", "hover", "move",
    "navigate", "goto", "back", "forward", "next", "step", "turn", "act",
];

/// What is operated by gestures, as first word of a name.
const OPERATED: [&str; 8] = [
    "browser", "mouse", "keyboard", "page", "computer", "screen", "ui", "device",
];

/// Words that decide it wherever they occur in a name.
const WAITING: [&str; 9] = [
    "wait", "sleep", "poll", "random", "roll", "dice", "shuffle", "toss", "draw",
];

impl ToolNature {
    /// What the tool of `call` does.
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
