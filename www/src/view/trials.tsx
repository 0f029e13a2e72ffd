import type { PassEstimate, TaskTrials, Trials } from 'toolgauge';
import { count } from './labels.ts';
import { Wide } from './wide.tsx';

/** At most this many tasks are listed; reports list up to 100. */
const MOST_LISTED = 20;

interface Props {
  readonly trials: Trials | undefined;
  /** Shows the trajectory with this index. Undefined if that is not possible. */
  readonly onTrial: ((index: number) => void) | undefined;
}

/** What several trials of one task show; nothing if each task has only one. */
export function TrialsPanel({ trials, onTrial }: Props) {
  if (trials === undefined) return null;
  const { estimates, worst, spread } = trials;
  return (
    <section class="panel trials" aria-labelledby="trials-heading">
      <h2 id="trials-heading">Trials</h2>
      <p>{totalsOf(trials)}</p>
      <details>
        <summary>pass@k, pass^k{worst.length > 0 && ` and ${count(worst.length, 'task')} with failures`}</summary>
        <Wide name="Passes of k trials">
          <table class="figures-table">
            <thead>
              <tr>
                <th scope="col">k</th>
                {estimates.map(({ k }) => (
                  <th key={k} scope="col">
                    {k}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <Estimates
                name="pass@k"
                meaning="at least one of k trials passes"
                estimates={estimates}
                figure="passAt"
              />
              <Estimates name="pass^k" meaning="all of k trials pass" estimates={estimates} figure="passHat" />
            </tbody>
          </table>
        </Wide>
        {spread !== null && (
          <p class="quiet">The scores of a task spread by {spread.toFixed(3)}, the mean standard deviation.</p>
        )}
        {worst.length > 0 && (
          <ul class="tasks" aria-label="Tasks that fail">
            {worst.slice(0, MOST_LISTED).map(task => (
              <li key={task.task}>
                <span class={task.flaky ? 'badge medium' : 'badge high'}>{task.flaky ? 'flaky' : 'failing'}</span>{' '}
                <b>{task.task}</b> <span class="quiet">{passesOf(task)}; worst:</span>{' '}
                {onTrial === undefined ? (
                  placeOf(task)
                ) : (
                  <button type="button" class="link" onClick={() => onTrial(task.worst.index)}>
                    {placeOf(task)}
                  </button>
                )}
              </li>
            ))}
          </ul>
        )}
      </details>
    </section>
  );
}

function totalsOf({ trials, tasks, passed, passRate, always, flaky, never, leftOut }: Trials): string {
  const parts = [
    `${count(trials, 'trial')} of ${count(tasks, 'task')}`,
    `${passed.toLocaleString('en')} passed (${passRate.toFixed(3)})`,
    `${always.toLocaleString('en')} always, ${flaky.toLocaleString('en')} flaky, ${never.toLocaleString('en')} never`,
    ...(leftOut > 0 ? [`the tasks of ${count(leftOut, 'trial')} are not counted one by one`] : []),
  ];
  return parts.join(' · ');
}

function Estimates({
  name,
  meaning,
  estimates,
  figure,
}: {
  readonly name: string;
  readonly meaning: string;
  readonly estimates: readonly PassEstimate[];
  readonly figure: 'passAt' | 'passHat';
}) {
  return (
    <tr>
      <th scope="row" title={meaning}>
        {name}
      </th>
      {estimates.map(estimate => (
        <td key={estimate.k}>{estimate[figure].toFixed(3)}</td>
      ))}
    </tr>
  );
}

function passesOf({ passed, trials, score }: TaskTrials): string {
  return `${passed} of ${trials} passed${score === null ? '' : `, mean score ${score.toFixed(3)}`}`;
}

function placeOf({ worst: { id, line, index } }: TaskTrials): string {
  return id ?? (line === undefined ? `#${index}` : `line ${line}`);
}
