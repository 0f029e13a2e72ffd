//! Paths of the values of calls.

use foldhash::HashMap;

use toolgauge_model::{Json, Path};

/// The part of a call that a value is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// The arguments of the call.
    Arguments,
    /// The result of the call, or its error.
    Outcome,
}

/// Resolves the depth-first numbers of values to paths. The steps of each part of a call are computed once and cached.
#[derive(Default)]
pub struct Places<'a>(HashMap<(usize, Part), Vec<LastKey<'a>>>);

/// The last step of the path to a value.
enum LastKey<'a> {
    Root,
    Item { list: usize, at: usize },
    Member { object: usize, key: &'a str },
}

impl<'a> Places<'a> {
    /// Returns the path of the value with the number `value` in `json`, which must be the given part of the call.
    /// Returns `None` if there is no such value.
    pub fn path(
        &mut self,
        (call, part): (usize, Part),
        json: Json<'a>,
        value: usize,
    ) -> Option<Path> {
        let steps = self.0.entry((call, part)).or_insert_with(|| {
            let mut steps = Vec::new();
            add_steps(json, LastKey::Root, &mut steps);
            steps
        });
        path(steps, value)
    }
}

fn add_steps<'a>(json: Json<'a>, last: LastKey<'a>, steps: &mut Vec<LastKey<'a>>) {
    let here = steps.len();
    steps.push(last);
    match json {
        Json::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                add_steps(*item, LastKey::Item { list: here, at }, steps);
            }
        }
        Json::Object(members) => {
            for (key, value) in members {
                add_steps(*value, LastKey::Member { object: here, key }, steps);
            }
        }
        _ => {}
    }
}

fn path(steps: &[LastKey<'_>], value: usize) -> Option<Path> {
    Some(match steps.get(value)? {
        LastKey::Root => Path::root(),
        LastKey::Item { list, at } => path(steps, *list)?.index(*at),
        LastKey::Member { object, key } => path(steps, *object)?.key(key),
    })
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn values_are_counted_depth_first() {
        let arena = Bump::new();
        let json = arena_json(&arena, r#"{"a":[1,{"b":2}],"c":3}"#);
        let mut places = Places::default();
        let paths: Vec<_> = (0..7)
            .map(|value| places.path((0, Part::Outcome), json, value))
            .map(|path| path.map(|path| path.to_string()))
            .collect();
        let expected = ["", "a", "a[0]", "a[1]", "a[1].b", "c"].map(|path| Some(path.to_owned()));
        assert_eq!(paths, [&expected[..], &[None]].concat());
    }
}
