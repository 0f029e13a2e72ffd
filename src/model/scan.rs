//! Reads well-formed JSON text.
//!
//! This scanner exists for speed: a check of long conversations should take at most twice the time of
//! `JSON.parse`, and serde_json, which passes every value to a visitor, took nearly half of that alone.
//! Errors are not explained here: serde_json accepts and rejects the same texts, and gives the reason.

use super::json::{Json, Number};
use super::parse::Builder;
use super::text::are_same_bytes;

/// How many bytes of a string are tested together.
const CHUNK: usize = 8;

/// Room for a chunk and one character.
const ROOM: usize = CHUNK + 4;

/// How many bytes of a string are decoded before they are moved to the result.
const BLOCK: usize = 256;

/// The length from which strings are remembered, because they may be repeated: decoding shorter ones is as
/// fast as finding them.
const LONG: usize = 256;

/// How many long strings are remembered.
const MOST_LONG: usize = 4;

/// The number of decimal digits that always fit into 64 bits.
const DIGITS: usize = 19;

/// Up to this bound all integers are exact doubles, and so are the powers of ten with up to [`DIGITS`] zeros.
/// Dividing one by the other rounds once, to the nearest double.
const EXACT: u64 = 1 << 53;

/// Reads texts one after another, reusing its buffers.
pub(super) struct Scanner<'a> {
    text: &'a str,
    /// The position of the next byte.
    at: usize,
    builder: Builder<'a>,
    /// The containers around the current value. They are a list rather than the call stack, so no text can
    /// exhaust it.
    open: Vec<Open>,
    /// The current string, if it has escapes.
    decoded: Vec<u8>,
    /// Long strings with escapes; those that were repeated come first.
    long: Vec<Decoded<'a>>,
}

/// A decoded string with escapes.
#[derive(Clone, Copy)]
struct Decoded<'a> {
    /// The string as in the text, including the closing quote.
    written: &'a [u8],
    text: &'a str,
}

/// A container whose end is not read yet, with the position of its first child in the builder.
#[derive(Clone, Copy)]
enum Open {
    Array(usize),
    Object(usize),
}

impl<'a> Scanner<'a> {
    /// Creates a scanner that builds values with `builder`.
    pub(super) fn new(builder: Builder<'a>) -> Self {
        Self {
            text: "",
            at: 0,
            builder,
            open: Vec::with_capacity(16),
            decoded: Vec::new(),
            long: Vec::new(),
        }
    }

    /// Reads the value in `text`; `None` if it is not one JSON value, or nested too deep for the builder.
    pub(super) fn scan(&mut self, text: &'a str) -> Option<Json<'a>> {
        self.text = text;
        self.at = 0;
        // A text that could not be read may have left some behind.
        self.open.clear();
        self.builder.clear();
        let value = self.value()?;
        self.after_space();
        (self.at == text.len()).then_some(value)
    }

    /// Reads a value with everything inside it.
    fn value(&mut self) -> Option<Json<'a>> {
        let mut is_key = false;
        'value: loop {
            let mut value = match self.after_space() {
                b'"' => {
                    let text = self.string()?;
                    if is_key {
                        is_key = false;
                        self.put_key(text)?;
                        continue;
                    }
                    Json::String(text)
                }
                _ if is_key => return None,
                b'{' => {
                    self.enter(Open::Object(self.builder.members.len()))?;
                    if self.after_space() != b'}' {
                        is_key = true;
                        continue;
                    }
                    self.leave()?
                }
                b'[' => {
                    self.enter(Open::Array(self.builder.items.len()))?;
                    if self.after_space() != b']' {
                        continue;
                    }
                    self.leave()?
                }
                b'n' => self.word("null", Json::Null)?,
                b't' => self.word("true", Json::Bool(true))?,
                b'f' => self.word("false", Json::Bool(false))?,
                _ => Json::Number(self.number()?),
            };
            while let Some(open) = self.open.last().copied() {
                match open {
                    Open::Array(_) => self.builder.items.push(value),
                    Open::Object(_) => self.builder.members.last_mut()?.1 = value,
                }
                match (self.after_space(), open) {
                    (b',', _) => {
                        self.at += 1;
                        is_key = matches!(open, Open::Object(_));
                        continue 'value;
                    }
                    (b']', Open::Array(_)) | (b'}', Open::Object(_)) => value = self.leave()?,
                    _ => return None,
                }
            }
            return Some(value);
        }
    }

    #[inline(always)]
    fn enter(&mut self, open: Open) -> Option<()> {
        self.at += 1;
        self.open.push(open);
        (self.open.len() <= self.builder.max_depth).then_some(())
    }

    #[inline]
    fn leave(&mut self) -> Option<Json<'a>> {
        self.at += 1;
        match self.open.pop()? {
            Open::Array(start) => self.builder.close_array(start),
            Open::Object(start) => self.builder.close_object(start),
        }
    }

    /// Returns what was built since the current text began.
    pub(super) fn built(&self) -> &Builder<'a> {
        &self.builder
    }

    /// Reads the colon after a key. Its value is added when it is read.
    fn put_key(&mut self, key: &'a str) -> Option<()> {
        if self.after_space() != b':' {
            return None;
        }
        self.at += 1;
        self.builder.members.push((key, Json::Null));
        Some(())
    }

    fn word(&mut self, word: &str, value: Json<'a>) -> Option<Json<'a>> {
        let found = self.text.as_bytes()[self.at..].starts_with(word.as_bytes());
        self.at += word.len();
        found.then_some(value)
    }

    /// Returns the next byte; at the end 0, which is not valid outside of a string.
    #[inline(always)]
    fn peek(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Returns the next byte that is not white space.
    #[inline(always)]
    fn after_space(&mut self) -> u8 {
        loop {
            match self.peek() {
                b' ' | b'\n' | b'\r' | b'\t' => self.at += 1,
                byte => return byte,
            }
        }
    }

    /// Reads the string that starts with the next byte, its opening quote.
    #[inline(always)]
    fn string(&mut self) -> Option<&'a str> {
        let start = self.at + 1;
        let bytes = self.text.as_bytes();
        let end = start + plain_length(bytes.get(start..)?);
        match *bytes.get(end)? {
            b'"' => {
                self.at = end + 1;
                self.text.get(start..end)
            }
            b'\\' => self.decode(start),
            _ => None,
        }
    }

    /// Reads the string with escapes that begins at `start`. Whole chunks are copied to a block, and surplus
    /// bytes are overwritten: most stretches between escapes are so short that copying their exact length
    /// would cost more.
    ///
    /// Long strings often repeat, like instructions in every conversation of a log. Those are not decoded
    /// again.
    #[inline(never)]
    fn decode(&mut self, start: usize) -> Option<&'a str> {
        let bytes = self.text.as_bytes();
        let mut rest = bytes.get(start..)?;
        if let Some(Decoded { written, text }) = self.again(rest) {
            self.at = start + written.len();
            return Some(text);
        }
        let mut block = [0; BLOCK + ROOM];
        let mut end = 0;
        self.decoded.clear();
        loop {
            if end > BLOCK {
                self.decoded.extend_from_slice(block.get(..end)?);
                end = 0;
            }
            let room: &mut [u8; ROOM] = block[end..].first_chunk_mut()?;
            let (chunk, after) = match rest.split_first_chunk() {
                Some((chunk, after)) => (*chunk, after),
                None => (last_chunk(rest), rest),
            };
            *room.first_chunk_mut()? = chunk;
            let marks = marks(chunk);
            if marks == 0 {
                end += CHUNK;
                rest = after;
                continue;
            }
            let plain = first(marks);
            end += plain;
            rest = rest.get(plain..)?;
            match rest {
                // Text in other scripts often consists of escapes only.
                [b'\\', b'u', ..] => {
                    while let [b'\\', b'u', ..] = rest
                        && let Some(room) = block.get_mut(end..end + 4)
                    {
                        let (character, after) = unicode_escape(rest)?;
                        end += character.encode_utf8(room).len();
                        rest = after;
                    }
                }
                [b'\\', byte, after @ ..] => {
                    room[plain] = unescape(*byte)?;
                    end += 1;
                    rest = after;
                }
                [b'"', after @ ..] => {
                    self.at = bytes.len() - after.len();
                    break;
                }
                _ => return None,
            }
        }
        let last = block.get(..end)?;
        let decoded = match self.decoded.is_empty() {
            true => last,
            false => {
                self.decoded.extend_from_slice(last);
                &self.decoded
            }
        };
        let text: &str = self
            .builder
            .arena
            .alloc_str(std::str::from_utf8(decoded).ok()?);
        let written = &bytes[start..self.at];
        if written.len() >= LONG {
            self.long.truncate(MOST_LONG - 1);
            self.long.push(Decoded { written, text });
        }
        Some(text)
    }

    /// Finds the long string at the start of `rest` among the remembered ones. Repeated strings are forgotten
    /// last.
    fn again(&mut self, rest: &[u8]) -> Option<Decoded<'a>> {
        let is_next = |known: &Decoded<'_>| {
            let same = rest.get(..known.written.len());
            same.is_some_and(|same| are_same_bytes(same, known.written))
        };
        let at = self.long.iter().position(is_next)?;
        self.long[..=at].rotate_right(1);
        self.long.first().copied()
    }

    fn number(&mut self) -> Option<Number> {
        let start = self.at;
        let is_negative = self.take(b'-');
        let first = self.peek();
        let (mut value, mut digits) = self.digits(0);
        if digits == 0 || (digits > 1 && first == b'0') {
            return None;
        }
        let mut decimals = 0;
        let has_point = self.take(b'.');
        if has_point {
            (value, decimals) = self.digits(value);
            digits += decimals;
            if decimals == 0 {
                return None;
            }
        }
        let has_exponent = matches!(self.peek(), b'e' | b'E');
        if has_exponent {
            self.at += 1;
            let _ = self.take(b'+') || self.take(b'-');
            if self.digits(0).1 == 0 {
                return None;
            }
        }
        let is_integer = !has_point && !has_exponent;
        // A 20-digit number fits in u64 only if it starts with 1. On overflow the value wraps, which is how
        // we notice.
        let fits = digits <= DIGITS
            || (digits == DIGITS + 1 && first == b'1' && value >= 10_u64.pow(DIGITS as u32));
        if is_integer && !is_negative && fits {
            return Some(Number::Unsigned(value));
        }
        if is_integer && is_negative && fits && (1..=1 << 63).contains(&value) {
            return Some(Number::Negative(value.wrapping_neg() as i64));
        }
        let float = if fits && !has_exponent && value <= EXACT {
            let size = value as f64 / 10_u64.pow(decimals as u32) as f64;
            if is_negative { -size } else { size }
        } else {
            self.text.get(start..self.at)?.parse().ok()?
        };
        Some(Number::Float(float))
    }

    fn take(&mut self, wanted: u8) -> bool {
        let found = self.peek() == wanted;
        self.at += usize::from(found);
        found
    }

    /// Reads the digits that continue a number. Returns the number, wrapped at 2^64, and the count of digits.
    fn digits(&mut self, mut number: u64) -> (u64, usize) {
        let start = self.at;
        while let digit @ b'0'..=b'9' = self.peek() {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        (number, self.at - start)
    }
}

/// Returns how many bytes of a string come before a quote, a backslash, a control character or the end.
#[inline(always)]
fn plain_length(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((chunk, after)) = rest.split_first_chunk() {
        let marks = marks(*chunk);
        if marks != 0 {
            return bytes.len() - rest.len() + first(marks);
        }
        rest = after;
    }
    bytes.len() - rest.len() + first(marks(last_chunk(rest)))
}

/// Returns the last bytes of a text, padded with zeros, which are not plain.
#[inline(never)]
fn last_chunk(rest: &[u8]) -> [u8; CHUNK] {
    std::array::from_fn(|index| rest.get(index).copied().unwrap_or(0))
}

/// Marks the bytes of `chunk` that are not plain by their high bits. The subtractions mark every byte below
/// the subtracted one. They may also mark a byte after it, but never one before.
#[inline(always)]
fn marks(chunk: [u8; CHUNK]) -> u64 {
    const EACH: u64 = u64::MAX / 255;
    let bytes = u64::from_le_bytes(chunk);
    // With this bit flipped, a quote directly follows the control characters.
    let control_or_quote = (bytes ^ (EACH * 0x02)).wrapping_sub(EACH * 0x21);
    let backslash = (bytes ^ (EACH * u64::from(b'\\'))).wrapping_sub(EACH);
    (control_or_quote | backslash) & !bytes & (EACH << 7)
}

/// Returns the index of the first marked byte.
#[inline(always)]
fn first(marks: u64) -> usize {
    marks.trailing_zeros() as usize / 8
}

/// Returns the meaning of a backslash before `byte`.
#[inline(always)]
fn unescape(byte: u8) -> Option<u8> {
    Some(match byte {
        b'"' | b'\\' | b'/' => byte,
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'b' => 0x8,
        b'f' => 0xc,
        _ => return None,
    })
}

/// Returns the character of `\uXXXX` or of a surrogate pair of two escapes, and the text after it. A lone
/// surrogate becomes U+FFFD.
fn unicode_escape(bytes: &[u8]) -> Option<(char, &[u8])> {
    let (unit, rest) = code_unit(bytes)?;
    if let 0xd800..0xdc00 = unit
        && let Some((low @ 0xdc00..0xe000, rest)) = code_unit(rest)
    {
        let code = 0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        return Some((char::from_u32(code)?, rest));
    }
    let character = char::from_u32(unit);
    Some((character.unwrap_or(char::REPLACEMENT_CHARACTER), rest))
}

/// Returns the UTF-16 code unit of an escape, and the text after it.
fn code_unit(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let (digits, rest) = bytes.strip_prefix(b"\\u")?.split_at_checked(4)?;
    let unit = digits.iter().try_fold(0, |unit, digit| {
        Some(unit << 4 | char::from(*digit).to_digit(16)?)
    });
    Some((unit?, rest))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::super::limits::Limits;
    use super::super::parse::{Reader, replace_lone_surrogates, tame_numbers};
    use super::*;
    use crate::error::{Error, Result};

    const MAX_DEPTH: usize = 6;

    fn reader(arena: &Bump) -> Reader<'_> {
        let limits = Limits {
            max_depth: MAX_DEPTH,
            ..Limits::default()
        };
        Reader::new(arena, limits)
    }

    /// Reads `text` with serde_json, or returns its error.
    fn by_serde<'a>(arena: &'a Bump, text: &str) -> std::result::Result<Json<'a>, String> {
        let mended = replace_lone_surrogates(text);
        let text = arena.alloc_str(mended.as_deref().unwrap_or(text));
        let mut deserializer = serde_json::Deserializer::from_str(text);
        deserializer.disable_recursion_limit();
        match reader(arena).read_from(&mut deserializer) {
            Ok(value) => match deserializer.end() {
                Ok(()) => Ok(value),
                Err(error) => Err(error.to_string()),
            },
            Err(Error::InvalidInput { actual, .. }) => Err(actual),
            Err(error) => {
                assert!(matches!(error, Error::LimitExceeded { .. }), "{error}");
                Err("too deep".to_owned())
            }
        }
    }

    fn words_of(error: Error) -> String {
        match error {
            Error::InvalidJson {
                reason,
                line,
                column,
                ..
            } => format!("{reason} at line {line} column {column}"),
            Error::LimitExceeded { .. } => "too deep".to_owned(),
            error => panic!("{error}"),
        }
    }

    /// Compares our result with serde_json's, as written out, because 1 equals 1.0 as a number. Numbers
    /// outside the range of doubles, which serde_json rejects, are made smaller for it.
    fn agrees_with_serde(text: &str) -> std::result::Result<(), TestCaseError> {
        let arena = Bump::new();
        let ours: Result<Json<'_>> = reader(&arena).read_text(arena.alloc_str(text));
        let ours = ours.map(|value| format!("{value:?}")).map_err(words_of);
        let tamed = tame_numbers(text);
        let serdes = by_serde(&arena, tamed.as_deref().unwrap_or(text));
        let serdes = serdes.map(|value| format!("{value:?}"));
        if tamed.is_some() && ours.is_ok() {
            prop_assert!(serdes.is_ok(), "{:?}", text);
            return Ok(());
        }
        if text.trim_ascii().is_empty() {
            prop_assert_eq!(ours, Err("the text is empty at line 1 column 1".to_owned()));
        } else {
            prop_assert_eq!(ours, serdes, "{:?}", text);
        }
        Ok(())
    }

    fn space() -> impl Strategy<Value = String> {
        prop_oneof![
            6 => Just(String::new()),
            4 => Just(" ".to_owned()),
            2 => "[ \t\r\n]{0,5}",
            1 => "[\u{b}\u{c}\u{a0}\u{0}]",
        ]
    }

    fn string() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => "[ -!#-\\[\\]-~]{0,20}",
            6 => "\\\\[\"\\\\/bfnrt]",
            3 => "[é€😀\u{7f}\u{2028}]{1,3}",
            3 => "\\\\u[0-9a-fA-F]{4}",
            3 => "(\\\\u[dD][89a-fA-F][0-9a-fA-F]{2}){1,3}",
            1 => "\\\\[ -~é]",
            1 => "\\\\u[0-9a-g]{0,4}",
            1 => "[\u{0}-\u{1f}]",
        ];
        let pieces = prop::collection::vec(piece, 0..6);
        pieces.prop_map(|pieces| format!("\"{}\"", pieces.concat()))
    }

    fn key() -> impl Strategy<Value = String> {
        prop_oneof![3 => "\"[a-d]\"", 1 => string()]
    }

    fn number() -> impl Strategy<Value = String> {
        prop_oneof![
            any::<f64>().prop_map(|number| format!("{number:?}")),
            any::<f64>().prop_map(|number| format!("{number:e}")),
            any::<i64>().prop_map(|number| number.to_string()),
            any::<u64>().prop_map(|number| number.to_string()),
            "-?[0-9]{1,3}(\\.[0-9]{1,4})?",
            "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?",
            "-?[0-9]{0,25}\\.?[0-9]{0,4}[eE]?[+-]?[0-9]{0,12}",
        ]
    }

    fn json() -> impl Strategy<Value = String> {
        let leaf = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            Just("false".to_owned()),
            number(),
            string(),
        ];
        let value = leaf.prop_recursive(MAX_DEPTH as u32 + 1, 60, 8, |inner| {
            let spaced = (space(), inner, space())
                .prop_map(|(a, b, c)| a + &b + &c)
                .boxed();
            let member = (space(), key(), space(), spaced.clone())
                .prop_map(|(a, key, b, value)| format!("{a}{key}{b}:{value}"));
            prop_oneof![
                prop::collection::vec(spaced, 0..6)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                prop::collection::vec(member, 0..16)
                    .prop_map(|members| format!("{{{}}}", members.join(","))),
            ]
        });
        (space(), value, space()).prop_map(|(a, b, c)| a + &b + &c)
    }

    /// Generates JSON text that is damaged in one place.
    fn damaged() -> impl Strategy<Value = String> {
        let damage = prop_oneof![
            Just(None),
            "[\\[\\]{},:\"\\\\0-9eE.+nul \n-]{0,2}".prop_map(Some),
        ];
        let place = any::<prop::sample::Index>();
        (json(), place, 0..3_usize, damage).prop_map(|(text, place, gone, damage)| {
            let chars: Vec<char> = text.chars().collect();
            let at = place.index(chars.len() + 1);
            let before = chars[..at].iter();
            match damage {
                None => before.collect(),
                Some(damage) => {
                    let after = chars.iter().skip(at + gone);
                    before
                        .copied()
                        .chain(damage.chars())
                        .chain(after.copied())
                        .collect()
                }
            }
        })
    }

    /// Ends of strings that begin alike; after the last one the string continues.
    const ENDS: [&str; 8] = [
        r#"""#,
        r#"b""#,
        r#"b\"c""#,
        r#"b\"cd and on and on""#,
        r#"b\"cd and on and off""#,
        r#"\u000ab""#,
        r#"é\n""#,
        r#"b\"#,
    ];

    proptest! {
        #[test]
        fn json_is_read_as_by_serde(text in json()) {
            agrees_with_serde(&text)?;
        }

        #[test]
        fn invalid_json_is_rejected_as_by_serde(text in damaged()) {
            agrees_with_serde(&text)?;
        }

        #[test]
        fn numbers_are_read_as_by_serde(text in number()) {
            agrees_with_serde(&text)?;
        }

        #[test]
        fn strings_are_read_as_by_serde(text in string()) {
            agrees_with_serde(&text)?;
        }

        #[test]
        fn repeated_strings_are_read_as_by_serde(
            ends in prop::collection::vec(prop::sample::select(&ENDS[..]), 0..12),
        ) {
            let start = r"a\n".repeat(LONG);
            let strings: Vec<_> = ends.iter().map(|end| format!("\"{start}{end}")).collect();
            agrees_with_serde(&format!("[{}]", strings.join(",")))?;
        }
    }

    #[test]
    fn every_spelling_of_a_number_is_read_as_by_serde() -> std::result::Result<(), TestCaseError> {
        let integers = "0 7 00 01 10 9007199254740993 9223372036854775807 9223372036854775808 \
            9223372036854775809 9999999999999999999 18446744073709551615 18446744073709551616 \
            10000000000000000000 19999999999999999999 99999999999999999999 123456789012345678901234567890 + a";
        let tails = "_ . .0 .5 .00 .1. .e1 .12345678901234567890 e e0 E5 e+5 e-5 e+ e- e+-1 e400 e-400 \
            e308 e-324 .0e0 e99999999999 e-99999999999 .7976931348623157e308 .7976931348623159e308 \
            .2250738585072011e-308 .9406564584124654e-324 f _0 x";
        for integer in integers.split_whitespace().chain([""]) {
            for tail in tails.split_whitespace() {
                let tail = tail.trim_start_matches('_');
                for text in [format!("{integer}{tail}"), format!("-{integer}{tail}")] {
                    agrees_with_serde(&text)?;
                    agrees_with_serde(&format!("[{text}]"))?;
                }
            }
        }
        Ok(())
    }

    /// Doubles that are hard to round: halfway between two, at the limits, with many digits.
    #[test]
    fn numbers_are_rounded_to_the_nearest_double() {
        let cases = [
            ("0.1", 0.1),
            ("-0", -0.0),
            ("-0.0", -0.0),
            ("0.30000000000000004", 0.1 + 0.2),
            ("9007199254740993", 9_007_199_254_740_992.0),
            ("9007199254740993.0", 9_007_199_254_740_992.0),
            (
                "9007199254740993.00000000000000000000001",
                9_007_199_254_740_994.0,
            ),
            ("0.9007199254740993", 0.900_719_925_474_099_3),
            ("900719925474.0993", 900_719_925_474.099_3),
            ("1e23", 1e23),
            ("8.5e-1", 0.85),
            ("2.2250738585072011e-308", 2.225_073_858_507_201e-308),
            ("4.9e-324", f64::from_bits(1)),
            ("2.4e-324", 0.0),
            ("1.7976931348623158e308", f64::MAX),
            ("36893488147419103232", 2_f64.powi(65)),
            ("1e400", f64::INFINITY),
            ("-1.5E+999", f64::NEG_INFINITY),
            ("1.7976931348623159e308", f64::INFINITY),
        ];
        let arena = Bump::new();
        for (text, expected) in cases {
            let Json::Number(number) = reader(&arena).read_text(text).expect("a number") else {
                panic!("{text}");
            };
            assert_eq!(number.as_f64().to_bits(), expected.to_bits(), "{text}");
        }
    }

    #[test]
    fn a_string_is_read_wherever_its_special_characters_are() {
        let arena = Bump::new();
        for before in (0..40).chain(240..280) {
            for after in 0..20 {
                let (before, after) = ("x".repeat(before), "é".repeat(after));
                let escaped = format!("[\"{before}\\\"\\u00e9\\ud83d\\ude00{after}\\n\"]");
                let plain = format!("[\"{before}{after}\"]");
                for (text, expected) in [
                    (escaped, format!("{before}\"é😀{after}\n")),
                    (plain, format!("{before}{after}")),
                ] {
                    let value = reader(&arena).read_text(arena.alloc_str(&text));
                    assert_eq!(
                        value.expect("JSON").items(),
                        Some(&[Json::String(&expected)][..])
                    );
                }
            }
        }
    }

    #[test]
    fn nesting_takes_no_stack() {
        let limits = Limits {
            max_depth: usize::MAX,
            ..Limits::default()
        };
        let arena = Bump::new();
        let text = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert!(Reader::new(&arena, limits).read_text(&text).is_ok());
    }
}
