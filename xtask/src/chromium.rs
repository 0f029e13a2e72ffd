//! The browser that the package's tests drive.

use std::path::Path;

use anyhow::Result;
use xshell::Shell;

use crate::apt;

/// Where the tests look for the browser.
pub const PATH: &str = "/usr/bin/chromium";

/// Installs Chromium unless it is there.
pub fn prepare(shell: &Shell) -> Result<()> {
    if Path::new(PATH).exists() {
        return Ok(());
    }
    apt::install(shell, &["chromium"], &format!("test in a browser ({PATH})"))
}
