//! The order among expected calls: sequences, calls in any order, and alternative groups of them.

/// The most combinations of alternative groups that expectations may have.
pub const MOST_COMBINATIONS: usize = 64;

/// Expected calls, by their positions in the list of all of them, and the order among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallGroup {
    /// One expected call.
    Call(usize),
    /// All calls of a part come before those of the next part.
    Sequence(Vec<CallGroup>),
    /// The parts have no order among themselves.
    Unordered(Vec<CallGroup>),
    /// One of the parts is expected.
    AnyOf(Vec<CallGroup>),
}

impl CallGroup {
    /// Returns whether this is one expected call, which may have alternatives.
    pub fn is_call(&self) -> bool {
        match self {
            Self::Call(_) => true,
            Self::Sequence(_) | Self::Unordered(_) | Self::AnyOf(_) => false,
        }
    }

    /// Returns in how many ways the alternative groups can be combined.
    pub fn combinations(&self) -> usize {
        match self {
            Self::Call(_) => 1,
            Self::Sequence(parts) | Self::Unordered(parts) => {
                let counts = parts.iter().map(Self::combinations);
                counts.fold(1, usize::saturating_mul)
            }
            Self::AnyOf(parts) => {
                let counts = parts.iter().map(Self::combinations);
                counts.fold(0, usize::saturating_add)
            }
        }
    }

    /// Returns the group with the alternatives of one combination, which is numbered from 0 to before
    /// [`CallGroup::combinations`].
    pub fn combination(&self, mut number: usize) -> Self {
        let mut each = |parts: &[Self]| {
            let chosen = parts.iter().map(|part| {
                let count = part.combinations().max(1);
                let chosen = part.combination(number % count);
                number /= count;
                chosen
            });
            chosen.collect()
        };
        match self {
            Self::Call(call) => Self::Call(*call),
            Self::Sequence(parts) => Self::Sequence(each(parts)),
            Self::Unordered(parts) => Self::Unordered(each(parts)),
            Self::AnyOf(parts) => {
                for part in parts {
                    let count = part.combinations();
                    if number < count {
                        return part.combination(number);
                    }
                    number -= count;
                }
                Self::Unordered(Vec::new())
            }
        }
    }

    /// Returns the positions of its calls, in the order in which they are written.
    pub fn calls(&self) -> Vec<usize> {
        let mut found = Vec::new();
        self.add_calls(&mut found);
        found
    }

    fn add_calls(&self, found: &mut Vec<usize>) {
        match self {
            Self::Call(call) => found.push(*call),
            Self::Sequence(parts) | Self::Unordered(parts) | Self::AnyOf(parts) => {
                for part in parts {
                    part.add_calls(found);
                }
            }
        }
    }

    /// Returns the group with the parts of a list in a sequence.
    pub fn in_sequence(&self) -> Self {
        match self {
            Self::Unordered(parts) => Self::Sequence(parts.clone()),
            Self::Call(_) | Self::Sequence(_) | Self::AnyOf(_) => self.clone(),
        }
    }

    /// Returns the same group with other positions for its calls.
    pub fn map(&self, position: &impl Fn(usize) -> usize) -> Self {
        let each = |parts: &[Self]| parts.iter().map(|part| part.map(position)).collect();
        match self {
            Self::Call(call) => Self::Call(position(*call)),
            Self::Sequence(parts) => Self::Sequence(each(parts)),
            Self::Unordered(parts) => Self::Unordered(each(parts)),
            Self::AnyOf(parts) => Self::AnyOf(each(parts)),
        }
    }

    /// Calls `add` with each two lists of calls of which the first must come before the second.
    pub fn each_order(&self, add: &mut impl FnMut(&[usize], &[usize])) {
        match self {
            Self::Call(_) => {}
            Self::Unordered(parts) | Self::AnyOf(parts) => {
                for part in parts {
                    part.each_order(add);
                }
            }
            Self::Sequence(parts) => {
                let mut before = Vec::new();
                for part in parts {
                    part.each_order(add);
                    let calls = part.calls();
                    add(&before, &calls);
                    before.extend(calls);
                }
            }
        }
    }

    /// Returns whether the call `first` must come before the call `second`.
    pub fn orders(&self, first: usize, second: usize) -> bool {
        let mut found = false;
        self.each_order(&mut |before, after| {
            found |= before.contains(&first) && after.contains(&second);
        });
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> CallGroup {
        // a, then (b and c in any order, or d before e), then f or g
        CallGroup::Sequence(vec![
            CallGroup::Call(0),
            CallGroup::AnyOf(vec![
                CallGroup::Unordered(vec![CallGroup::Call(1), CallGroup::Call(2)]),
                CallGroup::Sequence(vec![CallGroup::Call(3), CallGroup::Call(4)]),
            ]),
            CallGroup::AnyOf(vec![CallGroup::Call(5), CallGroup::Call(6)]),
        ])
    }

    #[test]
    fn each_combination_has_the_calls_of_one_alternative() {
        let group = example();
        assert_eq!(group.combinations(), 4);
        let calls: Vec<_> = (0..4).map(|at| group.combination(at).calls()).collect();
        assert_eq!(
            calls,
            [[0, 1, 2, 5], [0, 3, 4, 5], [0, 1, 2, 6], [0, 3, 4, 6]]
        );
    }

    #[test]
    fn the_order_holds_between_the_parts_of_a_sequence() {
        let group = example().combination(0);
        assert!(group.orders(0, 1) && group.orders(2, 5) && group.orders(0, 5));
        assert!(!group.orders(1, 2) && !group.orders(2, 1) && !group.orders(5, 0));
    }
}
