/** A run of whole lines of a file, or one line that was too long to be kept. */
export interface Chunk {
  readonly bytes: Uint8Array;
  /** The number of its first line, from 1. */
  readonly line: number;
  /** How many bytes the line had, when it was too long. */
  readonly tooLong?: number;
}

const NEWLINE = 0x0a;
const NOTHING = new Uint8Array();

/**
 * Cuts the bytes of a file, which come in pieces cut anywhere, at line ends. Of a line no more than `longest` bytes are
 * kept. Each piece gives a chunk at once when a line ends in it, so that nothing waits for more.
 */
export class LineCutter {
  readonly #longest: number;
  #line = 1;
  /** The line that has not ended yet. */
  #held: Uint8Array[] = [];
  #heldBytes = 0;

  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that end in `piece`. */
  *take(piece: Uint8Array): Generator<Chunk> {
    let rest = piece;
    if (this.#heldBytes > this.#longest) {
      const end = rest.indexOf(NEWLINE);
      this.#heldBytes += end < 0 ? rest.length : end;
      if (end < 0) return;
      yield this.#tooLong();
      rest = rest.subarray(end + 1);
    }
    const end = rest.lastIndexOf(NEWLINE);
    if (end >= 0) {
      yield this.#lines(rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
    }
    this.#hold(rest);
  }

  /** The last line, when it does not end. */
  *end(): Generator<Chunk> {
    if (this.#heldBytes > this.#longest) yield this.#tooLong();
    else if (this.#heldBytes > 0) yield this.#lines(NOTHING);
  }

  #hold(piece: Uint8Array): void {
    this.#heldBytes += piece.length;
    if (this.#heldBytes > this.#longest) this.#held = [];
    // Whoever reads the file may use the memory again.
    else if (piece.length > 0) this.#held.push(piece.slice());
  }

  #lines(ended: Uint8Array): Chunk {
    const chunk = { bytes: concat([...this.#held, ended]), line: this.#line };
    this.#line += count(ended);
    this.#held = [];
    this.#heldBytes = 0;
    return chunk;
  }

  #tooLong(): Chunk {
    const chunk = { bytes: NOTHING, line: this.#line, tooLong: this.#heldBytes };
    this.#line += 1;
    this.#heldBytes = 0;
    return chunk;
  }
}

/** The lines of `chunk` in two halves, or undefined when it is one line. */
export function halves(chunk: Chunk): [Chunk, Chunk] | undefined {
  const { bytes, line } = chunk;
  const middle = bytes.length >> 1;
  const before = bytes.subarray(0, middle).lastIndexOf(NEWLINE);
  const end = before >= 0 ? before : bytes.indexOf(NEWLINE, middle);
  if (end < 0 || end === bytes.length - 1) return undefined;
  const first = bytes.subarray(0, end + 1);
  return [
    { bytes: first, line },
    { bytes: bytes.subarray(end + 1), line: line + count(first) },
  ];
}

/** All of `pieces` as one. */
export function concat(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function count(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) lines += 1;
  return lines;
}
