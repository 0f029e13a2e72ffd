import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Archive, ArchiveError, evalLines, isZip } from '../archives/index.js';
import { concat } from '../batch/chunks.js';

type Pieces = AsyncIterable<Uint8Array>;

/** Large enough that what a call to the core costs by itself does not count, small enough for flat memory. */
const PIECE_BYTES = 1024 * 1024;

/** How many bytes say what a file is. */
const HEAD_BYTES = 4;

/** What expands to more bytes than this, and to more than so many times its length, is not read on. */
const SUSPICIOUS_BYTES = 64 * 1024 * 1024;
const SUSPICIOUS_RATIO = 500;

/** The content of a file as text in UTF-8: see {@link readStream}. An archive is read where its parts lie. */
export function readFile(name: string, isRegular: boolean): Pieces {
  return unpacked(createReadStream(name, { highWaterMark: PIECE_BYTES }), isRegular ? () => open(name) : undefined);
}

/**
 * The content of a stream as text in UTF-8: the samples of an Inspect log (`.eval`) as lines, what gzip compressed, and
 * UTF-16 with a byte order mark. Everything else is passed on as it is. Throws an `ArchiveError`.
 */
export function readStream(stream: Pieces): Pieces {
  return unpacked(stream);
}

async function* unpacked(stream: Pieces, reopen?: () => Promise<FileHandle>): AsyncGenerator<Uint8Array> {
  const pieces = stream[Symbol.asyncIterator]();
  try {
    const head = await headOf(pieces);
    const all = { [Symbol.asyncIterator]: () => chain(head, pieces) };
    if (isZip(head)) yield* reopen === undefined ? evalLines(inMemory(await collect(all))) : fromFile(await reopen());
    else if (head[0] === 0x1f && head[1] === 0x8b) yield* expanded(all);
    else if (head[0] === 0xff && head[1] === 0xfe) yield* inUtf8(all, 'utf-16le');
    else if (head[0] === 0xfe && head[1] === 0xff) yield* inUtf8(all, 'utf-16be');
    else yield* all;
  } finally {
    await pieces.return?.();
  }
}

async function headOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const head: Uint8Array[] = [];
  for (let bytes = 0; bytes < HEAD_BYTES; ) {
    const next = await pieces.next();
    if (next.done) break;
    head.push(next.value);
    bytes += next.value.length;
  }
  return concat(head);
}

async function* chain(head: Uint8Array, pieces: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value;
}

async function collect(pieces: Pieces): Promise<Uint8Array> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return concat(all);
}

function inMemory(bytes: Uint8Array): Archive {
  return { size: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

async function* fromFile(file: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    const { size } = await file.stat();
    yield* evalLines({ size, read: (start, end) => readAt(file, start, end) });
  } finally {
    await file.close();
  }
}

async function readAt(file: FileHandle, start: number, end: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  for (let filled = 0; filled < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) throw new ArchiveError('the archive became shorter while it was read');
    filled += bytesRead;
  }
  return bytes;
}

async function* expanded(pieces: Pieces): AsyncGenerator<Uint8Array> {
  let [packed, written] = [0, 0];
  const counted = async function* () {
    for await (const piece of pieces) {
      packed += piece.length;
      yield piece;
    }
  };
  const output = new PassThrough();
  const done = pipeline(Readable.from(counted()), createGunzip(), output);
  done.catch(() => {});
  try {
    for await (const piece of output) {
      written += piece.length;
      if (written > SUSPICIOUS_BYTES && written > packed * SUSPICIOUS_RATIO) {
        throw new ArchiveError('it expands to more than 500 times its length, which is not plausible');
      }
      yield piece;
    }
    await done;
  } catch (error) {
    throw isZlibError(error) ? new ArchiveError('what gzip compressed is damaged or incomplete') : error;
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

async function* inUtf8(pieces: Pieces, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const encoder = new TextEncoder();
  try {
    for await (const piece of pieces) yield encoder.encode(decoder.decode(piece, { stream: true }));
    yield encoder.encode(decoder.decode());
  } catch (error) {
    throw error instanceof TypeError ? new ArchiveError('its text in UTF-16 is damaged or incomplete') : error;
  }
}
