//! toolgauge: checks and scores how an AI agent used its tools.
//!
//! The layers, each knowing only those before it: [`model`] (trajectories, tools, JSON values, errors),
//! [`formats`] (reading what other systems log), [`facts`] (what a text states) and [`schema`] (compiled tool
//! schemas and what violates them), [`grounding`] (whether the evidence holds what is said) and [`matching`]
//! (comparing and pairing calls), then what judges: [`validate`], [`verify`] and [`score`], and [`judging`] for the
//! answers of models; on top [`check`] for one trajectory, [`batch`] for many, and [`report`].
//!
//! The lower layers are packages of their own, so that each can be compiled for speed or for size: see the profiles in
//! Cargo.toml.

pub mod baseline;
pub mod batch;
pub mod check;
pub mod gate;
pub mod judging;
pub mod lint;
pub mod options;
pub mod report;
pub mod score;
pub mod validate;
pub mod verify;

pub use toolgauge_facts as facts;
pub use toolgauge_formats as formats;
pub use toolgauge_grounding as grounding;
pub use toolgauge_matching as matching;
pub use toolgauge_model::{self as model, error, issue};
pub use toolgauge_schema as schema;

#[cfg(target_arch = "wasm32")]
mod wasm;
