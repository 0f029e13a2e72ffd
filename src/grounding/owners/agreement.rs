//! Finds blocks of a reply that state the values of one record under the id of another.
//!
//! A block is the statement of a line about an id, with the lines that belong to it: bullets below a label, cells of
//! a row, sentences on the same line. If all identifying values of a block belong to one sibling of the named record,
//! the named id is wrong. If all values except one id belong to the named record, that one id is wrong.

use super::checker::Checker;
use super::excuses::FEWEST_LETTERS;
use super::keys::{ends_with_id, is_bare_id_key};
use super::mentions::Strength;
use super::sentence::Line;
use super::words::{CHANGES, ELSEWHERE, TARGETS};
use super::wrong::Wrong;
use toolgauge_facts::{FactKind, Token, TokenKind, WordList};

/// A block with more values is not a statement about a single record.
const MOST_VALUES: usize = 60;

/// The maximum number of ids in a reply that are checked.
const MOST_BLOCKS: usize = 60;

/// The maximum number of fields of a record that are searched for its id.
const MOST_ID_FIELDS: usize = 40;

/// This many values that are not ids identify a record as well as one id does.
const FEWEST_VALUES: usize = 2;

/// The maximum number of words before a value that are searched for a sign of a new value.
const MOST_BEFORE: usize = 3;

/// A value in a block.
struct Value {
    mention: usize,
    /// The index of its line.
    line: usize,
    /// The sorted ids of the siblings that hold it.
    siblings: Vec<u64>,
    /// A field of a sibling that holds it.
    field: usize,
    is_id: bool,
}

/// A wrong id: either the name of a block with the values of a sibling, or the id of a sibling in a block of the
/// named record.
pub struct Odd {
    /// The mention of the wrong id.
    pub mention: usize,
    /// The finding to report.
    pub wrong: Wrong,
    /// The values that are right once the id is corrected: those of the sibling.
    pub values: Vec<usize>,
}

/// The values of a block, by whether they belong to the record that it names.
#[derive(Default)]
struct Block {
    /// The values that the named record holds.
    own: Vec<Value>,
    /// The values that only its siblings hold.
    others: Vec<Value>,
}

/// Returns the wrong ids in a reply.
pub fn odd_ones(checker: &Checker<'_, '_>, lines: &[Line]) -> Vec<Odd> {
    let ids = lines.iter().enumerate().flat_map(|(at, line)| {
        let names = line.names.iter().filter(|name| checker.is_id(**name));
        names.map(move |name| (at, *name))
    });
    ids.take(MOST_BLOCKS)
        .filter_map(|(at, name)| {
            let end = end_of_block(checker, lines, at, name);
            let block = block(checker, &lines[at..end], name)?;
            odd_id(checker, &lines[at..end], name, &block)
                .or_else(|| odd_value(checker, &lines[at..end], name, &block))
        })
        .collect()
}

/// Returns the index after the last line that belongs to the name in the line `at`. Further sentences on the same
/// line, deeper indented lines, and the lines below a label up to an empty line belong to it.
fn end_of_block(checker: &Checker<'_, '_>, lines: &[Line], at: usize, name: usize) -> usize {
    let head = &lines[at].segment;
    let is_label = checker.is_label(head, name);
    let belongs = |line: &Line| {
        let segment = &line.segment;
        let is_inside = segment.indent > head.indent && !checker.follows_gap(segment);
        let is_beside = is_label
            && segment.indent == head.indent
            && !segment.is_heading
            && !checker.follows_gap(segment);
        !segment.starts_line || is_inside || is_beside
    };
    let rest = lines[at + 1..].iter().take_while(|line| belongs(line));
    at + 1 + rest.count()
}

/// Returns the values of a block, or `None` if the block names two siblings or is too long.
fn block(checker: &Checker<'_, '_>, lines: &[Line], name: usize) -> Option<Block> {
    let first = lines.first()?.within.start;
    let last = lines.last()?.within.end;
    if last - first > MOST_VALUES {
        return None;
    }
    let siblings = Siblings::of(checker, name);
    let mut block = Block::default();
    for (line, within) in lines.iter().map(|line| line.within.clone()).enumerate() {
        for mention in within.filter(|mention| *mention != name) {
            if siblings.names_another(mention) {
                return None;
            }
            if !identifies(checker, mention) {
                continue;
            }
            let Some((siblings, field)) = siblings.that_hold(mention) else {
                continue;
            };
            let is_own = siblings.contains(&checker.mentions[name].digests[0])
                || checker.mentions[mention]
                    .owners
                    .iter()
                    .any(|owner| checker.is_held(name, *owner as usize));
            let value = Value {
                mention,
                line,
                siblings,
                field,
                is_id: ends_with_id(checker.records.fields[field].key),
            };
            match is_own {
                true => block.own.push(value),
                false => block.others.push(value),
            }
        }
    }
    Some(block)
}

/// Checks whether a mention identifies a record: it is a value that two records rarely share by chance, or a proper
/// name that only one record holds.
fn identifies(checker: &Checker<'_, '_>, at: usize) -> bool {
    let mention = &checker.mentions[at];
    let is_common = matches!(
        mention.kind,
        Some(FactKind::Date | FactKind::Time | FactKind::Percent)
    );
    let is_name = || {
        let token = &checker.tokens[mention.first];
        token.is_capitalized
            && token.text.len() >= FEWEST_LETTERS
            && checker.identities[at].is_some()
    };
    !is_common && (mention.strength == Strength::Strong || is_name())
}

/// The records that are like a named one: they have an id under the same key.
struct Siblings<'s, 'j, 'a> {
    checker: &'s Checker<'j, 'a>,
    name: usize,
    /// The keys of the id, each with the kind of the record that it names.
    keys: Vec<(&'a str, u64)>,
}

impl<'s, 'j, 'a> Siblings<'s, 'j, 'a> {
    fn of(checker: &'s Checker<'j, 'a>, name: usize) -> Self {
        let records = checker.records;
        let mut keys: Vec<_> = checker
            .named_by(name)
            .iter()
            .map(|named| {
                let field = &records.fields[*named];
                (field.key, records.records[field.record].kind)
            })
            .collect();
        keys.sort_unstable();
        keys.dedup();
        Self {
            checker,
            name,
            keys,
        }
    }

    /// Returns the id of a record if it is a sibling or the named record.
    fn id_of(&self, record: usize) -> Option<u64> {
        let records = self.checker.records;
        let kind = records.records[record].kind;
        let is_key = |key: &str| {
            let mut keys = self.keys.iter();
            keys.any(|known| known.0 == key && (known.1 == kind || !is_bare_id_key(key)))
        };
        let fields = records.records[record].fields.clone();
        records.fields[fields]
            .iter()
            .take(MOST_ID_FIELDS)
            .find(|field| field.record == record && is_key(field.key))
            .map(|field| field.digests[0])
    }

    /// Returns the ids of the siblings that hold a mentioned value, and one of the fields that hold it. Returns
    /// `None` if no sibling holds it.
    fn that_hold(&self, mention: usize) -> Option<(Vec<u64>, usize)> {
        let records = self.checker.records;
        let mut first = None;
        let mut ids = Vec::new();
        for owner in &self.checker.mentions[mention].owners {
            let field = *owner as usize;
            let mut around = records.around(records.fields[field].record);
            if let Some(id) = around.find_map(|record| self.id_of(record)) {
                if !records.fields[field].is_argument {
                    first.get_or_insert(field);
                }
                ids.push(id);
            }
        }
        ids.sort_unstable();
        ids.dedup();
        first.map(|first| (ids, first))
    }

    /// Checks whether a mention is the id of another sibling.
    fn names_another(&self, mention: usize) -> bool {
        let (checker, records) = (self.checker, self.checker.records);
        let own = &checker.mentions[self.name].digests;
        let mention = &checker.mentions[mention];
        let is_id = |owner: &u32| {
            let field = &records.fields[*owner as usize];
            mention.digests.contains(&field.digests[0])
                && self.keys.iter().any(|(key, _)| *key == field.key)
                && self
                    .id_of(field.record)
                    .is_some_and(|id| mention.digests.contains(&id))
        };
        mention.strength == Strength::Strong
            && !mention.digests.iter().any(|digest| own.contains(digest))
            && mention.owners.iter().any(is_id)
    }
}

/// Returns the id of a block as wrong if all values of the block belong to one sibling.
fn odd_id(checker: &Checker<'_, '_>, lines: &[Line], name: usize, block: &Block) -> Option<Odd> {
    let is_change = lines.iter().any(|line| says(checker, line, &CHANGES));
    let counts = |value: &&Value| {
        let line = &lines[value.line];
        let is_new = is_change && (!value.is_id || is_new_one(checker, value));
        !is_new && !says(checker, line, &ELSEWHERE)
    };
    let others: Vec<_> = block.others.iter().filter(counts).collect();
    let is_strong = |value: &&&Value| checker.mentions[value.mention].strength == Strength::Strong;
    let is_sure = others.iter().filter(is_strong).any(|value| value.is_id)
        || (others.len() >= FEWEST_VALUES && others.iter().any(|value| is_strong(&value)));
    let (first, rest) = others.split_first().filter(|_| is_sure)?;
    let holds_all = |id: &&u64| {
        let own = block.own.iter();
        let mut others = rest.iter().copied().chain(own);
        others.all(|value| value.siblings.contains(id))
    };
    let mut owners = first.siblings.iter().filter(holds_all);
    let owner = owners.next().filter(|_| owners.next().is_none())?;
    // The named record must have values under the same keys.
    let named = *checker.named_by(name).iter().find(|named| {
        let record = checker.records.fields[**named].record;
        let mut values = others.iter();
        values.any(|value| has_such_a_value(checker, record, value.field))
    })?;
    let place = checker.place(&checker.mentions[name]);
    let owner = id_field(checker, first.field, *owner);
    let wrong = checker.wrong_at(place, &lines[0].segment, name, owner, named);
    Some(Odd {
        mention: name,
        wrong,
        values: others.iter().map(|value| value.mention).collect(),
    })
}

/// Returns the field with this id in one of the records around a field.
fn id_field(checker: &Checker<'_, '_>, field: usize, id: u64) -> Option<usize> {
    let records = checker.records;
    records
        .around(records.fields[field].record)
        .find_map(|record| {
            let fields = records.records[record].fields.clone();
            fields.take(MOST_ID_FIELDS).find(|at| {
                let field = &records.fields[*at];
                field.record == record && field.digests[0] == id && field.value.is_some()
            })
        })
}

/// Checks whether a record has a value under the key of a field.
fn has_such_a_value(checker: &Checker<'_, '_>, record: usize, field: usize) -> bool {
    checker
        .other_value(record, &checker.records.fields[field])
        .is_some()
}

/// Checks whether a line contains one of these words.
fn says(checker: &Checker<'_, '_>, line: &Line, words: &WordList) -> bool {
    let segment = &line.segment;
    let mut tokens = checker.tokens[segment.first..segment.end].iter();
    tokens.any(|token| token.says_one_of(words))
}

/// Checks whether a word or an arrow before a value says that it replaces another value.
fn is_new_one(checker: &Checker<'_, '_>, value: &Value) -> bool {
    let before = &checker.tokens[..checker.mentions[value.mention].first];
    let is_target =
        |token: &Token<'_>| token.says_one_of(&TARGETS) || token.is('→') || token.is('>');
    let mut before = before.iter().rev().take(2 * MOST_BEFORE);
    let words = before
        .by_ref()
        .filter(|token| token.kind != TokenKind::Sign || is_target(token));
    words.take(MOST_BEFORE).any(is_target)
}

/// Returns the only id in a block that belongs to a sibling, if the other values belong to the named record.
fn odd_value(checker: &Checker<'_, '_>, lines: &[Line], name: usize, block: &Block) -> Option<Odd> {
    let [odd] = block.others.as_slice() else {
        return None;
    };
    let records = checker.records;
    let key = records.fields[odd.field].key;
    let own_id = checker.mentions[name].digests[0];
    let is_of_it_alone =
        |value: &Value| value.siblings == [own_id] && records.fields[value.field].key == key;
    let line = &lines[odd.line];
    let is_other = says(checker, line, &ELSEWHERE) || says(checker, line, &CHANGES);
    let siblings = Siblings::of(checker, name);
    let is_offered = checker.mentions[odd.mention].owners.iter().any(|owner| {
        let field = &records.fields[*owner as usize];
        let mut around = records.around(field.record);
        !around.any(|record| siblings.id_of(record).is_some())
    });
    if !odd.is_id || is_other || is_offered || !block.own.iter().any(is_of_it_alone) {
        return None;
    }
    let held = checker.named_by(name).iter().find_map(|named| {
        let record = records.fields[*named].record;
        checker.other_value(record, &records.fields[odd.field])
    })?;
    let place = checker.place(&checker.mentions[odd.mention]);
    let wrong = checker.wrong_at(place, &line.segment, name, Some(odd.field), held);
    Some(Odd {
        mention: odd.mention,
        wrong,
        values: Vec::new(),
    })
}
