// Adds the matchers to Jest's expect. Put it among the `setupFilesAfterEnv`, or import it in a test.
import { expect } from '@jest/globals';
import { matchers, type TrajectoryMatchers } from 'toolgauge/matchers';

export type { TrajectoryMatchers } from 'toolgauge/matchers';

expect.extend(matchers);

/** For `expect` from `@jest/globals`. */
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends TrajectoryMatchers<R> {}
  interface AsymmetricMatchers extends TrajectoryMatchers {}
}

declare global {
  /** For the global `expect` of `@types/jest`. */
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: as those types have it
    interface Matchers<R, T = {}> extends TrajectoryMatchers<R> {}
    interface Expect extends TrajectoryMatchers {}
    interface InverseAsymmetricMatchers extends TrajectoryMatchers {}
  }
}
