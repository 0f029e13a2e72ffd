import { Option } from 'commander';
import { REPORT_FORMATS } from 'toolgauge';
import type { Measurement, MeasureRequest, ResultFrame, ResultSetting } from '../batch/measurement.js';
import type { Remedy } from './failure.js';
import { FramedOutput } from './framed-output.js';
import type { Input } from './inputs.js';
import { onInterrupt } from './interrupt.js';
import { type PassFlags, passOptions, type Verdict } from './options.js';
import { type Output, openFiles, standardOutput } from './output.js';
import { Problems, type ReadingFlags } from './problems.js';
import { openProgress } from './progress.js';
import { type Piece, readAll } from './reading.js';
import { claimStandardOutput } from './run-files.js';
import { refuseMixedSummary, summaryFile, tellUnusedKey, writeSummary } from './summary.js';
import { fileLayout, layout } from './terminal.js';

/** What the commands that print results have in common. */
export interface ResultFlags extends ReadingFlags, PassFlags {
  readonly format: ResultSetting['format'];
  readonly show?: ResultSetting['show'];
  readonly output?: string;
  readonly minScore?: number;
  /** Where the totals go. */
  readonly summary?: string;
  readonly taskKey?: string;
}

/** `--format` of results. */
export function resultFormatOption(): Option {
  return new Option('--format <format>', 'what to print').choices(REPORT_FORMATS).default('pretty');
}

/** `--output` */
export function outputOption(): Option {
  return new Option('--output <file>', 'write the report to this file instead of printing it');
}

/** What is reported of `sources`, as the flags have it. */
export function resultSetting(sources: readonly string[], flags: ResultFlags): ResultSetting {
  const { format, show = 'all', output, minScore, allowEmpty, allowErrors, taskKey } = flags;
  const where = output === undefined ? layout() : fileLayout();
  return {
    format,
    layout: where,
    show,
    sources,
    minScore,
    allowEmpty: allowEmpty === true,
    allowErrors: allowErrors === true,
    taskKey,
    ...passOptions(flags),
  };
}

/** What decides about a measurement besides the inputs. */
export interface MeasureHooks {
  /** Has the last word on whether the result passes. */
  readonly isMet?: () => boolean;
  /** Asks judges about a chunk before it is measured. */
  readonly askJudges?: (piece: Piece) => Promise<MeasureRequest['opinions']>;
}

/** Measures all inputs and writes the report. */
export async function measureAll(
  inputs: readonly Input[],
  measurement: Measurement,
  flags: ResultFlags & { readonly inputFormat?: Parameters<typeof readAll>[1]['format'] },
  remedy: Remedy,
  { isMet = () => true, askJudges }: MeasureHooks = {},
): Promise<Verdict> {
  const writer = await ResultWriter.open(flags, measurement);
  const problems = new Problems(inputs, flags, remedy);
  const progress = openProgress(inputs, 'measuring');
  onInterrupt(() => {
    progress.end();
    return `the totals so far:\n${measurement.frame(true, 'pretty').tail}`;
  });
  const showsLines = flags.format === 'pretty' && flags.output === undefined;
  const measure = async (piece: Piece) => {
    const { input, shape, chunk, failed } = piece;
    const opinions = await askJudges?.(piece);
    const error = failed === undefined ? undefined : ({ code: 'invalid_input', message: failed } as const);
    const before = measurement.summary;
    for (const { text, unread } of measurement.measure(chunk, { shape, source: input.name, failed: error, opinions })) {
      progress.clear();
      problems.report(unread.filter(({ line }) => line === undefined || !showsLines));
      await writer.add(text);
    }
    const { documents, trajectories } = measurement.summary;
    if (documents > before.documents) problems.fill(input);
    progress.advance(chunk.bytes.length, trajectories - before.trajectories);
  };
  const { inputFormat } = flags;
  for await (const piece of readAll(inputs, inputFormat === undefined ? {} : { format: inputFormat })) {
    await measure(piece);
  }
  progress.end();
  const gate = await writer.close();
  const isFatal = problems.areFatal(measurement.summary);
  if (!isMet() || isFatal) return 'unread';
  return gate?.passed ? 'passed' : 'failed';
}

/** Writes the report of one part, which is all that was measured. */
export async function writeResult(part: string, measurement: Measurement, flags: ResultFlags): Promise<Verdict> {
  const writer = await ResultWriter.open(flags, measurement);
  await writer.add(part);
  const gate = await writer.close();
  return gate?.passed ? 'passed' : 'failed';
}

/** A report that is written while inputs are measured: its head, its parts, its tail; and the totals. */
class ResultWriter {
  readonly #measurement: Measurement;
  readonly #flags: ResultFlags;
  readonly #frame: ResultFrame;
  readonly #output: FramedOutput;
  /** The file that the totals go into. */
  readonly #summary: Output | undefined;

  static async open(flags: ResultFlags, measurement: Measurement): Promise<ResultWriter> {
    refuseMixedSummary(flags);
    const summary = summaryFile(flags);
    if (flags.output === undefined || (flags.summary !== undefined && summary === undefined)) claimStandardOutput();
    const opened = await openFiles([flags.output, summary].filter(file => file !== undefined));
    const output = flags.output === undefined ? standardOutput(process.stdout) : (opened.shift() as Output);
    return new ResultWriter(flags, measurement, output, opened.shift());
  }

  private constructor(flags: ResultFlags, measurement: Measurement, output: Output, summary: Output | undefined) {
    this.#flags = flags;
    this.#measurement = measurement;
    this.#summary = summary;
    this.#frame = measurement.frame(false);
    this.#output = new FramedOutput(output, this.#frame);
  }

  /** Writes the part of a chunk, which may be empty. */
  async add(part: string): Promise<void> {
    if (part !== '') await this.#output.add(part);
  }

  /** Writes the tail and the totals. A report for people is left out if no file could be read: standard error says so. */
  async close(): Promise<ResultFrame['gate']> {
    const { documents, unread, trajectories } = this.#measurement.summary;
    const { tail, gate, summary, collapses } = this.#measurement.frame(true);
    const { hasParts } = this.#output;
    const isWorthIt = hasParts || documents > unread || !collapses;
    if (isWorthIt && (hasParts || this.#frame.head !== '' || this.#frame.gathers)) await this.#output.end(tail ?? '');
    await this.#output.close();
    await writeSummary(this.#flags.summary, this.#summary, summary ?? {});
    tellUnusedKey(this.#flags, trajectories, summary ?? {});
    return gate;
  }
}
