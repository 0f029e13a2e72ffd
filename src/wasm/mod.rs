//! The WebAssembly exports.
use wasm_bindgen::prelude::*;
/// The package version.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
