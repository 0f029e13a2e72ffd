import { type Command, Option } from 'commander';
import {
  type CheckOptions,
  type CompiledTools,
  type GateOptions,
  type IgnoredFinding,
  REPORT_FORMATS,
  type ReportFormat,
  type RuleLevel,
  type TrajectoryFormat,
  type UnreadDocument,
} from 'toolgauge';
import { Baseline } from '../batch/baseline.js';
import {
  type CheckedChunk,
  frameReport,
  type PartRequest,
  type ReflectRequest,
  type ReportOpening,
  type Total,
} from '../batch/check-chunk.js';
import { Tally, wantsTasks } from '../batch/tally.js';
import { SHOWN } from '../values.js';
import { type Remedy, reading } from './failure.js';
import { readSources, refuseTwiceStdin, type Source } from './files.js';
import { findInputs, type Input } from './inputs.js';
import { onInterrupt } from './interrupt.js';
import {
  allowEmptyOption,
  allowErrorsOption,
  failOnOption,
  type GateFlags,
  gateOptions,
  ignoreOption,
  inputFormatOption,
  jobsOption,
  linesOption,
  minPassHatOption,
  minPassRateOption,
  minScoreOption,
  reportOption,
  ruleOption,
  taskKeyOption,
  type Verdict,
} from './options.js';
import { type Output, openFiles, standardOutput } from './output.js';
import { checkPool, inOrder, type Pool, type CheckTask as PoolTask } from './pool.js';
import { Problems } from './problems.js';
import { openProgress, type Progress } from './progress.js';
import { type Piece, readAll } from './reading.js';
import { forTrajectories } from './remedies.js';
import { type ReportTarget, ReportWriter } from './reports.js';
import { claimStandardOutput } from './run-files.js';
import { nothingToCheck } from './start.js';
import { refuseMixedSummary, reportUnusedKey, summaryFile, summaryOption, writeSummary } from './summary.js';
import { fileLayout } from './terminal.js';
import { compileSound, hasFatalErrors } from './tools-file.js';
import { VERDICTS, verdictOutput } from './watch/verdicts.js';

/** What the commands that check trajectories have in common. */
export interface CheckFlags extends GateFlags {
  readonly tools?: string;
  readonly inputFormat?: TrajectoryFormat;
  readonly baseline?: string;
  readonly rule?: Readonly<Record<string, RuleLevel>>;
  readonly ignore?: readonly IgnoredFinding[];
  readonly lines?: true;
  readonly format: ReportFormat;
  readonly output?: string;
  readonly report: readonly ReportTarget[];
  readonly summary?: string;
  readonly show: NonNullable<PartRequest['show']>;
  readonly verbose?: true;
  readonly jobs: number;
  readonly allowErrors?: true;
  readonly taskKey?: string;
}

/** What one of these commands does. */
export interface CheckTask {
  readonly command: NonNullable<ReportOpening['command']>;
  /** What is looked for, besides what the flags say. */
  readonly options: CheckOptions;
  /** Set if each call is checked by itself. */
  readonly reflect?: (piece: Piece, tools: CompiledTools | undefined) => Promise<ReflectRequest>;
  /** Whether a requirement beyond the inputs was not met. Known only at the end. */
  readonly isUnmet?: () => boolean;
}

/** Adds the options that the commands that check trajectories have in common. */
export function addCheckOptions(command: Command): Command {
  return command
    .argument('[inputs...]', 'trajectories in any known format: files, folders, globs; - for standard input')
    .option('--tools <file>', 'tool definitions in any known format; - for standard input')
    .addOption(inputFormatOption())
    .addOption(linesOption())
    .addOption(new Option('--format <format>', 'what to print').choices(REPORT_FORMATS).default('pretty'))
    .option('--output <file>', 'write the report to this file instead of printing it')
    .addOption(reportOption())
    .addOption(summaryOption('write the totals as JSON, for toolgauge merge'))
    .addOption(new Option('--show <which>', 'which trajectories the pretty report shows').choices(SHOWN).default('all'))
    .option('--verbose', 'show all that was said, and whole arguments and results, in the pretty report')
    .option('--baseline <file>', 'an earlier report as json or jsonl: fail only on what got worse since')
    .addOption(ruleOption())
    .addOption(ignoreOption())
    .addOption(minScoreOption())
    .addOption(minPassRateOption())
    .addOption(minPassHatOption())
    .addOption(taskKeyOption())
    .addOption(failOnOption())
    .addOption(allowEmptyOption())
    .addOption(allowErrorsOption())
    .addOption(jobsOption());
}

/** Checks the trajectories in files, and writes the reports. */
export async function runCheck(paths: readonly string[], flags: CheckFlags, task: CheckTask): Promise<Verdict> {
  refuseMixedSummary(flags);
  if (paths.length === 0) throw await nothingToCheck(task.command);
  const toolsFile = await readSide(paths, flags.tools);
  const baselineFile = await readSide(paths, flags.baseline);
  const baseline = baselineFile && reading(baselineFile, forBaseline, () => new Baseline(baselineFile.bytes));
  const gate = toGate(flags, baseline?.score);
  const tools = toolsFile && compileSound(toolsFile);
  const options = { ...task.options, ...gate, ...formatOf(flags), ...rulesOf(flags), ...taskKeyOf(flags) };
  const found = await findInputs(paths, { '--tools': flags.tools, '--baseline': flags.baseline });
  const inputs = flags.lines ? found.map(input => ({ ...input, isLines: true })) : found;
  const opening = { command: task.command, sources: inputs.map(({ name }) => name), tools: tools?.names.length };
  const { writers, summary } = await openReports(flags, opening);
  const pool = checkPool(flags.jobs, { tools: toolsFile?.bytes, baseline: baselineFile?.bytes, options });
  const reflect = task.reflect && ((piece: Piece) => task.reflect?.(piece, tools) as Promise<ReflectRequest>);
  const isUnmet = () => hasFatalErrors(tools, flags) || (task.isUnmet?.() ?? false);
  const batch = new Batch({ inputs, writers, summary, pool, flags, gate, reflect, isUnmet });
  try {
    return await batch.run(options);
  } finally {
    await pool.close();
  }
}

/** Opens all that is written; when one file may not be, none is touched. */
async function openReports(
  flags: CheckFlags,
  opening: ReportOpening,
): Promise<{ readonly writers: readonly ReportWriter[]; readonly summary: Output | undefined }> {
  const targets: readonly ReportTarget[] = [{ format: flags.format, file: flags.output }, ...flags.report];
  const files = [...targets.map(({ file }) => file), summaryFile(flags)];
  if (flags.output === undefined || (flags.summary !== undefined && summaryFile(flags) === undefined)) {
    claimStandardOutput();
  }
  const opened = await openFiles(files.filter(file => file !== undefined));
  const outputs = files.map(file => (file === undefined ? undefined : opened.shift()));
  const writers = targets.map((target, at) => {
    return new ReportWriter(target, outputs[at] ?? standardOutput(process.stdout), opening);
  });
  const verdicts = verdictOutput();
  if (verdicts !== undefined) writers.push(new ReportWriter(VERDICTS, verdicts, opening));
  return { writers, summary: outputs.at(-1) };
}

/** A file other than the inputs. */
async function readSide(paths: readonly string[], file: string | undefined): Promise<Source | undefined> {
  if (file === undefined) return undefined;
  refuseTwiceStdin([...new Set(paths), file]);
  const [source] = await readSources([file]);
  return source;
}

const forBaseline: Remedy = ({ code }) => {
  if (code === 'invalid_json') return 'the report is incomplete or was changed: write it anew';
  return code === 'invalid_input' ? 'give what toolgauge check printed with --format json or jsonl' : undefined;
};

function toGate(flags: GateFlags, baselineScore: number | undefined): GateOptions {
  return { ...gateOptions(flags), ...(baselineScore === undefined ? {} : { baselineScore }) };
}

function formatOf({ inputFormat }: CheckFlags): Pick<CheckOptions, 'format'> {
  return inputFormat === undefined ? {} : { format: inputFormat };
}

function rulesOf({ rule, ignore }: CheckFlags): Pick<CheckOptions, 'rules' | 'ignore'> {
  return { ...(rule && { rules: rule }), ...(ignore && { ignore: [...ignore] }) };
}

function taskKeyOf({ taskKey }: CheckFlags): Pick<CheckOptions, 'taskKey'> {
  return taskKey === undefined ? {} : { taskKey };
}

/** All that a run over the inputs needs. */
interface BatchSetup {
  readonly inputs: readonly Input[];
  readonly writers: readonly ReportWriter[];
  /** The file that the totals go into. */
  readonly summary: Output | undefined;
  readonly pool: Pool<PoolTask, CheckedChunk[]>;
  readonly flags: CheckFlags;
  readonly gate: GateOptions;
  readonly reflect: ((piece: Piece) => Promise<ReflectRequest>) | undefined;
  readonly isUnmet: () => boolean;
}

/** One run of the command over all inputs. */
class Batch {
  readonly #setup: BatchSetup;
  readonly #tally: Tally;
  readonly #progress: Progress;
  readonly #problems: Problems;

  constructor(setup: BatchSetup) {
    this.#setup = setup;
    this.#tally = new Tally(wantsTasks(setup.flags));
    this.#problems = new Problems(setup.inputs, setup.flags, forTrajectories);
    this.#progress = openProgress(setup.inputs, 'checking');
  }

  async run(checkOptions: CheckOptions): Promise<Verdict> {
    const { inputs, writers, summary, pool, flags, gate } = this.#setup;
    onInterrupt(() => this.#interrupted());
    const pieces = readAll(inputs, checkOptions);
    const check = async (piece: Piece) => ({ piece, checked: await this.#check(piece) });
    for await (const { piece, checked } of inOrder(pieces, check, pool.size * 2 - 1)) {
      for (const chunk of checked) await this.#add(piece, chunk);
    }
    this.#progress.end();
    const total = this.#tally.total(gate);
    for (const writer of writers) await writer.close(total);
    await writeSummary(flags.summary, summary, total.summary);
    reportUnusedKey(flags, total.summary.trajectories, total.summary);
    return this.#verdict(total);
  }

  async #check(piece: Piece): Promise<CheckedChunk[]> {
    const { inputs, writers, pool, flags } = this.#setup;
    const { input, shape, chunk, isFirst, failed } = piece;
    const isAlone = inputs.length === 1 && shape !== 'lines' && flags.show === 'all';
    const style = { show: flags.show, detail: flags.verbose ? 'whole' : 'brief' } as const;
    const reports = writers.map(writer => writer.request(style, isFirst, isAlone));
    const reflect = await this.#setup.reflect?.(piece);
    return pool.run({ chunk, request: { shape, source: input.name, reports, failed, reflect } });
  }

  async #add({ input, chunk }: Piece, { summary, unread, reports }: CheckedChunk): Promise<void> {
    if (summary.documents > 0) this.#problems.fill(input);
    this.#tally.add(summary);
    this.#progress.clear();
    this.#reportUnread(unread);
    for (const [at, writer] of this.#setup.writers.entries()) await writer.add(reports[at] ?? '');
    this.#progress.advance(chunk.bytes.length, summary.trajectories);
  }

  /** Reports on standard error the documents that could not be read, unless a printed report shows them. */
  #reportUnread(unread: readonly UnreadDocument[]): void {
    const { format, output } = this.#setup.flags;
    const showsLines = format === 'pretty' && output === undefined;
    this.#problems.report(unread.filter(({ line }) => line === undefined || !showsLines));
  }

  /** What was found so far. */
  #interrupted(): string {
    const total = this.#tally.total(this.#setup.gate);
    this.#progress.end();
    const { tail } = frameReport('pretty', { sources: [] }, fileLayout(), total);
    return `the totals so far:\n${tail}`;
  }

  #verdict({ summary, gate }: Total): Verdict {
    const isUnmet = this.#setup.isUnmet();
    if (this.#problems.areFatal(summary) || isUnmet) return 'unread';
    return gate.passed ? 'passed' : 'failed';
  }
}
