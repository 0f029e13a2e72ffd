//! Recognises amounts: a number, in figures or in words, and what it measures.

mod money;
mod number;
mod number_words;
mod percent;

pub use money::{CODES, CURRENCIES_BEFORE, is_currency};
pub use number::decimals;
pub use number_words::{
    CENT, HUNDREDS, ROUND, SMALL, TENS, follows_norwegian_count, may_be_compound,
    small_number_words,
};

use std::slice::from_ref;

use crate::fact::{FactKind, FactValue};
use crate::readings::Readings;
use crate::recognizer::{Found, Recognizer};
use crate::text::{Token, TokenKind, WordFilter, WordId, WordList};
use money::{
    CURRENCIES, CURRENCY_ADJECTIVES, HUNDREDTHS, currency, is_currency_before, is_currency_ending,
    may_be_currency_before,
};
use number::{Context, Figure, is_minus, is_name, is_plain_word, is_unit_ending, joined_figure};
use number_words::{number_in_words, starts_number_in_words};
use percent::{PER, PERCENT, is_percent_ending, percent_length};

/// Words after a number that multiply it by a power of ten. The index of a list is its power.
static SCALES: [WordList; 13] = [
    WordList::of(""),
    WordList::of(""),
    WordList::of("hundred hundert hundre"),
    WordList::of("thousand thousands tausend tusen mil mille 千 천"),
    WordList::of("万 萬 만"),
    WordList::of("lakh lakhs"),
    WordList::of("million millions millionen millioner millón millones mio mn"),
    WordList::of("crore crores"),
    WordList::of("億 亿 억"),
    WordList::of("billion billions bn milliarde milliarden milliarder milliard milliards mrd"),
    WordList::of(""),
    WordList::of(""),
    WordList::of("trillion trillions tn"),
];

/// Abbreviations of "million": `mill` counts before a full stop, and `m` if a currency precedes the number.
static MILLIONS: WordList = WordList::of("mill m");

/// Words between the two numbers of a range.
static JOINTS: WordList = WordList::of("to and or bis à a til");

/// All words that may be the scale or the unit of the number before them.
pub static MEASURES: WordFilter = WordFilter::of(&[
    &SCALES,
    from_ref(&MILLIONS),
    from_ref(&PERCENT),
    from_ref(&PER),
    from_ref(&CODES),
    from_ref(&CURRENCIES),
    from_ref(&HUNDREDTHS),
    from_ref(&CURRENCY_ADJECTIVES),
]);

/// Finds numbers, percentages and amounts of money.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[
        TokenKind::Letters,
        TokenKind::Mixed,
        TokenKind::Digits,
        TokenKind::Sign,
    ],
    starts_with_word: |word| starts_number_in_words(word) || may_be_currency_before(word),
    read,
};

/// Reads an amount at the start of `tokens`.
fn read<'t>(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    let context = Context { before, text };
    let amount = match tokens[0].kind {
        TokenKind::Sign => context.after_sign(tokens),
        TokenKind::Letters => context
            .after_code(tokens)
            .or_else(|| context.in_words(tokens)),
        TokenKind::Digits | TokenKind::Mixed => context.in_figures(tokens),
    }?;
    Some(Found {
        kind: amount.kind,
        tokens: amount.length,
        value: FactValue::Number(amount.values),
    })
}

/// An amount and the number of its tokens.
struct Amount {
    kind: FactKind,
    values: Readings<f64>,
    length: usize,
}

/// The unit and the power of ten that follow a number.
#[derive(Clone, Copy)]
struct Measure {
    kind: FactKind,
    /// The power of ten by which the number is multiplied.
    power: i32,
    /// Another power of ten by which the number may be multiplied instead.
    other_power: Option<i32>,
    length: usize,
}

impl Measure {
    const NONE: Measure = Measure {
        kind: FactKind::Number,
        power: 0,
        other_power: None,
        length: 0,
    };

    fn is_none(&self) -> bool {
        self.kind == FactKind::Number && self.power == 0 && self.length == 0
    }

    /// Returns the values of a number. Most numbers have one reading, and nothing after them changes it.
    fn values_of(&self, figure: &Figure<'_>) -> Readings<f64> {
        let is_plain = figure.other.is_none()
            && (self.power, self.other_power) == (0, None)
            && self.kind != FactKind::Percent;
        match is_plain.then(|| figure.reading.parse()) {
            Some(Ok(value)) => Readings::One(value),
            _ => self.values(figure.likely_readings(self.kind)),
        }
    }

    /// Returns the values of a number that has these readings.
    fn values<'r>(&self, readings: impl IntoIterator<Item = &'r str>) -> Readings<f64> {
        let percent = (self.kind == FactKind::Percent).then_some(self.power - 2);
        let powers = [Some(self.power), self.other_power, percent];
        let mut values = Readings::default();
        for reading in readings {
            for power in powers.into_iter().flatten() {
                // Parsing the decimal text returns the nearest double, while a division may not.
                let value = match power {
                    0 => reading.parse(),
                    _ => format!("{reading}e{power}").parse(),
                };
                if let Ok(value) = value
                    && !values.contains(&value)
                {
                    values.push(value);
                }
            }
        }
        values
    }
}

impl<'t> Context<'_, 't> {
    /// Reads an amount that starts with a sign: `$1,234.50`, `-5`, `−$5`, `$-5`.
    fn after_sign(&self, tokens: &[Token<'t>]) -> Option<Amount> {
        let (negative, currency, number) = match tokens {
            [minus, sign, ..] if is_minus(minus) && sign.glued && is_currency(sign) => {
                (true, true, 2)
            }
            [minus, ..] if is_minus(minus) => (true, false, 1),
            [sign, minus, ..] if is_currency(sign) && is_minus(minus) && minus.glued => {
                (true, true, 2)
            }
            [sign, ..] if is_currency(sign) => (false, true, 1),
            _ => return None,
        };
        let figures = tokens
            .get(number..)
            .filter(|rest| rest.first().is_some_and(Token::starts_with_digit))?;
        let is_apart = negative && !figures[0].glued;
        if is_apart || (is_minus(&tokens[0]) && self.is_hyphen(&tokens[0])) {
            return None;
        }
        let mut amount = self.figures(figures, currency)?;
        if negative {
            amount.values.iter_mut().for_each(|value| *value = -*value);
        }
        amount.length += number;
        Some(amount)
    }

    /// Reads an amount that starts with a currency: `USD 100`, `kr. 100`.
    fn after_code(&self, tokens: &[Token<'t>]) -> Option<Amount> {
        let number = match tokens {
            [_, number, ..] if number.kind == TokenKind::Digits && !number.glued => 1,
            [_, dot, number, ..]
                if dot.is('.') && dot.glued && number.kind == TokenKind::Digits =>
            {
                2
            }
            _ => return None,
        };
        let code = &tokens[0];
        let between = &self.text[code.start..tokens[number].start];
        if !is_currency_before(code) || between.contains('\n') {
            return None;
        }
        let amount = self.figures(&tokens[number..], true)?;
        Some(Amount {
            length: amount.length + number,
            ..amount
        })
    }

    /// Reads an amount that starts with figures, unless these are part of something else: `1,234.50`, `25%`, `10kg`,
    /// `100 EUR`.
    fn in_figures(&self, tokens: &[Token<'t>]) -> Option<Amount> {
        let is_name = tokens[0].kind == TokenKind::Mixed && is_name(&tokens[0]);
        if !tokens[0].starts_with_digit() || is_name || self.is_in_code(tokens) {
            return None;
        }
        self.figures(tokens, false)
    }

    /// Reads the amount whose figures are at the start of `tokens`.
    fn figures(&self, tokens: &[Token<'t>], follows_currency: bool) -> Option<Amount> {
        let figure = self.figure(tokens, follows_currency)?;
        let rest = &tokens[figure.length..];
        let mut measure = measure(figure.ending, rest, follows_currency)?;
        if follows_currency {
            measure.kind = FactKind::Money;
        } else if measure.is_none() && figure.ending.is_empty() {
            measure = self.measure_of_range(rest);
            if measure.is_none() && figure.length == 1 && self.is_label(tokens) {
                return None;
            }
        }
        let amount = Amount {
            kind: measure.kind,
            values: measure.values_of(&figure),
            length: figure.length + measure.length,
        };
        Some(add_east_asian_parts(amount, &measure, tokens))
    }

    /// Reads the number at the start of `tokens`.
    fn figure(&self, tokens: &[Token<'t>], follows_currency: bool) -> Option<Figure<'t>> {
        if let Some(figure) = self.spaced_figure(tokens) {
            let rest = &tokens[figure.length..];
            let is_number = !figure.is_spaced
                || follows_currency
                || measure(figure.ending, rest, false)
                    .is_some_and(|measure| measure.kind != FactKind::Number)
                || (rest.first().is_some_and(is_plain_word)
                    && !self
                        .before
                        .last()
                        .is_some_and(|word| !word.glued && word.is_capitalized));
            if is_number {
                return Some(figure);
            }
        }
        joined_figure(tokens, self.is_in_list(tokens))
    }

    /// Returns the measure of the end of a range for its start, such as `%` in `20-25%` and `euros` in `5 to 10 euros`.
    fn measure_of_range(&self, rest: &[Token<'t>]) -> Measure {
        let Some((joint, end)) = rest.split_first() else {
            return Measure::NONE;
        };
        let joins = matches!(joint.sign(), Some('-' | '–' | '—')) || joint.says_one_of(&JOINTS);
        if !joins || !end.first().is_some_and(Token::starts_with_digit) {
            return Measure::NONE;
        }
        let figure = joined_figure(end, false);
        let found = figure.and_then(|figure| measure(figure.ending, &end[figure.length..], false));
        found.map_or(Measure::NONE, |found| Measure {
            other_power: (found.power != 0).then_some(0),
            length: 0,
            ..found
        })
    }

    /// Reads an amount in words: `twenty-five bags`, `three hundred dollars`, `zwei Koffer`.
    fn in_words(&self, tokens: &[Token<'t>]) -> Option<Amount> {
        let number = number_in_words(tokens)?;
        let rest = &tokens[number.length..];
        let measure = measure("", rest, false)?;
        let counts = if measure.is_none() {
            number.counts(self.before, tokens)
        } else {
            !number.is_round || measure.kind == FactKind::Money
        };
        if !counts
            || self
                .before
                .last()
                .is_some_and(|joint| tokens[0].glued && (joint.is('-') || joint.is('_')))
        {
            return None;
        }
        Some(Amount {
            kind: measure.kind,
            values: measure.values([number.value.to_string().as_str()]),
            length: number.length + measure.length,
        })
    }
}

/// Adds the following parts of a number such as `1万2千円` to `amount`. Each part is glued to the one before it and
/// smaller than it.
fn add_east_asian_parts(mut amount: Amount, first: &Measure, tokens: &[Token<'_>]) -> Amount {
    static SIGNS: WordList = WordList::of("千 천 万 萬 만 億 亿 억");
    let mut power = first.power;
    while amount.kind == FactKind::Number && tokens[amount.length - 1].says_one_of(&SIGNS) {
        let rest = &tokens[amount.length..];
        let Some(next) = rest
            .first()
            .filter(|next| next.glued && next.starts_with_digit())
        else {
            break;
        };
        let figure = joined_figure(rest, next.kind != TokenKind::Digits);
        let part = figure.and_then(|figure| {
            let measure = measure(figure.ending, &rest[figure.length..], false)?;
            let value = measure.values([&*figure.reading]).first().copied()?;
            Some((value, measure, figure.length))
        });
        let Some((value, measure, length)) =
            part.filter(|(value, _, _)| *value < 10f64.powi(power))
        else {
            break;
        };
        amount.values.iter_mut().for_each(|whole| *whole += value);
        amount.kind = measure.kind;
        amount.length += length + measure.length;
        power = measure.power;
    }
    amount
}

/// Returns the measure that the letters glued to a number (`ending`) and the tokens after it (`rest`) express, or
/// `None` if they show that it is not an amount.
fn measure(ending: &str, rest: &[Token<'_>], is_money: bool) -> Option<Measure> {
    let mut measure = Measure::NONE;
    match ending {
        "" => {}
        "k" | "K" => measure.power = 3,
        "M" => (measure.power, measure.other_power) = (6, (!is_money).then_some(0)),
        "m" if is_money => measure.power = 6,
        "mn" | "mio" | "Mio" => measure.power = 6,
        "bn" | "Bn" => measure.power = 9,
        "B" | "b" if is_money => measure.power = 9,
        "T" if is_money => measure.power = 12,
        _ => return measure_of_ending(ending, is_money),
    }
    if !rest.first().is_some_and(may_measure) {
        return Some(measure);
    }
    if let Some((power, length)) = scale(rest, is_money) {
        measure.power += power;
        measure.length = length;
    }
    let rest = &rest[measure.length..];
    if let Some(length) = percent_length(rest).filter(|_| !is_money) {
        measure.kind = FactKind::Percent;
        measure.length += length;
    } else if let Some((power, length)) = currency(rest, is_money) {
        measure.kind = FactKind::Money;
        measure.power += power;
        measure.length += length;
    }
    Some(measure)
}

/// Checks whether the token may say what a number before it measures. This holds for few words.
fn may_measure(token: &Token<'_>) -> bool {
    token.word.is_none_or(WordId::may_measure)
}

/// Returns the measure that the letters glued to a number express, such as a currency or a unit, or `None` if they show
/// that it is not an amount.
fn measure_of_ending(ending: &str, is_money: bool) -> Option<Measure> {
    let ending = Token::of_word(ending);
    let kind = if is_currency_ending(&ending) {
        FactKind::Money
    } else if !is_unit_ending(&ending, if is_money { 2 } else { 4 }) {
        return None;
    } else if is_percent_ending(&ending) {
        FactKind::Percent
    } else {
        FactKind::Number
    };
    Some(Measure {
        kind,
        ..Measure::NONE
    })
}

/// Returns the power of ten of a word at the start of `rest`, and the number of its tokens.
fn scale(rest: &[Token<'_>], is_money: bool) -> Option<(i32, usize)> {
    let word = rest
        .first()
        .filter(|word| word.kind == TokenKind::Letters)?;
    match word.place_among(&MILLIONS) {
        Some(0) => {
            let dot = rest.get(1).is_some_and(|dot| dot.is('.') && dot.glued);
            return dot.then_some((6, 2));
        }
        Some(_) if is_money => return Some((6, 1)),
        _ => {}
    }
    let power = SCALES.iter().position(|words| word.says_one_of(words))?;
    let is_abbreviated =
        word.says_one_of("mio mrd") && rest.get(1).is_some_and(|dot| dot.is('.') && dot.glued);
    Some((power as i32, 1 + usize::from(is_abbreviated)))
}
