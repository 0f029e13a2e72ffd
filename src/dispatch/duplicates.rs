//! Finds duplicate calls in a round.

use foldhash::{HashMap, HashSet};

/// Returns the positions of the calls to run, in order: of several calls with one id only the last
/// remains, and calls whose id is in `running` are removed. Calls without an id always remain.
pub fn without_duplicates(ids: &[Option<String>], running: &HashSet<String>) -> Vec<usize> {
    let mut last: HashMap<&str, usize> = HashMap::default();
    for (at, id) in ids.iter().enumerate() {
        if let Some(id) = id {
            last.insert(id, at);
        }
    }
    let remains = |(at, id): (usize, &Option<String>)| match id {
        None => true,
        Some(id) => !running.contains(id) && last.get(id.as_str()) == Some(&at),
    };
    let places = ids.iter().enumerate();
    places
        .filter(|place| remains(*place))
        .map(|(at, _)| at)
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn remaining(ids: &[&str], running: &[&str]) -> Vec<usize> {
        let ids: Vec<_> = ids
            .iter()
            .map(|id| (!id.is_empty()).then(|| (*id).to_owned()))
            .collect();
        let running = running.iter().map(|id| (*id).to_owned()).collect();
        without_duplicates(&ids, &running)
    }

    #[test]
    fn the_last_call_of_an_id_is_kept() {
        assert_eq!(remaining(&["a", "b", "a"], &[]), [1, 2]);
        assert_eq!(remaining(&["", "", ""], &[]), [0, 1, 2]);
        assert_eq!(remaining(&["a", "", "b"], &["a"]), [1, 2]);
        assert_eq!(remaining(&["a", "a"], &["a"]), [0_usize; 0]);
        assert_eq!(remaining(&[], &[]), [0_usize; 0]);
    }

    proptest! {
        #[test]
        fn every_id_remains_once(ids in prop::collection::vec("[a-c]?", 0..12)) {
            let ids: Vec<_> = ids.iter().map(String::as_str).collect();
            let kept = remaining(&ids, &[]);
            prop_assert!(kept.is_sorted());
            for id in ["a", "b", "c"] {
                let times = kept.iter().filter(|at| ids[**at] == id).count();
                prop_assert_eq!(times, usize::from(ids.contains(&id)));
            }
            let without_id = kept.iter().filter(|at| ids[**at].is_empty()).count();
            prop_assert_eq!(without_id, ids.iter().filter(|id| id.is_empty()).count());
        }
    }
}
