//! What email addresses and URLs have in common: runs of tokens without white space.

use crate::text::{Token, TokenKind};

/// Whether a token may start an address: it is no sign, and another token is glued to it.
pub fn may_start(tokens: &[Token<'_>]) -> bool {
    tokens[0].kind != TokenKind::Sign && tokens.get(1).is_some_and(|next| next.glued)
}

/// The text from the first token on up to the next white space, of at most `most` tokens.
pub fn glued_run<'t>(tokens: &[Token<'t>], text: &'t str, most: usize) -> &'t str {
    let more = tokens.iter().take(most).skip(1);
    let last = more.take_while(|token| token.glued).last();
    let end = last.map_or(tokens[0].end(), Token::end);
    &text[tokens[0].start..end]
}

/// How many tokens are in the first `length` bytes.
pub fn tokens_within(tokens: &[Token<'_>], length: usize) -> usize {
    let end = tokens[0].start + length;
    tokens.iter().take_while(|token| token.start < end).count()
}
