//! Names as texts write them: words with capitals that stand next to each other.

use super::token::{Token, TokenKind};
use super::word_list::WordList;

/// Words with capitals that only spaces part: `Raj Brown`, `New York`.
#[derive(Debug, Clone, Copy)]
pub struct NameRun<'k, 't> {
    /// The words, at least one.
    pub words: &'k [Token<'t>],
    /// The tokens before them.
    before: &'k [Token<'t>],
    text: &'t str,
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

/// The runs of words with capitals of `text`, whose tokens are `tokens`.
pub fn capitalized_runs<'k, 't>(
    text: &'t str,
    tokens: &'k [Token<'t>],
) -> impl Iterator<Item = NameRun<'k, 't>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += tokens[at..].iter().position(|token| token.is_capitalized)?;
        let length = run_length(text, &tokens[at..]);
        let run = NameRun {
            words: &tokens[at..at + length],
            before: &tokens[..at],
            text,
        };
        at += length;
        Some(run)
    })
}

/// How many words with capitals stand at the start of `tokens`, of which the first is one.
fn run_length(text: &str, tokens: &[Token<'_>]) -> usize {
    let goes_on = |pair: &&[Token<'_>]| {
        // A greeting is no part of the name after it.
        pair[1].is_capitalized
            && !pair[1].glued
            && !is_new_line(text, &pair[0], &pair[1])
            && !pair[0].says_one_of(&GREETINGS)
    };
    1 + tokens.windows(2).take_while(goes_on).count()
}

fn is_new_line(text: &str, before: &Token<'_>, token: &Token<'_>) -> bool {
    text[before.end()..token.start].contains('\n')
}

impl NameRun<'_, '_> {
    /// What stands before the words.
    pub fn place(&self) -> NamePlace {
        let (Some(last), first) = (self.before.last(), &self.words[0]) else {
            return NamePlace::Start;
        };
        let is_word = last.kind == TokenKind::Letters
            && (!last.is_capitalized || last.says_one_of(&GREETINGS));
        let mut marks = self
            .before
            .iter()
            .rev()
            .filter(|token| !token.is('*') && !token.is('_'));
        let is_label = marks.next().is_some_and(|mark| mark.is(':'))
            && marks.next().is_some_and(|label| label.says_one_of(&LABELS));
        if is_new_line(self.text, last, first) {
            NamePlace::Start
        } else if is_label {
            NamePlace::Label
        } else if !first.glued && (is_word || last.is(',')) {
            NamePlace::Sentence
        } else {
            NamePlace::Start
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::token::tokens;
    use super::*;

    #[test]
    fn neighbours_with_capitals_are_a_run() {
        use NamePlace::{Label, Sentence, Start};
        let text =
            "Dear Raj Brown, you and Mia\nLi fly to New York (JFK).\n- **Passenger:** Kim Li, Al";
        let tokens = tokens(text);
        let runs: Vec<(NamePlace, Vec<&str>)> = capitalized_runs(text, &tokens)
            .map(|run| {
                let words = run.words.iter().map(|word| word.text);
                (run.place(), words.collect())
            })
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
