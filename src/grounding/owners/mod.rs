//! Values that are known, but of another record than the one that the sentence is about.
//!
//! A sentence names a record by its id or its name, and states a value that this record holds nowhere, while it holds
//! another one under the same key, and other records of its kind hold the value.

mod attributes;
mod judge;
mod mentions;
mod records;
mod segments;
mod statuses;
#[cfg(test)]
mod tests;

pub use judge::{Conversation, Focus, Said, Wrong, wrong_owners};
pub use records::{FieldText, Records};
