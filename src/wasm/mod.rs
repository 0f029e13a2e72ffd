//! The WebAssembly exports: they decode, call the core, and encode.
//!
//! Inputs are [`Document`]s, results are JSON text, and an error is thrown as the JSON text of an
//! [`ErrorReport`](toolgauge_model::error::ErrorReport).

mod check;
mod chunk;
mod comparators;
mod diff;
mod dispatch;
mod document;
mod formats;
mod judges;
mod lint;
mod reflect;
mod report;
mod score;
mod tools;
mod verify;

use std::panic::PanicHookInfo;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::prelude::*;

use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Reader, in_ascii, without_lone_surrogates};

pub use document::Document;
use document::read_options;
pub use tools::Tools;

/// Smaller than the allocator of the standard library, and equally fast.
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// An encoded result, or an encoded error to throw.
type Encoded = std::result::Result<String, String>;

/// The name of the JavaScript error that ends a call in the middle of its work. Its message is the encoded
/// error. The instance that threw it can't be used any more.
const STOPPED: &str = "ToolgaugeStopped";

/// Sets up readable panics in the console, and ends calls that work endlessly or need too much memory.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        if is_out_of_memory(panic) {
            stop(&OUT_OF_MEMORY);
        }
        console_error_panic_hook::hook(panic);
    }));
    let _ = toolgauge_schema::STOP.set(stop);
}

/// Most calls never reach this, because the limits on inputs stop them first.
static OUT_OF_MEMORY: LazyLock<toolgauge_model::error::Error> =
    LazyLock::new(|| toolgauge_model::error::Error::LimitExceeded {
        limit: "the memory of WebAssembly, in bytes,",
        allowed: usize::MAX,
        actual: None,
        path: Path::root(),
    });

/// Returns whether a list or the arena failed to grow. The texts are those of the standard library and of
/// bumpalo.
fn is_out_of_memory(panic: &PanicHookInfo<'_>) -> bool {
    let words = panic.payload().downcast_ref::<&str>();
    matches!(words, Some(&("capacity overflow" | "out of memory")))
}

fn stop(error: &toolgauge_model::error::Error) -> ! {
    let stopped = js_sys::Error::new(&to_json(&error.report()));
    stopped.set_name(STOPPED);
    wasm_bindgen::throw_val(stopped.into())
}

/// Returns the version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Reads one document, with no option but the limits, and returns what `answer` makes of it.
fn with_json(
    document: &Document,
    options: Option<Document>,
    answer: impl for<'a> FnOnce(Json<'a>, Reader<'a>) -> Result<String>,
) -> Result<String> {
    let mut options = read_options(options)?;
    let limits = options.take_limits()?;
    options.finish(&["limits"])?;
    let arena = document.arena();
    let reader = Reader::new(&arena, limits);
    answer(document.read(reader)?, reader)
}

fn read_named<'a>(document: &'a Document, name: &str, reader: Reader<'a>) -> Result<Json<'a>> {
    document
        .read(reader)
        .map_err(|error| error.inside(&Path::root().key(name)))
}

/// Reads data that this package wrote itself.
fn read_plain<T: DeserializeOwned>(bytes: &[u8], name: &str) -> Result<T> {
    serde_json::from_slice(&without_lone_surrogates(bytes)).map_err(|error| {
        let path = Path::root().key(name);
        toolgauge_model::error::Error::invalid_input(
            path,
            "what this package returns",
            error.to_string(),
        )
    })
}

fn encode(call: impl FnOnce() -> Result<String>) -> Encoded {
    call().map_err(|error| to_json(&error.report()))
}

/// Serializes `value`. Results are plain data, so writing them to memory can't fail.
fn to_json(value: &impl Serialize) -> String {
    in_ascii(serde_json::to_string(value).expect("plain data is always JSON"))
}
