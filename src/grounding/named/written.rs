//! What results contain besides their texts: the words of keys, and the keys that contain names.

use foldhash::{HashMap, HashSet};

use super::general::{TITLES, is_people};
use super::pattern::patterns;
use crate::digest::digest;
use toolgauge_facts::{Token, WordList, key_of};
use toolgauge_model::{Json, Role, ToolCall, Turn, singular, words_of};

/// Longer texts are not names.
const LONGEST_NAME: usize = 80;

/// A longer text in capitals only is a name, not a code.
const LONGEST_CODE: usize = 4;

/// How many letters the code of a place has.
const CODE_OF_PLACE: usize = 3;

/// How many different place codes are kept.
const MOST_CODES: usize = 100;

/// The most words in a name.
const MOST_WORDS: usize = 8;

/// Keys of states and kinds, whose values are written like names.
static STATES: WordList = WordList::of(
    "status state message msg note notes description summary type kind mode level priority severity result error text \
    content body detail details reason comment comments instructions label role success output category class \
    condition conditions",
);

/// Keys that contain persons, themselves or in their parts.
static PERSONS: WordList = WordList::of(
    "first last given family middle surname forename firstname lastname fullname passenger passengers traveler \
    traveller travelers travellers customer client guest guests patient doctor physician provider therapist nurse author \
    authors director directed actor actors actress cast starring teacher instructor employee employees staff manager \
    agent contact contacts owner host driver drivers person people player players sender recipient receiver student \
    assignee reporter organizer attendee attendees artist singer candidate user member members",
);

/// What the definitions of tools and the calls of a conversation contain besides the texts of their values.
#[derive(Default)]
pub struct Written<'a> {
    words: HashSet<u64>,
    /// Whole keys and names of tools.
    keys: HashSet<u64>,
    /// The words, in the singular, of keys that contain names and of their parent keys, each with the latest name.
    labels: HashMap<u64, &'a str>,
    /// The first words of the names of persons.
    given_names: HashSet<u64>,
    /// The last words of the names of persons.
    family_names: HashSet<u64>,
    /// The words, in the singular, of keys that contain countries, peoples or languages.
    peoples: HashSet<u64>,
    /// The values that may be codes of places: three capitals.
    codes_of_places: Vec<&'a str>,
    /// The patterns of names, each with the word in its gap; see [`patterns`].
    patterns: HashMap<u64, &'a str>,
    /// Digests of the values that have been read, each with its keys.
    seen: HashSet<u64>,
    /// How many calls have been read.
    calls: usize,
    /// How many turns have been read.
    turns: usize,
    has_tools: bool,
    /// How many different values are written like names.
    names: usize,
    /// Whether results are in a script without capitals. If so, names in a reply are translated.
    has_other_script: bool,
}

impl<'a> Written<'a> {
    /// Reads the definitions of tools once, and those of `calls` that have not been read yet. Of `turns` it reads what
    /// messages that are not the agent's carry besides their text: documents, the state of a session.
    pub fn read(&mut self, calls: &[&ToolCall<'a>], turns: &[Turn<'_>], tools: Option<Json<'_>>) {
        if !std::mem::replace(&mut self.has_tools, true) {
            self.add_document(tools.unwrap_or_default());
        }
        for turn in turns.iter().skip(self.turns) {
            let carried = turn.extra.iter().filter(|_| turn.role != Role::Agent);
            carried.for_each(|(_, value)| self.add_document(*value));
        }
        self.turns = self.turns.max(turns.len());
        for call in &calls[self.calls..] {
            self.add_words(call.name.unwrap_or_default());
            self.add_keys(call.arguments.unwrap_or_default());
            let result = call.result.or(call.error).unwrap_or_default();
            self.add_values(result, &mut Vec::new());
        }
        self.calls = calls.len();
    }

    /// Returns `true` if a word occurs, in any case, in keys or in the names or definitions of tools.
    pub fn holds(&self, word: &str) -> bool {
        self.words.contains(&key_of(word))
    }

    /// Returns `true` if a text is a key or the name of a tool, in any case.
    pub fn holds_key(&self, text: &str) -> bool {
        self.keys.contains(&key_of(text))
    }

    /// Returns `true` if results have names under a key with this word.
    pub fn holds_names_under(&self, label: &Token<'_>) -> bool {
        let word = singular(label.text.to_lowercase());
        self.labels.contains_key(&key_of(&word))
    }

    /// Returns the latest name under a key with this word.
    pub fn name_under(&self, label: &Token<'_>) -> Option<&'a str> {
        let word = singular(label.text.to_lowercase());
        self.labels.get(&key_of(&word)).copied()
    }

    /// Returns `true` if the name of a person begins with this word.
    pub fn holds_given_name(&self, word: &str) -> bool {
        self.given_names.contains(&key_of(word))
    }

    /// Returns `true` if the name of a person ends with this word.
    pub fn holds_family_name(&self, word: &str) -> bool {
        self.family_names.contains(&key_of(word))
    }

    /// Returns `true` if results have countries, peoples or languages under a key with this word.
    pub fn holds_peoples_under(&self, label: &Token<'_>) -> bool {
        let word = singular(label.text.to_lowercase());
        self.peoples.contains(&key_of(&word))
    }

    /// Returns the values that may be codes of places.
    pub fn codes_of_places(&self) -> impl Iterator<Item = &'a str> {
        self.codes_of_places.iter().copied()
    }

    /// Returns the word in the gap of a known name with this pattern.
    pub fn word_in_gap(&self, pattern: u64) -> Option<&'a str> {
        self.patterns.get(&pattern).copied()
    }

    /// Returns `true` if some value is written like a name.
    pub fn has_names(&self) -> bool {
        self.names > 0
    }

    /// Returns `true` if results are in a script without capitals.
    pub fn has_other_script(&self) -> bool {
        self.has_other_script
    }

    fn add_words(&mut self, text: &str) {
        if !self.keys.insert(key_of(text)) {
            return;
        }
        for word in words_of(text) {
            self.words.insert(key_of(&word));
        }
    }

    fn add_document(&mut self, json: Json<'_>) {
        match json {
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
            Json::String(text) => self.add_words(text),
            Json::Array(items) => items.iter().for_each(|item| self.add_document(*item)),
            Json::Object(members) => {
                for (key, value) in members {
                    self.add_words(key);
                    self.add_document(*value);
                }
            }
        }
    }

    fn add_keys(&mut self, json: Json<'_>) {
        match json {
            Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
            Json::Array(items) => items.iter().for_each(|item| self.add_keys(*item)),
            Json::Object(members) => {
                for (key, value) in members {
                    self.add_words(key);
                    self.add_keys(*value);
                }
            }
        }
    }

    fn add_values(&mut self, json: Json<'a>, keys: &mut Vec<&'a str>) {
        match json {
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
            Json::String(text) => self.add_value(text, keys),
            Json::Array(items) => items.iter().for_each(|item| self.add_values(*item, keys)),
            Json::Object(members) => {
                for (key, value) in members {
                    self.add_words(key);
                    keys.push(key);
                    self.add_values(*value, keys);
                    keys.pop();
                }
            }
        }
    }

    fn add_value(&mut self, text: &'a str, keys: &[&str]) {
        if !text.is_ascii() {
            self.has_other_script |= text.chars().take(LONGEST_NAME).any(has_no_case);
            self.add_unaccented(text);
        }
        let is_of_place = || {
            let key = keys.last().copied().unwrap_or_default();
            let mut words = words_of(key).into_iter();
            words.all(|word| !Token::of_word(&word).says_one_of(&STATES) && word != "currency")
        };
        if is_code(text)
            && self.codes_of_places.len() < MOST_CODES
            && !self.codes_of_places.contains(&text)
            && is_of_place()
        {
            self.codes_of_places.push(text);
        }
        let names = (keys.last(), keys.iter().rev().nth(1), text);
        if !is_like_name(text) || !self.seen.insert(digest(names)) {
            return;
        }
        let Some(last) = keys.last().map(|key| words_of(key)) else {
            return;
        };
        let is_state = last
            .last()
            .is_some_and(|word| Token::of_word(word).says_one_of(&STATES));
        if is_state {
            return;
        }
        self.names += 1;
        let words: Vec<_> = keys
            .iter()
            .rev()
            .take(2)
            .flat_map(|key| words_of(key))
            .collect();
        let is_person = words
            .iter()
            .any(|word| Token::of_word(word).says_one_of(&PERSONS));
        let is_family = words
            .iter()
            .any(|word| Token::of_word(word).says_one_of("last family surname lastname"));
        let labels = words.into_iter().map(|word| key_of(&singular(word)));
        match is_people(&Token::of_word(text)) {
            true => self.peoples.extend(labels),
            false => self.labels.extend(labels.map(|label| (label, text))),
        }
        let parts: Vec<_> = text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|part| !part.is_empty())
            .collect();
        let keys: Vec<_> = parts.iter().map(|part| key_of(part)).collect();
        if is_person {
            self.add_person(&parts, is_family);
        }
        self.patterns.extend(patterns(&keys).zip(parts));
    }

    /// Adds the parts of a person's name. If `is_family`, a single part is a family name.
    fn add_person(&mut self, parts: &[&str], is_family: bool) {
        let is_name = |part: &&&str| !Token::of_word(part).says_one_of(&TITLES);
        let parts: Vec<_> = parts
            .iter()
            .filter(is_name)
            .map(|part| key_of(part))
            .collect();
        match parts.as_slice() {
            [] => {}
            [name] if is_family => {
                self.family_names.insert(*name);
            }
            [name] => {
                self.given_names.insert(*name);
            }
            [given, .., family] => {
                self.given_names.insert(*given);
                self.family_names.insert(*family);
            }
        }
    }

    /// Adds the words that have accents, without the accents.
    fn add_unaccented(&mut self, text: &str) {
        for word in text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_ascii())
        {
            self.words.insert(key_of(&without_accents(word)));
        }
    }
}

/// Returns `true` if a letter belongs to a script without capitals.
fn has_no_case(c: char) -> bool {
    c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase()
}

/// Returns `true` if a text has the form of an airport or city code: three capitals.
fn is_code(text: &str) -> bool {
    text.len() == CODE_OF_PLACE && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns `true` if a text consists of a few words and starts with a capital.
fn is_like_name(text: &str) -> bool {
    let has_lower = || text.contains(char::is_lowercase);
    let is_in_capitals = || {
        let is_word = text.chars().all(|c| c.is_alphabetic() || c == ' ');
        is_word && text.len() > LONGEST_CODE
    };
    text.len() <= LONGEST_NAME
        && text.starts_with(char::is_uppercase)
        && (has_lower() || is_in_capitals())
        && !text.contains(['_', '/', '@', '\n'])
        && text.split(' ').count() <= MOST_WORDS
}

/// The accented letters of European languages. Each entry starts with the letter without an accent.
const ACCENTS: [&str; 14] = [
    "aàáâãäåāăą",
    "cçćĉċč",
    "dďđð",
    "eèéêëēĕėęě",
    "gĝğġģ",
    "iìíîïĩīĭįı",
    "lĺļľŀł",
    "nñńņňŉ",
    "oòóôõöøōŏő",
    "rŕŗř",
    "sśŝşš",
    "uùúûüũūŭůűų",
    "yýÿŷ",
    "zźżž",
];

/// Returns a word in lower case and without accents.
pub fn without_accents(word: &str) -> String {
    let plain = |c: char| {
        let letters = ACCENTS.iter().find(|letters| letters.contains(c));
        letters
            .and_then(|letters| letters.chars().next())
            .unwrap_or(c)
    };
    word.to_lowercase().chars().map(plain).collect()
}
