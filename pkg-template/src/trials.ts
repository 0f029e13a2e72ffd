import * as core from '#glue';
import { read } from './bridge.js';
import type { LimitOptions } from './formats.js';
import type { JsonInput } from './input.js';
import type { GateOptions, MeasuredTrials } from './types.js';

/** Whether one run of a task passed. */
export interface TrialOutcome {
  /** Whether it passed. */
  readonly passed: boolean;
  /** The name of its task. Default: all outcomes without a name are trials of the same task. */
  readonly task?: string;
  /** Its score, from 0 to 1. Default: none. */
  readonly score?: number | null;
}

/** How many trials have to pass: {@link GateOptions}. Default: all of them. */
export interface TrialOptions extends LimitOptions, Readonly<Pick<GateOptions, 'minPassRate' | 'minPassHat'>> {}

/**
 * Counts trials whose outcome is known: runs of a test or an evaluation of your own. Returns pass@k, pass^k, flaky tasks and
 * the spread of the scores, and whether enough trials pass. `checkTrajectories` and `scoreTrajectories` return the same
 * for trajectories that they check or score.
 *
 * Throws `invalid_json`, `invalid_input`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const { trials, gate } = measureTrials([{ passed: true }, { passed: false }, { passed: true }], { minPassRate: 0.9 });
 * trials.estimates[1]; // { k: 2, tasks: 1, passAt: 1, passHat: 0.333 }
 * gate.failures; // ['the share of passes 0.667 (2 of 3) is below 0.9']
 */
export function measureTrials(outcomes: JsonInput<readonly TrialOutcome[]>, options?: TrialOptions): MeasuredTrials {
  return read(core.measureTrials, { value: outcomes, name: 'the outcomes' }, options);
}
