//! Answers of ToolBench: `{tree, answer_generation: {query, function, train_messages}}`. The longest list of training
//! messages is the path from the question to the answer; the tree also holds the branches that were given up.

use crate::kit::conversation::Conversation;
use crate::kit::dialects::openai_chat::read_into;
use crate::kit::fields::Fields;
use crate::kit::signs::items;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Role, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Toolbench,
    marks: &[],
    likeness,
    read,
};

const ANSWER: &str = "answer_generation";
const MESSAGES: &str = "train_messages";
const TREE: &str = "tree";

fn likeness(value: Json<'_>) -> Likeness {
    let answer = value.get(ANSWER);
    match answer.and_then(|answer| answer.get(MESSAGES)) {
        Some(Json::Array(_)) => Likeness::Full,
        _ if answer.is_some() => Likeness::Partial("a list of `train_messages` in the answer"),
        _ => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let document = Fields::of(value, Path::root(), "an answer: {answer_generation}")?;
    let path = document.path().key(ANSWER);
    let answer = document.get(ANSWER).unwrap_or_default();
    let answer = Fields::of(answer, path, "an answer: {train_messages}")?;
    let lists = answer.items(MESSAGES, "lists of messages")?;
    let path = answer.path().key(MESSAGES);
    let length = |list: &Json<'a>| list.items().map_or(0, <[_]>::len);
    let longest = lists
        .iter()
        .enumerate()
        .max_by_key(|(_, list)| length(list));
    let mut conversation = Conversation::default();
    match longest {
        Some((at, list)) => {
            let messages = list.items().unwrap_or_default();
            read_into(messages, &path.index(at), &mut conversation, import)?;
        }
        None => {
            let asked = answer.text("query").unwrap_or_default();
            conversation.turn(Role::User, asked, Vec::new());
        }
    }
    let read = conversation.calls_since(0).count();
    let tried = actions_below(value.get(TREE).and_then(|tree| tree.get(TREE)));
    if tried > read {
        let what = format!(
            "the tree holds {tried} actions; the {read} calls on the way to the answer are read, and the tree is kept as it is"
        );
        import.warn(&document.path().key(TREE), what);
    }
    let tools = answer.get("function");
    let rest = document.rest(import.arena(), |key, _| key == ANSWER);
    let own = answer.rest(import.arena(), |key, _| {
        matches!(key, "function" | MESSAGES)
    });
    Ok(vec![Trajectory {
        trajectory_id: document.text("id"),
        turns: conversation.into_turns(),
        tools: tools.filter(|it| it.items().is_some_and(|it| !it.is_empty())),
        extra: import.merge(rest, own),
        ..Trajectory::default()
    }])
}

/// How many actions a tree of tries holds.
fn actions_below(root: Option<Json<'_>>) -> usize {
    let mut waiting: Vec<_> = root.into_iter().collect();
    let mut count = 0;
    while let Some(node) = waiting.pop() {
        let kind = node.get("node_type").and_then(Json::as_str);
        count += usize::from(kind == Some("Action"));
        waiting.extend(items(node, "children"));
    }
    count
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use crate::testing::{calls_of, failure, fixture, imported, turns_of};

    #[test]
    fn the_longest_path_is_read() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("toolbench/answer.json"));
        let trajectory = &read.value[0];
        assert_eq!(turns_of(trajectory).len(), 4);
        assert_eq!(
            calls_of(trajectory),
            [
                r#"{"name":"moon_for_sky","arguments":{"day":"friday"},"result":{"error":"","response":"full"}}"#,
                r#"{"name":"Finish","arguments":{"return_type":"give_answer","final_answer":"It is full."}}"#,
            ]
        );
        assert!(trajectory.tools.is_some());
        assert_eq!(read.warnings.len(), 1);
        assert_eq!(read.warnings[0].path, "tree");
    }

    #[test]
    fn an_answer_that_was_not_found_is_the_question_alone() {
        let arena = Bump::new();
        let read = imported(
            &arena,
            r#"{"answer_generation":{"query":"a","train_messages":[]}}"#,
        );
        assert_eq!(turns_of(&read.value[0]), [(Role::User, "a".to_owned(), 0)]);
        let error = failure(r#"{"answer_generation":{"train_messages":[[7]]}}"#);
        assert_eq!(
            error.report().path.as_deref(),
            Some("answer_generation.train_messages[0][0]")
        );
        let error = failure(r#"{"answer_generation":{}}"#).to_string();
        assert!(error.contains("toolbench, but it lacks a list"), "{error}");
    }
}
