//! The report of a check as JSON: `{results, summary, gate}`.

use super::super::Layout;
use super::super::digest::Digest;
use super::super::frame::{Closing, Opening};
use super::super::json;
use super::{Part, PartSetting, Parts, Syntax, WrittenPart};

const SEPARATOR: &str = ",\n";

pub struct Json;

impl Syntax for Json {
    fn parts(&self) -> Parts {
        Parts::Written {
            separator: SEPARATOR,
            collapses: false,
        }
    }

    fn head(&self, _: &Opening, _: Layout) -> String {
        json::HEAD.to_owned()
    }

    fn open(&self, setting: PartSetting) -> Box<dyn Part> {
        WrittenPart::open(setting, |document, _, text| {
            json::add_part(document, SEPARATOR, text);
        })
    }

    fn tail(&self, _: &Opening, closing: &Closing<'_>, _: &Digest, _: Layout) -> String {
        json::tail(closing.summary, closing.gate, closing.trials)
    }
}
