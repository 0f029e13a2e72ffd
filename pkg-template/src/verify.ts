import * as core from '#glue';
import { optionsToPayload, toPayload } from './boundary/json.js';
import type { JsonInput, ToolCallInput, TrajectoryInput, TurnInput } from './input.js';
import { answer, optionalPayload, read } from './judge.js';
import type { ResultVerificationResult, VerificationSummary, VerifyOptions } from './types.js';

/**
 * Says whether the agent was true to the result of one call: whether it used it, contradicts it, or states what the
 * evidence does not hold.
 *
 * `turn` is the turn that made the call. With the `trajectory` that holds the turn, what stands before counts as
 * evidence and what follows as response; without it the turn stands alone.
 * Throws `invalid_json`, `invalid_input`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const call = { name: 'get_price', arguments: { item: 'lamp' }, result: { price: 49 } };
 * verifyResult(call, { turn_id: 2, role: 'agent', content: 'The lamp costs $59.', tool_calls: [call] });
 * // { valid: false, score: 0.1, hallucinated: true, integrated: false, issues: [{ type: 'hallucinated_content', … }, { type: 'unused_result', … }] }
 */
export function verifyResult(
  toolCall: JsonInput<ToolCallInput>,
  turn: JsonInput<TurnInput>,
  trajectory?: JsonInput<TrajectoryInput>,
  options?: VerifyOptions,
): ResultVerificationResult {
  const payloads = [
    toPayload(toolCall, 'the tool call'),
    toPayload(turn, 'the turn'),
    optionalPayload({ value: trajectory, name: 'the trajectory' }),
    optionsToPayload(options),
  ] as const;
  return answer(core.verifyResult, payloads, options);
}

/**
 * Verifies the result of every call of one turn, in order, as {@link verifyResult} verifies one.
 *
 * @example
 * const tool_calls = [{ name: 'get_price', arguments: { item: 'lamp' }, result: { price: 49 } }];
 * verifyTurnResults({ turn_id: 2, role: 'agent', content: 'The lamp costs $49.', tool_calls });
 * // [{ valid: true, score: 1, hallucinated: false, integrated: true, issues: [] }]
 */
export function verifyTurnResults(
  turn: JsonInput<TurnInput>,
  trajectory?: JsonInput<TrajectoryInput>,
  options?: VerifyOptions,
): ResultVerificationResult[] {
  const payloads = [
    toPayload(turn, 'the turn'),
    optionalPayload({ value: trajectory, name: 'the trajectory' }),
    optionsToPayload(options),
  ] as const;
  return answer(core.verifyTurnResults, payloads, options);
}

/**
 * Verifies the result of every call of a trajectory and adds up.
 *
 * Throws as {@link verifyResult} does, and `unknown_format`.
 *
 * @example
 * const tool_calls = [{ name: 'get_price', arguments: { item: 'lamp' }, result: { price: 49 } }];
 * const turns = [{ turn_id: 1, role: 'agent', content: 'The lamp costs $49.', tool_calls }];
 * summarizeResultVerification({ turns });
 * // { totalTools: 1, validResults: 1, hallucinatedResults: 0, integratedResults: 1, averageScore: 1, issues: [] }
 */
export function summarizeResultVerification(
  trajectory: JsonInput<TrajectoryInput>,
  options?: VerifyOptions,
): VerificationSummary {
  return read(core.summarizeResultVerification, { value: trajectory, name: 'the trajectory' }, options);
}
