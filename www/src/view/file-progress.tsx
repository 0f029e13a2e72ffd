import type { CheckReport } from 'toolgauge';
import type { FileProgress } from '../batch/file-check.ts';
import { count } from './labels.ts';

interface Props {
  readonly progress: FileProgress;
  readonly onStop: () => void;
}

/** The progress of the check of a file, and its totals so far. */
export function FileProgressBar({ progress, onStop }: Props) {
  const { file, state, read, summary, gate, problem } = progress;
  const accuracies = progress.rows.flatMap(({ accuracy }) => accuracy ?? []);
  const share = file.size === 0 ? 1 : read / file.size;
  return (
    <section class={`file-progress ${state}`} aria-label="Check of the file">
      <p class="file-line">
        <b class="file-title">{file.name}</b>
        <span class="quiet">{megabytes(file.size)}</span>
        {state === 'running' ? (
          <button type="button" class="button" onClick={onStop}>
            Cancel
          </button>
        ) : (
          gate !== undefined && (
            <span class={`gate ${gate.passed && state === 'done' ? 'passed' : 'failed'}`}>
              {state === 'done' ? (gate.passed ? '✓ Passes' : '✕ Fails') : ''}
            </span>
          )
        )}
      </p>
      {state === 'running' && (
        <progress max={1} value={share} aria-label="Read so far">
          {Math.round(share * 100)} %
        </progress>
      )}
      <p class="quiet" role={state === 'running' ? undefined : 'status'}>
        {state === 'running' && `${Math.floor(share * 100)} % · `}
        {state === 'stopped' && `Stopped at ${Math.floor(share * 100)} %. `}
        {problem?.message}
        {summary !== undefined && totals(summary)}
        {accuracies.length > 0 && ` · ${asExpected(accuracies)}`}
      </p>
      {state === 'done' && gate !== undefined && !gate.passed && <p class="gate failed">{gate.failures.join('; ')}</p>}
    </section>
  );
}

/** The totals of several trajectories. */
export function Totals({
  summary,
  gate,
  accuracies,
}: Pick<CheckReport, 'summary' | 'gate'> & {
  /** How close the calls of each are to the expected ones; undefined without expected calls. */
  readonly accuracies: readonly number[] | undefined;
}) {
  return (
    <section class="totals" aria-label="All trajectories">
      <span class={`gate ${gate.passed ? 'passed' : 'failed'}`}>{gate.passed ? '✓ Passes' : '✕ Fails'}</span>{' '}
      <span class="quiet">
        {totals(summary)}
        {accuracies !== undefined && ` · ${asExpected(accuracies)}`}
        {!gate.passed && ` · ${gate.failures.join('; ')}`}
      </span>
    </section>
  );
}

function asExpected(accuracies: readonly number[]): string {
  const exact = accuracies.filter(score => score === 1).length;
  return `${exact.toLocaleString('en')} of ${accuracies.length.toLocaleString('en')} call what is expected`;
}

function totals({ trajectories, unread, score, issues }: NonNullable<FileProgress['summary']>): string {
  const parts = [
    count(trajectories, 'trajectory', 'trajectories'),
    score === null ? 'no score' : `mean score ${score}`,
    count(issues, 'issue'),
    ...(unread > 0 ? [`${count(unread, 'line')} can't be read`] : []),
  ];
  return parts.join(' · ');
}

function megabytes(bytes: number): string {
  const size = bytes / 1_000_000;
  return `${size < 10 ? size.toFixed(1) : Math.round(size)} MB`;
}
