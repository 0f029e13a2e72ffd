//! Decides how a reply presents a list: as complete, or as a selection.

use super::items::{List, stem};
use super::tokens::words_in;
use super::words::{CHOOSES, GOES_ON, LIMITS, PRESENTS, STATES};

/// How the words before a list present it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// As complete.
    Whole,
    /// As the content of one record: only its name precedes the list.
    Record,
    /// As a selection.
    Choice,
    /// Neither.
    Open,
}

/// Number words that count items.
const COUNTS: [(&str, usize); 23] = [
    ("both", 2),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("zwei", 2),
    ("drei", 3),
    ("vier", 4),
    ("deux", 2),
    ("trois", 3),
    ("quatre", 4),
    ("dos", 2),
    ("tres", 3),
    ("cuatro", 4),
    ("tre", 3),
    ("fire", 4),
];

/// What else decides how a list is presented, besides the words before it.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'l> {
    /// The list.
    pub list: &'l List,
    /// How many items the reply names.
    pub named: usize,
    /// Whether the agent looked at the missing items, and so knows their state.
    pub knows_state: bool,
}

/// Returns how `heading` presents the named items of a list.
pub fn frame_of(heading: &str, setting: Setting<'_>) -> Frame {
    let sentences = super::entries::sentences_of(heading).into_iter();
    let frames = sentences.filter_map(|sentence| frame_of_sentence(&heading[sentence], setting));
    let mut last = Frame::Open;
    for frame in frames {
        last = match (last, frame) {
            (_, Frame::Choice) | (Frame::Choice, _) => Frame::Choice,
            (Frame::Whole, _) | (_, Frame::Whole) => Frame::Whole,
            (Frame::Open | Frame::Record, other) => other,
        };
    }
    last
}

/// How the words before a list end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// With the end of the line or a colon.
    Label,
    /// With a form of "to be".
    Verb,
    /// Within a sentence.
    Other,
}

fn ending_of(sentence: &str) -> Ending {
    const ARE: &[&str] = &["are", "er", "is", "sind", "son", "sont", "was", "were"];
    let text =
        sentence.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ':' | '\n'));
    let last = text.split_whitespace().next_back().unwrap_or_default();
    match text {
        _ if text.ends_with([':', '\n']) => Ending::Label,
        _ if ARE.contains(&last) => Ending::Verb,
        _ => Ending::Other,
    }
}

/// Words that introduce the order of a list.
const ORDERS: &[&str] = &[
    "geordnet",
    "ordenadas",
    "ordenados",
    "ordered",
    "ranked",
    "sorted",
    "sorterte",
    "sortert",
    "sortiert",
    "triées",
    "triés",
];

/// Returns how a sentence presents the named items; `None` if it asks for something.
fn frame_of_sentence(sentence: &str, setting: Setting<'_>) -> Option<Frame> {
    let Setting {
        list,
        named,
        knows_state,
    } = setting;
    let mut words = words_in(sentence);
    if let Some(order) = words
        .iter()
        .position(|word| ORDERS.contains(&word.as_str()))
    {
        words.truncate(order);
    }
    let asks = ["if", "let", "please", "note", "would", "could", "which"];
    let is_aside = words
        .first()
        .is_some_and(|first| asks.contains(&first.as_str()))
        || sentence.ends_with('?');
    let denies = [
        "no", "none", "not", "keine", "aucun", "aucune", "ningún", "ninguna", "ingen",
    ];
    let is_aside = is_aside || words.iter().any(|word| denies.contains(&word.as_str()));
    if is_aside && !sentence.trim_end().ends_with(':') {
        return None;
    }
    let selects = CHOOSES.iter().any(|phrase| has(&words, phrase))
        || words.iter().any(|word| is_superlative(word))
        || has_limit(&words);
    if selects || (knows_state && names_state(&words, list)) {
        return Some(Frame::Choice);
    }
    let counts: Vec<_> = counts_in(&words, &list.nouns).collect();
    if counts.contains(&list.items.len()) {
        return Some(Frame::Whole);
    }
    let presents = PRESENTS.iter().any(|phrase| has(&words, phrase));
    if counts.contains(&named) {
        let asserts = ["you have", "there are", "all"]
            .iter()
            .any(|phrase| has(&words, phrase));
        return Some(if asserts { Frame::Whole } else { Frame::Choice });
    }
    let is_noun = |word: &String| list.nouns.contains(&stem(word.clone()));
    let is_near = words.iter().rev().take(3).any(is_noun);
    let has_noun = words.iter().any(is_noun);
    let is_subject = words.iter().take(5).any(is_noun);
    let is_name = match ending_of(sentence) {
        Ending::Label => is_near || (words.len() <= 8 && has_noun),
        Ending::Verb => is_near || is_subject,
        Ending::Other => false,
    };
    Some(if presents || is_name {
        Frame::Whole
    } else {
        Frame::Open
    })
}

/// Returns whether a word such as `under` precedes a number.
fn has_limit(words: &[String]) -> bool {
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    LIMITS.iter().any(|phrase| {
        let count = phrase.split(' ').count();
        places_of(words, phrase).any(|at| words[at + count..].iter().take(2).any(is_number))
    })
}

/// Returns whether a state precedes the name of the items: `your pending orders`.
fn names_state(words: &[String], list: &List) -> bool {
    let is_thing = |word: &String| word.ends_with('s') || list.nouns.contains(&stem(word.clone()));
    STATES
        .iter()
        .any(|state| places_of(words, state).any(|at| words[at + 1..].iter().take(3).any(is_thing)))
}

/// Returns whether a word is an English superlative: `biggest`.
fn is_superlative(word: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "arrest", "conquest", "contest", "digest", "earnest", "forest", "guest", "harvest",
        "honest", "interest", "invest", "manifest", "protest", "request", "suggest", "tempest",
    ];
    word.len() >= 6 && word.ends_with("est") && !OTHERS.contains(&word) && !word.ends_with("quest")
}

/// Returns the numbers in `words` that count items: those followed by a plural within three words, or by a
/// noun of the list.
fn counts_in<'w>(words: &'w [String], nouns: &'w [String]) -> impl Iterator<Item = usize> {
    words.iter().enumerate().filter_map(|(at, word)| {
        let count = count_of(word)?;
        let next = words[at + 1..].iter().take(3);
        let counts = next.into_iter().any(|next| {
            next.ends_with('s')
                || next == "item"
                || next == "day"
                || nouns.contains(&stem(next.clone()))
        });
        counts.then_some(count)
    })
}

fn count_of(word: &str) -> Option<usize> {
    let named = COUNTS.iter().find(|(name, _)| *name == word);
    named.map(|(_, count)| *count).or_else(|| word.parse().ok())
}

/// Returns whether the words after a list announce more items.
pub fn goes_on(after: &str) -> bool {
    let words = words_in(after);
    GOES_ON.iter().any(|phrase| has(&words, phrase))
        || words
            .windows(2)
            .any(|pair| pair[1] == "more" && count_of(&pair[0]).is_some())
}

/// General nouns for the items of any list, in the singular.
const THINGS: &[&str] = &[
    "choice",
    "example",
    "fact",
    "idea",
    "item",
    "match",
    "one",
    "option",
    "place",
    "recommendation",
    "result",
    "suggestion",
    "thing",
];

/// Returns whether a reply counts two items of a list but names only the first.
pub fn begins_to_count(words: &[&str], list: &List) -> bool {
    const FIRST: &[&str] = &[
        "first",
        "erste",
        "premier",
        "première",
        "primero",
        "primera",
        "første",
    ];
    const SECOND: &[&str] = &[
        "2",
        "also",
        "andere",
        "another",
        "auch",
        "aussi",
        "autre",
        "deuxième",
        "last",
        "latter",
        "next",
        "one of",
        "or",
        "other",
        "otra",
        "otro",
        "også",
        "second",
        "segunda",
        "segundo",
        "también",
        "two of",
        "zweite",
    ];
    let owned: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let counted = owned
        .iter()
        .position(|word| count_of(word) == Some(list.items.len()));
    let Some(at) = counted.filter(|at| {
        words[at + 1..]
            .iter()
            .take(4)
            .any(|word| word.ends_with('s') || is_thing(word, list))
    }) else {
        return false;
    };
    let after = &owned[at + 1..];
    let begins = after.iter().any(|word| FIRST.contains(&word.as_str()));
    begins && !SECOND.iter().any(|phrase| has(after, phrase))
}

/// Returns whether a heading names items in the plural and ends with a colon: a single item after it is too
/// few.
pub fn is_plural_label(heading: &str, list: &List) -> bool {
    let words = words_in(heading);
    let is_plural =
        |word: &String| word.ends_with('s') && stem(word.clone()) != *word && is_thing(word, list);
    heading.trim_end().ends_with(':')
        && (words.iter().any(is_plural)
            || ["following", "here are", "these are"]
                .iter()
                .any(|phrase| has(&words, phrase)))
}

/// Returns whether a reply says that it names a part of a list: `some of your orders`.
pub fn names_part(words: &[&str], list: &List) -> bool {
    const PARTS: &[&str] = &[
        "algunas", "algunos", "einige", "few", "noen", "part", "quelques", "several", "some",
    ];
    const OF: &[&str] = &["af", "av", "de", "der", "des", "of", "uns", "von"];
    let is_thing = |word: &&str| is_thing(word, list);
    words.windows(2).enumerate().any(|(at, pair)| {
        PARTS.contains(&pair[0])
            && OF.contains(&pair[1])
            && words[at + 2..].iter().take(6).any(is_thing)
    })
}

/// Returns whether a word names the items of the list.
fn is_thing(word: &str, list: &List) -> bool {
    let word = stem(word.to_owned());
    THINGS.contains(&word.as_str()) || list.nouns.contains(&word)
}

/// Returns whether a request asks for exactly `named` items of a longer list.
pub fn asks_for(request: &str, list: &List, named: usize) -> bool {
    let words = words_in(request);
    let is_thing = |word: &String| is_thing(word, list);
    named < list.items.len()
        && words.iter().enumerate().any(|(at, word)| {
            count_of(word) == Some(named) && words[at + 1..].iter().take(3).any(is_thing)
        })
}

/// Returns whether `words` contain those of `phrase` in a row.
fn has(words: &[String], phrase: &str) -> bool {
    places_of(words, phrase).next().is_some()
}

/// Returns the places where `words` contain those of `phrase` in a row.
fn places_of<'w>(words: &'w [String], phrase: &'w str) -> impl Iterator<Item = usize> {
    let windows = words.windows(phrase.split(' ').count()).enumerate();
    windows
        .filter(|(_, window)| {
            window
                .iter()
                .zip(phrase.split(' '))
                .all(|(word, part)| word == part)
        })
        .map(|(at, _)| at)
}
