//! What several trials of one task show, in the words that all reports share.

use super::paint::{Page, Tone, counted, visible};
use toolgauge_base::trials::{PassEstimate, TaskTrials, Trials, WorstTrial};

/// The most tasks that a report for a terminal lists.
const MOST_LISTED: usize = 5;

/// Says how many trials pass: `12 trials of 3 tasks, 8 passed (0.667): 1 task always, 1 never, 1
/// flaky`.
pub fn trial_totals(trials: &Trials) -> String {
    let tasks = match trials.left_out {
        0 => counted(trials.tasks, "task"),
        _ => format!("more than {}", counted(trials.tasks, "task")),
    };
    let mut totals = format!(
        "{} trials of {tasks}, {} passed ({:.3}): {} always, {} never, {} flaky",
        trials.trials,
        trials.passed,
        trials.pass_rate,
        counted(trials.always, "task"),
        trials.never,
        trials.flaky
    );
    if trials.left_out > 0 {
        totals += &format!(
            "; figures of tasks are of a random sample of {}, without {}",
            trials.tasks,
            counted(trials.left_out, "trial")
        );
    }
    if trials.unknown > 0 {
        totals += &format!(
            "; {} more in summaries without tasks, which --task-key keeps",
            counted(trials.unknown, "trajectory")
        );
    }
    totals
}

/// Lists a figure by the number of trials: `1: 0.667 · 2: 0.833`.
pub fn by_k(trials: &Trials, figure: fn(&PassEstimate) -> f64) -> String {
    let figures = trials.estimates.iter();
    let figures = figures.map(|one| format!("{}: {:.3}", one.k, figure(one)));
    figures.collect::<Vec<_>>().join(" · ")
}

/// Says how much the scores of a task differ.
pub fn spread_text(trials: &Trials) -> Option<String> {
    let spread = trials.spread?;
    Some(format!(
        "{spread:.3}, the mean standard deviation of the scores of a task"
    ))
}

/// Returns the score of a task with its spread: `0.812 ± 0.214`.
pub fn task_score(task: &TaskTrials) -> String {
    match (task.score, task.spread) {
        (Some(score), Some(spread)) => format!("{score:.3} ± {spread:.3}"),
        (Some(score), None) => format!("{score:.3}"),
        (None, _) => "none".to_owned(),
    }
}

/// Returns the place of the worst trial: `sim-3 · runs.jsonl · line 7`.
pub fn worst_place(worst: &WorstTrial) -> String {
    let place = &worst.place;
    let id = place.id.as_deref().map(visible);
    let source = place.source.as_deref().map(visible);
    let position = match (place.line, place.index) {
        (Some(line), 0) => format!("line {line}"),
        (Some(line), index) => format!("line {line} #{index}"),
        (None, index) => format!("#{index}"),
    };
    let parts = id.into_iter().chain(source).chain([position]);
    parts.collect::<Vec<_>>().join(" · ")
}

/// Adds the lines about trials, if there are any.
pub fn trial_lines(page: &mut Page, trials: Option<&Trials>) {
    let Some(trials) = trials else {
        return;
    };
    page.item(0, "trials", Tone::Strong, 9, &trial_totals(trials));
    page.item(
        0,
        "pass@k",
        Tone::Strong,
        9,
        &by_k(trials, |one| one.pass_at),
    );
    page.item(
        0,
        "pass^k",
        Tone::Strong,
        9,
        &by_k(trials, |one| one.pass_hat),
    );
    if let Some(spread) = spread_text(trials) {
        page.item(0, "spread", Tone::Strong, 9, &spread);
    }
    for task in trials.worst.iter().take(MOST_LISTED) {
        let (label, tone) = match task.flaky {
            true => ("flaky", Tone::Doubtful),
            false => ("failing", Tone::Bad),
        };
        let text = format!(
            "{}: {} of {} passed, mean score {}; worst: {}",
            visible(&task.task),
            task.passed,
            task.trials,
            task_score(task),
            worst_place(&task.worst)
        );
        page.item(0, label, tone, 9, &text);
    }
    let rest = trials.worst.len().saturating_sub(MOST_LISTED);
    if rest > 0 {
        let more = counted(rest, "more task");
        page.item(
            0,
            "",
            Tone::Quiet,
            9,
            &format!("and {more} with failed trials"),
        );
    }
}
