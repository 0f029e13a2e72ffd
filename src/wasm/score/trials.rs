//! The export that measures trials whose outcomes the caller decides.

use wasm_bindgen::prelude::*;

use super::super::document::{Document, read_options};
use super::super::{Encoded, encode, to_json};
use toolgauge_base::gate::PassGate;
use toolgauge_base::outcomes;
use toolgauge_model::Reader;

/// See [`outcomes::measure_trials`].
#[wasm_bindgen(js_name = measureTrials)]
pub fn measure_trials(list: Document, options: Option<Document>) -> Encoded {
    encode(|| {
        let mut options = read_options(options)?;
        let limits = options.take_limits()?;
        let gate = PassGate::take(&mut options)?;
        options.finish(&["limits", "minPassRate", "minPassHat"])?;
        let arena = list.arena();
        let json = list.read(Reader::new(&arena, limits))?;
        let outcomes = outcomes::read_outcomes(json)?;
        Ok(to_json(&outcomes::measure_trials(&outcomes, gate)))
    })
}
