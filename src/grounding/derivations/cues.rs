//! Words that indicate how a number was derived.

use super::super::pairs::Pairs;
use super::char_start;
use toolgauge_facts::Fact;

/// An operation that derives a number from others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Adds numbers up.
    Sum,
    /// Subtracts one number from another.
    Difference,
    /// Multiplies two numbers.
    Product,
    /// Divides one number by another.
    Quotient,
    /// Adds numbers up and divides by their count.
    Mean,
    /// One number as a percentage of another.
    Share,
    /// The change from one number to another, in percent.
    Change,
}

/// The set of operations that the words around a number name.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cues(u8);

impl Cues {
    /// Returns the set with this one operation.
    pub fn of(operation: Operation) -> Self {
        let mut cues = Self::default();
        cues.add(operation);
        cues
    }

    fn add(&mut self, operation: Operation) {
        self.0 |= 1 << operation as u8;
    }

    /// Returns the union of both sets.
    pub fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Checks whether the set contains this operation.
    pub fn name(self, operation: Operation) -> bool {
        self.0 & (1 << operation as u8) != 0
    }
}

/// How many facts before and after a number are searched for one of the same kind.
const MOST_PLACES: usize = 100;

/// How many bytes before and after a number are read.
const FARTHEST: usize = 400;

/// A list of words and the operations that they name.
struct Words {
    words: &'static str,
    starts: Pairs,
    operations: &'static [Operation],
}

impl Words {
    const fn of(words: &'static str, operations: &'static [Operation]) -> Self {
        let bytes = words.as_bytes();
        let mut starts = Pairs::NONE;
        let mut at = 0;
        while at + 1 < bytes.len() {
            if at == 0 || bytes[at - 1] == b' ' {
                starts.add(bytes[at], bytes[at + 1]);
            }
            at += 1;
        }
        Self {
            words,
            starts,
            operations,
        }
    }

    /// Checks whether `said` is one of the words, or begins with one of more than 4 bytes.
    fn begin(&self, said: &str) -> bool {
        self.starts.may_begin(said)
            && self
                .words
                .split_ascii_whitespace()
                .any(|word| said == word || (word.len() > 4 && said.starts_with(word)))
    }
}

use Operation::{Change, Difference, Mean, Product, Quotient, Share, Sum};

/// The words that may stand before or after a number.
static AROUND: [Words; 7] = [
    Words::of(
        "total totals sum together altogether combined overall subtotal grand net both insgesamt gesamt summe zusammen somme suma totalt \
        samlet tilsammen sammenlagt",
        &[Sum, Product],
    ),
    Words::of(
        "difference differences diff delta remaining remainder remains left additional extra save saves saved saving savings refund \
        refunded discount due owe owed rest reduction increase decrease gap margin change exceeds exceeded rose grew fell dropped \
        lost gained balance available differenz unterschied verbleib übrig restbetrag aufpreis ersparnis différence reste \
        restant diferencia restante resto ahorro forskjell differanse gjenstå igjen mellomlegg free frei libre libres ledig \
        newer older longer shorter faster slower",
        &[Difference],
    ),
    Words::of(
        "per each apiece pro je par chacun por cada hver daily weekly monthly yearly täglich",
        &[Product, Quotient],
    ),
    Words::of(
        "twice double doubled triple times doppelt doble fois veces",
        &[Product, Quotient],
    ),
    Words::of(
        "average averages averaged mean durchschnitt moyenne promedio media mittel gjennomsnitt snitt",
        &[Mean, Quotient],
    ),
    Words::of(
        "rate ratio share quote anteil taux part tasa cuota andel margin",
        &[Share],
    ),
    Words::of(
        "growth grew grown rose risen fell fallen up down increase increased decrease decreased lift change wachstum croissance \
        crecimiento vekst",
        &[Change],
    ),
];

/// Words that count only after a number.
static AFTER: [Words; 1] = [Words::of(
    "more less fewer cheaper higher lower over under above below ahead behind teurer billiger günstiger mehr weniger plus \
    moins más menos dyrere billigere mer mindre",
    &[Difference, Change],
)];

/// Words between a share and its whole.
const OF: [&str; 6] = ["of", "der", "des", "de", "del", "av"];

/// Phrases after an amount per unit of time.
const EACH: [&str; 6] = [
    " a day", " a week", " a month", " a year", " an hour", "/day",
];

/// Words in Chinese, Japanese and Korean, and the operations that they name.
static SIGNS: [(&str, &[Operation]); 12] = [
    ("合計", &[Sum, Product]),
    ("合计", &[Sum, Product]),
    ("共", &[Sum, Product]),
    ("总", &[Sum, Product]),
    ("합계", &[Sum, Product]),
    ("총", &[Sum, Product]),
    ("差", &[Difference]),
    ("剩", &[Difference]),
    ("残", &[Difference]),
    ("차이", &[Difference]),
    ("每", &[Product, Quotient]),
    ("平均", &[Mean, Quotient]),
];

/// Returns the operations that the words next to the number at `at` name. These words lie between it and the nearest
/// facts of its kind, within its sentence, and after it no further than the next comma.
pub fn cues_around(content: &str, stated: &[Fact<'_>], at: usize) -> Cues {
    let fact = &stated[at];
    let end = fact.end();
    let is_like = |other: &&Fact<'_>| other.kind == fact.kind;
    let previous = stated[..at].iter().rev().take(MOST_PLACES).find(is_like);
    let next = stated[at + 1..].iter().take(MOST_PLACES).find(is_like);
    let earliest = char_start(content, fact.start.saturating_sub(FARTHEST));
    let latest = char_start(content, end + FARTHEST);
    let from = previous.map_or(0, |previous| previous.end());
    let from = from.max(earliest);
    let to = next.map_or(latest, |next| next.start.min(latest));
    let before = &content[from.min(fact.start)..fact.start];
    let before = before
        .rsplit(['\n', ';', '!', '?', '。'])
        .next()
        .unwrap_or(before);
    let before = before.rsplit(". ").next().unwrap_or(before).to_lowercase();
    let after = &content[end..to.max(end)];
    let after = after
        .trim_start_matches([')', '(', '*', ' '])
        .split(['\n', ';', '!', '?', ',', '.', ')', '(', '。'])
        .next()
        .unwrap_or(after)
        .to_lowercase();
    let mut cues = Cues::default();
    add_words(&before, &AROUND, &mut cues);
    add_words(&after, &AROUND, &mut cues);
    add_words(&after, &AFTER, &mut cues);
    let directed = before.trim_end_matches(is_sign);
    if [" by", " up", " down"]
        .iter()
        .any(|word| directed.ends_with(word))
    {
        cues.add(Difference);
    }
    let next = after.split_whitespace().next();
    if next.is_some_and(|next| OF.contains(&next)) {
        cues.add(Share);
    }
    // The whole of a share is usually a total: "13% of the $240".
    let whole = before.rsplit_once('%').map_or("", |(_, whole)| whole);
    let whole = whole.split_whitespace().next();
    if whole.is_some_and(|first| OF.contains(&first)) {
        cues.add(Sum);
    }
    if EACH.iter().any(|each| after.contains(each)) {
        cues.add(Product);
        cues.add(Quotient);
    }
    if EACH.iter().any(|each| before.contains(each)) {
        cues.add(Product);
    }
    // A share and its amount: "17% of it, around $45".
    let is_part = before.split_once("% ").map(|(_, whole)| whole);
    let is_part = is_part.and_then(|whole| whole.split_whitespace().next());
    if is_part.is_some_and(|first| OF.contains(&first)) {
        cues.add(Product);
    }
    if before.contains("in all") || after.contains("in all") {
        cues.add(Sum);
    }
    if !before.is_ascii() {
        for (sign, operations) in &SIGNS {
            if before.contains(sign) {
                operations.iter().for_each(|operation| cues.add(*operation));
            }
        }
    }
    if before.trim_end().ends_with('+') || before.trim_end().ends_with(['Δ', '±']) {
        cues.add(Difference);
    }
    cues
}

/// Returns the operations that any word of a sentence names.
pub fn cues_in(sentence: &str) -> Cues {
    let mut cues = Cues::default();
    add_words(&sentence.to_lowercase(), &AROUND, &mut cues);
    cues
}

fn is_sign(c: char) -> bool {
    !c.is_alphanumeric()
}

fn add_words(text: &str, words: &[Words], cues: &mut Cues) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        for words in words {
            if words.begin(word) {
                words
                    .operations
                    .iter()
                    .for_each(|operation| cues.add(*operation));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use toolgauge_facts::facts;

    fn names(content: &str, at: usize, operation: Operation) -> bool {
        cues_around(content, &facts(content), at).name(operation)
    }

    #[test]
    fn words_next_to_a_number_name_its_operation() {
        assert!(names("We paid 310 in total.", 0, Sum));
        assert!(!names("We paid 310 at once.", 0, Sum));
        assert!(names("310 is the average.", 0, Mean));
        assert!(names("It is 310 more than before.", 0, Difference));
        assert!(!names("More came, 310 of them.", 0, Difference));
    }

    #[test]
    fn what_a_share_is_of_is_a_total() {
        assert!(names("It is 13% of the 310 there.", 1, Sum));
        assert!(!names("It is 13% more than the 310 there.", 1, Sum));
    }

    #[test]
    fn words_belong_to_the_nearest_number() {
        let content = "The total was 310, and 45 came late.";
        assert!(names(content, 0, Sum));
        assert!(!names(content, 1, Sum));
    }

    #[test]
    fn a_whole_sentence_is_read_as_well() {
        assert!(cues_in("On average they sell 45").name(Mean));
        assert!(!cues_in("They sell 45").name(Mean));
    }
}
