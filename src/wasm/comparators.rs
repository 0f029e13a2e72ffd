//! Comparators that are JavaScript functions.

use js_sys::{Function, JSON};
use wasm_bindgen::prelude::*;

use toolgauge_matching::Comparators;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

use super::to_json;

/// Calls `compare(name, expected, actual, tool, path)` for each comparison; an exception ends the call.
/// `expected` is undefined if nothing is expected.
pub struct JsComparators {
    names: Vec<String>,
    compare: Option<Function>,
}

impl JsComparators {
    /// Wraps the comparators of these names, which one function calls.
    pub fn new(names: Vec<String>, compare: Option<Function>) -> Self {
        Self { names, compare }
    }
}

impl Comparators for JsComparators {
    fn has(&self, name: &str) -> bool {
        self.compare.is_some() && self.names.iter().any(|known| known == name)
    }

    fn accepts(
        &self,
        name: &str,
        expected: Option<Json<'_>>,
        actual: Json<'_>,
        tool: &str,
        path: &str,
    ) -> Result<bool> {
        let failed = || Error::InvalidOption {
            path: Path::root().key("options").key("comparators").key(name),
            reason: "the comparator failed".to_owned(),
        };
        let compare = self.compare.as_ref().ok_or_else(failed)?;
        let value = |json: Json<'_>| JSON::parse(&to_json(&json)).map_err(|_| failed());
        let expected = expected.map_or(Ok(JsValue::UNDEFINED), value)?;
        let arguments = js_sys::Array::of5(
            &name.into(),
            &expected,
            &value(actual)?,
            &tool.into(),
            &path.into(),
        );
        let answer = compare
            .apply(&JsValue::NULL, &arguments)
            .map_err(|_| failed())?;
        Ok(answer.is_truthy())
    }
}
