import { InvalidArgumentError, Option } from 'commander';
import {
  FAIL_ON,
  type FailOn,
  type Gate,
  type GateOptions,
  type IgnoredFinding,
  REPORT_FORMATS,
  RULE_LEVELS,
  TRAJECTORY_FORMATS,
} from 'toolgauge';
import type { ReportTarget } from './reports.js';

/** What the commands have in common. */
export interface CommonOptions {
  readonly format: 'pretty' | 'json';
  readonly minScore?: number;
}

/** The outcome that the exit code reports. */
export type Verdict = 'passed' | 'failed' | 'unread';

/** What a command decided: what is left to print, and the verdict behind the exit code. */
export interface Outcome {
  readonly output: string;
  readonly verdict: Verdict;
}

/** `--format` */
export function formatOption(): Option {
  return new Option('--format <format>', 'what to print').choices(['pretty', 'json']).default('pretty');
}

/** `--min-score` */
export function minScoreOption(): Option {
  return new Option('--min-score <score>', 'fail if the score is below this, 0 to 1').argParser(parseScore);
}

/** `--min-pass-rate` */
export function minPassRateOption(): Option {
  return new Option(
    '--min-pass-rate <score>',
    'fail if a smaller share of trajectories passes, 0 to 1; then no single one fails the gate',
  ).argParser(parseScore);
}

/** `--min-pass-hat` */
export function minPassHatOption(): Option {
  return new Option(
    '--min-pass-hat <k=rate>',
    'fail if pass^k, the chance that k trials of a task all pass, is below this; repeatable',
  ).argParser(collectPassHat);
}

/** `--task-key` */
export function taskKeyOption(): Option {
  return new Option(
    '--task-key <field>',
    'the field that names the task of a trajectory, such as metadata.task_id (default: task_id, or else the id)',
  );
}

/** `--hallucination-threshold` */
export function hallucinationThresholdOption(): Option {
  return new Option(
    '--hallucination-threshold <score>',
    'report unsupported facts with a confidence above this, 0 to 1 (default: 0.3)',
  ).argParser(parseScore);
}

/** `--fail-on` */
export function failOnOption(): Option {
  return new Option('--fail-on <severity>', 'fail on an issue of this severity or worse')
    .choices(FAIL_ON)
    .default('high');
}

/** `--rule` */
export function ruleOption(): Option {
  const levels = RULE_LEVELS.join(', ');
  return new Option('--rule <type=severity>', `set the severity of a type of issue: ${levels}; repeatable`).argParser(
    collectRule,
  );
}

/** `--ignore` */
export function ignoreOption(): Option {
  return new Option(
    '--ignore <finding>',
    'ignore findings: type=…,tool=…,path=…,trajectory=…,reason=…; * matches any text; repeatable',
  ).argParser(collectIgnored);
}

/** `--allow-empty` */
export function allowEmptyOption(): Option {
  return new Option('--allow-empty', 'pass if no tool is called, or an input is empty');
}

/** `--allow-errors` */
export function allowErrorsOption(): Option {
  return new Option('--allow-errors', 'pass even if something could not be read');
}

/** `--lines` */
export function linesOption(): Option {
  return new Option('--lines', 'read every input as one document per line, whatever its name');
}

/** `--input-format` */
export function inputFormatOption(flags = '--input-format <format>'): Option {
  const option = new Option(flags, 'read trajectories in this format instead of detecting it');
  return option.choices(TRAJECTORY_FORMATS);
}

/** How many trajectories have to pass, as the command line says it. */
export interface PassFlags {
  readonly minPassRate?: number;
  readonly minPassHat?: Readonly<Record<string, number>>;
}

/** How many trajectories have to pass, as the core takes it. */
export function passOptions({ minPassRate, minPassHat }: PassFlags): Pick<GateOptions, 'minPassRate' | 'minPassHat'> {
  return { ...(minPassRate !== undefined && { minPassRate }), ...(minPassHat !== undefined && { minPassHat }) };
}

/** The options of the gate, as the command line gives them. */
export interface GateFlags extends PassFlags {
  readonly minScore?: number;
  readonly failOn: FailOn;
  readonly allowEmpty?: true;
  readonly allowErrors?: true;
}

/** The options of the gate, as the core takes them. */
export function gateOptions({ minScore, failOn, allowEmpty, allowErrors, ...pass }: GateFlags): GateOptions {
  const score = minScore === undefined ? {} : { minScore };
  return { failOn, allowEmpty: allowEmpty === true, allowErrors: allowErrors === true, ...score, ...passOptions(pass) };
}

/** `--report` */
export function reportOption(): Option {
  return new Option('--report <format=file>', `write a further report: ${REPORT_FORMATS.join(', ')}; repeatable`)
    .argParser(collectReport)
    .default([], 'none');
}

/** `--watch` */
export function watchOption(): Option {
  return new Option('--watch', 'run again whenever a file changes, and say what is new and what is gone');
}

/** `--jobs` */
export function jobsOption(): Option {
  return new Option('--jobs <count>', 'the number of threads, 1 to 64').argParser(parseJobs).default(1);
}

/** Prints `output`, with a line end, and lets the gate decide. */
export function outcome(output: string, gate: Gate): Outcome {
  return { output: output.endsWith('\n') ? output : `${output}\n`, verdict: gate.passed ? 'passed' : 'failed' };
}

/** A result as JSON that people can read, too. */
export function toJson(result: unknown): string {
  return JSON.stringify(result, null, 2);
}

/** A score, 0 to 1, out of what the command line gives. */
export function parseScore(text: string): number {
  const score = Number(text);
  if (text.trim() === '' || !(score >= 0 && score <= 1)) throw new InvalidArgumentError('It must be 0 to 1.');
  return score;
}

function parseJobs(text: string): number {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1 || jobs > 64) throw new InvalidArgumentError('It must be 1 to 64.');
  return jobs;
}

function collectReport(text: string, before: readonly ReportTarget[]): ReportTarget[] {
  const at = text.indexOf('=');
  const format = REPORT_FORMATS.find(known => known === text.slice(0, at));
  const file = text.slice(at + 1);
  if (format === undefined || file === '') {
    throw new InvalidArgumentError(`It must be a format of ${REPORT_FORMATS.join(', ')}, then = and a file.`);
  }
  return [...before, { format, file }];
}

function collectRule(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  const level = RULE_LEVELS.find(known => known === text.slice(at + 1));
  if (at < 1 || level === undefined) {
    throw new InvalidArgumentError(`It must be a type of issue, then = and one of ${RULE_LEVELS.join(', ')}.`);
  }
  return { ...before, [text.slice(0, at)]: level };
}

function collectPassHat(text: string, before: Readonly<Record<string, number>> = {}): Record<string, number> {
  const at = text.indexOf('=');
  const trials = Number(text.slice(0, at));
  if (at < 1 || !Number.isInteger(trials) || trials < 1 || trials > 1000) {
    throw new InvalidArgumentError('It must be a number of trials, 1 to 1000, then = and a rate, 0 to 1.');
  }
  return { ...before, [trials]: parseScore(text.slice(at + 1)) };
}

/** What an ignored finding may name. */
export const IGNORED_BY = ['trajectory', 'type', 'tool', 'path', 'reason'] as const;

function collectIgnored(text: string, before: readonly IgnoredFinding[] = []): IgnoredFinding[] {
  // A reason may contain commas: a comma ends a part only if another part follows.
  const parts = text.split(new RegExp(`,(?=(?:${IGNORED_BY.join('|')})=)`));
  const finding = Object.fromEntries(parts.map(part => [part.split('=', 1)[0], part.slice(part.indexOf('=') + 1)]));
  const isKnown = Object.keys(finding).every(name => IGNORED_BY.some(known => known === name));
  if (!isKnown || !Object.hasOwn(finding, 'reason')) {
    throw new InvalidArgumentError('It must be like type=tool_misuse,tool=search,reason=the search is slow.');
  }
  return [...before, finding as unknown as IgnoredFinding];
}
