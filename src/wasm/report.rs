//! The exports that write reports.

use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use super::check::with_check;
use super::chunk::{WrittenChunk, needed};
use super::document::{Document, read_options};
use super::{Encoded, Tools, encode, to_json};
use crate::batch::{CheckReport, CheckSummary, Checked, CheckedDocument, Place};
use crate::check::CheckOptions;
use crate::report::{
    self, Closing, Digest, Layout, Opening, PartStyle, ReportFormat, ReportedCommand, render_check,
    render_document,
};
use toolgauge_base::gate::Gate;
use toolgauge_base::options::Options;
use toolgauge_base::trials::Trials;
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Limits, Path, Reader};

/// Checks trajectories and renders a report: see [`render_check`], or [`render_document`] when the
/// option `as` names another format than `pretty`.
#[wasm_bindgen(js_name = reportTrajectories)]
pub fn report_trajectories(input: Document, tools: &Tools, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let format = options.take("as")?.unwrap_or(ReportFormat::Pretty);
        let source: Option<String> = options.take("source")?;
        let source = source.filter(|source| !source.is_empty());
        let options = CheckOptions::read(options)?;
        let set = tools.set();
        let tools = set.is_given().then(|| set.names().len());
        with_check(&input, set, &options, |report, trajectories| {
            let CheckReport {
                summary,
                gate,
                trials,
                ..
            } = &report;
            let text = if format == ReportFormat::Pretty {
                render_check(&report, &trajectories.value, tools, layout)
            } else {
                let opening = Opening {
                    command: ReportedCommand::Check,
                    sources: source.clone().into_iter().collect(),
                    tools,
                };
                let document = CheckedDocument {
                    place: Place {
                        source: source.as_deref(),
                        line: None,
                    },
                    outcome: Ok(Checked {
                        imported: trajectories,
                        reports: report.trajectories.clone(),
                    }),
                };
                let style = PartStyle {
                    layout,
                    ..PartStyle::default()
                };
                let closing = Closing {
                    summary,
                    gate,
                    trials: trials.as_ref(),
                };
                let fail_on = options.gate.fail_on;
                render_document(format, &document, &opening, &closing, style, fail_on)
            };
            to_json(&Report {
                text: &text,
                gate,
                result: summary,
            })
        })
    })
}

/// A report, and what it was made of.
#[derive(Serialize)]
pub(super) struct Report<'r, T> {
    pub text: &'r str,
    pub gate: &'r Gate,
    pub result: &'r T,
}

pub(super) fn take_layout(options: &mut Options) -> Result<Layout> {
    let default = Layout::default();
    Ok(Layout {
        color: options.take("color")?.unwrap_or(default.color),
        width: options.take("width")?.unwrap_or(default.width),
    })
}

/// See [`report::visible`].
#[wasm_bindgen]
pub fn visible(text: &str) -> String {
    report::visible(text)
}

/// See [`report::explain_issues`].
#[wasm_bindgen(js_name = explainIssues)]
pub fn explain_issues() -> String {
    to_json(&report::explain_issues())
}

/// The arguments of `frameReport`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Framed {
    format: ReportFormat,
    opening: Opening,
    #[serde(default)]
    layout: Layout,
    gate: Option<Gate>,
    trials: Option<Trials>,
}

/// The gathered parts of a report.
#[wasm_bindgen]
pub struct GatheredReport(Digest);

impl GatheredReport {
    pub(super) fn into_digest(self) -> Digest {
        self.0
    }
}

#[wasm_bindgen]
impl GatheredReport {
    /// Creates an empty report. Options: `format`.
    #[wasm_bindgen(constructor)]
    pub fn new(options: Option<Document>) -> std::result::Result<GatheredReport, String> {
        let format = read_options(options).and_then(|mut options| needed(&mut options, "format"));
        let format: ReportFormat = format.map_err(|error| to_json(&error.report()))?;
        let digest = format.digest(0);
        Ok(Self(digest.unwrap_or_default()))
    }

    /// Adds the next part.
    pub fn add(&mut self, part: Document) -> std::result::Result<(), String> {
        let part = serde_json::from_slice(part.bytes().unwrap_or_default());
        let part = part.map_err(|error| {
            let error = Error::invalid_input(Path::root(), "part of a report", error.to_string());
            to_json(&error.report())
        })?;
        self.0.merge(part);
        Ok(())
    }

    /// Returns everything as one part, in UTF-8.
    pub fn part(&self) -> Vec<u8> {
        to_json(&self.0).into_bytes()
    }

    /// The least rank of an entry of a later part that still fits the report.
    #[wasm_bindgen(getter, js_name = leastRank)]
    pub fn least_rank(&self) -> f64 {
        self.0.least_rank() as f64
    }
}

/// The text around the parts of a report: see [`ReportFormat::frame`]; the tail is the text. Options:
/// `format`, `opening`, `layout`; at the end the `summary` comes beside them, and the `gate`, the `trials`,
/// and what is `gathered`.
#[wasm_bindgen(js_name = frameReport)]
pub fn frame_report(
    summary: Option<Document>,
    gathered: Option<GatheredReport>,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    framed(summary, gathered, options).map_err(|error| to_json(&error.report()))
}

fn framed(
    summary: Option<Document>,
    gathered: Option<GatheredReport>,
    options: Option<Document>,
) -> Result<WrittenChunk> {
    let asked: Framed = read_options(options)?.rest()?;
    let digest = gathered.map(|gathered| gathered.0).unwrap_or_default();
    let summary = summary.as_ref().map(read_summary).transpose()?;
    let closing = summary.as_ref().zip(asked.gate.as_ref());
    let trials = asked.trials.as_ref();
    let closing = closing.map(|(summary, gate)| Closing {
        summary,
        gate,
        trials,
    });
    let Framed { format, layout, .. } = asked;
    let mut frame = format.frame(&asked.opening, closing.as_ref(), &digest, layout);
    let tail = frame.tail.take().unwrap_or_default();
    Ok(WrittenChunk::new(to_json(&frame), tail))
}

fn read_summary(document: &Document) -> Result<CheckSummary> {
    let arena = document.arena();
    CheckSummary::read(document.read(Reader::new(&arena, Limits::default()))?)
}
