//! What holds for all formats together.

mod detection;
mod fixtures;
mod registration;
