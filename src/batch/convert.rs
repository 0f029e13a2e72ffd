//! Converts documents to another format.

use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::chunk::Place;
use toolgauge_formats::{
    ExportFormat, ExportLosses, ImportWarning, Imported, TrajectoryFormat, export_trajectory,
    import_trajectories,
};
use toolgauge_model::error::{ErrorReport, Result};
use toolgauge_model::{Json, Reader, Trajectory};

/// The options of a conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    /// The format to read; detected if absent.
    pub from: Option<TrajectoryFormat>,
    /// The format to write.
    pub to: ExportFormat,
    /// The layout of the written trajectories.
    pub layout: ConvertedLayout,
}

/// The layout of the written trajectories of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConvertedLayout {
    /// One JSON document: the only trajectory, or a list of several.
    Document,
    /// One line each.
    Lines,
}

/// Counts over converted documents.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConvertSummary {
    /// How many documents were read.
    pub documents: u64,
    /// How many documents could not be read.
    pub unread: u64,
    /// How many trajectories were written.
    pub trajectories: u64,
    /// How many warnings the import gave.
    pub warnings: u64,
    /// What was left out.
    pub losses: ExportLosses,
}

/// A document that could not be converted completely.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConvertProblem<'p> {
    /// The name of its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'p str>,
    /// The line of the document, from 1, if each line is a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// Why it could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorReport>,
    /// What could not be converted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warning: Option<ImportWarning>,
}

impl Conversion {
    /// Converts the document `json` and appends it to `text`, adds its counts to `summary`, and reports what
    /// could not be converted.
    pub fn add<'p, 'a>(
        self,
        place: Place<'p>,
        json: std::result::Result<Json<'a>, ErrorReport>,
        reader: Reader<'a>,
        (text, summary): (&mut String, &mut ConvertSummary),
        mut report: impl FnMut(ConvertProblem<'p>),
    ) {
        let problem = ConvertProblem {
            source: place.source,
            line: place.line,
            error: None,
            warning: None,
        };
        summary.documents += 1;
        match json.and_then(|json| self.import(json, reader).map_err(|error| error.report())) {
            Ok(imported) => {
                self.write(&imported.value, text);
                summary.trajectories += imported.value.len() as u64;
                summary.warnings += imported.warnings.len() as u64;
                for trajectory in &imported.value {
                    summary.losses.add(trajectory, self.to);
                }
                for warning in imported.warnings {
                    report(ConvertProblem {
                        warning: Some(warning),
                        ..problem.clone()
                    });
                }
            }
            Err(error) => {
                summary.unread += 1;
                report(ConvertProblem {
                    error: Some(error),
                    ..problem
                });
            }
        }
    }

    fn import<'a>(
        self,
        json: Json<'a>,
        reader: Reader<'a>,
    ) -> Result<Imported<Vec<Trajectory<'a>>, TrajectoryFormat>> {
        import_trajectories(json, self.from, reader)
    }

    fn write(self, trajectories: &[Trajectory<'_>], text: &mut String) {
        let written = trajectories.iter().map(|it| {
            let exported = export_trajectory(it, self.to);
            serde_json::to_string(&exported).unwrap_or_default()
        });
        match (self.layout, trajectories.len()) {
            (ConvertedLayout::Lines, _) | (_, 1) => {
                for one in written {
                    let _ = writeln!(text, "{one}");
                }
            }
            (ConvertedLayout::Document, _) => {
                let all: Vec<_> = written.collect();
                let _ = writeln!(text, "[\n{}\n]", all.join(",\n"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::batch::{Chunk, Content, LineShape, each_document};
    use toolgauge_model::Limits;

    const TURNS: &str = r#"{"turns":[{"role":"user","content":"a"}],"reward":1}"#;
    const WRITTEN: &str = r#"[{"role":"user","content":"a"}]"#;

    fn converted(bytes: &str, shape: LineShape, layout: ConvertedLayout) -> (String, String) {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let conversion = Conversion {
            from: None,
            to: ExportFormat::OpenaiChat,
            layout,
        };
        let chunk = Chunk {
            shape,
            source: None,
            line: 3,
            content: Content::Bytes(bytes.as_bytes()),
        };
        let (mut text, mut summary) = (String::new(), ConvertSummary::default());
        let mut problems = Vec::new();
        each_document(&chunk, reader, |place, json| {
            conversion.add(place, json, reader, (&mut text, &mut summary), |problem| {
                problems.push(serde_json::to_value(problem).expect("plain data"));
            });
        });
        let lines: Vec<_> = problems.iter().map(|it| it["line"].to_string()).collect();
        let losses = &summary.losses.fields;
        let summary = format!(
            "{} {} {} {losses:?} {}",
            summary.documents,
            summary.unread,
            summary.trajectories,
            lines.join(",")
        );
        (text, summary)
    }

    #[test]
    fn lines_become_lines_and_a_bad_one_is_reported() {
        let lines = format!("{TURNS}\n{{\n[{TURNS},{TURNS}]\n");
        let (text, summary) = converted(&lines, LineShape::Lines, ConvertedLayout::Lines);
        assert_eq!(text, format!("{WRITTEN}\n").repeat(3));
        assert_eq!(summary, "3 1 3 {\"trajectory.reward\": 3} 4");
    }

    #[test]
    fn a_document_becomes_one_with_all_its_trajectories() {
        let (one, _) = converted(TURNS, LineShape::Document, ConvertedLayout::Document);
        assert_eq!(one, format!("{WRITTEN}\n"));
        let two = format!("[{TURNS},{TURNS}]");
        let (two, _) = converted(&two, LineShape::Document, ConvertedLayout::Document);
        assert_eq!(two, format!("[\n{WRITTEN},\n{WRITTEN}\n]\n"));
    }
}
