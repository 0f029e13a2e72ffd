//! Finds values that are known but belong to another record than the one that the sentence is about.
//!
//! A value is wrong if a sentence names a record by its id or name, the record does not hold the value but has
//! another one under the same key, and another record of the same kind holds the value.

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
