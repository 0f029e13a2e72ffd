//! toolgauge: checks and scores how an AI agent used its tools.
#[cfg(target_arch = "wasm32")]
mod wasm;
