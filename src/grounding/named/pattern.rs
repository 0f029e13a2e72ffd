//! Names with a gap: what is left of a name when one of its words is another one.

/// A name of more words is not compared.
pub const MOST_WORDS: usize = 10;

/// The patterns of a name, given by the keys of its words: one for each word that may be another one.
pub fn patterns(words: &[u64]) -> impl Iterator<Item = u64> + '_ {
    let is_compared = (2..=MOST_WORDS).contains(&words.len());
    let gaps = 0..if is_compared { words.len() } else { 0 };
    gaps.map(|gap| pattern(words, gap))
}

/// The pattern of these words without the one at `gap`.
pub fn pattern(words: &[u64], gap: usize) -> u64 {
    let mut pattern = words.len() as u64;
    for (at, word) in words.iter().enumerate() {
        let word = if at == gap { 0 } else { *word };
        pattern = (pattern.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    pattern
}
