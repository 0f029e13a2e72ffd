//! Finds the calculations that a text shows: `2 x $50 = $100`, `$174 ($94 + $80)`.

use super::fact::{Fact, FactKind, FactValue};
use super::kinds::amount::decimals;
use super::text::{Token, TokenKind};

/// The maximum number of symbols that are read on each side of an equals sign.
const MOST_SYMBOLS: usize = 100;

/// The number of amounts before brackets that are tried as the result of what is in the brackets.
const MOST_RESULTS: usize = 4;

/// The maximum number of words between a result and the brackets that explain it. An equation that holds may have more
/// words there.
const MOST_WORDS: usize = 6;

/// A result and the operands from which the text calculates it. Facts are given as indexes into the list of facts.
#[derive(Debug, Clone, PartialEq)]
pub struct Equation {
    /// The indexes of the operands.
    pub operands: Vec<usize>,
    /// The index of the result.
    pub result: usize,
    /// Whether the operands yield the result, within the precision with which the numbers are written.
    pub holds: bool,
}

/// Returns the equations of `text`, which has these tokens and facts.
pub fn equations(text: &str, tokens: &[Token<'_>], facts: &[Fact<'_>]) -> Vec<Equation> {
    if !facts.iter().any(is_amount) || !may_hold_equation(tokens) {
        return Vec::new();
    }
    // Few lines hold an equation, so the others are not parsed.
    lines(text, tokens, facts)
        .filter(|line| may_hold_equation(line))
        .flat_map(|line| in_line(line, facts))
        .collect()
}

fn in_line(tokens: &[Token<'_>], facts: &[Fact<'_>]) -> Vec<Equation> {
    let symbols = symbols(tokens, facts);
    let clauses = symbols.split(|symbol| *symbol == Symbol::End);
    clauses
        .flat_map(|clause| {
            if clause.contains(&Symbol::Equals) {
                around_equals_signs(clause, facts)
            } else {
                in_brackets(clause, facts)
            }
        })
        .collect()
}

/// Returns the tokens of each line. If a fact continues on the next line, the two lines count as one.
fn lines<'k, 't>(
    text: &str,
    tokens: &'k [Token<'t>],
    facts: &[Fact<'_>],
) -> impl Iterator<Item = &'k [Token<'t>]> {
    let is_in_fact = |place: usize| {
        let before = facts[..facts_before(place, facts)].last();
        before.is_some_and(|fact| place < fact.end())
    };
    tokens.chunk_by(move |before, token| {
        let starts_line = || match &text.as_bytes()[before.end()..token.start] {
            [byte] => *byte == b'\n',
            gap => gap.contains(&b'\n'),
        };
        token.glued || !starts_line() || is_in_fact(token.start)
    })
}

/// Returns the number of facts that start before this place in the text.
fn facts_before(place: usize, facts: &[Fact<'_>]) -> usize {
    facts.partition_point(|fact| fact.start < place)
}

/// Checks whether the tokens include an equals sign, or brackets around something that may be an operator.
fn may_hold_equation(tokens: &[Token<'_>]) -> bool {
    let mut is_in_brackets = false;
    tokens.iter().any(|token| {
        if token.kind != TokenKind::Sign {
            return is_in_brackets
                && matches!(token.text.as_bytes(), [.., b'x' | b'X' | b'f' | b'F']);
        }
        match token.text.as_bytes()[0] {
            b'=' => return true,
            b'(' | b'[' => is_in_brackets = true,
            b')' | b']' => is_in_brackets = false,
            sign => return is_in_brackets && matches!(sign, b'+' | b'-' | b'*' | 0x80..),
        }
        false
    })
}

/// A part of an equation, or of the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Symbol {
    /// An amount, given as an index into the list of facts.
    Amount(usize),
    Operator(Operator),
    Open,
    Close,
    Equals,
    Word,
    /// A comma or a colon.
    Pause,
    /// The end of a sentence.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Plus,
    Minus,
    Times,
    DividedBy,
}

/// Converts the tokens of a line to symbols.
fn symbols(tokens: &[Token<'_>], facts: &[Fact<'_>]) -> Vec<Symbol> {
    let mut found = Vec::with_capacity(tokens.len());
    let before = facts_before(tokens[0].start, facts);
    let mut facts_left = facts.iter().enumerate().skip(before).peekable();
    let mut end = 0;
    for (at, token) in tokens.iter().enumerate() {
        if token.start < end {
            continue;
        }
        match facts_left.next_if(|(_, fact)| fact.start == token.start) {
            Some((place, fact)) => {
                end = fact.end();
                push_fact(&mut found, place, fact);
            }
            None => {
                end = token.end();
                let follows_percent = matches!(found.last(), Some(Symbol::Amount(place))
                    if facts[*place].kind == FactKind::Percent);
                found.extend(symbol(&tokens[..at], &tokens[at..], follows_percent));
            }
        }
    }
    found
}

fn push_fact(found: &mut Vec<Symbol>, place: usize, fact: &Fact<'_>) {
    if !is_amount(fact) {
        found.push(Symbol::Word);
        return;
    }
    let follows_term = matches!(found.last(), Some(Symbol::Amount(_) | Symbol::Close));
    let is_negative = fact.text.starts_with(['-', '−', '–']);
    // In "$9 -$5", the fact is the negative number "-$5", so the operator is a plus.
    found.extend((follows_term && is_negative).then_some(Symbol::Operator(Operator::Plus)));
    found.push(Symbol::Amount(place));
    let is_multiplier = fact.text.len() > 1 && fact.text.ends_with(['x', '×']);
    found.extend(is_multiplier.then_some(Symbol::Operator(Operator::Times)));
}

fn is_amount(fact: &Fact<'_>) -> bool {
    matches!(
        fact.kind,
        FactKind::Money | FactKind::Number | FactKind::Percent
    )
}

/// Returns the symbol for the first of `tokens`, or `None` if that token is mark-up.
fn symbol(before: &[Token<'_>], tokens: &[Token<'_>], follows_percent: bool) -> Option<Symbol> {
    let token = &tokens[0];
    let next = tokens.get(1);
    let Some(sign) = token.sign() else {
        let multiplies = token.says("x") || (token.says("of") && follows_percent);
        return Some(if multiplies {
            Symbol::Operator(Operator::Times)
        } else {
            Symbol::Word
        });
    };
    let ends = next.is_none_or(|next| !next.glued);
    let is_doubled = (token.glued && before.last().is_some_and(|previous| previous.is(sign)))
        || next.is_some_and(|next| next.glued && next.is(sign));
    match sign {
        '*' | '_' | '`' if is_doubled || sign != '*' => None,
        '+' => Some(Symbol::Operator(Operator::Plus)),
        '-' | '−' | '–' => Some(Symbol::Operator(Operator::Minus)),
        '*' | '×' | '·' | '⋅' => Some(Symbol::Operator(Operator::Times)),
        '/' | '÷' => Some(Symbol::Operator(Operator::DividedBy)),
        '(' | '[' => Some(Symbol::Open),
        ')' | ']' => Some(Symbol::Close),
        '=' => Some(Symbol::Equals),
        '.' | '!' | '?' if ends => Some(Symbol::End),
        ';' | '|' => Some(Symbol::End),
        ',' | ':' => Some(Symbol::Pause),
        _ => Some(Symbol::Word),
    }
}

/// Returns the equations of a clause with equals signs: `$94 + $80 = $174`, `Total = $94 + $80 = $174`.
fn around_equals_signs(clause: &[Symbol], facts: &[Fact<'_>]) -> Vec<Equation> {
    let sides: Vec<_> = clause.split(|symbol| *symbol == Symbol::Equals).collect();
    let pairs = sides.windows(2);
    pairs
        .filter_map(|pair| {
            let left = left_side(pair[0]).filter(|terms| is_complete(terms))?;
            let right = right_side(pair[1]).filter(|terms| is_complete(terms))?;
            match (left.as_slice(), right.as_slice()) {
                ([_], [_]) => None,
                (terms, [Symbol::Amount(result)]) | ([Symbol::Amount(result)], terms) => {
                    equation(terms, *result, facts)
                }
                _ => None,
            }
        })
        .collect()
}

/// Returns the terms directly to the left of an equals sign. `side` is everything on that side.
fn left_side(side: &[Symbol]) -> Option<Vec<Symbol>> {
    let opens = side
        .iter()
        .rev()
        .take_while(|symbol| **symbol == Symbol::Open)
        .count();
    let side = &side[..side.len() - opens];
    let side = &side[side.len().saturating_sub(MOST_SYMBOLS)..];
    let terms = without_notes(side);
    let mut depth = 0_usize;
    let mut start = terms.len();
    for (at, symbol) in terms.iter().enumerate().rev() {
        let starts_apart = matches!(symbol, Symbol::Amount(_) | Symbol::Close)
            && matches!(terms.get(at + 1), Some(Symbol::Amount(_) | Symbol::Open));
        match symbol {
            Symbol::Pause => break,
            _ if starts_apart && depth == 0 => break,
            Symbol::Close => depth += 1,
            Symbol::Open if depth == 0 => break,
            Symbol::Open => depth -= 1,
            _ => {}
        }
        start = at;
    }
    let bullet = terms.get(start).filter(|first| side.first() == Some(first));
    let is_bullet = matches!(
        bullet,
        Some(Symbol::Operator(Operator::Minus | Operator::Times))
    );
    start += usize::from(is_bullet);
    terms.get(start..).map(<[Symbol]>::to_vec)
}

/// Returns the terms directly to the right of an equals sign. `side` is everything on that side.
fn right_side(side: &[Symbol]) -> Option<Vec<Symbol>> {
    let terms = without_notes(&side[..side.len().min(MOST_SYMBOLS)]);
    let mut depth = 0_usize;
    let mut end = 0;
    for (at, symbol) in terms.iter().enumerate() {
        let starts_apart = matches!(symbol, Symbol::Amount(_) | Symbol::Open)
            && at > 0
            && matches!(terms[at - 1], Symbol::Amount(_) | Symbol::Close);
        match symbol {
            Symbol::Pause => break,
            _ if starts_apart && depth == 0 => break,
            Symbol::Open => depth += 1,
            Symbol::Close if depth == 0 => break,
            Symbol::Close => depth -= 1,
            _ => {}
        }
        end = at + 1;
    }
    terms.get(..end).map(<[Symbol]>::to_vec)
}

/// Returns `symbols` without words, and without brackets that hold no operator, such as `(Economy)` and `(2 seats)`.
fn without_notes(symbols: &[Symbol]) -> Vec<Symbol> {
    let mut kept: Vec<Symbol> = Vec::with_capacity(symbols.len());
    let mut opened = Vec::new();
    for symbol in symbols {
        match symbol {
            Symbol::Word => continue,
            Symbol::Open => opened.push(kept.len()),
            Symbol::Close => {
                if let Some(start) = opened.pop() {
                    let is_term = start == 0 || matches!(kept[start - 1], Symbol::Operator(_));
                    let has_operator = kept[start..]
                        .iter()
                        .any(|inner| matches!(inner, Symbol::Operator(_)));
                    let is_note = !has_operator && (!is_term || kept.len() == start + 1);
                    if is_note {
                        kept.truncate(start);
                        continue;
                    }
                }
            }
            _ => {}
        }
        kept.push(*symbol);
    }
    kept
}

/// Checks whether `terms` are, as a whole, one term or several terms with operators between them.
fn is_complete(terms: &[Symbol]) -> bool {
    let one = |_: usize| Approximate {
        value: 1.0,
        error: 0.0,
    };
    terms.len() <= MOST_SYMBOLS && value_of(terms, &one).is_some()
}

/// Returns the equations of brackets that follow their result: `$174 per passenger ($94 + $80)`.
fn in_brackets(clause: &[Symbol], facts: &[Fact<'_>]) -> Vec<Equation> {
    let mut found = Vec::new();
    let mut start = 0;
    for (at, symbol) in clause.iter().enumerate() {
        match symbol {
            Symbol::Open => start = at + 1,
            Symbol::Close if start > 0 => {
                found.extend(explained(&clause[..start - 1], &clause[start..at], facts));
                start = 0;
            }
            _ => {}
        }
    }
    found
}

/// Returns the equation of the calculation `inner`, which is in brackets, and its result in `before`, the symbols
/// before the brackets.
fn explained(before: &[Symbol], inner: &[Symbol], facts: &[Fact<'_>]) -> Option<Equation> {
    let terms: Vec<_> = inner
        .iter()
        .filter(|symbol| **symbol != Symbol::Word)
        .copied()
        .collect();
    let mut operators = terms
        .iter()
        .filter(|symbol| matches!(symbol, Symbol::Operator(_)))
        .peekable();
    operators.peek()?;
    // Brackets like "(5-10)" and "(1/2)" are rarely calculations.
    let adds = operators
        .all(|operator| matches!(operator, Symbol::Operator(Operator::Plus | Operator::Times)));
    if !adds || !is_complete(&terms) || matches!(before.last()?, Symbol::Operator(_)) {
        return None;
    }
    let results = before.iter().rev().filter_map(|symbol| match symbol {
        Symbol::Amount(place) => Some(*place),
        _ => None,
    });
    let explaining = results
        .take(MOST_RESULTS)
        .filter_map(|result| equation(&terms, result, facts));
    let mut explaining = explaining.peekable();
    let nearest = explaining.peek().cloned();
    explaining.find(|equation| equation.holds).or_else(|| {
        let near = before
            .iter()
            .rev()
            .take(MOST_WORDS + 1)
            .take_while(|symbol| **symbol != Symbol::Pause);
        let is_near = near
            .clone()
            .any(|symbol| matches!(symbol, Symbol::Amount(_)));
        nearest.filter(|equation| {
            let kind = |place: &usize| facts[*place].kind;
            let is_money = equation
                .operands
                .iter()
                .any(|at| kind(at) == FactKind::Money);
            is_near && is_money == (kind(&equation.result) == FactKind::Money)
        })
    })
}

fn equation(terms: &[Symbol], result: usize, facts: &[Fact<'_>]) -> Option<Equation> {
    let operands: Vec<_> = terms
        .iter()
        .filter_map(|symbol| match symbol {
            Symbol::Amount(place) => Some(*place),
            _ => None,
        })
        .collect();
    let readings = [false, true].into_iter().flat_map(|is_last| {
        [false, true].map(|is_fraction| Reading {
            is_last,
            is_fraction,
        })
    });
    let comes_out = |reading: Reading| {
        let worked_out = value_of(terms, &|place| reading.of(&facts[place]))?;
        let stated = reading.of(&facts[result]);
        let written = step(&facts[result]) / 2.0;
        let off = (worked_out.value.abs() - stated.value.abs()).abs();
        Some(off <= worked_out.error + written + 1e-9)
    };
    let mut outcomes = readings.filter_map(comes_out).peekable();
    outcomes.peek()?;
    Some(Equation {
        operands,
        result,
        holds: outcomes.any(|holds| holds),
    })
}

/// How to read the numbers of an equation that have several readings.
#[derive(Clone, Copy)]
struct Reading {
    /// Whether `1,234` is read as its last reading rather than its first.
    is_last: bool,
    /// Whether `25%` is read as 0.25.
    is_fraction: bool,
}

impl Reading {
    fn of(self, fact: &Fact<'_>) -> Approximate {
        let readings: &[f64] = match &fact.value {
            FactValue::Number(readings) => readings,
            _ => &[],
        };
        let is_last = if fact.kind == FactKind::Percent {
            self.is_fraction
        } else {
            self.is_last
        };
        let value = if is_last {
            readings.last()
        } else {
            readings.first()
        };
        let is_exact = decimals(fact.text) == 0;
        Approximate {
            value: value.copied().unwrap_or(f64::NAN),
            error: if is_exact { 0.0 } else { step(fact) / 2.0 },
        }
    }
}

/// Returns the value of one unit in the last written digit of a number, such as 0.01 for `$1.50`.
fn step(fact: &Fact<'_>) -> f64 {
    10f64.powi(-decimals(fact.text))
}

/// A number with its maximum error.
#[derive(Clone, Copy)]
struct Approximate {
    value: f64,
    error: f64,
}

impl Approximate {
    fn with(self, operator: Operator, other: Self) -> Self {
        let (a, b) = (self.value, other.value);
        let (value, error) = match operator {
            Operator::Plus => (a + b, self.error + other.error),
            Operator::Minus => (a - b, self.error + other.error),
            Operator::Times => (a * b, self.error * b.abs() + other.error * a.abs()),
            Operator::DividedBy => (
                a / b,
                self.error / b.abs() + other.error * (a / (b * b)).abs(),
            ),
        };
        Self { value, error }
    }
}

/// Returns the value of `terms`, with multiplication before addition, or `None` if they are not an expression.
fn value_of(terms: &[Symbol], value: &dyn Fn(usize) -> Approximate) -> Option<Approximate> {
    let mut rest = terms;
    let found = sum(&mut rest, value)?;
    rest.is_empty().then_some(found)
}

fn sum(rest: &mut &[Symbol], value: &dyn Fn(usize) -> Approximate) -> Option<Approximate> {
    let mut total = product(rest, value)?;
    while let [
        Symbol::Operator(operator @ (Operator::Plus | Operator::Minus)),
        after @ ..,
    ] = *rest
    {
        *rest = after;
        total = total.with(*operator, product(rest, value)?);
    }
    Some(total)
}

fn product(rest: &mut &[Symbol], value: &dyn Fn(usize) -> Approximate) -> Option<Approximate> {
    let mut total = term(rest, value)?;
    while let [
        Symbol::Operator(operator @ (Operator::Times | Operator::DividedBy)),
        after @ ..,
    ] = *rest
    {
        *rest = after;
        total = total.with(*operator, term(rest, value)?);
    }
    Some(total)
}

fn term(rest: &mut &[Symbol], value: &dyn Fn(usize) -> Approximate) -> Option<Approximate> {
    match *rest {
        [Symbol::Amount(place), after @ ..] => {
            *rest = after;
            Some(value(*place))
        }
        [Symbol::Open, after @ ..] => {
            *rest = after;
            let inner = sum(rest, value)?;
            let after = rest.strip_prefix(&[Symbol::Close])?;
            *rest = after;
            Some(inner)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::facts;
    use crate::text::tokens;

    /// The pieces from which the tests build lines with equations, and lines that resemble them.
    const PIECES: [&str; 20] = [
        " ", " ", "\n", "\n", " $94", "$80", " $174", "2x", "-$5", "10%", " of", " x ", " + ", "-",
        "=", " (", ")", "/", "*", ". ",
    ];

    proptest! {
        #[test]
        fn a_line_that_is_not_taken_apart_holds_no_equation(
            pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..24),
        ) {
            let text = pieces.concat();
            let (tokens, facts) = (tokens(&text), facts(&text));
            let lines: Vec<_> = lines(&text, &tokens, &facts).collect();
            prop_assert_eq!(lines.concat(), tokens.clone());
            let all: Vec<_> = lines.iter().flat_map(|line| in_line(line, &facts)).collect();
            prop_assert_eq!(equations(&text, &tokens, &facts), all);
        }
    }

    /// Formats each equation of `text` as `$94, $80 = $174` if it holds, else with `≠`.
    fn found(text: &str) -> Vec<String> {
        let facts = facts(text);
        equations(text, &tokens(text), &facts)
            .iter()
            .map(|equation| {
                let operands: Vec<_> = equation.operands.iter().map(|at| facts[*at].text).collect();
                let sign = if equation.holds { '=' } else { '≠' };
                format!(
                    "{} {sign} {}",
                    operands.join(", "),
                    facts[equation.result].text
                )
            })
            .collect()
    }

    fn check(cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            assert_eq!(found(text), *expected, "{text}");
        }
    }

    #[test]
    fn equations_are_worked_out() {
        check(&[
            ("$94 + $80 = $174", &["$94, $80 = $174"]),
            ("so: 2 x $50 = $100, then", &["2, $50 = $100"]),
            ("2 x $50 = $120", &["2, $50 ≠ $120"]),
            ("3 bags × $50 each = **$150**", &["3, $50 = $150"]),
            ("2x $50 = $100", &["2x, $50 = $100"]),
            (
                "- Outgoing (HAT072): $282 (Business) - $177 (Economy) = $105",
                &["$282, $177 = $105"],
            ),
            (
                "- $282 - $177 = $105\n* $282 -$177 = $105",
                &["$282, $177 = $105", "$282, $177 = $105"],
            ),
            ("(136 - (94 + 80)) * 3 = -114", &["136, 94, 80, 3 = -114"]),
            ("Total = $94 + $80 = $174.", &["$94, $80 = $174"]),
            ("You pay $174 (= $94 + $80).", &["$94, $80 = $174"]),
            ("$136 - $174 = $38", &["$136, $174 = $38"]),
            ("20% of $1,200 = $240", &["20%, $1,200 = $240"]),
            ("10% + 15% = 25%", &["10%, 15% = 25%"]),
            ("2.500 € + 500 € = 3.000 €", &["2.500 €, 500 € = 3.000 €"]),
            ("for 2 people $50 + $30 = $80 in all", &["$50, $30 = $80"]),
        ]);
    }

    #[test]
    fn results_are_as_exact_as_they_are_written() {
        check(&[
            ("$100 / 3 = $33.33", &["$100, 3 = $33.33"]),
            ("3 * $33.33 = $100.00", &["3, $33.33 = $100.00"]),
            ("$100 / 3 = $33.43", &["$100, 3 ≠ $33.43"]),
            ("$0.10 + $0.20 = $0.30", &["$0.10, $0.20 = $0.30"]),
        ]);
    }

    #[test]
    fn brackets_explain_the_result_before_them() {
        check(&[
            (
                "The cost is $174 per passenger ($94 + $80).",
                &["$94, $80 = $174"],
            ),
            ("It is $174 in all ($34 + $80).", &["$34, $80 ≠ $174"]),
            (
                "**Total:** $300 for 3 people (3 × $100)",
                &["3, $100 = $300"],
            ),
        ]);
    }

    #[test]
    fn other_signs_make_no_equation() {
        for text in [
            "x = 5, y = 3 and $a = $5",
            "$50 + tax = $55, base + $50 + $20 = $150, $50 + tax + $3 = $58",
            "$5 = $5, 2 = 2 = 2",
            "rated 4 (1-5), a range of $80 ($50 - $100), 3 (1/2)",
            "We have 3 seats, and then some (2 + 1 more rows + $5)",
            "2024-05-13 = today - 3 days, a=b+c",
            "https://example.org/?a=1+2 (see +1)",
            "| 5 + | 3 = | 8 |",
            "the first 5 of them came on that day with all their bags (2 + 2)",
            "((((= 5))) + = + ))((",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn long_lines_take_time_in_proportion() {
        let hostile = ["(1+1) ", "(((((", "1 = ", "1 + ", "(1 + (", "= (2) "];
        for part in hostile {
            found(&part.repeat(5_000));
        }
    }
}
