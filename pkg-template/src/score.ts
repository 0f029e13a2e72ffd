import * as core from '#glue';
import type { LimitOptions } from './formats.js';
import type { JsonInput, ScoredToolCallInput } from './input.js';
import { compare, read } from './judge.js';
import type {
  CorrectCall,
  AccuracyResult as EnumerableAccuracyResult,
  IncorrectCall,
  MissedCall,
  ScoredToolCall,
} from './types.js';

/** The four lists into which the calls fall. */
export interface AccuracyBreakdown {
  readonly correctCalls: CorrectCall[];
  readonly incorrectCalls: IncorrectCall[];
  readonly missedCalls: MissedCall[];
  readonly extraCalls: ScoredToolCall[];
}

/** How close the actual calls are to the expected ones. */
export interface AccuracyResult extends EnumerableAccuracyResult {
  /** The four lists together. Not enumerable, so that they are printed once. */
  readonly breakdown: AccuracyBreakdown;
}

/** Calls to compare: a list, one trajectory in any known format, or the JSON text or bytes of these. */
export type CallList = JsonInput<readonly ScoredToolCallInput[] | object>;

/** What to compare, and how. */
export interface ScoreInput extends LimitOptions {
  /** The calls that should have been made. May be left out when `actual` is a trajectory that carries them. */
  readonly expected?: CallList;
  /** The calls that were made. */
  readonly actual: CallList;
}

/**
 * Scores how close the actual calls are to the expected ones. Identical calls are paired first, then calls of the same
 * tool; the order of the lists does not matter.
 *
 * The scores are 0 to 1 with three decimals; 1 when nothing was expected and nothing called.
 * Throws `invalid_json`, `invalid_input`, `unknown_format`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const { score, missedCalls } = scoreToolCalls({
 *   expected: [{ tool: 'search', args: { q: 'news' } }, { tool: 'fetch', args: { id: 1 } }],
 *   actual: [{ tool: 'search', args: { q: 'news' } }],
 * });
 * score; // 0.667
 * missedCalls.length; // 1
 */
export function scoreToolCalls(input: ScoreInput): AccuracyResult;
/**
 * The same with `{"expected": […], "actual": […]}` as JSON text or UTF-8 bytes.
 *
 * @example
 * scoreToolCalls('{"expected": [], "actual": []}').score; // 1
 */
export function scoreToolCalls(input: string | Uint8Array, options?: LimitOptions): AccuracyResult;
export function scoreToolCalls(input: ScoreInput | string | Uint8Array, options?: LimitOptions): AccuracyResult {
  if (isScoreInput(input)) return withBreakdown(scoreLists(input));
  return withBreakdown(read(core.scoreToolCalls, { value: input, name: 'the input' }, options));
}

/** Adds `breakdown` to what the core returns. */
export function withBreakdown(result: EnumerableAccuracyResult): AccuracyResult {
  const { correctCalls, incorrectCalls, missedCalls, extraCalls } = result;
  const breakdown: AccuracyBreakdown = { correctCalls, incorrectCalls, missedCalls, extraCalls };
  return Object.defineProperty(result, 'breakdown', { value: breakdown }) as AccuracyResult;
}

function scoreLists({ expected, actual, ...options }: ScoreInput): EnumerableAccuracyResult {
  return compare(
    core.scoreCallLists,
    { value: expected, name: 'the expected calls' },
    { value: actual, name: 'the actual calls' },
    options,
  );
}

function isScoreInput(input: ScoreInput | string | Uint8Array): input is ScoreInput {
  return typeof input === 'object' && input !== null && 'actual' in input;
}
