//! Numbers that nothing holds but that follow from what is known: totals, differences, shares, and the
//! results of equations that a reply shows.

use std::cell::OnceCell;

use foldhash::HashSet;

use super::background::Background;
use super::derivations;
use super::operands::{LARGEST_COUNT, Named, Operands};
use super::pairs::Pairs;
use crate::facts::{Equation, Fact, FactKind, FactValue, TextId, decimals, equations};
use crate::model::Role;

/// How many of the latest turns are looked at for amounts that were mentioned.
const MOST_TURNS: usize = 12;

/// How many facts before and after a number it may be worked out of.
const MOST_NEIGHBOURS: usize = 100;

/// How many amounts around a number it may be the difference to.
const NEAR: usize = 3;

/// How many amounts before a whole percentage it may be worked out of.
const PERCENT_NEAR: usize = 4;

/// How many numbers of a reply are worked out.
const MOST_WORKED_OUT: usize = 200;

/// How many amounts that were mentioned a number may be the difference to.
const MOST_MENTIONED: usize = 400;

/// How many equations may build on one another.
const LONGEST_CHAIN: usize = 8;

/// Numbers that need no evidence where something is multiplied or divided by them: days, weeks, months,
/// hours, minutes, percent.
const CONSTANTS: [f64; 9] = [7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 100.0, 365.0, 1000.0];

/// Words that present a number as a total; those of more than four letters may begin a longer word.
static TOTAL: Cues = Cues::of(
    "total totals sum altogether combined overall subtotal insgesamt gesamt summe zusammen somme \
    suma totalt samlet tilsammen sammenlagt",
);

/// Words that present a number as a difference.
static DIFFERENCE: Cues = Cues::of(
    "difference remaining remainder remains left additional extra save saves saved saving \
    savings refund refunded discount due owe owed rest reduction increase differenz unterschied verbleib \
    übrig restbetrag aufpreis ersparnis différence reste restant diferencia restante resto ahorro forskjell \
    differanse gjenstå igjen mellomlegg free frei libre libres ledig newer older longer shorter faster slower",
);

/// Words that do so after the number.
static DIFFERENCE_AFTER: Cues = Cues::of(
    "more less cheaper higher lower over under above below teurer billiger günstiger mehr \
    weniger plus moins más menos dyrere billigere mer mindre",
);

/// Words that present a number as a share of another, or as that other.
static SHARE: Cues = Cues::of("per each apiece pro je par chacun por cada hver");

/// Words that present a number as an average.
static AVERAGE: Cues =
    Cues::of("average averages mean durchschnitt moyenne promedio gjennomsnitt snitt");

/// How a text presents a number that was worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Claim {
    Total,
    Difference,
    Share,
    Average,
}

/// The cues around a number.
static CLAIMS: [(&Cues, Claim); 4] = [
    (&TOTAL, Claim::Total),
    (&DIFFERENCE, Claim::Difference),
    (&SHARE, Claim::Share),
    (&AVERAGE, Claim::Average),
];

/// More of them after it.
static CLAIMS_AFTER: [(&Cues, Claim); 1] = [(&DIFFERENCE_AFTER, Claim::Difference)];

/// The numbers that earlier replies worked out rightly: what followed once still follows.
#[derive(Default)]
pub struct WorkedOut(HashSet<(FactKind, i64)>);

/// Which facts of a reply, the text `id`, are known or follow from what is; `held` tells which the
/// evidence holds.
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
    let supported = work_out(content, id, &equations, held.clone(), background);
    let new = stated.iter().zip(held.iter().zip(&supported));
    let new = new.filter(|(_, (held, supported))| !**held && **supported);
    worked_out
        .0
        .extend(new.filter_map(|(fact, _)| amount(fact)));
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
        content,
        stated,
        denied: denied(equations, &held),
        known: held,
        background,
        operands: OnceCell::new(),
        named: OnceCell::new(),
        mentioned: OnceCell::new(),
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
        .take(MOST_WORKED_OUT)
        .collect();
    for at in unknown {
        reply.known[at] = reply.follows(at);
    }
    reply.work_out(equations);
    derivations::work_out(
        content,
        id,
        stated,
        &mut reply.known,
        &reply.denied,
        background,
    );
    reply.work_out(equations);
    reply.known
}

/// The terms of equations that don't come out: those that nothing holds, else the result.
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

/// A reply whose numbers are worked out.
struct Reply<'r, 't> {
    content: &'r str,
    stated: &'r [Fact<'t>],
    known: Vec<bool>,
    denied: Vec<bool>,
    background: &'r Background<'r, 't>,
    operands: OnceCell<Operands<'r>>,
    named: OnceCell<Named>,
    mentioned: OnceCell<HashSet<i64>>,
}

impl<'r> Reply<'r, '_> {
    /// Takes the results of equations as known whose operands are, and what is known at one place as known
    /// at every other.
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

    /// Whether the number at `at` follows from what is known, in the way that the text says.
    fn follows(&self, at: usize) -> bool {
        let fact = &self.stated[at];
        let FactValue::Number(readings) = &fact.value else {
            return false;
        };
        match fact.kind {
            FactKind::Percent => return self.is_percentage(at),
            FactKind::Number if self.is_count(fact) => return true,
            _ => {}
        }
        let claims = self.claims(at);
        let is_among = |results: Vec<f64>| {
            let mut results = results.into_iter();
            results.any(|result| {
                let mut readings = readings.iter();
                readings.any(|reading| cents(*reading) == cents(result.abs()))
            })
        };
        let from_talk = |claim: &Claim| is_among(self.of_what_is_said(*claim, at));
        let from_results = |claim: &Claim| is_among(self.of_results(*claim, at));
        // To take results apart takes longer.
        claims.iter().any(from_talk) || claims.iter().any(from_results)
    }

    /// Whether a number counts items of a list that are alike in something.
    fn is_count(&self, fact: &Fact<'_>) -> bool {
        let has_unit = fact.text.starts_with(|c: char| c.is_ascii_digit())
            && fact.text.ends_with(char::is_alphabetic);
        let is_counted = |count: f64| {
            (0.0..=LARGEST_COUNT as f64).contains(&count)
                && self.operands().holds_count(count as usize)
        };
        number(fact).is_some_and(|count| !has_unit && count.fract() == 0.0 && is_counted(count))
    }

    /// Whether a percentage is the share of a number near it in another, or of an item of a list in all;
    /// or by how much one of them, or of the items one after the other, is more than the other.
    fn is_percentage(&self, at: usize) -> bool {
        let fact = &self.stated[at];
        let Some(stated) = number(fact) else {
            return false;
        };
        let decimals = decimals(fact.text);
        let most = if decimals > 0 {
            2 * PERCENT_NEAR
        } else {
            PERCENT_NEAR
        };
        let known = |other: &usize| {
            self.known[*other]
                && matches!(self.stated[*other].kind, FactKind::Money | FactKind::Number)
        };
        let before = (0..at).rev().take(MOST_NEIGHBOURS).filter(known).take(most);
        let after = (at + 1..self.stated.len())
            .take(MOST_NEIGHBOURS)
            .filter(known);
        let near: Vec<_> = before
            .chain(after.take(1))
            .filter_map(|other| number(&self.stated[other]))
            .collect();
        let near = near.iter().flat_map(|a| near.iter().map(move |b| (*a, *b)));
        let lists = || self.operands().totals();
        let changes = lists().flat_map(|total| {
            let pairs = total.items.windows(2);
            pairs.map(|pair| (pair[0], pair[1]))
        });
        let of_pairs = near.chain(changes).flat_map(|(a, b)| [a / b, (b - a) / a]);
        let shares = lists().flat_map(|total| total.items.iter().map(|item| item / total.value));
        let half = 0.5 * 10f64.powi(-decimals) + 1e-9;
        of_pairs
            .chain(shares)
            .any(|share| (share.abs() * 100.0 - stated.abs()).abs() <= half)
    }

    /// How the words next to a number present it: those between the amounts before and after it, in its
    /// sentence, and after it no further than the next comma.
    fn claims(&self, at: usize) -> Vec<Claim> {
        let fact = &self.stated[at];
        let end = fact.start + fact.text.len();
        let is_like = |other: &&Fact<'_>| other.kind == fact.kind;
        let previous = self.stated[..at].iter().rev().find(is_like);
        let next = self.stated[at + 1..].iter().find(is_like);
        let from = previous.map_or(0, |previous| previous.start + previous.text.len());
        let to = next.map_or(self.content.len(), |next| next.start);
        let before = &self.content[from..fact.start];
        let before = before
            .rsplit(['\n', ';', '!', '?'])
            .next()
            .unwrap_or(before);
        let before = before.rsplit(". ").next().unwrap_or(before);
        let after = &self.content[end..to];
        let after = after
            .split(['\n', ';', '!', '?', ',', '.', ')', '('])
            .next()
            .unwrap_or(after);
        let (before, after) = (before.to_lowercase(), after.to_lowercase());
        let mut claims = Vec::new();
        add_claims(&before, &CLAIMS, &mut claims);
        add_claims(&after, &CLAIMS, &mut claims);
        add_claims(&after, &CLAIMS_AFTER, &mut claims);
        if before.contains("in all") || after.contains("in all") {
            claims.push(Claim::Total);
        }
        claims
    }

    /// What the number at `at` is by this claim, worked out of what the reply says and people spoke of.
    fn of_what_is_said(&self, claim: Claim, at: usize) -> Vec<f64> {
        match claim {
            Claim::Total => self.totals(at),
            Claim::Difference => self.differences(at),
            Claim::Share => self.shares(at),
            Claim::Average => Vec::new(),
        }
    }

    /// What the number at `at` is by this claim, worked out of results.
    fn of_results(&self, claim: Claim, at: usize) -> Vec<f64> {
        let lists = || self.operands().totals();
        match claim {
            Claim::Total => self.totals_of_results(),
            Claim::Difference => self.differences_of_results(at),
            // The total may be of what each gets.
            Claim::Share => lists().map(|total| total.value).collect(),
            Claim::Average => {
                let averages = lists().map(|total| total.value / total.items.len() as f64);
                averages.collect()
            }
        }
    }

    /// The totals of the amounts right before or after the number at `at`, once or several times.
    fn totals(&self, at: usize) -> Vec<f64> {
        let sums = runs(self.before(at))
            .chain(runs(self.after(at)))
            .chain(self.runs_less_discounts(at))
            .chain(self.with_percentages(at, |share| [1.0 + share, 1.0 - share]));
        let mut found: Vec<_> = sums.collect();
        let singles = self.before(at).chain(self.after(at)).take(2 * NEAR);
        let multiples = times(found.iter().copied().chain(singles), &self.counts());
        found.extend(multiples);
        found
    }

    /// The totals of lists and of the records that the reply names, once or several times.
    fn totals_of_results(&self) -> Vec<f64> {
        let totals = self.operands().totals().map(|total| total.value);
        let mut found: Vec<_> = totals.chain(self.named().sums()).collect();
        let singles = self.named().values();
        let multiples = times(found.iter().copied().chain(singles), &self.counts());
        found.extend(multiples);
        found.extend(self.operands().multiples());
        found
    }

    /// The differences between an amount near the number at `at` and another of the reply, or one that was
    /// mentioned before.
    fn differences(&self, at: usize) -> Vec<f64> {
        let said = self.before(at).chain(self.after(at)).map(cents);
        let mentioned = self.mentioned(self.stated[at].kind).iter().copied();
        let mut found = self.less(at, said.chain(mentioned).collect());
        found.extend(self.with_percentages(at, |share| [share, 1.0 - share]));
        found
    }

    /// Those between an amount near it and one of a record that the reply names or the total of a list; or
    /// between such records.
    fn differences_of_results(&self, at: usize) -> Vec<f64> {
        let totals = self.operands().totals().map(|total| total.value);
        let values = totals.chain(self.named().values()).map(cents);
        let mut found = self.less(at, values.collect());
        found.extend(self.named().differences());
        found
    }

    /// The amounts near the one at `at`, less each of these amounts in hundredths.
    fn less(&self, at: usize, others: HashSet<i64>) -> Vec<f64> {
        let near = self.near(at);
        let of_one = |other: i64| near.iter().map(move |value| value - other as f64 / 100.0);
        others.into_iter().flat_map(of_one).collect()
    }

    /// What the number at `at` is as a share, or as that which is shared out: an amount near it divided or
    /// multiplied by a count.
    fn shares(&self, at: usize) -> Vec<f64> {
        let (near, counts) = (self.near(at), self.counts());
        let of_one = |value| {
            counts
                .iter()
                .flat_map(move |count| [value / count, value * count])
        };
        near.into_iter().flat_map(of_one).collect()
    }

    /// The known amounts nearest to the one at `at`.
    fn near(&self, at: usize) -> Vec<f64> {
        let before = self.before(at).take(NEAR);
        before.chain(self.after(at).take(NEAR)).collect()
    }

    /// The sums of the amounts right before the one at `at`, less those that are presented as differences:
    /// discounts.
    fn runs_less_discounts(&self, at: usize) -> Vec<f64> {
        let places = (0..at).rev().take(MOST_NEIGHBOURS);
        let places = places.filter(|other| self.is_operand_for(at, *other));
        let signed = places.take(2 * NEAR).filter_map(|other| {
            let is_discount = self.claims(other).contains(&Claim::Difference);
            let value = number(&self.stated[other])?;
            Some(if is_discount { -value } else { value })
        });
        runs(signed).collect()
    }

    /// The amounts near the one at `at`, each by `factors` of every percentage that the reply states.
    fn with_percentages(&self, at: usize, factors: fn(f64) -> [f64; 2]) -> Vec<f64> {
        let percentages = self.stated.iter().zip(&self.known);
        let shares: Vec<_> = percentages
            .filter(|(fact, known)| **known && fact.kind == FactKind::Percent)
            .filter_map(|(fact, _)| Some(number(fact)? / 100.0))
            .take(NEAR)
            .collect();
        let near = self.near(at).into_iter();
        near.flat_map(|value| {
            let shares = shares.iter().flat_map(move |share| factors(*share));
            shares.map(move |factor| value * factor)
        })
        .collect()
    }

    /// The known amounts of the same kind before the one at `at`, the nearest first.
    fn before(&self, at: usize) -> impl Iterator<Item = f64> {
        let earlier = (0..at).rev().take(MOST_NEIGHBOURS);
        earlier
            .filter(move |other| self.is_operand_for(at, *other))
            .filter_map(|other| number(&self.stated[other]))
    }

    /// The known amounts of the same kind after the one at `at`, the nearest first.
    fn after(&self, at: usize) -> impl Iterator<Item = f64> {
        (at + 1..self.stated.len())
            .take(MOST_NEIGHBOURS)
            .filter(move |other| self.is_operand_for(at, *other))
            .filter_map(|other| number(&self.stated[other]))
    }

    fn is_operand_for(&self, at: usize, other: usize) -> bool {
        self.known[other] && self.stated[other].kind == self.stated[at].kind
    }

    /// The counts that the reply states.
    fn counts(&self) -> Vec<f64> {
        let counts = self.stated.iter().zip(&self.known);
        counts
            .filter(|(fact, known)| **known && fact.kind == FactKind::Number)
            .filter_map(|(fact, _)| number(fact))
            .filter(|count| count.fract() == 0.0 && (2.0..=LARGEST_COUNT as f64).contains(count))
            .take(MOST_NEIGHBOURS)
            .collect()
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

    /// The numbers of the records that the reply names.
    fn named(&self) -> &Named {
        let texts = self.background.texts;
        self.named
            .get_or_init(|| self.operands().named(self.content, self.stated, texts))
    }

    /// The amounts of money that people and the agent spoke of lately, in hundredths.
    fn mentioned(&self, kind: FactKind) -> &HashSet<i64> {
        let mentioned = self.mentioned.get_or_init(|| {
            let Background { earlier, said, .. } = self.background;
            let turns = earlier.iter().zip(*said).rev().take(MOST_TURNS);
            let said = turns.filter(|(turn, _)| turn.role != Role::System);
            let amounts = said.flat_map(|(_, text)| self.background.texts.facts(*text));
            amounts
                .filter(|fact| fact.kind == FactKind::Money)
                .filter_map(|fact| Some((number(fact)?, fact.text)))
                .filter(|(number, written)| self.background.evidence.holds_number(*number, written))
                .map(|(number, _)| cents(number))
                .take(MOST_MENTIONED)
                .collect()
        });
        static NONE: std::sync::LazyLock<HashSet<i64>> = std::sync::LazyLock::new(HashSet::default);
        if kind == FactKind::Money {
            mentioned
        } else {
            &NONE
        }
    }
}

/// Each of `values` times each of `counts`.
fn times(values: impl Iterator<Item = f64>, counts: &[f64]) -> Vec<f64> {
    let of_one = |value| counts.iter().map(move |count| value * count);
    values.flat_map(of_one).collect()
}

/// The sums of the first two, three, … of `values`.
fn runs(values: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    let sums = values.scan(0.0, |sum, value| {
        *sum += value;
        Some(*sum)
    });
    sums.skip(1)
}

/// Adds the claims of which a cue, in lower case as it is, stands in `text`, or begins a word of it where it
/// is long.
fn add_claims(text: &str, cues: &[(&Cues, Claim)], found: &mut Vec<Claim>) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        for (cues, claim) in cues {
            if cues.begin(word) && !found.contains(claim) {
                found.push(*claim);
            }
        }
    }
}

/// Words that say what a number is, and a filter of their first two bytes: hardly any word is among them.
struct Cues {
    words: &'static str,
    starts: Pairs,
}

impl Cues {
    const fn of(words: &'static str) -> Self {
        let bytes = words.as_bytes();
        let mut starts = Pairs::NONE;
        let mut at = 0;
        while at + 1 < bytes.len() {
            if at == 0 || bytes[at - 1] == b' ' {
                starts.add(bytes[at], bytes[at + 1]);
            }
            at += 1;
        }
        Self { words, starts }
    }

    /// Whether one of them is `said`, or begins it where it is long.
    fn begin(&self, said: &str) -> bool {
        self.starts.may_begin(said)
            && self
                .words
                .split_ascii_whitespace()
                .any(|word| said == word || (word.len() > 4 && said.starts_with(word)))
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

/// The kind of a number and its hundredths.
fn amount(fact: &Fact<'_>) -> Option<(FactKind, i64)> {
    Some((fact.kind, cents(number(fact)?)))
}

fn cents(number: f64) -> i64 {
    (number * 100.0).round() as i64
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;

    /// A search and a profile: prices 120, 150 and 90; a card with 500.
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
