//! Numbers that are not in the evidence but follow from it: results of equations that a reply shows, counts of similar
//! items, and other derivations.

use std::cell::OnceCell;

use foldhash::HashSet;

use super::background::Background;
use super::derivations;
use super::operands::{LARGEST_COUNT, Operands};
use toolgauge_facts::{Equation, Fact, FactKind, FactValue, TextId, equations};

/// The most numbers of one reply that are checked for being counts.
const MOST_COUNTS: usize = 200;

/// The most equations that may build on one another.
const LONGEST_CHAIN: usize = 8;

/// Whole numbers below this match something by chance.
const SMALLEST_TOLD_APART: f64 = 100.0;

/// Numbers that need no evidence when something is multiplied or divided by them: days, weeks, months, hours, minutes,
/// percent.
const CONSTANTS: [f64; 9] = [7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 100.0, 365.0, 1000.0];

/// The numbers that earlier replies derived correctly. What followed once still follows.
#[derive(Default)]
pub struct WorkedOut(HashSet<(FactKind, i64)>);

/// Returns for each fact of a reply whether it is known or follows from what is known. `id` is the text of the reply,
/// and `held` says which of its facts the evidence contains.
pub fn supported(
    content: &str,
    id: TextId,
    mut held: Vec<bool>,
    background: &Background<'_, '_>,
    worked_out: &mut WorkedOut,
) -> Vec<bool> {
    let stated = background.texts.facts(id);
    for (fact, held) in stated.iter().zip(&mut held).filter(|(_, held)| !**held) {
        *held = amount(fact).is_some_and(|amount| worked_out.0.contains(&amount));
    }
    let equations = equations(content, background.texts.tokens(id), stated);
    let mut open = stated.iter().zip(&held).filter(|(_, held)| !**held);
    if equations.is_empty() && !open.any(|(fact, _)| derivations::may_follow(fact)) {
        return held;
    }
    let mut supported = work_out(content, id, &equations, held.clone(), background);
    let new = stated.iter().zip(held.iter().zip(&supported));
    let new = new.filter(|(_, (held, supported))| !**held && **supported);
    worked_out
        .0
        .extend(new.filter_map(|(fact, _)| amount(fact)));
    for (fact, supported) in stated.iter().zip(&mut supported) {
        *supported = *supported || derivations::counts_bullets(content, fact);
    }
    supported
}

fn work_out(
    content: &str,
    id: TextId,
    equations: &[Equation],
    held: Vec<bool>,
    background: &Background<'_, '_>,
) -> Vec<bool> {
    let stated = background.texts.facts(id);
    let mut reply = Reply {
        stated,
        denied: denied(equations, &held),
        known: held,
        background,
        operands: OnceCell::new(),
    };
    for at in 0..stated.len() {
        reply.known[at] &= !reply.denied[at];
    }
    reply.work_out(equations);
    let operands: HashSet<_> = equations
        .iter()
        .flat_map(|equation| &equation.operands)
        .collect();
    let unknown: Vec<_> = (0..stated.len())
        .filter(|at| !reply.known[*at] && !reply.denied[*at] && !operands.contains(at))
        .take(MOST_COUNTS)
        .collect();
    for at in unknown {
        reply.known[at] = reply.is_count(&stated[at]);
    }
    reply.work_out(equations);
    let before = reply.known.clone();
    derivations::work_out(
        content,
        id,
        stated,
        &mut reply.known,
        &reply.denied,
        background,
    );
    // If a small number follows here, the same number elsewhere in the reply may still mean something else.
    let follows_here = |at: &usize| !before[*at] && reply.known[*at] && is_small(&stated[*at]);
    let here: Vec<_> = (0..stated.len()).filter(follows_here).collect();
    here.iter().for_each(|at| reply.known[*at] = false);
    reply.work_out(equations);
    here.iter().for_each(|at| reply.known[*at] = true);
    reply.known
}

/// Marks the wrong terms of equations that don't add up: the operands without evidence or, if all have evidence, the
/// result.
fn denied(equations: &[Equation], held: &[bool]) -> Vec<bool> {
    let mut denied = vec![false; held.len()];
    for equation in equations.iter().filter(|equation| !equation.holds) {
        let mut wrong = equation.operands.iter().filter(|at| !held[**at]).peekable();
        if wrong.peek().is_none() {
            denied[equation.result] = true;
        }
        wrong.for_each(|at| denied[*at] = true);
    }
    denied
}

/// A reply whose numbers are being derived.
struct Reply<'r, 't> {
    stated: &'r [Fact<'t>],
    known: Vec<bool>,
    denied: Vec<bool>,
    background: &'r Background<'r, 't>,
    operands: OnceCell<Operands<'r>>,
}

impl<'r> Reply<'r, '_> {
    /// Marks the result of an equation as known if all its operands are known, and a number that is known in one place
    /// as known everywhere.
    fn work_out(&mut self, equations: &[Equation]) {
        for _ in 0..LONGEST_CHAIN {
            let before = self.known.clone();
            for equation in equations.iter().filter(|equation| equation.holds) {
                for at in &equation.operands {
                    self.known[*at] |= is_constant(&self.stated[*at]);
                }
                let are_known = equation.operands.iter().all(|at| self.known[*at]);
                self.known[equation.result] |= are_known && !self.denied[equation.result];
            }
            self.repeat();
            if self.known == before {
                break;
            }
        }
    }

    fn repeat(&mut self) {
        let values: Vec<_> = self.stated.iter().map(amount).collect();
        let known: HashSet<_> = values
            .iter()
            .zip(&self.known)
            .filter_map(|(value, known)| value.filter(|_| *known))
            .collect();
        for (at, value) in values.iter().enumerate() {
            let is_known = value.is_some_and(|value| known.contains(&value));
            self.known[at] |= is_known && !self.denied[at];
        }
    }

    /// Checks whether a number counts the items of a list that have a value in common.
    fn is_count(&self, fact: &Fact<'_>) -> bool {
        let is_number = fact.kind == FactKind::Number;
        let has_unit = fact.text.starts_with(|c: char| c.is_ascii_digit())
            && fact.text.ends_with(char::is_alphabetic);
        let is_counted = |count: f64| {
            (0.0..=LARGEST_COUNT as f64).contains(&count)
                && self.operands().holds_count(count as usize)
        };
        is_number
            && number(fact)
                .is_some_and(|count| !has_unit && count.fract() == 0.0 && is_counted(count))
    }

    fn operands(&self) -> &Operands<'r> {
        let Background {
            calls,
            offers,
            texts,
            ..
        } = self.background;
        self.operands
            .get_or_init(|| Operands::of(calls, offers, texts))
    }
}

fn is_constant(fact: &Fact<'_>) -> bool {
    fact.kind == FactKind::Number && number(fact).is_some_and(|number| CONSTANTS.contains(&number))
}

fn number(fact: &Fact<'_>) -> Option<f64> {
    match &fact.value {
        FactValue::Number(readings) => readings.first().copied(),
        _ => None,
    }
}

/// Checks whether a number is as small as most counts.
fn is_small(fact: &Fact<'_>) -> bool {
    let is_small = |number: f64| number.fract() == 0.0 && number.abs() < SMALLEST_TOLD_APART;
    fact.kind == FactKind::Number && number(fact).is_some_and(is_small)
}

/// Returns the kind of a fact with its number in hundredths, or for a time with its minutes.
fn amount(fact: &Fact<'_>) -> Option<(FactKind, i64)> {
    let amount = match &fact.value {
        FactValue::Time(minutes) => i64::from(*minutes.first()?),
        FactValue::Number(_) | FactValue::Date(_) | FactValue::Text(_) => cents(number(fact)?),
    };
    Some((fact.kind, amount))
}

fn cents(number: f64) -> i64 {
    (number * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;

    /// A search that returned the prices 120, 150 and 90, and a profile with a card that holds 500.
    const SHOP: &str = r#"{"turn_id":1,"role":"user","content":"I have 3 friends and a budget of $700."},
        {"turn_id":2,"role":"agent","tool_calls":[
            {"name":"search","result":[
                {"code":"LAMP10","price":120,"prices":{"old":145}},
                {"code":"DESK20","price":150,"prices":{"old":175}},
                {"code":"SEAT30","price":90,"prices":{"old":101}}]},
            {"name":"profile","result":{"card":"G-4455","amount":500}}]},
        {"turn_id":3,"role":"agent","content":"Your card holds $500."},
        {"turn_id":4,"role":"user","content":"And now?"}"#;

    fn check(cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(texts_unsupported_after(SHOP, reply), *expected, "{reply}");
        }
    }

    #[test]
    fn totals_of_what_stands_next_to_them_follow() {
        check(&[
            ("$120 and $150, $270 in total.", &[]),
            ("- Lamp: $120\n- Desk: $150\n- Total: $270", &[]),
            ("- Lamp: $120\n- Desk: $150\n- Total: $280", &["$280"]),
            (
                "The total is $270: $120 for the lamp and $150 for the desk.",
                &[],
            ),
            ("$120 and $150, in that order. Here is $270.", &["$270"]),
            ("For 3 friends at $120 the total is $360.", &[]),
            ("All of it comes to a total of $360.", &[]),
            ("LAMP10 and DESK20 cost $270 altogether.", &[]),
            ("LAMP10 and DESK20 cost $210 altogether.", &["$210"]),
        ]);
    }

    #[test]
    fn differences_to_what_was_mentioned_follow() {
        check(&[
            (
                "DESK20 is $150, which leaves a remaining $350 on your card.",
                &[],
            ),
            (
                "DESK20 is $150, which leaves a remaining $340 on your card.",
                &["$340"],
            ),
            ("The lamp is $120, the desk $150: a difference of $30.", &[]),
            ("The desk is $150 and LAMP10 is $30 cheaper.", &[]),
            (
                "The price difference between LAMP10 and SEAT30 is $30.",
                &[],
            ),
            ("The price difference is $60.", &["$60"]),
            ("You have a gift of $350 there.", &["$350"]),
        ]);
    }

    #[test]
    fn shares_and_averages_follow() {
        check(&[
            ("That is $150, or $50 per person for your 3 friends.", &[]),
            ("They cost $120 on average.", &[]),
            ("They cost $130 on average.", &["$130"]),
        ]);
    }

    #[test]
    fn results_of_equations_follow() {
        check(&[
            ("$120 + $150 = $270, and 3 x $90 = $270.", &[]),
            ("2 x $90 = $180", &["$180", "2"]),
            ("$120 / 12 = $10 per month", &[]),
            ("$120 + $150 = $280", &["$280"]),
            ("$130 + $150 = $280", &["$130", "$280"]),
            ("They are $270 ($120 + $150).", &[]),
            (
                "LAMP10 and DESK20 are $270 in total ($110 + $150).",
                &["$110"],
            ),
            ("$120 + $150 = $270, $270 + $90 = $360, so $360.", &[]),
            ("$120 + $150 = $90", &["$90"]),
        ]);
    }

    #[test]
    fn what_followed_once_follows_later() {
        let turns = format!(
            r#"{SHOP},{{"turn_id":5,"role":"agent","content":"$120 + $150 = $270 and $5 + $6 = $11"}},
            {{"turn_id":6,"role":"user","content":"ok"}}"#
        );
        let found = texts_unsupported_after(&turns, "I charge $270 and $11.");
        assert_eq!(found, ["$11"]);
    }
}
