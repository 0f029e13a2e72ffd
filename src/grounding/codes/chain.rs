//! Finds words and numbers that signs join into one: `test_login_fails`, `worker-7b64d9d4c-lm2rt`, `1.8.4`.

use toolgauge_facts::{Token, TokenKind};

/// Longer chains are not checked.
pub const LONGEST: usize = 10;

/// Consecutive tokens of a text that form one chain. A single word is a chain, too.
#[derive(Debug, Clone, Copy)]
pub struct Chain<'k, 't> {
    /// The words and numbers, and the signs between them.
    pub tokens: &'k [Token<'t>],
    /// The token before the chain.
    pub before: Option<&'k Token<'t>>,
    /// The token after the chain.
    pub after: Option<&'k Token<'t>>,
}

/// Yields the chains of a text with these tokens, in order.
pub fn chains<'k, 't>(tokens: &'k [Token<'t>]) -> impl Iterator<Item = Chain<'k, 't>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let first = at
            + tokens[at..]
                .iter()
                .position(|token| token.kind != TokenKind::Sign)?;
        at = first + 1;
        while let [joint, next, ..] = &tokens[at..] {
            if !joins(joint) || !next.glued || next.kind == TokenKind::Sign {
                break;
            }
            at += 2;
        }
        Some(Chain {
            tokens: &tokens[first..at],
            before: first.checked_sub(1).map(|before| &tokens[before]),
            after: tokens.get(at),
        })
    })
}

fn joins(joint: &Token<'_>) -> bool {
    joint.glued && (joint.is('_') || joint.is('-') || joint.is('.'))
}

impl<'k, 't> Chain<'k, 't> {
    /// Yields the words and numbers.
    pub fn parts(&self) -> impl Iterator<Item = &'k Token<'t>> + use<'k, 't> {
        self.tokens.iter().step_by(2)
    }

    /// Returns the number of words and numbers.
    pub fn len(&self) -> usize {
        self.tokens.len().div_ceil(2)
    }

    /// Returns the byte offset of its start in the text.
    pub fn start(&self) -> usize {
        self.tokens[0].start
    }

    /// Returns the byte offset of its end in the text.
    pub fn end(&self) -> usize {
        self.tokens[self.tokens.len() - 1].end()
    }

    /// Checks whether a word, or a sign that is unusual in prose, is attached to the chain without a space.
    pub fn is_part(&self) -> bool {
        let joins = |token: &Token<'_>| {
            let is_word = token.kind != TokenKind::Sign && token.text.is_ascii();
            is_word
                || matches!(
                    token.text,
                    "/" | "@" | "\\" | "=" | "%" | "$" | "€" | "£" | "+" | "~" | "." | "-" | "_"
                )
        };
        let is_after = self
            .after
            .is_some_and(|after| after.glued && joins(after) && !after.is('.') && !after.is('-'));
        let is_before = self
            .before
            .is_some_and(|before| self.tokens[0].glued && joins(before));
        is_before || is_after
    }

    /// Checks whether the chain consists of numbers joined by dots, as in a version or an address: `1.8.4`, `v2.0.1`.
    pub fn is_version(&self) -> bool {
        let mut joints = self.tokens.iter().skip(1).step_by(2);
        let mut parts = self.parts();
        let is_first = parts.next().is_some_and(|first| {
            let digits = first.text.trim_start_matches(['v', 'V']);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        self.len() > 2
            && is_first
            && joints.all(|joint| joint.is('.'))
            && parts.all(|part| part.kind == TokenKind::Digits)
    }

    /// Checks whether a version may be a number with separators between its thousands.
    pub fn may_be_number(&self) -> bool {
        self.len() == 3 && self.parts().skip(1).all(|part| part.text.len() == 3)
    }
}
