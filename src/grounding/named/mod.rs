//! Finds the names in a reply that the evidence does not contain. Names are checked only if results contain names.
//!
//! Names are written with capitals. A run of capitalized words, where the grammar of a sentence does not require the
//! capitals, is reported if no text, key or definition contains its words.

use std::cell::OnceCell;

mod context;
mod general;
mod known;
mod pattern;
mod runs;
mod swapped;
mod written;

pub use known::Shown;
pub use pattern::{pattern, patterns};
pub use written::Written;

use self::context::{
    goes_on, has_number_in_brackets, is_before_comma, is_city, is_explained, is_label, is_made,
    is_named_after,
};
use self::general::{
    GREETINGS, PLACEHOLDERS, TITLES, are_german, are_romance, is_common, is_general,
    is_number_word, is_people,
};
use self::known::{Unknown, is_acronym};
use self::runs::{Next, Place, Run, runs};
use self::swapped::swapped;
use super::evidence::{Evidence, Known};
use toolgauge_facts::{TextId, Token, TokenKind};

/// Shorter words are initials, particles and units.
const SHORTEST: usize = 3;

/// How many runs with unknown words are checked.
const MOST_RUNS: usize = 100;

/// A reply with more different unknown names is about general knowledge, not about results.
const MOST_NAMES: usize = 2;

/// The most names of a reply that are reported. Each one is looked up in all texts once more.
const MOST_REPORTED: usize = 20;

/// How similar a known name must be to be suggested as the intended one, from 0 to 1.
const ALIKE: f64 = 0.5;

/// A name in a reply that the evidence does not contain.
#[derive(Debug, Clone, Copy)]
pub struct UnshownName<'k, 'a> {
    /// The name as it is written.
    pub text: &'a str,
    /// The byte offset of its start in the reply.
    pub start: usize,
    /// The known name that is most similar to it.
    pub closest: Option<&'k Known<'k>>,
    /// The words that results have in its place.
    pub instead: Option<&'a str>,
}

/// Returns `true` if any of these tokens of a reply may be part of an unknown name. Most replies have no such token,
/// and then nothing else has to be read.
pub fn may_hold_unshown(tokens: &[Token<'_>], evidence: Evidence<'_>) -> bool {
    (0..tokens.len()).any(|at| {
        let token = &tokens[at];
        let is_suspect = match token.kind {
            TokenKind::Letters => {
                token.is_capitalized && token.text.len() >= SHORTEST && may_be_named(tokens, at)
            }
            TokenKind::Mixed => has_capital_beside(tokens, at),
            TokenKind::Digits | TokenKind::Sign => false,
        };
        is_suspect
            && !evidence.holds_word(token)
            && (!is_general(token) || is_number_word(token) || is_people(token))
    })
}

/// Returns `true` if the word at `at` is capitalized for another reason than the start of a sentence.
fn may_be_named(tokens: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return has_capital_beside(tokens, at);
    };
    let is_after_title =
        || before.is('.') && at > 1 && tokens[at - 2].says_one_of(&TITLES) && before.glued;
    let goes_on = match before.kind {
        TokenKind::Sign => !matches!(before.text, "." | "!" | "?" | "-" | "•" | "#"),
        TokenKind::Letters | TokenKind::Digits | TokenKind::Mixed => true,
    };
    goes_on || has_capital_beside(tokens, at) || is_after_title()
}

fn has_capital_beside(tokens: &[Token<'_>], at: usize) -> bool {
    let is_capitalized =
        |token: Option<&Token<'_>>| token.is_some_and(|token| token.is_capitalized);
    let has_comma = tokens.get(at + 1).is_some_and(|comma| comma.is(','));
    is_capitalized(tokens.get(at + 1 + usize::from(has_comma)))
        || at > 0 && is_capitalized(tokens.get(at - 1))
}

/// Returns the names in `content` that the evidence does not contain, in order. `id` is the text of `content`.
pub fn unshown_names<'k, 'a>(
    content: &'a str,
    id: TextId,
    shown: &Shown<'k, 'a>,
) -> Vec<UnshownName<'k, 'a>> {
    if !shown.written.has_names() || shown.written.has_other_script() {
        return Vec::new();
    }
    let tokens = shown.texts.tokens(id);
    let unknown = shown.unknown(tokens);
    let mut placed = swapped(content, tokens, &unknown, shown);
    let reply = Reply {
        shown,
        unknown,
        nouns_have_capitals: OnceCell::new(),
        is_romance: OnceCell::new(),
        tokens,
    };
    let mut guessed = Vec::new();
    for run in runs(content, tokens)
        .filter(|run| reply.may_be_unshown(run))
        .take(MOST_RUNS)
    {
        match reply.check(&run) {
            Some(Sureness::Placed) => placed.push(reply.report(&run)),
            Some(Sureness::Guessed) => guessed.push(reply.report(&run)),
            None => {}
        }
    }
    if are_few(&guessed) {
        placed.append(&mut guessed);
    }
    placed.truncate(MOST_REPORTED);
    placed.retain(|name| !shown.starts_a_word(name.text));
    placed.sort_by_key(|name| name.start);
    let mut end = 0;
    placed.retain(|name| {
        let is_apart = name.start >= end;
        end = end.max(name.start + name.text.len());
        is_apart
    });
    placed
}

/// Returns `true` if there are so few different names that the reply is not about general knowledge.
fn are_few(names: &[UnshownName<'_, '_>]) -> bool {
    let mut different: Vec<_> = names.iter().map(|name| name.text).collect();
    different.sort_unstable();
    different.dedup();
    different.len() <= MOST_NAMES
}

/// Why a run is taken for an unknown name.
enum Sureness {
    /// It is in a place where a result has a name of this kind.
    Placed,
    /// It is written like a name.
    Guessed,
}

/// The numbers of known and of unknown words in a run. General words count as neither.
struct Words {
    known: usize,
    unknown: usize,
}

struct Reply<'s, 'k, 'a> {
    shown: &'s Shown<'k, 'a>,
    tokens: &'s [Token<'a>],
    unknown: Unknown,
    nouns_have_capitals: OnceCell<bool>,
    /// Whether the reply is in a Romance language. If so, a name may be a known one that is partly translated.
    is_romance: OnceCell<bool>,
}

impl<'k, 'a> Reply<'_, 'k, 'a> {
    fn may_be_unshown(&self, run: &Run<'_, 'a>) -> bool {
        run.words().any(|word| self.is_unknown(word)) || self.is_other_people(run)
    }

    /// Returns `true` if a word is unknown, although it is long enough to identify something.
    fn is_unknown(&self, word: &Token<'_>) -> bool {
        self.unknown.hold(word)
            && word.text.chars().count() >= SHORTEST
            && !is_acronym(word.text)
            && !is_general(word)
    }

    fn words(&self, run: &Run<'_, 'a>) -> Words {
        let words = run
            .words()
            .filter(|word| word.text.len() > 1 && !is_general(word));
        let unknown = words.clone().filter(|word| self.is_unknown(word)).count();
        Words {
            known: words.filter(|word| !self.unknown.hold(word)).count(),
            unknown,
        }
    }

    fn check(&self, run: &Run<'_, 'a>) -> Option<Sureness> {
        let has_title = run
            .words()
            .next()
            .is_some_and(|word| word.says_one_of(&TITLES));
        let Words { known, unknown } = self.words(run);
        let is_new = known < unknown;
        if self.is_other_people(run) {
            return Some(Sureness::Placed);
        }
        let have_nouns = || {
            self.nouns_have_capitals
                .get_or_init(|| are_german(self.tokens))
        };
        if is_explained(run, self.shown) || (!has_title && *have_nouns()) {
            return None;
        }
        let place = run.place();
        if place == Place::Bound {
            return None;
        }
        let is_romance = || self.is_romance.get_or_init(|| are_romance(self.tokens));
        let is_translated = || known > 0 && *is_romance();
        let is_made = is_made(run);
        if !is_made
            && ((has_title && is_new)
                || self.is_other_person(run)
                || self.is_greeted(run)
                || (is_city(run, self.shown) && known == 0))
        {
            return Some(Sureness::Placed);
        }
        match place {
            Place::Bound => None,
            Place::Label(label) => {
                let is_absent = run.words().any(|word| word.says_one_of(&PLACEHOLDERS));
                let is_placed = is_new
                    && !is_absent
                    && self.shown.written.holds_names_under(label)
                    && !goes_on(run);
                let is_named = unknown > 1 && known == 0 && has_number_in_brackets(run);
                match is_placed {
                    true => Some(Sureness::Placed),
                    false => (is_named && !is_made).then_some(Sureness::Guessed),
                }
            }
            Place::Inside(_) | Place::Start if is_made => None,
            Place::Inside(_) if is_translated() => None,
            Place::Inside(before) => {
                (is_new && !is_label(run) && is_named_after(before, run, self.shown))
                    .then_some(Sureness::Guessed)
            }
            Place::Start if is_new && known == 0 => {
                let is_named = unknown > 1 && (goes_on(run) || has_number_in_brackets(run));
                (is_named || self.follows_common(run)).then_some(Sureness::Guessed)
            }
            Place::Start => None,
        }
    }

    /// Returns `true` if a run is the common first word of a sentence, followed by a name of several words.
    fn follows_common(&self, run: &Run<'_, 'a>) -> bool {
        let is_common = run.words().next().is_some_and(is_common);
        let rest = run.without_first().filter(|_| is_common);
        rest.is_some_and(|rest| {
            let unknown = self.words(&rest).unknown;
            let is_apart = unknown > 1 && is_before_comma(run);
            rest.words().count() > 1 && unknown > 0 && (goes_on(run) || is_apart)
        })
    }

    /// Returns `true` if a run is the name of a known person with one part replaced.
    fn is_other_person(&self, run: &Run<'_, 'a>) -> bool {
        let words: Vec<_> = run.words().filter(|word| !is_general(word)).collect();
        let is_part =
            |word: &&Token<'_>| word.text.chars().count() >= SHORTEST && !is_acronym(word.text);
        let [first, last] = words.as_slice() else {
            return false;
        };
        let is_other = |word: &Token<'_>| is_part(&word) && self.unknown.hold(word);
        let written = self.shown.written;
        (written.holds_given_name(first.text) && is_other(last))
            || (written.holds_family_name(last.text) && is_other(first))
    }

    /// Returns `true` if a run greets somebody who is unknown.
    fn is_greeted(&self, run: &Run<'_, 'a>) -> bool {
        let is_greeting = run
            .words()
            .next()
            .is_some_and(|word| word.says_one_of(&GREETINGS));
        let rest = run.without_first().filter(|_| is_greeting);
        rest.is_some_and(|rest| {
            let Words { known, unknown } = self.words(&rest);
            unknown > 0 && known == 0 && !rest.words().any(is_general) && !goes_on(run)
        })
    }

    /// Returns `true` if a run is a language or the like, where results have another one.
    fn is_other_people(&self, run: &Run<'_, 'a>) -> bool {
        let mut words = run.words();
        let (Some(word), None) = (words.next(), words.next()) else {
            return false;
        };
        let are_under = |label: &Token<'_>| self.shown.written.holds_peoples_under(label);
        let is_before_label = match run.next() {
            Next::Word(next) => are_under(next),
            Next::Sign(_) | Next::End => false,
        };
        let mut before = run.before();
        let is_after_label = before.next().is_some_and(|word| word.says("in"))
            && before.next().is_some_and(are_under);
        let is_placed = is_before_label || is_after_label;
        is_placed && is_people(word) && self.unknown.hold(word)
    }

    fn report(&self, run: &Run<'_, 'a>) -> UnshownName<'k, 'a> {
        let nearest = |word: &Token<'_>| self.shown.evidence.nearest_name(word.text, ALIKE);
        let under_label = match run.place() {
            Place::Label(label) => self.shown.written.name_under(label),
            Place::Inside(_) | Place::Start | Place::Bound => None,
        };
        let words = run.words().filter(|word| !is_general(word));
        let run = name_of(run);
        UnshownName {
            text: run.text(),
            start: run.start(),
            closest: words
                .filter(|word| self.unknown.hold(word))
                .find_map(nearest),
            instead: under_label,
        }
    }
}

/// Returns the run without the word that begins the sentence or the greeting.
fn name_of<'k, 't>(run: &Run<'k, 't>) -> Run<'k, 't> {
    let first = run.words().next();
    let is_before = first.is_some_and(|word| {
        word.says_one_of(&GREETINGS) || (is_common(word) && run.place() == Place::Start)
    });
    let rest = run.without_first().filter(|_| is_before);
    rest.unwrap_or(*run)
}

#[cfg(test)]
mod tests;
