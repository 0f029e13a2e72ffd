//! Derives the numbers of a list that all come about in the same way: each is the difference between the amount before
//! it and one amount of the results, or the amount before it times one count.
//!
//! The lines of a list vouch for one another: a wrong number in one of them results in another constant than its
//! siblings. So no words are needed.

use super::reply::Reply;
use super::rows::number;
use toolgauge_facts::Fact;

/// How many facts before and after a number are searched for its siblings.
const MOST_PLACES: usize = 60;

/// How many facts before a number are searched for its amount.
const NEAR: usize = 4;

/// How many members before a number are tried as its amount.
const MOST_MEMBERS: usize = 3;

/// Smaller numbers are hit by chance.
const SMALLEST: f64 = 10.0;

/// The largest count that the amounts of a list are multiplied by.
const LARGEST_COUNT: f64 = 20.0;

/// The amount of a line and the number after it.
#[derive(Clone, Copy)]
struct Line {
    /// The labels of both, if they are in different lines.
    labels: Option<(u64, u64)>,
    amount: f64,
    number: f64,
    /// Half the value of one unit in the last digit.
    off: f64,
}

/// Checks whether the number at `at` follows from the amount before it in the same way as a sibling does.
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

/// Checks whether the number of a line is the difference between its amount and a known number, and that of a sibling
/// is the difference from the same known number.
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

/// Returns the two numbers that differ from the amount of a line by the number after it.
fn bases(line: &Line) -> [f64; 2] {
    [line.amount - line.number, line.amount + line.number].map(|base| (base * 1e6).round() / 1e6)
}

/// Checks whether the number is the amount times a count, and a sibling has the same count.
fn is_multiple(own: &Line, others: &[Line]) -> bool {
    let count = (own.number / own.amount).round();
    let is_times = |line: &Line| (line.number - count * line.amount).abs() <= line.off;
    (2.0..=LARGEST_COUNT).contains(&count)
        && own.amount >= SMALLEST
        && is_times(own)
        && others.iter().any(is_times)
}

/// Returns the number at `at` with the amount of the same kind before it in its line. If each member of an object has
/// its own line, the number is paired with amounts of the lines before.
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

/// Returns half the value of the last decimal as written, whatever factor follows. Unlike this, `claim::half` uses the
/// place value of the last digit: 50,000 for `1.2 million`.
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
