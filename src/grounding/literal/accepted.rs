//! Facts that the agent offered and the user did not turn down. From then on they are known, as if the user had said
//! them.
//!
//! Only facts in an offer, a question or an example count. Reported facts do not: the agent's own claims are never
//! evidence.

use foldhash::HashSet;

use super::super::measures::minutes_of_span;
use toolgauge_facts::{Date, Fact, FactKind, FactValue, Token, WordList};

/// At most this many facts are kept until the user answers.
const MOST: usize = 100;

/// Words that turn an offer down if an answer starts with them.
static REFUSES: WordList =
    WordList::of("no nope neither none never nein weder non aucun ninguno ninguna nei nej ingen");

/// The facts that were offered, and those that were accepted.
#[derive(Default)]
pub struct Accepted {
    offered: Vec<Offered>,
    dates: Vec<Date>,
    /// The minutes of the day that were accepted.
    times: HashSet<u16>,
    numbers: HashSet<u64>,
}

/// A fact that was offered.
enum Offered {
    Date(Date),
    Time(Vec<u16>),
    Number(Vec<f64>),
}

impl Accepted {
    /// Records a fact that a reply offers.
    pub fn offer(&mut self, fact: &Fact<'_>) {
        let offered = match &fact.value {
            FactValue::Date(date) => Offered::Date(*date),
            FactValue::Time(minutes) => Offered::Time(minutes.to_vec()),
            FactValue::Number(values) if fact.kind != FactKind::Money => {
                Offered::Number(values.to_vec())
            }
            FactValue::Number(_) | FactValue::Text(_) => return,
        };
        if self.offered.len() < MOST {
            self.offered.push(offered);
        }
    }

    /// Accepts the facts offered so far, unless the user's answer turns them down.
    pub fn answer(&mut self, text: &str) {
        if self.offered.is_empty() || text.trim().is_empty() {
            return;
        }
        let mut words = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let refuses = words
            .next()
            .is_some_and(|word| Token::of_word(word).says_one_of(&REFUSES));
        let offered = std::mem::take(&mut self.offered);
        if refuses {
            return;
        }
        for fact in offered {
            match fact {
                Offered::Date(date) => self.dates.push(date),
                Offered::Time(minutes) => self.times.extend(minutes),
                Offered::Number(values) => {
                    self.numbers
                        .extend(values.iter().map(|value| value.to_bits()));
                }
            }
        }
    }

    /// Returns `true` if a fact was accepted. A time also matches when it is repeated as a span: `2:45` as "2h45m".
    pub fn holds(&self, fact: &Fact<'_>) -> bool {
        match &fact.value {
            FactValue::Date(date) => self.dates.iter().any(|known| {
                let years_agree =
                    known.year.is_none() || date.year.is_none() || known.year == date.year;
                (known.month, known.day) == (date.month, date.day) && years_agree
            }),
            FactValue::Time(minutes) => minutes.iter().any(|minute| self.times.contains(minute)),
            FactValue::Number(values) if fact.kind != FactKind::Money => values
                .iter()
                .any(|value| self.numbers.contains(&value.to_bits())),
            FactValue::Text(text) => {
                minutes_of_span(text).is_some_and(|span| self.times.contains(&span))
            }
            FactValue::Number(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    /// Returns the unsupported texts of a reply that follows this offer and this answer.
    fn unsupported(offer: &str, answer: &str, reply: &str) -> Vec<String> {
        let (offer, answer) = (
            serde_json::Value::from(offer),
            serde_json::Value::from(answer),
        );
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"Please plan it."}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look","arguments":{{}},"result":{{"on":"2031-07-15"}}}}]}},
            {{"turn_id":3,"role":"agent","content":{offer}}},
            {{"turn_id":4,"role":"user","content":{answer}}}"#
        );
        texts_unsupported_after(&turns, reply)
    }

    #[test]
    fn an_offer_that_the_user_takes_up_is_known() {
        let offer = "Until when shall it last (e.g., until 2031-08-31)?";
        for answer in ["Yes, that works.", "Until then, and quickly please."] {
            assert_eq!(
                unsupported(offer, answer, "It lasts until 2031-08-31."),
                [""; 0]
            );
        }
        assert_eq!(
            unsupported(offer, "No, shorter.", "It lasts until 2031-08-31."),
            ["2031-08-31"]
        );
        assert_eq!(
            unsupported(offer, "Yes.", "It lasts until 2031-08-30."),
            ["2031-08-30"]
        );
    }

    #[test]
    fn a_claim_is_never_evidence() {
        let claim = "It lasts until 2031-08-31.";
        assert_eq!(unsupported(claim, "Yes.", claim), ["2031-08-31"]);
    }

    #[test]
    fn a_time_that_was_offered_may_be_a_span() {
        let offer = "Which limit do you want? (e.g., ≤ 3:25)";
        let reply = "The limit is 3:25, that is 3h25m.";
        assert_eq!(unsupported(offer, "The second one.", reply), [""; 0]);
        assert_eq!(unsupported(offer, "Ok", "It is 3h27m."), ["3h27m"]);
    }
}
