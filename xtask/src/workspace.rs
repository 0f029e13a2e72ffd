//! Paths in the repository.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::Shell;

use crate::toolchain::Source;
use crate::wasm::Optimization;

/// The repository, with a shell that runs commands in its root.
pub struct Workspace {
    /// Runs commands, by default in the root.
    pub shell: Shell,
    /// The source of the WebAssembly target.
    pub wasm_source: Source,
    /// How the module is optimized.
    pub optimization: Optimization,
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Opens the repository that this binary was built from.
    pub fn open(wasm_source: Source, optimization: Optimization) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask is inside the repository")?
            .to_owned();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            // As in cargo, a relative path starts at the working directory.
            Some(target) => env::current_dir()?.join(target),
            None => root.join("target"),
        };
        let shell = Shell::new()?;
        shell.change_dir(&root);
        Ok(Self {
            shell,
            wasm_source,
            optimization,
            root,
            target,
        })
    }

    /// Returns a path inside the repository that must exist.
    pub fn existing(&self, relative: &str) -> Result<PathBuf> {
        let path = self.path(relative);
        ensure!(
            path.exists(),
            "{relative} is missing in {}",
            self.root.display()
        );
        Ok(path)
    }

    /// Returns a path inside the repository.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns a path inside cargo's target folder.
    pub fn target(&self, relative: &str) -> PathBuf {
        self.target.join(relative)
    }

    /// Returns the built npm package, ready to pack.
    pub fn package(&self) -> PathBuf {
        self.path("pkg")
    }

    /// Returns the packed npm package.
    pub fn tarball(&self) -> PathBuf {
        self.target("toolgauge.tgz")
    }
}
