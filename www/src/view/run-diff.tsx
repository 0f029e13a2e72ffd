import type { IssueChange, RunComparison as MeanDifference, RunDiff, TaskChange, TaskResult } from 'toolgauge';
import { count } from './labels.ts';
import type { RunComparison } from './state.ts';
import { Wide } from './wide.tsx';

interface Props {
  readonly comparison: RunComparison;
  /** Shows a trial of the task. */
  readonly onTask: (task: string) => void;
}

/** At most this many tasks or issues are listed; reports of `toolgauge diff` list all. */
const MOST_LISTED = 20;

/** How the run differs from the run before. */
export function RunDiffPanel({ comparison, onTask }: Props) {
  return (
    <section class="panel" aria-labelledby="run-diff-heading">
      <h2 id="run-diff-heading">Two runs side by side</h2>
      {'reason' in comparison ? (
        <p class="warnings" role="alert">
          The runs can't be compared. {comparison.reason}
        </p>
      ) : (
        <Difference diff={comparison.diff} onTask={onTask} />
      )}
    </section>
  );
}

function Difference({ diff, onTask }: { readonly diff: RunDiff } & Pick<Props, 'onTask'>) {
  const { before, after, tasks, onlyBefore, onlyAfter, newIssues, goneIssues, warnings } = diff;
  const changed = tasks.filter(({ direction, stability }) => direction !== 'same' || stability !== undefined);
  return (
    <>
      <Wide name="Means of both runs">
        <table class="figures-table">
          <thead>
            <tr>
              <td />
              <th scope="col">Before</th>
              <th scope="col">After</th>
              <th scope="col">Difference</th>
              <th scope="col">95% interval</th>
              <th scope="col">p</th>
              <th scope="col">Verdict</th>
            </tr>
          </thead>
          <tbody>
            <Mean name="Pass rate" mean={diff.passRate} />
            <Mean name="Score" mean={diff.score} />
            <tr>
              <th scope="row">Trials</th>
              <td>{before.trials.toLocaleString('en')}</td>
              <td>{after.trials.toLocaleString('en')}</td>
            </tr>
          </tbody>
        </table>
      </Wide>
      <p class="quiet">
        {count(tasks.length, 'task')} in both runs, {count(tasks.length - changed.length, 'task')} the same
        {onlyBefore.length > 0 && ` · ${count(onlyBefore.length, 'task')} only before`}
        {onlyAfter.length > 0 && ` · ${count(onlyAfter.length, 'task')} only after`}
      </p>
      {warnings.map(warning => (
        <p key={warning} class="quiet">
          {warning}
        </p>
      ))}
      {changed.length > 0 && (
        <ul class="tasks" aria-label="Changed tasks">
          {changed.slice(0, MOST_LISTED).map(change => (
            <Task key={change.task} change={change} onTask={onTask} />
          ))}
        </ul>
      )}
      <Rest length={changed.length} noun="changed task" />
      <Same tasks={tasks.filter(task => !changed.includes(task))} onTask={onTask} />
      <Issues title="New issues" issues={newIssues} onTask={onTask} />
      <Issues title="Gone issues" issues={goneIssues} onTask={onTask} />
    </>
  );
}

/** The tasks that are the same in both runs, folded. */
function Same({ tasks, onTask }: { readonly tasks: readonly TaskChange[] } & Pick<Props, 'onTask'>) {
  if (tasks.length === 0) return null;
  return (
    <details class="same">
      <summary>{count(tasks.length, 'task')} the same</summary>
      <ul class="tasks">
        {tasks.slice(0, MOST_LISTED).map(change => (
          <Task key={change.task} change={change} onTask={onTask} />
        ))}
      </ul>
      <Rest length={tasks.length} noun="task" />
    </details>
  );
}

function Mean({ name, mean }: { readonly name: string; readonly mean: MeanDifference | null }) {
  if (mean === null) return null;
  const { before, after, difference, interval, pValue, conclusion } = mean;
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{before.toFixed(3)}</td>
      <td>{after.toFixed(3)}</td>
      <td>{signed(difference)}</td>
      <td>{interval === null ? '–' : `${signed(interval[0])} to ${signed(interval[1])}`}</td>
      <td>{pValue.toPrecision(2)}</td>
      <td class={`conclusion ${conclusion}`}>{conclusion}</td>
    </tr>
  );
}

const BADGES = { better: 'fine', worse: 'high', same: 'low' } as const;

function Task({ change, onTask }: { readonly change: TaskChange } & Pick<Props, 'onTask'>) {
  const { task, direction, stability, before, after } = change;
  const word = direction === 'same' ? (stability ?? 'same') : direction;
  return (
    <li>
      <span class={`badge ${BADGES[direction]}`}>{word}</span>{' '}
      <button type="button" class="link" onClick={() => onTask(task)}>
        {task}
      </button>{' '}
      <span class="quiet">
        {passes(before)} → {passes(after)} passed, score {scoreOf(before)} → {scoreOf(after)}
        {direction !== 'same' && stability !== undefined && `, now ${stability}`}
      </span>
    </li>
  );
}

function Issues({
  title,
  issues,
  onTask,
}: { readonly title: string; readonly issues: readonly IssueChange[] } & Pick<Props, 'onTask'>) {
  if (issues.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="tasks" aria-label={title}>
        {issues.slice(0, MOST_LISTED).map(({ task, type, toolName, severity, trials }) => (
          <li key={`${task} ${type} ${toolName}`}>
            {severity !== undefined && <span class={`badge ${severity}`}>{severity}</span>} {type}{' '}
            {toolName !== undefined && <code>{toolName}</code>}{' '}
            <button type="button" class="link" onClick={() => onTask(task)}>
              {task}
            </button>{' '}
            <span class="quiet">in {count(trials, 'trial')}</span>
          </li>
        ))}
      </ul>
      <Rest length={issues.length} noun="issue" />
    </>
  );
}

/** How many are not listed. */
function Rest({ length, noun }: { readonly length: number; readonly noun: string }) {
  return length > MOST_LISTED ? <p class="quiet">and {count(length - MOST_LISTED, noun)} more</p> : null;
}

function passes({ passed, trials }: TaskResult): string {
  return `${passed}/${trials}`;
}

function scoreOf({ score }: TaskResult): string {
  return score === null ? '–' : score.toFixed(3);
}

function signed(value: number): string {
  return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
}
