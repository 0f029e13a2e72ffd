import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { compare, read } from './bridge.js';
import { withComparators } from './comparators.js';
import type { Expectations, ExpectedCallInput } from './expectation-types.js';
import type { Comparators } from './expectations.js';
import type { LimitOptions } from './formats.js';
import type { JsonInput, JsonObject, ScoredToolCallInput } from './input.js';
import type { Report, ReportLayout } from './report.js';
import type { ToolsInput } from './tools.js';
import type {
  CorrectCall,
  AccuracyResult as EnumerableAccuracyResult,
  IncorrectCall,
  MissedCall,
  ScoredToolCall,
  ScoreOptions,
  ScoreReport,
  TrajectoryFormat,
} from './types.js';

/** The four lists into which the calls fall. */
export interface AccuracyBreakdown {
  /** Expected calls that were made as expected. */
  readonly correctCalls: CorrectCall[];
  /** Expected calls whose tool was called with other arguments, or in the wrong place. */
  readonly incorrectCalls: IncorrectCall[];
  /** Expected calls that were not made. */
  readonly missedCalls: MissedCall[];
  /** Calls that were made but not expected. */
  readonly extraCalls: ScoredToolCall[];
}

/** How close the actual calls are to the expected ones. */
export interface AccuracyResult extends EnumerableAccuracyResult {
  /** The four lists together. Not enumerable, so that they are printed once. */
  readonly breakdown: AccuracyBreakdown;
}

/** Calls that were made: a list, one trajectory in any known format, or the JSON text or bytes of these. */
export type CallList = JsonInput<readonly ScoredToolCallInput[] | JsonObject>;

/**
 * Calls that should be made: expectations, a list of expected calls, one trajectory in any known format, or the JSON
 * text or bytes of these.
 */
export type ExpectedCalls = JsonInput<Expectations | readonly ExpectedCallInput[] | JsonObject>;

/** How calls are scored. */
export interface ScoringOptions extends LimitOptions, Readonly<Omit<ScoreOptions, 'minScore' | 'limits'>> {
  /**
   * The tools, for `schemaDefaults` and `{ readOnly: true }` in `ignoreTools`. A name or pattern in the expectations that
   * names none of them is a warning. Default: those that the trajectory contains.
   */
  readonly tools?: ToolsInput;
  /** Own functions to compare arguments with, for matchers `{ compare: 'name' }`. */
  readonly comparators?: Comparators;
}

/** How trajectories are read and scored. */
export interface TrajectoryScoringOptions extends ScoringOptions, Pick<ScoreOptions, 'minScore'> {
  /** The format of the input. Default: it is detected. */
  readonly format?: TrajectoryFormat;
  /**
   * The field of a trajectory that names its task, such as `metadata.task_id`. Trajectories of one task are its trials.
   * Default: `task_id`, or else the id.
   */
  readonly taskKey?: string;
}

/** What to compare, and how. */
export interface ScoreInput extends ScoringOptions {
  /** The calls that should have been made. May be left out when `actual` is a trajectory that carries them. */
  readonly expected?: ExpectedCalls;
  /** The calls that were made. */
  readonly actual: CallList;
}

/**
 * Scores how close the actual calls are to the expected ones. Calls that are as expected are paired first, then calls of
 * the same tool; the order of the lists does not matter unless `order` says so.
 *
 * The scores are 0 to 1 with three decimals; 1 when nothing was expected and nothing called. A forbidden call makes the
 * score 0.
 * Throws `invalid_json`, `invalid_input`, `unknown_format`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const { score, missedCalls } = scoreToolCalls({
 *   expected: [{ tool: 'search', args: { q: 'news' } }, { tool: 'fetch', args: { id: 1 } }],
 *   actual: [{ tool: 'search', args: { q: 'news' } }],
 * });
 * score; // 0.667
 * missedCalls.length; // 1
 *
 * @example
 * const { score } = scoreToolCalls({
 *   expected: [{ tool: 'search', args: { q: 'Oslo hotels', limit: 10 } }],
 *   actual: [{ tool: 'search', args: { q: 'oslo hotels' } }],
 *   matchers: { search: { q: 'caseInsensitive', limit: { default: 10 } } },
 * });
 * score; // 1
 */
export function scoreToolCalls(input: ScoreInput): AccuracyResult;
/**
 * The same with `{"expected": […], "actual": […]}` as JSON text or UTF-8 bytes.
 *
 * @example
 * scoreToolCalls('{"expected": [], "actual": []}').score; // 1
 */
export function scoreToolCalls(input: string | Uint8Array, options?: ScoringOptions): AccuracyResult;
export function scoreToolCalls(input: ScoreInput | string | Uint8Array, options?: ScoringOptions): AccuracyResult {
  const lists = readingCaller('the input', () => takeLists(input));
  if (lists !== undefined) return withBreakdown(scoreLists(lists));
  return withBreakdown(
    withComparators(options, (settings, compare) =>
      read(
        (document, chosen) => core.scoreToolCalls(document, chosen, compare),
        { value: input, name: 'the input' },
        settings,
      ),
    ),
  );
}

/**
 * Scores every trajectory of an input in any known format against the calls that it says should have been made: what
 * `toolgauge score --actual <file> --format json` prints. Those that say none are left out, with a warning.
 *
 * The gate fails when the mean score is under `options.minScore`. If several trajectories are trials of one task, `trials`
 * reports how many of them pass: pass@k, pass^k, flaky tasks. Throws as {@link scoreToolCalls} does, and
 * `invalid_input` when no trajectory carries expected calls.
 *
 * @example
 * const { score, trajectories } = scoreTrajectories(readFileSync('rollouts.json'));
 * score; // 0.177
 * trajectories[0]?.accuracy.missedCalls.length; // 0
 */
export function scoreTrajectories(input: JsonInput<JsonObject>, options?: TrajectoryScoringOptions): ScoreReport {
  return withComparators(options, (settings, compare) =>
    read(
      (document, chosen) => core.scoreTrajectories(document, chosen, compare),
      { value: input, name: 'the input' },
      settings,
    ),
  );
}

/**
 * Compares expected and actual calls as text for people: what `toolgauge score` prints. Without `expected`, the
 * trajectory in `actual` must carry the expected calls.
 * The gate fails on a score under `options.minScore`. Throws as `scoreToolCalls` does.
 *
 * @example
 * console.log(reportCallLists(expected, actual, { minScore: 0.8 }).text);
 */
export function reportCallLists(
  expected: ExpectedCalls | undefined,
  actual: CallList,
  options?: ScoringOptions & ScoreOptions & ReportLayout,
): Report<AccuracyResult> {
  const { text, gate, result } = withComparators(options, (settings, compareBy) =>
    compare<Report<AccuracyResult>>(
      (wanted, made, chosen) => core.reportCallLists(wanted, made, chosen, compareBy),
      { value: expected, name: 'the expected calls' },
      { value: actual, name: 'the actual calls' },
      settings,
    ),
  );
  return { text, gate, result: withBreakdown(result) };
}

/**
 * What {@link scoreTrajectories} finds, as text for people: what `toolgauge score --actual <file>` prints.
 *
 * @example
 * console.log(reportTrajectoryScores(readFileSync('rollouts.json'), { minScore: 0.8 }).text);
 */
export function reportTrajectoryScores(
  input: JsonInput<JsonObject>,
  options?: TrajectoryScoringOptions & ReportLayout,
): Report<ScoreReport> {
  return withComparators(options, (settings, compare) =>
    read(
      (document, chosen) => core.reportTrajectoryScores(document, chosen, compare),
      { value: input, name: 'the input' },
      settings,
    ),
  );
}

interface Lists {
  readonly expected: ExpectedCalls | undefined;
  readonly actual: CallList;
  readonly options: ScoringOptions;
}

/** Adds `breakdown` to what the core returns. */
function withBreakdown(result: EnumerableAccuracyResult): AccuracyResult {
  const { correctCalls, incorrectCalls, missedCalls, extraCalls } = result;
  const breakdown: AccuracyBreakdown = { correctCalls, incorrectCalls, missedCalls, extraCalls };
  return Object.defineProperty(result, 'breakdown', { value: breakdown }) as AccuracyResult;
}

/** The parts of an input, each read once; undefined when it is JSON as a whole. */
function takeLists(input: ScoreInput | string | Uint8Array): Lists | undefined {
  if (!isScoreInput(input)) return undefined;
  const { expected, actual, ...options } = input;
  return { expected, actual, options };
}

function scoreLists({ expected, actual, options }: Lists): EnumerableAccuracyResult {
  return withComparators(options, (settings, compareBy) =>
    compare(
      (wanted, made, chosen) => core.scoreCallLists(wanted, made, chosen, compareBy),
      { value: expected, name: 'the expected calls' },
      { value: actual, name: 'the actual calls' },
      settings,
    ),
  );
}

function isScoreInput(input: ScoreInput | string | Uint8Array): input is ScoreInput {
  return typeof input === 'object' && input !== null && 'actual' in input;
}
