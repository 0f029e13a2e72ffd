//! One input of a call: bytes in wasm memory, or a JavaScript value.

use bumpalo::Bump;
use serde_wasm_bindgen::Deserializer;
use wasm_bindgen::prelude::*;

use super::to_json;
use crate::error::Result;
use crate::model::{Json, Limits, Reader, check_size, without_lone_surrogates};
use crate::options::Options;

/// One input of a call. The call that takes it frees it.
#[wasm_bindgen]
pub struct Document(Source);

enum Source {
    Bytes(Vec<u8>),
    Value(JsValue),
}

#[wasm_bindgen]
impl Document {
    /// Room for the UTF-8 of a JSON text of at most `bytes`, to be written at `pointer`. Throws the
    /// limit's error when that is more than `max_bytes`, which is the default limit when not given.
    pub fn allocate(
        bytes: usize,
        max_bytes: Option<usize>,
    ) -> std::result::Result<Document, String> {
        let default = Limits::default();
        let limits = Limits {
            max_input_bytes: max_bytes.unwrap_or(default.max_input_bytes),
            ..default
        };
        check_size(bytes, limits).map_err(|error| to_json(&error.report()))?;
        Ok(Self(Source::Bytes(vec![0; bytes])))
    }

    /// A value that JSON text can't carry, since it holds NaN or an infinity.
    #[wasm_bindgen(js_name = fromValue)]
    pub fn from_value(value: JsValue) -> Document {
        Self(Source::Value(value))
    }

    /// Where to write the text in the module's memory.
    #[wasm_bindgen(getter)]
    pub fn pointer(&mut self) -> *mut u8 {
        match &mut self.0 {
            Source::Bytes(bytes) => bytes.as_mut_ptr(),
            Source::Value(_) => std::ptr::null_mut(),
        }
    }
}

impl Document {
    /// The bytes, when it is text.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Source::Bytes(bytes) => Some(bytes),
            Source::Value(_) => None,
        }
    }

    /// An arena of about the size that reading this takes.
    pub fn arena(&self) -> Bump {
        Bump::with_capacity(self.bytes().map_or(0, <[u8]>::len))
    }

    /// The value that this document holds.
    pub fn read<'a>(&'a self, reader: Reader<'a>) -> Result<Json<'a>> {
        match &self.0 {
            Source::Bytes(bytes) => reader.read(bytes),
            Source::Value(value) => reader.read_from(Deserializer::from(value.clone())),
        }
    }
}

/// The options that a document holds; none without one. Lone surrogates are read as [`Reader`] reads those of inputs.
pub fn read_options(document: Option<Document>) -> Result<Options> {
    match document.as_ref().and_then(Document::bytes) {
        Some(bytes) => Options::parse(&without_lone_surrogates(bytes)),
        None => Ok(Options::default()),
    }
}
