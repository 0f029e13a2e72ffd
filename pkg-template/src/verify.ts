import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { optionsToPayload, toPayload } from './boundary/json.js';
import { answerByTools, optionalPayload, read } from './bridge.js';
import type { LimitOptions } from './formats.js';
import type { JsonInput, JsonObject, ToolCallInput, TrajectoryInput, TurnInput } from './input.js';
import type { ToolsInput } from './tools.js';
import type { ResultVerificationResult, UnsupportedFacts, VerificationSummary, VerifySettings } from './types.js';

/** What verification looks for, and the tools whose `outputSchema` results are checked against. */
export interface VerifyOptions extends VerifySettings {
  /** The tools that were called. Without them, or where a tool declares no output schema, any shape will do. */
  readonly tools?: ToolsInput;
}

/**
 * Says whether the agent was true to the result of one call: whether it used it, contradicts it, or states what the
 * evidence does not hold; and whether the result is one at all, and of the shape that its tool declares.
 *
 * `turn` is the turn that made the call. With the `trajectory` that holds the turn, what stands before counts as
 * evidence and what follows as reply; without it the turn stands alone. Of an MCP result its `structuredContent`
 * is held to the output schema, or the JSON in its text; errors are not.
 * Throws `invalid_json`, `invalid_input`, `invalid_schema`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const call = { name: 'get_price', arguments: { item: 'lamp' }, result: { price: 49 } };
 * verifyResult(call, { turn_id: 2, role: 'agent', content: 'The lamp costs $59.', tool_calls: [call] });
 * // { valid: false, score: 0.4, hallucinated: true, integrated: false, issues: [{ type: 'hallucinated_content', … }] }
 *
 * const tools = [{ name: 'get_price', inputSchema: {}, outputSchema: { required: ['currency'] } }];
 * verifyResult(call, { turn_id: 2, role: 'agent', content: 'The lamp costs 49.', tool_calls: [call] }, undefined, { tools });
 * // { valid: false, score: 0.4, issues: [{ type: 'malformed_result', details: { violations: [{ path: 'currency', … }], … }, … }], … }
 */
export function verifyResult(
  toolCall: JsonInput<ToolCallInput>,
  turn: JsonInput<TurnInput>,
  trajectory?: JsonInput<TrajectoryInput | JsonObject>,
  options?: VerifyOptions,
): ResultVerificationResult {
  const { tools, settings } = takeTools(options);
  const payloads = [
    toPayload(toolCall, 'the tool call'),
    toPayload(turn, 'the turn'),
    optionalPayload({ value: trajectory, name: 'the trajectory' }),
    optionsToPayload(settings),
  ] as const;
  return answerByTools(core.verifyResult, tools, payloads, settings);
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
  trajectory?: JsonInput<TrajectoryInput | JsonObject>,
  options?: VerifyOptions,
): ResultVerificationResult[] {
  const { tools, settings } = takeTools(options);
  const payloads = [
    toPayload(turn, 'the turn'),
    optionalPayload({ value: trajectory, name: 'the trajectory' }),
    optionsToPayload(settings),
  ] as const;
  return answerByTools(core.verifyTurnResults, tools, payloads, settings);
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
  trajectory: JsonInput<TrajectoryInput | JsonObject>,
  options?: VerifyOptions,
): VerificationSummary {
  const { tools, settings } = takeTools(options);
  const payloads = [toPayload(trajectory, 'the trajectory'), optionsToPayload(settings)] as const;
  return answerByTools(core.summarizeResultVerification, tools, payloads, settings);
}

/**
 * The facts that the replies of a trajectory state and nothing shows, of all turns of the agent: amounts, numbers, dates,
 * times, identifiers, emails, URLs, phone numbers, quotations and names that neither results and arguments hold, nor the
 * user or the instructions said before.
 *
 * Throws `invalid_json`, `invalid_input`, `unknown_format`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const tool_calls = [{ name: 'get_price', arguments: { item: 'lamp' }, result: { price: 49 } }];
 * findUnsupportedFacts({ turns: [{ turn_id: 1, role: 'agent', content: 'The lamp costs $59.', tool_calls }] });
 * // { score: 0.6, facts: [{ text: '$59', kind: 'money', turnId: 1, start: 15, end: 18, confidence: 0.6, closest: { … } }] }
 */
export function findUnsupportedFacts(trajectory: JsonInput<JsonObject>, options?: LimitOptions): UnsupportedFacts {
  return read(core.findUnsupportedFacts, { value: trajectory, name: 'the trajectory' }, options);
}

/** The tools and the rest of the options apart: tools need not be JSON. */
function takeTools(options: VerifyOptions | undefined): {
  readonly tools: ToolsInput | undefined;
  readonly settings: VerifySettings | undefined;
} {
  return readingCaller('the options', () => {
    if (typeof options !== 'object' || options === null || !('tools' in options)) {
      return { tools: undefined, settings: options };
    }
    const { tools, ...settings } = options;
    return { tools, settings };
  });
}
