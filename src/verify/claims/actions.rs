//! Actions that a reply claims and no call made.

use super::calls::{Came, Purpose, singular};
use super::evidence::Words;
use super::reading::{Claim, Voice, What};
use super::sentences::Sentence;
use super::spans::{Made, Reply, Span, spans};
use super::words::{Deed, TEXT_NOUNS, TEXT_VERBS, Verb, WORLD_NOUNS, is_in};
use crate::model::{Role, Trajectory};
use crate::schema::ToolSet;

/// A claim of an action that no call made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedAction {
    /// The number of the reply's turn.
    pub turn_id: i64,
    /// The sentence that claims it.
    pub quote: String,
}

/// The replies of `trajectory` that claim a completed action of the agent although none of its calls
/// made it, at most one claim for each reply. A call of an earlier request may be what a reply reports.
pub fn claimed_actions(trajectory: &Trajectory<'_>, tools: &ToolSet) -> Vec<ClaimedAction> {
    let spans = spans(trajectory);
    let has_tools = tools.is_given()
        || trajectory.tools.is_some()
        || spans.iter().any(|span| !span.calls.is_empty());
    let found = (0..spans.len()).filter_map(|at| {
        let (before, rest) = spans.split_at(at);
        let span = &rest[0];
        let reply = span.reply.as_ref()?;
        let is_asked = trajectory.turns[span.start].role == Role::User;
        if !is_asked || span.calls.iter().any(Made::may_act) || reply.reading.claims.is_empty() {
            return None;
        }
        let case = Case {
            trajectory,
            before,
            span,
            reply,
            has_tools,
        };
        let claim = case.unfounded()?;
        Some(ClaimedAction {
            turn_id: reply.turn.turn_id,
            quote: case.sentence(claim).text.to_owned(),
        })
    });
    found.collect()
}

/// A reply of a span without any call that acts.
struct Case<'s, 't, 'a> {
    trajectory: &'s Trajectory<'a>,
    before: &'s [Span<'t, 'a>],
    span: &'s Span<'t, 'a>,
    reply: &'s Reply<'t, 'a>,
    has_tools: bool,
}

impl<'t> Case<'_, 't, '_> {
    fn sentence(&self, claim: &Claim) -> &Sentence<'t> {
        &self.reply.reading.sentences[claim.sentence]
    }

    /// The first claim that nothing supports.
    fn unfounded(&self) -> Option<&Claim> {
        let claims = &self.reply.reading.claims;
        let is_open = claims
            .iter()
            .any(|claim| matches!(claim.what, What::Open | What::Failed(_)));
        let is_done = claims.iter().any(|claim| claim.what == What::AllDone);
        claims.iter().find(|claim| match claim.what {
            What::Done(verb, voice) => {
                self.is_clear(claim, verb, voice, is_done && !is_open)
                    && self.is_of_the_world(claim, verb)
                    && !self.is_earlier(claim, verb)
            }
            What::AllDone => claim.sentence == 0 && !is_open && self.is_request_done(claim),
            _ => false,
        })
    }

    /// Whether a claim can only mean that the agent has just done it.
    fn is_clear(&self, claim: &Claim, verb: Verb, voice: Voice, is_done: bool) -> bool {
        let reads = !self.span.calls.is_empty();
        let sentence = self.sentence(claim);
        let successfully = sentence
            .words
            .iter()
            .any(|word| word.text == "successfully");
        match voice {
            Voice::Agent => verb.deed != Deed::Confirm,
            Voice::Perfect => !reads || successfully || !self.was_read(claim),
            Voice::Past => (successfully || is_last_word(sentence, claim)) && !self.was_read(claim),
            Voice::State => {
                (!reads || successfully) && verb.base != "report" && !self.was_read(claim)
            }
            Voice::Noun => (!reads || successfully) && !self.was_read(claim),
            Voice::Elided => is_done && !reads,
        }
    }

    /// Whether a result holds the participle of the claim: then the reply may report what it says.
    fn was_read(&self, claim: &Claim) -> bool {
        let word = &self.sentence(claim).words[claim.at].text;
        let spans = self.before.iter().chain([self.span]);
        let calls = spans.flat_map(|span| span.calls.iter().map(|made| made.call));
        Words::of_results(calls).has(word)
    }

    /// Whether the action needs a tool: writing a text does not.
    fn is_of_the_world(&self, claim: &Claim, verb: Verb) -> bool {
        let has = |list: &[&str]| {
            let mut words = self.sentence(claim).words.iter();
            words.any(|word| is_in(list, &word.text))
        };
        let is_of_text = is_in(TEXT_VERBS, verb.base);
        match (is_of_text, self.has_tools) {
            (false, _) => true,
            (true, true) => !has(TEXT_NOUNS) || has(WORLD_NOUNS),
            (true, false) => has(WORLD_NOUNS),
        }
    }

    /// Whether a call of an earlier request may be what the claim reports.
    fn is_earlier(&self, claim: &Claim, verb: Verb) -> bool {
        let mut calls = self
            .before
            .iter()
            .flat_map(|span| span.calls.iter().map(move |made| (span, made)));
        calls.any(|(span, made)| {
            made.may_act() && worked(span, made) && self.may_report(claim, verb, made)
        })
    }

    fn may_report(&self, claim: &Claim, verb: Verb, made: &Made<'_, '_>) -> bool {
        if made.tool.purpose == Purpose::Unknown {
            return true;
        }
        made.tool.fit(verb) > 0
    }

    /// Whether "Done!" answers a request that no call was made for.
    fn is_request_done(&self, claim: &Claim) -> bool {
        let _ = claim;
        self.has_tools && self.span.calls.is_empty() && !self.is_farewell()
    }

    /// Whether the user only thanks or says good-bye.
    fn is_farewell(&self) -> bool {
        const FAREWELLS: [&str; 8] = [
            "thank",
            "bye",
            "nothing",
            "no,",
            "that's all",
            "that is all",
            "perfect",
            "great",
        ];
        let asked = self.trajectory.turns[self.span.start]
            .content
            .to_lowercase();
        FAREWELLS.iter().any(|word| asked.contains(word))
    }
}

/// Whether a call worked, as far as its result and the reply to it say.
fn worked(span: &Span<'_, '_>, made: &Made<'_, '_>) -> bool {
    let admits = |reply: &Reply<'_, '_>| reply.reading.any(|what| matches!(what, What::Failed(_)));
    match made.came {
        Came::Error(_) => false,
        Came::Nothing => !span.reply.as_ref().is_some_and(admits),
        Came::Something | Came::Unknown => true,
    }
}

/// Whether nothing follows the verb that places the action elsewhere: a date, a place, somebody.
fn is_last_word(sentence: &Sentence<'_>, claim: &Claim) -> bool {
    let next = sentence.words.get(claim.at + 1);
    next.is_none_or(|next| next.starts_clause || matches!(next.text.as_str(), "and" | "as" | "for"))
}
