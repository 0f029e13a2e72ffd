//! Results that do not count as unused although no value of them appears afterwards.

use super::acknowledgement::{CHANGED, Echoes, acknowledges, is_nothing};
use super::purpose::{Purpose, looks_up_identity};
use toolgauge_facts::{FactKind, Token, WordList};
use toolgauge_model::{Json, ToolCall};

/// The most wrappers around a result that are opened.
const MOST_WRAPPERS: usize = 6;

/// A record with fewer values counts as a check before the next step.
const FEWEST_VALUES: usize = 4;

/// The most values of a result that are counted.
const MOST_COUNTED: usize = 16;

/// The most decimals of an ordinary number. A number with more is a measurement, which replies round or calculate with.
const MOST_DECIMALS: usize = 2;

/// The most letters in a word that names a state.
const LONGEST_STATE: usize = 24;

/// Keys that describe the run of a tool. Their values are not part of its answer.
static OF_THE_RUN: WordList = WordList::of(
    "annotations code duration duration_ms duration_seconds elapsed error exit_code exitcode is_error iserror meta ok \
    return_code returncode stderr success succeeded took type",
);

/// Words with which a reply reports that it found or verified a person or a record.
static VERIFIES: WordList = WordList::of(
    "authenticated bekreftet bestätigt confirmé confirmed confirmado encontrado funnet gefunden identificado \
    identifié identified identifisert identifiziert located matched recognized retrieved trouvé validated verificado \
    verified verifisert verifiziert vérifié found",
);

/// Words with which a reply reports that something was done.
static DONE: WordList = WordList::of(
    "all complete completed done erledigt fertig ferdig fullført hecho listo made set success successful successfully \
    terminé utført",
);

/// What a text of the agent reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// The text says that a person or a record was found or verified.
    pub verifies: bool,
    /// The text says that something was done.
    pub is_done: bool,
    /// The text says that there is nothing.
    pub denies: bool,
    /// The text asks for something that narrows the request down.
    pub asks: bool,
    /// The text names days of the week.
    pub names_days: bool,
    /// The text states values: numbers, dates, identifiers.
    pub has_values: bool,
}

/// Words of a polite request.
static PLEASE: WordList = WordList::of("bitte favor kindly please plaît vennligst");

/// Verbs that, together with a word of [`PLEASE`], ask for information.
static ASKED_FOR: WordList = WordList::of(
    "angeben choose clarify confirm decide elija indicar indiquer know nennen oppgi précisez provide say select share \
    specify tell wählen",
);

/// Words in questions that only offer more help.
static OFFERS: WordList = WordList::of(
    "aider anything assist autre außerdem ayudar else ellers flere helfen help hjelpe más noch otra otro sonst \
    weiterhelfen",
);

/// The days of the week, and words for days relative to today.
static WEEKDAYS: WordList = WordList::of(
    "dienstag dimanche domingo donnerstag freitag fredag friday jeudi jueves lundi lunes lørdag mandag mardi martes \
    mercredi miércoles mittwoch monday montag mondays onsdag sábado samedi samstag saturday saturdays sonntag sunday \
    sundays søndag thursday tirsdag today tomorrow torsdag tuesday vendredi viernes wednesday weekend yesterday fridays",
);

/// Words with which a reply says that there is nothing.
static DENIES: WordList = WordList::of(
    "aucun aucune cannot failed ikke ingen kein keine keinen missing nicht no none not nothing ningún ninguna pas \
    rien t unable unavailable unfortunately without",
);

impl Report {
    /// Returns what a text with these tokens, and with facts of these kinds, reports.
    pub fn of(tokens: &[Token<'_>], facts: impl IntoIterator<Item = FactKind>) -> Self {
        let has = |list: &WordList| tokens.iter().any(|token| token.says_one_of(list));
        let is_question = || {
            let mut tokens = tokens.iter();
            tokens.any(|token| token.is('?') || token.is('？'))
        };
        Self {
            verifies: has(&VERIFIES),
            is_done: has(&DONE) || has(&CHANGED),
            denies: has(&DENIES),
            asks: (is_question() || (has(&PLEASE) && has(&ASKED_FOR))) && !has(&OFFERS),
            names_days: has(&WEEKDAYS),
            has_values: facts
                .into_iter()
                .any(|kind| !matches!(kind, FactKind::Quote | FactKind::Name)),
        }
    }

    /// Returns what this text and the other one report together.
    pub fn and(self, other: Self) -> Self {
        Self {
            verifies: self.verifies || other.verifies,
            is_done: self.is_done || other.is_done,
            denies: self.denies || other.denies,
            asks: self.asks || other.asks,
            names_days: self.names_days || other.names_days,
            has_values: self.has_values || other.has_values,
        }
    }
}

/// What happens after a call, up to the next turn of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct After {
    /// What the agent's texts report.
    pub report: Report,
    /// The agent calls tools in a later turn.
    pub calls: bool,
    /// One of these later calls changes something.
    pub changes: bool,
    /// The result of another call of the same tool was used.
    pub uses_sibling: bool,
    /// Another call of the same tool was made.
    pub repeats: bool,
    /// A later call gets the results of other calls of the same tool as arguments.
    pub collects_siblings: bool,
}

/// The content of a result, without its wrappers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Answer<'a> {
    /// One number, with its count of decimals.
    Number(f64, usize),
    /// One word that names a state: `available`.
    State,
    /// One identifier without spaces.
    Code,
    /// A text.
    Text(&'a str),
    /// Only numbers, including measurements.
    Series,
    /// A record or a list, with its count of values.
    Values(usize),
}

/// The reason why a result does not count as unused although no value of it appears afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excuse {
    /// The result only says that the call worked, or that nothing was found.
    Acknowledges,
    /// The agent reads the result to continue its work: the output of a command, a file, a page.
    Operates,
    /// The reply reports that the change was made.
    Changes,
    /// The result serves to identify a person or a record.
    Identifies,
    /// The result is a state that the agent checked.
    Checks,
    /// The result is a measurement that an answer is calculated from.
    Measures,
    /// The agent asks a question to narrow the request down.
    Narrows,
    /// The reply says that nothing in the results fits.
    Dismisses,
    /// The agent continued to work with the result.
    GoesOn,
}

/// Returns the reason why the result of `call` does not count as unused although no value of it appears afterwards, or
/// `None` if there is no reason.
pub fn excuse(call: &ToolCall<'_>, after: After) -> Option<Excuse> {
    let result = call.result.unwrap_or_default();
    let purpose = Purpose::of(call);
    let report = after.report;
    if acknowledges(result, purpose, &Echoes::of(call.arguments)) {
        return Some(Excuse::Acknowledges);
    }
    let reports_change = report.is_done && !report.has_values;
    let is_reported = report.is_done || !report.denies;
    if reports_change || (purpose == Purpose::Change && is_reported) {
        return Some(Excuse::Changes);
    }
    if report.asks && !report.has_values {
        return Some(Excuse::Narrows);
    }
    if purpose == Purpose::Operation {
        return Some(Excuse::Operates);
    }
    match answer(result) {
        Answer::Text(text) if report.denies && is_nothing(text) => Some(Excuse::Acknowledges),
        Answer::Text(_) if looks_up_identity(call) && report.verifies => Some(Excuse::Identifies),
        Answer::Text(_) => after.calls.then_some(Excuse::GoesOn),
        Answer::State => Some(Excuse::Checks),
        Answer::Code if looks_up_identity(call) || report.verifies => Some(Excuse::Identifies),
        Answer::Code => after.calls.then_some(Excuse::GoesOn),
        Answer::Number(_, decimals) if decimals > MOST_DECIMALS => Some(Excuse::Measures),
        Answer::Series => Some(Excuse::Measures),
        Answer::Number(number, _) if number == 0.0 && report.denies => Some(Excuse::Acknowledges),
        Answer::Number(_, _) => (after.calls && !after.collects_siblings).then_some(Excuse::GoesOn),
        Answer::Values(_) if looks_up_identity(call) && report.verifies => Some(Excuse::Identifies),
        Answer::Values(_) if report.denies && (after.repeats || !report.has_values) => {
            Some(Excuse::Dismisses)
        }
        Answer::Values(count) => {
            let serves =
                after.changes || after.uses_sibling || count < FEWEST_VALUES || !report.has_values;
            (after.calls && serves).then_some(Excuse::GoesOn)
        }
    }
}

/// Classifies a result. Objects with only one member that is part of the answer, and lists with one item, are opened
/// first.
fn answer<'a>(result: Json<'a>) -> Answer<'a> {
    let mut result = result;
    for _ in 0..MOST_WRAPPERS {
        let inner = match result {
            Json::Array([only]) => Some(*only),
            Json::Object(members) => {
                let mut answers = members.iter().filter(|(key, value)| is_answer(key, *value));
                match (answers.next(), answers.next()) {
                    (Some((_, only)), None) => Some(*only),
                    _ => None,
                }
            }
            _ => None,
        };
        match inner {
            Some(inner) => result = inner,
            None => break,
        }
    }
    match result {
        Json::Number(number) => {
            let decimals = decimals_of(&number.to_string()).unwrap_or_default();
            Answer::Number(number.as_f64(), decimals)
        }
        Json::String(text) => answer_of_text(text.trim()),
        other => answer_of_values(other),
    }
}

/// Classifies a record or a list.
fn answer_of_values<'a>(values: Json<'a>) -> Answer<'a> {
    let mut leaves = Vec::new();
    add_leaves(values, &mut leaves);
    let decimals = |leaf: &Json<'_>| match leaf {
        Json::Number(number) => decimals_of(&number.to_string()),
        Json::String(text) => decimals_of(text.trim()),
        _ => None,
    };
    let are_measured = leaves.iter().map(decimals);
    let most = are_measured.reduce(|most, decimals| Some(most?.max(decimals?)));
    match most.flatten() {
        Some(decimals) if decimals > MOST_DECIMALS => Answer::Series,
        Some(_) | None => Answer::Values(leaves.len()),
    }
}

/// Returns the number of decimals, or `None` if `text` is not a number. An exponent counts as a measurement.
fn decimals_of(text: &str) -> Option<usize> {
    text.parse::<f64>()
        .ok()
        .filter(|number| number.is_finite())?;
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    Some(match text.contains(['e', 'E']) {
        true => MOST_DECIMALS + 1,
        false => fraction.len(),
    })
}

fn is_answer(key: &str, value: Json<'_>) -> bool {
    let is_empty = match value {
        Json::Null | Json::Bool(_) | Json::Array([]) | Json::Object([]) => true,
        Json::String(text) => text.trim().is_empty(),
        Json::Number(_) | Json::Array(_) | Json::Object(_) => false,
    };
    let is_of_the_run = !key.is_empty() && Token::of_word(key).says_one_of(&OF_THE_RUN);
    !is_empty && !is_of_the_run
}

fn answer_of_text(text: &str) -> Answer<'_> {
    if text.is_empty() || text.contains(char::is_whitespace) {
        return Answer::Text(text);
    }
    if let (Ok(number), Some(decimals)) = (text.parse(), decimals_of(text)) {
        return Answer::Number(number, decimals);
    }
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let is_state = text.len() <= LONGEST_STATE
        && text.starts_with(|c: char| c.is_lowercase())
        && text.chars().all(|c| c.is_lowercase() || "_-".contains(c));
    match (has_digit, is_state) {
        (true, _) => Answer::Code,
        (false, true) => Answer::State,
        (false, false) => Answer::Text(text),
    }
}

/// Adds the strings and numbers of `json` to `leaves`, at most [`MOST_COUNTED`].
fn add_leaves<'a>(json: Json<'a>, leaves: &mut Vec<Json<'a>>) {
    if leaves.len() >= MOST_COUNTED {
        return;
    }
    match json {
        Json::Null | Json::Bool(_) => {}
        Json::Number(_) | Json::String(_) => leaves.push(json),
        Json::Array(items) => items.iter().for_each(|item| add_leaves(*item, leaves)),
        Json::Object(members) => members
            .iter()
            .for_each(|(_, value)| add_leaves(*value, leaves)),
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    /// Returns the excuse for a result whose values appear nowhere.
    fn excused(tool: &str, result: &str, after: After) -> Option<Excuse> {
        let arena = Bump::new();
        let call = ToolCall {
            name: Some(tool),
            result: Some(arena_json(&arena, result)),
            ..ToolCall::default()
        };
        excuse(&call, after)
    }

    const COURSES: &str =
        r#"[{"title":"Clay","hall":"B","fee":40},{"title":"Ink","hall":"C","fee":35}]"#;

    /// After the call, the agent reports this and nothing else happens.
    fn saying(report: Report) -> After {
        After {
            report,
            ..After::default()
        }
    }

    #[test]
    fn a_result_that_nobody_would_miss_is_excused() {
        let verifies = saying(Report {
            verifies: true,
            ..Report::default()
        });
        let done = saying(Report {
            is_done: true,
            ..Report::default()
        });
        let asks = saying(Report {
            asks: true,
            ..Report::default()
        });
        let denies = saying(Report {
            denies: true,
            ..Report::default()
        });
        let goes_on = After {
            calls: true,
            ..After::default()
        };
        for (tool, result, after, expected) in [
            (
                "find_member_by_phone",
                r#""mia_brown_77""#,
                After::default(),
                Excuse::Identifies,
            ),
            (
                "get_member",
                r#"{"id":"M1","tier":"gold"}"#,
                verifies,
                Excuse::Identifies,
            ),
            (
                "rebook",
                r#"{"ticket":"T99172","seat":"4F"}"#,
                done,
                Excuse::Changes,
            ),
            (
                "get_ferry_state",
                r#""on_time""#,
                After::default(),
                Excuse::Checks,
            ),
            (
                "weigh",
                r#"{"grams":0.00731}"#,
                After::default(),
                Excuse::Measures,
            ),
            (
                "simulate",
                r#"{"t":[0,0.001,0.002],"x":["1.5e+01","1.6e+01"]}"#,
                After::default(),
                Excuse::Measures,
            ),
            (
                "shell",
                r#"{"output":"all 4 specs ran","exit_code":0}"#,
                After::default(),
                Excuse::Operates,
            ),
            (
                "ask_docs",
                r#""Keys rotate every week.""#,
                goes_on,
                Excuse::GoesOn,
            ),
            ("rate_word", r#"{"value":88}"#, goes_on, Excuse::GoesOn),
            ("find_courses", COURSES, asks, Excuse::Narrows),
            ("find_courses", COURSES, denies, Excuse::Dismisses),
        ] {
            assert_eq!(
                excused(tool, result, after),
                Some(expected),
                "{tool}: {result}"
            );
        }
    }

    #[test]
    fn an_answer_that_the_reply_passes_over_is_not() {
        let with_sibling = After {
            calls: true,
            collects_siblings: true,
            ..After::default()
        };
        let answers = After {
            calls: true,
            report: Report {
                has_values: true,
                ..Report::default()
            },
            ..After::default()
        };
        for (tool, result, after) in [
            ("find_order", r#"{"order":"R7712345"}"#, After::default()),
            ("get_fare", r#"{"fare":59.9}"#, After::default()),
            ("get_city", r#"{"city":"Oslo"}"#, After::default()),
            ("rate_word", r#"{"value":88}"#, with_sibling),
            (
                "list_fabrics",
                r#"{"Linen":"7713","Wool":"7714","Silk":"7715","Jute":"7716"}"#,
                answers,
            ),
            ("ask_docs", r#""Keys rotate every week.""#, After::default()),
        ] {
            assert_eq!(excused(tool, result, after), None, "{tool}: {result}");
        }
    }
}
