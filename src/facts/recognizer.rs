//! Defines the interface of recognisers, which find facts in tokens.

use super::fact::{FactKind, FactValue};
use super::text::{Token, TokenKind};

/// A fact that a recogniser found, with the number of its tokens.
pub struct Found<'t> {
    /// The kind of the fact.
    pub kind: FactKind,
    /// The number of tokens that the fact consists of.
    pub tokens: usize,
    /// The meaning of the fact.
    pub value: FactValue<'t>,
}

/// Reads a fact at the start of `tokens`, which is not empty. `before` holds the tokens before that.
pub type ReadFact =
    for<'t> fn(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>>;

/// Finds facts of one kind, or of several kinds that are read alike.
pub struct Recognizer {
    /// The kinds of tokens with which such a fact may start.
    pub starts: &'static [TokenKind],
    /// Checks whether such a fact may start with this word of letters, regardless of what follows. It is called once
    /// per distinct word, and only for the words that [`super::kinds::traits_of`] lets through.
    pub starts_with_word: fn(&Token<'_>) -> bool,
    /// Reads such a fact.
    pub read: ReadFact,
}

/// Returns `false`. Recognisers use this as `starts_with_word` if no word of letters is enough to suggest that such a
/// fact starts.
pub fn no_word(_: &Token<'_>) -> bool {
    false
}
