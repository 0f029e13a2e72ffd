//! Indexes the numbers of the evidence with their units, currencies and signs.

use foldhash::HashMap;

use super::units::{
    Currencies, Units, currencies_in, currencies_named, currencies_of_words, units_named,
    units_of_words, words_of_key,
};
use toolgauge_facts::{Fact, FactKind, FactValue, Texts, facts};
use toolgauge_model::{Json, Role, ToolCall, Turn};

/// How many numbers are read in all.
const MOST_NUMBERS: usize = 100_000;

/// How deep results are read.
const DEEPEST: usize = 24;

/// Keys whose value is the unit of the numbers beside it.
const UNIT_KEYS: [&str; 4] = ["unit", "units", "uom", "unit_of_measure"];

/// Last words of keys of numbers whose unit may be beside them.
const MEASURED: &str = "value amount quantity qty dose dosage weight temperature temp size length distance reading \
    result level volume duration height width depth";

/// Words of keys of levels: the sign of such a number means above or below zero.
const LEVELS: &str = "balance temp temperature profit net income earnings pnl cashflow";

/// Words of keys of changes: the sign of such a number means a rise or a fall.
const CHANGES: &str = "change changes delta diff difference growth variation return yoy mom";

/// The properties of a number in the evidence, over all its occurrences.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seen {
    /// The units that it occurs with.
    pub units: Units,
    /// Whether it occurs without a unit.
    pub without_unit: bool,
    /// The currencies that it occurs with.
    pub currencies: Currencies,
    /// Whether it occurs without a currency and without a unit. A unit would show that it is not money.
    pub without_currency: bool,
    /// Whether it occurs above zero.
    pub above: bool,
    /// Whether it occurs below zero.
    pub below: bool,
    /// Whether each of its keys is that of a balance or a temperature.
    pub levels: bool,
    /// Whether each of its keys is that of a change.
    pub changes: bool,
}

/// The numbers of the evidence.
#[derive(Default)]
pub struct Quantities {
    seen: HashMap<u64, Seen>,
    /// The properties that each key gives to the numbers under it.
    keys: HashMap<String, KeyUnits>,
    numbers: usize,
    calls: usize,
    turns: usize,
}

/// The properties that a key gives to the numbers under it.
#[derive(Debug, Clone, Copy, Default)]
struct KeyUnits {
    units: Units,
    currencies: Currencies,
    /// Whether a unit beside the key applies to its number.
    is_measured: bool,
    is_level: bool,
    is_change: bool,
}

impl KeyUnits {
    fn of(key: &str) -> Self {
        let words = words_of_key(key);
        let is_of = |list: &str, words: &[String]| {
            let mut names = list.split_whitespace();
            names.any(|name| words.iter().any(|word| word == name))
        };
        Self {
            units: units_of_words(&words),
            currencies: currencies_of_words(&words),
            is_measured: is_of(MEASURED, &words[words.len().saturating_sub(1)..]),
            is_level: is_of(LEVELS, &words),
            is_change: is_of(CHANGES, &words),
        }
    }
}

/// The context of a number.
#[derive(Clone, Copy, Default)]
struct Around {
    key: KeyUnits,
    units: Units,
    currencies: Currencies,
    depth: usize,
}

impl Quantities {
    /// Reads the calls and the turns that were not read yet.
    pub fn read(&mut self, calls: &[&ToolCall<'_>], turns: &[Turn<'_>], texts: &Texts<'_>) {
        for call in calls.iter().skip(self.calls) {
            let parts = [call.arguments, call.result, call.error];
            for json in parts.into_iter().flatten() {
                self.add(json, Around::default(), texts);
            }
        }
        self.calls = self.calls.max(calls.len());
        for turn in turns.iter().skip(self.turns) {
            match turn.role {
                Role::Agent => {}
                Role::User | Role::System => {
                    self.add_text(turn.content, Around::default(), texts);
                }
            }
        }
        self.turns = self.turns.max(turns.len());
    }

    /// Looks up a number of the evidence, whatever its sign.
    pub fn seen(&self, number: f64) -> Option<&Seen> {
        self.seen.get(&number.abs().to_bits())
    }

    fn add(&mut self, json: Json<'_>, around: Around, texts: &Texts<'_>) {
        if around.depth > DEEPEST || self.numbers > MOST_NUMBERS {
            return;
        }
        match json {
            Json::Null | Json::Bool(_) => {}
            Json::Number(number) => {
                let number = number.as_f64();
                let units = around.units_of_number();
                self.add_number(number, units, around.currencies, around.key);
            }
            Json::String(text) => self.add_text(text, around, texts),
            Json::Array(items) => {
                let around = Around {
                    depth: around.depth + 1,
                    ..around
                };
                items.iter().for_each(|item| self.add(*item, around, texts));
            }
            Json::Object(members) => {
                let own = currency_of(members);
                let units = unit_of(members);
                for (key, value) in members {
                    let says = self.key_says(key);
                    let named = says.currencies;
                    let inner = Around {
                        key: says,
                        units,
                        currencies: match (named, own) {
                            (0, None) => around.currencies,
                            (0, Some(own)) => own,
                            (named, _) => named,
                        },
                        depth: around.depth + 1,
                    };
                    self.add(*value, inner, texts);
                }
            }
        }
    }

    fn add_text(&mut self, text: &str, around: Around, texts: &Texts<'_>) {
        if !text.bytes().any(|byte| byte.is_ascii_digit()) {
            return;
        }
        match texts.find(text) {
            Some(found) => self.add_facts(text, found, around),
            None => self.add_facts(text, &facts(text), around),
        }
    }

    fn add_facts(&mut self, text: &str, found: &[Fact<'_>], around: Around) {
        for fact in found {
            let FactValue::Number(readings) = &fact.value else {
                continue;
            };
            let is_whole = fact.text.len() + 1 >= text.trim().len();
            let own = unit_after(text, fact);
            let (units, currencies) = match fact.kind {
                FactKind::Money => (0, currencies_in(fact.text)),
                _ if own != 0 => (own, 0),
                _ if is_whole => (around.units_of_number(), around.currencies),
                _ => (0, 0),
            };
            let currencies = match (fact.kind, currencies) {
                (FactKind::Money, 0) => around.currencies,
                _ => currencies,
            };
            let key = match is_whole {
                true => around.key,
                false => KeyUnits::default(),
            };
            for number in readings.iter() {
                self.add_number(*number, units, currencies, key);
            }
        }
    }

    fn add_number(&mut self, number: f64, units: Units, currencies: Currencies, key: KeyUnits) {
        self.numbers += 1;
        let is_new = Seen {
            levels: true,
            changes: true,
            ..Seen::default()
        };
        let seen = self.seen.entry(number.abs().to_bits()).or_insert(is_new);
        seen.units |= units;
        seen.without_unit |= units == 0;
        seen.currencies |= currencies;
        seen.without_currency |= currencies == 0 && units == 0;
        seen.above |= number >= 0.0;
        seen.below |= number < 0.0;
        seen.levels &= key.is_level;
        seen.changes &= key.is_change;
    }

    fn key_says(&mut self, key: &str) -> KeyUnits {
        if let Some(says) = self.keys.get(key) {
            return *says;
        }
        let says = KeyUnits::of(key);
        self.keys.insert(key.to_owned(), says);
        says
    }
}

impl Around {
    fn units_of_number(&self) -> Units {
        match self.key.units {
            0 if self.key.is_measured => self.units,
            units => units,
        }
    }
}

/// Returns the currency that an object names for its amounts, or 0 if it names several.
fn currency_of(members: &[(&str, Json<'_>)]) -> Option<Currencies> {
    let is_currency = |key: &str| {
        let key = key.to_ascii_lowercase();
        key.ends_with("currency") || key.ends_with("currency_code") || key.ends_with("currencycode")
    };
    let mut found = members.iter().filter(|(key, _)| is_currency(key));
    let (_, first) = found.next()?;
    if found.next().is_some() {
        return Some(0);
    }
    let name = first.as_str()?.trim().to_lowercase();
    Some(currencies_named(&name))
}

/// Returns the unit that an object names for its numbers.
fn unit_of(members: &[(&str, Json<'_>)]) -> Units {
    let is_unit = |key: &str| {
        let key = key.to_ascii_lowercase();
        UNIT_KEYS.contains(&key.as_str()) || key.ends_with("_unit") || key.ends_with("_units")
    };
    let mut found = members.iter().filter(|(key, _)| is_unit(key));
    match (found.next(), found.next()) {
        (Some((_, Json::String(name))), None) => units_named(&name.trim().to_lowercase()),
        _ => 0,
    }
}

/// Returns the byte offset at which the unit after a number ends.
pub fn end_of_unit(content: &str, fact: &Fact<'_>) -> usize {
    let end = fact.end();
    if fact.text.ends_with(is_letter) {
        return end;
    }
    let after = &content[end..];
    let unit = after.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
    let length = unit.find(|c| !is_letter(c)).unwrap_or(unit.len());
    end + after.len() - unit.len() + length
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '°' | 'º' | '℃' | '℉')
}

/// Returns the unit after a number or attached to it, or none if the unit continues, as in `5 mg/day`.
pub fn unit_after(content: &str, fact: &Fact<'_>) -> Units {
    let end = fact.end();
    let glued = fact.text.trim_start_matches(|c: char| !is_letter(c));
    let is_glued = !glued.is_empty() && fact.text.starts_with(|c: char| !is_letter(c));
    let after = content.get(end..).unwrap_or_default();
    let (unit, rest) = if is_glued {
        (glued, after)
    } else {
        let unit = after.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
        // If more than one sign lies between them, the word is not the unit of the number.
        if after.len() - unit.len() > 3 {
            return 0;
        }
        let length = unit.find(|c| !is_letter(c)).unwrap_or(unit.len());
        unit.split_at(length)
    };
    if unit == "G" || unit == "M" || unit == "K" || unit.len() > 24 {
        return 0;
    }
    let (unit, rest) = match unit {
        "°" | "º" if rest.trim_start().starts_with(['C', 'c']) => ("°c", &rest[1..]),
        "°" | "º" if rest.trim_start().starts_with(['F', 'f']) => ("°f", &rest[1..]),
        _ => (unit, rest),
    };
    let goes_on = rest.starts_with(['/', '²', '³', '*', '^'])
        || rest.starts_with(|c: char| c.is_ascii_digit())
        || rest.trim_start().starts_with("per ");
    match goes_on && !rest.starts_with("/h") {
        true => 0,
        false if rest.starts_with("/h") => units_named(&format!("{}/h", unit.to_lowercase())),
        false => units_named(&unit.to_lowercase()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::units::units_named;
    use super::*;
    use toolgauge_facts::facts;

    #[test]
    fn the_unit_of_a_number_stands_right_after_it() {
        for (text, unit) in [
            ("8 mg", "mg"),
            ("8mg", "mg"),
            ("61-km", "km"),
            ("20 °C", "celsius"),
            ("90 km/h", "km/h"),
        ] {
            let found = facts(text);
            assert_ne!(unit_after(text, &found[0]) & units_named(unit), 0, "{text}");
        }
        for text in ["8 mg/day", "8 per mg", "8, mg", "8 G", "8 m²", "8"] {
            let found = facts(text);
            assert_eq!(unit_after(text, &found[0]), 0, "{text}");
        }
    }

    #[test]
    fn a_fact_ends_after_its_unit() {
        for (text, wanted) in [("8 mg daily", "8 mg"), ("8mg", "8mg"), ("8 (mg)", "8 ")] {
            let end = end_of_unit(text, &facts(text)[0]);
            assert_eq!(&text[..end], wanted, "{text}");
        }
    }

    #[test]
    fn keys_say_what_their_numbers_are() {
        let says = |key| KeyUnits::of(key);
        assert!(says("avg_temp").is_level && says("tempChange").is_change);
        assert!(says("dose").is_measured && !says("dose_count").is_measured);
        assert!(!says("template").is_level && !says("changeable").is_change);
    }
}
