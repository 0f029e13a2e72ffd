//! Runs of capitalized words that may be names, and what surrounds them.

use super::general::{CONNECTORS, TITLES, is_common};
use toolgauge_facts::{Token, TokenKind};

/// Capitalized words that belong together: `Raj Brown`, `Dr. Mia O'Neil`, `Bay of Plenty`.
#[derive(Debug, Clone, Copy)]
pub struct Run<'k, 't> {
    /// All tokens of the text.
    tokens: &'k [Token<'t>],
    first: usize,
    /// One past the last token.
    end: usize,
    text: &'t str,
}

/// What is before a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place<'k, 't> {
    /// A word, a comma or a digit of the same sentence, so the first capital is that of a name.
    Inside(&'k Token<'t>),
    /// A label that ends with this word: `Doctor: `.
    Label(&'k Token<'t>),
    /// The start of a sentence, a line or an item.
    Start,
    /// Signs of code, addresses and placeholders, or letters of a script without capitals.
    Bound,
}

/// What follows a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next<'k, 't> {
    /// A word of the same line.
    Word(&'k Token<'t>),
    /// A sign of the same line.
    Sign(&'k Token<'t>),
    /// The end of the line.
    End,
}

/// Returns the runs of `text`, in order. `tokens` are its tokens.
pub fn runs<'k, 't>(text: &'t str, tokens: &'k [Token<'t>]) -> impl Iterator<Item = Run<'k, 't>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = at + tokens[at..].iter().position(|token| token.is_capitalized)?;
        at = end_of(text, tokens, first);
        Some(Run {
            tokens,
            first,
            end: at,
            text,
        })
    })
}

/// Returns the end of the run that starts at the token `first`.
fn end_of(text: &str, tokens: &[Token<'_>], first: usize) -> usize {
    let mut end = first + 1;
    while let Some(more) = continued(text, &tokens[end - 1..]) {
        end += more;
    }
    end
}

/// Returns how many tokens continue a run after its last word, which is the first of `tokens`.
fn continued(text: &str, tokens: &[Token<'_>]) -> Option<usize> {
    let goes_on = |at: usize| {
        let token = tokens.get(at)?;
        let is_apart =
            token.is_capitalized && !token.glued && is_same_line(text, &tokens[at - 1], token);
        is_apart.then_some(at)
    };
    let next = tokens.get(1)?;
    if next.is_capitalized {
        return goes_on(1);
    }
    if next.glued && (is_apostrophe(next) || next.is('-') || next.is('‑')) {
        let joined = tokens.get(2)?;
        // "It's", "C'est": a separate word before the name.
        let is_contracted = is_apostrophe(next)
            && !joined.is_capitalized
            && (tokens[0].text.len() == 1 || is_common(&tokens[0]));
        if is_contracted {
            return None;
        }
        return (joined.glued && joined.kind == TokenKind::Letters).then_some(2);
    }
    let is_abbreviation = || tokens[0].text.len() == 1 || tokens[0].says_one_of(&TITLES);
    if next.glued && next.is('.') && is_abbreviation() {
        return goes_on(2);
    }
    let connects = !next.glued && (next.is('&') || next.says_one_of(&CONNECTORS));
    (connects && is_same_line(text, &tokens[0], next))
        .then(|| goes_on(2))
        .flatten()
}

fn is_apostrophe(token: &Token<'_>) -> bool {
    token.is('\'') || token.is('’')
}

fn is_same_line(text: &str, before: &Token<'_>, token: &Token<'_>) -> bool {
    !text[before.end()..token.start].contains('\n')
}

/// Returns `true` for marks that may be between a word and the name after it.
fn is_mark(token: &Token<'_>) -> bool {
    matches!(
        token.text,
        "*" | "\"" | "“" | "”" | "„" | "‘" | "’" | "'" | "«" | "»" | "("
    )
}

impl<'k, 't> Run<'k, 't> {
    /// Returns the words of the run without connectors. Of a hyphenated word, only the first part is returned.
    pub fn words(&self) -> impl Iterator<Item = &'k Token<'t>> + Clone + use<'k, 't> {
        let (tokens, first) = (self.tokens, self.first);
        (first..self.end).filter_map(move |at| {
            let token = &tokens[at];
            let is_joined = at > first && token.glued && !is_apostrophe(&tokens[at - 1]);
            (token.is_capitalized && !is_joined).then_some(token)
        })
    }

    /// Returns the run without its first word, or `None` if it has only one word.
    pub fn without_first(&self) -> Option<Self> {
        let words = &self.tokens[self.first + 1..self.end];
        let more = words
            .iter()
            .position(|token| token.is_capitalized && !token.glued)?;
        Some(Self {
            first: self.first + 1 + more,
            ..*self
        })
    }

    /// Returns the run as it is written.
    pub fn text(&self) -> &'t str {
        &self.text[self.start()..self.tokens[self.end - 1].end()]
    }

    /// Returns the byte offset of its start in the text.
    pub fn start(&self) -> usize {
        self.tokens[self.first].start
    }

    /// Returns `true` if the run is at the start of a quotation.
    pub fn is_quoted(&self) -> bool {
        let mut before = self.before().filter(|token| !token.is('*'));
        before
            .next()
            .is_some_and(|token| matches!(token.text, "\"" | "“" | "„" | "‘" | "'" | "«"))
    }

    /// Returns the tokens before the run.
    pub fn tokens_before(&self) -> &'k [Token<'t>] {
        &self.tokens[..self.first]
    }

    /// Returns the tokens before the run, the nearest first, including those of other lines.
    pub fn before(&self) -> impl Iterator<Item = &'k Token<'t>> + Clone + use<'k, 't> {
        self.tokens[..self.first].iter().rev()
    }

    /// Returns the tokens after the run.
    pub fn after(&self) -> &'k [Token<'t>] {
        &self.tokens[self.end..]
    }

    /// Returns what follows the run.
    pub fn next(&self) -> Next<'k, 't> {
        let mut after = self.after().iter();
        let Some(next) = after.find(|token| !token.is('*')) else {
            return Next::End;
        };
        let end = self.tokens[self.end - 1].end();
        match next.kind {
            _ if self.text[end..next.start].contains('\n') => Next::End,
            TokenKind::Sign => Next::Sign(next),
            TokenKind::Letters | TokenKind::Digits | TokenKind::Mixed => Next::Word(next),
        }
    }

    /// Returns what is before the run.
    pub fn place(&self) -> Place<'k, 't> {
        let first = &self.tokens[self.first];
        let mut before = self.before();
        let is_glued_after = self.after().first().is_some_and(|next| {
            next.glued
                && (next.kind != TokenKind::Sign
                    || next.is('_')
                    || next.is('/')
                    || next.is('@')
                    || next.is('='))
        });
        let mut nearest = before.clone().next();
        if is_glued_after || nearest.is_some_and(|token| first.glued && !is_mark(token)) {
            return Place::Bound;
        }
        while let Some(mark) = nearest.filter(|token| is_mark(token)) {
            before.next();
            nearest = before.clone().next();
            if nearest.is_some_and(|token| !is_same_line(self.text, token, mark)) {
                return Place::Start;
            }
        }
        let Some(nearest) = nearest.filter(|token| is_same_line(self.text, token, first)) else {
            return Place::Start;
        };
        match nearest.kind {
            TokenKind::Letters | TokenKind::Digits | TokenKind::Mixed => Place::Inside(nearest),
            TokenKind::Sign if nearest.is(':') => self.label(before.skip(1)),
            TokenKind::Sign if nearest.is(',') || nearest.is('&') => Place::Inside(nearest),
            TokenKind::Sign => Place::Start,
        }
    }

    /// Returns the label before a colon. `before` yields the tokens before the colon, the nearest first.
    fn label(&self, before: impl Iterator<Item = &'k Token<'t>>) -> Place<'k, 't> {
        let mut before = before.skip_while(|token| is_mark(token) || token.is(')'));
        match before.next() {
            Some(word) if word.kind == TokenKind::Letters => Place::Label(word),
            Some(_) | None => Place::Start,
        }
    }
}
