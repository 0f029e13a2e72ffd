//! The lookups of known values.

use super::gathered::Gathered;
use super::known::Known;
use super::nearest::{nearest, nearest_name};
use super::numbers::is_long;
use crate::digest::digest;
use toolgauge_facts::{Date, Fact, FactKind, FactValue, TextId, Texts, Token};

/// All that is known at one point of a conversation.
#[derive(Clone, Copy)]
pub struct Evidence<'e> {
    gathered: &'e Gathered<'e>,
    texts: &'e Texts<'e>,
}

impl<'e> Evidence<'e> {
    /// The evidence of what was gathered, whose words were read.
    pub(super) fn new(gathered: &'e Gathered<'e>, texts: &'e Texts<'e>) -> Self {
        Self { gathered, texts }
    }

    /// Whether a fact is known, by value: in any spelling, rounded as it is written.
    pub fn holds(self, fact: &Fact<'_>) -> bool {
        match &fact.value {
            FactValue::Number(_) if is_long(fact.text) => {
                self.gathered.numbers.hold_long(fact.text) || self.holds_text_word(fact.text)
            }
            FactValue::Number(readings) => readings
                .iter()
                .any(|number| self.holds_number(*number, fact.text)),
            FactValue::Date(date) => self.holds_date(*date),
            FactValue::Time(minutes) => minutes.iter().any(|minute| self.holds_time(*minute)),
            FactValue::Text(text) if fact.kind == FactKind::Quote => self.holds_words(text),
            FactValue::Text(text) => self.holds_code(text),
        }
    }

    /// Whether a code, in lower case, is known.
    pub fn holds_code(self, code: &str) -> bool {
        self.gathered.values.contains(&digest(code))
    }

    /// Whether a number is known as it is, with the other sign, or rounded to the digits it is written with.
    pub fn holds_number(self, number: f64, written: &str) -> bool {
        self.gathered.numbers.hold(number, written)
    }

    /// Whether some number is between these, whatever its sign.
    pub fn holds_between(self, low: f64, high: f64) -> bool {
        let mut order = self.gathered.order.borrow_mut();
        order.read(&self.gathered.known);
        order.holds_between(low, high)
    }

    /// Whether some day of this month is known, or the month as a whole.
    pub fn knows_month(self, month: u8, year: Option<u16>) -> bool {
        self.gathered.days.hold_month(month, year)
    }

    /// Whether a time of day, in minutes since midnight, is known.
    pub fn holds_time(self, minutes: u16) -> bool {
        self.gathered.times.contains(minutes.into())
    }

    /// Whether a date is known, in any spelling.
    pub fn holds_date(self, date: Date) -> bool {
        self.gathered.days.hold(date)
    }

    /// Whether some date of this year is known.
    pub fn knows_year(self, year: u16) -> bool {
        self.gathered.days.hold_year(year)
    }

    /// Whether a day is known with its year.
    pub fn holds_day(self, date: Date) -> bool {
        self.gathered.days.hold_with_year(date)
    }

    /// The texts that are known, each once.
    pub fn texts(self) -> &'e [TextId] {
        &self.gathered.texts
    }

    /// Whether some text has this word.
    pub fn holds_word(self, word: &Token<'_>) -> bool {
        self.gathered.words.hold(word.word)
    }

    /// Whether some text has this word, in any case.
    pub fn holds_text_word(self, word: &str) -> bool {
        self.gathered.words.hold(self.texts.vocabulary().find(word))
    }

    /// Whether the words of a quotation, separated by single spaces, follow each other in some text.
    pub fn holds_words(self, words: &str) -> bool {
        let mut pairs = self.gathered.pairs.borrow_mut();
        pairs.read(&self.gathered.texts, self.texts);
        pairs.hold(words, self.texts)
    }

    /// The known value that is nearest to `fact`, the latest of those that are equally near; `None` if none is near
    /// enough.
    pub fn nearest(self, fact: &Fact<'_>) -> Option<&'e Known<'e>> {
        nearest(fact, &self.gathered.known, self.texts)
    }

    /// The known name that is most like `word`, the latest of those that are equally like it; `None` if none is at
    /// least `alike`, from 0 to 1.
    pub fn nearest_name(self, word: &str, alike: f64) -> Option<&'e Known<'e>> {
        let at = nearest_name(word, alike, &self.gathered.names)?;
        self.gathered.known.get(at)
    }
}
