//! Finds numbers that are known, but that the reply states in another unit, in another currency or with another sign.
//!
//! If the evidence leaves the unit or the currency of a number open, it is not reported.

mod index;
mod units;

pub use index::Quantities;
pub use units::{time_units, units_named, units_of_key};

use index::{Seen, end_of_unit, unit_after};
use units::currencies_in;

use toolgauge_facts::{Fact, FactKind, FactValue, TextId, Texts, Token, WordList};

/// The way in which a number of a reply differs from the evidence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misfit {
    /// The unit differs. A conversion may explain it.
    Unit,
    /// The currency differs.
    Currency,
    /// The sign differs.
    Sign,
}

impl Misfit {
    /// Returns the byte offset at which the fact ends in its text. A wrong unit is included.
    pub fn end(self, fact: &Fact<'_>, content: &str) -> usize {
        match self {
            Self::Unit => end_of_unit(content, fact),
            Self::Currency | Self::Sign => fact.end(),
        }
    }

    /// Returns the fact as the evidence states it.
    pub fn as_known<'t>(self, fact: &Fact<'t>) -> Fact<'t> {
        let mut as_known = fact.clone();
        if self == Self::Sign
            && let FactValue::Number(readings) = &mut as_known.value
        {
            readings.iter_mut().for_each(|number| *number = -*number);
        }
        as_known
    }
}

/// How many words before and after a number are searched for words of a rise or a fall.
const AROUND: usize = 4;

/// Words for a rise.
static RISE: WordList = WordList::of(
    "rose rises risen rise rising up gained gain gains gaining increase increased increases increasing grew grown grow \
     grows growth climbed climb climbs jumped higher stieg gestiegen plus zugelegt augmenté hausse subió aumentó steg økte",
);

/// Words for a fall.
static FALL: WordList = WordList::of(
    "fell falls fallen fall falling down lost loss losses losing decrease decreased decreases decreasing declined \
     decline declines dropped drop drops dropping lower shrank slipped sank minus fiel gefallen gesunken verloren baissé \
     baisse bajó cayó falt sank negative",
);

/// Words for an amount below zero.
static BELOW: WordList = WordList::of(
    "overdrawn overdraft owe owes owed owing negative minus debt debts deficit below loss losses lost short due \
     outstanding credit behind under arrears debit freezing schulden negativ überzogen découvert négatif deuda negativo \
     minusgrader kuldegrader",
);

/// The properties of a number of a reply besides its digits.
struct StatedQuantity {
    units: units::Units,
    currencies: units::Currencies,
    /// The sign that is written, or that the words around the number express.
    sign: Sign,
}

/// The sign that a number of a reply has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// A minus is before the number.
    Minus,
    /// The words around it say that something rose.
    Rose,
    /// The words around it say that something fell.
    Fell,
    /// The number has no sign, and no words suggest that it is negative.
    Plain,
    /// The sign is unclear.
    Unclear,
}

/// Returns the numbers of a reply that are known in another unit, in another currency or with another sign.
/// `quantities` is called only if the reply has a number that may be one of these.
pub fn misfits<'q>(
    content: &str,
    reply: TextId,
    held: &[bool],
    texts: &Texts<'_>,
    quantities: impl FnOnce() -> &'q Quantities,
) -> Vec<(usize, Misfit)> {
    let tokens = texts.tokens(reply);
    let facts = texts.facts(reply).iter().zip(held).enumerate();
    let asked: Vec<_> = facts
        .filter(|(_, (fact, held))| **held || fact.kind == FactKind::Money)
        .filter_map(|(at, (fact, _))| Some((at, fact, stated_quantity(content, fact, tokens)?)))
        .collect();
    if asked.is_empty() {
        return Vec::new();
    }
    let quantities = quantities();
    asked
        .into_iter()
        .filter_map(|(at, fact, said)| Some((at, misfit(fact, &said, quantities)?)))
        .collect()
}

/// Returns the properties of a number besides its digits, or `None` if it has none that could be wrong.
fn stated_quantity(content: &str, fact: &Fact<'_>, tokens: &[Token<'_>]) -> Option<StatedQuantity> {
    let FactValue::Number(readings) = &fact.value else {
        return None;
    };
    let number = *readings.first()?;
    let said = StatedQuantity {
        units: match fact.kind {
            FactKind::Number => unit_after(content, fact),
            _ => 0,
        },
        currencies: match fact.kind {
            FactKind::Money => currencies_in(fact.text),
            _ => 0,
        },
        sign: sign_of(content, number, fact, tokens),
    };
    let says_something = said.units != 0 || said.currencies != 0 || said.sign != Sign::Unclear;
    says_something.then_some(said)
}

fn sign_of(content: &str, number: f64, fact: &Fact<'_>, tokens: &[Token<'_>]) -> Sign {
    if number < 0.0 {
        return Sign::Minus;
    }
    let before = content[..fact.start].trim_end();
    let end = fact.end();
    let is_signed = before.ends_with(['-', '−', '–', '(', '±', '~', '<', '>', '=']);
    let is_digits = fact.text.bytes().any(|byte| byte.is_ascii_digit());
    if number == 0.0 || is_signed || !is_digits {
        return Sign::Unclear;
    }
    let first = tokens.partition_point(|token| token.start < fact.start);
    let last = tokens.partition_point(|token| token.start < end);
    let ends = |token: &&Token<'_>| {
        !(token.is('.') && !token.glued
            || token.is('!')
            || token.is('?')
            || token.is(';')
            || token.is('|'))
    };
    let earlier = tokens[..first].iter().rev().take_while(ends).take(AROUND);
    let later = tokens[last..].iter().take_while(ends).take(2);
    let around: Vec<_> = earlier.chain(later).collect();
    let has = |words: &WordList| around.iter().any(|token| token.says_one_of(words));
    let sentence = tokens[..first].iter().rev().take_while(ends).take(24);
    let mut sentence = sentence.chain(tokens[last..].iter().take_while(ends).take(12));
    let is_below = sentence.any(|token| token.says_one_of(&BELOW) || token.says_one_of(&FALL));
    match (has(&RISE), has(&FALL)) {
        (true, false) => Sign::Rose,
        (false, true) => Sign::Fell,
        (true, true) => Sign::Unclear,
        (false, false) if is_below => Sign::Unclear,
        (false, false) => Sign::Plain,
    }
}

fn misfit(fact: &Fact<'_>, said: &StatedQuantity, quantities: &Quantities) -> Option<Misfit> {
    let FactValue::Number(readings) = &fact.value else {
        return None;
    };
    let seen: Vec<&Seen> = readings
        .iter()
        .filter_map(|number| {
            quantities
                .seen(*number)
                .or_else(|| cents(*number, said, quantities))
        })
        .collect();
    if seen.is_empty() {
        return None;
    }
    let all = |is_so: &dyn Fn(&Seen) -> bool| seen.iter().all(|seen| is_so(seen));
    let unit_differs =
        |seen: &Seen| !seen.without_unit && seen.units != 0 && seen.units & said.units == 0;
    let currency_differs = |seen: &Seen| {
        !seen.without_currency && seen.currencies != 0 && seen.currencies & said.currencies == 0
    };
    if said.units != 0 && all(&unit_differs) {
        return Some(Misfit::Unit);
    }
    if said.currencies != 0 && all(&currency_differs) {
        return Some(Misfit::Currency);
    }
    let sign_differs = |seen: &Seen| match said.sign {
        Sign::Rose => seen.below && !seen.above,
        Sign::Fell => seen.above && !seen.below && seen.changes,
        Sign::Minus => seen.above && !seen.below && (seen.levels || seen.changes),
        Sign::Plain => seen.below && !seen.above && seen.levels,
        Sign::Unclear => false,
    };
    all(&sign_differs).then_some(Misfit::Sign)
}

/// Looks up an amount that the evidence may contain in cents.
fn cents<'q>(number: f64, said: &StatedQuantity, quantities: &'q Quantities) -> Option<&'q Seen> {
    match said.currencies {
        0 => None,
        _ => quantities.seen((number * 100.0).round()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;

    /// Returns the unsupported facts of a reply to a result.
    fn unsupported(result: &str, reply: &str) -> Vec<String> {
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"Well?"}},
            {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"look","arguments":{{}},"result":{result}}}]}}"#
        );
        texts_unsupported_after(&turns, reply)
    }

    #[test]
    fn a_unit_is_part_of_the_number() {
        for (result, reply, wrong) in [
            (r#"{"way":"61 km"}"#, "It is 61 miles away.", "61 miles"),
            (r#"{"dose":"8 mg"}"#, "Take 8 g.", "8 g"),
            (r#"{"eta":"47 minutes"}"#, "It takes 47 hours.", "47 hours"),
            (r#"{"temp":"19 °C"}"#, "It is 19 °F.", "19 °F"),
            (r#"{"size_mb":17}"#, "The file has 17 GB.", "17 GB"),
            (r#"{"value":72,"unit":"kg"}"#, "You weigh 72 lbs.", "72 lbs"),
        ] {
            assert_eq!(unsupported(result, reply), [wrong], "{reply}");
        }
    }

    #[test]
    fn the_same_unit_a_conversion_or_an_open_unit_is_fine() {
        for (result, reply) in [
            (r#"{"way":"61 km"}"#, "It is 61 kilometres away."),
            (r#"{"dose_mg":8000}"#, "Take 8 g."),
            (r#"{"minutes":90}"#, "It takes 1.5 hours."),
            (r#"{"weight":"1.2 kg"}"#, "It weighs 1,200 g."),
            (r#"{"temp_c":20}"#, "It is 68 °F."),
            (r#"{"way":61}"#, "It is 61 miles away."),
            (r#"{"way":"61 km","room":61}"#, "It takes 61 minutes."),
            (r#"{"dose":"8 mg/day"}"#, "Take 8 mg."),
        ] {
            assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
        }
    }

    #[test]
    fn a_currency_is_part_of_the_amount() {
        for (result, reply, wrong) in [
            (
                r#"{"price":18.75,"currency":"EUR"}"#,
                "It costs $18.75.",
                "$18.75",
            ),
            (r#"{"price":"€18.75"}"#, "It costs £18.75.", "£18.75"),
            (
                r#"{"price_usd":18.75}"#,
                "It costs 18.75 euros.",
                "18.75 euros",
            ),
            (
                r#"{"amount":1875,"currency":"eur"}"#,
                "It costs $18.75.",
                "$18.75",
            ),
        ] {
            assert_eq!(unsupported(result, reply), [wrong], "{reply}");
        }
        for (result, reply) in [
            (r#"{"price":18.75}"#, "It costs $18.75."),
            (r#"{"price":18.75,"currency":"CAD"}"#, "It costs $18.75."),
            (r#"{"price":18.75,"currency":"NOK"}"#, "It costs 18.75 kr."),
            (
                r#"{"price":18.75,"from_currency":"EUR","to_currency":"USD"}"#,
                "It costs $18.75.",
            ),
        ] {
            assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
        }
    }

    #[test]
    fn a_sign_is_part_of_the_number() {
        for (result, reply, wrong) in [
            (
                r#"{"balance":-871.3}"#,
                "Your balance is $871.30.",
                "$871.30",
            ),
            (
                r#"{"change_pct":-3.7}"#,
                "The stock rose 3.7% today.",
                "3.7%",
            ),
            (r#"{"temp_c":7}"#, "It is -7°C outside.", "-7"),
            (
                r#"{"change_pct":3.7}"#,
                "The stock fell by 3.7% today.",
                "3.7%",
            ),
        ] {
            assert_eq!(unsupported(result, reply), [wrong], "{reply}");
        }
        for (result, reply) in [
            (r#"{"balance":-871.3}"#, "You are overdrawn by $871.30."),
            (r#"{"change_pct":-3.7}"#, "It fell 3.7%."),
            (r#"{"change_pct":-3.7}"#, "Down 3.7% on the day."),
            (r#"{"difference":-14.5}"#, "You get a refund of $14.50."),
            (r#"{"temp_c":-7}"#, "It is 7 degrees below freezing."),
        ] {
            assert_eq!(unsupported(result, reply), [""; 0], "{reply}");
        }
    }
}
