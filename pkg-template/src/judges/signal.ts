import { readingCaller } from '../boundary/caller.js';
import { bounded } from '../timing.js';
import { abortedBy } from './error.js';
import { invalidOption } from './panel.js';
import type { Signal } from './request.js';

/** The signal that the caller passed, if any. Throws `invalid_option` if it is not an AbortSignal. */
export function toSignal(signal: Signal | null | undefined): AbortSignal | undefined {
  if (signal === undefined || signal === null) return undefined;
  if (readingCaller('options.signal', () => isSignal(signal))) return signal as AbortSignal;
  throw invalidOption('signal', `expected an AbortSignal, got ${typeof signal}`);
}

function isSignal(signal: Signal): boolean {
  const { aborted, addEventListener, removeEventListener } = signal as Partial<AbortSignal>;
  const canListen = typeof addEventListener === 'function' && typeof removeEventListener === 'function';
  return typeof aborted === 'boolean' && canListen;
}

/** Throws `aborted` when the signal is. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedBy(signal);
}

/**
 * Runs `work` with a signal that is aborted when the caller's is, and when the work is over.
 * Rejects with `aborted` as soon as the caller's signal is.
 */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: (inner: AbortSignal) => Promise<Result>,
): Promise<Result> {
  throwIfAborted(signal);
  try {
    return await bounded(signal, undefined, work);
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  }
}
