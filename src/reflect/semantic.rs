//! Draws conclusions from what judges say about the meaning of a call.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::issue::ReflectionIssueType;
use toolgauge_base::gate::mean;
use toolgauge_base::issue::{IssueType, round};
use toolgauge_model::Path;
use toolgauge_model::error::ErrorCode;

/// The lowest and the highest output of a judge.
const OUTPUTS: (f64, f64) = (1.0, 5.0);

/// From this output on, a metric about values finds the call right.
const GOOD_VALUES: f64 = 4.0;

/// From this output on, a metric about the choice of the tool finds the call right: 3 means that the case is
/// undecided.
const GOOD_CHOICE: f64 = 3.0;

/// The default lowest confidence at which an answer counts.
pub const MIN_CONFIDENCE: f64 = 0.5;

/// The answers of judges about one call, by metric.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SemanticAnswers {
    /// Whether the static checks passed.
    pub static_valid: bool,
    /// The lowest confidence at which an answer counts.
    pub min_confidence: Option<f64>,
    /// The answers to the general metrics.
    pub general: Option<Map<String, Value>>,
    /// The answers about the choice of the tool.
    pub function_selection: Option<Map<String, Value>>,
    /// The answers about single arguments, by name and metric.
    pub parameter: Option<Map<String, Value>>,
}

/// The result of one metric: the answers of the judges, or the reason why there are none.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(untagged)]
pub enum SemanticMetric {
    /// Judges answered.
    Judged(JudgedMetric),
    /// No judge gave a valid answer.
    Unjudged(UnjudgedMetric),
}

/// The answers of the judges to one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct JudgedMetric {
    /// The evidence that the judge cites; for several judges, that of the one whose output is nearest to the
    /// combined one.
    pub evidence: String,
    /// The explanation of that judge.
    pub explanation: String,
    /// How valid the call is, from 1 to 5.
    pub output: f64,
    /// How certain the judge is, from 0 to 1; for several judges the mean.
    pub confidence: f64,
    /// The corrected call; `null` if nothing is wrong.
    #[cfg_attr(feature = "typescript", ts(type = "JsonValue"))]
    pub correction: Value,
    /// The output scaled to 0 to 1.
    pub score: f64,
    /// Whether the confidence is high enough for the metric to count.
    pub counts: bool,
    /// Whether the metric finds the call right. A metric that does not count finds nothing wrong.
    pub valid: bool,
    /// Whether the metric counts and finds the call wrong.
    pub is_issue: bool,
    /// How far several judges agree, from 0 to 1; absent for a single judge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<f64>,
}

/// A metric without a valid answer. The call is not valid by it, and there is no made-up score.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "camelCase")]
pub struct UnjudgedMetric {
    /// The reason, with what the judge said.
    pub error: JudgeFailure,
    /// Always false.
    pub counts: bool,
    /// Always false.
    pub valid: bool,
    /// Always false, because nothing is known to be wrong.
    pub is_issue: bool,
}

/// The reason why a judge gave no answer: a `JudgeError` as plain data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct JudgeFailure {
    /// `judge_failed`, or `judge_answer_invalid` if the answer does not fit.
    pub code: ErrorCode,
    /// What happened.
    pub message: String,
    /// The judge's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// What the judge said, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw_answer: Option<String>,
    /// The HTTP status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
}

impl JudgeFailure {
    fn of(error: Option<&Value>) -> Self {
        let read = error.and_then(|error| serde_json::from_value(error.clone()).ok());
        read.unwrap_or_else(|| Self {
            code: ErrorCode::JudgeFailed,
            message: "no judge was asked".to_owned(),
            judge: None,
            raw_answer: None,
            status: None,
        })
    }
}

/// The metrics of one kind.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct SemanticCategory {
    /// Each metric by name.
    #[cfg_attr(feature = "typescript", ts(type = "Record<string, SemanticMetric>"))]
    pub metrics: Named<SemanticMetric>,
    /// The mean of the scores that count, from 0 to 1; `null` if none counts.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub avg_score: Option<f64>,
}

/// The results of judges on a call, by kind of metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct SemanticResult {
    /// Whether the values are right: grounded and in the expected format. Absent if not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub general: Option<SemanticCategory>,
    /// Whether the tool is right and may be called now. Absent if not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function_selection: Option<SemanticCategory>,
    /// Whether single arguments are right, by name. Absent if not asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(
        feature = "typescript",
        ts(optional, type = "Record<string, SemanticCategory>")
    )]
    pub parameter: Option<Named<SemanticCategory>>,
}

/// The conclusion of a reflection.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conclusion {
    /// The results of the judges.
    pub semantic: SemanticResult,
    /// Whether the static checks pass and every metric that counts finds the call right.
    pub overall_valid: bool,
    /// The mean of the averages of the kinds; `null` if there are none.
    pub overall_avg_score: Option<f64>,
    /// The first usable correction of a judge, from the metrics that find the call wrong.
    pub correction: Value,
    /// The reasons of the metrics that find the call wrong, and what is needed to correct it.
    pub objections: Vec<Objection>,
}

/// The objection of judges to a call by one metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Objection {
    /// The metric.
    pub metric: ReflectionIssueType,
    /// The judged argument; empty for the call as a whole.
    #[serde(default)]
    pub path: String,
    /// The reason, or what is needed first.
    pub message: String,
}

/// Values by name, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<T>(pub Vec<(String, T)>);

impl<T: Serialize> Serialize for Named<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The metrics in the order in which their corrections are considered: a wrong tool makes its arguments
/// meaningless.
const CORRECTING: [ReflectionIssueType; 4] = [
    ReflectionIssueType::FunctionSelectionAppropriateness,
    ReflectionIssueType::GeneralHallucinationCheck,
    ReflectionIssueType::GeneralValueFormatAlignment,
    ReflectionIssueType::AgenticConstraintsSatisfaction,
];

/// Concludes from the answers of judges whether a call is right.
pub fn conclude(answers: &SemanticAnswers) -> Conclusion {
    let least = answers.min_confidence.unwrap_or(MIN_CONFIDENCE);
    let category = |answers: &Map<String, Value>, good| SemanticCategory::of(answers, least, good);
    let semantic = SemanticResult {
        general: answers.general.as_ref().map(|it| category(it, GOOD_VALUES)),
        function_selection: answers
            .function_selection
            .as_ref()
            .map(|it| category(it, GOOD_CHOICE)),
        parameter: answers.parameter.as_ref().map(|parameters| {
            let each = parameters.iter().filter_map(|(name, answers)| {
                Some((name.clone(), category(answers.as_object()?, GOOD_VALUES)))
            });
            Named(each.collect())
        }),
    };
    let is_right = semantic.metrics().all(|(_, _, metric)| metric.is_valid());
    Conclusion {
        overall_valid: answers.static_valid && is_right,
        overall_avg_score: semantic.average(),
        correction: semantic.correction(),
        objections: semantic.objections(),
        semantic,
    }
}

impl SemanticCategory {
    fn of(answers: &Map<String, Value>, min_confidence: f64, good: f64) -> Self {
        let metrics: Vec<_> = answers
            .iter()
            .map(|(name, asked)| {
                (
                    name.clone(),
                    SemanticMetric::of(asked, min_confidence, good),
                )
            })
            .collect();
        let scores = metrics.iter().filter_map(|(_, metric)| match metric {
            SemanticMetric::Judged(judged) if judged.counts => Some(judged.score),
            SemanticMetric::Judged(_) | SemanticMetric::Unjudged(_) => None,
        });
        Self {
            avg_score: mean(scores),
            metrics: Named(metrics),
        }
    }
}

impl SemanticMetric {
    /// Reads the result in `{verdict}` or `{error}`.
    fn of(asked: &Value, min_confidence: f64, good: f64) -> Self {
        match asked
            .get("verdict")
            .and_then(|verdict| judged(verdict, min_confidence, good))
        {
            Some(judged) => Self::Judged(judged),
            None => Self::Unjudged(UnjudgedMetric {
                error: JudgeFailure::of(asked.get("error")),
                counts: false,
                valid: false,
                is_issue: false,
            }),
        }
    }

    fn is_valid(&self) -> bool {
        match self {
            Self::Judged(judged) => judged.valid,
            Self::Unjudged(unjudged) => unjudged.valid,
        }
    }
}

/// Reads the verdict of judges; `None` if it contains no answer.
fn judged(verdict: &Value, min_confidence: f64, good: f64) -> Option<JudgedMetric> {
    let output = verdict.get("score")?.as_f64()?;
    let answers: Vec<&Value> = verdict
        .get("results")?
        .as_array()?
        .iter()
        .filter_map(|result| result.get("answer"))
        .collect();
    let distance = |answer: &&&Value| {
        let own = answer
            .get("output")
            .and_then(Value::as_f64)
            .unwrap_or_default();
        (own - output).abs()
    };
    let nearest = answers
        .iter()
        .min_by(|one, other| distance(one).total_cmp(&distance(other)))?;
    let confidences = answers
        .iter()
        .filter_map(|answer| answer.get("confidence")?.as_f64());
    let confidence = mean(confidences).unwrap_or_default();
    let counts = confidence >= min_confidence;
    let valid = !counts || output >= good;
    let text = |name| {
        nearest
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned()
    };
    Some(JudgedMetric {
        evidence: text("evidence"),
        explanation: text("explanation"),
        output,
        confidence,
        correction: nearest.get("correction").cloned().unwrap_or_default(),
        score: round((output - OUTPUTS.0) / (OUTPUTS.1 - OUTPUTS.0)),
        counts,
        valid,
        is_issue: counts && !valid,
        agreement: verdict.get("agreement").and_then(Value::as_f64),
    })
}

impl SemanticResult {
    /// Returns the kinds of metrics about the whole call.
    fn whole(&self) -> impl Iterator<Item = &SemanticCategory> {
        [&self.general, &self.function_selection]
            .into_iter()
            .flatten()
    }

    /// Returns the metrics about single arguments, with the argument.
    fn single(&self) -> impl Iterator<Item = (Path, &SemanticCategory)> {
        let named = self.parameter.iter().flat_map(|it| &it.0);
        named.map(|(name, category)| (Path::root().key(name), category))
    }

    /// Returns every metric with its name and the argument that it is about: the root for the call as a
    /// whole.
    fn metrics(&self) -> impl Iterator<Item = (Path, &str, &SemanticMetric)> {
        let whole = self.whole().map(|category| (Path::root(), category));
        whole.chain(self.single()).flat_map(|(path, category)| {
            let metrics = category.metrics.0.iter();
            metrics.map(move |(name, metric)| (path.clone(), name.as_str(), metric))
        })
    }

    fn average(&self) -> Option<f64> {
        let single = mean(self.single().filter_map(|(_, category)| category.avg_score));
        let whole = self.whole().filter_map(|category| category.avg_score);
        mean(whole.chain(single))
    }

    /// Returns the reasons of the metrics that find the call wrong, with what they miss.
    fn objections(&self) -> Vec<Objection> {
        let mut found = Vec::new();
        for (path, name, metric) in self.metrics() {
            add_objections(&path, name, metric, &mut found);
        }
        found
    }

    /// Returns the correction of the first metric that finds the call wrong and has one.
    fn correction(&self) -> Value {
        let of = |wanted: &ReflectionIssueType| {
            self.metrics().find_map(|(_, name, metric)| match metric {
                SemanticMetric::Judged(judged) if name == wanted.label() && judged.is_issue => {
                    Some(&judged.correction).filter(|correction| correction.is_object())
                }
                SemanticMetric::Judged(_) | SemanticMetric::Unjudged(_) => None,
            })
        };
        CORRECTING.iter().find_map(of).cloned().unwrap_or_default()
    }
}

fn add_objections(path: &Path, name: &str, metric: &SemanticMetric, found: &mut Vec<Objection>) {
    let (SemanticMetric::Judged(judged), Ok(metric)) = (
        metric,
        serde_json::from_value::<ReflectionIssueType>(name.into()),
    ) else {
        return;
    };
    if !judged.is_issue {
        return;
    }
    let missing = judged.correction.get("missing").and_then(Value::as_array);
    let missing = missing.into_iter().flatten().filter_map(Value::as_str);
    let needs = missing.map(|what| format!("needed first: {what}"));
    for message in std::iter::once(judged.explanation.clone()).chain(needs) {
        if found
            .iter()
            .all(|known: &Objection| known.message != message)
        {
            let path = path.to_string();
            found.push(Objection {
                metric,
                path,
                message,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn said(output: f64, confidence: f64) -> Value {
        json!({"verdict": {"score": output, "agreement": null, "results": [
            {"judge": "j", "answer": {"evidence": "e", "explanation": "x", "output": output,
                "confidence": confidence, "correction": {"arguments": {"city": "Oslo"}}}}]}})
    }

    fn concluded(answers: Value) -> Conclusion {
        conclude(&serde_json::from_value(answers).expect("answers"))
    }

    fn general(answer: &Value) -> Value {
        json!({"staticValid": true, "general": {"general_hallucination_check": answer}})
    }

    #[test]
    fn outputs_become_scores_from_0_to_1() {
        for (output, score, valid) in [
            (5.0, 1.0, true),
            (4.0, 0.75, true),
            (3.0, 0.5, false),
            (1.0, 0.0, false),
        ] {
            let found = concluded(general(&said(output, 0.9)));
            let category = found.semantic.general.expect("a category");
            assert_eq!(
                (category.avg_score, found.overall_valid),
                (Some(score), valid)
            );
        }
    }

    #[test]
    fn an_undecided_choice_of_tool_is_right() {
        let answers = json!({"staticValid": true, "functionSelection":
            {"function_selection_appropriateness": said(3.0, 0.9)}});
        assert!(concluded(answers).overall_valid);
    }

    #[test]
    fn an_uncertain_answer_neither_counts_nor_corrects() {
        let found = concluded(general(&said(1.0, 0.2)));
        assert!(found.overall_valid && found.correction.is_null());
        assert_eq!(
            (
                found.overall_avg_score,
                found.semantic.general.expect("one").avg_score
            ),
            (None, None)
        );
        let strict = json!({"staticValid": true, "minConfidence": 0.1,
            "general": {"general_hallucination_check": said(1.0, 0.2)}});
        let found = concluded(strict);
        assert!(!found.overall_valid);
        assert_eq!(found.correction, json!({"arguments": {"city": "Oslo"}}));
    }

    #[test]
    fn a_metric_without_an_answer_is_not_valid_and_has_no_score() {
        let error = json!({"error": {"code": "judge_answer_invalid", "message": "no answer", "rawAnswer": "???", "retryable": true}});
        let found = concluded(general(&error));
        assert!(!found.overall_valid);
        let category = found.semantic.general.expect("a category");
        assert_eq!(category.avg_score, None);
        let written = serde_json::to_value(&category.metrics).expect("JSON");
        assert_eq!(
            written["general_hallucination_check"]["error"]["rawAnswer"],
            "???"
        );
    }

    #[test]
    fn several_judges_give_the_nearest_explanation_and_the_mean_confidence() {
        let answer = |output: f64, evidence, confidence: f64| {
            json!({"answer": {"evidence": evidence, "explanation": "", "output": output,
                "confidence": confidence, "correction": null}})
        };
        let verdict = json!({"verdict": {"score": 4.333, "agreement": 0.7,
            "results": [answer(3.0, "a", 1.0), answer(5.0, "b", 0.6), {"error": {}}, answer(5.0, "c", 0.8)]}});
        let found = concluded(general(&verdict));
        let SemanticMetric::Judged(judged) = &found.semantic.general.expect("one").metrics.0[0].1
        else {
            panic!("no answer");
        };
        assert_eq!(
            (
                judged.evidence.as_str(),
                judged.confidence,
                judged.agreement
            ),
            ("b", 0.8, Some(0.7))
        );
    }

    #[test]
    fn a_call_that_fails_the_static_checks_is_not_valid_whatever_judges_say() {
        let answers = json!({"staticValid": false, "general": {"general_hallucination_check": said(5.0, 1.0)}});
        assert!(!concluded(answers).overall_valid);
    }
}
