//! Reads options. Every unknown name is an error.

use serde::de::value::Error as NoValue;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::{Map, Value};
use serde_path_to_error::Segment;

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Limits, Path};

/// The options of one call, by name.
#[derive(Debug, Default)]
pub struct Options(Map<String, Value>);

impl Options {
    /// Parses options from a JSON object.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] if `text` is not a JSON object.
    pub fn parse(text: &[u8]) -> Result<Self> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(options)) => Ok(Self(options)),
            Ok(_) => Err(invalid(
                Path::root().key("options"),
                "expected an object".to_owned(),
            )),
            Err(error) => Err(invalid(Path::root().key("options"), error.to_string())),
        }
    }

    /// Takes out the option `name`, if it is given.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] if its value is not valid.
    pub fn take<T: DeserializeOwned>(&mut self, name: &str) -> Result<Option<T>> {
        let Some(value) = self.0.remove(name) else {
            return Ok(None);
        };
        read(value, &option(name)).map(Some)
    }

    /// Takes out the limits.
    ///
    /// # Errors
    /// As [`Options::take`]; also if a limit is out of its range.
    pub fn take_limits(&mut self) -> Result<Limits> {
        let Some(limits) = self.take::<Map<String, Value>>("limits")? else {
            return Ok(Limits::default());
        };
        only(limits.keys(), members_of::<Limits>(), &option("limits"))?;
        check_limits(read(Value::Object(limits), &option("limits"))?)
    }

    /// Reads all remaining options into a struct that rejects unknown ones.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the option that is unknown or has an invalid value.
    pub fn rest<T: DeserializeOwned>(self) -> Result<T> {
        let options = Path::root().key("options");
        if let Some(limits) = self.0.get("limits") {
            let path = options.key("limits");
            let limits = read::<Map<String, Value>>(limits.clone(), &path)?;
            only(limits.keys(), members_of::<Limits>(), &path)?;
        }
        only(self.0.keys(), members_of::<T>(), &options)?;
        read(Value::Object(self.0), &options)
    }

    /// Rejects any remaining option; `known` are those that were taken.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the first remaining option, and the known one that is most similar.
    pub fn finish(self, known: &[&str]) -> Result<()> {
        only(self.0.keys(), known, &Path::root().key("options"))
    }
}

/// Rejects the first of the options `given` that is not `known`.
///
/// # Errors
/// [`Error::InvalidOption`] names it, and the known one that is most similar.
pub fn only_known(given: &[String], known: &[&str]) -> Result<()> {
    only(given.iter(), known, &Path::root().key("options"))
}

fn only<'g>(
    mut given: impl Iterator<Item = &'g String>,
    known: &[&str],
    path: &Path,
) -> Result<()> {
    match given.find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let meant = nearest(name, known);
            let question =
                meant.map_or(String::new(), |meant| format!("; did you mean {meant:?}?"));
            let known = known.join(", ");
            let reason = format!("unknown option, expected one of {known}{question}");
            Err(invalid(path.key(name), reason))
        }
    }
}

/// How similar a name must be to one that is suggested for it.
const ALIKE: f64 = 0.6;

/// Returns the known name that is most similar to `name`. Case, `_` and `-` are ignored.
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let plain = |name: &str| -> String {
        let letters = name.chars().filter(|letter| !matches!(letter, '_' | '-'));
        letters.flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let similar = known.iter().map(|candidate| {
        let likeness = strsim::normalized_damerau_levenshtein(&wanted, &plain(candidate));
        (likeness, *candidate)
    });
    let best = similar.max_by(|(a, _), (b, _)| a.total_cmp(b));
    best.filter(|(likeness, _)| *likeness >= ALIKE)
        .map(|(_, candidate)| candidate)
}

/// Returns the names of the members of a struct, as they are written.
fn members_of<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut members: &'static [&'static str] = &[];
    // This only looks at what the type asks for, and gives it nothing.
    let _ = T::deserialize(Members(&mut members));
    members
}

/// Remembers which members a struct asks for.
struct Members<'m>(&'m mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Members<'_> {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> std::result::Result<V::Value, NoValue> {
        Err(NoValue::custom("no value"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> std::result::Result<V::Value, NoValue> {
        *self.0 = fields;
        Err(NoValue::custom("no value"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Returns `limits` if they are in range.
///
/// # Errors
/// [`Error::InvalidOption`] if they are not.
pub fn check_limits(limits: Limits) -> Result<Limits> {
    if (1..=Limits::DEEPEST).contains(&limits.max_depth) {
        return Ok(limits);
    }
    Err(invalid(
        option("limits").key("maxDepth"),
        format!(
            "expected 1 to {}, got {}",
            Limits::DEEPEST,
            limits.max_depth
        ),
    ))
}

/// Reads the value at `path`.
fn read<T: DeserializeOwned>(value: Value, path: &Path) -> Result<T> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let steps = error.path().iter();
        let place = steps.fold(path.clone(), |place, step| match step {
            Segment::Map { key } => place.key(key),
            Segment::Seq { index } => place.index(*index),
            _ => place,
        });
        invalid(place, error.into_inner().to_string())
    })
}

fn option(name: &str) -> Path {
    Path::root().key("options").key(name)
}

fn invalid(path: Path, reason: String) -> Error {
    Error::InvalidOption { path, reason }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Settings {
        strict: bool,
        name: Option<String>,
        limits: Limits,
    }

    fn failure(text: &str) -> String {
        let options = Options::parse(text.as_bytes()).and_then(Options::rest::<Settings>);
        options.expect_err("bad options").to_string()
    }

    #[test]
    fn missing_options_have_defaults() {
        let options: Settings = Options::parse(b"{\"strict\":true}")
            .and_then(Options::rest)
            .expect("options");
        let expected = Settings {
            strict: true,
            ..Settings::default()
        };
        assert_eq!(options, expected);
    }

    #[test]
    fn unknown_names_and_wrong_values_are_reported() {
        assert_eq!(
            failure("{\"stict\":true}"),
            "options.stict: unknown option, expected one of strict, name, limits; did you mean \"strict\"?"
        );
        assert_eq!(
            failure("{\"colour\":true}"),
            "options.colour: unknown option, expected one of strict, name, limits"
        );
        assert!(
            failure("{\"limits\":{\"max_depth\":1}}").ends_with("did you mean \"maxDepth\"?"),
            "{}",
            failure("{\"limits\":{\"max_depth\":1}}")
        );
        assert!(failure("{\"strict\":\"yes\"}").contains("expected a boolean"));
        assert!(failure("{\"limits\":{\"depth\":1}}").starts_with("options.limits.depth: "));
        assert!(failure("[]").contains("expected an object"));
        assert!(failure("{").contains("EOF"));
    }

    #[test]
    fn the_path_is_that_of_the_option() {
        assert!(failure("{\"strict\":\"yes\"}").starts_with("options.strict: "));
        assert!(failure("{\"limits\":[5]}").starts_with("options.limits: "));
        assert!(
            failure("{\"limits\":{\"maxDepth\":\"x\"}}").starts_with("options.limits.maxDepth: ")
        );
    }

    #[test]
    fn limits_have_a_range() {
        let mut options = Options::parse(b"{\"limits\":{\"maxDepth\":5000}}").expect("an object");
        let error = options.take_limits().expect_err("too deep").to_string();
        assert_eq!(
            error,
            "options.limits.maxDepth: expected 1 to 1000, got 5000"
        );
    }
}
