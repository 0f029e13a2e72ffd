//! How sure it is that nothing shows an unsupported fact.
//!
//! The confidences are shares measured on replies by domain (`cargo xtask grounding`): of the facts of a kind that were
//! reported, how many really stood in no result. They are rounded, so that no set decides on the second decimal.

use crate::facts::{Fact, FactKind};

/// What makes a fact unsupported.
pub enum Finding<'f, 'a> {
    /// No evidence holds it, in the content that states it.
    Unknown(&'f Fact<'a>, &'f str),
    /// A name where the results have another one.
    Name,
    /// A number in words or in figures that counts what was returned.
    Count,
    /// A short code where the results have one that looks the same.
    Code,
    /// A number in another unit, another currency or with another sign than the evidence gives it.
    Misfit,
    /// A weekday that is not that of its date.
    Weekday,
}

impl Finding<'_, '_> {
    /// How sure it is that nothing shows the fact, from 0 to 1. One fact of the hard kinds passes the default threshold of
    /// 0.3; one that is said in words, or is a quotation, does so only together with others.
    pub fn confidence(&self) -> f64 {
        match self {
            Self::Unknown(fact, content) => of_unknown(fact, content),
            Self::Name | Self::Count | Self::Code => 0.5,
            Self::Misfit | Self::Weekday => 0.7,
        }
    }
}

fn of_unknown(fact: &Fact<'_>, content: &str) -> f64 {
    match fact.kind {
        FactKind::Email | FactKind::Url if is_quoted(fact, content) => 0.2,
        FactKind::Quote => 0.2,
        FactKind::Number if !fact.text.starts_with(|c: char| c.is_ascii_digit()) => 0.2,
        FactKind::Number
        | FactKind::Percent
        | FactKind::Time
        | FactKind::Phone
        | FactKind::Name => 0.5,
        FactKind::Money
        | FactKind::Date
        | FactKind::Identifier
        | FactKind::Email
        | FactKind::Url => 0.7,
    }
}

/// Whether a fact stands in quotation marks, as an address in a command does. A member or an item of a structured reply
/// is stated as any other value.
fn is_quoted(fact: &Fact<'_>, content: &str) -> bool {
    let before = content[..fact.start].strip_suffix(['"', '“', '„', '«']);
    before.is_some_and(|before| !before.trim_end().ends_with([':', '[', ',']))
}
