//! What is known at a point of a trajectory. It grows with each turn.

use std::cell::OnceCell;

use super::arguments::Dates;
use super::background::Background;
use super::chosen::hides_result;
use super::evidence::{Evidence, Gathered, Source};
use super::operands::Offer;
use super::reply::Reply;
use super::transcript::Transcript;
use toolgauge_facts::{TextId, Texts};
use toolgauge_model::{Role, ToolCall, Trajectory, Turn, searches_unlogged};

/// A conversation up to a turn.
pub struct Conversation<'c, 'a> {
    trajectory: &'c Trajectory<'a>,
    transcript: &'c Transcript<'a>,
    texts: &'c Texts<'a>,
    /// All calls of the agent. Only the first `made` were made up to this turn.
    calls: Vec<&'c ToolCall<'a>>,
    /// What the result of each call offers for counting.
    offers: Vec<OnceCell<Offer<'a>>>,
    gathered: Gathered<'a>,
    /// The number of turns at the start that are instructions.
    instructions: usize,
    heard: Vec<Option<TextId>>,
    made: usize,
    /// The number of calls that were made before the latest message of the user.
    since_user: usize,
    dates: Dates,
    knows_anything: bool,
    /// Whether all results so far that tools of the platform returned are in the log.
    knows_results: bool,
    /// Whether the log may leave out a result so far, because it does not record contents.
    has_unrecorded: bool,
}

impl<'c, 'a> Conversation<'c, 'a> {
    /// Starts a conversation before its first turn, when only the instructions are known. `gathered` is the memory that
    /// the conversation reuses, and `before` keeps the evidence from the latest instructions.
    pub fn start(
        trajectory: &'c Trajectory<'a>,
        transcript: &'c Transcript<'a>,
        texts: &'c Texts<'a>,
        mut gathered: Gathered<'a>,
        before: &mut (Vec<TextId>, Gathered<'a>),
    ) -> Self {
        let calls: Vec<_> = trajectory.calls().collect();
        let turns = trajectory.turns.iter();
        let instructions = turns.take_while(|turn| turn.role == Role::System).count();
        let texts_of_instructions = &transcript.turns()[..instructions];
        gathered.copy(gathered_from(texts_of_instructions, texts, before));
        Self {
            trajectory,
            transcript,
            texts,
            offers: calls.iter().map(|_| OnceCell::new()).collect(),
            calls,
            gathered,
            instructions,
            heard: Vec::new(),
            made: 0,
            since_user: 0,
            dates: Dates::default(),
            knows_anything: false,
            knows_results: !trajectory.tools.is_some_and(searches_unlogged),
            has_unrecorded: false,
        }
    }

    /// Adds a turn of the user or of the instructions.
    pub fn hear(&mut self, at: usize, turn: &Turn<'a>, asks_for_date: impl FnOnce(TextId) -> bool) {
        let text = self.transcript.turns()[at];
        let is_user = turn.role == Role::User;
        if at >= self.instructions {
            self.gathered.add_text(text, self.texts);
        }
        self.heard.push(is_user.then_some(text));
        self.knows_anything |= !turn.content.trim().is_empty();
        self.since_user = self.made;
        if is_user && self.dates == Dates::MustBeKnown && asks_for_date(text) {
            self.dates = Dates::CanBeWorkedOut;
        }
    }

    /// Adds the calls of a turn of the agent, with their results.
    pub fn add_calls(&mut self, turn: &Turn<'a>) {
        self.knows_results &= !turn.tool_calls.iter().any(hides_result);
        self.has_unrecorded |= turn.tool_calls.iter().any(ToolCall::hides_outcome);
        for _ in &turn.tool_calls {
            self.add_call(self.made);
            self.made += 1;
        }
        self.knows_anything |= self.made > 0;
    }

    fn add_call(&mut self, call: usize) {
        let arguments = |value| Source::Arguments { call, value };
        let result = |value| Source::Result { call, value };
        let (transcript, texts) = (self.transcript, self.texts);
        self.gathered
            .add_values(transcript.arguments(call), texts, arguments);
        self.gathered
            .add_values(transcript.result(call), texts, result);
        self.gathered
            .add_values(transcript.error(call), texts, result);
    }

    /// Returns all texts.
    pub fn texts(&self) -> &'c Texts<'a> {
        self.texts
    }

    /// Returns the number of calls that were made so far.
    pub fn calls_made(&self) -> usize {
        self.made
    }

    /// Returns where the dates in arguments may come from.
    pub fn dates(&self) -> Dates {
        self.dates
    }

    /// Returns the evidence for the arguments of the next calls, or `None` if nothing is known yet, or results that they
    /// may build on are not in the log.
    pub fn evidence(&mut self) -> Option<Evidence<'_>> {
        (self.knows_anything && !self.has_unrecorded).then(|| self.gathered.seal(self.texts))
    }

    /// Returns the reply of the turn at `at`, whose calls must have been added. Returns `None` if the reply can't be
    /// checked because results that it builds on are not in the log.
    pub fn reply(&mut self, at: usize) -> Option<Reply<'_, 'a>> {
        let latest = &self.calls[self.since_user..self.made];
        let are_unanswered = !latest.is_empty() && latest.iter().all(|call| call.is_unanswered());
        if are_unanswered || !self.knows_results || self.has_unrecorded {
            return None;
        }
        let (turn, texts) = (&self.trajectory.turns[at], self.transcript.turns());
        Some(Reply {
            turn: at,
            turn_id: turn.turn_id,
            content: turn.content,
            text: texts[at],
            known: Background {
                evidence: self.gathered.seal(self.texts),
                texts: self.texts,
                calls: &self.calls[..self.made],
                offers: &self.offers[..self.made],
                earlier: &self.trajectory.turns[..at],
                said: &texts[..at],
            },
            instructions: &texts[..self.instructions],
            heard: &self.heard,
            since_user: self.since_user,
            calls_of_turn: turn.tool_calls.len(),
            tools: self.trajectory.tools,
            transcript: self.transcript,
        })
    }

    /// Returns the memory of the gathered evidence, for reuse by the next conversation.
    pub fn into_gathered(self) -> Gathered<'a> {
        self.gathered
    }
}

/// Returns the evidence from the instructions. It is taken from `before` if the instructions are the same.
fn gathered_from<'b, 'a>(
    instructions: &[TextId],
    texts: &Texts<'a>,
    before: &'b mut (Vec<TextId>, Gathered<'a>),
) -> &'b Gathered<'a> {
    if before.0 != instructions {
        *before = (
            instructions.to_vec(),
            Gathered::of_instructions(instructions, texts),
        );
    }
    &before.1
}
