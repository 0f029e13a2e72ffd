//! The layers of the core. Cargo rejects a circle of packages; these tests reject every other `use` that points up or
//! sideways, and the modules of one package that must not know each other.

use std::fs;
use std::path::{Path, PathBuf};

/// Each package with the packages that it may use. ARCHITECTURE.md explains the table.
const PACKAGES: [(&str, &[&str]); 15] = [
    ("model", &[]),
    ("base", &["model"]),
    ("facts", &["model"]),
    ("formats", &["model"]),
    ("schema", &["model", "base"]),
    ("grounding", &["model", "base", "facts"]),
    ("matching", &["model", "facts", "formats", "schema"]),
    ("loops", &["model", "schema", "grounding"]),
    (
        "validate",
        &["model", "base", "schema", "grounding", "loops"],
    ),
    ("verify", &["model", "base", "schema", "grounding"]),
    (
        "score",
        &["model", "base", "facts", "formats", "grounding", "matching"],
    ),
    ("lint", &["model", "base", "formats", "schema"]),
    ("judges", &["model", "base", "schema"]),
    (
        "reflect",
        &["model", "base", "formats", "schema", "grounding"],
    ),
    ("dispatch", &["model", "base", "formats", "schema", "loops"]),
];

/// Modules of one folder, each level using only the levels before it; modules of one level don't use each other.
struct Order {
    folder: &'static str,
    levels: &'static [&'static [&'static str]],
    /// Whether the levels may use what the folder's own `mod.rs` or `lib.rs` defines.
    may_use_root: bool,
}

const ORDERS: [Order; 3] = [
    Order {
        folder: "src",
        levels: &[
            &["finding"],
            &["baseline"],
            &["check"],
            &["batch"],
            &["diff"],
            &["report"],
            &["wasm"],
        ],
        may_use_root: true,
    },
    Order {
        folder: "src/formats",
        levels: &[&["kit"], &["readers", "traces", "tools", "export"]],
        may_use_root: false,
    },
    Order {
        folder: "src/facts",
        levels: &[
            &["readings"],
            &["fact"],
            &["text"],
            &["recognizer"],
            &["kinds"],
            &["equation"],
        ],
        may_use_root: false,
    },
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The packages of this workspace that a manifest names under `[dependencies]`.
fn dependencies(manifest: &str) -> Vec<&str> {
    let section = manifest
        .split("\n[dependencies]\n")
        .nth(1)
        .unwrap_or_default();
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.strip_prefix("toolgauge-"))
        .map(|rest| rest.split(['.', ' ', '=']).next().unwrap_or_default())
        .collect()
}

/// The Rust files of a module: `name.rs`, or all files in the folder `name`.
fn files_of(folder: &Path, module: &str) -> Vec<PathBuf> {
    let file = folder.join(format!("{module}.rs"));
    if file.exists() {
        return vec![file];
    }
    let mut folders = vec![folder.join(module)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries =
            fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("an entry of a folder").path();
            match path.extension() {
                None => folders.push(path),
                Some(extension) if extension == "rs" => files.push(path),
                Some(_) => {}
            }
        }
    }
    files
}

/// The code of a file without its tests, which stand at its end, and without comments.
fn code_of(path: &Path) -> String {
    let is_test = |name: &str| matches!(name, "tests.rs" | "testing.rs");
    if path
        .file_name()
        .is_some_and(|name| is_test(&name.to_string_lossy()))
    {
        return String::new();
    }
    let text = read(path);
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// How deep in its package the module of `path` lies: the root is 0.
fn depth(folder: &Path, path: &Path) -> usize {
    let inside = path.strip_prefix(folder).expect("a file of the folder");
    let parts = inside.components().count();
    match path.file_name().is_some_and(|name| name == "mod.rs") {
        true => parts - 1,
        false => parts,
    }
}

/// The first name of each path in `code` that begins at the root of the package: `crate::name`, or enough `super::`.
fn names_from_root(code: &str, depth: usize) -> Vec<&str> {
    let supers = "super::".repeat(depth);
    let mut names = Vec::new();
    for start in ["crate::", supers.as_str()] {
        for (at, _) in code.match_indices(start) {
            let before = &code[..at];
            let is_whole = !before
                .ends_with(|last: char| last.is_alphanumeric() || last == '_' || last == ':');
            let rest = &code[at + start.len()..];
            if is_whole && !rest.starts_with("super::") {
                names.extend(first_names(rest));
            }
        }
    }
    names
}

/// The name at the start of `rest`, or each first name of a group in braces.
fn first_names(rest: &str) -> Vec<&str> {
    let is_part = |part: char| part.is_alphanumeric() || part == '_';
    let name = |text: &'_ str| text.find(|part| !is_part(part)).unwrap_or(text.len());
    let Some(group) = rest.strip_prefix('{') else {
        return vec![&rest[..name(rest)]];
    };
    let mut names = Vec::new();
    let mut depth = 0_usize;
    let mut begins = true;
    for (at, part) in group.char_indices() {
        match part {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && is_part(part) => {
                let rest = &group[at..];
                names.push(&rest[..name(rest)]);
                begins = false;
            }
            _ => {}
        }
    }
    names
}

#[test]
fn packages_use_only_the_layers_below_them() {
    for (name, allowed) in PACKAGES {
        let manifest = read(&root().join("src").join(name).join("Cargo.toml"));
        for dependency in dependencies(&manifest) {
            assert!(
                allowed.contains(&dependency),
                "src/{name}/Cargo.toml: {name} must not use {dependency}; it may use {allowed:?}"
            );
        }
    }
}

#[test]
fn every_package_has_a_place_among_the_layers() {
    let manifest = read(&root().join("Cargo.toml"));
    let members = manifest
        .split("members = [")
        .nth(1)
        .and_then(|rest| rest.split(']').next());
    let members = members.expect("the members of the workspace").split('"');
    let layers: Vec<_> = members
        .filter_map(|member| member.strip_prefix("src/"))
        .collect();
    assert_eq!(layers.len(), PACKAGES.len());
    for layer in layers {
        assert!(
            PACKAGES.iter().any(|(name, _)| *name == layer),
            "{layer} has no place"
        );
    }
}

#[test]
fn modules_use_only_the_levels_below_them() {
    for Order {
        folder,
        levels,
        may_use_root,
    } in ORDERS
    {
        let folder = root().join(folder);
        let all: Vec<&str> = levels.concat();
        let mut uses = 0;
        for (level, modules) in levels.iter().enumerate() {
            let below: Vec<&str> = levels[..level].concat();
            for module in *modules {
                for path in files_of(&folder, module) {
                    let code = code_of(&path);
                    for name in names_from_root(&code, depth(&folder, &path)) {
                        let is_level = all.contains(&name);
                        let allowed = match is_level {
                            true => name == *module || below.contains(&name),
                            false => may_use_root,
                        };
                        uses += 1;
                        assert!(allowed, "{}: {module} must not use {name}", path.display());
                    }
                }
            }
        }
        assert!(uses > 0, "no use was found in {}", folder.display());
    }
}

#[test]
fn a_group_names_each_of_its_members() {
    let code = "use crate::{a::{b, c}, d};\nuse super::super::e;\nuse super::f; crate::g::h()";
    assert_eq!(names_from_root(code, 2), ["a", "d", "g", "e"]);
}
