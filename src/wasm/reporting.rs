//! The export that checks trajectories and renders a report.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, Tools, encode, to_json, with_check};
use crate::batch::{CheckReport, CheckedDocument, Judged, Place};
use crate::check::CheckOptions;
use crate::error::Result;
use crate::gate::Gate;
use crate::options::Options;
use crate::report::{
    Closing, Layout, Opening, PartStyle, ReportFormat, ReportedCommand, render_check,
    render_document,
};

/// Checks trajectories and renders a report: see [`render_check`], or [`render_document`] if the option `as`
/// names another format than `pretty`.
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
            let CheckReport { summary, gate, .. } = &report;
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
                    outcome: Ok(Judged {
                        imported: trajectories,
                        reports: report.trajectories.clone(),
                    }),
                };
                let style = PartStyle {
                    layout,
                    ..PartStyle::default()
                };
                let closing = Closing { summary, gate };
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

/// A report with the data that it shows.
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

/// See [`report::explain_issues`].
#[wasm_bindgen(js_name = explainIssues)]
pub fn explain_issues() -> String {
    to_json(&crate::report::explain_issues())
}
