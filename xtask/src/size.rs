//! Measures the package's size and compares it with its budget.

use std::fmt;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use xshell::cmd;

use crate::wasm;
use crate::workspace::Workspace;

const BUDGET: &str = "xtask/size-budget.json";

/// A size below this share of its budget calls for a lower budget.
const SLACK: f64 = 0.97;

/// Sizes in bytes.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sizes {
    /// The WebAssembly module.
    wasm: u64,
    /// The WebAssembly module, compressed with gzip.
    wasm_gzip: u64,
    /// The WebAssembly module, compressed with brotli.
    wasm_brotli: u64,
    /// The download from npm.
    tarball: u64,
}

impl Sizes {
    fn named(self) -> [(&'static str, u64); 4] {
        [
            ("wasm", self.wasm),
            ("wasmGzip", self.wasm_gzip),
            ("wasmBrotli", self.wasm_brotli),
            ("tarball", self.tarball),
        ]
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, bytes) in self.named() {
            writeln!(formatter, "{name:<10} {bytes:>9} bytes")?;
        }
        Ok(())
    }
}

/// Measures the built and packed package.
pub fn measure(workspace: &Workspace) -> Result<Sizes> {
    let shell = &workspace.shell;
    let script = workspace.existing("xtask/measure.mjs")?;
    let module = wasm::glue(workspace).join("toolgauge_bg.wasm");
    let tarball = workspace.tarball();
    let sizes = cmd!(shell, "node {script} {module} {tarball}")
        .quiet()
        .read()?;
    Ok(serde_json::from_str(&sizes)?)
}

/// Fails if a size exceeds its budget, and reports budgets that can be lowered.
pub fn check(workspace: &Workspace) -> Result<()> {
    let sizes = measure(workspace)?;
    print!("{sizes}");
    let budget = workspace.shell.read_file(workspace.existing(BUDGET)?)?;
    let budget: Sizes = serde_json::from_str(&budget).context(BUDGET)?;
    let verdicts = verdicts(sizes, budget);
    for (name, size, budget) in &verdicts.slack {
        println!("{BUDGET}: lower {name} from {budget} towards {size}");
    }
    let excess: Vec<String> = verdicts
        .excess
        .iter()
        .map(|(name, size, budget)| format!("{name} is {size} bytes, its budget {budget}"))
        .collect();
    ensure!(
        excess.is_empty(),
        "{BUDGET} is exceeded: {}",
        excess.join("; ")
    );
    Ok(())
}

/// The sizes that are off their budgets: name, size and budget.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdicts {
    excess: Vec<(&'static str, u64, u64)>,
    slack: Vec<(&'static str, u64, u64)>,
}

fn verdicts(sizes: Sizes, budget: Sizes) -> Verdicts {
    let mut verdicts = Verdicts::default();
    for ((name, size), (_, budget)) in sizes.named().into_iter().zip(budget.named()) {
        if size > budget {
            verdicts.excess.push((name, size, budget));
        } else if (size as f64) < budget as f64 * SLACK {
            verdicts.slack.push((name, size, budget));
        }
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::{Sizes, Verdicts, verdicts};

    #[test]
    fn sizes_are_compared_with_their_own_budget() {
        let budget = Sizes {
            wasm: 1000,
            wasm_gzip: 500,
            wasm_brotli: 400,
            tarball: 2000,
        };
        let sizes = Sizes {
            wasm: 1001,
            wasm_gzip: 500,
            wasm_brotli: 387,
            tarball: 1940,
        };
        let expected = Verdicts {
            excess: vec![("wasm", 1001, 1000)],
            slack: vec![("wasmBrotli", 387, 400)],
        };
        assert_eq!(verdicts(sizes, budget), expected);
    }
}
