//! JSON values that borrow from the text they were read from.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

use super::text::{are_same, start_of};

/// A member of an object: its key and its value.
pub type Member<'a> = (&'a str, Json<'a>);

/// A JSON value. Strings borrow from the input, and containers from an arena, so copying is free and a whole
/// document is freed at once.
#[derive(Debug, Clone, Copy, Default)]
pub enum Json<'a> {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, including NaN and the infinities, which an input that is not JSON text can contain.
    Number(Number),
    /// A string.
    String(&'a str),
    /// An array.
    Array(&'a [Json<'a>]),
    /// An object, its keys unique and in the order of the input.
    Object(&'a [Member<'a>]),
}

/// A number as precise as the input allows.
#[derive(Debug, Clone, Copy)]
pub enum Number {
    /// An integer from 0 to 2^64 − 1.
    Unsigned(u64),
    /// An integer below 0, from −2^63.
    Negative(i64),
    /// Any other number, rounded to the nearest double.
    Float(f64),
}

impl<'a> Json<'a> {
    /// Returns the value of the member `key`, if this is an object that has it.
    pub fn get(self, key: &str) -> Option<Json<'a>> {
        self.members()?
            .iter()
            .find(|(name, _)| are_same(name, key))
            .map(|(_, value)| *value)
    }

    /// Returns the members, if this is an object.
    pub fn members(self) -> Option<&'a [Member<'a>]> {
        match self {
            Self::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns the items, if this is an array.
    pub fn items(self) -> Option<&'a [Json<'a>]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the text, if this is a string.
    pub fn as_str(self) -> Option<&'a str> {
        match self {
            Self::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns whether this is `null`.
    pub fn is_null(self) -> bool {
        matches!(self, Self::Null)
    }

    /// Returns the JSON type of this value.
    pub fn kind(self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Bool(_) => Kind::Boolean,
            Self::Number(_) => Kind::Number,
            Self::String(_) => Kind::String,
            Self::Array(_) => Kind::Array,
            Self::Object(_) => Kind::Object,
        }
    }

    /// Returns this value with its type, shortened for a message: `"abc" (string)`, `an object`.
    pub fn describe(self) -> String {
        match self {
            Self::Null => "null".to_owned(),
            Self::Array(_) => "an array".to_owned(),
            Self::Object(_) => "an object".to_owned(),
            _ => format!("{} ({})", Preview::of(self, 60), self.kind()),
        }
    }
}

/// Returns the number of values in `json`, including itself.
pub fn count_values(json: Json<'_>) -> usize {
    1 + match json {
        Json::Array(items) => items.iter().map(|item| count_values(*item)).sum(),
        Json::Object(members) => members.iter().map(|(_, value)| count_values(*value)).sum(),
        _ => 0,
    }
}

/// The types by their JSON Schema names; two of them are numbers.
pub const SCHEMA_TYPES: [&str; 7] = [
    "string", "number", "integer", "boolean", "object", "array", "null",
];

/// The JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean,
    /// Any number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Number => "number",
            Self::String => "string",
            Self::Array => "array",
            Self::Object => "object",
        })
    }
}

impl Number {
    /// Returns the nearest double.
    pub fn as_f64(self) -> f64 {
        match self {
            Self::Unsigned(value) => value as f64,
            Self::Negative(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Returns whether JSON can represent this number: it is neither NaN nor infinite.
    pub fn is_finite(self) -> bool {
        !matches!(self, Self::Float(value) if !value.is_finite())
    }

    /// Returns the form that all equal numbers share: 1.0 becomes 1, and −0 becomes 0.
    fn canonical(self) -> Canonical {
        match self {
            Self::Unsigned(value) => Canonical::Integer(value.into()),
            Self::Negative(value) => Canonical::Integer(value.into()),
            Self::Float(value) if value.fract() == 0.0 && value.abs() < 2f64.powi(65) => {
                Canonical::Integer(value as i128)
            }
            Self::Float(value) if value.is_nan() => Canonical::Bits(f64::NAN.to_bits()),
            Self::Float(value) => Canonical::Bits(value.to_bits()),
        }
    }
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Canonical {
    Integer(i128),
    Bits(u64),
}

/// Numbers are equal if their values are: 1 equals 1.0, as in JSON Schema and JavaScript. NaN equals
/// itself, so that a value always equals its copy.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

impl Eq for Number {}

/// A total order that agrees with equality. It only groups equal numbers; it is not the order of their
/// values.
impl Ord for Number {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.canonical().cmp(&other.canonical())
    }
}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl std::hash::Hash for Number {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) => value.fmt(formatter),
            Self::Negative(value) => value.fmt(formatter),
            Self::Float(value) if value.is_infinite() => formatter.write_str(if *value > 0.0 {
                "Infinity"
            } else {
                "-Infinity"
            }),
            Self::Float(value) if value.abs() >= 1e21 => write!(formatter, "{value:e}"),
            Self::Float(value) => value.fmt(formatter),
        }
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Unsigned(value) => serializer.serialize_u64(value),
            Self::Negative(value) => serializer.serialize_i64(value),
            Self::Float(value) => serializer.serialize_f64(value),
        }
    }
}

/// NaN and the infinities become `null`, as in `JSON.stringify`.
impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Number(value) => value.serialize(serializer),
            Self::String(value) => serializer.serialize_str(value),
            Self::Array(items) => {
                let mut sequence = serializer.serialize_seq(Some(items.len()))?;
                for item in *items {
                    sequence.serialize_element(item)?;
                }
                sequence.end()
            }
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in *members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

/// Displays a value as one line of JSON with a maximum length; a cut end becomes `…`.
pub struct Preview<'a> {
    value: Json<'a>,
    most: usize,
}

impl<'a> Preview<'a> {
    /// Shortens `value` to at most `most` characters.
    pub fn of(value: Json<'a>, most: usize) -> Self {
        Self { value, most }
    }
}

impl fmt::Display for Preview<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = Line {
            text: String::new(),
            room: self.most,
        };
        // Writing fails only if the line is full, which is intended.
        let _ = line.write(self.value);
        formatter.write_str(&line.text)
    }
}

/// A line of limited length; the first piece that does not fit becomes an ellipsis.
struct Line {
    text: String,
    room: usize,
}

impl Line {
    fn write(&mut self, value: Json<'_>) -> fmt::Result {
        match value {
            Json::Null => self.push("null"),
            Json::Bool(value) => self.push(if value { "true" } else { "false" }),
            Json::Number(number) => self.push(&number.to_string()),
            Json::String(text) => self.write_string(text),
            Json::Array(items) => {
                self.push("[")?;
                for (index, item) in items.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" })?;
                    self.write(*item)?;
                }
                self.push("]")
            }
            Json::Object(members) => {
                self.push("{")?;
                for (index, (key, value)) in members.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" })?;
                    self.write_string(key)?;
                    self.push(": ")?;
                    self.write(*value)?;
                }
                self.push("}")
            }
        }
    }

    /// Writes a string, escaping no more of it than fits.
    fn write_string(&mut self, text: &str) -> fmt::Result {
        self.push(&serde_json::Value::from(start_of(text, self.room + 1)).to_string())
    }

    fn push(&mut self, piece: &str) -> fmt::Result {
        for c in piece.chars() {
            if self.room == 0 {
                self.text.pop();
                self.text.push('…');
                return Err(fmt::Error);
            }
            self.text.push(c);
            self.room -= 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_compare_by_value() {
        assert_eq!(Number::Unsigned(1), Number::Float(1.0));
        assert_eq!(Number::Float(0.0), Number::Float(-0.0));
        assert_eq!(Number::Negative(-3), Number::Float(-3.0));
        assert_eq!(Number::Float(f64::NAN), Number::Float(f64::NAN));
        assert_ne!(
            Number::Unsigned(9_007_199_254_740_993),
            Number::Unsigned(9_007_199_254_740_992)
        );
        assert_ne!(Number::Unsigned(u64::MAX), Number::Float(2f64.powi(64)));
        assert_ne!(Number::Float(1.5), Number::Unsigned(1));
    }

    #[test]
    fn a_preview_is_one_line_of_json_cut_with_an_ellipsis() {
        let members = [
            ("a", Json::String("x\ny")),
            ("b", Json::Array(&[Json::Null])),
        ];
        let value = Json::Object(&members);
        assert_eq!(
            Preview::of(value, 80).to_string(),
            r#"{"a": "x\ny", "b": [null]}"#
        );
        let text = |most| Preview::of(Json::String("é🦀éx"), most).to_string();
        assert_eq!(text(6), "\"é🦀éx\"");
        assert_eq!(text(5), "\"é🦀é…");
        assert_eq!(text(1), "…");
    }

    proptest! {
        #[test]
        fn number_order_agrees_with_equality(a in any::<f64>(), b in any::<i64>()) {
            let integer = if b < 0 { Number::Negative(b) } else { Number::Unsigned(b as u64) };
            for (x, y) in [(Number::Float(a), integer), (integer, Number::Float(b as f64))] {
                prop_assert_eq!(x == y, x.cmp(&y).is_eq());
                prop_assert_eq!(x == y, y == x);
            }
        }
    }
}
