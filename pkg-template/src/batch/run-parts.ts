import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import { optionsToPayload, type Payload } from '../boundary/json.js';
import { withTools } from '../boundary/tool-handle.js';
import { prepareTools } from '../bridge.js';
import type { DiffRunsOptions } from '../diff.js';
import type { ErrorReport, RunDiff, UnreadDocument } from '../types.js';
import type { LineShape } from './check-chunk.js';
import type { Chunk } from './chunks.js';
import { inParts, MOST_BYTES, readWritten } from './in-parts.js';

/** What a chunk of a run is. */
export interface RunRequest {
  readonly shape: LineShape;
  readonly source: string;
  /** Instead of content: why it is missing. */
  readonly failed?: ErrorReport | undefined;
}

/** What was read of a chunk. */
export interface ReadPart {
  readonly documents: number;
  readonly trials: number;
  /** The first of the documents that could not be read. */
  readonly unread: readonly UnreadDocument[];
}

/** How runs are read. The expected calls are the bytes of a document. */
export type RunOptions = Omit<DiffRunsOptions, 'expected' | 'failOnWorse'> & { readonly expected?: Uint8Array };

/** What was read of a chunk, and the trials themselves, which {@link RunParts} adds up. */
export interface ReadTrials extends ReadPart {
  /** The trials, as JSON. */
  readonly text: string;
  readonly unreadCount: number;
}

/** Reads a chunk of a run. */
export function* readTrials(chunk: Chunk, request: RunRequest, options: RunOptions): Generator<ReadTrials> {
  yield* inParts(chunk, request.shape, (part, failed) =>
    readAtOnce(part, { ...request, failed: failed ?? request.failed }, options),
  );
}

function readAtOnce(
  { bytes, line, tooLong }: Chunk,
  { shape, source, failed }: RunRequest,
  { tools, expected, ...options }: RunOptions,
): ReadTrials {
  const prepared = prepareTools(tools, options);
  const settings = optionsToPayload({ ...options, chunk: { shape, source, line, tooLong, failed } });
  const wanted = expected && ({ kind: 'bytes', bytes: expected } as const);
  return guarded(target =>
    withTools(target, prepared, compiled =>
      withDocuments(target, [{ kind: 'bytes', bytes }, wanted, settings], MOST_BYTES, (document, calls, ours) =>
        readWritten<Omit<ReadTrials, 'text'>>(core.diffChunk(document, compiled, calls, ours)),
      ),
    ),
  );
}

/** The trials of a run, counted by task. */
export class RunParts {
  readonly #parts: string[] = [];
  #documents = 0;
  #unread = 0;

  /** How many documents there are, and how many of them could not be read. */
  get totals(): { readonly documents: number; readonly unread: number } {
    return { documents: this.#documents, unread: this.#unread };
  }

  /** Adds what was read of a chunk. Chunks are added in their order. */
  add({ text, documents, unreadCount }: ReadTrials): void {
    this.#parts.push(text);
    this.#documents += documents;
    this.#unread += unreadCount;
  }

  /** All parts, as a JSON list. */
  toPayload(): Payload {
    return { kind: 'text', text: `[${this.#parts.join(',')}]` };
  }
}

/** What decides about the difference of two runs. */
export interface DiffSetting {
  readonly failOnWorse: boolean;
  readonly allowEmpty: boolean;
  /** Whether tool definitions or expected calls are given. */
  readonly hasSides: boolean;
  readonly taskKey?: string | undefined;
}

/** Compares two runs that were read. */
export function diffParts(before: RunParts, after: RunParts, setting: DiffSetting): RunDiff {
  const payloads = [before.toPayload(), after.toPayload(), optionsToPayload(setting)] as const;
  return guarded(target =>
    withDocuments(target, payloads, MOST_BYTES, (earlier, later, ours) =>
      JSON.parse(core.diffParts(earlier, later, ours)),
    ),
  );
}
