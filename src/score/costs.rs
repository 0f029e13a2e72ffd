//! What a run cost, as far as its log says.

use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{OffsetDateTime, PrimitiveDateTime};
use toolgauge_matching::Cost;
use toolgauge_model::{Json, Member, Trajectory};

/// Members of a message or of a run that hold what the model used.
const USAGE: [&str; 5] = [
    "usage",
    "usage_metadata",
    "usageMetadata",
    "metrics",
    "token_usage",
];

/// Members that hold the number of all tokens.
const ALL_TOKENS: [&str; 3] = ["total_tokens", "totalTokens", "totalTokenCount"];

/// Members that hold the numbers of tokens read and written. The first of each list that is there counts.
const TOKENS: [&[&str]; 2] = [
    &[
        "input_tokens",
        "prompt_tokens",
        "inputTokens",
        "promptTokens",
        "promptTokenCount",
    ],
    &[
        "output_tokens",
        "completion_tokens",
        "outputTokens",
        "completionTokens",
        "candidatesTokenCount",
    ],
];

/// Members that hold money.
const MONEY: [&str; 6] = [
    "cost",
    "cost_usd",
    "costUSD",
    "total_cost",
    "total_cost_usd",
    "agent_cost",
];

/// Timestamps from this number on count milliseconds since 1970 instead of seconds.
const MILLISECONDS_FROM: f64 = 1e11;

/// What a run cost, as far as its log says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs<'a> {
    calls: usize,
    turns: Option<usize>,
    tokens: Option<f64>,
    money: Option<f64>,
    /// The times of the turns that have one. They are read only if a budget of time asks for them.
    timestamps: Vec<&'a str>,
}

impl<'a> Costs<'a> {
    /// Creates the costs of a run of which only the number of calls is known.
    pub fn of_calls(calls: usize) -> Self {
        Self {
            calls,
            ..Self::default()
        }
    }

    /// Creates the costs that `trajectory` states.
    pub fn of(trajectory: &Trajectory<'a>) -> Self {
        let of_turns = |read: fn(&[Member<'_>]) -> Option<f64>| {
            let in_turns = trajectory.turns.iter().filter_map(|turn| read(turn.extra));
            let in_turns = in_turns.reduce(|sum, more| sum + more);
            read(trajectory.extra).or(in_turns)
        };
        let timestamps = trajectory.turns.iter().filter_map(|turn| turn.timestamp);
        Self {
            calls: trajectory.call_count(),
            turns: Some(trajectory.agent_turns().count()),
            tokens: of_turns(tokens),
            money: of_turns(money),
            timestamps: timestamps.collect(),
        }
    }

    /// Returns how much the run cost; `None` if its log does not say.
    pub fn spent(&self, cost: Cost) -> Option<f64> {
        match cost {
            Cost::Calls => Some(self.calls as f64),
            Cost::Turns => self.turns.map(|turns| turns as f64),
            Cost::Tokens => self.tokens,
            Cost::Seconds => seconds(&self.timestamps),
            Cost::Cost => self.money,
        }
    }
}

/// Returns the places in which `members` may say what the model used.
fn places<'m, 'a>(members: &'m [Member<'a>]) -> impl Iterator<Item = &'m [Member<'a>]> {
    let inner = members.iter().filter(|(key, _)| USAGE.contains(key));
    let inner = inner.filter_map(|(_, value)| value.members());
    inner.chain([members])
}

fn number(members: &[Member<'_>], keys: &[&str]) -> Option<f64> {
    keys.iter()
        .find_map(|key| match Json::Object(members).get(key) {
            Some(Json::Number(number)) => Some(number.as_f64()),
            _ => None,
        })
}

fn tokens(members: &[Member<'_>]) -> Option<f64> {
    places(members).find_map(|place| {
        let parts = TOKENS.into_iter().filter_map(|keys| number(place, keys));
        number(place, &ALL_TOKENS).or_else(|| parts.reduce(|sum, more| sum + more))
    })
}

fn money(members: &[Member<'_>]) -> Option<f64> {
    places(members).find_map(|place| number(place, &MONEY))
}

/// Returns the time from the first to the last timestamp, if two can be read.
fn seconds(timestamps: &[&str]) -> Option<f64> {
    let times = timestamps.iter().filter_map(|text| read_time(text));
    let times: Vec<f64> = times.collect();
    let first = times.iter().copied().reduce(f64::min)?;
    let last = times.iter().copied().reduce(f64::max)?;
    (times.len() > 1).then_some(last - first)
}

/// Returns the seconds since 1970, of a time without an offset as if it were UTC.
fn read_time(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        return number
            .is_finite()
            .then(|| match number >= MILLISECONDS_FROM {
                true => number / 1_000.0,
                false => number,
            });
    }
    let with_offset = OffsetDateTime::parse(text, &Rfc3339).ok();
    let read = with_offset.or_else(|| {
        let text = text.replacen(' ', "T", 1);
        let time = PrimitiveDateTime::parse(&text, &Iso8601::DEFAULT).ok()?;
        Some(time.assume_utc())
    });
    read.map(|time| time.unix_timestamp_nanos() as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bumpalo::Bump;
    use toolgauge_formats::import_trajectory;
    use toolgauge_model::testing::arena_json;
    use toolgauge_model::{Limits, Reader};

    fn costs(trajectory: &str) -> Vec<(Cost, f64)> {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let imported = import_trajectory(arena_json(&arena, trajectory), None, reader);
        let costs = Costs::of(&imported.expect("a trajectory").value);
        let all = [
            Cost::Calls,
            Cost::Turns,
            Cost::Tokens,
            Cost::Seconds,
            Cost::Cost,
        ];
        let known = all.into_iter();
        known
            .filter_map(|cost| Some((cost, costs.spent(cost)?)))
            .collect()
    }

    #[test]
    fn tokens_time_and_money_are_read_where_logs_have_them() {
        let run = r#"{"agent_cost":0.25,"turns":[
            {"role":"user","content":"a","timestamp":"2024-05-16T10:00:00Z"},
            {"role":"agent","content":"b","timestamp":"2024-05-16 10:00:30","usage":{"total_tokens":70},
                "tool_calls":[{"name":"f"}]},
            {"role":"agent","content":"c","timestamp":"2024-05-16T12:01:30+02:00",
                "usage":{"prompt_tokens":20,"completion_tokens":10}}]}"#;
        assert_eq!(
            costs(run),
            [
                (Cost::Calls, 1.0),
                (Cost::Turns, 2.0),
                (Cost::Tokens, 100.0),
                (Cost::Seconds, 90.0),
                (Cost::Cost, 0.25)
            ]
        );
    }

    #[test]
    fn what_a_log_does_not_say_is_not_known() {
        let run = r#"{"turns":[{"role":"agent","content":"b","timestamp":"yesterday","usage":7}]}"#;
        assert_eq!(costs(run), [(Cost::Calls, 0.0), (Cost::Turns, 1.0)]);
    }
}
