//! What the keys of objects say of the values under them.

/// Whether `part`, which is ASCII in lower case, stands in `key` in any case.
pub fn says(key: &str, part: &str) -> bool {
    let (mut rest, part) = (key.as_bytes(), part.as_bytes());
    while rest.len() >= part.len() {
        if rest[0] | 0x20 == part[0] && rest[..part.len()].eq_ignore_ascii_case(part) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::says;

    #[test]
    fn a_part_may_stand_anywhere_in_any_case() {
        for key in ["name", "firstName", "NAMES", "é_name", "nname"] {
            assert!(says(key, "name"), "{key}");
        }
        for key in ["", "nam", "n_ame", "amen"] {
            assert!(!says(key, "name"), "{key}");
        }
    }
}
