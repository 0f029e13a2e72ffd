//! What email addresses and URLs have in common: runs of tokens without white space.

use crate::facts::text::{Token, TokenKind};

/// Whether a token may start an address: it is no sign, and another token is glued to it.
pub fn may_start(tokens: &[Token<'_>]) -> bool {
    tokens[0].kind != TokenKind::Sign && tokens.get(1).is_some_and(|next| next.glued)
}

/// The text from the first token on up to the next white space, of at most `most` tokens.
pub fn glued_run<'t>(tokens: &[Token<'t>], text: &'t str, most: usize) -> &'t str {
    let more = tokens.iter().take(most).skip(1);
    let last = more.take_while(|token| token.glued).last();
    let end = last.map_or(tokens[0].end(), Token::end);
    &text[tokens[0].start..end]
}

/// How many tokens are in the first `length` bytes.
pub fn tokens_within(tokens: &[Token<'_>], length: usize) -> usize {
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
