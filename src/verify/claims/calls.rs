//! What a call is for, judging by the name of its tool, and what came back.

use super::words::{
    Deed, LIGHT, LOOKED_UP, OBTAINED, READ_NOUNS, READ_VERBS, Verb, is_in, noun_verb, object, verb,
};
use toolgauge_grounding::{Outcome, outcome_of, says_nothing_found};
use toolgauge_model::ToolCall;

/// What a tool is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It only looks: `get_order`, `searchFlights`.
    Reads,
    /// It changes something: `cancel_order`.
    Acts,
    /// It is named like a look-up but obtains something: `GetRide`.
    Obtains,
    /// It can do anything: `bash`.
    Runs,
    /// Its name does not show it: `f`.
    Unknown,
}

/// A tool as its name describes it.
#[derive(Debug)]
pub struct Tool {
    /// What it is for.
    pub purpose: Purpose,
    /// The actions in its name.
    verbs: Vec<Verb>,
    /// The other words of its name, in the singular.
    nouns: Vec<String>,
}

/// Words of tools that can do anything.
const EXECUTORS: &[&str] = &[
    "agent",
    "bash",
    "browser",
    "cell",
    "cmd",
    "code",
    "command",
    "computer",
    "exec",
    "execute",
    "interpreter",
    "javascript",
    "notebook",
    "powershell",
    "python",
    "repl",
    "run",
    "script",
    "shell",
    "sql",
    "task",
    "terminal",
    "test",
    "tests",
];

impl Tool {
    /// Reads the name of a tool.
    pub fn named(name: &str) -> Self {
        let words = name_words(name);
        let has = |list: &[&str]| words.iter().any(|word| is_in(list, word));
        let first = words
            .iter()
            .position(|word| is_in(READ_VERBS, word) || action(word).is_some());
        let reads =
            first.is_some_and(|at| is_in(READ_VERBS, &words[at]) && !is_check_in(&words[at..]));
        let purpose = match first {
            Some(at) if reads && words[at] == "get" && has(OBTAINED) && !has(LOOKED_UP) => {
                Purpose::Obtains
            }
            Some(_) if reads => Purpose::Reads,
            _ if is_executor(&words) => Purpose::Runs,
            Some(_) => Purpose::Acts,
            None if has(READ_NOUNS) => Purpose::Reads,
            None => Purpose::Unknown,
        };
        let mut named = words.iter().filter_map(|word| action(word));
        let main = named.next();
        let is_light = main.is_some_and(|main| is_in(LIGHT, main.base));
        let verbs = main.into_iter().chain(named.filter(|_| is_light)).collect();
        let nouns = words
            .iter()
            .filter(|word| !is_in(READ_VERBS, word) && verb(word).is_none());
        Self {
            purpose,
            verbs,
            nouns: nouns.map(|noun| singular(noun).to_owned()).collect(),
        }
    }

    /// Rates how well the claimed action fits this tool, from 0 (not at all) to 3 (the same verb).
    pub fn fit(&self, claimed: Verb) -> u8 {
        let by_verb = self.verbs.iter().map(|own| match (own.base, own.deed) {
            (base, _) if base == claimed.base => 3,
            (_, deed) if deed == claimed.deed => 2,
            (_, deed) if are_related(deed, claimed.deed) => 1,
            _ => 0,
        });
        let by_purpose = match self.purpose {
            Purpose::Obtains if matches!(claimed.deed, Deed::Book | Deed::Pay | Deed::Create) => 2,
            Purpose::Runs | Purpose::Unknown => 1,
            Purpose::Obtains | Purpose::Acts | Purpose::Reads => 0,
        };
        by_verb.max().unwrap_or(0).max(by_purpose)
    }

    /// Returns the known things that the name of the tool contains.
    pub fn objects(&self) -> impl Iterator<Item = &'static str> {
        self.nouns.iter().filter_map(|noun| object(noun))
    }

    /// Returns whether a sentence with these words names what the tool is about.
    pub fn is_about<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> bool {
        let mut words = words.into_iter();
        words.any(|word| self.nouns.iter().any(|noun| noun == singular(word)))
    }
}

fn action(word: &str) -> Option<Verb> {
    verb(word).or_else(|| noun_verb(word))
}

/// Returns whether the name means checking in: `check_in_passenger` acts, although "check" reads.
fn is_check_in(words: &[String]) -> bool {
    matches!(words, [first, second, ..] if first == "check" && matches!(second.as_str(), "in" | "out"))
}

fn is_executor(words: &[String]) -> bool {
    words.iter().any(|word| is_in(EXECUTORS, word))
        && !matches!(words, [first, ..] if matches!(first.as_str(), "add" | "cancel" | "create" | "delete" | "update"))
}

/// Returns whether replies may report actions of one kind as the other: a reservation is paid, a return is
/// refunded.
fn are_related(a: Deed, b: Deed) -> bool {
    use Deed::{Book, Cancel, Change, Confirm, Create, Delete, Pay, Play, Refund, Send};
    let is_one_way = |a, b| {
        matches!(
            (a, b),
            (Book, Create | Pay | Change | Send)
                | (Cancel, Delete | Refund)
                | (Create, Change | Send)
                | (Delete, Change)
                | (Pay, Refund | Send | Create)
                | (Refund, Send | Create | Change)
                | (Play, Create | Change)
                | (
                    Confirm,
                    Book | Cancel | Change | Create | Delete | Pay | Play | Refund | Send
                )
        )
    };
    is_one_way(a, b) || is_one_way(b, a)
}

/// Returns the words of a tool's name in lower case, without the name of its server.
fn name_words(name: &str) -> Vec<String> {
    let last = name.rsplit("__").next().unwrap_or(name);
    let last = last.rsplit(['.', '/', ':']).next().unwrap_or(last);
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    let mut starts = true;
    let mut letters = last.chars().peekable();
    while let Some(letter) = letters.next() {
        if !letter.is_alphanumeric() {
            starts = true;
            continue;
        }
        let next_is_lower = letters.peek().is_some_and(|next| next.is_lowercase());
        starts |= letter.is_uppercase() && (was_lower || next_is_lower);
        if starts {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        was_lower = letter.is_lowercase() || letter.is_numeric();
        starts = false;
    }
    words
}

/// Returns `word` without the ending of the plural.
pub fn singular(word: &str) -> &str {
    match word {
        _ if word.len() < 4 || word.ends_with("ss") || word.ends_with("us") => word,
        _ if word.ends_with("ches") || word.ends_with("shes") => &word[..word.len() - 2],
        _ => word.strip_suffix('s').unwrap_or(word),
    }
}

/// The outcome of a call, as a reply may report it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// An error, with its message.
    Error(String),
    /// An answer that reports an empty result.
    Nothing,
    /// An answer.
    Something,
    /// The log does not show it.
    Unknown,
}

impl Came {
    /// Returns the outcome of `call`.
    pub fn of(call: &ToolCall<'_>) -> Self {
        match outcome_of(call) {
            Outcome::Error(said) => Self::Error(said),
            _ if says_nothing_found(call) => Self::Nothing,
            Outcome::Empty => Self::Nothing,
            Outcome::Success => Self::Something,
            Outcome::Missing | Outcome::Malformed(_) => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::words::past;
    use super::*;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn the_purpose_of_a_tool_follows_from_its_name() {
        use Purpose::{Acts, Obtains, Reads, Runs, Unknown};
        let cases = [
            ("get_invoice", Reads),
            ("mcp__crm__deleteContact", Acts),
            ("SearchHotels", Reads),
            ("GetTaxi", Obtains),
            ("get_support_ticket_details", Reads),
            ("getTickets_available", Reads),
            ("bash", Runs),
            ("execute_sql", Runs),
            ("run_tests", Runs),
            ("HTTPPost", Acts),
            ("currentWeather", Reads),
            ("check_in_guest", Acts),
            ("check_balance", Reads),
            ("SeatReservation", Acts),
            ("functions.send_sms", Acts),
            ("foo", Unknown),
        ];
        for (name, purpose) in cases {
            assert_eq!(Tool::named(name).purpose, purpose, "{name}");
        }
    }

    #[test]
    fn claims_fit_tools_with_the_same_action() {
        let fit = |name: &str, word: &str| {
            let verb = past(word).unwrap_or_else(|| panic!("{word} is an action"));
            Tool::named(name).fit(verb)
        };
        assert_eq!(fit("cancel_order", "cancelled"), 3);
        assert_eq!(fit("BuyTrainTicket", "booked"), 2);
        assert_eq!(fit("return_items", "submitted"), 1);
        assert_eq!(fit("send_email", "deleted"), 0);
        assert!(Tool::named("list_invoices").is_about(["the", "invoice"]));
        assert!(!Tool::named("list_invoices").is_about(["the", "order"]));
    }

    #[test]
    fn empty_results_are_recognized() {
        let came = |result: &str| {
            let arena = Bump::new();
            Came::of(&ToolCall {
                result: Some(arena_json(&arena, result)),
                ..ToolCall::default()
            })
        };
        for result in [
            "[]",
            "null",
            r#"{"items":[],"total":0}"#,
            r#"{"found":false}"#,
            r#"{"customers":[]}"#,
            r#"{"data":{"rows":[]}}"#,
            r#""No invoices found""#,
        ] {
            assert_eq!(came(result), Came::Nothing, "{result}");
        }
        for result in [
            r#"{"items":[1],"total":1}"#,
            r#"{"id":7,"notes":[]}"#,
            r#""No smoking. Rooms are available from 3 pm on; the pool opens at 8.""#,
            "false",
        ] {
            assert_ne!(came(result), Came::Nothing, "{result}");
        }
    }
}
