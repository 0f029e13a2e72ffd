import * as core from '#glue';
import { read } from './bridge.js';
import type { LimitOptions } from './formats.js';
import type { JsonInput, JsonObject } from './input.js';
import type { Loop } from './types.js';

/**
 * Finds the calls that an agent repeats although nothing has changed, in a trajectory of any known format: one call again
 * and again, with the same result or the same error, or a chain of up to six calls, such as A B A B. Each loop comes
 * with its rounds and what changed between them.
 *
 * A call is no repetition when it comes to something else, when the user spoke in between, when another call in between
 * may have changed what it returns, when the calls belong to one message, and when its result asks for another try.
 *
 * Throws `invalid_json`, `invalid_input`, `unknown_format`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const search = { name: 'search', arguments: { q: 'news' }, result: { hits: [] } };
 * const turns = [1, 2, 3].map(turn_id => ({ turn_id, role: 'agent', content: '', tool_calls: [search] }));
 * const [loop] = findLoops({ turns });
 * loop.kind; // 'repeated_call'
 * loop.description; // '"search" was called 3 times with the same arguments and the same result (turns 1, 2, 3)'
 * loop.rounds.map(({ calls }) => calls[0].turnId); // [1, 2, 3]
 */
export function findLoops(trajectory: JsonInput<JsonObject>, options?: LimitOptions): Loop[] {
  return read(core.findLoops, { value: trajectory, name: 'the trajectory' }, options);
}
