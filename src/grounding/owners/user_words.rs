//! Collects what the user said and the amounts in the instructions; a reply may state these about any record.

use foldhash::HashSet;

use super::records::{add_meanings, roll};
use toolgauge_facts::{FactKind, TextId, Texts};

/// The maximum length of the runs of user words that are collected.
pub const MOST_SAID: usize = 4;

/// What the user said and the amounts in the instructions, read on demand.
#[derive(Default)]
pub struct UserWords {
    turns: usize,
    /// The digest of each run of words and of each amount.
    pub digests: HashSet<u64>,
}

impl UserWords {
    /// Reads the user turns that were not read yet.
    pub fn read(&mut self, said: &[Option<TextId>], instructions: &[TextId], texts: &Texts<'_>) {
        if self.turns == 0 {
            // Amounts in the instructions belong to a policy.
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
