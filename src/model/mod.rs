//! The domain: trajectories, tools, and JSON values.

mod ascii;
mod compare;
pub mod error;
mod json;
mod limits;
mod lines;
mod parse;
mod path;
mod python;
mod runner;
mod scan;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod text;
pub mod text_calls;
mod tool;
mod tool_nature;
mod trajectory;
mod unread_tool;
mod words;

pub use ascii::in_ascii;
pub use json::{Json, Kind, Member, Number, Preview, SCHEMA_TYPES, count_values};
pub use limits::Limits;
pub use lines::{is_event_line, json_lines, looks_whole};
pub use parse::{Reader, TextReader, check_size, why_not_json, without_lone_surrogates};
pub use path::{Path, Step};
pub use runner::{Runner, is_handoff, searches_unlogged};
pub use text::{are_same, first_bytes, last_bytes, short, short_quotes, start_of};
pub use tool::ToolSchema;
pub use tool_nature::ToolNature;
pub use trajectory::{
    EXPECTATIONS, ExpectedCall, NOT_RUN, OWN_OF_CALLS, OWN_OF_TRAJECTORIES, OWN_OF_TURNS, Role,
    ToolCall, Trajectory, Turn, UNTYPED,
};
pub use unread_tool::{UnreadReason, UnreadTool};
pub use words::{singular, words_of};
