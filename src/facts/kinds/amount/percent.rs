//! Recognises the signs and words that make a number a percentage.

use crate::text::{Token, TokenKind, WordList};

/// Single words for "percent". The spellings of two words start with one of [`PER`].
pub static PERCENT: WordList = WordList::of("percent pct prozent prosent procent");

/// The first word of the two-word spellings of "percent": `per cent`, `pour cent`, `por ciento`.
pub static PER: WordList = WordList::of("per pour por");

/// Checks whether the letters glued to a number mean "percent": `25pct`.
pub fn is_percent_ending(ending: &Token<'_>) -> bool {
    ending.says_one_of(&PERCENT)
}

/// Returns the number of tokens of `%`, "percent", "per cent" or the like at the start of `rest`.
pub fn percent_length(rest: &[Token<'_>]) -> Option<usize> {
    let word = rest.first()?;
    match word.kind {
        TokenKind::Sign => (word.is('%') || word.is('％')).then_some(1),
        TokenKind::Letters if word.says_one_of(&PERCENT) => Some(1),
        TokenKind::Letters if word.says_one_of(&PER) => {
            rest.get(1)?.says_one_of("cent ciento").then_some(2)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::testing::check;

    #[test]
    fn percentages() {
        check(
            read,
            &[
                (
                    "25%, 25 %, 25 percent",
                    &[
                        "percent 25 or 0.25 in 25%",
                        "percent 25 or 0.25 in 25 %",
                        "percent 25 or 0.25 in 25 percent",
                    ],
                ),
                (
                    "7 Prozent, 7 pour cent, 14.3%",
                    &[
                        "percent 7 or 0.07 in 7 Prozent",
                        "percent 7 or 0.07 in 7 pour cent",
                        "percent 14.3 or 0.143 in 14.3%",
                    ],
                ),
                (
                    "20-25%, -3%",
                    &[
                        "percent 20 or 0.2 in 20",
                        "percent 25 or 0.25 in 25%",
                        "percent -3 or -0.03 in -3%",
                    ],
                ),
                ("1,5 %", &["percent 1.5 or 0.015 in 1,5 %"]),
            ],
        );
    }
}
