//! Expectations for many trajectories: those that each carries, one for all, or one for each id.

use foldhash::HashMap;
use serde::Serialize;

use super::Run;
use toolgauge_formats::{are_expectations, import_trajectories, is_call_list, read_list};
use toolgauge_matching::{Expectations, MadeCall, MadeOutcome};
use toolgauge_model::error::{Error, Result};
use toolgauge_model::{ExpectedCall, Json, Member, Path, Preview, Reader, Trajectory};

/// Members that hold the id of an expectation.
const IDS: [&str; 3] = ["id", "trajectory_id", "task_id"];

/// Members that hold the whole expectation beside an id.
const HOLDERS: [&str; 3] = ["expected", "expected_calls", "expectations"];

/// The expectations for many trajectories.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ExpectedSet {
    /// Those that each trajectory carries.
    #[default]
    Carried,
    /// One for all of them.
    ForAll(ExpectedText),
    /// By id.
    ById(ExpectedById),
}

/// Expectations by trajectory id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExpectedById {
    /// The ids, in the order of the document.
    pub ids: Vec<String>,
    /// The answers that could not be read, in the order of the document. The others are used.
    pub unread: Vec<UnreadAnswer>,
    /// The expectations for each of them.
    texts: Vec<ExpectedText>,
    places: HashMap<String, usize>,
}

/// Expectations as JSON text, which is read for each trajectory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpectedText {
    /// The expectations, or a list of calls.
    text: String,
    /// For calls that were made in a trajectory, the message of each. Calls of one message have no order.
    messages: Vec<usize>,
}

/// An answer of a benchmark that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnreadAnswer {
    /// Its position in the document, from 0.
    pub index: usize,
    /// Its id.
    pub id: String,
    /// The reason, with the path.
    pub message: String,
}

impl ExpectedSet {
    /// Reads a document: expectations or a list of calls for all trajectories; a record of them by id; a list
    /// of `{id, calls, …}`, `{id, expected}` or `{id, ground_truth}`; or trajectories with ids. Of each
    /// trajectory, the expected calls that it contains are used, or else the calls made in it.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] names malformed expectations and repeated ids. An answer of a benchmark that can't be read
    /// is an error only if there is no other, because its author is somebody else: see [`ExpectedById::unread`].
    /// [`Error::UnknownFormat`] for a document that is none of these.
    pub fn read<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<Self> {
        if let Some(items) = document.items()
            && items.iter().any(is_entry)
        {
            return read_entries(items, reader).map(Self::ById);
        }
        if are_expectations(document)
            || document.get("ground_truth").is_some()
            || is_call_list(document)
        {
            return Ok(Self::ForAll(checked(document, &Path::root(), reader)?));
        }
        if let Some(members) = document.members()
            && is_record(members)
        {
            return read_record(members, reader).map(Self::ById);
        }
        of_trajectories(document, reader)
    }

    /// Returns the expectations for `trajectory`, with their position if they are found by id; `None` if
    /// there are none.
    ///
    /// # Errors
    /// As [`Expectations::read`].
    pub fn of<'a>(
        &'a self,
        trajectory: &Trajectory<'a>,
        reader: Reader<'a>,
    ) -> Result<Option<(Expectations<'a>, Option<usize>)>> {
        match self {
            Self::Carried => {
                let carried = Expectations::in_trajectory(trajectory, reader)?;
                Ok(carried.map(|expectations| (expectations, None)))
            }
            Self::ForAll(text) => Ok(Some((text.read(reader)?, None))),
            Self::ById(by_id) => {
                let place = trajectory.trajectory_id.and_then(|id| by_id.places.get(id));
                let found =
                    place.map(|place| Ok((by_id.texts[*place].read(reader)?, Some(*place))));
                found.transpose()
            }
        }
    }
}

impl ExpectedText {
    fn of(text: String) -> Self {
        Self {
            text,
            messages: Vec::new(),
        }
    }

    fn of_calls(calls: &[ExpectedCall<'_>]) -> Self {
        Self::of(serde_json::to_string(calls).unwrap_or_default())
    }

    /// Keeps the calls that were made in `trajectory`, with their messages.
    fn of_made(trajectory: &Trajectory<'_>) -> Self {
        let made = Run::of(trajectory).calls;
        let calls: Vec<_> = made.iter().map(|call| call.made.call).collect();
        Self {
            messages: made.iter().map(|call| call.made.message).collect(),
            ..Self::of_calls(&calls)
        }
    }

    fn read<'a>(&'a self, reader: Reader<'a>) -> Result<Expectations<'a>> {
        let json = reader.read_text(&self.text)?;
        if self.messages.is_empty() {
            return Expectations::read(json, &Path::root(), reader);
        }
        let calls = read_list(json.items().unwrap_or_default(), &Path::root(), reader)?;
        let made = calls.into_iter().zip(&self.messages);
        let made = made.map(|(call, message)| MadeCall {
            call,
            outcome: MadeOutcome::default(),
            message: *message,
        });
        Ok(Expectations::of_made(&made.collect::<Vec<_>>()))
    }
}

impl ExpectedById {
    fn add(&mut self, id: String, text: ExpectedText, path: &Path) -> Result<()> {
        if self.places.insert(id.clone(), self.ids.len()).is_some() {
            let actual = format!("{id:?} once more");
            return Err(Error::invalid_input(path.clone(), "each id once", actual));
        }
        self.ids.push(id);
        self.texts.push(text);
        Ok(())
    }
}

fn id_of(value: Json<'_>) -> Option<String> {
    let id = IDS.iter().find_map(|key| value.get(key))?;
    match id {
        Json::String(text) => Some(text.to_owned()),
        Json::Number(_) => Some(Preview::of(id, 80).to_string()),
        _ => None,
    }
}

fn is_entry(item: &Json<'_>) -> bool {
    let holds = |key: &str| item.get(key).is_some();
    let is_trajectory = ["turns", "traj", "messages", "steps"]
        .into_iter()
        .any(holds);
    let is_expected = HOLDERS
        .into_iter()
        .chain(["calls", "ground_truth"])
        .any(holds);
    (!is_trajectory && is_expected || are_expectations(*item)) && id_of(*item).is_some()
}

fn read_entries<'a>(items: &'a [Json<'a>], reader: Reader<'a>) -> Result<ExpectedById> {
    let mut by_id = ExpectedById::default();
    let mut first_error = None;
    for (at, item) in items.iter().enumerate() {
        let path = Path::root().index(at);
        let Some(id) = id_of(*item).filter(|_| is_entry(item)) else {
            let expected = "an id with expected calls: {id, calls}";
            return Err(Error::invalid_input(path, expected, item.describe()));
        };
        let held = HOLDERS.iter().find_map(|key| Some((key, item.get(key)?)));
        let text = match held {
            Some((key, expected)) => checked(expected, &path.key(key), reader)?,
            None => match checked(without_ids(*item, reader), &path, reader) {
                Err(error) if item.get("ground_truth").is_some() => {
                    first_error.get_or_insert_with(|| error.clone());
                    by_id.unread.push(UnreadAnswer {
                        index: at,
                        id,
                        message: error.to_string(),
                    });
                    continue;
                }
                read => read?,
            },
        };
        by_id.add(id, text, &path)?;
    }
    match first_error {
        Some(error) if by_id.ids.is_empty() => Err(error),
        _ => Ok(by_id),
    }
}

fn without_ids<'a>(item: Json<'a>, reader: Reader<'a>) -> Json<'a> {
    let members = item.members().unwrap_or_default().iter();
    let others: Vec<_> = members
        .filter(|(key, _)| !IDS.contains(key))
        .copied()
        .collect();
    Json::Object(reader.arena().alloc_slice_copy(&others))
}

/// Returns whether each member is an expectation under its id.
fn is_record(members: &[Member<'_>]) -> bool {
    let is_expected = |value: Json<'_>| are_expectations(value) || is_call_list(value);
    let mut members = members
        .iter()
        .filter(|(key, _)| *key != "$schema")
        .peekable();
    members.peek().is_some() && members.all(|(_, value)| is_expected(*value))
}

fn read_record<'a>(members: &'a [Member<'a>], reader: Reader<'a>) -> Result<ExpectedById> {
    let mut by_id = ExpectedById::default();
    for (id, expected) in members.iter().filter(|(key, _)| *key != "$schema") {
        let path = Path::root().key(id);
        let text = checked(*expected, &path, reader)?;
        by_id.add((*id).to_owned(), text, &path)?;
    }
    Ok(by_id)
}

fn of_trajectories<'a>(document: Json<'a>, reader: Reader<'a>) -> Result<ExpectedSet> {
    let trajectories = import_trajectories(document, None, reader)?.value;
    let text_of = |trajectory: &Trajectory<'a>, path: &Path| {
        if let Some(expectations) = trajectory.expectations() {
            let text = serde_json::to_string(&expectations).unwrap_or_default();
            return Ok(ExpectedText::of(text));
        }
        // A question alone, as in a dataset, says nothing about what should be called.
        let is_asked = !trajectory.turns.is_empty() && trajectory.agent_turns().next().is_none();
        if is_asked && trajectory.expected_calls.is_none() {
            let expected = "the calls that should be made, or what an agent did";
            return Err(Error::invalid_input(path.clone(), expected, "neither"));
        }
        Ok(match &trajectory.expected_calls {
            Some(calls) => ExpectedText::of_calls(calls),
            None => ExpectedText::of_made(trajectory),
        })
    };
    if let [only] = trajectories.as_slice() {
        return Ok(ExpectedSet::ForAll(text_of(only, &Path::root())?));
    }
    let mut by_id = ExpectedById::default();
    for (at, trajectory) in trajectories.iter().enumerate() {
        let path = Path::root().index(at);
        let Some(id) = trajectory.trajectory_id else {
            let expected = "trajectories with ids, which say whose calls are expected";
            return Err(Error::invalid_input(path, expected, "one without"));
        };
        by_id.add(id.to_owned(), text_of(trajectory, &path)?, &path)?;
    }
    Ok(ExpectedSet::ById(by_id))
}

/// Reads the expectations at `path` and returns them in toolgauge's own form.
fn checked<'a>(expected: Json<'a>, path: &Path, reader: Reader<'a>) -> Result<ExpectedText> {
    let imported = Expectations::import(expected, reader).map_err(|error| error.inside(path))?;
    let text = serde_json::to_string(&imported.value).unwrap_or_default();
    Ok(ExpectedText::of(text))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_matching::{Comparing, NoComparators};
    use toolgauge_model::Limits;
    use toolgauge_model::testing::arena_json;

    /// Returns the expectations of a document as text.
    fn text_of_set(text: &str) -> String {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        match ExpectedSet::read(arena_json(&arena, text), reader) {
            Ok(ExpectedSet::Carried) => "carried".to_owned(),
            Ok(ExpectedSet::ForAll(all)) => format!("all: {}", all.text),
            Ok(ExpectedSet::ById(by_id)) => {
                let texts = by_id.ids.iter().zip(&by_id.texts);
                let texts: Vec<_> = texts
                    .map(|(id, one)| format!("{id}: {}", one.text))
                    .collect();
                texts.join("; ")
            }
            Err(error) => format!("error: {error}"),
        }
    }

    #[test]
    fn a_question_alone_says_nothing_about_calls() {
        let asked = r#"{"id":"a","inputs":{"question":"q"},"outputs":{"answer":"A"}}"#;
        let read = text_of_set(&format!("[{asked}]"));
        assert!(
            read.starts_with("error: expected the calls that should be made"),
            "{read}"
        );
        let other = r#"{"id":"b","inputs":{"question":"q"},"outputs":{"tool_calls":[]}}"#;
        let read = text_of_set(&format!("[{other},{asked}]"));
        assert!(read.starts_with("error: [1]: "), "{read}");
    }

    const CALLS: &str = r#"{"calls":[{"tool":"f"}]}"#;

    #[test]
    fn expectations_without_ids_apply_to_all() {
        assert_eq!(text_of_set(CALLS), format!("all: {CALLS}"));
        assert_eq!(text_of_set(r#"[{"tool":"f"}]"#), format!("all: {CALLS}"));
        assert_eq!(text_of_set("[]"), r#"all: {"calls":[]}"#);
        let one = r#"{"turns":[{"role":"agent","tool_calls":[{"name":"f"}]}]}"#;
        assert_eq!(text_of_set(one), r#"all: [{"tool":"f","args":{}}]"#);
    }

    #[test]
    fn expectations_by_id_are_read_from_records_lists_and_trajectories() {
        let wanted = format!("a: {CALLS}; 7: {CALLS}");
        assert_eq!(
            text_of_set(&format!(r#"{{"a":{CALLS},"7":[{{"tool":"f"}}]}}"#)),
            wanted
        );
        let list = r#"[{"id":"a","calls":[{"tool":"f"}]},{"task_id":7,"expected":[{"tool":"f"}]}]"#;
        assert_eq!(text_of_set(list), wanted);
        let answers = r#"[{"id":"a","ground_truth":[{"f":{"n":[1]}}]}]"#;
        assert_eq!(
            text_of_set(answers),
            r#"a: {"calls":[{"tool":"f","args":{"n":1}}]}"#
        );
        let stated = r#"[{"trajectory_id":"a","turns":[],"expectations":{"calls":["f"],"order":"strict"}},{"trajectory_id":"b","turns":[]}]"#;
        assert_eq!(
            text_of_set(stated),
            r#"a: {"calls":["f"],"order":"strict"}; b: []"#
        );
        let turns = r#""turns":[{"role":"agent","tool_calls":[{"name":"g"}]}]"#;
        let trajectories = format!(
            r#"[{{"trajectory_id":"a",{turns}}},{{"trajectory_id":"b",{turns},"expected_calls":[{{"tool":"f"}}]}}]"#
        );
        assert_eq!(
            text_of_set(&trajectories),
            r#"a: [{"tool":"g","args":{}}]; b: [{"tool":"f","args":{}}]"#
        );
    }

    #[test]
    fn an_answer_that_cannot_be_read_leaves_the_others() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let answers =
            r#"[{"id":"a","ground_truth":[{"f":{"n":[1]}}]},{"id":"b","ground_truth":[["f(1)"]]}]"#;
        let read = ExpectedSet::read(arena_json(&arena, answers), reader).expect("a set");
        let ExpectedSet::ById(by_id) = read else {
            panic!("{read:?}");
        };
        assert_eq!(by_id.ids, ["a"]);
        let [unread] = by_id.unread.as_slice() else {
            panic!("{:?}", by_id.unread);
        };
        assert_eq!((unread.index, unread.id.as_str()), (1, "b"));
        assert!(
            unread
                .message
                .starts_with("[1].ground_truth[0]: expected one call")
        );
        let only = text_of_set(r#"[{"id":"b","ground_truth":[["f(1)"]]}]"#);
        assert!(only.starts_with("error: [0].ground_truth[0]"), "{only}");
    }

    #[test]
    fn mistakes_are_reported_with_their_path() {
        let cases = [
            (
                r#"[{"id":"a","calls":[{"tool":"f"}]},{"id":"a","calls":[]}]"#,
                "[1]: expected each id once",
            ),
            (
                r#"[{"id":"a","calls":[{"tool":"f"}]},{"calls":[]}]"#,
                "[1]: expected an id with expected calls",
            ),
            (r#"[{"id":"a","calls":[{"args":1}]}]"#, "[0].calls[0]"),
            (r#"{"a":[{"tool":"f"}],"b":[{"args":1}]}"#, "b[0].tool"),
            (
                r#"[{"trajectory_id":"a","turns":[]},{"turns":[]}]"#,
                "[1]: expected trajectories with ids",
            ),
            (r#"{"a":1}"#, "no known trajectory format"),
        ];
        for (text, start) in cases {
            let found = text_of_set(text);
            assert!(
                found.starts_with(&format!("error: {start}")),
                "{text}: {found}"
            );
        }
    }

    #[test]
    fn parallel_calls_of_an_expected_trajectory_have_no_order() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let turns = |messages: &[&[&str]]| {
            let message = |tools: &&[&str]| {
                let calls = tools.iter().map(|tool| format!(r#"{{"name":"{tool}"}}"#));
                let calls = calls.collect::<Vec<_>>().join(",");
                format!(r#"{{"role":"agent","tool_calls":[{calls}]}}"#)
            };
            messages.iter().map(message).collect::<Vec<_>>().join(",")
        };
        let one = format!(
            r#"{{"trajectory_id":"x","turns":[{}]}}"#,
            turns(&[&["f", "g"], &["h"]])
        );
        let sets = [
            one.clone(),
            format!("[{one},{}]", one.replace(r#""x""#, r#""y""#)),
        ];
        for set in sets {
            let set = ExpectedSet::read(arena_json(&arena, &set), reader).expect("a set");
            let set = arena.alloc(set);
            let score = |messages: &[&[&str]]| {
                let actual = format!(r#"{{"trajectory_id":"x","turns":[{}]}}"#, turns(messages));
                let actual = import_trajectories(arena_json(&arena, &actual), None, reader);
                let actual = actual.expect("a trajectory").value;
                let options = crate::ScoreOptions {
                    order: Some("sequence".into()),
                    ..crate::ScoreOptions::default()
                };
                let comparing = Comparing::new(&NoComparators, Limits::default());
                let scored = crate::score_each(&actual, set, &options, &comparing, reader);
                scored.expect("scores").scores[0].accuracy.score
            };
            assert_eq!(score(&[&["g"], &["f"], &["h"]]), 1.0);
            assert!(score(&[&["h"], &["f"], &["g"]]) < 1.0);
        }
    }

    #[test]
    fn a_trajectory_gets_the_expectations_of_its_id() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let read = |text: &str| ExpectedSet::read(arena_json(&arena, text), reader).expect("a set");
        let sets = [
            read(r#"{"a":[{"tool":"f"}],"b":[]}"#),
            read(CALLS),
            ExpectedSet::Carried,
        ];
        let count = |set: &ExpectedSet, id| {
            let trajectory = Trajectory {
                trajectory_id: id,
                ..Trajectory::default()
            };
            let found = set.of(&trajectory, reader).expect("expectations");
            found.map(|(expected, place)| (expected.calls.len(), place))
        };
        let [by_id, all, carried] = &sets;
        assert_eq!(count(by_id, Some("a")), Some((1, Some(0))));
        assert_eq!(count(by_id, Some("b")), Some((0, Some(1))));
        assert_eq!(count(by_id, Some("c")), None);
        assert_eq!(count(by_id, None), None);
        assert_eq!(count(all, None), Some((1, None)));
        assert_eq!(count(carried, Some("a")), None);
    }
}
