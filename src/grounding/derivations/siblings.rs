//! Numbers of a list that all come about in the same way: each is the difference between the amount before it and one
//! amount that results have, or that amount times one count.
//!
//! The lines of a list vouch for one another: a wrong number in one of them gives another constant than its siblings do.
//! So no words are needed.

use super::reply::Reply;
use super::rows::number;
use toolgauge_facts::Fact;

/// How many facts before a number and after it are looked at for its siblings.
const MOST_PLACES: usize = 60;

/// How many facts of a line may be between the two amounts.
const NEAR: usize = 4;

/// How many members before a number may be its amount.
const MOST_MEMBERS: usize = 3;

/// Smaller numbers are hit by chance.
const SMALLEST: f64 = 10.0;

/// The largest count by which the amounts of a list are multiplied.
const LARGEST_COUNT: f64 = 20.0;

/// The amount of a line and the number behind it.
#[derive(Clone, Copy)]
struct Line {
    /// What both are called, where they are in different lines.
    labels: Option<(u64, u64)>,
    amount: f64,
    number: f64,
    /// Half of what the last digits stand for.
    off: f64,
}

/// Whether the number at `at` is worked out of the amount before it as a sibling of it is.
pub fn follows(reply: &Reply<'_, '_>, at: usize, known: &[bool]) -> bool {
    let own = lines(reply, at, known);
    if own.is_empty() {
        return false;
    }
    let from = at.saturating_sub(MOST_PLACES);
    let to = reply.stated.len().min(at + MOST_PLACES);
    let kind = reply.stated[at].kind;
    let others = (from..to).filter(|other| *other != at && reply.stated[*other].kind == kind);
    let others: Vec<_> = others
        .flat_map(|other| lines(reply, other, known))
        .collect();
    own.iter().any(|own| {
        let siblings = others.iter().filter(|other| {
            own.labels == other.labels && other.amount != own.amount && other.number != own.number
        });
        let siblings: Vec<_> = siblings.copied().collect();
        has_base(reply, at, known, own, &siblings) || is_multiple(own, &siblings)
    })
}

/// Whether a line differs from a known number by as much as it says, and so does a sibling.
fn has_base(
    reply: &Reply<'_, '_>,
    at: usize,
    known: &[bool],
    own: &Line,
    siblings: &[Line],
) -> bool {
    let is_shared = |base: f64| {
        siblings.iter().any(|other| {
            let off = own.off + other.off;
            let mut bases = bases(other).into_iter();
            bases.any(|other| (other - base).abs() <= off)
        })
    };
    let is_stated = |base: f64| {
        let stated = reply.stated.iter().zip(known);
        let mut known = stated.filter(|(_, known)| **known);
        known.any(|(fact, _)| number(fact) == Some(base))
    };
    let text = reply.stated[at].text;
    let is_known =
        |base: f64| reply.background.evidence.holds_number(base, text) || is_stated(base);
    bases(own)
        .into_iter()
        .any(|base| base > SMALLEST && is_shared(base) && is_known(base))
}

/// What an amount differs from by the number behind it.
fn bases(line: &Line) -> [f64; 2] {
    [line.amount - line.number, line.amount + line.number].map(|base| (base * 1e6).round() / 1e6)
}

/// Whether it is the amount times a count by which the amount of a sibling is multiplied, too.
fn is_multiple(own: &Line, others: &[Line]) -> bool {
    let count = (own.number / own.amount).round();
    let is_times = |line: &Line| (line.number - count * line.amount).abs() <= line.off;
    (2.0..=LARGEST_COUNT).contains(&count)
        && own.amount >= SMALLEST
        && is_times(own)
        && others.iter().any(is_times)
}

/// The number at `at` with the amount of the same kind before it in its line; where each member of an object has a line,
/// with those of the lines before it.
fn lines(reply: &Reply<'_, '_>, at: usize, known: &[bool]) -> Vec<Line> {
    let fact = &reply.stated[at];
    let Some(value) = number(fact).map(f64::abs) else {
        return Vec::new();
    };
    let start = reply.line_start(fact.start);
    let is_member = reply.content[start..].trim_start().starts_with('"');
    let most = if is_member { MOST_MEMBERS } else { 1 };
    let before = (at.saturating_sub(NEAR)..at).rev();
    let before = before.filter(|other| {
        let other = &reply.stated[*other];
        (is_member || other.start >= start) && other.kind == fact.kind
    });
    let before = before.take(most).filter(|other| known[*other]);
    let lines = before.filter_map(|other| {
        let amount = number(&reply.stated[other])?;
        let labels = match is_member {
            true => Some((reply.label(other)?, reply.label(at)?)),
            false => None,
        };
        (amount > 0.0 && value > 0.0).then(|| Line {
            labels,
            amount,
            number: value,
            off: half_step(fact) * (1.0 + 1e-6),
        })
    });
    lines.collect()
}

/// Half of the last decimal of an amount as it is written, whatever it is multiplied by: unlike `claim::half`, which
/// takes the place value of the last digit, 50,000 for `1.2 million`.
fn half_step(fact: &Fact<'_>) -> f64 {
    let decimals = fact.text.rsplit_once('.').map_or(0, |(_, decimals)| {
        decimals.bytes().take_while(u8::is_ascii_digit).count()
    });
    0.5 * 10f64.powi(-(decimals.min(9) as i32))
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::texts_unsupported_after;

    const SHELF: &str = r#"{"turn_id":1,"role":"user","content":"And?"},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"look_up","result":
            {"mine":63.85,"others":[{"code":"QX11","price":71.2},{"code":"QX12","price":60.35},{"code":"QX13","price":88.1}]}}]}"#;

    fn unsupported(reply: &str) -> Vec<String> {
        texts_unsupported_after(SHELF, reply)
    }

    #[test]
    fn lines_with_the_same_base_vouch_for_one_another() {
        let reply = |pay: &str| {
            format!(
                "Choose one:\n- QX11, $71.20, you pay ${pay}\n- QX12, $60.35, you get $3.50\n- QX13, $88.10, you pay $24.25"
            )
        };
        assert_eq!(unsupported(&reply("7.35")), [""; 0]);
        assert_eq!(unsupported(&reply("7.65")), ["$7.65"]);
    }

    #[test]
    fn members_of_objects_vouch_for_those_of_the_same_name() {
        let reply = |more: &str| {
            format!(
                "[\n{{\n\"price\": 71.2,\n\"to_pay\": {more}\n}},\n{{\n\"price\": 88.1,\n\"to_pay\": 24.25\n}}\n]"
            )
        };
        assert_eq!(unsupported(&reply("7.35")), [""; 0]);
        assert!(unsupported(&reply("7.65")).contains(&"7.65".to_owned()));
    }

    #[test]
    fn the_base_must_be_known() {
        let reply = "Choose one:\n- QX11, $71.20, you pay $9.11\n- QX13, $88.10, you pay $26.01";
        assert_eq!(unsupported(reply), ["$9.11", "$26.01"]);
    }

    #[test]
    fn lines_with_the_same_count_vouch_for_one_another() {
        let reply = |sum: &str| {
            format!(
                "- QX11: $71.20 for one, ${sum} for you\n- QX13: $88.10 for one, $440.50 for you"
            )
        };
        assert_eq!(unsupported(&reply("356.00")), [""; 0]);
        assert!(unsupported(&reply("366.00")).contains(&"$366.00".to_owned()));
    }
}
