//! Short codes, versions, routes and code names of a reply that nothing shows, where alike ones are known.
//!
//! Longer codes are facts of their own. These are too much like words to be checked by themselves: a code counts as
//! made up only where a known one looks the same but for the part that differs.

mod chain;
mod shape;

use foldhash::HashSet;

use self::chain::{Chain, LONGEST, chains};
use self::shape::{is_capital_code, is_short_code, shapes};
use super::evidence::Evidence;
use super::named::{Written, pattern, patterns};
use toolgauge_facts::{Fact, FactKind, TextId, Texts, Token, TokenKind, key_of};

/// How many codes of a reply are held against the known ones.
const MOST_SUSPECTS: usize = 50;

/// More new codes that look the same are the reply's own numbering.
const MOST_ALIKE: usize = 2;

/// A name of fewer words may be another thing's by chance.
const FEWEST_WORDS: usize = 4;

/// A length of parts that is not looked at.
const ANY_LENGTH: usize = 0;

/// How many known codes of capitals one is compared with.
const MOST_CAPITALS: usize = 200;

/// A code that nothing shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnshownCode<'a> {
    /// As it is written.
    pub text: &'a str,
    /// Where it starts in the reply, in bytes.
    pub start: usize,
}

/// What the codes that are known look like.
#[derive(Default)]
pub struct Codes<'a> {
    /// Chains with a gap.
    patterns: HashSet<u64>,
    /// Chains with a gap where a part with digits is, each together with how long that part is.
    numbered: HashSet<(u64, usize)>,
    shapes: HashSet<u64>,
    /// How many numbers the known versions have, as bits.
    versions: u32,
    /// Values that are a code of capitals and nothing else.
    capitals: Vec<&'a str>,
    known_capitals: HashSet<u64>,
    /// How many texts were read.
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

/// What codes are held against.
pub struct Background<'k, 'a> {
    /// What is known.
    pub evidence: Evidence<'k>,
    /// The keys and the names beside them.
    pub written: &'k Written<'a>,
    /// What the known codes look like; it reads the texts of the evidence as soon as it is asked.
    pub codes: &'k mut Codes<'a>,
    /// All texts.
    pub texts: &'k Texts<'a>,
}

/// Whether a reply may hold a code that is checked: few do.
pub fn may_hold_codes(tokens: &[Token<'_>], facts: &[Fact<'_>], evidence: Evidence<'_>) -> bool {
    suspects(tokens, facts, evidence).next().is_some()
        || (0..tokens.len())
            .any(|at| may_be_capitals(tokens, at) && !evidence.holds_word(&tokens[at]))
}

/// Whether a token is a code of capitals that is checked: the end of a way, or long enough to be misspelt.
fn may_be_capitals(tokens: &[Token<'_>], at: usize) -> bool {
    let is_end = || {
        end_after(&tokens[at + 1..])
            .or(end_before(&tokens[..at]))
            .is_some()
    };
    is_capital_code(&tokens[at]) && (tokens[at].text.len() > 3 || is_end())
}

/// The chains that may be a new code: outside facts, with a word that no text has, or of several parts.
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

/// Whether a chain is written as a code, not as words with hyphens.
fn is_code(chain: &Chain<'_, '_>) -> bool {
    if is_power_of_ten(chain) {
        return false;
    }
    let has_digit = chain.parts().any(has_digit);
    let has_letter = chain.parts().any(|part| part.kind != TokenKind::Digits);
    let is_snake = chain.len() >= FEWEST_WORDS && chain.tokens.iter().any(|token| token.is('_'));
    (has_digit && has_letter) || is_snake
}

/// Whether a chain is a number such as `1e-17` or `6.02e-23`.
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

/// The codes of `content`, which is the text `id`, that nothing shows, in order.
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

/// Whether so many new codes differ from this one in digits alone that the reply numbers something with them.
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

    /// Whether the parts of a chain follow one another somewhere.
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

    /// Whether a chain is a known one but for one part, which the known one has otherwise.
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

    /// Codes in capitals that no result shows: those that name the other end of a route beside a known one (`OSL–BGX`), and
    /// misspellings of known ones.
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
        // Several new ones are offered, not found.
        let is_one = found.windows(2).all(|pair| pair[0].text == pair[1].text);
        found.truncate(if is_one { MOST_SUSPECTS } else { 0 });
        found
    }

    /// Whether a code has the letters of a known one in another order.
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

/// How long the known part must be where the one at `gap` has digits and may be the wrong one.
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

/// The other end of a way that goes on with `tokens`: what follows an arrow, a dash or "to".
fn end_after<'k, 't>(tokens: &'k [Token<'t>]) -> Option<&'k Token<'t>> {
    match tokens {
        [joint, end, ..] if is_way(joint) => Some(end),
        [dash, arrow, end, ..] if dash.is('-') && arrow.is('>') => Some(end),
        _ => None,
    }
}

/// The other end of a way that ends with `tokens`.
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
