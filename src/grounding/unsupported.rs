//! Which facts of the agent's replies are not held by the evidence, and which call each blames.

use std::cell::OnceCell;

use super::arguments::{self, Dates, UngroundedArgument, ungrounded};
use super::arithmetic::{WorkedOut, supported};
use super::background::Background;
use super::calendar::Calendar;
use super::chosen::hides_result;
use super::codes::{self, Codes, may_hold_codes, unshown_codes};
use super::confidence::Finding;
use super::counted::{exceeds, is_count};
use super::evidence::{Evidence, Known, Source};
use super::literal::{Before, Literal, Stated};
use super::meanings::Meanings;
use super::measures::hold_measures;
use super::mentions::Mentions;
use super::named::{Shown, Written, may_hold_unshown, unshown_names};
use super::nearest_text::{most_like, with_words};
use super::operands::Offer;
use super::owners::{Conversation, FieldText, Focus, Records, Said, Wrong, wrong_owners};
use super::places::{Part, Places};
use super::quantities::{Misfit, Quantities, misfits};
use super::silent::Silent;
use super::transcript::{Speakers, Transcript};
use super::weekdays::wrong_weekdays;
use serde::Serialize;

use crate::facts::{Fact, FactKind, FactValue, TextId, Texts};
use crate::model::{Json, Path, Role, ToolCall, Trajectory, Turn};

/// A fact of a reply that the evidence does not hold.
#[derive(Debug, Clone, PartialEq)]
pub struct Unsupported {
    /// The turn that states it, by its place in the trajectory.
    pub turn: usize,
    /// What kind of fact it is.
    pub kind: FactKind,
    /// As it is written.
    pub text: String,
    /// Where it starts in the turn's content, in UTF-16 units.
    pub start: usize,
    /// Where it ends, in UTF-16 units.
    pub end: usize,
    /// How sure it is that nothing shows it, from 0 to 1.
    pub confidence: f64,
    /// The nearest value of the evidence.
    pub closest: Option<Closest>,
    /// The call that it blames, counted through the trajectory: that of the nearest value, else the
    /// latest.
    pub call: Option<usize>,
}

/// A fact of a reply that the evidence does not hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct UnsupportedFact {
    /// As it is written.
    pub text: String,
    /// What kind of fact it is.
    pub kind: FactKind,
    /// The number of the turn that states it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Where it starts in that turn's content, in UTF-16 units.
    pub start: usize,
    /// Where it ends, in UTF-16 units.
    pub end: usize,
    /// How sure it is that nothing shows it, from 0 to 1.
    pub confidence: f64,
    /// The nearest value of the evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closest: Option<Closest>,
}

impl Unsupported {
    /// Whether another one is part of it.
    fn holds(&self, other: &Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// This fact as results carry it.
    pub fn report(&self, trajectory: &Trajectory<'_>) -> UnsupportedFact {
        UnsupportedFact {
            text: self.text.clone(),
            kind: self.kind,
            turn_id: trajectory.turns[self.turn].turn_id,
            start: self.start,
            end: self.end,
            confidence: self.confidence,
            closest: self.closest.clone(),
        }
    }
}

/// What nothing shows, for people: `HAT271 → closest HAT217 in get_reservation.flights[0]; …`.
pub fn tell(facts: &[UnsupportedFact]) -> String {
    let told: Vec<_> = facts.iter().map(tell_one).collect();
    format!(
        "the response states what nothing shows: {}",
        told.join("; ")
    )
}

fn tell_one(fact: &UnsupportedFact) -> String {
    let Some(closest) = &fact.closest else {
        return fact.text.clone();
    };
    let place = match (&closest.tool, &closest.path) {
        (Some(tool), Some(path)) if path.is_empty() => format!(" in {tool}"),
        (Some(tool), Some(path)) if path.starts_with('[') => format!(" in {tool}{path}"),
        (Some(tool), Some(path)) => format!(" in {tool}.{path}"),
        _ => String::new(),
    };
    format!("{} → closest {}{place}", fact.text, closest.value)
}

/// The value of the evidence that is nearest to an unsupported fact.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
pub struct Closest {
    /// As it is written.
    pub value: String,
    /// The tool whose arguments or result hold it; absent when the user or the instructions said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// Where it stands in the result, or with `arguments` in front, in the arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What nothing shows in a trajectory, for each call of the agent in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Grounding {
    /// The unsupported facts of replies, by the call that they blame.
    pub replies: Vec<Vec<Unsupported>>,
    /// Those of replies before any call, which blame none.
    pub before_calls: Vec<Unsupported>,
    /// The arguments of the call that come from nowhere.
    pub arguments: Vec<Vec<UngroundedArgument>>,
    /// Values of replies that belong to another record than the one that is named, in order.
    pub misattributed: Vec<Misattributed>,
}

/// A known value of a reply that belongs to another record than the one that the sentence is about.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[cfg_attr(feature = "typescript", ts(optional_fields))]
#[serde(rename_all = "camelCase")]
pub struct Misattributed {
    /// The value as it is written.
    pub text: String,
    /// The number of the turn that states it.
    #[cfg_attr(feature = "typescript", ts(type = "number"))]
    pub turn_id: i64,
    /// Where it starts in that turn's content, in UTF-16 units.
    pub start: usize,
    /// Where it ends, in UTF-16 units.
    pub end: usize,
    /// The sentence that states it.
    #[serde(skip)]
    #[cfg_attr(feature = "typescript", ts(skip))]
    pub quote: String,
    /// The record that the sentence names, as it names it.
    pub record: String,
    /// The value as the other record holds it, and where; absent when no record has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub belongs_to: Option<Closest>,
    /// What the named record holds instead, and where.
    pub holds: Closest,
}

impl Grounding {
    /// What nothing shows in a trajectory of which nothing was read yet.
    pub fn of(trajectory: &Trajectory<'_>) -> Self {
        let mut meanings = Meanings::default();
        let transcript = Transcript::of(trajectory, Speakers::All, &mut meanings.texts);
        ground(trajectory, &transcript, &mut meanings)
    }

    /// Nothing is looked for, and so nothing found, in that many calls.
    pub fn skipped(calls: usize) -> Self {
        Self {
            replies: vec![Vec::new(); calls],
            before_calls: Vec::new(),
            arguments: vec![Vec::new(); calls],
            misattributed: Vec::new(),
        }
    }
}

/// Looks for what nothing shows, in one pass over a trajectory and its whole transcript: arguments are
/// judged by what was known before their turn, replies also by the results of their own.
pub fn ground<'a>(
    trajectory: &Trajectory<'a>,
    transcript: &Transcript<'a>,
    meanings: &mut Meanings<'a>,
) -> Grounding {
    let texts = &meanings.texts;
    let calls: Vec<_> = trajectory.calls().collect();
    let mut grounding = Grounding::skipped(calls.len());
    let said = transcript.turns();
    let offers: Vec<_> = calls.iter().map(|_| OnceCell::new()).collect();
    let turns = trajectory.turns.iter();
    let instructions = turns.take_while(|turn| turn.role == Role::System).count();
    let mut evidence = std::mem::take(&mut meanings.evidence);
    evidence.copy(evidence_of(
        &said[..instructions],
        texts,
        &mut meanings.instructions,
    ));
    let mut worked_out = WorkedOut::default();
    let mut places = Places::default();
    let mut written = Written::default();
    let mut codes = Codes::default();
    let mut dates = Dates::default();
    let mut mentions = Mentions::default();
    let mut literal = Literal::default();
    let definitions = Definitions {
        tools: trajectory.tools,
        mentions: OnceCell::new(),
    };
    let mut knows_anything = false;
    let mut knows_all = true;
    let mut made = 0;
    let mut since_user = 0;
    let mut owners = Owners::default();
    let mut quantities = Quantities::default();
    for (at, turn) in trajectory.turns.iter().enumerate() {
        if turn.role != Role::Agent {
            if at >= instructions {
                evidence.add_text(said[at], texts);
            }
            owners
                .heard
                .push((turn.role == Role::User).then_some(said[at]));
            knows_anything |= !turn.content.trim().is_empty();
            since_user = made;
            if turn.role == Role::User
                && dates == Dates::MustBeKnown
                && meanings.relative_dates.are_in(texts.tokens(said[at]))
            {
                dates = Dates::CanBeWorkedOut;
            }
            continue;
        }
        if knows_anything {
            for (number, call) in (made..).zip(&turn.tool_calls) {
                let values = transcript.arguments(number);
                let path = |value| places.path((number, Part::Arguments), call.arguments?, value);
                let mut known = arguments::Known {
                    evidence: &mut evidence,
                    mentions: &mut mentions,
                    texts,
                    dates,
                    trajectory,
                    turn: at,
                };
                grounding.arguments[number] = ungrounded(call, values, &mut known, path);
            }
        }
        knows_all &= !turn.tool_calls.iter().any(hides_result);
        for _ in &turn.tool_calls {
            add_call(&mut evidence, texts, transcript, made);
            made += 1;
        }
        knows_anything |= made > 0;
        // What calls without results returned, nobody knows.
        let are_unanswered = made > since_user
            && calls[since_user..made]
                .iter()
                .all(|call| call.is_unanswered());
        if are_unanswered || !knows_all {
            continue;
        }
        let mut reply = Reply {
            turn: at,
            content: turn.content,
            text: said[at],
            calls: &calls[..made],
            offers: &offers[..made],
            earlier: &trajectory.turns[..at],
            said: &said[..at],
            instructions: &said[..instructions],
            since_user,
            calls_of_turn: turn.tool_calls.len(),
            definitions: &definitions,
            texts,
            places: &mut places,
            literal: &mut literal,
        };
        let facts = reply.judge(&mut evidence, &mut worked_out, &mut quantities);
        let names = reply.judge_names(&mut evidence, &mut written);
        let mut codes = reply.judge_codes(&mut evidence, &mut written, &mut codes);
        codes.retain(|code| !names.iter().any(|name| name.holds(code)));
        let weekdays = reply.judge_weekdays(&evidence);
        let misattributed = reply.judge_owners(&mut owners, transcript, turn.turn_id);
        grounding.misattributed.extend(misattributed);
        for unsupported in facts.into_iter().chain(names).chain(codes).chain(weekdays) {
            match unsupported.call {
                Some(call) => grounding.replies[call].push(unsupported),
                None => grounding.before_calls.push(unsupported),
            }
        }
    }
    meanings.evidence = evidence;
    grounding
}

/// What the instructions make known, taken from `before` where they are the same.
fn evidence_of<'b, 'a>(
    instructions: &[TextId],
    texts: &Texts<'a>,
    before: &'b mut (Vec<TextId>, Evidence<'a>),
) -> &'b Evidence<'a> {
    if before.0 != instructions {
        *before = (
            instructions.to_vec(),
            Evidence::of_instructions(instructions, texts),
        );
    }
    &before.1
}

fn add_call<'a>(
    evidence: &mut Evidence<'a>,
    texts: &Texts<'a>,
    transcript: &Transcript<'a>,
    call: usize,
) {
    let arguments = |value| Source::Arguments { call, value };
    let result = |value| Source::Result { call, value };
    evidence.add_values(transcript.arguments(call), texts, arguments);
    evidence.add_values(transcript.result(call), texts, result);
    evidence.add_values(transcript.error(call), texts, result);
}

/// The definitions of the tools that the agent has, read as soon as somebody asks.
struct Definitions<'d> {
    tools: Option<Json<'d>>,
    mentions: OnceCell<Mentions>,
}

impl Definitions<'_> {
    /// Whether they hold a fact: a default, one of the allowed values, an example.
    fn hold(&self, fact: &Fact<'_>) -> bool {
        let Some(tools) = self.tools else {
            return false;
        };
        let mentions = self.mentions.get_or_init(|| Mentions::of_json(tools));
        fact.text.bytes().any(|byte| byte.is_ascii_digit()) && mentions.hold(fact.text)
    }
}

/// The records of the results, and what the user said.
#[derive(Default)]
struct Owners<'a> {
    records: Records<'a>,
    heard: Vec<Option<TextId>>,
    said: Said,
    focus: Option<Focus>,
}

/// A reply, and what its facts are judged by.
struct Reply<'r, 'a> {
    turn: usize,
    content: &'a str,
    text: TextId,
    /// The turns before it.
    earlier: &'r [Turn<'a>],
    /// Their texts.
    said: &'r [TextId],
    /// Those of them that are instructions.
    instructions: &'r [TextId],
    /// The calls made so far.
    calls: &'r [&'r ToolCall<'a>],
    /// What the result of each offers.
    offers: &'r [OnceCell<Offer<'a>>],
    /// How many of them were made before the user spoke last.
    since_user: usize,
    /// How many of them the turn of the reply makes.
    calls_of_turn: usize,
    /// The tools that the agent has.
    definitions: &'r Definitions<'a>,
    texts: &'r Texts<'a>,
    places: &'r mut Places<'a>,
    /// The raw evidence.
    literal: &'r mut Literal,
}

impl<'a> Reply<'_, 'a> {
    fn judge(
        &mut self,
        evidence: &mut Evidence<'a>,
        worked_out: &mut WorkedOut,
        quantities: &mut Quantities,
    ) -> Vec<Unsupported> {
        let texts = self.texts;
        let stated = texts.facts(self.text);
        let mut held: Vec<_> = stated
            .iter()
            .map(|fact| evidence.holds(fact, texts))
            .collect();
        let misfits = misfits(self.content, self.text, &held, texts, || {
            quantities.read(self.calls, self.earlier, texts);
            quantities
        });
        for (at, _) in &misfits {
            held[*at] = false;
        }
        hold_measures(self.content, stated, &mut held, evidence, self.calls, texts);
        let (calls, tokens) = (&self.calls[self.since_user..], texts.tokens(self.text));
        let counts: Vec<_> = std::iter::zip(stated, &held)
            .map(|(fact, held)| !held && is_count(fact, tokens, calls, evidence, texts))
            .collect();
        let exceeding: Vec<_> = stated
            .iter()
            .map(|fact| exceeds(fact, tokens, calls, evidence, texts))
            .collect();
        let background = Background {
            evidence: &*evidence,
            texts,
            calls: self.calls,
            offers: self.offers,
            earlier: self.earlier,
            said: self.said,
        };
        let mut supported = supported(self.content, self.text, held, &background, worked_out);
        if supported.contains(&false) {
            let before = Before {
                turns: self.earlier,
                calls: self.calls,
                tools: self.definitions.tools,
            };
            let open = std::iter::zip(stated, &supported).filter(|(_, supported)| !**supported);
            self.literal.read(before, open.map(|(fact, _)| fact));
            if self.literal.has_image() {
                return Vec::new();
            }
            let silent = Silent::of(self.content);
            let reply = Stated::new(self.content, stated, evidence);
            for (at, fact) in stated.iter().enumerate() {
                if !supported[at] && silent.offers(fact) {
                    self.literal.offer(fact);
                }
                supported[at] =
                    supported[at] || silent.holds(fact) || self.literal.shows(at, &reply);
            }
        }
        for (at, misfit) in &misfits {
            supported[*at] &= *misfit == Misfit::Unit;
        }
        for (supported, exceeds) in supported.iter_mut().zip(&exceeding) {
            *supported &= !exceeds;
        }
        let mut utf16 = Utf16::of(self.content);
        let calendar = OnceCell::new();
        let mut found: Vec<Unsupported> = Vec::new();
        for (at, fact) in stated.iter().enumerate() {
            let gives_date = || {
                calendar
                    .get_or_init(|| Calendar::of(&background))
                    .gives(fact, self.content)
            };
            if supported[at]
                || (fact.kind == FactKind::Date && gives_date())
                || self.counts_calls(fact)
                || self.definitions.hold(fact)
            {
                continue;
            }
            let misfit = misfits.iter().find(|(misfit, _)| *misfit == at);
            if let Some((_, misfit)) = misfit {
                let text = &self.content[fact.start..misfit.end(fact, self.content)];
                let place = utf16.place(fact.start, text);
                let meant = misfit.meant(fact);
                let closest = evidence.nearest(&meant, texts);
                let stated = (fact.kind, text, Finding::Misfit);
                found.push(self.unsupported(place, stated, closest));
                continue;
            }
            let place = utf16.place(fact.start, fact.text);
            let finding = match counts[at] || exceeding[at] {
                true => Finding::Count,
                false => Finding::Unknown(fact, self.content),
            };
            let closest = evidence.nearest(fact, texts);
            let stated = (fact.kind, fact.text, finding);
            found.push(self.unsupported(place, stated, closest));
        }
        found
    }

    /// Whether a number is that of the calls that the turn makes.
    fn counts_calls(&self, fact: &Fact<'_>) -> bool {
        match &fact.value {
            FactValue::Number(readings) if fact.kind == FactKind::Number => {
                let count = self.calls_of_turn as f64;
                self.calls_of_turn > 1 && readings.contains(&count)
            }
            FactValue::Number(_) | FactValue::Date(_) | FactValue::Time(_) | FactValue::Text(_) => {
                false
            }
        }
    }

    fn judge_names(
        &mut self,
        evidence: &mut Evidence<'a>,
        written: &mut Written<'a>,
    ) -> Vec<Unsupported> {
        let texts = self.texts;
        evidence.read_words(texts);
        let evidence = &*evidence;
        if !may_hold_unshown(texts.tokens(self.text), evidence) {
            return Vec::new();
        }
        written.read(self.calls, self.definitions.tools);
        let shown = Shown {
            evidence,
            written,
            texts,
        };
        let mut utf16 = Utf16::of(self.content);
        unshown_names(self.content, self.text, &shown)
            .into_iter()
            .map(|name| {
                let place = utf16.place(name.start, name.text);
                let stated = (FactKind::Name, name.text, Finding::Name);
                let unsupported = self.unsupported(place, stated, name.closest);
                let instead = name.instead.filter(|_| name.closest.is_none());
                let found = instead.and_then(|words| with_words(self.calls, words));
                self.with_closest(unsupported, found)
            })
            .collect()
    }

    fn judge_codes(
        &mut self,
        evidence: &mut Evidence<'a>,
        written: &mut Written<'a>,
        codes: &mut Codes<'a>,
    ) -> Vec<Unsupported> {
        let texts = self.texts;
        if !may_hold_codes(texts.tokens(self.text), texts.facts(self.text), evidence) {
            return Vec::new();
        }
        written.read(self.calls, self.definitions.tools);
        let mut background = codes::Background {
            evidence,
            written,
            codes,
            texts,
        };
        let mut utf16 = Utf16::of(self.content);
        let found = unshown_codes(self.content, self.text, &mut background);
        found
            .into_iter()
            .map(|code| {
                let place = utf16.place(code.start, code.text);
                let stated = (FactKind::Identifier, code.text, Finding::Code);
                let unsupported = self.unsupported(place, stated, None);
                self.with_closest(unsupported, most_like(self.calls, code.text))
            })
            .collect()
    }

    /// Weekdays that are not those of the dates beside them.
    fn judge_weekdays(&mut self, evidence: &Evidence<'a>) -> Vec<Unsupported> {
        let mut utf16 = Utf16::of(self.content);
        let facts = self.texts.facts(self.text);
        let wrong = wrong_weekdays(self.text, self.said, evidence, self.texts);
        wrong
            .into_iter()
            .map(|wrong| {
                let fact = &facts[wrong.fact];
                let text = &self.content[wrong.start..wrong.end];
                let place = utf16.place(wrong.start, text);
                let closest = evidence.nearest(fact, self.texts);
                self.unsupported(place, (fact.kind, text, Finding::Weekday), closest)
            })
            .collect()
    }

    /// Values that belong to another record than the one that is named.
    fn judge_owners(
        &mut self,
        owners: &mut Owners<'a>,
        transcript: &Transcript<'a>,
        turn_id: i64,
    ) -> Vec<Misattributed> {
        if self.content.trim().is_empty() || self.calls.is_empty() {
            return Vec::new();
        }
        let Owners {
            records,
            heard,
            said,
            focus,
        } = owners;
        records.read(self.calls, transcript, self.texts);
        let conversation = Conversation {
            records,
            texts: self.texts,
            user: heard,
            instructions: self.instructions,
            calls: self.calls.len(),
        };
        let wrong = wrong_owners(self.content, self.text, &conversation, said, focus);
        let mut utf16 = Utf16::of(self.content);
        let report = |wrong: Wrong| {
            let text = &self.content[wrong.start..wrong.end];
            let (start, end) = utf16.place(wrong.start, text);
            Misattributed {
                text: text.to_owned(),
                turn_id,
                start,
                end,
                quote: self.content[wrong.sentence].to_owned(),
                record: wrong.name,
                belongs_to: wrong.owner.map(|owner| self.field(records, owner)),
                holds: self.field(records, wrong.held),
            }
        };
        wrong.into_iter().map(report).collect()
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

    fn unsupported(
        &mut self,
        (start, end): (usize, usize),
        (kind, text, finding): (FactKind, &str, Finding<'_, '_>),
        closest: Option<&Known<'a>>,
    ) -> Unsupported {
        Unsupported {
            turn: self.turn,
            kind,
            text: text.to_owned(),
            start,
            end,
            confidence: finding.confidence(),
            call: self.blamed(closest),
            closest: closest.map(|known| self.describe(known)),
        }
    }

    /// A fact with the nearest value that results hold, and the call that it blames then.
    fn with_closest(&self, fact: Unsupported, found: Option<(usize, Closest)>) -> Unsupported {
        let Some((call, closest)) = found else {
            return fact;
        };
        let is_blamed = call >= self.since_user || self.since_user == self.calls.len();
        Unsupported {
            closest: Some(closest),
            call: if is_blamed { Some(call) } else { fact.call },
            ..fact
        }
    }

    fn blamed(&self, closest: Option<&Known<'_>>) -> Option<usize> {
        let nearest = closest.and_then(|known| known.source.call());
        let latest = self.calls.len().checked_sub(1);
        match nearest {
            Some(call) if call >= self.since_user || self.since_user == self.calls.len() => {
                Some(call)
            }
            _ => latest,
        }
    }

    fn describe(&mut self, known: &Known<'a>) -> Closest {
        let place = match known.source {
            Source::Text => None,
            Source::Arguments { call, value } => self.place(call, Part::Arguments, value),
            Source::Result { call, value } => self.place(call, Part::Outcome, value),
        };
        let (tool, path) = place.unzip();
        Closest {
            value: known.text(self.texts).into_owned(),
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
        let call = self.calls[number];
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

/// Turns byte offsets, asked for in rising order, into UTF-16 offsets in one pass.
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

    /// Where `part` starts and ends, which starts at that byte.
    fn place(&mut self, start: usize, part: &str) -> (usize, usize) {
        (self.offset(start), self.offset(start + part.len()))
    }

    fn offset(&mut self, bytes: usize) -> usize {
        self.units += self.text[self.bytes..bytes].encode_utf16().count();
        self.bytes = bytes;
        self.units
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::super::confidence::score;
    use super::super::testing::unsupported_after;
    use super::*;
    use crate::formats::import_trajectory;
    use crate::model::testing::arena_json;
    use crate::model::{Limits, Reader};

    const BOOKING: &str = r#"{"id":"HAT217","total":1234.5,"seats":2,"share":0.25,"on":"2024-05-16T17:00:00","by":"kim_li_3668",
        "legs":[{"price":100},{"price":150}],"mail":"kim@example.org","note":"Bring your own lunch"}"#;

    /// What nothing shows of a reply to a booking, as text → closest.
    fn unsupported(reply: &str) -> Vec<String> {
        let turns = format!(
            r#"{{"turn_id":1,"role":"user","content":"Book for 3 people on June 2, ref ZX81Q."}},
                {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"book","arguments":{{"code":"QQ77A"}},"result":{BOOKING}}}]}}"#
        );
        unsupported_after(&turns, reply)
    }

    #[test]
    fn what_the_evidence_says_in_other_words_is_supported() {
        for reply in [
            "Booking HAT217 costs $1,234.50 for two seats.",
            "1.234,50 EUR",
            "It is 25% of the price.",
            "On May 16, 2024 at 5 PM, that is 16 May at 17:00.",
            "kim_li_3668 (3668) gets it at KIM@example.org.",
            "For June 2 and 3 people, your reference is ZX81Q, the code QQ77A.",
            "It says \"bring your own lunch\".",
            "The two legs cost $100 and $150, a total of $250.",
            "About $1,235.",
        ] {
            assert_eq!(unsupported(reply), [""; 0], "{reply}");
        }
    }

    #[test]
    fn what_nothing_shows_is_told_with_the_closest_value() {
        assert_eq!(unsupported("Booking HAT271 is done."), ["HAT271 → HAT217"]);
        assert_eq!(unsupported("It costs $1,334.50."), ["$1,334.50 → 1234.5"]);
        assert_eq!(
            unsupported("You fly on May 17, 2024."),
            ["May 17, 2024 → 2024-05-16"]
        );
        assert_eq!(unsupported("You fly at 6 PM."), ["6 PM → 17:00:00"]);
        assert_eq!(
            unsupported("Mail goes to kin@example.org."),
            ["kin@example.org → kim@example.org"]
        );
        assert_eq!(unsupported("You fly on May 53, 2024.").len(), 1);
    }

    #[test]
    fn the_last_digits_of_long_numbers_count() {
        for id in [r#""98765432109876543210""#, "9007199254740993"] {
            let turns = format!(
                r#"{{"turn_id":1,"role":"user","content":"Where is it?"}},
                    {{"turn_id":2,"role":"agent","tool_calls":[{{"name":"track","arguments":{{}},"result":{{"id":{id}}}}}]}}"#
            );
            let digits = id.trim_matches('"');
            let (known, other) = (
                format!("It is {digits}."),
                format!("It is {}8.", &digits[..digits.len() - 1]),
            );
            assert_eq!(unsupported_after(&turns, &known), [""; 0]);
            assert_eq!(unsupported_after(&turns, &other).len(), 1, "{other}");
        }
    }

    #[test]
    fn names_are_compared_where_a_result_has_a_name() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = r#"[{"turn_id":1,"role":"agent","tool_calls":[{"name":"f","arguments":{},
                "result":{"passengers":[{"first_name":"Raj","last_name":"Brown"},{"last_name":"Brown","seat":12}],
                    "city":"New York"}}]},
            {"turn_id":2,"role":"agent","content":"Raj Brown flies to New York. Dear Raj Browne, thank you. Mia Bronn is not Raj."}]"#;
        let trajectory = import_trajectory(arena_json(&arena, text), None, reader)
            .expect("turns")
            .value;
        let found: Vec<_> = Grounding::of(&trajectory).replies[0]
            .iter()
            .map(|fact| {
                (
                    fact.text.clone(),
                    fact.closest.as_ref().map(|closest| closest.value.clone()),
                )
            })
            .collect();
        let expected =
            ["Raj Browne", "Mia Bronn"].map(|name| (name.to_owned(), Some("Brown".to_owned())));
        assert_eq!(found, expected);
    }

    #[test]
    fn one_hard_fact_passes_the_threshold_and_no_number_of_them_reaches_one() {
        let fact = Unsupported {
            turn: 0,
            kind: FactKind::Identifier,
            text: String::new(),
            start: 0,
            end: 0,
            confidence: 0.7,
            closest: None,
            call: None,
        };
        assert_eq!(score(&[]), 0.0);
        assert!(score(std::slice::from_ref(&fact)) > 0.3);
        assert!(score(&vec![fact; 1_000]) < 1.0);
    }

    #[test]
    fn one_trajectory_of_many_is_judged_as_if_it_were_alone() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let instructions = [
            "Today is 2024-05-15, tickets cost $50.",
            r#"Tickets cost $60, call \"HAT217\"."#,
            "",
        ];
        let requests = ["I fly tomorrow, HAT271.", "My name is Mia Brown.", "Hi"];
        let mut meanings = Meanings::default();
        let mut found = Vec::new();
        for (said, request) in [
            (0, 0),
            (0, 1),
            (1, 0),
            (1, 2),
            (2, 2),
            (1, 2),
            (0, 2),
            (0, 0),
        ] {
            let text = format!(
                r#"{{"turns":[{{"turn_id":1,"role":"system","content":"{}"}},{{"turn_id":2,"role":"user","content":"{}"}},
                    {{"turn_id":3,"role":"agent","content":"","tool_calls":[{{"name":"f","arguments":{{"on":"2024-05-16","of":"AB12C"}},
                        "result":{{"name":"Mia Browne"}}}}]}},
                    {{"turn_id":4,"role":"agent","content":"Mia Brown pays $50 for \"HAT217\", on 2024-05-16."}}]}}"#,
                instructions[said], requests[request]
            );
            let trajectory = import_trajectory(arena_json(&arena, &text), None, reader)
                .expect("turns")
                .value;
            let transcript = Transcript::of(&trajectory, Speakers::All, &mut meanings.texts);
            let grounding = ground(&trajectory, &transcript, &mut meanings);
            assert_eq!(grounding, Grounding::of(&trajectory), "{text}");
            found.push(grounding.replies[0].len() + grounding.arguments[0].len());
        }
        // The instructions tell what a ticket costs, or do not.
        assert!(found[0] < found[3] && found[3] < found[4] && found[0] == found[7]);
    }

    #[test]
    fn places_are_utf16_units() {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let text = r#"[{"turn_id":1,"role":"agent","tool_calls":[{"name":"f","arguments":{},"result":{"a":"AB12C"}}]},
            {"turn_id":2,"role":"agent","content":"😀é AB12D!"}]"#;
        let trajectory = import_trajectory(arena_json(&arena, text), None, reader)
            .expect("turns")
            .value;
        let found = &Grounding::of(&trajectory).replies[0];
        assert_eq!((found[0].start, found[0].end), (4, 9));
        let closest = found[0].closest.as_ref().expect("a closest value");
        assert_eq!(
            (closest.tool.as_deref(), closest.path.as_deref()),
            (Some("f"), Some("a"))
        );
    }
}
