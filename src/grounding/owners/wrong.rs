//! The entry point of the check: finds the values of a reply that belong to another record than the named one.

use super::checker::Checker;
use super::focus::{Focus, MOST_ASKED, OLDEST_FOCUS};
use super::identity::identity;
use super::mentions::mentions;
use super::records::{Records, roll};
use super::user_words::UserWords;
use super::words::OTHERS;
use toolgauge_facts::{TextId, Texts};

/// A reply with more mentions is a dump of results and is not checked.
pub const MOST_MENTIONS: usize = 600;

/// The maximum number of values of a reply that are reported.
pub const MOST_WRONG: usize = 12;

/// A value that belongs to another record than the named one.
#[derive(Debug, Clone)]
pub struct Wrong {
    /// The byte offset in the reply at which the value starts.
    pub start: usize,
    /// The byte offset at which the value ends.
    pub end: usize,
    /// The byte range of the sentence that states the value.
    pub sentence: std::ops::Range<usize>,
    /// The name of the record in this reply or in an earlier one.
    pub name: String,
    /// The field that holds the value, if there is one.
    pub owner: Option<usize>,
    /// The field of the named record that holds a different value.
    pub held: usize,
}

/// What a reply is checked against.
pub struct Conversation<'c, 'a> {
    /// The records of all results so far.
    pub records: &'c Records<'a>,
    /// All texts of the conversation.
    pub texts: &'c Texts<'a>,
    /// The user's text in each turn so far; `None` if the turn is not the user's.
    pub user: &'c [Option<TextId>],
    /// The instructions.
    pub instructions: &'c [TextId],
    /// How many calls were made so far.
    pub calls: usize,
}

/// Returns the values of `reply` that belong to another record than the one named beside them. `focus` is the subject
/// of the previous replies; it is updated for the next one.
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
