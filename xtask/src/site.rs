//! The documents as a static site: with a page for each type of issue, the inspector, and the references of the
//! TypeScript package and of the Rust crates.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use xshell::cmd;

use crate::supply::{self, Bundle};
use crate::workspace::Workspace;
use crate::{chromium, npm, package, serve};

/// The folder of the site.
pub const SITE: &str = "www/site";

/// The folder of the built site.
pub const DIST: &str = "www/site/build/dist";

/// Where `cargo doc` writes the reference of the crates.
const RUSTDOC: &str = "doc";

/// The variable that says where the reference of the crates is.
const RUSTDOC_VARIABLE: &str = "TOOLGAUGE_RUSTDOC";

/// The variable that says in which folder of its host the site will be.
const BASE_VARIABLE: &str = "TOOLGAUGE_SITE_BASE";

/// What `cargo xtask site` takes.
#[derive(Args)]
pub struct Options {
    /// The folder of the host in which the site will be, such as /toolgauge/.
    #[arg(long, value_name = "PATH", default_value = "/", value_parser = base)]
    base: String,
    /// Serve the site after building it, until the command is stopped.
    #[arg(long)]
    serve: bool,
    /// The port on the loopback address that `--serve` uses.
    #[arg(long, default_value_t = 4174)]
    port: u16,
}

/// A path that starts and ends with a slash.
fn base(given: &str) -> Result<String> {
    let path = given.trim_matches('/');
    ensure!(
        !path.contains([':', '?', '#']),
        "expected a path such as /toolgauge/"
    );
    Ok(match path {
        "" => "/".to_owned(),
        path => format!("/{path}/"),
    })
}

/// Builds the package, the inspector and the site, then serves the site if that is asked for.
pub fn run(workspace: &Workspace, options: &Options) -> Result<()> {
    serve::build_all(workspace)?;
    build(workspace, &options.base)?;
    println!("{}", workspace.path(DIST).display());
    if options.serve {
        serve(workspace, options)?;
    }
    Ok(())
}

/// Builds the site from the built package, and tests it in the browser.
pub fn check(workspace: &Workspace) -> Result<()> {
    let shell = &workspace.shell;
    let mut tests = shell.read_dir(workspace.path(SITE).join("tests"))?;
    tests.retain(|path| path.to_string_lossy().ends_with(".test.mjs"));
    ensure!(!tests.is_empty(), "{SITE}/tests has no *.test.mjs");
    serve::build(workspace)?;
    build(workspace, "/")?;
    chromium::prepare(shell)?;
    cmd!(shell, "node --test --test-reporter=spec {tests...}").run()?;
    Ok(())
}

/// Builds the site. The package and the inspector must have been built before.
fn build(workspace: &Workspace, base: &str) -> Result<()> {
    let shell = &workspace.shell;
    let site = workspace.path(SITE);
    npm::install(shell, &site)?;
    // The reference reads the sources of the package, which import its dependencies.
    npm::install(shell, &workspace.path(package::TEMPLATE))?;
    let reference = rust_reference(workspace)?;
    {
        let _site = shell.push_dir(site);
        cmd!(shell, "npm run build")
            .env(RUSTDOC_VARIABLE, reference)
            .env(BASE_VARIABLE, base)
            .env(serve::BUNDLED, Bundle::Site.list(workspace))
            .run()?;
    }
    supply::write_beside_site(workspace)
}

/// Writes the reference of the crates, and gives its folder. The feature is that of the tests, so that cargo compiles the
/// dependencies only once.
fn rust_reference(workspace: &Workspace) -> Result<PathBuf> {
    let shell = &workspace.shell;
    let folder = workspace.target(RUSTDOC);
    // It may contain crates that somebody documented for themselves.
    shell.remove_path(&folder)?;
    cmd!(
        shell,
        "cargo doc --no-deps --workspace --exclude xtask --features typescript"
    )
    .env(
        "RUSTDOCFLAGS",
        "--deny rustdoc::broken_intra_doc_links --allow rustdoc::private_intra_doc_links",
    )
    .run()?;
    Ok(folder)
}

fn serve(workspace: &Workspace, options: &Options) -> Result<()> {
    let shell = &workspace.shell;
    let _site = shell.push_dir(workspace.path(SITE));
    let port = options.port.to_string();
    cmd!(shell, "npm run preview -- --port {port}")
        .env(BASE_VARIABLE, &options.base)
        .run()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::base;

    #[test]
    fn the_folder_of_the_site_has_a_slash_at_both_ends() {
        for (given, expected) in [
            ("/", "/"),
            ("", "/"),
            ("docs", "/docs/"),
            ("/a/b/", "/a/b/"),
        ] {
            assert_eq!(base(given).expect("a path"), expected);
        }
        assert!(base("https://example.org/docs").is_err());
    }
}
