//! The exports for dispatching tool calls.

use foldhash::HashSet;
use wasm_bindgen::prelude::*;

use super::document::{Document, read_options};
use super::{Encoded, encode, read_plain, to_json, with_json};
use toolgauge_dispatch::{self, Route, SelectionRequest, TrackerState};
use toolgauge_model::Json;

/// See [`toolgauge_loops::find_loops`].
#[wasm_bindgen(js_name = findLoops)]
pub fn find_loops(trajectory: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        with_json(&trajectory, options, |json, reader| {
            let imported = toolgauge_formats::import_trajectory(json, None, reader)?;
            Ok(to_json(&toolgauge_loops::find_loops(&imported.value)))
        })
    })
}

/// See [`Route::of`].
#[wasm_bindgen(js_name = routeOf)]
pub fn route_of(name: &str) -> String {
    to_json(&Route::of(name))
}

/// See [`toolgauge_dispatch::read_round`]. `running` is a JSON list of ids.
#[wasm_bindgen(js_name = readRound)]
pub fn read_round(calls: Document, running: &str, options: Option<Document>) -> Encoded {
    encode(|| {
        let running: HashSet<String> = read_plain(running.as_bytes(), "running")?;
        with_json(&calls, options, |calls, reader| {
            let calls = calls.items().unwrap_or_default();
            Ok(to_json(&toolgauge_dispatch::read_round(
                calls, &running, reader,
            )))
        })
    })
}

/// Reads the calls to track.
fn read_calls<'a>(calls: Json<'a>) -> Vec<(&'a str, Json<'a>)> {
    let calls = calls.items().unwrap_or_default().iter();
    calls
        .map(|call| {
            let name = call.get("name").and_then(Json::as_str);
            (
                name.unwrap_or_default(),
                call.get("arguments").unwrap_or_default(),
            )
        })
        .collect()
}

/// Reads a saved state of a tracker, or a new one: see [`TrackerState::read`].
#[wasm_bindgen(js_name = readTrackerState)]
pub fn read_tracker_state(state: Document) -> Encoded {
    encode(|| Ok(to_json(&TrackerState::read(read_options(Some(state))?)?)))
}

/// See [`TrackerState::track`]. Takes a JSON list of `{name, arguments}`.
#[wasm_bindgen(js_name = trackCalls)]
pub fn track_calls(
    state: &str,
    calls: Document,
    refuses: bool,
    options: Option<Document>,
) -> Encoded {
    encode(|| {
        let state: TrackerState = read_plain(state.as_bytes(), "state")?;
        with_json(&calls, options, |calls, _| {
            let calls = read_calls(calls);
            Ok(to_json(&state.track(calls.into_iter(), refuses)))
        })
    })
}

/// See [`TrackerState::record_output`]. Takes a JSON list of `[number, output]`.
#[wasm_bindgen(js_name = recordOutputs)]
pub fn record_outputs(state: &str, outputs: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut state: TrackerState = read_plain(state.as_bytes(), "state")?;
        with_json(&outputs, options, |outputs, _| {
            for output in outputs.items().unwrap_or_default() {
                let Some([Json::Number(number), output]) = output.items() else {
                    continue;
                };
                state.record_output(number.as_f64() as usize, *output);
            }
            Ok(to_json(&state))
        })
    })
}

/// See [`toolgauge_dispatch::select_functions`].
#[wasm_bindgen(js_name = selectFunctions)]
pub fn select_functions(request: &str) -> Encoded {
    encode(|| {
        let request: SelectionRequest = read_plain(request.as_bytes(), "request")?;
        Ok(to_json(&toolgauge_dispatch::select_functions(&request)?))
    })
}

/// See [`toolgauge_dispatch::rank_tools`]. Takes a JSON list of `{name, description}`.
#[wasm_bindgen(js_name = rankTools)]
pub fn rank_tools(query: &str, tools: &str) -> Encoded {
    encode(|| {
        let tools: Vec<toolgauge_dispatch::SearchableTool> = read_plain(tools.as_bytes(), "tools")?;
        Ok(to_json(&toolgauge_dispatch::rank_tools(query, &tools)))
    })
}
