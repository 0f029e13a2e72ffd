//! The scores that a judge may give, according to the schema of its answer.

use serde::Serialize;

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Json, Path};

/// The scores that a judge may give.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct ScoreScale {
    /// The lowest score.
    pub min: f64,
    /// The highest score.
    pub max: f64,
    /// All scores, in order, if the schema has an `enum`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<f64>>,
    /// The number that all scores are multiples of, if the schema has `multipleOf`; 1 for an `integer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

impl ScoreScale {
    /// Reads the scale of the member `field` in answers that `schema` describes.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] if answers may lack that member, or if it has neither bounds nor an `enum` of
    /// numbers.
    pub fn of(schema: Json<'_>, field: &str) -> Result<Self> {
        let path = Path::root().key("schema");
        let required = schema.get("required").and_then(Json::items);
        let is_required =
            required.is_some_and(|names| names.iter().any(|name| name.as_str() == Some(field)));
        if !is_required {
            let expected = format!("{field:?}, the member with the score");
            return Err(Error::invalid_input(
                path.key("required"),
                expected,
                describe(schema.get("required")),
            ));
        }
        let properties = schema.get("properties");
        let score = properties.and_then(|properties| properties.get(field));
        let scale =
            score.and_then(|score| Self::of_values(score).or_else(|| Self::of_range(score)));
        scale.ok_or_else(|| {
            Error::invalid_input(
                path.key("properties").key(field),
                "a number or an integer with `minimum` and `maximum`, or an `enum` of numbers",
                describe(score),
            )
        })
    }

    fn of_values(score: Json<'_>) -> Option<Self> {
        let values = score
            .get("enum")?
            .items()?
            .iter()
            .map(|value| number(*value));
        let mut values: Vec<f64> = values.collect::<Option<_>>()?;
        values.sort_by(f64::total_cmp);
        values.dedup();
        Some(Self {
            min: *values.first()?,
            max: *values.last()?,
            values: Some(values),
            step: None,
        })
    }

    fn of_range(score: Json<'_>) -> Option<Self> {
        let kind = score.get("type").and_then(Json::as_str);
        let (min, max) = (member(score, "minimum")?, member(score, "maximum")?);
        let step = match kind? {
            "integer" => Some(member(score, "multipleOf").unwrap_or(1.0)),
            "number" => member(score, "multipleOf"),
            _ => return None,
        };
        (min <= max && step.is_none_or(|step| step > 0.0)).then_some(Self {
            min,
            max,
            values: None,
            step,
        })
    }

    /// Returns the difference between the highest and the lowest score.
    pub fn range(&self) -> f64 {
        self.max - self.min
    }

    /// Returns the allowed score nearest to `value`; of two equally near ones the higher. If every number is
    /// allowed, that is the nearest whole number within the scale, if there is one.
    pub fn nearest(&self, value: f64) -> f64 {
        match &self.values {
            Some(values) => nearest_of(values, value),
            None => self.nearest_multiple(value, self.step.unwrap_or(1.0)),
        }
    }

    fn nearest_multiple(&self, value: f64, step: f64) -> f64 {
        let (lowest, highest) = (tidy(self.min / step).ceil(), tidy(self.max / step).floor());
        if lowest > highest {
            return value.clamp(self.min, self.max);
        }
        let steps = (tidy(value / step) + 0.5).floor();
        tidy(steps.clamp(lowest, highest) * step)
    }
}

fn nearest_of(values: &[f64], value: f64) -> f64 {
    let distance = |candidate: f64| tidy((candidate - value).abs());
    let nearer = |best: f64, next: f64| {
        if distance(next) <= distance(best) {
            next
        } else {
            best
        }
    };
    values.iter().copied().reduce(nearer).unwrap_or(value)
}

/// Rounds away the last digits, in which binary fractions differ from decimal ones.
fn tidy(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}

fn member(json: Json<'_>, name: &str) -> Option<f64> {
    number(json.get(name)?)
}

fn number(json: Json<'_>) -> Option<f64> {
    match json {
        Json::Number(number) if number.is_finite() => Some(number.as_f64()),
        _ => None,
    }
}

fn describe(json: Option<Json<'_>>) -> String {
    json.map_or_else(
        || "nothing".to_owned(),
        |json| toolgauge_model::Preview::of(json, 80).to_string(),
    )
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;
    use proptest::prelude::*;

    use super::*;
    use toolgauge_model::testing::arena_json;

    fn scale(score: &str) -> Result<ScoreScale> {
        let arena = Bump::new();
        let schema =
            format!(r#"{{"properties":{{"score":{score}}},"required":["reason","score"]}}"#);
        ScoreScale::of(arena_json(&arena, &schema), "score")
    }

    fn range(min: f64, max: f64, step: Option<f64>) -> ScoreScale {
        ScoreScale {
            min,
            max,
            values: None,
            step,
        }
    }

    #[test]
    fn the_scale_follows_the_schema() {
        let read = |score| scale(score).expect("a scale");
        assert_eq!(
            read(r#"{"type":"number","minimum":0,"maximum":1}"#),
            range(0.0, 1.0, None)
        );
        assert_eq!(
            read(r#"{"type":"integer","minimum":1,"maximum":5}"#),
            range(1.0, 5.0, Some(1.0))
        );
        assert_eq!(
            read(r#"{"type":"number","minimum":0,"maximum":1,"multipleOf":0.25}"#),
            range(0.0, 1.0, Some(0.25))
        );
        let values = read(r#"{"enum":[1,0.5,0,1]}"#);
        assert_eq!(values.values, Some(vec![0.0, 0.5, 1.0]));
        assert_eq!((values.min, values.max), (0.0, 1.0));
    }

    #[test]
    fn a_score_without_bounds_is_rejected_with_its_path() {
        for score in [
            r#"{"type":"number"}"#,
            r#"{"type":"number","minimum":0}"#,
            r#"{"type":"number","minimum":2,"maximum":1}"#,
            r#"{"type":"string","minimum":0,"maximum":1}"#,
            r#"{"minimum":0,"maximum":1}"#,
            r#"{"type":"number","minimum":0,"maximum":1,"multipleOf":0}"#,
            r#"{"enum":[]}"#,
            r#"{"enum":[1,"2"]}"#,
            "true",
        ] {
            let error = scale(score).expect_err(score).to_string();
            assert!(
                error.starts_with("schema.properties.score: expected"),
                "{error}"
            );
        }
    }

    #[test]
    fn an_optional_score_is_rejected() {
        let arena = Bump::new();
        for schema in [
            "{}",
            r#"{"required":"score"}"#,
            r#"{"required":["reason"],"properties":{"score":{"enum":[1]}}}"#,
        ] {
            let error = ScoreScale::of(arena_json(&arena, schema), "score").expect_err(schema);
            assert!(
                error
                    .to_string()
                    .starts_with("schema.required: expected \"score\"")
            );
        }
    }

    #[test]
    fn halves_are_rounded_up() {
        assert_eq!(range(1.0, 5.0, Some(1.0)).nearest(2.5), 3.0);
        assert_eq!(range(0.0, 1.0, None).nearest(0.5), 1.0);
        assert_eq!(range(0.0, 1.0, None).nearest(0.49), 0.0);
        assert_eq!(range(0.0, 1.0, Some(0.1)).nearest((0.1 + 0.2) / 2.0), 0.2);
        assert_eq!(
            scale(r#"{"enum":[0,0.3,1]}"#)
                .expect("a scale")
                .nearest(0.65),
            1.0
        );
        assert_eq!(range(-3.0, 3.0, Some(1.0)).nearest(-1.5), -1.0);
    }

    #[test]
    fn a_scale_without_whole_numbers_does_not_round() {
        assert_eq!(range(0.2, 0.8, None).nearest(0.5), 0.5);
    }

    proptest! {
        #[test]
        fn the_nearest_score_is_on_the_scale_within_half_a_step(
            min in -5_i32..5, steps in 1_i32..8, step in prop::sample::select(&[0.1, 0.25, 0.5, 1.0, 2.0][..]),
            share in 0.0..=1.0_f64,
        ) {
            let min = f64::from(min) * step;
            let scale = range(min, min + f64::from(steps) * step, Some(step));
            let value = min + share * scale.range();
            let nearest = scale.nearest(value);
            prop_assert!(scale.min - 1e-9 <= nearest && nearest <= scale.max + 1e-9);
            prop_assert!((nearest - value).abs() <= step / 2.0 + 1e-9);
            prop_assert!(((nearest / step).round() * step - nearest).abs() < 1e-9);
            prop_assert_eq!(scale.nearest(nearest), nearest);
        }
    }
}
