//! An index of all pieces of the raw evidence, in their order.

use foldhash::{HashMap, HashSet};

use super::pieces::{Joint, Piece, part_cells, pieces, unescaped};
use super::{dates, numbers};
use crate::civil::civil;
use toolgauge_facts::key_of;

/// How many places of one piece are checked.
const MOST_PLACES: usize = 300;

/// The most words that one id may have: the nine groups of an IBAN.
const MOST_WORDS: usize = 9;

/// Shorter ids and numbers are not looked up in another grouping.
pub const SHORTEST_ID: usize = 7;

/// The shortest id in groups that is looked up in another grouping if it is a whole text: `448 210`.
const SHORTEST_PIN: usize = 6;

/// Longer runs are not ids.
const LONGEST_ID: usize = 64;

/// How many leading characters may abbreviate an id, as in a short commit hash.
const HEAD: std::ops::RangeInclusive<usize> = 4..=12;

/// The shortest id that may be abbreviated by its first or last characters.
const SHORTEST_HASH: usize = 16;

/// The shortest hexadecimal id that may be abbreviated by its first characters, at least [`SHORTEST_ID`] of them.
const SHORTENED_HASH: usize = 10;

/// How many trailing digits may abbreviate a number: "ending in 4242".
const TAIL: std::ops::RangeInclusive<usize> = 3..=6;

/// How many digits a phone number has, including its country code.
const PHONE: std::ops::RangeInclusive<usize> = 9..=15;

/// The most digits of a country code.
pub const LONGEST_COUNTRY: usize = 4;

/// Shorter phone numbers are not looked up without their country code.
pub const SHORTEST_PHONE: usize = 8;

/// Words with more pieces are codes: a number inside one means nothing by itself.
const MOST_IN_WORD: usize = 4;

/// How many numbers in scientific notation are kept.
const MOST_SCIENTIFIC: usize = 1_000;

/// The relative tolerance for comparing numbers in scientific notation.
const MOST_OFF: f64 = 1e-6;

/// How the joints between two pieces are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Match {
    /// The joints must be equal.
    Same,
    /// Any joint that may occur inside an id matches.
    Grouped,
}

#[cfg(test)]
thread_local! {
    /// How many places of the evidence and pieces of replies were looked at.
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds to the count of work done, which only tests read.
pub fn note(count: usize) {
    #[cfg(test)]
    LOOKED_AT.set(LOOKED_AT.get() + count);
    #[cfg(not(test))]
    let _ = count;
}

/// Returns the work counted since the last call, and resets the count.
#[cfg(test)]
pub fn looked_at() -> usize {
    LOOKED_AT.take()
}

/// A piece of the evidence.
struct Known {
    key: u64,
    joint: Joint,
    is_digits: bool,
    /// Whether its word is a code.
    is_in_code: bool,
    /// The index of the previous piece with the same key.
    earlier: Option<u32>,
}

/// The pieces of all texts of the evidence.
#[derive(Default)]
pub struct Index {
    known: Vec<Known>,
    last: HashMap<u64, u32>,
    /// Hashes of ids and numbers without their separators.
    whole: HashSet<u64>,
    heads: HashSet<u64>,
    tails: HashSet<u64>,
    /// Hashes of phone numbers without their country code.
    phones: HashSet<u64>,
    /// Hashes of phone numbers that are written without a country code.
    national: HashSet<u64>,
    /// The days of points in time, each with its year and also with year 0, for lookups without a year.
    days: HashSet<(u16, u8, u8)>,
    /// The minutes of the day of points in time in UTC, each with its month.
    minutes: HashSet<(u16, u8)>,
    /// The numbers that are written in scientific notation.
    scientific: Vec<f64>,
}

impl Index {
    /// Adds a text, and also its unescaped form if it contains escapes.
    pub fn add(&mut self, text: &str) {
        self.add_plain(text);
        if let Some(plain) = unescaped(text) {
            self.add_plain(&plain);
        }
    }

    fn add_plain(&mut self, text: &str) {
        let mut pieces = pieces(text);
        part_cells(text, &mut pieces);
        let words = words(&pieces);
        self.add_ids(&pieces, &words);
        dates::add_instants(text, &pieces, self);
        numbers::add_scientific(text, &pieces, self);
        for word in &words {
            for piece in &pieces[word.clone()] {
                // `PT1H30M` is a duration.
                let is_duration = pieces[word.start].text.eq_ignore_ascii_case("pt");
                self.add_piece(piece, word.len() > MOST_IN_WORD && !is_duration);
            }
        }
    }

    fn add_piece(&mut self, piece: &Piece<'_>, is_in_code: bool) {
        let Ok(place) = u32::try_from(self.known.len()) else {
            return;
        };
        let key = key_of(piece.text);
        self.known.push(Known {
            key,
            joint: piece.joint,
            is_digits: piece.is_digits,
            is_in_code,
            earlier: self.last.insert(key, place),
        });
        if let Some(seconds) = unix_time(piece) {
            self.add_instant(seconds);
        }
    }

    /// Adds a point in time, in seconds since 1970.
    pub fn add_instant(&mut self, seconds: i64) {
        let (year, month, day) = civil(seconds.div_euclid(86_400));
        let minute = seconds.div_euclid(60).rem_euclid(1_440) as u16;
        self.minutes.insert((minute, month));
        self.add_day(year, month, day);
    }

    /// Adds a day.
    pub fn add_day(&mut self, year: u16, month: u8, day: u8) {
        self.days.extend([(year, month, day), (0, month, day)]);
    }

    /// Returns `true` if some point in time is on this day. Without a year, any year matches.
    pub fn holds_day(&self, year: Option<u16>, month: u8, day: u8) -> bool {
        self.days.contains(&(year.unwrap_or(0), month, day))
    }

    /// Returns `true` if some point in time in this month is at this minute of the day, in UTC.
    pub fn holds_minute(&self, minute: u16, month: u8) -> bool {
        self.minutes.contains(&(minute, month))
    }

    /// Adds a number that is written in scientific notation.
    pub fn add_scientific(&mut self, number: f64) {
        if self.scientific.len() < MOST_SCIENTIFIC {
            self.scientific.push(number);
        }
    }

    /// Returns `true` if the evidence contains this number in scientific notation.
    pub fn holds_scientific(&self, number: f64) -> bool {
        let mut known = self.scientific.iter();
        known.any(|known| (known - number).abs() <= number.abs() * MOST_OFF)
    }

    fn add_ids(&mut self, pieces: &[Piece<'_>], words: &[std::ops::Range<usize>]) {
        for first in 0..words.len() {
            let near = &words[first..words.len().min(first + MOST_WORDS)];
            let is_start = first == 0 || !goes_on(pieces, &words[first - 1], &words[first]);
            let mut id = Id::default();
            for (at, word) in near.iter().enumerate() {
                if at > 0 && !goes_on(pieces, &near[at - 1], word) {
                    break;
                }
                pieces[word.clone()]
                    .iter()
                    .for_each(|piece| id.add(piece.text));
                if id.length > LONGEST_ID {
                    break;
                }
                let is_all = first == 0 && at + 1 == words.len() && at > 0;
                let is_long = id.length >= SHORTEST_ID || (is_all && id.length >= SHORTEST_PIN);
                if id.digits > 0 && is_long {
                    self.whole.insert(id.hash);
                }
                let is_number = id.length == id.digits;
                if is_number && PHONE.contains(&id.length) {
                    self.add_phone(&pieces[near[0].start..word.end]);
                    if is_start {
                        self.national.insert(id.hash);
                    }
                }
            }
        }
        for word in words.iter().map(|word| &pieces[word.clone()]) {
            self.add_short_forms(word);
        }
    }

    /// Adds a phone number without each prefix that may be its country code.
    fn add_phone(&mut self, pieces: &[Piece<'_>]) {
        let digits: String = pieces.iter().map(|piece| piece.text).collect();
        for country in 1..=LONGEST_COUNTRY.min(digits.len() - SHORTEST_PHONE) {
            self.phones.insert(hash(&digits[country..]));
        }
    }

    /// Returns `true` if these digits are a known phone number without its country code.
    pub fn holds_phone(&self, digits: &str) -> bool {
        digits.len() >= SHORTEST_PHONE && self.phones.contains(&hash(digits))
    }

    /// Returns `true` if a phone number with these digits is written without a country code.
    pub fn holds_national(&self, digits: &str) -> bool {
        self.national.contains(&hash(digits))
    }

    /// Adds the short forms that may refer to a long id or number.
    fn add_short_forms(&mut self, word: &[Piece<'_>]) {
        let length: usize = word.iter().map(|piece| piece.text.len()).sum();
        let is_ascii = word.iter().all(|piece| piece.text.is_ascii());
        if !(SHORTEST_ID..=LONGEST_ID).contains(&length) || !is_ascii {
            return;
        }
        if let Some(last) = word.last().filter(|last| last.is_digits) {
            for count in TAIL.filter(|count| *count < length && *count <= last.text.len()) {
                self.tails
                    .insert(hash(&last.text[last.text.len() - count..]));
            }
        }
        if length >= SHORTEST_HASH && word.len() > 1 {
            let whole: String = word.iter().map(|piece| piece.text).collect();
            for count in HEAD {
                self.heads.insert(hash(&whole[..count]));
            }
            for count in TAIL {
                self.tails.insert(hash(&whole[length - count..]));
            }
        } else if length >= SHORTENED_HASH && word.len() > 1 {
            let whole: String = word.iter().map(|piece| piece.text).collect();
            if whole.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                for count in SHORTEST_ID..length {
                    self.heads.insert(hash(&whole[..count]));
                }
            }
        }
    }

    /// Returns `true` if the evidence contains an id or a number with these characters, however it is grouped.
    pub fn holds_whole(&self, id: &Id) -> bool {
        id.length >= SHORTEST_PIN && self.whole.contains(&id.hash)
    }

    /// Returns `true` if a long id starts with this text.
    pub fn holds_head(&self, text: &str) -> bool {
        self.heads.contains(&hash(text))
    }

    /// Returns `true` if a long number ends with these digits.
    pub fn holds_tail(&self, digits: &str) -> bool {
        self.tails.contains(&hash(digits))
    }

    /// Returns `true` if a word or a number occurs anywhere.
    pub fn holds_piece(&self, text: &str) -> bool {
        self.last.contains_key(&key_of(text))
    }

    /// Returns the places where these pieces follow one another, the latest first.
    pub fn places<'i>(
        &'i self,
        sought: &'i [Piece<'i>],
        joints: Match,
    ) -> impl Iterator<Item = Place<'i>> {
        let keys: Vec<_> = sought.iter().map(|piece| key_of(piece.text)).collect();
        let longest = (0..sought.len()).max_by_key(|at| sought[*at].text.len());
        let anchor = longest.unwrap_or(0);
        let last = keys.get(anchor).and_then(|key| self.last.get(key)).copied();
        let places = std::iter::successors(last, |at| self.known[*at as usize].earlier);
        places.take(MOST_PLACES).filter_map(move |at| {
            note(1);
            let start = (at as usize).checked_sub(anchor)?;
            let stretch = self.known.get(start..start + keys.len())?;
            let is_same = stretch
                .iter()
                .zip(&keys)
                .all(|(known, key)| known.key == *key);
            let mut pairs = stretch.iter().zip(sought).skip(1);
            let are_joined = pairs.all(|(known, piece)| match joints {
                Match::Same => known.joint == piece.joint,
                Match::Grouped => known.joint.may_group() || known.joint == piece.joint,
            });
            (is_same && are_joined).then_some(Place {
                index: self,
                start,
                end: start + keys.len(),
            })
        })
    }
}

/// A place in the evidence that matches the pieces of a search.
#[derive(Clone, Copy)]
pub struct Place<'i> {
    index: &'i Index,
    start: usize,
    end: usize,
}

impl Place<'_> {
    /// Returns `true` if no letter or digit is attached to either end.
    pub fn is_word(self) -> bool {
        self.joint_before() != Joint::Glued && self.joint_after() != Some(Joint::Glued)
    }

    /// Returns `true` if a number at this place is a number by itself, not the decimals of another one or part of a
    /// code.
    pub fn is_number(self) -> bool {
        let is_digits = |at: Option<usize>| {
            at.and_then(|at| self.index.known.get(at))
                .is_some_and(|known| known.is_digits)
        };
        let goes_on = |joint| matches!(joint, Some(Joint::Sign('.' | ',' | ':')));
        let is_decimals =
            goes_on(Some(self.joint_before())) && is_digits(self.start.checked_sub(1));
        let has_decimals = goes_on(self.joint_after()) && is_digits(Some(self.end));
        let is_decimals = is_decimals && !self.follows_range();
        let has_decimals = has_decimals && !self.ends_range();
        let is_in_code = self.index.known[self.start].is_in_code;
        !is_decimals && !has_decimals && !is_in_code
    }

    /// Returns `true` if this is the second of two numbers joined by a hyphen, with a comma after it: `47` in
    /// `44-47,90`.
    fn ends_range(self) -> bool {
        let known = &self.index.known;
        let first = self.start.checked_sub(1);
        let has_end = first.is_some_and(|first| known[first].is_digits);
        self.joint_before() == Joint::Sign('-')
            && has_end
            && self.joint_after() == Some(Joint::Sign(','))
    }

    /// Returns `true` if this is the list item after such a range: `90` in `44-47,90`.
    pub fn follows_range(self) -> bool {
        let before = self.start.checked_sub(1).map(|at| Place {
            index: self.index,
            start: at,
            end: self.start,
        });
        before.is_some_and(Self::ends_range)
    }

    /// Returns `true` if the pieces joined to the front of this place match the end of `parts`. If `parts` are those of
    /// `bob_li_77`, the place of `77` in `ann_li_77` does not match.
    pub fn agrees_before(self, parts: &[&str]) -> bool {
        let mut at = self.start;
        for part in parts.iter().rev() {
            for piece in pieces(part).iter().rev() {
                let joint = self.index.known[at].joint;
                if !matches!(joint, Joint::Sign('_' | '-') | Joint::Glued) || at == 0 {
                    return true;
                }
                at -= 1;
                if self.index.known[at].key != key_of(piece.text) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns `true` if the place is a table cell, or the start or the end of one.
    pub fn is_cell(self) -> bool {
        self.joint_before() == Joint::Cell || self.joint_after() == Some(Joint::Cell)
    }

    /// Returns `true` if a version continues after this place: `1.8` in `1.8.4`.
    pub fn is_version(self) -> bool {
        let next = self.index.known.get(self.end);
        let is_part = |known: &Known| known.joint == Joint::Sign('.') && known.is_digits;
        let is_start = !matches!(self.joint_before(), Joint::Sign('.' | ','));
        is_start && next.is_some_and(is_part)
    }

    /// Returns `true` if the word `before` is directly before this place, or the word `after` directly after it.
    pub fn has_beside(self, before: Option<&str>, after: Option<&str>) -> bool {
        let known = |at: Option<usize>| at.and_then(|at| self.index.known.get(at));
        let stands_before = before.is_some_and(|word| {
            self.joint_before() != Joint::Apart
                && known(self.start.checked_sub(1)).is_some_and(|known| known.key == key_of(word))
        });
        let stands_after = after.is_some_and(|word| {
            let next = known(Some(self.end)).filter(|next| next.joint != Joint::Apart);
            let initial = word.chars().next().map_or(0, char::len_utf8);
            next.is_some_and(|next| {
                next.key == key_of(word)
                    || (next.joint == Joint::Glued && next.key == key_of(&word[..initial]))
            })
        });
        stands_before || stands_after
    }

    fn joint_before(self) -> Joint {
        self.index.known[self.start].joint
    }

    fn joint_after(self) -> Option<Joint> {
        self.index.known.get(self.end).map(|known| known.joint)
    }
}

/// A hash of letters and digits, without the separators between them.
#[derive(Clone, Copy, Default)]
pub struct Id {
    hash: u64,
    /// How many characters it has.
    pub length: usize,
    digits: usize,
}

impl Id {
    /// Returns the id of a text.
    pub fn of(text: &str) -> Self {
        let mut id = Self::default();
        pieces(text).iter().for_each(|piece| id.add(piece.text));
        id
    }

    /// Returns the id of a text that consists of letters and digits only.
    pub fn of_word(text: &str) -> Self {
        let mut id = Self::default();
        id.add(text);
        id
    }

    /// Appends the next piece.
    pub fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            let lower = u64::from(byte.to_ascii_lowercase());
            self.hash = (self.hash.rotate_left(5) ^ lower).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            self.digits += usize::from(byte.is_ascii_digit());
        }
        self.length += text.len();
    }
}

fn hash(text: &str) -> u64 {
    Id::of_word(text).hash
}

/// Groups pieces into words: runs of pieces with nothing between them.
pub fn words(pieces: &[Piece<'_>]) -> Vec<std::ops::Range<usize>> {
    let mut words: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        match words.last_mut() {
            Some(word) if piece.joint == Joint::Glued => word.end = at + 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// Returns `true` if an id may continue from `word` to `next`. Across a space, both must contain digits.
pub fn goes_on(
    pieces: &[Piece<'_>],
    word: &std::ops::Range<usize>,
    next: &std::ops::Range<usize>,
) -> bool {
    let has_digit =
        |word: &std::ops::Range<usize>| pieces[word.clone()].iter().any(|piece| piece.is_digits);
    match pieces[next.start].joint {
        Joint::Space => has_digit(word) && has_digit(next),
        joint => joint.may_group(),
    }
}

/// Returns the seconds since 1970 if the digits of a piece may be a Unix timestamp.
fn unix_time(piece: &Piece<'_>) -> Option<i64> {
    let is_time = piece.is_digits
        && piece.text.starts_with(['1', '2'])
        && matches!(piece.text.len(), 10 | 13);
    is_time.then(|| piece.text[..10].parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[&str]) -> Index {
        let mut index = Index::default();
        texts.iter().for_each(|text| index.add(text));
        index
    }

    /// Returns `true` if a text contains a number by itself.
    fn holds_number(text: &str, number: &str) -> bool {
        let index = index(&[text]);
        let sought = pieces(number);
        let mut places = index.places(&sought, Match::Same);
        places.any(Place::is_number)
    }

    #[test]
    fn decimals_and_parts_of_codes_are_no_numbers() {
        assert!(holds_number("a 450 b", "450"));
        assert!(holds_number("PT1H45M", "45"));
        for text in ["1.450", "450.5", "2031:450", "a1b2c450d"] {
            assert!(!holds_number(text, "450"), "{text}");
        }
    }

    #[test]
    fn pieces_stand_in_the_same_order_with_the_same_joints() {
        let index = index(&["AB-12 CD"]);
        let stands = |sought: &str, joints| {
            let sought = pieces(sought);
            index.places(&sought, joints).next().is_some()
        };
        assert!(stands("ab-12", Match::Same));
        assert!(!stands("ab 12", Match::Same));
        assert!(stands("ab 12", Match::Grouped));
        assert!(!stands("12-ab", Match::Grouped));
        assert!(!stands("", Match::Same));
    }

    #[test]
    fn long_ids_are_known_by_their_ends() {
        let index = index(&["card 9876543210124471", "0a1b2c3d4e5f60718293a4b5"]);
        assert!(index.holds_tail("4471") && !index.holds_tail("9876"));
        assert!(index.holds_head("0a1b2c3") && !index.holds_head("a1b2c3"));
        assert!(index.holds_whole(&Id::of("9876 5432 1012 4471")));
        assert!(!index.holds_whole(&Id::of("9876 5432 1012")));
    }

    #[test]
    fn phone_numbers_are_known_without_their_country() {
        let index = index(&["+15550104477", "0612345678"]);
        assert!(index.holds_phone("5550104477") && !index.holds_phone("5550104478"));
        assert!(index.holds_national("0612345678") && !index.holds_national("0612345679"));
    }
}
