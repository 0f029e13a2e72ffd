//! Builds and packs the npm package.

use std::fs;

use anyhow::Result;
use xshell::cmd;

use crate::supply::{self, Bundle};
use crate::workspace::Workspace;
use crate::{counted, npm, serve, wasm};

/// The folder with the TypeScript of the package.
pub const TEMPLATE: &str = "pkg-template";

const BUILD_SCRIPT: &str = "pkg-template/build.mjs";

/// Builds the npm package into [`Workspace::package`].
pub fn build(workspace: &Workspace) -> Result<()> {
    workspace.existing(BUILD_SCRIPT)?;
    wasm::build(workspace)?;
    let shell = &workspace.shell;
    npm::install(shell, &workspace.path(TEMPLATE))?;
    let (glue, package) = (wasm::glue(workspace), workspace.package());
    let bundled = Bundle::Package.list(workspace);
    cmd!(
        shell,
        "node {BUILD_SCRIPT} --glue {glue} --out {package} --bundled {bundled}"
    )
    .run()?;
    Ok(())
}

/// Builds the package and packs it into [`Workspace::tarball`].
pub fn pack(workspace: &Workspace) -> Result<()> {
    build(workspace)?;
    pack_built(workspace)
}

/// Packs the package that [`build`] wrote. First adds the page that `toolgauge inspect` serves, and the notices about
/// third-party code. Also builds the module that counts its own work, which only the tests of the package use.
pub fn pack_built(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    serve::build_into_package(workspace)?;
    supply::write_into_package(workspace)?;
    counted::build(workspace)?;
    let target = workspace.target("");
    let name = {
        let _package = shell.push_dir(workspace.package());
        cmd!(
            shell,
            "npm pack --loglevel=error --pack-destination {target}"
        )
        .read()?
    };
    // npm puts the version in the file name. The tests need a name that does not change.
    fs::rename(target.join(name), workspace.tarball())?;
    println!("{}", workspace.tarball().display());
    Ok(())
}
