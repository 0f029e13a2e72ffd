//! Takes an object apart into known fields and the rest.

use bumpalo::Bump;

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Member, Path, are_same};

/// The members of an object, and its path for errors.
#[derive(Clone)]
pub struct Fields<'a> {
    members: &'a [Member<'a>],
    path: Path,
}

impl<'a> Fields<'a> {
    /// The members of `value`. The error for a value that is not an object says that `what` was
    /// expected.
    pub fn of(value: Json<'a>, path: Path, what: &str) -> Result<Self> {
        match value {
            Json::Object(members) => Ok(Self { members, path }),
            other => Err(Error::invalid_input(path, what, other.describe())),
        }
    }

    /// The objects of a list. `path` is the path of the list. An item that is not an object is an
    /// error, which says that `what` was expected.
    pub fn each(
        items: &'a [Json<'a>],
        path: &Path,
        what: &str,
    ) -> impl Iterator<Item = Result<Self>> {
        let objects = items.iter().enumerate();
        objects.map(move |(at, item)| Self::item(*item, path, at, what))
    }

    /// Kept out of line, because many loops call it.
    #[inline(never)]
    fn item(item: Json<'a>, path: &Path, at: usize, what: &str) -> Result<Self> {
        Self::of(item, path.index(at), what)
    }

    /// The path of the object.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The object itself.
    pub fn value(&self) -> Json<'a> {
        Json::Object(self.members)
    }

    /// The value of `key`. It may be `null`.
    pub fn get(&self, key: &str) -> Option<Json<'a>> {
        self.value().get(key)
    }

    /// The text of `key`. `None` if it is missing or not a string.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str()
    }

    /// The items of `key`. Anything but an array is an error, which says that `what` was expected.
    pub fn items(&self, key: &str, what: &str) -> Result<&'a [Json<'a>]> {
        match self.get(key) {
            Some(Json::Array(items)) => Ok(items),
            _ => Err(self.mismatch(key, what)),
        }
    }

    /// As [`Fields::items`], but a missing member and `null` are an empty list.
    pub fn optional_items(&self, key: &str, what: &str) -> Result<&'a [Json<'a>]> {
        match self.get(key) {
            None | Some(Json::Null) => Ok(&[]),
            Some(Json::Array(items)) => Ok(items),
            Some(_) => Err(self.mismatch(key, what)),
        }
    }

    /// The value of `key` as a list with one element. The list is empty if the member is missing.
    pub fn one_value(&self, key: &str) -> &'a [Json<'a>] {
        let found = self.members.iter().find(|(name, _)| *name == key);
        found.map_or(&[], |(_, value)| std::slice::from_ref(value))
    }

    /// An error if a member is not one of `known`.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        match self.members.iter().find(|(key, _)| !is_one_of(key, known)) {
            None => Ok(()),
            Some((key, _)) => Err(Error::invalid_input(
                self.path.key(key),
                format!("one of {}", known.join(", ")),
                format!("{key:?}"),
            )),
        }
    }

    /// An error if one of the members `misplaced` exists. It says what was `expected`.
    pub fn without(&self, misplaced: &[&str], expected: &str) -> Result<()> {
        match misplaced.iter().find(|key| self.get(key).is_some()) {
            None => Ok(()),
            Some(key) => Err(Error::invalid_input(
                self.path.key(key),
                expected,
                format!("{key:?}"),
            )),
        }
    }

    /// The error that `key` is not `expected`.
    pub fn mismatch(&self, key: &str, expected: impl Into<String>) -> Error {
        let actual = self.get(key).map_or("nothing".to_owned(), Json::describe);
        Error::invalid_input(self.path.key(key), expected, actual)
    }

    /// All members except those for which `known` returns `true`.
    pub fn rest(
        &self,
        arena: &'a Bump,
        known: impl Fn(&str, Json<'a>) -> bool,
    ) -> &'a [Member<'a>] {
        self.rest_of(arena, &known)
    }

    /// Kept out of line: it has many callers, and inlining only grows the module.
    fn rest_of(&self, arena: &'a Bump, known: &dyn Fn(&str, Json<'a>) -> bool) -> &'a [Member<'a>] {
        let rest: Vec<_> = self
            .members
            .iter()
            .filter(|(key, value)| !known(key, *value))
            .copied()
            .collect();
        match rest.is_empty() {
            true => &[],
            false => arena.alloc_slice_copy(&rest),
        }
    }
}

/// Whether `name` is one of `names`.
pub fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|it| are_same(it, name))
}
