import wholeAddress from '../package/worker.ts?worker&url';
import { AskedWorker } from './asked-worker.ts';
import type { Answer, Question, ReportQuestion } from './protocol.ts';
import slimAddress from './worker.ts?worker&url';

/** Asks the slim build of the core, and the package, once it is needed, what is beyond that build. */
export class JudgeClient {
  readonly #slim = new AskedWorker(slimAddress);
  readonly #whole = new AskedWorker(wholeAddress);

  /** Loads the slim build ahead of the first question. */
  start(): void {
    this.#slim.start();
  }

  /** A verdict that another one overtook before it was begun is never given. */
  async ask(question: Question | ReportQuestion): Promise<Answer> {
    if (question.kind !== 'report') {
      const answer = await this.#slim.ask(question);
      if (answer.kind !== 'beyond') return answer;
    }
    return this.#whole.ask(question);
  }
}
