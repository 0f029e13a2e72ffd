//! Finds tables whose cells commas separate. There, `3120,84` is two numbers rather than one with decimals.

use super::token::Token;

/// The maximum number of lines that are searched for tables. Later lines of a text count as plain text.
const MOST_LINES: usize = 20_000;

/// Returns the positions of the commas and line ends that separate the cells of tables in `text`, in order.
///
/// A table has a heading and at least one more line. No cell of the heading is empty or starts with a digit. All lines
/// have as many commas as the heading, and no space follows any comma. Commas in quotation marks don't count.
pub fn cell_ends(text: &str) -> Vec<usize> {
    let mut ends = Vec::new();
    if !text.as_bytes().contains(&b',') || !text.as_bytes().contains(&b'\n') {
        return ends;
    }
    let mut heading: Option<Vec<usize>> = None;
    let mut is_open = false;
    let mut start = 0;
    for line in text.split('\n').take(MOST_LINES) {
        let commas: Option<Vec<_>> =
            commas_of(line).map(|commas| commas.into_iter().map(|comma| start + comma).collect());
        match (&heading, commas) {
            (Some(head), Some(commas)) if head.len() == commas.len() => {
                if !is_open {
                    ends.extend(head);
                }
                is_open = true;
                ends.push(start - 1);
                ends.extend(commas);
            }
            (_, commas) => {
                heading = commas.filter(|_| is_heading(line));
                if is_open {
                    ends.push(start - 1);
                }
                is_open = false;
            }
        }
        start += line.len() + 1;
    }
    ends
}

/// Splits the tokens of `text` at the ends of table cells. Returns the tokens of each cell and those between tables,
/// without the commas that separate cells.
pub fn cells<'k, 't>(text: &str, tokens: &'k [Token<'t>]) -> Vec<&'k [Token<'t>]> {
    let mut cells = Vec::new();
    let mut rest = tokens;
    for end in cell_ends(text) {
        let (cell, after) = rest.split_at(rest.partition_point(|token| token.start < end));
        rest = match after.split_first() {
            Some((comma, rest)) if comma.start == end => rest,
            _ => after,
        };
        cells.push(cell);
    }
    cells.push(rest);
    cells
}

/// Returns the positions of the commas outside of quotation marks in a line. `None` if there are none, or if a space
/// follows one.
fn commas_of(line: &str) -> Option<Vec<usize>> {
    let bytes = line.as_bytes();
    let mut commas = Vec::new();
    let mut is_quoted = false;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b',' if !is_quoted => {
                if bytes.get(at + 1) == Some(&b' ') {
                    return None;
                }
                commas.push(at);
            }
            _ => {}
        }
    }
    (!commas.is_empty()).then_some(commas)
}

fn is_heading(line: &str) -> bool {
    line.trim().split(',').all(|cell| {
        let first = cell.trim_start_matches('"').bytes().next();
        first.is_some_and(|first| !first.is_ascii_digit() && first != b'-' && first != b'+')
    })
}

#[cfg(test)]
mod tests {
    use crate::facts;

    fn numbers(text: &str) -> Vec<&str> {
        facts(text).into_iter().map(|fact| fact.text).collect()
    }

    #[test]
    fn cells_of_tables_are_numbers_of_their_own() {
        let table = "stall,sold,left\nPlums,3120,84\nFigs,87,455\n";
        assert_eq!(numbers(table), ["3120", "84", "87", "455"]);
        let quoted = "stall,sold\nPlums,\"1,250\"\nFigs,\"3,412\"";
        assert_eq!(numbers(quoted), ["1,250", "3,412"]);
    }

    #[test]
    fn commas_of_other_lines_stay_in_their_numbers() {
        for text in [
            "Plums 3120,84\nFigs 87,45",
            "sold: 3120,84\nleft: 87,45",
            "1,250,000\n3,412,500",
            "stall,sold\nIt was 3120,84, all in all",
        ] {
            assert!(
                numbers(text).iter().any(|text| text.contains(',')),
                "{text}"
            );
        }
    }
}
