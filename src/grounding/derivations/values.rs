//! Collects the numbers of the latest results, wherever they are, and whether percentages are among them.

use super::super::background::Background;
use super::rows::number;
use toolgauge_facts::{FactKind, Texts};
use toolgauge_model::{Json, Role};

/// How many of the latest calls are read.
const MOST_CALLS: usize = 12;

/// How many values of their results are read.
const MOST_VALUES: usize = 2000;

/// How many different numbers are kept.
pub const MOST_NUMBERS: usize = 160;

/// How many of the latest turns are searched for numbers that the user asks for, and how many of these are kept.
const MOST_TURNS: usize = 8;
const MOST_WISHES: usize = 8;

/// Parts of keys whose values are percentages.
const PERCENT: [&str; 5] = ["pct", "percent", "prozent", "porcent", "pourcent"];

/// Parts of keys whose values are percentages if they are below 1.
const RATES: [&str; 5] = ["rate", "ratio", "share", "margin", "quote"];

/// Parts of keys whose values are means.
const MEANS: [&str; 6] = ["avg", "average", "mean", "media", "mittel", "moyen"];

/// The numbers of the latest results.
#[derive(Default)]
pub struct Values {
    /// The distinct numbers. Those of the latest results come first.
    pub numbers: Vec<f64>,
    /// The numbers that the user named.
    pub wishes: Vec<f64>,
    /// Whether percentages are among the numbers.
    pub have_percentages: bool,
    /// Whether means are among the numbers.
    pub have_means: bool,
    /// Whether there are more numbers than are kept.
    pub are_many: bool,
    left: usize,
}

impl Values {
    /// Collects the numbers of the evidence.
    pub fn of(background: &Background<'_, '_>) -> Self {
        let mut values = Self {
            left: MOST_VALUES,
            ..Self::default()
        };
        for call in background.calls.iter().rev().take(MOST_CALLS) {
            if let Some(result) = call.result {
                values.visit(result, "", background.texts);
            }
        }
        let turns = background.earlier.iter().zip(background.said).rev();
        let turns = turns
            .take(MOST_TURNS)
            .filter(|(turn, _)| turn.role == Role::User);
        let wishes = turns.flat_map(|(_, text)| background.texts.facts(*text));
        values.wishes = wishes.filter_map(number).take(MOST_WISHES).collect();
        values
    }

    fn visit(&mut self, json: Json<'_>, key: &str, texts: &Texts<'_>) {
        if self.left == 0 {
            self.are_many = true;
            return;
        }
        self.left -= 1;
        match json {
            Json::Array(items) => items.iter().for_each(|item| self.visit(*item, key, texts)),
            Json::Object(members) => {
                for (key, value) in members {
                    self.visit(*value, key, texts);
                }
            }
            Json::Number(number) => {
                let number = number.as_f64();
                let key = key.to_lowercase();
                let has = |parts: &[&str]| parts.iter().any(|part| key.contains(part));
                self.have_percentages |=
                    has(&PERCENT) || (has(&RATES) && number.abs() > 0.0 && number.abs() < 1.0);
                self.have_means |= has(&MEANS);
                self.add(number);
            }
            Json::String(text) => {
                for fact in texts.facts_of(text).iter().take(self.left) {
                    self.have_percentages |= fact.kind == FactKind::Percent;
                    if let Some(number) = number(fact) {
                        self.left = self.left.saturating_sub(1);
                        self.add(number);
                    }
                }
            }
            Json::Null | Json::Bool(_) => {}
        }
    }

    fn add(&mut self, number: f64) {
        let is_new = number != 0.0 && !self.numbers.contains(&number);
        if is_new && self.numbers.len() < MOST_NUMBERS {
            self.numbers.push(number);
        }
        self.are_many |= is_new && self.numbers.len() == MOST_NUMBERS;
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    fn of(result: &str) -> Values {
        let arena = Bump::new();
        let mut values = Values {
            left: MOST_VALUES,
            ..Values::default()
        };
        values.visit(arena_json(&arena, result), "", &Texts::default());
        values
    }

    #[test]
    fn keys_tell_percentages_and_means() {
        assert!(of(r#"{"growth_pct":4.5}"#).have_percentages);
        assert!(of(r#"{"rate":0.45}"#).have_percentages);
        assert!(!of(r#"{"rate":45}"#).have_percentages);
        assert!(of(r#"{"avgPrice":45}"#).have_means);
        assert!(!of(r#"{"price":45}"#).have_means);
    }

    #[test]
    fn more_numbers_than_are_kept_are_many() {
        let numbers: Vec<_> = (1..400).map(|at| at.to_string()).collect();
        let values = of(&format!("[{}]", numbers.join(",")));
        assert!(values.are_many && values.numbers.len() == MOST_NUMBERS);
        assert!(!of("[1,2,3]").are_many);
    }
}
