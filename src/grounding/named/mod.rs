//! Names of a reply that nothing shows, where results have names.
//!
//! A name is written with capitals. Where a sentence would not ask for them, a run of such words that no text, key or
//! definition holds names something that the agent was not told of.

mod general;
mod known;
mod pattern;
mod runs;
mod swapped;
mod written;

pub use known::Shown;
pub use pattern::{pattern, patterns};
pub use written::Written;

use self::general::{
    NAMING, SAYING, TITLES, are_german, is_common, is_general, is_make, is_number_word, is_people,
};
use self::known::is_acronym;
use self::runs::{Next, Place, Run, runs};
use self::swapped::swapped;
use super::evidence::{Evidence, Known};
use crate::facts::{TextId, Token, TokenKind, WordList};

/// Shorter words are initials, particles and units.
const SHORTEST: usize = 3;

/// How many runs with unknown words are looked at.
const MOST_RUNS: usize = 100;

/// A reply with more different names that nothing shows speaks of what everybody knows, not of results.
const MOST_NAMES: usize = 2;

/// How alike a known name must be to be the one that is meant, from 0 to 1.
const ALIKE: f64 = 0.5;

/// Words before the name of the company that speaks, or of the agent itself.
static SELF: WordList = WordList::of("choosing contacting calling regards sincerely cheers truly");

/// Last words of names that everybody knows.
static KNOWN_KINDS: WordList = WordList::of("time timezone zone");

/// Words before what is described: "the Martian surface".
static DETERMINERS: WordList = WordList::of("the a an your our their its this that");

/// Words that follow a name itself.
static AFTER_NAMES: WordList = WordList::of(
    "a about after also and are as at before but by can costs did during for from had has have in into is it leaves located \
    near of on or since that the through to until was were when where which who will with won would",
);

/// A name that nothing shows.
#[derive(Debug, Clone, Copy)]
pub struct UnshownName<'k, 'a> {
    /// As it is written.
    pub text: &'a str,
    /// Where it starts in the reply, in bytes.
    pub start: usize,
    /// The known name that is most like it.
    pub closest: Option<&'k Known<'a>>,
}

/// Whether some word of a reply, whose tokens these are, may be part of a name that nothing shows: of most replies
/// none is, and then nothing else has to be read.
pub fn may_hold_unshown(tokens: &[Token<'_>], evidence: &Evidence<'_>) -> bool {
    tokens.iter().any(|token| {
        let is_suspect = match token.kind {
            TokenKind::Letters => {
                token.is_capitalized
                    && token.text.len() >= SHORTEST
                    && (!is_general(token) || is_number_word(token) || is_people(token))
            }
            TokenKind::Mixed => true,
            TokenKind::Digits | TokenKind::Sign => false,
        };
        is_suspect && !evidence.holds_word(token)
    })
}

/// The names of `content`, which is the text `id`, that nothing shows, in order.
pub fn unshown_names<'k, 'a>(
    content: &'a str,
    id: TextId,
    shown: &Shown<'k, 'a>,
) -> Vec<UnshownName<'k, 'a>> {
    if !shown.written.has_names() || shown.written.has_other_script() {
        return Vec::new();
    }
    let tokens = shown.texts.tokens(id);
    let reply = Reply {
        shown,
        nouns_have_capitals: are_german(tokens),
    };
    let mut placed = swapped(content, tokens, shown);
    let mut guessed = Vec::new();
    for run in runs(content, tokens)
        .filter(|run| reply.may_be_unshown(run))
        .take(MOST_RUNS)
    {
        match reply.judge(&run) {
            Some(Sureness::Placed) => placed.push(reply.report(&run)),
            Some(Sureness::Guessed) => guessed.push(reply.report(&run)),
            None => {}
        }
    }
    if are_few(&guessed) {
        placed.append(&mut guessed);
    }
    placed.sort_by_key(|name| name.start);
    let mut end = 0;
    placed.retain(|name| {
        let is_apart = name.start >= end;
        end = end.max(name.start + name.text.len());
        is_apart
    });
    placed
}

/// Whether the different ones of these names are so few that the reply does not speak of what everybody knows.
fn are_few(names: &[UnshownName<'_, '_>]) -> bool {
    let mut different: Vec<_> = names.iter().map(|name| name.text).collect();
    different.sort_unstable();
    different.dedup();
    different.len() <= MOST_NAMES
}

/// Why a run is taken for a name that nothing shows.
enum Sureness {
    /// It stands where a result has such a name.
    Placed,
    /// It is written as a name.
    Guessed,
}

/// How many words of a run are known, and how many not; general ones are neither.
struct Words {
    known: usize,
    unknown: usize,
}

struct Reply<'s, 'k, 'a> {
    shown: &'s Shown<'k, 'a>,
    nouns_have_capitals: bool,
}

impl<'k, 'a> Reply<'_, 'k, 'a> {
    fn may_be_unshown(&self, run: &Run<'_, 'a>) -> bool {
        self.words(run).unknown > 0 || self.is_other_people(run)
    }

    fn words(&self, run: &Run<'_, 'a>) -> Words {
        let mut words = Words {
            known: 0,
            unknown: 0,
        };
        for word in run.words().filter(|word| !is_general(word)) {
            match self.shown.is_known(word) {
                true => words.known += 1,
                false if word.text.chars().count() >= SHORTEST && !is_acronym(word.text) => {
                    words.unknown += 1;
                }
                false => {}
            }
        }
        words
    }

    fn judge(&self, run: &Run<'_, 'a>) -> Option<Sureness> {
        let has_title = run
            .words()
            .next()
            .is_some_and(|word| word.says_one_of(&TITLES));
        let Words { known, unknown } = self.words(run);
        let is_new = known < unknown;
        if self.is_other_people(run) {
            return Some(Sureness::Placed);
        }
        if is_explained(run, self.shown) || (self.nouns_have_capitals && !has_title) {
            return None;
        }
        let place = run.place();
        if place == Place::Bound {
            return None;
        }
        if (has_title && is_new) || self.is_other_person(run) {
            return Some(Sureness::Placed);
        }
        match place {
            Place::Bound => None,
            Place::Label(label) => {
                let is_placed =
                    is_new && self.shown.written.holds_names_under(label) && !goes_on(run);
                is_placed.then_some(Sureness::Placed)
            }
            Place::Inside(before) => {
                (is_new && is_named_after(before, run)).then_some(Sureness::Guessed)
            }
            Place::Start if is_new && known == 0 => {
                let is_named = unknown > 1 && (goes_on(run) || has_number_in_brackets(run));
                (is_named || self.follows_common(run)).then_some(Sureness::Guessed)
            }
            Place::Start => None,
        }
    }

    /// Whether it is a name of more than one word after the first word of a sentence.
    fn follows_common(&self, run: &Run<'_, 'a>) -> bool {
        let is_common = run.words().next().is_some_and(is_common);
        let rest = run.without_first().filter(|_| is_common);
        rest.is_some_and(|rest| {
            rest.words().count() > 1 && self.words(&rest).unknown > 0 && goes_on(run)
        })
    }

    /// Whether it is the name of a known person but for one part.
    fn is_other_person(&self, run: &Run<'_, 'a>) -> bool {
        let words: Vec<_> = run
            .words()
            .filter(|word| !word.says_one_of(&TITLES))
            .collect();
        let known = words
            .iter()
            .filter(|word| self.shown.written.holds_person(word.text));
        let is_part = |word: &&&Token<'_>| {
            word.text.chars().count() >= SHORTEST && !is_general(word) && !is_acronym(word.text)
        };
        let unknown = words
            .iter()
            .filter(|word| !self.shown.is_known(word))
            .filter(is_part);
        words.len() == 2 && known.count() > 0 && unknown.count() > 0
    }

    /// Whether it is a language or the like where results have another one.
    fn is_other_people(&self, run: &Run<'_, 'a>) -> bool {
        let mut words = run.words();
        let (Some(word), None) = (words.next(), words.next()) else {
            return false;
        };
        let is_placed = match run.next() {
            Next::Word(next) => self.shown.written.holds_peoples_under(next),
            Next::Sign(_) | Next::End => false,
        };
        is_placed && is_people(word) && !self.shown.is_known(word)
    }

    fn report(&self, run: &Run<'_, 'a>) -> UnshownName<'k, 'a> {
        let nearest = |word: &Token<'_>| self.shown.evidence.nearest_name(word.text, ALIKE);
        UnshownName {
            text: run.text(),
            start: run.start(),
            closest: run
                .words()
                .filter(|word| !is_general(word))
                .find_map(nearest),
        }
    }
}

/// Whether a run inside a sentence, after `before`, is a name.
fn is_named_after(before: &Token<'_>, run: &Run<'_, '_>) -> bool {
    let is_one_word = run.words().count() == 1;
    let is_measured = matches!(before.kind, TokenKind::Digits | TokenKind::Mixed);
    let is_said = run.is_quoted()
        && (before.says_one_of(&SAYING) || (is_one_word && !before.says_one_of(&NAMING)));
    let describes = is_one_word && before.says_one_of(&DETERMINERS) && is_before_noun(run);
    !(is_measured && is_one_word) && !describes && !before.says_one_of(&SELF) && !is_said
}

/// Whether what stands around a run says that it is no name of a thing that must be known: a letter or a number of a
/// list, a place beside its code, a kind of time, what a maker makes.
fn is_explained(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let words = run.words();
    let count = words.clone().count();
    let is_next = match run.next() {
        Next::Word(next) => {
            (count == 1 && (next.kind == TokenKind::Digits || next.text.len() == 1))
                || next.says_one_of(&KNOWN_KINDS)
        }
        Next::Sign(next) => {
            (next.is('-') && next.glued)
                || next.is('=')
                || (next.is('(') && is_code(run.after().get(1), shown))
        }
        Next::End => false,
    };
    let mut before = run.before();
    let is_after_code =
        before.next().is_some_and(|mark| mark.is('(')) && is_code(before.next(), shown);
    let last = words.clone().last();
    let is_kind = last.is_some_and(|word| word.says_one_of(&KNOWN_KINDS));
    let is_lettered = count == 2 && last.is_some_and(|word| word.text.chars().count() == 1);
    is_next || is_after_code || is_kind || is_lettered || words.clone().any(is_make)
}

/// Whether a token is a known code of capitals.
fn is_code(token: Option<&Token<'_>>, shown: &Shown<'_, '_>) -> bool {
    token.is_some_and(|token| {
        token.kind == TokenKind::Letters && is_acronym(token.text) && shown.is_known(token)
    })
}

/// Whether a word follows that is no preposition, no verb and the like.
fn is_before_noun(run: &Run<'_, '_>) -> bool {
    match run.next() {
        Next::Word(next) => !next.says_one_of(&AFTER_NAMES),
        Next::Sign(_) | Next::End => false,
    }
}

/// Whether the sentence goes on after a run.
fn goes_on(run: &Run<'_, '_>) -> bool {
    match run.next() {
        Next::Word(word) => !word.is_capitalized,
        Next::Sign(_) | Next::End => false,
    }
}

/// Whether brackets after a run say which one it is, by a number.
fn has_number_in_brackets(run: &Run<'_, '_>) -> bool {
    let after = run.after();
    let inside = after.iter().skip(1).take(4);
    after.first().is_some_and(|mark| mark.is('('))
        && inside
            .take_while(|token| !token.is(')'))
            .any(|token| token.kind == TokenKind::Digits)
}
