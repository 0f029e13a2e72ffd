//! Email addresses, URLs and phone numbers.

use std::borrow::Cow;

use super::identifier::lower;
use super::token::{Token, TokenKind};
use super::{FactKind, FactValue, Found};

/// A phone number has at most 15 digits, with at most a few signs between them.
const MOST_TOKENS: usize = 40;

/// How many tokens an email address has at most up to its at sign.
const MOST_BEFORE_AT: usize = 24;

/// Tokens of the longest email and of the longest URL. Each token of a run without white space may start one, so that
/// the bounds keep the work in proportion to the text.
const MOST_OF_EMAIL: usize = 200;
const MOST_OF_URL: usize = 4_000;

/// Recognises an email address or a URL at the first of `tokens`.
pub fn recognize<'t>(_: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    let is_alone = !tokens.get(1).is_some_and(|next| next.glued);
    if is_alone || tokens[0].kind == TokenKind::Sign {
        return None;
    }
    recognize_url(tokens, text).or_else(|| recognize_email(tokens, text))
}

fn recognize_url<'t>(tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    let starts = match tokens {
        [scheme, colon, slash, ..] => {
            colon.is(':') && colon.glued && slash.is('/') && scheme.says_one_of("http https ftp")
        }
        _ => false,
    };
    let is_www = matches!(tokens, [www, dot, ..] if dot.is('.') && dot.glued && www.says("www"));
    if !starts && !is_www {
        return None;
    }
    let run = glued_run(tokens, text, MOST_OF_URL);
    let url = run[..closed_at(run)].trim_end_matches(|c: char| ".,;:!?]}>'\"*_`»”’".contains(c));
    let bare = url.split_once("://").map_or(url, |(_, rest)| rest);
    let bare = bare
        .strip_prefix("www.")
        .unwrap_or(bare)
        .trim_end_matches('/');
    Some(Found {
        kind: FactKind::Url,
        tokens: tokens_within(tokens, url.len()),
        value: FactValue::Text(lower(bare)),
    })
}

/// Where a URL ends that has more right after it: at what closes a parenthesis that the URL did not open, as in a
/// Markdown link, and at what no URL holds, as the quotation mark of an attribute.
fn closed_at(run: &str) -> usize {
    let mut open = 0usize;
    let end = run.find(|c| match c {
        '(' => {
            open += 1;
            false
        }
        ')' if open == 0 => true,
        '"' | '<' | '>' | '\\' | '`' => true,
        ')' => {
            open -= 1;
            false
        }
        _ => false,
    });
    end.unwrap_or(run.len())
}

/// Whether an at sign is among the tokens that are glued to the first one.
pub fn holds_at(tokens: &[Token<'_>]) -> bool {
    let glued = tokens[1..].iter().take_while(|token| token.glued);
    glued.take(MOST_BEFORE_AT).any(|token| token.is('@'))
}

fn recognize_email<'t>(tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    if !holds_at(tokens) {
        return None;
    }
    let run = glued_run(tokens, text, MOST_OF_EMAIL);
    let (local, rest) = run.split_once('@')?;
    let is_local = !local.is_empty()
        && !goes_over_scripts(local)
        && local
            .chars()
            .all(|c| c.is_alphanumeric() || ".!#$%&'*+/=?^_`{|}~-".contains(c));
    let domain_length = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '.' || c == '-'))
        .unwrap_or(rest.len());
    let domain_length = match rest.find(is_apart) {
        Some(end) if rest[..end].contains('.') => domain_length.min(end),
        _ => domain_length,
    };
    let domain = rest[..domain_length].trim_end_matches(['.', '-']);
    if !is_local || !domain.contains('.') {
        return None;
    }
    let email = &run[..local.len() + 1 + domain.len()];
    Some(Found {
        kind: FactKind::Email,
        tokens: tokens_within(tokens, email.len()),
        value: FactValue::Text(lower(email)),
    })
}

/// Whether a letter is of a script that puts no spaces, or glues endings, between words.
fn is_apart(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}')
}

/// Whether words of another script are glued to the start of an address: "メールはa@b.example".
fn goes_over_scripts(local: &str) -> bool {
    let mut letters = local.chars().filter(|c| c.is_alphanumeric());
    letters.next().is_some_and(is_apart) && letters.any(|c| c.is_ascii_alphanumeric())
}

/// Recognises a phone number at the first of `tokens`: `+47 22 33 44 55`, `(555) 010-4477`,
/// `555-010-4477`.
pub fn recognize_phone<'t>(
    before: &[Token<'t>],
    tokens: &[Token<'t>],
    _: &'t str,
) -> Option<Found<'t>> {
    let opens = tokens[0].is('+') || tokens[0].is('(');
    let starts = opens || tokens[0].kind == TokenKind::Digits;
    let follows_word = tokens[0].glued
        && before
            .last()
            .is_some_and(|token| token.kind != TokenKind::Sign);
    let is_in_brackets = tokens[0].is('(') && !has_area_code(tokens);
    if !starts || follows_word || is_in_brackets {
        return None;
    }
    let (mut length, mut groups, mut signs, mut digits) = (0, 0, 0, 0);
    let mut has_opened = false;
    for (at, token) in tokens.iter().take(MOST_TOKENS).enumerate() {
        match token.kind {
            TokenKind::Digits => {
                digits += token.text.len();
                groups += 1;
                length = at + 1;
            }
            TokenKind::Sign if at == 0 => has_opened = token.is('('),
            TokenKind::Sign if token.is('(') && (groups > 1 || !has_area_code(&tokens[at..])) => {
                break;
            }
            // `1)` numbers an item.
            TokenKind::Sign if token.is(')') && !has_opened => break,
            TokenKind::Sign if token.is('-') || token.is('(') || token.is(')') => {
                has_opened |= token.is('(');
                signs += 1;
            }
            _ => break,
        }
        if digits > 15 {
            return None;
        }
    }
    let is_phone = match tokens[0].kind {
        TokenKind::Sign if tokens[0].is('+') => digits >= 8,
        TokenKind::Sign => digits >= 9 && signs >= 1,
        _ => digits >= 9 && groups >= 3 && signs >= 2,
    };
    is_phone.then(|| Found {
        kind: FactKind::Phone,
        tokens: length,
        value: FactValue::Text(Cow::Owned(digits_of(&tokens[..length]))),
    })
}

/// Whether the bracket that `tokens` start with holds an area code: an id or a date in brackets is no phone number.
fn has_area_code(tokens: &[Token<'_>]) -> bool {
    let code = tokens.get(1).filter(|code| code.kind == TokenKind::Digits);
    let is_closed = tokens.get(2).is_some_and(|token| token.is(')'));
    code.is_some_and(|code| is_closed && (2..=5).contains(&code.text.len()))
}

fn digits_of(tokens: &[Token<'_>]) -> String {
    let numbers = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Digits);
    numbers.map(|token| token.text).collect()
}

/// The text from the first token on up to the next white space, of at most `most` tokens.
fn glued_run<'t>(tokens: &[Token<'t>], text: &'t str, most: usize) -> &'t str {
    let more = tokens.iter().take(most).skip(1);
    let last = more.take_while(|token| token.glued).last();
    let end = last.map_or(tokens[0].end(), Token::end);
    &text[tokens[0].start..end]
}

/// How many tokens stand in the first `length` bytes.
fn tokens_within(tokens: &[Token<'_>], length: usize) -> usize {
    let end = tokens[0].start + length;
    tokens.iter().take_while(|token| token.start < end).count()
}

#[cfg(test)]
mod tests {
    use crate::facts::{FactKind, FactValue, facts};

    fn found(text: &str) -> Vec<(FactKind, String)> {
        facts(text)
            .into_iter()
            .filter_map(|fact| match fact.value {
                FactValue::Text(value) => Some((fact.kind, value.into_owned())),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn addresses_are_compared_without_case_scheme_and_trailing_signs() {
        assert_eq!(
            found("Write to Kim.Li+x@Example.org, or see <https://www.Example.com/a/>."),
            [
                (FactKind::Email, "kim.li+x@example.org".to_owned()),
                (FactKind::Url, "example.com/a".to_owned()),
            ]
        );
        assert!(found("me @ home, a@b, @handle").is_empty());
    }

    #[test]
    fn a_link_ends_with_its_parenthesis() {
        let urls = |text: &str| {
            found(text)
                .into_iter()
                .map(|(_, value)| value)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            urls("[\\[1\\]](https://a.org/x#cite-3)39.91%"),
            ["a.org/x#cite-3"]
        );
        assert_eq!(
            urls("https://a.org/wiki/Oslo_(city)/map"),
            ["a.org/wiki/oslo_(city)/map"]
        );
        assert_eq!(urls("(see https://a.org/b_(c))."), ["a.org/b_(c)"]);
        assert_eq!(urls(r#"<a href="https://a.org/b">c</a>"#), ["a.org/b"]);
    }

    #[test]
    fn phone_numbers_are_their_digits() {
        let phone = |digits: &str| vec![(FactKind::Phone, digits.to_owned())];
        assert_eq!(found("call +47 22 33 44 55 now"), phone("4722334455"));
        assert_eq!(found("(555) 010-4477"), phone("5550104477"));
        assert_eq!(found("555-010-4477."), phone("5550104477"));
    }

    #[test]
    fn ids_and_dates_in_brackets_are_no_phone_numbers() {
        let kinds =
            |text: &str| -> Vec<_> { facts(text).into_iter().map(|fact| fact.kind).collect() };
        assert_eq!(kinds("Kettle (4400118822), sent"), [FactKind::Number]);
        assert_eq!(kinds("2) 2031-04-05"), [FactKind::Date]);
        assert_eq!(
            kinds("(2031-04-05 09:10:00)"),
            [FactKind::Date, FactKind::Time]
        );
        assert_eq!(
            kinds("+1 (555) 010-4477 (4400118822)"),
            [FactKind::Phone, FactKind::Number]
        );
    }

    #[test]
    fn brackets_are_looked_at_once() {
        assert!(found(&"(".repeat(100_000)).is_empty());
    }

    #[test]
    fn words_without_spaces_around_an_address_are_no_part_of_it() {
        for text in [
            "連絡はann.li@shop.exampleです",
            "메일은 ann.li@shop.example입니다",
            "Write to ann.li@shop.example.",
        ] {
            let found: Vec<_> = facts(text).iter().map(|fact| fact.text).collect();
            assert_eq!(found, ["ann.li@shop.example"], "{text}");
        }
        let found = facts("Mail an jürgen@müller.example");
        assert_eq!(found[0].text, "jürgen@müller.example");
    }
}
