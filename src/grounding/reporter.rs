//! Builds the reports of what was found in a reply. Each contains its place, the nearest known value and the call to
//! blame.

use super::confidence::Finding;
use super::evidence::{Known, Source};
use super::owners::{FieldText, Records, Wrong};
use super::places::{Part, Places};
use super::reply::Reply;
use super::report::{Closest, Misattributed, Unsupported};
use toolgauge_facts::FactKind;
use toolgauge_model::Path;

/// A statement of a reply, and why it is reported.
pub struct Statement<'s, 'f, 'a> {
    /// The kind of the fact.
    pub kind: FactKind,
    /// The text of the statement, as the reply writes it.
    pub text: &'s str,
    /// The byte offset in the reply.
    pub start: usize,
    /// Why the statement is reported.
    pub finding: Finding<'f, 'a>,
}

/// Builds the reports of one kind of finding. They must be requested in the order of their places in the reply.
pub struct Reporter<'p, 'r, 'a> {
    reply: &'p Reply<'r, 'a>,
    places: &'p mut Places<'a>,
    utf16: Utf16<'a>,
}

impl<'p, 'r, 'a> Reporter<'p, 'r, 'a> {
    /// Creates the reporter of a reply.
    pub fn new(reply: &'p Reply<'r, 'a>, places: &'p mut Places<'a>) -> Self {
        Self {
            reply,
            places,
            utf16: Utf16::of(reply.content),
        }
    }

    /// Reports an unsupported statement. It blames the call with the nearest known value or, if no such call may be
    /// blamed, the latest call.
    pub fn unsupported(
        &mut self,
        statement: &Statement<'_, '_, '_>,
        closest: Option<&Known<'_>>,
    ) -> Unsupported {
        let (start, end) = self.utf16.place(statement.start, statement.text);
        Unsupported {
            turn: self.reply.turn,
            kind: statement.kind,
            text: statement.text.to_owned(),
            start,
            end,
            confidence: statement.finding.confidence(),
            call: self.blamed(closest),
            closest: closest.map(|known| self.closest(known)),
        }
    }

    /// Reports an unsupported statement that has no nearest known value. If `found` contains a similar value of a
    /// result, the report shows it and blames the call that returned it, if that call may be blamed.
    pub fn unsupported_like(
        &mut self,
        statement: &Statement<'_, '_, '_>,
        found: Option<(usize, Closest)>,
    ) -> Unsupported {
        let fact = self.unsupported(statement, None);
        let Some((call, closest)) = found else {
            return fact;
        };
        Unsupported {
            closest: Some(closest),
            call: if self.may_blame(call) {
                Some(call)
            } else {
                fact.call
            },
            ..fact
        }
    }

    /// Reports a value that belongs to a different record than the one that the sentence names.
    pub fn misattributed(&mut self, wrong: Wrong, records: &Records<'a>) -> Misattributed {
        let content = self.reply.content;
        let text = &content[wrong.start..wrong.end];
        let (start, end) = self.utf16.place(wrong.start, text);
        Misattributed {
            text: text.to_owned(),
            turn_id: self.reply.turn_id,
            start,
            end,
            quote: content[wrong.sentence].to_owned(),
            record: wrong.name,
            belongs_to: wrong.owner.map(|owner| self.field(records, owner)),
            holds: self.field(records, wrong.held),
        }
    }

    /// Returns a field of a record with its place in the results.
    fn field(&mut self, records: &Records<'a>, at: usize) -> Closest {
        let field = &records.fields[at];
        let call = records.records[field.record].call;
        let place = field
            .value
            .and_then(|value| self.place(call, Part::Outcome, value));
        let (tool, path) = place.unzip();
        Closest {
            value: match field.text {
                FieldText::Text(text) => text.to_owned(),
                FieldText::Number(number) => number.to_string(),
            },
            tool: tool.flatten(),
            path,
        }
    }

    fn blamed(&self, closest: Option<&Known<'_>>) -> Option<usize> {
        let nearest = closest.and_then(|known| known.source.call());
        let latest = self.reply.known.calls.len().checked_sub(1);
        nearest.filter(|call| self.may_blame(*call)).or(latest)
    }

    /// Checks whether a call may be blamed: calls since the last message of the user, or all calls if there are none
    /// since then.
    fn may_blame(&self, call: usize) -> bool {
        let since_user = self.reply.since_user;
        call >= since_user || since_user == self.reply.known.calls.len()
    }

    fn closest(&mut self, known: &Known<'_>) -> Closest {
        let place = match known.source {
            Source::Text => None,
            Source::Arguments { call, value } => self.place(call, Part::Arguments, value),
            Source::Result { call, value } => self.place(call, Part::Outcome, value),
        };
        let (tool, path) = place.unzip();
        Closest {
            value: known.text(self.reply.known.texts).into_owned(),
            tool: tool.flatten(),
            path,
        }
    }

    /// Returns the tool of a call, and the path of a value in the given part of the call.
    fn place(
        &mut self,
        number: usize,
        part: Part,
        value: usize,
    ) -> Option<(Option<String>, String)> {
        let call = self.reply.known.calls[number];
        let json = match part {
            Part::Arguments => call.arguments,
            Part::Outcome => call.result.or(call.error),
        };
        let path = self.places.path((number, part), json?, value)?;
        let path = match part {
            Part::Arguments => Path::root().key("arguments").join(&path),
            Part::Outcome => path,
        };
        Some((call.name.map(str::to_owned), path.to_string()))
    }
}

/// Converts byte offsets to UTF-16 offsets in a single pass. Offsets must be requested in ascending order.
struct Utf16<'t> {
    text: &'t str,
    bytes: usize,
    units: usize,
}

impl<'t> Utf16<'t> {
    fn of(text: &'t str) -> Self {
        Self {
            text,
            bytes: 0,
            units: 0,
        }
    }

    /// Returns the start and the end of `part`, which starts at the byte `start`.
    fn place(&mut self, start: usize, part: &str) -> (usize, usize) {
        (self.offset(start), self.offset(start + part.len()))
    }

    fn offset(&mut self, bytes: usize) -> usize {
        self.units += self.text[self.bytes..bytes].encode_utf16().count();
        self.bytes = bytes;
        self.units
    }
}
