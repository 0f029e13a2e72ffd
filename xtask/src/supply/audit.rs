//! Checks the dependencies for known vulnerabilities, and npm packages for signatures.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::workspace::Workspace;
use crate::{npm, package, serve};

/// The result of an audit without findings.
pub enum Audit {
    /// Everything was checked.
    Clean,
    /// Some sources could not be reached, for this reason.
    Partial(String),
}

/// The folders with the npm dependencies of the products.
const NPM_FOLDERS: [&str; 2] = [package::TEMPLATE, serve::PAGE];

/// npm's answer as JSON.
#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Clean,
    Faults,
    None(String),
}

/// Checks the dependencies with cargo-deny and npm. Fails if there are findings.
pub fn audit(workspace: &Workspace) -> Result<Audit> {
    let mut unasked = Vec::new();
    unasked.extend(crates(&workspace.shell)?);
    for folder in NPM_FOLDERS {
        let folder = workspace.path(folder);
        npm::install(&workspace.shell, &folder)?;
        unasked.extend(packages(&workspace.shell, &folder)?);
    }
    unasked.dedup();
    Ok(match unasked.is_empty() {
        true => Audit::Clean,
        false => Audit::Partial(unasked.join("; ")),
    })
}

/// Checks the crates. Returns the reason if a check was not possible.
fn crates(shell: &Shell) -> Result<Option<String>> {
    if !runs(shell, &["--version"]) {
        return Ok(Some("cargo-deny is not installed".to_owned()));
    }
    let offline = ["check", "bans", "licenses", "sources"];
    if !runs(shell, &["fetch"]) {
        cmd!(shell, "cargo deny {offline...}").run()?;
        return Ok(Some("cargo-deny can't fetch the advisories".to_owned()));
    }
    cmd!(shell, "cargo deny check").run()?;
    Ok(None)
}

fn runs(shell: &Shell, arguments: &[&str]) -> bool {
    cmd!(shell, "cargo deny {arguments...}")
        .quiet()
        .ignore_stdout()
        .ignore_stderr()
        .run()
        .is_ok()
}

/// Checks the npm packages of a folder. Returns the reason if a check was not possible.
fn packages(shell: &Shell, folder: &PathBuf) -> Result<Option<String>> {
    let _folder = shell.push_dir(folder);
    for arguments in [
        &["audit", "--omit=dev"][..],
        &["audit", "signatures", "--omit=dev"],
    ] {
        let printed = cmd!(shell, "npm {arguments...} --json --fetch-retries=0")
            .ignore_status()
            .ignore_stderr()
            .read()?;
        let command = arguments.join(" ");
        let answer = answer(&printed).with_context(|| format!("npm {command}"))?;
        match answer {
            Answer::Clean => {}
            Answer::Faults => bail!("npm {command} in {}:\n{printed}", folder.display()),
            Answer::None(reason) => return Ok(Some(format!("npm {command}: {reason}"))),
        }
    }
    Ok(None)
}

fn answer(printed: &str) -> Result<Answer> {
    let report: Value = serde_json::from_str(printed)?;
    if let Some(error) = report.get("error") {
        let reasons = [report.get("message"), error.get("summary")];
        let reason = reasons.into_iter().flatten().find_map(Value::as_str);
        return Ok(Answer::None(reason.unwrap_or("no answer").to_owned()));
    }
    let vulnerable = report.pointer("/metadata/vulnerabilities/total");
    let faults = match vulnerable {
        Some(total) => total.as_u64() != Some(0),
        None => ["invalid", "missing"]
            .map(|list| report.get(list).context("an unknown report"))
            .into_iter()
            .collect::<Result<Vec<_>>>()?
            .iter()
            .any(|list| list.as_array().is_none_or(|list| !list.is_empty())),
    };
    Ok(if faults {
        Answer::Faults
    } else {
        Answer::Clean
    })
}

#[cfg(test)]
mod tests {
    use super::{Answer, answer};

    fn answered(printed: &str) -> Answer {
        answer(printed).expect("a known report")
    }

    #[test]
    fn reports_of_npm_are_understood() {
        let counted = |total: u32| {
            answered(&format!(
                r#"{{"auditReportVersion":2,"vulnerabilities":{{}},"metadata":{{"vulnerabilities":{{"total":{total}}}}}}}"#
            ))
        };
        assert_eq!(counted(0), Answer::Clean);
        assert_eq!(counted(2), Answer::Faults);
        assert_eq!(answered(r#"{"invalid":[],"missing":[]}"#), Answer::Clean);
        assert_eq!(
            answered(r#"{"invalid":[{"name":"a"}],"missing":[]}"#),
            Answer::Faults
        );
        assert_eq!(
            answered(r#"{"invalid":[],"missing":[{"name":"a"}]}"#),
            Answer::Faults
        );
        answer("{}").expect_err("neither a report nor an error");
        answer("").expect_err("nothing");
    }

    #[test]
    fn a_missing_answer_is_not_a_clean_report() {
        let refused = r#"{"message":"405 Method Not Allowed","error":{"summary":"","detail":""}}"#;
        let reason = Answer::None("405 Method Not Allowed".to_owned());
        assert_eq!(answered(refused), reason);
        let unreachable = r#"{"error":{"code":"ENOTFOUND","summary":"getaddrinfo ENOTFOUND"}}"#;
        let reason = Answer::None("getaddrinfo ENOTFOUND".to_owned());
        assert_eq!(answered(unreachable), reason);
    }
}
