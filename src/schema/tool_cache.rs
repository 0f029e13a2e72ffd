//! Caches compiled tools by the text of their definitions.

use std::collections::VecDeque;
use std::rc::Rc;

use super::tool_set::ToolSet;
use toolgauge_model::error::Result;

/// How many sets of tools are kept.
const KEPT: usize = 8;

/// Sets whose definitions take more bytes than this are not kept.
const LARGEST_KEPT: usize = 4 << 20;

/// The most recently compiled sets of tools.
#[derive(Default)]
pub struct ToolCache(VecDeque<Kept>);

struct Kept {
    definitions: Vec<u8>,
    options: Vec<u8>,
    set: Rc<ToolSet>,
}

impl ToolCache {
    /// Creates an empty cache.
    pub const fn new() -> Self {
        Self(VecDeque::new())
    }

    /// Returns the tools that `definitions` with `options` define, from the cache or else from `compile`.
    ///
    /// # Errors
    /// As `compile`.
    pub fn get(
        &mut self,
        definitions: &[u8],
        options: &[u8],
        compile: impl FnOnce() -> Result<ToolSet>,
    ) -> Result<Rc<ToolSet>> {
        if definitions.len() > LARGEST_KEPT {
            return compile().map(Rc::new);
        }
        let is_it = |kept: &Kept| kept.definitions == definitions && kept.options == options;
        let kept = match self
            .0
            .iter()
            .position(is_it)
            .and_then(|at| self.0.remove(at))
        {
            Some(kept) => kept,
            None => Kept {
                definitions: definitions.to_vec(),
                options: options.to_vec(),
                set: Rc::new(compile()?),
            },
        };
        let set = Rc::clone(&kept.set);
        self.0.push_front(kept);
        self.0.truncate(KEPT);
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the tools had to be compiled.
    fn compiles(cache: &mut ToolCache, definitions: &[u8], options: &[u8]) -> bool {
        let mut compiled = false;
        let compile = || {
            compiled = true;
            Ok(ToolSet::not_given())
        };
        cache.get(definitions, options, compile).expect("tools");
        compiled
    }

    #[test]
    fn the_same_definitions_are_compiled_once_and_the_oldest_are_dropped() {
        let mut cache = ToolCache::new();
        assert!(compiles(&mut cache, b"a", b""));
        assert!(compiles(&mut cache, b"a", b"options"));
        for other in 0..KEPT - 2 {
            assert!(compiles(&mut cache, &[other as u8], b""));
        }
        assert!(!compiles(&mut cache, b"a", b""));
        assert!(compiles(&mut cache, b"one more", b""));
        assert!(!compiles(&mut cache, b"a", b""));
        assert!(compiles(&mut cache, b"a", b"options"));
    }

    #[test]
    fn large_definitions_and_failures_are_not_kept() {
        let mut cache = ToolCache::new();
        let large = vec![b' '; LARGEST_KEPT + 1];
        assert!(compiles(&mut cache, &large, b"") && compiles(&mut cache, &large, b""));
        let error = toolgauge_model::error::Error::InvalidOption {
            path: toolgauge_model::Path::root(),
            reason: String::new(),
        };
        assert!(cache.get(b"a", b"", || Err(error)).is_err());
        assert!(compiles(&mut cache, b"a", b""));
    }
}
