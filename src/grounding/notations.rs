//! Detects values of a result that a reply states in another notation: a phone number without its country code, an id
//! that is grouped or cut, a Unix time as a date.

use super::evidence::Gathered;
use super::literal::{Literal, Stated};
use toolgauge_facts::{Fact, FactKind, Texts};

/// Checks whether the reply states a value of the result, as it is written or in another notation. Plain numbers do not
/// count: most results contain a number that a reply may state for another reason.
pub fn states_value_of(result: &Literal, content: &str, facts: &[Fact<'_>]) -> bool {
    let (mut nothing, texts) = (Gathered::default(), Texts::default());
    let reply = Stated::new(content, facts, nothing.seal(&texts));
    let mut facts = facts.iter().enumerate();
    facts.any(|(at, fact)| is_value_of_its_own(fact.kind) && result.shows(at, &reply))
}

/// Checks whether a fact of this kind almost certainly comes from the result if the result contains it.
fn is_value_of_its_own(kind: FactKind) -> bool {
    match kind {
        FactKind::Identifier
        | FactKind::Email
        | FactKind::Url
        | FactKind::Phone
        | FactKind::Date
        | FactKind::Time => true,
        FactKind::Number
        | FactKind::Money
        | FactKind::Percent
        | FactKind::Quote
        | FactKind::Name => false,
    }
}

#[cfg(test)]
mod tests {
    use bumpalo::Bump;

    use super::*;
    use toolgauge_facts::facts;
    use toolgauge_model::{Limits, Reader};

    fn states(result: &str, reply: &str) -> bool {
        let arena = Bump::new();
        let reader = Reader::new(&arena, Limits::default());
        let result = reader.read_text(result).expect("JSON");
        states_value_of(&Literal::of(result), reply, &facts(reply))
    }

    #[test]
    fn a_value_in_another_notation_is_stated() {
        let rows = [
            (r#"{"phone":"+4930901820"}"#, "Call (030) 901820."),
            (
                r#"{"iban":"DE89370400440532013000"}"#,
                "It is DE89 3704 0044 0532 0130 00.",
            ),
            (r#"{"due":1773181800}"#, "It is due on March 10, 2026."),
        ];
        for (result, reply) in rows {
            assert!(states(result, reply), "{reply}");
        }
    }

    #[test]
    fn another_value_is_not() {
        let rows = [
            (r#"{"phone":"+4930901820"}"#, "Call (030) 901821."),
            (
                r#"{"iban":"DE89370400440532013000"}"#,
                "It is DE89 3704 0044 0532 0130 01.",
            ),
            (r#"{"due":1773181800}"#, "It is due on March 12, 2026."),
            (r#"{"rooms":4}"#, "There are 4 of us."),
        ];
        for (result, reply) in rows {
            assert!(!states(result, reply), "{reply}");
        }
    }
}
