//! The exports that compare two runs.

use serde::Serialize;
use wasm_bindgen::prelude::*;

use super::check::with_carried;
use super::chunk::{ChunkOption, MOST_LISTED, WrittenChunk, needed};
use super::document::{Document, read_options};
use super::report::take_layout;
use super::score::with_expected;
use super::{Encoded, Tools, encode, read_plain, to_json};
use crate::batch::{Chunk, Place, ScoreSetting, UnreadDocument, each_document};
use crate::check::{CheckOptions, Checker};
use crate::diff::{DiffOptions, Measuring, Run, RunDiff, RunReader, compare};
use crate::report::{DiffStyle, render_diff};
use toolgauge_base::options::Options;
use toolgauge_matching::{Comparing, NoComparators};
use toolgauge_model::error::{Error, ErrorReport, Result};
use toolgauge_model::{Path, Reader};
use toolgauge_score::{ExpectedSet, ScoreOptions};

/// The options of both runs.
struct RunOptions {
    task_key: Option<String>,
    pass_score: f64,
    check: CheckOptions,
}

impl RunOptions {
    fn read(mut options: Options) -> Result<Self> {
        let read = Self {
            task_key: options.take("taskKey")?,
            pass_score: options.take("passScore")?.unwrap_or(1.0),
            check: CheckOptions::read(options)?,
        };
        let gate = &read.check.gate;
        let without_effect = [
            ("minScore", gate.min_score),
            ("baselineScore", gate.baseline_score),
        ];
        match without_effect
            .into_iter()
            .find(|(_, given)| given.is_some())
        {
            None => Ok(read),
            Some((name, _)) => Err(Error::InvalidOption {
                path: Path::root().key("options").key(name),
                reason: "has no effect on two runs; use failOnWorse".to_owned(),
            }),
        }
    }

    /// Reads documents with the reader that `documents` is called with.
    fn read_run<'a>(
        &self,
        (tools, expected): (&Tools, Option<&'a ExpectedSet>),
        reader: Reader<'a>,
        documents: impl FnOnce(&mut RunReader<'_, 'a>),
    ) {
        let limits = self.check.validate.limits;
        let scoring = ScoreOptions {
            limits,
            ..ScoreOptions::default()
        };
        let comparing = Comparing::new(&NoComparators, limits);
        let (task_key, pass_score) = (self.task_key.clone(), self.pass_score);
        with_carried(|carried| {
            let measuring = match expected {
                Some(expected) => {
                    let setting = ScoreSetting {
                        format: self.check.format,
                        expected,
                        options: &scoring,
                        comparing: &comparing,
                        task_key: None,
                        pass_score,
                    };
                    Measuring::Score(setting, reader)
                }
                None => {
                    let checker = Checker::new(tools.set(), &self.check, carried, reader);
                    Measuring::Check(Box::new(checker))
                }
            };
            documents(&mut RunReader {
                measuring,
                task_key,
                pass_score,
            });
        });
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct About<'t> {
    documents: u64,
    trials: u64,
    unread_count: u64,
    /// The first documents that could not be read.
    unread: &'t [serde_json::Value],
}

/// Reads a chunk of a run: trajectories, which are checked or, with `expected`, scored, or verdicts. The text is the part
/// of the run, for [`diff_parts`]. Options: those of a check, `taskKey`, `passScore`, and the description of the `chunk`.
#[wasm_bindgen(js_name = diffChunk)]
pub fn diff_chunk(
    bytes: Document,
    tools: &Tools,
    expected: Option<Document>,
    options: Option<Document>,
) -> std::result::Result<WrittenChunk, String> {
    let read = || {
        let mut options = read_options(options)?;
        let chunk: ChunkOption = needed(&mut options, "chunk")?;
        let options = RunOptions::read(options)?;
        let (run, unread) = with_sides(expected.as_ref(), &options, |expected| {
            let arena = bytes.arena();
            let reader = Reader::new(&arena, options.check.validate.limits);
            run_of(&chunk.of(&bytes), (tools, expected), &options, reader)
        })?;
        let unread = unread.iter().take(MOST_LISTED);
        let unread = unread.map(|(place, error)| {
            let place = *place;
            serde_json::json!(UnreadDocument { place, error })
        });
        let about = to_json(&About {
            documents: run.documents,
            trials: run.trials,
            unread_count: run.unread,
            unread: &unread.collect::<Vec<_>>(),
        });
        Ok(WrittenChunk::new(about, to_json(&run)))
    };
    read().map_err(|error: Error| to_json(&error.report()))
}

fn with_sides<T>(
    expected: Option<&Document>,
    options: &RunOptions,
    body: impl FnOnce(Option<&ExpectedSet>) -> T,
) -> Result<T> {
    match expected {
        None => Ok(body(None)),
        Some(_) => with_expected(expected, options.check.validate.limits, |set| {
            body(Some(set))
        }),
    }
}

fn run_of<'p, 'a>(
    chunk: &Chunk<'p, 'a>,
    sides: (&Tools, Option<&'a ExpectedSet>),
    options: &RunOptions,
    reader: Reader<'a>,
) -> (Run, Vec<(Place<'p>, ErrorReport)>) {
    let (mut run, mut unread) = (Run::default(), Vec::new());
    options.read_run(sides, reader, |documents| {
        each_document(chunk, reader, |place, json| {
            let error = documents.add(&mut run, place, json);
            unread.extend(error.map(|error| (place, error)));
        });
    });
    (run, unread)
}

/// Compares two runs, each a JSON list of the parts that [`diff_chunk`] returned. Options: `failOnWorse`, `allowEmpty`,
/// `taskKey`, `hasSides`.
#[wasm_bindgen(js_name = diffParts)]
pub fn diff_parts(before: Document, after: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let diff = DiffOptions {
            fail_on_worse: options.take("failOnWorse")?.unwrap_or_default(),
            allow_empty: options.take("allowEmpty")?.unwrap_or_default(),
            has_sides: options.take("hasSides")?.unwrap_or_default(),
            task_key: options.take("taskKey")?,
        };
        let diff = compare(&merged(&before)?, &merged(&after)?, &diff)?;
        Ok(to_json(&diff))
    })
}

fn merged(parts: &Document) -> Result<Run> {
    let parts: Vec<Run> = read_plain(parts.bytes().unwrap_or_default(), "parts")?;
    let mut run = Run::default();
    for part in parts {
        run.merge(part);
    }
    Ok(run)
}

/// Compares two runs, each as JSON or JSON lines of trajectories in any known format, or of verdicts. Options: those of a
/// check, `taskKey`, `passScore`, `failOnWorse`. What can't be read is an error that says which run it is.
#[wasm_bindgen(js_name = diffRuns)]
pub fn diff_runs(
    before: Document,
    after: Document,
    tools: &Tools,
    expected: Option<Document>,
    options: Option<Document>,
) -> Encoded {
    let reported = |error: Error| to_json(&error.report());
    let (options, diff) =
        read_diff(options, tools.set().is_given() || expected.is_some()).map_err(reported)?;
    let read = |document: &Document, name: &str| {
        let run = with_sides(expected.as_ref(), &options, |expected| {
            whole_run(document, (tools, expected), &options)
        });
        run.map_err(reported)?
            .map_err(|error| to_json(&error_of(name, error)))
    };
    let (before, after) = (read(&before, "before")?, read(&after, "after")?);
    encode(|| Ok(to_json(&compare(&before, &after, &diff)?)))
}

fn read_diff(options: Option<Document>, has_sides: bool) -> Result<(RunOptions, DiffOptions)> {
    let mut options = read_options(options)?;
    let fail_on_worse = options.take("failOnWorse")?.unwrap_or_default();
    let options = RunOptions::read(options)?;
    let diff = DiffOptions {
        fail_on_worse,
        allow_empty: options.check.gate.allow_empty,
        has_sides,
        task_key: options.task_key.clone(),
    };
    Ok((options, diff))
}

/// Returns an error of the run `name`.
fn error_of(name: &str, error: ErrorReport) -> ErrorReport {
    ErrorReport {
        message: format!("{name}: {}", error.message),
        path: Some(match error.path {
            Some(path) if path.starts_with('[') => format!("{name}{path}"),
            Some(path) => format!("{name}.{path}"),
            None => name.to_owned(),
        }),
        ..error
    }
}

/// Reads a run at once. Verdicts on documents that could not be read are counted.
fn whole_run(
    document: &Document,
    sides: (&Tools, Option<&ExpectedSet>),
    options: &RunOptions,
) -> std::result::Result<Run, ErrorReport> {
    let arena = document.arena();
    let reader = Reader::new(&arena, options.check.validate.limits);
    let json = document.read(reader).map_err(|error| error.report())?;
    let (mut run, mut unread) = (Run::default(), None);
    options.read_run(sides, reader, |documents| {
        unread = documents.add(&mut run, Place::default(), Ok(json));
    });
    match unread {
        Some(error) if run.trials == 0 => Err(error),
        _ => Ok(run),
    }
}

/// Renders the result of [`diff_parts`] or [`diff_runs`]. Options: `as`, `color`, `width`, `names`.
#[wasm_bindgen(js_name = reportRunDiff)]
pub fn report_run_diff(diff: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let style = DiffStyle {
            layout: take_layout(&mut options)?,
            format: options.take("as")?.unwrap_or_default(),
            names: options
                .take("names")?
                .unwrap_or_else(|| ["before".to_owned(), "after".to_owned()]),
        };
        options.finish(&["color", "width", "as", "names"])?;
        let diff: RunDiff = read_plain(diff.bytes().unwrap_or_default(), "the difference")?;
        Ok(to_json(&render_diff(&diff, &style)))
    })
}
