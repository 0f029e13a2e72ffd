//! The inspector: a static page that uses the built package.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use xshell::cmd;

use crate::check::PACKAGE_TESTS;
use crate::supply::{self, Bundle};
use crate::wasm::Core;
use crate::workspace::Workspace;
use crate::{chromium, npm, package, wasm};

/// The folder of the page.
pub const PAGE: &str = "www";

/// The folder of the page in the package.
const IN_PACKAGE: &str = "dist/inspector";

/// The WebAssembly module as a script.
const MODULE: &str = "assets/toolgauge-wasm.js";

/// The headers for static hosts.
const HEADERS: &str = "_headers";

/// The variable that says where the page's bundler lists the packages in the page.
const BUNDLED: &str = "TOOLGAUGE_BUNDLED";

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

/// Builds the page into `www/dist`, for hosts, with the notices about others' code in it. The page starts with the slim build of the core, and loads the built package
/// when something needs it.
pub fn build(workspace: &Workspace) -> Result<()> {
    wasm::build(workspace, Core::Slim)?;
    let glue = Core::Slim.glue(workspace);
    let page = prepare(workspace)?;
    let shell = &workspace.shell;
    {
        let _page = shell.push_dir(page);
        cmd!(shell, "npm run build")
            .env("TOOLGAUGE_SLIM_GLUE", glue)
            .env(BUNDLED, Bundle::Page.list(workspace))
            .run()?;
    }
    supply::write_beside_page(workspace)
}

/// Builds the page into the built package, for `toolgauge inspect`: it has the package's own WebAssembly module from
/// the start, and that is in the package already.
pub fn build_into_package(workspace: &Workspace) -> Result<()> {
    let folder = workspace.package().join(IN_PACKAGE);
    let page = prepare(workspace)?;
    let shell = &workspace.shell;
    let _page = shell.push_dir(page);
    cmd!(
        shell,
        "npm run build -- --mode package --outDir {folder} --emptyOutDir"
    )
    .env(BUNDLED, Bundle::Inspector.list(workspace))
    .run()?;
    for file in [MODULE, HEADERS] {
        shell.remove_path(folder.join(file))?;
    }
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
