//! The exports that lint tool definitions.

use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::report::{Report, take_layout};
use super::{Encoded, encode, to_json};
use crate::report::{LintFormat, lint_sarif, render_lint};
use toolgauge_lint::{self, LintOptions, LintResult};
use toolgauge_model::Reader;
use toolgauge_model::error::Result;

/// See [`toolgauge_lint::lint_tools`].
#[wasm_bindgen(js_name = lintTools)]
pub fn lint_tools(definitions: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let options = LintOptions::read(read_options(options)?)?;
        Ok(to_json(&lint(&definitions, &options)?))
    })
}

/// Lints and renders a report: see [`render_lint`], or [`lint_sarif`] if the option `as` is `sarif`. Further options:
/// `failOn`, `source`, `color`, `width`.
#[wasm_bindgen(js_name = reportToolLint)]
pub fn report_tool_lint(definitions: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let layout = take_layout(&mut options)?;
        let source: Option<String> = options.take("source")?;
        let format: LintFormat = options.take("as")?.unwrap_or_default();
        let fail_on = options.take("failOn")?.unwrap_or_default();
        let result = lint(&definitions, &LintOptions::read(options)?)?;
        let gate = result.gate(fail_on);
        let text = match format {
            LintFormat::Sarif => lint_sarif(&result, &gate, source.as_deref()),
            LintFormat::Pretty | LintFormat::Json | LintFormat::Jsonl => {
                render_lint(&result, &gate, source.as_deref(), layout)
            }
        };
        Ok(to_json(&Report {
            text: &text,
            gate: &gate,
            result: &result,
        }))
    })
}

fn lint(definitions: &Document, options: &LintOptions) -> Result<LintResult> {
    let arena = definitions.arena();
    let reader = Reader::new(&arena, options.limits);
    toolgauge_lint::lint_tools(definitions.read(reader)?, options, reader)
}
