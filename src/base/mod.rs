//! What every check shares: reading options, the shape of an issue, and the gate.

pub mod gate;
pub mod issue;
pub mod options;
