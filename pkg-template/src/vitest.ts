// Adds the matchers to Vitest's expect. Put it among the `setupFiles`, or import it in a test.
import { matchers, type TrajectoryMatchers } from 'toolgauge/matchers';
import { expect } from 'vitest';

export type { TrajectoryMatchers } from 'toolgauge/matchers';

expect.extend(matchers);

declare module 'vitest' {
  // The runner's own type has this parameter, and declarations of one interface must agree in theirs.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  interface Matchers<T = any> extends TrajectoryMatchers {}
}
