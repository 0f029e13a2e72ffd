//! Finds short codes, versions, routes and code names of a reply that no evidence contains, although similar ones are
//! known.
//!
//! Longer codes are facts of their own. Short ones look too much like words to be checked by themselves: a code counts
//! as made up only if it differs from a known one in a single part.

mod chain;
mod shape;

use foldhash::HashSet;

use self::chain::{Chain, LONGEST, chains};
use self::shape::{is_capital_code, is_short_code, shapes};
use super::evidence::Evidence;
use super::named::{Written, pattern, patterns};
use toolgauge_facts::{Fact, FactKind, TextId, Texts, Token, TokenKind, key_of};

/// How many codes of a reply are compared with the known ones.
const MOST_SUSPECTS: usize = 50;

/// If more new codes look the same, they are the reply's own numbering.
const MOST_ALIKE: usize = 2;

/// With fewer words, a name may match that of another thing by chance.
const FEWEST_WORDS: usize = 4;

/// Stands for a part of any length.
const ANY_LENGTH: usize = 0;

/// How many known codes in capitals a new one is compared with.
const MOST_CAPITALS: usize = 200;

/// A code that no evidence contains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnshownCode<'a> {
    /// The code as it is written.
    pub text: &'a str,
    /// Its byte offset in the reply.
    pub start: usize,
}

/// The forms of the known codes.
#[derive(Default)]
pub struct Codes<'a> {
    /// Chains with one part left out.
    patterns: HashSet<u64>,
    /// Chains with one part that has digits left out, each with the length of that part.
    numbered: HashSet<(u64, usize)>,
    shapes: HashSet<u64>,
    /// The numbers of parts that known versions have, as a bit set.
    versions: u32,
    /// Values that consist of one code in capitals.
    capitals: Vec<&'a str>,
    known_capitals: HashSet<u64>,
    /// How many texts of the evidence were read.
    read: usize,
}

impl<'a> Codes<'a> {
    fn read(&mut self, evidence: Evidence<'_>, texts: &Texts<'a>) {
        let new = &evidence.texts()[self.read..];
        self.read += new.len();
        for text in new {
            let tokens = texts.tokens(*text);
            if let [token] = tokens
                && is_capital_code(token)
                && self.known_capitals.insert(key_of(token.text))
            {
                self.capitals.push(token.text);
            }
            for chain in chains(tokens) {
                self.add(&chain);
            }
        }
    }

    fn add(&mut self, chain: &Chain<'_, 'a>) {
        let parts = chain.len();
        if parts == 1 {
            if is_short_code(&chain.tokens[0]) {
                self.shapes.extend(shapes(chain.tokens[0].text));
            }
            return;
        }
        if chain.is_version() {
            self.versions |= 1 << parts.min(31);
        }
        if parts > LONGEST {
            return;
        }
        let keys: Vec<_> = chain.parts().map(|part| key_of(part.text)).collect();
        for (pattern, part) in patterns(&keys).zip(chain.parts()) {
            if has_digit(part) {
                self.numbered
                    .extend([(pattern, part.text.len()), (pattern, ANY_LENGTH)]);
            }
            self.patterns.insert(pattern);
        }
    }
}

/// The evidence that codes are compared with.
pub struct Background<'k, 'a> {
    /// The known texts.
    pub evidence: Evidence<'k>,
    /// The known keys and the names beside them.
    pub written: &'k Written<'a>,
    /// The forms of the known codes. [`unshown_codes`] adds those of new texts of the evidence first.
    pub codes: &'k mut Codes<'a>,
    /// All texts.
    pub texts: &'k Texts<'a>,
}

/// Checks whether a reply may contain a code that must be checked. Few replies do.
pub fn may_hold_codes(tokens: &[Token<'_>], facts: &[Fact<'_>], evidence: Evidence<'_>) -> bool {
    suspects(tokens, facts, evidence).next().is_some()
        || (0..tokens.len())
            .any(|at| may_be_capitals(tokens, at) && !evidence.holds_word(&tokens[at]))
}

/// Checks whether a token is a code in capitals that must be checked: the end of a route, or long enough to be
/// misspelt.
fn may_be_capitals(tokens: &[Token<'_>], at: usize) -> bool {
    let is_end = || {
        end_after(&tokens[at + 1..])
            .or(end_before(&tokens[..at]))
            .is_some()
    };
    is_capital_code(&tokens[at]) && (tokens[at].text.len() > 3 || is_end())
}

/// Yields the chains that may be a new code: outside of facts, and either a word that no text contains or several
/// parts.
fn suspects<'k, 'a>(
    tokens: &'k [Token<'a>],
    facts: &'k [Fact<'a>],
    evidence: Evidence<'_>,
) -> impl Iterator<Item = Chain<'k, 'a>> {
    let mut facts = facts
        .iter()
        .filter(|fact| fact.kind != FactKind::Quote)
        .peekable();
    chains(tokens).filter(move |chain| {
        let first = &chain.tokens[0];
        let may_be_code = match chain.len() {
            1 => is_short_code(first) && !evidence.holds_word(first),
            _ if chain.is_version() => !chain.may_be_number(),
            length => length <= LONGEST && is_code(chain),
        };
        if !may_be_code || chain.is_part() {
            return false;
        }
        let ends_before = |fact: &&Fact<'_>| fact.end() <= chain.start();
        while facts.next_if(ends_before).is_some() {}
        let fact = facts.peek().filter(|fact| fact.start < chain.end());
        fact.is_none_or(|fact| match fact.kind {
            FactKind::Number => chain.len() > 1,
            FactKind::Date => false,
            FactKind::Money
            | FactKind::Percent
            | FactKind::Time
            | FactKind::Identifier
            | FactKind::Email
            | FactKind::Url
            | FactKind::Phone
            | FactKind::Quote
            | FactKind::Name => chain.is_version(),
        })
    })
}

/// Checks whether a chain is written as a code and not as words with hyphens.
fn is_code(chain: &Chain<'_, '_>) -> bool {
    if is_power_of_ten(chain) {
        return false;
    }
    let has_digit = chain.parts().any(has_digit);
    let has_letter = chain.parts().any(|part| part.kind != TokenKind::Digits);
    let is_snake = chain.len() >= FEWEST_WORDS && chain.tokens.iter().any(|token| token.is('_'));
    (has_digit && has_letter) || is_snake
}

/// Checks whether a chain is a number such as `1e-17` or `6.02e-23`.
fn is_power_of_ten(chain: &Chain<'_, '_>) -> bool {
    let is_mantissa = |part: &Token<'_>| {
        let digits = part.text.strip_suffix(['e', 'E']);
        digits.is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    chain.parts().any(is_mantissa)
}

fn has_digit(token: &Token<'_>) -> bool {
    matches!(token.kind, TokenKind::Digits | TokenKind::Mixed)
}

/// Returns the codes of `content`, the text `id`, that no evidence contains, in order.
pub fn unshown_codes<'a>(
    content: &'a str,
    id: TextId,
    background: &mut Background<'_, 'a>,
) -> Vec<UnshownCode<'a>> {
    let (tokens, facts) = (background.texts.tokens(id), background.texts.facts(id));
    background.codes.read(background.evidence, background.texts);
    let suspects: Vec<_> = suspects(tokens, facts, background.evidence)
        .take(MOST_SUSPECTS)
        .collect();
    let mut found: Vec<_> = suspects
        .iter()
        .filter(|chain| background.is_unshown(chain))
        .map(|chain| UnshownCode {
            text: &content[chain.start()..chain.end()],
            start: chain.start(),
        })
        .collect();
    found.extend(background.unshown_capitals(tokens));
    found.sort_by_key(|code| code.start);
    let numbered: Vec<_> = found.iter().map(|code| code.text).collect();
    found.retain(|code| !is_of_series(code.text, &numbered));
    found
}

/// Checks whether so many new codes differ from this one in digits alone that the reply numbers something with them.
fn is_of_series(code: &str, codes: &[&str]) -> bool {
    let [shape, _] = shapes(code);
    let mut alike: Vec<_> = codes
        .iter()
        .filter(|other| other.len() == code.len() && shapes(other)[0] == shape)
        .collect();
    alike.sort_unstable();
    alike.dedup();
    alike.len() > MOST_ALIKE
}

impl<'a> Background<'_, 'a> {
    fn is_unshown(&mut self, chain: &Chain<'_, '_>) -> bool {
        let first = &chain.tokens[0];
        match chain.len() {
            1 => {
                !self.written.holds(first.text)
                    && shapes(first.text)
                        .iter()
                        .any(|shape| self.codes.shapes.contains(shape))
            }
            length if chain.is_version() => {
                self.codes.versions & (1 << length.min(31)) != 0 && !self.is_known(chain)
            }
            _ => self.is_like_known(chain) && !self.is_known(chain),
        }
    }

    /// Checks whether the evidence contains the parts of a chain in this order.
    fn is_known(&mut self, chain: &Chain<'_, '_>) -> bool {
        let words: Vec<_> = chain.parts().map(|part| part.text).collect();
        self.evidence.holds_words(&words.join(" "))
            || self.written.holds_key(&words.join("_"))
            || (chain.tokens[0].kind == TokenKind::Mixed
                && chain.is_version()
                && self
                    .evidence
                    .holds_words(&words.join(" ").replacen(['v', 'V'], "", 1)))
    }

    /// Checks whether a chain differs from a known one in exactly one part.
    fn is_like_known(&self, chain: &Chain<'_, '_>) -> bool {
        let parts: Vec<_> = chain.parts().collect();
        let keys: Vec<_> = parts.iter().map(|part| key_of(part.text)).collect();
        (0..parts.len()).any(|gap| {
            let pattern = pattern(&keys, gap);
            match numbered_like(&parts, gap) {
                Some(length) => self.codes.numbered.contains(&(pattern, length)),
                None => {
                    !has_digit(parts[gap])
                        && parts.len() >= FEWEST_WORDS
                        && self.codes.patterns.contains(&pattern)
                }
            }
        })
    }

    /// Returns the codes in capitals that no result contains and that are either one end of a route with a known other
    /// end (`OSL–BGX`) or misspellings of known codes.
    fn unshown_capitals<'t>(&self, tokens: &[Token<'t>]) -> Vec<UnshownCode<'t>> {
        let is_new = |token: &Token<'_>| {
            is_capital_code(token)
                && !self.evidence.holds_word(token)
                && !self.written.holds(token.text)
        };
        let is_end = |token: &Token<'_>, other: &Token<'_>| {
            token.text.len() == other.text.len()
                && self.codes.known_capitals.contains(&key_of(other.text))
                && is_capital_code(other)
        };
        let mut found = Vec::new();
        for (at, token) in tokens.iter().enumerate().filter(|(_, token)| is_new(token)) {
            let after = end_after(&tokens[at + 1..]).is_some_and(|end| is_end(token, end));
            let before = end_before(&tokens[..at]).is_some_and(|end| is_end(token, end));
            if after || before || self.is_misspelt(token) {
                found.push(UnshownCode {
                    text: token.text,
                    start: token.start,
                });
            }
        }
        // If a reply has several different new codes, it suggests them rather than claiming to have found them.
        let is_one = found.windows(2).all(|pair| pair[0].text == pair[1].text);
        found.truncate(if is_one { MOST_SUSPECTS } else { 0 });
        found
    }

    /// Checks whether a code has the letters of a known one in another order.
    fn is_misspelt(&self, token: &Token<'_>) -> bool {
        let sorted = |text: &str| {
            let mut letters = text.as_bytes().to_vec();
            letters.sort_unstable();
            letters
        };
        let letters = sorted(token.text);
        let mut known = self.codes.capitals.iter().take(MOST_CAPITALS);
        letters.len() > 3 && known.any(|known| sorted(known) == letters)
    }
}

/// Returns the length that the known part must have if the part at `gap`, which has digits, may be wrong. Returns
/// `None` if that part has no digits or the chain is too short to be compared.
fn numbered_like(parts: &[&Token<'_>], gap: usize) -> Option<usize> {
    let part = parts[gap];
    let is_code = |part: &&Token<'_>| match part.kind {
        TokenKind::Letters => part.text.bytes().all(|byte| byte.is_ascii_uppercase()),
        TokenKind::Mixed => true,
        TokenKind::Digits | TokenKind::Sign => false,
    };
    if !has_digit(part) {
        return None;
    }
    match parts.len() {
        3.. => Some(ANY_LENGTH),
        _ => parts.iter().any(is_code).then_some(part.text.len()),
    }
}

/// Returns the other end of a route that continues with `tokens`: the token after an arrow, a dash or "to".
fn end_after<'k, 't>(tokens: &'k [Token<'t>]) -> Option<&'k Token<'t>> {
    match tokens {
        [joint, end, ..] if is_way(joint) => Some(end),
        [dash, arrow, end, ..] if dash.is('-') && arrow.is('>') => Some(end),
        _ => None,
    }
}

/// Returns the other end of a route that ends with `tokens`.
fn end_before<'k, 't>(tokens: &'k [Token<'t>]) -> Option<&'k Token<'t>> {
    match tokens {
        [.., end, joint] if is_way(joint) => Some(end),
        [.., end, dash, arrow] if dash.is('-') && arrow.is('>') => Some(end),
        _ => None,
    }
}

fn is_way(joint: &Token<'_>) -> bool {
    matches!(
        joint.text,
        "→" | "↔" | "⇄" | "⇒" | "➔" | "–" | "—" | "-" | "‑"
    ) || joint.says("to")
}

#[cfg(test)]
mod tests;
