//! Tests the example for Apache Spark, in Spark's local mode.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::workspace::Workspace;
use crate::{apt, npm};

const TESTS: &str = "tests/spark";

/// The lowest Python version that the pinned version of Spark runs on.
const PYTHON: &str = "(3, 11)";
const JAVA: u32 = 17;

/// Returns a Python that has Spark, installing it if necessary; `None` if nothing here can run it.
pub fn python(workspace: &Workspace) -> Result<Option<PathBuf>> {
    let shell = &workspace.shell;
    let needs = prepare_java(shell).and_then(|()| python_with_venv(shell));
    let python = match needs {
        Ok(python) => python,
        Err(error) => {
            println!("{error:#}");
            return Ok(None);
        }
    };
    let requirements = workspace.existing("tests/spark/requirements.txt")?;
    let environment = workspace.target("spark/venv");
    let own_python = environment.join("bin/python");
    // This file is written last, so it proves that the installation finished.
    let installed = environment.join("requirements.txt");
    let wanted = shell.read_file(&requirements)?;
    if installed.exists() && shell.read_file(&installed)? == wanted {
        return Ok(Some(own_python));
    }
    shell.remove_path(&environment)?;
    cmd!(shell, "{python} -m venv {environment}").run()?;
    cmd!(
        shell,
        "{own_python} -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes --requirement {requirements}"
    )
    .run()?;
    shell.write_file(&installed, wanted)?;
    Ok(Some(own_python))
}

/// Installs the tarball in a separate project and runs the tests there.
pub fn run(workspace: &Workspace, python: &Path) -> Result<()> {
    let shell = &workspace.shell;
    let tests = workspace.existing(TESTS)?;
    let project = workspace.target("spark/project");
    shell.write_file(project.join("package.json"), r#"{ "private": true }"#)?;
    npm::install_tarball(shell, &project, &workspace.tarball())?;
    let _project = shell.push_dir(&project);
    cmd!(
        shell,
        "{python} -m unittest discover --verbose --start-directory {tests}"
    )
    .env("PYSPARK_PYTHON", python)
    .env("PYTHONDONTWRITEBYTECODE", "1")
    // Otherwise Spark looks up an address of this machine by its host name.
    .env("SPARK_LOCAL_IP", "127.0.0.1")
    .run()?;
    Ok(())
}

fn prepare_java(shell: &Shell) -> Result<()> {
    let version = || installed_java(shell).filter(|&version| version >= JAVA);
    if version().is_some() {
        return Ok(());
    }
    apt::install(shell, &["default-jre-headless"], "run Spark")?;
    version()
        .map(drop)
        .with_context(|| format!("Java {JAVA} or later is needed to run Spark: install it first"))
}

/// Returns the major version of the Java that Spark would start.
fn installed_java(shell: &Shell) -> Option<u32> {
    let java = env::var_os("JAVA_HOME").map_or_else(
        || PathBuf::from("java"),
        |home| Path::new(&home).join("bin/java"),
    );
    let printed = cmd!(shell, "{java} -version").quiet().read_stderr().ok()?;
    major_version(&printed)
}

/// Reads the major version: 17 from `openjdk version "17.0.15" 2025-04-15`, 1 from `java version
/// "1.8.0_402"`.
fn major_version(printed: &str) -> Option<u32> {
    let (_, version) = printed.split_once("version \"")?;
    version
        .split(|c: char| !c.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Returns a Python that can create environments, installing it if necessary.
fn python_with_venv(shell: &Shell) -> Result<&'static str> {
    let serves = |python: &str| {
        let question =
            format!("import ensurepip, sys, venv; sys.exit(sys.version_info < {PYTHON})");
        cmd!(shell, "{python} -c {question}")
            .quiet()
            .ignore_stderr()
            .run()
            .is_ok()
    };
    if serves("python3") {
        return Ok("python3");
    }
    apt::install(shell, &["python3-venv"], "run Spark")?;
    ensure!(
        serves("/usr/bin/python3"),
        "Python {PYTHON} or later is needed to run Spark: install it first"
    );
    Ok("/usr/bin/python3")
}

#[cfg(test)]
mod tests {
    use super::major_version;

    #[test]
    fn the_major_version_of_java_is_read() {
        let outputs = [
            (
                "openjdk version \"17.0.15\" 2025-04-15\nOpenJDK Runtime",
                Some(17),
            ),
            (
                "Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version \"25\" 2025-09-16",
                Some(25),
            ),
            ("java version \"1.8.0_402\"", Some(1)),
            ("java: not found", None),
        ];
        for (text, version) in outputs {
            assert_eq!(major_version(text), version, "{text}");
        }
    }
}
