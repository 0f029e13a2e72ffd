//! What a graph streams, one chunk per row: `{node: {messages}}` as updates, states as values, or `[message, metadata]`
//! with pieces of messages. With several modes a row is `[mode, data]`, with subgraphs `[namespace, data]` or
//! `[namespace, mode, data]`; servers write `{event, data}`, newer graphs `{type, ns, data}`.

use foldhash::{HashMap, HashSet};

use crate::kit::Import;
use crate::kit::dialects::langchain::{Kind, is_message, kind_of};
use crate::kit::fields::is_one_of;
use crate::kit::pieces::Pieces;
use crate::kit::signs::{first_of, is_said, items, kind};
use toolgauge_model::{Json, Path};

/// What the data of a chunk is.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// What each node that ran adds to the state.
    Updates,
    /// The whole state.
    Values,
    /// A message or a piece of one, and its metadata.
    Messages,
}

/// A row of a stream.
#[derive(Clone, Copy)]
struct Chunk<'a> {
    mode: Mode,
    /// Whether the row names its mode.
    is_named: bool,
    /// Whether the chunk is of the graph itself, not of a graph inside it.
    is_root: bool,
    data: Json<'a>,
}

/// A message, and where it is.
pub type Placed<'a> = (Json<'a>, Path);

/// Members of rows of datasets, which may hold messages, too. No node is called so.
const OF_ROWS: [&str; 6] = ["input", "inputs", "output", "outputs", "values", "data"];

/// Whether the rows of a list are what one run of a graph streamed.
pub fn is_stream(rows: &[Json<'_>]) -> bool {
    if rows.first().is_some_and(|row| is_said(*row)) {
        return false;
    }
    let chunks = || first_of(rows).iter().filter_map(|row| chunk_of(*row));
    chunks().any(|it| (it.is_named || it.mode != Mode::Values) && is_sure(&it)) || are_growing(rows)
}

/// Whether each row is a state that continues the one before.
fn are_growing(states: &[Json<'_>]) -> bool {
    let messages = |state: &Json<'_>| items(*state, "messages").len();
    let continues = |pair: &[Json<'_>]| match pair {
        [before, after] => items(*after, "messages").starts_with(items(*before, "messages")),
        _ => false,
    };
    states.len() > 1
        && states
            .iter()
            .all(|state| mode_of(*state) == Some(Mode::Values))
        && states
            .last()
            .is_some_and(|last| items(*last, "messages").iter().any(|it| is_message(*it)))
        && states.first().map(messages) < states.last().map(messages)
        && states.windows(2).all(continues)
}

fn chunk_of(row: Json<'_>) -> Option<Chunk<'_>> {
    let named = |mode: &str, is_root, data| {
        let (mode, inner) = mode.split_once('|').unwrap_or((mode, ""));
        let mode = match mode {
            "updates" => Mode::Updates,
            "values" => Mode::Values,
            "messages" => Mode::Messages,
            _ => return None,
        };
        (mode_of(data) == Some(mode)).then_some(Chunk {
            mode,
            is_named: true,
            is_root: is_root && inner.is_empty(),
            data,
        })
    };
    match row {
        Json::Array([Json::Array(space), Json::String(mode), data]) => {
            named(mode, space.is_empty(), *data)
        }
        Json::Array([Json::String(mode), data]) => named(mode, true, *data),
        Json::Array([Json::Array(space), data]) if space.iter().all(|it| it.as_str().is_some()) => {
            let mode = mode_of(*data)?;
            Some(Chunk {
                mode,
                is_named: true,
                is_root: space.is_empty(),
                data: *data,
            })
        }
        Json::Object(_) if row.get("data").is_some() => {
            let mode = row.get("event").or(row.get("type"))?.as_str()?;
            let space = items(row, "ns");
            named(mode, space.is_empty(), row.get("data")?)
        }
        _ => Some(Chunk {
            mode: mode_of(row)?,
            is_named: false,
            is_root: true,
            data: row,
        }),
    }
}

/// The mode of data that names none.
fn mode_of(data: Json<'_>) -> Option<Mode> {
    let holds_messages = |value: Json<'_>| matches!(value.get("messages"), Some(Json::Array(_)));
    let is_update =
        |(key, value): &(&str, Json<'_>)| !is_one_of(key, &OF_ROWS) && holds_messages(*value);
    match data {
        Json::Array([message, about @ Json::Object(_)]) if is_message(*message) => {
            (!is_message(*about)).then_some(Mode::Messages)
        }
        Json::Object(_) if holds_messages(data) => Some(Mode::Values),
        Json::Object(nodes) if nodes.iter().any(is_update) => Some(Mode::Updates),
        _ => None,
    }
}

/// Whether a chunk holds a message, so that no other format has it.
fn is_sure(chunk: &Chunk<'_>) -> bool {
    let has_message = |value: Json<'_>| items(value, "messages").iter().any(|it| is_message(*it));
    match chunk.mode {
        Mode::Messages => true,
        Mode::Values => has_message(chunk.data),
        Mode::Updates => {
            let nodes = chunk.data.members().unwrap_or_default();
            nodes.iter().any(|(_, update)| has_message(*update))
        }
    }
}

/// The messages that a node adds.
fn updates<'a>(node: Json<'a>) -> &'a [Json<'a>] {
    items(node, "messages")
}

/// The messages of a stream, each once.
pub fn messages_of<'a>(rows: &'a [Json<'a>], import: &Import<'a>) -> Vec<Placed<'a>> {
    let chunks = rows.iter().enumerate();
    let chunks: Vec<_> = chunks
        .filter_map(|(at, row)| Some((at, chunk_of(*row)?)))
        .collect();
    let of_mode = |mode| chunks.iter().filter(move |(_, it)| it.mode == mode);
    if let Some((at, chunk)) = of_mode(Mode::Values).rfind(|(_, it)| it.is_root) {
        let path = path_of(rows, *at).key("messages");
        return placed(items(chunk.data, "messages"), &path);
    }
    match of_mode(Mode::Updates).next() {
        Some(_) => added(rows, of_mode(Mode::Updates)),
        None => joined(rows, of_mode(Mode::Messages), import),
    }
}

/// The path of the data in a row.
fn path_of(rows: &[Json<'_>], at: usize) -> Path {
    let path = Path::root().index(at);
    match rows[at] {
        Json::Array([Json::Object(_), Json::Object(_)]) => path,
        Json::Array(parts) => path.index(parts.len() - 1),
        row if row.get("data").is_some() => path.key("data"),
        _ => path,
    }
}

fn placed<'a>(messages: &'a [Json<'a>], path: &Path) -> Vec<Placed<'a>> {
    let place = |(at, it): (usize, &Json<'a>)| (*it, path.index(at));
    messages.iter().enumerate().map(place).collect()
}

/// The messages that the nodes added. A graph that runs another adds the messages of the other again.
fn added<'a, 'c>(
    rows: &'a [Json<'a>],
    chunks: impl Iterator<Item = &'c (usize, Chunk<'a>)>,
) -> Vec<Placed<'a>>
where
    'a: 'c,
{
    let mut seen = HashSet::default();
    let mut all = Vec::new();
    for (at, chunk) in chunks {
        for (node, update) in chunk.data.members().unwrap_or_default() {
            let path = path_of(rows, *at).key(node).key("messages");
            let new = placed(updates(*update), &path);
            all.extend(
                new.into_iter()
                    .filter(|(it, _)| id_of(*it).is_none_or(|id| seen.insert(id))),
            );
        }
    }
    all
}

/// The id of a message, or that of the call that it answers.
fn id_of<'a>(message: Json<'a>) -> Option<&'a str> {
    let (_, members, _) = kind_of(message)?;
    let text = |key| members.get(key)?.as_str();
    text("id").or_else(|| text("tool_call_id"))
}

/// A message while its pieces arrive.
struct Answer<'a> {
    first: Json<'a>,
    path: Path,
    pieces: Pieces<'a>,
}

/// The messages of which the stream holds the pieces.
fn joined<'a, 'c>(
    rows: &'a [Json<'a>],
    chunks: impl Iterator<Item = &'c (usize, Chunk<'a>)>,
    import: &Import<'a>,
) -> Vec<Placed<'a>>
where
    'a: 'c,
{
    let mut all: Vec<Answer<'a>> = Vec::new();
    let mut by_id: HashMap<&str, usize> = HashMap::default();
    for (at, chunk) in chunks {
        let first = chunk.data.items().unwrap_or_default().first();
        let Some((message, (_, members, _))) = first.and_then(|it| Some((*it, kind_of(*it)?)))
        else {
            continue;
        };
        let new = all.len();
        let known = id_of(message).map_or(new, |id| *by_id.entry(id).or_insert(new));
        if known == new {
            all.push(Answer {
                first: message,
                path: path_of(rows, *at).index(0),
                pieces: Pieces::default(),
            });
        }
        if is_piece(message) {
            add(members, &mut all[known].pieces);
        }
    }
    all.into_iter().map(|answer| answer.join(import)).collect()
}

/// Whether a message is a piece of one.
fn is_piece(message: Json<'_>) -> bool {
    let class = items(message, "id").last().and_then(|it| it.as_str());
    let is_ai = kind_of(message).is_some_and(|(kind, _, _)| kind == Kind::Ai);
    is_ai
        && class
            .or(kind(message))
            .is_some_and(|it| it.ends_with("Chunk"))
}

/// Adds what a piece of a message holds.
fn add<'a>(members: Json<'a>, pieces: &mut Pieces<'a>) {
    let content = members.get("content").unwrap_or_default();
    let parts = content.items().unwrap_or_default().iter();
    let texts = parts.filter_map(|part| part.get("text")?.as_str());
    for text in content.as_str().into_iter().chain(texts) {
        pieces.text(Json::Null, text);
    }
    for piece in items(members, "tool_call_chunks") {
        let text = |key| piece.get(key).and_then(Json::as_str);
        let call = pieces.call(piece.get("index").unwrap_or_default(), text("id"));
        call.name = call.name.or(text("name"));
        call.written.extend(text("args"));
    }
}

impl<'a> Answer<'a> {
    /// The whole message, in the plain form.
    fn join(self, import: &Import<'a>) -> Placed<'a> {
        if !is_piece(self.first) {
            return (self.first, self.path);
        }
        let members = [
            ("type", Json::String("ai")),
            ("id", id_of(self.first).map_or(Json::Null, Json::String)),
            ("content", Json::String(self.pieces.joined_text(import))),
            ("tool_calls", self.pieces.openai_calls(import)),
        ];
        (
            Json::Object(import.arena().alloc_slice_copy(&members)),
            self.path,
        )
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported, turns_of};
    use crate::{TrajectoryFormat, detect_format};
    use toolgauge_model::Role;
    use toolgauge_model::testing::arena_json;

    #[test]
    fn updates_are_one_conversation_with_each_message_once() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langchain/updates.jsonl"));
        assert_eq!(read.value.len(), 1);
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"g1","name":"gauge","arguments":{"river":"Isar"},"error":"gauge offline"}"#,
                r#"{"id":"g2","name":"gauge","arguments":{"river":"Inn"},"result":{"cm":240}}"#,
            ]
        );
        assert_eq!(turns_of(&read.value[0]).len(), 2);
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn the_last_state_of_a_stream_holds_everything() {
        let arena = Bump::new();
        let text = fixture("langchain/values.jsonl");
        let read = imported(&arena, &text);
        assert_eq!(read.value.len(), 1);
        assert_eq!(
            turns_of(&read.value[0]),
            [
                (Role::User, "How high is the Lech?".to_owned(), 0),
                (Role::Agent, String::new(), 1),
                (Role::Agent, "88 cm.".to_owned(), 0),
            ]
        );
        // States that do not continue each other are several conversations.
        let states: Vec<_> = text.lines().collect();
        let read = imported(&arena, &format!("[{},{}]", states[3], states[1]));
        assert_eq!(read.value.len(), 2);
    }

    #[test]
    fn pieces_of_messages_are_joined() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langchain/message-pieces.jsonl"));
        assert_eq!(
            calls_of(&read.value[0]),
            [
                r#"{"id":"g4","name":"gauge","arguments":{"river":"Wertach"},"result":"31 cm"}"#,
                r#"{"id":"g5","name":"clock","arguments":{}}"#,
            ]
        );
        let last = turns_of(&read.value[0]).pop().expect("a turn");
        assert_eq!(last.1, "31 cm.");
    }

    #[test]
    fn rows_may_name_their_mode_and_graph() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("langchain/modes.json"));
        assert_eq!(
            calls_of(&read.value[0]),
            [r#"{"id":"c1","name":"clock","arguments":{},"result":"09:41"}"#]
        );
        let update = r#"{"agent":{"messages":[{"type":"ai","content":"","tool_calls":[{"name":"f","args":{},"id":"1"}]}]}}"#;
        let state = r#"{"messages":[{"type":"human","content":"x"}]}"#;
        for rows in [
            format!(r#"[["updates",{update}]]"#),
            format!(r#"[[[],{update}]]"#),
            format!(r#"[[["team:1"],"updates",{update}]]"#),
            format!(r#"[{{"type":"updates","ns":[],"data":{update}}}]"#),
            format!(r#"[["values",{state}],["updates",{update}]]"#),
            update.to_owned(),
        ] {
            let read = imported(&arena, &rows);
            assert_eq!(read.format, TrajectoryFormat::Langchain, "{rows}");
            let calls = usize::from(!rows.contains("values"));
            assert_eq!(read.value[0].call_count(), calls, "{rows}");
        }
    }

    #[test]
    fn rows_of_datasets_are_no_stream() {
        let arena = Bump::new();
        let message = r#"{"messages":[{"type":"ai","content":"x"}]}"#;
        for rows in [
            format!(r#"[{{"input":{message},"output":{message}}}]"#),
            r#"{"kind":{"messages":[]}}"#.to_owned(),
            r#"[["updates",{"agent":1}]]"#.to_owned(),
        ] {
            assert_eq!(detect_format(arena_json(&arena, &rows)), None, "{rows}");
        }
    }

    #[test]
    fn two_messages_are_no_message_with_its_metadata() {
        let arena = Bump::new();
        let said = |text: &str| format!(r#"{{"type":"human","content":"{text}"}}"#);
        let pair = format!("[{},{}]", said("a"), said("b"));
        let read = imported(&arena, &format!("[{pair},{pair}]"));
        assert_eq!(read.value.len(), 2);
        assert_eq!(turns_of(&read.value[0]).len(), 2);
    }

    #[test]
    fn errors_name_the_message_in_the_stream() {
        let error = failure(
            r#"[{"a":{"messages":[{"type":"ai","content":"x"}]}},{"b":{"messages":[{"type":"cat"}]}}]"#,
        );
        assert_eq!(
            error.report().path.as_deref(),
            Some("[1].b.messages[0].type")
        );
    }
}
