//! Limits on the size and the work of inputs.

use serde::Deserialize;

/// Limits on the work of one call. Exceeding one is an error that names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Limits {
    /// The most bytes of one input, as UTF-8. Default 67,108,864 (64 MiB).
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_input_bytes: usize,
    /// The most objects in one input; each turn, call and tool is one. Default 1,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_objects: usize,
    /// The most values in one input: numbers, texts, objects and all others. Default 5,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_values: usize,
    /// The deepest nesting of arrays and objects in one input, 1 to 1,000. Default 256.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_depth: usize,
    /// The most schema issues reported for one call; the result says if there are more. Default 100.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_issues_per_call: usize,
    /// The most visits to subschemas in the validation of one call, in addition to a hundred per value in its
    /// arguments. Stops schemas that take exponential time. Default 20,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_schema_visits: usize,
    /// The most steps of comparing a list of calls with the expected ones. Each compared value and each
    /// possible pair takes at least one. Stops lists whose best pairs would take minutes to find. Default
    /// 40,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_comparison_steps: usize,
    /// The most calls that can be expected of one trajectory, counted with their repetitions. Default
    /// 1,000,000.
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub max_expected_calls: usize,
}

impl Limits {
    /// The highest limit on nesting, because each level takes stack, of which wasm has 1 MiB.
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
