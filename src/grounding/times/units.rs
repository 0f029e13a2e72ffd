//! The units of lengths of time.

use toolgauge_facts::{Token, WordList};

/// Longer words, in bytes, are not units.
const LONGEST: usize = 16;

/// A unit of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unit {
    Milliseconds,
    Seconds,
    Minutes,
    Hours,
    Days,
    Weeks,
    Months,
    Years,
}

static UNITS: [(WordList, Unit); 8] = [
    (
        WordList::of("ms msec millis milliseconds millisecond millisekunden milisegundos"),
        Unit::Milliseconds,
    ),
    (
        WordList::of(
            "seconds second secs sec s sekunden sekunde sek secondes seconde segundos segundo sekunder sekund",
        ),
        Unit::Seconds,
    ),
    (
        WordList::of("minutes minute min mins minuten minuto minutos minutter"),
        Unit::Minutes,
    ),
    (
        WordList::of("hours hour h hr hrs stunden stunde std heures heure horas hora timer time"),
        Unit::Hours,
    ),
    (
        WordList::of(
            "days day nights night tage tag tagen nächte nacht nächten jours jour nuits nuit días día noches noche \
             dager dag netter natt",
        ),
        Unit::Days,
    ),
    (
        WordList::of("weeks week wochen woche semaines semaine semanas semana uker uke"),
        Unit::Weeks,
    ),
    (
        WordList::of("months month monate monat monaten mois meses mes måneder måned"),
        Unit::Months,
    ),
    (
        WordList::of("years year jahre jahr jahren ans an años año år"),
        Unit::Years,
    ),
];

/// The units in Chinese, Japanese and Korean. Longer signs come before their own prefixes.
const SIGNS: [(&str, Unit); 22] = [
    ("分钟", Unit::Minutes),
    ("分鐘", Unit::Minutes),
    ("分", Unit::Minutes),
    ("분", Unit::Minutes),
    ("秒", Unit::Seconds),
    ("초", Unit::Seconds),
    ("小时", Unit::Hours),
    ("時間", Unit::Hours),
    ("小時", Unit::Hours),
    ("시간", Unit::Hours),
    ("天", Unit::Days),
    ("晚", Unit::Days),
    ("夜", Unit::Days),
    ("泊", Unit::Days),
    ("日間", Unit::Days),
    ("일", Unit::Days),
    ("박", Unit::Days),
    ("周", Unit::Weeks),
    ("週間", Unit::Weeks),
    ("주", Unit::Weeks),
    ("歳", Unit::Years),
    ("年", Unit::Years),
];

impl Unit {
    /// Returns the number of seconds in the unit. Months and years have no fixed number.
    pub fn seconds(self) -> Option<f64> {
        match self {
            Self::Milliseconds => Some(0.001),
            Self::Seconds => Some(1.0),
            Self::Minutes => Some(60.0),
            Self::Hours => Some(3_600.0),
            Self::Days => Some(86_400.0),
            Self::Weeks => Some(604_800.0),
            Self::Months | Self::Years => None,
        }
    }

    /// Returns the unit at the start of `text`, and its length in bytes.
    pub fn at(text: &str) -> Option<(Self, usize)> {
        // Words of Chinese and Japanese continue without a space, so the signs are compared as prefixes.
        let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign));
        if let Some((sign, unit)) = sign {
            return Some((*unit, sign.len()));
        }
        let end = text
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(text.len());
        let word = &text[..end];
        Self::of_word(word).map(|unit| (unit, end))
    }

    /// Returns the unit that a word names.
    pub fn of_word(word: &str) -> Option<Self> {
        if word.is_empty() || word.len() > LONGEST {
            return None;
        }
        let word = Token::of_word(word);
        let known = UNITS.iter().find(|(words, _)| word.says_one_of(words));
        known.map(|(_, unit)| *unit)
    }
}

#[cfg(test)]
mod tests {
    use super::Unit;

    #[test]
    fn units_stand_at_the_start_of_texts() {
        assert_eq!(Unit::at("min 12 s"), Some((Unit::Minutes, 3)));
        assert_eq!(Unit::at("小时45分钟"), Some((Unit::Hours, 6)));
        assert_eq!(Unit::at("minced"), None);
        assert_eq!(Unit::at(""), None);
    }
}
