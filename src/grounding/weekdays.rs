//! Checks weekdays beside dates: "Tuesday, March 4, 2025", "2025-03-04 (Tue)", "3月4日（火）" must match the calendar.

use std::collections::BTreeSet;

use super::calendar::Day;
use super::evidence::Evidence;
use toolgauge_facts::{Date, Fact, FactValue, TextId, Texts, Token, TokenKind, WordList};

/// The names of the weekdays from Monday, in English, German, French, Spanish and Norwegian.
static NAMES: [WordList; 7] = [
    WordList::of("monday montag lundi lunes mandag"),
    WordList::of("tuesday dienstag mardi martes tirsdag"),
    WordList::of("wednesday mittwoch mercredi miércoles onsdag"),
    WordList::of("thursday donnerstag jeudi jueves torsdag"),
    WordList::of("friday freitag vendredi viernes fredag"),
    WordList::of("saturday samstag sonnabend samedi sábado lørdag"),
    WordList::of("sunday sonntag dimanche domingo søndag"),
];

/// Abbreviations of the weekdays that are no other words.
static SHORT: [WordList; 7] = [
    WordList::of("mon"),
    WordList::of("tue tues"),
    WordList::of("wed mié"),
    WordList::of("thu thur thurs jeu jue"),
    WordList::of("fri ven vie"),
    WordList::of("sat sáb"),
    WordList::of("sun dim"),
];

/// Abbreviations of the weekdays that are also other words. They count only with a full stop, before a comma or in
/// brackets.
static SHORT_WITH_SIGN: [WordList; 7] = [
    WordList::of("mo lun man"),
    WordList::of("di tir"),
    WordList::of("mi mer ons"),
    WordList::of("do tor"),
    WordList::of("fr fre"),
    WordList::of("sa lør sam"),
    WordList::of("so søn dom"),
];

/// The characters of the weekdays in Japanese, and in Chinese after 星期 and 周.
static JAPANESE: [&str; 7] = ["月", "火", "水", "木", "金", "土", "日"];
static CHINESE: [&str; 7] = ["一", "二", "三", "四", "五", "六", "日"];

/// The first characters of the weekdays in Korean, before 요일.
static KOREAN: [&str; 7] = ["월", "화", "수", "목", "금", "토", "일"];

/// Words between a weekday and the date after it.
static BETWEEN: WordList = WordList::of("the den der dem le el d");

/// Words between a date and the weekday after it: "March 4 is a Tuesday".
static AFTER: WordList = WordList::of("is was falls on a ist war ein est un es");

/// Words between two weekdays of a list or a range.
static JOINTS: WordList =
    WordList::of("and or to through thru und oder bis et ou au y o al og til");

/// The most words and signs between a weekday and its date.
const MOST_BETWEEN: usize = 4;

/// The possible years of a date without a year.
const YEARS: std::ops::RangeInclusive<u16> = 1900..=2100;

/// A weekday beside a date.
struct NamedDay<'t> {
    date: Date,
    weekday: usize,
    /// The index of the date among the facts of its text.
    fact: usize,
    token: Token<'t>,
}

/// A weekday of a reply that does not match the date beside it.
pub struct WrongWeekday {
    /// The byte offset at which the weekday or the date starts, whichever is first.
    pub start: usize,
    /// The byte offset at which the weekday or the date ends, whichever is last.
    pub end: usize,
    /// The index of the date among the facts of the reply.
    pub fact: usize,
}

/// Returns the weekdays of a reply that do not match the dates beside them, unless the evidence states the same
/// combination. Combinations in `earlier`, which people wrote, count only for dates without a year: people may be
/// wrong.
pub fn wrong_weekdays<'a>(
    reply: TextId,
    earlier: &[TextId],
    evidence: Evidence<'_>,
    texts: &Texts<'a>,
) -> Vec<WrongWeekday> {
    let facts = texts.facts(reply);
    let mut wrong: Vec<_> = said_in(texts.tokens(reply), facts)
        .into_iter()
        .filter(|said| is_wrong(said, evidence))
        .collect();
    if wrong.is_empty() {
        return Vec::new();
    }
    let (as_said, as_shown) = said_by(evidence, earlier, texts);
    wrong.retain(|said| {
        let key = (said.date.month, said.date.day, said.weekday);
        !as_shown.contains(&key) && (said.date.year.is_some() || !as_said.contains(&key))
    });
    let place = |said: NamedDay<'_>| {
        let fact = &facts[said.fact];
        WrongWeekday {
            start: fact.start.min(said.token.start),
            end: fact.end().max(said.token.end()),
            fact: said.fact,
        }
    };
    let mut end = 0;
    let mut places: Vec<_> = wrong.into_iter().map(place).collect();
    places.retain(|place| {
        let is_apart = place.start >= end;
        end = end.max(place.end);
        is_apart
    });
    places
}

/// Checks whether the date falls on a different weekday in each of its possible years.
fn is_wrong(said: &NamedDay<'_>, evidence: Evidence<'_>) -> bool {
    let fits = |date: Date| Day::of(date).is_none_or(|day| day.weekday() == said.weekday);
    let swapped = said.date.day.filter(|_| said.date.swapped).map(|day| Date {
        month: day,
        day: Some(said.date.month),
        ..said.date
    });
    let mut readings = [Some(said.date), swapped].into_iter().flatten();
    readings.all(|date| match date.year {
        Some(_) => !fits(date),
        None => {
            let with_year = |year| Date {
                year: Some(year),
                ..date
            };
            let known: Vec<_> = YEARS.filter(|year| evidence.knows_year(*year)).collect();
            let of_day = |year: &&u16| evidence.holds_day(with_year(**year));
            let exact: Vec<_> = known.iter().filter(of_day).copied().collect();
            let years = if exact.is_empty() { known } else { exact };
            !years.is_empty() && !years.into_iter().any(|year| fits(with_year(year)))
        }
    })
}

/// Combinations of month, day and weekday that were said together.
type Pairs = BTreeSet<(u8, Option<u8>, usize)>;

/// Returns the combinations of date and weekday in the evidence: first those that people wrote, then those that results
/// show.
fn said_by(evidence: Evidence<'_>, earlier: &[TextId], texts: &Texts<'_>) -> (Pairs, Pairs) {
    let (mut as_said, mut as_shown) = (Pairs::new(), Pairs::new());
    let people: BTreeSet<_> = earlier.iter().map(|text| text.index()).collect();
    for text in evidence.texts() {
        let pairs = said_in(texts.tokens(*text), texts.facts(*text));
        let pairs = pairs
            .iter()
            .map(|said| (said.date.month, said.date.day, said.weekday));
        match people.contains(&text.index()) {
            true => as_said.extend(pairs),
            false => as_shown.extend(pairs),
        }
    }
    (as_said, as_shown)
}

/// Returns the weekdays beside dates in a text.
fn said_in<'t>(tokens: &[Token<'t>], facts: &[Fact<'t>]) -> Vec<NamedDay<'t>> {
    let mut found = Vec::new();
    for (at, fact) in facts.iter().enumerate() {
        let FactValue::Date(date) = fact.value else {
            continue;
        };
        if date.day.is_none() {
            continue;
        }
        let first = tokens.partition_point(|token| token.start < fact.start);
        let end = tokens.partition_point(|token| token.start < fact.end());
        let beside = before(&tokens[..first]).or_else(|| after(&tokens[end..]));
        found.extend(beside.map(|(weekday, token)| NamedDay {
            date,
            weekday,
            fact: at,
            token,
        }));
    }
    found
}

/// Returns the weekday before a date: "Tuesday, March 4", "Di., 4. März", "星期二 3月4日".
fn before<'t>(tokens: &[Token<'t>]) -> Option<(usize, Token<'t>)> {
    let mut has_stop = false;
    for back in 1..=MOST_BETWEEN.min(tokens.len()) {
        let at = tokens.len() - back;
        let token = &tokens[at];
        if token.is(',') || token.says_one_of(&BETWEEN) {
            continue;
        }
        if token.is('.') && !has_stop {
            has_stop = true;
            continue;
        }
        let short = || named(token, &SHORT).filter(|_| token.is_capitalized || has_stop);
        let full = || named(token, &NAMES).filter(|_| !has_stop);
        let with_sign = || {
            let comma = tokens.get(at + 1).is_some_and(|next| next.is(','));
            named(token, &SHORT_WITH_SIGN).filter(|_| has_stop || (comma && token.is_capitalized))
        };
        let east_asian = || {
            let sign = CHINESE.iter().position(|sign| token.text == *sign)?;
            is_chinese_week(&tokens[..at]).then_some(sign)
        };
        if let Some(found) = korean_weekday(&tokens[..=at]) {
            return Some(found);
        }
        let weekday = full()
            .or_else(short)
            .or_else(with_sign)
            .or_else(east_asian)?;
        return (!follows_weekday(&tokens[..at])).then_some((weekday, *token));
    }
    None
}

/// Returns the weekday after a date: "2025-03-04 (Tue)", "March 4, a Tuesday", "3月4日（火）", "3月4日 星期二".
fn after<'t>(tokens: &[Token<'t>]) -> Option<(usize, Token<'t>)> {
    let mut at = 0;
    let is_bracket = |token: &Token<'_>| token.is('(') || token.is('（') || token.is('[');
    let in_brackets = tokens.first().is_some_and(is_bracket);
    let has_comma = tokens.first().is_some_and(|token| token.is(','));
    at += usize::from(in_brackets || has_comma);
    let mut has_words = false;
    while at < MOST_BETWEEN && tokens.get(at).is_some_and(|word| word.says_one_of(&AFTER)) {
        at += 1;
        has_words = true;
    }
    let token = tokens.get(at)?;
    let next = tokens.get(at + 1);
    let east_asian = || {
        let sign = |signs: &[&str; 7]| signs.iter().position(|sign| token.text == *sign);
        let weekday = sign(&JAPANESE).or_else(|| sign(&KOREAN));
        let is_weekday = (in_brackets && next.is_some_and(|next| next.is(')') || next.is('）')))
            || next.is_some_and(|next| matches!(next.text, "曜" | "요"));
        weekday.filter(|_| is_weekday)
    };
    if let Some(weekday) = east_asian() {
        return Some((weekday, *token));
    }
    if let Some((weekday, sign)) = chinese_weekday(&tokens[at..]) {
        return Some((weekday, sign));
    }
    let with_sign = || named(token, &SHORT_WITH_SIGN).filter(|_| in_brackets);
    let weekday = named(token, &NAMES)
        .or_else(|| named(token, &SHORT).filter(|_| token.is_capitalized || in_brackets))
        .or_else(with_sign)?;
    let rest = &tokens[at + 1..];
    // "March 4, Wednesday March 5": this weekday belongs to the next date.
    let ends = in_brackets
        || has_words
        || rest.first().is_none_or(|next| {
            let is_end =
                next.is('.') || next.is('!') || next.is('?') || next.is(')') || next.is(';');
            is_end || (next.kind == TokenKind::Letters && !next.is_capitalized)
        });
    (ends && !joins_weekday(rest)).then_some((weekday, *token))
}

/// Returns the weekday at the start of `tokens`: `星期二`, `周二` or `礼拜二`.
fn chinese_weekday<'t>(tokens: &[Token<'t>]) -> Option<(usize, Token<'t>)> {
    let text = |at: usize| tokens.get(at).map(|token| token.text);
    let length = match (text(0)?, text(1)?) {
        ("星", "期") | ("礼", "拜") | ("禮", "拜") => 2,
        ("周" | "週", _) => 1,
        _ => return None,
    };
    let sign = tokens.get(length)?;
    let weekday = CHINESE
        .iter()
        .position(|known| sign.text == *known)
        .or_else(|| (sign.text == "天").then_some(6))?;
    Some((weekday, *sign))
}

/// Returns the weekday at the end of `tokens`: `화요일`.
fn korean_weekday<'t>(tokens: &[Token<'t>]) -> Option<(usize, Token<'t>)> {
    let [.., sign, middle, end] = tokens else {
        return None;
    };
    let is_weekday = middle.text == "요" && end.text == "일";
    let weekday = KOREAN.iter().position(|known| sign.text == *known);
    weekday
        .filter(|_| is_weekday)
        .map(|weekday| (weekday, *sign))
}

fn is_chinese_week(before: &[Token<'_>]) -> bool {
    let text = |back: usize| {
        let at = before.len().checked_sub(back)?;
        before.get(at).map(|token| token.text)
    };
    matches!(text(1), Some("周" | "週")) || matches!((text(2), text(1)), (Some("星"), Some("期")))
}

fn named(token: &Token<'_>, names: &[WordList; 7]) -> Option<usize> {
    names.iter().position(|words| token.says_one_of(words))
}

/// Returns the weekday, counted from Monday, that a word names: "Tuesday", "Tuesdays", "Tue".
pub fn weekday_of(word: &str) -> Option<usize> {
    let token = Token::of_word(word);
    let plural = || {
        let word = word.strip_suffix('s').filter(|word| !word.is_empty())?;
        named(&Token::of_word(word), &NAMES)
    };
    let is_capitalized = word.starts_with(char::is_uppercase);
    named(&token, &NAMES)
        .or_else(|| named(&token, &SHORT).filter(|_| is_capitalized))
        .or_else(plural)
}

/// Returns the weekday that a text names in Chinese or Japanese: "周三", "星期三", "（水）".
pub fn weekday_in_chinese(text: &str) -> Option<usize> {
    let sign = |signs: &[&str; 7], rest: &str| signs.iter().position(|sign| rest.starts_with(sign));
    let after = |word| text.find(word).map(|at| &text[at + str::len(word)..]);
    let chinese = ["星期", "礼拜", "禮拜", "周", "週"]
        .into_iter()
        .find_map(after);
    let japanese = text.trim_start().strip_prefix(['(', '（']);
    chinese
        .and_then(|rest| sign(&CHINESE, rest))
        .or_else(|| japanese.and_then(|rest| sign(&JAPANESE, rest)))
}

fn is_weekday(token: &Token<'_>) -> bool {
    named(token, &NAMES).is_some() || named(token, &SHORT).is_some()
}

/// Checks whether another weekday precedes this one, so that this one ends a range or a list: "Mon–Fri".
fn follows_weekday(before: &[Token<'_>]) -> bool {
    let mut tokens = before.iter().rev().take(MOST_BETWEEN);
    tokens
        .find(|token| !is_joint(token))
        .is_some_and(is_weekday)
}

/// Checks whether another weekday follows this one, so that this one starts a range or a list.
fn joins_weekday(after: &[Token<'_>]) -> bool {
    let joint = after.first().is_some_and(is_joint);
    let mut tokens = after.iter().take(MOST_BETWEEN);
    joint
        && tokens
            .find(|token| !is_joint(token))
            .is_some_and(is_weekday)
}

fn is_joint(token: &Token<'_>) -> bool {
    matches!(
        token.sign(),
        Some('-' | '–' | '—' | ',' | '/' | '&' | '.' | '→')
    ) || token.says_one_of(&JOINTS)
}

#[cfg(test)]
mod tests {
    use super::super::testing::texts_unsupported_after;

    /// Returns the unsupported facts of a reply to a result with 2031-07-15, which is a Tuesday, and the 16th.
    fn unsupported(reply: &str) -> Vec<String> {
        let turns = r#"{"turn_id":1,"role":"user","content":"When?"},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"look","arguments":{},
                "result":{"from":"2031-07-15T09:00:00Z","to":"2031-07-16","note":"Friday, July 18"}}]}"#;
        texts_unsupported_after(turns, reply)
    }

    #[test]
    fn a_weekday_must_fit_its_date() {
        for (reply, wrong) in [
            ("It is on Monday, July 15.", "Monday, July 15"),
            ("It is on 2031-07-15 (Wed).", "2031-07-15 (Wed"),
            ("Am Montag, den 15. Juli 2031.", "Montag, den 15. Juli 2031"),
            ("Am Mo., 15.07.2031 um neun.", "Mo., 15.07.2031"),
            (
                "C’est mercredi 15 juillet 2031.",
                "mercredi 15 juillet 2031",
            ),
            (
                "Es el lunes, 15 de julio de 2031.",
                "lunes, 15 de julio de 2031",
            ),
            ("July 15, 2031 is a Monday.", "July 15, 2031 is a Monday"),
            ("July 15, 2031, Monday as planned.", "July 15, 2031, Monday"),
            ("2031年7月15日（水）です。", "2031年7月15日（水"),
            ("2031年7月15日 星期三", "2031年7月15日 星期三"),
            ("2031년 7월 15일 (수)", "2031년 7월 15일 (수"),
        ] {
            assert_eq!(unsupported(reply), [wrong], "{reply}");
        }
    }

    #[test]
    fn weekdays_that_fit_or_belong_to_something_else_are_fine() {
        for reply in [
            "It is on Tuesday, July 15.",
            "It is on Tue, July 15, 2031, to Wed, July 16.",
            "Am Dienstag, den 15. Juli 2031.",
            "2031年7月15日（火）です。",
            "2031年7月15日 星期二",
            "2031년 7월 15일 (화)",
            "Every Monday to Friday, July 15 to 16, 2031.",
            "2031-07-15 and 2031-07-16 (Mon–Fri hours)",
            "See you Monday. July 15 is the day.",
            // The result says the same.
            "It is on Friday, July 18.",
        ] {
            assert_eq!(unsupported(reply), [""; 0], "{reply}");
        }
    }

    #[test]
    fn people_may_be_wrong_about_a_weekday() {
        let turns = r#"{"turn_id":1,"role":"user","content":"Book Monday, July 15, 2031."},
            {"turn_id":2,"role":"agent","tool_calls":[{"name":"book","arguments":{},"result":{"on":"2031-07-15"}}]}"#;
        let found = texts_unsupported_after(turns, "Booked for Monday, July 15, 2031.");
        assert_eq!(found, ["Monday, July 15, 2031"]);
        let found = texts_unsupported_after(turns, "Booked for Monday, July 15.");
        assert_eq!(found, [""; 0]);
    }

    #[test]
    fn without_a_year_nobody_knows() {
        let turns = r#"{"turn_id":1,"role":"user","content":"Is it on July 15?"}"#;
        let found = texts_unsupported_after(turns, "Yes, on Monday, July 15.");
        assert_eq!(found, [""; 0]);
    }
}
