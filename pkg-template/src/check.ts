import * as core from '#glue';
import { checkByTools } from './bridge.js';
import type { JsonInput, JsonObject } from './input.js';
import type { Report, ReportLayout } from './report.js';
import type { ToolsInput } from './tools.js';
import type { CheckOptions, CheckReport, CheckSummary, ReportFormat } from './types.js';

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
export function checkTrajectories(
  input: JsonInput<JsonObject>,
  tools?: ToolsInput,
  options?: CheckOptions,
): CheckReport {
  return checkByTools(core.checkTrajectories, { value: input, name: 'the input' }, tools, options);
}

/** How the report of a check is written. */
export interface CheckReportOptions extends ReportLayout {
  /** The format. Default `pretty`: text for people, in `color` and `width`. */
  readonly as?: ReportFormat;
  /** The name of the input's file, from the root of the repository: where reports for programs and pages say that issues are. */
  readonly source?: string;
}

/**
 * The same as a report: text for people, what `toolgauge check` prints, or JUnit XML, SARIF, annotations of GitHub
 * Actions, Markdown, or one HTML page.
 *
 * @example
 * console.log(reportTrajectories(rollouts, tools, { width: 100, color: true }).text);
 * writeFileSync('toolgauge.xml', reportTrajectories(rollouts, tools, { as: 'junit', source: 'rollouts.json' }).text);
 */
export function reportTrajectories(
  input: JsonInput<JsonObject>,
  tools?: ToolsInput,
  options?: CheckOptions & CheckReportOptions,
): Report<CheckSummary> {
  return checkByTools(core.reportTrajectories, { value: input, name: 'the input' }, tools, options);
}
