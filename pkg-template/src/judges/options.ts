import type { JudgeOptions } from '../types.js';

/** Every option that says how judges are asked. */
const JUDGE_OPTIONS: Record<keyof JudgeOptions, true> = {
  aggregationMethod: true,
  maxConcurrentJudges: true,
  timeout: true,
  maxRetries: true,
  retryDelay: true,
  maxRetryDelay: true,
  batchStatusCheckInterval: true,
  batchMaxIterations: true,
};

/** The options that say how judges are asked, and all others. Those that are undefined are in neither. */
export function partJudgeOptions<Options extends JudgeOptions>(
  options: Options,
): [JudgeOptions, Omit<Options, keyof JudgeOptions>] {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const isForJudges = ([name]: [string, unknown]) => Object.hasOwn(JUDGE_OPTIONS, name);
  return [
    Object.fromEntries(entries.filter(isForJudges)),
    Object.fromEntries(entries.filter(entry => !isForJudges(entry))) as Omit<Options, keyof JudgeOptions>,
  ];
}
