//! Recognizes numbers of results that are converted to another unit. The end of a number's key is its unit (`wind_ms`,
//! `dose_mg`).

use foldhash::{HashMap, HashSet};

use super::claim::Claim;
use super::reply::Reply;
use toolgauge_facts::{Fact, Token, WordList};

/// How many bits must be saved by naming the number instead of guessing it.
const LEAST: f64 = 2.0;

/// How many rows are read.
const MOST_ROWS: usize = 400;

/// The quantity that a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quantity {
    Mass,
    Length,
    Speed,
    Volume,
    Time,
    Data,
    Pressure,
    Energy,
    Temperature,
}

struct Unit {
    names: WordList,
    quantity: Quantity,
    /// Its size in the base unit of its quantity. For degrees, it only distinguishes Celsius from Fahrenheit.
    size: f64,
}

const fn unit(names: &'static str, quantity: Quantity, size: f64) -> Unit {
    Unit {
        names: WordList::of(names),
        quantity,
        size,
    }
}

use Quantity::{Data, Energy, Length, Mass, Pressure, Speed, Temperature, Time, Volume};

static UNITS: [Unit; 38] = [
    unit("mg milligram milligrams", Mass, 1e-3),
    unit("g gram grams gramm", Mass, 1.0),
    unit("kg kilogram kilograms kilo kilos", Mass, 1e3),
    unit("t ton tons tonne tonnes", Mass, 1e6),
    unit("lb lbs pound pounds", Mass, 453.592_37),
    unit("oz ounce ounces", Mass, 28.349_523),
    unit("mm millimeter millimeters", Length, 1e-3),
    unit("cm centimeter centimeters", Length, 1e-2),
    unit("m meter meters metre metres mètres metros", Length, 1.0),
    unit(
        "km kilometer kilometers kilometre kilometres kilómetros",
        Length,
        1e3,
    ),
    unit("in inch inches", Length, 0.0254),
    unit("ft foot feet", Length, 0.3048),
    unit("yd yard yards", Length, 0.9144),
    unit("mi mile miles", Length, 1609.344),
    unit("ms mps", Speed, 1.0),
    unit("kmh kph kmph", Speed, 1.0 / 3.6),
    unit("mph", Speed, 0.447_04),
    unit("kn kt knot knots", Speed, 0.514_444),
    unit("ml milliliter milliliters", Volume, 1e-3),
    unit("cl", Volume, 1e-2),
    unit("l liter liters litre litres litros", Volume, 1.0),
    unit("gal gallon gallons", Volume, 3.785_41),
    unit("ms millisecond milliseconds", Time, 1e-3),
    unit("s sec secs second seconds", Time, 1.0),
    unit("min mins minute minutes", Time, 60.0),
    unit("h hr hrs hour hours", Time, 3600.0),
    unit("day days", Time, 86_400.0),
    unit("b byte bytes", Data, 1.0),
    unit("kb kilobyte kilobytes", Data, 1e3),
    unit("mb megabyte megabytes", Data, 1e6),
    unit("gb gigabyte gigabytes", Data, 1e9),
    unit("tb terabyte terabytes", Data, 1e12),
    unit("hpa mbar", Pressure, 1.0),
    unit("kpa", Pressure, 10.0),
    unit("kj kilojoule kilojoules", Energy, 1.0),
    unit("kcal", Energy, 4.184),
    unit("c celsius", Temperature, 1.0),
    unit("f fahrenheit", Temperature, 1.8),
];

/// The factor per step of 1000 by which a binary unit of data exceeds the decimal one: 1024 / 1000.
const BINARY: f64 = 1.024;

/// Checks whether a number is a converted number of a result.
pub fn is_converted(reply: &Reply<'_, '_>, claim: &Claim, fact: &Fact<'_>) -> bool {
    let written = units_called(&unit_after(reply.content, fact));
    if written.is_empty() {
        return false;
    }
    let rows = reply.rows();
    let mut units_of: HashMap<usize, Vec<&Unit>> = HashMap::default();
    let mut seen = HashSet::default();
    for cell in rows.rows.iter().take(MOST_ROWS).flat_map(|row| &row.cells) {
        let units = units_of
            .entry(cell.column)
            .or_insert_with(|| units_of_key(rows.key_of(cell.column)));
        for converted in conversions(units, &written, cell.value) {
            if !claim.is_like(converted) {
                continue;
            }
            seen.insert((converted / claim.half).round() as i64);
            let cost = (seen.len() as f64).log2();
            if claim.is(converted) && claim.bits - cost >= LEAST {
                return true;
            }
        }
    }
    false
}

/// Returns the units with this name. `ms` is both a unit of speed and one of time.
fn units_called(name: &str) -> Vec<&'static Unit> {
    if name.is_empty() {
        return Vec::new();
    }
    let name = Token::of_word(name);
    let units = UNITS.iter();
    units.filter(|unit| name.says_one_of(&unit.names)).collect()
}

/// Returns the units that a key ends with. A key that is only a unit says what is counted and has none.
fn units_of_key(key: &str) -> Vec<&'static Unit> {
    let last = key.rsplit(|c: char| !c.is_alphabetic()).next();
    let last = last.filter(|last| last.len() < key.len());
    last.map(units_called).unwrap_or_default()
}

/// Converts a number from each of the units `from` to each of the units `to` of the same quantity.
fn conversions(from: &[&Unit], to: &[&Unit], value: f64) -> Vec<f64> {
    let pairs = to
        .iter()
        .flat_map(|to| from.iter().map(move |from| (from, to)));
    let alike = pairs.filter(|(from, to)| from.quantity == to.quantity && from.size != to.size);
    alike
        .flat_map(|(from, to)| match from.quantity {
            Temperature if from.size < to.size => vec![value * 1.8 + 32.0],
            Temperature => vec![(value - 32.0) / 1.8],
            Data => {
                let share = from.size / to.size;
                let steps = (share.log10() / 3.0).round() as i32;
                vec![value * share, value * share * BINARY.powi(steps)]
            }
            Mass | Length | Speed | Volume | Time | Pressure | Energy => {
                vec![value * from.size / to.size]
            }
        })
        .collect()
}

/// Returns the unit after a number in lower case, without `/`: `kmh` for `km/h`.
fn unit_after(content: &str, fact: &Fact<'_>) -> String {
    let glued = fact
        .text
        .trim_start_matches(|c: char| !c.is_alphabetic() && c != '°');
    let after = &content[fact.end()..];
    let after = after.trim_start_matches([' ', '-', '\u{a0}', '\u{202f}']);
    let unit = if glued.is_empty() { after } else { glued };
    let is_part = |c: &char| c.is_alphabetic() || matches!(c, '/' | '°');
    let unit: String = unit.chars().take(16).take_while(is_part).collect();
    unit.to_lowercase().replace(['/', '°'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(key: &str, written: &str, value: f64) -> Vec<f64> {
        conversions(&units_of_key(key), &units_called(written), value)
    }

    #[test]
    fn the_end_of_a_key_is_its_unit() {
        assert_eq!(converted("dose_mg", "g", 380.0), [0.38]);
        assert_eq!(converted("dose", "g", 380.0), [0.0; 0]);
        assert_eq!(converted("mg", "g", 380.0), [0.0; 0]);
    }

    #[test]
    fn only_units_of_the_same_quantity_are_converted() {
        assert_eq!(converted("dose_mg", "km", 380.0), [0.0; 0]);
        assert_eq!(converted("dose_mg", "mg", 380.0), [0.0; 0]);
        assert_eq!(converted("wind_ms", "kmh", 10.0).len(), 1);
        assert_eq!(converted("delay_ms", "s", 1500.0), [1.5]);
    }

    #[test]
    fn degrees_have_a_zero_of_their_own_and_bytes_two_thousands() {
        assert_eq!(converted("temp_c", "f", 100.0), [212.0]);
        assert_eq!(converted("temp_f", "c", 212.0), [100.0]);
        let kilobytes = converted("size_kb", "mb", 2048.0);
        assert_eq!(kilobytes.first(), Some(&2.048));
        assert!(kilobytes.iter().any(|size| (size - 2.0).abs() < 0.001));
    }
}
