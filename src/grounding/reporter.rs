//! Makes reports of what is found in a reply: its place, the nearest known value, and the call to blame.

use super::confidence::Finding;
use super::evidence::{Known, Source};
use super::owners::{FieldText, Records, Wrong};
use super::places::{Part, Places};
use super::reply::Reply;
use super::report::{Closest, Misattributed, Unsupported};
use toolgauge_facts::FactKind;
use toolgauge_model::Path;

/// Something that a reply states, and why it is reported.
pub struct Statement<'s, 'f, 'a> {
    /// What kind of fact it is.
    pub kind: FactKind,
    /// As it is written.
    pub text: &'s str,
    /// Where it starts in the reply, in bytes.
    pub start: usize,
    /// Why it is reported.
    pub finding: Finding<'f, 'a>,
}

/// Makes the reports of one kind of findings in a reply, in the order of their places.
pub struct Reporter<'p, 'r, 'a> {
    reply: &'p Reply<'r, 'a>,
    places: &'p mut Places<'a>,
    utf16: Utf16<'a>,
}

impl<'p, 'r, 'a> Reporter<'p, 'r, 'a> {
    /// The reporter of a reply.
    pub fn new(reply: &'p Reply<'r, 'a>, places: &'p mut Places<'a>) -> Self {
        Self {
            reply,
            places,
            utf16: Utf16::of(reply.content),
        }
    }

    /// An unsupported statement; it blames the call of the nearest known value, else the latest.
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

    /// An unsupported statement without a nearest known value, but perhaps with a `found` value of a result and the
    /// call that returned it, which is then to blame.
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

    /// A value that belongs to another record than the one that the sentence names.
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

    /// A field of a record, as results hold it.
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

    /// Whether a call may be to blame: one since the user spoke last, or any if there is none.
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

    /// The tool of a call, and the path of a value in that part of it.
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

/// Converts byte offsets to UTF-16 offsets in one pass, if they are asked for in rising order.
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

    /// The start and the end of `part`, which starts at that byte.
    fn place(&mut self, start: usize, part: &str) -> (usize, usize) {
        (self.offset(start), self.offset(start + part.len()))
    }

    fn offset(&mut self, bytes: usize) -> usize {
        self.units += self.text[self.bytes..bytes].encode_utf16().count();
        self.bytes = bytes;
        self.units
    }
}
