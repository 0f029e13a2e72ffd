//! The crates in the WebAssembly module.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{
    DependencyKind, Metadata, MetadataCommand, Node, Package, PackageId, TargetKind,
};
use serde::Deserialize;

use super::component::{self, Component, Hash};
use super::licenses::{Policy, standard_texts};
use crate::toolchain::{self, WASM_TARGET};
use crate::workspace::Workspace;

/// The package that is compiled to the module.
const CORE: &str = "toolgauge";

/// The third-party components of the module.
pub struct Module {
    /// The crates, and Rust's standard library.
    pub components: Vec<Component>,
    /// The package URLs of the components that the core itself uses.
    pub direct: Vec<String>,
}

/// The crates by their ids, with their dependencies.
struct Graph<'a> {
    packages: HashMap<&'a PackageId, &'a Package>,
    nodes: HashMap<&'a PackageId, &'a Node>,
}

/// Returns the components of the module, sorted by their package URLs.
pub fn of_module(workspace: &Workspace, policy: &Policy) -> Result<Module> {
    let metadata = metadata(workspace)?;
    let checksums = checksums(workspace)?;
    let graph = Graph::of(&metadata)?;
    let core = graph.named(CORE).context("the workspace has no core")?;
    let standard = standard_library(workspace, policy)?;
    let mut direct: Vec<String> = graph.linked_by(&core.id).into_iter().map(purl).collect();
    direct.push(standard.purl.clone());
    let mut components = vec![standard];
    for package in graph.held_by(core) {
        let mut component = component(package, &checksums, policy)?;
        component.needs = graph.linked_by(&package.id).into_iter().map(purl).collect();
        components.push(component);
    }
    components.sort_by(|a, b| a.purl.cmp(&b.purl));
    Ok(Module { components, direct })
}

/// Returns cargo's metadata for the module's platform.
fn metadata(workspace: &Workspace) -> Result<Metadata> {
    Ok(MetadataCommand::new()
        .current_dir(workspace.path(""))
        .other_options(["--locked", "--filter-platform", WASM_TARGET].map(str::to_owned))
        .exec()?)
}

impl<'a> Graph<'a> {
    fn of(metadata: &'a Metadata) -> Result<Self> {
        let resolve = metadata
            .resolve
            .as_ref()
            .context("cargo resolved nothing")?;
        let packages = metadata.packages.iter();
        Ok(Self {
            packages: packages.map(|package| (&package.id, package)).collect(),
            nodes: resolve.nodes.iter().map(|node| (&node.id, node)).collect(),
        })
    }

    fn named(&self, name: &str) -> Option<&'a Package> {
        let mut packages = self.packages.values().copied();
        packages.find(|package| package.name == name)
    }

    /// Returns the crates that are linked into `root`, directly or indirectly.
    fn held_by(&self, root: &'a Package) -> Vec<&'a Package> {
        let mut held = BTreeMap::new();
        let mut open = vec![root];
        while let Some(package) = open.pop() {
            for needed in self.linked_by(&package.id) {
                if held.insert(&needed.id, needed).is_none() {
                    open.push(needed);
                }
            }
        }
        held.into_values().collect()
    }

    /// Returns the crates that a crate calls at run time. Macros and build scripts run at compile time.
    fn linked_by(&self, id: &PackageId) -> Vec<&'a Package> {
        let needed = self.nodes.get(id).into_iter().flat_map(|node| &node.deps);
        needed
            .filter(|dependency| {
                let mut kinds = dependency.dep_kinds.iter();
                kinds.any(|info| info.kind == DependencyKind::Normal)
            })
            .filter_map(|dependency| self.packages.get(&dependency.pkg).copied())
            .filter(|package| !is_macro(package))
            .collect::<Vec<_>>()
    }
}

fn is_macro(package: &Package) -> bool {
    let mut targets = package.targets.iter();
    targets.any(|target| target.kind.contains(&TargetKind::ProcMacro))
}

fn purl(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

fn component(
    package: &Package,
    checksums: &HashMap<(String, String), String>,
    policy: &Policy,
) -> Result<Component> {
    let (name, version) = (package.name.to_string(), package.version.to_string());
    let license = policy.accept(&format!("{name} {version}"), package.license.as_deref())?;
    let key = (name, version);
    let checksum = checksums
        .get(&key)
        .with_context(|| format!("Cargo.lock has no checksum of {} {}", key.0, key.1))?;
    let folder = package
        .manifest_path
        .parent()
        .map(|path| path.as_std_path());
    let folder = folder.unwrap_or(Path::new("."));
    let authors: Vec<String> = package
        .authors
        .iter()
        .map(|author| component::name_of(author))
        .collect();
    Ok(Component {
        purl: purl(package),
        texts: component::texts(folder, &key.0, &license, &authors)?,
        license,
        authors,
        hash: Some(Hash {
            algorithm: "SHA-256",
            hex: checksum.clone(),
        }),
        name: key.0,
        version: key.1,
        needs: Vec::new(),
    })
}

/// Returns the standard library of the compiler, parts of which are in the module.
fn standard_library(workspace: &Workspace, policy: &Policy) -> Result<Component> {
    let version = toolchain::rust_version(&workspace.shell, workspace.wasm_source)?;
    let license = policy.accept("the standard library", Some("MIT OR Apache-2.0"))?;
    let authors = vec!["The Rust Project contributors".to_owned()];
    Ok(Component {
        purl: format!("pkg:generic/rust-std@{version}"),
        name: "rust-std".to_owned(),
        version,
        texts: standard_texts(&license, &authors)?,
        license,
        authors,
        hash: None,
        needs: Vec::new(),
    })
}

#[derive(Deserialize)]
struct LockFile {
    package: Vec<Locked>,
}

#[derive(Deserialize)]
struct Locked {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// Returns the checksums of crates by name and version.
fn checksums(workspace: &Workspace) -> Result<HashMap<(String, String), String>> {
    let text = workspace
        .shell
        .read_file(workspace.existing("Cargo.lock")?)?;
    let lock: LockFile = toml::from_str(&text).context("Cargo.lock")?;
    let locked = lock.package.into_iter();
    Ok(locked
        .filter_map(|package| Some(((package.name, package.version), package.checksum?)))
        .collect())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use xshell::cmd;

    use super::{CORE, Graph, metadata};
    use crate::toolchain::{Source, WASM_TARGET};
    use crate::workspace::Workspace;

    #[test]
    fn the_module_holds_what_cargo_links_into_the_core() {
        let workspace = Workspace::open(Source::Auto).expect("the workspace");
        let metadata = metadata(&workspace).expect("metadata");
        let graph = Graph::of(&metadata).expect("a graph");
        let core = graph.named(CORE).expect("the core");
        let held: BTreeSet<String> = graph
            .held_by(core)
            .iter()
            .map(|package| format!("{} v{}", package.name, package.version))
            .collect();
        let shell = &workspace.shell;
        let tree = cmd!(
            shell,
            "cargo tree --locked --package {CORE} --target {WASM_TARGET} --edges normal,no-proc-macro --prefix none"
        )
        .read()
        .expect("cargo tree");
        let linked: BTreeSet<String> = tree
            .lines()
            .filter(|line| !line.starts_with(&format!("{CORE} ")))
            .map(|line| line.trim_end_matches(" (*)").to_owned())
            .collect();
        assert!(linked.len() > 50, "{tree}");
        assert_eq!(held, linked);
    }
}
