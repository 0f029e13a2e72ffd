//! Finds lists of attributes beside a name in which one attribute does not belong to the named record: "Lamp 4711
//! (oak, dimmable, purple)".
//!
//! The wrong word does not have to appear in any result. It counts if the rest of the list belongs to the record and
//! the record has an attribute that the list leaves out.

use std::ops::Range;

use super::checker::Checker;
use super::keys::holds_word;
use super::mentions::Strength;
use super::records::FieldText;
use super::segments::Segment;
use super::words::GUARDS;
use super::wrong::Wrong;
use toolgauge_facts::{Token, TokenKind, WordList};

/// A text with more words is not an attribute.
const MOST_WORDS: usize = 3;

/// The maximum number of fields of a record that are looked at.
const MOST_FIELDS: usize = 200;

/// The maximum distance in a list between a wrong word and a value of the record.
const MOST_APART: usize = 2;

/// The maximum number of attributes that a list leaves out.
const MOST_LEFT_OUT: usize = 2;

/// Two words that share this many letters at the start are forms of one word.
const STEM: usize = 4;

/// Words in lists of attributes that are not attributes.
static REMARKS: WordList = WordList::of(
    "available unavailable stock sold out each new old current same item items total only also and with without for per \
     does that this these those they them you your yours she his her its work works correct right yes please thanks okay \
     different options option like such dates times day days time date optional included free now still plus extra other original unchanged eligible selected default standard any",
);

/// What a part of a list is.
enum Part {
    /// A value of the named record, in this field.
    Own { field: usize },
    /// Words of the keys of the named record.
    Key,
    /// Words that are not a value of the named record.
    Odd { words: Range<usize> },
    /// Anything else.
    Other,
}

/// Returns the values in the lists of a segment that are beside values of a named record but do not belong to it.
pub fn odd_ones(
    checker: &Checker<'_, '_>,
    segment: &Segment,
    within: &Range<usize>,
    names: &[usize],
    context: Option<usize>,
) -> Option<Vec<Wrong>> {
    if within.is_empty() || (names.is_empty() && context.is_none()) {
        return None;
    }
    let mut found = Vec::new();
    for list in lists(&checker.tokens[segment.first..segment.end], segment.first) {
        let Some(name) = governing(checker, &list, names, context) else {
            continue;
        };
        let list = since_name(checker, list, name);
        // Looking at each word is slow, and most lists are about something else.
        let holds_own = list.iter().any(|part| {
            mentions_in(checker, part, within).any(|at| {
                let digests = &checker.mentions[at].digests;
                !names.contains(&at) && checker.own_field(name, digests).is_some()
            })
        });
        let has_label = || {
            let tokens = list.iter().flat_map(|part| &checker.tokens[part.clone()]);
            tokens.into_iter().any(|token| token.is(':'))
        };
        if !holds_own && !has_label() {
            continue;
        }
        match odd_one(checker, segment, within, &list, name, names) {
            Some(odd) => found.push(odd),
            None => found.extend(
                list.iter()
                    .filter_map(|part| labelled(checker, segment, part, within, name, names)),
            ),
        }
    }
    Some(found)
}

/// Returns the parts of each list in a segment, separated by commas, semicolons and slashes.
fn lists(tokens: &[Token<'_>], first: usize) -> Vec<Vec<Range<usize>>> {
    let mut found = vec![Vec::new()];
    let mut start = 0;
    for at in 0..=tokens.len() {
        let sign = tokens.get(at).and_then(Token::sign);
        let joins = matches!(sign, Some(',' | ';' | '/'));
        let is_dash = matches!(sign, Some('-' | '‑')) && !tokens[at].glued;
        let ends = matches!(
            sign,
            Some(
                '(' | ')'
                    | '['
                    | ']'
                    | '—'
                    | '–'
                    | '|'
                    | '→'
                    | '·'
                    | '•'
                    | '>'
                    | '.'
                    | '!'
                    | '?'
                    | '='
            )
        );
        // A decimal point does not end a list.
        let is_point = sign == Some('.') && tokens.get(at + 1).is_some_and(|next| next.glued);
        let ends = (ends && !is_point) || is_dash || at == tokens.len();
        if !joins && !ends {
            continue;
        }
        if start < at
            && let Some(list) = found.last_mut()
        {
            list.push(first + start..first + at);
        }
        if ends {
            found.push(Vec::new());
        }
        start = at + 1;
    }
    found.retain(|list| !list.is_empty());
    found
}

/// Returns the name that a list is about: the last name before or in the list, or else the next name.
fn governing(
    checker: &Checker<'_, '_>,
    list: &[Range<usize>],
    names: &[usize],
    context: Option<usize>,
) -> Option<usize> {
    let end = list.last()?.end;
    let nearest = |names: &[usize]| {
        let before = names
            .iter()
            .rev()
            .find(|name| checker.mentions[**name].first < end);
        before.or(names.first()).copied()
    };
    let ids: Vec<usize> = names
        .iter()
        .copied()
        .filter(|name| checker.is_id(*name))
        .collect();
    nearest(&ids).or_else(|| nearest(names)).or(context)
}

/// Returns the parts of a list from the part with its name on, because the parts before belong to another record. If
/// the name is an id, the whole list belongs to it.
fn since_name(
    checker: &Checker<'_, '_>,
    mut list: Vec<Range<usize>>,
    name: usize,
) -> Vec<Range<usize>> {
    let place = checker.mentions[name].first;
    let is_here = |part: &Range<usize>| part.contains(&place);
    if !checker.is_id(name)
        && let Some(at) = list.iter().position(is_here)
    {
        list.drain(..at);
    }
    list
}

fn odd_one(
    checker: &Checker<'_, '_>,
    segment: &Segment,
    within: &Range<usize>,
    list: &[Range<usize>],
    name: usize,
    names: &[usize],
) -> Option<Wrong> {
    let parts: Vec<_> = list
        .iter()
        .map(|part| part_of(checker, part, within, name, names))
        .collect();
    let mut own: Vec<usize> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Own { field } => Some(*field),
            Part::Key | Part::Odd { .. } | Part::Other => None,
        })
        .collect();
    let is_nested = |at: &usize| !checker.records.fields[*at].within.is_empty();
    if own.iter().any(is_nested) {
        own.retain(is_nested);
    }
    let first = *own.first()?;
    let object = |at: &usize| checker.records.fields[*at].object;
    let are_apart = own.iter().any(|other| object(other) != object(&first));
    if are_apart || (own.len() < 2 && !is_nested(&first)) {
        return None;
    }
    let mut odd = (0..parts.len()).filter(|at| matches!(parts[*at], Part::Odd { .. }));
    let at = odd.next()?;
    let is_near = |other: usize| {
        other.abs_diff(at) <= MOST_APART && matches!(parts[other], Part::Own { .. } | Part::Key)
    };
    if odd.next().is_some() || !(0..parts.len()).any(is_near) {
        return None;
    }
    let held = left_out(checker, within, first)?;
    let Part::Odd { words } = &parts[at] else {
        return None;
    };
    let tokens = &checker.tokens[words.clone()];
    let place = tokens.first()?.start..tokens.last()?.end();
    Some(checker.wrong_at(place, segment, name, None, held))
}

/// Returns words that are beside the key of an attribute of the named record but are not its value: "material: oak",
/// "oak frame" if the record has the keys `material` and `frame`.
fn labelled(
    checker: &Checker<'_, '_>,
    segment: &Segment,
    part: &Range<usize>,
    within: &Range<usize>,
    name: usize,
    names: &[usize],
) -> Option<Wrong> {
    let Part::Odd { words } = part_of(checker, part, within, name, names) else {
        return None;
    };
    let others = part.clone().filter(|at| !words.contains(at));
    let others: Vec<_> = others
        .map(|at| &checker.tokens[at])
        .filter(|token| token.kind != TokenKind::Sign)
        .collect();
    let records = checker.records;
    let held = checker.named_by(name).iter().find_map(|named| {
        let record = records.fields[*named].record;
        let mut fields = records.records[record].fields.clone().take(MOST_FIELDS);
        fields.find(|at| {
            let field = &records.fields[*at];
            let mut parts = field.key.split(|c: char| !c.is_alphanumeric());
            let is_said = |part: &str| {
                others
                    .iter()
                    .any(|token| token.text.eq_ignore_ascii_case(part))
            };
            let is_text = matches!(field.text, FieldText::Text(text) if is_words(text));
            field.record == record
                && is_text
                && !field.within.is_empty()
                && !field.key.is_empty()
                && parts.all(is_said)
        })
    })?;
    let tokens = &checker.tokens[words];
    let place = tokens.first()?.start..tokens.last()?.end();
    Some(checker.wrong_at(place, segment, name, None, held))
}

/// Returns the first attribute of an object that a segment leaves out, if only a few are left out.
fn left_out(checker: &Checker<'_, '_>, within: &Range<usize>, own: usize) -> Option<usize> {
    let records = checker.records;
    let is_mentioned = |digests: &[u64]| {
        within.clone().any(|at| {
            let mut said = checker.mentions[at].digests.iter();
            said.any(|digest| digests.contains(digest))
        })
    };
    let own = &records.fields[own];
    let fields = records.records[own.record].fields.clone().take(MOST_FIELDS);
    let fields: Vec<_> = fields
        .map(|at| (at, &records.fields[at]))
        .filter(|(_, field)| field.object == own.object)
        .collect();
    let left: Vec<_> = fields
        .iter()
        .filter(|(_, field)| {
            !is_mentioned(&field.digests)
                && matches!(field.text, FieldText::Text(text) if is_words(text))
        })
        .collect();
    let is_attributes = fields
        .iter()
        .all(|(_, field)| matches!(field.text, FieldText::Text(_)));
    (is_attributes && (1..=MOST_LEFT_OUT).contains(&left.len())).then(|| left[0].0)
}

/// Checks whether a value consists of a few plain words and is neither a name nor a code.
fn is_words(text: &str) -> bool {
    text.split(' ').count() <= MOST_WORDS
        && text.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
        && !is_moment(text)
}

/// Checks whether a value is a date or a time of day in digits.
fn is_moment(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = text.as_bytes().get(digits);
    digits > 0 && (sign == Some(&b':') || (digits == 4 && matches!(sign, Some(b'-' | b'/'))))
}

/// Returns the mentions that start in a part of a segment.
fn mentions_in<'j>(
    checker: &'j Checker<'_, '_>,
    part: &Range<usize>,
    within: &Range<usize>,
) -> impl Iterator<Item = usize> + use<'j> {
    let part = part.clone();
    within
        .clone()
        .filter(move |at| part.contains(&checker.mentions[*at].first))
}

fn part_of(
    checker: &Checker<'_, '_>,
    part: &Range<usize>,
    within: &Range<usize>,
    name: usize,
    names: &[usize],
) -> Part {
    let tokens = &checker.tokens[part.clone()];
    for at in mentions_in(checker, part, within) {
        if names.contains(&at) {
            return Part::Other;
        }
        let mention = &checker.mentions[at];
        if let Some(field) = checker.own_field(name, &mention.digests) {
            return Part::Own { field };
        }
        if mention
            .owners
            .iter()
            .any(|owner| checker.is_held(name, *owner as usize))
        {
            return Part::Other;
        }
    }
    let is_key = |token: &Token<'_>| is_word_of_key(checker, name, token.text);
    let has_signs = tokens.iter().any(|token| {
        token.kind == TokenKind::Sign
            && !matches!(token.sign(), Some(':' | '"' | '“' | '”' | '`' | '*'))
    });
    let words = |token: &Token<'_>| token.kind != TokenKind::Sign && !is_key(token);
    let first = tokens.iter().position(words);
    let last = tokens.iter().rposition(words);
    let (Some(first), Some(last)) = (first, last) else {
        return Part::Key;
    };
    let rest = &tokens[first..=last];
    let is_plain = |token: &Token<'_>| {
        token.kind == TokenKind::Letters
            && !token.is_capitalized
            && token.text.len() > 2
            && !token.says_one_of(&REMARKS)
            && !token.says_one_of(&GUARDS)
            && !is_akin(checker, name, token.text)
    };
    let is_odd = !has_signs && rest.len() <= MOST_WORDS && rest.iter().all(is_plain);
    // A value of another record is not an unknown size.
    let is_known = || {
        mentions_in(checker, part, within).any(|at| {
            let mention = &checker.mentions[at];
            mention.strength == Strength::Strong && !mention.owners.is_empty()
        })
    };
    match is_odd || (!is_known() && is_other_size(checker, name, within, rest)) {
        true => Part::Odd {
            words: part.start + first..part.start + last + 1,
        },
        false => Part::Other,
    }
}

/// Checks whether words differ from a value of the named record only in the digits, and that value is not mentioned:
/// "17-inch" for "15-inch".
fn is_other_size(
    checker: &Checker<'_, '_>,
    name: usize,
    within: &Range<usize>,
    words: &[Token<'_>],
) -> bool {
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let written = checker.text(first.start..last.end());
    let has_digit = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    if !has_digit(written) || written.len() > 24 {
        return false;
    }
    let shape = |text: &str| -> String {
        text.chars()
            .filter(|c| c.is_alphabetic())
            .flat_map(char::to_lowercase)
            .collect()
    };
    let said = shape(written);
    let records = checker.records;
    let is_mentioned = |at: usize| {
        within.clone().any(|mention| {
            let mut said = checker.mentions[mention].digests.iter();
            said.any(|digest| records.fields[at].digests.contains(digest))
        })
    };
    said.len() > 1
        && checker.named_by(name).iter().any(|named| {
            let record = records.fields[*named].record;
            let mut fields = records.records[record].fields.clone().take(MOST_FIELDS);
            fields.any(|at| {
                let field = &records.fields[at];
                let is_alike = matches!(field.text, FieldText::Text(text) if has_digit(text) && text != written && shape(text) == said);
                field.record == record && !field.within.is_empty() && is_alike && !is_mentioned(at)
            })
        })
}

fn is_word_of_key(checker: &Checker<'_, '_>, name: usize, word: &str) -> bool {
    let records = checker.records;
    checker.named_by(name).iter().any(|named| {
        let record = records.fields[*named].record;
        let fields = records.records[record].fields.clone();
        let mut fields = records.fields[fields].iter().take(MOST_FIELDS);
        fields.any(|field| holds_word(field.key, word))
    })
}

/// Checks whether a word resembles a key or a value of the named record.
fn is_akin(checker: &Checker<'_, '_>, name: usize, word: &str) -> bool {
    let records = checker.records;
    checker.named_by(name).iter().any(|named| {
        let record = records.fields[*named].record;
        let fields = records.records[record].fields.clone();
        records.fields[fields]
            .iter()
            .take(MOST_FIELDS)
            .any(|field| {
                let is_value = match field.text {
                    FieldText::Text(text) => shares_stem(text, word),
                    FieldText::Number(_) => false,
                };
                is_value || shares_stem(field.key, word)
            })
    })
}

fn shares_stem(text: &str, word: &str) -> bool {
    let stem = |word: &str| -> String {
        word.chars()
            .take(STEM)
            .flat_map(char::to_lowercase)
            .collect()
    };
    let wanted = stem(word);
    text.split(|c: char| !c.is_alphanumeric())
        .take(12)
        .any(|part| !part.is_empty() && stem(part) == wanted)
}
