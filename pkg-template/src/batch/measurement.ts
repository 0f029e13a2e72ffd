import type { Document, WrittenChunk } from '#glue';
import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import { optionsToPayload, type Payload } from '../boundary/json.js';
import type { CorrectnessOptions } from '../correctness.js';
import type { Opinions } from '../judges/opinions.js';
import type {
  ErrorReport,
  Gate,
  GateOptions,
  OpenQuestion,
  ReportFormat,
  TrajectoryFormat,
  UnreadDocument,
} from '../types.js';
import type { SHOWN } from '../values.js';
import type { LineShape, ReportFrame } from './check-chunk.js';
import type { Chunk } from './chunks.js';
import { GatheredParts } from './gathered-parts.js';
import { inParts, MOST_BYTES, readWritten } from './in-parts.js';
import { isWorthMerging, wantsTasks } from './tally.js';

/** What is reported, how, and what makes it fail. */
export interface ResultSetting extends Pick<GateOptions, 'minPassRate' | 'minPassHat'> {
  readonly format: ReportFormat;
  readonly layout: { readonly width: number; readonly color: boolean };
  /** Which results reports for people show; `issues` are those under 1. */
  readonly show: (typeof SHOWN)[number];
  /** The names of the inputs. */
  readonly sources: readonly string[];
  readonly minScore?: number | undefined;
  readonly allowEmpty: boolean;
  readonly allowErrors: boolean;
  /** The field that names the task of a trajectory. Default: `task_id`, or else the id. */
  readonly taskKey?: string | undefined;
}

/** What a chunk is. */
export interface MeasureRequest {
  readonly shape: LineShape;
  readonly source: string;
  /** Instead of content: why it is missing. */
  readonly failed?: ErrorReport | undefined;
  /** What judges say about values in the chunk. */
  readonly opinions?: Opinions | undefined;
}

/** What was found in a chunk. */
export interface MeasuredChunk {
  /** The part of the report; empty if parts are gathered. */
  readonly text: string;
  /** The first of the documents that could not be read. */
  readonly unread: readonly UnreadDocument[];
}

/** Totals, as far as the command reads them. */
export interface MeasureSummary {
  readonly documents: number;
  readonly unread: number;
  /** How many trajectories there are; of test cases absent. */
  readonly trajectories?: number;
  readonly cases?: number;
}

/** The text around the parts of a report; at the end also whether the gate passes, and the totals. */
export type ResultFrame = ReportFrame & { readonly gate: Gate | null; readonly summary: object | null };

/** The functions of the core that measure one kind of thing. */
interface Measuring {
  chunk(bytes: Document, expected: Document | undefined, options: Document | undefined): WrittenChunk;
  sum(options: Document | undefined): string;
  frame(gathered: core.GatheredReport | undefined, options: Document | undefined): WrittenChunk;
}

/** The formats whose parts are gathered. */
const GATHERED: ReadonlySet<ReportFormat> = new Set(['github', 'markdown', 'html']);

/** Measures chunks of files, one after the other, and adds up. */
export class Measurement {
  readonly #core: Measuring;
  readonly #expected: Payload | undefined;
  readonly #options: object;
  readonly #setting: ResultSetting;
  readonly #met = new Set<number>();
  readonly #gathered: GatheredParts | undefined;
  /** The totals of chunks, which are merged from time to time. */
  #summaries: ChunkSummary[] = [];
  #counts: Required<MeasureSummary> = { documents: 0, unread: 0, trajectories: 0, cases: 0 };

  constructor(core: Measuring, expected: Uint8Array | undefined, options: object, setting: ResultSetting) {
    this.#core = core;
    this.#expected = expected && { kind: 'bytes', bytes: expected };
    this.#options = options;
    this.#setting = setting;
    this.#gathered = GATHERED.has(setting.format) ? new GatheredParts(setting.format) : undefined;
  }

  /** The counts of the chunks so far. */
  get summary(): Required<MeasureSummary> {
    return this.#counts;
  }

  /** Of expectations by id the places of those that some trajectory was held against. */
  get met(): ReadonlySet<number> {
    return this.#met;
  }

  /** What is found in a chunk: see {@link inParts}. */
  *measure(chunk: Chunk, request: MeasureRequest): Generator<MeasuredChunk> {
    yield* inParts(chunk, request.shape, (part, failed) =>
      this.#measureAtOnce(part, { ...request, failed: failed ?? request.failed }),
    );
  }

  /** What is found in a file as a whole. */
  measureWhole(bytes: Uint8Array, source: string): MeasuredChunk {
    return this.#measureAtOnce({ bytes, line: 1 }, { shape: 'document', source });
  }

  /** The text around the parts; at the end with the totals and the gate. */
  frame(isEnd: boolean, format: ReportFormat = this.#setting.format): ResultFrame {
    const { show, minPassRate, minPassHat, taskKey, ...rest } = { ...this.#setting, format };
    const setting = { ...rest, taskKey: taskKey !== undefined };
    const summaries = isEnd ? this.#summaries : undefined;
    const options = optionsToPayload({ ...this.#options, frame: setting, minPassRate, minPassHat, summaries });
    return guarded(target => {
      const parts = isEnd && format === this.#setting.format ? this.#gathered?.read(target) : undefined;
      return withDocuments(target, [options], MOST_BYTES, ours => {
        const { text, ...frame } = readWritten<ResultFrame>(this.#core.frame(parts, ours));
        return { ...frame, tail: isEnd ? text : null };
      });
    });
  }

  #measureAtOnce({ bytes, line, tooLong }: Chunk, { shape, source, failed, opinions }: MeasureRequest): MeasuredChunk {
    const chunk = { shape, source, line, tooLong, failed };
    const style = { ...styleOf(this.#setting), leastRank: this.#gathered?.leastRank };
    const options = { ...this.#options, chunk, style, ...(opinions === undefined ? {} : { opinions }) };
    return this.#add([{ kind: 'bytes', bytes }, this.#expected, optionsToPayload(options)], this.#core.chunk);
  }

  #add(
    payloads: readonly [Payload, Payload | undefined, Payload | undefined],
    call: Measuring['chunk'],
  ): MeasuredChunk {
    const { summary, unread, met, text } = guarded(target =>
      withDocuments(target, payloads, MOST_BYTES, (document, expected, ours) =>
        readWritten<About>(call(document, expected, ours)),
      ),
    );
    for (const place of met) this.#met.add(place);
    this.#count(summary);
    if (this.#gathered === undefined) return { text, unread };
    this.#gathered.add(text);
    return { text: '', unread };
  }

  #count(summary: ChunkSummary): void {
    const { documents, unread, trajectories, cases } = this.#counts;
    this.#counts = {
      documents: documents + summary.documents,
      unread: unread + summary.unread,
      trajectories: trajectories + (summary.trajectories ?? 0),
      cases: cases + (summary.cases ?? 0),
    };
    this.#summaries.push(summary);
    if (isWorthMerging(this.#summaries)) this.#summaries = [this.#sum()];
  }

  #sum(): ChunkSummary {
    const options = optionsToPayload({ summaries: this.#summaries, fewTasks: !wantsTasks(this.#setting) });
    return guarded(target => withDocuments(target, [options], MOST_BYTES, ours => JSON.parse(this.#core.sum(ours))));
  }
}

/** The totals of a chunk, as far as they are read here. */
interface ChunkSummary extends MeasureSummary {
  readonly tasks?: { readonly byTask: object };
}

/** What the core says of a chunk. */
interface About extends Pick<MeasuredChunk, 'unread'> {
  readonly summary: ChunkSummary;
  readonly met: readonly number[];
}

function styleOf({ format, layout, show, sources }: ResultSetting): object {
  return { format, layout, show, namesSource: sources.length > 1 };
}

/** How trajectories of many files are scored. */
export interface ScoreManyOptions {
  /** The format to read. Default: the one that each document looks like. */
  readonly format?: TrajectoryFormat | undefined;
  /** The text of the tool definitions: see `ScoringOptions`. Default: those that each trajectory contains. */
  readonly tools?: string;
}

/** Scores of trajectories against an `expected` document or, without one, what each carries. */
export function scoreMeasurement(
  expected: Uint8Array | undefined,
  options: ScoreManyOptions,
  setting: ResultSetting,
): Measurement {
  const functions = { chunk: core.scoreChunk, sum: core.sumScores, frame: core.frameScores };
  const { minScore, taskKey } = setting;
  return new Measurement(functions, expected, { ...options, minScore, taskKey }, setting);
}

/** The questions to judges on which the scores of a chunk depend, without those that `opinions` answer. */
export function openQuestionsOfChunk(
  chunk: Chunk,
  { shape, source }: Pick<MeasureRequest, 'shape' | 'source'>,
  expected: Uint8Array | undefined,
  options: ScoreManyOptions,
  opinions: Opinions,
): OpenQuestion[] {
  const wanted = expected && ({ kind: 'bytes', bytes: expected } as const);
  // What the core can't read is reported when it is measured.
  const questions = inParts(chunk, shape, ({ bytes, line, tooLong }, failed) => {
    const settings = optionsToPayload({ ...options, opinions, chunk: { shape, source, line, tooLong, failed } });
    const payloads = [{ kind: 'bytes', bytes }, wanted, settings] as const;
    return guarded(target =>
      withDocuments(target, payloads, MOST_BYTES, (document, calls, ours): OpenQuestion[] =>
        JSON.parse(core.openQuestionsOfChunk(document, calls, ours)),
      ),
    );
  });
  return [...questions].flat();
}

/** The summary of scores in the bytes of a file; null if there is none. */
export function scoreSummaryIn(bytes: Uint8Array): object | null {
  return guarded(target =>
    withDocuments(target, [{ kind: 'bytes', bytes }], MOST_BYTES, document =>
      JSON.parse(core.readScoreSummary(document as Document)),
    ),
  );
}

/** The report of the sum of summaries of scores, with the sum and whether it passes. */
export function mergeScores(
  summaries: readonly object[],
  { minPassRate, minPassHat, ...setting }: Omit<ResultSetting, 'show' | 'taskKey'>,
): ResultFrame {
  const frame = { ...setting, merged: true };
  const options = optionsToPayload({ frame, minPassRate, minPassHat, summaries });
  return guarded(target =>
    withDocuments(target, [options], MOST_BYTES, ours => {
      const { text, ...rest } = readWritten<ResultFrame>(core.frameScores(undefined, ours));
      return { ...rest, tail: text };
    }),
  );
}

/** What a document says about expected calls, by id. */
export interface ExpectedIds {
  /** The ids; absent when it says the same for all trajectories. */
  readonly ids?: readonly string[];
  /** The answers of a benchmark that could not be read, with their positions from 0. */
  readonly unread: readonly { readonly index: number; readonly id: string; readonly message: string }[];
}

/** The ids for which a document says which calls are expected, and what of it could not be read. */
export function expectedIds(expected: Uint8Array): ExpectedIds {
  return guarded(target =>
    withDocuments(target, [{ kind: 'bytes', bytes: expected }], MOST_BYTES, document =>
      JSON.parse(core.expectedIds(document)),
    ),
  );
}

/** What the two measurements of test cases have in common. */
const OF_CASES = { sum: core.sumCorrectness, frame: core.frameCorrectness };

/** The correctness of test cases. */
export function correctnessMeasurement(options: CorrectnessOptions, setting: ResultSetting): Measurement {
  const chunk: Measuring['chunk'] = (bytes, _, ours) => core.correctnessChunk(bytes, ours);
  return new Measurement({ chunk, ...OF_CASES }, undefined, options, setting);
}

/** The correctness of one test case: what of `actual`, a list of calls or a trajectory, is as `expected`. */
export function correctnessOfLists(
  expected: Uint8Array,
  options: CorrectnessOptions,
  setting: ResultSetting,
): Measurement {
  const chunk: Measuring['chunk'] = (actual, wanted, ours) => core.correctnessOfLists(wanted as Document, actual, ours);
  return new Measurement({ chunk, ...OF_CASES }, expected, options, setting);
}
