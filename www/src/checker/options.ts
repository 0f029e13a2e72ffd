import type { CheckOptions } from 'toolgauge';
import type { Options } from './protocol.ts';

/** The options for reading the trajectory. */
export function readingOf({ format }: Options): Pick<CheckOptions, 'format'> {
  return format === 'auto' ? {} : { format };
}

/** The options of the page as the package takes them. */
export function checkOptions(options: Options): CheckOptions {
  const { strict, allowUnknownTools, hallucinationThreshold, failOn, minScore, rules, taskKey } = options;
  return {
    ...readingOf(options),
    strict,
    allowUnknownTools,
    hallucinationThreshold,
    failOn,
    ...(minScore > 0 && { minScore }),
    rules,
    ...(taskKey !== '' && { taskKey }),
  };
}
