//! Results as annotations of GitHub Actions: one for each call that is not as expected.

use super::super::digest::Digest;
use super::super::paint::visible;
use super::super::syntax::github::{Kind, annotations};
use super::{CallVerdict, Compared, ResultClosing, ResultOpening};
use crate::batch::Place;
use toolgauge_base::issue::Severity;
use toolgauge_model::error::ErrorReport;

/// Adds an annotation for each fault of a result.
pub fn add(compared: &Compared<'_>, digest: &mut Digest) {
    let rank = compared.rank();
    for call in compared.faults() {
        let kind = Kind::of(compared.severity(call));
        let text = || {
            let title = format!("{}: {}", call.verdict.label(), visible(&call.tool));
            let place = match call.place.as_str() {
                "" => compared.name(),
                place => format!("{}, {place}", compared.name()),
            };
            kind.annotation(
                compared.place,
                &title,
                &format!("{place}: {}", call.message()),
            )
        };
        digest.add_entry(kind as usize, rank, text);
    }
}

/// Adds an annotation for a document that could not be read.
pub fn add_unread(place: Place<'_>, error: &ErrorReport, digest: &mut Digest) {
    let text = || Kind::Error.annotation(place, "not read", &error.message);
    digest.add_entry(Kind::Error as usize, u32::MAX, text);
}

/// Renders the annotations.
pub fn render(opening: ResultOpening<'_>, closing: &ResultClosing<'_>, digest: &Digest) -> String {
    let (_, unread, _) = closing.documents;
    let count = |kind: Kind| {
        let faults = CallVerdict::faults().filter_map(CallVerdict::index);
        let counts = faults.flat_map(|index| Severity::ALL.into_iter().zip(digest.findings(index)));
        let counts = counts.filter(|(severity, _)| Kind::of(*severity) == kind);
        let found: u64 = counts.map(|(_, count)| count).sum();
        match kind {
            Kind::Error => found + unread,
            Kind::Warning | Kind::Notice => found,
        }
    };
    annotations(opening.sources, closing.gate, count, digest)
}
