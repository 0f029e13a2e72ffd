//! Measures the detection of unsupported facts.

use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// Prints how many changed facts are detected and how many alarms are false, by domain and by kind of fact.
pub fn run(
    workspace: &Workspace,
    files: &[PathBuf],
    alarms: Option<&Path>,
    list: Option<&str>,
) -> Result<()> {
    let shell = &workspace.shell;
    let mut arguments: Vec<PathBuf> = Vec::new();
    for file in files {
        arguments.push(std::path::absolute(file)?);
    }
    if let Some(alarms) = alarms {
        arguments.extend(["--alarms".into(), std::path::absolute(alarms)?]);
    }
    if let Some(list) = list {
        arguments.extend(["--list".into(), list.into()]);
    }
    cmd!(
        shell,
        "cargo run --quiet --package toolgauge --example grounding -- {arguments...}"
    )
    .run()?;
    Ok(())
}
