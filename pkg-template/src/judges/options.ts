import * as core from '#glue';
import { valueToPayload } from '../boundary/json.js';
import { answer } from '../bridge.js';
import type { JudgeOptions } from '../types.js';

/** The names of all members of `Options`. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/** Every option that says how judges are asked. */
export const JUDGE_OPTIONS: NamesOf<JudgeOptions> = {
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

/**
 * Throws `invalid_option` for the first of `options` that is not `known`, and suggests the one that is most similar.
 * Options that are undefined are as good as absent.
 */
export function refuseUnknown(options: object, known: Readonly<Record<string, true>>): void {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : name));
  if (given.every(name => Object.hasOwn(known, name))) return;
  const payloads = [valueToPayload(given, 'the options'), valueToPayload(Object.keys(known), 'the options')] as const;
  answer(core.onlyKnownOptions, payloads, undefined);
}
