//! Capitalized words that a result does not have to contain: words with which any sentence may begin, or which it may
//! contain, and names that everybody knows.

use std::slice::from_ref;

use toolgauge_facts::{MONTHS, Token, TokenKind, WordFilter, WordList, key_of};

/// Words between the words of one name.
pub static CONNECTORS: WordList = WordList::of("of de du des la le del von van der den el");

/// Words before the name of a person.
pub static TITLES: WordList = WordList::of(
    "dr mr mrs ms prof professor doctor captain frau herr herrn mme mlle sr sra dra señor señora monsieur madame st",
);

/// Words of titles, headings, labels and greetings, in English.
static COMMON: WordList = WordList::of(
    "a about above account action actions additional address after all also amount an everyone folks friend guest madam member sir team traveler traveller valued customer and any app are area as at \
    available be because before below best book booking both brand but by can change check city code confirm \
    confirmation could current date day days dear east delivery details did do does each email error everything false fare \
    final find first flight for free from full gate go good great had has have he hello her here hi his home hotel \
    how however i id if in is it item items its just kind last let like line list location main make map may me \
    menu message mode model more most my name need new next no non none north not note now number of off ok okay on once one \
    only open option options or order other our out over overview page part payment per phone place plan please plus \
    price product question questions reference regards request required results return room route same save search seat \
    section see she should since some sorry south standard start status step steps still such summary support sure table \
    terminal test thank thanks that the their them then there these they this those time to today tomorrow total true \
    type unit until up update upon us use user using via view was we west \
    well were what when where which while who why will wishes with would yes yesterday you your",
);

/// Days of the week, units, time zones.
static CALENDAR: WordList = WordList::of(
    "monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays \
    sundays mon tue tues wed thu thur thurs fri sat sun jan feb mar apr jun jul aug sep sept oct nov dec \
    spring summer autumn fall winter christmas easter thanksgiving ramadan hanukkah halloween \
    celsius fahrenheit kelvin percent pacific eastern central mountain atlantic daylight standard greenwich \
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo \
    montag dienstag mittwoch donnerstag freitag samstag sonntag",
);

/// Countries, peoples and languages.
static PEOPLES: WordList = WordList::of(
    "africa african america american americans americas argentina asia asian australia australian austria austrian \
    belgian belgium brazil brazilian britain british bulgarian canada canadian cantonese chile china chinese colombia \
    croatia cuba czech danish denmark dutch earth egypt egyptian england english europe european finland finnish \
    france french german germany greece greek hebrew hindi hungarian hungary iceland india indian indonesia iran iraq \
    ireland irish israel italian italy japan japanese kenya korea korean latin latino malaysia mandarin mars mexican \
    mexico moon morocco nepal netherlands nigeria norway norwegian pakistan persian peru philippines poland polish \
    portugal portuguese romania romanian russia russian scotland scottish serbia singapore slovak spain spanish sun \
    sweden swedish swiss switzerland taiwan thai thailand turkey turkish ukraine ukrainian vietnam vietnamese wales \
    welsh états unis united states kingdom arabic arab christian muslim jewish catholic buddhist hindu islamic \
    allemagne espagne italie chine japon royaume alemania españa francia italia estados unidos deutschland \
    frankreich spanien italien western northern southern",
);

/// Companies and products that replies mention without a source.
static MAKES: WordList = WordList::of(
    "adobe airbnb alexa alipay amazon amex android apple aws azure bash bluetooth chatgpt chrome cloudflare css csv \
    discord docker ebay edge excel express facebook fedex firefox gemini git github gitlab gmail google html http \
    https instagram internet ios ipad iphone java javascript json kubernetes linkedin linux mac macos markdown \
    mastercard microsoft mozilla mysql netflix nodejs numpy office openai oracle outlook pandas paypal postgres \
    postgresql powerpoint python pytorch reddit redis rust safari siri skype slack spotify sql sqlite tensorflow \
    tesla tiktok twitter typescript uber ubuntu unicode unix usps venmo visa wechat whatsapp wifi wikipedia windows \
    wordpress xml yahoo yaml yelp youtube zoom",
);

/// Number words, which may be part of a title.
static COUNTS: WordList = WordList::of("one two three four five six seven eight nine ten");

/// Words before the name of the person that a reply addresses.
pub static GREETINGS: WordList = WordList::of(
    "dear hello hey hi thanks hallo bonjour hola estimado estimada cher chère liebe lieber",
);

/// Words in place of a name after a label: "Not provided".
pub static PLACEHOLDERS: WordList = WordList::of(
    "not to be none no please pending unknown your and first last full name both all same confirmed provided available \
    applicable required",
);

/// Returns `true` if a sentence, a heading or a label may begin with this word.
pub fn is_common(word: &Token<'_>) -> bool {
    may_be_general(word) && (word.says_one_of(&COMMON) || word.says_one_of(&COUNTS))
}

/// Returns `true` if a word is a number word, which may be part of a title.
pub fn is_number_word(word: &Token<'_>) -> bool {
    word.says_one_of(&COUNTS)
}

/// Returns `true` if a word is a company or product that replies mention without a source.
pub fn is_make(word: &Token<'_>) -> bool {
    word.says_one_of(&MAKES)
}

/// Returns `true` if a word is a country, a people or a language.
pub fn is_people(word: &Token<'_>) -> bool {
    word.says_one_of(&PEOPLES)
}

/// Returns `true` if a word is a day, a season, a unit or a time zone.
pub fn is_of_calendar(word: &Token<'_>) -> bool {
    word.says_one_of(&CALENDAR)
}

/// Returns `true` if a word only connects others.
pub fn connects(word: &Token<'_>) -> bool {
    word.says_one_of(&CONNECTORS) || word.says_one_of("the a an and at in on for")
}

/// A filter of all general words. Hardly any other word passes it.
static GENERAL: WordFilter = WordFilter::of(&[
    from_ref(&COMMON),
    from_ref(&COUNTS),
    from_ref(&CALENDAR),
    from_ref(&PEOPLES),
    from_ref(&MAKES),
    from_ref(&CONNECTORS),
    from_ref(&TITLES),
    &MONTHS,
]);

fn may_be_general(word: &Token<'_>) -> bool {
    !word.text.is_ascii() || GENERAL.may_hold(key_of(word.text))
}

/// Returns `true` if a word names nothing that must be known.
pub fn is_general(word: &Token<'_>) -> bool {
    if !may_be_general(word) {
        return false;
    }
    let lists = [
        &COMMON,
        &COUNTS,
        &CALENDAR,
        &PEOPLES,
        &MAKES,
        &CONNECTORS,
        &TITLES,
    ];
    let mut lists = lists.into_iter().chain(&MONTHS);
    lists.any(|words| word.says_one_of(words))
}

/// Words beside text to say or to type, whose capital does not make it a name: "reply “Yes”".
pub static SAYING: WordList = WordList::of(
    "answer answering choose click enter press replies reply respond say saying says select send tap type typing write \
    with",
);

/// Words before a name or a title.
pub static NAMING: WordList = WordList::of(
    "album alarm app book by called channel city entitled event film game is list movie named playlist play project show \
    song starring titled title track to was watch named",
);

/// The most frequent words of German, where every noun is capitalized.
static GERMAN: WordList = WordList::of(
    "auf aus bei beträgt das dem den der des die ein eine einen einer für hat ich ihr ihre im ist kostet mit nach \
    nicht oder sich sie sind und vom von wird zu zum zur",
);

/// The most frequent words of French, Spanish, Italian and Portuguese.
static ROMANCE: WordList = WordList::of(
    "le la les el los las il lo gli du des de del della do da dos das au aux al est es è se son sont una une un uno uma et \
    y e en nel em dans por pour per para avec con com su votre vous está trouve que qui",
);

/// Returns `true` if these are the tokens of a text in a Romance language.
pub fn are_romance(tokens: &[Token<'_>]) -> bool {
    let words = tokens
        .iter()
        .filter(|token| !token.is_capitalized && token.says_one_of(&ROMANCE));
    let (count, sentences) = (words.count(), tokens.len() / 8);
    count > 1 && count > sentences
}

/// Returns `true` if these are the tokens of a German text.
pub fn are_german(tokens: &[Token<'_>]) -> bool {
    let letters = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Letters);
    let all = letters.clone().count();
    let count = letters.filter(|token| token.says_one_of(&GERMAN)).count();
    count > 1 && count > all / 12
}
