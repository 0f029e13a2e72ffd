//! Inspect AI logs: `{eval, samples: [{id, messages}]}`, or one sample. Messages are those of
//! OpenAI, but `function` is the name of the tool, the arguments are an object, and a result may
//! have an `error: {type, message}`.

use crate::kit::dialects::openai_chat::read_messages;
use crate::kit::fields::Fields;
use crate::kit::{Format, Import, Likeness, TrajectoryFormat};
use toolgauge_model::error::Result;
use toolgauge_model::{Json, Path, Trajectory};

/// This format.
pub const FORMAT: Format = Format {
    name: TrajectoryFormat::Inspect,
    marks: &[],
    likeness,
    read,
};

fn likeness(value: Json<'_>) -> Likeness {
    let is_list = |key| value.get(key).is_some_and(|it| it.items().is_some());
    let is_log = value
        .get("eval")
        .is_some_and(|eval| eval.members().is_some());
    if is_log && is_list("samples") {
        return Likeness::Full;
    }
    let is_sample = value.get("epoch").is_some() && value.get("input").is_some();
    match (is_log && value.get("plan").is_some(), is_sample) {
        (true, _) => Likeness::Partial("its `samples`, which a log header leaves out"),
        (false, true) if is_list("messages") => Likeness::Full,
        (false, true) => Likeness::Partial("the `messages` of the sample"),
        (false, false) => Likeness::None,
    }
}

fn read<'a>(value: Json<'a>, import: &mut Import<'a>) -> Result<Vec<Trajectory<'a>>> {
    let fields = Fields::of(value, Path::root(), "a log: {eval, samples}, or a sample")?;
    if fields.get("samples").is_none() {
        return Ok(vec![read_sample(&fields, import)?]);
    }
    let path = fields.path().key("samples");
    let samples = fields.items("samples", "a list of samples")?;
    let mut trajectories = Vec::with_capacity(samples.len());
    for sample in Fields::each(samples, &path, "a sample: {id, messages}") {
        let sample = sample?;
        trajectories.push(read_sample(&sample, import)?);
    }
    Ok(trajectories)
}

fn read_sample<'a>(sample: &Fields<'a>, import: &mut Import<'a>) -> Result<Trajectory<'a>> {
    let messages = sample.items("messages", "a list of messages")?;
    Ok(Trajectory {
        trajectory_id: sample.get("id").map(|id| import.label(id)),
        turns: read_messages(messages, &sample.path().key("messages"), import)?,
        tools: tools_of(sample),
        expected_calls: None,
        extra: sample.rest(import.arena(), |key, _| {
            matches!(key, "id" | "messages" | "tools")
        }),
    })
}

/// The tools of the first model event that lists any.
fn tools_of<'a>(sample: &Fields<'a>) -> Option<Json<'a>> {
    let events = sample
        .get("events")
        .and_then(Json::items)
        .unwrap_or_default();
    let model = events
        .iter()
        .filter(|event| event.get("event").and_then(Json::as_str) == Some("model"));
    let mut tools = model.filter_map(|event| event.get("tools"));
    tools.find(|tools| tools.items().is_some_and(|tools| !tools.is_empty()))
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use crate::testing::{calls_of, failure, fixture, imported};

    #[test]
    fn the_samples_of_a_log_are_its_trajectories() {
        let arena = Bump::new();
        let read = imported(&arena, &fixture("inspect/basic.json"));
        let [first, second] = &read.value[..] else {
            panic!("{} samples", read.value.len());
        };
        assert_eq!(first.trajectory_id, Some("1"));
        assert_eq!(
            calls_of(first),
            [
                r#"{"id":"bash_1","name":"bash","arguments":{"cmd":"ls"},"result":"notes.txt"}"#,
                r#"{"id":"bash_2","name":"bash","arguments":{"cmd":"cat /root/x"},"error":{"type":"permission","message":"Permission denied"}}"#,
                r#"{"id":"bash_3","name":"bash","arguments":{"cmd":"yes"},"result":"y\ny\n…","error":{"type":"output_limit","message":"The output was too long."}}"#,
            ]
        );
        assert!(first.tools.is_some());
        assert_eq!(calls_of(second), Vec::<String>::new());
        assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    }

    #[test]
    fn the_error_names_what_half_a_log_lacks() {
        let reason = failure(r#"{"eval":{},"plan":{}}"#).to_string();
        assert!(
            reason.contains("inspect, but it lacks its `samples`"),
            "{reason}"
        );
        let error = failure(r#"{"eval":{},"samples":[{"messages":[]},{"id":2}]}"#);
        assert_eq!(error.report().path.as_deref(), Some("samples[1].messages"));
    }
}
