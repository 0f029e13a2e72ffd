//! Recognises times of day.

use crate::fact::{FactKind, FactValue};
use crate::readings::Readings;
use crate::recognizer::{Found, Recognizer};
use crate::text::{Token, TokenKind, WordList, split_after_digits};

/// Words for noon.
pub static NOON: WordList = WordList::of("noon midday mediodía");

/// Words for midnight.
pub static MIDNIGHT: WordList = WordList::of("midnight mitternacht minuit medianoche midnatt");

/// Units that make the `2:30` before them a duration.
static DURATIONS: WordList = WordList::of("hours hour hrs hr minutes minute mins min heures");

/// Words that make the `2:30` after them a duration, a ratio or a score.
static NOT_BEFORE: WordList = WordList::of(
    "duration dauer dauert durée dure durera pendant duración dura varighet varer lasts takes ratio \
    score odds pace won",
);

/// Words between the start and the end of a time span.
static UNTIL: WordList = WordList::of("til bis à a");

/// Words that precede a time written with a full stop: `Avgang 17.30`.
static TIMETABLE: WordList = WordList::of("avgang ankomst avreise abflug ankunft abfahrt beginn");

/// The first hour that shows a time of day at the end of a span, as in "9 h à 18 h". Spans that end at an earlier hour
/// may be durations.
const LATE: u16 = 12;

/// Books of the Bible, which precede a chapter and a verse.
static BOOKS: WordList = WordList::of(
    "genesis exodus leviticus psalm psalms proverbs isaiah jeremiah matthew mark luke john acts \
    romans corinthians ephesians hebrews revelation",
);

/// The maximum number of tokens before a time that are searched for other times, which show how times are written.
const NEARBY: usize = 60;

/// The number of bytes before and after a place that are searched for kana.
const NEAR_KANA: usize = 120;

/// Finds times of day.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Letters, TokenKind::Mixed, TokenKind::Digits],
    starts_with_word: |word| named_minutes(word).is_some(),
    read,
};

/// Reads a time at the start of `tokens`.
fn read<'t>(before: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    let context = Context { before, text };
    let (minutes, length) = match tokens[0].kind {
        TokenKind::Sign => None,
        TokenKind::Letters => context.named(&tokens[0]),
        TokenKind::Mixed => context.one_word(tokens),
        TokenKind::Digits if tokens[0].text.len() > 2 || context.goes_on_number() => None,
        TokenKind::Digits => context
            .with_colon(tokens)
            .or_else(|| context.without_colon(tokens)),
    }?;
    Some(Found {
        kind: FactKind::Time,
        tokens: length,
        value: FactValue::Time(minutes),
    })
}

/// The possible minutes since midnight, and the number of tokens of the time.
type TimeRead = Option<(Readings<u16>, usize)>;

/// A half of the day.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Morning,
    Afternoon,
}

/// A time that is being read.
#[derive(Clone, Copy)]
struct Clock {
    hour: u16,
    minute: u16,
    half: Option<Half>,
    /// Whether the spelling shows that the hour is one from 0 to 24.
    is_24_hour: bool,
}

impl Clock {
    fn new(hour: u16, minute: u16) -> Self {
        Clock {
            hour,
            minute,
            half: None,
            is_24_hour: false,
        }
    }

    /// Returns the minutes since midnight, or `None` if no such time exists.
    fn minutes(self) -> Option<Readings<u16>> {
        let Clock {
            hour, minute, half, ..
        } = self;
        if minute > 59 || hour > 24 || (hour == 24 && minute > 0) {
            return None;
        }
        let morning = (hour % 12) * 60 + minute;
        let afternoon = morning + 720;
        let is_ambiguous = (1..=12).contains(&hour) && !self.is_24_hour;
        Some(match half {
            Some(Half::Morning) if hour <= 12 => Readings::One(morning),
            Some(Half::Afternoon) if hour <= 12 => Readings::One(afternoon),
            None if is_ambiguous => Readings::Several(vec![morning, afternoon]),
            _ => Readings::One((hour % 24) * 60 + minute),
        })
    }
}

/// The context of the tokens that are read.
#[derive(Clone, Copy)]
struct Context<'a, 't> {
    before: &'a [Token<'t>],
    text: &'t str,
}

impl<'t> Context<'_, 't> {
    /// Reads a word for a time: `noon`, `midnight`.
    fn named(&self, word: &Token<'t>) -> TimeRead {
        let minutes = named_minutes(word)?;
        let is_part = word.glued
            && self
                .before
                .last()
                .is_some_and(|joint| joint.is('-') || joint.is('_'));
        (!is_part).then_some((Readings::One(minutes), 1))
    }

    /// Reads a time that starts with one word of digits and letters: `5pm`, `17h30`, `17Uhr`. `17h` counts only after
    /// "à" or the like, or in a time span.
    fn one_word(&self, tokens: &[Token<'t>]) -> TimeRead {
        let (hour, ending) = leading_number(tokens[0].text)?;
        if self.goes_on_number() {
            return None;
        }
        let mut clock = Clock::new(hour, 0);
        clock.half = half_named(ending);
        if clock.half.is_some() || ending.eq_ignore_ascii_case("uhr") {
            return Some((clock.minutes()?, 1));
        }
        let minutes = ending.strip_prefix(['h', 'H'])?;
        clock.is_24_hour = true;
        match minutes.len() {
            2 if !self.follows(&NOT_BEFORE, 2) => clock.minute = minutes.parse().ok()?,
            0 if self.follows_at(&tokens[1..]) || self.is_in_span(hour, &tokens[1..]) => {}
            _ => return None,
        }
        Some((clock.minutes()?, 1))
    }

    /// Reads a time with a colon: `17:00`, `5:00 p.m.`, `05:00:00Z`, `17:30 Uhr`.
    fn with_colon(&self, tokens: &[Token<'t>]) -> TimeRead {
        let figures = clock_figures(tokens)?;
        let mut clock = Clock::new(small_number(&tokens[0])?, figures.minute);
        let mut length = figures.length;
        clock.is_24_hour = figures.has_seconds || tokens[0].text.starts_with('0');
        clock.half = half_named(figures.ending);
        if figures.ending.is_empty() {
            let (half, taken) = half_after(&tokens[length..]);
            clock.half = half;
            length += taken;
        }
        let next = tokens.get(length);
        let may_last = clock.half.is_none() && !clock.is_24_hour && clock.hour < 13;
        let lasts = figures.ending.eq_ignore_ascii_case("hrs")
            || next.is_some_and(|next| next.says_one_of(&DURATIONS));
        // "It takes off at 2:30" states a time and not a duration.
        let is_clock = self.before.last().is_some_and(|word| word.says("at"));
        let is_other = clock.half.is_none()
            && ((self.follows(&NOT_BEFORE, 3) && !is_clock) || self.follows(&BOOKS, 1));
        if (may_last && lasts) || is_other {
            return None;
        }
        let is_noon = clock.half.is_none() && clock.hour == 12;
        if next.is_some_and(|next| next.says("uhr") || (is_noon && next.says("noon"))) {
            clock.half = clock.half.or(next
                .filter(|next| next.says("noon"))
                .map(|_| Half::Afternoon));
            length += 1;
        }
        clock.is_24_hour |= self.shows_24_hours(tokens[0].text);
        let minutes = clock.minutes()?;
        Some((
            minutes,
            length + offset_length(&tokens[length..], figures.has_seconds),
        ))
    }

    /// Reads a time without a colon: `5 PM`, `5 o'clock`, `17 Uhr`, `17.30 Uhr`, `kl. 17.30`, `12 noon`, the `8` in
    /// "8-10 am".
    fn without_colon(&self, tokens: &[Token<'t>]) -> TimeRead {
        let mut clock = Clock::new(small_number(&tokens[0])?, 0);
        let mut length = 1;
        let mut is_dotted = false;
        if let [dot, minute, ..] = &tokens[1..] {
            let is_minute = dot.is('.') && dot.glued && minute.glued && minute.text.len() == 2;
            if let (true, Some(minute)) = (is_minute, small_number(minute)) {
                (clock.minute, length, is_dotted) = (minute, 3, true);
            }
            // The minute and the half of the day can be one token, as in `7.05pm`.
            let (minute, half) = two_digits(minute)
                .filter(|_| dot.is('.') && dot.glued && minute.glued && clock.hour <= 12)
                .map_or((0, None), |(minute, ending)| (minute, half_named(ending)));
            if half.is_some() {
                (clock.minute, clock.half) = (minute, half);
                return Some((clock.minutes()?, 3));
            }
        }
        clock.is_24_hour = tokens[0].text.starts_with('0');
        let rest = &tokens[length..];
        let (half, taken) = half_after(rest);
        if half.is_some() {
            clock.half = half;
            let hours = if is_dotted { 1..=12 } else { 0..=23 };
            let fits = hours.contains(&clock.hour) && !is_german_am(rest);
            return fits
                .then(|| clock.minutes())
                .flatten()
                .map(|minutes| (minutes, length + taken));
        }
        let (minute, taken) = self.hour_mark(clock.hour, rest, is_dotted)?;
        clock.minute = minute.unwrap_or(clock.minute);
        clock.is_24_hour |= taken > 0 && rest[0].says("h");
        if let Some(minutes) = rest.first().and_then(named_minutes) {
            return (clock.hour == 12).then(|| (Readings::One(minutes), length + taken));
        }
        clock.half = self.east_asian_half();
        Some((clock.minutes()?, length + taken))
    }

    /// Looks for what makes the number before `rest` an hour. Returns the minute, if there is one, and the number of
    /// tokens.
    fn hour_mark(
        &self,
        hour: u16,
        rest: &[Token<'t>],
        is_dotted: bool,
    ) -> Option<(Option<u16>, usize)> {
        if let Some(found) = hour_word(rest) {
            let counts = || rest[0].text == "点" && self.is_near_kana(rest[0].start);
            return (!counts()).then_some(found);
        }
        let follows_las = self.before.last().is_some_and(|word| word.says("las"));
        let stands_alone = self.follows_clock_word()
            || self.follows_clock_time()
            || before_hour(rest)
            || (follows_las && ends_spanish_hour(rest))
            || (is_dotted && self.follows_timetable_word());
        let is_of_day = |(minute, taken): &(Option<u16>, usize)| {
            let after = &rest[*taken..];
            self.follows_at(rest)
                || self.follows_at(after)
                || self.is_in_span(hour, after)
                || (minute.is_some() && !self.follows(&NOT_BEFORE, 3) && !is_duration(hour, after))
        };
        // "4 h 15 min" is a duration.
        let counts_minutes =
            |(_, taken): &(Option<u16>, usize)| starts_with_one_of(&rest[*taken..], &DURATIONS);
        let is_hour = |found: &_| !is_dotted && !counts_minutes(found) && is_of_day(found);
        let french = || french_hour(rest).filter(is_hour);
        french().or(stands_alone.then_some((None, 0)))
    }

    /// Checks whether the text around a place is Japanese. There, 点 counts goods and points and does not mark an hour.
    fn is_near_kana(&self, place: usize) -> bool {
        let from = place.saturating_sub(NEAR_KANA);
        let until = self.text.len().min(place + NEAR_KANA);
        // All kana start with the byte 0xE3 in UTF-8, and their second byte is 0x81, 0x82 or 0x83.
        let near = &self.text.as_bytes()[from..until];
        near.windows(2)
            .any(|bytes| bytes[0] == 0xe3 && (0x81..=0x83).contains(&bytes[1]))
    }

    /// Returns the half of the day that precedes the hour in Chinese, Japanese and Korean.
    fn east_asian_half(&self) -> Option<Half> {
        let [.., first, second] = self.before else {
            return None;
        };
        match (first.text, second.text) {
            ("上", "午") | ("午", "前") | ("오", "전") => Some(Half::Morning),
            ("下", "午") | ("午", "後") | ("오", "후") => Some(Half::Afternoon),
            _ => None,
        }
    }

    /// Checks whether the first token is the end of a longer number, of a code or of an amount of money.
    fn goes_on_number(&self) -> bool {
        let Some(joint) = self.before.last() else {
            return false;
        };
        let word = self.before.iter().rev().nth(1);
        let is_numeric =
            word.is_some_and(|word| matches!(word.kind, TokenKind::Digits | TokenKind::Mixed));
        let next = self.text.as_bytes().get(joint.end());
        let touches = next.is_some_and(u8::is_ascii_digit);
        touches
            && match joint.sign() {
                Some(',') if word.is_some_and(is_code) => false,
                Some('.' | ':' | ',') => joint.glued && (is_numeric || self.is_place_in_file()),
                Some('_') => joint.glued,
                Some('$' | '€' | '£' | '#' | '+') => true,
                _ => false,
            }
    }

    /// Checks whether a file name and a colon, such as `main.rs:`, are before the first token.
    fn is_place_in_file(&self) -> bool {
        matches!(self.before, [.., dot, ending, colon] if dot.is('.') && dot.glued && ending.glued && colon.is(':'))
    }

    /// Checks whether one of `words` is among the last `distance` tokens before the first one.
    fn follows(self, words: &WordList, distance: usize) -> bool {
        let near = self.before.iter().rev().take(distance);
        near.clone()
            .any(|token| token.kind == TokenKind::Letters && token.says_one_of(words))
    }

    /// Checks whether "kl." or "klokka" is before the first token.
    fn follows_clock_word(&self) -> bool {
        static WORDS: WordList = WordList::of("kl klokka klokken klockan");
        match self.before {
            [.., word, dot] if dot.is('.') => word.says("kl"),
            [.., word] => word.says_one_of(&WORDS),
            [] => false,
        }
    }

    /// Checks whether "kl. 9 til" or "kl. 07.15–" is before the first token.
    fn follows_clock_time(&self) -> bool {
        let [rest @ .., joint] = self.before else {
            return false;
        };
        let rest = match rest {
            [rest @ .., hour, dot, minute] if dot.is('.') && dot.glued && minute.glued => {
                small_number(minute).and(small_number(hour)).map(|_| rest)
            }
            [rest @ .., hour] => small_number(hour).map(|_| rest),
            [] => None,
        };
        let start = |before| Context {
            before,
            text: self.text,
        };
        joins_hours(joint) && rest.is_some_and(|rest| start(rest).follows_clock_word())
    }

    /// Checks whether "Avgang" or "Abflug:" is before the first token.
    fn follows_timetable_word(&self) -> bool {
        match self.before {
            [.., word, colon] if colon.is(':') => word.says_one_of(&TIMETABLE),
            [.., word] => word.says_one_of(&TIMETABLE),
            [] => false,
        }
    }

    /// Checks whether an hour that `h` or "heures" follows is the start or the end of a span with a late hour: "9 h à
    /// 18 h", "9h-17h".
    fn is_in_span(&self, hour: u16, after: &[Token<'t>]) -> bool {
        let ends = match self.before {
            [.., first, joint] if hour >= LATE && joins_hours(joint) => {
                first.says_one_of("h heures") || hour_with_h(first).is_some()
            }
            _ => false,
        };
        let last = match after {
            [joint, last, rest @ ..] if joins_hours(joint) => {
                let is_parted = rest
                    .first()
                    .is_some_and(|word| word.says_one_of("h heures"));
                hour_with_h(last).or_else(|| small_number(last).filter(|_| is_parted))
            }
            _ => None,
        };
        ends || last.is_some_and(|hour| hour >= LATE)
    }

    /// Checks whether "à", "a las" or the like precedes an hour, or whether "de" precedes it and "à" follows it.
    fn follows_at(&self, rest: &[Token<'t>]) -> bool {
        static WORDS: WordList = WordList::of("à vers dès avant après las klokka");
        let follows = self
            .before
            .last()
            .is_some_and(|word| word.says_one_of(&WORDS));
        let is_from = self.before.last().is_some_and(|word| word.says("de"));
        follows || (is_from && rest.first().is_some_and(|word| word.says("à")))
    }

    /// Checks whether an hour of two digits is on the 24-hour clock, because times nearby are written that way.
    fn shows_24_hours(&self, hour: &str) -> bool {
        let near = &self.before[self.before.len().saturating_sub(NEARBY)..];
        hour.len() == 2
            && near.windows(3).enumerate().any(|(at, window)| {
                let is_time = window[0].kind == TokenKind::Digits
                    && window[0].text.len() == 2
                    && after_colon(&window[1..]).is_some_and(|minute| minute.text.len() == 2);
                let shows = || window[0].text.starts_with('0') || window[0].text > "12";
                is_time && shows() && half_after(near.get(at + 3..).unwrap_or(&[])).0.is_none()
            })
    }
}

/// Checks whether a word has digits but does not start with one. Figures after such a word and a comma don't continue a
/// number.
fn is_code(word: &Token<'_>) -> bool {
    word.kind == TokenKind::Mixed && !word.text.starts_with(|c: char| c.is_ascii_digit())
}

/// Returns the minutes of "noon", "midnight" and the like.
pub fn named_minutes(word: &Token<'_>) -> Option<u16> {
    if word.says_one_of(&NOON) {
        return Some(720);
    }
    word.says_one_of(&MIDNIGHT).then_some(0)
}

/// Returns the number in `token` if it has at most two digits.
fn small_number(token: &Token<'_>) -> Option<u16> {
    let number = token.number().filter(|_| token.text.len() <= 2)?;
    u16::try_from(number).ok()
}

/// Returns the number of one or two digits at the start of `word`, and the rest.
fn leading_number(word: &str) -> Option<(u16, &str)> {
    let (digits, rest) = split_after_digits(word);
    let is_short = (1..=2).contains(&digits.len());
    is_short.then_some((digits.parse().ok()?, rest))
}

/// The figures that colons join to an hour.
struct Figures<'t> {
    minute: u16,
    has_seconds: bool,
    /// The letters that are glued to the last figures.
    ending: &'t str,
    length: usize,
}

/// Reads the figures of `17:00` and `05:00:00.000Z`. Returns `None` if another colon with figures follows.
fn clock_figures<'t>(tokens: &[Token<'t>]) -> Option<Figures<'t>> {
    let (minute, ending) = two_digits(after_colon(&tokens[1..])?)?;
    let mut figures = Figures {
        minute,
        has_seconds: false,
        ending,
        length: 3,
    };
    let Some(seconds) = after_colon(&tokens[3..]).filter(|next| next.starts_with_digit()) else {
        return Some(figures);
    };
    let (second, ending) = two_digits(seconds).filter(|_| figures.ending.is_empty())?;
    if second > 60 || after_colon(&tokens[5..]).is_some() {
        return None;
    }
    let is_fraction = matches!(&tokens[5..], [dot, fraction, ..]
        if dot.is('.') && dot.glued && fraction.glued && fraction.starts_with_digit());
    figures.has_seconds = true;
    figures.ending = ending;
    figures.length = if is_fraction { 7 } else { 5 };
    Some(figures)
}

/// Returns the token after a colon at the start of `tokens`, if both are glued to the token before them.
fn after_colon<'a, 't>(tokens: &'a [Token<'t>]) -> Option<&'a Token<'t>> {
    match tokens {
        [colon, next, ..] if (colon.is(':') || colon.is('：')) && colon.glued && next.glued => {
            Some(next)
        }
        _ => None,
    }
}

/// Returns the number of two digits at the start of a token, and the letters after it: `00Z`, `30pm`.
fn two_digits<'t>(token: &Token<'t>) -> Option<(u16, &'t str)> {
    let (number, ending) = leading_number(token.text)?;
    let digits = token.text.len() - ending.len();
    let is_ending = ending.len() <= 4 && ending.bytes().all(|byte| byte.is_ascii_alphabetic());
    (digits == 2 && is_ending).then_some((number, ending))
}

fn half_named(word: &str) -> Option<Half> {
    if word.eq_ignore_ascii_case("am") {
        Some(Half::Morning)
    } else if word.eq_ignore_ascii_case("pm") {
        Some(Half::Afternoon)
    } else {
        None
    }
}

/// Returns the half of the day at the start of `tokens`, and the number of its tokens: `PM`, `p.m.`, `p. m.`
fn half_after(tokens: &[Token<'_>]) -> (Option<Half>, usize) {
    match tokens {
        [word, ..] if half_named(word.text).is_some() => (half_named(word.text), 1),
        [letter, dot, m, rest @ ..] if dot.is('.') && dot.glued && m.says("m") => {
            let half = match letter.text {
                "a" | "A" => Some(Half::Morning),
                "p" | "P" => Some(Half::Afternoon),
                _ => None,
            };
            let ends = rest.first().is_some_and(|dot| dot.is('.') && dot.glued);
            (half, 3 + usize::from(ends))
        }
        _ => (None, 0),
    }
}

/// Checks whether `tokens` start with the German word "am", as in "Gleis 5 am Montag".
fn is_german_am(tokens: &[Token<'_>]) -> bool {
    const DAYS: &str = "tag woch abend morgen mittag bahnhof";
    matches!(tokens, [am, next, ..] if am.text == "am"
        && (next.kind == TokenKind::Digits || DAYS.split(' ').any(|day| next.text.ends_with(day))))
}

/// Returns the minute, if any, and the number of tokens of a word that makes the number before it an hour.
fn hour_word(tokens: &[Token<'_>]) -> Option<(Option<u16>, usize)> {
    let word = tokens.first()?;
    if word.says("uhr") {
        let minute = tokens
            .get(1)
            .filter(|minute| minute.text.len() == 2)
            .and_then(small_number);
        return Some((minute, 1 + usize::from(minute.is_some())));
    }
    if word.says("noon") || word.says("midnight") {
        return Some((None, 1));
    }
    if word.says("o") && tokens.get(2).is_some_and(|clock| clock.says("clock")) {
        return Some((None, 3));
    }
    if word.glued && word.says_one_of("時 时 点 點 시") {
        let minute = tokens.get(1).and_then(small_number);
        let sign = tokens.get(2).filter(|sign| sign.says_one_of("分 분"));
        let is_span = tokens
            .get(1)
            .is_some_and(|next| next.says_one_of("間 间 간"));
        if tokens.get(1).is_some_and(|next| next.says_one_of("半 반")) {
            return Some((Some(30), 2));
        }
        return match (minute, sign) {
            (Some(minute), Some(_)) => Some((Some(minute), 3)),
            _ => (!is_span).then_some((None, 1)),
        };
    }
    None
}

/// Returns the minute, if any, and the number of tokens of `heures 30`, `h 30` and `h`.
fn french_hour(tokens: &[Token<'_>]) -> Option<(Option<u16>, usize)> {
    tokens
        .first()
        .filter(|word| word.says_one_of("heures heure horas h"))?;
    let minute = tokens
        .get(1)
        .filter(|minute| minute.text.len() == 2)
        .and_then(small_number);
    Some((minute, 1 + usize::from(minute.is_some())))
}

/// Returns the hour of `17h` and `17h30`.
fn hour_with_h(token: &Token<'_>) -> Option<u16> {
    let (hour, ending) = leading_number(token.text)?;
    ending.starts_with('h').then_some(hour)
}

fn starts_with_one_of(tokens: &[Token<'_>], words: &WordList) -> bool {
    let mut first = tokens.first().into_iter();
    first.any(|word| word.says_one_of(words))
}

/// Checks whether an hour and a minute before `after` are more likely a duration: "2 h 30 de vol".
fn is_duration(hour: u16, after: &[Token<'_>]) -> bool {
    hour < LATE && after.first().is_some_and(|word| word.says_one_of("de d"))
}

/// Checks whether the token can join two hours: "–", "til".
fn joins_hours(token: &Token<'_>) -> bool {
    matches!(token.sign(), Some('-' | '–' | '—')) || token.says_one_of(&UNTIL)
}

/// Checks whether the tokens after "a las 5" do not name something that the number counts.
fn ends_spanish_hour(tokens: &[Token<'_>]) -> bool {
    tokens.first().is_none_or(|next| match next.kind {
        TokenKind::Sign => !matches!(next.sign(), Some('%' | '€' | '$' | '/' | '-')),
        TokenKind::Letters => next.says_one_of("de del y en h hrs horas"),
        _ => false,
    })
}

/// Checks whether another hour follows and a word marks it as an hour: `-10 am`, `–10pm`, `and 6 PM`, `bis 10 Uhr`.
fn before_hour(tokens: &[Token<'_>]) -> bool {
    let [joint, rest @ ..] = tokens else {
        return false;
    };
    let joins = matches!(joint.sign(), Some('-' | '–' | '—'))
        || joint.says_one_of("to and or until bis und");
    let Some(hour) = rest.first().filter(|_| joins) else {
        return false;
    };
    match hour.kind {
        TokenKind::Mixed => {
            leading_number(hour.text).is_some_and(|(_, ending)| half_named(ending).is_some())
        }
        TokenKind::Digits if small_number(hour).is_some_and(|hour| hour <= 24) => {
            let minute = after_colon(&rest[1..]).and_then(two_digits);
            let is_half = |rest: &[Token<'_>]| half_after(rest).0.is_some() && !is_german_am(rest);
            let after_minute = match &rest[1..] {
                [dot, minute, after @ ..] if dot.is('.') && dot.glued && minute.text.len() == 2 => {
                    after
                }
                after => after,
            };
            after_minute.first().is_some_and(|word| word.says("uhr"))
                || is_half(&rest[1..])
                || minute
                    .is_some_and(|(_, ending)| half_named(ending).is_some() || is_half(&rest[3..]))
        }
        _ => false,
    }
}

/// Returns the number of tokens of the offset from UTC at the start of `tokens`: `+02:00`, `-0500`.
fn offset_length(tokens: &[Token<'_>], has_seconds: bool) -> usize {
    let [sign, hour, rest @ ..] = tokens else {
        return 0;
    };
    let is_sign = sign.is('+') || (has_seconds && (sign.is('-') || sign.is('−')));
    if !sign.glued || !hour.glued || !is_sign || hour.kind != TokenKind::Digits {
        return 0;
    }
    let minute = after_colon(rest)
        .filter(|minute| minute.kind == TokenKind::Digits && minute.text.len() == 2);
    match (hour.text.len(), minute) {
        (4, _) => 2,
        (2, Some(_)) if after_colon(&rest[2..]).is_none() => 4,
        (2, None) => 2,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{check, check_none};

    #[test]
    fn times_with_a_colon() {
        check(
            read,
            &[
                (
                    "17:00, 06:00 and 0:30",
                    &["17:00 in 17:00", "06:00 in 06:00", "00:30 in 0:30"],
                ),
                ("at 5:00", &["05:00 or 17:00 in 5:00"]),
                ("12:30 EST", &["00:30 or 12:30 in 12:30"]),
                ("5:00 p.m.", &["17:00 in 5:00 p.m."]),
                (
                    "12:30 AM, 12:30pm",
                    &["00:30 in 12:30 AM", "12:30 in 12:30pm"],
                ),
                (
                    "07:00 PM, 17:00 PM",
                    &["19:00 in 07:00 PM", "17:00 in 17:00 PM"],
                ),
                (
                    "05:00:00 and 5:00:00",
                    &["05:00 in 05:00:00", "05:00 in 5:00:00"],
                ),
                ("2024-05-13T15:00:00Z", &["15:00 in 15:00:00Z"]),
                (
                    "15:00:00.000Z 15:00:00.5",
                    &["15:00 in 15:00:00.000Z", "15:00 in 15:00:00.5"],
                ),
                (
                    "15:00+02:00 15:00:00-05:00",
                    &["15:00 in 15:00+02:00", "15:00 in 15:00:00-05:00"],
                ),
                ("15:00-17:00", &["15:00 in 15:00", "17:00 in 17:00"]),
                (
                    "17:30 Uhr, 24:00",
                    &["17:30 in 17:30 Uhr", "00:00 in 24:00"],
                ),
                ("time:10:30", &["10:30 or 22:30 in 10:30"]),
                ("17:00 hours", &["17:00 in 17:00"]),
                (
                    "03:00 EST to 11:00 EST",
                    &["03:00 in 03:00", "11:00 in 11:00"],
                ),
                (
                    "07:00 PM to 11:00",
                    &["19:00 in 07:00 PM", "11:00 or 23:00 in 11:00"],
                ),
            ],
        );
    }

    #[test]
    fn times_without_a_colon() {
        check(
            read,
            &[
                (
                    "5 PM or 5pm or 5 p. m.",
                    &["17:00 in 5 PM", "17:00 in 5pm", "17:00 in 5 p. m."],
                ),
                ("5 o'clock", &["05:00 or 17:00 in 5 o'clock"]),
                ("at 7.05pm", &["19:05 in 7.05pm"]),
                (
                    "8-10 am, 5 and 6 PM",
                    &[
                        "08:00 or 20:00 in 8",
                        "10:00 in 10 am",
                        "05:00 or 17:00 in 5",
                        "18:00 in 6 PM",
                    ],
                ),
                (
                    "17 Uhr 30, 17.30 Uhr",
                    &["17:30 in 17 Uhr 30", "17:30 in 17.30 Uhr"],
                ),
                (
                    "kl. 17.30 og kl 9",
                    &["17:30 in 17.30", "09:00 or 21:00 in 9"],
                ),
                (
                    "17h30, à 17h, de 9h à 17 heures",
                    &[
                        "17:30 in 17h30",
                        "17:00 in 17h",
                        "09:00 in 9h",
                        "17:00 in 17 heures",
                    ],
                ),
                (
                    "Départ : 17 h 30 – Arrivée : 9 h 45, ouvert de 9 h à 18 h",
                    &[
                        "17:30 in 17 h 30",
                        "09:45 in 9 h 45",
                        "09:00 in 9 h",
                        "18:00 in 18 h",
                    ],
                ),
                (
                    "9h-17h, 9 h - 17 h, jusqu’à 18 h",
                    &[
                        "09:00 in 9h",
                        "17:00 in 17h",
                        "09:00 in 9 h",
                        "17:00 in 17 h",
                        "18:00 in 18 h",
                    ],
                ),
                (
                    "Kl. 07.15–08.45, fra kl. 9 til 17, avgang: 17.30",
                    &[
                        "07:15 in 07.15",
                        "08:45 in 08.45",
                        "09:00 or 21:00 in 9",
                        "17:00 in 17",
                        "17:30 in 17.30",
                    ],
                ),
                (
                    "von 8.30 bis 10.15 Uhr, Abflug 17.05",
                    &[
                        "08:30 or 20:30 in 8.30",
                        "10:15 or 22:15 in 10.15 Uhr",
                        "17:05 in 17.05",
                    ],
                ),
                ("a las 17.30 h", &["17:30 in 17.30"]),
                ("in total 4 h 15 min, or 2 h 05 minutes", &[]),
                (
                    "a las 5. A las 9 de la noche",
                    &["05:00 or 17:00 in 5", "09:00 or 21:00 in 9"],
                ),
                (
                    "8 bis 10 Uhr, 8-17 Uhr",
                    &[
                        "08:00 or 20:00 in 8",
                        "10:00 or 22:00 in 10 Uhr",
                        "08:00 or 20:00 in 8",
                        "17:00 in 17 Uhr",
                    ],
                ),
                (
                    "at noon, 12 noon, Midnight",
                    &["12:00 in noon", "12:00 in 12 noon", "00:00 in Midnight"],
                ),
                ("午後5時半 17：30", &["17:30 in 5時半", "17:30 in 17：30"]),
                ("下午3点30分 15時", &["15:30 in 3点30分", "15:00 in 15時"]),
                ("登机口 C12,17:05 到达", &["17:05 in 17:05"]),
            ],
        );
    }

    #[test]
    fn other_numbers_are_not_times() {
        check_none(
            read,
            &[
                "25:70, 17:60, 13:5, 3:2, 16:9",
                "2:30 hours, 1:15 min, duration: 2:30",
                "ratio of 10:15, John 3:16",
                "10:20:30:40:50:60, 00:1A:2B, main.rs:10:25, 10.0.0.1:80",
                "17 PMs, 25 PM, 5 minutes, in 24h, 2h, 3時間",
                "Gleis 5 am Montag, Tor 5 am 13. Mai",
                "afternoon, après-midi, a las 5 personas",
                "1.30 and 17.30",
                "dure 2 h 30, 2 h 30 de vol, 1h-2h, de 2 h environ, 8.30 bis 10.15 Euro",
                "$5 pm",
                "5 and 6 bags",
                "ねじは14点です",
                "2시간 걸립니다",
            ],
        );
    }
}
