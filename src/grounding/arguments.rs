//! Arguments that look like identifiers but appear nowhere before the call.

use super::chosen::{is_chosen, is_of_platform};
use super::digest::NumberSet;
use super::evidence::Evidence;
use super::mentions::Mentions;
use super::transcript::{Content, Value};
use super::windows::{Border, is_named_by_day, is_worked_out};
use toolgauge_facts::{Fact, FactKind, FactValue, Texts, Token, WordList};
use toolgauge_model::{Path, ToolCall, Trajectory};

/// Words of a user that allow an agent to work out a date by itself.
static RELATIVE_DATES: WordList = WordList::of(
    "ago ahora anfang année ans aujourd ayer año años beginning coming currently dag dager day days demain dentro \
    dernier dernière dienstag dimanche domingo donnerstag début días end ende fin forrige fortnight fredag \
    freitag friday gestern hace helg helgen heute heutige hier hoy idag igår imorgen jahr jahre jahren jeudi \
    jours jueves last letzte letzten lundi lunes lørdag mandag mardi martes mañana mercredi mid mittwoch \
    miércoles mois monat monate monaten monday montag month months morgen måned måneder neste next now nächste \
    nächsten nächster nächstes onsdag previous prochain prochaine próxima próximo quarter quarters recent \
    recently samedi samstag saturday semaine semaines semana semanas siste slutten sonntag soon starting sunday \
    sábado søndag tage tagen this thursday tirsdag today tomorrow tonight torsdag tuesday uke uken uker upcoming \
    vendredi viernes wednesday week weekend weekends weeks woche wochen wochenende year years yesterday år última \
    último",
);

/// Recognises the words with which a user refers to dates that have to be worked out. Each word is looked up only once.
#[derive(Default)]
pub struct RelativeDates {
    asked: NumberSet,
    found: NumberSet,
}

impl RelativeDates {
    /// Checks whether `words` contains one of them.
    pub fn are_in(&mut self, words: &[Token<'_>]) -> bool {
        words.iter().any(|token| {
            let Some(word) = token.word else {
                return false;
            };
            if self.asked.insert(word.index()) && token.says_one_of(&RELATIVE_DATES) {
                self.found.insert(word.index());
            }
            self.found.contains(word.index())
        })
    }
}

/// An argument that looks like an identifier but appears nowhere before the call.
#[derive(Debug, Clone, PartialEq)]
pub struct UngroundedArgument {
    /// The path of the argument.
    pub path: Path,
    /// The value of the argument.
    pub value: String,
    /// The known value that is most similar to it.
    pub closest: Option<String>,
}

/// Where the dates in arguments may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dates {
    /// Only from what was said before.
    #[default]
    MustBeKnown,
    /// Also from the calendar, because the user mentioned a date like "tomorrow" or "next week".
    CanBeWorkedOut,
}

/// What was known when a call was made.
pub struct Known<'k, 'a> {
    /// Everything that tools and people said.
    pub evidence: Evidence<'k>,
    /// Everything that was written anywhere. It reads the trajectory only when it is needed.
    pub mentions: &'k mut Mentions,
    /// The texts of everything that was said.
    pub texts: &'k Texts<'a>,
    /// Where dates may come from.
    pub dates: Dates,
    /// The trajectory.
    pub trajectory: &'k Trajectory<'a>,
    /// The index of the turn that makes the call.
    pub turn: usize,
}

/// Returns the values in the arguments of `call` that look like identifiers but appear nowhere before. `path` returns
/// the path of the value with a number.
pub fn ungrounded<'a>(
    call: &ToolCall<'a>,
    values: &[Value<'a>],
    known: &mut Known<'_, 'a>,
    mut path: impl FnMut(usize) -> Option<Path>,
) -> Vec<UngroundedArgument> {
    let mut found = Vec::new();
    if is_of_platform(call) {
        return found;
    }
    let texts = known.texts;
    for value in values {
        let (Content::Text(text, id) | Content::Name(text, id)) = value.content else {
            continue;
        };
        let [fact] = texts.facts(id) else {
            continue;
        };
        // Only a text that is an identifier as a whole counts: prose and code may mention anything.
        let is_whole = fact.text.len() == text.trim().len();
        if !is_whole || !must_be_known(fact, known.dates) || known.evidence.holds(fact) {
            continue;
        }
        let Some(path) = path(value.number) else {
            continue;
        };
        if is_chosen(&path, fact.kind) || known.explains(fact, &path) {
            continue;
        }
        let closest = known.evidence.nearest(fact);
        found.push(UngroundedArgument {
            path,
            value: text.to_owned(),
            closest: closest.map(|known| known.text(texts).into_owned()),
        });
    }
    found
}

impl Known<'_, '_> {
    /// Checks whether a fact that is not in the evidence was written somewhere else, or is the border of a known
    /// window.
    fn explains(&mut self, fact: &Fact<'_>, path: &Path) -> bool {
        self.mentions.read_up_to(self.turn, self.trajectory);
        if self.mentions.hold(fact.text) || self.mentions.saw_file() {
            return true;
        }
        match (&fact.value, Border::at(path)) {
            (FactValue::Date(date), border) => {
                let is_border = border.is_some_and(|border| {
                    is_worked_out(*date, border, self.mentions, self.evidence)
                });
                is_border || is_named_by_day(*date, self.mentions, self.evidence)
            }
            (FactValue::Number(_) | FactValue::Time(_) | FactValue::Text(_), _) => false,
        }
    }
}

#[deny(clippy::wildcard_enum_match_arm)]
fn must_be_known(fact: &Fact<'_>, dates: Dates) -> bool {
    match fact.kind {
        FactKind::Identifier | FactKind::Email | FactKind::Url => true,
        FactKind::Date => {
            let is_day = matches!(&fact.value, FactValue::Date(date) if date.day.is_some());
            is_day && dates == Dates::MustBeKnown
        }
        FactKind::Money
        | FactKind::Number
        | FactKind::Percent
        | FactKind::Time
        | FactKind::Phone
        | FactKind::Quote
        | FactKind::Name => false,
    }
}
