import { isA, reasonOf, ToolgaugeError } from '../errors.js';
import { asOne } from './not-yet.js';

/**
 * Runs `body`, which reads `subject`, a value of the caller. Reading it may run code of the caller: getters, proxies,
 * toJSON methods, schema functions. What that throws becomes the cause of a {@link ToolgaugeError}.
 */
export function readingCaller<Result>(subject: string, body: () => Result): Result {
  try {
    return body();
  } catch (error) {
    if (isA(error, ToolgaugeError)) throw error;
    throw isExhaustion(error) ? tooDeep(subject, error) : unreadable(subject, error);
  }
}

/** True for what the engines throw when the stack or the longest text is used up. */
export function isExhaustion(error: unknown): boolean {
  if (!isA(error, Error)) return false;
  return error.name === 'InternalError' || (error.name === 'RangeError' && EXHAUSTED.test(error.message));
}

/** The code of the caller may throw RangeErrors, too: an invalid date does. */
const EXHAUSTED = /call stack|string length|memory/i;

function tooDeep(subject: string, cause: unknown): ToolgaugeError {
  return new ToolgaugeError(
    'limit_exceeded',
    `${asOne(subject)} is nested too deeply, or too large, to be written as JSON`,
    {
      expected: 'less nesting',
      cause,
    },
  );
}

function unreadable(subject: string, cause: unknown): ToolgaugeError {
  return new ToolgaugeError('unsupported_value', `${subject} can't be read: ${reasonOf(cause)}`, {
    expected: 'a value that can be read',
    cause,
  });
}
