//! Texts apart from their facts: words, numbers and signs, the vocabulary that numbers words, and lists of words. This
//! module knows no recogniser: [`Texts`] gets the functions that find facts and that return the traits of a word.

mod delimited;
mod table;
mod texts;
mod token;
mod vocabulary;
mod word_list;

pub use delimited::{cell_ends, cells};
pub use texts::{Analysis, TextId, Texts};
#[cfg(test)]
pub use token::tokens;
pub use token::{Token, TokenKind, key_of, lower, read_tokens, split_after_digits};
pub use vocabulary::{Vocabulary, WordId, WordTraits};
pub use word_list::{WordFilter, WordList, Words};
