//! Runs the JSON Schema Test Suite through the packed package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use xshell::{Shell, cmd};

use crate::workspace::Workspace;
use crate::{apt, npm};

const TESTS: &str = "tests/conformance";

/// The package that contains the suite. npm and crates.io have no recent copy, but this source distribution
/// on PyPI does.
const REQUIREMENT: &str = "jsonschema==4.26.0 \
    --hash=sha256:0c26707e2efad8aa1bfc5b7ce170f3fccc2e4918ff85989ba9ffa9facb2be326";

/// The name of that distribution, and the folder in it with the suite.
const DISTRIBUTION: &str = "jsonschema-4.26.0";
const SUITE: &str = "jsonschema-4.26.0/json";

/// Returns the folder of the suite, downloading it if necessary; `None` if nothing here can download it.
pub fn suite(workspace: &Workspace) -> Result<Option<PathBuf>> {
    let shell = &workspace.shell;
    let cache = workspace.target("json-schema-test-suite");
    let suite = cache.join(SUITE);
    if suite.exists() {
        return Ok(Some(suite));
    }
    let python = match python_with_pip(shell) {
        Ok(python) => python,
        Err(error) => {
            println!("{error:#}");
            return Ok(None);
        }
    };
    shell.remove_path(&cache)?;
    // Only a complete download gets the final name.
    let download = cache.join("download");
    let requirements = download.join("requirements.txt");
    shell.write_file(&requirements, REQUIREMENT)?;
    cmd!(
        shell,
        "{python} -m pip download --quiet --disable-pip-version-check --no-deps --no-binary jsonschema --requirement {requirements} --dest {download}"
    )
    .run()?;
    let archive = download.join(format!("{DISTRIBUTION}.tar.gz"));
    cmd!(shell, "tar -xzf {archive} -C {download} {SUITE}").run()?;
    fs::rename(download.join(DISTRIBUTION), cache.join(DISTRIBUTION))?;
    Ok(Some(suite))
}

/// Returns a Python with pip, installing it if necessary.
fn python_with_pip(shell: &Shell) -> Result<&'static str> {
    let has_pip = cmd!(shell, "python3 -m pip --version")
        .quiet()
        .ignore_stdout()
        .ignore_stderr()
        .run()
        .is_ok();
    if has_pip {
        return Ok("python3");
    }
    let purpose = "download the JSON Schema Test Suite";
    apt::install(shell, &["python3-pip"], purpose)?;
    Ok("/usr/bin/python3")
}

/// Installs the tarball in a separate project and runs the suite there.
pub fn run(workspace: &Workspace, suite: &Path) -> Result<()> {
    let shell = &workspace.shell;
    let tests = workspace.existing(TESTS)?;
    // Copy the script beside node_modules, so that it imports what a user would get.
    let project = workspace.target("conformance");
    shell.write_file(project.join("package.json"), r#"{ "private": true }"#)?;
    npm::install_tarball(shell, &project, &workspace.tarball())?;
    for file in shell.read_dir(tests)? {
        shell.copy_file(file, &project)?;
    }
    let script = project.join("run.mjs");
    cmd!(shell, "node {script} {suite}").run()?;
    Ok(())
}
