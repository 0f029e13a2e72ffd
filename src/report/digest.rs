//! What a report of bounded length keeps of a batch of any length: the worst of it, and a few counts.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::finding::{Judgement, tell};
use crate::batch::CheckedDocument;
use crate::issue::Severity;

/// Most warnings and most documents that could not be read that are told one by one.
const MOST_NOTES: usize = 100;

/// The worst of a batch, as one report tells it. Digests merge: those of the parts of an input, in their
/// order, make the digest of the whole.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// What is told, the worst of each group first.
    entries: Vec<Entry>,
    /// How many issues there are of each type, by severity, the worst first.
    by_type: BTreeMap<String, [u64; 4]>,
    /// The first warnings of the import.
    warnings: Vec<String>,
    /// The first documents that could not be read, and why.
    unread: Vec<String>,
}

/// One thing that a report tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Entry {
    group: u8,
    rank: u32,
    text: String,
}

/// How much of a batch is kept.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// Most entries of each group.
    pub entries: usize,
    /// Most bytes of all entries; the first is kept, however long.
    pub bytes: usize,
}

impl Digest {
    /// Adds what is to be told; more comes first the higher its `rank`.
    pub fn add_entry(&mut self, group: u8, rank: u32, text: String) {
        self.entries.push(Entry { group, rank, text });
    }

    /// Counts the issues of a document, and notes its warnings and why it could not be read.
    pub fn add_document(&mut self, document: &CheckedDocument<'_, '_>) {
        match &document.outcome {
            Err(error) => {
                let place = tell(document.place);
                let note = [place.as_str(), &error.message];
                note_in(&mut self.unread, join(note));
            }
            Ok(judged) => {
                for issue in judged.reports.iter().flat_map(|report| report.issues()) {
                    let label = issue.kind.label();
                    if !self.by_type.contains_key(label) {
                        self.by_type.insert(label.to_owned(), [0; 4]);
                    }
                    let at = Severity::ALL.iter().position(|it| *it == issue.severity);
                    if let (Some(counts), Some(at)) = (self.by_type.get_mut(label), at) {
                        counts[at] += 1;
                    }
                }
                for warning in &judged.imported.warnings {
                    let place = tell(document.place);
                    let note = [place.as_str(), &warning.path, &warning.message];
                    note_in(&mut self.warnings, join(note));
                }
            }
        }
    }

    /// Adds the digest of what comes later.
    pub fn merge(&mut self, later: Self) {
        self.entries.extend(later.entries);
        for (kind, counts) in later.by_type {
            let sums = self.by_type.entry(kind).or_default();
            for (sum, more) in sums.iter_mut().zip(counts) {
                *sum = sum.saturating_add(more);
            }
        }
        for note in later.warnings {
            note_in(&mut self.warnings, note);
        }
        for note in later.unread {
            note_in(&mut self.unread, note);
        }
    }

    /// Keeps what there is room for.
    pub fn settle(&mut self, room: Room) {
        self.entries
            .sort_by_key(|entry| (entry.group, std::cmp::Reverse(entry.rank)));
        let (mut group, mut count, mut bytes) = (0, 0, 0);
        self.entries.retain(|entry| {
            if entry.group != group {
                (group, count) = (entry.group, 0);
            }
            count += 1;
            bytes += entry.text.len();
            count <= room.entries && (bytes <= room.bytes || bytes == entry.text.len())
        });
    }

    /// The entries of one group, the worst first.
    pub fn group(&self, group: u8) -> impl Iterator<Item = &str> {
        let entries = self.entries.iter().filter(move |it| it.group == group);
        entries.map(|entry| entry.text.as_str())
    }

    /// How many issues there are of each type, by severity, the most frequent type first.
    pub fn by_type(&self) -> Vec<(&str, [u64; 4])> {
        let mut counts: Vec<_> = self.by_type.iter().collect();
        counts.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().sum::<u64>()));
        let counts = counts.into_iter();
        counts
            .map(|(kind, counts)| (kind.as_str(), *counts))
            .collect()
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
pub fn rank_of(judgement: &Judgement<'_>) -> u32 {
    let worst = judgement.worst().map_or(0, |worst| worst as u32 + 1);
    let missing = 1.0 - judgement.report.score.unwrap_or(1.0);
    worst * 1001 + (missing * 1000.0).round() as u32
}

fn note_in(notes: &mut Vec<String>, note: String) {
    if notes.len() < MOST_NOTES {
        notes.push(note);
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
        entries: 3,
        bytes: 12,
    };

    fn digest(entries: &[(u8, u32, String)]) -> Digest {
        let mut digest = Digest::default();
        for (group, rank, text) in entries {
            digest.add_entry(*group, *rank, text.clone());
        }
        digest
    }

    proptest! {
        #[test]
        fn digests_of_the_parts_make_the_digest_of_the_whole(
            entries in proptest::collection::vec((0..2_u8, 0..5_u32, "[a-z]{1,3}"), 0..40),
            at in 0..40_usize,
        ) {
            let (first, second) = entries.split_at(at.min(entries.len()));
            let (mut first, mut second, mut whole) = (digest(first), digest(second), digest(&entries));
            let room = Room { bytes: usize::MAX, ..ROOM };
            first.settle(room);
            second.settle(room);
            first.merge(second);
            first.settle(room);
            whole.settle(room);
            prop_assert_eq!(first, whole);
        }

        #[test]
        fn a_digest_never_passes_its_room(
            entries in proptest::collection::vec((0..2_u8, 0..5_u32, "[a-z]{1,30}"), 1..40),
        ) {
            let mut settled = digest(&entries);
            settled.settle(ROOM);
            let kept: Vec<_> = settled.entries.iter().map(|entry| entry.text.len()).collect();
            prop_assert!(kept.len() == 1 || kept.iter().sum::<usize>() <= ROOM.bytes);
            prop_assert!(!kept.is_empty());
            for group in 0..2 {
                prop_assert!(settled.group(group).count() <= ROOM.entries);
            }
        }
    }
}
