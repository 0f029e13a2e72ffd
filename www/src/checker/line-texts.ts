/** The texts of the lines of a file that is read piece by piece. A line is forgotten once a later one is asked for. */
export class LineTexts {
  readonly #decoder = new TextDecoder();
  #rest = '';
  #lines: string[] = [];
  /** The number of the first line in the list, from 1. */
  #first = 1;

  /** Adds the next piece of the file. */
  add(piece: Uint8Array): void {
    const lines = (this.#rest + this.#decoder.decode(piece, { stream: true })).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#lines.push(line);
  }

  /** The text of a line, from 1, that was added; never one before the line asked for last. */
  of(line: number): string {
    this.#lines.splice(0, line - this.#first);
    this.#first = line;
    return this.#lines[0] ?? this.#rest;
  }
}
