//! Supports numbers that no evidence contains but that are cheaper to derive than to hit by chance.
//!
//! A number of a reply carries as many bits as its digits do. Derivations are tried from the numbers of its sentence,
//! then from the amounts near it, the rows of results that the sentence names, and their columns. To name one of `n`
//! results costs the logarithm of `n`. The number is supported if naming its derivation is clearly cheaper than the
//! number itself.

mod claim;
mod columns;
mod counts;
mod cues;
mod fields;
mod filtered;
mod fits;
mod formulas;
mod headings;
mod labels;
mod listed;
mod names;
mod nearby;
mod plans;
mod pool;
mod products;
mod ranges;
mod records;
mod reply;
mod rows;
mod same;
mod scopes;
mod search;
mod siblings;
mod spans;
mod units;
mod values;

use super::background::Background;
use toolgauge_facts::{Fact, FactKind, TextId};
use toolgauge_model::first_bytes;

pub use counts::counts_bullets;
use reply::Reply;

/// How many numbers of a reply are derived at most.
const MOST_CLAIMS: usize = 60;

/// How many expressions are tried for all numbers of a reply together.
const MOST_TRIED: u32 = 80_000;

/// How many numbers of results are read for all numbers of a reply together.
const MOST_LOOKED_AT: usize = 2_000_000;

/// How many rounds are run, each of which may use the numbers derived before.
const MOST_ROUNDS: usize = 3;

/// Checks whether a fact is of a kind that can be derived.
pub fn may_follow(fact: &Fact<'_>) -> bool {
    match fact.kind {
        FactKind::Money | FactKind::Number | FactKind::Percent | FactKind::Time => true,
        FactKind::Identifier => ranges::may_be_range(fact),
        FactKind::Date
        | FactKind::Email
        | FactKind::Url
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => false,
    }
}

/// Marks the facts of a reply, the text `id`, as known if they can be derived from known facts and from evidence. Facts
/// that are `denied` are never marked.
pub fn work_out(
    content: &str,
    id: TextId,
    stated: &[Fact<'_>],
    known: &mut [bool],
    denied: &[bool],
    background: &Background<'_, '_>,
) {
    let is_open = |at: &usize| !known[*at] && !denied[*at] && may_follow(&stated[*at]);
    let mut open: Vec<_> = (0..stated.len())
        .filter(is_open)
        .take(MOST_CLAIMS)
        .collect();
    if open.is_empty() {
        return;
    }
    let mut reply = Reply::of(content, id, stated, background);
    work_out_of(&mut reply, &mut open, known);
    #[cfg(test)]
    tests::note(reply.tried, reply.looked_at);
}

/// Tries the open facts in rounds, until a round derives none.
fn work_out_of(reply: &mut Reply<'_, '_>, open: &mut Vec<usize>, known: &mut [bool]) {
    for _ in 0..MOST_ROUNDS {
        let before = open.len();
        for at in same::follow(reply, open) {
            known[at] = true;
        }
        open.retain(|at| {
            if known[*at] {
                return false;
            }
            let is_left = reply.tried < MOST_TRIED && reply.looked_at < MOST_LOOKED_AT;
            let follows = is_left && reply.follows(*at, known);
            known[*at] |= follows;
            !follows
        });
        if open.is_empty() || open.len() == before {
            return;
        }
    }
}

/// Returns the last character boundary at or before `place`.
fn char_start(content: &str, place: usize) -> usize {
    first_bytes(content, place).len()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::testing::texts_unsupported_after;
    use super::{MOST_LOOKED_AT, MOST_TRIED};

    thread_local! {
        /// The expressions tried and the numbers read for the last reply.
        static STEPS: Cell<(u32, usize)> = const { Cell::new((0, 0)) };
    }

    /// Records how much work a reply took.
    pub fn note(tried: u32, looked_at: usize) {
        STEPS.set((tried, looked_at));
    }

    /// Returns the unsupported facts of a reply to this result.
    fn unsupported(result: &str, reply: &str) -> Vec<String> {
        let turns = format!(
            r#"{{"turn_id":1,"role":"system","content":"Today is 2031-03-02."}},
            {{"turn_id":2,"role":"user","content":"And?"}},
            {{"turn_id":3,"role":"agent","tool_calls":[{{"name":"look_up","result":{result}}}]}}"#
        );
        texts_unsupported_after(&turns, reply)
    }

    fn check(result: &str, cases: &[(&str, &[&str])]) {
        for (reply, expected) in cases {
            assert_eq!(unsupported(result, reply), *expected, "{reply}");
        }
    }

    const STALLS: &str = r#"{"fee":1250.5,"stalls":[
        {"stall":"Plums","town":"Ulm","sold":412.75,"visitors":1370,"refused":28},
        {"stall":"Pears","town":"Ulm","sold":655.2,"visitors":1912,"refused":31},
        {"stall":"Figs","town":"Bern","sold":87.35,"visitors":455,"refused":97}]}"#;

    #[test]
    fn amounts_of_one_sentence_need_no_words() {
        check(
            r#"{"a":4127,"b":3310,"c":0.8125}"#,
            &[
                ("It went from 3310 to 4127, so 817 came on top.", &[]),
                ("It went from 3310 to 4127, so 827 came on top.", &["827"]),
                ("4127 at 0.8125 is 3353.19.", &[]),
                ("4127 at 0.8125 is 3352.19.", &["3352.19"]),
                ("Between 3310 and 4127, 17 are new.", &["17"]),
            ],
        );
    }

    #[test]
    fn rows_that_the_sentence_names_are_worked_with() {
        check(
            STALLS,
            &[
                ("Plums took $0.30 per visitor.", &[]),
                ("Plums took $0.43 per visitor.", &["$0.43"]),
                ("The rate of refused visitors at Figs is 21.3%.", &[]),
                ("The rate of refused visitors at Figs is 24.3%.", &["24.3%"]),
                ("Pears had 542 visitors more than Plums.", &[]),
                ("Pears had 524 visitors more than Plums.", &["524"]),
            ],
        );
    }

    #[test]
    fn columns_give_totals_of_all_and_of_what_is_alike() {
        check(
            STALLS,
            &[
                ("In total 3737 visitors came.", &[]),
                ("In total 3773 visitors came.", &["3773"]),
                ("Ulm had 3282 visitors.", &[]),
                ("Ulm had 3228 visitors.", &["3228"]),
                ("With the fee that is $2,405.80 in total.", &[]),
                ("The mean was 385.1 sold.", &[]),
                ("The mean was 386.1 sold.", &["386.1"]),
                ("The weight was 9071 in total.", &["9071"]),
            ],
        );
    }

    #[test]
    fn what_followed_serves_to_work_out_more() {
        check(
            STALLS,
            &[
                ("Overall 156 of 3737 visitors were refused, 4.2%.", &[]),
                (
                    "Overall 156 of 3737 visitors were refused, 5.2%.",
                    &["5.2%"],
                ),
            ],
        );
    }

    #[test]
    fn columns_of_a_table_have_the_cues_of_their_heads() {
        let table = |sum: &str| {
            format!("| Item | Price | Qty | Sum |\n|---|---|---|---|\n| Nut | $14 | 3 | ${sum} |")
        };
        let result = r#"[{"item":"Nut","price":14,"qty":3}]"#;
        assert_eq!(unsupported(result, &table("42")), [""; 0]);
        assert_eq!(unsupported(result, &table("45")), ["$45"]);
    }

    #[test]
    fn days_and_hours_lie_between_moments() {
        let result = r#"{"code":"KX71","opens":"2031-03-11T08:20","closes":"2031-03-16T10:05","minutes":50}"#;
        check(
            result,
            &[
                ("KX71 opens on March 11, in 9 days.", &[]),
                ("KX71 opens on March 11, in 19 days.", &["19"]),
                ("It is open for 5 days.", &[]),
                ("It is open for 6 days.", &["6"]),
                ("It ends at 9:10 after 50 minutes.", &[]),
                ("It ends at 9:20 after 50 minutes.", &["9:20"]),
            ],
        );
    }

    #[test]
    fn keys_tell_the_unit_of_what_is_converted() {
        let result = r#"{"wind_ms":11.4,"rain_in":2.7,"dose_mg":380}"#;
        check(
            result,
            &[
                ("The wind blows at 41 km/h.", &[]),
                ("The wind blows at 47 km/h.", &["47"]),
                ("That is 6.9 cm of rain and 0.38 g.", &[]),
                ("That is 6.4 cm of rain and 0.39 g.", &["6.4", "0.39"]),
            ],
        );
    }

    #[test]
    fn lines_records_and_bullets_are_counted() {
        let lines = r#""a.csv\nb.csv\nc.csv\nd.csv\ne.csv\nf.csv\ng.csv\n""#;
        check(
            lines,
            &[
                ("There are 7 files.", &[]),
                ("There are 9 files.", &["9"]),
                ("I propose 3 of them:\n- a\n- b\n- c", &[]),
                ("I propose 4 of them:\n- a\n- b\n- c", &["4"]),
            ],
        );
        let keyed =
            r#"{"kinds":{"a":{"ok":true},"b":{"ok":true},"c":{"ok":false},"d":{"ok":true}}}"#;
        check(
            keyed,
            &[("There are 4 kinds.", &[]), ("There are 8 kinds.", &["8"])],
        );
    }

    #[test]
    fn both_ends_of_a_range_of_codes_are_known() {
        let result = r#"["PK101 done","PK109 done"]"#;
        check(result, &[("All of PK101-PK109 is done.", &[])]);
        assert_eq!(unsupported(result, "All of PK101-PK190 is done.").len(), 1);
    }

    #[test]
    fn small_numbers_follow_at_one_place_only() {
        let result = r#"{"open":["Plums"]}"#;
        let listed = "I list 14 here:\n1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n8. h\n9. i\n10. j\n11. k\n12. l\n13. m\n14. n";
        assert!(!unsupported(result, listed).contains(&"14".to_owned()));
        let again = format!("The office has 14 open ones.\n\n{listed}");
        assert!(unsupported(result, &again).contains(&"14".to_owned()));
    }

    #[test]
    fn what_lasts_absurdly_long_ends_never() {
        let result = r#"{"code":"KX71","opens":"08:20","duration":9223372036854775807}"#;
        assert_eq!(unsupported(result, "KX71 ends at 9:40."), ["9:40"]);
    }

    #[test]
    fn the_work_for_large_results_is_bounded() {
        let rows: Vec<_> = (0..3000)
            .map(|at| {
                format!(
                    r#"{{"kind":"plum","a":{at}.5,"b":{},"c":{}.25}}"#,
                    3 * at + 1,
                    7 * at
                )
            })
            .collect();
        let result = format!("[{}]", rows.join(","));
        let numbers: Vec<_> = (0..80)
            .map(|at| format!("{}.17 plum in total", 13 * at + 900_001))
            .collect();
        assert!(!unsupported(&result, &numbers.join(" and ")).is_empty());
    }

    #[test]
    fn the_work_for_long_replies_is_bounded() {
        let numbers: Vec<_> = (0..3000)
            .map(|at| format!("{}.{at:04}", 7919 * (at + 3)))
            .collect();
        assert!(!unsupported(STALLS, &numbers.join(" more than ")).is_empty());
    }

    #[test]
    fn steps_for_large_replies_and_results_are_counted_and_few() {
        let rows: Vec<_> = (0..5000)
            .map(|at| {
                format!(
                    r#"{{"code":"QX{at}","a":{at}.5,"b":{},"c":{}.25,"d":{}}}"#,
                    3 * at + 1,
                    7 * at,
                    11 * at + 5
                )
            })
            .collect();
        let lines: Vec<_> = (0..1000)
            .map(|at| {
                format!(
                    "- QX{} and QX{}: total a ${}.17, difference ${}.39",
                    at % 5000,
                    (at * 7) % 5000,
                    13 * at + 901,
                    17 * at + 703
                )
            })
            .collect();
        unsupported(&format!("[{}]", rows.join(",")), &lines.join("\n"));
        let (tried, looked_at) = STEPS.get();
        assert!(tried > 0);
        assert!(tried < 2 * MOST_TRIED, "{tried}");
        assert!(looked_at < 2 * MOST_LOOKED_AT, "{looked_at}");
    }

    #[test]
    fn months_that_the_sentence_names_are_counted() {
        let result = r#"{"plan":"Ulm","monthly":183.4,"from":"March 2031","to":"July 2031"}"#;
        check(
            result,
            &[
                (
                    "From March 2031 to July 2031 at $183.40 each, $917.00 in total.",
                    &[],
                ),
                (
                    "From March 2031 to July 2031 at $183.40 each, $937.00 in total.",
                    &["$937.00"],
                ),
            ],
        );
    }

    #[test]
    fn what_is_left_of_a_total_follows_where_words_say_so() {
        let result = r#"{"due":1893,"card":408,"voucher":71}"#;
        check(
            result,
            &[
                ("Sum: $1,893\n1) $408\n2) $71\n3) $1,414 (remaining)", &[]),
                (
                    "Sum: $1,893\n1) $408\n2) $71\n3) $1,441 (remaining)",
                    &["$1,441"],
                ),
            ],
        );
    }

    #[test]
    fn a_time_that_followed_once_follows_again() {
        let result = r#"{"code":"KX71","opens":"08:20","minutes":45}"#;
        check(
            result,
            &[
                (
                    "KX71 starts at 08:20 (45 minutes) and ends at 9:05.\nNote: KX71, 08:20–9:05.",
                    &[],
                ),
                ("Note: KX71, 08:20–9:15.", &["9:15"]),
            ],
        );
    }
}
