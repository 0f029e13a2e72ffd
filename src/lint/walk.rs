//! Visits every subschema of a schema.

use toolgauge_model::{Json, Member, Path};
use toolgauge_schema::{Holds, holds};

/// A subschema.
#[derive(Clone, Copy)]
pub struct Node<'n, 'a> {
    /// The subschema itself.
    pub schema: Json<'a>,
    /// Its keywords; empty for a boolean schema.
    pub keywords: &'a [Member<'a>],
    /// Its path in the document.
    pub path: &'n Path,
    /// How many objects deep it is: 0 for the root.
    pub depth: usize,
    /// The name of the parameter or field that it describes.
    pub property: Option<&'a str>,
    /// Whether it only narrows what another subschema describes: as a condition, or as a part of a union
    /// beside `properties`.
    pub narrows: bool,
}

impl<'a> Node<'_, 'a> {
    /// Returns the value of a keyword.
    pub fn get(&self, keyword: &str) -> Option<Json<'a>> {
        self.schema.get(keyword)
    }

    /// Returns whether it has one of these keywords.
    pub fn has_any(&self, keywords: &[&str]) -> bool {
        self.keywords.iter().any(|(key, _)| keywords.contains(key))
    }

    /// Returns its properties by name.
    pub fn properties(&self) -> &'a [Member<'a>] {
        let properties = self.get("properties").and_then(Json::members);
        properties.unwrap_or_default()
    }

    /// Returns the types that it names.
    pub fn types(&self) -> impl Iterator<Item = &'a str> {
        let (one, several) = match self.get("type") {
            Some(Json::Array(names)) => (None, names),
            one => (one, &[][..]),
        };
        one.into_iter()
            .chain(several.iter().copied())
            .filter_map(Json::as_str)
    }

    /// Returns whether one of its types is `name`, in the spelling of any dialect.
    pub fn has_type(&self, name: &str) -> bool {
        self.types()
            .any(|it| it == name || toolgauge_formats::plain_type(it) == Some(Some(name)))
    }
}

/// Calls `visit` with `schema` at `path`, and with each of its subschemas.
pub fn walk<'a>(schema: Json<'a>, path: &Path, visit: &mut dyn FnMut(Node<'_, 'a>)) {
    enter(schema, path, (0, None, false), visit);
}

type Role<'a> = (usize, Option<&'a str>, bool);

fn enter<'a>(
    schema: Json<'a>,
    path: &Path,
    (depth, property, narrows): Role<'a>,
    visit: &mut dyn FnMut(Node<'_, 'a>),
) {
    if !matches!(schema, Json::Object(_) | Json::Bool(_)) {
        return;
    }
    let keywords = schema.members().unwrap_or_default();
    visit(Node {
        schema,
        keywords,
        path,
        depth,
        property,
        narrows,
    });
    let has_properties = schema.get("properties").is_some();
    for (keyword, value) in keywords {
        let is_condition = matches!(
            *keyword,
            "not"
                | "if"
                | "then"
                | "else"
                | "contains"
                | "propertyNames"
                | "dependentSchemas"
                | "dependencies"
        );
        let is_union = matches!(*keyword, "anyOf" | "oneOf" | "allOf");
        let role = |inner: Json<'a>| {
            let beside = is_union && has_properties && inner.get("type").is_none();
            (depth, None, narrows || is_condition || beside)
        };
        match (holds(keyword), *value) {
            (Holds::Schema, schema @ (Json::Object(_) | Json::Bool(_))) => {
                enter(schema, &path.key(keyword), role(schema), visit);
            }
            (Holds::Schema | Holds::Schemas, Json::Array(schemas)) => {
                let path = path.key(keyword);
                for (at, schema) in schemas.iter().enumerate() {
                    enter(*schema, &path.index(at), role(*schema), visit);
                }
            }
            (Holds::NamedSchemas, Json::Object(schemas)) => {
                let path = path.key(keyword);
                for (name, schema) in schemas {
                    let (depth, _, narrows) = role(*schema);
                    let property = (*keyword == "properties").then_some(*name);
                    let depth = depth + usize::from(property.is_some());
                    enter(*schema, &path.key(name), (depth, property, narrows), visit);
                }
            }
            _ => {}
        }
    }
}

/// Resolves the reference `to` in the schema `root`; `None` if it can't be resolved inside it.
pub fn resolve<'a>(root: Json<'a>, to: &str) -> Option<Json<'a>> {
    let pointer = to.strip_prefix('#')?;
    let mut value = root;
    for step in pointer.split('/').skip(1) {
        let step = step.replace("~1", "/").replace("~0", "~");
        value = match value {
            Json::Array(items) => *items.get(step.parse::<usize>().ok()?)?,
            object => object.get(&step).or_else(|| object.get(&unescape(&step)))?,
        };
    }
    Some(value)
}

/// Decodes the percent-encoding of a URI fragment.
fn unescape(step: &str) -> String {
    let bytes = step.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escaped = step
            .get(at + 1..at + 3)
            .filter(|_| bytes[at] == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        plain.push(escaped.unwrap_or(bytes[at]));
        at += if escaped.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}
