import * as core from '#glue';
import { read } from './bridge.js';
import type { Report, ReportLayout } from './report.js';
import { toPlainDefinitions } from './tool-definitions.js';
import type { ToolsInput } from './tools.js';
import type { FailOn, LintOptions, LintResult } from './types.js';
import type { LINT_FORMATS } from './values.js';

/**
 * Finds what makes models misuse tools, and what providers reject: invalid or contradictory schemas, required names that
 * are no properties, missing descriptions, names that are taken for one another.
 *
 * Takes tools as {@link compileTools} does, also requests that hold them, and logs that carry them. Schemas that don't
 * compile are issues here, and no errors; definitions that can't be read are `errors` of the result. Throws `invalid_json`, `unknown_format`, `invalid_input`, `limit_exceeded`.
 *
 * @example
 * const { issues } = lintTools([{ name: 'get_user', input_schema: { type: 'object', required: ['id'] } }]);
 * issues.map(issue => issue.type); // ['missing_description', 'required_not_property']
 */
export function lintTools(tools: ToolsInput, options?: LintOptions): LintResult {
  return read(core.lintTools, subject(tools), options);
}

/** How the report of linted tools is written, and what fails. */
export interface LintReportOptions extends LintOptions, ReportLayout {
  /** The least severity that fails, or `never`. Default `high`. */
  readonly failOn?: FailOn;
  /** The name of the file that holds the definitions, for the first line. */
  readonly source?: string;
  /** The format of the text: `sarif` is SARIF 2.1.0, all others are text for people. Default `pretty`. */
  readonly as?: (typeof LINT_FORMATS)[number];
}

/**
 * The same as text for people, with a gate: what `toolgauge lint-tools` prints.
 *
 * @example
 * console.log(reportToolLint(readFileSync('tools.json'), { source: 'tools.json', color: true }).text);
 */
export function reportToolLint(tools: ToolsInput, options?: LintReportOptions): Report<LintResult> {
  return read(core.reportToolLint, subject(tools), options);
}

function subject(tools: ToolsInput): { value: unknown; name: string } {
  return { value: toPlainDefinitions(tools), name: 'the tool definitions' };
}
