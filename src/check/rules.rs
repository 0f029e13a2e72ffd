//! Rules: the severity of each issue type, and the findings to ignore.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use strum::{IntoStaticStr, VariantArray};

use crate::finding::{Finding, FindingType, TrajectoryReport};
use toolgauge_base::issue::Severity;
use toolgauge_base::options::Options;
use toolgauge_model::Path;
use toolgauge_model::error::{Error, Result};
use toolgauge_schema::{did_you_mean, nearest};

/// The level of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum RuleLevel {
    /// Its issues are not reported.
    Off,
    /// Low.
    Low,
    /// Medium.
    Medium,
    /// High.
    High,
    /// Critical.
    Critical,
}

impl RuleLevel {
    /// Returns the severity, or `None` if the rule is off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            Self::Off => None,
            Self::Low => Some(Severity::Low),
            Self::Medium => Some(Severity::Medium),
            Self::High => Some(Severity::High),
            Self::Critical => Some(Severity::Critical),
        }
    }
}

/// A pattern of findings that are not reported. Missing members match everything; `*` in a text matches any
/// text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct IgnoredFinding {
    /// The id of the trajectory.
    pub trajectory: Option<String>,
    /// The type of the issue.
    #[serde(rename = "type")]
    pub kind: Option<String>,
    /// The name of the tool.
    pub tool: Option<String>,
    /// The path in the arguments or the result, for example `filters.tags[2]`.
    pub path: Option<String>,
    /// Why the findings are ignored, for readers of the configuration. Required.
    pub reason: String,
}

/// The rules of a check.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Rules {
    /// The severity of each issue type, or `off`. Default: the severity of the type.
    #[cfg_attr(
        feature = "typescript",
        ts(
            optional,
            rename = "rules",
            type = "Partial<Record<IssueTypeName, RuleLevel>>"
        )
    )]
    levels: BTreeMap<String, RuleLevel>,
    /// Findings that are not reported, each with a reason. The summary counts them. Default: none.
    #[cfg_attr(
        feature = "typescript",
        ts(optional, rename = "ignore", type = "Array<IgnoredFinding>")
    )]
    ignored: Vec<IgnoredFinding>,
}

impl Rules {
    /// Takes the options `rules` and `ignore` out of `options`.
    ///
    /// # Errors
    /// [`Error::InvalidOption`] for an unknown issue type, an unknown level, and a pattern without a reason
    /// or without any other member.
    pub fn take(options: &mut Options) -> Result<Self> {
        let levels: BTreeMap<String, RuleLevel> = options.take("rules")?.unwrap_or_default();
        let ignored: Vec<IgnoredFinding> = options.take("ignore")?.unwrap_or_default();
        let rules = Path::root().key("options").key("rules");
        for kind in levels.keys() {
            check_type(kind, || rules.clone().key(kind))?;
        }
        let ignore = Path::root().key("options").key("ignore");
        for (at, finding) in ignored.iter().enumerate() {
            finding.check(|| ignore.clone().index(at))?;
        }
        Ok(Self { levels, ignored })
    }

    /// Returns whether the rules change nothing.
    pub fn is_empty(&self) -> bool {
        self.levels.is_empty() && self.ignored.is_empty()
    }

    /// Applies the rules to the issues of `report`, and counts the ignored ones. `strict` is whether one
    /// severe issue makes the score of a turn 0.
    pub fn apply(&self, report: &mut TrajectoryReport, strict: bool) {
        if self.is_empty() {
            return;
        }
        let id = report.id.clone();
        let mut ignored = 0;
        let mut rate = |finding: Finding<'_>| match self.rate(id.as_deref(), &finding) {
            Rating::Ignored => {
                ignored += 1;
                None
            }
            Rating::Off => None,
            Rating::Severity(severity) => Some(severity),
        };
        for result in &mut report.results {
            retain(&mut result.issues, |issue| rate(Finding::call(issue)));
            result.settle(strict);
        }
        retain(&mut report.result_issues, |issue| {
            rate(Finding::result(issue))
        });
        retain(&mut report.reflection_issues, |issue| {
            rate(Finding::reflection(issue))
        });
        report.ignored = ignored;
        report.settle();
    }

    fn rate(&self, trajectory: Option<&str>, finding: &Finding<'_>) -> Rating {
        let label = finding.kind.label();
        let level = self.levels.get(label);
        let is_ignored = |ignored: &IgnoredFinding| ignored.matches(trajectory, label, finding);
        match level.map(|level| level.severity()) {
            Some(None) => Rating::Off,
            _ if self.ignored.iter().any(is_ignored) => Rating::Ignored,
            Some(Some(severity)) => Rating::Severity(severity),
            None => Rating::Severity(finding.severity),
        }
    }
}

/// What the rules do with a finding.
enum Rating {
    Off,
    Ignored,
    Severity(Severity),
}

/// Keeps the issues that still have a severity, and sets it.
fn retain<Type, Details>(
    issues: &mut Vec<toolgauge_base::issue::Issue<Type, Details>>,
    mut rate: impl FnMut(&toolgauge_base::issue::Issue<Type, Details>) -> Option<Severity>,
) {
    issues.retain_mut(|issue| match rate(issue) {
        Some(severity) => {
            issue.severity = severity;
            true
        }
        None => false,
    });
}

impl IgnoredFinding {
    fn check(&self, place: impl Fn() -> Path) -> Result<()> {
        let refuse = |name: &str, reason: &str| {
            Err(Error::InvalidOption {
                path: if name.is_empty() {
                    place()
                } else {
                    place().key(name)
                },
                reason: reason.to_owned(),
            })
        };
        if self.reason.trim().is_empty() {
            return refuse("reason", "expected the reason for ignoring the finding");
        }
        match &self.kind {
            Some(kind) if !kind.contains('*') => check_type(kind, || place().key("type")),
            None if self.trajectory.is_none() && self.tool.is_none() && self.path.is_none() => {
                refuse(
                    "",
                    "expected a trajectory, type, tool or path; this ignores every finding",
                )
            }
            _ => Ok(()),
        }
    }

    fn matches(&self, trajectory: Option<&str>, kind: &str, finding: &Finding<'_>) -> bool {
        let fits = |pattern: &Option<String>, text: Option<&str>| {
            let Some(pattern) = pattern else { return true };
            matches(pattern, text.unwrap_or_default())
        };
        fits(&self.trajectory, trajectory)
            && fits(&self.kind, Some(kind))
            && fits(&self.tool, finding.tool)
            && fits(&self.path, Some(finding.path))
    }
}

fn check_type(kind: &str, place: impl Fn() -> Path) -> Result<()> {
    let mut known = FindingType::all().map(FindingType::label);
    if known.any(|known| known == kind) {
        return Ok(());
    }
    let hint = did_you_mean(nearest(kind, FindingType::all().map(FindingType::label)));
    Err(Error::InvalidOption {
        path: place(),
        reason: format!("there is no type of issue {}{hint}", Value::from(kind)),
    })
}

/// Returns whether `text` matches `pattern`, in which `*` matches any text.
fn matches(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(mut text) = text.strip_prefix(start) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else {
            return false;
        };
        text = &text[at + part.len()..];
    }
    text.ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_matches_any_text() {
        for (pattern, text, fits) in [
            ("get_order", "get_order", true),
            ("get_order", "get_orders", false),
            ("get_*", "get_order", true),
            ("*", "", true),
            ("*order*", "get_order_by_id", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }

    fn taken(options: &str) -> std::result::Result<Rules, String> {
        let mut options = Options::parse(options.as_bytes()).expect("an object");
        Rules::take(&mut options).map_err(|error| error.to_string())
    }

    #[test]
    fn rules_that_can_not_match_are_rejected() {
        for (options, says) in [
            (
                r#"{"rules":{"tool_missuse":"off"}}"#,
                r#"did you mean "tool_misuse""#,
            ),
            (r#"{"rules":{"tool_misuse":"loud"}}"#, "options.rules"),
            (r#"{"ignore":[{"tool":"f"}]}"#, "reason"),
            (
                r#"{"ignore":[{"tool":"f","reason":" "}]}"#,
                "options.ignore[0].reason",
            ),
            (r#"{"ignore":[{"reason":"all"}]}"#, "ignores every finding"),
            (
                r#"{"ignore":[{"type":"misuse","reason":"x"}]}"#,
                "options.ignore[0].type",
            ),
        ] {
            let message = taken(options).expect_err("a refusal");
            assert!(message.contains(says), "{message}");
        }
        let rules = taken(
            r#"{"rules":{"tool_misuse":"off","empty_result":"high"},"ignore":[{"tool":"a*","reason":"known"}]}"#,
        );
        assert!(!rules.expect("rules").is_empty());
    }
}
