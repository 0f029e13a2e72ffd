//! Installs Debian packages.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

/// Returns whether the package is installed.
fn is_installed(shell: &Shell, package: &str) -> bool {
    let format = "--showformat=${db:Status-Status}";
    cmd!(shell, "dpkg-query --show {format} {package}")
        .quiet()
        .ignore_stderr()
        .read()
        .is_ok_and(|status| status == "installed")
}

/// Installs the packages that are missing; `purpose` completes "… is needed to".
pub fn install(shell: &Shell, packages: &[&str], purpose: &str) -> Result<()> {
    let missing: Vec<&str> = packages
        .iter()
        .copied()
        .filter(|package| !is_installed(shell, package))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    ensure!(
        Path::new("/etc/debian_version").exists(),
        "{list} is needed to {purpose}. It can be installed automatically only on Debian: install it by hand"
    );
    ensure!(
        is_root(shell)?,
        "{list} is needed to {purpose}: run `apt-get install --no-install-recommends {list}` as root"
    );
    let _frontend = shell.push_env("DEBIAN_FRONTEND", "noninteractive");
    cmd!(shell, "apt-get update --quiet=2").run()?;
    cmd!(
        shell,
        "apt-get install --quiet=2 --yes --no-install-recommends -o Dpkg::Use-Pty=0 {missing...}"
    )
    .run()
    .with_context(|| format!("could not install {list}, needed to {purpose}"))
}

fn is_root(shell: &Shell) -> Result<bool> {
    Ok(cmd!(shell, "id -u").quiet().read()? == "0")
}
