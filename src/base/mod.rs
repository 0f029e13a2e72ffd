//! What every check shares: reading options, the shape of an issue, trials of one task, and the gate.

pub mod fingerprint;
pub mod gate;
pub mod issue;
pub mod options;
pub mod outcomes;
pub mod trials;
