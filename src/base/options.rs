//! Reads options. Every unknown name is an error.

use serde::de::DeserializeOwned;
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
        let limits: Option<Map<String, Value>> = self.take("limits")?;
        let limits = limits.map(|limits| read(Value::Object(limits), &option("limits")));
        check_limits(limits.transpose()?.unwrap_or_default())
    }

    /// Reads all remaining options into a struct that rejects unknown ones.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the option that is unknown or has an invalid value.
    pub fn rest<T: DeserializeOwned>(self) -> Result<T> {
        let options = Path::root().key("options");
        if let Some(limits) = self.0.get("limits") {
            read::<Map<String, Value>>(limits.clone(), &options.key("limits"))?;
        }
        read(Value::Object(self.0), &options)
    }

    /// Rejects any remaining option; `known` are those that were taken.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] names the first remaining option.
    pub fn finish(self, known: &[&str]) -> Result<()> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => Err(invalid(
                option(name),
                format!("unknown option, expected one of {}", known.join(", ")),
            )),
        }
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

pub(crate) fn option(name: &str) -> Path {
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
        assert!(
            failure("{\"stict\":true}").contains("unknown field `stict`, expected one of `strict`")
        );
        assert!(failure("{\"strict\":\"yes\"}").contains("expected a boolean"));
        assert!(failure("{\"limits\":{\"depth\":1}}").contains("`depth`"));
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
