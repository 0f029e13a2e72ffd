//! Names that stand where a result has a name, but differently.

use super::evidence::{Evidence, Known};
use crate::facts::{NameWord, capitalized_runs};

/// How alike a word must be to a known name for it to be that name misspelt, from 0 to 1.
const ALIKE: f64 = 0.5;

/// Shorter words are initials and particles.
const SHORTEST: usize = 3;

/// The words of `content` that stand beside a name that a result has, are no word of the evidence, and
/// are like another name of it; each with that name.
pub fn misnamed<'t, 'e, 'a>(
    content: &'t str,
    evidence: &'e mut Evidence<'a>,
) -> Vec<(NameWord<'t>, &'e Known<'a>)> {
    if !evidence.has_names() {
        return Vec::new();
    }
    evidence.read_words();
    let evidence = &*evidence;
    let runs = capitalized_runs(content);
    let suspects = runs.iter().flat_map(|run| {
        let is_named = run.iter().any(|word| evidence.holds_name(word.text));
        run.iter().filter(move |_| is_named)
    });
    suspects
        .filter(|word| word.text.chars().count() >= SHORTEST && !evidence.holds_word(word.text))
        .filter_map(|word| Some((*word, evidence.nearest_name(word.text, ALIKE)?)))
        .collect()
}
