//! Times in another time zone: known points in time, with the offsets of the zones that a reply names.

use super::dates::civil;
use super::index::Index;
use super::{Stated, range_of};
use crate::facts::{Fact, FactValue};

/// Zones and large cities, with the offsets from UTC in minutes that they have in winter and in summer.
const ZONES: [(&str, [i32; 2]); 16] = [
    ("utc gmt z reykjavik", [0, 0]),
    ("london lisbon dublin bst wet", [0, 60]),
    (
        "berlin paris madrid rome amsterdam vienna brussels zurich oslo stockholm copenhagen prague warsaw cet cest mez",
        [60, 120],
    ),
    ("athens helsinki kyiv bucharest cairo eet eest", [120, 180]),
    ("istanbul moscow msk riyadh nairobi", [180, 180]),
    ("dubai", [240, 240]),
    ("ist mumbai delhi bangalore kolkata india", [330, 330]),
    ("bangkok jakarta hanoi", [420, 420]),
    ("singapore beijing shanghai hongkong taipei manila perth sgt hkt", [480, 480]),
    ("tokyo seoul jst kst osaka", [540, 540]),
    ("sydney melbourne aest aedt", [600, 660]),
    ("auckland nzst nzdt", [720, 780]),
    ("york boston washington toronto miami atlanta est edt et eastern", [-300, -240]),
    ("chicago dallas houston austin cst cdt ct central", [-360, -300]),
    ("denver phoenix mst mdt mt mountain", [-420, -360]),
    ("angeles francisco seattle vancouver pst pdt pt pacific", [-480, -420]),
];

/// How many words before and after a time its zone may stand.
const REACH: usize = 4;

/// Whether a time is that of a known point in time in a zone that is named beside it.
pub fn shows(fact: &Fact<'_>, reply: &Stated<'_, '_>, index: &Index) -> bool {
    let FactValue::Time(minutes) = &fact.value else {
        return false;
    };
    let all = reply.pieces();
    let range = range_of(fact, all);
    let after = all[range.end..].iter().take(REACH);
    let before = all[..range.start].iter().rev().take(REACH);
    let own = all[range.clone()].iter();
    let zone = after.chain(own).chain(before).find_map(|piece| {
        let word = piece.text.to_lowercase();
        ZONES.iter().find(|(names, _)| names.split(' ').any(|name| name == word))
    });
    let Some((_, offsets)) = zone else {
        return false;
    };
    index.instants().iter().any(|seconds| {
        let utc = seconds.div_euclid(60).rem_euclid(1_440) as i32;
        let (_, month, _) = civil(seconds.div_euclid(86_400));
        in_force(offsets, month)
            .iter()
            .any(|offset| minutes.contains(&((utc + offset).rem_euclid(1_440) as u16)))
    })
}

/// Those of the two offsets that may hold in a month: both where it changes.
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
    fn the_clocks_change_in_spring_and_in_autumn() {
        assert_eq!(in_force(&[60, 120], 7), [120]);
        assert_eq!(in_force(&[60, 120], 1), [60]);
        assert_eq!(in_force(&[600, 660], 1), [660]);
        assert_eq!(in_force(&[60, 120], 3), [60, 120]);
    }
}
