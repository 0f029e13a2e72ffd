//! Splits the events of coding agents into conversations: the session itself, and the work of each subagent. An
//! event names its session, its own id, and the event before it.

use foldhash::{HashMap, HashSet};

use super::fields::{Fields, is_one_of};
use super::import::Import;
use super::message::About;
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path};

/// The members that may hold the id of the session.
const SESSION: [&str; 2] = ["sessionId", "session_id"];

/// A session, or the work of one subagent in it.
pub struct Thread<'a> {
    /// The id of the session, followed by that of the subagent. May be empty.
    pub id: &'a str,
    /// Its events, each once.
    pub events: Vec<Fields<'a>>,
}

/// Whether an event names its session.
pub fn names_session(event: Json<'_>) -> bool {
    SESSION.iter().any(|key| event.get(key).is_some())
}

/// The threads of a list of events, in the order of their first events. `path` is the path of the list.
pub fn threads_of<'a>(
    events: &'a [Json<'a>],
    path: &Path,
    import: &Import<'a>,
) -> Result<Vec<Thread<'a>>> {
    let mut threads: Vec<Thread<'a>> = Vec::new();
    let mut by_key: HashMap<(&str, &str), usize> = HashMap::default();
    let mut seen = HashSet::default();
    let roots = roots(events);
    for (event, root) in Fields::each(events, path, "an event: {type}").zip(roots) {
        let event = event?;
        let is_repeated = event.text("uuid").is_some_and(|uuid| !seen.insert(uuid));
        let session = SESSION.into_iter().find_map(|key| event.text(key));
        let session = session.unwrap_or_default();
        let side = side_of(&event, root);
        let key = (session, side.unwrap_or_default());
        let thread = *by_key.entry(key).or_insert_with(|| {
            threads.push(Thread {
                id: side.map_or(session, |side| name(session, side, import)),
                events: Vec::new(),
            });
            threads.len() - 1
        });
        if !is_repeated {
            threads[thread].events.push(event);
        }
    }
    Ok(threads)
}

fn name<'a>(session: &str, side: &str, import: &Import<'a>) -> &'a str {
    import.arena().alloc_str(&format!("{session}/{side}"))
}

/// For each event, the id of the first event that it descends from.
fn roots<'a>(events: &[Json<'a>]) -> Vec<Option<&'a str>> {
    let text = |event: Json<'a>, key: &str| event.get(key)?.as_str();
    let mut root_of: HashMap<&str, &str> = HashMap::default();
    events
        .iter()
        .map(|event| {
            let own = text(*event, "uuid")?;
            let parent = text(*event, "parentUuid").and_then(|id| root_of.get(id).copied());
            let root = parent.unwrap_or(own);
            root_of.insert(own, root);
            Some(root)
        })
        .collect()
}

/// The id of the subagent that an event belongs to. `None` for events of the session itself.
fn side_of<'a>(event: &Fields<'a>, root: Option<&'a str>) -> Option<&'a str> {
    let is_side = matches!(event.get("isSidechain"), Some(Json::Bool(true)));
    let agent = event.text("agentId").filter(|_| is_side);
    let started_by = event.text("parent_tool_use_id");
    started_by.or(agent).or(root.filter(|_| is_side))
}

/// Warns that the user went back at `path`, so that the conversation goes on from an earlier message. What the agent did
/// before is part of the log, too.
pub fn warn_of_return(path: &Path, import: &mut Import<'_>) {
    let what = "the user went back here; what the agent had done by then is read, too";
    import.warn(path, what);
}

/// The members of an event that the turn of its message keeps: all but those that are `read` elsewhere or say nothing.
pub fn about<'a>(event: &Fields<'a>, read: &[&str], import: &Import<'a>) -> About<'a> {
    let own = [
        "type",
        "message",
        "sessionId",
        "session_id",
        "turn_id",
        "role",
        "content",
    ];
    let about = About::of(event, &own, import);
    let says = |(key, value): &(&str, Json<'_>)| {
        !matches!(value, Json::Null | Json::Bool(false)) && !is_one_of(key, read)
    };
    let kept: Vec<_> = about.extra.iter().filter(|it| says(it)).copied().collect();
    About {
        extra: import.arena().alloc_slice_copy(&kept),
        ..about
    }
}
