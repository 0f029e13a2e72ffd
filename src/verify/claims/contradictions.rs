//! Finds replies that contradict the result of a call.

use std::cell::RefCell;

use super::calls::{Came, Purpose, singular};
use super::evidence::{Growing, Words, identifiers};
use super::reading::{Claim, Reading, Voice, What};
use super::sentences::{Mood, Sentence};
use super::spans::{Made, Reply, Span};
use super::words::{Deed, TROUBLE, Verb, is_in, object, past};
use toolgauge_model::{Json, Trajectory};

/// The most calls of a request, counted from the last, that are compared with its reply.
const MOST_CALLS: usize = 100;

/// A sentence of a reply that a call contradicts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The sentence.
    pub quote: String,
    /// The number of the reply's turn.
    pub turn_id: i64,
    /// What the call really came to.
    pub fact: Fact,
}

/// What a call really came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// It failed with this message.
    Failed(String),
    /// It succeeded.
    Succeeded,
    /// It found nothing.
    FoundNothing,
    /// It found something.
    FoundSomething,
}

/// Returns the contradiction of each call of `trajectory`, if any, in the order of the calls. `spans` are
/// those of the trajectory.
pub fn contradictions(
    trajectory: &Trajectory<'_>,
    spans: &[Span<'_, '_>],
) -> Vec<Option<Contradiction>> {
    let said = RefCell::default();
    let said = &said;
    let found = spans.iter().flat_map(|span| {
        let first = span.calls.len().saturating_sub(MOST_CALLS);
        let reply = span
            .reply
            .as_ref()
            .filter(|reply| !reply.reading.claims.is_empty());
        (0..span.calls.len()).map(move |at| {
            let case = Case {
                trajectory,
                span,
                reply: reply?,
                at,
                said,
            };
            (at >= first).then(|| case.contradiction()).flatten()
        })
    });
    found.collect()
}

/// A call with the reply that may contradict it.
struct Case<'s, 't, 'a> {
    trajectory: &'s Trajectory<'a>,
    span: &'s Span<'t, 'a>,
    reply: &'s Reply<'t, 'a>,
    at: usize,
    said: &'s RefCell<Growing>,
}

impl<'t, 'a> Case<'_, 't, 'a> {
    fn contradiction(&self) -> Option<Contradiction> {
        let made = self.made();
        if made.turn > self.reply.at {
            return None;
        }
        let (claim, fact) = match (made.tool.purpose, &made.came) {
            (Purpose::Reads, Came::Error(said)) => {
                (self.claimed_found()?, Fact::Failed(said.clone()))
            }
            (Purpose::Reads, Came::Nothing) => (self.claimed_found()?, Fact::FoundNothing),
            (Purpose::Reads, Came::Something) => match self.claimed_missing() {
                Some(claim) => (claim, Fact::FoundSomething),
                None => (self.claimed_failed_lookup()?, Fact::Succeeded),
            },
            (Purpose::Acts | Purpose::Obtains | Purpose::Unknown, Came::Error(said)) => {
                (self.claimed_success(said)?, Fact::Failed(said.clone()))
            }
            (Purpose::Acts | Purpose::Obtains, Came::Something) => {
                (self.claimed_failure()?, Fact::Succeeded)
            }
            (Purpose::Unknown, Came::Something) => (self.claimed_missing()?, Fact::FoundSomething),
            (Purpose::Runs, _) | (_, Came::Nothing | Came::Unknown) => {
                return None;
            }
        };
        Some(Contradiction {
            quote: self.sentence(claim).text.to_owned(),
            turn_id: self.reply.turn.turn_id,
            fact,
        })
    }

    fn made(&self) -> &Made<'t, 'a> {
        &self.span.calls[self.at]
    }

    fn others(&self) -> impl Iterator<Item = (usize, &Made<'t, 'a>)> {
        let first = self.span.calls.len().saturating_sub(MOST_CALLS);
        let calls = self.span.calls.iter().enumerate().skip(first);
        calls.filter(|(at, _)| *at != self.at)
    }

    fn reading(&self) -> &Reading<'t> {
        &self.reply.reading
    }

    fn sentence(&self, claim: &Claim) -> &Sentence<'t> {
        &self.reply.reading.sentences[claim.sentence]
    }

    fn is_about(&self, made: &Made<'_, '_>, claim: &Claim) -> bool {
        let words = self.sentence(claim).words.iter();
        made.tool.is_about(words.map(|word| word.text.as_str()))
    }

    /// Returns the claim that this call, which failed, succeeded.
    fn claimed_success(&self, said: &str) -> Option<&Claim> {
        if owns_up(self.reading()) || self.is_retried() {
            return None;
        }
        let said = said.to_lowercase();
        self.reading().claims.iter().find(|claim| match claim.what {
            What::AllDone => self.is_only(),
            What::Done(verb, _) if verb.deed == Deed::Confirm => self.is_only(),
            What::Done(verb, Voice::Outcome) => {
                self.is_meant(claim, verb) && !said.contains("already")
            }
            What::Done(verb, _) => {
                self.is_meant(claim, verb)
                    && !said.contains(&self.sentence(claim).words[claim.at].text)
            }
            _ => false,
        })
    }

    /// Returns the other calls that a claim of success may be about.
    fn others_that_worked(&self) -> impl Iterator<Item = &Made<'t, 'a>> {
        let worked = |made: &Made<'_, '_>| {
            made.may_act() && !matches!(made.came, Came::Error(_) | Came::Unknown)
        };
        let others = self.others().map(|(_, made)| made);
        others.filter(move |made| worked(made))
    }

    /// Returns whether this call is known to act and no other call that can act succeeded.
    fn is_only(&self) -> bool {
        self.others_that_worked().next().is_none()
    }

    /// Returns whether a claim fits this call better than those that succeeded.
    fn is_meant(&self, claim: &Claim, verb: Verb) -> bool {
        let rate = |made: &Made<'_, '_>| made.tool.fit(verb) + u8::from(self.is_about(made, claim));
        let own = rate(self.made());
        let best = self
            .others_that_worked()
            .map(|made| (rate(made), made.call.name))
            .max();
        own > 0
            && best.is_none_or(|(best, name)| {
                let is_same_tool = name == self.made().call.name;
                let is_named = self.names_arguments() || is_same_tool && self.claims_all();
                own > best || own == best && is_named
            })
    }

    /// Returns whether a later call of the tool succeeded, or an earlier one that the reply may be about.
    fn is_retried(&self) -> bool {
        let name = self.made().call.name;
        let names_it = self.names_arguments();
        self.others().any(|(at, made)| {
            let worked = !matches!(made.came, Came::Error(_) | Came::Unknown);
            made.call.name == name
                && (at < self.at && worked && !names_it
                    || at > self.at
                        && !matches!(made.came, Came::Error(_))
                        && !(self.is_of_another(made) && self.claims_all()))
        })
    }

    /// Returns whether a call does the same for another thing: only identifiers differ, and not the way of
    /// paying.
    fn is_of_another(&self, made: &Made<'_, '_>) -> bool {
        let own = self
            .made()
            .call
            .made_arguments()
            .members()
            .unwrap_or_default();
        let other = made.call.made_arguments();
        let mut differing = own
            .iter()
            .take(20)
            .filter(|(key, value)| other.get(key).and_then(Json::as_str) != value.as_str());
        let is_id = |key: &str| {
            let key = key.to_lowercase();
            key.ends_with("id")
                && !["payment", "card", "method", "session", "token", "user"]
                    .iter()
                    .any(|part| key.contains(part))
        };
        let first = differing.next();
        first.is_some_and(|(key, _)| is_id(key)) && differing.all(|(key, _)| is_id(key))
    }

    /// Returns whether the reply claims all things, or both.
    fn claims_all(&self) -> bool {
        let mut words = self
            .reading()
            .sentences
            .iter()
            .flat_map(|sentence| &sentence.words);
        words.any(|word| matches!(word.text.as_str(), "all" | "both" | "each" | "every"))
    }

    /// Returns whether the reply names an identifier that only this call of the span has as an argument.
    fn names_arguments(&self) -> bool {
        let reply = self.reply.turn.content;
        let own = identifiers(self.made().call.made_arguments());
        own.into_iter().take(8).any(|id| {
            reply.contains(id)
                && !self.others().take(20).any(|(_, other)| {
                    identifiers(other.call.made_arguments()).contains(&id)
                        && other.call.name == self.made().call.name
                })
        })
    }

    /// Returns the claim that this call, which succeeded, failed.
    fn claimed_failure(&self) -> Option<&Claim> {
        let is_last = !self
            .others()
            .any(|(at, made)| at > self.at && made.may_act());
        let all_worked = self.others().all(|(_, made)| made.came == Came::Something);
        if !is_last || !all_worked || self.reading().any(claims_success) || self.reports_trouble() {
            return None;
        }
        let made = self.made();
        self.reading().claims.iter().find(|claim| match claim.what {
            What::Failed(Some(verb)) => made.tool.fit(verb) > 0 || self.is_about(made, claim),
            What::Failed(None) => self.is_about(made, claim) || self.reading().sentences.len() <= 3,
            _ => false,
        })
    }

    /// Returns whether the result itself contains words of trouble.
    fn reports_trouble(&self) -> bool {
        let words = Words::of_result(self.made().call);
        TROUBLE.iter().any(|word| words.has(word))
            || ["not", "cannot"].iter().any(|word| words.has(word))
            || self.denies()
            || self.did_otherwise()
    }

    /// Returns whether the result denies the action: `{"booked": false}`.
    fn denies(&self) -> bool {
        let members = self
            .made()
            .call
            .result
            .and_then(Json::members)
            .unwrap_or_default();
        members.iter().any(|(key, value)| {
            matches!(value, Json::Bool(false))
                && (past(&key.to_lowercase()).is_some()
                    || matches!(*key, "success" | "ok" | "isSuccess" | "is_success"))
        })
    }

    /// Returns whether the result has another value for an argument: the tool then offers something else.
    fn did_otherwise(&self) -> bool {
        let result = self.made().call.result.unwrap_or_default();
        let result = result
            .items()
            .and_then(|items| items.first().copied())
            .unwrap_or(result);
        let arguments = self
            .made()
            .call
            .made_arguments()
            .members()
            .unwrap_or_default();
        arguments
            .iter()
            .take(20)
            .any(|(key, value)| match (value, result.get(key)) {
                (Json::String(asked), Some(Json::String(given))) => {
                    !asked.eq_ignore_ascii_case(given)
                }
                _ => false,
            })
    }

    /// Returns the claim that this call, which found nothing, found something.
    fn claimed_found(&self) -> Option<&Claim> {
        let admits = |what| {
            matches!(
                what,
                What::NotFound | What::Failed(_) | What::LookupFailed | What::Trouble | What::Open
            )
        };
        let is_last = !self
            .others()
            .any(|(at, made)| at > self.at && made.came == Came::Something);
        if !is_last || self.reading().any(admits) {
            return None;
        }
        let has_data = self.others().any(|(_, made)| made.came == Came::Something);
        let found = self
            .reading()
            .claims
            .iter()
            .find(|claim| claim.what == What::Found);
        if let Some(claim) = found.filter(|claim| !has_data && !self.sentence(claim).is_item) {
            return Some(claim);
        }
        if has_data {
            return None;
        }
        let mut said = self.said.borrow_mut();
        let words = said.all(self.trajectory, self.reply.at);
        let is_new = |claim: &&Claim| {
            let is_list = self.sentence(claim).mood == Mood::LeadIn;
            if is_list && !self.is_about(self.made(), claim) {
                return false;
            }
            let mut presented = self.presented(claim).iter();
            matches!(claim.what, What::Found | What::Presented)
                && (presented.any(|sentence| names_new(sentence, words)) || self.has_one(claim))
        };
        self.reading().claims.iter().find(is_new)
    }

    /// Returns the sentences that belong to a claim: its own, and the list that it introduces.
    fn presented(&self, claim: &Claim) -> &[Sentence<'t>] {
        let sentences = &self.reading().sentences;
        let end = match sentences[claim.sentence].mood {
            Mood::LeadIn => sentences.len(),
            Mood::Statement | Mood::Question => claim.sentence + 1,
        };
        &sentences[claim.sentence..end]
    }

    /// Returns whether the claim says that the user has one of what the call looked for: "You have a
    /// reminder".
    fn has_one(&self, claim: &Claim) -> bool {
        let words = &self.sentence(claim).words;
        let starts = words
            .iter()
            .take(3)
            .map(|word| word.text.as_str())
            .collect::<Vec<_>>();
        matches!(
            starts[..],
            ["you", "have", "a" | "an" | "one" | "two" | "three"]
        ) && self.is_about(self.made(), claim)
    }

    /// Returns the claim that this call, which found something, found nothing.
    fn claimed_missing(&self) -> Option<&Claim> {
        let reads = |made: &Made<'_, '_>| made.came == Came::Something && made.reads();
        let is_last = self.at + 1 == self.span.calls.len();
        if !is_last || !self.others().all(|(_, made)| reads(made)) {
            return None;
        }
        let presents = |what| matches!(what, What::Found | What::Presented | What::Done(..));
        let statements = self.reading().sentences.len();
        if self.reading().any(presents) || statements > 3 {
            return None;
        }
        self.reading().claims.iter().find(|claim| match claim.what {
            What::NotFound => {
                !is_narrowed(self.sentence(claim)) && !self.names_result_outside(claim.sentence)
            }
            _ => false,
        })
    }

    /// Returns the claim that this call, a look-up that succeeded, failed.
    fn claimed_failed_lookup(&self) -> Option<&Claim> {
        let is_only = self.span.calls.len() == 1;
        let all_worked = self.others().all(|(_, made)| made.came == Came::Something);
        let words = Words::of_result(self.made().call);
        let reports_trouble = TROUBLE.iter().any(|word| words.has(word));
        if !all_worked
            || self.reading().any(claims_success)
            || self.reading().sentences.len() > 4
            || self.names_new_of_result(&words)
            || reports_trouble
            || self.denies()
            || self.did_otherwise()
        {
            return None;
        }
        self.reading().claims.iter().find(|claim| {
            let is_about = |made: &Made<'_, '_>| self.is_about(made, claim);
            claim.what == What::LookupFailed
                && !is_partial(self.sentence(claim))
                && match is_only {
                    true => is_about(self.made()) || self.names_no_other(claim),
                    false => {
                        is_about(self.made()) && !self.others().any(|(_, made)| is_about(made))
                    }
                }
        })
    }

    /// Returns whether the reply has a word with a digit from the result that is not an argument of the call.
    fn names_new_of_result(&self, result: &Words) -> bool {
        let asked = Words::of_arguments(self.made().call);
        let sentences = self.reading().sentences.iter();
        let words = sentences.flat_map(|sentence| &sentence.words);
        words
            .flat_map(|word| word.text.split(|c: char| !c.is_alphanumeric()))
            .filter(|part| part.contains(|c: char| c.is_ascii_digit()))
            .any(|part| result.has(part) && !asked.has(part))
    }

    /// Returns whether a claim names nothing that another tool is for.
    fn names_no_other(&self, claim: &Claim) -> bool {
        let words = self.sentence(claim).words.iter();
        let mut objects = words.filter_map(|word| object(singular(&word.text)));
        self.reading().sentences.len() <= 3 && objects.next().is_none()
    }

    /// Returns whether another sentence of the reply has a word with a digit from the result.
    fn names_result_outside(&self, sentence: usize) -> bool {
        let words = Words::of_result(self.made().call);
        let mut said = self
            .reading()
            .sentences
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != sentence)
            .flat_map(|(_, sentence)| &sentence.words);
        said.any(|word| word.text.contains(|c: char| c.is_ascii_digit()) && words.has(&word.text))
    }
}

/// Returns whether a claim says that something succeeded.
fn claims_success(what: What) -> bool {
    match what {
        What::Done(_, voice) => !matches!(voice, Voice::Elided),
        What::AllDone | What::Found | What::Presented => true,
        What::Failed(_) | What::LookupFailed | What::Open | What::NotFound | What::Trouble => false,
    }
}

/// Returns whether a reply admits a failure.
fn owns_up(reading: &Reading<'_>) -> bool {
    reading.any(|what| {
        matches!(
            what,
            What::Failed(_) | What::LookupFailed | What::NotFound | What::Trouble
        )
    })
}

/// Returns whether a sentence has a number or a name that appears nowhere before.
fn names_new(sentence: &Sentence<'_>, known: &Words) -> bool {
    let parts = sentence
        .text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|part| !part.is_empty());
    parts.enumerate().any(|(at, part)| {
        let is_number = part.starts_with(|c: char| c.is_ascii_digit());
        let is_name = at > 0 && part.len() > 2 && part.starts_with(char::is_uppercase);
        let lower = part.to_lowercase();
        (is_number || is_name) && !known.has(&lower) && !known.has(singular(&lower))
    })
}

/// Returns whether a sentence says that only a part of the look-ups failed.
fn is_partial(sentence: &Sentence<'_>) -> bool {
    const PARTS: &[&str] = &[
        "additional",
        "alternative",
        "another",
        "different",
        "else",
        "except",
        "further",
        "more",
        "new",
        "other",
        "others",
        "second",
        "some",
        "third",
    ];
    sentence.words.iter().any(|word| is_in(PARTS, &word.text))
}

/// Returns whether a sentence says that only some kind of thing was not found: "no cheaper flights", "none
/// under 100 dollars". The call may have found others.
fn is_narrowed(sentence: &Sentence<'_>) -> bool {
    const NARROWING: &[&str] = &[
        "above",
        "additional",
        "after",
        "alternative",
        "alternatives",
        "another",
        "before",
        "below",
        "between",
        "both",
        "cheaper",
        "different",
        "during",
        "earlier",
        "else",
        "except",
        "exactly",
        "further",
        "later",
        "less",
        "more",
        "new",
        "nonstop",
        "other",
        "others",
        "over",
        "than",
        "under",
        "which",
        "with",
        "within",
        "without",
    ];
    let words = &sentence.words;
    let is_specific = |at: usize| {
        let next = words.get(at + 1).map_or("", |word| word.text.as_str());
        matches!(
            words[at].text.as_str(),
            "for" | "in" | "on" | "at" | "from" | "to" | "as"
        ) && !matches!(
            next,
            "what"
                | "you"
                | "your"
                | "this"
                | "that"
                | "it"
                | "find"
                | "locate"
                | "retrieve"
                | "get"
                | "see"
                | "identify"
        )
    };
    (0..words.len()).any(|at| is_in(NARROWING, &words[at].text) || is_specific(at))
        || words
            .iter()
            .any(|word| past(&word.text).is_some_and(|verb| verb.base != "return"))
}
