//! Known names with one word replaced: "Audi A6" where results have an "Audi A8".

use super::context::is_example;
use super::general::{connects, is_common, is_number_word, is_of_calendar};
use super::known::Unknown;
use super::pattern::{MOST_WORDS, pattern};
use super::{Shown, UnshownName};
use crate::likeness::Likeness;
use toolgauge_facts::{Token, TokenKind, key_of};

/// How many unknown words are compared with known names.
const MOST_SUSPECTS: usize = 100;

/// If a word differs from the known one by at most this share of its letters, it is a misspelling.
const MISSPELT: f64 = 0.25;

/// Returns the names in `content` that are known names with one word replaced by an unknown one.
pub fn swapped<'k, 'a>(
    content: &'a str,
    tokens: &[Token<'a>],
    unknown: &Unknown,
    shown: &Shown<'k, 'a>,
) -> Vec<UnshownName<'k, 'a>> {
    let is_suspect = |at: &usize| {
        let word = &tokens[*at];
        unknown.hold(word) && may_be_another(word) && !is_example(&tokens[..*at])
    };
    let suspects = (0..tokens.len()).filter(|at| tokens[*at].kind != TokenKind::Sign);
    let suspects: Vec<_> = suspects.filter(is_suspect).take(MOST_SUSPECTS).collect();
    if suspects.is_empty() {
        return Vec::new();
    }
    let words: Vec<_> = (0..tokens.len())
        .filter(|at| tokens[*at].kind != TokenKind::Sign)
        .collect();
    let keys: Vec<_> = words.iter().map(|at| key_of(tokens[*at].text)).collect();
    let name = |at: usize| {
        let (first, last, known) = window(&words, &keys, at, tokens, content, shown)?;
        Some(UnshownName {
            text: &content[tokens[first].start..tokens[last].end()],
            start: tokens[first].start,
            closest: None,
            instead: Some(known),
        })
    };
    let place = |at: usize| words.partition_point(|word| *word < at);
    suspects.into_iter().map(place).filter_map(name).collect()
}

/// Returns `true` if a word may be the wrong one in a name: a capitalized word or a code.
fn may_be_another(word: &Token<'_>) -> bool {
    match word.kind {
        TokenKind::Mixed => true,
        TokenKind::Letters => {
            word.is_capitalized
                && (is_number_word(word) || !(is_common(word) || is_of_calendar(word)))
        }
        TokenKind::Digits | TokenKind::Sign => false,
    }
}

/// Returns `true` if a word distinguishes things with the same name: a code or a number.
fn is_mark(word: &Token<'_>) -> bool {
    word.kind == TokenKind::Mixed || is_number_word(word)
}

/// Returns the first and the last token of a name that has the word at `at` where a known name has another word, and
/// that other word.
fn window<'a>(
    words: &[usize],
    keys: &[u64],
    at: usize,
    tokens: &[Token<'_>],
    content: &str,
    shown: &Shown<'_, 'a>,
) -> Option<(usize, usize, &'a str)> {
    let fewest = if is_mark(&tokens[words[at]]) { 2 } else { 3 };
    (fewest..=MOST_WORDS).rev().find_map(|length| {
        (0..length).find_map(|gap| {
            let start = at.checked_sub(gap)?;
            let (all, keys) = (keys, keys.get(start..start + length)?);
            let known = shown.written.word_in_gap(pattern(keys, gap))?;
            let (first, last) = (words[start], words[start + length - 1]);
            let rest = || (first..=last).filter(|token| *token != words[at]);
            let is_name = !is_misspelt(&tokens[words[at]], known)
                && (is_mark(&tokens[words[at]])
                    || rest()
                        .filter(|token| distinguishes(&tokens[*token]))
                        .count()
                        > 1)
                && rest().any(|token| tokens[token].is_capitalized)
                && rest().all(|token| !parts(&tokens[token]))
                && !holds_instead(all, keys, gap, known)
                && !content[tokens[first].start..tokens[last].start].contains('\n');
            is_name.then_some((first, last, known))
        })
    })
}

/// Returns `true` if the reply also contains the name with `known` at the gap. Then the two names are two different
/// things.
fn holds_instead(reply: &[u64], name: &[u64], gap: usize, known: &str) -> bool {
    let known = key_of(known);
    let mut windows = reply.windows(name.len());
    windows.any(|words| {
        let mut pairs = words.iter().zip(name).enumerate();
        pairs.all(|(at, (word, part))| *word == if at == gap { known } else { *part })
    })
}

/// Returns `true` if a word helps to identify a name.
fn distinguishes(token: &Token<'_>) -> bool {
    token.kind != TokenKind::Sign && !connects(token)
}

/// Returns `true` if a word without digits is the known one in another spelling.
fn is_misspelt(word: &Token<'_>, known: &str) -> bool {
    let (word, known) = (word.text.to_lowercase(), known.to_lowercase());
    let is_word = word.chars().all(char::is_alphabetic);
    is_word && Likeness::to(&word).distance(&known, MISSPELT).is_some()
}

/// Returns `true` if a sign separates names.
fn parts(token: &Token<'_>) -> bool {
    matches!(
        token.text,
        "," | ";" | ":" | "|" | "!" | "?" | "=" | "." | "(" | ")"
    )
}
