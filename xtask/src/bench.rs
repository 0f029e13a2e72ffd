//! The benchmarks of the packed package.

use std::fs;
use std::path::{self, Path};

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;
use crate::{npm, package, size};

/// Packs the package, runs `benches/bench.mjs` against it, with rollouts and their tools if given, and prints
/// the sizes of the package.
pub fn run(workspace: &Workspace, given: Option<(&Path, &Path)>) -> Result<()> {
    let shell = &workspace.shell;
    let benches = workspace.existing("benches")?;
    workspace.existing("benches/bench.mjs")?;
    let mut options = Vec::new();
    if let Some((rollouts, tools)) = given {
        options.extend(["--rollouts".into(), path::absolute(rollouts)?]);
        options.extend(["--tools".into(), path::absolute(tools)?]);
    }
    package::pack(workspace)?;

    // Copy the scripts beside node_modules, so that they import what a user would get.
    let project = workspace.target("bench");
    shell.create_dir(&project)?;
    for entry in shell.read_dir(benches)? {
        if let (true, Some(name)) = (entry.is_file(), entry.file_name()) {
            copy_if_changed(&entry, &project.join(name))?;
        }
    }
    npm::install(shell, &project)?;
    npm::install_tarball(shell, &project, &workspace.tarball())?;

    let script = project.join("bench.mjs");
    cmd!(shell, "node {script} {options...}")
        // One of the packages would send telemetry.
        .env("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
        .run()?;
    print!("\n{}", size::measure(workspace)?);
    Ok(())
}

/// Copies a file unless the copy is equal, because a newer lock file would make npm install everything again.
fn copy_if_changed(from: &Path, to: &Path) -> Result<()> {
    let content = fs::read(from)?;
    if fs::read(to).ok().as_ref() != Some(&content) {
        fs::write(to, content)?;
    }
    Ok(())
}
