//! Numbers in words, in English, German, French, Spanish and Norwegian.

use super::number::{is_capitalized, is_plain_word};
use super::token::{Token, TokenKind};
use super::word_list::{WordList, Words as _};

/// Words after "one" that make it no number.
static AFTER_ONE: WordList = WordList::of(
    "of is was are has in on at to for from the that which who with as moment more another or and by \
    way thing time day last first else such can will would might should may i you we it he she they",
);

/// Words before "one" that make it no number.
static BEFORE_ONE: WordList = WordList::of(
    "this that the no any every each which another other some last next same right wrong either \
    new good better best first a an",
);

/// What follows the number of the parts of a fraction: "two thirds".
static FRACTIONS: WordList = WordList::of(
    "half halves third thirds quarter quarters fourth fourths fifth fifths tenth tenths",
);

/// Units of time in compounds such as "three-hour".
static COMPOUNDS: WordList = WordList::of("hour minute second day night week month year stop");

/// The numbers up to 19 in English, German, French, Spanish and Norwegian; `-` where a word is mostly
/// another one.
const SMALL: [&str; 6] = [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen \
     eighteen nineteen",
    "- - zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn \
     achtzehn neunzehn",
    "- - deux trois quatre cinq - sept huit - dix onze douze treize quatorze quinze",
    "- - dos tres cuatro cinco seis siete ocho nueve diez - doce trece catorce quince dieciséis diecisiete dieciocho \
     diecinueve",
    "- - - tre - fem seks sju åtte - - elleve tolv tretten fjorten femten seksten sytten atten nitten",
    "- - - - - - - syv",
];

/// The tens from 20 to 90.
const TENS: [&str; 5] = [
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "vingt trente quarante cinquante soixante",
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "tjue tretti førti femti seksti sytti åtti nitti",
];

/// [`SMALL`] and [`TENS`] as tokens are looked up in them.
static SMALL_WORDS: [WordList; 6] = [
    WordList::of(SMALL[0]),
    WordList::of(SMALL[1]),
    WordList::of(SMALL[2]),
    WordList::of(SMALL[3]),
    WordList::of(SMALL[4]),
    WordList::of(SMALL[5]),
];
static TENS_WORDS: [WordList; 5] = [
    WordList::of(TENS[0]),
    WordList::of(TENS[1]),
    WordList::of(TENS[2]),
    WordList::of(TENS[3]),
    WordList::of(TENS[4]),
];

/// The Spanish hundreds from 200 to 900.
const HUNDREDS_TEXT: &str = "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos";

static HUNDREDS: WordList = WordList::of(HUNDREDS_TEXT);

/// Words for 100 and 1000 that can stand alone before a currency.
const ROUND: [(&str, u64); 2] = [
    ("hundert hundre cien", 100),
    ("tausend tusen mille mil", 1000),
];

/// Words that stand for a number only after another: "vingt et un", "treinta y uno".
static LATER: [(WordList, u64); 6] = [
    (WordList::of("un une uno una én ein"), 1),
    (WordList::of("neuf"), 9),
    (WordList::of("seize"), 16),
    (WordList::of("six"), 6),
    (WordList::of("once"), 11),
    (WordList::of("vingts"), 20),
];

/// What goes on a number in words besides those that have a value by themselves.
static GOES_ON: WordList = WordList::of(
    "un une uno una én ein neuf seize six once vingts hundert hundre cien tausend tusen mille mil cent cents hundred \
     thousand million millones millions millionen millioner billion",
);

/// A number in words.
pub struct Words {
    /// The number.
    pub value: u64,
    /// How many tokens it takes.
    pub length: usize,
    /// Whether its first word isn't English.
    is_foreign: bool,
    /// Whether its first word is German.
    is_german: bool,
    /// Whether it starts with a word for 100 or 1000.
    pub is_round: bool,
}

impl Words {
    /// Whether a number in words counts something, rather than being part of a phrase or a name.
    pub fn counts(&self, before: &[Token<'_>], tokens: &[Token<'_>]) -> bool {
        let first = &tokens[0];
        let next = tokens.get(self.length);
        let is_word = next.is_some_and(|next| next.kind == TokenKind::Letters && !next.glued);
        let is_fraction = next.is_some_and(|next| next.says_one_of(&FRACTIONS));
        // German nouns have capitals: "Zwei Koffer" at the start of a sentence counts.
        let starts_sentence = before
            .last()
            .is_none_or(|token| matches!(token.sign(), Some('.' | '!' | '?' | ':' | '*' | '-')));
        let is_name = is_capitalized(first.text)
            && next.is_some_and(|next| is_word && is_capitalized(next.text))
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

/// Whether a word after "one" is more likely a verb or an adverb than a noun: "one uses", "one exactly".
fn is_verb_or_adverb(word: &str) -> bool {
    let is_third_person = word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    is_third_person || word.ends_with("ly")
}

/// The digits in compounds, in German, Norwegian and Spanish.
const DIGITS: [&str; 3] = [
    "ein zwei drei vier fünf sechs sieben acht neun",
    "en to tre fire fem seks sju åtte ni",
    "uno dós trés cuatro cinco séis siete ocho nueve",
];

/// Longer words are no numbers.
const LONGEST_COMPOUND: usize = 60;

/// Whether a word may be a compound, by its ends.
fn may_be_compound(word: &str) -> bool {
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

/// The value of numbers that are written as one word: `fünfundzwanzig`, `zweihundert`, `tjuefem`,
/// `veinticinco`.
fn compound_value(word: &str) -> Option<u64> {
    let word = may_be_compound(word).then(|| word.to_lowercase())?;
    let mut round = ROUND.iter().flat_map(|(words, _)| words.split(' '));
    if round.any(|round| round == word) {
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
    let place = |words: &str, word: &str| words.split(' ').position(|known| known == word);
    let digit = |language: usize, word: &str| Some(place(DIGITS[language], word)? as u64 + 1);
    if let Some(value) = digit(0, word).or_else(|| digit(1, word)) {
        return Some(value);
    }
    if let Some((ones, tens)) = word.split_once("und") {
        return Some(digit(0, ones)? + 10 * (place(TENS[1], tens)? as u64 + 2));
    }
    if let Some(ones) = word.strip_prefix("veinti") {
        return Some(20 + digit(2, ones)?);
    }
    let simple = [SMALL[1], SMALL[4]]
        .into_iter()
        .find_map(|words| place(words, word));
    let tens = || {
        [TENS[1], TENS[4]]
            .into_iter()
            .find_map(|words| place(words, word))
    };
    let simple = simple.or_else(|| Some(10 * (tens()? + 2)));
    simple.map(|value| value as u64).or_else(|| {
        let mut tens = TENS[4].split(' ').enumerate();
        tens.find_map(|(at, tens)| {
            let ones = word.strip_prefix(tens)?;
            Some(10 * (at as u64 + 2) + digit(1, ones)?)
        })
    })
}

/// The Norwegian words before "hundre" and "tusen" that are other words in English.
fn norwegian_count(tokens: &[Token<'_>]) -> Option<u64> {
    let [count, power, ..] = tokens else {
        return None;
    };
    let counts = [("to", 2), ("fire", 4), ("ni", 9), ("ti", 10)];
    let (_, value) = counts.iter().find(|(word, _)| count.says(word))?;
    follows_norwegian_count(power).then_some(*value)
}

/// The number in words at the start of `tokens`: "two thousand five hundred", "vingt et un".
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
        let mut words = [&SMALL_WORDS[language], &TENS_WORDS[language]].into_iter();
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

/// The value of a word for a power of ten.
fn round_value(word: &Token<'_>) -> Option<u64> {
    let mut round = ROUND.iter().filter(|(words, _)| word.says_one_of(*words));
    let value = round.next().map(|(_, value)| *value);
    value.or_else(|| word.says("cent").then_some(100))
}

/// A number that is being put together from words.
#[derive(Clone, Copy)]
struct Sum {
    /// The thousands and millions before.
    done: u64,
    /// What is to be multiplied by the next thousand or million.
    current: u64,
    /// The value of the last word.
    last: u64,
    /// The last of the thousands and millions; the next one is smaller.
    scale: u64,
}

/// A word that may go on a number.
#[derive(Clone, Copy)]
struct Next {
    value: u64,
    is_hyphenated: bool,
    /// Whether "and" stands before it.
    follows_and: bool,
    /// Whether "et", "y" or the like stands before it.
    follows_foreign_and: bool,
}

impl Sum {
    /// The number with another word, if it makes sense.
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

/// The word that may go on the number word at the start of `tokens`, and how many tokens it takes.
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
        let round = || {
            let mut round = ROUND.iter().filter(|(words, _)| word.says_one_of(*words));
            round.next().map(|(_, value)| *value)
        };
        let is_french_hundred = word.says_one_of("cent cents") && tokens[0].says_one_of(french);
        later()
            .or_else(round)
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

/// The value of a word that is a number by itself.
fn word_value(word: &Token<'_>) -> Option<u64> {
    if !is_in(&VALUES, word.text) {
        return compound_value(word.text);
    }
    let small = SMALL_WORDS.iter().find_map(|words| word.place_among(words));
    let tens = || TENS_WORDS.iter().find_map(|words| word.place_among(words));
    let hundreds = || word.place_among(&HUNDREDS);
    let value = small
        .or_else(|| Some(10 * (tens()? + 2)))
        .or_else(|| Some(100 * (hundreds()? + 2)));
    value
        .map(|value| value as u64)
        .or_else(|| compound_value(word.text))
}

/// Whether a word may be a number; hardly any other words may.
pub fn may_be_number_word(word: &str) -> bool {
    is_in(&FIRST, word) || may_be_compound(word)
}

/// Whether numbers in words start with this word, whatever follows it.
pub fn starts_number_in_words(word: &Token<'_>) -> bool {
    may_be_number_word(word.text) && (word_value(word).is_some() || round_value(word).is_some())
}

/// Whether it is one of the words that make a number of the Norwegian words for 2, 4, 9 and 10, which are
/// other words in English.
pub fn follows_norwegian_count(word: &Token<'_>) -> bool {
    static POWERS: WordList = WordList::of("hundre tusen");
    word.says_one_of(&POWERS)
}

/// Whether a word may be one of those whose keys are in `filter`.
fn is_in(filter: &[u64; 64], word: &str) -> bool {
    let key = key_of(word.as_bytes(), 0, word.len());
    filter[key / 64] & (1 << (key % 64)) != 0
}

/// The keys of all words that numbers start with.
static FIRST: [u64; 64] = {
    let mut filter = with_words(VALUES, ROUND[0].0);
    filter = with_words(filter, "cent to fire ni ti");
    with_words(filter, ROUND[1].0)
};

/// The keys of all words that have a value by themselves.
const VALUES: [u64; 64] = {
    let mut filter = [0; 64];
    let mut table = 0;
    while table < SMALL.len() {
        filter = with_words(filter, SMALL[table]);
        table += 1;
    }
    table = 0;
    while table < TENS.len() {
        filter = with_words(filter, TENS[table]);
        table += 1;
    }
    with_words(filter, HUNDREDS_TEXT)
};

/// `filter` with the keys of these words.
const fn with_words(mut filter: [u64; 64], words: &str) -> [u64; 64] {
    let bytes = words.as_bytes();
    let (mut start, mut at) = (0, 0);
    while at <= bytes.len() {
        if at == bytes.len() || bytes[at] == b' ' {
            let key = key_of(bytes, start, at);
            filter[key / 64] |= 1 << (key % 64);
            start = at + 1;
        }
        at += 1;
    }
    filter
}

/// A number below 4096 that depends on the letters, not on their case.
const fn key_of(bytes: &[u8], start: usize, end: usize) -> usize {
    let (mut key, mut at) = (0_u32, start);
    while at < end {
        key = (key ^ (bytes[at] | 0x20) as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (key >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::super::amount::recognize;
    use super::super::testing::check;
    use super::*;

    #[test]
    fn numbers_in_words() {
        check(
            recognize,
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

    #[test]
    fn the_filter_keeps_number_words_and_drops_most_others() {
        let words = |words: &'static str| words.split(' ').filter(|word| *word != "-");
        for word in SMALL.into_iter().chain(TENS).flat_map(words) {
            assert!(
                may_be_number_word(word) && may_be_number_word(&word.to_uppercase()),
                "{word}"
            );
        }
        let text = "please let me know if you would like to proceed with this booking or have any other question";
        assert!(
            text.split(' ')
                .filter(|word| may_be_number_word(word))
                .count()
                <= 4
        );
    }
}
