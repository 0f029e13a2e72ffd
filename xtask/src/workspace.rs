//! Where things lie in the repository.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::Shell;

use crate::toolchain::Source;

/// The repository, with a shell that runs commands in its root.
pub struct Workspace {
    /// Runs commands, in the root unless told otherwise.
    pub shell: Shell,
    /// Where the WebAssembly target shall come from.
    pub wasm_source: Source,
    root: PathBuf,
    target: PathBuf,
}

impl Workspace {
    /// Opens the repository that this binary was built from.
    pub fn open(wasm_source: Source) -> Result<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("xtask lies inside the repository")?
            .to_owned();
        let target = match env::var_os("CARGO_TARGET_DIR") {
            // As for cargo, a relative path counts from the folder of the call.
            Some(target) => env::current_dir()?.join(target),
            None => root.join("target"),
        };
        let shell = Shell::new()?;
        shell.change_dir(&root);
        Ok(Self {
            shell,
            wasm_source,
            root,
            target,
        })
    }

    /// A path inside the repository, checked to exist.
    pub fn existing(&self, relative: &str) -> Result<PathBuf> {
        let path = self.path(relative);
        ensure!(
            path.exists(),
            "{relative} is missing in {}",
            self.root.display()
        );
        Ok(path)
    }

    /// A path inside the repository.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A path inside cargo's target folder.
    pub fn target(&self, relative: &str) -> PathBuf {
        self.target.join(relative)
    }

    /// The built npm package, ready to pack.
    pub fn package(&self) -> PathBuf {
        self.path("pkg")
    }

    /// The packed npm package.
    pub fn tarball(&self) -> PathBuf {
        self.target("toolgauge.tgz")
    }
}
