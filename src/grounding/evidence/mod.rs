//! The evidence at a point of a conversation: all values from tools, users and instructions.
//!
//! [`Gathered`] collects values. Lookups go through the [`Evidence`] that it seals.

mod days;
mod gathered;
mod known;
mod nearest;
mod numbers;
mod sealed;
mod words;

pub use gathered::Gathered;
pub use known::{Known, Source};
pub use sealed::Evidence;
