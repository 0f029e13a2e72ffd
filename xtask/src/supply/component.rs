//! A third-party component in a product.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::licenses;

/// The beginnings of names of files with a licence or a notice, in lower case.
const NOTICE_FILES: [&str; 6] = [
    "copying",
    "copyright",
    "licence",
    "license",
    "notice",
    "unlicense",
];

/// The heading under which bundlers list the licences of the dependencies that they bundle.
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

/// Returns the licence texts in the `folder` of a component, or the standard texts of its licence if there
/// are none.
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

/// Returns the licence files, sorted so that the notices do not depend on the file system. A folder of
/// licences counts with all its files.
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

/// Returns whether a file is a notice. Licences that a package lists for its own archive are not, and neither
/// is code.
fn is_notice(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_ascii_lowercase();
    let code = [".rs", ".js", ".ts", ".json"];
    NOTICE_FILES.iter().any(|start| name.starts_with(start))
        && !code.iter().any(|extension| name.ends_with(extension))
}

/// Returns the name of a person without the address after it, which nobody asked to publish.
pub fn name_of(person: &str) -> String {
    let name = person.split(['<', '(']).next().unwrap_or(person);
    name.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_notice;

    #[test]
    fn licence_files_are_recognized_by_name() {
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
