import type { ExpectedCalls, LimitOptions, ScoringOptions, ToolsInput, TrialOptions } from 'toolgauge';
import { type CalledToolOptions, toHaveCalledTool } from './matchers/called-tool.js';
import { toHaveCalledTools, toHaveToolScore } from './matchers/called-tools.js';
import { type GroundedRepliesOptions, toHaveGroundedReplies } from './matchers/grounded-replies.js';
import { type HonestRepliesOptions, toHaveHonestReplies } from './matchers/honest-replies.js';
import { toHaveNoLoops } from './matchers/no-loops.js';
import type { MatcherContext, MatcherResult } from './matchers/runner.js';
import { type Trial, toPassTrials } from './matchers/trials.js';
import { toHaveValidToolCalls, type ValidToolCallsOptions } from './matchers/valid-calls.js';

export type { CalledToolOptions } from './matchers/called-tool.js';
export type { GroundedRepliesOptions } from './matchers/grounded-replies.js';
export type { HonestRepliesOptions } from './matchers/honest-replies.js';
export type { Trial } from './matchers/trials.js';
export type { ValidToolCallsOptions } from './matchers/valid-calls.js';

/** An assertion about a trajectory that does not hold. Test runners show its message, which lists what is wrong. */
export class TrajectoryAssertionError extends Error {
  /** `AssertionError`, as the errors of `node:assert` are named. */
  override readonly name = 'AssertionError';
  /** As `node:assert` has it, so that runners report a failed test and no crash. */
  readonly code = 'ERR_ASSERTION';
}

/**
 * Asserts that a tool was called: with these arguments, or without `args` with any. For test runners without `expect`,
 * such as `node:test`; otherwise as the matcher `toHaveCalledTool`.
 *
 * @example
 * test('it looks the order up', () => assertCalledTool(messages, 'get_order', { id: 'A-1017' }));
 */
export function assertCalledTool(trajectory: unknown, tool: string, args?: unknown, options?: CalledToolOptions): void {
  hold(assertCalledTool, context => toHaveCalledTool.call(context, trajectory, tool, args, options));
}

/** Asserts that a tool was not called, or not with these arguments. */
export function assertNotCalledTool(
  trajectory: unknown,
  tool: string,
  args?: unknown,
  options?: CalledToolOptions,
): void {
  hold(assertNotCalledTool, context => toHaveCalledTool.call(context, trajectory, tool, args, options), true);
}

/** Asserts that all that should be called was, and nothing else: what `scoreToolCalls` scores 1. */
export function assertCalledTools(trajectory: unknown, expected: ExpectedCalls, options?: ScoringOptions): void {
  hold(assertCalledTools, context => toHaveCalledTools.call(context, trajectory, expected, options));
}

/** Asserts that the calls score at least `least`, from 0 to 1, as `scoreToolCalls` scores them. */
export function assertToolScore(
  trajectory: unknown,
  least: number,
  expected?: ExpectedCalls,
  options?: ScoringOptions,
): void {
  hold(assertToolScore, context => toHaveToolScore.call(context, trajectory, least, expected, options));
}

/** Asserts that no call has an issue of the severity `failOn` (default `high`) or worse, and that there is a call. */
export function assertValidToolCalls(trajectory: unknown, tools?: ToolsInput, options?: ValidToolCallsOptions): void {
  hold(assertValidToolCalls, context => toHaveValidToolCalls.call(context, trajectory, tools, options));
}

/** Asserts that the replies state nothing but what results, arguments, the user and the instructions said before. */
export function assertGroundedReplies(trajectory: unknown, options?: GroundedRepliesOptions): void {
  hold(assertGroundedReplies, context => toHaveGroundedReplies.call(context, trajectory, options));
}

/**
 * Asserts that the replies are true to what the calls did and returned: none contradicts a result, claims an action that no
 * call performed, passes over an error, or gives the value of one record for another.
 */
export function assertHonestReplies(trajectory: unknown, options?: HonestRepliesOptions): void {
  hold(assertHonestReplies, context => toHaveHonestReplies.call(context, trajectory, options));
}

/** Asserts that no call, and no chain of calls, is repeated although nothing has changed: what `findLoops` finds. */
export function assertNoLoops(trajectory: unknown, options?: LimitOptions): void {
  hold(assertNoLoops, context => toHaveNoLoops.call(context, trajectory, options));
}

/**
 * Asserts that enough of the runs of a task pass `trial`, a function that checks one run and throws if it does not pass. All
 * of them must pass, unless the options say how many.
 *
 * @example
 * assertTrialsPass(runs, run => assertCalledTool(run, 'refund'), { minPassRate: 0.75 });
 */
export function assertTrialsPass<Run>(runs: readonly Run[], trial: Trial<Run>, options?: TrialOptions): void {
  hold(assertTrialsPass, context => toPassTrials.call(context, runs, trial as Trial<unknown>, options));
}

/** Throws what a matcher says if it does not pass, or if it passes and `isNot` is set. */
function hold(caller: (...given: never[]) => void, matcher: (context: MatcherContext) => MatcherResult, isNot = false) {
  const { pass, message } = matcher({ isNot });
  if (pass !== isNot) return;
  // The first part says how a matcher was called, which nobody did.
  const error = new TrajectoryAssertionError(message().replace(/^expect\(received\).*\n\n/, ''));
  Error.captureStackTrace?.(error, caller);
  throw error;
}
