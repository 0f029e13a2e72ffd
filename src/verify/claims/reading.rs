//! Reads what a reply claims about actions and searches.

use super::calls::singular;
use super::languages;
use super::lookups::failed_lookup;
use super::sentences::{Mood, QUOTED, Sentence, Word, sentences};
use super::successes::succeeded;
use super::words::{
    ADVERBS, CHECKS, CONDITIONS, Deed, EARLIER, FUTURES, LIGHT, NEGATIONS, OPENERS, QUESTIONING,
    READ_VERBS, REPORTING, TROUBLE, Verb, is_in, noun_verb, object, past, verb,
};

/// A reply that was read.
#[derive(Debug, Default)]
pub struct Reading<'t> {
    /// Its sentences.
    pub sentences: Vec<Sentence<'t>>,
    /// What they claim, in order.
    pub claims: Vec<Claim>,
}

/// One claim of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Claim {
    /// The position of its sentence.
    pub sentence: usize,
    /// The position of its verb, or of its first word, in the sentence.
    pub at: usize,
    /// The content of the claim.
    pub what: What,
}

/// The content of a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// An action is done.
    Done(Verb, Voice),
    /// Something is done, but the sentence does not name the action: "Done!", "All set."
    AllDone,
    /// An action was tried and not done. `None`: the sentence names no action.
    Failed(Option<Verb>),
    /// A look-up was tried and failed.
    LookupFailed,
    /// An action is not done yet, or the agent can't or won't do it.
    Open,
    /// Something was found.
    Found,
    /// Something exists or is presented: "There are 3 flights", "How about Lark House?"
    Presented,
    /// Nothing was found.
    NotFound,
    /// The reply regrets something or names a problem.
    Trouble,
}

/// How a sentence reports a completed action, from plain to vague.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// "I have cancelled", "I cancelled", "Success: cancelled".
    Agent,
    /// "has been cancelled"
    Perfect,
    /// "was cancelled"
    Past,
    /// "is cancelled"
    State,
    /// "Cancellation complete", "Email sent successfully."
    Noun,
    /// "Your payment went through": the noun of the action with a predicate of success.
    Outcome,
    /// "- Cancelled for health reasons": an item whose subject is left out.
    Elided,
}

impl Reading<'_> {
    /// Returns whether any claim fits.
    pub fn any(&self, fits: impl Fn(What) -> bool) -> bool {
        self.claims.iter().any(|claim| fits(claim.what))
    }
}

/// Reads `reply`.
pub fn read(reply: &str) -> Reading<'_> {
    let sentences = sentences(reply);
    let mut claims = Vec::new();
    let mut plans = false;
    for (place, sentence) in sentences.iter().enumerate() {
        match sentence.mood {
            Mood::LeadIn => {
                plans = is_plan(&sentence.words);
                read_lead_in(sentence, place, &mut claims);
                continue;
            }
            Mood::Statement | Mood::Question if !sentence.is_item => plans = false,
            Mood::Statement | Mood::Question => {}
        }
        if !plans {
            read_sentence(sentence, place, &mut claims);
        }
    }
    Reading { sentences, claims }
}

/// Returns whether these words introduce a list of plans, options or conditions.
fn is_plan(words: &[Word]) -> bool {
    const PLANS: &[&str] = &[
        "can", "confirm", "could", "help", "if", "like", "need", "next", "option", "options",
        "please", "plan", "planned", "propose", "proposed", "provide", "should", "to", "want",
        "will", "would",
    ];
    let is_done = words.iter().any(|word| past(&word.text).is_some());
    !is_done && words.iter().any(|word| is_in(PLANS, &word.text))
}

/// Adds the claims of the line that introduces a list.
fn read_lead_in(sentence: &Sentence<'_>, place: usize, claims: &mut Vec<Claim>) {
    let opened = opening(sentence).filter(|_| !is_conditional(&sentence.words));
    let presented = presents(&sentence.words).then_some(What::Presented);
    let found = opened.into_iter().chain(presented);
    claims.extend(found.map(|what| Claim {
        sentence: place,
        at: 0,
        what,
    }));
    if opened.is_none() && sentence.text.ends_with(':') && !is_plan(&sentence.words) {
        read_sentence(sentence, place, claims);
    }
}

/// Adds the claims of one sentence.
fn read_sentence(sentence: &Sentence<'_>, place: usize, claims: &mut Vec<Claim>) {
    let words = &sentence.words;
    let mut add = |at, what| {
        claims.push(Claim {
            sentence: place,
            at,
            what,
        });
    };
    if sentence.mood == Mood::Question {
        if presents(words) {
            add(0, What::Presented);
        }
        return;
    }
    if is_conditional(words) {
        return;
    }
    if let Some(what) = languages::claim(words) {
        return add(0, what);
    }
    if let Some(what) = opening(sentence).filter(|_| sentence.mood != Mood::LeadIn) {
        add(0, what);
    }
    if let Some((at, what)) = searched(words) {
        add(at, what);
    } else if sentence.mood != Mood::LeadIn && presents(words) {
        add(0, What::Presented);
    }
    if let Some(at) = failed_lookup(words) {
        add(at, What::LookupFailed);
    }
    let failed = failure(words);
    if let Some((at, what)) = failed {
        add(at, what);
    } else if troubles(words) {
        add(0, What::Trouble);
    }
    let states = !is_rule(words);
    let mut last: Option<What> = None;
    for at in 0..words.len() {
        if failed.is_some_and(|(failed, _)| failed == at) {
            continue;
        }
        let what = deed_at(sentence, at, last)
            .or_else(|| Some(What::Done(succeeded(words, at)?, Voice::Outcome)))
            .filter(|_| states);
        if let Some(what) = what {
            add(at, what);
            last = Some(what);
        }
    }
}

/// Returns whether the first word already makes the sentence an instruction, a question or a denial: it then
/// claims nothing.
fn is_rule(words: &[Word]) -> bool {
    const INSTRUCTING: &[&str] = &[
        "ensure",
        "give",
        "keep",
        "let",
        "make",
        "please",
        "provide",
        "re-verify",
        "remember",
        "tell",
        "wait",
    ];
    let first = text(words, 0);
    let is_imperative = verb(first).is_some() && past(first).is_none() && !is_noun(first);
    is_in(INSTRUCTING, first)
        || is_in(QUESTIONING, first)
        || is_in(READ_VERBS, first)
        || is_imperative
        || first == "confirm"
        || is_in(NEGATIONS, first)
}

/// Returns whether the base form of a verb is as often a noun: "order", "update".
pub fn is_noun(word: &str) -> bool {
    const NOUNS: &[&str] = &[
        "block", "build", "commit", "credit", "deposit", "email", "file", "fix", "invite", "issue",
        "log", "mail", "message", "post", "record", "report", "reply", "tag", "text", "track",
    ];
    noun_verb(word).is_some() || NOUNS.contains(&word)
}

/// Returns the word at `at`, or an empty text past the end of the sentence.
pub fn text(words: &[Word], at: usize) -> &str {
    words.get(at).map_or("", |word| word.text.as_str())
}

/// Returns whether the words at `at` are those of `phrase`.
fn says(words: &[Word], at: usize, phrase: &[&str]) -> bool {
    words.get(at..).is_some_and(|rest| {
        let mut pairs = phrase.iter().zip(rest);
        rest.len() >= phrase.len() && pairs.all(|(wanted, word)| word.text == *wanted)
    })
}

/// Returns whether the sentence begins as a condition, an instruction or a request.
fn is_conditional(words: &[Word]) -> bool {
    const FIRST: &[&str] = &[
        "as", "assuming", "before", "if", "kindly", "once", "please", "provided", "should",
        "unless", "until", "upon", "when", "whenever", "whether",
    ];
    is_in(FIRST, text(words, 0)) && !says(words, 0, &["as", "requested"])
}

/// Returns where the clause of the word at `at` begins.
pub fn clause_start(words: &[Word], at: usize) -> usize {
    let from = at.saturating_sub(MOST_CLAUSE);
    let start = (from..=at).rev().find(|place| words[*place].starts_clause);
    start.unwrap_or(from)
}

/// The most words of a clause that are read before a verb.
const MOST_CLAUSE: usize = 40;

/// Returns the generic claim that opens a reply.
fn opening(sentence: &Sentence<'_>) -> Option<What> {
    let words = &sentence.words;
    let is_end = |at: usize| words.get(at).is_none_or(|word| word.starts_clause);
    let phrases: [(&[&str], What); 14] = [
        (&["done"], What::AllDone),
        (&["all", "done"], What::AllDone),
        (&["all", "set"], What::AllDone),
        (&["it", "is", "done"], What::AllDone),
        (&["it", "is", "all", "done"], What::AllDone),
        (&["that", "is", "done"], What::AllDone),
        (&["this", "is", "done"], What::AllDone),
        (&["you", "are", "all", "set"], What::AllDone),
        (&["all", "taken", "care", "of"], What::AllDone),
        (&["success"], What::AllDone),
        (&["action", "completed"], What::AllDone),
        (&["completed", "updates"], What::AllDone),
        (&["completed", "actions"], What::AllDone),
        (&["actions", "completed"], What::AllDone),
    ];
    let openers = (0..words.len().min(3))
        .take_while(|at| *at == 0 || is_in(OPENERS, text(words, at - 1)))
        .collect::<Vec<_>>();
    openers.into_iter().find_map(|from| {
        let matching = phrases.iter().find(|(phrase, _)| {
            says(words, from, phrase) && (is_end(from + phrase.len()) || phrase.len() > 2)
        });
        matching.map(|(_, what)| *what)
    })
}

/// Returns what the words say about a search, with the place of the word that says it.
fn searched(words: &[Word]) -> Option<(usize, What)> {
    const FINDING: &[&str] = &[
        "find",
        "found",
        "get",
        "got",
        "identified",
        "identify",
        "locate",
        "located",
        "pull",
        "pulled",
        "retrieve",
        "retrieved",
        "see",
    ];
    (0..words.len()).find_map(|at| {
        let word = text(words, at);
        let what = match word {
            "there" => there(words, at)?,
            "found" | "located" if is_missing(words, at) => What::NotFound,
            "found" | "located" | "retrieved" | "identified" | "got" | "pulled"
                if is_agents(words, at) && !is_nothing(words, at + 1) =>
            {
                What::Found
            }
            "found" | "returned" | "produced" | "yielded" | "gave" | "got" | "see"
                if is_nothing(words, at + 1) =>
            {
                What::NotFound
            }
            _ if is_in(FINDING, word) && is_denied(words, at) => What::NotFound,
            "find" | "locate" | "retrieve" if is_managed(words, at) => What::Found,
            "no" if at == 0 && is_searched_noun(words, at + 1) => What::NotFound,
            "exist" | "exists" if text(words, at.wrapping_sub(1)) == "not" => What::NotFound,
            _ => return None,
        };
        Some((at, what))
    })
}

/// Reads "there are 3 …", "there are no …" and "there aren't any …".
fn there(words: &[Word], at: usize) -> Option<What> {
    let mut next = at + 1;
    if matches!(
        text(words, next),
        "do" | "does" | "seem" | "seems" | "appear" | "appears" | "to"
    ) {
        return None;
    }
    if !matches!(text(words, next), "is" | "are" | "were" | "was") {
        return None;
    }
    next += 1;
    while matches!(
        text(words, next),
        "currently" | "also" | "only" | "unfortunately"
    ) {
        next += 1;
    }
    let word = text(words, next);
    let noun = text(words, next + 1);
    if matches!(word, "no" | "not" | "none" | "nothing") {
        let is_trouble = is_in(TROUBLE, noun) || noun == "changes";
        return (!is_trouble).then_some(What::NotFound);
    }
    let is_count = word.starts_with(|c: char| c.is_ascii_digit())
        || matches!(
            word,
            "a" | "an" | "one" | "two" | "three" | "four" | "five" | "several" | "some" | "many"
        );
    let is_trouble = words[next..]
        .iter()
        .take(4)
        .any(|word| is_in(TROUBLE, &word.text));
    (is_count && !is_trouble).then_some(What::Presented)
}

/// Returns whether the search at `at` is one of the agent.
fn is_agents(words: &[Word], at: usize) -> bool {
    let mut before = at;
    while before > 0
        && (is_in(ADVERBS, text(words, before - 1)) || text(words, before - 1) == "have")
    {
        before -= 1;
    }
    before == 0
        || matches!(text(words, before - 1), "i" | "we")
            && !(before > 1
                && matches!(
                    text(words, before - 2),
                    "what" | "that" | "here" | "is" | "film" | "one"
                ))
        || is_in(OPENERS, text(words, before - 1))
}

/// Matches "was not found", "could not be found", "no profile was found".
fn is_missing(words: &[Word], at: usize) -> bool {
    let start = clause_start(words, at);
    let before = &words[start..at];
    let is_passive = before.last().is_some_and(|word| {
        matches!(
            word.text.as_str(),
            "was" | "were" | "be" | "been" | "not" | "is" | "are"
        )
    });
    let is_negative = before
        .iter()
        .any(|word| matches!(word.text.as_str(), "no" | "not" | "nothing" | "none"));
    let is_planned = before
        .iter()
        .any(|word| is_in(FUTURES, &word.text) || is_in(CONDITIONS, &word.text));
    is_passive && is_negative && !is_planned
}

/// Matches "nothing" and "no flights".
fn is_nothing(words: &[Word], at: usize) -> bool {
    matches!(text(words, at), "no" | "nothing" | "none" | "zero" | "0")
        && !matches!(
            text(words, at + 1),
            "issues" | "problems" | "errors" | "changes" | "conflicts" | "reason" | "longer"
        )
}

/// Matches "could not find", "wasn't able to find", "did not find", "unable to find", "can't find".
fn is_denied(words: &[Word], at: usize) -> bool {
    let before = text(words, at.wrapping_sub(1));
    let second = text(words, at.wrapping_sub(2));
    let third = text(words, at.wrapping_sub(3));
    match before {
        "not" => matches!(second, "could" | "did" | "can" | "do"),
        "to" => second == "unable" || second == "able" && third == "not" || second == "failed",
        _ => false,
    }
}

/// Matches "managed to find" and "was able to find".
fn is_managed(words: &[Word], at: usize) -> bool {
    let before = |back: usize| text(words, at.wrapping_sub(back));
    before(1) == "to"
        && (before(2) == "managed"
            || before(2) == "able" && matches!(before(3), "was" | "were" | "been"))
}

/// Matches "no results", "no matching flights": nouns for what a search returns.
fn is_searched_noun(words: &[Word], at: usize) -> bool {
    const NOUNS: &[&str] = &[
        "entries", "match", "matches", "matching", "record", "records", "result", "results",
    ];
    is_in(NOUNS, text(words, at))
}

/// Returns whether the words present a result: "How about …", "Here are …", "I recommend …".
fn presents(words: &[Word]) -> bool {
    const OPENINGS: [&[&str]; 8] = [
        &["how", "about"],
        &["what", "about"],
        &["here", "is"],
        &["here", "are"],
        &["would", "recommend"],
        &["i", "recommend"],
        &["i", "suggest"],
        &["you", "have"],
    ];
    let is_listed = |at: usize| OPENINGS.iter().any(|phrase| says(words, at, phrase));
    (0..words.len().min(8))
        .any(|at| is_listed(at) && !matches!(text(words, at + 2), "no" | "not" | "any"))
}

/// Returns whether the words regret something or name a problem.
fn troubles(words: &[Word]) -> bool {
    let of_word = |at: usize| {
        is_in(TROUBLE, text(words, at)) && !is_turned(words, at) && !is_hypothetical(words, at)
    };
    (0..words.len()).any(of_word)
}

/// Returns whether one of the four words before negates the word.
fn is_turned(words: &[Word], at: usize) -> bool {
    let from = at.saturating_sub(4).max(clause_start(words, at));
    words[from..at]
        .iter()
        .any(|word| is_in(NEGATIONS, &word.text))
}

/// Returns whether the word at `at` is part of a condition, a plan or a rule.
pub fn is_hypothetical(words: &[Word], at: usize) -> bool {
    let start = clause_start(words, at);
    words[start..at]
        .iter()
        .any(|word| is_in(CONDITIONS, &word.text) || is_in(FUTURES, &word.text))
}

/// Returns what the words say about a failure, with the place of the word that says it.
fn failure(words: &[Word]) -> Option<(usize, What)> {
    (0..words.len()).find_map(|at| {
        let what = failure_at(words, at)?;
        (!is_hypothetical(words, at)).then_some((at, what))
    })
}

/// Returns what the word at `at` says about a failure.
pub fn failure_at(words: &[Word], at: usize) -> Option<What> {
    let before = |back: usize| text(words, at.wrapping_sub(back));
    match text(words, at) {
        // "could not send", "was unable to send", "did not manage to send"
        word if verb(word).is_some() && attempt(words, at).is_some() => {
            let of = verb(word);
            let named = matches!(word, "complete" | "process" | "perform" | "execute");
            attempt(words, at).map(|attempt| match attempt {
                Attempt::Past => What::Failed(if named { named_in(words).or(of) } else { of }),
                Attempt::Present => What::Open,
            })
        }
        "fail" | "failed" | "fails"
            if !is_turned(words, at) && before(1) != "the" && before(1) != "a" =>
        {
            let next = words[at + 1..]
                .iter()
                .take(3)
                .find_map(|word| verb(&word.text));
            Some(What::Failed(next.or_else(|| named_in(words))))
        }
        "through" if matches!(before(1), "go" | "going" | "went") && is_turned(words, at) => {
            Some(What::Failed(named_in(words)))
        }
        "work" | "succeed" if before(1) == "not" && matches!(before(2), "did" | "does") => {
            Some(What::Failed(named_in(words)))
        }
        "wrong" if before(1) == "went" && before(2) != "nothing" => {
            Some(What::Failed(named_in(words)))
        }
        "unsuccessful" | "unsuccessfully" => Some(What::Failed(named_in(words))),
        "successful" if before(1) == "not" => Some(What::Failed(named_in(words))),
        "declined" | "rejected" | "refused"
            if !is_turned(words, at) && is_passive_past(words, at) || is_systems(words, at) =>
        {
            Some(What::Failed(named_in(words)))
        }
        "out" if before(1) == "timed" && !is_turned(words, at) => {
            Some(What::Failed(named_in(words)))
        }
        "error" | "errors" | "problem" | "issue" | "issues" | "trouble" | "glitch" | "failure"
        | "difficulties" | "snag"
            if met(words, at) =>
        {
            Some(What::Failed(named_in(words)))
        }
        _ => not_done(words, at),
    }
}

/// How a sentence reports an attempt without success.
pub enum Attempt {
    /// It was tried.
    Past,
    /// It is not possible, or not wanted.
    Present,
}

/// Reads what precedes the base form at `at`.
pub fn attempt(words: &[Word], at: usize) -> Option<Attempt> {
    let mut back = at;
    while back > 0 && is_in(ADVERBS, text(words, back - 1)) {
        back -= 1;
    }
    let before = |steps: usize| text(words, back.wrapping_sub(steps));
    let is_of_agent = |steps: usize| {
        let from = back.saturating_sub(steps + 4);
        words[from..back]
            .iter()
            .any(|word| matches!(word.text.as_str(), "i" | "we" | "system" | "tool" | "it"))
            || from == 0
                && !words[..back].iter().any(|word| {
                    matches!(word.text.as_str(), "you" | "your" | "they" | "he" | "she")
                })
    };
    match before(1) {
        "not" if matches!(before(2), "could" | "did") && is_of_agent(2) => Some(Attempt::Past),
        "not" if matches!(before(2), "can" | "will" | "do") => Some(Attempt::Present),
        "to" => {
            let from = back.saturating_sub(8).max(clause_start(words, back - 1));
            let span = &words[from..back];
            let has =
                |wanted: &[&str]| span.iter().any(|word| wanted.contains(&word.text.as_str()));
            let is_unable =
                has(&["unable"]) || has(&["able", "possible", "manage"]) && has(&["not"]);
            let is_past = has(&["was", "were", "been", "did"]);
            match (is_unable, is_past) {
                (true, true) => Some(Attempt::Past),
                (true, false) => Some(Attempt::Present),
                (false, _) if before(2) == "failed" => Some(Attempt::Past),
                (false, _) => None,
            }
        }
        _ => None,
    }
}

/// Returns the action that the words name by a noun or by the base form of a verb.
fn named_in(words: &[Word]) -> Option<Verb> {
    let to =
        |at: usize| (text(words, at.wrapping_sub(1)) == "to").then(|| verb(text(words, at)))?;
    let ing = |word: &str| {
        let stem = word.strip_suffix("ing")?;
        verb(stem)
            .or_else(|| verb(&format!("{stem}e")))
            .or_else(|| past(&format!("{stem}ed")))
    };
    (0..words.len()).find_map(|at| {
        let word = text(words, at);
        to(at)
            .or_else(|| noun_verb(word).filter(|found| found.base != "request"))
            .or_else(|| ing(word))
    })
}

fn is_passive_past(words: &[Word], at: usize) -> bool {
    let mut back = at;
    while back > 0 && is_in(ADVERBS, text(words, back - 1)) {
        back -= 1;
    }
    matches!(
        text(words, back.wrapping_sub(1)),
        "was" | "were" | "been" | "got"
    )
}

/// Matches "the system rejected", "the tool declined".
fn is_systems(words: &[Word], at: usize) -> bool {
    matches!(
        text(words, at.wrapping_sub(1)),
        "system" | "tool" | "server" | "api" | "service" | "provider" | "bank"
    )
}

/// Matches "there was an error", "ran into a problem", "the system returned an error", "an error occurred".
fn met(words: &[Word], at: usize) -> bool {
    const MEETING: &[&str] = &[
        "encountered",
        "experienced",
        "got",
        "had",
        "hit",
        "occurred",
        "raised",
        "ran",
        "received",
        "reported",
        "returned",
        "threw",
        "was",
        "were",
    ];
    if is_turned(words, at) {
        return false;
    }
    let from = at.saturating_sub(6).max(clause_start(words, at));
    let before = &words[from..at];
    let meets = before.iter().any(|word| is_in(MEETING, &word.text));
    let after = &words[at + 1..];
    let occurs = after
        .iter()
        .take(2)
        .any(|word| matches!(word.text.as_str(), "occurred" | "happened" | "arose"));
    let because = before
        .iter()
        .any(|word| matches!(word.text.as_str(), "because" | "due"));
    (meets || occurs) && !because
}

/// Reads "was not sent", "has not been sent", "could not be sent", "nothing was sent".
fn not_done(words: &[Word], at: usize) -> Option<What> {
    let done = past(text(words, at))?;
    let mut back = at;
    let mut is_negative = false;
    while back > 0 && at - back < 6 {
        let word = text(words, back - 1);
        match word {
            "not" | "never" => is_negative = true,
            _ if is_in(ADVERBS, word) && word != "already" => {}
            "been" | "be" | "yet" => {}
            _ => break,
        }
        back -= 1;
    }
    if back == 0 {
        return None;
    }
    let start = clause_start(words, back);
    let subject = words.get(start..back - 1).unwrap_or_default();
    let is_nothing = subject
        .iter()
        .take(2)
        .any(|word| matches!(word.text.as_str(), "no" | "nothing" | "none" | "neither"));
    let is_yet = is_nothing || words.iter().any(|word| word.text == "yet");
    let is_relative = subject
        .last()
        .is_some_and(|word| matches!(word.text.as_str(), "that" | "which" | "who" | "if"));
    if is_relative || !(is_negative || is_nothing) {
        return None;
    }
    match text(words, back - 1) {
        _ if is_yet => Some(What::Open),
        "was" | "were" | "has" | "have" | "could" | "is" | "are" | "got" => {
            let of = match done.deed {
                Deed::Confirm => named_in(words).unwrap_or(done),
                _ => done,
            };
            Some(What::Failed(Some(of)))
        }
        "can" | "will" | "would" | "should" | "may" => Some(What::Open),
        _ => None,
    }
}

/// Returns what the word at `at` claims if it is the participle of an action, or "complete".
fn deed_at(sentence: &Sentence<'_>, at: usize, last: Option<What>) -> Option<What> {
    let words = &sentence.words;
    let word = text(words, at);
    let verb = match word {
        "complete" | "done" => named_in(&words[..at])
            .or_else(|| verb("complete"))
            .filter(|_| at > 0),
        "playing" => verb("play"),
        "way"
            if says(words, at.wrapping_sub(2), &["on", "its"])
                || says(words, at.wrapping_sub(2), &["on", "the"]) =>
        {
            verb("book").filter(|_| is_vehicle(words, at))
        }
        _ => past(word),
    }?;
    if is_blocked(words, at) || is_in(NEGATIONS, text(words, at + 1)) {
        return None;
    }
    let voice = voice(sentence, at, verb, last)?;
    Some(What::Done(refined(words, at, verb, voice), voice))
}

/// Returns the action of a light verb, which its object names: "made your reservation" reserves.
fn refined(words: &[Word], at: usize, verb: Verb, voice: Voice) -> Verb {
    if !is_in(LIGHT, verb.base) {
        return verb;
    }
    let object = match voice {
        Voice::Agent | Voice::Elided => &words[at + 1..words.len().min(at + 6)],
        Voice::Perfect | Voice::Past | Voice::State | Voice::Noun | Voice::Outcome => {
            &words[clause_start(words, at)..at]
        }
    };
    let named = object.iter().find_map(|word| noun_verb(&word.text));
    named.unwrap_or(verb)
}

/// Returns whether something on its way is a vehicle that was called: a cab.
fn is_vehicle(words: &[Word], at: usize) -> bool {
    let before = &words[..at];
    before
        .iter()
        .any(|word| matches!(word.text.as_str(), "cab" | "ride" | "taxi" | "driver"))
}

/// Returns whether the clause of the word at `at` makes it something other than a claim.
pub fn is_blocked(words: &[Word], at: usize) -> bool {
    let start = clause_start(words, at);
    let before = &words[start..at];
    let stops = |word: &str| {
        is_in(CONDITIONS, word)
            || is_in(FUTURES, word)
            || is_in(REPORTING, word)
            || is_in(NEGATIONS, word)
    };
    let reports = before.iter().any(|word| stops(&word.text));
    let next = text(words, at + 1);
    let is_earlier = before.iter().any(|word| is_in(EARLIER, &word.text))
        || is_in(EARLIER, next)
        || text(words, at + 2) == "ago";
    let asks = before.iter().any(|word| is_in(QUESTIONING, &word.text));
    let confirms = before.windows(2).any(|pair| {
        pair[0].text == "to"
            && matches!(
                pair[1].text.as_str(),
                "confirm" | "verify" | "ensure" | "see"
            )
    });
    let is_others = next == "by" && !matches!(text(words, at + 2), "me" | "us");
    reports
        || is_others
        || is_earlier
        || asks
        || confirms
        || before.iter().any(|word| is_in(CHECKS, &word.text))
        || matches!(text(words, at + 1), "only" if text(words, at + 2) == "if")
}

/// Returns how the word at `at` is claimed to be done.
fn voice(sentence: &Sentence<'_>, at: usize, verb: Verb, last: Option<What>) -> Option<Voice> {
    let words = &sentence.words;
    let mut back = at;
    let mut is_perfect = false;
    let mut is_successful = words
        .get(at + 1)
        .is_some_and(|next| next.text == "successfully" && !next.starts_clause);
    while back > 0 && !words[back].starts_clause {
        match text(words, back - 1) {
            "been" => is_perfect = true,
            word if is_in(ADVERBS, word) => {
                if matches!(word, "already" | "previously") {
                    return None;
                }
                is_successful |= word == "successfully";
            }
            // "is is playing"
            "is" if text(words, back) == "is" => {}
            "and" if back > 1 && text(words, back - 2) == "ahead" => {}
            _ => break,
        }
        back -= 1;
    }
    let is_first = back == 0 || words[back].starts_clause && is_in(OPENERS, text(words, back - 1));
    if is_first {
        return first_voice(sentence, at, verb);
    }
    if words[back].starts_clause {
        return coordinated(words, back, last);
    }
    let subject_end = back - 1;
    match text(words, subject_end) {
        "has" | "have" | "is" | "are" if is_perfect => passive(words, subject_end, Voice::Perfect),
        _ if is_perfect => passive(words, back, Voice::Perfect),
        "have" => by_agent(words, subject_end),
        "has" if matches!(verb.base, "begin" | "start") => {
            passive(words, subject_end, Voice::Perfect)
        }
        "i" => Some(Voice::Agent).filter(|_| !is_subordinate(words, subject_end)),
        "is" | "are" if text(words, at + 1) == "to" => None,
        "is" | "are" => passive(words, subject_end, Voice::State),
        "was" | "were" | "got" => passive(words, subject_end, Voice::Past),
        "and" | "then" => coordinated(words, back, last),
        _ => nominal(words, at, is_successful),
    }
}

/// Returns the voice of a participle that begins its sentence.
fn first_voice(sentence: &Sentence<'_>, at: usize, verb: Verb) -> Option<Voice> {
    let words = &sentence.words;
    if text(words, 0) == "success" && at > 0 {
        return Some(Voice::Agent);
    }
    let next = words.get(at + 1);
    let is_label = next.is_none_or(|next| next.starts_clause);
    let names_it = matches!(
        text(words, at + 1),
        "a" | "an"
            | "all"
            | "both"
            | "the"
            | "your"
            | "to"
            | "due"
            | "for"
            | "from"
            | "successfully"
            | QUOTED
    );
    let is_playing = verb.base == "play" && text(words, at) == "playing";
    let names_it = names_it || sentence.is_item;
    (!is_label && names_it && !is_playing && sentence.mood == Mood::Statement)
        .then_some(Voice::Elided)
}

/// Returns the voice of "and updated …": that of the claim before it, or that of an agent who is the subject
/// of another verb: "I found your order and cancelled it".
fn coordinated(words: &[Word], at: usize, last: Option<What>) -> Option<Voice> {
    if let Some(What::Done(_, voice @ (Voice::Agent | Voice::Perfect))) = last {
        return Some(voice);
    }
    let mut subject = words.iter().skip_while(|word| is_in(OPENERS, &word.text));
    let is_agent = subject.next().is_some_and(|word| word.text == "i");
    let verb = subject.find(|word| word.text != "have" && !is_in(ADVERBS, &word.text))?;
    let is_past = verb.text.ends_with("ed")
        || matches!(verb.text.as_str(), "found" | "got" | "went" | "took");
    let is_joined = matches!(text(words, at.wrapping_sub(1)), "and" | "then");
    (is_agent && is_past && is_joined).then_some(Voice::Agent)
}

/// Recognizes "I have" and "we have": the agent's own action.
fn by_agent(words: &[Word], have: usize) -> Option<Voice> {
    let mut back = have;
    while back > 0 && is_in(ADVERBS, text(words, back - 1)) {
        back -= 1;
    }
    let subject = text(words, back.wrapping_sub(1));
    (matches!(subject, "i" | "we") && !is_subordinate(words, back - 1)).then_some(Voice::Agent)
}

/// Returns whether the subject at `at` belongs to a relative clause: "the items I added", "what I changed".
fn is_subordinate(words: &[Word], at: usize) -> bool {
    let before = text(words, at.wrapping_sub(1));
    if at == 0 || words[at].starts_clause {
        return false;
    }
    !(is_in(OPENERS, before)
        || matches!(
            before,
            "and" | "but" | "so" | "that" | "then" | "now" | "also" | "again" | "today"
        ))
        || before == "that"
            && !matches!(
                text(words, at.wrapping_sub(2)),
                "confirm" | "you" | "know" | "note"
            )
}

/// Returns the voice of a passive whose auxiliary is at `aux`. Its subject must be a thing, named in a main
/// clause.
fn passive(words: &[Word], aux: usize, voice: Voice) -> Option<Voice> {
    let start = clause_start(words, aux.min(words.len() - 1));
    let subject = &words[start.min(aux)..aux];
    let last = subject.last().map_or("", |word| word.text.as_str());
    let is_relative = matches!(last, "that" | "which" | "who" | "what" | "not" | "to")
        && !(last == "that"
            && (subject.len() == 1
                || subject
                    .iter()
                    .rev()
                    .skip(1)
                    .all(|word| is_in(OPENERS, &word.text))));
    let is_reported = subject
        .iter()
        .skip(1)
        .zip(subject)
        .any(|(word, before)| word.text == "that" && !is_in(SAYING, &before.text))
        && last != "that";
    let is_first_person = subject
        .iter()
        .any(|word| matches!(word.text.as_str(), "i" | "we" | "he" | "she" | "they"))
        && !matches!(last, "it" | "that");
    (!is_relative && !is_reported && !is_first_person && !subject.is_empty()).then_some(voice)
}

/// Words before a "that" which introduces a statement of the agent itself.
pub const SAYING: &[&str] = &[
    "advise",
    "announce",
    "confirm",
    "confirmed",
    "glad",
    "happy",
    "inform",
    "know",
    "note",
    "pleased",
    "say",
    "sure",
    "you",
];

/// The most words of a thing that something was done to, when a sentence says no more: "Your email sent".
const MOST_OF_A_THING: usize = 2;

/// Reads "Booking complete", "Email sent!", "Email sent successfully to kim@…", "Reservation made."
fn nominal(words: &[Word], at: usize, is_successful: bool) -> Option<Voice> {
    let start = clause_start(words, at);
    let subject = &words[start..at];
    let is_short = (1..=5).contains(&subject.len());
    let has_verb = subject.iter().any(|word| {
        matches!(
            word.text.as_str(),
            "i" | "you" | "we" | "to" | "of" | "be" | "being" | "get" | "need" | "for"
        ) || is_in(FUTURES, &word.text)
            || past(&word.text).is_some()
    });
    let is_end = at + 1 == words.len();
    let is_action = subject.iter().any(|word| noun_verb(&word.text).is_some());
    let is_thing = subject.len() <= MOST_OF_A_THING
        && subject
            .last()
            .is_some_and(|word| object(singular(&word.text)).is_some());
    let is_whole = start == 0 || is_in(OPENERS, text(words, start - 1));
    (is_short && is_whole && !has_verb && (is_successful || is_end && (is_action || is_thing)))
        .then_some(Voice::Noun)
}
