//! Compiles the core to WebAssembly and generates the JavaScript that loads it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use wasm_bindgen_cli_support::Bindgen;
use xshell::cmd;

use crate::toolchain::{self, Toolchain, WASM_TARGET};
use crate::workspace::Workspace;

/// How the module is optimized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimization {
    /// As it is published.
    Published,
    /// Hardly, which takes seconds after a small change. The module is larger and slower.
    Quick,
}

impl Optimization {
    /// Returns the cargo profile that the module is built with, which is also the name of its folder.
    fn profile(self) -> &'static str {
        match self {
            Self::Published => "release",
            Self::Quick => "quick",
        }
    }
}

/// The folder of the glue as wasm-bindgen generates it: `toolgauge.js`, `toolgauge.d.ts` and
/// `toolgauge_bg.wasm`.
pub fn glue(workspace: &Workspace) -> PathBuf {
    workspace.target("glue")
}

/// Compiles the core and generates its glue.
pub fn build(workspace: &Workspace) -> Result<()> {
    let toolchain = toolchain::prepare(&workspace.shell, workspace.wasm_source)?;
    let module = compile(workspace, &toolchain)?;
    generate_glue(workspace, &module, &glue(workspace))
}

fn compile(workspace: &Workspace, toolchain: &Toolchain) -> Result<PathBuf> {
    let shell = &workspace.shell;
    // A quick build is not published. Without the paths of one working copy, others can use its dependencies.
    let remapped = match workspace.optimization {
        Optimization::Published => remapped_folders(workspace)?.to_vec(),
        Optimization::Quick => Vec::new(),
    };
    let flags = format!("target.{WASM_TARGET}.rustflags={}", remap_flags(&remapped)?);
    // Cargo.toml also names an rlib. Without it, cargo compiles the dependencies for LTO only.
    let profile = workspace.optimization.profile();
    let arguments = [
        "rustc",
        // Added to the flags of .cargo/config.toml, which RUSTFLAGS would replace.
        "--config",
        &flags,
        "--profile",
        profile,
        "--package=toolgauge",
        "--lib",
        "--crate-type=cdylib",
        "--target",
        WASM_TARGET,
    ];
    match toolchain {
        Toolchain::Active => cmd!(shell, "cargo {arguments...}").run()?,
        Toolchain::Debian { linker } => {
            cmd!(
                shell,
                "/usr/bin/cargo {arguments...} -Zbuild-std=std,panic_abort"
            )
            .env("RUSTC", toolchain::DEBIAN_RUSTC)
            // build-std is unstable; this lets a stable compiler use it.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
            .run()?;
        }
    }
    Ok(workspace.target(&format!("{WASM_TARGET}/{profile}/toolgauge.wasm")))
}

/// Returns the folders of this machine whose paths would be in the module, each with its replacement.
fn remapped_folders(workspace: &Workspace) -> Result<[(PathBuf, &'static str); 2]> {
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
        .context("neither CARGO_HOME nor a home folder is known")?;
    Ok([(cargo_home, "/cargo"), (workspace.path(""), "/toolgauge")])
}

/// Returns the flags of rustc that replace `folders`, as TOML. A TOML list of strings is written like JSON.
fn remap_flags(folders: &[(PathBuf, &str)]) -> Result<String> {
    let flags: Vec<String> = folders
        .iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect();
    Ok(serde_json::to_string(&flags)?)
}

/// Runs wasm-bindgen, unless it has already processed these bytes.
fn generate_glue(workspace: &Workspace, module: &Path, glue: &Path) -> Result<()> {
    let bound_module = glue.with_extension("input.wasm");
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    if is_current(glue, &bound_module, &bytes)? {
        return Ok(());
    }
    workspace.shell.remove_path(glue)?;
    Bindgen::new()
        .input_bytes("toolgauge", bytes.clone())
        .web(true)?
        .typescript(true)
        // A default path would make bundlers look for a .wasm file beside the glue.
        .omit_default_module_path(true)
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(glue)?;
    let script = glue.join("toolgauge.js");
    fs::write(
        &script,
        without_finalization(&fs::read_to_string(&script)?)?,
    )?;
    fs::write(bound_module, bytes)?;
    Ok(())
}

/// Removes the registration of documents for finalization from the glue. Every document is freed by its
/// creator or by the call that takes it, and registering costs a tenth of a small call.
fn without_finalization(script: &str) -> Result<String> {
    let is_registration = |line: &&str| {
        let call = line.trim_start().strip_prefix("DocumentFinalization.");
        call.is_some_and(|call| call.starts_with("register(") || call.starts_with("unregister("))
    };
    let registrations = script.lines().filter(is_registration).count();
    ensure!(
        registrations > 0,
        "wasm-bindgen no longer registers documents as it did"
    );
    let kept = script.lines().filter(|line| !is_registration(line));
    Ok(kept.flat_map(|line| [line, "\n"]).collect())
}

/// Returns whether the glue was generated from `bytes`, and is newer than the binary that did it.
fn is_current(glue: &Path, bound_module: &Path, bytes: &[u8]) -> Result<bool> {
    let Ok(bound_at) = fs::metadata(bound_module).and_then(|module| module.modified()) else {
        return Ok(false);
    };
    let xtask_built_at = fs::metadata(env::current_exe()?)?.modified()?;
    Ok(glue.is_dir() && bound_at > xtask_built_at && fs::read(bound_module)? == bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_documents_are_no_longer_registered() {
        let script = "  DocumentFinalization.register(obj, x, obj);\n  ToolsFinalization.register(obj, x, obj);\n";
        let kept = without_finalization(script).expect("a registration");
        assert_eq!(kept, "  ToolsFinalization.register(obj, x, obj);\n");
        assert!(without_finalization(&kept).is_err());
    }
}
