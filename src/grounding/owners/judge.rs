//! Which values of a reply belong to another record than the one that is named.

use foldhash::HashSet;

use super::mentions::{Mention, Strength, mentions};
use super::records::{Field, FieldText, Records, add_meanings, digest_of_number, roll};
use super::segments::{Segment, segments};
use crate::facts::{FactKind, TextId, Texts, Token, TokenKind, WordList};

/// A reply with more mentions is a dump of results.
const MOST_MENTIONS: usize = 600;

/// So many values of a reply are reported at most.
const MOST_WRONG: usize = 12;

/// Runs of so many words of the user are looked up.
const MOST_SAID: usize = 4;

/// So many digits are a phone number, or another code.
const FEWEST_DIGITS_OF_PHONE: usize = 7;

/// So many fields of a record are looked at.
const MOST_OWN_FIELDS: usize = 200;

/// Smaller numbers of other keys make no difference of two amounts.
const FEWEST_OF_OTHER_KEY: f64 = 50.0;

/// Shorter words are values only where they are written alike.
const FEWEST_LETTERS: usize = 4;

/// A label stands within so many words and signs from the start of its line.
const MOST_LABEL: usize = 8;

/// Words of conditions, whose amounts are limits.
static CONDITIONS: WordList = WordList::of("if unless wenn falls si hvis");

/// Words that answer a question.
static ANSWERS: WordList = WordList::of("yes no true false ja nein oui non sí nei");

/// A short code has so many letters at most.
const LONGEST_SHORT_CODE: usize = 4;

/// How many words and signs stand between a name and a plain word that is said of it.
const MOST_BETWEEN: usize = 5;

/// Words between a name and what is said of it.
pub static COPULAS: WordList = WordList::of(
    "is was are were status state currently now has been the ist war sind est était es está er var",
);

/// Words that make a sentence say what may be, or is not.
pub static GUARDS: WordList = WordList::of(
    "if unless until till once when whether or not no none never can cannot could would should will may might must \
     instead rather than except both either neither change changed changing switch from isn aren wasn doesn don \
     wenn falls oder nicht kein keine kann wird si ou pas ne sera puede será hvis eller ikke kan vil",
);

/// Words with which the user asks for something else than what was spoken of.
static OTHERS: WordList = WordList::of(
    "other others another else different more instead change alternative alternatives next andere anderes autre autres      otro otra otros annen annet andre",
);

/// Words for a change, after which the value of another record may be the new one.
static CHANGES: WordList = WordList::of(
    "update updated updating change changed changing modify modified move moved exchange exchanged replace replaced \
     switch switched swap swapped set apply requested proposed",
);

/// Words between two values of two records.
static VERSUS: WordList =
    WordList::of("vs versus against compared than gegenüber contre frente mot");

/// So many words and signs of a bracket are looked at.
const MOST_BRACKETED: usize = 40;

/// Words between a time and what happens before or after it.
static AROUND: WordList = WordList::of(
    "before after until till by vor nach bis avant après antes después hasta etter før",
);

/// Words for what is worked out of several values.
static SUMS: WordList = WordList::of(
    "margin difference total totals combined sum average mean together overall altogether majority extra savings lead \
     additional summe differenz durchschnitt insgesamt somme différence moyenne suma diferencia promedio",
);

/// Words for what something costs.
static COSTS: WordList = WordList::of(
    "cost costs price priced total fare pay charge charged amount kostet preis coûte prix cuesta precio koster pris",
);

/// Parts of keys whose values stand for a record.
const ID_KEYS: [&str; 10] = [
    "id",
    "code",
    "number",
    "no",
    "sku",
    "key",
    "ref",
    "reference",
    "symbol",
    "ticker",
];

/// What the user said, and the amounts of the instructions, as far as they were asked for.
#[derive(Default)]
pub struct Said {
    turns: usize,
    digests: HashSet<u64>,
}

impl Said {
    /// Reads what the user said in the turns that were not read yet.
    fn read(&mut self, said: &[Option<TextId>], instructions: &[TextId], texts: &Texts<'_>) {
        if self.turns == 0 {
            // Amounts of the instructions are those of a policy.
            let facts = instructions.iter().flat_map(|text| texts.facts(*text));
            let mut meanings = Vec::new();
            for fact in facts.filter(|fact| fact.kind != FactKind::Date) {
                add_meanings(fact, true, &mut meanings);
            }
            self.digests.extend(meanings);
        }
        for text in said.iter().skip(self.turns).flatten() {
            let words: Vec<_> = texts
                .tokens(*text)
                .iter()
                .filter_map(|token| token.word)
                .collect();
            for at in 0..words.len() {
                let mut state = 0;
                for word in words.iter().skip(at).take(MOST_SAID) {
                    state = roll(state, *word);
                    self.digests.insert(state);
                }
            }
            let mut meanings = Vec::new();
            for fact in texts.facts(*text) {
                add_meanings(fact, true, &mut meanings);
            }
            self.digests.extend(meanings);
        }
        self.turns = self.turns.max(said.len());
    }
}

/// A value that belongs to another record than the one that is named.
#[derive(Debug, Clone)]
pub struct Wrong {
    /// Where the value starts in the reply, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// The sentence that states it.
    pub sentence: std::ops::Range<usize>,
    /// The name of the record in the reply, or in the one before.
    pub name: String,
    /// The field that holds the value, where one does.
    pub owner: Option<usize>,
    /// The field of the named record that holds another one.
    pub held: usize,
}

/// What an earlier reply was about.
pub struct Focus {
    mention: Mention,
    identity: Identity,
    name: String,
    /// How many replies ago it was named.
    age: usize,
    /// How many calls were made by then.
    calls: usize,
}

/// So many words of what the user said last are looked at.
const MOST_ASKED: usize = 80;

/// Replies that lie farther back say nothing of what "it" is.
const OLDEST_FOCUS: usize = 3;

/// What a reply is held against.
pub struct Conversation<'c, 'a> {
    /// The records of all results so far.
    pub records: &'c Records<'a>,
    /// The texts.
    pub texts: &'c Texts<'a>,
    /// What the user said in each turn before; none where somebody else spoke.
    pub user: &'c [Option<TextId>],
    /// The instructions.
    pub instructions: &'c [TextId],
    /// How many calls were made so far.
    pub calls: usize,
}

/// The values of `reply` that belong to another record than the one that is named beside them; `focus` is what the
/// replies before were about.
pub fn wrong_owners(
    content: &str,
    reply: TextId,
    conversation: &Conversation<'_, '_>,
    said: &mut Said,
    focus: &mut Option<Focus>,
) -> Vec<Wrong> {
    let Conversation {
        records,
        texts,
        user,
        instructions,
        calls,
    } = *conversation;
    let mut found = mentions(reply, records, texts);
    if found.is_empty() || found.len() > MOST_MENTIONS {
        return Vec::new();
    }
    let tokens = texts.tokens(reply);
    let mut identities: Vec<_> = found
        .iter()
        .map(|found| identity(found, tokens, records))
        .collect();
    let count = found.len();
    let before = focus.take().filter(|focus| focus.age < OLDEST_FOCUS);
    let asked = user.iter().rev().find_map(|text| *text);
    let asked = asked.map_or(&[][..], |text| texts.tokens(text));
    let asks_on = !asked.iter().any(|token| token.says_one_of(&OTHERS));
    let mut focus_name = String::new();
    let (mut age, mut since_focus) = (0, calls);
    let has_focus = before.is_some() && asks_on;
    if let Some(before) = before {
        found.push(before.mention);
        identities.push(Some(before.identity));
        focus_name = before.name;
        age = before.age + 1;
        since_focus = before.calls;
    }
    let mut judge = Judge {
        content,
        tokens,
        mentions: found,
        identities,
        records,
        count,
        focus_name,
        has_focus,
        since_focus,
        asked: &asked[..asked.len().min(MOST_ASKED)],
    };
    let mut wrong = judge.wrong();
    if !wrong.is_empty() {
        said.read(user, instructions, texts);
        wrong.retain(|wrong| match wrong.0 {
            Some(mention) => {
                let digests = &judge.mentions[mention].digests;
                !digests.iter().any(|digest| said.digests.contains(digest))
            }
            None => {
                let words = tokens
                    .iter()
                    .filter(|token| (wrong.1.start..wrong.1.end).contains(&token.start));
                !words
                    .filter_map(|token| token.word)
                    .any(|word| said.digests.contains(&roll(0, word)))
            }
        });
    }
    let mut wrong: Vec<_> = wrong.into_iter().map(|(_, wrong)| wrong).collect();
    wrong.sort_by_key(|wrong| (wrong.start, wrong.end));
    let mut end = 0;
    wrong.retain(|wrong| {
        let is_apart = wrong.start >= end;
        end = end.max(wrong.end);
        is_apart
    });
    wrong.truncate(MOST_WRONG);
    *focus = judge.next_focus(age, calls);
    wrong
}

/// How well a value names a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// It is of one record alone, and no name.
    Value,
    /// A name.
    Name,
    /// An id.
    Id,
}

/// The records that a value names.
struct Identity {
    grade: Grade,
    /// The fields that name them.
    fields: Vec<usize>,
}

/// What a mention names, where it is of one record alone in each list that has it.
fn identity(mention: &Mention, tokens: &[Token<'_>], records: &Records<'_>) -> Option<Identity> {
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
    let grade_of = |at: &usize| {
        let key = records.fields[*at].key;
        let is_sure = mention.strength == Strength::Strong
            || (mention.kind.is_none_or(|kind| kind == FactKind::Number)
                && follows_key(key, &tokens[..mention.first]));
        grade(*at, mention, is_sure, records)
    };
    let grade = fields.iter().map(grade_of).max()?;
    // A list of ids elsewhere only refers to the record.
    fields.retain(|at| grade_of(at) == grade);
    Some(Identity { grade, fields })
}

/// Whether the words of a key stand right before: `device_id "3"`.
fn follows_key(key: &str, before: &[Token<'_>]) -> bool {
    let mut words = before
        .iter()
        .rev()
        .take(8)
        .filter(|token| token.kind != TokenKind::Sign);
    let mut parts: Vec<&str> = key.split(|c: char| !c.is_alphanumeric()).collect();
    parts.reverse();
    !key.is_empty()
        && parts.into_iter().all(|part| {
            words
                .next()
                .is_some_and(|word| word.text.eq_ignore_ascii_case(part))
        })
}

fn grade(at: usize, mention: &Mention, is_sure: bool, records: &Records<'_>) -> Grade {
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

/// Whether a text is a short code such as that of an airport or a state, which other records have as well.
fn is_short_code(text: &str) -> bool {
    text.len() <= LONGEST_SHORT_CODE && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Whether a key ends with a word for an id: `order_id`, `flightNumber`.
fn ends_with_id(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    ID_KEYS.iter().any(|part| {
        let Some(before) = lower.strip_suffix(part) else {
            return false;
        };
        let starts_word = key.as_bytes()[before.len()].is_ascii_uppercase();
        before.is_empty() || starts_word || before.ends_with(['_', '-', ' '])
    }) && !lower.contains("phone")
}

/// A reply that is judged.
pub struct Judge<'j, 'a> {
    content: &'j str,
    /// Its tokens.
    pub tokens: &'j [Token<'a>],
    /// The values that it mentions.
    pub mentions: Vec<Mention>,
    identities: Vec<Option<Identity>>,
    /// All records.
    pub records: &'j Records<'a>,
    /// How many of the mentions are of this reply: one more may be what the replies before were about.
    count: usize,
    focus_name: String,
    /// Whether this reply may be about what those before were about.
    has_focus: bool,
    /// How many calls were made when that was named.
    since_focus: usize,
    /// What the user said last.
    asked: &'j [Token<'a>],
}

/// What a sentence is about.
#[derive(Clone, Copy)]
struct Around<'n> {
    /// The mentions in it that name records.
    names: &'n [usize],
    /// The mention above it that does.
    context: Option<usize>,
    /// Those of the lines of its block that do.
    labels: &'n [usize],
    /// Whether a line stands above it.
    is_headed: bool,
}

/// A line above others.
struct Above {
    indent: usize,
    /// The mention that names a record, if one does.
    named: Option<usize>,
    role: Role,
}

/// What a line is for those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The lines that are indented farther are about it.
    Head,
    /// It says "order: A-1", and the lines of the same block are about it too.
    Label,
}

impl Judge<'_, '_> {
    /// Whether a mention names a record by its id.
    pub fn is_id(&self, at: usize) -> bool {
        let identity = self.identities[at].as_ref();
        identity.is_some_and(|identity| identity.grade == Grade::Id)
    }

    /// A field of the records that a mention names, with one of these meanings.
    pub fn own_field(&self, name: usize, digests: &[u64]) -> Option<usize> {
        let records = self.records;
        self.named_by(name).iter().find_map(|named| {
            let record = records.fields[*named].record;
            let mut fields = records.records[record].fields.clone().take(MOST_OWN_FIELDS);
            fields.find(|at| {
                let field = &records.fields[*at];
                field.record == record
                    && field.digests.iter().any(|digest| digests.contains(digest))
            })
        })
    }

    /// The fields that make a mention name a record.
    pub fn named_by(&self, name: usize) -> &[usize] {
        self.identities[name]
            .as_ref()
            .map_or(&[], |identity| &identity.fields)
    }

    fn wrong(&self) -> Vec<(Option<usize>, Wrong)> {
        let mut wrong = Vec::new();
        let mut above: Vec<Above> = Vec::new();
        let mut next = 0;
        let mut last_on_line = None;
        for segment in segments(self.content, self.tokens) {
            let first = next;
            while next < self.count && self.mentions[next].first < segment.end {
                next += 1;
            }
            let within = first..next;
            if segment.starts_line {
                last_on_line = None;
                let is_block = !segment.is_heading && !self.follows_gap(&segment);
                let ends = |last: &mut Above| {
                    last.indent > segment.indent
                        || (last.indent == segment.indent
                            && !(is_block && last.role == Role::Label))
                };
                while above.pop_if(ends).is_some() {}
            }
            let names: Vec<usize> = within
                .clone()
                .filter(|at| self.is_name(*at, &within))
                .collect();
            let context = last_on_line.or_else(|| above.last().and_then(|line| line.named));
            let labels: Vec<usize> = above
                .iter()
                .filter(|line| line.role == Role::Label && line.indent == segment.indent)
                .filter_map(|line| line.named)
                .collect();
            let around = Around {
                names: &names,
                context,
                labels: &labels,
                is_headed: !above.is_empty(),
            };
            self.judge_segment(&segment, within.clone(), around, &mut wrong);
            if let Some(odd) = super::attributes::odd_ones(self, &segment, &within, &names, context)
            {
                wrong.extend(odd.into_iter().map(|odd| (None, odd)));
            }
            let statuses =
                super::statuses::wrong_statuses(self, &segment, &within, &names, context);
            wrong.extend(statuses.into_iter().map(|status| (None, status)));
            let named = self.one_of(&names);
            if named.is_some() || !names.is_empty() {
                last_on_line = named;
            }
            if segment.starts_line && (segment.is_heading || !names.is_empty()) {
                let is_label = named.is_some_and(|name| {
                    self.is_id(name)
                        && self.is_labelled(name)
                        && self.mentions[name].first <= segment.first + MOST_LABEL
                });
                above.push(Above {
                    indent: segment.indent,
                    named,
                    role: match is_label {
                        true => Role::Label,
                        false => Role::Head,
                    },
                });
            }
        }
        wrong
    }

    /// Whether a mention names a record, and is not said of another one beside it.
    fn is_name(&self, at: usize, within: &std::ops::Range<usize>) -> bool {
        let Some(identity) = &self.identities[at] else {
            return false;
        };
        if identity.grade == Grade::Value {
            return false;
        }
        let grade_of = |at: usize| self.identities[at].as_ref().map(|found| found.grade);
        let before = at.checked_sub(1).filter(|before| *before >= within.start);
        let is_said_of_before = before.is_some_and(|before| {
            self.are_tight(before, at)
                && match (grade_of(before), identity.grade) {
                    (Some(Grade::Id), Grade::Name) => true,
                    (Some(Grade::Id), Grade::Id) => self.is_labelled(at),
                    _ => false,
                }
        });
        let after = Some(at + 1).filter(|after| *after < within.end);
        let is_said_of_after = after.is_some_and(|after| {
            self.are_tight(at, after)
                && grade_of(after) == Some(Grade::Id)
                && identity.grade == Grade::Name
        });
        !is_said_of_before && !is_said_of_after
    }

    /// Whether only brackets, dashes and words of its key stand before the second of two mentions.
    fn are_tight(&self, first: usize, second: usize) -> bool {
        let (start, end) = (self.mentions[first].end, self.mentions[second].first);
        end.saturating_sub(start) <= 2 * MOST_BETWEEN
            && self.tokens[start..end]
                .iter()
                .all(|token| match token.sign() {
                    Some(sign) => matches!(
                        sign,
                        '(' | '[' | '—' | '–' | ':' | '"' | '_' | '“' | '`' | '#' | '*' | '-'
                    ),
                    None => self.is_word_of_key(token, second),
                })
    }

    /// Whether a word of its key stands right before a mention: "status: open", "a rating of 4".
    fn is_labelled(&self, at: usize) -> bool {
        let before = &self.tokens[..self.mentions[at].first];
        let is_between = |token: &&Token<'_>| {
            token.kind == TokenKind::Sign && !matches!(token.sign(), Some(',' | ';' | '.'))
                || token.says("of")
                || token.says_one_of(&COPULAS) && !self.is_word_of_key(token, at)
        };
        let mut before = before.iter().rev().take(4).skip_while(is_between);
        before
            .next()
            .is_some_and(|token| self.is_word_of_key(token, at))
    }

    fn is_word_of_key(&self, token: &Token<'_>, at: usize) -> bool {
        let owners = self.mentions[at].owners.iter().take(6);
        owners
            .map(|owner| self.records.fields[*owner as usize].key)
            .any(|key| holds_word(key, token.text))
    }

    /// The last name of a segment, when all others name what is around it or in it.
    fn one_of(&self, names: &[usize]) -> Option<usize> {
        let (last, others) = names.split_last()?;
        let are_one = others.iter().all(|other| self.are_related(*other, *last));
        are_one.then_some(*last)
    }

    fn are_related(&self, one: usize, other: usize) -> bool {
        let owners = &self.mentions[one].owners;
        owners
            .iter()
            .any(|owner| self.is_held(other, *owner as usize))
    }

    /// Whether a record that a mention names holds a field.
    pub fn is_held(&self, name: usize, field: usize) -> bool {
        self.mentions[name].owners.iter().any(|owner| {
            let record = self.records.fields[*owner as usize].record;
            self.records.has(record, field)
        })
    }

    fn judge_segment(
        &self,
        segment: &Segment,
        within: std::ops::Range<usize>,
        around: Around<'_>,
        wrong: &mut Vec<(Option<usize>, Wrong)>,
    ) {
        let Around {
            names,
            context,
            labels,
            is_headed,
        } = around;
        if within.is_empty() {
            return;
        }
        let weak = match names.is_empty() && context.is_none() {
            true => self.weak_name(&within),
            false => None,
        };
        let is_change = self.tokens[segment.first..segment.end]
            .iter()
            .chain(context.map_or(&[][..], |context| self.line_of(context)))
            .any(|token| token.says_one_of(&CHANGES));
        let is_sum = self.tokens[segment.first..segment.end]
            .iter()
            .any(|token| token.says_one_of(&SUMS));
        let is_focus = names.is_empty()
            && context.is_none()
            && weak.is_none()
            && self.has_focus
            && !is_headed
            && self.is_all_of_focus(within.start);
        let is_guarded = self.tokens[segment.first..segment.end]
            .iter()
            .any(|token| token.says_one_of(&GUARDS));
        let is_condition = self.tokens[segment.first..segment.end]
            .iter()
            .any(|token| token.says_one_of(&CONDITIONS));
        let outliers = self.outliers(segment, names, &within);
        let bounds: Vec<_> = outliers.iter().map(|(name, _)| *name).collect();
        wrong.extend(
            outliers
                .into_iter()
                .map(|(name, wrong)| (Some(name), wrong)),
        );
        for at in within.clone() {
            if self
                .bracketed(at, names)
                .is_some_and(|name| bounds.contains(&name))
            {
                continue;
            }
            let is_sum = is_sum && self.is_sum(at, segment);
            if names.contains(&at) || weak == Some(at) || is_sum || self.is_derived(at) {
                continue;
            }
            let holder = self.bracketed(at, names);
            let beside: Vec<usize> = match (names.is_empty(), holder) {
                (true, _) if is_focus => vec![self.count],
                (true, _) => context.or(weak).into_iter().collect(),
                (false, Some(holder)) => vec![holder],
                (false, None) => beside(at, &within, names),
            };
            if beside.is_empty() || self.is_fine(at, &beside) || self.is_labels_own(at, labels) {
                continue;
            }
            if is_focus && (!self.is_said_of_it(at) || self.is_new(at)) {
                continue;
            }
            if self.is_other_word(at) || (holder.is_none() && self.is_around(at, &beside)) {
                continue;
            }
            let is_bound = match self.mentions[at].strength {
                Strength::Strong => !is_condition || holder.is_some() || !self.is_amount(at),
                Strength::Weak => {
                    (!is_guarded || holder.is_some())
                        && !is_focus
                        && weak.is_none()
                        && self.is_bound(at, &within, &beside)
                }
            };
            if !is_bound {
                continue;
            }
            let conflict = beside
                .iter()
                .find_map(|name| Some((*name, self.conflict(*name, at, holder.is_some())?)));
            if holder.is_none() && (is_change || self.follows_versus(at)) {
                continue;
            }
            let compares = |name: usize, held: usize| {
                let is_named_alone = beside.len() == 1 && !names.is_empty();
                match holder {
                    Some(_) => false,
                    None if is_named_alone => self.is_said_of(name, held, &within, names),
                    None => self.is_said(held, 0..self.count),
                }
            };
            if let Some((name, (owner, held))) = conflict
                && !compares(name, held)
                && !self.is_difference(at, held)
                && (holder.is_some()
                    || !(self.is_told_of(owner, at, &within, names)
                        || self.is_part_of(held, name)
                        || self.is_of_another(name, at)
                        || self.has_other_label(at, segment)))
                && !self.is_partly_named(owner, segment)
            {
                let place = self.place(&self.mentions[at]);
                let wrong_one = self.wrong_at(place, segment, name, Some(owner), held);
                wrong.push((Some(at), wrong_one));
            }
        }
    }

    /// Whether a time is said to be before or after the named records: "free from 2 PM, before the tasting".
    fn is_around(&self, at: usize, names: &[usize]) -> bool {
        let is_time = matches!(
            self.mentions[at].kind,
            Some(FactKind::Time | FactKind::Date)
        );
        let is_bound = |name: &usize| {
            let before = &self.tokens[..self.mentions[*name].first];
            let mut near = before.iter().rev().take(2);
            near.any(|word| word.says_one_of(&AROUND))
        };
        is_time && names.iter().all(is_bound)
    }

    /// Whether a value is of the very record that a label names, and not only of one in it.
    fn is_labels_own(&self, at: usize, labels: &[usize]) -> bool {
        let records = self.records;
        let of = |field: usize| records.fields[field].record;
        let mut named = labels.iter().flat_map(|label| self.named_by(*label));
        named.any(|named| {
            let mut owners = self.mentions[at].owners.iter();
            owners.any(|owner| of(*owner as usize) == of(*named))
        })
    }

    /// Whether an amount has a label that is neither its key nor a word for what something costs: "insurance: $60".
    fn has_other_label(&self, at: usize, segment: &Segment) -> bool {
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

    /// Whether somebody else is named between a name and a value after it: "A-1 went well, giving Ann Doe 12".
    fn is_of_another(&self, name: usize, at: usize) -> bool {
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

    /// Whether an empty line stands before a segment.
    fn follows_gap(&self, segment: &Segment) -> bool {
        let Some(before) = segment.first.checked_sub(1) else {
            return true;
        };
        let gap = self.tokens[before].end()..self.tokens[segment.first].start;
        self.content[gap].matches('\n').count() > 1
    }

    /// Whether all that this reply said before is of what the replies before were about.
    fn is_all_of_focus(&self, until: usize) -> bool {
        (0..until).all(|at| {
            let mention = &self.mentions[at];
            mention.strength == Strength::Weak
                || mention.owners.is_empty()
                || self.identities[at].is_none()
                || self.is_fine(at, &[self.count])
        })
    }

    /// Whether a mention is another word than the value: "in" for the state `IN`, or a "yes" that answers.
    fn is_other_word(&self, at: usize) -> bool {
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

    /// Whether a sentence mentions the record that a value belongs to, by another value that is of it alone.
    fn is_told_of(
        &self,
        owner: usize,
        at: usize,
        within: &std::ops::Range<usize>,
        names: &[usize],
    ) -> bool {
        let record = self.records.fields[owner].record;
        let tells = |other: usize| {
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
            .any(tells)
    }

    /// Whether a value of a record is written in the name that the reply gives it.
    fn is_part_of(&self, held: usize, name: usize) -> bool {
        let FieldText::Text(text) = self.records.fields[held].text else {
            return false;
        };
        name < self.count && self.content[self.place(&self.mentions[name])].contains(text)
    }

    /// The first value of a segment that is of one record alone, where nothing names one.
    fn weak_name(&self, within: &std::ops::Range<usize>) -> Option<usize> {
        let is_alone = |at: &usize| {
            let mention = &self.mentions[*at];
            let identity = self.identities[*at].as_ref();
            let is_text = matches!(mention.kind, None | Some(FactKind::Time | FactKind::Quote));
            is_text && mention.strength == Strength::Strong && identity.is_some()
        };
        let is_time = |at: &usize| self.mentions[*at].kind == Some(FactKind::Time);
        let names_other = |at: usize| {
            let owners = self.mentions[at].owners.iter();
            let mut keys = owners.map(|owner| self.records.fields[*owner as usize].key);
            keys.any(|key| ends_with_id(key) || key.to_ascii_lowercase().contains("name"))
        };
        let found = within.clone().find(is_alone)?;
        let is_sure = !is_time(&found)
            || (within.clone().filter(is_time).count() == 1 && !within.clone().any(names_other));
        is_sure.then_some(found)
    }

    /// Names followed by brackets in which several values stand, none of the named record and all of another one.
    fn outliers(
        &self,
        segment: &Segment,
        names: &[usize],
        within: &std::ops::Range<usize>,
    ) -> Vec<(usize, Wrong)> {
        let mut found = Vec::new();
        for name in names {
            let values = within.clone().filter(|at| {
                at > name && !names.contains(at) && self.bracketed(*at, names) == Some(*name)
            });
            let values: Vec<usize> = values.collect();
            if !self.is_id(*name)
                || values.len() < 2
                || values.iter().any(|at| self.is_fine(*at, &[*name]))
            {
                continue;
            }
            if let Some(owner) = self.owner_of_all(*name, &values)
                && let Some(held) = self.named_by(*name).first()
            {
                let place = self.place(&self.mentions[*name]);
                let wrong = self.wrong_at(place, segment, *name, Some(owner), *held);
                found.push((*name, wrong));
            }
        }
        found
    }

    /// The id of one record that holds all of these values, and has an id under the same key as the named one.
    fn owner_of_all(&self, name: usize, values: &[usize]) -> Option<usize> {
        let records = self.records;
        let (first, rest) = values.split_first()?;
        let id_keys: Vec<_> = self
            .named_by(name)
            .iter()
            .map(|named| records.fields[*named].key)
            .collect();
        let holds = |record: usize, at: &usize| {
            let mut owners = self.mentions[*at].owners.iter();
            owners.any(|owner| records.records[record].fields.contains(&(*owner as usize)))
        };
        let candidates = self.mentions[*first]
            .owners
            .iter()
            .map(|owner| records.fields[*owner as usize].record);
        candidates
            .filter(|record| rest.iter().all(|at| holds(*record, at)))
            .find_map(|record| {
                let mut fields = records.records[record].fields.clone().take(40);
                fields.find(|at| {
                    let field = &records.fields[*at];
                    field.record == record
                        && field.value.is_some()
                        && !field.key.is_empty()
                        && id_keys.contains(&field.key)
                })
            })
    }

    /// Whether a number is the result of a sum, or one of so many: "= 3:00", "50 of 135".
    fn is_derived(&self, at: usize) -> bool {
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

    fn is_amount(&self, at: usize) -> bool {
        matches!(
            self.mentions[at].kind,
            Some(FactKind::Number | FactKind::Money | FactKind::Time | FactKind::Percent)
        )
    }

    /// Whether an amount may be worked out of others where a sum is spoken of: no code, and not what its own key says.
    fn is_sum(&self, at: usize, segment: &Segment) -> bool {
        let mention = &self.mentions[at];
        let is_code = mention.kind == Some(FactKind::Number)
            && mention.end == mention.first + 1
            && self.tokens[mention.first].text.len() >= 4;
        let mut words = self.tokens[segment.first..segment.end].iter();
        let is_key = |token: &Token<'_>| token.says_one_of(&SUMS) && self.is_word_of_key(token, at);
        self.is_amount(at) && !is_code && !self.is_labelled(at) && !words.any(is_key)
    }

    /// Whether a token is a number, or "out".
    fn is_count(&self, at: usize) -> bool {
        let token = &self.tokens[at];
        token.kind == TokenKind::Digits || token.says("out")
    }

    /// Whether the words before a value say what it is of that which was spoken of before: "the phone number is".
    fn is_said_of_it(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        let kind = mention.kind;
        let before = self.tokens[..mention.first].iter().rev().take(8);
        let mut before = before.filter(|token| token.kind != TokenKind::Sign);
        let says = |token: &Token<'_>| {
            self.is_word_of_key(token, at)
                || (kind == Some(FactKind::Money) && token.says_one_of(&COSTS))
        };
        let digits = |token: &Token<'_>| token.text.bytes().filter(u8::is_ascii_digit).count();
        let value = &self.tokens[mention.first..mention.end];
        kind == Some(FactKind::Phone)
            || value.iter().map(digits).sum::<usize>() >= FEWEST_DIGITS_OF_PHONE
            || before.any(says)
            || (kind == Some(FactKind::Money) && self.asked.iter().any(says))
    }

    /// Whether one of these mentions is the value of a field: then the reply compares.
    fn is_said(&self, field: usize, mut within: std::ops::Range<usize>) -> bool {
        within.any(|at| self.is_value_of(at, field))
    }

    /// Whether a segment says the value of a field of the named record, and of no other one.
    fn is_said_of(
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

    fn is_value_of(&self, at: usize, field: usize) -> bool {
        let digests = self.records.fields[field].digests;
        let mut said = self.mentions[at].digests.iter();
        said.any(|digest| digests.contains(digest))
    }

    /// Whether an amount and that of a field make a known one together: it is worked out of them.
    fn is_difference(&self, at: usize, field: usize) -> bool {
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

    /// The words of a line up to a mention in it.
    fn line_of(&self, at: usize) -> &[Token<'_>] {
        if at >= self.count {
            return &[];
        }
        let end = self.mentions[at].first;
        let start = self.tokens[end].start;
        let line = self.content[..start].rfind('\n').map_or(0, |at| at + 1);
        let first = self.tokens.partition_point(|token| token.start < line);
        &self.tokens[first..end]
    }

    fn follows_versus(&self, at: usize) -> bool {
        let before = &self.tokens[..self.mentions[at].first];
        let mut before = before.iter().rev().take(3);
        before.any(|token| token.says_one_of(&VERSUS))
    }

    /// Whether a call that was made after the focus was named brought a value.
    fn is_new(&self, at: usize) -> bool {
        let owners = self.mentions[at].owners.iter();
        let mut calls = owners.map(|owner| {
            let record = self.records.fields[*owner as usize].record;
            self.records.records[record].call
        });
        calls.any(|call| call >= self.since_focus)
    }

    /// The name that opens the brackets in which a value stands: "A-1 (open, $20)".
    fn bracketed(&self, at: usize, names: &[usize]) -> Option<usize> {
        let end = self.mentions[at].first;
        let name = names
            .iter()
            .rev()
            .find(|name| self.mentions[**name].end <= end)?;
        let between = &self.tokens[self.mentions[*name].end..end];
        let opens = between
            .first()
            .is_some_and(|sign| sign.is('(') || sign.is('['));
        let closes = between.iter().any(|sign| sign.is(')') || sign.is(']'));
        let compares = |sign: &Token<'_>| sign.says_one_of(&VERSUS);
        let until = self.tokens.len().min(end + MOST_BRACKETED);
        let mut inside = self.tokens[self.mentions[*name].end..until].iter();
        let inside = inside
            .by_ref()
            .take_while(|sign| !sign.is(')') && !sign.is(']'));
        (opens && !closes && !inside.into_iter().any(compares)).then_some(*name)
    }

    /// Whether a segment holds a part of a name of the record that a field belongs to: "DeVore's" for "Bob DeVore".
    fn is_partly_named(&self, field: usize, segment: &Segment) -> bool {
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

    /// Whether a mention covers this place.
    fn is_mentioned_at(&self, start: usize) -> bool {
        self.mention_at(start).is_some()
    }

    /// The mention that covers this place.
    fn mention_at(&self, start: usize) -> Option<usize> {
        let at = self.mentions[..self.count]
            .partition_point(|mention| self.tokens[mention.first].start <= start);
        at.checked_sub(1)
            .filter(|at| self.tokens[self.mentions[*at].end - 1].end() > start)
    }

    /// What this reply is about, for the next one.
    fn next_focus(&mut self, age: usize, calls: usize) -> Option<Focus> {
        let whole = 0..self.count;
        let mut names: Vec<usize> = whole
            .clone()
            .filter(|at| self.is_name(*at, &whole))
            .collect();
        if names.is_empty() {
            names.extend(self.weak_name(&whole));
        }
        let (at, age, calls, name) = match names.is_empty() {
            true if self.mentions.len() > self.count => {
                let name = std::mem::take(&mut self.focus_name);
                (self.count, age, self.since_focus, name)
            }
            true => return None,
            false => {
                let at = self.one_of(&names)?;
                let place = self.place(&self.mentions[at]);
                (at, 0, calls, self.content[place].to_owned())
            }
        };
        let identity = self.identities[at].take()?;
        let mention = self.mentions.swap_remove(at);
        Some(Focus {
            mention,
            identity,
            name,
            age,
            calls,
        })
    }

    /// Whether a value is one of the arguments, or of a named record.
    pub fn is_fine(&self, at: usize, names: &[usize]) -> bool {
        self.mentions[at].owners.iter().any(|owner| {
            let owner = *owner as usize;
            self.records.fields[owner].is_argument
                || names.iter().any(|name| {
                    self.is_held(*name, owner) && !self.is_of_key_beside(*name, at, owner)
                })
        })
    }

    /// Whether the words before a value say that it is of a key that the named record has, and the value stands only
    /// around that record: "device 3, service: B" where device 3 has the service A.
    fn is_of_key_beside(&self, name: usize, at: usize, owner: usize) -> bool {
        let records = self.records;
        let before = &self.tokens[..self.mentions[at].first];
        let is_own = |record: usize| records.records[record].fields.contains(&owner);
        self.named_by(name).iter().all(|named| {
            let record = records.fields[*named].record;
            !is_own(record) && self.own_key(record, |key| follows_key(key, before))
        })
    }

    /// Whether a record has a key of its own that is meant.
    fn own_key(&self, record: usize, is_meant: impl Fn(&str) -> bool) -> bool {
        let fields = self.records.records[record].fields.clone();
        self.records.fields[fields]
            .iter()
            .take(40)
            .any(|field| field.record == record && is_meant(field.key))
    }

    /// Whether a plain word or a small number is said of a record: "A is open", "(open)", "status: open", or in a list
    /// with another value of it.
    fn is_bound(&self, at: usize, within: &std::ops::Range<usize>, names: &[usize]) -> bool {
        if self.is_number_word(at) {
            return false;
        }
        if self.is_labelled(at) {
            return true;
        }
        if self.is_amount(at) {
            let next = self.tokens.get(self.mentions[at].end);
            return next.is_some_and(|next| self.is_word_of_key(next, at));
        }
        let next = Some(at + 1).filter(|next| names.contains(next));
        if next.is_some_and(|next| self.are_tight(at, next)) {
            return true;
        }
        let before = at.checked_sub(1).filter(|before| *before >= within.start);
        let after = Some(at + 1).filter(|after| *after < within.end);
        let is_in_list = |start: usize, end: usize| {
            end.saturating_sub(start) <= 2
                && self.tokens[start..end]
                    .iter()
                    .all(|token| matches!(token.sign(), Some(',' | '/' | ';' | '·' | '|')))
        };
        let is_of_it = |other: usize| names.contains(&other) || self.is_fine(other, names);
        let follows = before.is_some_and(|before| {
            let (start, end) = (self.mentions[before].end, self.mentions[at].first);
            let says = || {
                end.saturating_sub(start) <= MOST_BETWEEN
                    && self.tokens[start..end]
                        .iter()
                        .all(|token| match token.sign() {
                            Some(sign) => matches!(
                                sign,
                                '(' | '—' | '–' | ':' | '-' | '=' | '"' | '*' | '|' | '['
                            ),
                            None => token.says_one_of(&COPULAS),
                        })
            };
            is_of_it(before) && (is_in_list(start, end) || (names.contains(&before) && says()))
        });
        follows
            || after.is_some_and(|after| {
                is_of_it(after)
                    && !names.contains(&after)
                    && is_in_list(self.mentions[at].end, self.mentions[after].first)
            })
    }

    fn is_number_word(&self, at: usize) -> bool {
        let mention = &self.mentions[at];
        mention.kind == Some(FactKind::Number)
            && self.tokens[mention.first].kind == TokenKind::Letters
    }

    /// The field that holds a value of another record of the kind of the named one, and the field of the same key in the
    /// named record.
    fn conflict(&self, name: usize, at: usize, is_bracketed: bool) -> Option<(usize, usize)> {
        let identity = self.identities[name].as_ref()?;
        let records = self.records;
        for named in &identity.fields {
            let (record, id_key) = (records.fields[*named].record, records.fields[*named].key);
            for owner in &self.mentions[at].owners {
                let owner = *owner as usize;
                let field = &records.fields[owner];
                let before = &self.tokens[..self.mentions[at].first];
                let is_other_id = ends_with_id(field.key)
                    && !(self.is_id(name) && follows_key(field.key, before));
                if field.value.is_none() || field.key == id_key || is_other_id {
                    continue;
                }
                let is_alike = records.around(field.record).any(|other| {
                    let is_same_kind = records.records[other].kind == records.records[record].kind;
                    other != record
                        && (is_same_kind
                            || (!id_key.is_empty() && self.own_key(other, |key| key == id_key)))
                });
                if !is_alike {
                    continue;
                }
                if let Some(held) = self.other_value(record, field) {
                    return Some((owner, held));
                }
                // Its record has no such key at all: "gift card 12 (Visa 4242)".
                let is_alone = self.records.fields[*named].key == id_key
                    && self.identities[at].is_some()
                    && self.mentions[at].strength == Strength::Strong
                    && !self.own_key(record, |key| key == field.key)
                    && self.records.records[field.record].kind == self.records.records[record].kind
                    && self.records.records[field.record].parent.is_some();
                if is_bracketed && is_alone {
                    return Some((owner, *named));
                }
            }
        }
        None
    }

    /// The field of a record under the key of another field, with another value.
    fn other_value(&self, record: usize, other: &Field<'_>) -> Option<usize> {
        let fields = self.records.records[record].fields.clone();
        let is_alike = |field: &Field<'_>| {
            field.key == other.key
                && field.within == other.within
                && !field.is_argument
                && field.value.is_some()
                && self.depth(field.record, record) == self.depth_of_kind(other, record)
        };
        fields
            .take(400)
            .find(|at| is_alike(&self.records.fields[*at]))
    }

    /// How many records lie between.
    fn depth(&self, inner: usize, outer: usize) -> Option<usize> {
        self.records.around(inner).position(|at| at == outer)
    }

    /// How deep a field stands in the record that is like this one.
    fn depth_of_kind(&self, field: &Field<'_>, record: usize) -> Option<usize> {
        let kind = self.records.records[record].kind;
        self.records
            .around(field.record)
            .position(|at| self.records.records[at].kind == kind)
            .or(Some(0))
    }

    /// A part of the reply.
    pub fn text(&self, place: std::ops::Range<usize>) -> &str {
        &self.content[place]
    }

    fn place(&self, mention: &Mention) -> std::ops::Range<usize> {
        self.tokens[mention.first].start..self.tokens[mention.end - 1].end()
    }

    /// A value at a place of the reply that is not that of a named record.
    pub fn wrong_at(
        &self,
        place: std::ops::Range<usize>,
        segment: &Segment,
        name: usize,
        owner: Option<usize>,
        held: usize,
    ) -> Wrong {
        Wrong {
            start: place.start,
            end: place.end,
            sentence: self.tokens[segment.first].start..self.tokens[segment.end - 1].end(),
            name: match name < self.count {
                true => self.content[self.place(&self.mentions[name])].to_owned(),
                false => self.focus_name.clone(),
            },
            owner,
            held,
        }
    }
}

/// The names on both sides of a mention, each with those that follow it without a value between.
fn beside(at: usize, within: &std::ops::Range<usize>, names: &[usize]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut before = at;
    while before > within.start {
        before -= 1;
        match names.contains(&before) {
            true => found.push(before),
            false if !found.is_empty() => break,
            false => {}
        }
    }
    let had = found.len();
    for after in at + 1..within.end {
        match names.contains(&after) {
            true => found.push(after),
            false if found.len() > had => break,
            false => {}
        }
    }
    found
}

/// Whether a word is one of those that a key is made of.
pub fn holds_word(key: &str, word: &str) -> bool {
    if word.len() < 3 && !word.eq_ignore_ascii_case("id") {
        return false;
    }
    let mut start = 0;
    let bytes = key.as_bytes();
    for at in 1..=bytes.len() {
        let ends = at == bytes.len()
            || !bytes[at].is_ascii_alphanumeric()
            || (bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase());
        if !ends {
            continue;
        }
        let part = key.get(start..at).unwrap_or_default();
        let part = part.trim_start_matches(|c: char| !c.is_alphanumeric());
        if part.eq_ignore_ascii_case(word) {
            return true;
        }
        start = at;
    }
    false
}
