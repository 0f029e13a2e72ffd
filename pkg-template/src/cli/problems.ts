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

/** Most unreadable documents that are named. */
const MOST_REPORTED = 20;

const EMPTY_REMEDY = 'check the path, or let that pass with --allow-empty';

/** Reports unreadable inputs on standard error, and decides whether they fail the command. */
export class Problems {
  readonly #inputs: readonly Input[];
  readonly #flags: ReadingFlags;
  readonly #remedy: Remedy;
  readonly #filled = new Set<Input>();
  readonly #unknownLines = new Map<string, number>();
  #reported = 0;

  constructor(inputs: readonly Input[], flags: ReadingFlags, remedy: Remedy) {
    this.#inputs = inputs;
    this.#flags = flags;
    this.#remedy = remedy;
  }

  /** Takes note that an input holds something. */
  fill(input: Input): void {
    this.#filled.add(input);
  }

  /** Reports unreadable documents; of many only the first. */
  report(unread: readonly UnreadDocument[]): void {
    for (const { source = '', line, error } of unread) {
      const isUnknown = line !== undefined && error.code === 'unknown_format';
      if (isUnknown && this.#isToldOf(source)) continue;
      const place = line === undefined ? source : `${source}:${line}`;
      const remedy = line === undefined ? remedyFor(error, this.#remedy) : undefined;
      if (this.#reported === MOST_REPORTED) return;
      this.#reported += 1;
      process.stderr.write(describe(new Failure(`${place}: ${error.message}`, remedy)));
    }
  }

  /** Whether a line of `source` in no known format was reported: most often the other lines are like it. */
  #isToldOf(source: string): boolean {
    const lines = (this.#unknownLines.get(source) ?? 0) + 1;
    this.#unknownLines.set(source, lines);
    if (lines === 2) process.stderr.write(describe(new Failure(`${source}: more lines are in no known format`)));
    return lines > 1;
  }

  /** Reports how much could not be read, and which inputs hold nothing. True if that fails the command. */
  areFatal({ documents, unread }: ReadTotals): boolean {
    const isEmpty = this.#reportEmpty();
    if (documents > 1 && unread > 0) {
      const hint = this.#flags.allowErrors ? '' : '; --allow-errors lets that pass';
      process.stderr.write(`toolgauge: ${unread} of ${documents} documents could not be read${hint}\n`);
    }
    return isEmpty || (unread > 0 && this.#flags.allowErrors !== true);
  }

  #reportEmpty(): boolean {
    const empty = this.#inputs.filter(input => !this.#filled.has(input));
    if (empty.length === 0 || this.#flags.allowEmpty) return false;
    for (const { name } of empty) process.stderr.write(describe(new Failure(`${name}: it is empty`, EMPTY_REMEDY)));
    return true;
  }
}
