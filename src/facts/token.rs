//! Text as the recognisers of facts read it: words, numbers and signs.

use super::word_list::Words;

/// A piece of text without white space: a run of letters and digits, or one other character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// The text.
    pub text: &'t str,
    /// Where it starts, in bytes.
    pub start: usize,
    /// What it is made of.
    pub kind: TokenKind,
    /// Whether it follows the token before it without white space.
    pub glued: bool,
}

/// What a token is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// ASCII digits.
    Digits,
    /// Letters.
    Letters,
    /// Letters and digits.
    Mixed,
    /// One character that is neither.
    Sign,
}

impl Token<'_> {
    /// Where it ends, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this sign.
    pub fn is(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign && self.text.starts_with(sign)
    }

    /// The sign that it is.
    pub fn sign(&self) -> Option<char> {
        let is_sign = self.kind == TokenKind::Sign;
        is_sign.then(|| self.text.chars().next()).flatten()
    }

    /// Whether it is this word, whatever its case; `word` is in lower case.
    pub fn says(&self, word: &str) -> bool {
        if self.text.len() != word.len() {
            return false;
        }
        self.text.eq_ignore_ascii_case(word)
            || (!word.is_ascii()
                && self
                    .text
                    .chars()
                    .flat_map(char::to_lowercase)
                    .eq(word.chars()))
    }

    /// Whether it is one of these words.
    pub fn says_one_of(&self, words: &(impl Words + ?Sized)) -> bool {
        self.kind != TokenKind::Sign && self.place_among(words).is_some()
    }

    /// Which of these words it is, from 0. Only those whose length and first letter are its own are
    /// looked at.
    pub fn place_among(&self, words: &(impl Words + ?Sized)) -> Option<usize> {
        if !words.may_hold(self.text) {
            return None;
        }
        let words = words.words();
        let first = self.text.as_bytes()[0];
        let (mut start, mut place) = (0, 0);
        for (at, byte) in words.bytes().chain([b' ']).enumerate() {
            if byte != b' ' {
                continue;
            }
            let may_be = at - start == self.text.len()
                && (words.as_bytes()[start] == first | 0x20 || !first.is_ascii());
            if may_be && self.says(&words[start..at]) {
                return Some(place);
            }
            start = at + 1;
            place += 1;
        }
        None
    }

    /// The value of at most nine digits.
    pub fn number(&self) -> Option<u32> {
        let is_number = self.kind == TokenKind::Digits && self.text.len() <= 9;
        is_number.then(|| self.text.parse().ok()).flatten()
    }
}

/// The tokens of `text`. CJK characters are letters that are words by themselves.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::with_capacity(text.len() / 4 + SPARE);
    read_tokens(text, &mut found);
    found
}

/// Room for the tokens of a short text, such as a date, which has more of them than prose of its length.
const SPARE: usize = 4;

/// Puts the tokens of `text` in place of those in `found`.
pub fn read_tokens<'t>(text: &'t str, found: &mut Vec<Token<'t>>) {
    found.clear();
    let mut at = 0;
    let mut glued = false;
    while let Some(first) = class_at(text, at) {
        let start = at;
        at += first.length;
        let kind = match first.class {
            Class::Space => {
                glued = false;
                continue;
            }
            Class::Sign => TokenKind::Sign,
            Class::Word => TokenKind::Letters,
            Class::Digit | Class::Letter => {
                let mut seen = first.class as u8;
                loop {
                    let (rest, seen_there) = ascii_run(&text.as_bytes()[at..]);
                    at += rest;
                    seen |= seen_there;
                    // After a run of letters and digits, most often another ASCII character stands.
                    if text.as_bytes().get(at).is_none_or(u8::is_ascii) {
                        break;
                    }
                    match class_at(text, at) {
                        Some(next) if next.class == Class::Letter => {
                            at += next.length;
                            seen |= next.class as u8;
                        }
                        _ => break,
                    }
                }
                if seen == Class::Digit as u8 {
                    TokenKind::Digits
                } else if seen == Class::Letter as u8 {
                    TokenKind::Letters
                } else {
                    TokenKind::Mixed
                }
            }
        };
        let token = Token {
            text: &text[start..at],
            start,
            kind,
            glued,
        };
        match iso_parts(found, token) {
            Some(parts) => found.extend(parts),
            None => found.push(token),
        }
        glued = true;
    }
}

/// How many ASCII letters and digits `bytes` start with, and the bits of their classes.
#[inline]
fn ascii_run(bytes: &[u8]) -> (usize, u8) {
    let mut seen = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => seen |= Class::Letter as u8,
            b'0'..=b'9' => seen |= Class::Digit as u8,
            _ => return (at, seen),
        }
    }
    (bytes.len(), seen)
}

/// What a character is to tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// An ASCII digit.
    Digit = 1,
    /// A letter, or a digit that is not ASCII.
    Letter = 2,
    /// A letter that is a word by itself.
    Word,
    Sign,
}

/// A class and how many bytes the character of it takes.
#[derive(Clone, Copy)]
struct Classified {
    class: Class,
    length: usize,
}

/// The class of the character that starts at byte `at`; nothing at the end of the text.
#[inline]
fn class_at(text: &str, at: usize) -> Option<Classified> {
    let byte = *text.as_bytes().get(at)?;
    match ASCII.get(usize::from(byte)) {
        Some(class) => Some(Classified {
            class: *class,
            length: 1,
        }),
        None => text[at..].chars().next().map(class_of),
    }
}

fn class_of(c: char) -> Classified {
    let class = if c.is_whitespace() {
        Class::Space
    } else if !c.is_alphanumeric() {
        Class::Sign
    } else if stands_alone(c) {
        Class::Word
    } else {
        Class::Letter
    };
    Classified {
        class,
        length: c.len_utf8(),
    }
}

/// The classes of the ASCII characters: nearly all text is made of them.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Sign; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'0'..=b'9' => Class::Digit,
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'\t'..=b'\r' | b' ' => Class::Space,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
};

/// The day, the `T` and the hour of `2024-05-13T15:00`, where `token` is its `13T15`.
fn iso_parts<'t>(before: &[Token<'t>], token: Token<'t>) -> Option<[Token<'t>; 3]> {
    let is_joined = token.kind == TokenKind::Mixed && token.glued && token.text.len() == 5;
    let [.., year, first, month, second] = (if is_joined { before } else { &[] }) else {
        return None;
    };
    let is_month = first.is('-') && month.number().is_some() && second.is('-') && second.glued;
    let (day, hour) = token.text.split_once(['T', 't'])?;
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    (is_month && year.text.len() == 4 && digits(day) && digits(hour)).then(|| {
        let part = |from: usize, to: usize, kind, glued| Token {
            text: &token.text[from..to],
            start: token.start + from,
            kind,
            glued,
        };
        [
            part(0, 2, TokenKind::Digits, true),
            part(2, 3, TokenKind::Letters, true),
            part(3, 5, TokenKind::Digits, true),
        ]
    })
}

/// Scripts that write words without spaces: Chinese, Japanese, Korean, Thai.
fn stands_alone(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_numbers_and_signs_are_parted() {
        let found: Vec<_> = tokens("Flug HAT271, €1.250,00 für 3日")
            .iter()
            .map(|token| (token.text, token.kind, token.glued))
            .collect();
        use TokenKind::{Digits, Letters, Mixed, Sign};
        assert_eq!(
            found,
            [
                ("Flug", Letters, false),
                ("HAT271", Mixed, false),
                (",", Sign, true),
                ("€", Sign, false),
                ("1", Digits, true),
                (".", Sign, true),
                ("250", Digits, true),
                (",", Sign, true),
                ("00", Digits, true),
                ("für", Letters, false),
                ("3", Digits, false),
                ("日", Letters, true),
            ]
        );
    }

    #[test]
    fn the_day_and_the_hour_of_an_iso_time_are_parted() {
        let found: Vec<_> = tokens("2024-05-13T15:00Z, AB-05-13T15")
            .iter()
            .map(|token| token.text)
            .collect();
        assert_eq!(
            found,
            [
                "2024", "-", "05", "-", "13", "T", "15", ":", "00Z", ",", "AB", "-", "05", "-",
                "13T15"
            ]
        );
    }

    #[test]
    fn words_are_compared_without_case() {
        assert!(tokens("FÉVRIER")[0].says_one_of("mars février"));
        assert!(!tokens("fevrier")[0].says("février"));
    }

    #[test]
    fn positions_are_bytes() {
        let found = tokens("é 1");
        assert_eq!((found[1].start, found[1].end()), (3, 4));
    }
}
