//! How much an input may ask for.

use serde::Deserialize;

/// Bounds on what one call may cost. Passing one is an error that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Limits {
    /// Most bytes of one input, as UTF-8. Default 67,108,864 (64 MiB).
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_input_bytes: usize,
    /// Most objects in one input, where each turn, call and tool is one. Default 1,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_objects: usize,
    /// Most values in one input: numbers, texts, objects and all others. Default 5,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_values: usize,
    /// Deepest nesting of arrays and objects in one input, 1 to 1,000. Default 256.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_depth: usize,
    /// Most schema issues reported for one call; the result says when there were more. Default 100.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_issues_per_call: usize,
    /// Most visits of subschemas in the validation of one call, besides a hundred for each value in
    /// its arguments. It stops schemas that take time exponential in the arguments. Default 20,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_schema_visits: usize,
    /// Most steps of comparing a list of calls with the expected ones. Each value that is compared is one
    /// or more, and so is each pair that is weighed. It stops lists whose best pairs would take minutes
    /// to find. Default 40,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_comparison_steps: usize,
    /// Most calls that can be expected of one trajectory, each as often as it must be made. Default
    /// 1,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_expected_calls: usize,
}

impl Limits {
    /// The deepest nesting that can be asked for: each level costs stack, which wasm has 1 MiB of.
    pub const DEEPEST: usize = 1_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_input_bytes: 64 << 20,
            max_objects: 1_000_000,
            max_values: 5_000_000,
            max_depth: 256,
            max_issues_per_call: 100,
            max_schema_visits: 20_000,
            max_comparison_steps: 40_000_000,
            max_expected_calls: 1_000_000,
        }
    }
}
