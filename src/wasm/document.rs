//! An input of a call: bytes in the memory of the module, or a JavaScript value.

use bumpalo::Bump;
use serde_wasm_bindgen::Deserializer;
use wasm_bindgen::prelude::*;

use super::to_json;
use toolgauge_base::options::Options;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Limits, Reader, check_size, without_lone_surrogates};

/// An input of a call, which frees it.
#[wasm_bindgen]
pub struct Document(Source);

enum Source {
    Bytes(Vec<u8>),
    Value(JsValue),
}

#[wasm_bindgen]
impl Document {
    /// Allocates room for JSON text in UTF-8 of at most `bytes`, to be written at `pointer`. Throws the
    /// limit's error if that exceeds `max_bytes`, or else the default limit.
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

    /// Wraps a value that has no JSON text because it contains NaN or an infinity.
    #[wasm_bindgen(js_name = fromValue)]
    pub fn from_value(value: JsValue) -> Document {
        Self(Source::Value(value))
    }

    /// Returns where to write the text in the memory of the module.
    #[wasm_bindgen(getter)]
    pub fn pointer(&mut self) -> *mut u8 {
        match &mut self.0 {
            Source::Bytes(bytes) => bytes.as_mut_ptr(),
            Source::Value(_) => std::ptr::null_mut(),
        }
    }
}

impl Document {
    /// Returns the bytes, if it is text.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Source::Bytes(bytes) => Some(bytes),
            Source::Value(_) => None,
        }
    }

    /// Creates an arena of about the size that reading this document takes.
    pub fn arena(&self) -> Bump {
        Bump::with_capacity(self.bytes().map_or(0, <[u8]>::len))
    }

    /// Reads the value of this document.
    pub fn read<'a>(&'a self, reader: Reader<'a>) -> Result<Json<'a>> {
        match &self.0 {
            Source::Bytes(bytes) => reader.read(bytes),
            Source::Value(value) => reader.read_from(Deserializer::from(value.clone())),
        }
    }
}

/// Reads options from a document; without one there are none. Lone surrogates are handled as [`Reader`] does
/// for inputs.
pub fn read_options(document: Option<Document>) -> Result<Options> {
    match document.as_ref().and_then(Document::bytes) {
        Some(bytes) => Options::parse(&without_lone_surrogates(bytes)),
        None => Ok(Options::default()),
    }
}
