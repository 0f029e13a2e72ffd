//! Finds reasons why a value beside a name may be right although the named record does not hold it.

use super::checker::Checker;
use super::records::{Field, FieldText, digest_of_number};
use super::segments::Segment;
use super::words::{ANSWERS, AROUND, COSTS, SUMS, VERSUS};
use toolgauge_facts::{FactKind, Token, TokenKind};

/// A smaller number under another key is not accepted as a sum or a difference of two amounts.
pub const FEWEST_OF_OTHER_KEY: f64 = 50.0;

/// A shorter word is a value only if it is written exactly like the value.
pub const FEWEST_LETTERS: usize = 4;

/// The maximum number of tokens between the start of a line and its label.
pub const MOST_LABEL: usize = 8;

impl Checker<'_, '_> {
    /// Checks whether a value belongs to the very record that a label names, not only to a record inside it.
    pub fn is_labels_own(&self, at: usize, labels: &[usize]) -> bool {
        let records = self.records;
        let of = |field: usize| records.fields[field].record;
        let mut named = labels.iter().flat_map(|label| self.named_by(*label));
        named.any(|named| {
            let mut owners = self.mentions[at].owners.iter();
            owners.any(|owner| of(*owner as usize) == of(*named))
        })
    }

    /// Checks whether an amount has a label that is neither its key nor a word for costs: "insurance: $60".
    pub fn has_other_label(&self, at: usize, segment: &Segment) -> bool {
        let before = &self.tokens[segment.first..self.mentions[at].first];
        let is_letter = |token: &&Token<'_>| token.kind == TokenKind::Letters;
        let is_label = before.last().is_some_and(|last| last.is(':'))
            || before.len() > 1 && before[before.len() - 2].is(':');
        let words: Vec<_> = before
            .iter()
            .filter(is_letter)
            .take(MOST_LABEL + 1)
            .collect();
        let is_its =
            |token: &&Token<'_>| token.says_one_of(&COSTS) || self.is_word_of_key(token, at);
        self.is_amount(at)
            && is_label
            && (1..=MOST_LABEL).contains(&words.len())
            && !words.iter().any(is_its)
    }

    /// Checks whether somebody else is named between a name and a value after it: "A-1 went well, giving Ann Doe 12".
    pub fn is_of_another(&self, name: usize, at: usize) -> bool {
        if name >= self.count {
            return false;
        }
        let (start, end) = (self.mentions[name].end, self.mentions[at].first);
        let is_own = |token: &Token<'_>| {
            let covers = self.mention_at(token.start);
            covers.is_some_and(|covers| self.is_labels_own(covers, &[name]))
        };
        let is_part = |token: &Token<'_>| token.is_capitalized && !is_own(token);
        start < end
            && !self.tokens[start..end].iter().any(|token| token.is(':'))
            && self.tokens[start..end]
                .windows(2)
                .any(|pair| is_part(&pair[0]) && is_part(&pair[1]))
    }

    /// Checks whether a time is stated as before or after the named records: "free from 2 PM, before the tasting".
    pub fn is_around(&self, at: usize, names: &[usize]) -> bool {
        let is_time = matches!(
            self.mentions[at].kind,
            Some(FactKind::Time | FactKind::Date)
        );
        // The last name may be the subject of the previous replies.
        let is_bound = |name: &usize| {
            let own = Some(*name).filter(|name| *name < self.count);
            own.is_some_and(|name| {
                let before = &self.tokens[..self.mentions[name].first];
                let mut near = before.iter().rev().take(2);
                near.any(|word| word.says_one_of(&AROUND))
            })
        };
        is_time && !names.is_empty() && names.iter().all(is_bound)
    }

    /// Checks whether a mention is not the value but another word: "in" for the state `IN`, or a "yes" that answers a
    /// question.
    pub fn is_other_word(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let token = &self.tokens[mention.first];
        if mention.end != mention.first + 1 || token.kind != TokenKind::Letters {
            return false;
        }
        let is_as_held = |owner: &u32| match self.records.fields[*owner as usize].text {
            FieldText::Text(text) => text == token.text,
            FieldText::Number(_) => false,
        };
        let is_short = token.text.len() < FEWEST_LETTERS;
        (is_short && !mention.owners.iter().any(is_as_held))
            || (token.says_one_of(&ANSWERS) && !self.is_labelled(at))
    }

    /// Checks whether a sentence also mentions the record that the field `owner` belongs to, by another value
    /// that only this record holds.
    pub fn is_told_of(
        &self,
        owner: usize,
        at: usize,
        within: &std::ops::Range<usize>,
        names: &[usize],
    ) -> bool {
        let record = self.records.fields[owner].record;
        let distinguishes = |other: usize| {
            let mention = &self.mentions[other];
            let is_text = matches!(mention.kind, None | Some(FactKind::Name | FactKind::Quote))
                && self.tokens[mention.first..mention.end]
                    .iter()
                    .any(|token| token.is_capitalized);
            let identity = self.identities[other].as_ref().filter(|_| is_text);
            identity.is_some_and(|identity| {
                let mut fields = identity.fields.iter();
                fields.any(|field| self.records.fields[*field].record == record)
            })
        };
        within
            .clone()
            .filter(|other| *other != at && !names.contains(other))
            .any(distinguishes)
    }

    /// Checks whether the value of a field is part of the name that the reply gives the record.
    pub fn is_part_of(&self, held: usize, name: usize) -> bool {
        let FieldText::Text(text) = self.records.fields[held].text else {
            return false;
        };
        name < self.count && self.content[self.place(&self.mentions[name])].contains(text)
    }

    /// Checks whether a segment contains a part of a name of the record that a field belongs to: "DeVore's" for "Bob
    /// DeVore".
    pub fn is_partly_named(&self, field: usize, segment: &Segment) -> bool {
        let records = self.records;
        let record = records.fields[field].record;
        let fields = records.records[record].fields.clone();
        let names = records.fields[fields]
            .iter()
            .take(40)
            .filter_map(|field| match field.text {
                FieldText::Text(text)
                    if field.record == record && text.starts_with(char::is_uppercase) =>
                {
                    Some(text)
                }
                FieldText::Text(_) | FieldText::Number(_) => None,
            });
        let tokens = &self.tokens[segment.first..segment.end];
        let is_part = |token: &Token<'_>, name: &str| {
            token.is_capitalized
                && token.text.len() > 2
                && name
                    .split(|c: char| !c.is_alphanumeric())
                    .any(|part| part == token.text)
        };
        names.take(8).any(|name| {
            let held = |token: &Token<'_>| !self.is_mentioned_at(token.start);
            tokens
                .iter()
                .any(|token| is_part(token, name) && held(token))
        })
    }

    /// Checks whether a number is the result of a calculation, or a part of a total: "= 3:00", "50 of 135".
    pub fn is_derived(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let first = mention.first;
        let follows = |token: &Token<'_>| {
            let is_operator = matches!(
                token.sign(),
                Some('=' | '+' | '±' | '≈' | '×' | '/' | '>' | '<' | '≤' | '≥')
            );
            let is_of = token.says("of") && self.is_count(first.saturating_sub(2));
            let is_of_the = token.says("the")
                && first > 2
                && self.tokens[first - 2].says("of")
                && self.is_count(first - 3);
            is_operator || is_of || is_of_the
        };
        let is_operand = |token: &Token<'_>| matches!(token.sign(), Some('=' | '+' | '×'));
        let before = self.tokens[..first].last();
        let after = self.tokens.get(mention.end);
        self.is_amount(at) && (before.is_some_and(follows) || after.is_some_and(is_operand))
    }

    /// Checks whether a mention is a number with or without a unit.
    pub fn is_amount(&self, at: usize) -> bool {
        matches!(
            self.mentions[at].kind,
            Some(FactKind::Number | FactKind::Money | FactKind::Time | FactKind::Percent)
        )
    }

    /// Checks whether an amount in a sentence about a sum may be calculated: it is not a code, is not
    /// right after a word of its key, and the word for the sum is not part of its key.
    pub fn is_sum(&self, at: usize, segment: &Segment) -> bool {
        let mention = &self.mentions[at];
        let is_code = mention.kind == Some(FactKind::Number)
            && mention.end == mention.first + 1
            && self.tokens[mention.first].text.len() >= 4;
        let mut words = self.tokens[segment.first..segment.end].iter();
        let is_key = |token: &Token<'_>| token.says_one_of(&SUMS) && self.is_word_of_key(token, at);
        self.is_amount(at) && !is_code && !self.is_labelled(at) && !words.any(is_key)
    }

    /// Checks whether a token is a number, or "out".
    pub fn is_count(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        token.kind == TokenKind::Digits || token.says("out")
    }

    /// Checks whether one of these mentions is the value of a field: then the reply compares two values.
    pub fn is_said(&self, field: usize, mut within: std::ops::Range<usize>) -> bool {
        within.any(|at| self.is_value_of(at, field))
    }

    /// Checks whether a segment states the value of a field about the named record rather than about another one.
    pub fn is_said_of(
        &self,
        name: usize,
        field: usize,
        within: &std::ops::Range<usize>,
        names: &[usize],
    ) -> bool {
        let named_before = |at: usize| names.iter().rev().find(|name| **name < at);
        let is_of_it = |at: usize| named_before(at).is_none_or(|before| *before == name);
        within
            .clone()
            .any(|at| is_of_it(at) && self.is_value_of(at, field))
    }

    /// Checks whether a mention is the value of a field.
    pub fn is_value_of(&self, at: usize, field: usize) -> bool {
        let digests = self.records.fields[field].digests;
        let mut said = self.mentions[at].digests.iter();
        said.any(|digest| digests.contains(digest))
    }

    /// Checks whether the sum or the difference of an amount and the value of a field is a known number: then the
    /// amount is calculated from them.
    pub fn is_difference(&self, at: usize, field: usize) -> bool {
        let held = match self.records.fields[field].text {
            FieldText::Number(number) => Some(number),
            FieldText::Text(text) => text.trim_start_matches('$').replace(',', "").parse().ok(),
        };
        let mention = &self.mentions[at];
        let Some(held) = held.filter(|_| self.is_amount(at)) else {
            return false;
        };
        let written: String = self.content[self.place(mention)]
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        let Ok(said) = written.parse::<f64>() else {
            return false;
        };
        let cents = |number: f64| (number * 100.0).round() / 100.0;
        let key = self.records.fields[field].key;
        let is_known = |number: f64| {
            let owners = self.records.owners(digest_of_number(cents(number)));
            let owners = owners.unwrap_or_default();
            let mut owners = owners.iter();
            let is_one = |field: &Field<'_>| {
                field.key == key
                    || (number >= FEWEST_OF_OTHER_KEY && matches!(field.text, FieldText::Number(_)))
            };
            owners.any(|owner| is_one(&self.records.fields[*owner as usize]))
        };
        is_known(said + held) || is_known((said - held).abs())
    }

    /// Checks whether a comparing word is right before a mention.
    pub fn follows_versus(&self, at: usize) -> bool {
        let before = &self.tokens[..self.mentions[at].first];
        let mut before = before.iter().rev().take(3);
        before.any(|token| token.says_one_of(&VERSUS))
    }
}
