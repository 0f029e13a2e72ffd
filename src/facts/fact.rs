//! Facts: what they are, where they are, and what they mean.

use std::borrow::Cow;

use serde::Serialize;

use super::readings::Readings;

/// The kinds of facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum FactKind {
    /// An amount of money.
    Money,
    /// A number, with its unit where it has one.
    Number,
    /// A percentage.
    Percent,
    /// A day, with or without a year; also a month with a year.
    Date,
    /// A time of day.
    Time,
    /// A code or a name made of letters and digits: an order number, a user id.
    Identifier,
    /// An email address.
    Email,
    /// A URL.
    Url,
    /// A phone number.
    Phone,
    /// A text in quotation marks.
    Quote,
    /// The name of a person or a thing, where a result has a name.
    Name,
}

/// What a fact means, so that two spellings of one value are equal.
#[derive(Debug, Clone, PartialEq)]
pub enum FactValue<'t> {
    /// A number; several where its spelling can be read in several ways (`1,234`).
    Number(Readings<f64>),
    /// A day.
    Date(Date),
    /// Minutes since midnight; two where neither a. m. nor p. m. is said.
    Time(Readings<u16>),
    /// Text that is compared as it is, in lower case.
    Text(Cow<'t, str>),
}

/// A day or a month; what is not said is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// The month, from 1; larger ones are written but don't exist.
    pub month: u8,
    /// The day, from 1; larger ones than the month has are written but don't exist.
    pub day: Option<u8>,
    /// The month when day and month are read the other way round, where that is possible.
    pub swapped: bool,
}

/// Something that a text states.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact<'t> {
    /// What it is.
    pub kind: FactKind,
    /// As it is written.
    pub text: &'t str,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// What it means.
    pub value: FactValue<'t>,
}

impl Fact<'_> {
    /// Where it ends in the text, in bytes.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}
