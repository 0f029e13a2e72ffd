//! Detects the parts of a reply that state nothing about results: proposed code, formulas, thoughts, tool calls, examples,
//! placeholders, times that are offered in a question, numbers of steps, the top of a scale.

mod code;
mod images;
mod labels;
mod offers;
mod parts;
mod plans;
mod spans;
mod wording;

pub use images::{carries_file, holds_image};

use std::ops::Range;

use toolgauge_facts::Fact;

/// The parts of a reply that state nothing about results.
pub struct Silent<'a> {
    content: &'a str,
    /// Code, formulas, thoughts and tool calls, in order.
    spans: Vec<Range<usize>>,
}

impl<'a> Silent<'a> {
    /// Finds the parts of a reply that state nothing.
    pub fn of(content: &'a str) -> Self {
        Self {
            content,
            spans: spans::silent(content),
        }
    }

    /// Checks whether a fact of the reply states nothing about results.
    pub fn holds(&self, fact: &Fact<'_>) -> bool {
        let after = self.spans.partition_point(|span| span.end <= fact.start);
        let is_inside = self
            .spans
            .get(after)
            .is_some_and(|span| span.start < fact.end());
        is_inside
            || labels::is_label(fact, self.content)
            || wording::is_example(fact, self.content)
            || wording::is_placeholder(fact, self.content)
            || offers::is_offer(fact, self.content)
            || wording::is_offset(fact, self.content)
            || parts::is_said_again(fact, self.content)
            || plans::is_planned(fact, self.content)
    }

    /// Checks whether a fact is offered to the user, who may accept it later.
    pub fn offers(&self, fact: &Fact<'_>) -> bool {
        wording::is_example(fact, self.content) || offers::is_offer(fact, self.content)
    }
}

#[cfg(test)]
mod tests {
    use super::Silent;
    use toolgauge_facts::facts;

    /// Returns the facts of a reply that state something.
    fn stated(content: &str) -> Vec<&str> {
        let silent = Silent::of(content);
        let facts = facts(content).into_iter();
        facts
            .filter(|fact| !silent.holds(fact))
            .map(|fact| fact.text)
            .collect()
    }

    #[test]
    fn code_formulas_and_thoughts_state_nothing() {
        for text in [
            "Use this:\n```python\nWAIT = 45 * 60\nretry(\"Q7711\")\n```\nDone.",
            "Then $x_{n} = 41x - 12$ and $ 0.1234 $, with \\(y = 71\\) or \\[z = \\frac{83}{97}\\].",
            "$$\na = 77\n$$",
            "<think>It was 4711 or so.</think>Done.",
            "It was 4711 or so.</think>Done.",
            "So it is \\boxed{4711}.",
        ] {
            assert_eq!(stated(text), [""; 0], "{text}");
        }
        assert_eq!(
            stated("It costs $45 or $60, not $70."),
            ["$45", "$60", "$70"]
        );
        assert_eq!(stated("US$ 5 / NZ$ 6, or $7 (C$ 8)").len(), 4);
        assert_eq!(stated("```json\n{\"total\": 4711}\n```"), ["4711"]);
        assert_eq!(stated("```\nTotal: 4711\n```"), ["4711"]);
        assert_eq!(stated("<think>Hm.</think>It is 4711."), ["4711"]);
        assert_eq!(stated("an open ```python\nx = 4711"), [""; 0]);
    }

    #[test]
    fn code_without_a_fence_states_nothing() {
        for text in [
            "<law>\ndef force(a, b, distance):\n    K = 2.6696e-4\n\n    p = 1.169\n    return K * (a * b) ** p\n</law>",
            "Use:\n\nfunction wait(order) {\n  const days = 45;\n  return days * 71;\n}\nDone.",
            "import math\nfrom data import rows\n\nfor row in rows[:77]:\n    print(math.sqrt(row) * 1.5)",
            "const limit = 4711;\nlet rate = 0.35;",
        ] {
            assert_eq!(stated(text), [""; 0], "{text}");
        }
        for text in [
            "Total = 4711",
            "import duties: 4711",
            "Class A: 4711",
            "for the following:\n    4711 rows",
            "from 4711 import permits",
            "let us say 4711",
            "def: 4711",
            "function of the valve: 4711",
            "def force(a):\n    return a\nIt is 4711.",
        ] {
            assert_eq!(stated(text), ["4711"], "{text}");
        }
    }

    #[test]
    fn numbers_of_steps_and_scales_state_nothing() {
        for text in [
            "Follow steps 1–3, then options 2 and 4.",
            "Choose: 1) the red one, 2) the blue one, or 3) none.",
            "It scores 8.1/10, and 4 out of 5.",
            "Press 1 for yes or 2 for no.",
            "Give me the last 3 digits and the 7-digit code.",
            "See section 2.1 and {\"step\": 2}.",
        ] {
            let found = stated(text);
            assert!(
                found.iter().all(|text| ["8.1", "4"].contains(text)),
                "{text} {found:?}"
            );
        }
        assert_eq!(stated("On a scale from 0 to 77."), ["77"]);
        assert_eq!(stated("He sold 3 of 7 bags (5)."), ["3", "7", "5"]);
    }

    #[test]
    fn examples_placeholders_and_offers_state_nothing() {
        for text in [
            "Please give me the order number (e.g., #K4471902).",
            "It usually looks like \"EVT-12345\".",
            "Please send the id in the form #W0000000.",
            "Would you prefer 1:00 PM or 2:00 PM?",
            "That is UTC−07:00.",
        ] {
            assert_eq!(stated(text), [""; 0], "{text}");
        }
        assert_eq!(
            stated("Shall I book K4471902 for $77?"),
            ["K4471902", "$77"]
        );
        assert_eq!(stated("Your order is K4471902."), ["K4471902"]);
        assert_eq!(
            stated("You fly at 1:00 PM. Would you like a seat?"),
            ["1:00 PM"]
        );
    }
}
