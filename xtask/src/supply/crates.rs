//! The crates in the WebAssembly module.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

use anyhow::{Context, Result};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Node, Package, PackageId};
use serde::Deserialize;
use xshell::cmd;

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
    let graph = Graph::of(&metadata, &linked(workspace)?)?;
    let standard = standard_library(workspace, policy)?;
    let own = graph.packages.values().filter(|package| is_own(package));
    let used = own.flat_map(|package| graph.linked_by(&package.id));
    let mut direct: BTreeSet<String> = used.filter(|used| !is_own(used)).map(purl).collect();
    direct.insert(standard.purl.clone());
    let mut components = vec![standard];
    for package in graph.packages.values().filter(|package| !is_own(package)) {
        let mut component = component(package, &checksums, policy)?;
        component.needs = graph.linked_by(&package.id).into_iter().map(purl).collect();
        components.push(component);
    }
    components.sort_by(|a, b| a.purl.cmp(&b.purl));
    let direct = direct.into_iter().collect();
    Ok(Module { components, direct })
}

/// Whether a package belongs to this workspace.
fn is_own(package: &Package) -> bool {
    package.source.is_none()
}

/// The names and versions of the packages that are linked into the module, with those of this workspace.
///
/// `cargo metadata` can't answer this: it unites the features of all dependencies, also those that only tests enable.
fn linked(workspace: &Workspace) -> Result<HashSet<(String, String)>> {
    let shell = &workspace.shell;
    let tree = cmd!(
        shell,
        "cargo tree --locked --package {CORE} --target {WASM_TARGET} --edges normal,no-proc-macro --prefix none"
    )
    .quiet()
    .read()?;
    tree.lines()
        .map(|line| {
            let mut parts = line.split(' ');
            let name = parts.next().unwrap_or_default();
            let version = parts.next().and_then(|version| version.strip_prefix('v'));
            let version =
                version.with_context(|| format!("cargo tree lists no version: {line}"))?;
            Ok((name.to_owned(), version.to_owned()))
        })
        .collect()
}

/// What cargo knows of the packages for the module's platform.
fn metadata(workspace: &Workspace) -> Result<Metadata> {
    Ok(MetadataCommand::new()
        .current_dir(workspace.path(""))
        .other_options(["--locked", "--filter-platform", WASM_TARGET].map(str::to_owned))
        .exec()?)
}

impl<'a> Graph<'a> {
    fn of(metadata: &'a Metadata, linked: &HashSet<(String, String)>) -> Result<Self> {
        let resolve = metadata
            .resolve
            .as_ref()
            .context("cargo resolved nothing")?;
        let packages = metadata.packages.iter().filter(|package| {
            linked.contains(&(package.name.to_string(), package.version.to_string()))
        });
        Ok(Self {
            packages: packages.map(|package| (&package.id, package)).collect(),
            nodes: resolve.nodes.iter().map(|node| (&node.id, node)).collect(),
        })
    }

    /// The crates that one of them calls at run time, not those that only its build calls.
    fn linked_by(&self, id: &PackageId) -> Vec<&'a Package> {
        let needed = self.nodes.get(id).into_iter().flat_map(|node| &node.deps);
        needed
            .filter(|dependency| {
                let mut kinds = dependency.dep_kinds.iter();
                kinds.any(|info| info.kind == DependencyKind::Normal)
            })
            .filter_map(|dependency| self.packages.get(&dependency.pkg).copied())
            .collect()
    }
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
    use super::{Graph, is_own, linked, metadata};
    use crate::toolchain::Source;
    use crate::wasm::Optimization;
    use crate::workspace::Workspace;

    #[test]
    fn the_module_contains_what_is_linked_and_nothing_that_only_tests_use() {
        let workspace =
            Workspace::open(Source::Auto, Optimization::Published).expect("the workspace");
        let metadata = metadata(&workspace).expect("metadata");
        let linked = linked(&workspace).expect("cargo tree");
        let graph = Graph::of(&metadata, &linked).expect("a graph");
        assert_eq!(graph.packages.len(), linked.len());
        let names: Vec<&str> = graph
            .packages
            .values()
            .filter(|package| !is_own(package))
            .map(|package| package.name.as_str())
            .collect();
        assert!(names.len() > 50, "{names:?}");
        for name in ["jsonschema", "serde_json", "wasm-bindgen", "talc"] {
            assert!(names.contains(&name), "{name} is missing in {names:?}");
        }
        for name in ["proptest", "insta", "ts-rs", "serde_derive"] {
            assert!(!names.contains(&name), "{name} is not linked");
        }
    }
}
