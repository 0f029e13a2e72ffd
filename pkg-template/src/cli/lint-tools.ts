import { extname } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type FailOn,
  LINT_PROVIDERS,
  type LintProvider,
  type LintResult,
  type Report,
  reportToolLint,
} from 'toolgauge';
import { LINT_FORMATS } from '../values.js';
import { describe, Failure, reading, remedyFor } from './failure.js';
import { readWhole } from './files.js';
import { notes } from './help.js';
import { findInputs, type Input } from './inputs.js';
import { allowEmptyOption, failOnOption, type Outcome, toJson, type Verdict } from './options.js';
import { forTools } from './remedies.js';
import { layout } from './terminal.js';

type LintFormat = (typeof LINT_FORMATS)[number];

interface LintCommandOptions {
  readonly format: LintFormat;
  readonly failOn: FailOn;
  readonly provider?: LintProvider;
  readonly allowEmpty?: true;
}

/** A file that was linted. */
interface Linted extends Report<LintResult> {
  readonly source: string;
}

const EXAMPLES = `
Inputs:
  Tool definitions in any known format, one on each line too; servers with their tools; requests, rows and logs that
  hold them.
  Folders are read with all their .json, .jsonl, .ndjson and .traj files.
  Unreadable files and lines are reported and skipped; the exit code is then 2.

Providers:
  Without --provider, definitions in the format of a provider are held to its rules, and others (MCP, AI SDK, tools by
  name) to what at least two of the providers reject.

Examples:
  $ toolgauge lint-tools tools.json
  $ toolgauge lint-tools 'servers/*.tools.json' --provider all --fail-on medium
  $ producer | toolgauge lint-tools - --format json
`;

/** Adds `toolgauge lint-tools`. */
export function addLintTools(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('lint-tools')
    .summary('report what in tool definitions makes models misuse tools')
    .description('Finds what in tool definitions makes models misuse tools, and what providers reject.')
    .argument('[inputs...]', 'tool definitions in any known format: files, folders, globs; - for standard input')
    .addOption(new Option('--format <format>', 'what to print').choices(LINT_FORMATS).default('pretty'))
    .addOption(failOnOption())
    .addOption(new Option('--provider <name>', 'whose rules count').choices(LINT_PROVIDERS))
    .addOption(allowEmptyOption())
    .addHelpText('after', notes(EXAMPLES))
    .action(async (paths: string[], options: LintCommandOptions) => finish(await lintAll(paths, options)));
}

async function lintAll(paths: readonly string[], options: LintCommandOptions): Promise<Outcome> {
  const linted: Linted[] = [];
  let isUnread = false;
  const found = await findInputs(paths);
  // An Inspect log that was only found in a folder holds no definitions.
  const inputs = found.filter(({ name }) => paths.includes(name) || extname(name) !== '.eval');
  for (const input of inputs) {
    try {
      const found = await lint(input, options);
      linted.push(found);
      for (const error of found.result.errors ?? []) {
        process.stderr.write(describe(new Failure(`${found.source}: ${error.message}`, remedyFor(error, forTools))));
        isUnread = true;
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      process.stderr.write(describe(error));
      isUnread = true;
    }
  }
  return { output: print(linted, options.format), verdict: isUnread ? 'unread' : verdictOf(linted) };
}

async function lint(input: Input, { provider, failOn, allowEmpty, format }: LintCommandOptions): Promise<Linted> {
  const source = await readWhole(input);
  const asked = provider === undefined ? {} : { provider };
  const report = reading(source, forTools, () =>
    reportToolLint(source.bytes, { ...asked, ...layout(), failOn, source: source.name, as: format }),
  );
  if (report.result.tools === 0 && !allowEmpty) {
    throw new Failure(`${source.name}: it holds no tools`, 'check the path, or let that pass with --allow-empty');
  }
  return { source: source.name, ...report };
}

function verdictOf(linted: readonly Linted[]): Verdict {
  return linted.every(({ gate }) => gate.passed) ? 'passed' : 'failed';
}

/** Nothing was read when there is no result: then nothing is printed for people. */
function print(linted: readonly Linted[], format: LintFormat): string {
  const results = linted.map(({ source, result, gate }) => ({ source, ...result, gate }));
  if (format === 'json') return `${toJson({ results, passed: verdictOf(linted) === 'passed' })}\n`;
  if (format === 'jsonl') return results.map(result => `${JSON.stringify(result)}\n`).join('');
  return format === 'sarif' ? inOneLog(linted) : linted.map(({ text }) => text).join('\n');
}

/** The logs of several files as one, with all results in one run: code scanning takes no more. */
function inOneLog(linted: readonly Linted[]): string {
  const logs = linted.map(({ text }) => JSON.parse(text));
  const [first] = logs;
  if (first === undefined) return '';
  const [run] = first.runs;
  const results = logs.flatMap(({ runs: [{ results }] }) => results);
  const properties = linted.length === 1 ? run.properties : { passed: verdictOf(linted) === 'passed' };
  return `${toJson({ ...first, runs: [{ ...run, results, properties }] })}\n`;
}
