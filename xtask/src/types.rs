//! The TypeScript declarations that are generated from the Rust types.

use anyhow::Result;
use xshell::cmd;

use crate::workspace::Workspace;

/// Writes the declarations anew. Without `UPDATE_TYPES` the same test fails when they are stale.
pub fn regenerate(workspace: &Workspace) -> Result<()> {
    workspace.existing("tests/typescript.rs")?;
    let shell = &workspace.shell;
    cmd!(
        shell,
        "cargo test --package toolgauge --features typescript --test typescript"
    )
    .env("UPDATE_TYPES", "1")
    .run()?;
    Ok(())
}
