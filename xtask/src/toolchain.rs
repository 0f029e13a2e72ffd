//! Finds or installs the compiler for WebAssembly.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use xshell::{Shell, cmd};

use crate::apt;

/// The target that the core is compiled to.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The path of Debian's compiler, even if another one comes first in PATH.
pub const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// Where the WebAssembly target comes from.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Source {
    /// The active toolchain if it has the target, otherwise rustup, otherwise Debian.
    Auto,
    /// The active toolchain, to which rustup adds the target.
    Rustup,
    /// Debian's rustc-web, which compiles the standard library itself.
    Debian,
}

/// A toolchain that is ready to compile to WebAssembly.
pub enum Toolchain {
    /// The active rustc, with the target's standard library installed.
    Active,
    /// Debian's rustc-web, linking with the lld of the same LLVM.
    Debian {
        /// The linker's name, such as `wasm-ld-22`.
        linker: String,
    },
}

/// Finds a toolchain for WebAssembly, installing one if necessary.
pub fn prepare(shell: &Shell, source: Source) -> Result<Toolchain> {
    match source {
        Source::Auto if active_has_target(shell) => Ok(Toolchain::Active),
        Source::Auto => add_target(shell)
            .or_else(|rustup| {
                debian(shell).context(format!("rustup did not help either: {rustup:#}"))
            })
            .with_context(|| format!("no toolchain for {WASM_TARGET}")),
        Source::Rustup => add_target(shell),
        Source::Debian => debian(shell),
    }
}

/// Returns whether the subcommand of a rustup component runs. Asks rustup to install it if it is missing.
pub fn has_component(shell: &Shell, component: Component) -> bool {
    let (subcommand, package) = match component {
        Component::Clippy => ("clippy", "clippy"),
        Component::Rustfmt => ("fmt", "rustfmt"),
    };
    let runs = || {
        cmd!(shell, "cargo {subcommand} --version")
            .quiet()
            .ignore_stdout()
            .ignore_stderr()
            .run()
            .is_ok()
    };
    runs() || (cmd!(shell, "rustup component add {package}").run().is_ok() && runs())
}

/// A part of the toolchain that a minimal installation leaves out.
#[derive(Clone, Copy)]
pub enum Component {
    /// The linter.
    Clippy,
    /// The formatter.
    Rustfmt,
}

/// Returns the version of the compiler that [`prepare`] finds, which is also that of its standard library.
pub fn rust_version(shell: &Shell, source: Source) -> Result<String> {
    let compiler = match prepare(shell, source)? {
        Toolchain::Active => "rustc",
        Toolchain::Debian { .. } => DEBIAN_RUSTC,
    };
    let description = cmd!(shell, "{compiler} --version").quiet().read()?;
    let version = description.split(' ').nth(1);
    Ok(version
        .context("rustc does not state its version")?
        .to_owned())
}

fn active_has_target(shell: &Shell) -> bool {
    cmd!(shell, "rustc --print target-libdir --target {WASM_TARGET}")
        .quiet()
        .ignore_stderr()
        .read()
        .is_ok_and(|libraries| Path::new(&libraries).is_dir())
}

fn add_target(shell: &Shell) -> Result<Toolchain> {
    cmd!(shell, "rustup target add {WASM_TARGET}").run()?;
    ensure!(
        active_has_target(shell),
        "rustup added {WASM_TARGET}, but not to the rustc in use"
    );
    Ok(Toolchain::Active)
}

fn debian(shell: &Shell) -> Result<Toolchain> {
    let purpose = "compile to WebAssembly";
    apt::install(shell, &["rustc-web", "cargo-web", "rust-web-src"], purpose)?;
    // The linker must match the LLVM of the compiler.
    let description = cmd!(shell, "{DEBIAN_RUSTC} --version --verbose")
        .quiet()
        .read()?;
    let llvm =
        llvm_major(&description).context("/usr/bin/rustc does not print its LLVM version")?;
    apt::install(shell, &[&format!("lld-{llvm}")], purpose)?;
    Ok(Toolchain::Debian {
        linker: format!("wasm-ld-{llvm}"),
    })
}

fn llvm_major(rustc_description: &str) -> Option<&str> {
    let version = rustc_description
        .lines()
        .find_map(|line| line.strip_prefix("LLVM version: "))?;
    version.split('.').next()
}

#[cfg(test)]
mod tests {
    use super::llvm_major;

    #[test]
    fn the_llvm_major_is_read_from_rustc() {
        let description = "rustc 1.96.0\nhost: x86_64-unknown-linux-gnu\nLLVM version: 22.1.8\n";
        assert_eq!(llvm_major(description), Some("22"));
        assert_eq!(llvm_major("rustc 1.96.0"), None);
    }
}
