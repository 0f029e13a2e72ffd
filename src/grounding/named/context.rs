//! Decides from the words around a run whether it is a name or something else with capitals.

use super::Shown;
use super::general::{NAMING, SAYING, is_common, is_make};
use super::known::is_acronym;
use super::runs::{Next, Run};
use crate::likeness::Likeness;
use toolgauge_facts::{Token, TokenKind, WordList};

/// How many digits a postal code has.
const POSTAL_CODE: usize = 5;

/// How many tokens before a word may introduce it as an example.
const NEAR: usize = 10;

/// The largest share of letters by which a user name may differ from the name of the person.
const KIN: f64 = 0.4;

/// Words before the name of the company that speaks, or of the agent itself.
static SELF: WordList = WordList::of("choosing contacting calling regards sincerely cheers truly");

/// Last words of names that everybody knows.
static KNOWN_KINDS: WordList = WordList::of("time timezone zone");

/// Words before a description: "the Martian surface".
static DETERMINERS: WordList = WordList::of("the a an your our their its this that");

/// Words that follow a complete name.
static AFTER_NAMES: WordList = WordList::of(
    "a about after also and are as at before but by can costs did during for from had has have in into is it leaves located \
    near of on or since that the through to until was were when where which who will with won would",
);

/// Returns `true` if a run inside a sentence, after the word `before`, is a name.
pub fn is_named_after(before: &Token<'_>, run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let holds_names = |label: &Token<'_>| shown.written.holds_names_under(label);
    let is_one_word = run.words().count() == 1;
    let is_measured = matches!(before.kind, TokenKind::Digits | TokenKind::Mixed);
    let is_said = run.is_quoted()
        && (before.says_one_of(&SAYING)
            || (is_one_word && !before.says_one_of(&NAMING) && !holds_names(before)));
    let describes = is_one_word
        && before.says_one_of(&DETERMINERS)
        && is_before_noun(run)
        && !is_before_label(run, shown);
    !(describes || is_said || (is_measured && is_one_word) || before.says_one_of(&SELF))
}

/// Returns `true` if its context shows that a run does not have to be known, for example because it is a place beside
/// its code, a kind of time, an example, or followed by the letter or number of a list.
pub fn is_explained(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let words = run.words();
    let count = words.clone().count();
    let is_next = match run.next() {
        Next::Word(next) => {
            (count == 1 && (next.kind != TokenKind::Letters || next.text.len() == 1))
                || next.says_one_of(&KNOWN_KINDS)
        }
        Next::Sign(next) => {
            (next.is('-') && next.glued)
                || next.is('=')
                || (next.is('(') && is_code_or_kin(run, shown))
        }
        Next::End => false,
    };
    if is_address(run, shown) || is_place_of_code(run, shown) {
        return true;
    }
    let mut before = run.before();
    let is_after_code =
        before.next().is_some_and(|mark| mark.is('(')) && is_code(before.next(), shown);
    let last = words.clone().last();
    let is_kind = last.is_some_and(|word| word.says_one_of(&KNOWN_KINDS));
    let is_lettered = words
        .clone()
        .zip(words.clone().skip(1))
        .any(|(word, letter)| letter.text.chars().count() == 1 && is_common(word));
    is_next
        || is_after_code
        || is_kind
        || is_lettered
        || is_example(run.tokens_before())
        || (count == 1 && (describes(run.text()) || ends_link_text(run)))
}

/// Returns `true` if a run is the end of a link's text in Markdown: "[Profile](https://…)". The word says what the link
/// is, and the address is checked by itself.
fn ends_link_text(run: &Run<'_, '_>) -> bool {
    matches!(run.after(), [end, open, ..] if end.is(']') && open.is('(') && open.glued)
}

/// Returns `true` if a run of several words is known without its spaces, like the name of a site in its address.
fn is_address(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let words = run.words().skip_while(|word| is_common(word));
    let is_long = words.clone().count() > 1;
    let joined: String = words.map(|word| word.text.to_lowercase()).collect();
    is_long && joined.is_ascii() && shown.is_word(&joined)
}

/// Returns `true` if a word starts with the first letter of a known place code and contains its other letters in order:
/// Frankfurt and FRA.
fn is_place_of_code(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let mut words = run.words();
    let (Some(word), None) = (words.next(), words.next()) else {
        return false;
    };
    shown.written.codes_of_places().any(|code| {
        let mut letters = word.text.bytes().map(|byte| byte.to_ascii_uppercase());
        let mut code = code.bytes();
        code.next() == letters.next() && code.all(|byte| letters.any(|letter| letter == byte))
    })
}

/// Returns `true` if a run contains a maker or product that replies mention without a source.
pub fn is_made(run: &Run<'_, '_>) -> bool {
    run.words().any(is_make)
}

/// Returns `true` if the parentheses after a run contain only a known code, like that of a place, or a known word that
/// is spelled much like the run, like a user name.
fn is_code_or_kin(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let [_, inside, end, ..] = run.after() else {
        return false;
    };
    let is_kin = || {
        let (word, name) = (inside.text.to_lowercase(), run.text().to_lowercase());
        Likeness::to(&word).distance(&name, KIN).is_some() && shown.is_known(inside)
    };
    (end.is(')') && is_code(Some(inside), shown)) || is_kin()
}

/// Returns `true` if a text is a hyphenated word whose last part has no capital: "Seattle-based".
fn describes(text: &str) -> bool {
    let last = text.split(['-', '‑']).skip(1).last();
    last.is_some_and(|last| last.starts_with(char::is_lowercase)) && !text.contains(' ')
}

/// Returns `true` if examples are introduced right before the end of these tokens: "such as …", "e.g., …", "Example:
/// …".
pub fn is_example(before: &[Token<'_>]) -> bool {
    let near = &before[before.len().saturating_sub(NEAR)..];
    let is_eg = |words: &[Token<'_>]| words[0].says("e") && words[1].is('.') && words[2].says("g");
    let is_such_as = |words: &[Token<'_>]| words[0].says("such") && words[1].says("as");
    let is_introduced = near.windows(3).any(is_eg) || near.windows(2).any(is_such_as);
    let labelled = near.iter().skip_while(|word| !word.says("example"));
    is_introduced || labelled.skip(1).any(|sign| sign.is(':'))
}

/// Returns `true` if a run is the end of a label.
pub fn is_label(run: &Run<'_, '_>) -> bool {
    match run.next() {
        Next::Sign(next) => next.is(':'),
        Next::Word(_) | Next::End => false,
    }
}

/// Returns `true` if a token is a known code in capitals.
fn is_code(token: Option<&Token<'_>>, shown: &Shown<'_, '_>) -> bool {
    token.is_some_and(|token| {
        token.kind == TokenKind::Letters && is_acronym(token.text) && shown.is_known(token)
    })
}

/// Returns `true` if the next word is one under which results have names: "the Crimson album".
fn is_before_label(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    match run.next() {
        Next::Word(next) => shown.written.holds_names_under(next),
        Next::Sign(_) | Next::End => false,
    }
}

/// Returns `true` if the next word is not a preposition, a verb or the like.
fn is_before_noun(run: &Run<'_, '_>) -> bool {
    match run.next() {
        Next::Word(next) => !next.says_one_of(&AFTER_NAMES),
        Next::Sign(_) | Next::End => false,
    }
}

/// Returns `true` if a comma follows a run.
pub fn is_before_comma(run: &Run<'_, '_>) -> bool {
    match run.next() {
        Next::Sign(next) => next.is(','),
        Next::Word(_) | Next::End => false,
    }
}

/// Returns `true` if a run is the city of an address where results have cities: a code of two capitals and a known
/// number follow, as in "Phoenix, AZ 85016".
pub fn is_city(run: &Run<'_, '_>, shown: &Shown<'_, '_>) -> bool {
    let mut after = run.after().iter().filter(|token| !token.is(','));
    let has_comma = run.after().first().is_some_and(|comma| comma.is(','));
    let is_state = |code: &Token<'_>| code.text.len() == 2 && is_acronym(code.text);
    let is_code = |number: &Token<'_>| {
        number.kind == TokenKind::Digits
            && number.text.len() == POSTAL_CODE
            && shown.is_known(number)
    };
    let have_cities = || shown.written.holds_names_under(&Token::of_word("city"));
    has_comma
        && after.next().is_some_and(is_state)
        && after.next().is_some_and(is_code)
        && have_cities()
}

/// Returns `true` if the sentence continues after a run.
pub fn goes_on(run: &Run<'_, '_>) -> bool {
    match run.next() {
        Next::Word(word) => !word.is_capitalized,
        Next::Sign(_) | Next::End => false,
    }
}

/// Returns `true` if the parentheses after a run contain a number, which says which one it is.
pub fn has_number_in_brackets(run: &Run<'_, '_>) -> bool {
    let after = run.after();
    let inside = after.iter().skip(1).take(4);
    after.first().is_some_and(|mark| mark.is('('))
        && inside
            .take_while(|token| !token.is(')'))
            .any(|token| token.kind == TokenKind::Digits)
}
