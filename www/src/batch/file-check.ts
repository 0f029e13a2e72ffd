import type { CheckSummary, Gate } from 'toolgauge';
import type { Options, Problem } from '../judge/protocol.ts';
import { openWorker } from '../open-worker.ts';
import address from '../package/worker.ts?worker&url';
import type { FileAnswer, FileQuestion } from './protocol.ts';
import type { Row } from './rows.ts';

/** How far the check of a file is. A new object for each step; the rows are the same list, which grows. */
export interface FileProgress {
  readonly file: File;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** How many bytes were read. */
  readonly read: number;
  readonly rows: readonly Row[];
  readonly summary?: CheckSummary;
  readonly gate?: Gate;
  readonly problem?: Problem;
}

const NOT_LOADED = 'What checks files could not be loaded. Is there a connection?';

/** The check of a file of JSON Lines, in a worker of its own, so that it can be stopped at any moment. */
export class FileCheck {
  readonly #file: File;
  readonly #onProgress: (progress: FileProgress) => void;
  readonly #worker: Worker;
  readonly #rows: Row[] = [];
  readonly #lineEnds: number[] = [];
  #progress: FileProgress;

  constructor(file: File, tools: string, options: Options, onProgress: (progress: FileProgress) => void) {
    this.#file = file;
    this.#onProgress = onProgress;
    this.#progress = { file, state: 'running', read: 0, rows: this.#rows };
    this.#worker = openWorker(address);
    this.#worker.onmessage = ({ data }: MessageEvent<FileAnswer>) => this.#hear(data);
    this.#worker.onerror = ({ message }) =>
      this.#fail({ document: 'trajectory', code: 'internal', message: message || NOT_LOADED });
    this.#worker.postMessage({ kind: 'file', file, tools, options } satisfies FileQuestion);
    onProgress(this.#progress);
  }

  /** Ends the check; what was found stays. */
  stop(): void {
    this.#worker.terminate();
    if (this.#progress.state === 'running') this.#step({ state: 'stopped' });
  }

  /** Ends the check without another word. */
  discard(): void {
    this.#worker.terminate();
  }

  /** The text of the line that a row stands in. */
  async lineOf({ line }: Row): Promise<string> {
    const start = line === 1 ? 0 : (this.#lineEnds[line - 2] ?? 0) + 1;
    return this.#file.slice(start, this.#lineEnds[line - 1] ?? this.#file.size).text();
  }

  #hear(answer: FileAnswer): void {
    if (answer.kind === 'failed') {
      this.#fail(answer.problem);
      return;
    }
    const { rows, lineEnds, read, summary, gate, isLast } = answer;
    for (const row of rows) this.#rows.push(row);
    for (const end of lineEnds) this.#lineEnds.push(end);
    this.#step({ read, summary, gate, ...(isLast && { state: 'done' }) });
    if (isLast) this.#worker.terminate();
  }

  #fail(problem: Problem): void {
    this.#worker.terminate();
    this.#step({ state: 'failed', problem });
  }

  #step(changed: Partial<FileProgress>): void {
    this.#progress = { ...this.#progress, ...changed };
    this.#onProgress(this.#progress);
  }
}
