//! Reduces many reflections to one set of scores.

use serde_json::{Map, Value};

use super::issue::ReflectionIssueType as Metric;
use toolgauge_base::gate::mean;
use toolgauge_base::issue::IssueType;

/// The kinds of semantic metrics in every reduction, each with its metrics.
const SEMANTIC: [(&str, [Metric; 2]); 2] = [
    (
        "general",
        [
            Metric::GeneralHallucinationCheck,
            Metric::GeneralValueFormatAlignment,
        ],
    ),
    (
        "function_selection",
        [
            Metric::FunctionSelectionAppropriateness,
            Metric::AgenticConstraintsSatisfaction,
        ],
    ),
];

/// The metrics of single arguments.
const PARAMETER: [Metric; 2] = [
    Metric::ParameterHallucinationCheck,
    Metric::ParameterValueFormatAlignment,
];

/// Returns the names of the static checks, in the order of the scores.
fn static_checks() -> impl Iterator<Item = &'static str> {
    Metric::STATIC.iter().map(|check| check.label())
}

/// Returns the mean of each score over many results of `reflectToolCall`: `static_…` and `semantic_…` by
/// metric, `semantic_avg_score_…` by kind, and `overall_valid`. All are from 0 to 1, to 3 decimals; higher is
/// better. Reflections that lack a score are left out of its mean; it is `null` if all lack it.
pub fn reduce_reflections(reflections: &[Value]) -> Map<String, Value> {
    let mut scores = Map::new();
    for check in static_checks() {
        let valid = |it: &Value| flag(it.pointer(&format!("/static/metrics/{check}/valid"))?);
        scores.insert(
            format!("static_{check}"),
            mean(reflections.iter().filter_map(valid)).into(),
        );
    }
    for (kind, metrics) in SEMANTIC {
        for metric in metrics.map(Metric::label) {
            let faultless = |it: &Value| {
                without_issue(it.pointer(&format!("/semantic/{kind}/metrics/{metric}"))?)
            };
            scores.insert(
                format!("semantic_{metric}"),
                mean(reflections.iter().filter_map(faultless)).into(),
            );
        }
        let average = |it: &Value| it.pointer(&format!("/semantic/{kind}/avg_score"))?.as_f64();
        let name = format!("semantic_avg_score_{kind}");
        scores.insert(name, mean(reflections.iter().filter_map(average)).into());
    }
    add_parameters(reflections, &mut scores);
    scores.insert("overall_valid".to_owned(), overall(reflections));
    scores
}

/// Like [`reduce_reflections`], for results of `checkToolCall`: each check, `overall_valid`, and
/// `score`, which is equal to it.
pub fn reduce_checks(checks: &[Value]) -> Map<String, Value> {
    let mut scores = Map::new();
    for check in static_checks() {
        let valid = |it: &Value| flag(it.pointer(&format!("/metrics/{check}/valid"))?);
        scores.insert(
            check.to_owned(),
            mean(checks.iter().filter_map(valid)).into(),
        );
    }
    scores.insert("overall_valid".to_owned(), overall(checks));
    scores.insert("score".to_owned(), overall(checks));
    scores
}

fn overall(results: &[Value]) -> Value {
    mean(
        results
            .iter()
            .filter_map(|it| flag(it.get("overall_valid")?)),
    )
    .into()
}

/// Adds the scores of single arguments, if any were judged.
fn add_parameters(reflections: &[Value], scores: &mut Map<String, Value>) {
    let categories: Vec<&Value> = reflections
        .iter()
        .filter_map(|it| it.pointer("/semantic/parameter")?.as_object())
        .flat_map(Map::values)
        .collect();
    if categories.is_empty() {
        return;
    }
    for metric in PARAMETER.map(Metric::label) {
        let faultless = |it: &&Value| without_issue(it.pointer(&format!("/metrics/{metric}"))?);
        scores.insert(
            format!("semantic_{metric}"),
            mean(categories.iter().filter_map(faultless)).into(),
        );
    }
    let average = |it: &&Value| it.get("avg_score")?.as_f64();
    let name = "semantic_avg_score_parameter".to_owned();
    scores.insert(name, mean(categories.iter().filter_map(average)).into());
}

/// Returns 1 if a judge found nothing wrong, 0 if one did, and `None` if none answered.
fn without_issue(metric: &Value) -> Option<f64> {
    match metric.get("error") {
        Some(_) => None,
        None => flag(metric.get("isIssue")?).map(|issue| 1.0 - issue),
    }
}

fn flag(value: &Value) -> Option<f64> {
    value.as_bool().map(|is_true| f64::from(u8::from(is_true)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn reflection(is_issue: bool, avg_score: Option<f64>) -> Value {
        json!({
            "static": {"metrics": {"non_existent_function": {"valid": true}}},
            "semantic": {"general": {
                "metrics": {"general_hallucination_check": {"isIssue": is_issue}},
                "avg_score": avg_score,
            }},
            "overall_valid": !is_issue,
        })
    }

    #[test]
    fn the_keys_have_a_fixed_order() {
        let scores = reduce_reflections(&[]);
        let keys: Vec<_> = scores.keys().map(String::as_str).collect();
        assert_eq!(keys.len(), 16);
        assert_eq!(keys[0], "static_non_existent_function");
        assert_eq!(
            keys[9..],
            [
                "semantic_general_hallucination_check",
                "semantic_general_value_format_alignment",
                "semantic_avg_score_general",
                "semantic_function_selection_appropriateness",
                "semantic_agentic_constraints_satisfaction",
                "semantic_avg_score_function_selection",
                "overall_valid",
            ]
        );
    }

    #[test]
    fn missing_scores_are_left_out_of_the_mean() {
        let unjudged = json!({
            "semantic": {"general": {"metrics": {"general_hallucination_check":
                {"error": {}, "isIssue": false}}, "avg_score": null}},
            "overall_valid": false,
        });
        let scores = reduce_reflections(&[
            reflection(false, Some(1.0)),
            reflection(true, Some(0.25)),
            unjudged,
        ]);
        assert_eq!(scores["static_non_existent_function"], 1.0);
        assert_eq!(scores["semantic_general_hallucination_check"], 0.5);
        assert_eq!(scores["semantic_avg_score_general"], 0.625);
        assert_eq!(
            scores["semantic_agentic_constraints_satisfaction"],
            Value::Null
        );
        assert_eq!(scores["overall_valid"], 0.333);
    }

    #[test]
    fn static_checks_keep_their_plain_names() {
        let check = |valid| json!({"metrics": {"invalid_tool_call": {"valid": valid}}, "overall_valid": valid});
        let scores = reduce_checks(&[check(true), check(false)]);
        assert_eq!(
            (&scores["invalid_tool_call"], &scores["score"]),
            (&json!(0.5), &json!(0.5))
        );
        assert_eq!(scores.len(), 11);
    }

    #[test]
    fn judged_arguments_have_scores() {
        let judged = json!({"semantic": {"parameter": {
            "city": {"metrics": {"parameter_hallucination_check": {"isIssue": false}}, "avg_score": 1.0},
            "day": {"metrics": {"parameter_hallucination_check": {"isIssue": true}}, "avg_score": 0.0},
        }}, "overall_valid": false});
        let scores = reduce_reflections(&[judged]);
        assert_eq!(scores["semantic_parameter_hallucination_check"], 0.5);
        assert_eq!(scores["semantic_avg_score_parameter"], 0.5);
        assert_eq!(scores.len(), 19);
    }
}
