//! Helpers for the tests of formats.

use std::ffi::OsStr;
use std::path::PathBuf;

use bumpalo::Bump;

use super::{Imported, TrajectoryFormat, import_trajectories};
use toolgauge_model::error::Error;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Json, Limits, Member, Reader, Role, ToolCall, Trajectory};

/// The import of `text` in its detected format.
pub fn imported<'a>(
    arena: &'a Bump,
    text: &str,
) -> Imported<Vec<Trajectory<'a>>, TrajectoryFormat> {
    let reader = Reader::new(arena, Limits::default());
    import_trajectories(arena_json(arena, text), None, reader).expect("a readable document")
}

/// The error of importing `text`.
pub fn failure(text: &str) -> Error {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    import_trajectories(arena_json(&arena, text), None, reader)
        .map(|_| ())
        .expect_err("a document that can't be read")
}

/// All calls of a trajectory as JSON text, without the times of their runs.
pub fn calls_of(trajectory: &Trajectory<'_>) -> Vec<String> {
    let is_time = |key: &str| matches!(key, "started_at" | "ended_at");
    let calls = trajectory.turns.iter().flat_map(|turn| &turn.tool_calls);
    let without_times = |call: &ToolCall<'_>| {
        let others = call.extra.iter().filter(|(key, _)| !is_time(key));
        let others: Vec<_> = others.copied().collect();
        let call = ToolCall {
            extra: &others,
            ..call.clone()
        };
        serde_json::to_string(&call).expect("plain data")
    };
    calls.map(without_times).collect()
}

/// The role, text and number of calls of each turn.
pub fn turns_of(trajectory: &Trajectory<'_>) -> Vec<(Role, String, usize)> {
    let turns = trajectory.turns.iter();
    turns
        .map(|turn| (turn.role, turn.content.to_owned(), turn.tool_calls.len()))
        .collect()
}

/// The text of a file in `tests/fixtures/formats`, whose folder is named after its format.
pub fn fixture(name: &str) -> String {
    fixture_in("formats", name)
}

/// The text of a file in a folder of `tests/fixtures`.
pub fn fixture_in(folder: &str, name: &str) -> String {
    read_file(&fixtures_folder(folder).join(name))
}

/// The documents in a folder of `tests/fixtures`: their paths in it, sorted.
pub fn fixtures(folder: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut waiting = vec![PathBuf::new()];
    while let Some(inner) = waiting.pop() {
        for name in names_in(&fixtures_folder(folder).join(&inner)) {
            let path = inner.join(name);
            match path.extension().and_then(OsStr::to_str) {
                None => waiting.push(path),
                Some("json" | "jsonl") => names.push(path.display().to_string()),
                Some(_) => {}
            }
        }
    }
    names.sort();
    names
}

/// The names of the files and folders in a folder.
pub fn names_in(folder: &std::path::Path) -> Vec<String> {
    let found = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let names = found.map(|it| it.expect("a file").file_name().into_string());
    names.map(|name| name.expect("a plain name")).collect()
}

/// The format that a fixture is named after: its folder.
pub fn format_of(fixture: &str) -> &str {
    fixture.split('/').next().expect("a folder")
}

/// A folder of `tests/fixtures`.
pub fn fixtures_folder(folder: &str) -> PathBuf {
    repository().join("tests/fixtures").join(folder)
}

/// The root folder of the project.
pub fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The text of a file.
pub fn read_file(path: &std::path::Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"))
}

/// The values that replace a node of a document in its mutations.
const OTHERS: [Json<'static>; 10] = [
    Json::Null,
    Json::Bool(true),
    Json::Number(toolgauge_model::Number::Float(-0.5)),
    Json::String(""),
    Json::String("text"),
    Json::Array(&[]),
    Json::Object(&[]),
    Json::Array(&[Json::Array(&[Json::Null])]),
    Json::Array(&[Json::String("x"), Json::Object(&[])]),
    Json::Object(&[("type", Json::String("text"))]),
];

/// Calls `visit` with variants of `value` that differ in one node. Each node is removed, and replaced
/// by values of other types, in turn.
pub fn each_mutation<'a>(arena: &'a Bump, value: Json<'a>, visit: &mut dyn FnMut(Json<'a>)) {
    mutate(arena, value, &mut 0, visit);
}

fn mutate<'a>(arena: &'a Bump, value: Json<'a>, turn: &mut usize, visit: &mut dyn FnMut(Json<'a>)) {
    for _ in 0..3 {
        visit(OTHERS[*turn % OTHERS.len()]);
        *turn += 1;
    }
    match value {
        Json::Array(items) => {
            for at in 0..items.len() {
                mutate(arena, items[at], turn, &mut |item| {
                    let changed = arena.alloc_slice_copy(items);
                    changed[at] = item;
                    visit(Json::Array(changed));
                });
                visit(Json::Array(arena.alloc_slice_copy(&without(items, at))));
            }
        }
        Json::Object(members) => {
            for at in 0..members.len() {
                mutate(arena, members[at].1, turn, &mut |member| {
                    let changed: &mut [Member<'a>] = arena.alloc_slice_copy(members);
                    changed[at].1 = member;
                    visit(Json::Object(changed));
                });
                visit(Json::Object(arena.alloc_slice_copy(&without(members, at))));
            }
        }
        _ => {}
    }
}

fn without<T: Copy>(items: &[T], at: usize) -> Vec<T> {
    [&items[..at], &items[at + 1..]].concat()
}
