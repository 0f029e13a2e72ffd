//! The results of a check as JSON Lines: one value a line, without the totals.

use super::super::Layout;
use super::super::digest::Digest;
use super::super::frame::{Closing, Opening};
use super::super::json;
use super::{Part, PartSetting, Parts, Syntax, WrittenPart};

const SEPARATOR: &str = "\n";

pub struct Jsonl;

impl Syntax for Jsonl {
    fn parts(&self) -> Parts {
        Parts::Written {
            separator: SEPARATOR,
            collapses: false,
        }
    }

    fn head(&self, _: &Opening, _: Layout) -> String {
        String::new()
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        WrittenPart::open(setting, |document, _, text| {
            json::add_part(document, SEPARATOR, text);
        })
    }

    /// The end of the last line, if there is one.
    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, _: Layout) -> String {
        let is_empty = closing.summary.trajectories == 0 && closing.summary.unread == 0;
        if is_empty { "" } else { "\n" }.to_owned()
    }
}
