import { CALL_ORDERS, type CallOrder } from 'toolgauge';
import { scoreCarried, scoreLists } from '../call-scores.js';
import { readDocument, requireDocument } from '../documents.js';
import { foldersOf } from '../folders.js';
import { ARGUMENTS, maxIssuesOf, RESULTS } from '../schemas.js';
import { scoreAnswer } from '../score-answer.js';
import type { Arguments, ObjectSchema, ServedTool, ToolAnswer, ToolContext } from '../service.js';
import type { ServerSettings } from '../settings.js';

const ACTUAL = { inline: 'actual', path: 'actualPath' } as const;
const EXPECTED = { inline: 'expected', path: 'expectedPath' } as const;

const INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    expected: {
      description:
        'The calls that should be made: a list such as [{"tool": "search", "args": {"query": "lamp"}}], or an object of expectations with calls, forbidden, order and matchers. May be left out if actual holds trajectories with their expected calls.',
      anyOf: [{ type: 'object' }, { type: 'array', items: {} }, { type: 'string' }],
    },
    expectedPath: { type: 'string', description: 'Instead of expected: the path of a file that holds it.' },
    actual: {
      description:
        'What the agent did: one trajectory in any known format, or a list of calls. Without expected also many trajectories.',
      anyOf: [{ type: 'object' }, { type: 'array', items: {} }, { type: 'string' }],
    },
    actualPath: { type: 'string', description: 'Instead of actual: the path of a file that holds it.' },
    order: {
      type: 'string',
      enum: [...CALL_ORDERS],
      description: 'Whether the order of the calls counts. Default: as the expectations say, or else any.',
    },
    minScore: ARGUMENTS.minScore,
    maxIssues: {
      ...ARGUMENTS.maxIssues,
      description: 'How many differences to return; the others are only counted. Default: 20.',
    },
  },
};

const DIFFERENCE = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['forbidden', 'incorrect', 'missed', 'extra'] },
    tool: { type: 'string' },
    details: { type: 'string', description: 'What differs, or the arguments of the call.' },
    trajectory: { type: 'string', description: 'The trajectory, if there are several: its id, or else its position.' },
  },
  required: ['status', 'tool', 'details'],
} as const;

const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    passed: { type: 'boolean', description: 'False if a forbidden call was made, or the score is below minScore.' },
    failures: RESULTS.failures,
    score: {
      type: 'number',
      description: 'The F1 score from 0 to 1, or the mean of several; 0 if a forbidden call was made.',
    },
    precision: { type: 'number' },
    recall: { type: 'number' },
    trajectories: { type: 'integer', description: 'How many trajectories were scored.' },
    expected: { type: 'integer', description: 'How many calls were expected.' },
    actual: { type: 'integer', description: 'How many calls were made.' },
    correct: { type: 'integer', description: 'How many calls were made as expected.' },
    differences: { type: 'array', items: DIFFERENCE, description: 'What is not as expected.' },
    leftOut: { type: 'integer', description: 'How many differences there are besides the listed ones.' },
    warnings: { type: 'array', items: { type: 'string' } },
  },
  required: ['passed', 'failures', 'score', 'precision', 'recall', 'expected', 'actual', 'correct', 'differences'],
};

/** Makes the tool `score_tool_calls`. */
export function scoreToolCallsTool(settings: ServerSettings): ServedTool {
  return {
    name: 'score_tool_calls',
    title: 'Score tool calls',
    description:
      'Compares the tool calls that an agent made with the calls that you expect: precision, recall, F1, and each difference by argument. Use it to test whether an agent did the right thing; check_trajectory only finds calls that are wrong in themselves.',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    run: (args, context) => run(args, context, settings),
  };
}

async function run(args: Arguments, context: ToolContext, settings: ServerSettings): Promise<ToolAnswer> {
  const folders = foldersOf(settings, context);
  const actual = await requireDocument(args, ACTUAL, folders);
  const expected = await readDocument(args, EXPECTED, folders);
  const { minScore = settings.minScore } = args;
  const options = {
    ...(args.order !== undefined && { order: args.order as CallOrder }),
    ...(minScore !== undefined && { minScore: minScore as number }),
  };
  const scored = expected === undefined ? scoreCarried(actual, options) : scoreLists(expected, actual, options);
  return scoreAnswer(scored, maxIssuesOf(args), minScore !== undefined);
}
