//! Times in another time zone: known points in time, shifted to the zones that a reply names.

use super::index::Index;
use super::pieces::{Joint, Piece, pieces};
use super::{Stated, range_of};
use toolgauge_facts::{Fact, FactValue, Token, WordList};

/// Zones and large cities, each with its offsets from UTC in winter and in summer, in minutes.
static ZONES: [(WordList, [i32; 2]); 16] = [
    (WordList::of("utc gmt z reykjavik"), [0, 0]),
    (WordList::of("london lisbon dublin bst wet"), [0, 60]),
    (
        WordList::of(
            "berlin paris madrid rome amsterdam vienna brussels zurich oslo stockholm copenhagen prague warsaw cet cest mez",
        ),
        [60, 120],
    ),
    (
        WordList::of("athens helsinki kyiv bucharest cairo eet eest"),
        [120, 180],
    ),
    (
        WordList::of("istanbul moscow msk riyadh nairobi"),
        [180, 180],
    ),
    (WordList::of("dubai"), [240, 240]),
    (
        WordList::of("ist mumbai delhi bangalore kolkata india"),
        [330, 330],
    ),
    (WordList::of("bangkok jakarta hanoi"), [420, 420]),
    (
        WordList::of("singapore beijing shanghai hongkong taipei manila perth sgt hkt"),
        [480, 480],
    ),
    (WordList::of("tokyo seoul jst kst osaka"), [540, 540]),
    (WordList::of("sydney melbourne aest aedt"), [600, 660]),
    (WordList::of("auckland nzst nzdt"), [720, 780]),
    (
        WordList::of("york boston washington toronto miami atlanta est edt et eastern"),
        [-300, -240],
    ),
    (
        WordList::of("chicago dallas houston austin cst cdt ct central"),
        [-360, -300],
    ),
    (
        WordList::of("denver phoenix mst mdt mt mountain"),
        [-420, -360],
    ),
    (
        WordList::of("angeles francisco seattle vancouver pst pdt pt pacific"),
        [-480, -420],
    ),
];

/// How many words before or after a time its zone may be.
const REACH: usize = 4;

/// The most letters of a zone's short name.
const LONGEST_SHORT: usize = 4;

/// How many words before a time the zone of its sentence may be: "In UTC, the first one would be 14:30".
const REACH_IN_SENTENCE: usize = 10;

/// The most bytes between a time and the same time in another zone.
const NEAR: usize = 120;

/// How many zones of a conversation are kept.
const MOST_ZONES: usize = 8;

/// The largest offset from UTC, in hours.
const FARTHEST: i32 = 14;

/// Adds the offsets of the zones that a text gives as settings: `Europe/Berlin`, `UTC+2`.
pub fn add_named(text: &str, zones: &mut Vec<[i32; 2]>) {
    let pieces = pieces(text);
    for pair in pieces.windows(2) {
        let [before, piece] = pair else { continue };
        let is_utc = ["utc", "gmt"].contains(&before.text.to_ascii_lowercase().as_str());
        let named = match piece.joint {
            Joint::Sign('/') => offsets_of(piece),
            Joint::Sign(sign @ ('+' | '-' | '−')) if is_utc => {
                let hours = piece.text.parse::<i32>().ok();
                let hours = hours.filter(|hours| *hours <= FARTHEST);
                let sign = if sign == '+' { 60 } else { -60 };
                hours.map(|hours| [sign * hours; 2])
            }
            _ => None,
        };
        let is_new = |zone: &[i32; 2]| !zones.contains(zone) && zones.len() < MOST_ZONES;
        let named = named.filter(is_new);
        zones.extend(named);
    }
}

/// Returns `true` if a time is a known one, converted to another zone: either that of a known point in time, or a known
/// time that the reply states with its own zone. `zones` are those that the user and the instructions named.
pub fn shows(fact: &Fact<'_>, reply: &Stated<'_, '_>, index: &Index, zones: &[[i32; 2]]) -> bool {
    let FactValue::Time(minutes) = &fact.value else {
        return false;
    };
    let beside = zone_of(fact, reply);
    let is_of_instant = |offsets: &[i32; 2]| {
        (1..=12).any(|month| {
            in_force(offsets, month).iter().any(|offset| {
                minutes.iter().any(|minute| {
                    let utc = (i32::from(*minute) - offset).rem_euclid(1_440);
                    index.holds_minute(utc as u16, month)
                })
            })
        })
    };
    beside.iter().chain(zones).any(is_of_instant)
        || beside.is_some_and(|offsets| is_converted(fact, minutes, offsets, reply))
}

/// Returns `true` if a known time nearby, stated in another zone, is the same moment.
fn is_converted(
    fact: &Fact<'_>,
    minutes: &[u16],
    offsets: [i32; 2],
    reply: &Stated<'_, '_>,
) -> bool {
    let from = fact.start.saturating_sub(NEAR);
    let first = reply.facts.partition_point(|other| other.start < from);
    let near = reply.facts[first..].iter();
    let near = near.take_while(|other| other.start <= fact.start + NEAR);
    let near = near.filter(|other| other.start != fact.start);
    near.filter_map(|other| match &other.value {
        FactValue::Time(known) => Some((known, zone_of(other, reply)?)),
        FactValue::Number(_) | FactValue::Date(_) | FactValue::Text(_) => None,
    })
    .any(|(known, others)| {
        let known = known
            .iter()
            .filter(|minute| reply.evidence.holds_time(**minute));
        known.into_iter().any(|known| {
            offsets.iter().zip(others).any(|(own, other)| {
                let converted = (i32::from(*known) + own - other).rem_euclid(1_440);
                minutes.contains(&(converted as u16))
            })
        })
    })
}

/// Returns the offsets of the zone beside a time: after it, up to the next number, or before it.
fn zone_of(fact: &Fact<'_>, reply: &Stated<'_, '_>) -> Option<[i32; 2]> {
    let all = reply.pieces();
    let range = range_of(fact, all);
    let after = all[range.end..].iter().take(REACH);
    let after = after.take_while(|piece| !piece.is_digits);
    let before = all[..range.start].iter().rev().take(REACH);
    let before = before.take_while(|piece| !piece.is_digits);
    let own = all[range.clone()].iter();
    let beside = own.chain(after).chain(before).find_map(offsets_of);
    beside.or_else(|| zone_of_sentence(&all[..range.start], reply.content))
}

/// Returns the offsets of the zone that the words before a time in its sentence name unambiguously.
fn zone_of_sentence(before: &[Piece<'_>], content: &str) -> Option<[i32; 2]> {
    let near = before.iter().rev().take(REACH_IN_SENTENCE);
    let near = near.take_while(|piece| !piece.is_digits);
    near.take_while(|piece| !content[piece.end()..].starts_with(['.', '!', '?', '\n']))
        .filter(|piece| {
            let is_short = piece.text.bytes().all(|byte| byte.is_ascii_uppercase());
            let is_city = piece.text.starts_with(|c: char| c.is_uppercase());
            (is_short && piece.text.len() > 2) || (is_city && piece.text.len() > LONGEST_SHORT)
        })
        .find_map(offsets_of)
}

fn offsets_of(piece: &Piece<'_>) -> Option<[i32; 2]> {
    let word = Token::of_word(piece.text);
    let zone = ZONES.iter().find(|(names, _)| word.says_one_of(names));
    zone.map(|(_, offsets)| *offsets)
}

/// Returns the offsets that may be in force in a month: both if the clocks may change in it.
fn in_force(offsets: &[i32; 2], month: u8) -> &[i32] {
    let is_southern = offsets[0] >= 600;
    match (month, is_southern) {
        (3 | 4 | 10 | 11, _) => offsets,
        (5..=9, false) | (1 | 2 | 12, true) => &offsets[1..],
        _ => &offsets[..1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_named_by_their_place_or_by_their_offset() {
        let named = |text| {
            let mut zones = Vec::new();
            add_named(text, &mut zones);
            zones
        };
        assert_eq!(named("Their zone is Europe/Oslo."), [[60, 120]]);
        assert_eq!(named("All times in UTC-3, please"), [[-180, -180]]);
        assert_eq!(named("Oslo or UTC, 3 of us, and/or UTC+99"), [[0i32; 2]; 0]);
    }

    #[test]
    fn the_clocks_change_in_spring_and_in_autumn() {
        assert_eq!(in_force(&[60, 120], 7), [120]);
        assert_eq!(in_force(&[60, 120], 1), [60]);
        assert_eq!(in_force(&[600, 660], 1), [660]);
        assert_eq!(in_force(&[60, 120], 3), [60, 120]);
    }
}
