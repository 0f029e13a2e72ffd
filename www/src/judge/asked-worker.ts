import { openWorker } from '../open-worker.ts';
import type { Answer, Numbered, Question, ReportQuestion } from './protocol.ts';

/** How long the worker may take before the page takes it for lost, in milliseconds. */
const PATIENCE = 60_000;

interface Waiting {
  readonly question: Question | ReportQuestion;
  readonly resolve: (answer: Answer) => void;
}

/** A worker that is asked one question at a time. Of verdicts only the last one asked for is worked on. */
export class AskedWorker {
  readonly #address: string;
  #worker: Worker | undefined;
  #asked: Waiting | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Waiting[] = [];
  #next = 0;

  constructor(address: string) {
    this.#address = address;
  }

  /** Loads the worker ahead of the first question. */
  start(): void {
    this.#worker ??= this.#open();
  }

  /** A verdict that another one overtook before it was begun is never given. */
  ask(question: Question | ReportQuestion): Promise<Answer> {
    return new Promise(resolve => {
      if (question.kind === 'judge') this.#queue = this.#queue.filter(waiting => waiting.question.kind !== 'judge');
      this.#queue.push({ question, resolve });
      this.#send();
    });
  }

  #send(): void {
    if (this.#asked !== undefined) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.start();
    this.#asked = next;
    this.#next += 1;
    this.#timer = setTimeout(() => this.#fail('This took more than a minute and was stopped.'), PATIENCE);
    this.#worker?.postMessage({ ...next.question, id: this.#next });
  }

  #open(): Worker {
    const worker = openWorker(this.#address);
    worker.onmessage = ({ data }: MessageEvent<Numbered<Answer>>) => {
      if (data.id === this.#next) this.#settle(data);
    };
    worker.onerror = event =>
      this.#fail(event.message || 'What this needs could not be loaded. Is there a connection?');
    return worker;
  }

  /** Gives the reason as the answer, and a fresh worker to the next question. */
  #fail(message: string): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#settle({ kind: 'unreadable', problems: [{ document: 'trajectory', code: 'internal', message }] });
  }

  #settle(answer: Answer): void {
    clearTimeout(this.#timer);
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.resolve(answer);
    this.#send();
  }
}
