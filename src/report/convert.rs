//! The report of a conversion: what was left out.

use super::paint::{counted, visible};
use toolgauge_formats::{ExportFormat, ExportLosses, Lost};

/// Lists what was left out because `format` has no place for it, one line for each kind. Empty if nothing
/// was.
pub fn render_losses(losses: &ExportLosses, format: ExportFormat) -> String {
    if losses.is_empty() {
        return String::new();
    }
    let mut lines = vec![format!(
        "{} has no place for the following, so it is left out:",
        format.label()
    )];
    let things = losses.things.iter();
    lines.extend(things.map(|(thing, count)| format!("  {}", described(*thing, *count))));
    let fields = losses.fields.iter();
    let fields: Vec<_> = fields
        .map(|(name, count)| format!("{} ({count})", visible(name)))
        .collect();
    if !fields.is_empty() {
        lines.push(format!("  fields: {}", fields.join(", ")));
    }
    lines.push(String::new());
    lines.join("\n")
}

fn described(thing: Lost, count: u64) -> String {
    let (noun, more) = match thing {
        Lost::Id => ("trajectory id", ""),
        Lost::Tools => ("set", " of tool definitions"),
        Lost::ExpectedCalls => ("list", " of expected calls"),
        Lost::TurnNumber => ("turn number", ""),
        Lost::Timestamp => ("timestamp", ""),
        Lost::CallOfOther => ("call", " in turns that are not the agent's"),
        Lost::Failure => ("mark", " of failed calls: errors are written as results"),
        Lost::ResultBesideError => ("result", " beside errors"),
        Lost::Incomplete => ("mark", " of incomplete calls"),
    };
    format!("{}{more}", counted(count, noun))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_listed_line_by_line_in_visible_text() {
        let mut losses = ExportLosses::default();
        assert_eq!(render_losses(&losses, ExportFormat::Atif), "");
        losses.things.insert(Lost::Id, 1);
        losses.things.insert(Lost::Failure, 2);
        losses.fields.insert("turn.\u{1b}[2J".to_owned(), 3);
        assert_eq!(
            render_losses(&losses, ExportFormat::OpenaiChat),
            "openai-chat has no place for the following, so it is left out:\n  1 trajectory id\n  \
             2 marks of failed calls: errors are written as results\n  fields: turn.\\u{1b}[2J (3)\n"
        );
    }
}
