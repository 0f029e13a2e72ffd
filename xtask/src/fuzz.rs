//! Runs the fuzzing scripts in `tests/fuzz` on the packed package.

use std::path::PathBuf;
use std::thread;

use anyhow::Result;
use clap::Args;
use xshell::{Shell, cmd};

use crate::check::PACKAGE_TESTS;
use crate::npm;
use crate::workspace::Workspace;

const SCRIPT: &str = "tests/fuzz/run.mjs";
const REQUIREMENTS: &str = "tests/fuzz/requirements.txt";

/// The environment variable with the Python that has jsonschema.
const PYTHON: &str = "TOOLGAUGE_FUZZ_PYTHON";

/// The targets to run, and how long.
#[derive(Args)]
pub struct Options {
    /// Run only this target; may be given several times. Default: all of them.
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// Any text. The same seed gives the same inputs.
    #[arg(long, default_value = "1")]
    seed: String,
    /// How many calls of public functions to make in total, approximately. The default takes about a minute.
    #[arg(long, value_name = "NUMBER")]
    executions: Option<u64>,
    /// How many processes run at the same time. Default: one for each core.
    #[arg(long, value_name = "NUMBER")]
    jobs: Option<usize>,
    /// Only print findings, instead of also writing them to `tests/fuzz/found`.
    #[arg(long)]
    discard: bool,
}

impl Options {
    /// Returns the options for `cargo xtask test`: always the same inputs, and no files left behind.
    pub fn of_tests() -> Self {
        Self {
            target: Vec::new(),
            seed: "1".to_owned(),
            executions: None,
            jobs: Some(2),
            discard: true,
        }
    }

    fn arguments(&self) -> Vec<String> {
        let jobs = self.jobs.unwrap_or_else(cores).to_string();
        let mut arguments = vec!["--seed".to_owned(), self.seed.clone()];
        arguments.extend(["--jobs".to_owned(), jobs]);
        for target in &self.target {
            arguments.extend(["--target".to_owned(), target.clone()]);
        }
        if let Some(executions) = self.executions {
            arguments.extend(["--executions".to_owned(), executions.to_string()]);
        }
        if !self.discard {
            arguments.push("--keep".to_owned());
        }
        arguments
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the targets against the tarball. Fails if an input causes something that no input may cause.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    let shell = &workspace.shell;
    let script = workspace.existing(SCRIPT)?;
    npm::install(shell, &workspace.path(PACKAGE_TESTS))?;
    let arguments = options.arguments();
    let mut command =
        cmd!(shell, "node {script} {arguments...}").env("TOOLGAUGE_TARBALL", workspace.tarball());
    match python(workspace) {
        Ok(python) => command = command.env(PYTHON, python),
        Err(error) => println!("schemas are not compared with jsonschema: {error:#}"),
    }
    command.run()?;
    Ok(())
}

/// Returns a Python that has jsonschema, in a separate environment, creating it if necessary.
fn python(workspace: &Workspace) -> Result<PathBuf> {
    let shell = &workspace.shell;
    let requirements = workspace.existing(REQUIREMENTS)?;
    let environment = workspace.target("fuzz/venv");
    let python = environment.join("bin/python");
    // This file is written last, so it proves that the installation finished.
    let installed = environment.join("requirements.txt");
    let wanted = shell.read_file(&requirements)?;
    if installed.exists() && shell.read_file(&installed)? == wanted {
        return Ok(python);
    }
    make_environment(shell, &environment)?;
    cmd!(
        shell,
        "{python} -m pip install --quiet --disable-pip-version-check --requirement {requirements}"
    )
    .run()?;
    shell.write_file(&installed, wanted)?;
    Ok(python)
}

fn make_environment(shell: &Shell, environment: &PathBuf) -> Result<()> {
    shell.remove_path(environment)?;
    cmd!(shell, "python3 -m venv {environment}").run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Options;

    #[test]
    fn tests_run_the_same_inputs_everywhere_and_keep_nothing() {
        let arguments = Options::of_tests().arguments();
        assert_eq!(arguments, ["--seed", "1", "--jobs", "2"]);
    }

    #[test]
    fn options_reach_the_script() {
        let options = Options {
            target: vec!["schemas".to_owned(), "cli".to_owned()],
            seed: "night".to_owned(),
            executions: Some(5),
            jobs: Some(3),
            discard: false,
        };
        let expected = "--seed night --jobs 3 --target schemas --target cli --executions 5 --keep";
        assert_eq!(options.arguments().join(" "), expected);
    }
}
