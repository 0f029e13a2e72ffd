import * as core from '#glue';
import type { LimitOptions } from './formats.js';
import type { Extensible, JsonInput, JsonObject, ScoredToolCallInput } from './input.js';
import { read } from './judge.js';
import type { CallOrder, ExpectationFormat, Imported } from './types.js';

/** The types of JSON values, as JSON Schema names them. */
export type JsonTypeName = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

/**
 * A matcher that takes no value.
 *
 * - `exact`: equal, as JSON Schema has it: 1 and 1.0 are, 5 and "5" are not. The default.
 * - `ignore`: anything, and nothing at all.
 * - `subset`: objects may lack expected members; `superset`: they may have more. Both reach nested objects.
 * - `contains`: a text or array that contains the expected text, item or items.
 * - `caseInsensitive`: texts are equal but for case.
 * - `date`: texts name the same date, time or both, however written.
 * - `unordered`: arrays hold the same items in any order.
 * - `type`: a value of the expected one's JSON type.
 */
export type MatcherName =
  | 'exact'
  | 'ignore'
  | 'subset'
  | 'superset'
  | 'contains'
  | 'caseInsensitive'
  | 'date'
  | 'unordered'
  | 'type';

/** What may be said of an argument beside how it is compared. */
export interface MatcherPresence {
  /** Whether the argument may be left out, or be null. Default false. */
  readonly optional?: boolean;
  /** The value that the argument has when it is left out, in the expected call or in the one that was made. */
  readonly default?: unknown;
  /** What is asked for in your own words, for messages: `expected a record locator, got "x"`. */
  readonly label?: string;
}

/** The matchers, of which one argument has one at most. */
export interface Matchers {
  /** One that takes no value, by its name. */
  readonly match: MatcherName;
  /** One of these values, or the expected one where there is one. */
  readonly oneOf: readonly unknown[];
  /** A text in which this pattern is found: ECMAScript syntax, as in JSON Schema's `pattern`. */
  readonly regex: string;
  /** A text that contains this text, or an array that contains this item, or all items of this array. */
  readonly contains: unknown;
  /** A number that differs from the expected one by at most this, or by this share of it. */
  readonly tolerance: number | { readonly absolute?: number; readonly relative?: number };
  /** A value of this JSON type, or one of these. */
  readonly type: JsonTypeName | readonly JsonTypeName[];
  /** A value that this JSON Schema accepts. */
  readonly schema: object | boolean;
  /** A value that the comparator of this name accepts, see {@link Comparators}. */
  readonly compare: string;
}

type NoMatcherBut<Kind extends keyof Matchers> = { readonly [Other in Exclude<keyof Matchers, Kind>]?: never };

type OneMatcher = { [Kind in keyof Matchers]: Pick<Matchers, Kind> & NoMatcherBut<Kind> }[keyof Matchers];

/** How one argument is compared: one matcher at most, and whether it must be there. */
export type Matcher = MatcherName | 'optional' | (MatcherPresence & (OneMatcher | NoMatcherBut<never>));

/**
 * Matchers by path inside the arguments: `limit`, `filters.tags[*]`, `items[0].id`, `*.note`, `headers["x.y"]`; `""`
 * is all of them. Of those that fit one place the last counts. The name of a matcher alone is for all arguments.
 */
export type PathMatchers = MatcherName | 'optional' | { readonly [path: string]: Matcher };

/** Matchers by the tool that they are for; `*` is for all tools. */
export type ToolMatchers = { readonly [tool: string]: PathMatchers };

/** A call with what is said of its arguments. */
export type CallPatternInput = Extensible<{
  /** The tool's name. It matches across MCP prefixes (`mcp__server__tool`, `tool`) where that is unambiguous. */
  readonly tool: string;
  /** The expected arguments. Default: none. */
  readonly args?: unknown;
  /** How they are compared; these count after those of the tool. */
  readonly matchers?: PathMatchers;
  readonly anyOf?: never;
}>;

/** The name of a tool, for a call with whatever arguments; or a call of which it can't be said how often it is made. */
export type CallAloneInput = string | (CallPatternInput & { readonly optional?: never; readonly times?: never });

/** Alternatives of which each will do. */
export interface CallAlternatives {
  /** At least one. */
  readonly anyOf: readonly CallAloneInput[];
  readonly tool?: never;
  readonly args?: never;
  readonly matchers?: never;
}

/** How often an expected call is made. */
export interface Occurrence {
  /** Whether it may be left out. Default false. */
  readonly optional?: boolean;
  /** How often: exactly so often, or from `min` (default 1) to `max` (default: without end). Default once. */
  readonly times?: number | { readonly min?: number; readonly max?: number };
}

/** A call that should be made: the name of a tool for a call with whatever arguments, a call, or alternatives. */
export type ExpectedCallInput = string | ((CallPatternInput | CallAlternatives) & Occurrence);

/** A call that must not be made: the name of a tool, or a call; without `args` with whatever arguments. */
export type ForbiddenCallInput = CallAloneInput;

/**
 * What should be called and what must not be, all JSON: what an expectation file holds. Its JSON Schema is
 * `toolgauge/expectations.schema.json`.
 */
export interface Expectations {
  /** Where that schema is, for editors. */
  readonly $schema?: string;
  /** The calls that should be made. */
  readonly calls: readonly ExpectedCallInput[];
  /** The calls that must not be made; one that is makes the score 0. */
  readonly forbidden?: readonly ForbiddenCallInput[];
  /** Whether the order counts. Default `any`. */
  readonly order?: CallOrder;
  /** How arguments are compared, by tool and path. */
  readonly matchers?: ToolMatchers;
}

/** Where a comparator is asked. */
export interface ComparedPlace {
  readonly tool: string;
  /** Such as `args.query`. */
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
