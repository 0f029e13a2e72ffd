// Adds the matchers to the expect of Bun's test runner. Import it in a test, or preload it: see bunfig.toml.
import { expect } from 'bun:test';
import { type MatcherContext, type MatcherFunctions, matchers, type TrajectoryMatchers } from 'toolgauge/matchers';

export type { TrajectoryMatchers } from 'toolgauge/matchers';

/**
 * The `this` of Bun, but only with `stringify` of its `utils`: the others put texts in quotes instead of colouring them.
 * There is no hint, because Bun itself says above every message how the matcher was called.
 */
function inBun(context: MatcherContext): MatcherContext {
  const { isNot, promise, utils } = context;
  return {
    isNot,
    promise,
    equals: (actual, expected) => context.equals?.(actual, expected) === true,
    // The function of Bun needs its object as `this`.
    utils: { stringify: value => utils?.stringify?.(value) ?? String(value), matcherHint: () => '' },
  };
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
  toHaveHonestReplies(this: MatcherContext, ...given: Given<'toHaveHonestReplies'>) {
    return matchers.toHaveHonestReplies.apply(inBun(this), given);
  },
  toHaveNoLoops(this: MatcherContext, ...given: Given<'toHaveNoLoops'>) {
    return matchers.toHaveNoLoops.apply(inBun(this), given);
  },
  toPassTrials(this: MatcherContext, ...given: Given<'toPassTrials'>) {
    return matchers.toPassTrials.apply(inBun(this), given);
  },
} satisfies Record<keyof MatcherFunctions, unknown>);

type Given<Name extends keyof MatcherFunctions> = Parameters<MatcherFunctions[Name]>;

declare module 'bun:test' {
  interface Matchers<T> extends TrajectoryMatchers<void> {}
  interface AsymmetricMatchers extends TrajectoryMatchers<void> {}
}
