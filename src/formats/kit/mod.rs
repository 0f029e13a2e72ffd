//! What readers are made of. The kit knows no reader.

pub mod answers;
pub mod calls;
pub mod conversation;
pub mod detection;
pub mod dialects;
pub mod envelope;
pub mod fields;
pub mod format;
pub mod import;
pub mod lost_calls;
pub mod marks;
pub mod message;
pub mod pieces;
pub mod signs;
pub mod threads;
pub mod tool_call;

pub use format::{Format, Imported, Likeness, TrajectoryFormat};
pub use import::{Import, ImportWarning, one_or_each};
