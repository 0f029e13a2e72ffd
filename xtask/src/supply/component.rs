//! A piece of others' code that a product holds.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::licenses;

/// How the name of a file begins that holds a licence or a notice, in lower case.
const NOTICE_FILES: [&str; 6] = [
    "copying",
    "copyright",
    "licence",
    "license",
    "notice",
    "unlicense",
];

/// Where bundlers that come with their dependencies begin to list the licences of those.
const LICENSES_OF_OTHERS: &str = "# Licenses of bundled dependencies";

/// A crate, an npm package or the standard library.
#[derive(Debug)]
pub struct Component {
    /// Its name and version as a package URL, which identifies it.
    pub purl: String,
    /// Its full name.
    pub name: String,
    /// Its exact version.
    pub version: String,
    /// Its licence, as a valid SPDX expression.
    pub license: String,
    /// Its authors, as its manifest names them.
    pub authors: Vec<String>,
    /// The checksum of its archive, as the lock file has it.
    pub hash: Option<Hash>,
    /// The licence texts and notices that it comes with, or the standard texts of its licence.
    pub texts: Vec<String>,
    /// The package URLs of the components that it needs.
    pub needs: Vec<String>,
}

/// The checksum of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hash {
    /// The algorithm, by its name in CycloneDX.
    pub algorithm: &'static str,
    /// The checksum as hexadecimal digits.
    pub hex: String,
}

/// The licence texts in the `folder` of a component, or the standard texts of its licence when there are none.
pub fn texts(folder: &Path, name: &str, license: &str, authors: &[String]) -> Result<Vec<String>> {
    let own = own_texts(folder)?;
    match (own.as_slice(), authors) {
        ([], []) => licenses::standard_texts(license, &[format!("the authors of {name}")]),
        ([], authors) => licenses::standard_texts(license, authors),
        _ => Ok(own),
    }
}

fn own_texts(folder: &Path) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for file in notice_files(folder)? {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        let own = text.split(LICENSES_OF_OTHERS).next().unwrap_or_default();
        texts.push(own.trim_matches('\n').trim_end().to_owned());
    }
    Ok(texts)
}

/// Sorted, so that the notices don't depend on the file system. A folder of licences counts with all its files.
fn notice_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)?.into_iter().filter(|path| is_notice(path)) {
        match path.is_dir() {
            true => files.extend(entries(&path)?.into_iter().filter(|path| path.is_file())),
            false => files.push(path),
        }
    }
    files.sort();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    fs::read_dir(folder)
        .with_context(|| format!("cannot read {}", folder.display()))?
        .map(|entry| Ok(entry?.path()))
        .collect()
}

/// Licences of others that a package lists for its own archive aren't licences of its code, and neither is its code.
fn is_notice(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let code = [".rs", ".js", ".ts", ".json"];
    NOTICE_FILES.iter().any(|start| name.starts_with(start))
        && !code.iter().any(|extension| name.ends_with(extension))
}

/// The name of a person whose address stands behind it: nobody asked to spread that.
pub fn name_of(person: &str) -> String {
    let name = person.split(['<', '(']).next().unwrap_or(person);
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_notice;

    #[test]
    fn files_of_licences_are_known_by_their_names() {
        for name in [
            "LICENSE",
            "LICENSE-MIT",
            "licence.md",
            "COPYING",
            "UNLICENSE",
            "NOTICE.txt",
        ] {
            assert!(is_notice(Path::new(name)), "{name}");
        }
        for name in ["README.md", "license.rs", "THIRD-PARTY-LICENSE", "src"] {
            assert!(!is_notice(Path::new(name)), "{name}");
        }
    }
}
