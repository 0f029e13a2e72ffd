//! Compares short texts by the share of characters that differ.

/// The longest text that is compared with bit vectors.
const MOST_BITS: usize = 64;

/// A text that is compared with many others.
pub struct Likeness<'t> {
    text: &'t str,
    length: usize,
    /// For each ASCII character, a bit for each position where it occurs. `None` if the text is empty, too long or not
    /// ASCII.
    places: Option<Box<[u64; 128]>>,
}

impl<'t> Likeness<'t> {
    /// Prepares comparisons with `text`.
    pub fn to(text: &'t str) -> Self {
        Self {
            text,
            length: text.chars().count(),
            places: places(text.as_bytes()),
        }
    }

    /// Returns the share of characters that differ from `other`, from 0 to 1: the Levenshtein distance divided by the
    /// length of the longer text. Returns `None` if the share is more than `most`.
    pub fn distance(&self, other: &str, most: f64) -> Option<f64> {
        let other_length = other.chars().count();
        let longer = self.length.max(other_length);
        let share = |edits: usize| edits as f64 / longer.max(1) as f64;
        if share(self.length.abs_diff(other_length)) > most {
            return None;
        }
        let edits = match &self.places {
            Some(places) if other.is_ascii() => edits(places, self.length, other.as_bytes()),
            _ => strsim::levenshtein(self.text, other),
        };
        Some(share(edits)).filter(|share| *share <= most)
    }
}

fn places(text: &[u8]) -> Option<Box<[u64; 128]>> {
    if text.is_empty() || text.len() > MOST_BITS || !text.is_ascii() {
        return None;
    }
    let mut places = Box::new([0; 128]);
    for (at, byte) in text.iter().enumerate() {
        places[usize::from(*byte)] |= 1 << at;
    }
    Some(places)
}

/// Returns the Levenshtein distance between `other` and the text of `length` characters that `places` describes. It
/// uses the bit vectors of Myers (1999) in the form of Hyyrö (2003), which compute all cells of a column at once.
fn edits(places: &[u64; 128], length: usize, other: &[u8]) -> usize {
    let last = 1 << (length - 1);
    let (mut rises, mut falls) = (u64::MAX, 0_u64);
    let mut edits = length;
    for byte in other {
        let same = places[usize::from(*byte)];
        let level = (((same & rises).wrapping_add(rises)) ^ rises) | same | falls;
        let up = falls | !(level | rises);
        let down = rises & level;
        edits += usize::from(up & last != 0);
        edits -= usize::from(down & last != 0);
        let up = (up << 1) | 1;
        rises = (down << 1) | !(level | up);
        falls = up & level;
    }
    edits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_distance_is_that_of_levenshtein(a in "[a-dé]{0,70}", b in "[a-dé]{0,70}", most in 0.0..=1.0) {
            let longer = a.chars().count().max(b.chars().count()).max(1);
            let plain = strsim::levenshtein(&a, &b) as f64 / longer as f64;
            prop_assert_eq!(Likeness::to(&a).distance(&b, 1.0), Some(plain));
            prop_assert_eq!(Likeness::to(&a).distance(&b, most), (plain <= most).then_some(plain));
        }

        #[test]
        fn so_it_is_for_ascii(a in "[a-d]{0,64}", b in "[a-d]{0,70}") {
            let longer = a.len().max(b.len()).max(1);
            let plain = strsim::levenshtein(&a, &b) as f64 / longer as f64;
            prop_assert_eq!(Likeness::to(&a).distance(&b, 1.0), Some(plain));
        }
    }
}
