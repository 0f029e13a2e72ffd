import { type AccuracyResult, type ScoredToolCallInput, scoreToolCalls } from 'toolgauge';
import { type ModelTool, modelTool } from '../model-tool.js';
import { CALL, objectOf } from './schemas.js';

/** What the tool takes: the calls that should have been made and the calls that were. */
export interface AccuracyInput {
  /** The calls that should have been made. */
  readonly expected: readonly ScoredToolCallInput[];
  /** The calls that were made. */
  readonly actual: readonly ScoredToolCallInput[];
}

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type AccuracyTool = ModelTool<AccuracyInput, AccuracyResult>;

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
export const toolCallAccuracyScoreTool: AccuracyTool = modelTool<AccuracyInput, AccuracyResult>({
  description:
    'Scores how close the tool calls that an agent made are to the tool calls that were expected of it. ' +
    'Returns a score from 0 to 1 (F1 of precision and recall) and which calls are correct, incorrect, missed and extra.',
  parameters: objectOf(
    {
      expected: {
        type: 'array',
        description:
          'The tool calls that should have been made, in any order; repeat a call as often as it is expected',
        items: CALL,
      },
      actual: {
        type: 'array',
        description: 'The tool calls that were made, in any order; repeat a call as often as it was made',
        items: CALL,
      },
    },
    ['expected', 'actual'],
  ),
  expected: 'lists of calls, {tool, args}, as expected and actual',
  run: ({ expected, actual }) => scoreToolCalls({ expected, actual }),
});
