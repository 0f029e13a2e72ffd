//! The names in a document. Most formats are ruled out by them, before a document is compared with each format.

use super::signs::first_of;
use toolgauge_model::Json;

/// A name, as a place in a [`Names`].
pub type Mark = u16;

/// How many places there are, so that two of the few names of a document rarely share one.
const PLACES: usize = 4096;

/// How deep names are looked for: in the parts of the messages of a document in a list, and a little deeper.
const DEPTH: usize = 8;

/// The member with calls in several formats. It is skipped, because its contents do not distinguish formats.
const CALLS: &str = "tool_calls";

/// What is before the value of a `role` in a name.
const ROLE: &[u8] = b"role=";

/// The marks of `names`.
pub const fn marks<const N: usize>(names: [&str; N]) -> [Mark; N] {
    let mut marks = [0; N];
    let mut at = 0;
    while at < N {
        marks[at] = mark(names[at].as_bytes());
        at += 1;
    }
    marks
}

/// The marks of two lists. `N` must be the number of all.
pub const fn both<const A: usize, const B: usize, const N: usize>(
    first: [Mark; A],
    second: [Mark; B],
) -> [Mark; N] {
    assert!(A + B == N);
    let mut all = [0; N];
    let mut at = 0;
    while at < N {
        all[at] = if at < A { first[at] } else { second[at - A] };
        at += 1;
    }
    all
}

const fn mark(name: &[u8]) -> Mark {
    let mut hash = 0;
    let mut at = 0;
    while at < name.len() {
        hash = with_byte(hash, name[at]);
        at += 1;
    }
    place(hash)
}

const fn with_byte(hash: u32, byte: u8) -> u32 {
    hash.wrapping_mul(31).wrapping_add(byte as u32)
}

const fn place(hash: u32) -> Mark {
    // The remainder is less than the number of places, which fits.
    ((hash ^ hash >> 12) % PLACES as u32) as Mark
}

/// The names in a document: the keys of its objects, also their parts before a dot, and the values of `role` as
/// `role=user`. Different names may share a place, so a name that is there may be another one.
pub struct Names {
    places: [u64; PLACES / 64],
}

impl Names {
    /// The names in `document`.
    pub fn of(document: Json<'_>) -> Self {
        let mut names = Self {
            places: [0; PLACES / 64],
        };
        names.add_all(document, DEPTH);
        names
    }

    /// Whether one of `marks` is there.
    pub fn has_any(&self, marks: &[Mark]) -> bool {
        let has = |mark: &Mark| self.places[usize::from(mark / 64)] >> (mark % 64) & 1 == 1;
        marks.iter().any(has)
    }

    fn add(&mut self, hash: u32) {
        let mark = place(hash);
        self.places[usize::from(mark / 64)] |= 1 << (mark % 64);
    }

    /// Adds a name, and the part before each of its dots.
    fn add_name(&mut self, name: &str) {
        let mut hash = 0;
        for byte in name.bytes() {
            if byte == b'.' {
                self.add(hash);
            }
            hash = with_byte(hash, byte);
        }
        self.add(hash);
    }

    fn add_role(&mut self, role: &str) {
        let bytes = ROLE.iter().copied().chain(role.bytes());
        self.add(bytes.fold(0, with_byte));
    }

    fn add_all(&mut self, value: Json<'_>, depth: usize) {
        match (value, depth.checked_sub(1)) {
            (Json::Array(items), Some(depth)) => {
                for item in first_of(items) {
                    self.add_all(*item, depth);
                }
            }
            (Json::Object(members), Some(depth)) => {
                for (key, value) in members {
                    self.add_member(key, *value, depth);
                }
            }
            _ => {}
        }
    }

    fn add_member(&mut self, key: &str, value: Json<'_>, depth: usize) {
        self.add_name(key);
        match value {
            Json::String(role) if key == "role" => self.add_role(role),
            Json::Array(_) | Json::Object(_) if key != CALLS => self.add_all(value, depth),
            _ => {}
        }
    }
}
