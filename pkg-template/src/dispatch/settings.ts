import { ToolgaugeError } from 'toolgauge';
import { excerpt } from '../excerpt.js';
import type { DispatcherOptions } from './options.js';
import { ToolCallTracker } from './tracker.js';

/** The tracker that the options ask for. */
export function toTracker(tracker: DispatcherOptions['tracker']): ToolCallTracker | undefined {
  if (tracker === false) return undefined;
  return tracker instanceof ToolCallTracker ? tracker : new ToolCallTracker(tracker);
}

/** A number that an option holds. Throws `invalid_option` unless it is a whole number from `least` on. */
export function wholeNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value;
  const expected = `a whole number from ${least} on`;
  throw new ToolgaugeError('invalid_option', `options.${name}: expected ${expected}, got ${excerpt(value)}`, {
    path: `options.${name}`,
    expected,
  });
}

/** Throws `invalid_option` unless an option holds one of these values, or none. */
export function checkChoice(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value === undefined || allowed.includes(value)) return;
  const expected = allowed.map(it => JSON.stringify(it)).join(' or ');
  throw new ToolgaugeError('invalid_option', `options.${name}: expected ${expected}, got ${excerpt(value)}`, {
    path: `options.${name}`,
    expected,
  });
}
