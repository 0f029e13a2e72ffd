//! What judges that are models answer: whether an answer is one, and what several of them come to.
//!
//! Asking is the caller's: this module knows no network. It says what a question must hold
//! ([`Question`]), reads what a judge said ([`check_answer`]) and combines scores ([`combine`]).

mod aggregation;
mod agreement;
mod answer;
mod combine;
mod options;
mod question;
mod scale;

use toolgauge_base as base;
#[cfg(test)]
use toolgauge_formats as formats;
use toolgauge_model::{self as model, error};
use toolgauge_schema as schema;

pub use aggregation::AggregationMethod;
pub use answer::{AnswerReading, JudgeAnswer, check_answer, read_model_text};
pub use combine::{Combined, combine};
pub use options::JudgeOptions;
pub use question::Question;
pub use scale::ScoreScale;
