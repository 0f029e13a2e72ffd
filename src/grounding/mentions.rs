//! Indexes what was written before, in pieces, regardless of the text around them.
//!
//! The facts of a text are found in prose. Addresses and identifiers also appear elsewhere: in quotation marks, in
//! escaped JSON, in attributes, in the parts of a message besides its text. A piece is a run of characters between
//! white space, quotation marks, brackets and the like.

use foldhash::HashSet;

use super::digest::{NumberSet, digest};
use super::silent::{carries_file, holds_image};
use toolgauge_facts::{MONTHS, Token, WordList};
use toolgauge_model::{Json, Role, ToolCall, Trajectory, Turn};

/// The longest piece that is indexed, in bytes. No address is longer.
const LONGEST_PIECE: usize = 2_000;

/// Articles and prepositions before a day of the month in languages other than English.
static BEFORE_DAY: WordList = WordList::of("al am au bis del dem den der du el fra le til vom zum");

/// What was written before a call: its pieces, and the years and months that it names. Each turn is read once, when it
/// is first needed.
#[derive(Default)]
pub struct Mentions {
    pieces: HashSet<u64>,
    years: NumberSet,
    /// The months that are named without a day, counted from 0.
    months: [bool; 12],
    /// The days that are named without their month: "on the 9th".
    days: NumberSet,
    /// The index of the next turn to read.
    turn: usize,
    has_tools: bool,
    /// Whether the agent saw an image or a file of the user.
    saw_file: bool,
}

impl Mentions {
    /// Indexes a JSON document, for example a tool definition.
    pub fn of_json(json: Json<'_>) -> Self {
        let mut mentions = Self::default();
        mentions.add_json(json);
        mentions
    }

    /// Reads the tool definitions, all turns before `turn`, and what the platform notes of that one.
    pub fn read_up_to(&mut self, turn: usize, trajectory: &Trajectory<'_>) {
        if !std::mem::replace(&mut self.has_tools, true) {
            self.add_json(trajectory.tools.unwrap_or_default());
        }
        while self.turn < turn {
            let read = &trajectory.turns[self.turn];
            self.add_notes(read);
            if read.role != Role::Agent {
                self.saw_file |= carries_file(read);
                self.add_text(read.content);
                // A message may also carry images and files with their addresses.
                for (_, value) in read.extra {
                    self.add_json(*value);
                }
            }
            for call in &read.tool_calls {
                self.add_call(call);
            }
            self.turn += 1;
        }
        if let Some(read) = trajectory.turns.get(turn) {
            self.add_notes(read);
        }
    }

    /// Adds the sources and files that an answer refers to. The platform writes them, not the model.
    fn add_notes(&mut self, turn: &Turn<'_>) {
        let notes = turn.extra.iter().filter(|(key, _)| *key == "annotations");
        notes.for_each(|(_, value)| self.add_json(*value));
    }

    fn add_call(&mut self, call: &ToolCall<'_>) {
        self.saw_file |= call.result.is_some_and(holds_image);
        for json in [call.arguments, call.result, call.error] {
            self.add_json(json.unwrap_or_default());
        }
        for (_, value) in call.extra {
            self.add_json(*value);
        }
    }

    fn add_json(&mut self, json: Json<'_>) {
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => self.add_piece(&number.to_string()),
            Json::String(text) => self.add_text(text),
            Json::Array(items) => items.iter().for_each(|item| self.add_json(*item)),
            Json::Object(members) => {
                for (key, value) in members {
                    self.add_text(key);
                    self.add_json(*value);
                }
            }
        }
    }

    /// Adds the pieces, months and days of a text.
    pub fn add_text(&mut self, text: &str) {
        let mut month = None;
        let mut follows_article = false;
        each_piece(text, |piece| {
            if let Some(day) = day_of(piece, follows_article) {
                self.days.insert(day);
            }
            follows_article = Token::of_word(piece).says_one_of(&BEFORE_DAY);
            // A month right before or after a number is part of a date or belongs to a year.
            let is_number = piece.bytes().any(|byte| byte.is_ascii_digit());
            if let Some(month) = month.take().filter(|_| !is_number) {
                self.months[month] = true;
            }
            month = month_of(piece);
            self.add_piece(piece);
        });
        if let Some(month) = month {
            self.months[month] = true;
        }
    }

    fn add_piece(&mut self, piece: &str) {
        let is_sought =
            |byte: u8| byte.is_ascii_digit() || matches!(byte, b'@' | b'.' | b':' | b'/' | b'_');
        if !piece.bytes().any(is_sought) {
            return;
        }
        self.pieces.insert(digest(bare(piece)));
        for part in piece.split([':', '=', '&', '?', '#', '/']) {
            self.pieces.insert(digest(bare(part)));
        }
        for digits in piece.split(|c: char| !c.is_ascii_digit()) {
            if let Some(year) = year_of(digits) {
                self.years.insert(year);
            }
        }
    }

    /// Checks whether a value was written before, ignoring case and what may surround an address, like `https://` or a
    /// final slash.
    pub fn hold(&self, value: &str) -> bool {
        let (mut is_held, mut has_piece) = (true, false);
        each_piece(value, |piece| {
            has_piece = true;
            is_held &= self.pieces.contains(&digest(bare(piece)));
        });
        is_held && has_piece
    }

    /// Checks whether the agent saw an image or a file of the user. No log shows what it read there.
    pub fn saw_file(&self) -> bool {
        self.saw_file
    }

    /// Checks whether a year was named.
    pub fn hold_year(&self, year: u16) -> bool {
        self.years.contains(year.into())
    }

    /// Checks whether a day was named without its month.
    pub fn hold_day(&self, day: u8) -> bool {
        self.days.contains(day.into())
    }

    /// Checks whether a month, counted from 1, was named without a day.
    pub fn hold_month(&self, month: u8) -> bool {
        let index = usize::from(month).checked_sub(1);
        index.is_some_and(|index| self.months.get(index) == Some(&true))
    }
}

fn year_of(digits: &str) -> Option<usize> {
    let year = digits.parse().ok().filter(|_| digits.len() == 4)?;
    (1900..=2100).contains(&year).then_some(year)
}

/// Returns the day of the month that a piece names: `9th`, or `9` and `9.` after an article of another language.
fn day_of(piece: &str, follows_article: bool) -> Option<usize> {
    let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = piece.split_at(digits);
    let rest = rest.trim_end_matches(['.', '!', '?', ':']);
    let is_ordinal = matches!(rest, "st" | "nd" | "rd" | "th");
    let day = digits.parse().ok().filter(|_| digits.len() <= 2)?;
    let is_day = (1..=31).contains(&day) && (is_ordinal || (follows_article && rest.is_empty()));
    is_day.then_some(day)
}

/// Returns the month that a piece names, counted from 0.
fn month_of(piece: &str) -> Option<usize> {
    let word = piece.trim_matches(|c: char| !c.is_alphabetic());
    if word.is_empty() || word.len() > 12 {
        return None;
    }
    let token = Token::of_word(word);
    MONTHS.iter().position(|names| token.says_one_of(names))
}

/// Strips what may surround a piece: signs, the scheme and `www.` of an address, its last slash.
fn bare(piece: &str) -> &str {
    let sign = |c: char| ".,:;!?#@$~-_".contains(c);
    let piece = piece.trim_matches(sign);
    let rest = ["https://", "http://", "ftp://", "mailto:"]
        .iter()
        .find_map(|scheme| piece.strip_prefix(scheme));
    let rest = rest.unwrap_or(piece);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.trim_end_matches('/')
}

/// Calls `take` with each piece of `text`, in lower case and without escapes.
fn each_piece(text: &str, mut take: impl FnMut(&str)) {
    let mut piece = String::new();
    let mut letters = text.chars();
    let mut next = letters.next();
    while let Some(letter) = next {
        next = letters.next();
        let kept = match (letter, next) {
            ('\\', Some('n' | 'r' | 't')) => {
                next = letters.next();
                None
            }
            ('\\', Some('u')) => {
                let code = letters.as_str().get(..4);
                let meant = code.and_then(|code| u32::from_str_radix(code, 16).ok());
                if meant.is_some() {
                    letters = letters.as_str()[4..].chars();
                    next = letters.next();
                }
                meant.and_then(char::from_u32).filter(|c| !parts(*c))
            }
            ('&', Some('a')) if letters.as_str().starts_with("mp;") => {
                letters = letters.as_str()[3..].chars();
                next = letters.next();
                Some('&')
            }
            // Drop the backslash only: the escaped character is handled next, and a quotation mark separates pieces as
            // usual.
            ('\\', Some(_)) => continue,
            _ => Some(letter).filter(|c| !parts(*c)),
        };
        match kept {
            Some(kept) if piece.len() <= LONGEST_PIECE => piece.extend(kept.to_lowercase()),
            Some(_) => {}
            None => finish(&mut piece, &mut take),
        }
    }
    finish(&mut piece, &mut take);
}

fn finish(piece: &mut String, take: &mut impl FnMut(&str)) {
    if !piece.is_empty() && piece.len() <= LONGEST_PIECE {
        take(piece);
    }
    piece.clear();
}

/// Checks whether a character separates pieces.
fn parts(c: char) -> bool {
    c.is_whitespace() || c.is_control() || "\"'`“”„‘’«»‹›<>()[]{}|,;*…\\".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(text: &str) -> Mentions {
        let mut mentions = Mentions::default();
        mentions.add_text(text);
        mentions
    }

    #[test]
    fn addresses_are_found_whatever_stands_around_them() {
        let url = "https://shop.example/a/b?c=1&d=2";
        for text in [
            "see 'https://shop.example/a/b?c=1&d=2'",
            r#"{"u":"https:\/\/shop.example\/a\/b?c=1\u0026d=2"}"#,
            r#"\nhttps://shop.example/a/b?c=1&d=2\n"#,
            "<a href=\"http://www.shop.example/a/b?c=1&amp;d=2\">",
            "[here](https://shop.example/a/b?c=1&d=2).",
        ] {
            assert!(mentions(text).hold(url), "{text}");
        }
        assert!(!mentions("https://shop.example/a/c").hold(url));
        for text in [
            "my mail is'jo@mail.example'",
            "mail:jo@mail.example;",
            "mailto:jo@mail.example",
            r#"{\"mail\":\"Jo@mail.example\"}"#,
        ] {
            assert!(mentions(text).hold("jo@mail.example"), "{text}");
        }
        assert!(mentions("ref=QX81_7, #W99").hold("qx81_7"));
        assert!(mentions("ref=QX81_7, #W99").hold("W99"));
        assert!(!mentions("jo@mail.example").hold("bo@mail.example"));
        assert!(!mentions("").hold(""));
    }

    #[test]
    fn years_and_whole_months_are_noted() {
        let found = mentions("FY2021 and Q3/2023, all of June, on May 4 and 5 July");
        assert!(found.hold_year(2021) && found.hold_year(2023) && !found.hold_year(2022));
        assert!(found.hold_month(6) && !found.hold_month(5));
        assert!(!found.hold_month(0) && !found.hold_month(13));
        let days = mentions("on the 9th, oder am 12., no later than 14 people");
        assert!(days.hold_day(9) && days.hold_day(12) && !days.hold_day(14));
    }
}
