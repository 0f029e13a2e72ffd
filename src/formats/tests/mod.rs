//! What holds for all formats together.

mod detection;
mod envelopes;
mod fixtures;
mod registration;
