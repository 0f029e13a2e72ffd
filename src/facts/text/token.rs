//! Splits text into the tokens that recognisers read: words, numbers and signs.

use std::borrow::Cow;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::vocabulary::{Vocabulary, WordId};
use super::word_list::Words;

/// A piece of text without white space: a run of letters and digits, or one other character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'t> {
    /// The text of the token.
    pub text: &'t str,
    /// The byte offset at which the token starts.
    pub start: usize,
    /// The kind of its characters.
    pub kind: TokenKind,
    /// Whether no white space separates it from the token before it.
    pub glued: bool,
    /// Whether it is a word that starts with a capital letter.
    pub is_capitalized: bool,
    /// The id of the word, or `None` for a sign.
    pub word: Option<WordId>,
}

/// The kind of characters of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// ASCII digits.
    Digits,
    /// Only letters.
    Letters,
    /// Both letters and digits.
    Mixed,
    /// One character that is neither a letter nor a digit.
    Sign,
}

impl TokenKind {
    fn of_run(has_letters: bool, has_digits: bool) -> Self {
        match (has_letters, has_digits) {
            (_, false) => Self::Letters,
            (true, true) => Self::Mixed,
            (false, true) => Self::Digits,
        }
    }
}

impl<'t> Token<'t> {
    /// Creates the token of a single word that is not in a text.
    pub fn of_word(text: &'t str) -> Self {
        Self {
            text,
            start: 0,
            kind: TokenKind::Letters,
            glued: false,
            is_capitalized: false,
            word: None,
        }
    }

    /// Returns the byte offset at which the token ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Checks whether the token is this sign. The Unicode hyphens U+2010 and U+2011 count as `-`.
    #[inline(always)]
    pub fn is(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign
            && match sign.is_ascii() {
                true if sign == '-' => {
                    self.text == "-" || matches!(self.text, "\u{2010}" | "\u{2011}")
                }
                true => self.text.as_bytes()[0] == sign as u8,
                false => !self.text.as_bytes()[0].is_ascii() && self.text.starts_with(sign),
            }
    }

    /// Returns the sign if the token is one. As in [`Token::is`], a Unicode hyphen is returned as `-`.
    pub fn sign(&self) -> Option<char> {
        let is_sign = self.kind == TokenKind::Sign;
        match is_sign.then(|| self.text.chars().next()).flatten() {
            Some('\u{2010}' | '\u{2011}') => Some('-'),
            sign => sign,
        }
    }

    /// Checks whether the token is `word`, which is in lower case. The case of the token does not matter.
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

    /// Checks whether the token is one of these words.
    pub fn says_one_of(&self, words: &(impl Words + ?Sized)) -> bool {
        self.kind != TokenKind::Sign && self.start_among(words).is_some()
    }

    /// Returns the index of the token among these words, from 0.
    pub fn place_among(&self, words: &(impl Words + ?Sized)) -> Option<usize> {
        let start = self.start_among(words)?;
        let before = words.words()[..start].bytes();
        Some(before.filter(|byte| *byte == b' ').count())
    }

    /// Returns the byte offset of the token among these words.
    fn start_among(&self, words: &(impl Words + ?Sized)) -> Option<usize> {
        match words.may_hold(self.text) {
            true => self.start_in(words.words()),
            false => None,
        }
    }

    /// Returns the byte offset of the token in `words`, which single spaces separate. The search for its first letter
    /// looks at eight bytes at a time. If that letter is not ASCII, its first byte is the same in upper and lower case.
    fn start_in(&self, words: &str) -> Option<usize> {
        let (bytes, first) = (words.as_bytes(), self.text.as_bytes()[0]);
        let first = if first.is_ascii() {
            first | 0x20
        } else {
            first
        };
        for at in (0..bytes.len()).step_by(8) {
            let mut same = Block::at(bytes, at).bytes_like(first);
            while same != 0 {
                let start = at + same.trailing_zeros() as usize / 8;
                let end = start + self.text.len();
                let is_word = (start == 0 || bytes[start - 1] == b' ')
                    && bytes.get(end).is_none_or(|byte| *byte == b' ');
                if is_word && words.get(start..end).is_some_and(|word| self.says(word)) {
                    return Some(start);
                }
                same &= same - 1;
            }
        }
        None
    }

    /// Checks whether the token starts with a digit.
    pub fn starts_with_digit(&self) -> bool {
        self.text.as_bytes()[0].is_ascii_digit()
    }

    /// Returns the value of the token if it consists of at most nine digits.
    pub fn number(&self) -> Option<u32> {
        let is_number = self.kind == TokenKind::Digits && self.text.len() <= 9;
        is_number.then(|| {
            let digits = self.text.bytes().map(|byte| u32::from(byte - b'0'));
            digits.fold(0, |number, digit| 10 * number + digit)
        })
    }
}

/// Splits `word` into the digits at its start and the rest.
pub fn split_after_digits(word: &str) -> (&str, &str) {
    word.split_at(word.bytes().take_while(u8::is_ascii_digit).count())
}

/// Converts `text` to lower case. Text that is ASCII and already in lower case is borrowed.
pub fn lower(text: &str) -> Cow<'_, str> {
    let is_lower = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase();
    match text.bytes().all(is_lower) {
        true => Cow::Borrowed(text),
        false => Cow::Owned(text.to_lowercase()),
    }
}

/// Returns the tokens of `text`.
#[cfg(test)]
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    read_tokens(text, &mut vocabulary(), &mut found);
    found
}

/// Returns a vocabulary whose words have no traits.
#[cfg(test)]
fn vocabulary() -> Vocabulary {
    Vocabulary::new(|_, _| super::WordTraits::default())
}

/// Adds the tokens of `text` to `found`. Each letter of a script without spaces, such as Chinese, is a word of its own.
pub fn read_tokens<'t>(text: &'t str, vocabulary: &mut Vocabulary, found: &mut Vec<Token<'t>>) {
    let from = found.len();
    let bytes = text.as_bytes();
    let (mut start, mut glued) = (0, false);
    while let Some(byte) = bytes.get(start) {
        let rest = || &text[start..];
        let (kind, key, length) = if byte.is_ascii_alphanumeric() {
            run_at_start(&bytes[start..]).unwrap_or_else(|| run_with_others(rest()))
        } else {
            let ascii = ASCII.get(usize::from(*byte));
            match ascii.map_or_else(|| class_of_first(rest()), |class| (*class, 1)) {
                (Class::Space, length) => {
                    (start, glued) = (start + length, false);
                    continue;
                }
                (Class::Sign, length) => (TokenKind::Sign, 0, length),
                (Class::Word, length) => (TokenKind::Letters, key_of(&rest()[..length]), length),
                (Class::Letter, _) => run_with_others(rest()),
            }
        };
        let end = start + length;
        let word = &text[start..end];
        let token = Token {
            text: word,
            start,
            kind,
            glued,
            is_capitalized: kind == TokenKind::Letters
                && match byte.is_ascii() {
                    true => byte.is_ascii_uppercase(),
                    false => word.starts_with(char::is_uppercase),
                },
            word: match kind {
                TokenKind::Sign => None,
                _ => Some(vocabulary.id_of(key, word)),
            },
        };
        // Most tokens end at one space, which the loop then need not look at.
        glued = bytes.get(end) != Some(&b' ');
        start = end + usize::from(!glued);
        if kind == TokenKind::Mixed
            && length == ISO_DAY_AND_HOUR
            && let Some(parts) = iso_parts(&found[from..], token, vocabulary)
        {
            found.extend(parts);
        } else {
            found.push(token);
        }
    }
}

/// The length of the `13T15` in `2024-05-13T15:00`.
const ISO_DAY_AND_HOUR: usize = 5;

/// Returns the kind, the key and the length of the letters and digits at the start of `bytes`, or `None` if a character
/// that is not ASCII follows them. The key does not depend on case. The loop looks at eight bytes at a time, because
/// nearly all words are ASCII and most are no longer than that.
#[inline(always)]
fn run_at_start(bytes: &[u8]) -> Option<(TokenKind, u64, usize)> {
    let (mut at, mut key, mut any, mut all) = (0, 0, 0, LETTER_BITS);
    loop {
        let block = Block::at(bytes, at);
        let others = block.others();
        // `first` is the highest bit of the first byte that ends the run, and `kept` has all bits of the bytes before
        // it. If no byte ends the run, `first` has no bits and `kept` has all.
        let first = others & others.wrapping_neg();
        let kept = (first >> 7).wrapping_sub(1);
        let lower = block.lower() & kept;
        key = mix(key) ^ lower;
        any |= lower;
        all &= lower | !kept;
        if first == 0 {
            at += 8;
            continue;
        }
        if block.0 & first != 0 {
            return None;
        }
        let kind = TokenKind::of_run(any & LETTER_BITS != 0, all != LETTER_BITS);
        return Some((kind, key, at + first.trailing_zeros() as usize / 8));
    }
}

/// Returns the kind, the key and the length of the letters and digits at the start of `text`, which may include
/// characters that are not ASCII.
#[cold]
fn run_with_others(text: &str) -> (TokenKind, u64, usize) {
    let joins = |(_, c): &(usize, char)| class_of(*c) == Class::Letter;
    let end = text.char_indices().find(|at| !joins(at));
    let word = &text[..end.map_or(text.len(), |(end, _)| end)];
    let is_digit = |byte: u8| byte.is_ascii_digit();
    let kind = TokenKind::of_run(!word.bytes().all(is_digit), word.bytes().any(is_digit));
    (kind, key_of(word), word.len())
}

/// Returns the key of a word. Words that differ only in case have the same key.
pub fn key_of(word: &str) -> u64 {
    match word.is_ascii() {
        true => key_of_ascii(word.as_bytes()),
        false => FixedState::default().hash_one(word.to_lowercase()),
    }
}

/// Returns the key of a word of ASCII letters and digits, which is the same that [`run_at_start`] returns.
pub const fn key_of_ascii(word: &[u8]) -> u64 {
    let (mut key, mut block, mut at) = (0, 0, 0);
    while at < word.len() {
        block |= (word[at] as u64 | 0x20) << (at % 8 * 8);
        at += 1;
        if at % 8 == 0 {
            (key, block) = (mix(key) ^ block, 0);
        }
    }
    mix(key) ^ block
}

const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;

const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;

/// The bit of each byte that is set in ASCII letters and not in digits.
const LETTER_BITS: u64 = 0x40 * LOWEST_BITS;

/// Spreads the bits of `key`.
pub const fn mix(key: u64) -> u64 {
    key.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Eight bytes of a text, the first one in the lowest bits.
#[derive(Clone, Copy)]
struct Block(u64);

impl Block {
    /// Returns the eight bytes from `at` on, with zeros after the end of the text.
    #[inline(always)]
    fn at(bytes: &[u8], at: usize) -> Self {
        match bytes[at..].first_chunk() {
            Some(block) => Self(u64::from_le_bytes(*block)),
            None => {
                let left = bytes[at..].iter().rev();
                Self(left.fold(0, |block, byte| block << 8 | u64::from(*byte)))
            }
        }
    }

    /// Returns the bytes with ASCII letters in lower case and digits as they are.
    #[inline(always)]
    fn lower(self) -> u64 {
        self.0 | (0x20 * LOWEST_BITS)
    }

    /// Returns the highest bit of each byte that equals `byte`. The result may also have bits of a few other bytes
    /// after such a byte.
    #[inline(always)]
    fn bytes_like(self, byte: u8) -> u64 {
        let other = self.0 ^ (u64::from(byte) * LOWEST_BITS);
        other.wrapping_sub(LOWEST_BITS) & !other & HIGHEST_BITS
    }

    /// Returns the highest bit of each byte that is neither an ASCII letter nor a digit.
    #[inline(always)]
    fn others(self) -> u64 {
        let low = self.0 & !HIGHEST_BITS;
        let letters = between(low | (0x20 * LOWEST_BITS), b'a', b'z');
        let digits = between(low, b'0', b'9');
        (!(letters | digits) | self.0) & HIGHEST_BITS
    }
}

/// Returns the highest bit of each byte from `first` to `last`. The other bits of the result have no meaning. All
/// bytes, and `first` and `last`, must be ASCII.
#[inline(always)]
fn between(bytes: u64, first: u8, last: u8) -> u64 {
    // If a byte is large enough, its sum sets the byte's highest bit. No sum overflows into the next byte.
    let from = bytes + u64::from(0x80 - first) * LOWEST_BITS;
    let above = bytes + u64::from(0x7f - last) * LOWEST_BITS;
    from ^ above
}

/// How the tokenizer treats a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// A letter or a digit.
    Letter,
    /// A letter that is a word of its own.
    Word,
    Sign,
}

/// Returns the class of the first character and its length in bytes.
#[cold]
fn class_of_first(text: &str) -> (Class, usize) {
    let first = text.chars().next();
    first.map_or((Class::Space, 1), |c| (class_of(c), c.len_utf8()))
}

fn class_of(c: char) -> Class {
    if let Some(class) = ASCII.get(c as usize) {
        *class
    } else if c.is_whitespace() {
        Class::Space
    } else if !c.is_alphanumeric() {
        Class::Sign
    } else if stands_alone(c) {
        Class::Word
    } else {
        Class::Letter
    }
}

/// The classes of the ASCII characters, which make up nearly all text.
const ASCII: [Class; 128] = {
    let mut classes = [Class::Sign; 128];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = match byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'\t'..=b'\r' | b' ' => Class::Space,
            _ => Class::Sign,
        };
        byte += 1;
    }
    classes
};

/// Splits `13T15` in `2024-05-13T15:00` into the day, the `T` and the hour. `token` is the `13T15`, and `before` holds
/// the tokens before it.
#[cold]
fn iso_parts<'t>(
    before: &[Token<'t>],
    token: Token<'t>,
    vocabulary: &mut Vocabulary,
) -> Option<[Token<'t>; 3]> {
    let [.., year, first, month, second] = before else {
        return None;
    };
    let is_month = first.is('-') && month.number().is_some() && second.is('-') && second.glued;
    let (day, hour) = token.text.split_once(['T', 't'])?;
    let digits = |text: &str| text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit());
    (token.glued && is_month && year.text.len() == 4 && digits(day) && digits(hour)).then(|| {
        let mut part = |from: usize, to: usize, kind, glued| {
            let text = &token.text[from..to];
            Token {
                text,
                start: token.start + from,
                kind,
                glued,
                is_capitalized: text.starts_with('T'),
                word: Some(vocabulary.id_of(key_of(text), text)),
            }
        };
        [
            part(0, 2, TokenKind::Digits, true),
            part(2, 3, TokenKind::Letters, true),
            part(3, 5, TokenKind::Digits, true),
        ]
    })
}

/// Checks whether a character belongs to a script that the tokenizer splits into single characters: Chinese, Japanese,
/// Korean or Thai.
pub fn stands_alone(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the tokens according to their definition, one character at a time.
    fn defined(text: &str) -> Vec<(usize, String)> {
        let mut found: Vec<(usize, String)> = Vec::new();
        let mut is_open = false;
        for (start, c) in text.char_indices() {
            let joins = c.is_alphanumeric() && !stands_alone(c);
            match found.last_mut() {
                Some((_, run)) if joins && is_open => run.push(c),
                _ if !c.is_whitespace() => found.push((start, c.to_string())),
                _ => {}
            }
            is_open = joins;
        }
        found
    }

    proptest! {
        #[test]
        fn tokens_are_runs_of_letters_and_digits_and_single_signs(
            text in "[ a-zA-Z0-9@\\[`{/:é日—٣\u{a0}]{0,60}",
        ) {
            let found: Vec<_> = tokens(&text)
                .iter()
                .map(|token| (token.start, token.text.to_owned()))
                .collect();
            prop_assert_eq!(found, defined(&text));
        }

        #[test]
        fn a_run_is_of_the_kind_of_its_characters(text in "[a-zA-Z0-9é٣]{1,20}") {
            let is_digit = |c: char| c.is_ascii_digit();
            let kind = match (text.chars().all(is_digit), text.contains(is_digit)) {
                (true, _) => TokenKind::Digits,
                (_, true) => TokenKind::Mixed,
                _ => TokenKind::Letters,
            };
            prop_assert_eq!(tokens(&text)[0].kind, kind);
        }

        #[test]
        fn words_are_the_same_where_only_their_case_differs(
            a in "[a-cA-C0-1éÉ]{1,20}",
            b in "[a-cA-C0-1éÉ]{1,20}",
        ) {
            let mut vocabulary = vocabulary();
            let mut word = |text: &str| vocabulary.id_of(key_of(text), text);
            prop_assert_eq!(word(&a), word(&a.to_uppercase()));
            prop_assert_eq!(word(&a) == word(&b), a.to_lowercase() == b.to_lowercase());
        }

        #[test]
        fn words_of_texts_are_those_that_are_found_by_themselves(
            text in "([a-zA-Z0-9]{1,18}[ -]){0,40}[é ]",
        ) {
            let (mut vocabulary, mut found) = (vocabulary(), Vec::new());
            read_tokens(&text, &mut vocabulary, &mut found);
            let mut seen: Vec<String> = Vec::new();
            for token in found.iter().filter(|token| token.kind != TokenKind::Sign) {
                let word = token.text.to_lowercase();
                let number = seen.iter().position(|known| *known == word).unwrap_or_else(|| {
                    seen.push(word.clone());
                    seen.len() - 1
                });
                prop_assert_eq!(token.word.map(WordId::index), Some(number));
                prop_assert_eq!(token.word, vocabulary.find(&word));
            }
            prop_assert_eq!(vocabulary.find("nowhere"), None);
        }
    }

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
