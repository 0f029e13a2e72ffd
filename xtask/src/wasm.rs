//! Compiling the core to WebAssembly and generating the JavaScript that loads it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;
use xshell::cmd;

use crate::toolchain::{self, Toolchain, WASM_TARGET};
use crate::workspace::Workspace;

/// Compiles the core and generates its glue into [`Workspace::glue`].
pub fn build(workspace: &Workspace) -> Result<()> {
    let toolchain = toolchain::prepare(&workspace.shell, workspace.wasm_source)?;
    let module = compile(workspace, &toolchain)?;
    generate_glue(workspace, &module)
}

fn compile(workspace: &Workspace, toolchain: &Toolchain) -> Result<PathBuf> {
    let shell = &workspace.shell;
    let flags = format!(
        "target.{WASM_TARGET}.rustflags={}",
        remap_flags(&remapped_folders(workspace)?)?
    );
    // Without the rlib that Cargo.toml also names, cargo compiles the dependencies for LTO alone.
    let arguments = [
        "rustc",
        // Added to the flags of .cargo/config.toml, which RUSTFLAGS would replace.
        "--config",
        &flags,
        "--release",
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
            .env("RUSTC", "/usr/bin/rustc")
            // build-std is unstable; this lets a stable compiler use it.
            .env("RUSTC_BOOTSTRAP", "1")
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", linker)
            .run()?;
        }
    }
    Ok(workspace.target(&format!("{WASM_TARGET}/release/toolgauge.wasm")))
}

/// The folders of this machine whose paths the module would carry, and what it says instead.
fn remapped_folders(workspace: &Workspace) -> Result<[(PathBuf, &'static str); 2]> {
    let cargo_home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(env::home_dir()?.join(".cargo")))
        .context("neither CARGO_HOME nor a home folder is known")?;
    Ok([(cargo_home, "/cargo"), (workspace.path(""), "/toolgauge")])
}

/// The flags of rustc that replace `folders`, as TOML: a list of texts is written as in JSON.
fn remap_flags(folders: &[(PathBuf, &str)]) -> Result<String> {
    let flags: Vec<String> = folders
        .iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()))
        .collect();
    Ok(serde_json::to_string(&flags)?)
}

/// Runs wasm-bindgen, unless it has already run on these very bytes.
fn generate_glue(workspace: &Workspace, module: &Path) -> Result<()> {
    let glue = workspace.glue();
    let bound_module = workspace.target("glue-input.wasm");
    let bytes = fs::read(module).with_context(|| format!("cannot read {}", module.display()))?;
    if is_current(&glue, &bound_module, &bytes)? {
        return Ok(());
    }
    workspace.shell.remove_path(&glue)?;
    Bindgen::new()
        .input_bytes("toolgauge", bytes.clone())
        .web(true)?
        .typescript(true)
        // A default path would make bundlers look for a .wasm file beside the glue.
        .omit_default_module_path(true)
        .reset_state_function(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(&glue)?;
    fs::write(bound_module, bytes)?;
    Ok(())
}

/// Whether the glue was made from `bytes`, by a binary no newer than it.
fn is_current(glue: &Path, bound_module: &Path, bytes: &[u8]) -> Result<bool> {
    let Ok(bound_at) = fs::metadata(bound_module).and_then(|module| module.modified()) else {
        return Ok(false);
    };
    let xtask_built_at = fs::metadata(env::current_exe()?)?.modified()?;
    Ok(glue.is_dir() && bound_at > xtask_built_at && fs::read(bound_module)? == bytes)
}
