//! Text without its facts: words, numbers and signs, the vocabulary that numbers words, and lists of words. It knows no
//! recogniser: what recognisers ask of a word and which facts a text states comes from the functions that [`Texts`] gets.

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
