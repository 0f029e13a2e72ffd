//! Amounts: money, percentages and other numbers, in figures and in words.

use super::token::{Token, TokenKind};
use super::{FactKind, FactValue, Found};

/// Codes of currencies, as they are written.
const CODES: &str = "USD EUR GBP JPY CNY RMB INR NOK SEK DKK ISK CHF CAD AUD NZD HKD SGD TWD KRW THB IDR MYR PHP \
    VND MXN BRL ARS CLP COP ZAR AED SAR ILS PLN CZK HUF RON UAH RUB usd eur gbp nok sek dkk";

/// Names of currencies after a number.
const CURRENCIES: &str = "dollar dollars euro euros kroner krone kronor kr dólares dolares rupees rupee yen yuan \
    francs franc franken pesos peso reais bucks coronas couronnes quid 円 元 圆 원";

/// Names of their hundredths.
const HUNDREDTHS: &str = "cent cents pence centimes centime céntimos øre öre";

/// Abbreviations of currencies before a number.
const CURRENCIES_BEFORE: &str = "kr rs usd eur gbp nok";

/// Words between a number and its currency.
const CURRENCY_ADJECTIVES: &str =
    "us canadian australian american singapore hong kong norwegian swedish danish de d";

/// Words for powers of ten after a number, with the power.
const SCALES: [(&str, i32); 9] = [
    ("hundred hundert hundre", 2),
    ("thousand thousands tausend tusen mil mille", 3),
    (
        "million millions millionen millioner millón millones mio mn",
        6,
    ),
    (
        "billion billions bn milliarde milliarden milliarder milliard milliards mrd",
        9,
    ),
    ("trillion trillions tn", 12),
    ("lakh lakhs", 5),
    ("crore crores", 7),
    ("万 萬 만", 4),
    ("億 亿 억", 8),
];

/// Words for "percent"; the longer ones consist of "per", "pour" or "por" and another word.
const PERCENT: &str = "percent pct prozent prosent procent";

/// Endings of ordinal numbers.
const ORDINAL: &str = "st nd rd th e er re ère ème eme º ª";

/// Names of things that look like a number with a unit.
const NAMES: &str = "2d 3d 4d 2g 3g 4g 5g 4k 8k 2fa";

/// Units, which make a number a fact even where it follows a word that numbers things.
const UNITS: &str = "hour hours minute minutes min mins second seconds sec day days week weeks month months year \
    years night nights kg g mg lb lbs km m cm mm mi mile miles gb mb kb tb l ml kwh °c °f times x";

/// Words that number things: the number after them is part of a name.
const LABELS: &str = "option options flight step passenger card certificate leg segment item choice day part \
    section chapter phase stage gate terminal question answer number no nr table figure fig page \
    version level tier case type class group line row column zone track route stop bag schritt seite \
    teil kapitel punkt nummer étape partie numéro paso opción número parte steg trinn alternativ del";

/// Words at the start of a sentence after which a number counts.
const COUNTERS: &str = "only all the these those there is are was were total price cost costs amount amounts quantity qty \
    count sum score rating balance value age size at in on for from to by and or of after before \
    within between about around over under approximately roughly exactly just nearly almost plus \
    minus than another with up your our their its remaining available fee refund both";

/// Words that follow the name of a thing rather than what is counted.
const AFTER_NAME: &str = "is are was were has have had will and or to from with for at on in of by as if but which that \
    departs arrives leaves costs includes would can";

/// Words after "one" that make it no number.
const AFTER_ONE: &str = "of is was are has in on at to for from the that which who with as moment more another or and by \
    way thing time day last first else such can will would might should may i you we it he she they";

/// Words before "one" that make it no number.
const BEFORE_ONE: &str = "this that the no any every each which another other some last next same right wrong either \
    new good better best first a an";

/// What follows the number of the parts of a fraction: "two thirds".
const FRACTIONS: &str =
    "half halves third thirds quarter quarters fourth fourths fifth fifths tenth tenths";

/// Units of time in compounds such as "three-hour".
const COMPOUNDS: &str = "hour minute second day night week month year stop";

/// The numbers up to 19 in English, German, French, Spanish and Norwegian; `-` where a word is mostly
/// another one.
const SMALL: [&str; 6] = [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
     eighteen nineteen",
    "- - zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn \
     achtzehn neunzehn",
    "- - deux trois quatre cinq - sept huit - dix onze douze treize quatorze quinze",
    "- - dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete dieciocho \
     diecinueve",
    "- - - tre - fem seks sju åtte - - elleve tolv tretten fjorten femten seksten sytten atten nitten",
    "- - - - - - - syv",
];

/// The tens from 20 to 90.
const TENS: [&str; 5] = [
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "vingt trente quarante cinquante soixante",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "tjue tretti førti femti seksti sytti åtti nitti",
];

/// The Spanish hundreds from 200 to 900.
const HUNDREDS: &str = "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos";

/// Words for 100 and 1000 that can stand alone before a currency.
const ROUND: [(&str, u64); 2] = [
    ("hundert hundre cien", 100),
    ("tausend tusen mille mil", 1000),
];

/// Words that stand for a number only after another: "vingt et un", "treinta y uno".
const LATER: [(&str, u64); 6] = [
    ("un une uno una én ein", 1),
    ("neuf", 9),
    ("seize", 16),
    ("six", 6),
    ("once", 11),
    ("vingts", 20),
];

/// How many groups of digits a number has at most.
const MOST_GROUPS: usize = 10;

/// Recognises an amount at the first of `tokens`.
pub fn recognize<'t>(
    before: &[Token<'t>],
    tokens: &[Token<'t>],
    text: &'t str,
) -> Option<Found<'t>> {
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

/// An amount and the number of tokens that it takes.
struct Amount {
    kind: FactKind,
    values: Vec<f64>,
    length: usize,
}

/// A number in figures.
struct Figure<'t> {
    /// As it may be meant: digits, with a point before the decimals.
    readings: Vec<String>,
    /// The letters that are glued to it.
    ending: &'t str,
    length: usize,
    /// Whether spaces part its digits that may part numbers as well.
    is_spaced: bool,
}

/// What stands after a number: a unit, a power of ten.
#[derive(Clone, Copy)]
struct Measure {
    kind: FactKind,
    /// The power of ten by which the number is multiplied.
    power: i32,
    /// Another one, by which it may be multiplied instead.
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

    /// The values of a number with these readings.
    fn values<'r>(&self, readings: impl IntoIterator<Item = &'r str>) -> Vec<f64> {
        let percent = (self.kind == FactKind::Percent).then_some(self.power - 2);
        let powers = [Some(self.power), self.other_power, percent];
        let mut values = Vec::new();
        for reading in readings {
            for power in powers.into_iter().flatten() {
                // Parsing the decimal text gives the nearest double; a division may not.
                let value = format!("{reading}e{power}").parse();
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

/// What stands around the tokens that are read.
#[derive(Clone, Copy)]
struct Context<'a, 't> {
    before: &'a [Token<'t>],
    text: &'t str,
}

impl<'t> Context<'_, 't> {
    /// `$1,234.50`, `-5`, `−$5`, `$-5`.
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
            .filter(|rest| rest.first().is_some_and(starts_number))?;
        let is_apart = negative && !figures[0].glued;
        if is_apart || (is_minus(&tokens[0]) && self.is_hyphen(&tokens[0])) {
            return None;
        }
        let amount = self.figures(figures, currency)?;
        Some(Amount {
            values: if negative {
                amount.values.iter().map(|value| -value).collect()
            } else {
                amount.values
            },
            length: amount.length + number,
            ..amount
        })
    }

    /// `USD 100`, `kr. 100`.
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
        if !(code.says_one_of(CURRENCIES_BEFORE)
            || CODES.split(' ').any(|known| known == code.text))
        {
            return None;
        }
        let amount = self.figures(&tokens[number..], true)?;
        Some(Amount {
            length: amount.length + number,
            ..amount
        })
    }

    /// `1,234.50`, `25%`, `10kg`, `100 EUR`, where they aren't part of something else.
    fn in_figures(&self, tokens: &[Token<'t>]) -> Option<Amount> {
        let is_name = tokens[0].kind == TokenKind::Mixed && is_name(&tokens[0]);
        if !starts_number(&tokens[0]) || is_name || self.is_in_code(tokens) {
            return None;
        }
        self.figures(tokens, false)
    }

    /// The amount whose figures are at the start of `tokens`.
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
        Some(Amount {
            kind: measure.kind,
            values: measure.values(figure.readings.iter().map(String::as_str)),
            length: figure.length + measure.length,
        })
    }

    /// The number at the start of `tokens`.
    fn figure(&self, tokens: &[Token<'t>], follows_currency: bool) -> Option<Figure<'t>> {
        if let Some(figure) = self.spaced_figure(tokens) {
            let rest = &tokens[figure.length..];
            let is_number = !figure.is_spaced
                || follows_currency
                || measure(figure.ending, rest, false)
                    .is_some_and(|measure| measure.kind != FactKind::Number)
                || (rest.first().is_some_and(is_plain_word)
                    && !self.before.last().is_some_and(|word| {
                        !word.glued && word.kind == TokenKind::Letters && is_capitalised(word.text)
                    }));
            if is_number {
                return Some(figure);
            }
        }
        joined_figure(tokens, self.is_in_list(tokens))
    }

    /// `1 234 567,50`: groups of three digits with one space between them.
    fn spaced_figure(&self, tokens: &[Token<'t>]) -> Option<Figure<'t>> {
        let first = tokens[0];
        if first.kind != TokenKind::Digits || first.text.len() > 3 || first.text.starts_with('0') {
            return None;
        }
        let mut reading = first.text.to_owned();
        let (mut length, mut has_plain_spaces) = (1, false);
        while let Some(group) = tokens.get(length) {
            let gap = &self.text[tokens[length - 1].end()..group.start];
            let is_group = group.text.len() == 3 && group.kind == TokenKind::Digits;
            if !is_group
                || !matches!(gap, " " | "\u{a0}" | "\u{202f}" | "\u{2009}")
                || length > MOST_GROUPS
            {
                break;
            }
            has_plain_spaces |= gap == " ";
            reading.push_str(group.text);
            length += 1;
        }
        if length == 1 {
            return None;
        }
        let groups = length;
        if let [point, decimals, ..] = &tokens[length..] {
            let is_point = point.glued && (point.is(',') || point.is('.')) && decimals.glued;
            if is_point && decimals.kind == TokenKind::Digits && decimals.text.len() != 3 {
                reading.push('.');
                reading.push_str(decimals.text);
                length += 2;
            }
        }
        Some(Figure {
            readings: vec![reading],
            ending: "",
            length,
            is_spaced: has_plain_spaces && groups == 2 && length == groups,
        })
    }

    /// Whether a sign before figures is a hyphen or a dash rather than a minus.
    fn is_hyphen(&self, sign: &Token<'t>) -> bool {
        let Some(previous) = self.before.last() else {
            return false;
        };
        match previous.kind {
            TokenKind::Sign => sign.glued && !"([{:=,;\"'|*/<>~+".contains(previous.text),
            TokenKind::Letters => sign.glued,
            _ => true,
        }
    }

    /// Whether the figures belong to a code, a version or a file name: `A-5`, `1.2.3`, `v1.2`, `a_1`;
    /// also 24/7.
    fn is_in_code(&self, tokens: &[Token<'t>]) -> bool {
        let goes_on = match &tokens[1..] {
            [joint, next, ..] if joint.glued && next.glued && next.kind != TokenKind::Sign => {
                let is_lower = next.text.bytes().all(|byte| byte.is_ascii_lowercase());
                joint.is('_')
                    || (joint.is('.') && next.kind == TokenKind::Letters && is_lower)
                    || (joint.is('/') && tokens[0].text == "24" && next.text == "7")
            }
            _ => false,
        };
        let Some(joint) = self.before.last().filter(|_| tokens[0].glued) else {
            return goes_on;
        };
        let word = self.before.iter().rev().nth(1).filter(|_| joint.glued);
        let follows = match joint.sign() {
            Some('.') => word.is_none_or(|word| word.kind != TokenKind::Sign),
            Some('_') => word.is_some_and(|word| word.kind != TokenKind::Sign),
            Some('/') if tokens[0].text == "7" => word.is_some_and(|word| word.text == "24"),
            Some('-') => {
                word.is_some_and(|word| word.kind != TokenKind::Sign && !starts_number(word))
            }
            _ => false,
        };
        goes_on || follows
    }

    /// Whether commas next to the figures part numbers: `[1,250]`.
    fn is_in_list(&self, tokens: &[Token<'t>]) -> bool {
        let Some(joint) = self
            .before
            .last()
            .filter(|joint| joint.end() == tokens[0].start)
        else {
            return false;
        };
        let number = self.before.iter().rev().nth(1);
        let follows_number = number.is_some_and(|number| number.kind == TokenKind::Digits);
        joint.is('[') || (joint.is(',') && joint.glued && follows_number)
    }

    /// Whether an integer numbers something: `1.` and `(1)` at the start of a line, `#3`, `Option 2`.
    fn is_label(&self, tokens: &[Token<'t>]) -> bool {
        let number = &tokens[0];
        if number.kind != TokenKind::Digits || number.text.len() > 3 {
            return false;
        }
        self.is_list_marker(tokens)
            || (number.number().is_some_and(|number| number <= 20) && self.follows_name(tokens))
    }

    fn is_list_marker(&self, tokens: &[Token<'t>]) -> bool {
        let [number, dot, next, ..] = tokens else {
            return false;
        };
        let is_marker = dot.glued && (dot.is('.') || dot.is(')') || dot.is(':'));
        let is_parted = !next.glued || next.is('*') || next.is('_');
        is_marker
            && is_parted
            && !self.text[dot.end()..next.start].contains('\n')
            && self.text[..number.start]
                .bytes()
                .rev()
                .find(|byte| {
                    !matches!(byte, b' ' | b'\t' | b'*' | b'#' | b'>' | b'-' | b'(' | b'_')
                })
                .is_none_or(|byte| byte == b'\n')
    }

    fn follows_name(&self, tokens: &[Token<'t>]) -> bool {
        let number = &tokens[0];
        let next = tokens.get(1).filter(|next| next.kind == TokenKind::Letters);
        let has_unit = next.is_some_and(|next| next.says_one_of(UNITS));
        match self.before {
            [.., sign] if sign.is('#') => number.glued,
            [.., word, dot] if dot.is('.') && !number.glued => {
                word.says_one_of("no nr fig") && !has_unit
            }
            [.., word] if word.kind == TokenKind::Letters && !number.glued => {
                let one_line = !self.text[word.end()..number.start].contains('\n');
                let counts =
                    next.is_some_and(|next| is_plain_word(next) && !next.says_one_of(AFTER_NAME));
                let has_capital = word.text.contains(char::is_uppercase);
                let is_name = has_capital && !word.says_one_of(COUNTERS) && !counts;
                one_line && !has_unit && (word.says_one_of(LABELS) || is_name)
            }
            _ => false,
        }
    }

    /// What `%` or `EUR` after the end of a range says about its start: `20-25%`, `5 to 10 euros`.
    fn measure_of_range(&self, rest: &[Token<'t>]) -> Measure {
        let Some((joint, end)) = rest.split_first() else {
            return Measure::NONE;
        };
        let joins = matches!(joint.sign(), Some('-' | '–' | '—'))
            || joint.says_one_of("to and or bis à a til");
        if !joins || !end.first().is_some_and(starts_number) {
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

    /// `twenty-five bags`, `three hundred dollars`, `zwei Koffer`.
    fn in_words(&self, tokens: &[Token<'t>]) -> Option<Amount> {
        if !may_be_number_word(tokens[0].text) {
            return None;
        }
        let number = number_in_words(tokens)?;
        let rest = &tokens[number.length..];
        let measure = measure("", rest, false)?;
        let counts = if measure.is_none() {
            self.counts(&number, tokens)
        } else {
            !number.is_round || measure.kind != FactKind::Number
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

    /// Whether a number in words counts something, rather than being part of a phrase or a name.
    fn counts(&self, number: &Words, tokens: &[Token<'t>]) -> bool {
        let first = &tokens[0];
        let next = tokens.get(number.length);
        let is_word = next.is_some_and(|next| next.kind == TokenKind::Letters && !next.glued);
        let is_fraction = next.is_some_and(|next| next.says_one_of(FRACTIONS));
        let is_name = is_capitalised(first.text)
            && next.is_some_and(|next| is_word && is_capitalised(next.text));
        let is_compound = next.is_some_and(|joint| joint.glued && joint.is('-'));
        if number.is_round || is_fraction || is_name {
            return false;
        }
        if is_compound {
            let unit = tokens.get(number.length + 1);
            return unit.is_some_and(|unit| {
                unit.says_one_of(COMPOUNDS) && !(number.value == 1 && unit.says("stop"))
            });
        }
        if number.is_foreign {
            let is_upper = first.text.len() > 1 && first.text.chars().all(char::is_uppercase);
            return is_word
                && !is_upper
                && first.text != "Sept"
                && !next.is_some_and(|next| next.says("and"));
        }
        number.value != 1
            || next.is_some_and(|next| {
                let previous = self.before.last();
                is_plain_word(next)
                    && !is_verb_or_adverb(next.text)
                    && !next.says_one_of(AFTER_ONE)
                    && !previous.is_some_and(|word| word.says_one_of(BEFORE_ONE))
            })
    }
}

fn is_minus(token: &Token<'_>) -> bool {
    matches!(token.sign(), Some('-' | '−' | '–'))
}

fn is_currency(token: &Token<'_>) -> bool {
    matches!(
        token.sign(),
        Some('$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₫' | '฿' | '￥' | '₪' | '₱')
    )
}

fn starts_number(token: &Token<'_>) -> bool {
    token.text.as_bytes()[0].is_ascii_digit()
}

/// Whether digits and letters are a name, such as `4K` and the seat `12B`, and no number with a unit.
fn is_name(word: &Token<'_>) -> bool {
    let (number, ending) = digits_of(word);
    let is_seat =
        number.len() <= 2 && matches!(ending, "A" | "B" | "C" | "D" | "E" | "F" | "H" | "J");
    is_seat || word.says_one_of(NAMES)
}

fn is_capitalised(word: &str) -> bool {
    word.chars().next().is_some_and(char::is_uppercase)
}

/// Whether the token is a word in lower case.
fn is_plain_word(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Letters
        && !token.glued
        && token.text.chars().next().is_some_and(char::is_lowercase)
}

/// Whether a word after "one" is more likely a verb or an adverb than a noun: "one uses", "one exactly".
fn is_verb_or_adverb(word: &str) -> bool {
    let is_third_person = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    is_third_person || word.ends_with("ly")
}

/// The number at the start of `tokens` whose digits are joined by `.`, `,` or apostrophes.
fn joined_figure<'t>(tokens: &[Token<'t>], is_in_list: bool) -> Option<Figure<'t>> {
    let (mut groups, mut signs) = (vec![digits_of(&tokens[0]).0], Vec::new());
    let mut ending = digits_of(&tokens[0]).1;
    let mut at = 1;
    while let (true, [joint, group, ..]) = (
        ending.is_empty() && signs.len() < MOST_GROUPS,
        &tokens[at..],
    ) {
        let sign = joint
            .sign()
            .filter(|sign| matches!(sign, '.' | ',' | '\'' | '’'));
        let (Some(sign), true) = (sign, joint.glued && group.glued && starts_number(group)) else {
            break;
        };
        if sign == ',' && is_in_list {
            break;
        }
        signs.push(sign);
        groups.push(digits_of(group).0);
        ending = digits_of(group).1;
        at += 2;
    }
    let (readings, used) = readings(&groups, &signs)?;
    Some(Figure {
        readings,
        ending: if used == groups.len() { ending } else { "" },
        length: 2 * used - 1,
        is_spaced: false,
    })
}

/// The digits that a token starts with, and the rest.
fn digits_of<'t>(token: &Token<'t>) -> (&'t str, &'t str) {
    let length = token.text.bytes().take_while(u8::is_ascii_digit).count();
    token.text.split_at(length)
}

/// What groups of digits with `signs` between them may mean, and how many of them belong together.
fn readings(groups: &[&str], signs: &[char]) -> Option<(Vec<String>, usize)> {
    let count = groups.len();
    let Some((last, first_signs)) = signs.split_last() else {
        return Some((vec![groups[0].to_owned()], 1));
    };
    let decimal = |count: usize| format!("{}.{}", groups[..count - 1].concat(), groups[count - 1]);
    let are_same = first_signs.windows(2).all(|pair| pair[0] == pair[1]);
    match (signs[0], first_signs.first()) {
        ('\'' | '’', _)
            if are_thousands(groups, '\'') && first_signs.iter().all(|sign| sign == last) =>
        {
            Some((vec![groups.concat()], count))
        }
        ('.' | ',', None) => {
            let thousands = are_thousands(groups, *last).then(|| groups.concat());
            let readings = if signs[0] == ',' {
                [thousands, Some(decimal(2))]
            } else {
                [Some(decimal(2)), thousands]
            };
            Some((readings.into_iter().flatten().collect(), 2))
        }
        (_, Some(first)) if are_same && first == last && are_thousands(groups, *last) => {
            Some((vec![groups.concat()], count))
        }
        (_, Some(first))
            if are_same
                && first != last
                && are_thousands(&groups[..count - 1], *first)
                && matches!(last, '.' | ',') =>
        {
            Some((vec![decimal(count)], count))
        }
        ('.', Some('.')) if signs[1] == '.' => None,
        ('.', _) => Some((vec![decimal(2)], 2)),
        _ => Some((vec![groups[0].to_owned()], 1)),
    }
}

/// Whether the groups are thousands, or lakhs where commas part them.
fn are_thousands(groups: &[&str], sign: char) -> bool {
    let (Some((first, middle)), Some(last)) = (groups.split_first(), groups.last()) else {
        return false;
    };
    let starts = (1..=3).contains(&first.len()) && !first.starts_with('0');
    let (_, inner) = middle.split_last().unwrap_or((last, &[]));
    let are_three = middle.iter().all(|group| group.len() == 3);
    let are_two = sign == ',' && first.len() <= 2 && inner.iter().all(|group| group.len() == 2);
    starts && !middle.is_empty() && last.len() == 3 && (are_three || are_two)
}

/// What the letters glued to a number and the tokens after it say of it; nothing where it's no amount.
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
        _ => return measure_of_ending(ending, is_money),
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

/// What letters glued to a number say: a currency, a unit; nothing where they make it something else.
fn measure_of_ending(ending: &str, is_money: bool) -> Option<Measure> {
    let lower = ending.to_lowercase();
    let is_one_of = |words: &str| words.split(' ').any(|word| word == lower);
    let is_code = is_one_of(CURRENCIES) || CODES.split(' ').any(|code| code == ending);
    let longest = if is_money { 2 } else { 4 };
    let is_unit = ending
        .chars()
        .all(|c| c.is_alphabetic() || matches!(c, '²' | '³'))
        && (ending.chars().count() <= longest || is_code || is_one_of(UNITS));
    let is_hexadecimal = lower.len() > 1 && lower.starts_with('x');
    if is_one_of(ORDINAL) || is_hexadecimal || !is_unit {
        return None;
    }
    let kind = if is_code {
        FactKind::Money
    } else if is_one_of(PERCENT) {
        FactKind::Percent
    } else {
        FactKind::Number
    };
    Some(Measure {
        kind,
        ..Measure::NONE
    })
}

/// The power of ten of a word at the start of `rest`, and how many tokens it takes.
fn scale(rest: &[Token<'_>], is_money: bool) -> Option<(i32, usize)> {
    let word = rest
        .first()
        .filter(|word| word.kind == TokenKind::Letters)?;
    if word.says("mill") {
        let dot = rest.get(1).is_some_and(|dot| dot.is('.') && dot.glued);
        return dot.then_some((6, 2));
    }
    if is_money && (word.text == "m" || word.text == "M") {
        return Some((6, 1));
    }
    let (_, power) = SCALES.iter().find(|(words, _)| word.says_one_of(words))?;
    Some((*power, 1))
}

/// How many tokens `%`, "percent", "per cent" or the like takes at the start of `rest`.
fn percent_length(rest: &[Token<'_>]) -> Option<usize> {
    let word = rest.first()?;
    match word.kind {
        TokenKind::Sign => (word.is('%') || word.is('％')).then_some(1),
        TokenKind::Letters if word.says_one_of(PERCENT) => Some(1),
        TokenKind::Letters if word.says_one_of("per pour por") => {
            rest.get(1)?.says_one_of("cent ciento").then_some(2)
        }
        _ => None,
    }
}

/// The power of ten of the currency at the start of `rest`, and how many tokens it takes.
fn currency(rest: &[Token<'_>], is_money: bool) -> Option<(i32, usize)> {
    let first = rest.first()?;
    let next = rest.get(1).filter(|next| starts_number(next));
    if first.kind == TokenKind::Sign {
        let is_compound =
            first.is('-') && first.glued && rest.get(1)?.says_one_of("dollar euro cent");
        if is_compound {
            return currency(&rest[1..], is_money).map(|(power, length)| (power, length + 1));
        }
        return ((is_currency(first) || first.is('¢')) && next.is_none_or(|next| !next.glued))
            .then_some((if first.is('¢') { -2 } else { 0 }, 1));
    }
    if first.kind != TokenKind::Letters {
        return None;
    }
    let mut at = 0;
    while rest
        .get(at)
        .is_some_and(|word| word.says_one_of(CURRENCY_ADJECTIVES))
        && at < 2
    {
        at += 1 + usize::from(
            rest.get(at + 1)
                .is_some_and(|sign| sign.is('’') || sign.is('\'')),
        );
    }
    let word = rest.get(at)?;
    let is_code =
        at == 0 && CODES.split(' ').any(|code| code == word.text) && (next.is_none() || !is_money);
    if is_code || word.says_one_of(CURRENCIES) {
        return Some((0, at + 1));
    }
    word.says_one_of(HUNDREDTHS).then_some((-2, at + 1))
}

/// A number in words.
struct Words {
    value: u64,
    length: usize,
    /// Whether its first word isn't English.
    is_foreign: bool,
    /// Whether it starts with a word for 100 or 1000.
    is_round: bool,
}

/// The number in words at the start of `tokens`: "two thousand five hundred", "vingt et un".
fn number_in_words(tokens: &[Token<'_>]) -> Option<Words> {
    let round = || {
        ROUND
            .iter()
            .find(|(words, _)| tokens[0].says_one_of(words))
            .map(|(_, value)| *value)
    };
    let first = word_value(&tokens[0]);
    let value = first.or_else(round)?;
    let mut sum = Sum {
        done: 0,
        current: value,
        last: value,
        scale: u64::MAX,
    };
    let mut length = 1;
    while let Some((next, taken)) = next_word(&tokens[length - 1..]) {
        match sum.with(next) {
            Some(longer) => sum = longer,
            None => break,
        }
        length += taken;
    }
    let is_english = [SMALL[0], TENS[0]]
        .iter()
        .any(|words| tokens[0].says_one_of(words));
    Some(Words {
        value: sum.done + sum.current,
        length,
        is_foreign: !is_english,
        is_round: first.is_none(),
    })
}

/// A number that is being put together from words.
#[derive(Clone, Copy)]
struct Sum {
    /// The thousands and millions before.
    done: u64,
    /// What is to be multiplied by the next thousand or million.
    current: u64,
    /// The value of the last word.
    last: u64,
    /// The last of the thousands and millions; the next one is smaller.
    scale: u64,
}

/// A word that may go on a number.
#[derive(Clone, Copy)]
struct Next {
    value: u64,
    is_hyphenated: bool,
    /// Whether "and" stands before it.
    follows_and: bool,
    /// Whether "et", "y" or the like stands before it.
    follows_foreign_and: bool,
}

impl Sum {
    /// The number with another word, if it makes sense.
    fn with(self, next: Next) -> Option<Sum> {
        let Next { value, .. } = next;
        let after_tens = (20..100).contains(&self.last) && self.last.is_multiple_of(10);
        let after_hundred = self.last >= 100;
        let is_joined = next.follows_and || next.follows_foreign_and;
        let current = match value {
            1..=9 if after_tens && !next.follows_and => self.current + value,
            1..=99 if after_hundred && (!is_joined || next.follows_and || self.last == 100) => {
                self.current + value
            }
            10..=19 if next.is_hyphenated && matches!(self.last, 60 | 80) => self.current + value,
            7..=9 if next.is_hyphenated && self.last == 10 => self.current + value,
            20 if next.is_hyphenated && self.last == 4 => {
                return Some(Sum {
                    current: self.current + 76,
                    last: 80,
                    ..self
                });
            }
            100 if self.last < 100 && self.current < 100 && !is_joined => self.current * 100,
            200..=900 if self.last >= 1000 => value,
            1000.. if self.current > 0 && !is_joined && value < self.scale => {
                return Some(Sum {
                    done: self.done + self.current * value,
                    current: 0,
                    last: value,
                    scale: value,
                });
            }
            _ => return None,
        };
        Some(Sum {
            current,
            last: value,
            ..self
        })
    }
}

/// The word that may go on the number word at the start of `tokens`, and how many tokens it takes.
fn next_word(tokens: &[Token<'_>]) -> Option<(Next, usize)> {
    let next = tokens.get(1)?;
    let is_hyphenated = next.is('-') && next.glued && tokens.get(2).is_some_and(|word| word.glued);
    let follows_and = next.says("and");
    let follows_foreign_and = next.says_one_of("et y und og");
    let at = 1 + usize::from(is_hyphenated || follows_and || follows_foreign_and);
    let word = tokens
        .get(at)
        .filter(|word| word.kind == TokenKind::Letters)?;
    let known = word_value(word).or_else(|| {
        let french = "deux trois quatre cinq sept huit neuf";
        let later = |table: &[(&str, u64)]| {
            table
                .iter()
                .find(|(words, _)| word.says_one_of(words))
                .map(|(_, value)| *value)
        };
        let is_french_hundred = word.says_one_of("cent cents") && tokens[0].says_one_of(french);
        later(&LATER)
            .or_else(|| later(&ROUND))
            .or_else(|| is_french_hundred.then_some(100))
            .or_else(|| word.says("hundred").then_some(100))
            .or_else(|| word.says("thousand").then_some(1000))
            .or_else(|| {
                word.says_one_of("million millones millions millionen millioner")
                    .then_some(1_000_000)
            })
            .or_else(|| word.says("billion").then_some(1_000_000_000))
    });
    let next = Next {
        value: known?,
        is_hyphenated,
        follows_and,
        follows_foreign_and,
    };
    Some((next, at))
}

/// The value of a word that is a number by itself.
fn word_value(word: &Token<'_>) -> Option<u64> {
    let place = |words: &str| words.split(' ').position(|known| word.says(known));
    let small = SMALL.iter().find_map(|words| place(words));
    let value = small
        .or_else(|| {
            TENS.iter()
                .find_map(|words| place(words))
                .map(|place| 10 * (place + 2))
        })
        .or_else(|| place(HUNDREDS).map(|place| 100 * (place + 2)))?;
    Some(value as u64)
}

/// Whether a word may be a number; hardly any other words may.
fn may_be_number_word(word: &str) -> bool {
    let key = key_of(word.as_bytes(), 0, word.len());
    FILTER[key / 64] & (1 << (key % 64)) != 0
}

/// The keys of all words that numbers start with.
const FILTER: [u64; 64] = {
    let mut filter = [0; 64];
    let mut table = 0;
    while table < SMALL.len() {
        filter = with_words(filter, SMALL[table]);
        table += 1;
    }
    table = 0;
    while table < TENS.len() {
        filter = with_words(filter, TENS[table]);
        table += 1;
    }
    filter = with_words(filter, HUNDREDS);
    filter = with_words(filter, ROUND[0].0);
    with_words(filter, ROUND[1].0)
};

/// `filter` with the keys of these words.
const fn with_words(mut filter: [u64; 64], words: &str) -> [u64; 64] {
    let bytes = words.as_bytes();
    let (mut start, mut at) = (0, 0);
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at] == b' ' {
            let key = key_of(bytes, start, at);
            filter[key / 64] |= 1 << (key % 64);
            start = at + 1;
        }
        at += 1;
    }
    filter
}

/// A number below 4096 that depends on the letters, not on their case.
const fn key_of(bytes: &[u8], start: usize, end: usize) -> usize {
    let (mut key, mut at) = (0_u32, start);
    while at < end {
        key = (key ^ (bytes[at] | 0x20) as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (key >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::facts_of;

    /// The amounts of `text`: `money 1234.5 in $1,234.50`.
    fn amounts(text: &str) -> Vec<String> {
        let shown = |fact: &crate::facts::Fact<'_>| match &fact.value {
            FactValue::Number(values) => {
                let values: Vec<_> = values.iter().map(f64::to_string).collect();
                let kind = format!("{:?}", fact.kind).to_lowercase();
                format!("{kind} {} in {}", values.join(" or "), fact.text)
            }
            _ => unreachable!("no amount: {fact:?}"),
        };
        facts_of(text, &[recognize]).iter().map(shown).collect()
    }

    fn check(cases: &[(&str, &[&str])]) {
        for (text, expected) in cases {
            assert_eq!(amounts(text), *expected, "{text}");
        }
    }

    #[test]
    fn money() {
        check(&[
            ("$100 and $ 5.", &["money 100 in $100", "money 5 in $ 5"]),
            ("$1,234.50", &["money 1234.5 in $1,234.50"]),
            (
                "-$5, $-5, −€5",
                &["money -5 in -$5", "money -5 in $-5", "money -5 in −€5"],
            ),
            (
                "$1.2k, $5M, $3 million, €2bn",
                &[
                    "money 1200 in $1.2k",
                    "money 5000000 in $5M",
                    "money 3000000 in $3 million",
                    "money 2000000000 in €2bn",
                ],
            ),
            (
                "100 €, 100€, 5 $.",
                &["money 100 in 100 €", "money 100 in 100€", "money 5 in 5 $"],
            ),
            (
                "USD 50, 50 USD, $50 USD",
                &[
                    "money 50 in USD 50",
                    "money 50 in 50 USD",
                    "money 50 in $50 USD",
                ],
            ),
            (
                "50 USD 30 EUR",
                &["money 50 in 50 USD", "money 30 in 30 EUR"],
            ),
            (
                "kr 100, kr. 100, 100 kr",
                &[
                    "money 100 in kr 100",
                    "money 100 in kr. 100",
                    "money 100 in 100 kr",
                ],
            ),
            (
                "50 dollars, 20 US dollars, 50-dollar",
                &[
                    "money 50 in 50 dollars",
                    "money 20 in 20 US dollars",
                    "money 50 in 50-dollar",
                ],
            ),
            ("1.234,50 Euro", &["money 1234.5 in 1.234,50 Euro"]),
            (
                "5 millions d’euros",
                &["money 5000000 in 5 millions d’euros"],
            ),
            (
                "50 cents, 7¢",
                &["money 0.5 in 50 cents", "money 0.07 in 7¢"],
            ),
            (
                "$50-$100, 5-10 EUR",
                &[
                    "money 50 in $50",
                    "money 100 in $100",
                    "money 5 in 5",
                    "money 10 in 10 EUR",
                ],
            ),
            ("3万円", &["money 30000 in 3万円"]),
            ("1 234 EUR", &["money 1234 in 1 234 EUR"]),
        ]);
    }

    #[test]
    fn percentages() {
        check(&[
            (
                "25%, 25 %, 25 percent",
                &[
                    "percent 25 or 0.25 in 25%",
                    "percent 25 or 0.25 in 25 %",
                    "percent 25 or 0.25 in 25 percent",
                ],
            ),
            (
                "7 Prozent, 7 pour cent, 14.3%",
                &[
                    "percent 7 or 0.07 in 7 Prozent",
                    "percent 7 or 0.07 in 7 pour cent",
                    "percent 14.3 or 0.143 in 14.3%",
                ],
            ),
            (
                "20-25%, -3%",
                &[
                    "percent 20 or 0.2 in 20",
                    "percent 25 or 0.25 in 25%",
                    "percent -3 or -0.03 in -3%",
                ],
            ),
            ("1,5 %", &["percent 1.5 or 0.015 in 1,5 %"]),
        ]);
    }

    #[test]
    fn spellings_of_figures() {
        check(&[
            ("1,234", &["number 1234 or 1.234 in 1,234"]),
            ("1.234", &["number 1.234 or 1234 in 1.234"]),
            (
                "0.125 0,125",
                &["number 0.125 in 0.125", "number 0.125 in 0,125"],
            ),
            ("1,234,567.8", &["number 1234567.8 in 1,234,567.8"]),
            ("1.234.567", &["number 1234567 in 1.234.567"]),
            (
                "1,00,000 1,23,456.7",
                &["number 100000 in 1,00,000", "number 123456.7 in 1,23,456.7"],
            ),
            ("1'234.50", &["number 1234.5 in 1'234.50"]),
            ("1 234,50", &["number 1234.5 in 1 234,50"]),
            (
                "1\u{a0}234 1\u{202f}234\u{202f}567",
                &[
                    "number 1234 in 1\u{a0}234",
                    "number 1234567 in 1\u{202f}234\u{202f}567",
                ],
            ),
            ("1 234 habitants", &["number 1234 in 1 234"]),
            ("Room 5 300", &["number 300 in 300"]),
            (
                "[10,250,300]",
                &["number 10 in 10", "number 250 in 250", "number 300 in 300"],
            ),
            (
                "40.71,-74.00",
                &["number 40.71 in 40.71", "number -74 in -74.00"],
            ),
            (
                "1,2,3",
                &["number 1 in 1", "number 2 in 2", "number 3 in 3"],
            ),
            (
                "x:-5, −5 (-5) 3-4 8 -2",
                &[
                    "number -5 in -5",
                    "number -5 in −5",
                    "number -5 in -5",
                    "number 3 in 3",
                    "number 4 in 4",
                    "number 8 in 8",
                    "number 2 in 2",
                ],
            ),
            (
                "3 million 2k 5M",
                &[
                    "number 3000000 in 3 million",
                    "number 2000 in 2k",
                    "number 5000000 or 5 in 5M",
                ],
            ),
            (
                "10kg 24h 2.5GB 24-hour",
                &[
                    "number 10 in 10kg",
                    "number 24 in 24h",
                    "number 2.5 in 2.5GB",
                    "number 24 in 24",
                ],
            ),
            ("There are 5.", &["number 5 in 5"]),
            (
                "Found 3 flights, only 2 left. 5 seats",
                &["number 3 in 3", "number 2 in 2", "number 5 in 5"],
            ),
            ("card ending in 7447", &["number 7447 in 7447"]),
            (
                "3日 25:70",
                &["number 3 in 3", "number 25 in 25", "number 70 in 70"],
            ),
            ("Day 2: 3.\nTotal 5.", &["number 3 in 3", "number 5 in 5"]),
        ]);
    }

    #[test]
    fn numbers_in_words() {
        check(&[
            (
                "three bags and twenty-five seats",
                &["number 3 in three", "number 25 in twenty-five"],
            ),
            (
                "three hundred dollars",
                &["money 300 in three hundred dollars"],
            ),
            (
                "two thousand five hundred and six",
                &["number 2506 in two thousand five hundred and six"],
            ),
            (
                "fifty percent, two million",
                &[
                    "percent 50 or 0.5 in fifty percent",
                    "number 2000000 in two million",
                ],
            ),
            (
                "one checked bag, a three-hour layover",
                &["number 1 in one", "number 3 in three"],
            ),
            (
                "zwei Koffer, drei Taschen",
                &["number 2 in zwei", "number 3 in drei"],
            ),
            (
                "deux billets, vingt et un jours",
                &["number 2 in deux", "number 21 in vingt et un"],
            ),
            (
                "quatre-vingt-dix euros, dix-sept ans, deux cents pages",
                &[
                    "money 90 in quatre-vingt-dix euros",
                    "number 17 in dix-sept",
                    "number 200 in deux cents",
                ],
            ),
            (
                "treinta y cinco días, cien dólares, cinco mil pesos",
                &[
                    "number 35 in treinta y cinco",
                    "money 100 in cien dólares",
                    "money 5000 in cinco mil pesos",
                ],
            ),
            (
                "tre vesker, fem hundre kroner",
                &["number 3 in tre", "money 500 in fem hundre kroner"],
            ),
        ]);
    }

    #[test]
    fn names_and_phrases_are_not_amounts() {
        for text in [
            "1st 2nd 24th 1er 2e 3D 4K",
            "1. An option\n2) Another\n(3) more\n  **4.** x\n- 5. x",
            "#3, Option 2, Flight 1 departs, Step 3: go, Gift Card 1: yes, No. 5",
            "version 1.2.3, v1.2, 10.0.0.1, A-5, GPT-4, a_1, 5_x, 1.txt, 24/7",
            "$0xff, one of, one uses, one exactly, this one, no one, one-way, one-stop, One moment, one more, which one is",
            "a second, ein Koffer, une valise, uno de, en dag, et hus",
            "two-factor, two thirds, Five Guys, DOS attack, dos and don'ts",
            "hundreds, a hundred, to fire ni ti, an elf-like, Sept",
            "1e5 0x1F 10x10 59XX6W 1½ seat 12B, iPhone 15 Pro",
        ] {
            assert_eq!(amounts(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn the_filter_keeps_number_words_and_drops_most_others() {
        let words = |words: &'static str| words.split(' ').filter(|word| *word != "-");
        for word in SMALL.into_iter().chain(TENS).flat_map(words) {
            assert!(
                may_be_number_word(word) && may_be_number_word(&word.to_uppercase()),
                "{word}"
            );
        }
        let text = "please let me know if you would like to proceed with this booking or have any other question";
        assert!(
            text.split(' ')
                .filter(|word| may_be_number_word(word))
                .count()
                <= 4
        );
    }
}
