import { type Command, Option } from 'commander';
import {
  type CheckOptions,
  compileTools,
  type GateOptions,
  type ReportFormat,
  type TrajectoryFormat,
  type UnreadDocument,
} from 'toolgauge';
import { Baseline } from '../batch/baseline.js';
import { type CheckedChunk, frameReport, type PartRequest, type Total } from '../batch/check-chunk.js';
import { Tally } from '../batch/tally.js';
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
  inputFormatOption,
  jobsOption,
  linesOption,
  minScoreOption,
  type Outcome,
  REPORT_FORMATS,
  reportOption,
  type Verdict,
} from './options.js';
import { inOrder, openPool, type Pool } from './pool.js';
import { Problems } from './problems.js';
import { openProgress, type Progress } from './progress.js';
import { type Piece, readAll } from './reading.js';
import { forTools, forTrajectories } from './remedies.js';
import { type ReportTarget, ReportWriter } from './reports.js';
import { refuseMixedSummary, summaryOption, writeSummary } from './summary.js';
import { fileLayout } from './terminal.js';

interface CheckCommandOptions extends GateFlags {
  readonly tools?: string;
  readonly inputFormat?: TrajectoryFormat;
  readonly baseline?: string;
  readonly lines?: true;
  readonly format: ReportFormat;
  readonly output?: string;
  readonly report: readonly ReportTarget[];
  readonly summary?: string;
  readonly show: NonNullable<PartRequest['show']>;
  readonly jobs: number;
  readonly allowErrors?: true;
  readonly strict?: true;
  readonly allowUnknownTools?: true;
  readonly validateSchemas: boolean;
}

const EXAMPLES = `
Inputs:
  A file holds one document, or one on each line (JSON Lines); which of them, and the format, is found out.
  Folders are read with all their .json, .jsonl, .ndjson and .traj files. A file named twice is read once.
  What can't be read is told, the rest is checked, and the exit code is 2.

Examples:
  $ toolgauge check rollouts.json --tools tools.json
  $ toolgauge check 'logs/**/*.jsonl' --tools tools.json --jobs 4 --fail-on critical --min-score 0.9
  $ toolgauge check logs --tools tools.json --report html=report.html --report junit=report.xml
  $ toolgauge check logs --tools tools.json --baseline main.jsonl --report jsonl=now.jsonl
  $ toolgauge check logs --tools tools.json --format github --report markdown=$GITHUB_STEP_SUMMARY
  $ producer | toolgauge check - --format jsonl --summary summary.json | consumer
`;

/** Adds `toolgauge check`. */
export function addCheck(program: Command, finish: (outcome: Outcome) => void): void {
  program
    .command('check')
    .summary('say which tool calls are wrong and why')
    .description('Checks every tool call of the trajectories in files and says which are wrong and why.')
    .argument('[inputs...]', 'trajectories in any known format: files, folders, globs; - for standard input')
    .option('--tools <file>', 'tool definitions in any known format; - for standard input')
    .addOption(inputFormatOption())
    .addOption(linesOption())
    .addOption(new Option('--format <format>', 'what to print').choices(REPORT_FORMATS).default('pretty'))
    .option('--output <file>', 'write that there instead of printing it')
    .addOption(reportOption())
    .addOption(summaryOption('write the totals as JSON, for toolgauge merge'))
    .addOption(
      new Option('--show <which>', 'which trajectories the pretty report shows')
        .choices(['all', 'issues', 'failing', 'none'])
        .default('all'),
    )
    .option('--baseline <file>', 'an earlier report as json or jsonl: fail only on what got worse since')
    .addOption(minScoreOption())
    .addOption(failOnOption())
    .addOption(allowEmptyOption())
    .addOption(allowErrorsOption())
    .option('--strict', 'score 0 as soon as an issue is high or critical')
    .option('--allow-unknown-tools', 'say nothing about calls of tools without a schema')
    .option('--no-validate-schemas', "don't judge arguments by their schemas")
    .addOption(jobsOption())
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: CheckCommandOptions) => finish(await check(paths, options)));
}

async function check(paths: readonly string[], options: CheckCommandOptions): Promise<Outcome> {
  refuseMixedSummary(options);
  const toolsFile = await readSide(paths, options.tools);
  const baselineFile = await readSide(paths, options.baseline);
  const baseline = baselineFile && reading(baselineFile, forBaseline, () => new Baseline(baselineFile.bytes));
  const gate = toGate(options, baseline?.score);
  const checkOptions = toCheckOptions(options, gate);
  const tools = toolsFile && reading(toolsFile, forTools, () => compileTools(toolsFile.bytes));
  const found = await findInputs(paths);
  const inputs = options.lines ? found.map(input => ({ ...input, isLines: true })) : found;
  const opening = { sources: inputs.map(({ name }) => name), tools: tools?.names.length };
  const targets = [{ format: options.format, file: options.output }, ...options.report];
  const writers = await Promise.all(targets.map(target => ReportWriter.open(target, opening)));
  const pool = openPool(options.jobs, {
    tools: toolsFile?.bytes,
    baseline: baselineFile?.bytes,
    options: checkOptions,
  });
  const batch = new Batch(inputs, writers, pool, options, gate);
  try {
    return { output: '', verdict: await batch.run(checkOptions) };
  } finally {
    await pool.close();
  }
}

/** A file beside the inputs. */
async function readSide(paths: readonly string[], file: string | undefined): Promise<Source | undefined> {
  if (file === undefined) return undefined;
  refuseTwiceStdin([...new Set(paths), file]);
  const [source] = await readSources([file]);
  return source;
}

const forBaseline: Remedy = ({ code }) =>
  code === 'invalid_input' ? 'give what toolgauge check printed with --format json or jsonl' : undefined;

function toGate(flags: GateFlags, baselineScore: number | undefined): GateOptions {
  return { ...gateOptions(flags), ...(baselineScore === undefined ? {} : { baselineScore }) };
}

function toCheckOptions(options: CheckCommandOptions, gate: GateOptions): CheckOptions {
  return {
    ...gate,
    strict: options.strict === true,
    allowUnknownTools: options.allowUnknownTools === true,
    validateSchemas: options.validateSchemas,
    ...(options.inputFormat === undefined ? {} : { format: options.inputFormat }),
  };
}

/** One run of the command over all inputs. */
class Batch {
  readonly #inputs: readonly Input[];
  readonly #writers: readonly ReportWriter[];
  readonly #pool: Pool;
  readonly #options: CheckCommandOptions;
  readonly #gate: GateOptions;
  readonly #tally = new Tally();
  readonly #progress: Progress;
  readonly #problems: Problems;

  constructor(
    inputs: readonly Input[],
    writers: readonly ReportWriter[],
    pool: Pool,
    options: CheckCommandOptions,
    gate: GateOptions,
  ) {
    this.#gate = gate;
    this.#inputs = inputs;
    this.#writers = writers;
    this.#pool = pool;
    this.#options = options;
    this.#problems = new Problems(inputs, options, forTrajectories);
    this.#progress = openProgress(inputs, 'checking');
  }

  async run(checkOptions: CheckOptions): Promise<Verdict> {
    onInterrupt(() => this.#interrupted());
    const pieces = readAll(this.#inputs, checkOptions);
    const check = async (piece: Piece) => ({ piece, checked: await this.#check(piece) });
    for await (const { piece, checked } of inOrder(pieces, check, this.#pool.size * 2 - 1)) {
      for (const chunk of checked) await this.#add(piece, chunk);
    }
    this.#progress.end();
    const total = this.#tally.total(this.#gate);
    for (const writer of this.#writers) await writer.close(total);
    if (this.#options.summary !== undefined) await writeSummary(this.#options.summary, total);
    return this.#verdict(total);
  }

  #check({ input, shape, chunk, isFirst, failed }: Piece): Promise<CheckedChunk[]> {
    const isAlone = this.#inputs.length === 1 && shape !== 'lines';
    const reports = this.#writers.map(writer => writer.request(this.#options.show, isFirst, isAlone));
    const error = failed === undefined ? undefined : ({ code: 'invalid_input', message: failed } as const);
    return this.#pool.check({ chunk, request: { shape, source: input.name, reports, failed: error } });
  }

  async #add({ input, chunk }: Piece, { summary, unread, reports }: CheckedChunk): Promise<void> {
    if (summary.documents > 0) this.#problems.fill(input);
    this.#tally.add(summary);
    this.#progress.clear();
    this.#tell(unread);
    for (const [at, writer] of this.#writers.entries()) await writer.add(reports[at] ?? '');
    this.#progress.advance(chunk.bytes.length, summary.trajectories);
  }

  /** Says on standard error what could not be read, unless a report that is printed does. */
  #tell(unread: readonly UnreadDocument[]): void {
    const showsLines = this.#options.format === 'pretty' && this.#options.output === undefined;
    this.#problems.tell(unread.filter(({ line }) => line === undefined || !showsLines));
  }

  /** What was found so far. */
  #interrupted(): string {
    const total = this.#tally.total(this.#gate);
    this.#progress.end();
    const { tail } = frameReport('pretty', { sources: [] }, fileLayout(), total);
    return `the totals so far:\n${tail}`;
  }

  #verdict({ summary, gate }: Total): Verdict {
    if (this.#problems.areFatal(summary)) return 'unread';
    return gate.passed ? 'passed' : 'failed';
  }
}
