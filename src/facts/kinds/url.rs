//! Recognises URLs.

use super::contact::{glued_run, may_start, tokens_within};
use crate::fact::{FactKind, FactValue};
use crate::recognizer::{Found, Recognizer, no_word};
use crate::text::{Token, TokenKind, lower};

/// The number of tokens of the longest URL. Each token of a run without white space may start a URL, so this limit
/// keeps the work proportional to the length of the text.
const MOST_TOKENS: usize = 4_000;

/// Finds URLs.
pub static RECOGNIZER: Recognizer = Recognizer {
    starts: &[TokenKind::Letters, TokenKind::Mixed, TokenKind::Digits],
    starts_with_word: no_word,
    read,
};

fn read<'t>(_: &[Token<'t>], tokens: &[Token<'t>], text: &'t str) -> Option<Found<'t>> {
    if !may_start(tokens) {
        return None;
    }
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
    let run = glued_run(tokens, text, MOST_TOKENS);
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

/// Returns the length of the URL at the start of `run`, which may contain more than the URL. The URL ends before a
/// closing parenthesis that it did not open, as in a Markdown link, and before a character that no URL contains, such
/// as the quotation mark around an attribute.
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

#[cfg(test)]
mod tests {
    use crate::testing::text_facts;

    #[test]
    fn a_link_ends_with_its_parenthesis() {
        let urls = |text: &str| {
            text_facts(text)
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
}
