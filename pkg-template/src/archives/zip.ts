import { Inflate } from 'fflate';
import { Decompress } from 'fzstd';

/** Bytes that can be read anywhere, such as a file. */
export interface Archive {
  /** How many there are. */
  readonly size: number;
  /** Those from `start` to before `end`, which lie inside. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** Why an archive can't be read. */
export class ArchiveError extends Error {}

/** A file in an archive, as the directory of the archive describes it. */
export interface Entry {
  readonly name: string;
  readonly method: number;
  readonly isEncrypted: boolean;
  /** How many bytes it takes in the archive. */
  readonly packed: number;
  /** How many bytes it has. */
  readonly size: number;
  /** Where its header begins. */
  readonly offset: number;
}

const DIRECTORY_END = 0x0605_4b50;
const DIRECTORY_END_64 = 0x0606_4b50;
const LOCATOR_64 = 0x0706_4b50;
const DIRECTORY_ENTRY = 0x0201_4b50;
const FILE = 0x0403_4b50;

const DIRECTORY_END_BYTES = 22;
const DIRECTORY_END_64_BYTES = 56;
const LOCATOR_64_BYTES = 20;
const DIRECTORY_ENTRY_BYTES = 46;
const FILE_BYTES = 30;

/** A comment of an archive, which follows its directory, is no longer than this. */
const LONGEST_COMMENT = 0xffff;

/** A number that does not fit is written in an extra field instead. */
const ELSEWHERE = 0xffff_ffff;
const EXTRA_64 = 1;

const STORED = 0;
const DEFLATED = 8;
const ZSTANDARD = 93;

/** The longest directory that is read: enough for a million files. */
const LONGEST_DIRECTORY = 256 * 1024 * 1024;

/** How much of a compressed file is expanded at once: it may become a thousand times as long. */
const PIECE_BYTES = 16 * 1024;

/** A file that expands to more than this many bytes, and to more than so many times its length, is not read. */
const SUSPICIOUS_BYTES = 64 * 1024 * 1024;
const SUSPICIOUS_RATIO = 500;

/** Whether a file begins like a ZIP archive. */
export function isZip(head: Uint8Array): boolean {
  const marks = [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ];
  return marks.some(mark => mark.every((byte, at) => head[at] === byte));
}

/** The files in an archive, in the order of its directory. Throws an `ArchiveError`. */
export async function entriesOf(archive: Archive): Promise<Entry[]> {
  const { start, length } = await directoryOf(archive);
  if (length > LONGEST_DIRECTORY || start + length > archive.size) throw damaged();
  const view = viewOf(await archive.read(start, start + length));
  const entries: Entry[] = [];
  for (let at = 0; at + DIRECTORY_ENTRY_BYTES <= length; ) {
    if (view.getUint32(at, true) !== DIRECTORY_ENTRY) throw damaged();
    const [name, extra, comment] = [28, 30, 32].map(field => view.getUint16(at + field, true)) as [
      number,
      number,
      number,
    ];
    const next = at + DIRECTORY_ENTRY_BYTES + name + extra + comment;
    if (next > length) throw damaged();
    entries.push(entryAt(view, at, name, extra));
    at = next;
  }
  return entries;
}

/** The content of a file in an archive, piece by piece. Throws an `ArchiveError`. */
export async function* contentOf(archive: Archive, entry: Entry): AsyncGenerator<Uint8Array> {
  const { name, size, packed, offset } = entry;
  if (entry.isEncrypted) throw new ArchiveError(`${name} in the archive is encrypted`);
  if (size > SUSPICIOUS_BYTES && size > packed * SUSPICIOUS_RATIO) {
    throw new ArchiveError(`${name} in the archive expands from ${packed} to ${size} bytes, which is not plausible`);
  }
  if (offset + FILE_BYTES > archive.size) throw damaged();
  const header = viewOf(await archive.read(offset, offset + FILE_BYTES));
  if (header.getUint32(0, true) !== FILE) throw damaged();
  const start = offset + FILE_BYTES + header.getUint16(26, true) + header.getUint16(28, true);
  if (start + packed > archive.size) throw damaged();
  const expand = expanderOf(entry);
  let written = 0;
  for (let at = 0; at < packed; at += PIECE_BYTES) {
    const end = Math.min(at + PIECE_BYTES, packed);
    for (const piece of expand(await archive.read(start + at, start + end), end === packed)) {
      written += piece.length;
      if (written > size) throw damaged();
      yield piece;
    }
  }
  if (written !== size) throw damaged();
}

/** Where the directory of an archive is: its end says so, behind which only a comment may follow. */
async function directoryOf(archive: Archive): Promise<{ readonly start: number; readonly length: number }> {
  const tailStart = Math.max(0, archive.size - DIRECTORY_END_BYTES - LONGEST_COMMENT);
  const view = viewOf(await archive.read(tailStart, archive.size));
  for (let at = view.byteLength - DIRECTORY_END_BYTES; at >= 0; at -= 1) {
    if (view.getUint32(at, true) !== DIRECTORY_END) continue;
    const [length, start] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
    const isElsewhere = start === ELSEWHERE || length === ELSEWHERE || view.getUint16(at + 10, true) === 0xffff;
    return isElsewhere ? largeDirectoryOf(archive, tailStart + at) : { start, length };
  }
  throw new ArchiveError('the archive is incomplete: it has no directory at its end');
}

/** The same for an archive with large numbers; the end of its directory begins at `end`. */
async function largeDirectoryOf(
  archive: Archive,
  end: number,
): Promise<{ readonly start: number; readonly length: number }> {
  if (end < LOCATOR_64_BYTES) throw damaged();
  const locator = viewOf(await archive.read(end - LOCATOR_64_BYTES, end));
  if (locator.getUint32(0, true) !== LOCATOR_64) throw damaged();
  const at = Number(locator.getBigUint64(8, true));
  if (at + DIRECTORY_END_64_BYTES > archive.size) throw damaged();
  const view = viewOf(await archive.read(at, at + DIRECTORY_END_64_BYTES));
  if (view.getUint32(0, true) !== DIRECTORY_END_64) throw damaged();
  return { length: Number(view.getBigUint64(40, true)), start: Number(view.getBigUint64(48, true)) };
}

function entryAt(view: DataView, at: number, nameBytes: number, extraBytes: number): Entry {
  const nameStart = at + DIRECTORY_ENTRY_BYTES;
  const name = new Uint8Array(view.buffer, view.byteOffset + nameStart, nameBytes);
  const large = largeNumbers(view, nameStart + nameBytes, extraBytes);
  // The large numbers follow each other in this order, and only those that did not fit.
  const number = (field: number): number => {
    const small = view.getUint32(at + field, true);
    return small === ELSEWHERE ? (large.shift() ?? small) : small;
  };
  const [size, packed, offset] = [number(24), number(20), number(42)];
  return {
    name: new TextDecoder().decode(name),
    method: view.getUint16(at + 10, true),
    isEncrypted: (view.getUint16(at + 8, true) & 1) === 1,
    packed,
    size,
    offset,
  };
}

/** The numbers in the extra field for large ones. */
function largeNumbers(view: DataView, start: number, bytes: number): number[] {
  for (let at = start; at + 4 <= start + bytes; ) {
    const [kind, length] = [view.getUint16(at, true), view.getUint16(at + 2, true)];
    const end = Math.min(at + 4 + length, start + bytes);
    if (kind === EXTRA_64) {
      const numbers: number[] = [];
      for (let place = at + 4; place + 8 <= end; place += 8) numbers.push(Number(view.getBigUint64(place, true)));
      return numbers;
    }
    at += 4 + length;
  }
  return [];
}

/** What expands a compressed file, given piece by piece. */
type Expander = (piece: Uint8Array, isLast: boolean) => Uint8Array[];

function expanderOf({ name, method }: Entry): Expander {
  if (method === STORED) return piece => [piece];
  if (method !== DEFLATED && method !== ZSTANDARD) {
    throw new ArchiveError(`${name} in the archive is compressed in a way that is not supported (method ${method})`);
  }
  let expanded: Uint8Array[] = [];
  const take = (piece: Uint8Array) => expanded.push(piece);
  const stream = method === DEFLATED ? new Inflate(take) : new Decompress(take);
  return (piece, isLast) => {
    expanded = [];
    try {
      stream.push(piece, isLast);
    } catch {
      throw damaged();
    }
    return expanded;
  };
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function damaged(): ArchiveError {
  return new ArchiveError('the archive is damaged or incomplete');
}
