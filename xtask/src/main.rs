//! `cargo xtask`: the one entrance for building, testing and measuring, for people and for CI.
//!
//! Every command does its own set-up: a fresh machine needs only cargo and Node.js with npm.

mod apt;
mod bench;
mod check;
mod chromium;
mod conformance;
mod counted;
mod demo;
mod fuzz;
mod grounding;
mod npm;
mod package;
mod precision;
mod serve;
mod size;
mod spark;
mod supply;
mod toolchain;
mod types;
mod wasm;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::check::Step;
use crate::toolchain::Source;
use crate::workspace::Workspace;

/// Builds, tests and measures toolgauge.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Where the WebAssembly target comes from.
    #[arg(
        long,
        global = true,
        env = "TOOLGAUGE_WASM_TOOLCHAIN",
        default_value = "auto"
    )]
    wasm_toolchain: Source,
}

#[derive(Subcommand)]
enum Command {
    /// Build the npm package into pkg/.
    Build,
    /// Build, then pack the package into target/toolgauge.tgz.
    Pack,
    /// Regenerate the TypeScript declarations from the Rust types.
    Types,
    /// Build, then check a shipped example with the command-line tool.
    Demo,
    /// Run every check; what CI runs.
    Test {
        /// Run this step alone, after the steps that it needs.
        #[arg(long, value_name = "STEP")]
        only: Option<Step>,
    },
    /// Pack, then measure speed and size, beside other packages.
    Bench {
        /// Rollouts to measure with in place of made ones, as benches/bench.mjs says.
        #[arg(requires = "tools")]
        rollouts: Option<PathBuf>,
        /// Their tool definitions.
        #[arg(long, requires = "rollouts", value_name = "FILE")]
        tools: Option<PathBuf>,
    },
    /// Build the package and the inspector page into www/dist, for a static host.
    Page,
    /// Build the package and the inspector page, then serve the page.
    Serve {
        /// The port on the loopback address.
        #[arg(long, default_value_t = 4173)]
        port: u16,
    },
    /// Pack, then put random inputs through the package, as docs/fuzzing.md says.
    Fuzz(fuzz::Options),
    /// Tell how well unsupported facts are found in a file of labelled replies.
    Grounding {
        /// JSON Lines: `{id, planted, messages}`, as examples/grounding.rs says; each file is a domain.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Unchanged replies of which an alarm is right.
        #[arg(long)]
        alarms: Option<PathBuf>,
        /// Print each row that comes out wrong, or each reported fact that the file says is right or wrong.
        #[arg(long, value_parser = ["missed", "alarms", "facts", "all"])]
        list: Option<String>,
    },
    /// Measure how right the verdicts about outcomes are, on planted or labelled ones.
    Precision {
        /// A folder of planted or labelled verdicts, as examples/precision.rs says.
        folder: PathBuf,
        /// A type of issue, of which each row that comes out wrong is listed.
        listed: Option<String>,
    },
}

fn main() -> ExitCode {
    run(Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(arguments: Arguments) -> Result<ExitCode> {
    let workspace = Workspace::open(arguments.wasm_toolchain)?;
    match arguments.command {
        Command::Build => package::build(&workspace)?,
        Command::Pack => package::pack(&workspace)?,
        Command::Types => types::regenerate(&workspace)?,
        Command::Demo => demo::run(&workspace)?,
        Command::Test { only } => return Ok(check::run(&workspace, only)),
        Command::Bench { rollouts, tools } => {
            bench::run(&workspace, rollouts.as_deref().zip(tools.as_deref()))?;
        }
        Command::Page => serve::build_all(&workspace)?,
        Command::Serve { port } => serve::run(&workspace, port)?,
        Command::Fuzz(options) => {
            package::pack(&workspace)?;
            fuzz::run(&workspace, &options)?;
        }
        Command::Grounding {
            files,
            alarms,
            list,
        } => grounding::run(&workspace, &files, alarms.as_deref(), list.as_deref())?,
        Command::Precision { folder, listed } => {
            precision::run(&workspace, &folder, listed.as_deref())?
        }
    }
    Ok(ExitCode::SUCCESS)
}
