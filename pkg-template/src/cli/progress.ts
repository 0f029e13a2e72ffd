import type { Input } from './inputs.js';
import { columnsOf, isTerminal } from './terminal.js';

/** A bar on standard error, when that is a terminal; otherwise nothing is shown. */
export interface Progress {
  /** So many more bytes were read, and trajectories are done. */
  advance(bytes: number, trajectories: number): void;
  /** Takes the bar away, so that something else can be written; it comes back by itself. */
  clear(): void;
  end(): void;
}

const FIRST_AFTER_MS = 500;
const EVERY_MS = 100;
const ERASE_LINE = '\r\u001b[2K';

/** Shows how far work on `inputs` is, when it takes long; where the size of one is unknown, only how much is done. */
export function openProgress(inputs: readonly Input[], verb: string): Progress {
  if (!isTerminal(process.stderr)) return { advance() {}, clear() {}, end() {} };
  const sizes = inputs.map(({ size }) => size);
  return new Bar(
    sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
    verb,
  );
}

class Bar implements Progress {
  readonly #total: number | undefined;
  readonly #verb: string;
  readonly #start = Date.now();
  #drawnAt = this.#start + FIRST_AFTER_MS - EVERY_MS;
  #bytes = 0;
  #trajectories = 0;
  #isDrawn = false;

  constructor(total: number | undefined, verb: string) {
    this.#total = total;
    this.#verb = verb;
  }

  advance(bytes: number, trajectories: number): void {
    this.#bytes += bytes;
    this.#trajectories += trajectories;
    const now = Date.now();
    if (now - this.#drawnAt < EVERY_MS) return;
    this.#drawnAt = now;
    this.#isDrawn = true;
    const line = barLine(
      {
        verb: this.#verb,
        total: this.#total,
        bytes: this.#bytes,
        trajectories: this.#trajectories,
        seconds: (now - this.#start) / 1000,
      },
      columnsOf(process.stderr),
    );
    process.stderr.write(`${ERASE_LINE}${line}`);
  }

  clear(): void {
    if (this.#isDrawn) process.stderr.write(ERASE_LINE);
    this.#isDrawn = false;
  }

  end(): void {
    this.clear();
  }
}

/** How far work is. */
export interface Extent {
  readonly verb: string;
  readonly total: number | undefined;
  readonly bytes: number;
  readonly trajectories: number;
  readonly seconds: number;
}

const BAR_CELLS = 24;

/** The line that shows how far work is, in at most `columns`. */
export function barLine({ verb, total, bytes, trajectories, seconds }: Extent, columns: number): string {
  const count = `${trajectories.toLocaleString('en')} ${trajectories === 1 ? 'trajectory' : 'trajectories'}`;
  const facts = [`${megabytes(bytes)}${total === undefined ? '' : ` of ${megabytes(total)}`} MB`, count];
  if (total === undefined || total === 0) return `${verb}  ${facts.join(' · ')}`.slice(0, columns - 1);
  const share = Math.min(bytes / total, 1);
  const done = Math.floor(share * BAR_CELLS);
  const bar = `${'█'.repeat(done)}${'░'.repeat(BAR_CELLS - done)}`;
  if (share > 0 && share < 1) facts.push(`${clock((seconds / share) * (1 - share))} left`);
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  return `${verb}  ${bar} ${percent}  ${facts.join(' · ')}`.slice(0, columns - 1);
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
