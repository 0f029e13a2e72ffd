//! Results as one HTML page without scripts.

use std::cmp::Reverse;
use std::fmt::Write;

use super::super::digest::Digest;
use super::super::finding::location_of;
use super::super::frame::subject_of;
use super::super::paint::counted;
use super::super::syntax::html::{
    FindingCount, MOST_CALLS, add_figures, add_sections, add_trials, all_notes, end, escape,
    findings_chart, scores_chart, start,
};
use super::{CallVerdict, Compared, ComparedCall, ResultClosing, ResultOpening};
use toolgauge_base::issue::Severity;

/// Adds a result, with the name of its file if `names_source`.
pub fn add(compared: &Compared<'_>, names_source: bool, digest: &mut Digest) {
    digest.add_entry(0, compared.rank(), || section(compared, names_source));
}

fn section(compared: &Compared<'_>, names_source: bool) -> String {
    let (tone, sign) = match (compared.passed, compared.is_faulty()) {
        (true, false) => ("good", "✔"),
        (true, true) => ("medium", "▲"),
        (false, _) => ("high", "✖"),
    };
    let place = match names_source {
        true => format!("{} · ", escape(&location_of(compared.place))),
        false => String::new(),
    };
    let mut section = format!(
        "<summary><span class=\"mark {tone}\">{sign}</span><h3>{}</h3><span class=\"facts\">{place}{}</span></summary>\n<ol class=\"timeline\">\n",
        escape(&compared.name()),
        compared.described()
    );
    for call in compared.calls.iter().take(MOST_CALLS) {
        add_call(compared, call, &mut section);
    }
    section += "</ol>\n";
    if compared.calls.len() > MOST_CALLS {
        let rest = counted(compared.calls.len() - MOST_CALLS, "more call");
        let _ = writeln!(section, "<p class=\"rest\">{rest} left out.</p>");
    }
    section + "</details>\n"
}

fn add_call(compared: &Compared<'_>, call: &ComparedCall, page: &mut String) {
    let is_correct = call.verdict == CallVerdict::Correct;
    let severity = compared.severity(call).label();
    let tone = if is_correct { "good" } else { severity };
    let _ = writeln!(
        page,
        "<li><span class=\"mark {tone}\">{}</span><div><p><span class=\"turn\">{}</span> <b class=\"tool\">{}</b> <code>{}</code></p>",
        call.verdict.sign(),
        escape(&call.place),
        escape(&call.tool),
        escape(&call.arguments)
    );
    if !is_correct {
        *page += "<ul>\n";
        let message = call.message();
        let notes = match call.notes.as_slice() {
            [] => std::slice::from_ref(&message),
            notes => notes,
        };
        for note in notes {
            let _ = writeln!(
                page,
                "<li><span class=\"badge {severity}\">{severity}</span> <b title=\"{}\">{}</b> {}</li>",
                call.verdict.explanation(),
                call.verdict.label(),
                escape(note)
            );
        }
        *page += "</ul>\n";
    }
    *page += "</div></li>\n";
}

/// Renders the page.
pub fn render(opening: ResultOpening<'_>, closing: &ResultClosing<'_>, digest: &Digest) -> String {
    let mut page = start(opening.command, &subject_of(opening.sources), closing.gate);
    let (title, noun) = closing.words;
    let (all, passed, perfect) = closing.counts;
    let mean = closing.scores.mean();
    let mean = mean.map_or("none".to_owned(), |score| format!("{score:.3}"));
    let by_severity = by_severity(digest);
    let faults: u64 = by_severity.iter().map(|(_, count)| count).sum();
    let rows = [
        ("Score", mean, "mean"),
        ("Perfect", format!("{perfect} of {all}"), "score 1"),
        ("Passed", format!("{passed} of {all}"), "each by itself"),
        ("Calls", faults.to_string(), "not as expected"),
    ];
    add_figures(&rows, &mut page);
    page += "<div class=\"charts\">\n";
    scores_chart(title, closing.scores.histogram, &mut page);
    let counts = CallVerdict::faults().filter_map(|verdict| {
        let counts = digest.findings(verdict.index()?);
        (counts.iter().sum::<u64>() > 0).then(|| FindingCount {
            kind: verdict.label(),
            explanation: verdict.explanation(),
            counts,
        })
    });
    let mut counts: Vec<_> = counts.collect();
    counts.sort_by_key(|one| Reverse(one.counts.iter().sum::<u64>()));
    findings_chart("Differences", &counts, by_severity, &mut page);
    page += "</div>\n";
    add_trials(closing.trials, &mut page);
    let (_, unread, warnings) = closing.documents;
    all_notes((unread, warnings), digest, &mut page);
    let totals = (all.saturating_sub(perfect), all);
    add_sections((title, noun), totals, digest, &mut page);
    end("", &mut page);
    page
}

fn by_severity(digest: &Digest) -> [(Severity, u64); 4] {
    let mut sums = Severity::ALL.map(|severity| (severity, 0));
    for index in CallVerdict::faults().filter_map(CallVerdict::index) {
        for (sum, count) in sums.iter_mut().zip(digest.findings(index)) {
            sum.1 += count;
        }
    }
    sums
}
