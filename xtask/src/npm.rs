//! Runs npm and the tools that it installs.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

/// Installs a folder's locked dependencies, unless they are installed already.
pub fn install(shell: &Shell, folder: &Path) -> Result<()> {
    let lock = folder.join("package-lock.json");
    ensure!(lock.exists(), "{} is missing", lock.display());
    // npm writes this file last, so its time is that of a finished installation.
    let installed = folder.join("node_modules/.package-lock.json");
    if modified(&installed) > modified(&lock) {
        return Ok(());
    }
    cmd!(shell, "npm --version")
        .quiet()
        .ignore_stdout()
        .run()
        .context("Node.js with npm is needed: install it first")?;
    let _folder = shell.push_dir(folder);
    // Nothing here needs install scripts, and whether npm runs them depends on its version.
    cmd!(shell, "npm ci --ignore-scripts --loglevel=error").run()?;
    Ok(())
}

/// Installs a packed package into a folder without recording it there.
pub fn install_tarball(shell: &Shell, folder: &Path, tarball: &Path) -> Result<()> {
    let _folder = shell.push_dir(folder);
    cmd!(
        shell,
        "npm install --no-save --ignore-scripts --loglevel=error {tarball}"
    )
    .run()?;
    Ok(())
}

/// Returns the path of a command-line tool that [`install`] put into `folder`.
pub fn tool(folder: &Path, name: &str) -> PathBuf {
    folder.join("node_modules/.bin").join(name)
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|file| file.modified()).ok()
}
