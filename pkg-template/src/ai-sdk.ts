import { jsonSchema, tool } from 'ai';
import {
  type AccuracyResult,
  type SchemaIssue,
  type ScoredToolCallInput,
  scoreToolCalls,
  ToolgaugeError,
  validateSchema,
} from 'toolgauge';

export { type DispatcherTools, dispatcherTools } from './ai-sdk/dispatcher.js';
export { type GuardableTools, type GuardToolsOptions, guardTools } from './ai-sdk/guard.js';
export {
  type FailedToolCall,
  type RepairToolCallOptions,
  repairToolCall,
  type ToolCallRepairer,
  type UnparsedToolCall,
} from './ai-sdk/repair.js';
export { type AiSdkJudgeOptions, aiSdkJudge } from './judges/ai-sdk.js';

/** The SDK has no CommonJS types from version 7 on: its ESM ones serve both. */
type Tool<Input, Output> = import('ai', { with: { 'resolution-mode': 'import' }}).Tool<Input, Output>;

/** What the tool takes: the calls that should have been made and the calls that were. */
export interface AccuracyInput {
  readonly expected: readonly ScoredToolCallInput[];
  readonly actual: readonly ScoredToolCallInput[];
}

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type AccuracyTool = Tool<AccuracyInput, AccuracyResult> & {
  execute(input: AccuracyInput, options?: unknown): Promise<AccuracyResult>;
};

const call = {
  type: 'object',
  properties: {
    tool: { type: 'string', description: 'Name of the called tool, exactly as it is defined' },
    args: { type: 'object', description: 'The arguments of the call, by name', additionalProperties: true },
  },
  required: ['tool', 'args'],
  additionalProperties: false,
} as const;

const parameters = {
  type: 'object',
  properties: {
    expected: {
      type: 'array',
      description: 'The tool calls that should have been made, in any order; repeat a call as often as it is expected',
      items: call,
    },
    actual: {
      type: 'array',
      description: 'The tool calls that were made, in any order; repeat a call as often as it was made',
      items: call,
    },
  },
  required: ['expected', 'actual'],
  additionalProperties: false,
} as const;

type Validation = { success: true; value: AccuracyInput } | { success: false; error: ToolgaugeError };

/** What the SDK asks before it runs the tool: by itself it passes on whatever the model gives. */
function validate(value: unknown): Validation {
  const { issues } = validateSchema({ arguments: value }, { name: 'toolCallAccuracyScore', parameters });
  return issues.length === 0
    ? { success: true, value: value as AccuracyInput }
    : { success: false, error: refuse(issues) };
}

function refuse(issues: readonly SchemaIssue[]): ToolgaugeError {
  const message = issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; ');
  return new ToolgaugeError('invalid_input', message, {
    path: issues[0]?.path || undefined,
    expected: 'lists of calls, {tool, args}, as expected and actual',
  });
}

/**
 * Scores how close an agent's tool calls are to the expected ones, as a tool for a model and as a function.
 * The result is that of `scoreToolCalls`; `execute` rejects with its errors.
 *
 * @example
 * const { score } = await toolCallAccuracyScoreTool.execute({
 *   expected: [{ tool: 'search', args: { q: 'news' } }],
 *   actual: [{ tool: 'search', args: { q: 'news' } }],
 * });
 * score; // 1
 *
 * @example
 * await generateText({ model, tools: { score: toolCallAccuracyScoreTool }, prompt: 'Score these calls: …' });
 */
export const toolCallAccuracyScoreTool: AccuracyTool = tool({
  description:
    'Scores how close the tool calls that an agent made are to the tool calls that were expected of it. ' +
    'Returns a score from 0 to 1 (F1 of precision and recall) and which calls are correct, incorrect, missed and extra.',
  inputSchema: jsonSchema<AccuracyInput>(parameters, { validate }),
  execute: async ({ expected, actual }: AccuracyInput): Promise<AccuracyResult> => scoreToolCalls({ expected, actual }),
}) as AccuracyTool;
