import type { UnreadDocument } from 'toolgauge';
import { describe, Failure, type Remedy, remedyFor } from './failure.js';
import type { Input } from './inputs.js';

/** What a command lets pass. */
export interface ReadingFlags {
  readonly allowErrors?: true;
  readonly allowEmpty?: true;
}

/** How many documents were read, and how many could not be. */
interface ReadTotals {
  readonly documents: number;
  readonly unread: number;
}

/** Documents that could not be read are told of one by one up to this many. */
const MOST_TOLD = 20;

const EMPTY_REMEDY = 'check the path, or let that pass with --allow-empty';

/** Tells on standard error what of many inputs could not be read, and says whether that lets the command fail. */
export class Problems {
  readonly #inputs: readonly Input[];
  readonly #flags: ReadingFlags;
  readonly #remedy: Remedy;
  readonly #filled = new Set<Input>();
  #told = 0;

  constructor(inputs: readonly Input[], flags: ReadingFlags, remedy: Remedy) {
    this.#inputs = inputs;
    this.#flags = flags;
    this.#remedy = remedy;
  }

  /** Takes note that an input holds something. */
  fill(input: Input): void {
    this.#filled.add(input);
  }

  /** Tells documents that could not be read; of many the first. */
  tell(unread: readonly UnreadDocument[]): void {
    for (const { source = '', line, error } of unread) {
      const place = line === undefined ? source : `${source}:${line}`;
      const remedy = line === undefined ? remedyFor(error, this.#remedy) : undefined;
      if (this.#told === MOST_TOLD) return;
      this.#told += 1;
      process.stderr.write(describe(new Failure(`${place}: ${error.message}`, remedy)));
    }
  }

  /** Tells how much could not be read, and which inputs hold nothing; true when that does not pass. */
  areFatal({ documents, unread }: ReadTotals): boolean {
    const isEmpty = this.#tellOfEmpty();
    if (documents > 1 && unread > 0) {
      const hint = this.#flags.allowErrors ? '' : '; --allow-errors lets that pass';
      process.stderr.write(`toolgauge: ${unread} of ${documents} documents could not be read${hint}\n`);
    }
    return isEmpty || (unread > 0 && this.#flags.allowErrors !== true);
  }

  #tellOfEmpty(): boolean {
    const empty = this.#inputs.filter(input => !this.#filled.has(input));
    if (empty.length === 0 || this.#flags.allowEmpty) return false;
    for (const { name } of empty) process.stderr.write(describe(new Failure(`${name}: it is empty`, EMPTY_REMEDY)));
    return true;
  }
}
