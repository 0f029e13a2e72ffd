//! Bounds the work of one validation.
//!
//! A few schemas that refer to themselves twice make the validator visit a small value exponentially often.
//! The validator has no bound of its own, so each subschema that contains others gets a keyword that counts
//! visits.

use std::cell::Cell;

use jsonschema::Keyword;
use serde_json::Value;

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path, count_values};

/// The keyword that counts. No real schema uses this name.
pub const KEYWORD: &str = "toolgauge:effort";

/// The visits allowed per value; schemas that people write take two or three.
const VISITS_PER_VALUE: u64 = 100;

thread_local! {
    static LEFT: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Ends a validation that takes too many visits where unwinding is not possible. The function must not
/// return. If it is not set, the validation panics instead.
#[cfg(panic = "abort")]
pub static STOP: std::sync::OnceLock<fn(&Error) -> !> = std::sync::OnceLock::new();

/// Runs `validate` on `value` with at most `visits` visits of subschemas, plus a hundred per value inside it.
/// `place` names the member of the call that holds the value, for errors.
///
/// # Errors
/// [`Error::LimitExceeded`] if it takes more.
pub fn bounded<T>(
    value: Json<'_>,
    place: &'static str,
    visits: usize,
    validate: impl FnOnce() -> T,
) -> Result<T> {
    LEFT.set(visits as u64 + VISITS_PER_VALUE.saturating_mul(count_values(value) as u64));
    BOUND.set((visits, place));
    let outcome = stoppable(validate);
    LEFT.set(u64::MAX);
    outcome
}

thread_local! {
    static BOUND: Cell<(usize, &'static str)> = const { Cell::new((0, "")) };
}

#[cfg(panic = "unwind")]
fn stoppable<T>(validate: impl FnOnce() -> T) -> Result<T> {
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    catch_unwind(AssertUnwindSafe(validate)).map_err(|cause| match cause.downcast::<Error>() {
        Ok(error) => *error,
        Err(other) => resume_unwind(other),
    })
}

#[cfg(panic = "abort")]
fn stoppable<T>(validate: impl FnOnce() -> T) -> Result<T> {
    Ok(validate())
}

fn stop(error: Error) -> ! {
    #[cfg(panic = "unwind")]
    std::panic::resume_unwind(Box::new(error));
    #[cfg(panic = "abort")]
    match STOP.get() {
        Some(stop) => stop(&error),
        None => panic!("{error}"),
    }
}

/// Counts one visit of the subschema that contains it.
pub struct Effort {
    cost: u64,
    passes: bool,
}

impl Effort {
    /// Reads the value of the keyword: a number is the cost of a visit; `false` marks the subschema that
    /// counts and never matches.
    pub fn of(value: &Value) -> Self {
        Self {
            cost: value.as_u64().unwrap_or(1),
            passes: value != &Value::Bool(false),
        }
    }

    fn spend(&self) {
        match LEFT.get().checked_sub(self.cost) {
            Some(left) => LEFT.set(left),
            None => {
                let (allowed, place) = BOUND.get();
                stop(Error::LimitExceeded {
                    limit: "limits.maxSchemaVisits",
                    allowed,
                    actual: None,
                    path: Path::root().key(place),
                })
            }
        }
    }
}

impl<'i> Keyword<'i> for Effort {
    fn validate(&self, _: &'i Value) -> std::result::Result<(), jsonschema::ValidationError<'i>> {
        self.spend();
        if self.passes {
            Ok(())
        } else {
            Err(jsonschema::ValidationError::custom(KEYWORD))
        }
    }

    fn is_valid(&self, _: &'i Value) -> bool {
        self.spend();
        self.passes
    }
}

/// Returns the subschema that counts and never matches. As the last alternative of every union it runs when
/// no other matched; without it, a failing union would end before its own visit is counted.
pub fn never() -> Value {
    serde_json::json!({KEYWORD: false})
}

/// Bounds the work of one compilation.
///
/// Each subschema that contains others is compiled once, but `unevaluatedProperties` compiles all that it
/// sees through again.
pub mod compilation {
    use std::cell::Cell;

    /// How often each subschema may be compiled, on average.
    const TIMES_EACH: usize = 3;

    /// The compilations that every schema may take, however small it is.
    const AT_LEAST: usize = 500;

    thread_local! {
        static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Resets the budget for a schema with this many subschemas.
    pub fn allow(subschemas: usize) {
        LEFT.set(AT_LEAST + TIMES_EACH * subschemas);
    }

    /// Returns whether the last compilation exceeded its budget.
    pub fn is_exhausted() -> bool {
        LEFT.get() == 0
    }

    /// Counts one compiled subschema. Returns `false` if the budget is spent.
    pub fn spend() -> bool {
        let left = LEFT.get();
        LEFT.set(left.saturating_sub(1));
        left > 0
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use serde_json::json;

    use super::super::{Compiler, ToolSet};
    use super::*;
    use toolgauge_formats::import_tools;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn outcome(schema: &Value, arguments: &str) -> Result<usize> {
        let arena = Bump::new();
        let tool = json!({"name": "tool", "parameters": schema}).to_string();
        let reader = Reader::new(&arena, Limits::default());
        let tools = import_tools(arena_json(&arena, &tool), reader)?;
        let set = ToolSet::compile(&tools.value, &Compiler::new(Vec::new()))?;
        let tool = set.only().expect("one tool");
        let (found, _) = tool.violations(arena_json(&arena, arguments), Limits::default())?;
        Ok(found.len())
    }

    #[test]
    fn work_that_doubles_with_each_level_is_stopped_and_the_next_call_works() {
        let doubling = |branch: &str| {
            let next = json!({"properties": {"x": {"$ref": "#/$defs/a"}}, "required": ["y"]});
            json!({"$defs": {"a": {branch: [next, next]}}, "$ref": "#/$defs/a"})
        };
        let deep = format!("{}1{}", "{\"x\":".repeat(60), "}".repeat(60));
        let chain = |end: Value| {
            let links = (0..40).map(|n| {
                let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
                (format!("d{n}"), json!({"anyOf": [next, next]}))
            });
            let mut links: serde_json::Map<_, _> = links.collect();
            links.insert("d40".to_owned(), end);
            json!({"$defs": links, "$ref": "#/$defs/d0"})
        };
        assert!(outcome(&chain(json!({"type": "string"})), "{}").is_err());
        assert_eq!(outcome(&chain(json!({"type": "object"})), "{}"), Ok(0));
        for branch in ["allOf", "anyOf", "oneOf"] {
            let stopped = outcome(&doubling(branch), &deep);
            assert!(
                matches!(stopped, Err(Error::LimitExceeded { .. })),
                "{branch}: {stopped:?}"
            );
        }
        assert_eq!(outcome(&json!({"required": ["a"]}), "{}"), Ok(1));
    }

    #[test]
    fn large_arguments_that_people_send_are_not_stopped() {
        let schema = json!({"properties": {"rows": {"items": {
            "properties": {"id": {"anyOf": [{"type": "integer"}, {"type": "null"}]}},
            "required": ["id"],
        }}}});
        let rows: Vec<_> = (0..50_000).map(|id| json!({"id": id})).collect();
        let mut arguments = json!({"rows": rows});
        assert_eq!(outcome(&schema, &arguments.to_string()), Ok(0));
        arguments["rows"][40_000]["id"] = json!("x");
        assert_eq!(outcome(&schema, &arguments.to_string()), Ok(1));
    }
}
