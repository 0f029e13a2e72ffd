//! How well unsupported facts are found.

use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// Prints the table by kind of fact, and every miss and false alarm.
pub fn run(workspace: &Workspace, file: &Path) -> Result<()> {
    let file = std::path::absolute(file)?;
    let shell = &workspace.shell;
    cmd!(
        shell,
        "cargo run --quiet --package toolgauge --example grounding -- {file}"
    )
    .run()?;
    Ok(())
}
