//! Numbers that no tool returned but that follow from what it returned: totals, differences, counts.

use std::collections::HashSet;

use crate::facts::{Fact, FactKind, FactValue};
use crate::model::{Json, ToolCall};

/// Most numbers of one result that sums and differences are formed of.
const MOST_NUMBERS: usize = 60;

/// How many of the latest calls are looked at.
const MOST_CALLS: usize = 8;

/// Words near a number that present it as worked out.
const TOTALS: [&str; 17] = [
    "total",
    "sum",
    "altogether",
    "combined",
    "overall",
    "in all",
    "difference",
    "remaining",
    "balance",
    "additional",
    "cheaper",
    "more than",
    "less than",
    "insgesamt",
    "gesamt",
    "en tout",
    "totalt",
];

/// Whether the fact at `at` follows from facts of the same reply or from numbers of one result.
///
/// `held` tells which facts of the reply the evidence holds.
pub fn follows_from(
    at: usize,
    stated: &[Fact<'_>],
    held: &[bool],
    content: &str,
    calls: &[&ToolCall<'_>],
) -> bool {
    let FactValue::Number(readings) = &stated[at].value else {
        return false;
    };
    if stated[at].kind == FactKind::Percent || !is_presented_as_total(&stated[at], content) {
        return false;
    }
    let operands: Vec<f64> = stated
        .iter()
        .zip(held)
        .filter(|(fact, held)| **held && matches!(fact.kind, FactKind::Money | FactKind::Number))
        .filter_map(|(fact, _)| match &fact.value {
            FactValue::Number(readings) => readings.first().copied(),
            _ => None,
        })
        .collect();
    readings
        .iter()
        .any(|number| is_combination(*number, &operands) || follows_from_a_result(*number, calls))
}

/// Whether the line of the fact, or the words just before it, present it as worked out.
fn is_presented_as_total(fact: &Fact<'_>, content: &str) -> bool {
    let line_start = content[..fact.start].rfind('\n').map_or(0, |at| at + 1);
    let end = fact.start + fact.text.len();
    let line_end = content[end..]
        .find('\n')
        .map_or(content.len(), |at| end + at);
    let line = content[line_start..line_end].to_lowercase();
    TOTALS.iter().any(|word| line.contains(word))
}

/// Whether `number` is the sum of all operands or of consecutive ones, or the difference, product or
/// quotient of two.
fn is_combination(number: f64, operands: &[f64]) -> bool {
    let operands = &operands[..operands.len().min(MOST_NUMBERS)];
    let sums = (0..operands.len()).any(|from| {
        let mut sum = operands[from];
        operands[from + 1..].iter().any(|next| {
            sum += next;
            same(sum, number)
        })
    });
    sums || is_of_two(number, operands)
}

fn is_of_two(number: f64, operands: &[f64]) -> bool {
    let known: HashSet<i64> = operands.iter().map(|operand| cents(*operand)).collect();
    operands.iter().any(|operand| {
        known.contains(&cents(number - operand))
            || known.contains(&cents(number + operand))
            || known.contains(&cents(operand - number))
            || (*operand != 0.0 && is_factor(number, *operand, &known))
    })
}

fn is_factor(number: f64, operand: f64, known: &HashSet<i64>) -> bool {
    let quotient = number / operand;
    let is_count = quotient.fract() == 0.0 && (2.0..=100.0).contains(&quotient);
    is_count && known.contains(&cents(quotient))
}

fn follows_from_a_result(number: f64, calls: &[&ToolCall<'_>]) -> bool {
    calls.iter().rev().take(MOST_CALLS).any(|call| {
        let mut numbers = Vec::new();
        if let Some(result) = call.result {
            collect_numbers(result, &mut numbers);
        }
        is_combination(number, &numbers)
    })
}

fn collect_numbers(json: Json<'_>, numbers: &mut Vec<f64>) {
    if numbers.len() >= MOST_NUMBERS {
        return;
    }
    match json {
        Json::Number(number) => numbers.push(number.as_f64()),
        Json::Array(items) => items
            .iter()
            .for_each(|item| collect_numbers(*item, numbers)),
        Json::Object(members) => members
            .iter()
            .for_each(|(_, value)| collect_numbers(*value, numbers)),
        _ => {}
    }
}

fn same(a: f64, b: f64) -> bool {
    cents(a) == cents(b)
}

fn cents(number: f64) -> i64 {
    (number * 100.0).round() as i64
}
