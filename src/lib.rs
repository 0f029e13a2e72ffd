//! toolgauge: checks and scores how an AI agent used its tools.
//!
//! The layers, each knowing only those before it: [`model`] (trajectories, tools, JSON values),
//! [`formats`] (reading what other systems log), [`schema`] (compiled tool schemas and what violates
//! them), [`matching`] (comparing and pairing calls), then what judges: [`validate`] and [`score`],
//! [`reflect`] for calls that have not run yet, [`dispatch`] for calls that run, and [`judges`] for the
//! answers of models; on top what they find ([`finding`]), [`check`] for one trajectory, [`batch`] for many, and [`report`].

pub mod baseline;
pub mod batch;
pub mod check;
pub mod dispatch;
pub mod error;
pub mod facts;
pub mod finding;
pub mod formats;
pub mod gate;
pub mod grounding;
pub mod issue;
pub mod judges;
pub mod lint;
pub mod loops;
pub mod matching;
pub mod model;
pub mod options;
pub mod reflect;
pub mod report;
pub mod schema;
pub mod score;
pub mod validate;
pub mod verify;

#[cfg(target_arch = "wasm32")]
mod wasm;
