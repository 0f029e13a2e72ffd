//! Defines what a fact is: its kind, its place in the text and its meaning.

use std::borrow::Cow;

use serde::Serialize;

use super::readings::Readings;

/// The kind of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// An amount of money.
    Money,
    /// A number, with its unit if it has one.
    Number,
    /// A percentage.
    Percent,
    /// A day with or without a year, or a month with a year.
    Date,
    /// A time of day.
    Time,
    /// A code or a name made of letters and digits, such as an order number or a user id.
    Identifier,
    /// An email address.
    Email,
    /// A URL.
    Url,
    /// A phone number.
    Phone,
    /// A text in quotation marks.
    Quote,
    /// The name of a person or a thing, if a result contains that name.
    Name,
}

/// What a fact means. Two spellings of one value have equal values.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue<'t> {
    /// A number. It has several readings if its spelling is ambiguous (`1,234`).
    Number(Readings<f64>),
    /// A day.
    Date(Date),
    /// Minutes since midnight. There are two readings if the text says neither a. m. nor p. m.
    Time(Readings<u16>),
    /// Text that is compared as it is, in lower case.
    Text(Cow<'t, str>),
}

/// A day or a month. Parts that the text does not state are `None`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// The month, from 1. Numbers above 12 are kept as written, though no such month exists.
    pub month: u8,
    /// The day, from 1. Numbers that are too large for the month are kept as written, though no such day exists.
    pub day: Option<u8>,
    /// Whether day and month may also be read the other way round, so that `month` is the day.
    pub swapped: bool,
}

/// A fact that a text states.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'t> {
    /// The kind of the fact.
    pub kind: FactKind,
    /// The fact as it is written in the text.
    pub text: &'t str,
    /// The byte offset in the text at which the fact starts.
    pub start: usize,
    /// The meaning of the fact.
    pub value: FactValue<'t>,
}

impl Fact<'_> {
    /// Returns the byte offset in the text at which the fact ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}
