//! Numbers in words that count what was returned: "I found five results", "the plan has four parts".
//!
//! Most numbers in words count something that no result contains, so they are weak signals on their own. They are as
//! strong as figures if the reply says how much was found, or if the evidence has a different number of the same thing.

use super::evidence::Evidence;
use super::listed::{are_called_for, are_keyed, list_fewer};
use toolgauge_facts::{Fact, FactKind, FactValue, Token, TokenKind, WordList, small_number_words};
use toolgauge_model::{Json, Member, ToolCall, singular, words_of};

/// Words that introduce what was returned.
static FOUND: WordList = WordList::of(
    "found finds find returned returns located identified retrieved matched listed lists gefunden trouvé encontré \
    encontrado",
);

/// Words that may come between a word of [`FOUND`] and the number, or between the number and what it counts.
static BETWEEN: WordList =
    WordList::of("a the these those following a total of about exactly only also us you him");

/// Nouns that a reply counts when it presents a list.
static LISTED: WordList = WordList::of(
    "entries entry hits items match matches options records results rows ergebnisse treffer résultats resultados",
);

/// Words before a number that introduce a list.
static THERE: WordList = WordList::of("are were is have has got here gibt es a hay");

/// Words that are never counted.
static FUNCTION: WordList = WordList::of(
    "a and are as at but by for from in is it more no not of on one or other out than that the these they this those to \
    was were which with you",
);

/// The figures that the evidence may have before the same noun. Numbers in words are added in many languages.
const FIGURES: [&str; 12] = [
    "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12",
];

/// The largest number that may count what a tool lists.
const LARGEST: f64 = 50.0;

/// The most members of a result that are read.
const MOST_MEMBERS: usize = 100;

/// How many tokens on each side of a number are read.
const NEAR: usize = 3;

/// Checks whether `fact`, which has no evidence, is a number in words that counts what `calls` returned, or for which
/// the evidence has a different number. `tokens` are the tokens of its text.
pub fn is_count(
    fact: &Fact<'_>,
    tokens: &[Token<'_>],
    calls: &[&ToolCall<'_>],
    evidence: Evidence<'_>,
) -> bool {
    if fact.kind != FactKind::Number || fact.text.contains(|c: char| !c.is_alphabetic()) {
        return false;
    }
    let at = tokens.partition_point(|token| token.start < fact.start);
    let (before, after) = tokens.split_at(at.min(tokens.len()));
    let Some(counted) = after.get(1).filter(|token| {
        token.kind == TokenKind::Letters && !token.glued && !token.says_one_of(&FUNCTION)
    }) else {
        return false;
    };
    let is_presented = || is_presented(before, &after[1..], calls);
    is_presented() || is_counted_otherwise(counted, evidence) || are_keyed(calls, counted.text)
}

/// Checks whether `fact` is a number that says how much was found although `calls` returned fewer and don't contain
/// this number. `tokens` are the tokens of its text.
pub fn exceeds(
    fact: &Fact<'_>,
    tokens: &[Token<'_>],
    calls: &[&ToolCall<'_>],
    evidence: Evidence<'_>,
) -> bool {
    let Some(count) = count_of(fact).filter(|_| !calls.is_empty()) else {
        return false;
    };
    let at = tokens.partition_point(|token| token.start < fact.start);
    let (before, after) = tokens.split_at(at.min(tokens.len()));
    let length = after
        .iter()
        .take_while(|token| token.start < fact.end())
        .count();
    let after = &after[length..];
    let Some(counted) = after.first().filter(|token| is_thing(token)) else {
        return false;
    };
    let mut words = before.iter().rev().take(NEAR);
    let near = words.find(|word| !word.says_one_of(&BETWEEN));
    let things = || after.iter().take(NEAR).take_while(|token| is_thing(token));
    let is_returned = || {
        things().any(|thing| {
            thing.says_one_of(&LISTED)
                || are_called_for(calls, thing.text)
                || calls.iter().any(|call| lists(call, thing))
        })
    };
    near.is_some_and(|word| {
        word.says_one_of(&FOUND) || (word.says_one_of("are were") && is_returned())
    }) && list_fewer(calls, count)
        && !evidence.holds_words(&format!("{} {}", fact.text, counted.text))
}

/// Returns the count that a fact states, or `None` if it can't be a count.
fn count_of(fact: &Fact<'_>) -> Option<usize> {
    let is_plain =
        fact.kind == FactKind::Number && fact.text.bytes().all(|b| b.is_ascii_alphanumeric());
    match &fact.value {
        FactValue::Number(readings) if is_plain => {
            let count = *readings.first()?;
            ((2.0..=LARGEST).contains(&count) && count.fract() == 0.0).then_some(count as usize)
        }
        FactValue::Number(_) | FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => None,
    }
}

/// Checks whether a word may be what is counted, or describe it.
fn is_thing(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Letters && !token.glued && !token.says_one_of(&FUNCTION)
}

/// Checks whether the words around a number say that `calls` returned this many.
fn is_presented(before: &[Token<'_>], after: &[Token<'_>], calls: &[&ToolCall<'_>]) -> bool {
    let mut words = before.iter().rev().take(NEAR);
    let near = words.find(|word| !word.says_one_of(&BETWEEN));
    let is_listed = || {
        let mut words = after.iter().take(NEAR);
        words.any(|word| word.says_one_of(&LISTED) || calls.iter().any(|call| lists(call, word)))
    };
    let has_list = || calls.iter().any(|call| has_list(call));
    near.is_some_and(|word| word.says_one_of(&FOUND) || (word.says_one_of(&THERE) && is_listed()))
        && has_list()
}

/// Checks whether the result of a call is a list or contains one.
fn has_list(call: &ToolCall<'_>) -> bool {
    let result = call.result.unwrap_or_default();
    is_list(result)
        || members(call).iter().any(|(_, value)| is_list(*value))
        || result.as_str().is_some_and(has_lines)
}

/// Checks whether the result of a call contains a list under a key that `word` names.
fn lists(call: &ToolCall<'_>, word: &Token<'_>) -> bool {
    members(call).iter().any(|(key, value)| {
        let name = words_of(key).pop().map(singular);
        is_list(*value) && name == Some(singular(word.text.to_lowercase()))
    })
}

fn members<'a>(call: &ToolCall<'a>) -> &'a [Member<'a>] {
    let members = call.result.and_then(Json::members).unwrap_or_default();
    &members[..members.len().min(MOST_MEMBERS)]
}

/// Checks whether a plain-text result has several lines, like the output of a search.
fn has_lines(text: &str) -> bool {
    text.trim().lines().nth(1).is_some()
}

fn is_list(json: Json<'_>) -> bool {
    json.items().is_some_and(|items| !items.is_empty())
}

/// Checks whether the evidence has a number before the same noun: "four" before "chambers".
fn is_counted_otherwise(counted: &Token<'_>, evidence: Evidence<'_>) -> bool {
    let mut numbers = FIGURES
        .into_iter()
        .chain(["one"])
        .chain(small_number_words());
    numbers.any(|number| evidence.holds_words(&format!("{number} {}", counted.text)))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::{Grounding, THRESHOLD, score};
    use toolgauge_formats::import_trajectory;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn is_flagged(result: &str, reply: &str) -> bool {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = format!(
            r#"[{{"turn_id":1,"role":"user","content":"Look them up."}},
                {{"turn_id":2,"role":"agent","content":"","tool_calls":[{{"name":"f","arguments":{{}},"result":{result}}}]}},
                {{"turn_id":3,"role":"agent","content":"{reply}"}}]"#
        );
        let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
            .expect("turns")
            .value;
        score(&Grounding::of(&trajectory).replies[0]) > THRESHOLD
    }

    #[test]
    fn counts_of_what_was_returned_are_checked() {
        let list = r#"[{"a":"x"},{"a":"y"},{"a":"z"}]"#;
        for reply in [
            "I found five trails.",
            "There are five results.",
            "The search returned seven rows.",
        ] {
            assert!(is_flagged(list, reply), "{reply}");
        }
        for reply in [
            "I found three trails.",
            "There are five ways to get there.",
            "Give me five minutes.",
        ] {
            assert!(!is_flagged(list, reply), "{reply}");
        }
        assert!(!is_flagged(r#"{"text":"x y z"}"#, "I found five trails."));
    }

    #[test]
    fn more_than_a_list_has_is_found_although_the_number_stands_elsewhere() {
        let list = r#"[{"trail":"Fern Loop","km":12.5},{"trail":"Ridge Way 9","km":8}]"#;
        for reply in ["I found 5 trails.", "I found 7 trails for you."] {
            assert!(is_flagged(list, reply), "{reply}");
        }
        let paged = r#"{"total":7,"trails":[{"trail":"Fern Loop"},{"trail":"Ridge Way"}]}"#;
        for reply in [
            "I found 7 trails.",
            "There are 2 trails.",
            "I found 2 trails and 1 map.",
        ] {
            assert!(!is_flagged(paged, reply), "{reply}");
        }
        let elsewhere =
            r#"{"asked":"within 7.0 km","trails":[{"trail":"Fern Loop"},{"trail":"Ridge Way"}]}"#;
        assert!(!is_flagged(elsewhere, "There are 7 trails."));
    }

    #[test]
    fn lines_of_plain_text_are_a_list() {
        let lines = r#""lib/a.rs:4: retry\nlib/b.rs:9: retry\nlib/c.rs:1: retry""#;
        assert!(is_flagged(lines, "I found six matches."));
        assert!(!is_flagged(lines, "I found three matches."));
    }

    #[test]
    fn a_key_has_another_number_of_the_same_thing() {
        let result = r#"{"cabin":{"bunks":4,"snow_ft":2,"wait_hours":2}}"#;
        for reply in ["It has six bunks.", "Expect five feet of snow."] {
            assert!(is_flagged(result, reply), "{reply}");
        }
        for reply in [
            "It has four bunks.",
            "Expect two feet of snow.",
            "The path takes five hours.",
            "Here are seven tips.",
        ] {
            assert!(!is_flagged(result, reply), "{reply}");
        }
    }

    #[test]
    fn numbers_in_words_of_other_languages_are_compared() {
        let text = r#"{"text":"Der Rumpf hat vier Kammern, le bateau a trois mâts."}"#;
        for reply in ["Der Rumpf hat sechs Kammern.", "Le bateau a cinq mâts."] {
            assert!(is_flagged(text, reply), "{reply}");
        }
        for reply in ["Der Rumpf hat vier Kammern.", "Le bateau a trois mâts."] {
            assert!(!is_flagged(text, reply), "{reply}");
        }
    }

    #[test]
    fn percentages_in_words_are_compared() {
        let result = r#"{"discount":0.25}"#;
        assert!(is_flagged(result, "You save forty percent."));
        assert!(!is_flagged(result, "You save twenty-five percent."));
    }

    #[test]
    fn another_number_of_the_same_thing_is_checked() {
        let text = r#"{"text":"The hull has four chambers and two of the pumps run."}"#;
        assert!(is_flagged(text, "The hull has six chambers."));
        for reply in [
            "The hull has four chambers.",
            "The hull has six windows.",
            "It is six of those.",
        ] {
            assert!(!is_flagged(text, reply), "{reply}");
        }
    }
}
