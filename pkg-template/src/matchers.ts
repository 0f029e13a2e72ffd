import type { ExpectedCalls, LimitOptions, ScoringOptions, ToolsInput, TrialOptions } from 'toolgauge';
import { type CalledToolOptions, toHaveCalledTool } from './matchers/called-tool.js';
import { toHaveCalledTools, toHaveToolScore } from './matchers/called-tools.js';
import { type GroundedRepliesOptions, toHaveGroundedReplies } from './matchers/grounded-replies.js';
import { type HonestRepliesOptions, toHaveHonestReplies } from './matchers/honest-replies.js';
import { toHaveNoLoops } from './matchers/no-loops.js';
import { traced } from './matchers/runner.js';
import { type Trial, toPassTrials } from './matchers/trials.js';
import { toHaveValidToolCalls, type ValidToolCallsOptions } from './matchers/valid-calls.js';

export type { CalledToolOptions } from './matchers/called-tool.js';
export type { GroundedRepliesOptions } from './matchers/grounded-replies.js';
export type { HonestRepliesOptions } from './matchers/honest-replies.js';
export type { MatcherContext, MatcherResult, MatcherUtils } from './matchers/runner.js';
export type { Trial } from './matchers/trials.js';
export type { ValidToolCallsOptions } from './matchers/valid-calls.js';

/**
 * What can be expected of a trajectory: in any format that `importTrajectory` knows, as an object, JSON text or bytes, or
 * as the result of the AI SDK's `generateText`. Lists of calls, `{ tool, args }`, will do where only calls are looked at.
 *
 * `expect.any(String)`, `expect.stringContaining('x')` and the other asymmetric matchers may be used inside expected
 * arguments. Arguments are compared as the JSON that they are.
 */
export interface TrajectoryMatchers<R = void> {
  /**
   * A tool was called: with these arguments, or without `args` with any. At least once, unless `times` says how often.
   * Other calls don't matter.
   *
   * @example
   * expect(messages).toHaveCalledTool('search', { city: 'Oslo', limit: expect.any(Number) });
   * expect(messages).toHaveCalledTool('search', { city: 'Oslo' }, { matchers: 'superset', times: 1 });
   * expect(messages).not.toHaveCalledTool('pay');
   */
  toHaveCalledTool(tool: string, args?: unknown, options?: CalledToolOptions): R;

  /**
   * All that should be called was, and nothing else: what `scoreToolCalls` scores 1.
   *
   * @example
   * expect(messages).toHaveCalledTools(['search', { tool: 'book', args: { id: 'H7' } }], { order: 'sequence' });
   */
  toHaveCalledTools(expected: ExpectedCalls, options?: ScoringOptions): R;

  /**
   * The calls score at least `least`, from 0 to 1, against those that should have been made, as `scoreToolCalls` scores
   * them. `expected` may be left out when the trajectory carries them.
   *
   * @example
   * expect(messages).toHaveToolScore(0.8, expected);
   */
  toHaveToolScore(least: number, expected?: ExpectedCalls, options?: ScoringOptions): R;

  /**
   * No call has an issue of the severity `failOn` (default `high`) or worse, and there is a call. Without `tools` those
   * count that the trajectory contains; if it contains none, the matcher fails, unless `allowNoTools` is true.
   *
   * @example
   * expect(messages).toHaveValidToolCalls(tools);
   */
  toHaveValidToolCalls(tools?: ToolsInput, options?: ValidToolCallsOptions): R;

  /**
   * The replies state nothing but what results, arguments, the user and the instructions said before.
   *
   * @example
   * expect(await generateText({ model, tools, prompt })).toHaveGroundedReplies({ prompt });
   */
  toHaveGroundedReplies(options?: GroundedRepliesOptions): R;

  /**
   * The replies are true to what the calls did and returned: none contradicts a result, claims an action that no call
   * performed, passes over an error, or gives the value of one record for another.
   *
   * @example
   * expect(messages).toHaveHonestReplies();
   */
  toHaveHonestReplies(options?: HonestRepliesOptions): R;

  /**
   * No call, and no chain of calls, is repeated although nothing has changed: what `findLoops` finds.
   *
   * @example
   * expect(messages).toHaveNoLoops();
   */
  toHaveNoLoops(options?: LimitOptions): R;

  /**
   * Enough of the runs of a task pass `trial`, a function that checks one run and throws if it does not pass. All of them
   * must pass, unless the options say how many.
   *
   * @example
   * const runs = await Promise.all([1, 2, 3, 4].map(() => agent(prompt)));
   * expect(runs).toPassTrials(run => expect(run).toHaveCalledTools(expected), { minPassRate: 0.75 });
   */
  // biome-ignore lint/suspicious/noExplicitAny: runners don't say what was given to expect()
  toPassTrials<Run = any>(trial: Trial<Run>, options?: TrialOptions): R;
}

/** The functions behind {@link TrajectoryMatchers}. A type and no interface: runners want an index signature. */
export type MatcherFunctions = {
  /** See {@link TrajectoryMatchers.toHaveCalledTool}. */
  readonly toHaveCalledTool: typeof toHaveCalledTool;
  /** See {@link TrajectoryMatchers.toHaveCalledTools}. */
  readonly toHaveCalledTools: typeof toHaveCalledTools;
  /** See {@link TrajectoryMatchers.toHaveToolScore}. */
  readonly toHaveToolScore: typeof toHaveToolScore;
  /** See {@link TrajectoryMatchers.toHaveValidToolCalls}. */
  readonly toHaveValidToolCalls: typeof toHaveValidToolCalls;
  /** See {@link TrajectoryMatchers.toHaveGroundedReplies}. */
  readonly toHaveGroundedReplies: typeof toHaveGroundedReplies;
  /** See {@link TrajectoryMatchers.toHaveHonestReplies}. */
  readonly toHaveHonestReplies: typeof toHaveHonestReplies;
  /** See {@link TrajectoryMatchers.toHaveNoLoops}. */
  readonly toHaveNoLoops: typeof toHaveNoLoops;
  /** See {@link TrajectoryMatchers.toPassTrials}. */
  readonly toPassTrials: typeof toPassTrials;
};

/**
 * All matchers, for any `expect` that can be extended as Jest's can. `toolgauge/vitest` and `toolgauge/jest` do that when
 * they are imported, and declare the types.
 *
 * @example
 * expect.extend(matchers);
 */
export const matchers: MatcherFunctions = {
  toHaveCalledTool: traced(toHaveCalledTool),
  toHaveCalledTools: traced(toHaveCalledTools),
  toHaveToolScore: traced(toHaveToolScore),
  toHaveValidToolCalls: traced(toHaveValidToolCalls),
  toHaveGroundedReplies: traced(toHaveGroundedReplies),
  toHaveHonestReplies: traced(toHaveHonestReplies),
  toHaveNoLoops: traced(toHaveNoLoops),
  toPassTrials: traced(toPassTrials),
};
