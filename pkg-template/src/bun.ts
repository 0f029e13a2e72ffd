// Adds the matchers to the expect of Bun's test runner. Import it in a test, or preload it: see bunfig.toml.
import { expect } from 'bun:test';
import { type MatcherContext, type MatcherFunctions, matchers, type TrajectoryMatchers } from 'toolgauge/matchers';

export type { TrajectoryMatchers } from 'toolgauge/matchers';

/** What Bun gives as `this`, without its `utils`: those quote what they should colour, and print values instead of a hint. */
function inBun(context: MatcherContext): MatcherContext {
  const { isNot, promise } = context;
  return {
    isNot,
    promise,
    equals: (actual, expected) => context.equals?.(actual, expected) === true,
    utils: { stringify },
  };
}

/** What Bun calls an asymmetric matcher: `ExpectAny`. */
function stringify(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

// Bun shows the name of each function.
expect.extend({
  toHaveCalledTool(this: MatcherContext, ...given: Given<'toHaveCalledTool'>) {
    return matchers.toHaveCalledTool.apply(inBun(this), given);
  },
  toHaveCalledTools(this: MatcherContext, ...given: Given<'toHaveCalledTools'>) {
    return matchers.toHaveCalledTools.apply(inBun(this), given);
  },
  toHaveToolScore(this: MatcherContext, ...given: Given<'toHaveToolScore'>) {
    return matchers.toHaveToolScore.apply(inBun(this), given);
  },
  toHaveValidToolCalls(this: MatcherContext, ...given: Given<'toHaveValidToolCalls'>) {
    return matchers.toHaveValidToolCalls.apply(inBun(this), given);
  },
  toHaveGroundedReplies(this: MatcherContext, ...given: Given<'toHaveGroundedReplies'>) {
    return matchers.toHaveGroundedReplies.apply(inBun(this), given);
  },
} satisfies Record<keyof MatcherFunctions, unknown>);

type Given<Name extends keyof MatcherFunctions> = Parameters<MatcherFunctions[Name]>;

declare module 'bun:test' {
  interface Matchers<T> extends TrajectoryMatchers<void> {}
  interface AsymmetricMatchers extends TrajectoryMatchers<void> {}
}
