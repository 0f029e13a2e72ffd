//! Whether what an agent says and passes on stands on what it was told: the engine behind result
//! verification and the validation of trajectories.

mod acknowledgement;
mod arguments;
mod arithmetic;
mod background;
mod calendar;
mod chosen;
mod civil;
mod codes;
mod confidence;
mod counted;
mod derivations;
mod digest;
#[cfg(test)]
mod everyday;
mod evidence;
mod excuses;
mod keys;
#[cfg(test)]
mod languages;
mod likeness;
mod listed;
mod literal;
mod meanings;
mod measures;
mod mentions;
mod named;
mod nearest_text;
mod notations;
mod operands;
mod outcome;
mod owners;
mod pairs;
mod places;
mod purpose;
mod quantities;
mod replies;
mod schedule;
mod silent;
#[cfg(test)]
mod testing;
mod times;
mod traces;
mod transcript;
mod unsupported;
mod usage;
mod weekdays;
mod windows;

use crate as grounding;
use toolgauge_base::issue;
use toolgauge_facts as facts;
#[cfg(test)]
use toolgauge_formats as formats;
use toolgauge_model as model;

pub use arguments::UngroundedArgument;
pub use chosen::hides_result;
pub use confidence::{THRESHOLD, score};
pub use meanings::Meanings;
pub use outcome::{Outcome, outcome_of, says_nothing_found};
pub use transcript::{Speakers, Transcript};
pub use unsupported::{
    Closest, Grounding, Misattributed, Unsupported, UnsupportedFact, ground, tell,
};
pub use usage::{Usage, usage};
