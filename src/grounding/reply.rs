//! A reply with its context, and the indexes of the conversation that the stages use.

use std::cell::OnceCell;

use super::arithmetic::WorkedOut;
use super::background::Background;
use super::codes::Codes;
use super::literal::Literal;
use super::mentions::Mentions;
use super::named::Written;
use super::owners::{Focus, Records, UserWords};
use super::places::Places;
use super::quantities::Quantities;
use super::transcript::Transcript;
use toolgauge_facts::{Fact, TextId, Token};
use toolgauge_model::{Json, ToolCall};

/// A reply, and what is known when the agent sends it.
pub struct Reply<'r, 'a> {
    /// The index of the reply's turn in the trajectory.
    pub turn: usize,
    /// The `turn_id` of the reply's turn.
    pub turn_id: i64,
    /// The text of the reply.
    pub content: &'a str,
    /// The id of the text.
    pub text: TextId,
    /// What is known apart from the reply.
    pub known: Background<'r, 'a>,
    /// The texts of the instructions.
    pub instructions: &'r [TextId],
    /// One entry for each earlier turn that is not the agent's: the text of a turn of the user, `None` for any other
    /// turn.
    pub heard: &'r [Option<TextId>],
    /// How many of the calls were made before the last message of the user.
    pub since_user: usize,
    /// How many of the calls the reply's own turn makes.
    pub calls_of_turn: usize,
    /// The tool definitions.
    pub tools: Option<Json<'a>>,
    /// The texts and values of the whole trajectory.
    pub transcript: &'r Transcript<'a>,
}

impl<'r, 'a> Reply<'r, 'a> {
    /// Returns the facts that the reply states, in order.
    pub fn facts(&self) -> &'r [Fact<'a>] {
        self.known.texts.facts(self.text)
    }

    /// Returns the tokens of the reply.
    pub fn tokens(&self) -> &'r [Token<'a>] {
        self.known.texts.tokens(self.text)
    }

    /// Returns the calls made since the last message of the user.
    pub fn latest_calls(&self) -> &'r [&'r ToolCall<'a>] {
        &self.known.calls[self.since_user..]
    }
}

/// The indexes of a conversation that the stages use. Each is brought up to date only when a reply needs it, so most of
/// the conversation is never indexed.
#[derive(Default)]
pub struct Readers<'a> {
    /// The paths of the values of calls.
    pub places: Places<'a>,
    /// The numbers that earlier replies worked out.
    pub worked_out: WorkedOut,
    /// The units, currencies and signs of known numbers.
    pub quantities: Quantities,
    /// The raw evidence.
    pub literal: Literal,
    /// The pieces of what was written before a call.
    pub mentions: Mentions,
    /// The names and keys of results.
    pub written: Written<'a>,
    /// The shapes of known codes.
    pub codes: Codes<'a>,
    /// The records of results.
    pub records: Records<'a>,
    /// The words of the user and the amounts of the instructions. They may belong to any record.
    pub user_words: UserWords,
    /// What the previous replies were about.
    pub focus: Option<Focus>,
    /// The pieces of the tool definitions.
    pub definitions: OnceCell<Mentions>,
}
