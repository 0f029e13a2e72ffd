//! The TypeScript declarations and values, and the catalogue of issues: generated from the Rust types.

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// Writes all of them. Without `UPDATE_TYPES` the same tests fail when a file is stale.
pub fn regenerate(workspace: &Workspace) -> Result<()> {
    workspace.existing("tests/typescript/main.rs")?;
    let shell = &workspace.shell;
    cmd!(
        shell,
        "cargo test --package toolgauge --features typescript --test typescript --test issue_docs"
    )
    .env("UPDATE_TYPES", "1")
    .run()?;
    Ok(())
}
