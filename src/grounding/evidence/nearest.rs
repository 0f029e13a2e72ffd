//! The nearest known value: what a wrong fact was probably meant to be.

use super::known::{Known, KnownValue};
use super::words::KnownNames;
use crate::likeness::Likeness;
use toolgauge_facts::{Date, Fact, FactKind, FactValue, Texts};

/// How many of the latest values are compared.
const MOST_CANDIDATES: usize = 250;

/// A value at a larger distance is not what was meant.
const FARTHEST: f64 = 0.6;

/// Longer texts are not compared.
const LONGEST_TEXT: usize = 100;

/// Returns the known value that is nearest to `fact`. If several are equally near, the latest wins.
pub fn nearest<'e>(
    fact: &Fact<'_>,
    known: &'e [Known<'e>],
    texts: &Texts<'_>,
) -> Option<&'e Known<'e>> {
    let sought = Sought::by(fact);
    let mut nearest: Option<(f64, &Known<'e>)> = None;
    for known in known.iter().rev().take(MOST_CANDIDATES) {
        let most = nearest.map_or(FARTHEST, |(distance, _)| distance);
        let distance = sought.distance(known, texts, most);
        if let Some(distance) = distance
            && nearest.is_none_or(|(least, _)| distance < least)
        {
            nearest = Some((distance, known));
        }
    }
    nearest.map(|(_, known)| known)
}

/// Returns the index of the known name that is most similar to `word`, with a similarity of at least `alike`.
pub fn nearest_name(word: &str, alike: f64, names: &KnownNames) -> Option<usize> {
    let word = word.to_lowercase();
    let likeness = Likeness::to(&word);
    let mut nearest = None;
    let mut most = 1.0 - alike;
    for (name, at) in names.latest().take(MOST_CANDIDATES) {
        if let Some(distance) = likeness.distance(name, most) {
            (nearest, most) = (Some(at), distance);
        }
    }
    nearest
}

/// A fact whose nearest known value is searched for.
enum Sought<'f> {
    Number(f64),
    Date(Date),
    Time(&'f [u16]),
    Text(FactKind, Likeness<'f>),
    Nothing,
}

impl<'f> Sought<'f> {
    fn by(fact: &'f Fact<'_>) -> Self {
        match &fact.value {
            FactValue::Number(readings) => readings
                .first()
                .map_or(Self::Nothing, |number| Self::Number(*number)),
            FactValue::Date(date) => Self::Date(*date),
            FactValue::Time(minutes) => Self::Time(minutes),
            FactValue::Text(text) if text.len() <= LONGEST_TEXT => {
                Self::Text(fact.kind, Likeness::to(text))
            }
            FactValue::Text(_) => Self::Nothing,
        }
    }

    /// Returns the distance of a known value from the fact, from 0 to 1, or `None` if it is another kind of value or
    /// farther than `most`.
    fn distance(&self, known: &Known<'_>, texts: &Texts<'_>, most: f64) -> Option<f64> {
        let distance = match (self, known.value) {
            (Self::Number(a), _) => {
                let b = known.number()?;
                let relative = (a - b).abs() / a.abs().max(b.abs()).max(1.0);
                relative.min(share_of_other_digits(*a, b))
            }
            (Self::Text(kind, likeness), KnownValue::Fact(place, known_kind)) => {
                let FactValue::Text(text) = &place.fact(texts).value else {
                    return None;
                };
                let is_alike = *kind == known_kind && text.len() <= LONGEST_TEXT;
                return is_alike.then(|| likeness.distance(text, most)).flatten();
            }
            (Self::Date(a), KnownValue::Fact(place, FactKind::Date)) => {
                let FactValue::Date(b) = &place.fact(texts).value else {
                    return None;
                };
                let day =
                    |date: &Date| f64::from(date.month) * 31.0 + f64::from(date.day.unwrap_or(1));
                let years = f64::from(a.year.zip(b.year).map_or(0, |(a, b)| a.abs_diff(b)));
                ((day(a) - day(b)).abs() / 372.0 + years.min(10.0) / 10.0).min(1.0)
            }
            (Self::Time(a), KnownValue::Fact(place, FactKind::Time)) => {
                let FactValue::Time(b) = &place.fact(texts).value else {
                    return None;
                };
                let pairs = a.iter().flat_map(|a| b.iter().map(|b| a.abs_diff(*b)));
                f64::from(pairs.min()?) / 1440.0
            }
            (Self::Text(..) | Self::Date(_) | Self::Time(_) | Self::Nothing, _) => return None,
        };
        (distance <= most).then_some(distance)
    }
}

/// Returns the share of digits in which two whole numbers of equal length differ, or 1 for any other numbers.
fn share_of_other_digits(a: f64, b: f64) -> f64 {
    let is_whole = |number: f64| number.fract() == 0.0 && (0.0..1e15).contains(&number);
    if !is_whole(a) || !is_whole(b) {
        return 1.0;
    }
    let (mut a, mut b) = (a as u64, b as u64);
    let (mut digits, mut other) = (0_u32, 0_u32);
    while a > 0 && b > 0 {
        digits += 1;
        other += u32::from(a % 10 != b % 10);
        (a, b) = (a / 10, b / 10);
    }
    if a == 0 && b == 0 && digits > 0 {
        f64::from(other) / f64::from(digits)
    } else {
        1.0
    }
}
