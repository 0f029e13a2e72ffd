//! Decides which known name an unknown one is a misspelling of.
//!
//! A suggestion in a message may be wrong, but here the name is replaced and the call runs. So this is far
//! stricter than [`toolgauge_schema::nearest`]: `create_order` must never become `delete_order`, nor
//! `close_issue` become `clone_issue`.

use strsim::osa_distance;

use toolgauge_model::words_of;

/// Shorter words must be equal, because too many of them differ in one letter.
const SHORTEST_MISSPELT: usize = 4;

/// In words from this length on, one letter may also be replaced by another.
const SHORTEST_WITH_OTHER_LETTER: usize = 8;

/// Longer names are not compared.
const LONGEST: usize = 128;

/// Returns the only one of `known` that `name` is another spelling or a misspelling of.
pub fn likely_name<'n>(
    name: &str,
    known: impl Iterator<Item = &'n str> + Clone,
) -> Option<&'n str> {
    if name.len() > LONGEST {
        return None;
    }
    let words = words_of(name);
    let plain = words.concat();
    let spelt_alike = known.clone().filter(|it| words_of(it).concat() == plain);
    // If two known names are one step away, the name may mean either, even if one step is no usual slip.
    only(spelt_alike).or_else(|| {
        only(known.filter(|it| differing_words(&words, &words_of(it)).is_some_and(is_near)))
            .filter(|it| differing_words(&words, &words_of(it)).is_some_and(is_misspelt))
    })
}

fn only<'n>(mut found: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// Returns the only words in which two names with equally many words differ.
fn differing_words(name: &[String], known: &[String]) -> Option<(String, String)> {
    let mut different = name.iter().zip(known).filter(|(word, right)| word != right);
    let (word, right) = different.next()?;
    (name.len() == known.len() && different.next().is_none()).then(|| (word.clone(), right.clone()))
}

fn is_near((word, right): (String, String)) -> bool {
    osa_distance(&word, &right) == 1
}

/// Returns whether one letter is missing, doubled or swapped with its neighbour; in a long word also
/// replaced.
fn is_misspelt((word, right): (String, String)) -> bool {
    let shorter = word.chars().count().min(right.chars().count());
    let are_letters = word.chars().chain(right.chars()).all(char::is_alphabetic);
    let starts_alike = word.chars().next() == right.chars().next();
    are_letters
        && starts_alike
        && shorter >= SHORTEST_MISSPELT
        && (shorter >= SHORTEST_WITH_OTHER_LETTER || !has_other_letter(&word, &right))
}

/// Returns whether one letter replaces another, in words that differ in one step.
fn has_other_letter(word: &str, right: &str) -> bool {
    let mut pairs = word.chars().zip(right.chars()).filter(|(a, b)| a != b);
    word.chars().count() == right.chars().count()
        && pairs.next().is_some()
        && pairs.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_and_misspellings_are_recognised() {
        for (name, known) in [
            ("getUser", "get_user"),
            ("GET-USER", "get_user"),
            ("serch_flights", "search_flights"),
            ("search_fligths", "search_flights"),
            ("search_flight", "search_flights"),
            ("resirvation", "reservation"),
            ("User ID", "user_id"),
        ] {
            assert_eq!(
                likely_name(name, [known].into_iter()),
                Some(known),
                "{name}"
            );
        }
    }

    #[test]
    fn other_words_are_other_names() {
        for (name, known) in [
            ("create_order", "delete_order"),
            ("close_issue", "clone_issue"),
            ("enable_user", "disable_user"),
            ("activate_user", "deactivate_user"),
            ("stop_job", "step_job"),
            ("get_user", "set_user"),
            ("get_user", "get_user_details"),
            ("import_data", "export_data"),
            ("tool_x", "tool_0"),
            ("plan_v1", "plan_v2"),
            ("send", "lend"),
            ("", "a"),
        ] {
            assert_eq!(likely_name(name, [known].into_iter()), None, "{name}");
        }
    }

    #[test]
    fn an_ambiguous_name_matches_nothing() {
        assert_eq!(
            likely_name("get_userr", ["get_user", "get_users"].into_iter()),
            None
        );
        assert_eq!(
            likely_name("getUser", ["get_user", "get_users"].into_iter()),
            Some("get_user")
        );
        let long = "x".repeat(10_000);
        assert_eq!(likely_name(&long, [long.as_str()].into_iter()), None);
    }
}
