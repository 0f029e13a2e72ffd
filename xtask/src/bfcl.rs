//! Compares the verdicts of scores with those of the Berkeley Function Calling Leaderboard.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// The files to compare, each a file or a folder of files.
pub struct Files<'f> {
    /// What a model answered.
    pub results: &'f Path,
    /// The acceptable answers.
    pub answers: &'f Path,
    /// The official scores.
    pub scores: &'f Path,
}

/// Prints how many verdicts agree and the kinds of those that don't; lists each row of the kind `listed`.
pub fn run(workspace: &Workspace, files: &Files<'_>, listed: Option<&str>) -> Result<()> {
    let shell = &workspace.shell;
    let mut arguments: Vec<PathBuf> = Vec::new();
    for file in [files.results, files.answers, files.scores] {
        arguments.push(std::path::absolute(file)?);
    }
    if let Some(listed) = listed {
        arguments.extend(["--list".into(), listed.into()]);
    }
    cmd!(
        shell,
        "cargo run --quiet --package toolgauge --example bfcl -- {arguments...}"
    )
    .run()?;
    Ok(())
}
