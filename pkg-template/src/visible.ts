import * as core from '#glue';
import { guarded } from './boundary/call.js';

/** Texts without anything to escape, which are most: these need no call of the core. */
const PRINTABLE_ASCII = /^[ -~]*$/;

/**
 * `text` fit to be printed, since it may come from anyone: characters that steer a terminal, and those that hide or
 * reorder text, become escapes such as `\u{1b}`.
 *
 * @internal
 */
export function visible(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : guarded(() => core.visible(text));
}
