//! The report of a check for people: the calls in order with their issues, and the totals.

use std::collections::BTreeSet;

use bumpalo::Bump;
use foldhash::HashMap;
use strum::VariantArray;

use super::super::Layout;
use super::super::digest::Digest;
use super::super::finding::{location_of, read_totals, shortened};
use super::super::frame::{Closing, Detail, Opening, PartStyle, ReportedCommand, Show};
use super::super::paint::{Page, Tone, counted, issue_totals, mark, tone_of, visible};
use super::super::results::{UnreadLines, unread_total};
use super::super::trials::trial_lines;
use super::whole::{whole_text, whole_value};
use super::{Finished, Part, PartSetting, Parts, Syntax};
use crate::batch::{CheckReport, CheckSummary, CheckedDocument, Place};
use crate::finding::{Finding, Subject, TrajectoryReport, Unjudged};
use toolgauge_base::gate::Gate;
use toolgauge_base::trials::Trials;
use toolgauge_model::{Json, Role, ToolCall, Trajectory, Turn};
use toolgauge_reflect::{CallRepair, RepairStatus};
use toolgauge_schema::from_value;

pub struct Pretty;

impl Syntax for Pretty {
    fn parts(&self) -> Parts {
        Parts::Written {
            separator: "",
            collapses: true,
        }
    }

    fn head(&self, opening: &Opening, layout: Layout) -> String {
        head(opening, layout)
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        Box::new(PrettyPart {
            style: setting.style,
            text: String::new(),
            unread: UnreadLines::default(),
        })
    }

    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, layout: Layout) -> String {
        tail(closing, layout)
    }
}

/// Renders the report of one input with these `trajectories`. `tools` is the number of known tools.
pub fn render_check(
    report: &CheckReport,
    trajectories: &[Trajectory<'_>],
    tools: Option<usize>,
    layout: Layout,
) -> String {
    let count = counted(report.trajectories.len(), "trajectory");
    let mut page = Page::new(layout);
    heading(&mut page, "toolgauge check", &count, tools);
    for (trajectory, checked) in trajectories.iter().zip(&report.trajectories) {
        section(
            &mut page,
            Place::default(),
            trajectory,
            checked,
            trajectories.len() == 1,
            Detail::Brief,
        );
    }
    page.warnings(&report.warnings);
    let trials = report.trials.as_ref();
    totals(&mut page, &report.summary, &report.gate, trials);
    page.into_text()
}

/// Returns the text before the documents.
fn head(opening: &Opening, layout: Layout) -> String {
    let subject = opening.subject();
    let mut page = Page::new(layout);
    match opening.command {
        ReportedCommand::Check => heading(&mut page, "toolgauge check", &subject, opening.tools),
        ReportedCommand::Reflect => {
            heading(&mut page, "toolgauge reflect", &subject, opening.tools);
        }
        ReportedCommand::Merge => page.heading("toolgauge merge", &subject),
    }
    page.into_text()
}

/// The documents of one part, as far as they were added.
struct PrettyPart {
    style: PartStyle,
    text: String,
    unread: UnreadLines,
}

impl Part for PrettyPart {
    fn add(&mut self, document: &CheckedDocument<'_, '_>) {
        add_part(document, self.style, &mut self.unread, &mut self.text);
    }

    fn finish(self: Box<Self>) -> Finished {
        let mut page = Page::new(self.style.layout);
        self.unread.finish(&mut page);
        Finished::Written(self.text + &page.into_text())
    }
}

/// Adds one document: those of its trajectories that are shown, and its import warnings. The name of the file
/// appears once above all of them, or in the line of each trajectory shown.
fn add_part(
    document: &CheckedDocument<'_, '_>,
    style: PartStyle,
    unread: &mut UnreadLines,
    parts: &mut String,
) {
    let mut page = Page::new(style.layout);
    let mut place = document.place;
    place.source = place.source.filter(|_| style.names_source);
    if style.show == Show::All && (document.outcome.is_ok() || place.line.is_some()) {
        let title = place.source.take().filter(|_| parts.is_empty());
        title.into_iter().for_each(|source| page.title(source));
    }
    match &document.outcome {
        Ok(checked) => {
            let is_only = style.alone && checked.reports.len() == 1;
            for (trajectory, report) in checked.trajectories() {
                if is_only || style.show.shows(report) {
                    section(&mut page, place, trajectory, report, is_only, style.detail);
                }
            }
            if style.show == Show::All {
                page.warnings(&checked.imported.warnings);
            }
        }
        Err(error) => unread.add(&mut page, place, error),
    }
    page.add_to(parts);
}

/// Returns the text after the documents.
fn tail(closing: &Closing<'_>, layout: Layout) -> String {
    let mut page = Page::new(layout);
    totals(&mut page, closing.summary, closing.gate, closing.trials);
    page.into_text()
}

impl Show {
    fn shows(self, report: &TrajectoryReport) -> bool {
        match self {
            Self::All => true,
            Self::Issues => report.issues().next().is_some(),
            Self::Failing => !report.passed,
            Self::None => false,
        }
    }
}

fn heading(page: &mut Page, command: &str, subject: &str, tools: Option<usize>) {
    let tools = tools.map(|count| format!(" · {}", counted(count, "tool")));
    let tools = tools.unwrap_or_default();
    page.heading(command, &format!("{subject}{tools}"));
}

/// Adds one trajectory: its line and, if it has issues, is the only one, or is shown whole, its calls.
fn section(
    page: &mut Page,
    place: Place<'_>,
    trajectory: &Trajectory<'_>,
    report: &TrajectoryReport,
    is_only: bool,
    detail: Detail,
) {
    let is_long = is_only || detail == Detail::Whole || report.issues().next().is_some();
    if is_long {
        page.gap();
    }
    trajectory_heading(page, place, report);
    if is_long {
        turns(page, trajectory, report, detail);
        page.gap();
    }
}

fn trajectory_heading(page: &mut Page, place: Place<'_>, report: &TrajectoryReport) {
    let (sign, tone) = mark(report.issues().map(|issue| issue.severity).max());
    let score = match report.score {
        Some(score) => format!("score {score:.3}"),
        None => "no tool calls".to_owned(),
    };
    let turns = counted(report.turns, "turn");
    let calls = counted(report.calls, "call");
    let place = location_of(place);
    let facts = [place, turns, calls, score];
    let facts = facts.iter().filter(|fact| !fact.is_empty());
    let facts = facts.map(String::as_str).collect::<Vec<_>>().join(" · ");
    page.trajectory(sign, tone, report.id.as_deref(), report.index, &facts);
}

/// Adds the calls of each turn with their issues, followed by its reply, if that has issues. If `detail` is whole, all
/// that was said is added, too.
fn turns(page: &mut Page, trajectory: &Trajectory<'_>, report: &TrajectoryReport, detail: Detail) {
    let mut by_place: HashMap<(Option<i64>, Subject), Vec<Finding<'_>>> = HashMap::default();
    for issue in report.issues() {
        let place = (issue.turn_id, issue.subject);
        by_place.entry(place).or_default().push(issue);
    }
    let mut results = report.results.iter();
    for turn in &trajectory.turns {
        match turn.role {
            Role::Agent => {}
            Role::User => {
                if detail == Detail::Whole {
                    user_lines(page, turn);
                }
                continue;
            }
            Role::System => continue,
        }
        let result = match turn.tool_calls.is_empty() {
            true => None,
            false => results.next(),
        };
        for (index, call) in turn.tool_calls.iter().enumerate() {
            let place = (Some(turn.turn_id), Subject::Call(index));
            let issues = by_place.remove(&place).unwrap_or_default();
            call_lines(page, turn.turn_id, call, &issues, detail);
            repair_lines(page, report, turn.turn_id, index);
        }
        let mut shown = BTreeSet::new();
        for suggestion in result.into_iter().flat_map(|result| &result.suggestions) {
            if shown.insert(suggestion) {
                page.item(13, "→", Tone::Good, 2, &visible(suggestion));
            }
        }
        let issues = by_place.remove(&(Some(turn.turn_id), Subject::Reply));
        reply_lines(page, turn, &issues.unwrap_or_default(), detail);
    }
}

/// Adds what the user said.
fn user_lines(page: &mut Page, turn: &Turn<'_>) {
    if turn.content.trim().is_empty() {
        return;
    }
    let place = page.paint(Tone::Quiet, &format!("turn {:<3}", turn.turn_id));
    let text = whole_text(turn.content);
    page.item_after(
        &format!("  {place}   "),
        13,
        ("user", Tone::Strong),
        10,
        &text,
    );
}

fn call_lines(
    page: &mut Page,
    turn: i64,
    call: &ToolCall<'_>,
    issues: &[Finding<'_>],
    detail: Detail,
) {
    let start = line_start(page, turn, issues);
    let name = call.name.filter(|name| !name.is_empty());
    let name = name.unwrap_or("(no name)");
    match detail {
        Detail::Brief => {
            let room = page.columns().saturating_sub(13);
            let shown = page.call(name, call.arguments, room);
            page.line(&format!("{start}{shown}"));
        }
        Detail::Whole => {
            let name = page.paint(Tone::Strong, &visible(name));
            page.line(&format!("{start}{name}"));
            match call.raw_arguments {
                Some(raw) => value_lines(page, "arguments", Some(Json::String(raw))),
                None => value_lines(page, "arguments", call.arguments),
            }
            value_lines(page, "result", call.result);
            value_lines(page, "error", call.error);
        }
    }
    issues.iter().for_each(|issue| issue_line(page, *issue));
}

/// Adds a value, whole.
fn value_lines(page: &mut Page, label: &str, value: Option<Json<'_>>) {
    if let Some(value) = value {
        let room = page.columns().saturating_sub(23);
        page.item(13, label, Tone::Quiet, 10, &whole_value(value, room));
    }
}

/// Adds a reply with its issues: in one line if it has any, or else whole.
fn reply_lines(page: &mut Page, turn: &Turn<'_>, issues: &[Finding<'_>], detail: Detail) {
    let start = line_start(page, turn.turn_id, issues);
    match detail {
        Detail::Brief if issues.is_empty() => {}
        Detail::Brief => {
            let room = page.columns().saturating_sub(21);
            let said: Vec<_> = turn.content.split_whitespace().collect();
            let said = shortened(&visible(&said.join(" ")), room);
            let said = page.paint(Tone::Quiet, &format!("\"{said}\""));
            page.line(&format!("{start}reply {said}"));
        }
        Detail::Whole if issues.is_empty() && turn.content.trim().is_empty() => {}
        Detail::Whole => {
            let text = whole_text(turn.content);
            page.item_after(&start, 13, ("reply", Tone::Strong), 10, &text);
        }
    }
    issues.iter().for_each(|issue| issue_line(page, *issue));
}

fn line_start(page: &Page, turn: i64, issues: &[Finding<'_>]) -> String {
    let (sign, tone) = mark(issues.iter().map(|issue| issue.severity).max());
    let place = format!("turn {turn:<3}");
    format!(
        "  {} {} ",
        page.paint(Tone::Quiet, &place),
        page.paint(tone, sign)
    )
}

/// Adds what a repaired call became, and what was changed.
fn repair_lines(page: &mut Page, report: &TrajectoryReport, turn: i64, index: usize) {
    let is_it = |repair: &&CallRepair| (repair.turn_id, repair.call_index) == (turn, index);
    let is_repaired = |repair: &&CallRepair| repair.status == RepairStatus::Repaired;
    let Some(repair) = report.repairs.iter().find(is_it).filter(is_repaired) else {
        return;
    };
    for change in &repair.changes {
        page.item(
            13,
            "repaired",
            Tone::Good,
            10,
            &visible(&change.description),
        );
    }
    let arena = Bump::new();
    let arguments = from_value(&repair.arguments, &arena);
    let room = page.columns().saturating_sub(15);
    let shown = page.call(
        repair.name.as_deref().unwrap_or_default(),
        Some(arguments),
        room,
    );
    let arrow = page.paint(Tone::Good, "→");
    page.line(&format!("             {arrow} {shown}"));
}

fn issue_line(page: &mut Page, issue: Finding<'_>) {
    let note = if issue.known { " (known)" } else { "" };
    let description = visible(issue.description);
    let text = format!("{}  {description}{note}", issue.kind.label());
    page.item(
        13,
        issue.severity.label(),
        tone_of(issue.severity),
        10,
        &text,
    );
}

fn totals(page: &mut Page, summary: &CheckSummary, gate: &Gate, trials: Option<&Trials>) {
    page.gap();
    let counts = [
        (
            summary.trajectories.saturating_sub(summary.passed),
            "failed",
        ),
        (
            summary.trajectories.saturating_sub(summary.valid),
            "invalid",
        ),
    ];
    let mut totals = format!("{}, {} clean", checked(summary), summary.clean);
    for (count, what) in counts {
        if count > 0 {
            totals += &format!(", {count} {what}");
        }
    }
    totals += &format!(" · {}", counted(summary.calls, "call"));
    page.item(0, "checked", Tone::Strong, 9, &totals);
    page.item(0, "read", Tone::Strong, 9, &read_totals(summary));
    unread_total(page, summary.unread, summary.documents);
    if let Some(tools) = tools_missing(summary) {
        page.item(0, "tools", Tone::Doubtful, 9, &tools);
    }
    let by_type = summary.issues_by_type.iter();
    let by_type = by_type.map(|(kind, count)| (kind.as_str(), *count));
    let issues = issue_totals(&summary.issues_by_severity, by_type);
    page.item(0, "issues", Tone::Strong, 9, &issues);
    if summary.ignored > 0 {
        let ignored = counted(summary.ignored, "finding");
        page.item(0, "ignored", Tone::Strong, 9, &ignored);
    }
    for (reason, count) in &summary.unjudged {
        let text = format!(
            "{}: {}",
            counted(*count, "trajectory"),
            why_unjudged(reason)
        );
        page.item(0, "unjudged", Tone::Doubtful, 9, &text);
    }
    let score = summary
        .score
        .map_or("none: no tools were called".to_owned(), |score| {
            format!("{score:.3}")
        });
    page.item(0, "score", Tone::Strong, 9, &score);
    trial_lines(page, trials);
    page.gate(gate);
}

fn why_unjudged(reason: &str) -> &str {
    let mut known = Unjudged::VARIANTS.iter();
    let known = known.find(|known| known.label() == reason);
    known.map_or(reason, |known| known.explanation())
}

/// Says what could not be checked without tool definitions.
fn tools_missing(summary: &CheckSummary) -> Option<String> {
    let without = summary.trajectories.saturating_sub(summary.with_tools);
    (without > 0 && summary.calls > 0).then(|| {
        let which = match summary.with_tools {
            0 => "none given or carried".to_owned(),
            _ => format!("none for {}", counted(without, "trajectory")),
        };
        format!("{which}: arguments are not checked against a schema")
    })
}

/// Counts the trajectories, by format.
fn checked(summary: &CheckSummary) -> String {
    let count = counted(summary.trajectories, "trajectory");
    let formats: Vec<_> = summary.formats.iter().collect();
    match formats.as_slice() {
        [] => count,
        [(only, _)] => format!("{count} ({only})"),
        several => {
            let formats = several
                .iter()
                .map(|(name, count)| format!("{count} {name}"));
            format!("{count} ({})", formats.collect::<Vec<_>>().join(", "))
        }
    }
}
