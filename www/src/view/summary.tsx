import type { TrajectoryReport, Unjudged } from 'toolgauge';
import type { CheckResult } from '../checker/protocol.ts';
import { count } from './labels.ts';

interface Props {
  readonly result: CheckResult;
  readonly failOn: string;
}

/** Whether the trajectory passes, its score, and what was checked. */
export function Summary({ result, failOn }: Props) {
  const { report, selected, inspection, time } = result;
  const checked = report.trajectories.find(({ index }) => index === selected);
  // The gate is about all trajectories. If there are several, each passes or fails on its own.
  const isAlone = report.trajectories.length === 1;
  const accuracy = inspection?.accuracy;
  const isAsExpected = accuracy === undefined || (accuracy.score === 1 && accuracy.failures === undefined);
  const passed = isAlone ? report.gate.passed : (checked?.passed ?? false);
  const failures = isAlone ? report.gate.failures.join('; ') : '';
  return (
    <section class="summary" aria-labelledby="summary-heading">
      <h2 id="summary-heading" class="hidden">
        Summary
      </h2>
      <Dial name="Score" value={checked?.score ?? null} />
      {accuracy !== undefined && <Dial name="Accuracy" value={accuracy.score} />}
      <div class="verdicts">
        <p class={`gate ${passed ? 'passed' : 'failed'}`}>
          {passed ? '✓ Passes' : '✕ Fails'}
          <span>
            {passed || failures === '' ? (failOn === 'never' ? '' : ` with the gate at ${failOn}`) : `: ${failures}`}
          </span>
        </p>
        {!isAsExpected && <p class="unexpected">✕ The calls are not as expected</p>}
        <p class="extent">
          {checked !== undefined && extentOf(checked, inspection?.findings.length ?? 0)}
          {report.trajectories.length > 1 &&
            ` · one of ${count(report.trajectories.length, 'trajectory', 'trajectories')}`}
        </p>
        {checked?.unjudged?.map(reason => (
          <p key={reason} class="extent quiet">
            Not checked: {UNJUDGED[reason]}
          </p>
        ))}
        <p class="extent quiet">
          Read as {report.format}, checked here in {Math.max(1, Math.round(time))} ms
        </p>
      </div>
    </section>
  );
}

function extentOf({ turns, calls }: TrajectoryReport, issues: number): string {
  return `${count(turns, 'turn')} · ${count(calls, 'call')} · ${issues === 0 ? 'no issues' : count(issues, 'issue')}`;
}

/** What could not be checked, and why. */
const UNJUDGED: Readonly<Record<Unjudged, string>> = {
  no_results: 'results and the replies based on them, because the log contains no results',
  hidden_results: 'facts in replies, because the log lacks the results of tools that the platform runs',
  not_run: 'results and replies, because nobody ran this: it says what should be called',
  unrecorded_contents: 'arguments, results and replies of calls whose contents the log does not record',
  no_request: 'facts in replies, because the log contains no user message and no instructions',
};

const RADIUS = 34;
const LENGTH = 2 * Math.PI * RADIUS;

function Dial({ name, value }: { readonly name: string; readonly value: number | null }) {
  const level = value === null ? 'none' : value >= 0.9 ? 'good' : value >= 0.5 ? 'fair' : 'poor';
  const text = value === null ? '–' : String(Math.round(value * 1000) / 1000);
  return (
    <figure class={`dial ${level}`}>
      <svg viewBox="0 0 80 80" aria-hidden="true">
        <circle class="track" cx="40" cy="40" r={RADIUS} />
        <circle
          class="arc"
          cx="40"
          cy="40"
          r={RADIUS}
          stroke-dasharray={`${LENGTH * (value ?? 0)} ${LENGTH}`}
          transform="rotate(-90 40 40)"
        />
      </svg>
      <span class="dial-value">{text}</span>
      <figcaption>{name}</figcaption>
    </figure>
  );
}
