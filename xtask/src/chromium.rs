//! Installs the browser for the package's tests.

use std::path::Path;

use anyhow::Result;
use xshell::Shell;

use crate::apt;

/// Where the tests expect the browser.
pub const PATH: &str = "/usr/bin/chromium";

/// Installs Chromium unless it is installed.
pub fn prepare(shell: &Shell) -> Result<()> {
    if Path::new(PATH).exists() {
        return Ok(());
    }
    apt::install(shell, &["chromium"], &format!("test in a browser ({PATH})"))
}
