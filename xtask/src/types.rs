//! The TypeScript declarations and the catalogue of issues, which are generated from the Rust types.

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// Writes them anew. Without `UPDATE_TYPES` the same tests fail when they are stale.
pub fn regenerate(workspace: &Workspace) -> Result<()> {
    workspace.existing("tests/typescript.rs")?;
    let shell = &workspace.shell;
    cmd!(
        shell,
        "cargo test --package toolgauge --features typescript --test typescript --test issue_docs"
    )
    .env("UPDATE_TYPES", "1")
    .run()?;
    Ok(())
}
