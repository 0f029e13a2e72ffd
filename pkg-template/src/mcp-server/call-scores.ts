import {
  type AccuracyResult,
  type Gate,
  reportCallLists,
  scoreTrajectories,
  type TrajectoryScoringOptions,
} from 'toolgauge';
import { comparing, type Remedy, reading } from '../cli/failure.js';
import type { Source } from '../cli/files.js';
import { forCalls } from '../cli/remedies.js';
import { firstTexts } from './texts.js';

/** How many warnings are listed. */
const MOST_WARNINGS = 10;

/** The score of one trajectory, or the mean of several. */
export interface Scored {
  readonly score: number;
  readonly gate: Gate;
  readonly results: readonly NamedResult[];
  readonly warnings: readonly string[];
}

/** The score of a trajectory, which has a name if there are several. */
export interface NamedResult {
  readonly accuracy: Omit<AccuracyResult, 'breakdown'>;
  readonly trajectory?: string;
}

/** How calls are compared, and which score passes. */
export type CallScoreOptions = Pick<TrajectoryScoringOptions, 'order' | 'minScore'>;

/** Compares what was done with what was expected. */
export function scoreLists(expected: Source, actual: Source, options: CallScoreOptions): Scored {
  const compare = () => reportCallLists(expected.bytes, actual.bytes, options);
  const { result, gate } = comparing(expected, actual, forOneTrajectory, compare);
  return { score: result.score, gate, results: [{ accuracy: result }], warnings: result.warnings ?? [] };
}

/** Compares trajectories with the calls that they carry as expected. */
export function scoreCarried(actual: Source, options: CallScoreOptions): Scored {
  const { trajectories, score, gate, warnings } = reading(actual, forExpected, () =>
    scoreTrajectories(actual.bytes, options),
  );
  const isOne = trajectories.length === 1;
  const results: NamedResult[] = trajectories.map(({ accuracy, id, index }) =>
    isOne ? { accuracy } : { accuracy, trajectory: id ?? `#${index}` },
  );
  const texts = [
    ...warnings.map(({ message }) => message),
    ...results.flatMap(({ accuracy }) => accuracy.warnings ?? []),
  ];
  return { score, gate, results, warnings: firstTexts(texts, MOST_WARNINGS, texts.length) };
}

const forOneTrajectory: Remedy = error =>
  forCalls(error) ??
  (error.path === 'actual' ? 'leave out expected if each trajectory holds its expected calls' : undefined);

const forExpected: Remedy = ({ code, path }) =>
  code === 'unknown_format' || (code === 'invalid_input' && path === undefined)
    ? 'give expected or expectedPath, or trajectories that hold their expected calls'
    : undefined;
