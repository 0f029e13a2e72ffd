//! What a check found in one trajectory: its findings, and the report that holds them.

use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};

use toolgauge_base::gate::mean;
use toolgauge_base::issue::{Issue, IssueType, Severity};
use toolgauge_base::trials::TaskName;
use toolgauge_grounding::hides_result;
use toolgauge_model::{Role, Trajectory, Turn, searches_unlogged};
use toolgauge_reflect::{CallRepair, ReflectionIssue, ReflectionIssueType};
use toolgauge_validate::{ToolUseIssue, ToolUseIssueType, ValidationResult};
use toolgauge_verify::{ResultIssue, ResultIssueType};

/// The report on one trajectory.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct TrajectoryReport {
    /// Its position in the input, from 0; for JSON lines its position in its line.
    pub index: usize,
    /// The id from the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its task, if a field names one that is not the id.
    #[serde(skip_serializing_if = "TaskName::is_no_field")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub task: TaskName,
    /// `true` unless an issue is critical.
    pub valid: bool,
    /// `true` if all issues are below `failOn`.
    pub passed: bool,
    /// The mean score of the turns that call tools, from 0 to 1, to 3 decimals; `null` if there are none.
    #[cfg_attr(feature = "typescript", ts(type = "number | null"))]
    pub score: Option<f64>,
    /// Whether it was checked against tool definitions, given ones or its own.
    pub has_tools: bool,
    /// The number of turns.
    pub turns: usize,
    /// The number of tool calls.
    pub calls: usize,
    /// One result for each agent turn that calls tools.
    pub results: Vec<ValidationResult>,
    /// The issues of results and of the replies to them. An issue about a reply names the turn of the reply
    /// and quotes its sentence. These issues count in the summary and the gate but not in the score.
    #[cfg_attr(feature = "typescript", ts(type = "Array<ResultIssue>"))]
    pub result_issues: Vec<ResultIssue>,
    /// The issues of calls checked by themselves. If calls are reflected on, all other issues are empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, type = "Array<ReflectionIssue>"))]
    pub reflection_issues: Vec<ReflectionIssue>,
    /// The repairs of invalid calls, if calls are repaired.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<CallRepair>>"))]
    pub repairs: Vec<CallRepair>,
    /// How many findings the option `ignore` left out.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<usize>"))]
    pub ignored: usize,
    /// What could not be checked; each reason once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(optional, as = "Option<Vec<Unjudged>>"))]
    pub unjudged: Vec<Unjudged>,
    /// Whether results were checked. A call then also counts as failed if its result is an error.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub judges_results: bool,
}

fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Why a part of a trajectory could not be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Unjudged {
    /// The log contains no results, so neither results nor the replies to them can be checked.
    NoResults,
    /// The log contains no user message and no instructions, so invented facts can't be distinguished from
    /// those of the request.
    NoRequest,
    /// The platform ran tools and kept their results, so facts in later replies can't be looked up.
    HiddenResults,
    /// The source says what should happen, and nobody ran it, so only the arguments of the expected calls are checked.
    NotRun,
    /// The log does not record the arguments or results of some calls, as traces by default, so they can't be checked.
    UnrecordedContents,
}

impl Unjudged {
    /// The reason as results write it.
    pub fn label(self) -> &'static str {
        self.into()
    }

    /// Returns the reason as a phrase.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::NoResults => {
                "the log holds no results, so neither results nor what replies make of them are judged"
            }
            Self::NoRequest => {
                "the log holds no message of a user and no instructions, so facts of replies are not judged"
            }
            Self::HiddenResults => {
                "the log lacks what tools of the platform returned, so facts of the replies after them are not judged"
            }
            Self::NotRun => {
                "nobody ran this: it says what should be called, so only the arguments of these calls are judged"
            }
            Self::UnrecordedContents => {
                "the arguments or results of some calls are not recorded, so neither they nor the replies after them are judged"
            }
        }
    }

    /// The reasons that hold for a trajectory.
    pub fn of(trajectory: &Trajectory<'_>) -> Vec<Self> {
        if trajectory.is_not_run() {
            return vec![Self::NotRun];
        }
        let mut reasons = Vec::new();
        let mut calls = trajectory.calls();
        if trajectory.call_count() > 0 && calls.all(|call| call.is_unanswered()) {
            reasons.push(Self::NoResults);
        }
        let is_said = |turn: &Turn<'_>| turn.role != Role::Agent && !turn.content.trim().is_empty();
        if trajectory.call_count() > 0 && !trajectory.turns.iter().any(is_said) {
            reasons.push(Self::NoRequest);
        }
        let is_searched = trajectory.tools.is_some_and(searches_unlogged);
        if is_searched || trajectory.calls().any(hides_result) {
            reasons.push(Self::HiddenResults);
        }
        if trajectory
            .calls()
            .any(|call| call.hides_arguments() || call.hides_outcome())
        {
            reasons.push(Self::UnrecordedContents);
        }
        reasons
    }
}

impl TrajectoryReport {
    /// Returns all issues: those of calls, then of results, then of reflections.
    pub fn issues(&self) -> impl Iterator<Item = Finding<'_>> {
        let calls = self.results.iter().flat_map(|result| &result.issues);
        let results = self.result_issues.iter();
        let reflections = self.reflection_issues.iter();
        calls
            .map(Finding::call)
            .chain(results.map(Finding::result))
            .chain(reflections.map(Finding::reflection))
    }

    /// Updates what follows from the issues: `valid` and `score`.
    pub fn settle(&mut self) {
        let worst = self.issues().map(|issue| issue.severity).max();
        self.valid = worst != Some(Severity::Critical);
        if self.reflection_issues.is_empty() && !self.results.is_empty() {
            self.score = mean(self.results.iter().map(|result| result.score));
        }
    }
}

/// An issue of a call, a result or a reply, as reports and totals show it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding<'i> {
    /// The type of the issue.
    pub kind: FindingType,
    /// The severity.
    pub severity: Severity,
    /// A sentence for people.
    pub description: &'i str,
    /// The number of the turn that made the call, or of the reply.
    pub turn_id: Option<i64>,
    /// The part of the turn that it is about.
    pub subject: Subject,
    /// The tool's name as it was called; absent if the call has none.
    pub tool: Option<&'i str>,
    /// The path in the arguments or the result; empty for the whole.
    pub path: &'i str,
    /// Whether the baseline contains it.
    pub known: bool,
}

/// The part of a turn that an issue is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A call, by its position among the calls of the turn, from 0.
    Call(usize),
    /// The reply of the agent.
    Reply,
}

impl<'i> Finding<'i> {
    /// Converts an issue of validation. Invented facts are about the reply that states them, not about the
    /// call.
    pub fn call(issue: &'i ToolUseIssue) -> Self {
        let details = &issue.details;
        let call = Subject::Call(details.call_index);
        let finding = Self::of(issue, call, details.path.as_deref());
        match details.facts.as_deref().unwrap_or_default().first() {
            Some(fact) => Self {
                turn_id: Some(fact.turn_id),
                subject: Subject::Reply,
                ..finding
            },
            None => finding,
        }
    }

    /// Converts an issue of a result, or of the reply to it.
    pub fn result(issue: &'i ResultIssue) -> Self {
        let details = &issue.details;
        let violations = details.violations.as_deref().unwrap_or_default();
        let subject = match details.quote {
            Some(_) => Subject::Reply,
            None => Subject::Call(details.call_index.unwrap_or_default()),
        };
        let path = violations.first().map(|first| first.path.as_str());
        Self::of(issue, subject, path)
    }

    /// Converts an issue of a call checked by itself.
    pub fn reflection(issue: &'i ReflectionIssue) -> Self {
        let call = Subject::Call(issue.details.call_index);
        Self::of(issue, call, issue.details.path.as_deref())
    }

    fn of<Type: Copy + Into<FindingType>, Details>(
        issue: &'i Issue<Type, Details>,
        subject: Subject,
        path: Option<&'i str>,
    ) -> Self {
        Self {
            kind: issue.kind.into(),
            severity: issue.severity,
            description: &issue.description,
            turn_id: issue.turn_id,
            subject,
            tool: issue.tool_name.as_deref(),
            path: path.unwrap_or_default(),
            known: issue.known,
        }
    }

    /// ` (known)` if the baseline contains it, otherwise nothing.
    pub fn note(&self) -> &'static str {
        if self.known { " (known)" } else { "" }
    }

    /// Returns its location: `turn 3, call 1` or `turn 3, reply`. Calls are counted from 1.
    pub fn place(&self) -> String {
        let subject = match self.subject {
            Subject::Call(index) => format!("call {}", index + 1),
            Subject::Reply => "reply".to_owned(),
        };
        match self.turn_id {
            Some(turn) => format!("turn {turn}, {subject}"),
            None => subject,
        }
    }
}

/// The types of issues that a check finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum FindingType {
    /// Of a call.
    Call(ToolUseIssueType),
    /// Of a result.
    Result(ResultIssueType),
    /// Of a call checked by itself.
    Reflection(ReflectionIssueType),
}

impl FindingType {
    /// All types: those of calls, then of results, then of calls by themselves.
    pub fn all() -> impl Iterator<Item = Self> {
        let calls = ToolUseIssueType::VARIANTS.iter().copied().map(Self::Call);
        let results = ResultIssueType::VARIANTS.iter().copied().map(Self::Result);
        let reflections = ReflectionIssueType::VARIANTS.iter().copied();
        calls
            .chain(results)
            .chain(reflections.map(Self::Reflection))
    }

    /// Returns the type as results write it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Call(kind) => kind.label(),
            Self::Result(kind) => kind.label(),
            Self::Reflection(kind) => kind.label(),
        }
    }
}

impl From<ToolUseIssueType> for FindingType {
    fn from(kind: ToolUseIssueType) -> Self {
        Self::Call(kind)
    }
}

impl From<ResultIssueType> for FindingType {
    fn from(kind: ResultIssueType) -> Self {
        Self::Result(kind)
    }
}

impl From<ReflectionIssueType> for FindingType {
    fn from(kind: ReflectionIssueType) -> Self {
        Self::Reflection(kind)
    }
}
