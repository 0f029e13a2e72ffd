//! Patterns of names: hashes of a name with a gap in place of one word.

/// Names with more words are not compared.
pub const MOST_WORDS: usize = 10;

/// Returns the patterns of a name, one for each word that may be replaced. `words` are the keys of its words.
pub fn patterns(words: &[u64]) -> impl Iterator<Item = u64> + '_ {
    let is_compared = (2..=MOST_WORDS).contains(&words.len());
    let gaps = 0..if is_compared { words.len() } else { 0 };
    gaps.map(|gap| pattern(words, gap))
}

/// Returns the pattern of these words with a gap at `gap`.
pub fn pattern(words: &[u64], gap: usize) -> u64 {
    let mut pattern = words.len() as u64;
    for (at, word) in words.iter().enumerate() {
        let word = if at == gap { 0 } else { *word };
        pattern = (pattern.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    pattern
}
