//! Text as the recognisers of facts read it: words, numbers and signs.

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

    /// Whether it is one of these words, which are in lower case and parted by spaces.
    pub fn says_one_of(&self, words: &str) -> bool {
        self.kind != TokenKind::Sign && words.split(' ').any(|word| self.says(word))
    }

    /// The value of at most nine digits.
    pub fn number(&self) -> Option<u32> {
        let is_number = self.kind == TokenKind::Digits && self.text.len() <= 9;
        is_number.then(|| self.text.parse().ok()).flatten()
    }
}

/// The tokens of `text`. CJK characters are letters that are words by themselves.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::with_capacity(text.len() / 4);
    let mut rest = text.char_indices().peekable();
    let mut glued = false;
    while let Some((start, c)) = rest.next() {
        if c.is_whitespace() {
            glued = false;
            continue;
        }
        let mut end = start + c.len_utf8();
        let kind = if !c.is_alphanumeric() {
            TokenKind::Sign
        } else if stands_alone(c) {
            TokenKind::Letters
        } else {
            let (mut digits, mut letters) = (c.is_ascii_digit(), !c.is_ascii_digit());
            while let Some((at, next)) = rest.peek().copied() {
                if !next.is_alphanumeric() || stands_alone(next) {
                    break;
                }
                digits |= next.is_ascii_digit();
                letters |= !next.is_ascii_digit();
                end = at + next.len_utf8();
                rest.next();
            }
            match (digits, letters) {
                (true, true) => TokenKind::Mixed,
                (true, false) => TokenKind::Digits,
                (false, _) => TokenKind::Letters,
            }
        };
        let token = Token {
            text: &text[start..end],
            start,
            kind,
            glued,
        };
        match iso_parts(&found, token) {
            Some(parts) => found.extend(parts),
            None => found.push(token),
        }
        glued = true;
    }
    found
}

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
