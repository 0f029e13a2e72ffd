import {
  type AccuracyResult,
  type Comparators,
  type LimitOptions,
  type Occurrence,
  type PathMatchers,
  type ScoredToolCall,
  scoreToolCalls,
} from 'toolgauge';
import { counted } from '../texts.js';
import { plainExpectations } from './asymmetric.js';
import { callLine, incorrectLines } from './calls.js';
import { matcherHint } from './hints.js';
import { listed, message, type Paint, paintOf, shown } from './message.js';
import { takeReceived } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** The most times that a call can be expected. */
const MOST_TIMES = 10_000;

/** How a call is looked for. */
export interface CalledToolOptions extends LimitOptions {
  /** How the arguments are compared: `'superset'`, `{ 'filters.lang': 'caseInsensitive' }`. Default: equal. */
  readonly matchers?: PathMatchers;
  /** How often it must have been made: exactly so often, or from `min` to `max`. Default: at least once. */
  readonly times?: Occurrence['times'];
  /** Own functions to compare arguments with, for matchers `{ compare: 'name' }`. */
  readonly comparators?: Comparators;
}

/** See {@link TrajectoryMatchers.toHaveCalledTool}. */
export function toHaveCalledTool(
  this: MatcherContext,
  received: unknown,
  tool: string,
  args?: unknown,
  options: CalledToolOptions = {},
): MatcherResult {
  const { times, matchers, ...scoring } = options;
  const anyCalls = { calls: [{ tool, matchers: 'ignore', optional: true, times: {} }] } as const;
  const { correctCalls, extraCalls } = scoreToolCalls({
    ...scoring,
    expected: anyCalls,
    actual: takeReceived(received),
  });
  const calls = correctCalls.map(({ actual }) => actual);
  const compared = compareEach(this, { tool, args, matchers }, calls, scoring);
  const range = rangeOf(times);
  const found = compared.correctCalls.length;
  const pass = isInside(found, range);
  const asked = args === undefined && matchers === undefined ? '' : ' as expected';
  const sentence = pass
    ? `${shown(tool)} was called${asked} ${often(found)}; expected it not to be.`
    : failure({ tool, asked, range, found, calls, others: extraCalls });
  const expected = args === undefined ? shown(tool) : `${shown(tool)}, args`;
  const isTooOften = pass || found > range.max;
  const hint = (): string | undefined => {
    if (isTooOften || args === undefined || matchers !== undefined) return undefined;
    return matcherHint(
      name => `{ matchers: '${name}' }`,
      name => isInside(compareEach(this, { tool, args, matchers: name }, calls, scoring).correctCalls.length, range),
    );
  };
  const called = { matcher: 'toHaveCalledTool', expected };
  return {
    pass,
    message: () => message(this, called, sentence, lines(compared, isTooOften, paintOf(this)), hint()),
  };
}

/** The calls that are as expected and, if there are too few of them, the others with their differences. */
function lines({ correctCalls, incorrectCalls }: AccuracyResult, isTooOften: boolean, paint: Paint): string[] {
  const [tone, mark] = isTooOften ? [paint.wrong, '✖ made'] : [paint.right, '✔ made'];
  const made = correctCalls.map(({ actual }) => callLine(tone, mark, actual));
  return isTooOften ? made : [...made, ...incorrectCalls.flatMap(call => incorrectLines(call, paint))];
}

/** Compares each of these calls of one tool with the expected call. */
function compareEach(
  context: MatcherContext,
  { tool, args, matchers }: { tool: string; args: unknown; matchers: PathMatchers | undefined },
  calls: readonly ScoredToolCall[],
  scoring: Omit<CalledToolOptions, 'matchers' | 'times'>,
): AccuracyResult {
  const ofOne = args === undefined ? { tool, matchers: ignoringOthers(matchers) } : { tool, args, matchers };
  const times = { min: Math.min(calls.length, MOST_TIMES) };
  const { expected, options } = plainExpectations(context, { calls: [{ ...ofOne, times }] }, scoring);
  return scoreToolCalls({ ...options, expected, actual: calls });
}

/** Matchers for some arguments, so that the others may be anything. */
function ignoringOthers(matchers: PathMatchers | undefined): PathMatchers {
  return typeof matchers === 'object' ? { '': 'ignore', ...matchers } : 'ignore';
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function isInside(count: number, { min, max }: Range): boolean {
  return count >= min && count <= max;
}

function rangeOf(times: Occurrence['times']): Range {
  if (typeof times === 'number') return { min: times, max: times };
  return { min: times?.min ?? 1, max: times?.max ?? Number.POSITIVE_INFINITY };
}

interface Failure {
  readonly tool: string;
  readonly asked: string;
  readonly range: Range;
  readonly found: number;
  readonly calls: readonly ScoredToolCall[];
  readonly others: readonly ScoredToolCall[];
}

function failure({ tool, asked, range, found, calls, others }: Failure): string {
  const name = shown(tool);
  const isOrdinary = range.min === 1 && range.max === Number.POSITIVE_INFINITY;
  const wanted = isOrdinary ? '' : ` Expected: ${inWords(range)}.`;
  if (calls.length === 0) {
    const instead =
      others.length === 0 ? 'No tools were called.' : `Called instead: ${listed(others.map(call => call.tool))}.`;
    return `${name} was not called. ${instead}${wanted}`;
  }
  if (found === 0) return `${name} was called ${often(calls.length)}, but never${asked}.${wanted}`;
  return `${name} was called${asked} ${often(found)}.${wanted}`;
}

function inWords({ min, max }: Range): string {
  if (min === max) return often(min);
  if (max === Number.POSITIVE_INFINITY) return `at least ${often(min)}`;
  return min === 0 ? `at most ${often(max)}` : `${min} to ${often(max)}`;
}

function often(count: number): string {
  return count === 1 ? 'once' : counted(count, 'time');
}
