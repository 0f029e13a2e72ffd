//! Reads numbers in words, in English, German, French, Spanish and Norwegian.

use super::number::is_plain_word;
use crate::text::{Token, TokenKind, WordFilter, WordList, Words as _, key_of};

/// Words after "one" that show that it is not a number.
static AFTER_ONE: WordList = WordList::of(
    "of is was are has in on at to for from the that which who with as moment more another or and by \
    way thing time day last first else such can will would might should may i you we it he she they",
);

/// Words before "one" that show that it is not a number.
static BEFORE_ONE: WordList = WordList::of(
    "this that the no any every each which another other some last next same right wrong either \
    new good better best first a an",
);

/// Words for the parts of a fraction, as in "two thirds". The number before them is not an amount.
static FRACTIONS: WordList = WordList::of(
    "half halves third thirds quarter quarters fourth fourths fifth fifths tenth tenths",
);

/// Units of compounds such as "three-hour".
static COMPOUNDS: WordList = WordList::of("hour minute second day night week month year stop");

/// The numbers up to 19 in English, German, French, Spanish and Norwegian. A `-` replaces a word that mostly has
/// another meaning.
pub static SMALL: [WordList; 6] = [
    WordList::of(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
     eighteen nineteen",
    ),
    WordList::of(
        "- - zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn \
     achtzehn neunzehn",
    ),
    WordList::of("- - deux trois quatre cinq - sept huit - dix onze douze treize quatorze quinze"),
    WordList::of(
        "- - dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete dieciocho \
     diecinueve",
    ),
    WordList::of(
        "- - - tre - fem seks sju åtte - - elleve tolv tretten fjorten femten seksten sytten atten nitten",
    ),
    WordList::of("- - - - - - - syv"),
];

/// Returns the words for the numbers from 2 to 12, in all languages.
pub fn small_number_words() -> impl Iterator<Item = &'static str> {
    let words = SMALL
        .iter()
        .flat_map(|words| words.words().split_whitespace().skip(2).take(11));
    words.filter(|word| *word != "-")
}

/// The tens from 20 to 90.
pub static TENS: [WordList; 5] = [
    WordList::of("twenty thirty forty fifty sixty seventy eighty ninety"),
    WordList::of("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"),
    WordList::of("vingt trente quarante cinquante soixante"),
    WordList::of("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    WordList::of("tjue tretti førti femti seksti sytti åtti nitti"),
];

/// The Spanish hundreds from 200 to 900.
pub static HUNDREDS: WordList = WordList::of(
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
);

/// Words for 100 and 1000 that are a number by themselves before a currency.
pub static ROUND: [WordList; 2] = [
    WordList::of("hundert hundre cien"),
    WordList::of("tausend tusen mille mil"),
];

/// The French word for 100, which is not a number in other languages.
pub static CENT: WordList = WordList::of("cent");

/// Words that are a number only after another number word: "vingt et un", "treinta y uno".
static LATER: [(WordList, u64); 6] = [
    (WordList::of("un une uno una én ein"), 1),
    (WordList::of("neuf"), 9),
    (WordList::of("seize"), 16),
    (WordList::of("six"), 6),
    (WordList::of("once"), 11),
    (WordList::of("vingts"), 20),
];

/// Words that may continue a number, besides those that are a number by themselves.
static GOES_ON: WordList = WordList::of(
    "un une uno una én ein neuf seize six once vingts hundert hundre cien tausend tusen mille mil cent cents hundred \
     thousand million millones millions millionen millioner billion",
);

/// A number in words.
pub struct Words {
    /// The value of the number.
    pub value: u64,
    /// The number of tokens.
    pub length: usize,
    /// Whether its first word isn't English.
    is_foreign: bool,
    /// Whether its first word is German.
    is_german: bool,
    /// Whether it starts with a word for 100 or 1000.
    pub is_round: bool,
}

impl Words {
    /// Checks whether the number counts something, rather than being part of a phrase or a name.
    pub fn counts(&self, before: &[Token<'_>], tokens: &[Token<'_>]) -> bool {
        let first = &tokens[0];
        let next = tokens.get(self.length);
        let is_word = next.is_some_and(|next| next.kind == TokenKind::Letters && !next.glued);
        let is_fraction = next.is_some_and(|next| next.says_one_of(&FRACTIONS));
        // German nouns are capitalized, so "Zwei Koffer" at the start of a sentence counts.
        let starts_sentence = before
            .last()
            .is_none_or(|token| matches!(token.sign(), Some('.' | '!' | '?' | ':' | '*' | '-')));
        let is_name = first.is_capitalized
            && next.is_some_and(|next| is_word && next.is_capitalized)
            && !(self.is_german && starts_sentence);
        let is_compound = next.is_some_and(|joint| joint.glued && joint.is('-'));
        if self.is_round || is_fraction || is_name {
            return false;
        }
        if is_compound {
            let unit = tokens.get(self.length + 1);
            return unit.is_some_and(|unit| {
                unit.says_one_of(&COMPOUNDS) && !(self.value == 1 && unit.says("stop"))
            });
        }
        if self.is_foreign {
            let is_upper = first.text.len() > 1 && first.text.chars().all(char::is_uppercase);
            return is_word
                && !is_upper
                && first.text != "Sept"
                && !next.is_some_and(|next| next.says("and"));
        }
        self.value != 1
            || next.is_some_and(|next| {
                let previous = before.last();
                is_plain_word(next)
                    && !is_verb_or_adverb(next.text)
                    && !next.says_one_of(&AFTER_ONE)
                    && !previous.is_some_and(|word| word.says_one_of(&BEFORE_ONE))
            })
    }
}

/// Checks whether a word after "one" is more likely a verb or an adverb than a noun: "one uses", "one exactly".
fn is_verb_or_adverb(word: &str) -> bool {
    let is_third_person = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    is_third_person || word.ends_with("ly")
}

/// The digits that occur in compounds, in German, Norwegian and Spanish.
static DIGITS: [WordList; 3] = [
    WordList::of("ein zwei drei vier fünf sechs sieben acht neun"),
    WordList::of("en to tre fire fem seks sju åtte ni"),
    WordList::of("uno dós trés cuatro cinco séis siete ocho nueve"),
];

/// The maximum length of a compound in bytes. Longer words are not numbers.
const LONGEST_COMPOUND: usize = 60;

/// Checks whether a word may be a compound, by its beginning or its ending.
pub fn may_be_compound(word: &str) -> bool {
    let bytes = word.as_bytes();
    if !(7..=LONGEST_COMPOUND).contains(&bytes.len()) {
        return false;
    }
    let ends = match bytes[bytes.len() - 1] {
        b'g' => word.ends_with("zig") || word.ends_with("ßig"),
        b't' => word.ends_with("hundert"),
        b'd' => word.ends_with("tausend"),
        b'e' => word.ends_with("hundre"),
        b'n' => word.ends_with("tusen"),
        _ => false,
    };
    let starts = || {
        let tens: &[&str] = match bytes[0] | 0x20 {
            b't' => &["tjue", "tretti"],
            b'f' => &["førti", "femti"],
            b's' => &["seksti", "sytti"],
            b'n' => &["nitti"],
            b'v' => &["veinti"],
            first if first == "å".as_bytes()[0] | 0x20 => &["åtti"],
            _ => &[],
        };
        tens.iter().any(|tens| {
            let start = word
                .get(..tens.len())
                .filter(|start| start.len() < word.len());
            start.is_some_and(|start| {
                start.eq_ignore_ascii_case(tens)
                    || (!tens.is_ascii() && start.to_lowercase() == **tens)
            })
        })
    };
    ends || starts()
}

/// Returns the value of a number that is written as one word: `fünfundzwanzig`, `zweihundert`, `tjuefem`,
/// `veinticinco`.
fn compound_value(word: &str) -> Option<u64> {
    let word = may_be_compound(word).then(|| word.to_lowercase())?;
    if round_number(&Token::of_word(&word)).is_some() {
        return None;
    }
    joined_value(&word).filter(|value| *value > 20)
}

fn joined_value(word: &str) -> Option<u64> {
    let powers = [
        ("tausend", 1000),
        ("tusen", 1000),
        ("hundert", 100),
        ("hundre", 100),
    ];
    for (power, value) in powers {
        let Some((times, rest)) = word.split_once(power) else {
            continue;
        };
        let times = if times.is_empty() {
            1
        } else {
            joined_value(times)?
        };
        let rest = rest.strip_prefix("und").unwrap_or(rest);
        let rest = if rest.is_empty() {
            0
        } else {
            joined_value(rest)?
        };
        return (times < value && rest < value).then_some(times * value + rest);
    }
    let place = |words: &WordList, word: &str| {
        let mut words = words.words().split(' ');
        words.position(|known| known == word)
    };
    let digit = |language: usize, word: &str| Some(place(&DIGITS[language], word)? as u64 + 1);
    if let Some(value) = digit(0, word).or_else(|| digit(1, word)) {
        return Some(value);
    }
    if let Some((ones, tens)) = word.split_once("und") {
        return Some(digit(0, ones)? + 10 * (place(&TENS[1], tens)? as u64 + 2));
    }
    if let Some(ones) = word.strip_prefix("veinti") {
        return Some(20 + digit(2, ones)?);
    }
    let simple = [&SMALL[1], &SMALL[4]]
        .into_iter()
        .find_map(|words| place(words, word));
    let tens = || {
        [&TENS[1], &TENS[4]]
            .into_iter()
            .find_map(|words| place(words, word))
    };
    let simple = simple.or_else(|| Some(10 * (tens()? + 2)));
    simple.map(|value| value as u64).or_else(|| {
        let mut tens = TENS[4].words().split(' ').enumerate();
        tens.find_map(|(at, tens)| {
            let ones = word.strip_prefix(tens)?;
            Some(10 * (at as u64 + 2) + digit(1, ones)?)
        })
    })
}

/// Returns the value of a Norwegian number word at the start of `tokens` that is another word in English, such as "to"
/// or "fire". It counts only before "hundre" and "tusen".
fn norwegian_count(tokens: &[Token<'_>]) -> Option<u64> {
    let [count, power, ..] = tokens else {
        return None;
    };
    let counts = [("to", 2), ("fire", 4), ("ni", 9), ("ti", 10)];
    let (_, value) = counts.iter().find(|(word, _)| count.says(word))?;
    follows_norwegian_count(power).then_some(*value)
}

/// Reads the number in words at the start of `tokens`: "two thousand five hundred", "vingt et un".
pub fn number_in_words(tokens: &[Token<'_>]) -> Option<Words> {
    let first = word_value(&tokens[0]).or_else(|| norwegian_count(tokens));
    let value = first.or_else(|| round_value(&tokens[0]))?;
    let mut sum = Sum {
        done: 0,
        current: value,
        last: value,
        scale: u64::MAX,
    };
    let mut length = 1;
    while let Some((next, taken)) = next_word(&tokens[length - 1..]) {
        match sum.with(next) {
            Some(longer) => sum = longer,
            None => break,
        }
        length += taken;
    }
    let is_of = |language: usize| {
        let mut words = [&SMALL[language], &TENS[language]].into_iter();
        words.any(|words| tokens[0].says_one_of(words))
    };
    Some(Words {
        value: sum.done + sum.current,
        length,
        is_foreign: !is_of(0),
        is_german: is_of(1),
        is_round: first.is_none(),
    })
}

/// Returns the value of a word for 100 or 1000.
fn round_value(word: &Token<'_>) -> Option<u64> {
    round_number(word).or_else(|| word.says_one_of(&CENT).then_some(100))
}

/// Returns the value of a word of [`ROUND`].
fn round_number(word: &Token<'_>) -> Option<u64> {
    let power = ROUND.iter().position(|words| word.says_one_of(words))?;
    Some(100 * 10u64.pow(power as u32))
}

/// A number that is being assembled from words.
#[derive(Clone, Copy)]
struct Sum {
    /// The total of the thousands and millions so far.
    done: u64,
    /// The part that the next thousand or million multiplies.
    current: u64,
    /// The value of the last word.
    last: u64,
    /// The value of the last word for thousands or millions. The next such word must be smaller.
    scale: u64,
}

/// A word that may continue a number.
#[derive(Clone, Copy)]
struct Next {
    value: u64,
    is_hyphenated: bool,
    /// Whether "and" precedes the word.
    follows_and: bool,
    /// Whether "et", "y" or the like precedes the word.
    follows_foreign_and: bool,
}

impl Sum {
    /// Returns the number continued by another word, or `None` if the two don't go together.
    fn with(self, next: Next) -> Option<Sum> {
        let Next { value, .. } = next;
        let after_tens = (20..100).contains(&self.last) && self.last.is_multiple_of(10);
        let after_hundred = self.last >= 100;
        let is_joined = next.follows_and || next.follows_foreign_and;
        let current = match value {
            1..=9 if after_tens && !next.follows_and => self.current + value,
            1..=99 if after_hundred && (!is_joined || next.follows_and || self.last == 100) => {
                self.current + value
            }
            10..=19 if next.is_hyphenated && matches!(self.last, 60 | 80) => self.current + value,
            7..=9 if next.is_hyphenated && self.last == 10 => self.current + value,
            20 if next.is_hyphenated && self.last == 4 => {
                return Some(Sum {
                    current: self.current + 76,
                    last: 80,
                    ..self
                });
            }
            100 if self.last < 100 && self.current < 100 && !is_joined => self.current * 100,
            200..=900 if self.last >= 1000 => value,
            1000.. if self.current > 0 && !is_joined && value < self.scale => {
                return Some(Sum {
                    done: self.done + self.current * value,
                    current: 0,
                    last: value,
                    scale: value,
                });
            }
            _ => return None,
        };
        Some(Sum {
            current,
            last: value,
            ..self
        })
    }
}

/// Returns the word that may continue a number after the first of `tokens`, and the number of tokens that it adds,
/// including a joining hyphen or "and".
fn next_word(tokens: &[Token<'_>]) -> Option<(Next, usize)> {
    let next = tokens.get(1)?;
    let is_hyphenated = next.is('-') && next.glued && tokens.get(2).is_some_and(|word| word.glued);
    let follows_and = next.says("and");
    let follows_foreign_and = next.says_one_of("et y und og");
    let at = 1 + usize::from(is_hyphenated || follows_and || follows_foreign_and);
    let word = tokens
        .get(at)
        .filter(|word| word.kind == TokenKind::Letters)?;
    let known = word_value(word).or_else(|| {
        let french = "deux trois quatre cinq sept huit neuf";
        if !GOES_ON.may_hold(word.text) {
            return None;
        }
        let later = || {
            let mut later = LATER.iter().filter(|(words, _)| word.says_one_of(words));
            later.next().map(|(_, value)| *value)
        };
        let is_french_hundred = word.says_one_of("cent cents") && tokens[0].says_one_of(french);
        later()
            .or_else(|| round_number(word))
            .or_else(|| is_french_hundred.then_some(100))
            .or_else(|| word.says("hundred").then_some(100))
            .or_else(|| word.says("thousand").then_some(1000))
            .or_else(|| {
                word.says_one_of("million millones millions millionen millioner")
                    .then_some(1_000_000)
            })
            .or_else(|| word.says("billion").then_some(1_000_000_000))
    });
    let next = Next {
        value: known?,
        is_hyphenated,
        follows_and,
        follows_foreign_and,
    };
    Some((next, at))
}

/// Returns the value of a word that is a number by itself.
fn word_value(word: &Token<'_>) -> Option<u64> {
    if word.text.is_ascii() && !VALUES.may_hold(key_of(word.text)) {
        return compound_value(word.text);
    }
    let small = SMALL.iter().find_map(|words| word.place_among(words));
    let tens = || TENS.iter().find_map(|words| word.place_among(words));
    let hundreds = || word.place_among(&HUNDREDS);
    let value = small
        .or_else(|| Some(10 * (tens()? + 2)))
        .or_else(|| Some(100 * (hundreds()? + 2)));
    value
        .map(|value| value as u64)
        .or_else(|| compound_value(word.text))
}

/// Checks whether numbers in words may start with this word, regardless of what follows.
pub fn starts_number_in_words(word: &Token<'_>) -> bool {
    word_value(word).is_some() || round_value(word).is_some()
}

/// Checks whether the word is "hundre" or "tusen". Before these, the Norwegian words for 2, 4, 9 and 10, which are
/// other words in English, are numbers.
pub fn follows_norwegian_count(word: &Token<'_>) -> bool {
    static POWERS: WordList = WordList::of("hundre tusen");
    word.says_one_of(&POWERS)
}

/// A filter of the words that have a value by themselves.
static VALUES: WordFilter = WordFilter::of(&[&SMALL, &TENS, std::slice::from_ref(&HUNDREDS)]);

#[cfg(test)]
mod tests {
    use super::super::read;
    use crate::testing::check;

    #[test]
    fn numbers_in_words() {
        check(
            read,
            &[
                (
                    "three bags and twenty-five seats",
                    &["number 3 in three", "number 25 in twenty-five"],
                ),
                (
                    "three hundred dollars",
                    &["money 300 in three hundred dollars"],
                ),
                (
                    "two thousand five hundred and six",
                    &["number 2506 in two thousand five hundred and six"],
                ),
                (
                    "fifty percent, two million",
                    &[
                        "percent 50 or 0.5 in fifty percent",
                        "number 2000000 in two million",
                    ],
                ),
                (
                    "one checked bag, a three-hour layover",
                    &["number 1 in one", "number 3 in three"],
                ),
                (
                    "zwei Koffer, drei Taschen",
                    &["number 2 in zwei", "number 3 in drei"],
                ),
                (
                    "deux billets, vingt et un jours",
                    &["number 2 in deux", "number 21 in vingt et un"],
                ),
                (
                    "quatre-vingt-dix euros, dix-sept ans, deux cents pages",
                    &[
                        "money 90 in quatre-vingt-dix euros",
                        "number 17 in dix-sept",
                        "number 200 in deux cents",
                    ],
                ),
                (
                    "treinta y cinco días, cien dólares, cinco mil pesos",
                    &[
                        "number 35 in treinta y cinco",
                        "money 100 in cien dólares",
                        "money 5000 in cinco mil pesos",
                    ],
                ),
                (
                    "fünfundzwanzig Euro, zweihundertfünfzig Gäste, tjuefem kroner, veinticinco euros",
                    &[
                        "money 25 in fünfundzwanzig Euro",
                        "number 250 in zweihundertfünfzig",
                        "money 25 in tjuefem kroner",
                        "money 25 in veinticinco euros",
                    ],
                ),
                (
                    "Zwei Koffer: cent vingt euros, to tusen kroner",
                    &[
                        "number 2 in Zwei",
                        "money 120 in cent vingt euros",
                        "money 2000 in to tusen kroner",
                    ],
                ),
                (
                    "tre vesker, fem hundre kroner",
                    &["number 3 in tre", "money 500 in fem hundre kroner"],
                ),
            ],
        );
    }
}
