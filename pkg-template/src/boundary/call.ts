import type { Document } from '#glue';
import { reasonOf, ToolgaugeError } from '../errors.js';
import type { ErrorCode } from '../types.js';
import { writeDocument } from './documents.js';
import { discardInstance, type Instance, instance } from './instance.js';
import type { Payload } from './json.js';

/** One document for each payload, and none where there was no payload. */
export type Documents<Payloads extends readonly (Payload | undefined)[]> = {
  [Index in keyof Payloads]: undefined extends Payloads[Index] ? Document | undefined : Document;
};

/** How many calls are running: a comparator of the caller may make one inside another. */
let running = 0;

/** Whether one of them trapped. Those around it still need their instance, so it is thrown away when all have ended. */
let hasTrapped = false;

/** Runs `use` with the living instance. What it throws becomes a {@link ToolgaugeError}, and the next call works. */
export function guarded<Result>(use: (target: Instance) => Result): Result {
  const target = instance();
  running += 1;
  try {
    return use(target);
  } catch (error) {
    throw toToolgaugeError(error);
  } finally {
    running -= 1;
    if (running === 0 && hasTrapped) {
      hasTrapped = false;
      discardInstance();
    }
  }
}

/**
 * Copies the payloads into WebAssembly and gives them to `run`, which passes each on to one function of the core.
 * The core then owns them. To be called inside {@link guarded}.
 */
export function withDocuments<const Payloads extends readonly (Payload | undefined)[], Result>(
  target: Instance,
  payloads: Payloads,
  maxBytes: number | undefined,
  run: (...documents: Documents<Payloads>) => Result,
): Result {
  return run(...(writeAll(target, payloads, maxBytes) as Documents<Payloads>));
}

/** Runs `body`, then `cleanup`, whether it threw or not, but not after a trap: then there is nothing left to free. */
export function withCleanup<Result>(body: () => Result, cleanup: () => void): Result {
  let result: Result;
  try {
    result = body();
  } catch (error) {
    if (!isTrap(error)) cleanup();
    throw error;
  }
  cleanup();
  return result;
}

function writeAll(
  target: Instance,
  payloads: readonly (Payload | undefined)[],
  maxBytes: number | undefined,
): (Document | undefined)[] {
  const documents: (Document | undefined)[] = [];
  try {
    for (const payload of payloads) {
      documents.push(payload === undefined ? undefined : writeDocument(target, payload, maxBytes));
    }
    return documents;
  } catch (error) {
    if (!isTrap(error)) for (const document of documents) document?.free();
    throw error;
  }
}

/** The name of the error with which the core ends work that would not end by itself. Its instance can't go on. */
const STOPPED = 'ToolgaugeStopped';

/** The core throws its errors as JSON text; anything else that comes out of it is a trap. */
function isTrap(error: unknown): boolean {
  return typeof error !== 'string' && !(error instanceof ToolgaugeError);
}

function toToolgaugeError(error: unknown): ToolgaugeError {
  if (error instanceof ToolgaugeError) return error;
  if (typeof error === 'string') return fromCore(error);
  hasTrapped = true;
  if (error instanceof Error && error.name === STOPPED) return fromCore(error.message);
  return new ToolgaugeError('internal', `toolgauge failed on this input: ${reasonOf(error)}. Please report it`, {
    cause: error,
  });
}

function fromCore(text: string): ToolgaugeError {
  const { code, message, path, expected } = JSON.parse(text) as {
    code: ErrorCode;
    message: string;
    path?: string;
    expected?: string;
  };
  return new ToolgaugeError(code, message, { path, expected });
}
