import { bounded, pause } from '../timing.js';
import { type Asked, type Attempted, attempt, delayBefore, judged, type Session, withCorrection } from './ask.js';
import type { BatchAnswer, BatchJudge, BatchProgress, BatchStatus } from './batch.js';
import type { Prepared } from './core.js';
import { JudgeError, toJudgeError } from './error.js';
import { invalidOption } from './panel.js';
import type { JudgeRequest } from './request.js';

/** A request that is asked in batches. */
export interface Entry {
  readonly customId: string;
  readonly request: JudgeRequest;
  readonly prepared: Prepared;
}

/** Seconds that cancelling may take. */
const CANCELLING = 10;

/** One batch judge at work on some requests. */
export class BatchRun {
  readonly judge: BatchJudge;
  /** The batches so far, in the order in which they were made. */
  readonly batchIds: string[];
  readonly #asked = new Map<string, Asked>();
  #running: string | undefined;

  constructor(judge: BatchJudge, resumed: readonly string[]) {
    this.judge = judge;
    this.batchIds = [...resumed];
  }

  /** The batch that goes on when nobody cancels it. */
  get running(): string | undefined {
    return this.#running;
  }

  /** What a request came to. */
  askedOf({ customId }: Entry): Asked {
    const error = this.#failure('the request is in none of its batches');
    return this.#asked.get(customId) ?? { attempts: 0, outcome: error };
  }

  /**
   * Asks for all answers, again where one is missing or wrong, at most as often as the options say.
   * Resolves to false when a batch still runs after the last look at it.
   */
  async toTheEnd(
    entries: readonly Entry[],
    session: Session,
    report: (progress: BatchProgress) => void,
  ): Promise<boolean> {
    const known = new Set(entries.map(({ customId }) => customId));
    for (const batchId of [...this.batchIds]) {
      const answers = await this.#await(batchId, this.#open(entries), session, report);
      if (answers === undefined) return false;
      const stranger = answers.find(({ customId }) => !known.has(customId));
      if (stranger !== undefined) throw invalidOption('batchIds', `${batchId} is a batch of other requests`);
    }
    for (let round = this.batchIds.length; round <= session.options.maxRetries; round += 1) {
      const open = this.#open(entries);
      if (open.length === 0) break;
      const batchId = await this.#submit(open, session);
      if (batchId === undefined) break;
      report({ judge: this.judge.name, batchId, total: open.length, done: 0, polls: 0 });
      if ((await this.#await(batchId, open, session, report)) === undefined) return false;
    }
    return true;
  }

  /** Cancels what still runs, if that can be done. */
  async cancel(): Promise<void> {
    const batchId = this.#running;
    if (batchId === undefined) return;
    this.#running = undefined;
    try {
      await bounded(undefined, CANCELLING, async signal => this.judge.cancel?.(batchId, { signal }));
    } catch {
      // The error is what ended the call, not that the batch goes on at the provider.
    }
  }

  /** Those without an answer for whom it makes sense to ask again. */
  #open(entries: readonly Entry[]): Entry[] {
    return entries.filter(({ customId }) => {
      const outcome = this.#asked.get(customId)?.outcome;
      return outcome === undefined || (outcome instanceof JudgeError && outcome.retryable);
    });
  }

  /** The id of a new batch, undefined when there is none. */
  async #submit(open: readonly Entry[], session: Session): Promise<string | undefined> {
    const requests = open.map(({ customId, request }) => {
      const outcome = this.#asked.get(customId)?.outcome;
      const isWrong = outcome instanceof JudgeError && outcome.code === 'judge_answer_invalid';
      return { customId, request: isWrong ? withCorrection(request, outcome) : request };
    });
    const { value, error } = await this.#persist(session, async signal => {
      const batchId: unknown = await this.judge.submit(requests, { signal });
      if (typeof batchId === 'string' && batchId !== '') return batchId;
      throw new JudgeError('judge_failed', 'it gave no id of a batch', { retryable: false });
    });
    if (error !== undefined) {
      this.#settleAll(open, error);
      return undefined;
    }
    this.batchIds.push(value);
    this.#running = value;
    return value;
  }

  /** Waits for a batch and notes what it answers. Undefined when it still runs after the last look. */
  async #await(
    batchId: string,
    open: readonly Entry[],
    session: Session,
    report: (progress: BatchProgress) => void,
  ): Promise<readonly BatchAnswer[] | undefined> {
    this.#running = batchId;
    const { batchMaxIterations, batchStatusCheckInterval } = session.options;
    let done = 0;
    for (let polls = 1; polls <= batchMaxIterations; polls += 1) {
      if (polls > 1) await pause(batchStatusCheckInterval, session.signal);
      const { value: status, error } = await this.#poll(batchId, session);
      done = status?.done ?? done;
      report({ judge: this.judge.name, batchId, total: open.length, done, polls });
      // A look that fails may succeed the next time.
      if (error?.retryable || status?.state === 'running') continue;
      this.#running = undefined;
      return this.#collect(batchId, status ?? error, open, session);
    }
    return undefined;
  }

  async #poll(batchId: string, session: Session): Promise<Attempted<BatchStatus>> {
    return attempt(this.judge.name, session, async signal => {
      const status = await this.judge.poll(batchId, { signal });
      if (['running', 'ended', 'failed'].includes(status?.state)) return status;
      throw new JudgeError('judge_failed', `it gave no status of ${batchId}`, { retryable: false });
    });
  }

  async #collect(
    batchId: string,
    end: BatchStatus | JudgeError,
    open: readonly Entry[],
    session: Session,
  ): Promise<readonly BatchAnswer[]> {
    if (end instanceof JudgeError) return this.#settleAll(open, end);
    const reason = end.reason === undefined ? '' : `: ${end.reason}`;
    if (end.state === 'failed') return this.#settleAll(open, this.#failure(`${batchId} failed${reason}`, false));
    const { value: answers, error } = await this.#persist(session, async signal => {
      const answers: unknown = await this.judge.results(batchId, { signal });
      if (Array.isArray(answers)) return answers as BatchAnswer[];
      throw new JudgeError('judge_failed', `it gave no answers of ${batchId}`, { retryable: false });
    });
    if (error !== undefined) return this.#settleAll(open, error);
    const byId = new Map(answers.map(answer => [answer.customId, answer]));
    for (const entry of open) {
      const answer = byId.get(entry.customId);
      if (answer === undefined) this.#settle(entry, this.#failure(`${batchId} ended without an answer${reason}`));
      else if (answer.error !== undefined) this.#settle(entry, toJudgeError(answer.error, this.judge.name));
      else this.#settle(entry, judged(answer.answer, entry.request, this.judge.name));
    }
    return answers;
  }

  /** Does what has to be done for all requests at once, again where that may help. */
  async #persist<Value>(session: Session, work: (signal: AbortSignal) => Promise<Value>): Promise<Attempted<Value>> {
    for (let attempts = 1; ; attempts += 1) {
      const attempted = await attempt(this.judge.name, session, work);
      const { error } = attempted;
      if (error === undefined || !error.retryable || attempts > session.options.maxRetries) return attempted;
      const seconds = delayBefore(attempts, error, session.options);
      if (seconds === undefined) return attempted;
      await pause(seconds, session.signal);
    }
  }

  #settle({ customId }: Entry, outcome: Asked['outcome']): void {
    const before = this.#asked.get(customId)?.attempts ?? 0;
    this.#asked.set(customId, { attempts: before + 1, outcome });
  }

  #settleAll(open: readonly Entry[], error: JudgeError): readonly BatchAnswer[] {
    for (const entry of open) this.#settle(entry, error);
    return [];
  }

  #failure(reason: string, retryable = true): JudgeError {
    const judge = this.judge.name;
    return new JudgeError('judge_failed', `judge ${JSON.stringify(judge)} failed: ${reason}`, { judge, retryable });
  }
}
