import { type ValidationResult, validateToolCall } from 'toolgauge';
import { type ModelTool, modelTool } from '../model-tool.js';
import {
  CALL_THAT_RAN,
  type ModelCallThatRan,
  type ModelToolDefinition,
  objectOf,
  TOOLS,
  toPlainCall,
} from './schemas.js';

/** What the tool takes: a call, and the tools that the agent has. */
export interface ToolCallValidationInput {
  /** The call to check. */
  readonly call: ModelCallThatRan;
  /** The tools that the agent has. */
  readonly tools: readonly ModelToolDefinition[];
}

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type ToolCallValidationTool = ModelTool<ToolCallValidationInput, ValidationResult>;

/**
 * Says what is wrong with one tool call and why, as a tool for a model and as a function. The result is that of
 * `validateToolCall`; a call without a result or an error is taken as one that has not run.
 *
 * @example
 * const { issues } = await validateToolCallTool.execute({
 *   call: { tool: 'get_weather', args: { town: 'Oslo' } },
 *   tools: [{ name: 'get_weather', parameters: { type: 'object', required: ['city'] } }],
 * });
 * issues[0].description; // 'city: required, but missing'
 */
export const validateToolCallTool: ToolCallValidationTool = modelTool<ToolCallValidationInput, ValidationResult>({
  description:
    'Checks a tool call of an agent against the definitions of its tools. Returns whether the call is valid, a score ' +
    'from 0 to 1, and what is wrong with the name, the arguments or the result, with the place of each issue.',
  parameters: objectOf({ call: CALL_THAT_RAN, tools: TOOLS }, ['call', 'tools']),
  expected: 'a call, {tool, args}, and tools, [{name, parameters}]',
  run: ({ call, tools }) => {
    const hasRun = call.result !== undefined || call.error !== undefined;
    return validateToolCall(toPlainCall(call), tools, { checkResultUsage: hasRun });
  },
});
