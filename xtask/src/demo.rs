//! The demonstration: the built command-line tool, checking a shipped example.

use std::process::Command;

use anyhow::{Result, bail};

use crate::package;
use crate::workspace::Workspace;

const EXAMPLE: &str = "examples/refund.json";
const TOOLS: &str = "examples/shop.tools.json";

/// Builds the package, then lets its tool report on an example.
pub fn run(workspace: &Workspace) -> Result<()> {
    workspace.existing(EXAMPLE)?;
    workspace.existing(TOOLS)?;
    package::build(workspace)?;
    workspace.existing("pkg/dist/cli.js")?;
    println!("$ npx toolgauge check {EXAMPLE} --tools {TOOLS}\n");
    let status = Command::new("node")
        .args(["pkg/dist/cli.js", "check", EXAMPLE, "--tools", TOOLS])
        .current_dir(workspace.shell.current_dir())
        .status()?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => {
            println!("\nExit code 1: the gate found problems, as this example is there to show.");
            Ok(())
        }
        _ => bail!("toolgauge ended with {status}"),
    }
}
