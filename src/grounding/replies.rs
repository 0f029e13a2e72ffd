//! Distinguishes texts that reply to results from texts that only announce the next call.

use toolgauge_facts::{Token, WordList};
use toolgauge_model::{Role, Trajectory, start_of};

/// The order of the text and the calls of a turn, as far as a trajectory shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The text was written before the calls. The agent continues in its next turn.
    TextFirst,
    /// The trajectory does not show the order, so the text may be the reply to the calls.
    NotShown,
}

impl Order {
    /// Returns the order that `trajectory` shows. If the agent's next turn directly follows a turn with text and calls,
    /// the results arrived between the two, so the text came first.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        let mut pairs = trajectory.turns.windows(2);
        let is_text_first = pairs.any(|pair| {
            pair.iter().all(|turn| turn.role == Role::Agent)
                && !pair[0].tool_calls.is_empty()
                && !pair[0].content.trim().is_empty()
        });
        match is_text_first {
            true => Self::TextFirst,
            false => Self::NotShown,
        }
    }
}

/// How many bytes of the last sentence are read.
const LONGEST_START: usize = 160;

/// Words that announce a call as the first word of a sentence.
static ANNOUNCES: WordList = WordList::of(
    "allons checking fetching first gonna i'll let let's lets looking next now reading running \
    searching voy will vamos",
);

/// Phrases that announce a call.
const ANNOUNCEMENTS: [&str; 34] = [
    "allow me to",
    "bear with me",
    "déjame",
    "give me a moment",
    "hold on",
    "i am going to",
    "i need to",
    "i will",
    "i'll",
    "i'm going to",
    "i\u{2019}ll",
    "i\u{2019}m going to",
    "ich schaue",
    "ich werde",
    "jeg skal",
    "jeg vil",
    "je vais",
    "just a moment",
    "la meg",
    "laissez-moi",
    "lass mich",
    "let me",
    "let us",
    "let's",
    "let\u{2019}s",
    "one moment",
    "one second",
    "permíteme",
    "voy a",
    "we will",
    "we'll",
    "we need to",
    "einen moment",
    "un momento",
];

/// Checks whether a text ends with the announcement of a call: "Let me look.", "Checking now …", "Run the tests:".
pub fn announces(text: &str) -> bool {
    let text = text.trim().trim_end_matches("```").trim_end();
    if text.ends_with([':', '…']) || text.ends_with("...") {
        return true;
    }
    let body = text.trim_end_matches(['.', '!']);
    let start = body.rfind(['.', '!', '?', '\n']).map_or(0, |at| at + 1);
    let sentence = start_of(body[start..].trim(), LONGEST_START).to_lowercase();
    let has_phrase = ANNOUNCEMENTS
        .iter()
        .any(|phrase| holds_phrase(&sentence, phrase));
    let first = sentence.split_whitespace().next().unwrap_or_default();
    let first = first.trim_matches(|c: char| !c.is_alphanumeric());
    has_phrase || (!first.is_empty() && Token::of_word(first).says_one_of(&ANNOUNCES))
}

/// Checks whether a text contains a phrase that starts at a word boundary.
fn holds_phrase(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        !before.is_some_and(char::is_alphanumeric)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announcements_are_no_replies() {
        for text in [
            "Let me open the log first.",
            "I see. I'll check the stock now",
            "Now run the linter:",
            "Checking your booking...",
            "One moment please.",
            "Je vais vérifier.",
            "Ich werde nachsehen.",
        ] {
            assert!(announces(text), "{text}");
        }
        for text in [
            "Your room costs 80 euros.",
            "Please see your inbox.",
            "What else can I do?",
            "",
        ] {
            assert!(!announces(text), "{text}");
        }
    }
}
