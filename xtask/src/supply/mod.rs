//! Third-party code in the products: the required notices, and a bill of materials.

mod audit;
mod bundled;
mod component;
mod crates;
mod licenses;
mod notices;
mod sbom;

use std::fs;

use anyhow::{Context, Result};
use serde::Deserialize;

pub use audit::{Audit, audit};
pub use bundled::Bundle;

use crate::site;
use crate::workspace::Workspace;
use component::Component;
use licenses::Policy;
use notices::Section;

/// The file of the notices, in the package and beside the page.
const NOTICES: &str = "THIRD-PARTY-NOTICES.txt";

/// The file of the bill of materials in the package.
const SBOM: &str = "sbom.cdx.json";

/// The fields of the package's manifest that are needed.
#[derive(Deserialize)]
struct Product {
    name: String,
    version: String,
    description: String,
    license: String,
}

/// Writes the notices and the bill of materials into the built package, which must contain the inspector page
/// already. Fails if a component's licence is not allowed.
pub fn write_into_package(workspace: &Workspace) -> Result<()> {
    let policy = Policy::read(workspace)?;
    let product = product(workspace)?;
    let module = crates::of_module(workspace, &policy)?;
    let scripts = bundled::components(workspace, &[Bundle::Package, Bundle::Page], &policy)?;
    let folder = workspace.package();
    let sections = [
        section(
            "dist/toolgauge_bg.wasm, and the copies of it in scripts",
            &module.components,
        ),
        section("the scripts in dist", &scripts),
    ];
    fs::write(folder.join(NOTICES), notices::render(&product, &sections))?;
    fs::write(
        folder.join(SBOM),
        sbom::render(&product, &module, &scripts)?,
    )?;
    Ok(())
}

/// Writes the notices beside the built page for hosts. Fails if a component's licence is not allowed.
pub fn write_beside_page(workspace: &Workspace) -> Result<()> {
    let policy = Policy::read(workspace)?;
    let product = product(workspace)?;
    let module = crates::of_module(workspace, &policy)?;
    let scripts = bundled::components(workspace, &[Bundle::Package, Bundle::Page], &policy)?;
    let sections = [
        section("the WebAssembly module", &module.components),
        section("the scripts", &scripts),
    ];
    fs::write(
        workspace.path("www/dist").join(NOTICES),
        notices::render(&product, &sections),
    )?;
    Ok(())
}

/// Writes the notices beside the built documents. Those of the inspector lie beside the inspector.
pub fn write_beside_site(workspace: &Workspace) -> Result<()> {
    let policy = Policy::read(workspace)?;
    let product = product(workspace)?;
    let scripts = bundled::components(workspace, &[Bundle::Site], &policy)?;
    let sections = [section("the scripts of the pages", &scripts)];
    fs::write(
        workspace.path(site::DIST).join(NOTICES),
        notices::render(&product, &sections),
    )?;
    Ok(())
}

fn section<'a>(place: &'static str, components: &'a [Component]) -> Section<'a> {
    Section { place, components }
}

fn product(workspace: &Workspace) -> Result<Product> {
    let manifest = workspace.package().join("package.json");
    let text = fs::read_to_string(&manifest)
        .with_context(|| format!("cannot read {}", manifest.display()))?;
    Ok(serde_json::from_str(&text)?)
}
