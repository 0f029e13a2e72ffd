//! Finds actions that a reply claims although no call performed them.

use std::cell::RefCell;

use super::calls::{Came, Purpose, singular};
use super::evidence::{Growing, Words};
use super::reading::{Claim, Voice, What};
use super::sentences::Sentence;
use super::spans::{Made, Reply, Span};
use super::words::{
    Deed, OPENERS, STATES, SUBJECTS, TEXT_NOUNS, TEXT_VERBS, Verb, WEAK, WORLD_NOUNS, is_in,
    object, past,
};
use toolgauge_model::{Role, Trajectory};
use toolgauge_schema::ToolSet;

/// Words that make a sentence about the user's own matters.
const OF_USERS: &[&str] = &[
    "dein",
    "deine",
    "din",
    "dine",
    "ditt",
    "erfolgreich",
    "ihr",
    "ihre",
    "ihren",
    "successfully",
    "su",
    "sus",
    "ta",
    "ton",
    "tu",
    "tus",
    "vos",
    "votre",
    "you",
    "your",
];

/// What an agent opens for somebody, rather than opens to read it.
const OPENED: &[&str] = &["account", "case", "claim", "dispute", "request", "ticket"];

/// The most claims of a reply that are compared with the calls.
const MOST_CLAIMS: usize = 30;

/// The most calls that a claim is compared with; nobody reads what more calls did.
const MOST_CALLS: usize = 100;

/// A claim of an action that no call performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedAction {
    /// The number of the reply's turn.
    pub turn_id: i64,
    /// The sentence that claims it.
    pub quote: String,
}

/// Returns the claims of completed actions that no call performed, at most one for each reply of
/// `trajectory`. A reply may also report a call of an earlier request. `spans` are those of the trajectory.
pub fn claimed_actions(
    trajectory: &Trajectory<'_>,
    spans: &[Span<'_, '_>],
    tools: &ToolSet,
) -> Vec<ClaimedAction> {
    let has_tools = tools.is_given()
        || trajectory.tools.is_some()
        || spans.iter().any(|span| !span.calls.is_empty());
    let read = RefCell::default();
    let found = (0..spans.len()).filter_map(|at| {
        let (before, rest) = spans.split_at(at);
        let span = &rest[0];
        let reply = span.reply.as_ref()?;
        let is_asked = trajectory.turns[span.start].role == Role::User;
        if !is_asked || reply.reading.claims.is_empty() {
            return None;
        }
        let case = Case {
            trajectory,
            before,
            span,
            reply,
            has_tools,
            read: &read,
        };
        let claim = case.unfounded()?;
        Some(ClaimedAction {
            turn_id: reply.turn.turn_id,
            quote: case.sentence(claim).text.to_owned(),
        })
    });
    found.collect()
}

/// The reply of a span in which no call acts.
struct Case<'s, 't, 'a> {
    trajectory: &'s Trajectory<'a>,
    before: &'s [Span<'t, 'a>],
    span: &'s Span<'t, 'a>,
    reply: &'s Reply<'t, 'a>,
    has_tools: bool,
    read: &'s RefCell<Growing>,
}

impl<'t> Case<'_, 't, '_> {
    fn sentence(&self, claim: &Claim) -> &Sentence<'t> {
        &self.reply.reading.sentences[claim.sentence]
    }

    /// Returns the first claim that nothing supports.
    fn unfounded(&self) -> Option<&Claim> {
        let claims = &self.reply.reading.claims;
        if self.span.calls.iter().any(Made::may_act) {
            let acting = self.span.calls.len() <= MOST_CALLS;
            return claims
                .iter()
                .take(MOST_CLAIMS)
                .filter(|_| acting)
                .find(|claim| self.is_of_another_kind(claim));
        }
        let is_open = claims
            .iter()
            .any(|claim| matches!(claim.what, What::Open | What::Failed(_)));
        let is_done = claims.iter().any(|claim| claim.what == What::AllDone);
        claims
            .iter()
            .take(MOST_CLAIMS)
            .find(|claim| match claim.what {
                What::Done(verb, voice) => {
                    self.is_clear(claim, verb, voice, is_done && !is_open)
                        && self.is_of_the_world(claim, verb)
                        && !self.is_earlier(claim, verb)
                }
                What::AllDone => claim.sentence == 0 && !is_open && self.is_request_done(claim),
                _ => false,
            })
    }

    /// Returns whether every call of the request does something far from the claim: the call cancels, the
    /// claim says "sent". Kinds of actions that are side effects of others do not count.
    fn is_of_another_kind(&self, claim: &Claim) -> bool {
        let What::Done(verb, Voice::Agent | Voice::Perfect) = claim.what else {
            return false;
        };
        let is_kind = matches!(verb.deed, Deed::Book | Deed::Cancel | Deed::Delete)
            && !is_in(TEXT_VERBS, verb.base);
        let participle = &self.sentence(claim).words[claim.at].text;
        let is_supported = |made: &Made<'_, '_>| {
            let names_it = || {
                let known = Words::of_call(made.call);
                known.has(participle) || known.has(verb.base)
            };
            matches!(made.tool.purpose, Purpose::Runs | Purpose::Unknown)
                || made.may_act() && made.tool.fit(verb) > 0
                || names_it()
        };
        is_kind
            && !is_in(WEAK, verb.base)
            && !self.span.calls.iter().any(is_supported)
            && !self.is_earlier(claim, verb)
    }

    /// Returns whether a claim can only mean that the agent has just done it.
    fn is_clear(&self, claim: &Claim, verb: Verb, voice: Voice, is_done: bool) -> bool {
        let reads = !self.span.calls.is_empty();
        let sentence = self.sentence(claim);
        let successfully = sentence
            .words
            .iter()
            .any(|word| word.text == "successfully");
        let was_read = || self.was_read(claim);
        !is_in(WEAK, verb.base)
            && (voice == Voice::Agent || !self.asks_to_confirm())
            && match voice {
                Voice::Agent => verb.deed != Deed::Confirm,
                Voice::Perfect => {
                    self.is_of_the_user(claim) && (!reads || successfully || !was_read())
                }
                Voice::Past => {
                    self.is_of_the_user(claim)
                        && (successfully || is_last_word(sentence, claim) && !reads)
                        && !was_read()
                }
                Voice::State => {
                    is_end_state(sentence, claim)
                        && has_subject(sentence, claim)
                        && (self.is_of_the_user(claim) || verb.base == "play")
                        && !sentence.is_item
                        && (successfully || is_last_word(sentence, claim) && !reads)
                        && !was_read()
                        && (successfully || !self.restates(sentence))
                }
                Voice::Noun => (!reads || successfully) && !was_read(),
                Voice::Outcome => {
                    !reads
                        && verb.deed != Deed::Confirm
                        && self.is_of_the_user(claim)
                        && is_last_word(sentence, claim)
                        && !self.reports_success(verb)
                        && !self.is_outcome_asked()
                }
                Voice::Elided => is_done && !reads,
            }
    }

    /// Returns whether a passive is about the user's matters rather than the world: about something of the
    /// user's, or a thing that tools handle.
    fn is_of_the_user(&self, claim: &Claim) -> bool {
        const POINTERS: &[&str] = &["everything", "it", "that"];
        let words = &self.sentence(claim).words;
        let is_users = |word: &str| is_in(OF_USERS, word);
        let is_thing = |word: &str| {
            is_in(POINTERS, word) || is_in(WORLD_NOUNS, word) || object(singular(word)).is_some()
        };
        words.iter().any(|word| is_users(&word.text))
            || words[..claim.at].iter().any(|word| is_thing(&word.text))
    }

    /// Returns whether the reply asks the user to confirm what it describes: then it describes a plan.
    fn asks_to_confirm(&self) -> bool {
        let starts = |sentence: &Sentence<'_>| {
            let mut words = sentence.words.iter().map(|word| word.text.as_str());
            matches!(words.next(), Some("please" | "kindly"))
                && matches!(
                    words.next(),
                    Some("check" | "confirm" | "ensure" | "verify")
                )
        };
        self.reply.reading.sentences.iter().any(starts)
    }

    /// Returns whether a sentence has numbers and earlier results contain all of them: then it repeats the
    /// results.
    fn restates(&self, sentence: &Sentence<'_>) -> bool {
        let numbers = numbers(sentence);
        let mut read = self.read.borrow_mut();
        let known = read.results(self.trajectory, self.reply.at + 1);
        !numbers.is_empty() && numbers.iter().all(|number| known.has_number(*number))
    }

    /// Returns whether a result contains the participle of the claim: then the reply may report the result.
    fn was_read(&self, claim: &Claim) -> bool {
        let word = &self.sentence(claim).words[claim.at].text;
        let mut read = self.read.borrow_mut();
        read.results(self.trajectory, self.reply.at + 1).has(word)
    }

    /// Returns whether a result that was read reports a success of this action.
    fn reports_success(&self, verb: Verb) -> bool {
        const SUCCESSES: &[&str] = &[
            "active",
            "approved",
            "complete",
            "completed",
            "confirmed",
            "done",
            "finished",
            "paid",
            "processed",
            "settled",
            "succeeded",
            "success",
            "successful",
            "successfully",
            "through",
        ];
        let mut read = self.read.borrow_mut();
        let known = read.results(self.trajectory, self.reply.at + 1);
        known.has(verb.base) || SUCCESSES.iter().any(|word| known.has(word))
    }

    /// Returns whether the user asks what came of an action, rather than for the action.
    fn is_outcome_asked(&self) -> bool {
        const ASKING: &[&str] = &[
            "charged",
            "did",
            "gone",
            "has",
            "have",
            "status",
            "succeed",
            "successful",
            "through",
            "was",
            "went",
            "whether",
            "worked",
        ];
        let asked = self.trajectory.turns[self.span.start]
            .content
            .to_lowercase();
        let mut words = asked.split(|c: char| !c.is_alphanumeric());
        words.any(|word| is_in(ASKING, word))
    }

    /// Returns whether the action needs a tool: writing a text does not.
    fn is_of_the_world(&self, claim: &Claim, verb: Verb) -> bool {
        let has = |list: &[&str]| {
            let mut words = self.sentence(claim).words.iter();
            words.any(|word| is_in(list, &word.text))
        };
        if verb.base == "open" && !has(OPENED) {
            return false;
        }
        let is_of_text = is_in(TEXT_VERBS, verb.base);
        match (is_of_text, self.has_tools) {
            (false, _) => true,
            (true, true) => has(WORLD_NOUNS) || !has(TEXT_NOUNS) && self.is_plain(claim),
            (true, false) => has(WORLD_NOUNS),
        }
    }

    /// Returns whether the claim explicitly says that the action succeeded.
    fn is_plain(&self, claim: &Claim) -> bool {
        let mut words = self.sentence(claim).words.iter();
        words.any(|word| word.text == "successfully")
            || matches!(
                claim.what,
                What::Done(
                    _,
                    Voice::Elided | Voice::Perfect | Voice::Noun | Voice::State
                )
            )
    }

    /// Returns whether the claim may report a call of an earlier request.
    fn is_earlier(&self, claim: &Claim, verb: Verb) -> bool {
        let spans = self.before.iter().rev();
        let calls = spans.flat_map(|span| span.calls.iter().map(move |made| (span, made)));
        let mut acting = calls.filter(|(_, made)| made.may_act());
        let mut last = acting.by_ref().take(MOST_CALLS);
        last.any(|(span, made)| worked(span, made) && self.may_report(claim, verb, made))
            || acting.next().is_some()
    }

    /// Returns whether the claim may be about this call.
    fn may_report(&self, claim: &Claim, verb: Verb, made: &Made<'_, '_>) -> bool {
        if matches!(made.tool.purpose, Purpose::Runs | Purpose::Unknown) {
            return true;
        }
        let sentence = self.sentence(claim);
        let words = sentence.words.iter();
        let about: Vec<_> = words
            .filter_map(|word| object(singular(&word.text)))
            .collect();
        let mut own = made.tool.objects().peekable();
        let is_of_another =
            !about.is_empty() && own.peek().is_some() && !own.any(|own| about.contains(&own));
        made.tool.fit(verb) > 0 && !is_of_another && !has_other_numbers(sentence, made)
    }

    /// Returns whether "Done!" answers a request that no call was made for.
    fn is_request_done(&self, claim: &Claim) -> bool {
        let mut words = self.sentence(claim).words.iter();
        words.any(|word| word.text == "done")
            && self.has_tools
            && self.span.calls.is_empty()
            && !self.is_farewell()
    }

    /// Returns whether the user only thanks or says good-bye.
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

/// Returns whether a sentence has numbers of which the call has none.
fn has_other_numbers(sentence: &Sentence<'_>, made: &Made<'_, '_>) -> bool {
    let numbers = numbers(sentence);
    if numbers.is_empty() {
        return false;
    }
    let known = Words::of_call(made.call);
    !numbers.iter().any(|number| known.has_number(*number))
}

/// Returns whether a call worked, judging by its result and the reply to it.
fn worked(span: &Span<'_, '_>, made: &Made<'_, '_>) -> bool {
    let admits = |reply: &Reply<'_, '_>| reply.reading.any(|what| matches!(what, What::Failed(_)));
    let is_admitted = span.reply.as_ref().is_some_and(admits);
    let is_last = span
        .calls
        .last()
        .is_some_and(|last| std::ptr::eq(last, made));
    match made.came {
        Came::Error(_) => false,
        Came::Nothing => !is_admitted,
        Came::Something | Came::Unknown => !(is_admitted && is_last),
    }
}

/// Returns whether the clause of a claim begins with a subject that is one certain thing.
fn has_subject(sentence: &Sentence<'_>, claim: &Claim) -> bool {
    let words = &sentence.words;
    let start = (0..=claim.at).rev().find(|at| words[*at].starts_clause);
    let mut subject = words[start.unwrap_or(0)..=claim.at].iter();
    let first = subject.find(|word| !is_in(OPENERS, &word.text));
    first.is_some_and(|word| is_in(SUBJECTS, &word.text))
}

/// Returns whether a verb in the present tense reports a completed action: "is booked".
fn is_end_state(sentence: &Sentence<'_>, claim: &Claim) -> bool {
    let word = sentence
        .words
        .get(claim.at)
        .map_or("", |word| word.text.as_str());
    matches!(word, "complete" | "done" | "playing" | "way")
        || past(word).is_some_and(|verb| is_in(STATES, verb.base))
}

/// Returns whether nothing after the verb places the action elsewhere: no date, place or person.
fn is_last_word(sentence: &Sentence<'_>, claim: &Claim) -> bool {
    let next = sentence.words.get(claim.at + 1);
    let is_for_you = next.is_some_and(|next| next.text == "for")
        && sentence
            .words
            .get(claim.at + 2)
            .is_some_and(|word| word.text == "you");
    let is_followed =
        |word: &str| matches!(word, "and" | "as" | "exactly" | "now" | "under" | "via");
    is_for_you || next.is_none_or(|next| next.starts_clause || is_followed(&next.text))
}

/// Returns the numbers of a sentence, with afternoon hours on the 24-hour clock.
fn numbers(sentence: &Sentence<'_>) -> Vec<u64> {
    let words = sentence.words.iter().map(|word| word.text.as_str());
    let parts: Vec<_> = words
        .flat_map(|word| word.split(|c: char| !c.is_alphanumeric()))
        .collect();
    let mut found = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let digits = part.trim_end_matches(|c: char| c.is_alphabetic());
        let Ok(number) = digits.parse::<u64>() else {
            continue;
        };
        let is_afternoon = part.ends_with("pm")
            || parts
                .iter()
                .skip(at + 1)
                .take(2)
                .any(|next| next.starts_with('p'));
        found.push(if is_afternoon && number < 12 && !is_minute(&parts, at) {
            number + 12
        } else {
            number
        });
    }
    found
}

/// Returns whether the part at `at` is the minutes of a time.
fn is_minute(parts: &[&str], at: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| parts.get(before));
    parts[at].len() == 2
        && before.is_some_and(|before| before.parse::<u64>().is_ok_and(|hour| hour < 13))
}
