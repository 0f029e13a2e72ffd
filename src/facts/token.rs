//! Text as the recognisers of facts read it: words, numbers and signs.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::vocabulary::{Vocabulary, WordId};
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
    /// Which word it is; none where it is a sign.
    pub word: Option<WordId>,
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

impl TokenKind {
    fn of_run(has_letters: bool, has_digits: bool) -> Self {
        match (has_letters, has_digits) {
            (true, true) => Self::Mixed,
            (false, true) => Self::Digits,
            _ => Self::Letters,
        }
    }
}

impl<'t> Token<'t> {
    /// A word by itself.
    pub fn of_word(text: &'t str) -> Self {
        Self {
            text,
            start: 0,
            kind: TokenKind::Letters,
            glued: false,
            word: None,
        }
    }

    /// Where it ends, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this sign.
    #[inline(always)]
    pub fn is(&self, sign: char) -> bool {
        self.kind == TokenKind::Sign
            && match sign.is_ascii() {
                true => self.text.as_bytes()[0] == sign as u8,
                false => self.text.starts_with(sign),
            }
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

/// The tokens of `text`.
#[cfg(test)]
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    read_tokens(text, &mut Vocabulary::default(), &mut found);
    found
}

/// Adds the tokens of `text` to `found`. CJK characters are letters that are words by themselves.
pub fn read_tokens<'t>(text: &'t str, vocabulary: &mut Vocabulary, found: &mut Vec<Token<'t>>) {
    let from = found.len();
    let bytes = text.as_bytes();
    let mut start = 0;
    let mut glued = false;
    while let Some(byte) = bytes.get(start) {
        let (class, length) = match ASCII.get(usize::from(*byte)) {
            Some(class) => (*class, 1),
            None => class_of_next(text, start),
        };
        let (kind, length, key) = match class {
            Class::Space => {
                start += length;
                glued = false;
                continue;
            }
            Class::Sign => (TokenKind::Sign, length, None),
            Class::Word => {
                let key = key_of(&text[start..start + length]);
                (TokenKind::Letters, length, Some(key))
            }
            Class::Digit | Class::Letter => {
                let run = Run::at(text, start);
                (run.kind, run.length, Some(run.key))
            }
        };
        let end = start + length;
        let word = &text[start..end];
        let token = Token {
            text: word,
            start,
            kind,
            glued,
            word: key.map(|key| vocabulary.id_of(key, word)),
        };
        let may_be_iso = kind == TokenKind::Mixed && glued && length == ISO_DAY_AND_HOUR;
        match may_be_iso.then(|| iso_parts(&found[from..], token, vocabulary)) {
            Some(Some(parts)) => found.extend(parts),
            _ => found.push(token),
        }
        start = end;
        glued = true;
    }
}

/// The length of the `13T15` in `2024-05-13T15:00`.
const ISO_DAY_AND_HOUR: usize = 5;

/// Letters and digits that stand together.
struct Run {
    length: usize,
    kind: TokenKind,
    /// The same for the same letters and digits in any case.
    key: u64,
}

impl Run {
    /// The letters and digits from byte `start` on. Eight bytes are looked at at once: nearly all words
    /// are ASCII, and most of them no longer.
    #[inline]
    fn at(text: &str, start: usize) -> Self {
        let bytes = text.as_bytes();
        let (mut at, mut key, mut letters, mut digits) = (start, 0, 0, 0);
        loop {
            let block = Block::at(bytes, at);
            let (letters_here, digits_here) = (block.letters(), block.digits());
            let others = !(letters_here | digits_here) & HIGHEST_BITS;
            // The bits below the first byte that is neither; all bits where there is none.
            let kept = ((others & others.wrapping_neg()) >> 7).wrapping_sub(1);
            letters |= letters_here & kept;
            digits |= digits_here & kept;
            key = match key {
                0 => block.lower() & kept,
                _ => mix(key) ^ (block.lower() & kept),
            };
            if others != 0 {
                at += others.trailing_zeros() as usize / 8;
                break;
            }
            at += 8;
        }
        if bytes.get(at).is_some_and(|byte| !byte.is_ascii()) {
            return Self::with_others(text, start);
        }
        Self {
            length: at - start,
            kind: TokenKind::of_run(letters != 0, digits != 0),
            key,
        }
    }

    /// As [`Run::at`], where other characters than ASCII are among them.
    fn with_others(text: &str, start: usize) -> Self {
        let (mut has_letters, mut has_digits) = (false, false);
        let mut at = start;
        while at < text.len() {
            let (class, length) = class_of_next(text, at);
            match class {
                Class::Letter => has_letters = true,
                Class::Digit => has_digits = true,
                _ => break,
            }
            at += length;
        }
        Self {
            length: at - start,
            kind: TokenKind::of_run(has_letters, has_digits),
            key: key_of(&text[start..at]),
        }
    }
}

/// The key of a word: see [`Run`].
pub fn key_of(word: &str) -> u64 {
    match word.is_ascii() {
        true => Run::at(word, 0).key,
        false => FixedState::default().hash_one(word.to_lowercase()),
    }
}

const HIGHEST_BITS: u64 = 0x8080_8080_8080_8080;

const LOWEST_BITS: u64 = 0x0101_0101_0101_0101;

/// Spreads the bits of `key`.
pub fn mix(key: u64) -> u64 {
    key.rotate_left(23).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// Eight bytes of a text, the first one lowest.
#[derive(Clone, Copy)]
struct Block(u64);

impl Block {
    /// Those from byte `at` on; zeros after the end.
    fn at(bytes: &[u8], at: usize) -> Self {
        match bytes[at..].first_chunk() {
            Some(block) => Self(u64::from_le_bytes(*block)),
            None => {
                let left = bytes[at..].iter().rev();
                Self(left.fold(0, |block, byte| block << 8 | u64::from(*byte)))
            }
        }
    }

    /// ASCII letters in lower case, digits as they are.
    fn lower(self) -> u64 {
        self.0 | (0x20 * LOWEST_BITS)
    }

    /// The highest bit of each byte that is an ASCII letter.
    fn letters(self) -> u64 {
        Self(self.lower()).between(b'a', b'z')
    }

    /// The highest bit of each byte that is an ASCII digit.
    fn digits(self) -> u64 {
        self.between(b'0', b'9')
    }

    /// The highest bit of each byte from `first` to `last`, which are ASCII.
    fn between(self, first: u8, last: u8) -> u64 {
        let rest = self.0 & !HIGHEST_BITS;
        // A sum reaches the highest bit of its byte, and no further, where the byte is large enough.
        let from = rest + u64::from(0x80 - first) * LOWEST_BITS;
        let above = rest + u64::from(0x7f - last) * LOWEST_BITS;
        from & !above & !self.0 & HIGHEST_BITS
    }
}

/// What a character is to tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Space,
    /// An ASCII digit.
    Digit,
    /// A letter, or a digit that is not ASCII.
    Letter,
    /// A letter that is a word by itself.
    Word,
    Sign,
}

/// The class of the character that starts at byte `at`, and how many bytes it takes.
fn class_of_next(text: &str, at: usize) -> (Class, usize) {
    let next = text[at..].chars().next();
    next.map_or((Class::Space, 1), |c| (class_of(c), c.len_utf8()))
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
    (is_month && year.text.len() == 4 && digits(day) && digits(hour)).then(|| {
        let mut part = |from: usize, to: usize, kind, glued| {
            let text = &token.text[from..to];
            Token {
                text,
                start: token.start + from,
                kind,
                glued,
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

/// Scripts that write words without spaces: Chinese, Japanese, Korean, Thai.
pub fn stands_alone(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Tokens as they are defined, one character after the other.
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
            let mut vocabulary = Vocabulary::default();
            let mut word = |text: &str| vocabulary.id_of(key_of(text), text);
            prop_assert_eq!(word(&a), word(&a.to_uppercase()));
            prop_assert_eq!(word(&a) == word(&b), a.to_lowercase() == b.to_lowercase());
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
