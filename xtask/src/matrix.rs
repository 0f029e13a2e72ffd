//! Runs the package in every runtime, browser, bundler, framework and test runner of docs/runtimes.md.

use anyhow::Result;
use xshell::cmd;

use crate::check::PACKAGE_TESTS;
use crate::workspace::Workspace;
use crate::{apt, chromium, npm};

/// Runs these rows, or all, and writes their results. `tests/package/matrix/rows.mjs` describes a row.
pub fn run(workspace: &Workspace, rows: &[String]) -> Result<()> {
    let shell = &workspace.shell;
    npm::install(shell, &workspace.path(PACKAGE_TESTS))?;
    chromium::prepare(shell)?;
    if rows.is_empty() || rows.iter().any(|row| row == "firefox") {
        apt::install(shell, &["firefox-esr"], "run the package in Firefox")?;
    }
    let script = workspace.existing("tests/package/matrix/record.mjs")?;
    cmd!(shell, "node {script} {rows...}")
        .env("TOOLGAUGE_TARBALL", workspace.tarball())
        .run()?;
    Ok(())
}
