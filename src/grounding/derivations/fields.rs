//! Splits text lines into fields: comma-separated values, tables drawn with bars, columns aligned with spaces.

use std::ops::Range;

/// How many fields of one line are read.
const MOST_FIELDS: usize = 24;

/// The separators, in the order in which they are tried.
const SIGNS: [Sign; 5] = [
    Sign::Char('|'),
    Sign::Char(';'),
    Sign::Char('\t'),
    Sign::Char(','),
    Sign::Spaces,
];

/// A separator of the fields of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Sign {
    Char(char),
    /// Two or more spaces.
    Spaces,
}

/// A line that is split into fields.
pub struct Line {
    /// The byte ranges of its fields in the text, without the spaces and quotes around them.
    pub fields: Vec<Range<usize>>,
}

/// Splits `lines` into fields by the first separator that gives most of them the same number of fields. Lines with
/// another number are dropped. Returns `None` if the lines are no table.
pub fn fields(text: &str, lines: &[&str]) -> Option<Vec<Line>> {
    SIGNS.into_iter().find_map(|sign| {
        let parted: Vec<_> = lines
            .iter()
            .map(|line| {
                let start = line.as_ptr() as usize - text.as_ptr() as usize;
                parts(line, sign, start)
            })
            .collect();
        let count = parted.iter().map(Vec::len).max()?;
        let (alike, others): (Vec<_>, Vec<_>) =
            parted.into_iter().partition(|fields| fields.len() == count);
        let has_number = |fields: &&Vec<Range<usize>>| {
            fields
                .iter()
                .any(|field| value(&text[field.clone()]).is_some())
        };
        let with_numbers = alike.iter().filter(has_number).count();
        let is_table = count > 1 && with_numbers > 1 && others.len() * 2 <= alike.len();
        is_table.then(|| alike.into_iter().map(|fields| Line { fields }).collect())
    })
}

/// Parses a field as a number. A currency sign, a percent sign and group commas are ignored.
pub fn value(field: &str) -> Option<f64> {
    let digits = field.trim_matches(|c: char| matches!(c, '$' | '€' | '£' | '%' | ' '));
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | '.'))
        && digits.len() <= 20;
    let plain = digits.replace(',', "");
    plain.parse().ok().filter(|_| is_number)
}

fn parts(line: &str, sign: Sign, start: usize) -> Vec<Range<usize>> {
    let line_start = line.as_ptr() as usize;
    let place = |part: &str| {
        let part = part.trim().trim_matches('"').trim();
        let from = start + (part.as_ptr() as usize - line_start);
        from..from + part.len()
    };
    match sign {
        Sign::Char('|') => {
            let line = line.trim();
            let line = line.strip_prefix('|').unwrap_or(line);
            let line = line.strip_suffix('|').unwrap_or(line);
            line.split('|').take(MOST_FIELDS).map(place).collect()
        }
        Sign::Char(c) => line.split(c).take(MOST_FIELDS).map(place).collect(),
        Sign::Spaces => {
            let fields = line.split("  ").filter(|part| !part.trim().is_empty());
            fields.take(MOST_FIELDS).map(place).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Vec<&str>> {
        let lines: Vec<_> = text.lines().collect();
        let parted = fields(text, &lines).unwrap_or_default().into_iter();
        parted
            .map(|line| line.fields.into_iter().map(|field| &text[field]).collect())
            .collect()
    }

    #[test]
    fn lines_are_parted_by_what_all_of_them_have() {
        assert_eq!(
            read("press,jars\nAlder,140\nBirch,75"),
            [["press", "jars"], ["Alder", "140"], ["Birch", "75"]]
        );
        assert_eq!(
            read("| press | jars |\n| Alder |  140 |\n| Birch |   75 |")[2],
            ["Birch", "75"]
        );
        assert_eq!(
            read("Press    Jars\nRed Alder   140\nBirch    75")[1],
            ["Red Alder", "140"]
        );
        assert_eq!(
            read("Alder came, Birch left.\nThat is all, friends.").len(),
            0
        );
    }

    #[test]
    fn fields_are_numbers_with_or_without_a_currency() {
        assert_eq!(value("$1,250.50"), Some(1250.5));
        assert_eq!(value("44-47"), None);
        assert_eq!(value("Alder"), None);
    }
}
