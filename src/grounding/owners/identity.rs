//! Finds the record that a value in a reply names, and how well the value names it: as an id, as a name, or as a
//! value that only this record holds.

use super::keys::{ends_with_id, follows_key};
use super::mentions::{Mention, Strength};
use super::records::{FieldText, Records};
use toolgauge_facts::{FactKind, Token};

/// The maximum length of a short code, in letters.
pub const LONGEST_SHORT_CODE: usize = 4;

/// How well a value names a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// It is not a name, but only one record holds it.
    Value,
    /// It is the name of the record.
    Name,
    /// It is the id of the record.
    Id,
}

/// The records that a value names.
pub struct Identity {
    /// How well the value names them.
    pub grade: Grade,
    /// The fields through which the value names them.
    pub fields: Vec<usize>,
}

/// Returns what a mention names, provided that only one record in each list holds the value.
pub fn identity(
    mention: &Mention,
    tokens: &[Token<'_>],
    records: &Records<'_>,
) -> Option<Identity> {
    let fields = lone_owners(mention, records);
    let grade_of = |at: &usize| {
        let key = records.fields[*at].key;
        let is_sure = mention.strength == Strength::Strong
            || (mention.kind.is_none_or(|kind| kind == FactKind::Number)
                && follows_key(key, &tokens[..mention.first]));
        grade(*at, mention, is_sure, records)
    };
    let grades: Vec<_> = fields.iter().map(grade_of).collect();
    let grade = *grades.iter().max()?;
    // If a better field exists, a list of ids elsewhere is only a reference to the record.
    let of_grade = std::iter::zip(fields, grades).filter(|(_, own)| *own == grade);
    Some(Identity {
        grade,
        fields: of_grade.map(|(at, _)| at).collect(),
    })
}

/// Returns the fields whose value no other record of the same list holds. Fields of arguments are left out if there
/// are fields of results.
fn lone_owners(mention: &Mention, records: &Records<'_>) -> Vec<usize> {
    if let [] | [_] = mention.owners.as_slice() {
        return mention.owners.iter().map(|owner| *owner as usize).collect();
    }
    let place = |owner: &u32| {
        let record = records.fields[*owner as usize].record;
        let of = &records.records[record];
        (of.kind, of.call, record)
    };
    let mut places: Vec<_> = mention.owners.iter().map(place).collect();
    places.sort_unstable();
    places.dedup();
    let is_alone = |owner: &&u32| {
        let (kind, call, record) = place(owner);
        let first = places.partition_point(|other| *other < (kind, call, 0));
        let next = places.get(first + 1);
        places[first].2 == record && next.is_none_or(|next| (next.0, next.1) != (kind, call))
    };
    let mut fields: Vec<usize> = mention
        .owners
        .iter()
        .filter(is_alone)
        .map(|owner| *owner as usize)
        .collect();
    let is_result = |at: &usize| !records.fields[*at].is_argument;
    if fields.iter().any(is_result) {
        fields.retain(is_result);
    }
    fields
}

/// Returns how well a value names the record of the field `at`, which holds it.
pub fn grade(at: usize, mention: &Mention, is_sure: bool, records: &Records<'_>) -> Grade {
    let field = &records.fields[at];
    let FieldText::Text(text) = field.text else {
        let is_id = ends_with_id(field.key) && is_sure;
        return if is_id { Grade::Id } else { Grade::Value };
    };
    let is_number = matches!(
        mention.kind,
        Some(FactKind::Money | FactKind::Date | FactKind::Time | FactKind::Percent)
    );
    if is_number || (!is_sure && !text.starts_with(char::is_uppercase)) {
        return Grade::Value;
    }
    let key = field.key.to_ascii_lowercase();
    let is_first = records.records[field.record].fields.start == at && !is_short_code(text);
    if (field.key.is_empty() || ends_with_id(field.key)) && is_sure {
        Grade::Id
    } else if key.contains("name") || key.contains("title") || (is_first && !field.is_argument) {
        Grade::Name
    } else {
        Grade::Value
    }
}

/// Checks whether a text is a short code, such as that of an airport or a state, which other records can have as
/// well.
pub fn is_short_code(text: &str) -> bool {
    text.len() <= LONGEST_SHORT_CODE && text.bytes().all(|byte| byte.is_ascii_uppercase())
}
