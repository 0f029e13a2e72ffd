//! Values that are known, but of another record than the one that the sentence is about.
//!
//! A sentence names a record by its id or its name, and states a value that this record holds nowhere, while it holds
//! another one under the same key, and other records of its kind hold the value.

mod agreement;
mod attributes;
mod binding;
mod checker;
mod conflicts;
mod excuses;
mod focus;
mod identity;
mod keys;
mod mentions;
mod names;
mod outliers;
mod records;
mod segments;
mod sentence;
mod statuses;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod user_words;
mod words;
mod wrong;

pub use focus::Focus;
pub use records::{FieldText, Records};
pub use user_words::UserWords;
pub use wrong::{Conversation, Wrong, wrong_owners};
