//! What the keys of objects say of the values under them.

/// Whether `part`, which is ASCII in lower case, stands in `key` in any case.
pub fn says(key: &str, part: &str) -> bool {
    let (key, part) = (key.as_bytes(), part.as_bytes());
    let Some(last) = key.len().checked_sub(part.len()) else {
        return false;
    };
    (0..=last)
        .any(|at| key[at] | 0x20 == part[0] && key[at..at + part.len()].eq_ignore_ascii_case(part))
}
