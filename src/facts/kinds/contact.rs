//! Shared helpers for email addresses and URLs, which are runs of tokens without white space.

use crate::text::{Token, TokenKind};

/// Checks whether an address may start at the first of `tokens`: it must not be a sign, and the next token must be
/// glued to it.
pub fn may_start(tokens: &[Token<'_>]) -> bool {
    tokens[0].kind != TokenKind::Sign && tokens.get(1).is_some_and(|next| next.glued)
}

/// Returns the text from the first token up to the next white space, limited to `most` tokens.
pub fn glued_run<'t>(tokens: &[Token<'t>], text: &'t str, most: usize) -> &'t str {
    let more = tokens.iter().take(most).skip(1);
    let last = more.take_while(|token| token.glued).last();
    let end = last.map_or(tokens[0].end(), Token::end);
    &text[tokens[0].start..end]
}

/// Returns the number of tokens that start within the first `length` bytes.
pub fn tokens_within(tokens: &[Token<'_>], length: usize) -> usize {
    let end = tokens[0].start + length;
    tokens.iter().take_while(|token| token.start < end).count()
}
