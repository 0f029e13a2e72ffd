import { findLoops, type LimitOptions, visible } from 'toolgauge';
import { counted } from '../texts.js';
import { message, paintOf } from './message.js';
import { takeReceived } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** See {@link TrajectoryMatchers.toHaveNoLoops}. */
export function toHaveNoLoops(this: MatcherContext, received: unknown, options: LimitOptions = {}): MatcherResult {
  const loops = findLoops(takeReceived(received), options);
  const pass = loops.length === 0;
  const sentence = pass
    ? 'No call was repeated without need; expected a loop.'
    : `${counted(loops.length, 'loop')}: calls were repeated although nothing had changed.`;
  const paint = paintOf(this);
  const lines = loops.map(({ description }) => `  ${paint.wrong(visible(description))}`);
  return { pass, message: () => message(this, { matcher: 'toHaveNoLoops', expected: '' }, sentence, lines) };
}
