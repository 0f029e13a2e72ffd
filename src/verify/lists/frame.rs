//! How a reply presents a list: as whole, or as a choice.

use super::items::{List, stem};
use super::tokens::words_in;

/// How the words before a list present it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// As all that there is.
    Whole,
    /// As some of it.
    Choice,
    /// Neither.
    Open,
}

/// Phrases that present what follows as whole.
const PRESENTS: [&str; 58] = [
    "all",
    "are as follows",
    "are available",
    "are the",
    "are listed",
    "as follows",
    "below",
    "complete",
    "currently have",
    "du hast",
    "entire",
    "es gibt",
    "estas son",
    "estos son",
    "every",
    "folgende",
    "folgenden",
    "full",
    "following",
    "found",
    "have these",
    "her er",
    "here are",
    "here is",
    "here s",
    "hier ist",
    "hier sind",
    "i see",
    "il y a",
    "is available in",
    "listed",
    "located",
    "los siguientes",
    "on file",
    "on this account",
    "on your account",
    "on your profile",
    "por lo siguiente",
    "pulled",
    "retrieved",
    "returned",
    "siguientes",
    "sind verfügbar",
    "sont",
    "suivantes",
    "suivants",
    "there are",
    "there were",
    "these are",
    "these were",
    "tiene",
    "vous avez",
    "voici",
    "we have",
    "you currently have",
    "you had",
    "you have",
    "you ve got",
];

/// Words that present what follows as a choice.
const CHOOSES: [&str; 98] = [
    "affordable",
    "after",
    "alternative",
    "alternatives",
    "among",
    "another",
    "at least",
    "at most",
    "auswahl",
    "beispiel",
    "best",
    "between",
    "by example",
    "change",
    "changes",
    "cheaper",
    "cheapest",
    "chosen",
    "closest",
    "could",
    "couple",
    "e g",
    "earliest",
    "einige",
    "eligible",
    "ejemplo",
    "else",
    "except",
    "excluding",
    "exemple",
    "fastest",
    "featured",
    "few",
    "first",
    "fit",
    "fits",
    "for example",
    "for instance",
    "highest",
    "highlights",
    "including",
    "includes",
    "incluyendo",
    "instead",
    "key",
    "larger",
    "largest",
    "latest",
    "less than",
    "like",
    "lowest",
    "main",
    "match",
    "matches",
    "matching",
    "meet",
    "meets",
    "more than",
    "most",
    "nearest",
    "newest",
    "noen",
    "nonstop options under",
    "notable",
    "one of",
    "only",
    "or",
    "other",
    "others",
    "over",
    "partial",
    "picks",
    "popular",
    "proposed",
    "qualify",
    "quelques",
    "recommend",
    "recommendations",
    "recommended",
    "related",
    "relevant",
    "remaining",
    "requested",
    "rest",
    "sample",
    "selected",
    "selection",
    "several of",
    "similar",
    "smaller",
    "some",
    "such as",
    "suggest",
    "suggested",
    "suitable",
    "top",
    "under",
    "within",
];

/// Words after a list that say that there is more.
const GOES_ON: [&str; 18] = [
    "among others",
    "and more",
    "and others",
    "and so on",
    "etc",
    "full list",
    "many more",
    "more available",
    "more items",
    "more options",
    "more results",
    "other options",
    "others",
    "remaining",
    "see more",
    "show more",
    "the rest",
    "und mehr",
];

/// The numbers that count items in words.
const COUNTS: [(&str, usize); 24] = [
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
    ("to", 2),
    ("tre", 3),
    ("fire", 4),
];

/// How `heading` presents `named` of the items of `list`.
pub fn frame_of(heading: &str, list: &List, named: usize) -> Frame {
    let words = words_in(heading);
    let all = list.items.len();
    let counts: Vec<_> = counts_in(&words, &list.nouns).collect();
    if CHOOSES.iter().any(|phrase| has(&words, phrase)) {
        return Frame::Choice;
    }
    if counts.contains(&all) {
        return Frame::Whole;
    }
    let presents = PRESENTS.iter().any(|phrase| has(&words, phrase));
    if counts.contains(&named) {
        let asserts = ["you have", "there are", "all"]
            .iter()
            .any(|phrase| has(&words, phrase));
        return if asserts { Frame::Whole } else { Frame::Choice };
    }
    let is_name = words.len() <= 8
        && words
            .iter()
            .any(|word| list.nouns.contains(&stem(word.clone())));
    match presents || is_name {
        true => Frame::Whole,
        false => Frame::Open,
    }
}

/// The numbers that count things among `words`: those before a plural within three words, or a noun of the list.
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

/// Whether the words after a list say that there is more.
pub fn goes_on(after: &str) -> bool {
    let words = words_in(after);
    GOES_ON.iter().any(|phrase| has(&words, phrase))
        || words
            .windows(2)
            .any(|pair| pair[1] == "more" && count_of(&pair[0]).is_some())
}

/// Whether a request asks for `named` items of a list, or for the best of it.
pub fn asks_for(request: &str, list: &List, named: usize) -> bool {
    let words = words_in(request);
    named < list.items.len() && counts_in(&words, &list.nouns).any(|count| count == named)
}

/// Whether `words` hold those of `phrase` in a row.
pub fn has(words: &[String], phrase: &str) -> bool {
    let count = phrase.split(' ').count();
    words.windows(count).any(|window| {
        window
            .iter()
            .zip(phrase.split(' '))
            .all(|(word, part)| word == part)
    })
}
