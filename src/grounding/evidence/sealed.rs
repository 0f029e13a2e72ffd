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
    /// Creates the evidence from gathered values whose words have been read.
    pub(super) fn new(gathered: &'e Gathered<'e>, texts: &'e Texts<'e>) -> Self {
        Self { gathered, texts }
    }

    /// Returns `true` if a fact is known by value: in any spelling, or rounded as it is written.
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

    /// Returns `true` if a code is known. `code` is in lower case.
    pub fn holds_code(self, code: &str) -> bool {
        self.gathered.values.contains(&digest(code))
    }

    /// Returns `true` if a number is known as it is, with the other sign, or rounded to the digits it is written with.
    pub fn holds_number(self, number: f64, written: &str) -> bool {
        self.gathered.numbers.hold(number, written)
    }

    /// Returns `true` if the absolute value of some number is between `low` and `high`.
    pub fn holds_between(self, low: f64, high: f64) -> bool {
        let mut order = self.gathered.order.borrow_mut();
        order.read(&self.gathered.known);
        order.holds_between(low, high)
    }

    /// Returns `true` if some day of this month is known, or the month as a whole.
    pub fn knows_month(self, month: u8, year: Option<u16>) -> bool {
        self.gathered.days.hold_month(month, year)
    }

    /// Returns `true` if a time of day is known. `minutes` counts from midnight.
    pub fn holds_time(self, minutes: u16) -> bool {
        self.gathered.times.contains(minutes.into())
    }

    /// Returns `true` if a date is known, in any spelling.
    pub fn holds_date(self, date: Date) -> bool {
        self.gathered.days.hold(date)
    }

    /// Returns `true` if some date of this year is known.
    pub fn knows_year(self, year: u16) -> bool {
        self.gathered.days.hold_year(year)
    }

    /// Returns `true` if a day is known together with its year.
    pub fn holds_day(self, date: Date) -> bool {
        self.gathered.days.hold_with_year(date)
    }

    /// Returns the known texts, each once.
    pub fn texts(self) -> &'e [TextId] {
        &self.gathered.texts
    }

    /// Returns `true` if some text contains this word.
    pub fn holds_word(self, word: &Token<'_>) -> bool {
        self.gathered.words.hold(word.word)
    }

    /// Returns `true` if some text contains this word, in any case.
    pub fn holds_text_word(self, word: &str) -> bool {
        self.gathered.words.hold(self.texts.vocabulary().find(word))
    }

    /// Returns `true` if the words of a quotation, separated by single spaces, follow each other in the texts.
    pub fn holds_words(self, words: &str) -> bool {
        let mut pairs = self.gathered.pairs.borrow_mut();
        pairs.read(&self.gathered.texts, self.texts);
        pairs.hold(words, self.texts)
    }

    /// Returns the known value that is nearest to `fact`, or `None` if none is near enough. If several are equally
    /// near, the latest wins.
    pub fn nearest(self, fact: &Fact<'_>) -> Option<&'e Known<'e>> {
        nearest(fact, &self.gathered.known, self.texts)
    }

    /// Returns the known name that is most similar to `word`, or `None` if no similarity reaches `alike`, which is from
    /// 0 to 1. If several are equally similar, the latest wins.
    pub fn nearest_name(self, word: &str, alike: f64) -> Option<&'e Known<'e>> {
        let at = nearest_name(word, alike, &self.gathered.names)?;
        self.gathered.known.get(at)
    }
}
