import * as core from '#glue';
import { checkByTools } from './bridge.js';
import type { JsonInput, JsonObject, ToolCallInput, TrajectoryInput, TurnInput } from './input.js';
import type { ToolsInput } from './tools.js';
import type { ValidateOptions, ValidationResult } from './types.js';

/**
 * Says which calls of a trajectory are wrong and why: one result per agent turn that makes calls, in turn order.
 *
 * Without `tools` nothing is checked against a schema.
 * Throws `invalid_json`, `invalid_input`, `invalid_schema`, `invalid_option`, `limit_exceeded` or `unsupported_value`.
 *
 * @example
 * const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'send', arguments: {} }] }];
 * validateTrajectory({ turns }, { send: { name: 'send', parameters: { required: ['to'] } } });
 * // [{ valid: true, score: 0, turnId: 1, issues: [{ type: 'missing_required_param', … }, { type: 'missing_result', … }], … }]
 */
export function validateTrajectory(
  trajectory: JsonInput<TrajectoryInput | JsonObject>,
  tools?: ToolsInput,
  options?: ValidateOptions,
): ValidationResult[] {
  return checkByTools(core.validateTrajectory, { value: trajectory, name: 'the trajectory' }, tools, options);
}

/**
 * Says which calls of one turn are wrong and why. Issues that only the rest of the conversation can show are not reported.
 *
 * Without `tools` nothing is checked against a schema. Throws as {@link validateTrajectory} does.
 *
 * @example
 * validateTurn({ turn_id: 3, role: 'agent', content: '', tool_calls: [{ arguments: {}, result: {} }] });
 * // { valid: false, score: 0, turnId: 3, issues: [{ type: 'missing_tool_name', severity: 'critical', … }], … }
 */
export function validateTurn(
  turn: JsonInput<TurnInput>,
  tools?: ToolsInput,
  options?: ValidateOptions,
): ValidationResult {
  return checkByTools(core.validateTurn, { value: turn, name: 'the turn' }, tools, options);
}

/**
 * Says what is wrong with one call and why.
 *
 * `tools` is the schema of the called tool, or several tools among which it is looked up by name; without it the
 * arguments are not checked against a schema. Throws as {@link validateTrajectory} does.
 *
 * @example
 * const schema = createToolSchema('send', { properties: { to: { type: 'string' } }, required: ['to'] });
 * validateToolCall({ name: 'send', arguments: { to: 5 }, result: {} }, schema);
 * // { valid: true, score: 0.3, issues: [{ type: 'type_mismatch', severity: 'high', … }], … }
 */
export function validateToolCall(
  toolCall: JsonInput<ToolCallInput>,
  tools?: ToolsInput,
  options?: ValidateOptions,
): ValidationResult {
  return checkByTools(core.validateToolCall, { value: toolCall, name: 'the tool call' }, tools, options);
}
