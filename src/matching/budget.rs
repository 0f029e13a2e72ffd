//! Bounds the work of comparing calls.

use std::cell::Cell;

use toolgauge_model::error::{Error, Result};
use toolgauge_model::{Limits, Path};

/// Counts the steps of one comparison and ends it beyond [`Limits::max_comparison_steps`].
///
/// A step is about as much work as comparing two small values. Larger operations take several steps.
#[derive(Debug)]
pub struct Budget {
    /// The remaining steps. `None` after more were needed.
    left: Cell<Option<usize>>,
    limits: Limits,
}

impl Budget {
    /// Creates a budget of all steps that `limits` allows.
    pub fn new(limits: Limits) -> Self {
        Self {
            left: Cell::new(Some(limits.max_comparison_steps)),
            limits,
        }
    }

    /// Returns the limits of the budget.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Restores all steps for the next comparison.
    pub fn renew(&self) {
        self.left.set(Some(self.limits.max_comparison_steps));
    }

    /// Takes `steps` from the budget. Returns `false` if fewer remain: the budget is then spent.
    pub fn spend(&self, steps: usize) -> bool {
        let left = self.left.get().and_then(|left| left.checked_sub(steps));
        self.left.set(left);
        left.is_some()
    }

    /// Returns whether more steps were needed than allowed. Results are then meaningless.
    pub fn is_spent(&self) -> bool {
        self.left.get().is_none()
    }

    /// Returns how many steps were taken; all of them if the budget is spent.
    #[cfg(test)]
    pub fn taken(&self) -> usize {
        self.limits.max_comparison_steps - self.left.get().unwrap_or(0)
    }

    /// Returns `value`, unless the budget is spent.
    ///
    /// # Errors
    /// [`Error::LimitExceeded`] names `limits.maxComparisonSteps`.
    pub fn checked<T>(&self, value: T) -> Result<T> {
        match self.is_spent() {
            false => Ok(value),
            true => Err(Error::LimitExceeded {
                limit: "limits.maxComparisonSteps",
                allowed: self.limits.max_comparison_steps,
                actual: None,
                path: Path::root(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(most: usize) -> Budget {
        Budget::new(Limits {
            max_comparison_steps: most,
            ..Limits::default()
        })
    }

    #[test]
    fn a_budget_is_spent_by_asking_for_too_much() {
        let budget = of(5);
        assert!(budget.spend(3) && budget.spend(2) && budget.spend(0));
        assert_eq!(budget.taken(), 5);
        assert!(budget.checked(()).is_ok());
        assert!(!budget.spend(1));
        assert!(!budget.spend(0));
        let error = budget.checked(()).expect_err("a spent budget");
        assert_eq!(
            error.to_string(),
            "limits.maxComparisonSteps is 5, the input needs more"
        );
    }

    #[test]
    fn a_budget_can_be_renewed() {
        let budget = of(1);
        assert!(!budget.spend(2) && budget.is_spent());
        budget.renew();
        assert!(budget.spend(1) && !budget.is_spent());
    }
}
