//! toolgauge: checks and scores how an AI agent used its tools.
//!
//! Each layer uses only the layers before it. The lower ones are packages of their own, so that cargo rejects an upward
//! `use`; `tests/layers.rs` checks the order inside a package. ARCHITECTURE.md describes the layers.

pub mod baseline;
pub mod batch;
pub mod check;
pub mod diff;
pub mod finding;
pub mod report;

pub use toolgauge_base::{gate, issue, options, outcomes, trials};
pub use toolgauge_dispatch as dispatch;
pub use toolgauge_facts as facts;
pub use toolgauge_formats as formats;
pub use toolgauge_grounding as grounding;
pub use toolgauge_judges as judges;
pub use toolgauge_lint as lint;
pub use toolgauge_loops as loops;
pub use toolgauge_matching as matching;
pub use toolgauge_model::{self as model, error};
pub use toolgauge_reflect as reflect;
pub use toolgauge_schema as schema;
pub use toolgauge_score as score;
pub use toolgauge_validate as validate;
pub use toolgauge_verify as verify;

#[cfg(target_arch = "wasm32")]
mod wasm;
