import type { CheckSummary, Gate, Trials } from 'toolgauge';
import { CoreWorker } from '../checker/core-worker.ts';
import type { Documents, Options, Problem } from '../checker/protocol.ts';
import type { FileAnswer } from './protocol.ts';
import type { Row } from './rows.ts';

/** How far the check of a file is. Each step makes a new object, but all of them share one growing list of rows. */
export interface FileProgress {
  readonly file: File;
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** How many bytes were read. */
  readonly read: number;
  readonly rows: readonly Row[];
  readonly summary?: CheckSummary;
  readonly gate?: Gate;
  /** What several trials of one task show so far. */
  readonly trials?: Trials | undefined;
  readonly problem?: Problem;
}

/** The check of a file of JSON Lines, in a worker of its own, so that it can be stopped at any moment. */
export class FileCheck {
  readonly #file: File;
  readonly #onProgress: (progress: FileProgress) => void;
  readonly #worker: CoreWorker<FileAnswer>;
  readonly #rows: Row[] = [];
  readonly #lineEnds: number[] = [];
  #progress: FileProgress;

  constructor(
    file: File,
    { tools, expected }: Pick<Documents, 'tools' | 'expected'>,
    options: Options,
    onProgress: (progress: FileProgress) => void,
  ) {
    this.#file = file;
    this.#onProgress = onProgress;
    this.#progress = { file, state: 'running', read: 0, rows: this.#rows };
    this.#worker = new CoreWorker({
      onReady: () => this.#worker.send({ kind: 'file', file, tools, expected, options }),
      onMessage: answer => this.#receive(answer),
      onFailure: message => this.#fail({ document: 'trajectory', code: 'internal', message }),
    });
    onProgress(this.#progress);
  }

  /** Stops the check. The rows found so far stay. */
  stop(): void {
    this.#worker.end();
    if (this.#progress.state === 'running') this.#step({ state: 'stopped' });
  }

  /** Stops the check and reports nothing more. */
  discard(): void {
    this.#worker.end();
  }

  /** The text of the row's line. */
  async lineOf({ line }: Row): Promise<string> {
    const start = line === 1 ? 0 : (this.#lineEnds[line - 2] ?? 0) + 1;
    return this.#file.slice(start, this.#lineEnds[line - 1] ?? this.#file.size).text();
  }

  #receive(answer: FileAnswer): void {
    if (answer.kind === 'failed') {
      this.#fail(answer.problem);
      return;
    }
    const { rows, lineEnds, read, summary, gate, trials, isLast } = answer;
    for (const row of rows) this.#rows.push(row);
    for (const end of lineEnds) this.#lineEnds.push(end);
    this.#step({ read, summary, gate, trials, ...(isLast && { state: 'done' }) });
    if (isLast) this.#worker.end();
  }

  #fail(problem: Problem): void {
    this.#worker.end();
    this.#step({ state: 'failed', problem });
  }

  #step(changed: Partial<FileProgress>): void {
    this.#progress = { ...this.#progress, ...changed };
    this.#onProgress(this.#progress);
  }
}
