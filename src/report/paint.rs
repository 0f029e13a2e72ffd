//! Colours, marks and line breaks of reports.

use std::collections::BTreeMap;
use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use unicode_general_category::{GeneralCategory, get_general_category};

use super::Layout;
use toolgauge_base::gate::Gate;
use toolgauge_base::issue::Severity;
use toolgauge_formats::ImportWarning;
use toolgauge_model::{Json, Preview};

/// The smallest width of a report.
const NARROWEST: usize = 40;

/// The most warnings that are listed.
const MOST_WARNINGS: usize = 10;

/// The meaning of a piece of text, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// As it should be.
    Good,
    /// A problem.
    Bad,
    /// To be looked at.
    Doubtful,
    /// Of less interest.
    Quiet,
    /// What leads the eye.
    Strong,
}

/// Writes the lines of a report.
pub struct Page {
    text: String,
    layout: Layout,
    /// Whether the next item follows without an empty line.
    is_tight: bool,
}

impl Page {
    /// Creates an empty report.
    pub fn new(layout: Layout) -> Self {
        Self {
            text: String::new(),
            layout,
            is_tight: false,
        }
    }

    /// Returns `text` in the colour of its tone.
    pub fn paint(&self, tone: Tone, text: &str) -> String {
        if !self.layout.color {
            return text.to_owned();
        }
        let color = |color: AnsiColor| Style::new().fg_color(Some(color.into()));
        let style = match tone {
            Tone::Good => color(AnsiColor::Green),
            Tone::Bad => color(AnsiColor::Red),
            Tone::Doubtful => color(AnsiColor::Yellow),
            Tone::Quiet => Style::new().dimmed(),
            Tone::Strong => Style::new().bold(),
        };
        format!("{}{text}{}", style.render(), style.render_reset())
    }

    /// Adds a line as it is.
    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{}", line.trim_end());
        self.is_tight = false;
    }

    /// Adds an empty line, unless the last line is empty or a title.
    pub fn gap(&mut self) {
        if !self.is_tight && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Adds a line directly above what follows.
    pub fn title(&mut self, title: &str) {
        self.gap();
        let line = self.paint(Tone::Strong, &visible(title));
        self.line(&line);
        self.is_tight = true;
    }

    /// Adds the first line: the command and its input.
    pub fn heading(&mut self, command: &str, facts: &str) {
        let line = format!(
            "{}  {}",
            self.paint(Tone::Strong, command),
            self.paint(Tone::Quiet, facts)
        );
        self.line(&line);
        self.gap();
    }

    /// Adds the line of one trajectory: its mark, its id or place, and facts about it.
    pub fn trajectory(
        &mut self,
        mark: &str,
        tone: Tone,
        id: Option<&str>,
        index: usize,
        facts: &str,
    ) {
        let name = id.map_or_else(|| format!("#{index}"), visible);
        let line = format!(
            "{} {}  {}",
            self.paint(tone, mark),
            self.paint(Tone::Strong, &name),
            self.paint(Tone::Quiet, facts)
        );
        self.line(&line);
    }

    /// Adds what could not be read, followed by an empty line.
    pub fn warnings(&mut self, warnings: &[ImportWarning]) {
        for warning in warnings.iter().take(MOST_WARNINGS) {
            let place = match warning.path.as_str() {
                "" => String::new(),
                path => format!("{path}: "),
            };
            let text = visible(&format!("{place}{}", warning.message));
            self.item(0, "warning", Tone::Doubtful, 9, &text);
        }
        if warnings.len() > MOST_WARNINGS {
            let more = counted(warnings.len() - MOST_WARNINGS, "more warning");
            self.item(0, "warning", Tone::Doubtful, 9, &more);
        }
        if !warnings.is_empty() {
            self.gap();
        }
    }

    /// Adds the line that says whether the input passes.
    pub fn gate(&mut self, gate: &Gate) {
        match (gate.passed, gate.absent) {
            (true, Some(why)) => self.item(0, "gate", Tone::Doubtful, 9, why),
            (true, None) => self.item(0, "gate", Tone::Good, 9, "passed"),
            (false, _) => {
                let text = format!("failed: {}", visible(&gate.failures.join("; ")));
                self.item(0, "gate", Tone::Bad, 9, &text);
            }
        }
    }

    /// Adds `text` after `label`, which is `label_width` columns wide. Lines break at the width of the report
    /// and continue below the text. Both must be visible text; `tone` colours the label.
    pub fn item(&mut self, indent: usize, label: &str, tone: Tone, label_width: usize, text: &str) {
        self.item_after(
            &" ".repeat(indent),
            indent,
            (label, tone),
            label_width,
            text,
        );
    }

    /// Adds an item on a line that begins with `before`, which takes `indent` columns.
    pub fn item_after(
        &mut self,
        before: &str,
        indent: usize,
        (label, tone): (&str, Tone),
        label_width: usize,
        text: &str,
    ) {
        let start = indent + label_width;
        let room = self.columns().saturating_sub(start).max(NARROWEST / 2);
        let lines = textwrap::wrap(text, room);
        let padding = " ".repeat(label_width.saturating_sub(columns_of(label)));
        let label = self.paint(tone, label);
        let first = lines.first().map_or("", AsRef::as_ref);
        self.line(&format!("{before}{label}{padding}{first}"));
        for line in lines.iter().skip(1) {
            self.line(&format!("{}{line}", " ".repeat(start)));
        }
    }

    /// Returns a tool call as one line of at most `columns`: its name, then its arguments.
    pub fn call(&self, name: &str, arguments: Option<Json<'_>>, columns: usize) -> String {
        let name = visible(name);
        let room = columns.saturating_sub(columns_of(&name) + 1).max(8);
        let arguments = arguments.map_or(String::new(), |value| {
            visible(&Preview::of(value, room - 1).to_string())
        });
        format!(
            "{} {}",
            self.paint(Tone::Strong, &name),
            self.paint(Tone::Quiet, &arguments)
        )
    }

    /// Returns how many columns a line may have.
    pub fn columns(&self) -> usize {
        self.layout.width.max(NARROWEST)
    }

    /// Adds the report to another one. Where that ends with an empty line, this one does not begin with another.
    pub fn add_to(self, report: &mut String) {
        report.push_str(match report.ends_with("\n\n") {
            true => self.text.trim_start_matches('\n'),
            false => &self.text,
        });
    }

    /// Returns the report.
    pub fn into_text(self) -> String {
        self.text
    }
}

/// Returns the mark of a call whose worst issue has this severity.
pub fn mark(worst: Option<Severity>) -> (&'static str, Tone) {
    match worst {
        None => ("✔", Tone::Good),
        Some(Severity::Low | Severity::Medium) => ("▲", Tone::Doubtful),
        Some(Severity::High | Severity::Critical) => ("✖", Tone::Bad),
    }
}

/// Returns the tone of a severity.
pub fn tone_of(severity: Severity) -> Tone {
    match severity {
        Severity::Low => Tone::Quiet,
        Severity::Medium => Tone::Doubtful,
        Severity::High | Severity::Critical => Tone::Bad,
    }
}

/// Escapes everything in `text` that would move the cursor, or hide or reorder text. Printed texts come from
/// untrusted trajectories.
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            ' '..='~' => shown.push(c),
            c if c.is_control() => shown.extend(c.escape_default()),
            c if is_hidden(c) => shown.extend(c.escape_unicode()),
            c => shown.push(c),
        }
    }
    shown
}

/// Whether `c` has no form of its own: it formats, breaks lines, or is reserved for that.
fn is_hidden(c: char) -> bool {
    use GeneralCategory::{Format, LineSeparator, ParagraphSeparator};
    let category = get_general_category(c);
    matches!(category, Format | LineSeparator | ParagraphSeparator)
        || matches!(c, '\u{2065}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns how many columns `text` takes on a terminal.
pub fn columns_of(text: &str) -> usize {
    textwrap::core::display_width(text)
}

/// Returns `count` with the right form of a noun: `1 call`, `2 calls`.
pub fn counted(count: impl TryInto<u64>, noun: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}ies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

/// Lists the number of issues by severity: `3 high, 1 low`.
pub fn severity_totals(by_severity: &BTreeMap<Severity, u64>) -> String {
    let counts = Severity::ALL.iter().filter_map(|severity| {
        let count = *by_severity.get(severity)?;
        (count > 0).then(|| format!("{count} {}", severity.label()))
    });
    let counts: Vec<_> = counts.collect();
    match counts.is_empty() {
        true => "none".to_owned(),
        false => counts.join(", "),
    }
}

/// Lists the number of issues by severity and type, the most frequent type first.
pub fn issue_totals<'k>(
    by_severity: &BTreeMap<Severity, u64>,
    by_type: impl Iterator<Item = (&'k str, u64)>,
) -> String {
    let total: u64 = by_severity.values().sum();
    let severities = severity_totals(by_severity);
    if total == 0 {
        return severities;
    }
    let mut by_type: Vec<_> = by_type.collect();
    by_type.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), *kind));
    let by_type: Vec<_> = by_type
        .iter()
        .map(|(kind, count)| format!("{kind} {count}"))
        .collect();
    format!("{total} ({severities}): {}", by_type.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_text_can_not_control_the_terminal() {
        let hostile = "a\u{1b}[31mb\r\n\u{7}\u{9b}2J\u{202e}c\u{200b}\u{2028}\u{ad}\u{e0041}";
        assert_eq!(
            visible(hostile),
            r"a\u{1b}[31mb\r\n\u{7}\u{9b}2J\u{202e}c\u{200b}\u{2028}\u{ad}\u{e0041}"
        );
        let hidden = "\u{fff9}a\u{180e}b\u{600}c\u{2065}d\u{e0000}";
        let escaped = r"\u{fff9}a\u{180e}b\u{600}c\u{2065}d\u{e0000}";
        assert_eq!(visible(hidden), escaped);
        assert_eq!(visible("é 日本 🙂 \u{301}"), "é 日本 🙂 \u{301}");
    }

    #[test]
    fn long_texts_continue_below_their_start() {
        let mut page = Page::new(Layout {
            color: false,
            width: 40,
        });
        page.item(
            2,
            "high",
            Tone::Bad,
            6,
            "one two three four five six seven eight nine",
        );
        assert_eq!(
            page.into_text(),
            "  high  one two three four five six\n        seven eight nine\n"
        );
    }
}
