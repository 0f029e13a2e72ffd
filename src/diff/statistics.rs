//! The difference of two runs over the same tasks, from the difference of each task.
//!
//! All tests and intervals are paired by task: a task with several trials is one difference, so that trials of one task
//! are never taken for independent.

use distrs::{Normal, StudentsT};

/// The confidence level of the intervals is 95%: 2.5% lie beyond each end.
const UPPER_TAIL: f64 = 0.975;

/// The most changed tasks for which all signs are enumerated: 2^20 sums.
const MOST_ENUMERATED: usize = 20;

/// The number of random signs that are drawn if there are more changed tasks.
const DRAWN: u32 = 9_999;

/// The random signs are the same in each run.
const SEED: u64 = 0x746f_6f6c_6761_7567;

/// Sums that differ by less than this share are equal.
const ARITHMETIC_ERROR: f64 = 1e-9;

/// Halvings of an interval of length 2 until doubles have no value in between.
const HALVINGS: u32 = 60;

/// What the differences of tasks say about the difference of the runs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The mean of the differences.
    pub difference: f64,
    /// The ends of the 95% confidence interval, from -1 to 1; `None` for a single task.
    pub interval: Option<(f64, f64)>,
    /// The two-sided p-value, above 0, at most 1.
    pub p_value: f64,
}

/// Estimates the mean difference from `differences`, one for each task, from -1 to 1. `None` if there are none.
pub fn estimate(differences: &[f64]) -> Option<Estimate> {
    if differences.is_empty() {
        return None;
    }
    Some(Estimate {
        difference: mean(differences),
        interval: interval(differences),
        p_value: sign_flip_p_value(differences),
    })
}

/// Returns the 95% confidence interval of the mean difference, or `None` for fewer than two tasks.
///
/// If at least half of the tasks did not change, or all changes are whole, as those of single trials are, it is Tango's
/// score interval; otherwise it is Student's. Student's would be too short where few tasks changed.
pub fn interval(differences: &[f64]) -> Option<(f64, f64)> {
    if differences.len() < 2 {
        return None;
    }
    let changed: Vec<f64> = changes(differences).collect();
    let are_whole = changed.iter().all(|change| change.abs() == 1.0);
    let are_equal = differences.iter().all(|one| *one == differences[0]);
    let (low, high) = if are_whole || changed.len() * 2 <= differences.len() {
        tango_interval_of(differences, size_of(&changed))
    } else if are_equal {
        // Student's interval would be empty.
        tango_interval_of(differences, 1.0)
    } else {
        student_interval(differences)
    };
    Some((low.max(-1.0), high.min(1.0)))
}

/// Returns the size of changes that all have one size, and the same mean and the same mean square as `changed`. If
/// nothing changed, the next change may be as large as possible.
fn size_of(changed: &[f64]) -> f64 {
    let squares: f64 = changed.iter().map(|change| change * change).sum();
    let sizes: f64 = changed.iter().map(|change| change.abs()).sum();
    match sizes > 0.0 {
        true => squares / sizes,
        false => 1.0,
    }
}

/// Returns Tango's interval for differences of any size, which it takes as changes of this size.
fn tango_interval_of(differences: &[f64], size: f64) -> (f64, f64) {
    let better: f64 = differences.iter().map(|change| change.max(0.0)).sum();
    let worse: f64 = differences.iter().map(|change| -change.min(0.0)).sum();
    let tasks = differences.len() as f64;
    let (low, high) = tango_interval(tasks, better / size, worse / size);
    (low * size, high * size)
}

/// Returns the score interval of T. Tango (1998) for the difference of two paired proportions: of `tasks`, `better`
/// changed from failed to passed and `worse` from passed to failed.
pub fn tango_interval(tasks: f64, better: f64, worse: f64) -> (f64, f64) {
    let low = tango_lower_end(tasks, better, worse);
    (low, -tango_lower_end(tasks, worse, better))
}

fn tango_lower_end(tasks: f64, better: f64, worse: f64) -> f64 {
    let limit = Normal::ppf(UPPER_TAIL, 0.0, 1.0);
    let (mut low, mut high) = (-1.0, (better - worse) / tasks);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        match tango_statistic(tasks, better, worse, middle) > limit {
            true => low = middle,
            false => high = middle,
        }
    }
    f64::midpoint(low, high)
}

/// Returns how many standard errors the observed difference lies above `difference`, with the standard error that is most
/// likely if `difference` is the true one.
fn tango_statistic(tasks: f64, better: f64, worse: f64, difference: f64) -> f64 {
    let linear = (2.0 * tasks - better + worse) * difference - better - worse;
    let constant = -worse * difference * (1.0 - difference);
    let root = (linear * linear - 8.0 * tasks * constant).max(0.0).sqrt();
    let got_worse = (root - linear) / (4.0 * tasks);
    let variance = tasks * (2.0 * got_worse + difference * (1.0 - difference));
    (better - worse - tasks * difference) / variance.max(f64::MIN_POSITIVE).sqrt()
}

/// Returns Student's interval for the mean.
pub fn student_interval(differences: &[f64]) -> (f64, f64) {
    let count = differences.len() as f64;
    let center = mean(differences);
    let squares: f64 = differences.iter().map(|one| (one - center).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    let half = StudentsT::ppf(UPPER_TAIL, count - 1.0) * error;
    (center - half, center + half)
}

/// Returns the two-sided p-value of the sign-flip permutation test: how often the differences, each with a random sign,
/// have a sum at least as far from 0. It is exact for at most 20 changed tasks; for more, 9,999 draws decide.
pub fn sign_flip_p_value(differences: &[f64]) -> f64 {
    let changed: Vec<f64> = changes(differences).collect();
    let sum: f64 = changed.iter().sum();
    let bound = sum.abs() * (1.0 - ARITHMETIC_ERROR);
    if changed.len() <= MOST_ENUMERATED {
        let all = 1_u64 << changed.len();
        return sums_beyond(&changed, 0.0, bound) as f64 / all as f64;
    }
    let mut random = SplitMix64(SEED);
    let beyond = (0..DRAWN).filter(|_| random_sum(&changed, &mut random).abs() >= bound);
    (beyond.count() as f64 + 1.0) / (f64::from(DRAWN) + 1.0)
}

/// Counts the choices of signs for which `sum` and `rest` together are at least `bound` away from 0.
fn sums_beyond(rest: &[f64], sum: f64, bound: f64) -> u64 {
    match rest.split_first() {
        None => u64::from(sum.abs() >= bound),
        Some((first, rest)) => {
            sums_beyond(rest, sum + first, bound) + sums_beyond(rest, sum - first, bound)
        }
    }
}

fn random_sum(changed: &[f64], random: &mut SplitMix64) -> f64 {
    let runs = changed.chunks(u64::BITS as usize);
    runs.map(|run| {
        let signs = random.bits();
        let signed = run
            .iter()
            .enumerate()
            .map(|(at, change)| match signs >> at & 1 {
                0 => *change,
                _ => -change,
            });
        signed.sum::<f64>()
    })
    .sum()
}

fn changes(differences: &[f64]) -> impl Iterator<Item = f64> {
    differences.iter().copied().filter(|one| *one != 0.0)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The generator SplitMix64 of Steele, Lea and Flood (2014). A library could change its numbers, and with them p-values.
pub struct SplitMix64(
    /// The state, any number.
    pub u64,
);

impl SplitMix64 {
    /// Returns 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is_near(got: (f64, f64), wanted: (f64, f64), error: f64) -> bool {
        (got.0 - wanted.0).abs() < error && (got.1 - wanted.1).abs() < error
    }

    #[test]
    fn tango_intervals_are_those_of_the_literature() {
        // The children of Bentur et al. (2009), as Fagerland et al. (2014) compare intervals: 1 and 7 of 21 changed.
        let got = tango_interval(21.0, 1.0, 7.0);
        assert!(is_near(got, (-0.517, -0.026), 0.0005), "{got:?}");
        // Without any change the ends solve n d² / (d (1 - d)) = z².
        let (z, n) = (1.959_964_f64, 20.0);
        let end = z * z / (n + z * z);
        let got = tango_interval(n, 0.0, 0.0);
        assert!(is_near(got, (-end, end), 1e-6), "{got:?}");
    }

    #[test]
    fn the_variance_is_that_of_the_most_likely_shares() {
        for (tasks, better, worse, difference) in [
            (30.0, 7.0, 2.0, -0.1),
            (10.0, 0.0, 4.0, 0.2),
            (50.0, 3.0, 3.0, 0.0),
        ] {
            let likelihood = |got_worse: f64| {
                let same = 1.0 - 2.0 * got_worse - difference;
                let term = |count: f64, share: f64| {
                    if count == 0.0 {
                        0.0
                    } else {
                        count * share.ln()
                    }
                };
                term(better, got_worse + difference)
                    + term(worse, got_worse)
                    + term(tasks - better - worse, same)
            };
            let shares = (1..100_000).map(|step| f64::from(step) / 200_000.0);
            let possible =
                shares.filter(|share| share + difference > 0.0 && 2.0 * share + difference < 1.0);
            let best = possible.max_by(|a, b| likelihood(*a).total_cmp(&likelihood(*b)));
            let best = best.expect("a share");
            let variance = tasks * (2.0 * best + difference - difference * difference);
            let wanted = (better - worse - tasks * difference) / variance.sqrt();
            let got = tango_statistic(tasks, better, worse, difference);
            assert!((got - wanted).abs() < 1e-3, "{got} {wanted}");
        }
    }

    #[test]
    fn the_ends_of_tango_intervals_are_where_the_statistic_reaches_its_limit() {
        for (tasks, better, worse) in [(30.0, 7.0, 2.0), (10.0, 0.0, 4.0), (200.0, 31.5, 12.25)] {
            let (low, high) = tango_interval(tasks, better, worse);
            let at = |difference| tango_statistic(tasks, better, worse, difference);
            assert!((at(low) - 1.959_964).abs() < 1e-4, "{low}");
            assert!((at(high) + 1.959_964).abs() < 1e-4, "{high}");
        }
    }

    #[test]
    fn student_intervals_are_those_of_tables() {
        // The mean of 1 to 5 tenths is 0.3, the standard error 0.0707, the quantile for 4 degrees 2.7764.
        let got = student_interval(&[0.1, 0.2, 0.3, 0.4, 0.5]);
        let half = 2.7764 * (0.025_f64 / 5.0).sqrt();
        assert!(is_near(got, (0.3 - half, 0.3 + half), 1e-4), "{got:?}");
        for (degrees, quantile) in [
            (1.0, 12.7062),
            (2.0, 4.3027),
            (3.0, 3.1824),
            (4.0, 2.7764),
            (9.0, 2.2622),
            (30.0, 2.0423),
            (999.0, 1.9623),
        ] {
            let got = StudentsT::ppf(UPPER_TAIL, degrees);
            assert!((got - quantile).abs() < 2e-3, "{degrees}: {got}");
        }
    }

    #[test]
    fn sizes_decide_between_the_intervals() {
        let single = [1.0, 1.0, -1.0, 1.0, 0.0];
        assert_eq!(interval(&single), Some(tango_interval(5.0, 3.0, 1.0)));
        let dense = [0.25, 0.5, -0.25, 0.125, 0.0];
        assert_eq!(interval(&dense), Some(student_interval(&dense)));
        // Of six tasks two changed, by 0.25 and 0.75: like 1.6 changes of 0.625.
        let few = [0.25, 0.75, 0.0, 0.0, 0.0, 0.0];
        let (low, high) = tango_interval(6.0, 1.6, 0.0);
        let got = interval(&few).expect("two tasks");
        assert!(is_near(got, (low * 0.625, high * 0.625), 1e-12), "{got:?}");
        // Equal changes have no spread: they count as a quarter of whole ones.
        let (low, high) = interval(&[-0.25; 8]).expect("several tasks");
        assert!(is_near((low, high), tango_interval(8.0, 0.0, 2.0), 1e-12));
        assert!(low < -0.25 && -0.25 < high, "{low} {high}");
        assert_eq!(interval(&[0.5]), None);
    }

    #[test]
    fn p_values_of_single_trials_are_those_of_the_exact_mcnemar_test() {
        // Of 9 changes 8 are for the better: 2 (1 + 9) / 2^9.
        let mut differences = vec![1.0; 8];
        differences.extend([-1.0, 0.0, 0.0]);
        assert_eq!(sign_flip_p_value(&differences), 20.0 / 512.0);
        assert_eq!(sign_flip_p_value(&[0.0; 7]), 1.0);
        assert_eq!(sign_flip_p_value(&[0.3]), 1.0);
        assert_eq!(sign_flip_p_value(&[0.1; 6]), 2.0 / 64.0);
    }

    #[test]
    fn draws_come_close_to_the_enumeration() {
        let differences: Vec<f64> = (0..20)
            .map(|at| f64::from(at * 7 % 11 - 4) / 10.0)
            .collect();
        let changed: Vec<f64> = changes(&differences).collect();
        let sum: f64 = changed.iter().sum();
        let exact = sign_flip_p_value(&differences);
        let mut random = SplitMix64(1);
        let draws =
            (0..20_000).filter(|_| random_sum(&changed, &mut random).abs() >= sum.abs() - 1e-9);
        let drawn = draws.count() as f64 / 20_000.0;
        assert!((drawn - exact).abs() < 0.015, "{drawn} {exact}");
    }

    fn any_differences() -> impl Strategy<Value = Vec<f64>> {
        let quarters = (-4_i8..=4).prop_map(|quarters| f64::from(quarters) / 4.0);
        proptest::collection::vec(quarters, 1..9)
    }

    proptest! {
        #[test]
        fn p_values_count_all_choices_of_signs(differences in any_differences()) {
            let sum: f64 = differences.iter().sum();
            let choices = 1_u32 << differences.len();
            let beyond = (0..choices).filter(|choice| {
                let signed = differences.iter().enumerate();
                let sign = |at: usize| if choice >> at & 1 == 1 { -1.0 } else { 1.0 };
                signed.map(|(at, one)| sign(at) * one).sum::<f64>().abs() >= sum.abs()
            });
            let wanted = beyond.count() as f64 / f64::from(choices);
            prop_assert_eq!(sign_flip_p_value(&differences), wanted);
        }

        #[test]
        fn the_opposite_has_the_opposite_interval(differences in any_differences()) {
            let opposite: Vec<f64> = differences.iter().map(|one| -one).collect();
            let (one, other) = (estimate(&differences), estimate(&opposite));
            let (Some(one), Some(other)) = (one, other) else {
                return Err(TestCaseError::fail("no estimate"));
            };
            prop_assert_eq!(one.p_value, other.p_value);
            prop_assert_eq!(one.difference, -other.difference);
            if let (Some((low, high)), Some(turned)) = (one.interval, other.interval) {
                prop_assert!(is_near((-high, -low), turned, 1e-12));
                prop_assert!(low <= one.difference + 1e-12 && one.difference <= high + 1e-12);
            }
        }
    }

    /// How tasks pass in a simulated run.
    struct Simulated {
        tasks: usize,
        trials: u32,
        /// The chances of easy and of hard tasks, which are half each, before and after.
        before: [f64; 2],
        after: [f64; 2],
    }

    /// Returns the share of simulated comparisons, in percent, whose interval contains the true difference.
    fn coverage(simulated: &Simulated, rounds: u32, random: &mut SplitMix64) -> f64 {
        let Simulated {
            tasks,
            trials,
            before,
            after,
        } = simulated;
        let truth = (after[0] + after[1] - before[0] - before[1]) / 2.0;
        let mut uniform = || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut covered = 0;
        for _ in 0..rounds {
            let differences: Vec<f64> = (0..*tasks)
                .map(|_| {
                    let kind = usize::from(uniform() < 0.5);
                    let mut passes =
                        |chance: f64| (0..*trials).filter(|_| uniform() < chance).count() as f64;
                    let (earlier, later) = (passes(before[kind]), passes(after[kind]));
                    (later - earlier) / f64::from(*trials)
                })
                .collect();
            let (low, high) = interval(&differences).expect("several tasks");
            covered += u32::from(low <= truth + 1e-9 && truth - 1e-9 <= high);
        }
        f64::from(covered) * 100.0 / f64::from(rounds)
    }

    #[test]
    fn intervals_contain_the_true_difference_in_93_to_97_of_100_simulations() {
        let mut random = SplitMix64(7);
        let any_size: &[(usize, u32)] = &[(40, 1), (150, 1), (20, 4), (100, 4)];
        let large: &[(usize, u32)] = &[(150, 1), (40, 4), (100, 4)];
        for (before, after, sizes) in [
            ([0.5, 0.5], [0.5, 0.5], any_size),
            ([0.9, 0.3], [0.8, 0.5], any_size),
            ([0.95, 0.9], [0.9, 0.8], any_size),
            ([0.99, 0.95], [0.97, 0.9], large),
            ([0.02, 0.1], [0.05, 0.2], large),
        ] {
            for &(tasks, trials) in sizes {
                let simulated = Simulated {
                    tasks,
                    trials,
                    before,
                    after,
                };
                let covered = coverage(&simulated, 4_000, &mut random);
                let case = format!("{before:?} to {after:?}, {tasks} tasks of {trials}: {covered}");
                assert!((93.0..=97.0).contains(&covered), "{case}");
            }
        }
    }
}
