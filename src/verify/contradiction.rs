//! A result that says one thing and a response that says the other.

use crate::grounding::Outcome;

/// What a response claims about what was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Claim {
    /// That it worked.
    Success,
    /// That it failed.
    Failure,
    /// Neither, or both.
    Nothing,
}

/// Words that claim that something was done.
const SUCCESS: [&str; 34] = [
    "successfully",
    "successful",
    "has been",
    "have been",
    "was sent",
    "is confirmed",
    "confirmed",
    "completed",
    "done",
    "all set",
    "booked",
    "cancelled",
    "canceled",
    "updated",
    "created",
    "deleted",
    "saved",
    "sent",
    "scheduled",
    "refunded",
    "submitted",
    "processed",
    "added",
    "removed",
    "erfolgreich",
    "erledigt",
    "gebucht",
    "gesendet",
    "réussi",
    "envoyé",
    "éxito",
    "enviado",
    "vellykket",
    "sendt",
];

/// Words that claim that something failed.
const FAILURE: [&str; 28] = [
    "failed",
    "failure",
    "error",
    "errors",
    "unsuccessful",
    "went wrong",
    "not successful",
    "could not",
    "couldn't",
    "unable",
    "cannot",
    "can't",
    "did not work",
    "didn't work",
    "unfortunately",
    "sorry",
    "problem",
    "issue",
    "trouble",
    "fehler",
    "fehlgeschlagen",
    "leider",
    "échoué",
    "erreur",
    "malheureusement",
    "falló",
    "dessverre",
    "feilet",
];

/// Phrases that claim a failure so clearly that a success contradicts them.
const PLAIN_FAILURE: [&str; 18] = [
    "failed",
    "an error occurred",
    "encountered an error",
    "ran into an error",
    "got an error",
    "returned an error",
    "went wrong",
    "was not successful",
    "were not successful",
    "unsuccessful",
    "did not work",
    "didn't work",
    "was not sent",
    "could not be sent",
    "could not be completed",
    "fehlgeschlagen",
    "a échoué",
    "feilet",
];

/// Words that turn what follows them round.
const NEGATIONS: [&str; 16] = [
    "no", "not", "n't", "without", "never", "nothing", "none", "nor", "neither", "kein", "keine",
    "nicht", "pas", "sans", "sin", "ingen",
];

/// What `response` claims.
pub fn claim(response: &str) -> Claim {
    let text = response.to_lowercase().replace('’', "'");
    let admits = FAILURE.iter().any(|phrase| says(&text, phrase));
    let boasts = SUCCESS.iter().any(|phrase| says(&text, phrase));
    match (boasts, admits) {
        (true, false) => Claim::Success,
        (false, true) | (true, true)
            if PLAIN_FAILURE.iter().any(|phrase| says(&text, phrase)) && !boasts =>
        {
            Claim::Failure
        }
        _ => Claim::Nothing,
    }
}

/// Whether outcome and claim contradict each other.
pub fn contradicts(outcome: &Outcome, claim: Claim) -> bool {
    matches!(
        (outcome, claim),
        (Outcome::Error(_), Claim::Success) | (Outcome::Success, Claim::Failure)
    )
}

/// Whether `text` holds the whole words of `phrase` without a negation before them.
fn says(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric();
        let (before, after) = (&text[..at], &text[at + phrase.len()..]);
        !before.ends_with(is_part) && !after.starts_with(is_part) && !is_negated(before, after)
    })
}

/// Whether one of the four words before, or the word right after, turns the phrase round.
fn is_negated(before: &str, after: &str) -> bool {
    let clause = before
        .rsplit(['.', '!', '?', ';', ',', '\n'])
        .next()
        .unwrap_or_default();
    let mut words = clause.split_whitespace().rev().take(4);
    let next = after.split_whitespace().next();
    let negates = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        NEGATIONS.contains(&word) || word.ends_with("n't")
    };
    words.any(negates) || next == Some("not")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_told_apart_and_negation_is_understood() {
        let cases = [
            ("Your email has been sent.", Claim::Success),
            ("Done! The order was cancelled.", Claim::Success),
            ("The email was not sent.", Claim::Nothing),
            ("It was sent without errors.", Claim::Success),
            ("The booking failed.", Claim::Failure),
            ("An error occurred while saving.", Claim::Failure),
            ("There were no errors.", Claim::Nothing),
            ("It didn't fail.", Claim::Nothing),
            (
                "I'm unable to refund this under the policy.",
                Claim::Nothing,
            ),
            (
                "Unfortunately the payment failed, so nothing was booked.",
                Claim::Failure,
            ),
            (
                "Die Nachricht wurde erfolgreich verschickt.",
                Claim::Success,
            ),
            ("Here are the flights.", Claim::Nothing),
        ];
        for (response, expected) in cases {
            assert_eq!(claim(response), expected, "{response}");
        }
    }
}
