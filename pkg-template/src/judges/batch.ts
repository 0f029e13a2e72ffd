import { readingCaller } from '../boundary/caller.js';
import { isA, reasonOf, ToolgaugeError } from '../errors.js';
import { bounded } from '../timing.js';
import type { JudgeOptions } from '../types.js';
import { BatchRun, type Entry } from './batch-run.js';
import { prepare } from './core.js';
import { abortedBy, JudgeError } from './error.js';
import { invalidOption, openSession, resultOf, toNamed, verdictOf } from './panel.js';
import type { Judge, JudgeContext, JudgeRequest, Signal } from './request.js';
import type { JudgeVerdict } from './run.js';
import { throwIfAborted, toSignal } from './signal.js';

/** One request of a batch. */
export interface BatchRequest {
  /** By what its answer is found again. */
  readonly customId: string;
  /** What the judge is asked. */
  readonly request: JudgeRequest;
}

/** How far a batch is. */
export interface BatchStatus {
  /** `running`; `ended`, when answers can be fetched, be they all or not; `failed`, when there will be none. */
  readonly state: 'running' | 'ended' | 'failed';
  /** Why it failed, or ended before all was answered. */
  readonly reason?: string | undefined;
  /** How many requests are done, as far as that is known. */
  readonly done?: number | undefined;
}

/** What came of one request of a batch: what the judge said, or why it said nothing. */
export type BatchAnswer =
  | {
      /** The id of the request. */
      readonly customId: string;
      /** What the judge said: the object that the schema asks for, or its JSON text. */
      readonly answer: object | string;
      readonly error?: undefined;
    }
  | {
      /** The id of the request. */
      readonly customId: string;
      /** Why the judge said nothing. */
      readonly error: NonNullable<unknown>;
    };

/**
 * A judge who takes many requests at once and answers them later: in hours, and for less. What its functions throw, and
 * the errors of single requests, may carry `retryable: false` and `retryAfter`, as with a {@link Judge}.
 */
export interface BatchJudge {
  /** Its name in results. */
  readonly name: string;
  /** Takes the requests. Resolves to the id of the batch. */
  submit(requests: readonly BatchRequest[], context: JudgeContext): Promise<string>;
  /** Says how far the batch is. */
  poll(batchId: string, context: JudgeContext): Promise<BatchStatus>;
  /** The answers of a batch that has ended, in any order; requests that it leaves out have failed. */
  results(batchId: string, context: JudgeContext): Promise<readonly BatchAnswer[]>;
  /** Ends the batch before its time. */
  cancel?(batchId: string, context: JudgeContext): Promise<unknown>;
}

/** The progress of a batch. */
export interface BatchProgress {
  /** The judge's name. */
  readonly judge: string;
  /** Its batch: worth keeping, since it can be resumed by it. */
  readonly batchId: string;
  /** How many requests still wanted an answer when the batch began. */
  readonly total: number;
  /** How many of them are done, as far as that is known. */
  readonly done: number;
  /** How often the batch was looked at. */
  readonly polls: number;
}

/** Whom to ask in batches, and how. */
export interface RunJudgeBatchOptions extends JudgeOptions {
  /** The judges, all of whom are asked everything. */
  readonly judges: readonly BatchJudge[];
  /**
   * Who is asked in turn, one request at a time, for what a batch leaves without a valid answer; 8 requests at the same
   * time, or `maxConcurrentJudges`.
   */
  readonly fallbackJudges?: readonly Judge[] | undefined;
  /**
   * Batches of an earlier call with the same requests, for each judge in the order in which they were made: `batchIds`
   * of its error. What they answer is not asked again.
   */
  readonly batchIds?: readonly (readonly string[])[] | undefined;
  /** Called for each batch that is created, and after each poll of it. */
  readonly onProgress?: ((progress: BatchProgress) => void) | undefined;
  /** Ends the call and cancels the batches. */
  readonly signal?: Signal | undefined;
}

/** What the judges came to for one request of several. */
export type JudgeBatchItem =
  | {
      /** The verdict of the judges. */
      readonly verdict: JudgeVerdict;
      readonly error?: undefined;
    }
  | {
      /** Why there is no score. */
      readonly error: JudgeError;
      readonly verdict?: undefined;
    };

/** How many fallback judges are asked at the same time, unless the options say it: a batch may leave thousands to them. */
const FALLBACKS_AT_A_TIME = 8;

/**
 * Asks judges many requests in batches, which take longer and cost less than asking one by one. Each judge gets all
 * requests; its batch is looked at every `batchStatusCheckInterval` seconds (30), at most `batchMaxIterations` times
 * (120). What comes back failed, not at all, or does not fit its schema is asked again in a further batch, up to
 * `maxRetries` times, and then of the fallback judges.
 *
 * Resolves to one item for each request, in their order: the verdict as of `runJudges`, or the error for this request
 * alone. Rejects with a {@link JudgeError}: `batch_unfinished` when a batch still runs after the last look; its
 * `batchIds` go into the options of a later call with the same requests, which then goes on from there; `aborted` when
 * the signal was aborted, after the batches were cancelled. Rejects before anything is asked with `invalid_input`,
 * `invalid_schema`, `invalid_option` or `unsupported_value`.
 *
 * @example
 * const judges = [openAiBatchJudge({ model: 'gpt-5-mini', apiKey })];
 * const items = await runJudgeBatch(requests, { judges });
 * items.map(({ verdict }) => verdict?.score); // [0.9, 1, undefined, …]
 */
export async function runJudgeBatch(
  requests: readonly JudgeRequest[],
  options: RunJudgeBatchOptions,
): Promise<JudgeBatchItem[]> {
  const taken = readingCaller('the options', () => ({ ...options }));
  const { judges, fallbackJudges, batchIds, onProgress, signal: given, ...rest } = taken;
  const signal = toSignal(given);
  const fallbacks = toNamed(fallbackJudges ?? [], 'fallbackJudges', 'fallback judge');
  const runs = toRuns(judges, batchIds ?? []);
  const entries = toEntries(requests, rest);
  const [first] = entries;
  if (first === undefined) return [];
  throwIfAborted(signal);

  const report = (progress: BatchProgress) => callBack(onProgress, progress);
  const work = async (inner: AbortSignal): Promise<JudgeBatchItem[]> => {
    const session = openSession(first.prepared.options, inner, FALLBACKS_AT_A_TIME);
    const unfinished = await Promise.all(runs.map(run => run.toTheEnd(entries, session, report)));
    if (unfinished.includes(false)) throw unfinishedError(runs);
    return Promise.all(
      entries.map(async entry => {
        const { request } = entry;
        const results = runs.map(run => resultOf(run.judge.name, run.askedOf(entry), fallbacks, request, session));
        return itemOf(entry, await Promise.all(results));
      }),
    );
  };
  try {
    return await bounded(signal, undefined, work);
  } catch (error) {
    if (isA(error, JudgeError) && error.code === 'batch_unfinished') throw error;
    await Promise.all(runs.map(run => run.cancel()));
    throw signal?.aborted ? abortedBy(signal, { batchIds: runs.map(({ batchIds }) => batchIds) }) : error;
  }
}

function itemOf(entry: Entry, results: JudgeVerdict['results']): JudgeBatchItem {
  try {
    return { verdict: verdictOf(results, entry.request, entry.prepared) };
  } catch (error) {
    if (isA(error, JudgeError)) return { error };
    throw error;
  }
}

function unfinishedError(runs: readonly BatchRun[]): JudgeError {
  const open = runs.flatMap(({ running }) => running ?? []);
  const message = `${open.join(', ')} had not ended at the last look; give batchIds to a later call to go on from there`;
  return new JudgeError('batch_unfinished', message, {
    retryable: false,
    batchIds: runs.map(({ batchIds }) => batchIds),
  });
}

function callBack(onProgress: RunJudgeBatchOptions['onProgress'], progress: BatchProgress): void {
  try {
    onProgress?.(progress);
  } catch (cause) {
    const path = 'options.onProgress';
    throw new ToolgaugeError('invalid_option', `${path} threw: ${reasonOf(cause)}`, { path, cause });
  }
}

function toEntries(requests: readonly JudgeRequest[], options: JudgeOptions): Entry[] {
  if (!Array.isArray(requests)) {
    const expected = 'a list of requests';
    throw new ToolgaugeError('invalid_input', `requests: expected ${expected}`, { path: 'requests', expected });
  }
  return requests.map((request: JudgeRequest, at) => ({
    prepared: prepare(request, options, at),
    customId: `${at}-${digestOf(request)}`,
    request,
  }));
}

/** FNV-1a in 32 bits: enough to notice that a batch was made for other requests. */
function digestOf(request: JudgeRequest): string {
  let hash = 0x811c9dc5;
  for (const unit of JSON.stringify(request)) hash = Math.imul(hash ^ (unit.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16);
}

function toRuns(judges: readonly BatchJudge[], batchIds: readonly (readonly string[])[]): BatchRun[] {
  checkBatchJudges(judges, 'judges');
  if (judges.length === 0) throw invalidOption('judges', 'expected at least one batch judge, got none');
  const areIds = (ids: unknown) => Array.isArray(ids) && ids.every(id => typeof id === 'string');
  if (!Array.isArray(batchIds) || !batchIds.every(areIds) || batchIds.length > judges.length) {
    throw invalidOption('batchIds', 'expected a list of ids for each judge');
  }
  return judges.map((judge, at) => new BatchRun(judge, batchIds[at] ?? []));
}

/** Throws `invalid_option` when `judges` is no list of batch judges. */
export function checkBatchJudges(judges: readonly BatchJudge[], option: string): void {
  readingCaller(`options.${option}`, () => {
    if (!Array.isArray(judges)) throw invalidOption(option, 'expected a list of batch judges');
    const wrong = Array.from(judges as readonly unknown[]).findIndex(judge => !isBatchJudge(judge));
    if (wrong >= 0) throw invalidOption(`${option}[${wrong}]`, 'expected a batch judge, {name, submit, poll, results}');
  });
}

function isBatchJudge(judge: unknown): judge is BatchJudge {
  if (typeof judge !== 'object' || judge === null) return false;
  const { name, submit, poll, results } = judge as Record<string, unknown>;
  return typeof name === 'string' && [submit, poll, results].every(method => typeof method === 'function');
}
