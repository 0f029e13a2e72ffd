import * as core from '#glue';
import { guarded } from './boundary/call.js';

/**
 * The version of this package.
 *
 * @example
 * version(); // '0.1.0'
 */
export function version(): string {
  return guarded(() => core.version());
}
