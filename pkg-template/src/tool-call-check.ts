import * as core from '#glue';
import { holdAgainst } from './hold-against.js';
import type { JsonInput, ToolCallInput } from './input.js';
import type { ToolsInput } from './tools.js';
import type { Limits, ToolCallCheck, ToolCallRepair } from './types.js';

/** A call that has not run yet, and the tools that it is checked against. */
export interface ToolCallCheckInput {
  /** The tools that the agent has. None, or such as can't be used, make a check fail and are no error. */
  readonly tools: ToolsInput | null | undefined;
  /** The call, as toolgauge or any provider writes it. */
  readonly toolCall: JsonInput<ToolCallInput>;
  /** How much the call may ask for. */
  readonly limits?: Limits | undefined;
}

/**
 * Checks a call that a model has just made, before it runs, by nine static checks. Each says whether it passes, why not,
 * and what the call should be instead where that is clear. Results are no matter: there are none yet.
 *
 * Throws `invalid_json`, `invalid_option`, `limit_exceeded` or `unsupported_value`, and `invalid_input` for a promise, a
 * stream, or no input at all. What is no call, and tools that can't be used, are results and no errors.
 *
 * @example
 * const tools = [{ name: 'search', input_schema: { properties: { limit: { type: 'integer' } } } }];
 * const { metrics, overall_valid } = checkToolCall({ tools, toolCall: { name: 'search', arguments: { limit: '5' } } });
 * overall_valid; // false
 * metrics.incorrect_parameter_type.explanation; // 'limit: expected integer, got "5" (string); it can be read as 5'
 * metrics.incorrect_parameter_type.correction; // { correctedArguments: { limit: 5 }, toolCall: { name: 'search', arguments: { limit: 5 } } }
 */
export function checkToolCall(input: ToolCallCheckInput): ToolCallCheck {
  return holdAgainst(input, core.checkToolCall);
}

/**
 * Repairs a call that has not run yet, where what it should be is clear: arguments that the tool does not take are
 * dropped, or renamed where a declared one is misspelt; values get the type that the schema wants; JSON text is read;
 * missing arguments get their default; envelopes are taken off; and a misspelt tool name is mended. What was changed is
 * listed place by place. A valid call stays as it is, and one that is repaired is valid.
 *
 * A call that can't be repaired comes back as it was, with what is wrong, a message for the model, and `refusal`: the
 * message as the result of the call, as the call's provider wants it. Throws as {@link checkToolCall} does.
 *
 * @example
 * const repair = repairToolCallSync({ tools, toolCall: message.tool_calls[0] });
 * if (repair.status === 'unrepairable') messages.push(repair.refusal);
 * else messages.push(await run(repair.name, repair.arguments));
 */
export function repairToolCallSync(input: ToolCallCheckInput): ToolCallRepair {
  return holdAgainst(input, core.repairToolCall);
}
