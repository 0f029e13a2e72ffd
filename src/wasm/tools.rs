//! Compiled tools for JavaScript.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::to_json;
use toolgauge_formats::{ReadableTools, import_tools, readable_tools};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Path, Reader};
use toolgauge_schema::{Compiler, Tool, ToolCache, ToolSet};

thread_local! {
    static CACHE: RefCell<ToolCache> = const { RefCell::new(ToolCache::new()) };
}

/// Tool definitions, compiled once.
#[wasm_bindgen]
pub struct Tools(Rc<ToolSet>);

#[wasm_bindgen]
impl Tools {
    /// Returns the names of the tools as JSON text, in order.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> String {
        to_json(&self.0.names())
    }

    /// Returns the errors of the definitions that were left out as JSON text, in order.
    #[wasm_bindgen(getter)]
    pub fn errors(&self) -> String {
        let errors = self.0.unread().iter().filter_map(|it| it.reason.error());
        let errors: Vec<_> = errors.map(Error::report).collect();
        to_json(&errors)
    }
}

impl Tools {
    /// Returns the compiled tools.
    pub fn set(&self) -> &ToolSet {
        &self.0
    }

    /// Returns the compiled tools, to keep.
    pub fn share(&self) -> Rc<ToolSet> {
        Rc::clone(&self.0)
    }

    /// Returns the only tool.
    pub fn only(&self) -> Result<&Tool> {
        self.0.only().ok_or_else(|| {
            let count = format!("{} tools", self.0.names().len());
            Error::invalid_input(Path::root().key("schema"), "the schema of one tool", count)
        })
    }
}

/// Compiles tool definitions in any known format. The same definitions with the same options are compiled
/// once and then found by comparing their text. Options: `schemas`, documents that references may name by
/// their URI; `allowErrors`, which leaves out definitions that can't be used, unless they are all; `limits`.
#[wasm_bindgen(js_name = compileTools)]
pub fn compile_tools(
    definitions: Document,
    options: Option<Document>,
) -> std::result::Result<Tools, String> {
    let set = compile_once(&definitions, options);
    set.map(Tools).map_err(|error| to_json(&error.report()))
}

/// See [`compile_tools`].
pub fn compile_once(definitions: &Document, options: Option<Document>) -> Result<Rc<ToolSet>> {
    let options_key = options.as_ref().and_then(Document::bytes);
    let options_key = options_key.unwrap_or_default().to_vec();
    let compile = || compile(definitions, options);
    match definitions.bytes() {
        Some(key) => CACHE.with_borrow_mut(|cache| cache.get(key, &options_key, compile)),
        None => compile().map(Rc::new),
    }
}

/// Returns a set without definitions, against which no call is validated.
#[wasm_bindgen(js_name = noTools)]
pub fn no_tools() -> Tools {
    Tools(Rc::new(ToolSet::not_given()))
}

fn compile(definitions: &Document, options: Option<Document>) -> Result<ToolSet> {
    let mut options = read_options(options)?;
    let documents: BTreeMap<String, Value> = options.take("schemas")?.unwrap_or_default();
    let allows_errors: Option<bool> = options.take("allowErrors")?;
    let limits = options.take_limits()?;
    options.finish(&["schemas", "allowErrors", "limits"])?;
    let arena = definitions.arena();
    let reader = Reader::new(&arena, limits);
    let document = definitions.read(reader)?;
    let compiler = Compiler::new(documents.into_iter().collect());
    if allows_errors == Some(true) {
        let ReadableTools { tools, unread } = readable_tools(document, reader)?;
        let set = ToolSet::compile_sound(&tools, unread, &compiler);
        if set.judges_any() {
            return Ok(set);
        }
    }
    let imported = import_tools(document, reader)?;
    ToolSet::compile(&imported.value, &compiler)
}
