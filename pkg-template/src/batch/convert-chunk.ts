import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import { optionsToPayload } from '../boundary/json.js';
import type { ErrorReport, ExportFormat, ImportWarning, TrajectoryFormat } from '../types.js';
import type { LineShape } from './check-chunk.js';
import type { Chunk } from './chunks.js';
import { inParts, MOST_BYTES, readWritten } from './in-parts.js';

/** Which format is read, and which is written. */
export interface Conversion {
  /** Default: the one that each document looks like. */
  readonly from?: TrajectoryFormat | undefined;
  readonly to: ExportFormat;
}

/** The layout of the output: one JSON document, or one trajectory per line. */
export type ConvertedLayout = 'document' | 'lines';

/** What a chunk is, and how it is written. */
export interface ConvertRequest {
  readonly shape: LineShape;
  readonly source: string;
  readonly layout: ConvertedLayout;
  /** Instead of content: why it is missing. */
  readonly failed?: ErrorReport | undefined;
}

/** The totals of a conversion, as far as the command reads them. */
export interface ConvertSummary {
  readonly documents: number;
  readonly unread: number;
  readonly trajectories: number;
  readonly warnings: number;
}

/** A document that could be converted only in part, or not at all: then it has an `error`. */
export interface ConvertProblem {
  readonly source?: string;
  readonly line?: number;
  readonly error?: ErrorReport;
  readonly warning?: ImportWarning;
}

/** The conversion of a chunk. */
export interface ConvertedChunk {
  readonly text: string;
  /** The first of them. */
  readonly problems: readonly ConvertProblem[];
}

/** What the core says of a chunk. */
interface About extends Pick<ConvertedChunk, 'problems'> {
  readonly summary: ConvertSummary;
}

const NOTHING_YET: ConvertSummary = { documents: 0, unread: 0, trajectories: 0, warnings: 0 };

/** Writes chunks in another format, and adds up what came of them. */
export class Converter {
  readonly #conversion: Conversion;
  #summary: ConvertSummary | undefined;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  /** What came of the chunks so far. */
  get summary(): ConvertSummary {
    return this.#summary ?? NOTHING_YET;
  }

  /** What is written for a chunk: see {@link inParts}. */
  *convert(chunk: Chunk, request: ConvertRequest): Generator<ConvertedChunk> {
    yield* inParts(chunk, request.shape, (part, failed) =>
      this.#convertAtOnce(part, { ...request, failed: failed ?? request.failed }),
    );
  }

  /** What was left out since the format has no place for it, a line for each thing; empty when nothing was. */
  losses(): string {
    if (this.#summary === undefined) return '';
    const options = optionsToPayload({ summary: this.#summary, to: this.#conversion.to });
    return guarded(target => withDocuments(target, [options], MOST_BYTES, ours => core.reportLosses(ours)));
  }

  #convertAtOnce({ bytes, line, tooLong }: Chunk, request: ConvertRequest): ConvertedChunk {
    const { shape, source, layout, failed } = request;
    const chunk = { shape, source, line, tooLong, failed };
    const options = optionsToPayload({ ...this.#conversion, layout, chunk, summary: this.#summary });
    return guarded(target =>
      withDocuments(target, [{ kind: 'bytes', bytes }, options], MOST_BYTES, (document, ours) => {
        const { summary, problems, text } = readWritten<About>(core.convertChunk(document, ours));
        this.#summary = summary;
        return { text, problems };
      }),
    );
  }
}
