//! Finds the mentions of record values in a reply.

use super::records::{MOST_WORDS, Records, add_meanings, roll};
use toolgauge_facts::{Fact, FactKind, TextId, Texts, Token, TokenKind};

/// How likely it is that a mention means the value, rather than being the same word by chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// A code, an amount, a date, or several words: rarely the same by chance.
    Strong,
    /// A small number or a plain word: it counts only with a neighbour that says what it is.
    Weak,
}

/// A value of a record that appears in a reply.
pub struct Mention {
    /// The index of its first token.
    pub first: usize,
    /// The index after its last token.
    pub end: usize,
    /// The fields that hold the value; empty if the value is common.
    pub owners: Vec<u32>,
    /// The digests of its meanings.
    pub digests: Vec<u64>,
    /// How likely it is that the value is meant.
    pub strength: Strength,
    /// Its kind, if it is a fact.
    pub kind: Option<FactKind>,
}

/// Returns the mentions in a text, in order and without overlaps.
pub fn mentions(text: TextId, records: &Records<'_>, texts: &Texts<'_>) -> Vec<Mention> {
    let tokens = texts.tokens(text);
    let facts = texts.facts(text);
    let mut found = Vec::new();
    let (mut at, mut next_fact) = (0, 0);
    while at < tokens.len() {
        while facts
            .get(next_fact)
            .is_some_and(|fact| fact.start < tokens[at].start)
        {
            next_fact += 1;
        }
        let fact = facts
            .get(next_fact)
            .filter(|fact| fact.start == tokens[at].start);
        let mention = mention_at(at, tokens, fact, records);
        at = match mention {
            Some(mention) => {
                let end = mention.end;
                found.push(mention);
                end
            }
            None => at + 1,
        };
    }
    found
}

fn mention_at(
    at: usize,
    tokens: &[Token<'_>],
    fact: Option<&Fact<'_>>,
    records: &Records<'_>,
) -> Option<Mention> {
    let mut best: Option<(usize, u64)> = None;
    let (mut state, mut words) = (0, 0);
    let longest = tokens[at].word.map_or(0, |word| records.longest_from(word));
    if longest > 0 {
        for (end, token) in tokens.iter().enumerate().skip(at).take(3 * MOST_WORDS) {
            let Some(word) = token.word else {
                continue;
            };
            state = roll(state, word);
            words += 1;
            if records.knows(state) {
                best = Some((end + 1, state));
            }
            if words == longest {
                break;
            }
        }
    }
    let mut digests = Vec::new();
    let mut end = at + 1;
    let mut kind = None;
    if let Some(fact) = fact {
        let fact_end = fact.end();
        let length = tokens[at..].partition_point(|token| token.start < fact_end);
        if best.is_none_or(|(end, _)| end <= at + length) {
            add_meanings(fact, true, &mut digests);
            end = at + length;
            kind = Some(fact.kind);
        }
    }
    if let Some((words_end, digest)) =
        best.filter(|(words_end, _)| *words_end >= end || kind.is_none())
    {
        digests.push(digest);
        end = words_end;
    } else if let Some((words_end, digest)) = best
        // "1" is not a part of "1.3".
        && tokens[words_end..end]
            .iter()
            .all(|token| !token.text.bytes().any(|byte| byte.is_ascii_digit()))
        && matches!(
            kind,
            Some(FactKind::Money | FactKind::Number | FactKind::Identifier | FactKind::Phone)
        )
    {
        digests.push(digest);
    }
    digests.retain(|digest| records.knows(*digest));
    if digests.is_empty() {
        return None;
    }
    let mut owners = Vec::new();
    for digest in &digests {
        // Common values are mentions without owners.
        owners.extend(records.owners(*digest).unwrap_or_default());
    }
    owners.sort_unstable();
    owners.dedup();
    Some(Mention {
        first: at,
        end,
        owners,
        digests,
        strength: strength(&tokens[at..end], kind),
        kind,
    })
}

fn strength(tokens: &[Token<'_>], kind: Option<FactKind>) -> Strength {
    let digits: usize = tokens
        .iter()
        .map(|token| token.text.bytes().filter(u8::is_ascii_digit).count())
        .sum();
    let words = tokens.iter().filter(|token| token.word.is_some());
    let has_letters = |token: &Token<'_>| token.text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_strong = match kind {
        Some(
            FactKind::Money
            | FactKind::Date
            | FactKind::Time
            | FactKind::Identifier
            | FactKind::Email
            | FactKind::Url
            | FactKind::Phone
            | FactKind::Percent,
        ) => true,
        Some(FactKind::Number) => digits >= 3 || tokens.len() > 2,
        Some(FactKind::Quote | FactKind::Name) | None => {
            let count = words.clone().count();
            let is_proper = words.clone().any(|word| word.is_capitalized);
            let is_code = words
                .clone()
                .any(|word| word.kind == TokenKind::Mixed && word.text.len() >= 3);
            digits >= 3
                || is_code
                || (count >= 2 && (is_proper || (digits > 0 && tokens.iter().any(has_letters))))
        }
    };
    match is_strong {
        true => Strength::Strong,
        false => Strength::Weak,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::with_records;
    use super::*;

    const LIST: &str = r#"[{"code":"KX-77","name":"Blue Harbour","price":312.5,"rooms":3,"state":"open","on":"2024-05-16"}]"#;

    /// Returns the mentions in a reply with their strength.
    fn mentioned(reply: &str) -> Vec<(String, Strength)> {
        with_records(LIST, reply, |records, texts, id| {
            let tokens = texts.tokens(id);
            let text = |mention: &Mention| {
                reply[tokens[mention.first].start..tokens[mention.end - 1].end()].to_owned()
            };
            mentions(id, records, texts)
                .iter()
                .map(|mention| (text(mention), mention.strength))
                .collect()
        })
    }

    #[test]
    fn codes_names_and_amounts_are_strong() {
        for (reply, text) in [
            ("Take KX-77!", "KX-77"),
            ("The blue Blue Harbour has it", "Blue Harbour"),
            ("You pay $312.50 now", "$312.50"),
            ("Come on May 16, 2024", "May 16, 2024"),
        ] {
            assert_eq!(
                mentioned(reply),
                [(text.to_owned(), Strength::Strong)],
                "{reply}"
            );
        }
    }

    #[test]
    fn plain_words_and_small_numbers_are_weak() {
        for (reply, text) in [("It is open", "open"), ("It has 3 of them", "3")] {
            assert_eq!(
                mentioned(reply),
                [(text.to_owned(), Strength::Weak)],
                "{reply}"
            );
        }
    }

    #[test]
    fn what_no_record_holds_is_not_mentioned() {
        for reply in [
            "Take KX-78!",
            "The blue one",
            "You pay $312.60",
            "It has 3.5 of them",
            "",
        ] {
            assert_eq!(mentioned(reply), [], "{reply}");
        }
    }
}
