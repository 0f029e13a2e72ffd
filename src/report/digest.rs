//! What a report of bounded length keeps of a batch of any length: the worst of it, and a few counts.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use super::finding::{CheckedTrajectory, tell};
use super::rules::Rule;
use crate::batch::CheckedDocument;
use crate::issue::Severity;

/// Most warnings and most documents that could not be read that are told one by one.
const MOST_NOTES: usize = 100;

/// The worst of a batch, as one report tells it: of each group the entries that rank highest and, of those that
/// rank the same, come first, as many as there is room for. What follows one that is left out is left out, too,
/// whether it would fit or not. So digests merge exactly: those of the parts of an input, in their order, make
/// the digest of the whole, however it is cut and however much is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    #[serde(skip)]
    room: Room,
    /// What is told, sorted but for those that came since.
    entries: Vec<Entry>,
    /// How many entries came since they were sorted, and how many bytes these have.
    #[serde(skip)]
    fresh: (usize, usize),
    /// The least rank, by group, of what can still be told: one more than the highest that was left out.
    least: Vec<u64>,
    /// How many issues there are of each type and severity, in the order of both.
    counts: Vec<u64>,
    /// The first warnings of the import.
    warnings: Vec<String>,
    /// The first documents that could not be read, and why.
    unread: Vec<String>,
}

/// One thing that a report tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    group: usize,
    rank: u32,
    text: String,
}

/// How much of a batch is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// How many groups of entries there are.
    pub groups: usize,
    /// Most entries of each group.
    pub entries: usize,
    /// Most bytes of the entries of each group; the first is kept, however long.
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
    /// A digest of nothing, to follow one after which only what has this rank can be told: see
    /// [`Digest::least_rank`].
    pub fn following(least: u64, room: Room) -> Self {
        Self {
            room,
            least: vec![least; room.groups],
            ..Self::default()
        }
    }

    /// The least rank of what can still be told in any group.
    pub fn least_rank(&self) -> u64 {
        self.least.iter().min().copied().unwrap_or_default()
    }

    /// Adds what is to be told in a group; more comes first the higher its `rank`. The text is made only if
    /// it may be told.
    pub fn add_entry(&mut self, group: usize, rank: u32, text: impl FnOnce() -> String) {
        if takes(&self.least, group, u64::from(rank)) {
            let text = text();
            self.push(Entry { group, rank, text });
        }
    }

    /// What there is no room for goes when as much has come as is kept, so that sorting costs little.
    fn push(&mut self, entry: Entry) {
        self.fresh.0 += 1;
        self.fresh.1 += entry.text.len();
        self.entries.push(entry);
        if self.fresh.0 >= self.room.entries || self.fresh.1 >= self.room.bytes {
            self.settle();
        }
    }

    /// Counts the issues of a document, and notes its warnings and why it could not be read.
    pub fn add_document(&mut self, document: &CheckedDocument<'_, '_>) {
        match &document.outcome {
            Err(error) => {
                let note = || join([&tell(document.place), &error.message]);
                note_in(&mut self.unread, note);
            }
            Ok(checked) => {
                for issue in checked.reports.iter().flat_map(|report| report.issues()) {
                    let rule = Rule::of(issue.kind).index();
                    let severity = Severity::ALL.iter().position(|it| *it == issue.severity);
                    if let (Some(rule), Some(severity)) = (rule, severity) {
                        let at = rule * Severity::ALL.len() + severity;
                        self.counts.resize(self.counts.len().max(at + 1), 0);
                        self.counts[at] += 1;
                    }
                }
                for warning in &checked.imported.warnings {
                    let note = || join([&tell(document.place), &warning.path, &warning.message]);
                    note_in(&mut self.warnings, note);
                }
            }
        }
    }

    /// Adds the digest of what comes later.
    pub fn merge(&mut self, later: Self) {
        // Of entries of one rank, those here come before the one that was left out there.
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

    /// Sorts what is to be told, and keeps what there is room for.
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

    /// The entries of one group, the worst first.
    pub fn group(&self, group: usize) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(move |it| it.group == group);
        entries.map(|entry| entry.text.as_str())
    }

    /// How many issues there are of each type, by severity, the most frequent type first.
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

    /// The first warnings of the import.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The first documents that could not be read, and why.
    pub fn unread(&self) -> &[String] {
        &self.unread
    }
}

/// How bad a trajectory is among others: by its worst issue, then by its score.
pub fn rank_of(checked: &CheckedTrajectory<'_>) -> u32 {
    let worst = checked.worst().map_or(0, |worst| worst as u32 + 1);
    let missing = 1.0 - checked.report.score.unwrap_or(1.0);
    worst * 1001 + (missing * 1000.0).round() as u32
}

/// Whether what has this rank, in this group, can still be told.
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

    type Told = (usize, u32, String);

    /// Entries of which far more come than there is room for.
    fn told(text: &'static str) -> impl Strategy<Value = Vec<Told>> {
        proptest::collection::vec((0..2_usize, 0..5_u32, text), 1..60)
    }

    /// The digest of what comes after `before`.
    fn digest_after(before: &Digest, entries: &[Told], room: Room) -> Digest {
        let mut digest = Digest::following(before.least_rank(), room);
        for (group, rank, text) in entries {
            digest.add_entry(*group, *rank, || text.clone());
        }
        digest.settle();
        digest
    }

    fn digest(entries: &[Told], room: Room) -> Digest {
        digest_after(&Digest::default(), entries, room)
    }

    /// What a digest keeps by its definition, of all at once.
    fn kept(entries: &[Told], group: usize, room: Room) -> Vec<&str> {
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
        fn digests_of_the_parts_make_the_digest_of_the_whole(
            entries in told("[a-z]{1,12}"),
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
                let told: Vec<_> = sum.group(group).collect();
                prop_assert_eq!(told, kept(&entries, group, room));
            }
        }

        #[test]
        fn how_parts_are_taken_together_does_not_matter(
            parts in [told("[a-z]{1,12}"), told("[a-z]{1,12}"), told("[a-z]{1,12}")],
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
        fn a_digest_never_passes_its_room(entries in told("[a-z]{1,30}")) {
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
        fn a_digest_that_is_written_and_read_again_is_the_same(entries in told("[a-z]{1,30}")) {
            let digest = Digest { room: Room::default(), ..digest(&entries, ROOM) };
            let text = serde_json::to_string(&digest).expect("JSON");
            prop_assert_eq!(serde_json::from_str::<Digest>(&text).expect("a digest"), digest);
        }
    }

    #[test]
    fn what_can_not_be_told_is_not_even_written() {
        let mut digest = digest(&vec![(0, 7, "abcd".to_owned()); 4], ROOM);
        digest.add_entry(0, 7, || unreachable!());
        digest.add_entry(0, 8, || "worse".to_owned());
        digest.settle();
        assert_eq!(digest.group(0).collect::<Vec<_>>(), ["worse", "abcd"]);
    }
}
