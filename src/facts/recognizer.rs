//! What a recogniser of facts is.

use super::fact::{FactKind, FactValue};
use super::text::{Token, TokenKind};

/// A fact that a recogniser found, and how many tokens it takes.
pub struct Found<'t> {
    /// What it is.
    pub kind: FactKind,
    /// How many tokens it takes.
    pub tokens: usize,
    /// What it means.
    pub value: FactValue<'t>,
}

/// Reads a fact at the first of `tokens`; `before` are those before it. There is at least one.
pub type ReadFact =
    for<'t> fn(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>>;

/// Finds facts of one kind, or of kinds that are read alike.
pub struct Recognizer {
    /// The kinds of tokens that such a fact may start with.
    pub starts: &'static [TokenKind],
    /// Whether such a fact may start with this word of letters, whatever follows it. Asked once for each word, and only
    /// for those that [`super::kinds::traits_of`] lets through.
    pub starts_with_word: fn(&Token<'_>) -> bool,
    /// Reads such a fact.
    pub read: ReadFact,
}

/// For recognisers of facts that no word of letters starts by itself.
pub fn no_word(_: &Token<'_>) -> bool {
    false
}
