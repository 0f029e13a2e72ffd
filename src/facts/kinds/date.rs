//! Recognises dates: days with or without a year, and months with a year.

use super::amount::is_currency;
use crate::fact::{Date, FactKind, FactValue};
use crate::recognizer::{Found, Recognizer};
use crate::text::{Token, TokenKind, WordList, split_after_digits};

/// The names of the months in English, German, French, Spanish and Norwegian.
pub static MONTHS: [WordList; 12] = [
    WordList::of("january januar janvier enero"),
    WordList::of("february februar février fevrier febrero"),
    WordList::of("march märz mars marzo"),
    WordList::of("april avril abril"),
    WordList::of("may mai mayo"),
    WordList::of("june juni juin junio"),
    WordList::of("july juli juillet julio"),
    WordList::of("august août aout agosto"),
    WordList::of("september septembre septiembre setiembre"),
    WordList::of("october oktober octobre octubre"),
    WordList::of("november novembre noviembre"),
    WordList::of("december dezember décembre decembre diciembre desember"),
];

/// The abbreviations of the months, which a full stop may follow.
pub static SHORT_MONTHS: [WordList; 12] = [
    WordList::of("jan janv ene"),
    WordList::of("feb févr fév"),
    WordList::of("mar mär"),
    WordList::of("apr avr abr"),
    WordList::of(""),
    WordList::of("jun"),
    WordList::of("jul juil"),
    WordList::of("aug ago"),
    WordList::of("sep sept"),
    WordList::of("oct okt"),
    WordList::of("nov"),
    WordList::of("dec dez déc dic des"),
];

/// Month names that exist only in English. A number with a full stop before such a name ends a sentence and is not a
/// day: "It costs 5. March is next."
static ENGLISH_ONLY: WordList = WordList::of("january february march may june july october");

/// English words that precede a day.
static BEFORE: WordList =
    WordList::of("on by until till since from before after through for dated of the mon tue fri");

/// The words and weekdays after which `5/13` is a day rather than a fraction.
static ON: WordList = WordList::of("on until till since dated mon tue fri");

/// Words of the other languages that precede a day.
static FOREIGN_BEFORE: WordList = WordList::of(
    "am vom bis zum den dem der ab seit le du au dès depuis el al del desde hasta fra til innen \
    kommenden",
);

/// Words that may follow a date. A noun that a number counts is not among them.
static AFTER: WordList = WordList::of(
    "at from to for in on and or with is are was were will has have if as by but until through \
    departing departs arriving arrives via und von nach um bis et de à pour au a con para og fra \
    til kl",
);

/// Words that join two days.
static BETWEEN: WordList =
    WordList::of("to and or through thru until und oder bis et ou au al y og til eller");

/// The maximum number of days of one month in a list: "May 13, 14, 15 and 16".
const MOST_DAYS: usize = 6;

/// The maximum number of tokens between a month and the second of two days: "5月16日(木)から18日".
const MOST_BETWEEN: usize = 9;

/// Finds dates.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Letters, TokenKind::Mixed, TokenKind::Digits],
    starts_with_word: is_month,
    read,
};

/// Reads a date at the start of `tokens`.
fn read<'t>(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    let context = Context { before, text };
    let (date, length) = match tokens[0].kind {
        TokenKind::Sign => None,
        TokenKind::Letters => context.month_first(tokens),
        TokenKind::Mixed if day_of_month(tokens).is_none() => None,
        TokenKind::Mixed => context
            .day_first(tokens)
            .or_else(|| context.another_day(tokens)),
        TokenKind::Digits => match tokens[0].text.len() {
            4 => context.year_first(tokens),
            1 | 2 => context
                .numeric(tokens)
                .or_else(|| context.day_first(tokens))
                .or_else(|| context.another_day(tokens))
                .or_else(|| context.another_east_asian_day(tokens)),
            _ => None,
        },
    }?;
    Some(Found {
        kind: FactKind::Date,
        tokens: length,
        value: FactValue::Date(date),
    })
}

/// A date and the number of its tokens.
type DateRead = Option<(Date, usize)>;

/// The context of the tokens that are read.
#[derive(Clone, Copy)]
struct Context<'a, 't> {
    before: &'a [Token<'t>],
    text: &'t str,
}

impl<'t> Context<'_, 't> {
    /// Reads a date that starts with a year of four digits: `2024-05-13`, `2024/05/13`, `2024.05.13`, `2024-05`,
    /// `2024年5月13日`.
    fn year_first(&self, tokens: &[Token<'t>]) -> DateRead {
        let year = number(tokens.first(), 4)?;
        let joint = tokens.get(1).filter(|joint| joint.glued)?;
        if joint.kind == TokenKind::Letters {
            return joint
                .says_one_of("年 년")
                .then(|| self.east_asian(year, tokens))
                .flatten();
        }
        let sign = joint
            .sign()
            .filter(|sign| matches!(sign, '-' | '/' | '.'))?;
        let month = glued_number(tokens.get(2))?;
        if self.is_inside(&['.', ':', '_']) || (sign == '-' && tokens[2].text.len() != 2) {
            return None;
        }
        let plausible = is_plausible(year);
        let another = tokens
            .get(3)
            .is_some_and(|token| token.glued && token.is(sign));
        if let (true, Some(day)) = (another, glued_number(tokens.get(4))) {
            let exists = (1..=12).contains(&month) && (1..=31).contains(&day);
            let is_last = !goes_on(&tokens[5..], sign);
            return (is_last && (plausible || exists))
                .then(|| (date(Some(year), month, Some(day)), 5));
        }
        let is_month = sign == '-' && (1..=12).contains(&month) && !goes_on(&tokens[3..], sign);
        (is_month && plausible && !another && !self.is_inside(&['-', '/']))
            .then(|| (date(Some(year), month, None), 3))
    }

    /// Reads the month and the day after an East Asian year: `2024年5月13日`, `2024년 5월`.
    fn east_asian(&self, year: u32, tokens: &[Token<'t>]) -> DateRead {
        let month = number(tokens.get(2), 2)?;
        tokens.get(3).filter(|sign| sign.says_one_of("月 월"))?;
        match (number(tokens.get(4), 2), tokens.get(5)) {
            (Some(day), Some(sign)) if sign.says_one_of("日 号 號 일") => {
                Some((date(Some(year), month, Some(day)), 6))
            }
            _ => Some((date(Some(year), month, None), 4)),
        }
    }

    /// Reads a date that starts with a day or a month in figures and has no month name: `13/05/2024`, `5/13/24`,
    /// `13.05.2024`, `13-05-2024`, `am 13.5.`, `16/05`, `5月13日`.
    fn numeric(&self, tokens: &[Token<'t>]) -> DateRead {
        let joint = tokens.get(1).filter(|joint| joint.glued)?;
        let first = number(tokens.first(), 2)?;
        if joint.kind == TokenKind::Letters {
            let day = number(tokens.get(2), 2)?;
            let is_day = tokens.get(3)?.says_one_of("日 号 號 일");
            return (joint.says_one_of("月 월") && is_day)
                .then(|| (date(None, first, Some(day)), 4));
        }
        let sign = joint
            .sign()
            .filter(|sign| matches!(sign, '-' | '/' | '.'))?;
        let second = glued_number(tokens.get(2))?;
        if self.is_inside(&['.', '-', '/', ':', ',', '_']) {
            return None;
        }
        let another = tokens
            .get(3)
            .is_some_and(|token| token.glued && token.is(sign));
        let last = tokens
            .get(4)
            .filter(|last| last.glued && last.kind == TokenKind::Digits);
        match (another, last) {
            (true, Some(year)) if !goes_on(&tokens[5..], sign) => {
                let year = self.numeric_year(tokens, sign, year)?;
                Some((day_and_month(Some(year), first, second, sign)?, 5))
            }
            (true, None) if sign == '.' => {
                let exists = (1..=31).contains(&first) && (1..=12).contains(&second);
                let follows_word = self.follows_word(&FOREIGN_BEFORE) || self.follows_between();
                (exists && follows_word).then(|| (date(None, second, Some(first)), 4))
            }
            (false, _) if sign == '/' && self.is_day_of_some_year(tokens, first, second) => {
                Some((day_and_month(None, first, second, sign)?, 3))
            }
            _ => None,
        }
    }

    /// Returns the year at the end of a date in figures. A year of two digits counts only if the figures are not a
    /// version number.
    fn numeric_year(&self, tokens: &[Token<'t>], sign: char, year: &Token<'t>) -> Option<u32> {
        let (first, second) = (tokens[0].text, tokens[2].text);
        let value = year.number()?;
        let have_two_digits = first.len() + second.len() == 4;
        let is_padded = have_two_digits && (first.starts_with('0') || second.starts_with('0'));
        let (day, month) = (tokens[0].number()?, tokens[2].number()?);
        match year.text.len() {
            4 if sign != '-' || have_two_digits => Some(value),
            2 if !exists_in_some_order(day, month) => None,
            2 if sign == '/' => Some(century(value)),
            2 if sign == '.' && (is_padded || self.follows_word(&FOREIGN_BEFORE)) => {
                Some(century(value))
            }
            _ => None,
        }
    }

    /// Checks whether `5/13` is a day rather than a fraction: it follows "on" or the like, or is written with a leading
    /// zero.
    fn is_day_of_some_year(&self, tokens: &[Token<'t>], first: u32, second: u32) -> bool {
        let is_padded = tokens[0].text.len() == 2
            && tokens[2].text.len() == 2
            && (tokens[0].text.starts_with('0') || tokens[2].text.starts_with('0'));
        let is_always = first == 24 && second == 7;
        exists_in_some_order(first, second)
            && !is_always
            && (is_padded || self.follows_word(&ON) || self.follows_word(&FOREIGN_BEFORE))
            && !goes_on(&tokens[3..], '/')
    }

    /// Reads a date that starts with a day and has a month name: `13 May 2024`, `13th of May`, `13. Mai`, `13-May-24`,
    /// `13–15 May`, `13 de mayo de 2024`.
    fn day_first(&self, tokens: &[Token<'t>]) -> DateRead {
        let (day, mut at) = day_of_month(tokens)?;
        if !tokens.get(at).is_some_and(may_go_on_day)
            || self.is_inside(&['.', ':', ',', '_'])
            || self.follows_currency()
        {
            return None;
        }
        let mut first_of_two = None;
        if let Some(after) = after_between(&tokens[at..]) {
            let (_, length) = day_of_month(&tokens[at + after..])?;
            first_of_two = Some(at);
            at += after + length;
        }
        let is_dotted = tokens[at - 1].is('.');
        let is_ordinal = tokens[0].kind == TokenKind::Mixed;
        let is_dashed = tokens
            .get(at)
            .is_some_and(|token| token.glued && (token.is('-') || token.is('/')));
        at += usize::from(is_dashed);
        let is_joined = tokens
            .get(at)
            .is_some_and(|token| token.says("of") || token.says("de"));
        at += usize::from(is_joined);
        let name = tokens.get(at).filter(|name| may_be_month(name))?;
        let month = month_named(name)?;
        at += 1;
        let dot = tokens.get(at).filter(|dot| dot.glued && dot.is('.'));
        at += usize::from(dot.is_some() && is_abbreviation(name));
        let rest = &tokens[at..];
        let year = self
            .year_after(rest)
            .or_else(|| short_year(rest).filter(|_| is_dashed));
        let is_sure = year.is_some() || is_joined || is_ordinal;
        let ends_sentence = is_dotted && name.says_one_of(&ENGLISH_ONLY);
        let is_other_word = is_common_word(name)
            && !(is_sure || is_dashed || is_dotted || self.follows_date_word());
        if ends_sentence || is_other_word || (!is_sure && starts_own_date(rest)) {
            return None;
        }
        let (year, years) = year.unzip();
        let length = first_of_two.unwrap_or(at + years.unwrap_or(0));
        Some((date(year, month, Some(day)), length))
    }

    /// Reads a date that starts with a month name: `May 13, 2024`, `May 13th`, `Dec. 5`, `May 2024`, `mayo de 2024`.
    fn month_first(&self, tokens: &[Token<'t>]) -> DateRead {
        let (name, next) = (&tokens[0], tokens.get(1)?);
        let is_joint = match next.kind {
            TokenKind::Digits | TokenKind::Mixed => false,
            TokenKind::Sign => next.is('.') || next.is(',') || next.is('-'),
            TokenKind::Letters => next.says("the") || next.says("de") || next.says("of"),
        };
        let is_number = !is_joint && matches!(next.kind, TokenKind::Digits | TokenKind::Mixed);
        if !(is_joint || is_number) || !may_be_month(name) {
            return None;
        }
        let month = month_named(name)?;
        self.month_and_day(tokens, month)
            .or_else(|| self.month_and_year(tokens, month))
    }

    /// Reads a month name and a day: `May 13, 2024`, `May the 13th`, `May-13`, `Dec. 5`.
    fn month_and_day(&self, tokens: &[Token<'t>], month: u32) -> DateRead {
        let (name, next) = (&tokens[0], &tokens[1]);
        let is_joined = next.says("the")
            || (next.is('-') && next.glued && tokens.get(2)?.glued)
            || (next.is('.') && is_abbreviation(name));
        let at = 1 + usize::from(is_joined);
        let (day, length) = self.day_after_month(&tokens[at..])?;
        let rest = &tokens[at + length..];
        let year = self.year_after(rest);
        let is_sure = year.is_some()
            || tokens[at].kind == TokenKind::Mixed
            || self.follows_date_word()
            || ends_clause(rest);
        if is_common_word(name) && (!is_sure || name.says_one_of("ago des")) {
            return None;
        }
        let (year, years) = year.unzip();
        Some((
            date(year, month, Some(day)),
            at + length + years.unwrap_or(0),
        ))
    }

    /// Reads a month name and a year: `May 2024`, `May, 2024`, `mayo de 2024`.
    fn month_and_year(&self, tokens: &[Token<'t>], month: u32) -> DateRead {
        let (name, next) = (&tokens[0], &tokens[1]);
        let at = 1 + usize::from(next.is('.') && is_abbreviation(name));
        let (year, length) = self.year_after(&tokens[at..]).filter(|_| !next.is('-'))?;
        let is_sure =
            name.text == "mars" || self.follows_date_word() || ends_clause(&tokens[at + length..]);
        (is_sure || !is_common_word(name)).then_some((date(Some(year), month, None), at + length))
    }

    /// Reads the day at the start of `tokens`, which follow a month. A time or another number is not a day.
    fn day_after_month(&self, tokens: &[Token<'t>]) -> Option<(u32, usize)> {
        let (day, _) = day_of_month(tokens)?;
        let is_amount = goes_on(&tokens[1..], ':')
            || goes_on(&tokens[1..], '.')
            || goes_on(&tokens[1..], ',')
            || tokens.get(1).is_some_and(|next| {
                next.is('%') || next.says("am") || next.says("pm") || next.says("uhr")
            });
        (!is_amount).then_some((day, 1))
    }

    /// Reads the `18日` in "5月16日〜18日".
    fn another_east_asian_day(&self, tokens: &[Token<'t>]) -> DateRead {
        let is_day = tokens
            .get(1)
            .filter(|sign| sign.glued)?
            .says_one_of("日 号 號 일");
        let is_span = tokens
            .get(2)
            .is_some_and(|next| next.glued && next.says_one_of("間 间 간"));
        let day = number(tokens.first(), 2).filter(|_| is_day && !is_span)?;
        let near = &self.before[self.before.len().saturating_sub(MOST_BETWEEN)..];
        let months = near.windows(2).rev();
        // In "(月)", the character means Monday.
        let month = months
            .take_while(|pair| !pair[1].is('。') && !pair[1].is('.'))
            .filter(|pair| pair[1].says_one_of("月 월"))
            .find_map(|pair| number(pair.first(), 2))
            .filter(|month| (1..=12).contains(month))?;
        (1..=31)
            .contains(&day)
            .then(|| (date(None, month, Some(day)), 2))
    }

    /// Reads the `15` in "May 13-15" and "May 13 and 15".
    fn another_day(&self, tokens: &[Token<'t>]) -> DateRead {
        let joint = self.before.last().filter(|joint| joins_days(joint))?;
        let is_dash = matches!(joint.sign(), Some('-' | '–' | '—' | '/'));
        let (day, length) = self.day_after_month(tokens)?;
        let month = month_before(self.before)?;
        let year = self.year_after(&tokens[length..]);
        let follows = tokens.get(length).is_none_or(|next| match next.kind {
            TokenKind::Sign => !is_currency(next) && !["'", "’", "°", "%"].contains(&next.text),
            TokenKind::Letters => next.says_one_of(&AFTER),
            _ => false,
        });
        if day > 31 || !(is_dash || tokens[0].kind == TokenKind::Mixed || follows || year.is_some())
        {
            return None;
        }
        let (year, years) = year.unzip();
        Some((date(year, month, Some(day)), length + years.unwrap_or(0)))
    }

    /// Reads the year at the start of `tokens`, which follow a day or a month: `2024`, `, 2024`, `de 2024`.
    fn year_after(&self, tokens: &[Token<'t>]) -> Option<(u32, usize)> {
        let joint = tokens.first()?;
        let at = match joint.kind {
            TokenKind::Digits => {
                let previous = joint.start.saturating_sub(8);
                let is_new_line = self.text.as_bytes()[previous..joint.start]
                    .iter()
                    .rev()
                    .take_while(|byte| byte.is_ascii_whitespace())
                    .any(|byte| *byte == b'\n');
                if is_new_line {
                    return None;
                }
                0
            }
            TokenKind::Sign
                if joint.is(',') || ((joint.is('-') || joint.is('/')) && joint.glued) =>
            {
                1
            }
            TokenKind::Letters if joint.says_one_of("de del of") => 1,
            _ => return None,
        };
        let year = number(tokens.get(at), 4).filter(|year| *year >= 1000)?;
        let rest = &tokens[at + 1..];
        let is_other = [':', '.', ',', '-', '/']
            .iter()
            .any(|sign| goes_on(rest, *sign));
        let follows = rest.first().is_none_or(|next| match next.kind {
            TokenKind::Letters => is_plausible(year) || next.says_one_of(&AFTER),
            TokenKind::Sign => !(next.is('%') || (next.glued && is_currency(next))),
            _ => true,
        });
        (!is_other && follows).then_some((year, at + 1))
    }

    /// Checks whether one of `signs` joins the first token to a number or a code before it.
    fn is_inside(&self, signs: &[char]) -> bool {
        let [.., word, joint] = self.before else {
            return false;
        };
        let follows = joint.glued
            && word.kind != TokenKind::Sign
            && word.kind != TokenKind::Letters
            && joint.sign().is_some_and(|sign| signs.contains(&sign));
        follows
            && self
                .text
                .as_bytes()
                .get(joint.end())
                .is_some_and(u8::is_ascii_digit)
    }

    /// Checks whether a currency sign or `#` directly precedes the first token.
    fn follows_currency(&self) -> bool {
        let joint = self.before.last();
        joint.is_some_and(|joint| {
            (is_currency(joint) || joint.is('#'))
                && self
                    .text
                    .as_bytes()
                    .get(joint.end())
                    .is_some_and(u8::is_ascii_digit)
        })
    }

    /// Checks whether a word that precedes days, in any language, is before the first token.
    fn follows_date_word(&self) -> bool {
        self.follows_word(&BEFORE) || self.follows_word(&FOREIGN_BEFORE)
    }

    /// Checks whether one of `words` or a weekday is before the first token.
    fn follows_word(self, words: &WordList) -> bool {
        let is_word = |word: &Token<'_>| {
            word.kind == TokenKind::Letters && (word.says_one_of(words) || is_weekday(word))
        };
        match self.before {
            [.., word, joint] if joint.is(',') || joint.is('.') => joint.glued && is_word(word),
            [.., word] => is_word(word),
            [] => false,
        }
    }

    /// Checks whether "13.-" or "13. und" is before the first token, which is then the next day.
    fn follows_between(&self) -> bool {
        matches!(self.before, [.., dot, joint] if dot.is('.')
            && (joint.is('-') || joint.is('–') || joint.says_one_of(&BETWEEN)))
    }
}

fn date(year: Option<u32>, month: u32, day: Option<u32>) -> Date {
    Date {
        year: year.map(|year| year as u16),
        month: month as u8,
        day: day.map(|day| day as u8),
        swapped: false,
    }
}

/// Returns the date of two numbers in the order in which such a date exists. If both orders are possible, the month
/// comes first unless `.` joins the numbers.
fn day_and_month(year: Option<u32>, first: u32, second: u32, sign: char) -> Option<Date> {
    let can_be = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
    let is_day_first = can_be(second, first);
    let is_month_first = can_be(first, second);
    match (is_month_first, is_day_first) {
        (true, true) if sign != '.' && first != second => Some(Date {
            swapped: true,
            ..date(year, first, Some(second))
        }),
        (_, true) => Some(date(year, second, Some(first))),
        (true, false) => Some(date(year, first, Some(second))),
        (false, false) => year
            .filter(|year| is_plausible(*year))
            .map(|year| date(Some(year), second, Some(first))),
    }
}

/// Checks whether two numbers can be a month and a day, in either order.
fn exists_in_some_order(first: u32, second: u32) -> bool {
    (1..=12).contains(&first.min(second)) && (1..=31).contains(&first.max(second))
}

/// Returns the value of a token of at most `length` digits. If `length` is 4, the token must have exactly four digits.
fn number(token: Option<&Token<'_>>, length: usize) -> Option<u32> {
    let token = token?;
    let fits = if length == 4 {
        token.text.len() == 4
    } else {
        token.text.len() <= length
    };
    fits.then(|| token.number()).flatten()
}

fn glued_number(token: Option<&Token<'_>>) -> Option<u32> {
    number(token.filter(|token| token.glued), 2)
}

/// Returns the day at the start of `tokens` and the number of its tokens: `13`, `13.`, `13th`, `1er`, `1º`.
fn day_of_month(tokens: &[Token<'_>]) -> Option<(u32, usize)> {
    let first = tokens.first()?;
    match first.kind {
        TokenKind::Digits => {
            let day = number(Some(first), 2).filter(|day| *day > 0)?;
            let is_dotted = tokens.get(1).is_some_and(|dot| dot.glued && dot.is('.'));
            Some((day, 1 + usize::from(is_dotted)))
        }
        TokenKind::Mixed => {
            let (digits, ending) = split_after_digits(first.text);
            let day = digits.parse().ok().filter(|day| (1..100).contains(day))?;
            let is_ordinal = ["st", "nd", "rd", "th", "er", "º"]
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known));
            is_ordinal.then_some((day, 1))
        }
        _ => None,
    }
}

/// Checks whether the token after a day may be a month or precede one. This holds after few numbers.
fn may_go_on_day(token: &Token<'_>) -> bool {
    match token.kind {
        TokenKind::Letters => {
            may_be_month(token) || token.says_one_of("of de") || token.says_one_of(&BETWEEN)
        }
        TokenKind::Sign => joins_days(token),
        TokenKind::Digits | TokenKind::Mixed => false,
    }
}

/// Returns the number of tokens that join two days if the second one follows them. `tokens` start after the first day:
/// `-`, `bis`.
fn after_between(tokens: &[Token<'_>]) -> Option<usize> {
    let [joint, next, ..] = tokens else {
        return None;
    };
    let joins =
        matches!(joint.sign(), Some('-' | '–' | '—' | '/' | '&')) || joint.says_one_of(&BETWEEN);
    (joins && matches!(next.kind, TokenKind::Digits | TokenKind::Mixed)).then_some(1)
}

/// Returns the month of the days at the end of `before`, which a dash or the like follows, as in "May 13-" and "May 13,
/// 14 and".
fn month_before(before: &[Token<'_>]) -> Option<u32> {
    let mut rest = before;
    for _ in 0..MOST_DAYS {
        let joints = rest
            .iter()
            .rev()
            .take(2)
            .take_while(|joint| joins_days(joint));
        let length = joints.count();
        let [shorter @ .., day] = &rest[..rest.len() - length] else {
            return None;
        };
        day_of_month(std::slice::from_ref(day)).filter(|_| length > 0)?;
        let name = shorter.last()?;
        if may_be_month(name) && !joins_days(name) {
            return month_named(name).filter(|_| !is_common_word(name));
        }
        rest = shorter;
    }
    None
}

/// Checks whether the token can join two days: "-", "and".
fn joins_days(token: &Token<'_>) -> bool {
    matches!(token.sign(), Some('-' | '–' | '—' | '/' | ',' | '&')) || token.says_one_of(&BETWEEN)
}

/// Checks whether `tokens`, which follow a month, make another date with that month: the "5" in "Flight 2 May 5".
fn starts_own_date(tokens: &[Token<'_>]) -> bool {
    day_of_month(tokens).is_some()
        && !goes_on(&tokens[1..], ':')
        && !tokens
            .get(1)
            .is_some_and(|next| next.says_one_of("am pm a p uhr h"))
}

/// Checks whether `sign` and a token with digits follow without white space.
fn goes_on(rest: &[Token<'_>], sign: char) -> bool {
    matches!(rest, [joint, next, ..] if joint.glued
        && joint.is(sign)
        && next.glued
        && matches!(next.kind, TokenKind::Digits | TokenKind::Mixed))
}

/// Checks whether a sentence or a clause ends before `rest`.
fn ends_clause(rest: &[Token<'_>]) -> bool {
    rest.first().is_none_or(|next| {
        matches!(
            next.sign(),
            Some('.' | ',' | ';' | ':' | '!' | '?' | ')' | ']' | '"' | '*')
        )
    })
}

/// Reads the `-24` at the end of `13-May-24`.
fn short_year(tokens: &[Token<'_>]) -> Option<(u32, usize)> {
    let [dash, year, ..] = tokens else {
        return None;
    };
    let is_year = dash.glued && dash.is('-') && year.glued && year.text.len() == 2;
    is_year
        .then(|| year.number())
        .flatten()
        .map(|year| (century(year), 2))
}

/// Returns the full year for a year of two digits.
fn century(year: u32) -> u32 {
    if year < 70 { 2000 + year } else { 1900 + year }
}

fn is_plausible(year: u32) -> bool {
    (1900..=2100).contains(&year)
}

/// Checks whether the token can be the name of a month, by its length and its first two letters.
fn may_be_month(token: &Token<'_>) -> bool {
    let [first, second, ..] = token.text.as_bytes() else {
        return false;
    };
    // Letters such as "é" start with the byte 0xC3, which `| 0x20` turns into 0xE3.
    let starts = matches!(
        (first | 0x20, second | 0x20),
        (b'j', b'a' | b'u')
            | (b'f' | b'd', b'e' | 0xe3)
            | (b'm', b'a' | 0xe3)
            | (b'a', b'p' | b'v' | b'b' | b'u' | b'o' | b'g')
            | (b's', b'e')
            | (b'o', b'c' | b'k')
            | (b'n', b'o')
            | (b'd', b'i')
            | (b'e', b'n')
    );
    starts && token.kind == TokenKind::Letters && (3..=10).contains(&token.text.len())
}

/// Checks whether the word is the name of a month or an abbreviation of one.
pub fn is_month(word: &Token<'_>) -> bool {
    may_be_month(word) && month_named(word).is_some()
}

/// Returns the month with this name.
fn month_named(token: &Token<'_>) -> Option<u32> {
    let in_table = |table: &[WordList; 12]| table.iter().position(|names| token.says_one_of(names));
    let index = in_table(&MONTHS).or_else(|| in_table(&SHORT_MONTHS))?;
    Some(index as u32 + 1)
}

fn is_abbreviation(token: &Token<'_>) -> bool {
    SHORT_MONTHS.iter().any(|names| token.says_one_of(names))
}

/// Checks whether the token is a month name that is mostly another word in this spelling: "may", "march", the planet
/// Mars, "ago", and "des" in French and German.
fn is_common_word(token: &Token<'_>) -> bool {
    matches!(
        token.text,
        "may" | "march" | "ago" | "des" | "Mars" | "MARS"
    )
}

/// Checks whether `word` is a weekday, by its ending or its abbreviation.
fn is_weekday(word: &Token<'_>) -> bool {
    const ENDINGS: &str = "day tag woch abend dag";
    static OTHERS: WordList = WordList::of(
        "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes jueves viernes domingo sat \
    sun",
    );
    let ends = |ending: &str| {
        let start = word.text.len().checked_sub(ending.len());
        let end = start.and_then(|start| word.text.get(start..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    ENDINGS.split(' ').any(ends) || word.says_one_of(&OTHERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check, check_none};
    use crate::text::Words as _;

    #[test]
    fn dates_in_figures() {
        check(
            read,
            &[
                ("2024-05-13", &["2024-05-13 in 2024-05-13"]),
                ("at 2024-05-13T15:00:00Z.", &["2024-05-13 in 2024-05-13"]),
                (
                    "(2024-05-13/2024-05-15)",
                    &["2024-05-13 in 2024-05-13", "2024-05-15 in 2024-05-15"],
                ),
                (
                    "2024/5/13 and 2024.05.13.",
                    &["2024-05-13 in 2024/5/13", "2024-05-13 in 2024.05.13"],
                ),
                ("created 2024-05.", &["2024-05-? in 2024-05"]),
                (
                    "13/05/2024, 5/13/24",
                    &["2024-05-13 in 13/05/2024", "2024-05-13 in 5/13/24"],
                ),
                ("05/06/2024", &["2024-05-06 or swapped in 05/06/2024"]),
                ("05/05/99", &["1999-05-05 in 05/05/99"]),
                (
                    "13.05.2024 oder 5.6.2024.",
                    &["2024-05-13 in 13.05.2024", "2024-06-05 in 5.6.2024"],
                ),
                ("13.05.24", &["2024-05-13 in 13.05.24"]),
                ("13-05-2024", &["2024-05-13 in 13-05-2024"]),
                ("16/05 or on 5/13", &["?-05-16 in 16/05", "?-05-13 in 5/13"]),
                (
                    "vom 13.5. bis 15.5.",
                    &["?-05-13 in 13.5.", "?-05-15 in 15.5."],
                ),
                (
                    "2024年5月13日(月)、5月14日",
                    &["2024-05-13 in 2024年5月13日", "?-05-14 in 5月14日"],
                ),
                (
                    "5月13日(月)から15日まで、3日間, 5월 13일부터 15일",
                    &[
                        "?-05-13 in 5月13日",
                        "?-05-15 in 15日",
                        "?-05-13 in 5월 13일",
                        "?-05-15 in 15일",
                    ],
                ),
                ("2024년 5월 13일", &["2024-05-13 in 2024년 5월 13일"]),
            ],
        );
    }

    #[test]
    fn dates_with_the_name_of_the_month() {
        check(
            read,
            &[
                ("May 13, 2024", &["2024-05-13 in May 13, 2024"]),
                ("13/mai/2024", &["2024-05-13 in 13/mai/2024"]),
                ("MAY 13 2024", &["2024-05-13 in MAY 13 2024"]),
                (
                    "on May 13th, and the 13th of May",
                    &["?-05-13 in May 13th", "?-05-13 in 13th of May"],
                ),
                ("Mon, 13 May 2024", &["2024-05-13 in 13 May 2024"]),
                (
                    "Sept. 5, Dec. 24",
                    &["?-09-05 in Sept. 5", "?-12-24 in Dec. 24"],
                ),
                (
                    "13-May-24 and 13-may-2024",
                    &["2024-05-13 in 13-May-24", "2024-05-13 in 13-may-2024"],
                ),
                ("am 13. Mai 2024 um 17 Uhr", &["2024-05-13 in 13. Mai 2024"]),
                (
                    "le 13 mai, le 1er août 2024",
                    &["?-05-13 in 13 mai", "2024-08-01 in 1er août 2024"],
                ),
                (
                    "el 13 de mayo de 2024",
                    &["2024-05-13 in 13 de mayo de 2024"],
                ),
                ("den 13. mai 2024 kl. 17", &["2024-05-13 in 13. mai 2024"]),
                (
                    "3. März und 4 FÉVRIER",
                    &["?-03-03 in 3. März", "?-02-04 in 4 FÉVRIER"],
                ),
                (
                    "In May 2024, en mai 2025",
                    &["2024-05-? in May 2024", "2025-05-? in mai 2025"],
                ),
                (
                    "mayo de 2024; May, 2024",
                    &["2024-05-? in mayo de 2024", "2024-05-? in May, 2024"],
                ),
                ("on may 5 with", &["?-05-05 in may 5"]),
                ("It is march 3rd.", &["?-03-03 in march 3rd"]),
                ("May 20, 6024 from JFK", &["6024-05-20 in May 20, 6024"]),
                ("Flight 2 May 13, 2024", &["2024-05-13 in May 13, 2024"]),
                ("13 May 5 PM", &["?-05-13 in 13 May"]),
                (
                    "1. May 13\n2. May 14",
                    &["?-05-13 in May 13", "?-05-14 in May 14"],
                ),
                ("May 13\n2024 was good", &["?-05-13 in May 13"]),
            ],
        );
    }

    #[test]
    fn several_days_of_a_month() {
        check(
            read,
            &[
                ("May 13-15", &["?-05-13 in May 13", "?-05-15 in 15"]),
                (
                    "May 13 – 15, 2024",
                    &["?-05-13 in May 13", "2024-05-15 in 15, 2024"],
                ),
                (
                    "May 13 and 14 are free",
                    &["?-05-13 in May 13", "?-05-14 in 14"],
                ),
                (
                    "May 13, 14, and 15.",
                    &["?-05-13 in May 13", "?-05-14 in 14", "?-05-15 in 15"],
                ),
                (
                    "from 13 to 15 May 2024",
                    &["2024-05-13 in 13", "2024-05-15 in 15 May 2024"],
                ),
                ("13.–15. Mai", &["?-05-13 in 13.", "?-05-15 in 15. Mai"]),
                ("May 13 and 2 passengers", &["?-05-13 in May 13"]),
                (
                    "May 13, 7:00 and May 13, 2 PM",
                    &["?-05-13 in May 13", "?-05-13 in May 13"],
                ),
            ],
        );
    }

    #[test]
    fn days_that_do_not_exist_are_dates_as_well() {
        check(
            read,
            &[
                ("May 53, 2024", &["2024-05-53 in May 53, 2024"]),
                ("2024-13-45", &["2024-13-45 in 2024-13-45"]),
                ("45/13/2024", &["2024-13-45 in 45/13/2024"]),
            ],
        );
    }

    #[test]
    fn all_names_of_months_are_known() {
        let names = MONTHS.iter().zip(&SHORT_MONTHS).enumerate();
        for (index, (long, short)) in names {
            let words = long.words().split(' ').chain(short.words().split(' '));
            for name in words.filter(|name| !name.is_empty()) {
                let expected = format!("2024-{:02}-05 in 5 {name} 2024", index + 1);
                check(read, &[(&format!("5 {name} 2024"), &[&expected])]);
            }
        }
    }

    #[test]
    fn other_words_and_numbers_are_not_dates() {
        check_none(
            read,
            &[
                "May I march in May? Sun and Sept.",
                "You may 5 times, it may 2000 people",
                "they march 20 miles",
                "Option 2 may apply, 2 march on",
                "2 days ago 5 left",
                "le prix des 5 billets",
                "Mars 2020 rover",
                "It costs 5. March is next.",
                "24/7, 1/2, 3/4 of it, 10/10, by 1/2",
                "version 1.2.34 or 3.12.10, 0.4.11, 0.38.25",
                "It grew by 12.05. Then 13.5.",
                "555-123-4567, 192.168.1.10, 1-2-3",
                "2010-2012, 2020-21",
                "May 1,234 people, May 5.5%, May 13:00",
                "20240513",
                "5 decks, 3 marks",
            ],
        );
    }
}
