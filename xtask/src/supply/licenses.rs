//! The allowed licences, and the standard texts of licences.

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use spdx::{Expression, LicenseItem, LicenseReq, Licensee};

use crate::workspace::Workspace;

/// Where the allowed licences are listed.
const FILE: &str = "deny.toml";

/// The allowed licences.
pub struct Policy {
    allowed: Vec<Licensee>,
}

#[derive(Deserialize)]
struct DenyFile {
    licenses: Licenses,
}

#[derive(Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

impl Policy {
    /// Reads the list, which cargo-deny uses, too.
    pub fn read(workspace: &Workspace) -> Result<Self> {
        let text = workspace.shell.read_file(workspace.existing(FILE)?)?;
        let file: DenyFile = toml::from_str(&text).context(FILE)?;
        Self::of(&file.licenses.allow).context(FILE)
    }

    fn of<T: AsRef<str>>(allowed: &[T]) -> Result<Self> {
        let allowed = allowed
            .iter()
            .map(|license| Ok(Licensee::parse(license.as_ref())?))
            .collect::<Result<_>>()?;
        Ok(Self { allowed })
    }

    /// Returns the licence of a component as a valid expression. Fails if allowed licences alone do not
    /// suffice for it.
    pub fn accept(&self, component: &str, license: Option<&str>) -> Result<String> {
        let license = license.with_context(|| format!("{component} states no licence"))?;
        let valid = Expression::canonicalize(license)
            .with_context(|| format!("the licence of {component}"))?
            .unwrap_or_else(|| license.to_owned());
        let expression =
            Expression::parse(&valid).with_context(|| format!("the licence of {component}"))?;
        ensure!(
            expression.evaluate(|needed| self.allows(needed)),
            "{component} has the licence {valid}, which {FILE} doesn't allow"
        );
        Ok(valid)
    }

    fn allows(&self, needed: &LicenseReq) -> bool {
        self.allowed.iter().any(|license| license.satisfies(needed))
    }
}

/// Returns the standard texts of all licences in an expression, with the authors as copyright holders.
pub fn standard_texts(license: &str, authors: &[String]) -> Result<Vec<String>> {
    let expression = Expression::parse(license)?;
    expression
        .requirements()
        .map(|part| standard_text(&part.req, authors))
        .collect()
}

fn standard_text(needed: &LicenseReq, authors: &[String]) -> Result<String> {
    let LicenseItem::Spdx { id, .. } = needed.license else {
        bail!("{needed} has no standard text");
    };
    let text = id.text().trim();
    Ok(format!(
        "Copyright (c) {}\n\n{}",
        authors.join(", "),
        without_blank_holder(text)
    ))
}

/// Removes the lines with a placeholder for a name.
fn without_blank_holder(text: &str) -> String {
    let lines = text.lines();
    let filled: Vec<&str> = lines
        .filter(|line| !line.starts_with("Copyright (c) <"))
        .collect();
    filled.join("\n").replace("\n\n\n", "\n\n")
}

#[cfg(test)]
mod tests {
    use super::{Policy, standard_texts};

    #[test]
    fn a_licence_is_accepted_if_allowed_ones_suffice() {
        let policy = Policy::of(&["MIT", "Apache-2.0"]).expect("valid licences");
        let accepted = [
            ("MIT", "MIT"),
            ("MIT/Apache-2.0", "MIT OR Apache-2.0"),
            ("GPL-3.0-only OR MIT", "GPL-3.0-only OR MIT"),
            (
                "(Apache-2.0 OR Zlib) AND MIT",
                "(Apache-2.0 OR Zlib) AND MIT",
            ),
        ];
        for (stated, valid) in accepted {
            let license = policy.accept("a 1.0.0", Some(stated)).expect(stated);
            assert_eq!(license, valid);
        }
        for refused in ["GPL-3.0-only", "MIT AND Zlib", "SEE LICENSE IN FILE", ""] {
            assert!(
                policy.accept("a 1.0.0", Some(refused)).is_err(),
                "{refused}"
            );
        }
        assert!(policy.accept("a 1.0.0", None).is_err());
    }

    #[test]
    fn a_standard_text_names_the_authors_as_copyright_holders() {
        let texts =
            standard_texts("MIT OR Apache-2.0", &["Ann Example".to_owned()]).expect("texts");
        let [mit, apache] = texts.as_slice() else {
            panic!("one text for each licence: {texts:?}");
        };
        assert!(
            mit.starts_with("Copyright (c) Ann Example\n\nMIT License\n\nPermission"),
            "{mit}"
        );
        assert!(apache.contains("Apache License"));
    }
}
