import { CoreWorker } from './core-worker.ts';
import type { Answer, Numbered, Question } from './protocol.ts';

/** How long the worker may take for one answer before the page gives up on it, in milliseconds. */
const PATIENCE = 60_000;

interface Waiting {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
}

/**
 * Answers questions in a worker, one at a time. Questions wait until the worker is loaded. A check, a
 * comparison or a search that has not begun is dropped when a newer one is asked for: only the newest matters.
 */
export class Checker {
  readonly #onLoaded: () => void;
  #worker: CoreWorker<Numbered<Answer>> | undefined;
  #isReady = false;
  #asked: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Waiting[] = [];
  #next = 0;

  /** `onLoaded` is called whenever a worker has become ready. */
  constructor(onLoaded: () => void) {
    this.#onLoaded = onLoaded;
  }

  /** Loads the worker before the first question. */
  start(): void {
    this.#worker ??= this.#open();
  }

  /** The promise of a question that was dropped never settles. */
  ask(question: Question): Promise<Answer> {
    return new Promise(resolve => {
      if (isOvertaken(question)) this.#queue = this.#queue.filter(waiting => waiting.question.kind !== question.kind);
      this.#queue.push({ question, resolve });
      this.start();
      this.#send();
    });
  }

  #open(): CoreWorker<Numbered<Answer>> {
    return new CoreWorker({
      onReady: () => {
        this.#isReady = true;
        this.#onLoaded();
        this.#send();
      },
      onMessage: answer => {
        if (answer.id === this.#next) this.#settle(answer);
      },
      onFailure: reason => this.#fail(reason),
    });
  }

  #send(): void {
    if (!this.#isReady || this.#asked !== undefined) return;
    this.#asked = this.#queue.shift();
    if (this.#asked === undefined) return;
    this.#next += 1;
    this.#timer = setTimeout(() => this.#fail('This took more than a minute and was stopped.'), PATIENCE);
    this.#worker?.send({ ...this.#asked.question, id: this.#next });
  }

  /** Answers with the reason. The next question gets a new worker. */
  #fail(message: string): void {
    this.#worker?.end();
    this.#worker = undefined;
    this.#isReady = false;
    // If the worker was not working on a question, it failed to load, and no waiting question can be answered.
    const lost = this.#asked === undefined ? this.#queue.splice(0) : [this.#asked];
    const problem = { document: 'trajectory', code: 'internal', message } as const;
    this.#finish();
    for (const { resolve } of lost) resolve({ kind: 'unreadable', problems: [problem] });
  }

  #settle(answer: Answer): void {
    const asked = this.#asked;
    this.#finish();
    asked?.resolve(answer);
  }

  /** Goes on with the next question, if there is one. */
  #finish(): void {
    clearTimeout(this.#timer);
    this.#asked = undefined;
    if (this.#queue.length > 0) this.start();
    this.#send();
  }
}

/** Whether a newer question of the same kind makes one needless. */
function isOvertaken({ kind }: Question): boolean {
  return kind === 'check' || kind === 'diff' || kind === 'lint' || kind === 'search';
}
