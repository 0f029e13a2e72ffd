//! The inspector: a static page that uses the built package.

use anyhow::{Result, ensure};
use xshell::cmd;

use crate::check::PACKAGE_TESTS;
use crate::workspace::Workspace;
use crate::{chromium, npm, package};

/// The folder of the page.
pub const PAGE: &str = "www";

/// The folder of the built page.
const BUILT: &str = "www/dist";

/// The folder of the page in the package.
const IN_PACKAGE: &str = "dist/inspector";

/// The WebAssembly module as a script.
const MODULE: &str = "toolgauge-wasm.js";

/// The headers for static hosts.
const HEADERS: &str = "_headers";

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

/// Checks the types, then builds the page into `www/dist`.
pub fn build(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let page = workspace.path(PAGE);
    npm::install(shell, &page)?;
    let _page = shell.push_dir(page);
    cmd!(shell, "npm run check").run()?;
    cmd!(shell, "npm run build").run()?;
    Ok(())
}

/// Puts the built page into the built package, without the WebAssembly module, which that has already, and without what
/// only other hosts read.
pub fn copy_into_package(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let page = workspace.package().join(IN_PACKAGE);
    shell.remove_path(&page)?;
    shell.create_dir(page.join("assets"))?;
    for folder in ["", "assets"] {
        for file in shell.read_dir(workspace.path(BUILT).join(folder))? {
            let name = file.file_name().unwrap_or_default();
            if file.is_file() && name != MODULE && name != HEADERS {
                shell.copy_file(&file, page.join(folder).join(name))?;
            }
        }
    }
    Ok(())
}
