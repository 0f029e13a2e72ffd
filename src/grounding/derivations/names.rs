//! Finds the rows of results that a part of a reply names, by its words.

use foldhash::HashSet;

use super::rows::Rows;
use toolgauge_facts::{Fact, FactValue, Token, TokenKind, key_of};

/// Longer runs of words are not looked up as names.
const LONGEST_NAME: usize = 8;

/// How many words of a text are searched for names of rows.
const MOST_WORDS: usize = 600;

/// Like `MOST_OF_NAME`, for names with digits.
const MOST_OF_CODE: usize = 8;

/// How many named rows are kept, and how many groups.
const MOST_NAMED: usize = 10;

/// How many characters at the start of a word are compared.
const STEM: usize = 5;

/// If more rows have a name, it names a group rather than single rows.
pub const MOST_OF_NAME: usize = 3;

/// The rows that a part of a reply names.
#[derive(Default)]
pub struct Names {
    /// The rows that are named individually.
    pub rows: Vec<usize>,
    /// The groups of rows with a common property that is named.
    pub groups: Vec<Vec<usize>>,
    /// The hashed first letters of the words.
    stems: HashSet<u64>,
}

impl Names {
    /// Finds the rows that `tokens` with a word, and the dates among `facts`, name.
    pub fn of<'f, 't: 'f>(
        tokens: impl Iterator<Item = &'f Token<'t>>,
        facts: impl Iterator<Item = &'f Fact<'t>>,
        rows: &Rows<'_>,
    ) -> Self {
        let tokens: Vec<_> = tokens.take(MOST_WORDS).collect();
        let words: Vec<_> = tokens.iter().filter_map(|token| token.word).collect();
        let mut names = Self::default();
        for token in &tokens {
            let words = words_of_key(token.text);
            names.stems.extend(words.map(|word| stem(&word)));
        }
        let may_start = |from: &usize| rows.starts_name(words[*from]);
        for from in (0..words.len()).filter(may_start) {
            for to in from + 1..=words.len().min(from + LONGEST_NAME) {
                let has_code = tokens[from..to]
                    .iter()
                    .any(|token| token.kind != TokenKind::Letters);
                names.add(rows.named(&words[from..to]), has_code);
            }
        }
        for fact in facts {
            if let FactValue::Date(date) = &fact.value {
                names.add(rows.dated(*date), false);
            }
        }
        names
    }

    /// Checks whether the text contains all words of a key.
    pub fn say(&self, key: &str) -> bool {
        let mut words = words_of_key(key).peekable();
        words.peek().is_some() && words.all(|word| self.stems.contains(&stem(&word)))
    }

    /// Checks whether the text contains a word of a key.
    pub fn are_of(&self, key: &str) -> bool {
        words_of_key(key).any(|word| self.stems.contains(&stem(&word)))
    }

    fn add(&mut self, rows: &[usize], has_code: bool) {
        if rows.is_empty() {
            return;
        }
        let most = if has_code { MOST_OF_CODE } else { MOST_OF_NAME };
        if rows.len() <= most {
            // Codes identify best, and the last are the nearest.
            for row in rows {
                match has_code {
                    true => {
                        self.rows.retain(|known| known != row);
                        self.rows.insert(0, *row);
                    }
                    false if !self.rows.contains(row) => self.rows.push(*row),
                    false => {}
                }
            }
            self.rows.truncate(MOST_NAMED);
        }
        if rows.len() > 1
            && self.groups.len() < MOST_NAMED
            && !self.groups.iter().any(|group| group == rows)
        {
            self.groups.push(rows.to_vec());
        }
    }
}

/// Splits a key into words in lower case: `priceTotal`, `price_total`. Words of one or two letters are dropped.
fn words_of_key(key: &str) -> impl Iterator<Item = String> {
    let parts = key.split(|c: char| !c.is_alphanumeric());
    parts.flat_map(|part| {
        let mut words = vec![String::new()];
        let mut was_lower = false;
        for c in part.chars() {
            if c.is_uppercase() && was_lower {
                words.push(String::new());
            }
            was_lower = c.is_lowercase();
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        words.into_iter().filter(|word| word.len() > 2)
    })
}

fn stem(word: &str) -> u64 {
    let end = word
        .char_indices()
        .nth(STEM)
        .map_or(word.len(), |(at, _)| at);
    key_of(&word[..end])
}
