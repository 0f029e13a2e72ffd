//! Units of measure and currencies as bit sets, because a sign such as `$` stands for several currencies.

use std::sync::OnceLock;

use foldhash::HashMap;

/// A set of units, with one bit for each.
pub type Units = u64;

/// The names and signs of the units in lower case. A name that several units have stands for all of them.
const NAMES: [&str; 44] = [
    "mm millimeter millimeters millimetre millimetres",
    "cm centimeter centimeters centimetre centimetres zentimeter",
    "m meter meters metre metres mètre mètres metro metros",
    "km kms kilometer kilometers kilometre kilometres kilomètres kilómetros kilometern",
    "inch inches",
    "ft foot feet",
    "yd yard yards",
    "mi mile miles meile meilen millas",
    "µg μg mcg microgram micrograms mikrogramm",
    "mg milligram milligrams milligramm milligrammes miligramos",
    "g gram grams gramm gramme grammes gramo gramos",
    "kg kgs kilo kilos kilogram kilograms kilogramm kilogrammes kilogramos",
    "t ton tons tonne tonnes tonnen",
    "oz ounce ounces",
    "lb lbs pound pounds",
    "ml milliliter milliliters millilitre millilitres",
    "l liter liters litre litres litros",
    "cl centiliter centilitre",
    "gal gallon gallons",
    "ms millisecond milliseconds",
    "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos sekund sekunder",
    "min mins minute minutes minuten minuto minutos minutt minutter m",
    "h hr hrs hour hours stunde stunden std heure heures hora horas time timer",
    "d day days tag tage tagen jour jours día días dag dager",
    "week weeks wk wks woche wochen semaine semaines semana semanas uke uker",
    "month months monat monate monaten mois mes meses måned måneder",
    "year years yr yrs jahr jahre jahren an ans année années año años år",
    "°c ºc ℃ celsius ° degree degrees grad degrés grados grader",
    "°f ºf ℉ fahrenheit ° degree degrees",
    "kelvin",
    "byte bytes",
    "kb kib kilobyte kilobytes",
    "mb mib megabyte megabytes",
    "gb gib gigabyte gigabytes",
    "tb tib terabyte terabytes",
    "kw kilowatt kilowatts",
    "mw megawatt megawatts",
    "kwh",
    "mwh",
    "km/h kmh kph",
    "mph",
    "kcal",
    "kj",
    "mmhg",
];

/// Names of units in keys only: in texts they are other words. Each comes with the index of its unit.
const IN_KEYS: [(&str, usize); 7] = [
    ("in", 4),
    ("c", 27),
    ("f", 28),
    ("celsius", 27),
    ("fahrenheit", 28),
    ("hours", 22),
    ("secs", 20),
];

/// Names of units that mean something else in keys: `min` is the least, and others are parts of a name.
const NOT_IN_KEYS: &str =
    "min m s d t h l an mes time second minute day month year week ms mi degree degrees grad times";

/// The units by name, because searching all lists takes long.
static UNITS: OnceLock<HashMap<&str, Units>> = OnceLock::new();

/// Returns the units that a word or sign in lower case stands for.
pub fn units_named(word: &str) -> Units {
    let units = UNITS.get_or_init(|| {
        let mut units = HashMap::default();
        for (names, bit) in NAMES.iter().zip(0_u32..) {
            for name in names.split(' ') {
                *units.entry(name).or_insert(0) |= 1 << bit;
            }
        }
        units
    });
    units.get(word).copied().unwrap_or(0)
}

/// Returns the units of time, from milliseconds to years.
pub fn time_units() -> Units {
    let names = ["ms", "s", "min", "h", "d", "week", "month", "year"];
    names
        .into_iter()
        .map(units_named)
        .fold(0, |all, unit| all | unit)
}

/// Returns the units that a key names: `distance_km`, `tempC`, `durationMinutes`.
pub fn units_of_key(key: &str) -> Units {
    units_of_words(&words_of_key(key))
}

/// Returns the units that the words of a key name.
pub fn units_of_words(words: &[String]) -> Units {
    let Some((last, before)) = words.split_last() else {
        return 0;
    };
    if let Some((_, bit)) = IN_KEYS.iter().find(|(name, _)| name == last) {
        return match before.is_empty() && last.len() < 3 {
            true => 0,
            false => 1 << bit,
        };
    }
    match NOT_IN_KEYS.split(' ').any(|name| name == last) {
        true => 0,
        false => units_named(last),
    }
}

/// Splits a key into words in lower case: `unitPrice_usd` has three.
pub fn words_of_key(key: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = '_';
    for c in key.chars().take(60) {
        let starts = !before.is_alphanumeric() || (before.is_lowercase() && c.is_uppercase());
        if c.is_alphanumeric() || c == '°' {
            match words.last_mut().filter(|_| !starts) {
                Some(word) => word.extend(c.to_lowercase()),
                None => words.push(c.to_lowercase().collect()),
            }
        }
        before = c;
    }
    words
}

/// A set of currencies, with one bit for each.
pub type Currencies = u64;

/// The codes of the currencies. The index of a code is the bit of its currency.
const CODES: [&str; 36] = [
    "usd", "cad", "aud", "nzd", "hkd", "sgd", "twd", "mxn", "brl", "ars", "clp", "cop", "eur",
    "gbp", "jpy", "cny", "inr", "nok", "sek", "dkk", "isk", "chf", "krw", "thb", "idr", "myr",
    "php", "vnd", "zar", "aed", "pln", "czk", "huf", "rub", "ils", "rmb",
];

/// Codes that are other words in keys.
const NO_KEYS: &str = "php cop all try";

/// The currency codes that words and signs stand for.
const SIGNS: [(&str, &str); 18] = [
    ("$", "usd cad aud nzd hkd sgd twd mxn brl ars clp cop"),
    ("€", "eur"),
    ("£", "gbp"),
    ("¥ ￥", "jpy cny rmb"),
    ("₹ rupee rupees rs", "inr idr"),
    ("₩ won 원", "krw"),
    ("₽", "rub"),
    ("฿", "thb"),
    ("₪", "ils"),
    ("₫", "vnd"),
    ("₱", "php"),
    (
        "dollar dollars dólares bucks",
        "usd cad aud nzd hkd sgd twd",
    ),
    ("euro euros", "eur"),
    (
        "kr kroner krone kronen kronor coronas couronnes",
        "nok sek dkk isk czk",
    ),
    ("yen 円", "jpy"),
    ("yuan 元 圆", "cny rmb twd hkd"),
    ("franc francs franken", "chf"),
    ("pound pounds quid", "gbp"),
];

/// The currencies by code, word and sign.
static NAMED: OnceLock<HashMap<&str, Currencies>> = OnceLock::new();

/// Returns the currencies that a code, word or sign in lower case stands for.
pub fn currencies_named(word: &str) -> Currencies {
    let named = NAMED.get_or_init(|| {
        let by_code = |code: &str| match CODES.iter().position(|known| *known == code) {
            // Both are codes of the same currency.
            Some(35 | 15) => 1 << 15 | 1 << 35,
            Some(bit) => 1 << bit,
            None => 0,
        };
        let mut named: HashMap<&str, Currencies> =
            CODES.iter().map(|code| (*code, by_code(code))).collect();
        for (words, codes) in SIGNS {
            let all = codes.split(' ').map(by_code).fold(0, |all, one| all | one);
            for word in words.split(' ') {
                *named.entry(word).or_insert(0) |= all;
            }
        }
        named
    });
    named.get(word).copied().unwrap_or(0)
}

/// Returns the currencies that the words of a key name: `price_usd`, `EUR`.
pub fn currencies_of_words(words: &[String]) -> Currencies {
    let code = |word: &&String| {
        CODES.contains(&word.as_str()) && !NO_KEYS.split(' ').any(|other| other == word.as_str())
    };
    words
        .iter()
        .find(code)
        .map_or(0, |code| currencies_named(code))
}

/// Returns the currencies that an amount is written in: `$5`, `100 EUR`, `50 dollars`.
pub fn currencies_in(amount: &str) -> Currencies {
    let is_sign = |c: char| !c.is_alphanumeric();
    let mut found = 0;
    let mut buffer = [0; 4];
    for c in amount.chars().filter(|c| is_sign(*c) || !c.is_ascii()) {
        found |= currencies_named(c.encode_utf8(&mut buffer));
    }
    let words = amount.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| !word.is_empty() && word.len() <= 12);
    let named = words.map(|word| currencies_named(&word.to_lowercase()));
    let by_word = named.fold(0, |all, one| all | one);
    // "$50 USD": the code says which dollar is meant.
    match (found, by_word) {
        (0, by_word) => by_word,
        (found, 0) => found,
        (found, by_word) if found & by_word != 0 => found & by_word,
        (found, by_word) => found | by_word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_units_and_currencies() {
        for (key, unit) in [
            ("distance_km", "km"),
            ("doseMg", "mg"),
            ("temp_c", "celsius"),
            ("tempF", "fahrenheit"),
            ("rain_in", "inch"),
            ("durationMinutes", "mins"),
            ("size_mb", "mb"),
        ] {
            assert_ne!(units_of_key(key) & units_named(unit), 0, "{key}");
        }
        for key in [
            "min",
            "temp_min",
            "check_in_m",
            "c",
            "in",
            "total",
            "end_time",
            "birth_day",
        ] {
            assert_eq!(units_of_key(key), 0, "{key}");
        }
        assert_eq!(
            currencies_of_words(&words_of_key("price_usd")),
            currencies_named("usd")
        );
        assert_eq!(
            currencies_of_words(&words_of_key("EUR")),
            currencies_named("€")
        );
        assert_eq!(currencies_of_words(&words_of_key("price")), 0);
    }

    #[test]
    fn an_amount_names_its_currency() {
        assert_eq!(currencies_in("$50 USD"), currencies_named("usd"));
        assert_eq!(currencies_in("50 dollars") & currencies_named("eur"), 0);
        assert_ne!(currencies_in("$5") & currencies_named("cad"), 0);
        assert_eq!(
            currencies_in("5 kr") & currencies_named("nok"),
            currencies_named("nok")
        );
        assert_eq!(currencies_in("5"), 0);
    }
}
