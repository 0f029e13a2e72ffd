//! Finds numbers that the evidence holds in another unit or more exactly: `1.2 million` for 1203455, `90 minutes` for
//! 5400 seconds, `€12.50` for 1250 cents, "about 500" for 512.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::calendar::durations;
use super::evidence::Evidence;
use toolgauge_facts::{Fact, FactKind, FactValue, Texts};
use toolgauge_model::ToolCall;

/// A unit, and how to convert its numbers into other units.
struct Unit {
    /// The lower-case names and signs of the unit, separated by spaces.
    names: &'static str,
    /// The factors that convert a number into other units.
    factors: &'static [f64],
}

const HOURS: &str = "h hr hrs hour hours stunde stunden std heure heures hora horas time timer";

const MINUTES: &str = "m min mins minute minutes minuten minuto minutos minutt minutter";

const UNITS: [Unit; 24] = [
    Unit {
        names: "tb tib terabyte terabytes",
        factors: &[
            1e12,
            1_099_511_627_776.0,
            1e9,
            1_073_741_824.0,
            1e6,
            1_048_576.0,
            1e3,
            1024.0,
        ],
    },
    Unit {
        names: "gb gib gigabyte gigabytes",
        factors: &[1e9, 1_073_741_824.0, 1e6, 1_048_576.0, 1e3, 1024.0],
    },
    Unit {
        names: "mb mib megabyte megabytes",
        factors: &[1e6, 1_048_576.0, 1e3, 1024.0],
    },
    Unit {
        names: "kb kib kilobyte kilobytes",
        factors: &[1e3, 1024.0],
    },
    Unit {
        names: "week weeks woche wochen semaine semaines semana semanas uke uker",
        factors: &[7.0],
    },
    Unit {
        names: "day days tag tage tagen jour jours día días dag dager",
        factors: &[24.0, 1440.0, 86_400.0],
    },
    Unit {
        names: HOURS,
        factors: &[60.0, 3600.0, 3_600_000.0],
    },
    Unit {
        names: MINUTES,
        factors: &[60.0, 60_000.0, 1.0 / 60.0],
    },
    Unit {
        names: "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos sekund sekunder",
        factors: &[1000.0, 1.0 / 60.0],
    },
    Unit {
        names: "ms millisecond milliseconds",
        factors: &[0.001, 1.0 / 60_000.0],
    },
    Unit {
        names: "km kilometer kilometers kilometre kilometres kilómetros",
        factors: &[1000.0, 0.621_371],
    },
    Unit {
        names: "mi mile miles",
        factors: &[1.609_344, 1609.344],
    },
    Unit {
        names: "kg kilogram kilograms kilo kilos",
        factors: &[1000.0, 2.204_623],
    },
    Unit {
        names: "lb lbs pound pounds",
        factors: &[0.453_592, 453.592],
    },
    Unit {
        names: "ft feet foot",
        factors: &[0.3048, 12.0, 30.48],
    },
    Unit {
        names: "g gram grams gramm grammes gramos",
        factors: &[1000.0, 0.001, 1e6, 0.035_274],
    },
    Unit {
        names: "mg milligram milligrams milligramm",
        factors: &[0.001, 1000.0],
    },
    Unit {
        names: "µg μg mcg microgram micrograms",
        factors: &[0.001],
    },
    Unit {
        names: "oz ounce ounces",
        factors: &[28.349_523, 0.062_5, 29.573_53],
    },
    Unit {
        names: "ml milliliter milliliters millilitre millilitres",
        factors: &[0.001, 0.033_814],
    },
    Unit {
        names: "l liter liters litre litres litros",
        factors: &[1000.0, 0.264_172, 100.0],
    },
    Unit {
        names: "cm centimeter centimeters centimetre centimetres zentimeter",
        factors: &[0.393_701, 10.0, 0.01],
    },
    Unit {
        names: "m meter meters metre metres mètres metros",
        factors: &[0.001, 100.0, 3.280_84, 1000.0],
    },
    Unit {
        names: "inch inches",
        factors: &[2.54, 25.4, 1.0 / 12.0],
    },
];

/// Words before a number that was rounded up or down.
const ABOUT: &str = "about around approximately approx roughly circa ca etwa rund ungefähr environ unos unas \
    aproximadamente alrededor omtrent rundt cirka ~ ≈";

/// Words before a number that was rounded down.
const OVER: &str = "over above exceeding than über quelque superior";

/// Words before a number that was rounded up.
const NEARLY: &str = "nearly almost under knapp fast presque casi nesten";

/// How far a converted number may be off, as a share of the number.
const MOST_OFF_CONVERTED: f64 = 0.03;

/// The longest word before a number that is looked up in the lists above, in bytes.
const LONGEST_WORD: usize = 20;

/// How far a round number may be off, as a share of the number.
const MOST_OFF: f64 = 0.1;

/// Adds the numbers that the evidence holds in another unit or more exactly to the `held` facts of a reply.
pub fn measured(
    content: &str,
    stated: &[Fact<'_>],
    mut held: Vec<bool>,
    evidence: Evidence<'_>,
    calls: &[&ToolCall<'_>],
    texts: &Texts<'_>,
) -> Vec<bool> {
    let is_number = |fact: &Fact<'_>| {
        matches!(
            fact.kind,
            FactKind::Money | FactKind::Number | FactKind::Percent
        )
    };
    if !stated
        .iter()
        .zip(&held)
        .any(|(fact, held)| !held && (is_number(fact) || minutes_of_span(fact.text).is_some()))
    {
        return held;
    }
    let measures = Measures {
        content,
        evidence,
        calls,
        texts,
        durations: OnceCell::new(),
    };
    for (at, fact) in stated
        .iter()
        .enumerate()
        .filter(|(_, fact)| is_number(fact))
    {
        let next = stated.get(at + 1);
        if let Some(next) = next.filter(|next| measures.are_hours_and_minutes(fact, next)) {
            let is_known = measures.holds_duration(fact, Some(next));
            held[at] |= is_known;
            held[at + 1] |= is_known;
        }
        held[at] = held[at] || measures.holds(fact);
    }
    for (held, fact) in std::iter::zip(&mut held, stated) {
        let is_known = || minutes_of_span(fact.text).is_some_and(|span| measures.knows_span(span));
        *held = *held || (fact.kind == FactKind::Identifier && is_known());
    }
    held
}

/// Parses a duration that is written as one word into minutes: `2h45m`.
pub fn minutes_of_span(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once('h')?;
    let minutes = minutes.strip_suffix("min").or(minutes.strip_suffix('m'))?;
    let number = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u16>().ok().filter(|_| is_number)
    };
    let minutes = number(minutes).filter(|minutes| *minutes < 60)?;
    number(hours)?.checked_mul(60)?.checked_add(minutes)
}

struct Measures<'m, 'a> {
    content: &'m str,
    evidence: Evidence<'m>,
    calls: &'m [&'m ToolCall<'a>],
    texts: &'m Texts<'m>,
    /// The minutes between the start and the end of each period in the results.
    durations: OnceCell<BTreeSet<u16>>,
}

impl Measures<'_, '_> {
    fn holds(&self, fact: &Fact<'_>) -> bool {
        let FactValue::Number(readings) = &fact.value else {
            return false;
        };
        readings
            .iter()
            .any(|number| self.holds_as(number.abs(), fact))
            || (fact.kind == FactKind::Number && self.holds_duration(fact, None))
    }

    fn holds_as(&self, number: f64, fact: &Fact<'_>) -> bool {
        let Some(step) = step(number, fact.text) else {
            return false;
        };
        let half = step / 2.0;
        let holds = |number: f64, off: f64| self.evidence.holds_between(number - off, number + off);
        // Numbers with one or two decimals were already looked up by value.
        let is_rounded = !(0.005..=1.0).contains(&step) || fact.kind == FactKind::Percent;
        match fact.kind {
            _ if is_rounded && holds(number, half) => true,
            FactKind::Money if holds(number * 100.0, 1e-6) => true,
            FactKind::Number => {
                let unit = self.unit(fact);
                let meant = UNITS.iter().filter(|known| names(known.names, &unit));
                let mut factors = meant.flat_map(|unit| unit.factors);
                let off = half.min(number * MOST_OFF_CONVERTED);
                factors.any(|factor| holds(number * factor, off * factor))
                    || self.is_converted_temperature(number, half, &unit)
                    || self.is_about(number, fact)
            }
            _ => self.is_about(number, fact),
        }
    }

    fn is_converted_temperature(&self, number: f64, half: f64, unit: &str) -> bool {
        let (celsius, off) = match unit {
            "°f" | "fahrenheit" => ((number - 32.0) / 1.8, half / 1.8),
            "°c" | "celsius" => (number * 1.8 + 32.0, half * 1.8),
            _ => return false,
        };
        self.evidence.holds_between(celsius - off, celsius + off)
    }

    /// Checks whether the word before a round number says how it was rounded, and the evidence holds a number that
    /// rounds to it.
    fn is_about(&self, number: f64, fact: &Fact<'_>) -> bool {
        let Some(step) = round_step(number, fact.text).filter(|step| *step > 1.0) else {
            return false;
        };
        let before = self.content[..fact.start].trim_end();
        let letters = before.chars().rev().take(LONGEST_WORD + 1);
        let letters = letters.take_while(|c| !c.is_whitespace() && *c != '(');
        let length: usize = letters.map(char::len_utf8).sum();
        let word = match length <= LONGEST_WORD {
            true => before[before.len() - length..].to_lowercase(),
            false => String::new(),
        };
        let off = step.min(number * MOST_OFF);
        let (low, high) = if names(ABOUT, &word) {
            (number - off / 2.0, number + off / 2.0)
        } else if names(OVER, &word) {
            (number, number + off)
        } else if names(NEARLY, &word) {
            (number - off, number)
        } else {
            return false;
        };
        self.evidence.holds_between(low, high)
    }

    fn are_hours_and_minutes(&self, first: &Fact<'_>, second: &Fact<'_>) -> bool {
        let between = second.start.saturating_sub(first.end());
        let are_numbers = first.kind == FactKind::Number && second.kind == FactKind::Number;
        are_numbers
            && between <= 20
            && names(HOURS, &self.unit(first))
            && names(MINUTES, &self.unit(second))
    }

    /// Checks whether a duration in hours, minutes or both is known as the time between a start and an end. A duration
    /// in hours and minutes may also be known as a number of minutes, seconds or hours.
    fn holds_duration(&self, fact: &Fact<'_>, minutes: Option<&Fact<'_>>) -> bool {
        let unit = self.unit(fact);
        let number = |fact: &Fact<'_>| match &fact.value {
            FactValue::Number(readings) => readings.first().copied(),
            _ => None,
        };
        let Some(first) = number(fact) else {
            return false;
        };
        let total = if names(HOURS, &unit) {
            first * 60.0 + minutes.and_then(number).unwrap_or_default()
        } else if names(MINUTES, &unit) {
            first
        } else {
            return false;
        };
        (minutes.is_some() && self.knows_minutes(total))
            || (total.fract() == 0.0 && self.durations().contains(&(total as u16)))
    }

    /// Returns the minutes between the start and the end of each period in the results.
    fn durations(&self) -> &BTreeSet<u16> {
        self.durations
            .get_or_init(|| durations(self.calls, self.texts))
    }

    /// Checks whether the evidence holds a number of minutes as minutes, seconds or hours.
    fn knows_minutes(&self, minutes: f64) -> bool {
        let holds = |number: f64| self.evidence.holds_between(number - 1e-6, number + 1e-6);
        holds(minutes) || holds(minutes * 60.0) || holds(minutes / 60.0)
    }

    /// Checks whether a duration is known: as a number, as a time like `2:45`, or as the time between a start and an
    /// end.
    fn knows_span(&self, minutes: u16) -> bool {
        self.knows_minutes(minutes.into())
            || self.evidence.holds_time(minutes)
            || self.durations().contains(&minutes)
    }

    /// Returns the word or sign after a number, in lower case.
    fn unit(&self, fact: &Fact<'_>) -> String {
        let is_letter = |c: &char| c.is_alphabetic() || *c == '°';
        let glued = fact.text.trim_start_matches(|c: char| !is_letter(&c));
        let after = &self.content[fact.end()..];
        let after = after.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
        let unit = if glued.is_empty() { after } else { glued };
        unit.chars()
            .take(20)
            .take_while(is_letter)
            .collect::<String>()
            .to_lowercase()
    }
}

/// Checks whether a lower-case word says that the number after it is rounded.
pub fn says_round(word: &str) -> bool {
    [ABOUT, OVER, NEARLY].iter().any(|words| names(words, word))
}

fn names(words: &str, word: &str) -> bool {
    !word.is_empty() && words.split_ascii_whitespace().any(|known| known == word)
}

/// Returns the place value of the last written digit of a number.
pub fn step(number: f64, written: &str) -> Option<f64> {
    let digits = written.bytes().filter(u8::is_ascii_digit);
    let leading = digits.skip_while(|digit| *digit == b'0').count();
    power_of(number, leading)
}

/// Returns the place value of the last written digit that is not zero.
fn round_step(number: f64, written: &str) -> Option<f64> {
    let digits: Vec<_> = written.bytes().filter(u8::is_ascii_digit).collect();
    let significant = digits.iter().rposition(|digit| *digit != b'0')? + 1;
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    power_of(number, significant - zeros)
}

/// Returns the place value of the last of the first `digits` significant digits of a number.
fn power_of(number: f64, digits: usize) -> Option<f64> {
    let is_countable = number > 0.0 && number.is_finite() && (1..=15).contains(&digits);
    // The logarithm of a power of ten may come out slightly too small.
    is_countable.then(|| 10f64.powi((number.log10() + 1e-9).floor() as i32 + 1 - digits as i32))
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;
    use super::minutes_of_span;

    #[test]
    fn spans_in_one_word_are_durations() {
        assert_eq!(minutes_of_span("3h25m"), Some(205));
        assert_eq!(minutes_of_span("3h"), None);
        assert_eq!(minutes_of_span("3h75m"), None);
        let turns = r#"{"turn_id":1,"role":"user","content":"How long?"},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"look","arguments":{},
                "result":[{"start":"06:10","end":"09:35"},{"minutes":95}]}]}"#;
        let found = |reply| texts_unsupported_after(turns, reply);
        assert_eq!(found("It takes 3h25m, or 1h35m."), [""; 0]);
        assert_eq!(found("It takes 3h45m."), ["3h45m"]);
    }
}
