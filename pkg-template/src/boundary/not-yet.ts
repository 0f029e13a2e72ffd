import { ToolgaugeError } from '../errors.js';
import { isPromise } from './promise.js';

/**
 * Throws when `input` is something that is not there yet: a promise, or a stream. `subject` names the input,
 * `expected` says what belongs there, and `path` is its place, if it is part of an input. JSON knows neither: it would
 * write them as `{}`, and the judgement would be about nothing.
 */
export function refuseUnsettled(input: unknown, subject: string, expected: string, path?: string): void {
  if (typeof input !== 'object' || input === null) return;
  const remedy = remedyFor(input);
  if (remedy === undefined) return;
  throw new ToolgaugeError('invalid_input', `${path === undefined ? asOne(subject) : subject} is ${remedy}`, {
    path,
    expected,
  });
}

/** Whether `input` is something that is not there yet. */
export function isUnsettled(input: unknown): boolean {
  return typeof input === 'object' && input !== null && remedyFor(input) !== undefined;
}

/** A subject that "is" agrees with: `the actual calls` are one value. */
export function asOne(subject: string): string {
  return subject.endsWith('s') ? `the value passed as ${subject}` : subject;
}

function remedyFor(input: object): string | undefined {
  if (isPromise(input)) return 'a promise: await it';
  const { steps } = input as { readonly steps?: unknown };
  if (isPromise(steps)) {
    // To ask for them starts the stream, and nobody else may wait for how it ends.
    steps.then(undefined, () => {});
    return 'a stream: pass { steps: await result.steps }';
  }
  if (typeof (input as { readonly getReader?: unknown }).getReader === 'function' || isIterableLater(input)) {
    return 'a stream: read it to its end, and pass what it gave';
  }
  return undefined;
}

function isIterableLater(value: object): boolean {
  return typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === 'function';
}
