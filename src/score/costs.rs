//! What a run cost, as far as its log says.

use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{OffsetDateTime, PrimitiveDateTime};
use toolgauge_matching::Cost;
use toolgauge_model::{Json, Member, Trajectory};

/// Members of a message or of a run that hold what the model used. The first that is there counts: where both are, `usage` is
/// that of the last step.
pub const USAGE: [&str; 9] = [
    "totalUsage",
    "final_metrics",
    "usage",
    "usage_metadata",
    "usageMetadata",
    "metrics",
    "token_usage",
    "models_usage",
    TOKENS_APART,
];

/// A member of a message, or of what the model used, that holds nothing but numbers of tokens.
const TOKENS_APART: &str = "tokens";

/// Members that hold the number of all tokens.
pub const ALL_TOKENS: [&str; 3] = ["total_tokens", "totalTokens", "totalTokenCount"];

/// Members that hold the number of tokens read. The first that is there counts.
pub const INPUT_TOKENS: [&str; 6] = [
    "input_tokens",
    "prompt_tokens",
    "inputTokens",
    "promptTokens",
    "promptTokenCount",
    "total_prompt_tokens",
];

/// Members that hold the number of tokens written. The first that is there counts.
pub const OUTPUT_TOKENS: [&str; 6] = [
    "output_tokens",
    "completion_tokens",
    "outputTokens",
    "completionTokens",
    "candidatesTokenCount",
    "total_completion_tokens",
];

/// The numbers of tokens whose sum is that of all.
const TOKENS: [&[&str]; 2] = [&INPUT_TOKENS, &OUTPUT_TOKENS];

/// As [`ALL_TOKENS`] and [`TOKENS`], for members of an object that holds nothing but numbers of tokens.
const ALL_APART: [&str; 1] = ["total"];
const APART: [&[&str]; 2] = [&["input"], &["output"]];

/// Members that hold money. The first that is there counts.
pub const MONEY: [&str; 6] = [
    "cost",
    "cost_usd",
    "costUSD",
    "total_cost",
    "total_cost_usd",
    "agent_cost",
];

/// Members of a turn or a call that hold when it began. The first that is there counts. `timestamp` comes after them.
pub const STARTS: [&str; 4] = ["started_at", "startedAt", "start_time", "startTime"];

/// Members of a turn or a call that hold when it ended. The first that is there counts.
pub const ENDS: [&str; 7] = [
    "ended_at",
    "endedAt",
    "end_time",
    "endTime",
    "completed_at",
    "completedAt",
    "completed",
];

/// Numbers from this one on may count seconds since 1970.
const SECONDS_FROM: f64 = 1e8;

/// Timestamps from these numbers on count nanoseconds, microseconds or milliseconds since 1970 instead of seconds: how many
/// there are in a second.
const UNITS: [(f64, f64); 3] = [(1e17, 1e9), (1e14, 1e6), (1e11, 1e3)];

/// What a run cost, as far as its log says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Costs<'a> {
    calls: usize,
    turns: Option<usize>,
    tokens: Option<f64>,
    money: Option<f64>,
    /// The times of the turns and calls that have one. They are read only if a budget of time asks for them.
    timestamps: Vec<Json<'a>>,
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
        let timestamps = trajectory.turns.iter().flat_map(|turn| {
            let calls = turn.tool_calls.iter().map(|call| call.extra);
            let members = std::iter::once(turn.extra).chain(calls);
            let own = turn.timestamp.map(Json::String);
            own.into_iter().chain(members.flat_map(times))
        });
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

/// Returns the times in `members`. Small numbers count from another moment than 1970.
fn times<'a>(members: &'a [Member<'a>]) -> impl Iterator<Item = Json<'a>> {
    let is_time = |(key, value): &&Member<'a>| {
        let is_small = matches!(value, Json::Number(number) if number.as_f64() < SECONDS_FROM);
        let is_named = *key == "timestamp" || STARTS.contains(key) || ENDS.contains(key);
        is_named && !is_small
    };
    members.iter().filter(is_time).map(|(_, value)| *value)
}

/// Returns the objects in `members` that say what the model used.
fn usages<'a>(members: &[Member<'a>]) -> impl Iterator<Item = &'a [Member<'a>]> {
    let named = USAGE.iter().filter_map(|key| {
        let (_, usage) = members.iter().find(|(name, _)| name == key)?;
        usage.members()
    });
    named.flat_map(|usage| {
        let apart = Json::Object(usage).get(TOKENS_APART);
        [Some(usage), apart.and_then(Json::members)]
            .into_iter()
            .flatten()
    })
}

fn number(members: &[Member<'_>], keys: &[&str]) -> Option<f64> {
    keys.iter()
        .find_map(|key| match Json::Object(members).get(key) {
            Some(Json::Number(number)) => Some(number.as_f64()),
            _ => None,
        })
}

fn tokens(members: &[Member<'_>]) -> Option<f64> {
    let in_usage = usages(members).find_map(|usage| {
        count(usage, &ALL_TOKENS, TOKENS).or_else(|| count(usage, &ALL_APART, APART))
    });
    in_usage.or_else(|| count(members, &ALL_TOKENS, TOKENS))
}

/// Returns the number of all tokens in `members`, or else the sum of those read and written.
fn count(members: &[Member<'_>], all: &[&str], parts: [&[&str]; 2]) -> Option<f64> {
    let parts = parts.into_iter().filter_map(|keys| number(members, keys));
    number(members, all).or_else(|| parts.reduce(|sum, more| sum + more))
}

fn money(members: &[Member<'_>]) -> Option<f64> {
    let in_usage = usages(members).find_map(|usage| number(usage, &MONEY));
    in_usage.or_else(|| number(members, &MONEY))
}

/// Returns the time from the first to the last timestamp, if two can be read.
fn seconds(timestamps: &[Json<'_>]) -> Option<f64> {
    let times = timestamps.iter().filter_map(|time| match time {
        Json::Number(number) => Some(seconds_since_1970(number.as_f64())),
        Json::String(text) => read_time(text),
        _ => None,
    });
    let times: Vec<f64> = times.collect();
    let first = times.iter().copied().reduce(f64::min)?;
    let last = times.iter().copied().reduce(f64::max)?;
    (times.len() > 1).then_some(last - first)
}

/// Returns the seconds since 1970, of a time without an offset as if it were UTC.
fn read_time(text: &str) -> Option<f64> {
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then(|| seconds_since_1970(number));
    }
    let with_offset = OffsetDateTime::parse(text, &Rfc3339).ok();
    let read = with_offset.or_else(|| {
        let text = text.replacen(' ', "T", 1);
        let time = PrimitiveDateTime::parse(&text, &Iso8601::DEFAULT).ok()?;
        Some(time.assume_utc())
    });
    read.map(|time| time.unix_timestamp_nanos() as f64 / 1e9)
}

fn seconds_since_1970(number: f64) -> f64 {
    let unit = UNITS.iter().find(|(from, _)| number >= *from);
    number / unit.map_or(1.0, |(_, per_second)| *per_second)
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
    fn time_lasts_from_the_first_start_to_the_last_end() {
        let run = r#"{"turns":[{"role":"agent","content":"b","timestamp":"1767600001000000000","ended_at":"1767600002000000000",
            "tool_calls":[{"name":"f","started_at":"1767600002.000000000","ended_at":1767600004500,"end_time":3.5}]}]}"#;
        assert!(costs(run).contains(&(Cost::Seconds, 3.5)));
    }

    #[test]
    fn the_usage_of_a_whole_run_counts_before_that_of_its_last_step() {
        let run = r#"{"usage":{"totalTokens":2},"totalUsage":{"totalTokens":9},"turns":[{"role":"agent","content":"b"}]}"#;
        assert!(costs(run).contains(&(Cost::Tokens, 9.0)));
    }

    #[test]
    fn numbers_of_tokens_may_be_apart() {
        for usage in [
            r#""models_usage":{"prompt_tokens":3,"completion_tokens":4}"#,
            r#""tokens":{"input":3,"output":4,"cached":1,"total":7}"#,
            r#""usage":{"billed_units":{"input_tokens":1},"tokens":{"input_tokens":3,"output_tokens":4}}"#,
        ] {
            let run = format!(r#"{{"turns":[{{"role":"agent","content":"b",{usage}}}]}}"#);
            assert!(costs(&run).contains(&(Cost::Tokens, 7.0)), "{usage}");
        }
    }

    #[test]
    fn what_a_log_does_not_say_is_not_known() {
        let run = r#"{"turns":[{"role":"agent","content":"b","timestamp":"yesterday","usage":7}]}"#;
        assert_eq!(costs(run), [(Cost::Calls, 0.0), (Cost::Turns, 1.0)]);
    }
}
