import type { Document, WrittenChunk } from '#glue';
import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import { optionsToPayload, type Payload } from '../boundary/json.js';
import type { CorrectnessOptions } from '../correctness.js';
import type { ErrorReport, Gate, TrajectoryFormat, UnreadDocument } from '../types.js';
import type { RESULT_FORMATS, SHOWN } from '../values.js';
import type { LineShape, ReportFrame } from './check-chunk.js';
import type { Chunk } from './chunks.js';
import { inParts, MOST_BYTES, readWritten } from './in-parts.js';

/** The formats of results. */
export type ResultFormat = (typeof RESULT_FORMATS)[number];

/** What is reported, how, and what makes it fail. */
export interface ResultSetting {
  readonly format: ResultFormat;
  readonly layout: { readonly width: number; readonly color: boolean };
  /** Which results reports for people show; `issues` are those under 1. */
  readonly show: (typeof SHOWN)[number];
  /** The names of the inputs. */
  readonly sources: readonly string[];
  readonly minScore?: number | undefined;
  readonly allowEmpty: boolean;
}

/** What a chunk is. */
export interface MeasureRequest {
  readonly shape: LineShape;
  readonly source: string;
  /** Instead of content: why it is missing. */
  readonly failed?: ErrorReport | undefined;
}

/** What was found in a chunk. */
export interface MeasuredChunk {
  /** The part of the report. */
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

/** The text around the parts of a report; at the end also whether the gate passes. */
export type ResultFrame = ReportFrame & { readonly gate: Gate | null };

/** The functions of the core that measure one kind of thing. */
interface Measuring {
  chunk(bytes: Document, expected: Document | undefined, options: Document | undefined): WrittenChunk;
  frame(options: Document | undefined): string;
}

const NOTHING_YET: MeasureSummary = { documents: 0, unread: 0 };

/** Measures chunks of files, one after the other, and adds up. */
export class Measurement {
  readonly #core: Measuring;
  readonly #expected: Payload | undefined;
  readonly #options: object;
  readonly #setting: ResultSetting;
  readonly #met = new Set<number>();
  #summary: MeasureSummary | undefined;

  constructor(core: Measuring, expected: Uint8Array | undefined, options: object, setting: ResultSetting) {
    this.#core = core;
    this.#expected = expected && { kind: 'bytes', bytes: expected };
    this.#options = options;
    this.#setting = setting;
  }

  /** The totals of the chunks so far. */
  get summary(): MeasureSummary {
    return this.#summary ?? NOTHING_YET;
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
  frame(isEnd: boolean, format: ResultFormat = this.#setting.format): ResultFrame {
    const { show, ...setting } = { ...this.#setting, format };
    const summary = isEnd ? (this.#summary ?? {}) : undefined;
    const options = optionsToPayload({ ...this.#options, frame: { ...setting, summary } });
    return guarded(target => withDocuments(target, [options], MOST_BYTES, ours => JSON.parse(this.#core.frame(ours))));
  }

  #measureAtOnce({ bytes, line, tooLong }: Chunk, { shape, source, failed }: MeasureRequest): MeasuredChunk {
    const chunk = { shape, source, line, tooLong, failed };
    const options = { ...this.#options, chunk, style: styleOf(this.#setting), summary: this.#summary };
    return this.#add([{ kind: 'bytes', bytes }, this.#expected, optionsToPayload(options)], this.#core.chunk);
  }

  #add(
    payloads: readonly [Payload, Payload | undefined, Payload | undefined],
    call: Measuring['chunk'],
  ): MeasuredChunk {
    return guarded(target =>
      withDocuments(target, payloads, MOST_BYTES, (document, expected, ours) => {
        const { summary, unread, met, text } = readWritten<About>(call(document, expected, ours));
        this.#summary = summary;
        for (const place of met) this.#met.add(place);
        return { text, unread };
      }),
    );
  }
}

/** What the core says of a chunk. */
interface About extends Pick<MeasuredChunk, 'unread'> {
  readonly summary: MeasureSummary;
  readonly met: readonly number[];
}

function styleOf({ format, layout, show, sources }: ResultSetting): object {
  return { format, layout, show, namesSource: sources.length > 1 };
}

/** How trajectories of many files are scored. */
export interface ScoreManyOptions {
  /** The format to read. Default: the one that each document looks like. */
  readonly format?: TrajectoryFormat | undefined;
  /** The text of the tool definitions, for `schemaDefaults`. Default: those that each trajectory contains. */
  readonly tools?: string;
}

/** Scores of trajectories against an `expected` document or, without one, what each carries. */
export function scoreMeasurement(
  expected: Uint8Array | undefined,
  options: ScoreManyOptions,
  setting: ResultSetting,
): Measurement {
  return new Measurement({ chunk: core.scoreChunk, frame: core.frameScores }, expected, options, setting);
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

/** The correctness of test cases. */
export function correctnessMeasurement(options: CorrectnessOptions, setting: ResultSetting): Measurement {
  const chunk: Measuring['chunk'] = (bytes, _, ours) => core.correctnessChunk(bytes, ours);
  return new Measurement({ chunk, frame: core.frameCorrectness }, undefined, options, setting);
}

/** The correctness of one test case: what of `actual`, a list of calls or a trajectory, is as `expected`. */
export function correctnessOfLists(
  expected: Uint8Array,
  options: CorrectnessOptions,
  setting: ResultSetting,
): Measurement {
  const chunk: Measuring['chunk'] = (actual, wanted, ours) => core.correctnessOfLists(wanted as Document, actual, ours);
  return new Measurement({ chunk, frame: core.frameCorrectness }, expected, options, setting);
}
