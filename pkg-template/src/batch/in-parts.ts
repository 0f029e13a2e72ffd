import type { WrittenChunk } from '#glue';
import { ToolgaugeError } from '../errors.js';
import type { ErrorReport } from '../types.js';
import type { LineShape } from './check-chunk.js';
import { type Chunk, halves } from './chunks.js';

/** WebAssembly counts bytes in 32 bits. The limit of an input holds for each line, not for a chunk of them. */
export const MOST_BYTES = 0xffff_ffff;

const NOTHING = new Uint8Array();

/** What is done with a part of a chunk: with its content or, when that failed, with the reason. */
export type PartWork<Result> = (part: Chunk, failed: ErrorReport | undefined, isFirst: boolean) => Result;

/**
 * What `work` makes of a chunk. A line on which the core fails costs nothing but itself: the chunk is taken in halves,
 * and in the end `work` is called for that line with the reason instead of its content.
 */
export function* inParts<Result>(
  chunk: Chunk,
  shape: LineShape,
  work: PartWork<Result>,
  isFirst = true,
): Generator<Result> {
  try {
    yield work(chunk, undefined, isFirst);
  } catch (error) {
    if (!(error instanceof ToolgaugeError) || !isAboutDocument(error)) throw error;
    const parts = shape === 'lines' ? halves(chunk) : undefined;
    if (parts === undefined) {
      yield work({ ...chunk, bytes: NOTHING }, reportOf(error), isFirst);
      return;
    }
    const [first, second] = parts;
    yield* inParts(first, shape, work, isFirst);
    yield* inParts(second, shape, work, false);
  }
}

/** What the core says about a chunk that it wrote, and the text. */
export function readWritten<About extends object>(chunk: WrittenChunk): About & { readonly text: string } {
  const about: About = JSON.parse(chunk.about);
  const text = chunk.text();
  chunk.free();
  return { ...about, text };
}

/** The core reports most unreadable documents itself, except those that end the work on all others, too. */
function isAboutDocument({ code }: ToolgaugeError): boolean {
  return code === 'internal' || code === 'limit_exceeded';
}

function reportOf({ code, message, path, expected }: ToolgaugeError): ErrorReport {
  return { code, message, ...(path === undefined ? {} : { path }), ...(expected === undefined ? {} : { expected }) };
}
