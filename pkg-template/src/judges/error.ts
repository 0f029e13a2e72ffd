import { reasonOf, ToolgaugeError } from '../errors.js';
import type { ErrorCode } from '../types.js';
import type { Signal } from './request.js';

/** What is known of a failure beside its message. */
export interface JudgeErrorDetails {
  /** The judge's name. */
  readonly judge?: string | undefined;
  /** What the judge said, as text. */
  readonly rawAnswer?: string | undefined;
  /** The HTTP status. */
  readonly status?: number | undefined;
  /** Whether it makes sense to ask the same judge again. Default true. */
  readonly retryable?: boolean | undefined;
  /** The seconds that the judge wants to be left alone. */
  readonly retryAfter?: number | undefined;
  /** The batches of each batch judge, to be handed back as `batchIds`. */
  readonly batchIds?: readonly (readonly string[])[] | undefined;
  /** The error behind this one. */
  readonly cause?: unknown;
}

/**
 * Why there is no score. `code` says what happened:
 * - `judge_failed`: the judge could not be reached, refused, or took too long;
 * - `judge_answer_invalid`: its answers did not fit the schema; `rawAnswer` holds the last one;
 * - `batch_unfinished`: a batch still runs after the last poll; `batchIds` resume it;
 * - `aborted`: the caller's signal was aborted; `cause` is its reason.
 *
 * @example
 * const error = await runJudges(request, { judges }).catch(thrown => thrown);
 * if (error instanceof JudgeError && error.code === 'judge_answer_invalid') console.log(error.rawAnswer);
 */
export class JudgeError extends ToolgaugeError {
  /** Whether it makes sense to ask the same judge again. */
  readonly retryable: boolean;
  /** The judge's name. */
  declare readonly judge?: string;
  /** What the judge said, as text. */
  declare readonly rawAnswer?: string;
  /** The HTTP status. */
  declare readonly status?: number;
  /** The seconds that the judge wants to be left alone. */
  declare readonly retryAfter?: number;
  /** The batches of each batch judge, to be handed back as `batchIds`. */
  declare readonly batchIds?: readonly (readonly string[])[];

  constructor(code: ErrorCode, message: string, details: JudgeErrorDetails = {}) {
    super(code, message, 'cause' in details ? { cause: details.cause } : {});
    this.retryable = details.retryable ?? true;
    const { judge, rawAnswer, status, retryAfter, batchIds } = details;
    Object.assign(this, withoutUndefined({ judge, rawAnswer, status, retryAfter, batchIds }));
  }

  /** The error as plain data, for reports; an Error by itself is written to JSON without its message. */
  toJSON(): Record<string, unknown> {
    const { code, message, ...rest } = this as JudgeError & Record<string, unknown>;
    return { code, message, ...rest };
  }
}

/** What `judge` threw, whatever it is, as the error of the package. */
export function toJudgeError(thrown: unknown, judge: string): JudgeError {
  const code = member(thrown, 'code') === 'judge_answer_invalid' ? 'judge_answer_invalid' : 'judge_failed';
  return new JudgeError(code, `judge ${JSON.stringify(judge)} failed: ${reasonOf(thrown)}`, {
    judge,
    cause: thrown,
    rawAnswer: ofType(thrown, 'rawAnswer', 'string'),
    status: ofType(thrown, 'status', 'number'),
    retryable: ofType(thrown, 'retryable', 'boolean'),
    retryAfter: ofType(thrown, 'retryAfter', 'number'),
  });
}

/** The error of a call that `signal` ended. */
export function abortedBy(signal: Signal, details: JudgeErrorDetails = {}): JudgeError {
  const message = `asking the judges was aborted: ${reasonOf(signal.reason)}`;
  return new JudgeError('aborted', message, { ...details, retryable: false, cause: signal.reason });
}

interface Types {
  string: string;
  number: number;
  boolean: boolean;
}

function ofType<Name extends keyof Types>(thrown: unknown, name: string, type: Name): Types[Name] | undefined {
  const value = member(thrown, name);
  return typeof value === type ? (value as Types[Name]) : undefined;
}

/** Errors of another copy of this package count too, and anything may be thrown: even what throws when it is read. */
function member(thrown: unknown, name: string): unknown {
  try {
    return (thrown as Record<string, unknown> | null | undefined)?.[name];
  } catch {
    return undefined;
  }
}

function withoutUndefined(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
