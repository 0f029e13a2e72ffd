import type { CheckOptions } from 'toolgauge';
import { ArchiveError } from '../archives/index.js';
import { type LineShape, lineShape, longestInput } from '../batch/check-chunk.js';
import { type Chunk, concat, LineCutter } from '../batch/chunks.js';
import type { ErrorReport } from '../types.js';
import { reasonOf } from './failure.js';
import type { Input } from './inputs.js';
import { NoFile } from './walk.js';

/** A chunk of an input. */
export interface Piece {
  readonly input: Input;
  readonly shape: LineShape;
  readonly chunk: Chunk;
  /** Whether it is the first of its input. */
  readonly isFirst: boolean;
  /** Why the rest of the input can't be read. */
  readonly failed?: ErrorReport;
}

const NOTHING = new Uint8Array();

/** Reads inputs one after the other, in chunks of whole lines, or as a whole where lines are no documents. */
export async function* readAll(inputs: readonly Input[], options: CheckOptions): AsyncGenerator<Piece> {
  for (const input of inputs) yield* read(input, options);
}

async function* read(input: Input, options: CheckOptions): AsyncGenerator<Piece> {
  let isFirst = true;
  try {
    for await (const { shape, chunk } of chunksOf(input, options)) {
      yield { input, shape, chunk, isFirst };
      isFirst = false;
    }
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof NoFile) && !(error instanceof ArchiveError)) throw error;
    const chunk = { bytes: NOTHING, line: 1 };
    const failed = { code: 'invalid_input', message: `can't be read: ${reasonOf(error)}` } as const;
    yield { input, shape: 'document', chunk, isFirst, failed };
  }
}

async function* chunksOf(input: Input, options: CheckOptions): AsyncGenerator<Pick<Piece, 'shape' | 'chunk'>> {
  const pieces = input.open()[Symbol.asyncIterator]();
  const longest = longestInput(options);
  const head: Uint8Array[] = [];
  let shape: LineShape | null = null;
  let [bytes, looked, ended] = [0, 0, false];
  while (shape === null) {
    const next = await pieces.next();
    if (next.done) ended = true;
    else head.push(next.value);
    bytes += next.value?.length ?? 0;
    // Looking at a head that grows by half at least takes no more than a few times its length.
    if (!ended && bytes < looked * 1.5) continue;
    looked = bytes;
    shape = lineShape(concat(head), ended, input.isLines, options);
    if (shape === null && bytes > longest) shape = input.isLines ? 'lines' : 'document';
  }
  const rest = chain(head, pieces, ended);
  yield* shape === 'lines' ? linesOf(rest, longest) : wholeOf(rest, shape, input, longest);
}

async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  longest: number,
): AsyncGenerator<Pick<Piece, 'shape' | 'chunk'>> {
  const cutter = new LineCutter(longest);
  for await (const piece of pieces) {
    for (const chunk of cutter.take(piece)) yield { shape: 'lines', chunk };
  }
  for (const chunk of cutter.end()) yield { shape: 'lines', chunk };
}

async function* wholeOf(
  pieces: AsyncIterable<Uint8Array>,
  shape: LineShape,
  { size }: Input,
  longest: number,
): AsyncGenerator<Pick<Piece, 'shape' | 'chunk'>> {
  const held: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes > longest) {
      yield { shape, chunk: { bytes: NOTHING, line: 1, tooLong: size ?? bytes } };
      return;
    }
  }
  yield { shape, chunk: { bytes: concat(held), line: 1 } };
}

async function* chain(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
  ended: boolean,
): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    if (ended) return;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}
