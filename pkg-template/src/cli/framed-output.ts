import type { Output } from './output.js';

/** The text around the parts of an output. */
export interface Framing {
  /** The text before the parts. */
  readonly head: string;
  readonly separator: string;
  /** Whether empty lines in a row, where two parts meet, are to be one. */
  readonly collapses: boolean;
}

/** Writes a head, parts and a tail, each when it is known. */
export class FramedOutput {
  readonly #output: Output;
  readonly #framing: Framing;
  /** The last characters that were written. */
  #end = '';
  #hasHead = false;
  #hasParts = false;

  constructor(output: Output, framing: Framing) {
    this.#output = output;
    this.#framing = framing;
  }

  /** Whether a part was written. */
  get hasParts(): boolean {
    return this.#hasParts;
  }

  /** Writes a part, and the head before the first. */
  async add(part: string): Promise<void> {
    await this.#writeHead();
    // At once: an output that ends early ends with a part, and not as if it were whole.
    await this.#write(this.#hasParts ? this.#framing.separator + part : part);
    this.#hasParts = true;
  }

  /** Writes the tail, and the head if there were no parts. */
  async end(tail: string): Promise<void> {
    await this.#writeHead();
    await this.#write(tail);
  }

  /** Closes what it writes to. */
  async close(): Promise<void> {
    await this.#output.close();
  }

  async #writeHead(): Promise<void> {
    if (this.#hasHead) return;
    this.#hasHead = true;
    await this.#write(this.#framing.head);
  }

  async #write(text: string): Promise<void> {
    const toWrite = this.#framing.collapses && this.#end.endsWith('\n\n') ? text.replace(/^\n+/, '') : text;
    if (toWrite === '') return;
    this.#end = (this.#end + toWrite).slice(-2);
    await this.#output.write(toWrite);
  }
}
