//! The formats that contain traces: runs, spans and observations. [`messages`] and [`events`] read what a step was
//! given and gave, [`runs`] what a tool was, [`figures`] what a step took, [`steps`] finds out what each span of a trace is, and [`trace`] puts the
//! conversation together.

pub mod deepeval_trace;
mod events;
mod figures;
mod flattened;
pub mod langfuse;
pub mod langsmith;
mod messages;
pub mod openinference;
pub mod otel_genai;
mod runs;
mod spans;
mod steps;
mod trace;
