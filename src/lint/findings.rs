//! Collects the issues of one tool.

use super::issue::{LintDetails, LintIssue, LintIssueType, ModelProvider};
use super::target::Target;
use toolgauge_base::issue::Issue;
use toolgauge_formats::ToolDefinition;
use toolgauge_model::{Json, Path, Preview};

/// The most characters of a value that a message shows.
const SHOWN: usize = 60;

/// The issues of one tool.
pub struct Findings<'d, 'a> {
    /// The definition.
    pub definition: &'d ToolDefinition<'a>,
    /// The providers whose rules apply.
    pub target: &'d Target,
    /// The issues found so far.
    pub issues: Vec<LintIssue>,
}

impl Findings<'_, '_> {
    /// Adds an issue at `path`, which is inside the definition. `what` describes it, `hint` the remedy.
    pub fn add(
        &mut self,
        kind: LintIssueType,
        path: &Path,
        what: &str,
        hint: &str,
    ) -> &mut LintIssue {
        self.add_at(kind, path.as_str(), what, hint)
    }

    /// Like [`Findings::add`], for a path given as text.
    pub fn add_at(
        &mut self,
        kind: LintIssueType,
        path: &str,
        what: &str,
        hint: &str,
    ) -> &mut LintIssue {
        let name = self.definition.tool.name;
        let inside = path.strip_prefix(self.definition.path.as_str());
        let inside = inside.unwrap_or(path).trim_start_matches('.');
        let place = if inside.is_empty() {
            String::new()
        } else {
            format!("{inside}: ")
        };
        self.issues.push(Issue {
            kind,
            severity: kind.severity(),
            description: format!("{}{place}{what}", prefix_of(name)),
            turn_id: None,
            tool_name: Some(name.to_owned()),
            details: LintDetails {
                path: path.to_owned(),
                hint: hint.to_owned(),
                ..LintDetails::default()
            },
            known: false,
        });
        self.issues.last_mut().expect("one was added")
    }

    /// Adds an issue if enough of the target's providers reject something according to `rejects`. `what` ends
    /// the sentence that begins with their names.
    pub fn add_rejected(
        &mut self,
        kind: LintIssueType,
        path: &Path,
        rejects: &dyn Fn(ModelProvider) -> bool,
        what: &str,
        hint: &str,
    ) -> Option<&mut LintIssue> {
        let providers = self.target.rejecting(rejects)?;
        let verb = if providers.len() == 1 { "s" } else { "" };
        let what = format!("{} reject{verb} {what}", list(&providers));
        let issue = self.add(kind, path, &what, hint);
        issue.details.providers = providers;
        Some(issue)
    }
}

/// Returns the beginning of each description of an issue of the tool `name`.
pub fn prefix_of(name: &str) -> String {
    format!("{}: ", shown_name(name))
}

/// Lists the names of providers for a sentence.
pub fn list(providers: &[ModelProvider]) -> String {
    let names: Vec<_> = providers.iter().map(|it| it.label()).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// Returns `value` as messages show it.
pub fn shown(value: Json<'_>) -> String {
    Preview::of(value, SHOWN).to_string()
}

/// Returns a name as messages show it.
pub fn shown_name(name: &str) -> String {
    shown(Json::String(name))
}
