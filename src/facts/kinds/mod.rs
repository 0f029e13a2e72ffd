//! The recognisers, one file for each kind of fact. Money, numbers and percentages share the recogniser in `amount`.

pub mod amount;
mod contact;
pub mod date;
pub mod email;
pub mod identifier;
pub mod phone;
pub mod quote;
pub mod time;
pub mod url;

use std::slice::from_ref;

use super::recognizer::Recognizer;
use super::text::{Token, WordFilter, WordTraits};

/// All recognisers. If several find a fact at the same token, the first one wins.
pub static RECOGNIZERS: [&Recognizer; 8] = [
    &url::RECOGNIZER,
    &email::RECOGNIZER,
    &date::RECOGNIZER,
    &time::RECOGNIZER,
    &identifier::RECOGNIZER,
    &phone::RECOGNIZER,
    &amount::RECOGNIZER,
    &quote::RECOGNIZER,
];

/// The words that facts may start with, except compounds, and the words that may continue a fact.
static FIRST_WORDS: WordFilter = WordFilter::of(&[
    &amount::SMALL,
    &amount::TENS,
    from_ref(&amount::HUNDREDS),
    &amount::ROUND,
    from_ref(&amount::CENT),
    from_ref(&time::NOON),
    from_ref(&time::MIDNIGHT),
    &date::MONTHS,
    &date::SHORT_MONTHS,
    from_ref(&amount::CODES),
    from_ref(&amount::CURRENCIES_BEFORE),
]);

/// Returns the traits of a word, given its key and its text.
pub fn traits_of(key: u64, word: &str) -> WordTraits {
    let token = Token::of_word(word);
    let is_ascii = word.is_ascii();
    let may_be_first = FIRST_WORDS.may_hold(key);
    let starts = || {
        let mut recognizers = RECOGNIZERS.iter();
        recognizers.any(|known| (known.starts_with_word)(&token))
    };
    WordTraits {
        // The filter comes first because few words pass it, while asking the recognisers takes long.
        may_start_fact: !is_ascii || ((may_be_first || amount::may_be_compound(word)) && starts()),
        may_go_on_fact: may_be_first && amount::follows_norwegian_count(&token),
        may_measure: !is_ascii || amount::MEASURES.may_hold(key),
    }
}
