//! Compiled tools as JavaScript holds them.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use serde_json::Value;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::to_json;
use crate::error::{Error, Result};
use crate::formats;
use crate::model::{Path, Reader};
use crate::schema::{Compiler, Tool, ToolSet};

/// How many sets of tools the plain functions keep compiled.
const KEPT: usize = 8;

/// Sets whose definitions take more bytes than this are compiled anew each time.
const LARGEST_KEPT: usize = 4 << 20;

thread_local! {
    static CACHE: RefCell<VecDeque<Kept>> = const { RefCell::new(VecDeque::new()) };
}

struct Kept {
    definitions: Vec<u8>,
    options: Vec<u8>,
    set: Rc<ToolSet>,
}

/// Tool definitions, compiled once.
#[wasm_bindgen]
pub struct Tools(Rc<ToolSet>);

#[wasm_bindgen]
impl Tools {
    /// The names of the tools as JSON text, in order.
    #[wasm_bindgen(getter)]
    pub fn names(&self) -> String {
        to_json(&self.0.names())
    }
}

impl Tools {
    /// The compiled tools.
    pub fn set(&self) -> &ToolSet {
        &self.0
    }

    /// The only tool.
    pub fn only(&self) -> Result<&Tool> {
        self.0.only().ok_or_else(|| {
            let count = format!("{} tools", self.0.names().len());
            Error::invalid_input(Path::root().key("schema"), "the schema of one tool", count)
        })
    }
}

/// Compiles tool definitions in any known format; the same definitions with the same options again
/// cost a comparison of their text. Options: `schemas`, documents that references reach by their URI;
/// `limits`.
#[wasm_bindgen(js_name = compileTools)]
pub fn compile_tools(
    definitions: Document,
    options: Option<Document>,
) -> std::result::Result<Tools, String> {
    let key = definitions
        .bytes()
        .filter(|bytes| bytes.len() <= LARGEST_KEPT);
    let options_key = options
        .as_ref()
        .and_then(Document::bytes)
        .unwrap_or_default()
        .to_vec();
    if let Some(set) = key.and_then(|bytes| kept(bytes, &options_key)) {
        return Ok(Tools(set));
    }
    let set = compile(&definitions, options).map_err(|error| to_json(&error.report()))?;
    let set = Rc::new(set);
    if let Some(bytes) = key {
        keep(Kept {
            definitions: bytes.to_vec(),
            options: options_key,
            set: Rc::clone(&set),
        });
    }
    Ok(Tools(set))
}

/// No definitions: no call is judged against a schema.
#[wasm_bindgen(js_name = noTools)]
pub fn no_tools() -> Tools {
    Tools(Rc::new(ToolSet::not_given()))
}

fn compile(definitions: &Document, options: Option<Document>) -> Result<ToolSet> {
    let mut options = read_options(options)?;
    let documents: BTreeMap<String, Value> = options.take("schemas")?.unwrap_or_default();
    let limits = options.take_limits()?;
    options.finish(&["schemas", "limits"])?;
    let arena = definitions.arena();
    let reader = Reader::new(&arena, limits);
    let imported = formats::import_tools(definitions.read(reader)?, reader)?;
    let compiler = Compiler::new(documents.into_iter().collect());
    ToolSet::compile(&imported.value, &compiler)
}

fn kept(definitions: &[u8], options: &[u8]) -> Option<Rc<ToolSet>> {
    CACHE.with_borrow_mut(|cache| {
        let at = cache
            .iter()
            .position(|kept| kept.definitions == definitions && kept.options == options)?;
        let found = cache.remove(at)?;
        let set = Rc::clone(&found.set);
        cache.push_front(found);
        Some(set)
    })
}

fn keep(kept: Kept) {
    CACHE.with_borrow_mut(|cache| {
        cache.push_front(kept);
        cache.truncate(KEPT);
    });
}
