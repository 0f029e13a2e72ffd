//! Validates schemas against the meta-schema of their draft. Each meta-schema is compiled once.

use std::cell::OnceCell;

use jsonschema::meta::{MetaValidator, validator_for};
use jsonschema::{Draft, ValidationError};
use serde_json::{Value, json};

/// The drafts that have a meta-schema of their own, by its URI.
const KNOWN: [(Draft, &str); 5] = [
    (Draft::Draft4, "http://json-schema.org/draft-04/schema"),
    (Draft::Draft6, "http://json-schema.org/draft-06/schema"),
    (Draft::Draft7, "http://json-schema.org/draft-07/schema"),
    (
        Draft::Draft201909,
        "https://json-schema.org/draft/2019-09/schema",
    ),
    (
        Draft::Draft202012,
        "https://json-schema.org/draft/2020-12/schema",
    ),
];

thread_local! {
    static VALIDATORS: [OnceCell<MetaValidator<'static>>; KNOWN.len()] = Default::default();
}

/// Returns whether [`check`] knows `draft`.
pub fn is_known(draft: Draft) -> bool {
    KNOWN.iter().any(|(known, _)| *known == draft)
}

/// Validates `schema` against the meta-schema of `draft`, which must be a known draft.
///
/// # Errors
/// The first violation.
pub fn check(schema: &Value, draft: Draft) -> Result<(), ValidationError<'static>> {
    let at = KNOWN.iter().position(|(known, _)| *known == draft);
    let at = at.expect("a known draft");
    VALIDATORS.with(|validators| {
        let validator = match validators[at].get() {
            Some(validator) => validator,
            None => {
                let made = validator_for(&json!({"$schema": KNOWN[at].1}))?;
                validators[at].get_or_init(|| made)
            }
        };
        let outcome = validator.validate(schema);
        outcome.map_err(|error| error.to_owned())
    })
}
