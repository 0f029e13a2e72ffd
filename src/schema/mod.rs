//! Compiles tool schemas once and reports what violates them.

mod check;
mod coerce;
mod compile;
mod create;
mod declared;
mod effort;
mod instance;
mod meta_schema;
mod output;
mod plain;
mod together;
mod tool_cache;
mod tool_names;
mod tool_set;
mod union;
mod violation;
mod well_formed;

pub use check::{SchemaIssue, SchemaIssueType, SchemaValidationResult, validate_schema};
pub use coerce::{coerce_to, whole};
pub use compile::{Compiler, Holds, accepts, holds, prepare};
pub use create::create_tool_schema;
pub use declared::DeclaredArguments;
#[cfg(panic = "abort")]
pub use effort::STOP;
pub use instance::{from_value, to_value};
pub use output::OutputSchema;
pub use tool_cache::ToolCache;
pub use tool_names::{ToolNames, did_you_mean, endings, nearest};
pub use tool_set::{Tool, ToolSet};
pub use violation::{Violation, ViolationFacts, ViolationKind};
