import * as core from '#glue';
import type { JsonInput } from './input.js';
import { judge } from './judge.js';
import type { Report, ReportLayout } from './report.js';
import type { ToolsInput } from './tools.js';
import type { CheckOptions, CheckReport, CheckSummary } from './types.js';

/**
 * Judges every trajectory of an input in any known format and adds up: what `toolgauge check --format json` prints.
 *
 * The gate fails on an issue of `options.failOn` (default `high`) or worse, and on a mean score under
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
