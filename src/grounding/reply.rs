//! A reply as the stages see it, and what they read of the conversation when they need it.

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
    /// Its turn, by its place in the trajectory.
    pub turn: usize,
    /// The number of its turn.
    pub turn_id: i64,
    /// Its text.
    pub content: &'a str,
    /// The id of its text.
    pub text: TextId,
    /// What is known besides the reply.
    pub known: Background<'r, 'a>,
    /// The texts of the instructions.
    pub instructions: &'r [TextId],
    /// The text of each turn before that is not the agent's; `None` if it is not the user's either.
    pub heard: &'r [Option<TextId>],
    /// How many of the calls were made before the user spoke last.
    pub since_user: usize,
    /// How many of the calls its own turn makes.
    pub calls_of_turn: usize,
    /// The definitions of the tools.
    pub tools: Option<Json<'a>>,
    /// The texts and values of the whole trajectory.
    pub transcript: &'r Transcript<'a>,
}

impl<'r, 'a> Reply<'r, 'a> {
    /// The facts that it states, in order.
    pub fn facts(&self) -> &'r [Fact<'a>] {
        self.known.texts.facts(self.text)
    }

    /// Its tokens.
    pub fn tokens(&self) -> &'r [Token<'a>] {
        self.known.texts.tokens(self.text)
    }

    /// The calls since the user spoke last.
    pub fn latest_calls(&self) -> &'r [&'r ToolCall<'a>] {
        &self.known.calls[self.since_user..]
    }
}

/// What the stages read of a conversation. Each reads what is new when a reply needs it, so that most of it is never
/// read.
#[derive(Default)]
pub struct Readers<'a> {
    /// Where the values of calls are.
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
    /// What known codes look like.
    pub codes: Codes<'a>,
    /// The records of results.
    pub records: Records<'a>,
    /// The words of the user and the amounts of the instructions, which may belong to any record.
    pub user_words: UserWords,
    /// What the replies before were about.
    pub focus: Option<Focus>,
    /// The pieces of the definitions of the tools.
    pub definitions: OnceCell<Mentions>,
}
