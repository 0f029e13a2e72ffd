//! The inspector: a static page of the package's sources and its WebAssembly module.

use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use xshell::cmd;

use crate::check::PACKAGE_TESTS;
use crate::supply::{self, Bundle};
use crate::workspace::Workspace;
use crate::{chromium, npm, package};

/// The folder of the page.
pub const PAGE: &str = "www";

/// The folder of the page in the package.
const IN_PACKAGE: &str = "dist/inspector";

/// The folder of the page's scripts, styles and module.
const ASSETS: &str = "assets";

/// The headers for static hosts.
const HEADERS: &str = "_headers";

/// The variable that says where the page's bundler lists the packages in the page.
pub const BUNDLED: &str = "TOOLGAUGE_BUNDLED";

/// Builds the package and the page into `www/dist`.
pub fn build_all(workspace: &Workspace) -> Result<()> {
    package::build(workspace)?;
    build(workspace)
}

/// Builds the package and the page, then serves the page until it is stopped.
pub fn run(workspace: &Workspace, port: u16) -> Result<()> {
    build_all(workspace)?;
    let shell = &workspace.shell;
    let _page = shell.push_dir(workspace.path(PAGE));
    let port = port.to_string();
    cmd!(
        shell,
        "npm run preview -- --host 127.0.0.1 --port {port} --strictPort"
    )
    .run()?;
    Ok(())
}

/// Builds the page from the built package, and tests it in the browser.
pub fn check(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let tests_folder = workspace.path(PAGE).join("tests");
    let mut tests = shell.read_dir(&tests_folder)?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    ensure!(!tests.is_empty(), "{PAGE}/tests has no *.test.mjs");
    build(workspace)?;
    // A test runs what the page copies with the runner that is there.
    npm::install(shell, &workspace.path(PACKAGE_TESTS))?;
    chromium::prepare(shell)?;
    cmd!(shell, "node --test --test-reporter=spec {tests...}").run()?;
    Ok(())
}

/// Builds the page into `www/dist`, for hosts, with the notices about others' code beside it. The package must have been
/// built before.
pub fn build(workspace: &Workspace) -> Result<()> {
    bundle(workspace, &workspace.path(PAGE).join("dist"))?;
    supply::write_beside_page(workspace)
}

/// Builds the page into the built package, for `toolgauge inspect`. The command serves the package's own WebAssembly
/// module in place of the copy beside the page, and sends its own headers.
pub fn build_into_package(workspace: &Workspace) -> Result<()> {
    let folder = workspace.package().join(IN_PACKAGE);
    bundle(workspace, &folder)?;
    let shell = &workspace.shell;
    let mut copies = shell.read_dir(folder.join(ASSETS))?;
    copies.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "wasm")
    });
    ensure!(copies.len() == 1, "the page has {} modules", copies.len());
    for file in copies.into_iter().chain([folder.join(HEADERS)]) {
        shell.remove_path(file)?;
    }
    Ok(())
}

/// Runs the bundler, which empties `folder` first.
fn bundle(workspace: &Workspace, folder: &Path) -> Result<()> {
    let page = prepare(workspace)?;
    let shell = &workspace.shell;
    let _page = shell.push_dir(page);
    cmd!(shell, "npm run build -- --outDir {folder} --emptyOutDir")
        .env(BUNDLED, Bundle::Page.list(workspace))
        .run()?;
    Ok(())
}

/// Installs what the page is built with, and checks its types. Gives its folder.
fn prepare(workspace: &Workspace) -> Result<PathBuf> {
    let shell = &workspace.shell;
    let page = workspace.path(PAGE);
    npm::install(shell, &page)?;
    let _page = shell.push_dir(&page);
    cmd!(shell, "npm run check").run()?;
    Ok(page)
}
