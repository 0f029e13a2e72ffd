//! Names as texts write them: words with capitals that stand next to each other.

use super::token::{Token, TokenKind, tokens};
use super::word_list::WordList;

/// A word that begins with a capital.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameWord<'t> {
    /// The word.
    pub text: &'t str,
    /// Where it starts, in bytes.
    pub start: usize,
}

/// Words with capitals that only spaces part: `Raj Brown`, `New York`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameRun<'t> {
    /// The words, at least one.
    pub words: Vec<NameWord<'t>>,
    /// What stands before them.
    pub place: NamePlace,
}

/// What stands before words with capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamePlace {
    /// A label that says whose name it is: `Passenger: `.
    Label,
    /// A word in lower case, a comma or a greeting: the capital is not that of a sentence.
    Sentence,
    /// Anything else: the first capital may be that of a sentence.
    Start,
}

/// Words before a person, which begin with a capital themselves.
static GREETINGS: WordList = WordList::of(
    "hi hello hey dear thanks hallo liebe lieber bonjour cher chère hola estimado estimada hei kjære",
);

/// Labels before the name of a person.
static LABELS: WordList = WordList::of(
    "name names passenger passengers customer client guest guests traveler traveller user contact author \
    owner assignee patient recipient sender organizer host attendee attendees member employee student kunde gast \
    fahrgast nom client passager nombre cliente pasajero navn kunde passasjer",
);

/// The runs of words with capitals of `text`.
pub fn capitalized_runs(text: &str) -> Vec<NameRun<'_>> {
    let tokens = tokens(text);
    let mut runs: Vec<NameRun<'_>> = Vec::new();
    let mut goes_on = false;
    for (at, token) in tokens.iter().enumerate() {
        let end = at.checked_sub(1).map_or(0, |before| tokens[before].end());
        goes_on &= !token.glued && !text[end..token.start].contains('\n');
        if !is_capitalized(token) {
            goes_on = false;
            continue;
        }
        let word = NameWord {
            text: token.text,
            start: token.start,
        };
        match runs.last_mut().filter(|_| goes_on) {
            Some(run) => run.words.push(word),
            None => runs.push(NameRun {
                words: vec![word],
                place: place(&tokens[..at], token, text),
            }),
        }
        // A greeting is no part of the name after it.
        goes_on = !token.says_one_of(&GREETINGS);
    }
    runs
}

fn place(before: &[Token<'_>], token: &Token<'_>, text: &str) -> NamePlace {
    let Some(last) = before.last() else {
        return NamePlace::Start;
    };
    let is_new_line = text[last.end()..token.start].contains('\n');
    let is_word =
        last.kind == TokenKind::Letters && (!is_capitalized(last) || last.says_one_of(&GREETINGS));
    let mut marks = before
        .iter()
        .rev()
        .filter(|token| !token.is('*') && !token.is('_'));
    let is_label = marks.next().is_some_and(|mark| mark.is(':'))
        && marks.next().is_some_and(|label| label.says_one_of(&LABELS));
    if is_new_line {
        NamePlace::Start
    } else if is_label {
        NamePlace::Label
    } else if !token.glued && (is_word || last.is(',')) {
        NamePlace::Sentence
    } else {
        NamePlace::Start
    }
}

fn is_capitalized(token: &Token<'_>) -> bool {
    token.kind == TokenKind::Letters && token.text.starts_with(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_with_capitals_are_a_run() {
        use NamePlace::{Label, Sentence, Start};
        let text =
            "Dear Raj Brown, you and Mia\nLi fly to New York (JFK).\n- **Passenger:** Kim Li, Al";
        let runs: Vec<(NamePlace, Vec<&str>)> = capitalized_runs(text)
            .iter()
            .map(|run| (run.place, run.words.iter().map(|word| word.text).collect()))
            .collect();
        assert_eq!(
            runs,
            [
                (Start, vec!["Dear"]),
                (Sentence, vec!["Raj", "Brown"]),
                (Sentence, vec!["Mia"]),
                (Start, vec!["Li"]),
                (Sentence, vec!["New", "York"]),
                (Start, vec!["JFK"]),
                (Start, vec!["Passenger"]),
                (Label, vec!["Kim", "Li"]),
                (Sentence, vec!["Al"]),
            ]
        );
    }
}
