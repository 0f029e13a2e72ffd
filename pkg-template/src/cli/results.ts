import { Option } from 'commander';
import { REPORT_FORMATS } from 'toolgauge';
import type { Chunk } from '../batch/chunks.js';
import type { Measurement, MeasureRequest, ResultFrame, ResultSetting } from '../batch/measurement.js';
import type { Remedy } from './failure.js';
import type { Source } from './files.js';
import { FramedOutput } from './framed-output.js';
import type { Input } from './inputs.js';
import { onInterrupt } from './interrupt.js';
import { type PassFlags, passOptions, type Verdict } from './options.js';
import { type Output, openFiles, standardOutput } from './output.js';
import { Problems, type ReadingFlags } from './problems.js';
import { openProgress } from './progress.js';
import { type Piece, readAll } from './reading.js';
import type { ReportTarget } from './reports.js';
import { claimStandardOutput } from './run-files.js';
import { refuseMixedSummary, reportUnusedKey, summaryFile, writeSummary } from './summary.js';
import { fileLayout, layout } from './terminal.js';
import { VERDICTS, verdictOutput } from './watch/verdicts.js';

/** What the commands that print results have in common. */
export interface ResultFlags extends ReadingFlags, PassFlags {
  readonly format: ResultSetting['format'];
  readonly show?: ResultSetting['show'];
  readonly output?: string;
  /** Further reports of the same results. */
  readonly report?: readonly ReportTarget[];
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

/** Makes the measurement that reports as a setting says. */
export type Measure = (setting: ResultSetting) => Measurement;

/** A report of results: what measures them, and where it goes. */
export interface ResultReport {
  readonly measurement: Measurement;
  /** The file; undefined for standard output, and for the verdicts that `--watch` compares. */
  readonly file: string | undefined;
}

/** All reports that the flags ask for: the one that decides, and the further ones. */
export interface ResultReports {
  readonly main: ResultReport;
  readonly further: readonly ResultReport[];
  /** The verdicts that `--watch` compares with those of the run before. */
  readonly watched: Measurement | undefined;
}

/** The reports of `sources` that the flags ask for. */
export function resultReports(sources: readonly string[], flags: ResultFlags, measure: Measure): ResultReports {
  const { format, output, report = [] } = flags;
  const reportOn = (target: ReportTarget): ResultReport => ({
    file: target.file,
    measurement: measure(settingOf(sources, flags, target)),
  });
  return {
    main: reportOn({ format, file: output }),
    further: report.map(reportOn),
    watched: verdictOutput() && reportOn(VERDICTS).measurement,
  };
}

function settingOf(sources: readonly string[], flags: ResultFlags, { format, file }: ReportTarget): ResultSetting {
  const { show = 'all', minScore, allowEmpty, allowErrors, taskKey } = flags;
  return {
    format,
    layout: file === undefined ? layout() : fileLayout(),
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

/** Measures all inputs and writes the reports. */
export async function measureAll(
  inputs: readonly Input[],
  reports: ResultReports,
  flags: ResultFlags & { readonly inputFormat?: Parameters<typeof readAll>[1]['format'] },
  remedy: Remedy,
  { isMet = () => true, askJudges }: MeasureHooks = {},
): Promise<Verdict> {
  const { measurement } = reports.main;
  const writer = await ResultWriter.open(flags, reports);
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
    const before = measurement.summary;
    const request = { shape, source: input.name, failed, opinions };
    for (const { text, unread } of measurement.measure(chunk, request)) {
      progress.clear();
      problems.report(unread.filter(({ line }) => line === undefined || !showsLines));
      await writer.add(text);
    }
    await writer.addFurther(chunk, request);
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

/** Writes the reports of one part, which is all that was measured. */
export async function writeResult(
  reports: ResultReports,
  flags: ResultFlags,
  measure: (measurement: Measurement) => string,
): Promise<Verdict> {
  const part = measure(reports.main.measurement);
  const writer = await ResultWriter.open(flags, reports);
  await writer.add(part);
  await writer.addWhole(measure);
  const gate = await writer.close();
  return gate?.passed ? 'passed' : 'failed';
}

/** Writes the verdict on a source for `--watch`, if its report is written elsewhere. */
export async function collectVerdict({ name, bytes }: Source, flags: ResultFlags, measure: Measure): Promise<void> {
  const output = verdictOutput();
  if (output === undefined) return;
  const measurement = measure(settingOf([name], flags, VERDICTS));
  const text = new ResultText(measurement, output);
  await text.add(measurement.measureWhole(bytes, name).text);
  await text.close(measurement.frame(true));
}

/** The text of one report, written while inputs are measured. */
class ResultText {
  readonly measurement: Measurement;
  readonly #frame: ResultFrame;
  readonly #output: FramedOutput;

  constructor(measurement: Measurement, output: Output) {
    this.measurement = measurement;
    this.#frame = measurement.frame(false);
    this.#output = new FramedOutput(output, this.#frame);
  }

  /** Writes the part of a chunk, which may be empty. */
  async add(part: string): Promise<void> {
    if (part !== '') await this.#output.add(part);
  }

  /** Writes the tail. A report for people is left out if no file could be read: standard error says so. */
  async close({ tail, collapses }: ResultFrame): Promise<void> {
    const { documents, unread } = this.measurement.summary;
    const { hasParts } = this.#output;
    const isWorthIt = hasParts || documents > unread || !collapses;
    if (isWorthIt && (hasParts || this.#frame.head !== '' || this.#frame.gathers)) await this.#output.end(tail ?? '');
    await this.#output.close();
  }
}

/** The reports that are written while inputs are measured, and the totals. */
class ResultWriter {
  readonly #flags: ResultFlags;
  readonly #main: ResultText;
  readonly #further: readonly ResultText[];
  /** The file that the totals go into. */
  readonly #summary: Output | undefined;

  static async open(flags: ResultFlags, reports: ResultReports): Promise<ResultWriter> {
    refuseMixedSummary(flags);
    const files = [reports.main, ...reports.further].map(({ file }) => file);
    const summary = summaryFile(flags);
    if (flags.output === undefined || (flags.summary !== undefined && summary === undefined)) claimStandardOutput();
    const opened = await openFiles([...files, summary].filter(file => file !== undefined));
    const outputs = [...files, summary].map(file => (file === undefined ? undefined : opened.shift()));
    return new ResultWriter(flags, reports, outputs);
  }

  private constructor(flags: ResultFlags, reports: ResultReports, outputs: readonly (Output | undefined)[]) {
    this.#flags = flags;
    this.#summary = outputs.at(-1);
    const texts = [reports.main, ...reports.further].map(({ measurement }, at) => {
      return new ResultText(measurement, outputs[at] ?? standardOutput(process.stdout));
    });
    const [main, ...further] = texts as [ResultText, ...ResultText[]];
    const verdicts = verdictOutput();
    const isWatched = reports.watched !== undefined && verdicts !== undefined;
    this.#main = main;
    this.#further = isWatched ? [...further, new ResultText(reports.watched, verdicts)] : further;
  }

  /** Writes a part of the first report, which may be empty. */
  async add(part: string): Promise<void> {
    await this.#main.add(part);
  }

  /** Measures a chunk for each further report, and writes its part. */
  async addFurther(chunk: Chunk, request: MeasureRequest): Promise<void> {
    for (const report of this.#further) {
      for (const { text } of report.measurement.measure(chunk, request)) await report.add(text);
    }
  }

  /** Measures all there is for each further report, and writes it. */
  async addWhole(measure: (measurement: Measurement) => string): Promise<void> {
    for (const report of this.#further) await report.add(measure(report.measurement));
  }

  /** Writes the tails and the totals. Returns the gate. */
  async close(): Promise<ResultFrame['gate']> {
    const { measurement } = this.#main;
    const frame = measurement.frame(true);
    await this.#main.close(frame);
    for (const report of this.#further) await report.close(report.measurement.frame(true));
    await writeSummary(this.#flags.summary, this.#summary, frame.summary ?? {});
    reportUnusedKey(this.#flags, measurement.summary.trajectories, frame.summary ?? {});
    return frame.gate;
  }
}
