import * as core from '#glue';
import { read } from './bridge.js';
import type { Expectations } from './expectation-types.js';
import type { LimitOptions } from './formats.js';
import type { JsonInput, JsonObject, ScoredToolCallInput } from './input.js';
import type { ExpectationFormat, Imported } from './types.js';

/** Where a comparator is asked. */
export interface ComparedPlace {
  /** The tool's name. */
  readonly tool: string;
  /** The path of the compared value, such as `args.query`. */
  readonly path: string;
}

/** Says whether `actual` is as good as `expected`, which is undefined where nothing is expected. Must answer at once. */
export type Comparator = (expected: unknown, actual: unknown, place: ComparedPlace) => boolean;

/** Own functions to compare arguments with, by the name that matchers know them by: `{ compare: 'name' }`. */
export type Comparators = { readonly [name: string]: Comparator };

/**
 * Reads expected calls as other projects write them down: an answer of the Berkeley Function Calling Leaderboard, whose
 * acceptable values become matchers; a trajectory that carries its expected calls; a list of calls.
 *
 * Throws `invalid_json`, `invalid_input`, `unknown_format`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * importExpectations({ ground_truth: [{ area: { base: [10], unit: ['cm', 'm'] } }] }).value;
 * // { calls: [{ tool: 'area', args: { base: 10 }, matchers: { unit: { oneOf: ['cm', 'm'] } } }] }
 */
export function importExpectations(
  input: JsonInput<readonly ScoredToolCallInput[] | JsonObject>,
  options?: LimitOptions,
): Imported<Expectations, ExpectationFormat> {
  return read(core.importExpectations, { value: input, name: 'the input' }, options);
}
