//! Reads the numbers of results as rows with columns. Rows are objects, items of lists, members of objects that contain
//! objects, and lines of texts.

use std::ops::Range;

use foldhash::{HashMap, HashSet};

use super::super::digest::digest;
use super::fields::{Line, fields, value};
use toolgauge_facts::{Date, Fact, FactKind, FactValue, Texts, Token, WordId};
use toolgauge_model::{Json, Member, ToolCall};

/// How many of the latest calls are read.
const MOST_CALLS: usize = 30;

/// How many values of their results are read.
const MOST_VALUES: usize = 4000;

/// How many numbers of one row are read.
const MOST_CELLS: usize = 24;

/// How deep objects may be nested for their numbers to belong to one row.
const DEEPEST: usize = 3;

/// The longest text whose numbers are cells.
const LONGEST_CELL: usize = 40;

/// How many numbers of one such text are cells.
const MOST_OF_CELL: usize = 2;

/// How many numbers an object must have to be read as a list of them.
const LEAST_MEMBERS: usize = 3;

/// How many lines of one text are rows.
const MOST_LINES: usize = 400;

/// If its lines are longer on average, a text is not a listing.
const LONGEST_LINE: usize = 120;

/// How many counts of lines are kept.
const MOST_COUNTS: usize = 40;

/// The longest text that is read as the name of a row.
const LONGEST_LABEL: usize = 60;

/// How many earlier rows with the same name a new row is compared with.
const MOST_TOLD: usize = 8;

/// How many words the name of a row may have.
const MOST_WORDS: usize = 8;

/// How many words at the start of a line name its row.
const FIRST_WORDS: usize = 3;

/// How many long words of a line name its row.
const MOST_OF_LINE: usize = 8;

/// Separates the digests of days from those of words.
const DATED: &str = "day";

/// A number of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cell {
    /// The index of its column.
    pub column: usize,
    /// The number.
    pub value: f64,
}

/// The value that a row is read from.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// An object.
    Members(&'a [Member<'a>]),
    /// A list within a list.
    Items(&'a [Json<'a>]),
    /// A line of a text.
    Line,
    /// A number in a list.
    Number,
}

/// Numbers that belong together.
pub struct Row<'a> {
    /// The value that the row is read from.
    pub source: Source<'a>,
    /// Its numbers, in order.
    pub cells: Vec<Cell>,
}

/// Rows of the same kind.
#[derive(Default)]
pub struct List {
    /// The indices of its rows.
    pub rows: Vec<usize>,
    /// The row of the object that contains the list.
    pub parent: Option<usize>,
}

/// The rows of the latest results.
#[derive(Default)]
pub struct Rows<'a> {
    /// All rows.
    pub rows: Vec<Row<'a>>,
    /// The lists that some of the rows belong to.
    pub lists: Vec<List>,
    /// The distinct counts of the lines of listings, with and without their heading. The latest come first.
    pub line_counts: Vec<usize>,
    /// The counts of members of objects whose members are all records.
    pub keyed_counts: Vec<usize>,
    /// The counts of different words that the lines of a text start with.
    pub kind_counts: Vec<usize>,
    /// The numbers in the fields of texts, as bits.
    pub fields: HashSet<u64>,
    /// The key of each column.
    columns: Vec<&'a str>,
    paths: HashMap<(usize, &'a str), usize>,
    /// The rows that words name, by the digest of the words.
    by_label: HashMap<u64, Vec<usize>>,
    /// The words that such names start with.
    starts: HashSet<WordId>,
    /// The index of the first list that each row belongs to.
    list_of: HashMap<usize, usize>,
    /// How many more values may be read.
    left: usize,
}

/// The keys of numbers that have none: those of texts and of lists.
const ORDINALS: [&str; MOST_CELLS] = [
    "#0", "#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8", "#9", "#10", "#11", "#12", "#13", "#14",
    "#15", "#16", "#17", "#18", "#19", "#20", "#21", "#22", "#23",
];

impl<'a> Rows<'a> {
    /// The path of a row itself.
    const ROOT: usize = 0;

    /// Reads the rows of the results of `calls`. The latest come first.
    pub fn of(calls: &[&ToolCall<'a>], texts: &Texts<'a>) -> Self {
        let mut rows = Self {
            left: MOST_VALUES,
            ..Self::default()
        };
        rows.columns.push("");
        for call in calls.iter().rev().take(MOST_CALLS) {
            if let Some(result) = call.result {
                if let Json::String(text) = result {
                    rows.count_lines(text);
                }
                rows.visit(result, "", None, texts);
            }
        }
        rows
    }

    /// Returns the key of a column.
    pub fn key_of(&self, column: usize) -> &'a str {
        self.columns[column]
    }

    /// Returns the first list that a row belongs to.
    pub fn list_of(&self, row: usize) -> Option<&List> {
        self.list_of.get(&row).map(|list| &self.lists[*list])
    }

    fn add_list(&mut self, rows: Vec<usize>, parent: Option<usize>) {
        for row in &rows {
            self.list_of.entry(*row).or_insert(self.lists.len());
        }
        self.lists.push(List { rows, parent });
    }

    /// Returns the rows that these words name, in order.
    pub fn named(&self, words: &[WordId]) -> &[usize] {
        self.by_label.get(&digest(words)).map_or(&[], Vec::as_slice)
    }

    /// Checks whether the name of some row starts with this word.
    pub fn starts_name(&self, word: WordId) -> bool {
        self.starts.contains(&word)
    }

    /// Returns the rows that contain this day.
    pub fn dated(&self, date: Date) -> &[usize] {
        let day = date.day.map(|day| digest((DATED, date.month, day)));
        let rows = day.and_then(|day| self.by_label.get(&day));
        rows.map_or(&[], Vec::as_slice)
    }

    /// Yields the numbers of one column of a list, each with its row.
    pub fn column<'r>(
        &'r self,
        list: &'r List,
        column: usize,
    ) -> impl Iterator<Item = (usize, f64)> {
        list.rows.iter().filter_map(move |row| {
            let cells = &self.rows[*row].cells;
            let cell = cells.iter().find(|cell| cell.column == column)?;
            Some((*row, cell.value))
        })
    }

    fn visit(&mut self, json: Json<'a>, key: &'a str, parent: Option<usize>, texts: &Texts<'a>) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        match json {
            Json::Array(items) => self.visit_list(items, key, parent, texts),
            Json::Object(members) => {
                let row = self.rows.len();
                self.add_row(Source::Members(members), key, texts);
                self.visit_members(members, row, texts);
            }
            Json::String(text) => self.visit_text(text, texts),
            Json::Null | Json::Bool(_) | Json::Number(_) => {}
        }
    }

    fn visit_members(&mut self, members: &'a [Member<'a>], parent: usize, texts: &Texts<'a>) {
        let first = self.rows.len();
        if self.visit_numbers(members, parent) {
            return;
        }
        let mut rows = Vec::new();
        for (key, value) in members {
            if value.members().is_some() {
                rows.push(self.rows.len());
            }
            self.visit(*value, key, Some(parent), texts);
        }
        rows.retain(|row| *row < self.rows.len());
        let are_records = rows.len() > 1 && rows.len() == members.len();
        if are_records && first < self.rows.len() {
            self.keyed_counts.push(rows.len());
            self.add_list(rows, None);
        }
    }

    /// If all members of an object are numbers, adds each as a row and returns `true`.
    fn visit_numbers(&mut self, members: &'a [Member<'a>], parent: usize) -> bool {
        let are_numbers = members
            .iter()
            .all(|(_, value)| matches!(value, Json::Number(_)));
        if members.len() < LEAST_MEMBERS || !are_numbers {
            return false;
        }
        let column = self.below(Self::ROOT, "");
        let mut rows = Vec::new();
        for (_, value) in members {
            if let Json::Number(number) = value
                && self.left > 0
            {
                self.left -= 1;
                let row = self.rows.len();
                self.rows.push(Row {
                    source: Source::Number,
                    cells: vec![Cell {
                        column,
                        value: number.as_f64(),
                    }],
                });
                rows.push(row);
            }
        }
        if rows.len() > 1 {
            self.add_list(rows, Some(parent));
        }
        true
    }

    fn visit_list(
        &mut self,
        items: &'a [Json<'a>],
        key: &'a str,
        parent: Option<usize>,
        texts: &Texts<'a>,
    ) {
        let mut rows = Vec::new();
        for item in items {
            if self.left == 0 {
                break;
            }
            let row = self.rows.len();
            match item {
                Json::Object(_) => self.visit(*item, "", None, texts),
                // A list of routes, each of several steps: adding up each route would hit too much by chance.
                Json::Array(records) if are_records(records) => {
                    for record in *records {
                        self.visit(*record, "", None, texts);
                    }
                    continue;
                }
                Json::Array(cells) => {
                    self.left -= 1;
                    self.add_row(Source::Items(cells), "", texts);
                }
                Json::Number(number) => {
                    self.left -= 1;
                    let column = self.below(Self::ROOT, key);
                    let value = number.as_f64();
                    self.rows.push(Row {
                        source: Source::Number,
                        cells: vec![Cell { column, value }],
                    });
                }
                Json::String(_) | Json::Null | Json::Bool(_) => {
                    self.visit(*item, "", None, texts);
                    continue;
                }
            }
            rows.push(row);
        }
        if rows.len() > 1 {
            self.add_list(rows, parent);
        }
    }

    /// Counts the lines of a result that is a listing. A text with paragraphs or sentences is not.
    fn count_lines(&mut self, text: &str) {
        let lines = text.trim().lines().map(str::trim);
        let (mut count, mut sentences) = (0, 0);
        for line in lines.clone() {
            if line.is_empty() {
                return;
            }
            count += 1;
            sentences += usize::from(line.ends_with(['.', '!', '?', '。']));
        }
        if count < 2 || text.len() / count > LONGEST_LINE || sentences > count / 2 {
            return;
        }
        let counts = [Some(count), has_heading(lines).then(|| count - 1)];
        for count in counts.into_iter().flatten() {
            if !self.line_counts.contains(&count) && self.line_counts.len() < MOST_COUNTS {
                self.line_counts.push(count);
            }
        }
    }

    /// Adds the lines of a text as rows.
    fn visit_text(&mut self, text: &'a str, texts: &Texts<'a>) {
        let lines: Vec<_> = text
            .lines()
            .filter(|line| line.contains(char::is_alphanumeric))
            .take(MOST_LINES)
            .collect();
        if lines.len() < 2 {
            return;
        }
        // The words of paragraphs name no rows.
        let most_of_line = match text.len() / lines.len() > LONGEST_LINE {
            true => 0,
            false => MOST_OF_LINE,
        };
        if let Some(lines) = fields(text, &lines) {
            self.visit_fields(text, &lines, texts);
            return;
        }
        let facts = texts.facts_of(text);
        let tokens = texts.tokens_of(text);
        let (mut fact, mut token) = (0, 0);
        let mut rows = Vec::new();
        for line in lines {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            let end = start + line.len();
            fact += facts[fact..].partition_point(|fact| fact.start < start);
            token += tokens[token..].partition_point(|token| token.start < start);
            let of_line = facts[fact..].iter().take_while(|fact| fact.start < end);
            let count = of_line.clone().count();
            let numbers: Vec<_> = of_line.filter_map(number).take(MOST_CELLS).collect();
            let cells = numbers.iter().zip(ORDINALS).map(|(value, key)| Cell {
                column: self.below(Self::ROOT, key),
                value: *value,
            });
            let row = Row {
                source: Source::Line,
                cells: cells.collect(),
            };
            let words = tokens[token..].iter().take_while(|token| token.start < end);
            let long: Vec<_> = words
                .clone()
                .filter(|token| token.text.len() > 3 && !has_digit(token.text))
                .filter_map(|token| token.word)
                .take(most_of_line)
                .collect();
            let words: Vec<_> = words.filter_map(|token| token.word).collect();
            let place = self.rows.len();
            self.rows.push(row);
            for count in 1..=words.len().min(FIRST_WORDS) {
                self.add_label(&words[..count], place);
            }
            for word in long {
                self.add_label(&[word], place);
            }
            rows.push((place, count, line.split([':', ' ', '\t', ',']).next()));
        }
        let mut counts = [0; MOST_CELLS];
        for (_, count, _) in &rows {
            counts[(*count).min(MOST_CELLS - 1)] += 1;
        }
        let most = (0..MOST_CELLS).max_by_key(|count| counts[*count]);
        rows.retain(|(_, count, _)| Some(*count) == most);
        let kinds: HashSet<_> = rows.iter().map(|(_, _, first)| first).collect();
        if kinds.len() > 1 {
            self.kind_counts.push(kinds.len());
        }
        self.add_list(rows.into_iter().map(|(row, ..)| row).collect(), None);
    }

    /// Adds the lines of a text with fields as rows. If the first line has no numbers, it names the columns.
    fn visit_fields(&mut self, text: &'a str, lines: &[Line], texts: &Texts<'a>) {
        let is_number = |field: &Range<usize>| value(&text[field.clone()]).is_some();
        let heads = lines.first().map_or(&[][..], |line| &line.fields);
        let heads = if heads.iter().any(is_number) {
            &[]
        } else {
            heads
        };
        let mut rows = Vec::new();
        for line in lines.iter().skip(usize::from(!heads.is_empty())) {
            if self.left == 0 {
                break;
            }
            self.left = self.left.saturating_sub(line.fields.len());
            let fields = line.fields.iter().zip(ORDINALS).enumerate();
            let numbers = fields.filter_map(|(at, (field, ordinal))| {
                let key = heads.get(at).map_or(ordinal, |head| &text[head.clone()]);
                Some((key, value(&text[field.clone()])?))
            });
            let numbers: Vec<_> = numbers.collect();
            let cells = numbers.iter().map(|(key, value)| Cell {
                column: self.below(Self::ROOT, key),
                value: *value,
            });
            let cells: Vec<_> = cells.collect();
            self.fields
                .extend(cells.iter().map(|cell| cell.value.to_bits()));
            let row = self.rows.len();
            self.rows.push(Row {
                source: Source::Line,
                cells,
            });
            for field in line.fields.iter().filter(|field| !is_number(field)) {
                self.add_field_as_name(text, field, row, texts);
            }
            rows.push(row);
        }
        if rows.len() > 1 {
            self.add_list(rows, None);
        }
    }

    fn add_field_as_name(
        &mut self,
        text: &'a str,
        field: &Range<usize>,
        row: usize,
        texts: &Texts<'a>,
    ) {
        if field.len() > LONGEST_LABEL {
            return;
        }
        let facts = texts.facts_of(text);
        let first = facts.partition_point(|fact| fact.start < field.start);
        for fact in facts[first..]
            .iter()
            .take_while(|fact| fact.start < field.end)
        {
            if let FactValue::Date(date) = &fact.value
                && let Some(day) = date.day
            {
                self.add_key(digest((DATED, date.month, day)), row);
            }
        }
        let tokens = texts.tokens_of(text);
        let first = tokens.partition_point(|token| token.start < field.start);
        let tokens = tokens[first..]
            .iter()
            .take_while(|token| token.start < field.end);
        let words: Vec<_> = tokens.clone().filter_map(|token| token.word).collect();
        self.add_label(&words, row);
        if words.len() > 1 {
            let long = tokens.filter(|token| token.text.len() > 3 && !has_digit(token.text));
            for word in long.filter_map(|token| token.word) {
                self.add_label(&[word], row);
            }
        }
    }

    fn add_row(&mut self, source: Source<'a>, key: &'a str, texts: &Texts<'a>) {
        let mut cells = Vec::new();
        match source {
            Source::Members(members) => {
                self.collect(members, Self::ROOT, DEEPEST, &mut cells, texts);
            }
            Source::Items(items) => {
                for (item, key) in items.iter().zip(ORDINALS) {
                    self.add_cells(*item, Self::ROOT, key, &mut cells, texts);
                }
            }
            Source::Line | Source::Number => {}
        }
        let row = self.rows.len();
        self.rows.push(Row { source, cells });
        self.add_key_as_name(key, row, texts);
        match source {
            Source::Members(members) => {
                for (_, value) in members {
                    self.add_name(*value, row, texts);
                }
            }
            Source::Items(items) => {
                for item in items {
                    self.add_name(*item, row, texts);
                }
            }
            Source::Line | Source::Number => {}
        }
    }

    fn add_key_as_name(&mut self, key: &str, row: usize, texts: &Texts<'a>) {
        let words = key.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty());
        let words: Option<Vec<_>> = words.map(|word| texts.vocabulary().find(word)).collect();
        if let Some(words) = words {
            self.add_label(&words, row);
        }
    }

    fn add_name(&mut self, value: Json<'a>, row: usize, texts: &Texts<'a>) {
        let Json::String(text) = value else {
            return;
        };
        if text.len() > LONGEST_LABEL {
            return;
        }
        let dates = texts
            .facts_of(text)
            .iter()
            .filter_map(|fact| match fact.value {
                FactValue::Date(date) => Some(date),
                _ => None,
            });
        for date in dates {
            if let Some(day) = date.day {
                self.add_key(digest((DATED, date.month, day)), row);
            }
        }
        let words = texts.tokens_of(text).iter().filter_map(|token| token.word);
        let words: Vec<_> = words.collect();
        self.add_label(&words, row);
        if words.len() > 1 {
            // People are called by one of their names, goods by one of their words.
            let is_long = |token: &&Token<'_>| token.text.len() > 3 && !has_digit(token.text);
            let words = texts.tokens_of(text).iter().filter(is_long);
            for word in words.filter_map(|token| token.word) {
                self.add_label(&[word], row);
            }
        }
    }

    fn add_label(&mut self, words: &[WordId], row: usize) {
        if words.is_empty() || words.len() > MOST_WORDS {
            return;
        }
        self.starts.extend(words.first());
        self.add_key(digest(words), row);
    }

    /// Adds a row under a name. If one of the last rows with this name has the same numbers, the row is a repetition
    /// and is skipped.
    fn add_key(&mut self, key: u64, row: usize) {
        let rows = self.by_label.entry(key).or_default();
        let is_told = rows.iter().rev().take(MOST_TOLD).any(|other| {
            let (row, other) = (&self.rows[row].cells, &self.rows[*other].cells);
            !row.is_empty() && row == other
        });
        if !is_told && rows.last() != Some(&row) {
            rows.push(row);
        }
    }

    fn collect(
        &mut self,
        members: &'a [Member<'a>],
        path: usize,
        depth: usize,
        cells: &mut Vec<Cell>,
        texts: &Texts<'a>,
    ) {
        for (key, value) in members {
            match value {
                Json::Object(inner) if depth > 0 => {
                    let path = self.below(path, key);
                    self.collect(inner, path, depth - 1, cells, texts);
                }
                value => self.add_cells(*value, path, key, cells, texts),
            }
        }
    }

    fn add_cells(
        &mut self,
        json: Json<'a>,
        path: usize,
        key: &'a str,
        cells: &mut Vec<Cell>,
        texts: &Texts<'a>,
    ) {
        if cells.len() >= MOST_CELLS {
            return;
        }
        match json {
            Json::Number(number) => {
                let column = self.below(path, key);
                let value = number.as_f64();
                cells.push(Cell { column, value });
            }
            Json::String(text) if text.len() <= LONGEST_CELL && has_digit(text) => {
                let numbers: Vec<_> = texts.facts_of(text).iter().filter_map(number).collect();
                for value in numbers.into_iter().take(MOST_OF_CELL) {
                    let column = self.below(path, key);
                    cells.push(Cell { column, value });
                }
            }
            Json::String(_) | Json::Null | Json::Bool(_) | Json::Array(_) | Json::Object(_) => {}
        }
    }

    fn below(&mut self, path: usize, key: &'a str) -> usize {
        let next = self.columns.len();
        let number = *self.paths.entry((path, key)).or_insert(next);
        if number == next {
            self.columns.push(key);
        }
        number
    }
}

/// Returns the distinct columns of the rows of a list.
pub fn columns_of(rows: &Rows<'_>, list: &List) -> Vec<usize> {
    let mut seen = HashSet::default();
    let mut columns = Vec::new();
    for row in &list.rows {
        for cell in &rows.rows[*row].cells {
            if seen.insert(cell.column) {
                columns.push(cell.column);
            }
        }
    }
    columns
}

/// Returns the number of a fact, if it is an amount, a plain number or a percentage.
pub fn number(fact: &Fact<'_>) -> Option<f64> {
    match (&fact.value, fact.kind) {
        (FactValue::Number(readings), FactKind::Money | FactKind::Number | FactKind::Percent) => {
            readings.first().copied()
        }
        _ => None,
    }
}

fn are_records(items: &[Json<'_>]) -> bool {
    let first = items.first();
    first.is_some_and(|first| first.members().is_some())
}

/// Checks whether the first line introduces the others: it ends with a colon, starts with "total " or is the only one
/// without digits.
fn has_heading<'l>(mut lines: impl Iterator<Item = &'l str>) -> bool {
    let Some(first) = lines.next() else {
        return false;
    };
    first.ends_with(':')
        || first.starts_with("total ")
        || (!has_digit(first) && lines.all(has_digit))
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heads(lines: &[&str]) -> bool {
        has_heading(lines.iter().copied())
    }

    #[test]
    fn a_heading_is_unlike_the_lines_below_it() {
        assert!(heads(&["Stalls:", "Plums", "Figs"]));
        assert!(heads(&["stall,sold", "Plums,41", "Figs,87"]));
        assert!(!heads(&["Plums,41", "Figs,87"]));
        assert!(!heads(&["Plums", "Figs"]));
        assert!(!heads(&[]));
    }

    #[test]
    fn only_listings_have_their_lines_counted() {
        let counts = |text: &str| {
            let mut rows = Rows::default();
            rows.count_lines(text);
            rows.line_counts
        };
        assert_eq!(counts("a.csv\nb.csv\nc.csv\n"), [3]);
        assert_eq!(counts("total 12\na.csv\nb.csv\nc.csv\n"), [4, 3]);
        assert_eq!(counts("We met.\nWe spoke.\nWe left."), [0; 0]);
        assert_eq!(counts("One part\n\nAnother part"), [0; 0]);
        assert_eq!(counts("one line"), [0; 0]);
    }
}
