//! The benchmarks of the packed package.

use std::fs;
use std::path::Path;

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;
use crate::{check, npm, package, size};

/// Packs the package, runs `benches/bench.mjs` against it and prints the package's sizes.
pub fn run(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let benches = workspace.existing("benches")?;
    workspace.existing("benches/bench.mjs")?;
    package::pack(workspace)?;

    // The scripts are copied beside node_modules, so that they import what a user would get.
    let project = workspace.target("bench");
    let tests = workspace.path(check::PACKAGE_TESTS);
    shell.create_dir(&project)?;
    for name in ["package.json", "package-lock.json", ".npmrc"] {
        copy_if_changed(&tests.join(name), &project.join(name))?;
    }
    npm::install(shell, &project)?;
    npm::install_tarball(shell, &project, &workspace.tarball())?;
    for entry in shell.read_dir(benches)? {
        if entry.is_file() {
            shell.copy_file(entry, &project)?;
        }
    }

    let script = project.join("bench.mjs");
    cmd!(shell, "node {script}").run()?;
    print!("\n{}", size::measure(workspace)?);
    Ok(())
}

/// Leaves an equal file alone: a newer lock file would have npm install everything again.
fn copy_if_changed(from: &Path, to: &Path) -> Result<()> {
    let content = fs::read(from)?;
    if fs::read(to).ok().as_ref() != Some(&content) {
        fs::write(to, content)?;
    }
    Ok(())
}
