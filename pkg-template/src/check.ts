import * as core from '#glue';
import type { LimitOptions } from './formats.js';
import type { JsonInput } from './input.js';
import { compare, judge } from './judge.js';
import { type AccuracyResult, type CallList, withBreakdown } from './score.js';
import type { ToolsInput } from './tools.js';
import type { CheckOptions, CheckReport, CheckSummary, Gate } from './types.js';

/** How a report is drawn. */
export interface ReportLayout {
  /** Colours and emphasis as ANSI escapes. Default false. */
  readonly color?: boolean;
  /** Columns of the text, at least 40. Default 100. */
  readonly width?: number;
}

/** A result as text for people. */
export interface Report<Result> {
  /** The report, ready to be printed. */
  readonly text: string;
  readonly gate: Gate;
  readonly result: Result;
}

/** What makes the gate of a comparison fail. */
export interface ScoreGateOptions extends LimitOptions {
  /** The least score that passes, 0 to 1. Default: none. */
  readonly minScore?: number;
}

/**
 * Judges every trajectory of an input in any known format and adds up: what `toolgauge check --format json` prints.
 *
 * The gate fails on an issue of `options.failOn` (default `critical`) or worse, and on a mean score under
 * `options.minScore`. Throws as `validateTrajectory` does, and `unknown_format`.
 *
 * @example
 * const report = checkTrajectories(readFileSync('rollouts.json'), readFileSync('tools.json'), { minScore: 0.9 });
 * report.gate; // { passed: false, failures: ['…'] }
 */
export function checkTrajectories(input: JsonInput<object>, tools?: ToolsInput, options?: CheckOptions): CheckReport {
  return judge(core.checkTrajectories, { value: input, name: 'the input' }, tools, options);
}

/**
 * The same as text for people: what `toolgauge check` prints.
 *
 * @example
 * console.log(reportTrajectories(rollouts, tools, { width: 100, color: true }).text);
 */
export function reportTrajectories(
  input: JsonInput<object>,
  tools?: ToolsInput,
  options?: CheckOptions & ReportLayout,
): Report<CheckSummary> {
  return judge(core.reportTrajectories, { value: input, name: 'the input' }, tools, options);
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
  expected: CallList | undefined,
  actual: CallList,
  options?: ScoreGateOptions & ReportLayout,
): Report<AccuracyResult> {
  const { text, gate, result } = compare<Report<AccuracyResult>>(
    core.reportCallLists,
    { value: expected, name: 'the expected calls' },
    { value: actual, name: 'the actual calls' },
    options,
  );
  return { text, gate, result: withBreakdown(result) };
}
