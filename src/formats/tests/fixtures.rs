//! Every document in `tests/fixtures/formats`. The folders and files are found, not listed.

use bumpalo::Bump;

use crate::testing::{each_mutation, fixture, fixtures, fixtures_folder, format_of, imported};
use crate::{FORMATS, REGISTRY, import_tools, import_trajectories};
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Json, Limits, Reader, Trajectory};

/// Compares what each document is read as with the snapshot beside it. After a change on purpose,
/// `INSTA_UPDATE=always` writes the snapshots anew.
#[test]
fn each_fixture_is_read_as_its_snapshot() {
    for name in fixtures("formats") {
        let arena = Bump::new();
        let read = imported(&arena, &fixture(&name));
        let text = serde_json::to_string_pretty(&read).expect("plain data");
        let (folder, file) = name.split_once('/').expect("a file in a folder");
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(fixtures_folder("formats").join(folder));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(file, text));
    }
}

#[test]
fn each_fixture_is_detected_as_the_format_of_its_folder() {
    for name in fixtures("formats") {
        let arena = Bump::new();
        let read = imported(&arena, &fixture(&name));
        assert_eq!(format_of(&name), read.format.label(), "{name}");
        let made: usize = read.value.iter().map(Trajectory::call_count).sum();
        let expected = read
            .value
            .iter()
            .filter_map(|it| it.expected_calls.as_ref());
        let expected: usize = expected.map(Vec::len).sum();
        assert!(made + expected > 0, "{name} holds no call");
        let reader = Reader::new(&arena, Limits::default());
        for tools in read.value.iter().filter_map(|trajectory| trajectory.tools) {
            import_tools(tools, reader).expect(&name);
        }
    }
}

#[test]
fn a_list_of_two_documents_is_detected_as_the_format_of_each() {
    for name in fixtures("formats") {
        let arena = Bump::new();
        let document = arena_json(&arena, &fixture(&name));
        // The lines of JSON Lines are the documents already.
        if name.ends_with(".jsonl") {
            continue;
        }
        let twice = Json::Array(arena.alloc_slice_copy(&[document, document]));
        let format = REGISTRY.detect(twice).expect(&name).0.name.label();
        assert_eq!(format_of(&name), format, "{name}");
    }
}

#[test]
fn no_change_of_one_node_of_a_fixture_makes_reading_it_panic() {
    for name in fixtures("formats") {
        let arena = Bump::new();
        let document = arena_json(&arena, &fixture(&name));
        let format = REGISTRY.detect(document).expect("a known format").0.name;
        each_mutation(&arena, document, &mut |changed| {
            let reader = Reader::new(&arena, Limits::default());
            for format in [None, Some(format)] {
                if let Ok(read) = import_trajectories(changed, format, reader) {
                    serde_json::to_string(&read.value).expect("plain data");
                }
            }
        });
    }
}

/// How many calls trajectories hold, made and expected, and how much text their turns hold.
fn held(trajectories: &[Trajectory<'_>]) -> (usize, usize) {
    let expected = |it: &Trajectory<'_>| it.expected_calls.as_ref().map_or(0, Vec::len);
    let calls = trajectories.iter().map(|it| it.call_count() + expected(it));
    let turns = trajectories.iter().flat_map(|it| &it.turns);
    (
        calls.sum(),
        turns.map(|turn| turn.content.trim().len()).sum(),
    )
}

#[test]
fn a_wrong_format_that_is_forced_loses_nothing_without_a_warning() {
    let mut bad = String::new();
    for name in fixtures("formats") {
        let arena = Bump::new();
        let document = arena_json(&arena, &fixture(&name));
        let reader = Reader::new(&arena, Limits::default());
        let right = import_trajectories(document, None, reader).expect(&name);
        let right = held(&right.value);
        for format in &FORMATS {
            let Ok(read) = import_trajectories(document, Some(format.name), reader) else {
                continue;
            };
            let (calls, text) = held(&read.value);
            let is_all = calls >= right.0 && text >= right.1;
            if !is_all && read.warnings.is_empty() {
                bad += &format!(
                    "{name} as {}: {calls}/{} calls, {text}/{} bytes of text\n",
                    format.name.label(),
                    right.0,
                    right.1
                );
            }
        }
    }
    assert!(bad.is_empty(), "\n{bad}");
}
