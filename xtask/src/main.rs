//! `cargo xtask`: the one command for building, testing and measuring, for people and for CI.
//!
//! Every command sets up what it needs: a fresh machine needs only cargo and Node.js with npm.

mod apt;
mod bench;
mod bfcl;
mod check;
mod chromium;
mod conformance;
mod counted;
mod demo;
mod fuzz;
mod grounding;
mod matrix;
mod npm;
mod package;
mod precision;
mod serve;
mod site;
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
use crate::wasm::Optimization;
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
    /// Build a module that is larger and slower, but takes less time to build after a change.
    #[arg(long, global = true)]
    quick: bool,
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
        /// Run only this step, after the steps that it needs.
        #[arg(long, value_name = "STEP")]
        only: Option<Step>,
    },
    /// Pack, then measure speed and size, in comparison with other packages.
    Bench {
        /// Rollouts to measure with instead of generated ones, as benches/bench.mjs describes.
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
    /// Build the package, the inspector and the documents as a static site into www/site/build/dist.
    Site(site::Options),
    /// Pack, then fuzz the package, as docs/fuzzing.md describes.
    Fuzz(fuzz::Options),
    /// Pack, then run the rows of docs/runtimes.md, and write their results into the page.
    Matrix {
        /// The ids of rows. Default: all rows, which takes some minutes.
        rows: Vec<String>,
    },
    /// Measure the detection of unsupported facts in a file of labelled replies.
    Grounding {
        /// JSON Lines: `{id, planted, messages}`, as examples/grounding.rs describes; each file is a domain.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Unchanged replies with an unsupported fact, where an alarm is right.
        #[arg(long)]
        alarms: Option<PathBuf>,
        /// Print each wrong row, or each reported fact that the file labels as right or wrong.
        #[arg(long, value_parser = ["missed", "alarms", "facts", "all"])]
        list: Option<String>,
    },
    /// Measure the precision of verdicts about outcomes, on planted or labelled ones.
    Precision {
        /// A folder of planted or labelled verdicts, as examples/precision.rs describes.
        folder: PathBuf,
        /// An issue type whose wrong rows are listed.
        listed: Option<String>,
    },
    /// Compare the verdicts of scores with those of the Berkeley Function Calling Leaderboard.
    Bfcl {
        /// What a model answered: a file or a folder, as examples/bfcl.rs describes.
        results: PathBuf,
        /// The acceptable answers.
        answers: PathBuf,
        /// The official scores.
        scores: PathBuf,
        /// A kind of disagreement whose rows are listed.
        #[arg(long)]
        list: Option<String>,
    },
}

fn main() -> ExitCode {
    run(Arguments::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn run(arguments: Arguments) -> Result<ExitCode> {
    let optimization = match arguments.quick {
        true => Optimization::Quick,
        false => Optimization::Published,
    };
    let workspace = Workspace::open(arguments.wasm_toolchain, optimization)?;
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
        Command::Site(options) => site::run(&workspace, &options)?,
        Command::Fuzz(options) => {
            package::pack(&workspace)?;
            fuzz::run(&workspace, &options)?;
        }
        Command::Matrix { rows } => {
            package::pack(&workspace)?;
            matrix::run(&workspace, &rows)?;
        }
        Command::Grounding {
            files,
            alarms,
            list,
        } => grounding::run(&workspace, &files, alarms.as_deref(), list.as_deref())?,
        Command::Precision { folder, listed } => {
            precision::run(&workspace, &folder, listed.as_deref())?
        }
        Command::Bfcl {
            results,
            answers,
            scores,
            list,
        } => {
            let files = bfcl::Files {
                results: &results,
                answers: &answers,
                scores: &scores,
            };
            bfcl::run(&workspace, &files, list.as_deref())?
        }
    }
    Ok(ExitCode::SUCCESS)
}
