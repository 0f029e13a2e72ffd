//! The npm packages in the bundled scripts, which the bundlers list.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::component::{self, Component, Hash};
use super::licenses::Policy;
use crate::workspace::Workspace;
use crate::{package, serve, site};

/// The scripts of one bundler.
#[derive(Clone, Copy)]
pub enum Bundle {
    /// Those of the package itself.
    Package,
    /// The inspector page.
    Page,
    /// The pages of the documents.
    Site,
}

impl Bundle {
    /// Returns the file in which the bundler lists the packages: the folders of their installation, as a JSON
    /// list.
    pub fn list(self, workspace: &Workspace) -> PathBuf {
        workspace.target(match self {
            Self::Package => "bundled/package.json",
            Self::Page => "bundled/page.json",
            Self::Site => "bundled/site.json",
        })
    }

    /// Returns the folder in which the packages are installed.
    fn folder(self, workspace: &Workspace) -> PathBuf {
        workspace.path(match self {
            Self::Package => package::TEMPLATE,
            Self::Page => serve::PAGE,
            Self::Site => site::SITE,
        })
    }
}

/// Returns the packages in the bundles, sorted by their package URLs.
pub fn components(
    workspace: &Workspace,
    bundles: &[Bundle],
    policy: &Policy,
) -> Result<Vec<Component>> {
    let mut components = BTreeMap::new();
    for bundle in bundles {
        let folder = bundle.folder(workspace);
        let lock: LockFile = read(&folder.join("package-lock.json"))?;
        let listed: BTreeSet<String> = read(&bundle.list(workspace))?;
        for path in &listed {
            let locked = lock.packages.get(path).with_context(|| {
                format!("{path} is bundled, but not locked in {}", folder.display())
            })?;
            let component = component(&folder.join(path), locked, policy)?;
            components.insert(component.purl.clone(), component);
        }
    }
    Ok(components.into_values().collect())
}

fn component(folder: &Path, locked: &Locked, policy: &Policy) -> Result<Component> {
    let Manifest {
        name,
        version,
        license,
        author,
        authors,
    } = read(&folder.join("package.json"))?;
    ensure!(
        version == locked.version,
        "{name} is installed as {version}, but locked as {}",
        locked.version
    );
    let license = policy.accept(&format!("{name} {version}"), license.as_deref())?;
    let people = author.into_iter().chain(authors.unwrap_or_default());
    let authors: Vec<String> = people.map(Person::name).collect();
    Ok(Component {
        purl: format!("pkg:npm/{}@{version}", name.replace('@', "%40")),
        texts: component::texts(folder, &name, &license, &authors)?,
        license,
        authors,
        hash: Some(hash(&locked.integrity)?),
        name,
        version,
        needs: Vec::new(),
    })
}

fn read<T: DeserializeOwned>(file: &Path) -> Result<T> {
    let text =
        fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| file.display().to_string())
}

/// Reads the checksum in a lock file, which is base64 after the name of the algorithm.
fn hash(integrity: &str) -> Result<Hash> {
    let Some(("sha512", base64)) = integrity.split_once('-') else {
        bail!("{integrity} isn't a SHA-512 checksum");
    };
    let bytes = data_encoding::BASE64.decode(base64.as_bytes())?;
    Ok(Hash {
        algorithm: "SHA-512",
        hex: data_encoding::HEXLOWER.encode(&bytes),
    })
}

#[derive(Deserialize)]
struct LockFile {
    packages: HashMap<String, Locked>,
}

#[derive(Deserialize)]
struct Locked {
    #[serde(default)]
    version: String,
    #[serde(default)]
    integrity: String,
}

#[derive(Deserialize)]
struct Manifest {
    name: String,
    version: String,
    license: Option<String>,
    author: Option<Person>,
    authors: Option<Vec<Person>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Person {
    Text(String),
    Fields { name: String },
}

impl Person {
    /// Returns the name without the addresses that may follow it.
    fn name(self) -> String {
        match self {
            Self::Text(text) => component::name_of(&text),
            Self::Fields { name } => name,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn checksums_become_hexadecimal() {
        let hash = hash("sha512-AAEC/w==").expect("a checksum");
        assert_eq!((hash.algorithm, hash.hex.as_str()), ("SHA-512", "000102ff"));
        super::hash("sha1-AAEC/w==").expect_err("an old algorithm");
        super::hash("").expect_err("no checksum");
    }
}
