//! Names as texts write them: words with capitals that stand next to each other.

use super::token::{Token, TokenKind, tokens};

/// A word that begins with a capital.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NameWord<'t> {
    /// The word.
    pub text: &'t str,
    /// Where it starts, in bytes.
    pub start: usize,
}

/// The runs of two or more words with capitals that only spaces part: `Raj Brown`, `New York`.
pub fn capitalized_runs(text: &str) -> Vec<Vec<NameWord<'_>>> {
    let mut runs = Vec::new();
    let mut run: Vec<NameWord<'_>> = Vec::new();
    let mut end = 0;
    for token in tokens(text) {
        let goes_on = !run.is_empty() && !token.glued && !text[end..token.start].contains('\n');
        if !is_capitalized(&token) || !goes_on {
            keep(&mut runs, std::mem::take(&mut run));
        }
        if is_capitalized(&token) {
            run.push(NameWord {
                text: token.text,
                start: token.start,
            });
        }
        end = token.end();
    }
    keep(&mut runs, run);
    runs
}

fn keep<'t>(runs: &mut Vec<Vec<NameWord<'t>>>, run: Vec<NameWord<'t>>) {
    if run.len() > 1 {
        runs.push(run);
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
        let runs: Vec<Vec<&str>> =
            capitalized_runs("Dear Raj Brown, you and Mia\nLi fly to New York (JFK).")
                .iter()
                .map(|run| run.iter().map(|word| word.text).collect())
                .collect();
        assert_eq!(runs, [vec!["Dear", "Raj", "Brown"], vec!["New", "York"]]);
    }
}
