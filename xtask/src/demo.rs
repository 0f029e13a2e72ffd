//! The demonstration: installs the packed package as a user would, and checks a shipped example.

use std::process::Command;

use anyhow::{Result, bail};

use crate::workspace::Workspace;
use crate::{npm, package};

const EXAMPLE: &str = "examples/refund.json";
const TOOLS: &str = "examples/shop.tools.json";

/// Packs the package, installs it in a separate project, and runs its command-line tool on an example.
pub fn run(workspace: &Workspace) -> Result<()> {
    workspace.existing(EXAMPLE)?;
    workspace.existing(TOOLS)?;
    package::pack(workspace)?;
    let project = workspace.target("demo");
    workspace.shell.create_dir(&project)?;
    workspace
        .shell
        .write_file(project.join("package.json"), "{\"private\": true}\n")?;
    npm::install_tarball(&workspace.shell, &project, &workspace.tarball())?;
    println!("$ npx toolgauge check {EXAMPLE} --tools {TOOLS}\n");
    let status = Command::new(npm::tool(&project, "toolgauge"))
        .args(["check", EXAMPLE, "--tools", TOOLS])
        .current_dir(workspace.shell.current_dir())
        .status()?;
    match status.code() {
        Some(0) => Ok(()),
        Some(1) => {
            println!("\nExit code 1: the gate failed, as this example is meant to show.");
            Ok(())
        }
        _ => bail!("toolgauge ended with {status}"),
    }
}
