//! The bounded extract of a batch that some reports are made of: the worst entries and a few counts.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::finding::{CheckedTrajectory, location_of};
use super::rules::Rule;
use crate::batch::{CheckedDocument, Place};
use toolgauge_base::issue::Severity;
use toolgauge_formats::ImportWarning;
use toolgauge_model::error::ErrorReport;

/// The most warnings, and the most unreadable documents, that are listed.
const MOST_NOTES: usize = 100;

/// A bounded extract of a batch. Of each group it keeps the entries with the highest rank, and among equal
/// ranks the first ones, as many as fit. Once an entry is left out, all later ones in that order are left out
/// too, even if they would fit. This makes merging exact: however an input is cut, the digests of its
/// parts, merged in order, equal the digest of the whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    #[serde(skip)]
    room: Room,
    /// The kept entries, sorted except for the latest ones.
    entries: Vec<Entry>,
    /// How many entries came since the last sort, and how many bytes they have.
    #[serde(skip)]
    fresh: (usize, usize),
    /// The lowest rank, by group, that is still accepted: one more than the highest rank left out.
    least: Vec<u64>,
    /// The number of findings of each type and severity, in the order of both.
    counts: Vec<u64>,
    /// Returns the first warnings of the import.
    warnings: Vec<String>,
    /// The first documents that could not be read, with the reason.
    unread: Vec<String>,
}

/// One entry of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    group: usize,
    rank: u32,
    text: String,
}

/// How much of a batch is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The number of groups of entries.
    pub groups: usize,
    /// The most entries of each group.
    pub entries: usize,
    /// The most bytes of the entries of each group. The first entry is kept however long it is.
    pub bytes: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            groups: 1,
            entries: usize::MAX,
            bytes: usize::MAX,
        }
    }
}

impl Digest {
    /// Creates an empty digest that follows one after which only entries with this rank are accepted: see
    /// [`Digest::least_rank`].
    pub fn following(least: u64, room: Room) -> Self {
        Self {
            room,
            least: vec![least; room.groups],
            ..Self::default()
        }
    }

    /// Returns the lowest rank that is still accepted in any group.
    pub fn least_rank(&self) -> u64 {
        self.least.iter().min().copied().unwrap_or_default()
    }

    /// Adds an entry to a group. A higher `rank` comes first. `text` is called only if the entry may be kept.
    pub fn add_entry(&mut self, group: usize, rank: u32, text: impl FnOnce() -> String) {
        if takes(&self.least, group, u64::from(rank)) {
            let text = text();
            self.push(Entry { group, rank, text });
        }
    }

    // Drop surplus entries only when as many came as are kept, so that sorting costs little.
    fn push(&mut self, entry: Entry) {
        self.fresh.0 += 1;
        self.fresh.1 += entry.text.len();
        self.entries.push(entry);
        if self.fresh.0 >= self.room.entries || self.fresh.1 >= self.room.bytes {
            self.settle();
        }
    }

    /// Counts the issues of a document, and keeps its warnings or the reason why it could not be read.
    pub fn add_document(&mut self, document: &CheckedDocument<'_, '_>) {
        match &document.outcome {
            Err(error) => self.note_unread(document.place, error),
            Ok(checked) => {
                for issue in checked.reports.iter().flat_map(|report| report.issues()) {
                    if let Some(rule) = Rule::of(issue.kind).index() {
                        self.add_finding(rule, issue.severity);
                    }
                }
                self.note_warnings(document.place, &checked.imported.warnings);
            }
        }
    }

    /// Counts a finding; `kind` is the position of its type.
    pub fn add_finding(&mut self, kind: usize, severity: Severity) {
        let severity = Severity::ALL.iter().position(|it| *it == severity);
        let at = kind * Severity::ALL.len() + severity.unwrap_or_default();
        self.counts.resize(self.counts.len().max(at + 1), 0);
        self.counts[at] += 1;
    }

    /// Returns the number of findings of the type at a position, by severity.
    pub fn findings(&self, kind: usize) -> [u64; 4] {
        let start = kind * Severity::ALL.len();
        std::array::from_fn(|at| self.counts.get(start + at).copied().unwrap_or_default())
    }

    /// Keeps the reason why a document could not be read.
    pub fn note_unread(&mut self, place: Place<'_>, error: &ErrorReport) {
        note_in(&mut self.unread, || {
            join([&location_of(place), &error.message])
        });
    }

    /// Keeps the warnings of the import of a document.
    pub fn note_warnings(&mut self, place: Place<'_>, warnings: &[ImportWarning]) {
        for warning in warnings {
            let note = || join([&location_of(place), &warning.path, &warning.message]);
            note_in(&mut self.warnings, note);
        }
    }

    /// Merges the digest of a later part into this one.
    pub fn merge(&mut self, later: Self) {
        // Entries of equal rank here come before the one that was left out there.
        let stays = |it: &Entry| takes(&later.least, it.group, u64::from(it.rank) + 1);
        self.entries.retain(stays);
        let comes = |it: &Entry| takes(&self.least, it.group, u64::from(it.rank));
        let more = later.entries.into_iter().filter(comes);
        self.entries.extend(more);
        for (least, later) in self.least.iter_mut().zip(later.least) {
            *least = later.max(*least);
        }
        self.settle();
        let length = self.counts.len().max(later.counts.len());
        self.counts.resize(length, 0);
        for (sum, more) in self.counts.iter_mut().zip(later.counts) {
            *sum = sum.saturating_add(more);
        }
        for note in later.warnings {
            note_in(&mut self.warnings, || note);
        }
        for note in later.unread {
            note_in(&mut self.unread, || note);
        }
    }

    /// Sorts the entries and keeps those that fit.
    pub fn settle(&mut self) {
        self.fresh = (0, 0);
        self.entries
            .sort_by_key(|entry| (entry.group, Reverse(entry.rank)));
        let (mut group, mut count, mut bytes) = (0, 0, 0);
        self.entries.retain(|entry| {
            if entry.group != group {
                (group, count, bytes) = (entry.group, 0, 0);
            }
            count += 1;
            bytes += entry.text.len();
            let fits = count == 1 || (count <= self.room.entries && bytes <= self.room.bytes);
            if !fits {
                let least = self.least.get_mut(group);
                least
                    .into_iter()
                    .for_each(|it| *it = (u64::from(entry.rank) + 1).max(*it));
            }
            fits
        });
    }

    /// Returns the entries of one group, the worst first.
    pub fn group(&self, group: usize) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(move |it| it.group == group);
        entries.map(|entry| entry.text.as_str())
    }

    /// Returns the number of issues of each type, by severity, the most frequent type first.
    pub fn by_type(&self) -> Vec<(&'static str, [u64; 4])> {
        let mut by_type: Vec<(_, [u64; 4])> = Vec::new();
        for (rule, counts) in Rule::all().zip(self.counts.chunks(Severity::ALL.len())) {
            let label = rule.label();
            let known = by_type.iter().position(|(known, _)| *known == label);
            let at = known.unwrap_or_else(|| {
                by_type.push((label, [0; 4]));
                by_type.len() - 1
            });
            for (sum, count) in by_type[at].1.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        by_type.retain(|(_, counts)| counts.iter().sum::<u64>() > 0);
        by_type.sort_by_key(|(label, counts)| (Reverse(counts.iter().sum::<u64>()), *label));
        by_type
    }

    /// Returns the first warnings of the import.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the first documents that could not be read, with the reason.
    pub fn unread(&self) -> &[String] {
        &self.unread
    }
}

/// Ranks a trajectory: by its worst issue, then by its score.
pub fn rank_of(checked: &CheckedTrajectory<'_>) -> u32 {
    let worst = checked.worst().map_or(0, |worst| worst as u32 + 1);
    let missing = 1.0 - checked.report.score.unwrap_or(1.0);
    worst * 1001 + (missing * 1000.0).round() as u32
}

/// Returns whether an entry of this rank, in this group, is still accepted.
fn takes(least: &[u64], group: usize, rank: u64) -> bool {
    least.get(group).is_none_or(|least| rank >= *least)
}

fn note_in(notes: &mut Vec<String>, note: impl FnOnce() -> String) {
    if notes.len() < MOST_NOTES {
        notes.push(note());
    }
}

fn join<const N: usize>(parts: [&str; N]) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(": ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ROOM: Room = Room {
        groups: 2,
        entries: 3,
        bytes: 12,
    };

    type Ranked = (usize, u32, String);

    /// Generates far more entries than fit.
    fn entries(text: &'static str) -> impl Strategy<Value = Vec<Ranked>> {
        proptest::collection::vec((0..2_usize, 0..5_u32, text), 1..60)
    }

    /// Returns the digest of the entries that come after `before`.
    fn digest_after(before: &Digest, entries: &[Ranked], room: Room) -> Digest {
        let mut digest = Digest::following(before.least_rank(), room);
        for (group, rank, text) in entries {
            digest.add_entry(*group, *rank, || text.clone());
        }
        digest.settle();
        digest
    }

    fn digest(entries: &[Ranked], room: Room) -> Digest {
        digest_after(&Digest::default(), entries, room)
    }

    /// Returns what a digest should keep, computed from all entries at once.
    fn kept(entries: &[Ranked], group: usize, room: Room) -> Vec<&str> {
        let mut entries: Vec<_> = entries.iter().filter(|(of, ..)| *of == group).collect();
        entries.sort_by_key(|(_, rank, _)| Reverse(*rank));
        let texts = entries.iter().map(|(.., text)| text.as_str()).enumerate();
        let mut bytes = 0;
        texts
            .take(room.entries)
            .take_while(|(at, text)| {
                bytes += text.len();
                *at == 0 || bytes <= room.bytes
            })
            .map(|(_, text)| text)
            .collect()
    }

    fn rooms() -> impl Strategy<Value = Room> {
        (1..9_usize, 1..60_usize).prop_map(|(entries, bytes)| Room {
            groups: 2,
            entries,
            bytes,
        })
    }

    proptest! {
        #[test]
        fn digests_of_parts_merge_to_the_digest_of_the_whole(
            entries in entries("[a-z]{1,12}"),
            cuts in proptest::collection::vec(0..60_usize, 0..6),
            room in rooms(),
            knows_before in any::<bool>(),
        ) {
            let mut cuts: Vec<_> = cuts.into_iter().map(|at| at.min(entries.len())).collect();
            cuts.extend([0, entries.len()]);
            cuts.sort_unstable();
            let mut sum = Digest::following(0, room);
            for ends in cuts.windows(2) {
                let nothing = Digest::default();
                let before = if knows_before { &sum } else { &nothing };
                let part = digest_after(before, &entries[ends[0]..ends[1]], room);
                sum.merge(part);
            }
            prop_assert_eq!(&sum, &digest(&entries, room));
            for group in 0..2 {
                let kept_here: Vec<_> = sum.group(group).collect();
                prop_assert_eq!(kept_here, kept(&entries, group, room));
            }
        }

        #[test]
        fn merging_is_associative(
            parts in [entries("[a-z]{1,12}"), entries("[a-z]{1,12}"), entries("[a-z]{1,12}")],
            room in rooms(),
        ) {
            let [first, second, third] = parts.map(|part| digest(&part, room));
            let (mut left, mut right) = (first.clone(), second.clone());
            left.merge(second);
            left.merge(third.clone());
            right.merge(third);
            let mut all = first;
            all.merge(right);
            prop_assert_eq!(left, all);
        }

        #[test]
        fn a_digest_never_exceeds_its_room(entries in entries("[a-z]{1,30}")) {
            let settled = digest(&entries, ROOM);
            for group in 0..2 {
                let kept: Vec<_> = settled.group(group).map(str::len).collect();
                prop_assert!(kept.len() <= 1 || kept.iter().sum::<usize>() <= ROOM.bytes);
                prop_assert!(kept.len() <= ROOM.entries);
                let is_told = entries.iter().any(|(of, ..)| *of == group);
                prop_assert_eq!(!kept.is_empty(), is_told);
            }
        }

        #[test]
        fn a_digest_survives_serialization(entries in entries("[a-z]{1,30}")) {
            let digest = Digest { room: Room::default(), ..digest(&entries, ROOM) };
            let text = serde_json::to_string(&digest).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Digest>(&text).expect("a digest"), digest);
        }
    }

    #[test]
    fn entries_that_do_not_fit_are_not_rendered() {
        let mut digest = digest(&vec![(0, 7, "abcd".to_owned()); 4], ROOM);
        digest.add_entry(0, 7, || unreachable!());
        digest.add_entry(0, 8, || "worse".to_owned());
        digest.settle();
        assert_eq!(digest.group(0).collect::<Vec<_>>(), ["worse", "abcd"]);
    }
}
