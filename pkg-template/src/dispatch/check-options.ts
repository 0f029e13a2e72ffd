import { ToolgaugeError } from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import { reasonOf } from '../errors.js';

/**
 * What `read` makes of options. Throws `invalid_option` if they are no object, and `unsupported_value` if reading them
 * throws, as a getter or a proxy of the caller can.
 */
export function readingOptions<Options extends object, Result>(
  options: Options,
  read: (options: Options) => Result,
): Result {
  try {
    checkObject(options);
    return read(options);
  } catch (cause) {
    if (cause instanceof ToolgaugeError) throw cause;
    throw new ToolgaugeError('unsupported_value', `the options can't be read: ${reasonOf(cause)}`, { cause });
  }
}

function checkObject(options: unknown): void {
  if (typeof options === 'object' && options !== null && !Array.isArray(options)) return;
  const [path, expected] = ['options', 'an object'];
  const got = Array.isArray(options) ? 'a list' : kindOf(options);
  throw new ToolgaugeError('invalid_option', `${path}: expected ${expected}, got ${got}`, { path, expected });
}
