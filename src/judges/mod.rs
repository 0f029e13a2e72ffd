//! Works with the answers of judges, which are models: reads them and combines their scores.
//!
//! The caller asks the judges; this module has no network. It defines a question ([`Question`]), checks the
//! answer of a judge ([`check_answer`]) and combines scores ([`combine`]).

mod aggregation;
mod agreement;
mod answer;
mod combine;
mod options;
mod question;
mod scale;

pub use aggregation::AggregationMethod;
pub use answer::{AnswerReading, JudgeAnswer, check_answer, read_model_text};
pub use combine::{Combined, combine};
pub use options::JudgeOptions;
pub use question::Question;
pub use scale::ScoreScale;
