//! Ids and numbers whose grouping, length or composition differs from the evidence: a grouped IBAN, a card "ending in
//! 4242", a short commit hash, the plural of an id, a phone number with or without its country code.

use foldhash::HashSet;

use super::index::{
    Id, Index, LONGEST_COUNTRY, Match, SHORTEST_ID, SHORTEST_PHONE, goes_on, words,
};
use super::pieces::{Joint, Piece, pieces};
use super::range_of;
use toolgauge_facts::Fact;

/// How many words before and after a fact may belong to its id.
const MOST_WORDS: usize = 8;

/// Ids with more parts are not matched part by part.
const MOST_PARTS: usize = 20;

/// All-digit parts of an id that are shorter carry no meaning.
const SHORTEST_PART: usize = 3;

/// Returns `true` if a fact belongs to an id that the evidence groups differently: `4471` in `DE12 3456 4471`.
pub fn is_part_of_id(fact: &Fact<'_>, pieces: &[Piece<'_>], index: &Index) -> bool {
    let range = range_of(fact, pieces);
    let from = range.start.saturating_sub(4 * MOST_WORDS);
    let until = pieces.len().min(range.end + 4 * MOST_WORDS);
    let words = words(&pieces[from..until]);
    let near = &pieces[from..until];
    let holds = |at: usize| words.iter().position(|word| word.contains(&at));
    let (Some(first), Some(last)) = (
        holds(range.start - from),
        holds(range.end.saturating_sub(1).max(range.start) - from),
    ) else {
        return false;
    };
    for start in first.saturating_sub(MOST_WORDS)..=first {
        let mut whole = String::new();
        for (at, word) in words.iter().enumerate().skip(start).take(MOST_WORDS + 1) {
            if at > start && !goes_on(near, &words[at - 1], word) {
                break;
            }
            whole.extend(near[word.clone()].iter().map(|piece| piece.text));
            if at >= last && (index.holds_whole(&Id::of_word(&whole)) || is_phone(&whole, index)) {
                return true;
            }
        }
    }
    false
}

/// Returns `true` if these digits are a known phone number without its country code: `0612 345678`.
fn is_phone(digits: &str, index: &Index) -> bool {
    let is_national = digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_national
        && digits.len() > SHORTEST_PHONE
        && index.holds_phone(digits.trim_start_matches('0'))
}

/// Returns `true` if a phone number is known, with or without its country code and its trunk zero.
pub fn shows_phone(text: &str, index: &Index) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let national = digits.trim_start_matches('0');
    let has_country = text.trim_start_matches('(').starts_with('+') || digits.starts_with("00");
    if digits.len() < SHORTEST_PHONE {
        return false;
    }
    if index.holds_whole(&Id::of(&digits)) || index.holds_whole(&Id::of(national)) {
        return true;
    }
    // Tries the number without its country code, and then with a trunk zero instead.
    let without = (1..=LONGEST_COUNTRY).filter_map(|length| national.get(length..));
    let mut without = without.filter(|rest| has_country && rest.len() >= SHORTEST_PHONE);
    without.any(|rest| index.holds_national(rest) || index.holds_national(&format!("0{rest}")))
        || index.holds_phone(national)
}

/// Returns `true` if `text` is the start or the end of a long id, an id in another grouping, or the plural of an id.
/// `after` is the content after it.
pub fn shows_id(text: &str, after: &str, index: &Index) -> bool {
    let is_cut = after.starts_with(['…', '*']) || after.starts_with("...");
    let is_head = (is_cut || text.len() >= SHORTEST_ID) && index.holds_head(text);
    let masked = text.trim_start_matches(['x', 'X']);
    let is_tail = masked.len() < text.len()
        && masked.bytes().all(|byte| byte.is_ascii_digit())
        && index.holds_tail(masked);
    if is_head || is_tail || index.holds_whole(&Id::of(text)) {
        return true;
    }
    let Some(single) = text.strip_suffix('s') else {
        return false;
    };
    single.ends_with(|c: char| c.is_ascii_digit())
        && index
            .places(&pieces(single), Match::Grouped)
            .any(|place| place.is_word())
}

/// Returns `true` if an id consists of known parts: `AB12CD_transfer`, `fee_for_2_bags`, a record and its day. `stated`
/// contains the bits of the numbers in the reply.
pub fn is_coined(text: &str, index: &Index, stated: &HashSet<u64>) -> bool {
    let parts: Vec<_> = text.split(['_', '-']).take(MOST_PARTS + 1).collect();
    let is_word =
        |part: &&&str| part.len() > 1 && part.bytes().all(|byte| byte.is_ascii_alphabetic());
    let words = parts.iter().filter(is_word).count();
    // A number that the reply states elsewhere is checked there.
    let is_stated = |part: &str| {
        part.parse()
            .is_ok_and(|number: f64| stated.contains(&number.to_bits()))
    };
    let is_known = |at: usize| {
        let pieces = pieces(parts[at]);
        let mut places = index.places(&pieces, Match::Same);
        places.any(|place| place.is_word() && place.agrees_before(&parts[..at]))
    };
    let may_stand = |at: usize| {
        let part = parts[at];
        let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
        let is_small = part.len() < SHORTEST_PART && part.bytes().all(|byte| byte.is_ascii_digit());
        !has_digit || (is_small && words > 1) || is_known(at) || is_stated(part)
    };
    let names_something = words > 0 || parts.iter().any(|part| part.len() >= SHORTEST_ID - 1);
    text.contains('_')
        && names_something
        && parts.len() <= MOST_PARTS
        && (0..parts.len()).all(may_stand)
}

/// Returns `true` if the text before a number marks it as the end of a longer one, by a mask or by words.
pub fn follows_ending(before: &[Piece<'_>], content: &str, start: usize) -> bool {
    let is_masked = content[..start].ends_with(['*', '•', '·', 'x', 'X', '…', '#'])
        || content[..start].ends_with("...")
        || content[..start].trim_end().ends_with(['*', '•', '…']);
    let says = |piece: &Piece<'_>, words: &[&str]| {
        words
            .iter()
            .any(|word| piece.text.eq_ignore_ascii_case(word))
    };
    let is_ended = before.iter().rev().take(3).any(|piece| {
        says(
            piece,
            &[
                "ending",
                "ends",
                "last",
                "digits",
                "endend",
                "endet",
                "termine",
                "termina",
                "finissant",
            ],
        )
    });
    is_masked
        || (is_ended
            && before
                .last()
                .is_some_and(|piece| piece.joint != Joint::Glued))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_numbers_follow_words_and_masks() {
        let follows = |before: &str| follows_ending(&pieces(before), before, before.len());
        for before in ["ending in ", "the last four digits ", "****", "XXXX", "… "] {
            assert!(follows(before), "{before}");
        }
        for before in ["card ", "ending the call with our friend ", ""] {
            assert!(!follows(before), "{before}");
        }
    }

    #[test]
    fn ids_are_coined_of_known_parts() {
        let mut index = Index::default();
        index.add("QX71K2");
        let stated = HashSet::from_iter([4.5_f64.to_bits()]);
        for id in ["QX71K2_fee", "fee_for_2_bags", "fee_4.5"] {
            assert!(is_coined(id, &index, &stated), "{id}");
        }
        for id in ["QX71K3_fee", "QX71K2-fee", "fee_5.5"] {
            assert!(!is_coined(id, &index, &stated), "{id}");
        }
    }
}
