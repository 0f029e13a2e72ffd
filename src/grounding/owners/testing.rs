//! Helpers for the tests of this module.

use bumpalo::Bump;

use super::super::transcript::{Speakers, Transcript};
use super::records::Records;
use toolgauge_facts::{TextId, Texts};
use toolgauge_formats::import_trajectory;
use toolgauge_model::testing::arena_json;
use toolgauge_model::{Limits, Reader};

/// Reads a result and a reply, and passes the records, the texts and the reply to `look`.
pub fn with_records<T>(
    result: &str,
    reply: &str,
    look: impl FnOnce(&Records<'_>, &Texts<'_>, TextId) -> T,
) -> T {
    let arena = Bump::new();
    let reader = Reader::new(&arena, Limits::default());
    let reply = serde_json::Value::from(reply);
    let text = format!(
        r#"[{{"turn_id":1,"role":"agent","tool_calls":[{{"name":"list","arguments":{{"of":"AX-1"}},"result":{result}}}]}},
        {{"turn_id":2,"role":"agent","content":{reply}}}]"#
    );
    let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
        .expect("turns")
        .value;
    let mut texts = Texts::default();
    let transcript = Transcript::of(&trajectory, Speakers::All, &mut texts);
    let calls: Vec<_> = trajectory.calls().collect();
    let mut records = Records::default();
    records.read(&calls, &transcript, &texts);
    look(&records, &texts, transcript.turns()[1])
}
