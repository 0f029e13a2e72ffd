//! Results in GitHub's Markdown.

use std::fmt::Write;

use super::super::digest::Digest;
use super::super::finding::location_of;
use super::super::frame::subject_of;
use super::super::paint::counted;
use super::super::syntax::markdown::{
    add_sections, counts_table, escape, table, trials_table, unread, verdict, warnings,
};
use super::{CallVerdict, Compared, ResultClosing, ResultOpening};

/// The most faults of one result.
const MOST_FAULTS: usize = 50;

/// Adds a result that is not perfect.
pub fn add(compared: &Compared<'_>, names_source: bool, digest: &mut Digest) {
    if compared.is_faulty() {
        digest.add_entry(0, compared.rank(), || section(compared, names_source));
    }
}

fn section(compared: &Compared<'_>, names_source: bool) -> String {
    let sign = if compared.passed { "▲" } else { "✖" };
    let place = match names_source {
        true => format!(" · {}", escape(&location_of(compared.place))),
        false => String::new(),
    };
    let mut text = format!(
        "<details>\n<summary>{sign} <b>{}</b>{place} · {}</summary>\n\n",
        escape(&compared.name()),
        compared.described()
    );
    for call in compared.faults().take(MOST_FAULTS) {
        let place = match call.place.as_str() {
            "" => String::new(),
            place => format!(" {place},"),
        };
        let _ = writeln!(
            text,
            "- **{}** `{}`{place} <code>{}</code>: {}",
            compared.severity(call).label(),
            call.verdict.label(),
            escape(&format!("{} {}", call.tool, call.arguments)),
            escape(&call.message())
        );
    }
    let rest = compared.faults().count().saturating_sub(MOST_FAULTS);
    if rest > 0 {
        let _ = writeln!(text, "- {}", counted(rest, "more call"));
    }
    text + "\n</details>\n\n"
}

/// Renders the verdict, the totals, and the results that are not perfect, the worst first.
pub fn render(opening: ResultOpening<'_>, closing: &ResultClosing<'_>, digest: &Digest) -> String {
    let mut text = verdict(closing.gate);
    let input = (!opening.sources.is_empty()).then(|| subject_of(opening.sources));
    text += &table(input.as_deref(), &closing.rows, closing.trials);
    let counts = CallVerdict::faults().filter_map(|verdict| {
        let count = digest.findings(verdict.index()?).iter().sum::<u64>();
        (count > 0).then(|| (verdict.label(), count))
    });
    text += &counts_table("Call", counts);
    text += &trials_table(closing.trials);
    let (documents, unread_count, warning_count) = closing.documents;
    text += &warnings(warning_count);
    text += &unread(unread_count, documents, digest);
    let (all, _, perfect) = closing.counts;
    let (title, noun) = closing.words;
    let faulty = all.saturating_sub(perfect);
    add_sections(&mut text, digest, faulty, (title, noun, "differences"));
    text
}
