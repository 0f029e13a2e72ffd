//! The formats that contain traces: runs, spans and observations. [`trace`] puts the conversation
//! together.

pub mod deepeval_trace;
pub mod langfuse;
pub mod langsmith;
pub mod openinference;
pub mod otel_genai;
mod spans;
mod trace;
