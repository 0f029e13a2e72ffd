//! Names that stand where a result has a name, but differently.

use super::evidence::{Evidence, Known};
use crate::facts::{NamePlace, NameRun, TextId, Texts, Token, TokenKind, capitalized_runs};

/// How alike a word beside a known name must be to another one for it to be that name misspelt, from 0 to
/// 1.
const ALIKE: f64 = 0.5;

/// How alike a word must be that stands alone.
const ALIKE_ALONE: f64 = 0.7;

/// Shorter words are initials and particles.
const SHORTEST: usize = 3;

/// Shorter words that stand alone are mostly other words.
const SHORTEST_ALONE: usize = 4;

/// How many runs of words with unknown ones are judged, and how many of those in each.
const MOST_RUNS: usize = 300;
const MOST_WORDS: usize = 20;

/// Words that stand after a label in place of a name: "Not provided".
const PLACEHOLDERS: [&str; 18] = [
    "not", "to", "be", "none", "no", "please", "pending", "unknown", "your", "the", "and", "first",
    "last", "full", "name", "both", "all", "same",
];

/// The words of `content`, which is the text `id`, that are no word of the evidence and stand in the place
/// of a name, each with the name that is meant: beside another name, alone but like one, or all that
/// follows a label such as `Passenger:`, where the evidence has names.
pub fn misnamed<'e, 'a>(
    content: &'a str,
    id: TextId,
    evidence: &'e mut Evidence<'a>,
    texts: &Texts<'a>,
) -> Vec<(Token<'a>, Option<&'e Known<'a>>)> {
    if !evidence.has_names() {
        return Vec::new();
    }
    evidence.read_words(texts);
    let evidence = &*evidence;
    let tokens = texts.tokens(id);
    match (0..tokens.len()).any(|at| may_be_suspect(tokens, at, evidence)) {
        true => judge_runs(content, tokens, evidence),
        false => Vec::new(),
    }
}

fn judge_runs<'e, 'a>(
    content: &'a str,
    tokens: &[Token<'a>],
    evidence: &'e Evidence<'a>,
) -> Vec<(Token<'a>, Option<&'e Known<'a>>)> {
    let runs = capitalized_runs(content, tokens);
    let suspects = runs.filter(|run| run.words.iter().any(|word| !evidence.holds_word(word)));
    suspects
        .take(MOST_RUNS)
        .flat_map(|run| judge(&run, evidence))
        .collect()
}

/// Whether the token at `at` may be a word that is judged, as few are: an unknown one with a capital that is
/// not just that of a sentence. Runs take longer to look for.
fn may_be_suspect(tokens: &[Token<'_>], at: usize, evidence: &Evidence<'_>) -> bool {
    let follows_word = || {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        before.is_some_and(|before| before.kind == TokenKind::Letters || before.is(','))
    };
    tokens[at].is_capitalized
        && tokens[at].text.len() >= SHORTEST
        && !evidence.holds_word(&tokens[at])
        && (follows_word() || tokens.get(at + 1).is_some_and(|token| token.is_capitalized))
}

fn judge<'e, 'a>(
    run: &NameRun<'_, 'a>,
    evidence: &'e Evidence<'a>,
) -> Vec<(Token<'a>, Option<&'e Known<'a>>)> {
    let is_unknown =
        |word: &&Token<'_>| !evidence.holds_word(word) && word.text.chars().count() >= SHORTEST;
    let is_named = || run.words.iter().any(|word| evidence.holds_name(word.text));
    let unknown = run.words.iter().filter(is_unknown).take(MOST_WORDS);
    let nearest =
        |word: &Token<'a>, alike| Some((*word, Some(evidence.nearest_name(word.text, alike)?)));
    match run.words {
        [word] if run.place() == NamePlace::Sentence => {
            let is_long = word.text.chars().count() >= SHORTEST_ALONE;
            let suspect = unknown.filter(|_| is_long);
            suspect
                .filter_map(|word| nearest(word, ALIKE_ALONE))
                .collect()
        }
        [_, _, ..] if is_named() => unknown.filter_map(|word| nearest(word, ALIKE)).collect(),
        [_, _] | [_, _, _]
            if run.place() == NamePlace::Label
                && !is_placeholder(run)
                && unknown.clone().count() == run.words.len() =>
        {
            let closest = |word: &Token<'a>| evidence.nearest_name(word.text, ALIKE);
            unknown.map(|word| (*word, closest(word))).collect()
        }
        _ => Vec::new(),
    }
}

fn is_placeholder(run: &NameRun<'_, '_>) -> bool {
    run.words.iter().any(|word| {
        let mut placeholders = PLACEHOLDERS.iter();
        placeholders.any(|placeholder| word.text.eq_ignore_ascii_case(placeholder))
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::super::evidence::Source;
    use super::super::testing::unsupported_after;
    use super::super::{Meanings, Speakers, Transcript};
    use super::*;
    use crate::model::testing::arena_json;
    use crate::model::{Role, ToolCall, Trajectory, Turn};

    proptest! {
        #[test]
        fn where_a_run_is_judged_there_is_a_suspect(
            words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..8),
        ) {
            let content = words.concat();
            let arena = Bump::new();
            let json = arena_json(&arena, r#"{"name":"Yara Garcia","note":"hi the of"}"#);
            let trajectory = Trajectory {
                turns: vec![Turn {
                    turn_id: 1,
                    role: Role::Agent,
                    content: &content,
                    timestamp: None,
                    tool_calls: vec![ToolCall {
                        result: Some(json),
                        ..ToolCall::default()
                    }],
                    extra: &[],
                }],
                ..Trajectory::default()
            };
            let mut meanings = Meanings::default();
            let transcript = Transcript::of(&trajectory, Speakers::All, &mut meanings.texts);
            let texts = &meanings.texts;
            let mut evidence = Evidence::default();
            evidence.add_values(transcript.result(0), texts, |_| Source::Text);
            evidence.read_words(texts);
            let tokens = texts.tokens(transcript.turns()[0]);
            let suspects = (0..tokens.len()).filter(|at| may_be_suspect(tokens, *at, &evidence));
            if suspects.count() == 0 {
                prop_assert!(judge_runs(&content, tokens, &evidence).is_empty(), "{content}");
            }
        }
    }

    /// What replies with names are made of.
    const WORDS: [&str; 16] = [
        " Yara",
        " Yaro",
        " Garcya",
        "Garcia",
        " Oleg Winter",
        " the",
        " of ",
        "of",
        ", ",
        ". ",
        "\n",
        "** ",
        "_",
        " Passenger: ",
        " Él",
        " Mr",
    ];

    const PROFILE: &str = r#"{"turn_id":1,"role":"user","content":"My profile, with Main Street, please."},
        {"turn_id":2,"role":"agent","tool_calls":[{"name":"profile","result":{"name":{"first_name":"Yara","last_name":"Garcia"},
            "friends":[{"name":"Mia Brown"}],"city":"Phoenix"}}]}"#;

    #[test]
    fn names_that_differ_are_found() {
        for (reply, expected) in [
            ("You are Yara Garcya.", vec!["Garcya → Garcia"]),
            ("Thank you, Yaro.", vec!["Yaro → Yara"]),
            ("Hi Yaro, welcome back.", vec!["Yaro → Yara"]),
            ("- **Passenger:** Oleg Winter", vec!["Oleg", "Winter"]),
        ] {
            assert_eq!(unsupported_after(PROFILE, reply), expected, "{reply}");
        }
    }

    #[test]
    fn known_names_and_other_words_are_not() {
        for reply in [
            "Thank you, Yara Garcia.",
            "Hi Yara, I booked Main Street for Mia.",
            "Larch trees grow in Marble Hill and in Berlin, Germany.",
            "Passenger: Mia Brown",
            "Name: Yara",
            "Name: Not Provided, passenger: To Be Confirmed",
            "Yard work is on Friday.",
            "Passenger: Please Confirm Now And Here",
            "Dear Customer, thank you for asking, Best Regards",
        ] {
            assert_eq!(unsupported_after(PROFILE, reply), [""; 0], "{reply}");
        }
    }
}
