//! Splits a text into words in one notation, so that values compare equal however they are written.

use std::borrow::Cow;

/// A word, a number or one ideograph of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'t> {
    /// The word in its normal form: numbers have no grouping, no leading zeros and no trailing decimal zeros.
    pub word: Cow<'t, str>,
    /// The position of its first byte.
    pub start: usize,
    /// The position after its last byte.
    pub end: usize,
}

/// Returns the tokens of `text`, which is in lower case.
pub fn tokens_of(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let end = match first {
            _ if first.is_ascii_digit() => number_end(text, at),
            _ if is_ideograph(first) => at + first.len_utf8(),
            _ if first.is_alphanumeric() => word_end(text, at),
            _ => {
                at += first.len_utf8();
                continue;
            }
        };
        let written = &text[at..end];
        let is_ordinal = matches!(written, "st" | "nd" | "rd" | "th")
            && text[..at].ends_with(|c: char| c.is_ascii_digit());
        if !is_ordinal {
            let word = match first.is_ascii_digit() {
                true => number_as_compared(written),
                false => Cow::Borrowed(written),
            };
            tokens.push(Token {
                word,
                start: at,
                end,
            });
        }
        at = end;
    }
    tokens
}

/// Returns the words of a short text in any case, as [`tokens_of`] writes them.
pub fn words_in(text: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let tokens = tokens_of(&text).into_iter();
    tokens.map(|token| token.word.into_owned()).collect()
}

fn word_end(text: &str, start: usize) -> usize {
    let is_part = |c: char| c.is_alphanumeric() && !c.is_ascii_digit() && !is_ideograph(c);
    let length = text[start..].find(|c: char| !is_part(c));
    length.map_or(text.len(), |length| start + length)
}

/// Returns whether a character belongs to a script without spaces between words.
fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}')
}

/// Returns where the number that begins at `start` ends. It may have groups of three, one decimal point, or
/// the slash of a date.
fn number_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = digits_end(bytes, start);
    while bytes.get(end) == Some(&b',')
        && digits_end(bytes, end + 1) == end + 4
        && end - start <= 15
    {
        end += 4;
    }
    let follows_point = start > 0 && bytes[start - 1] == b'.';
    let after = digits_end(bytes, end + 1);
    let has_digits = after > end + 1;
    match bytes.get(end) {
        Some(b'.') if has_digits && !follows_point => {
            let goes_on =
                bytes.get(after) == Some(&b'.') && digits_end(bytes, after + 1) > after + 1;
            if goes_on { end } else { after }
        }
        Some(b'/') if has_digits && end - start <= 2 && after - end <= 3 => after,
        _ => end,
    }
}

fn digits_end(bytes: &[u8], start: usize) -> usize {
    let rest = bytes.get(start..).unwrap_or_default();
    let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    start + count
}

fn number_as_compared(written: &str) -> Cow<'_, str> {
    if let Some((month, day)) = written.split_once('/') {
        return Cow::Owned(format!("{}/{}", without_zeros(month), without_zeros(day)));
    }
    let number: Cow<'_, str> = match written.contains(',') {
        true => Cow::Owned(written.replace(',', "")),
        false => Cow::Borrowed(written),
    };
    let end = match number.contains('.') {
        true => number.trim_end_matches('0').trim_end_matches('.').len(),
        false => number.len(),
    };
    match number {
        Cow::Borrowed(number) => Cow::Borrowed(without_zeros(&number[..end])),
        Cow::Owned(number) => Cow::Owned(without_zeros(&number[..end]).to_owned()),
    }
}

fn without_zeros(number: &str) -> &str {
    let trimmed = number.trim_start_matches('0');
    match trimmed.starts_with(|c: char| c.is_ascii_digit()) {
        true => trimmed,
        false => &number[number.len() - trimmed.len() - usize::from(number.starts_with('0'))..],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_all_notations_compare_equal() {
        let cases = [
            ("$1,429.50 and 80.0", "1429.5 and 80"),
            ("07:05 or 7:05am", "7 5 or 7 5 am"),
            ("on 05/09, the 3rd", "on 5/9 the 3"),
            ("10.0.99.1 is 0.50", "10 0 99 1 is 0.5"),
            ("hat033, gift_card_12", "hat 33 gift card 12"),
            ("1,2,3 0", "1 2 3 0"),
            ("東京 tower", "東 京 tower"),
        ];
        for (text, expected) in cases {
            assert_eq!(words_in(text).join(" "), expected, "{text}");
        }
    }
}
