import type { ExpectedCalls, ScoringOptions, ToolsInput } from 'toolgauge';
import { type CalledToolOptions, toHaveCalledTool } from './matchers/called-tool.js';
import { toHaveCalledTools, toHaveToolScore } from './matchers/called-tools.js';
import { type GroundedRepliesOptions, toHaveGroundedReplies } from './matchers/grounded-replies.js';
import { traced } from './matchers/runner.js';
import { toHaveValidToolCalls, type ValidToolCallsOptions } from './matchers/valid-calls.js';

export type { CalledToolOptions } from './matchers/called-tool.js';
export type { GroundedRepliesOptions } from './matchers/grounded-replies.js';
export type { MatcherContext, MatcherResult, MatcherUtils } from './matchers/runner.js';
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
}

/** The functions behind {@link TrajectoryMatchers}. A type and no interface: runners want an index signature. */
export type MatcherFunctions = {
  readonly toHaveCalledTool: typeof toHaveCalledTool;
  readonly toHaveCalledTools: typeof toHaveCalledTools;
  readonly toHaveToolScore: typeof toHaveToolScore;
  readonly toHaveValidToolCalls: typeof toHaveValidToolCalls;
  readonly toHaveGroundedReplies: typeof toHaveGroundedReplies;
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
};
