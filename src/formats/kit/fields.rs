//! Taking an object apart: the fields that are known, and the rest as it was.

use bumpalo::Bump;

use crate::error::{Error, Result};
use crate::model::{Json, Member, Path, are_same};

/// The members of an object, with its place for errors.
#[derive(Clone)]
pub struct Fields<'a> {
    members: &'a [Member<'a>],
    path: Path,
}

impl<'a> Fields<'a> {
    /// The members of `value`, which must be an object: `what` says of which kind.
    pub fn of(value: Json<'a>, path: Path, what: &str) -> Result<Self> {
        match value {
            Json::Object(members) => Ok(Self { members, path }),
            other => Err(Error::invalid_input(path, what, other.describe())),
        }
    }

    /// The objects of a list that stands at `path`: `what` says of which kind. An item that is none is an
    /// error in its place.
    pub fn each(
        items: &'a [Json<'a>],
        path: &Path,
        what: &str,
    ) -> impl Iterator<Item = Result<Self>> {
        let objects = items.iter().enumerate();
        objects.map(move |(at, item)| Self::item(*item, path, at, what))
    }

    /// Not part of each loop that goes over objects.
    #[inline(never)]
    fn item(item: Json<'a>, path: &Path, at: usize, what: &str) -> Result<Self> {
        Self::of(item, path.index(at), what)
    }

    /// Where the object stands.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The object itself.
    pub fn value(&self) -> Json<'a> {
        Json::Object(self.members)
    }

    /// The value of `key`; `null` counts as a value.
    pub fn get(&self, key: &str) -> Option<Json<'a>> {
        self.value().get(key)
    }

    /// The text of `key`; absent when it is missing or not a string.
    pub fn text(&self, key: &str) -> Option<&'a str> {
        self.get(key)?.as_str()
    }

    /// The items of `key`, which must be an array: `what` says of what.
    pub fn items(&self, key: &str, what: &str) -> Result<&'a [Json<'a>]> {
        match self.get(key) {
            Some(Json::Array(items)) => Ok(items),
            _ => Err(self.mismatch(key, what)),
        }
    }

    /// The items of `key` when it is there and not `null`; then it must be an array.
    pub fn optional_items(&self, key: &str, what: &str) -> Result<&'a [Json<'a>]> {
        match self.get(key) {
            None | Some(Json::Null) => Ok(&[]),
            Some(Json::Array(items)) => Ok(items),
            Some(_) => Err(self.mismatch(key, what)),
        }
    }

    /// The value of `key` as a list of one; empty when it is not there.
    pub fn one_value(&self, key: &str) -> &'a [Json<'a>] {
        let found = self.members.iter().find(|(name, _)| *name == key);
        found.map_or(&[], |(_, value)| std::slice::from_ref(value))
    }

    /// Refuses members that are not `known`.
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

    /// Refuses the members `misplaced`: `expected` says what belongs there.
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

    /// The error that `key` is not what was `expected`.
    pub fn mismatch(&self, key: &str, expected: impl Into<String>) -> Error {
        let actual = self.get(key).map_or("nothing".to_owned(), Json::describe);
        Error::invalid_input(self.path.key(key), expected, actual)
    }

    /// All members but those that `known` accepts.
    pub fn rest(
        &self,
        arena: &'a Bump,
        known: impl Fn(&str, Json<'a>) -> bool,
    ) -> &'a [Member<'a>] {
        self.rest_of(arena, &known)
    }

    /// The one body of [`Fields::rest`], which is called in so many places that copies of it cost.
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
