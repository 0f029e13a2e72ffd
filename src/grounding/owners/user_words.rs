//! What the user said, and the amounts of the instructions: a reply may state them of any record.

use foldhash::HashSet;

use super::records::{add_meanings, roll};
use toolgauge_facts::{FactKind, TextId, Texts};

/// Runs of so many words of the user are looked up.
pub const MOST_SAID: usize = 4;

/// What the user said, and the amounts of the instructions, as far as they were asked for.
#[derive(Default)]
pub struct UserWords {
    turns: usize,
    /// What each run of words and each amount means.
    pub digests: HashSet<u64>,
}

impl UserWords {
    /// Reads what the user said in the turns that were not read yet.
    pub fn read(&mut self, said: &[Option<TextId>], instructions: &[TextId], texts: &Texts<'_>) {
        if self.turns == 0 {
            // Amounts of the instructions are those of a policy.
            let facts = instructions.iter().flat_map(|text| texts.facts(*text));
            let mut meanings = Vec::new();
            for fact in facts.filter(|fact| fact.kind != FactKind::Date) {
                add_meanings(fact, true, &mut meanings);
            }
            self.digests.extend(meanings);
        }
        for text in said.iter().skip(self.turns).flatten() {
            let words: Vec<_> = texts
                .tokens(*text)
                .iter()
                .filter_map(|token| token.word)
                .collect();
            for at in 0..words.len() {
                let mut state = 0;
                for word in words.iter().skip(at).take(MOST_SAID) {
                    state = roll(state, *word);
                    self.digests.insert(state);
                }
            }
            let mut meanings = Vec::new();
            for fact in texts.facts(*text) {
                add_meanings(fact, true, &mut meanings);
            }
            self.digests.extend(meanings);
        }
        self.turns = self.turns.max(said.len());
    }
}
