//! Measures the precision of verdicts about outcomes, on planted or labelled ones.

use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// Prints how many planted or labelled issues are found, and each wrong row of the type `listed`.
pub fn run(workspace: &Workspace, folder: &Path, listed: Option<&str>) -> Result<()> {
    let folder = std::path::absolute(folder)?;
    let shell = &workspace.shell;
    cmd!(
        shell,
        "cargo run --quiet --package toolgauge --example precision -- {folder} {listed...}"
    )
    .run()?;
    Ok(())
}
