//! Every check, as steps that CI and people run in the same way.

use std::borrow::Cow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use clap::ValueEnum;
use xshell::cmd;

use crate::supply::{self, Audit};
use crate::toolchain::{self, Component, Toolchain, WASM_TARGET};
use crate::workspace::Workspace;
use crate::{chromium, conformance, counted, fuzz, npm, package, serve, site, size, spark};

/// The folder of the tests that install the packed package.
pub const PACKAGE_TESTS: &str = "tests/package";

/// One check. They run in this order: those that fail fast come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Step {
    /// `cargo fmt --check`
    Fmt,
    /// biome over all JavaScript, TypeScript and JSON
    Biome,
    /// clippy for the host
    Clippy,
    /// the tests of the core and of xtask, with the generated TypeScript declarations
    Cargo,
    /// clippy for WebAssembly
    ClippyWasm,
    /// known vulnerabilities of dependencies: cargo-deny, and the npm registry
    Audit,
    /// the npm package
    Build,
    /// the TypeScript compiler over the package's sources
    Tsc,
    /// the package's tarball
    Pack,
    /// the size budget
    Size,
    /// publint on the tarball
    Publint,
    /// "Are the types wrong?" on the tarball
    Attw,
    /// the JSON Schema Test Suite, through the tarball
    Conformance,
    /// the tests that install the tarball
    Package,
    /// random inputs, through the tarball
    Fuzz,
    /// the inspector page, in a browser
    Www,
    /// the documents as a site, with the references, in a browser
    Site,
    /// the example for Apache Spark, through the tarball
    Spark,
}

/// How a step ended that did not fail.
enum Outcome {
    Passed,
    Skipped(Cow<'static, str>),
}

const fn skipped(reason: &'static str) -> Outcome {
    Outcome::Skipped(Cow::Borrowed(reason))
}

/// Runs the steps until one fails, then prints a summary.
pub fn run(workspace: &Workspace, only: Option<Step>) -> ExitCode {
    let steps = match only {
        Some(step) => step.with_needs(),
        None => Step::value_variants().to_vec(),
    };
    let mut summary = Summary::default();
    for &step in &steps {
        println!("\n== {} ==", step.name());
        let start = Instant::now();
        let result = step.run(workspace);
        if let Err(error) = &result {
            eprintln!("\n{} failed: {error:#}", step.name());
        }
        let failed = result.is_err();
        summary.record(step, result, start.elapsed());
        if failed {
            break;
        }
    }
    summary.print();
    match summary.failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

impl Step {
    /// Returns the step's name on the command line.
    fn name(self) -> String {
        self.to_possible_value()
            .map(|value| value.get_name().to_owned())
            .unwrap_or_default()
    }

    /// Returns the steps that this one needs, followed by itself.
    fn with_needs(self) -> Vec<Self> {
        let needs: &[Self] = match self {
            Self::Fmt
            | Self::Biome
            | Self::Clippy
            | Self::Cargo
            | Self::ClippyWasm
            | Self::Audit
            | Self::Build => &[],
            Self::Tsc | Self::Pack | Self::Www | Self::Site => &[Self::Build],
            Self::Size
            | Self::Publint
            | Self::Attw
            | Self::Conformance
            | Self::Package
            | Self::Fuzz
            | Self::Spark => &[Self::Build, Self::Pack],
        };
        [needs, &[self]].concat()
    }

    fn run(self, workspace: &Workspace) -> Result<Outcome> {
        match self {
            Self::Fmt => return fmt(workspace),
            Self::Biome => biome(workspace)?,
            Self::Clippy => return clippy(workspace),
            Self::Cargo => cargo(workspace)?,
            Self::ClippyWasm => return clippy_wasm(workspace),
            Self::Audit => return audit(workspace),
            Self::Build => package::build(workspace)?,
            Self::Tsc => tsc(workspace)?,
            Self::Pack => package::pack_built(workspace)?,
            Self::Size => size::check(workspace)?,
            Self::Publint => publint(workspace)?,
            Self::Attw => attw(workspace)?,
            Self::Conformance => return conformance_suite(workspace),
            Self::Package => package_tests(workspace)?,
            Self::Fuzz => fuzz::run(workspace, &fuzz::Options::of_tests())?,
            Self::Www => serve::check(workspace)?,
            Self::Site => site::check(workspace)?,
            Self::Spark => return spark_example(workspace),
        }
        Ok(Outcome::Passed)
    }
}

fn fmt(workspace: &Workspace) -> Result<Outcome> {
    let shell = &workspace.shell;
    if !toolchain::has_component(shell, Component::Rustfmt) {
        return Ok(skipped("rustfmt is not installed"));
    }
    cmd!(shell, "cargo fmt --all --check").run()?;
    Ok(Outcome::Passed)
}

fn biome(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let template = workspace.path(package::TEMPLATE);
    npm::install(shell, &template)?;
    let biome = npm::tool(&template, "biome");
    let others = [
        "tests",
        "examples",
        "benches",
        "xtask",
        "www/build",
        "www/src",
        "www/tests",
        "www/vite.config.ts",
        "www/site/.vitepress",
        "www/site/stage",
        "www/site/tests",
    ]
    .map(|folder| workspace.path(folder))
    .into_iter()
    .filter(|folder| folder.exists());
    // biome searches for its configuration in the working directory, so run it in the package's folder.
    let _template = shell.push_dir(&template);
    cmd!(shell, "{biome} check --error-on-warnings . {others...}").run()?;
    Ok(())
}

/// Runs clippy for one package at a time. For several, cargo would unite the features of their
/// dependencies, and compile wasm-bindgen again with those of the core.
const CORE: [&str; 3] = ["--workspace", "--exclude", "xtask"];

fn clippy(workspace: &Workspace) -> Result<Outcome> {
    let shell = &workspace.shell;
    if !toolchain::has_component(shell, Component::Clippy) {
        return Ok(skipped("clippy is not installed"));
    }
    cmd!(
        shell,
        "cargo clippy {CORE...} --features typescript --all-targets -- --deny warnings"
    )
    .run()?;
    cmd!(
        shell,
        "cargo clippy --package xtask --all-targets -- --deny warnings"
    )
    .run()?;
    Ok(Outcome::Passed)
}

fn clippy_wasm(workspace: &Workspace) -> Result<Outcome> {
    let shell = &workspace.shell;
    if !toolchain::has_component(shell, Component::Clippy) {
        return Ok(skipped("clippy is not installed"));
    }
    match toolchain::prepare(shell, workspace.wasm_source)? {
        Toolchain::Active => {
            cmd!(
                shell,
                "cargo clippy {CORE...} --target {WASM_TARGET} -- --deny warnings"
            )
            .run()?;
            Ok(Outcome::Passed)
        }
        Toolchain::Debian { .. } => Ok(skipped("the toolchain that has clippy lacks the target")),
    }
}

/// Runs the tests with the feature `typescript`, whose test fails if the declarations are stale.
fn cargo(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    cmd!(shell, "cargo test {CORE...} --features typescript").run()?;
    cmd!(shell, "cargo test --package xtask").run()?;
    Ok(())
}

fn audit(workspace: &Workspace) -> Result<Outcome> {
    Ok(match supply::audit(workspace)? {
        Audit::Clean => Outcome::Passed,
        Audit::Partial(reason) => Outcome::Skipped(reason.into()),
    })
}

fn tsc(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let template = workspace.path(package::TEMPLATE);
    npm::install(shell, &template)?;
    let _template = shell.push_dir(&template);
    cmd!(shell, "npm run check").run()?;
    Ok(())
}

fn publint(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let publint = package_test_tool(workspace, "publint")?;
    let tarball = workspace.tarball();
    cmd!(shell, "{publint} run {tarball} --strict").run()?;
    Ok(())
}

/// Runs attw with a profile without Node.js 10, which does not support `exports`.
fn attw(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let attw = package_test_tool(workspace, "attw")?;
    let tarball = workspace.tarball();
    cmd!(
        shell,
        "{attw} {tarball} --profile node16 --no-definitely-typed --exclude-entrypoints toolgauge.wasm"
    )
    .run()?;
    Ok(())
}

fn conformance_suite(workspace: &Workspace) -> Result<Outcome> {
    let Some(suite) = conformance::suite(workspace)? else {
        return Ok(skipped("there is no pip to download it with"));
    };
    conformance::run(workspace, &suite)?;
    Ok(Outcome::Passed)
}

fn spark_example(workspace: &Workspace) -> Result<Outcome> {
    let Some(python) = spark::python(workspace)? else {
        return Ok(skipped("there is no Java and Python to run Spark with"));
    };
    spark::run(workspace, &python)?;
    Ok(Outcome::Passed)
}

fn package_tests(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let folder = workspace.path(PACKAGE_TESTS);
    let mut tests = shell.read_dir(&folder)?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    ensure!(!tests.is_empty(), "{PACKAGE_TESTS} has no *.test.mjs");
    npm::install(shell, &folder)?;
    chromium::prepare(shell)?;
    cmd!(shell, "node --test --test-reporter=spec {tests...}")
        .env("TOOLGAUGE_TARBALL", workspace.tarball())
        .env("TOOLGAUGE_COUNTED", counted::module(workspace))
        .run()?;
    Ok(())
}

fn package_test_tool(workspace: &Workspace, name: &str) -> Result<PathBuf> {
    let folder = workspace.path(PACKAGE_TESTS);
    npm::install(&workspace.shell, &folder)?;
    Ok(npm::tool(&folder, name))
}

/// The outcomes of the steps.
#[derive(Default)]
struct Summary {
    lines: Vec<String>,
    passed: usize,
    failed: usize,
}

impl Summary {
    fn record(&mut self, step: Step, result: Result<Outcome>, time: Duration) {
        let verdict = match result {
            Ok(Outcome::Passed) => {
                self.passed += 1;
                "passed".to_owned()
            }
            Ok(Outcome::Skipped(reason)) => format!("skipped: {reason}"),
            Err(_) => {
                self.failed += 1;
                "failed".to_owned()
            }
        };
        let seconds = time.as_secs_f64();
        self.lines
            .push(format!("{:<12} {seconds:>7.1} s  {verdict}", step.name()));
    }

    fn print(&self) {
        println!("\n== summary ==\n{}", self.lines.join("\n"));
        println!("\n{} passed, {} failed", self.passed, self.failed);
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::Step;

    #[test]
    fn the_needs_of_a_step_run_before_it() {
        for step in Step::value_variants() {
            let steps = step.with_needs();
            assert!(steps.is_sorted());
            assert_eq!(steps.last(), Some(step));
        }
    }
}
