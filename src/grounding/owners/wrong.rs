//! The values of a reply that belong to another record than the one that is named: what a reply is held against, and
//! what is found.

use super::checker::Checker;
use super::focus::{Focus, MOST_ASKED, OLDEST_FOCUS};
use super::identity::identity;
use super::mentions::mentions;
use super::records::{Records, roll};
use super::user_words::UserWords;
use super::words::OTHERS;
use toolgauge_facts::{TextId, Texts};

/// A reply with more mentions is a dump of results.
pub const MOST_MENTIONS: usize = 600;

/// So many values of a reply are reported at most.
pub const MOST_WRONG: usize = 12;

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
    said: &mut UserWords,
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
    let mut checker = Checker {
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
    let mut wrong = checker.wrong();
    if !wrong.is_empty() {
        said.read(user, instructions, texts);
        wrong.retain(|wrong| match wrong.0 {
            Some(mention) => {
                let digests = &checker.mentions[mention].digests;
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
    *focus = checker.next_focus(age, calls);
    wrong
}
