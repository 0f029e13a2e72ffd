import {
  type AccuracyResult,
  CALL_ORDERS,
  type CallOrder,
  type ExpectedCalls,
  type Gate,
  type Report,
  reportCallLists,
  type ScoredToolCall,
} from 'toolgauge';
import { comparing } from '../../cli/failure.js';
import { forCalls } from '../../cli/remedies.js';
import { readDocument, requireDocument } from '../documents.js';
import { foldersOf } from '../folders.js';
import { ARGUMENTS, maxIssuesOf, RESULTS } from '../schemas.js';
import type { Arguments, ServedTool, ToolAnswer, ToolContext } from '../service.js';
import type { ServerSettings } from '../settings.js';
import { counted, jsonText, scoreText, sections, shortened } from '../texts.js';

const ACTUAL = { inline: 'actual', path: 'actualPath' } as const;
const EXPECTED = { inline: 'expected', path: 'expectedPath' } as const;

/** How much of a call is shown. */
const MOST_SHOWN = 300;

/** Makes the tool `score_tool_calls`. */
export function scoreToolCallsTool(settings: ServerSettings): ServedTool {
  return {
    name: 'score_tool_calls',
    title: 'Score tool calls',
    description:
      'Compares the tool calls that an agent made with the calls that you expect: precision, recall, F1, and each difference by argument. Use it to test whether an agent did the right thing; check_trajectory only finds calls that are wrong in themselves.',
    inputSchema: {
      type: 'object',
      properties: {
        expected: {
          description:
            'The calls that should be made: a list such as [{"tool": "search", "args": {"query": "lamp"}}], or an object of expectations with calls, forbidden, order and matchers. May be left out if actual is a trajectory that holds them.',
          anyOf: [{ type: 'object' }, { type: 'array', items: {} }, { type: 'string' }],
        },
        expectedPath: { type: 'string', description: 'Instead of expected: the path of a file that holds it.' },
        actual: {
          description: 'What the agent did: one trajectory in any known format, or a list of calls.',
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
    },
    outputSchema: {
      type: 'object',
      properties: {
        passed: { type: 'boolean', description: 'False if a forbidden call was made, or the score is below minScore.' },
        failures: RESULTS.failures,
        score: { type: 'number', description: 'The F1 score from 0 to 1; 0 if a forbidden call was made.' },
        precision: { type: 'number' },
        recall: { type: 'number' },
        expected: { type: 'integer', description: 'How many calls were expected.' },
        made: { type: 'integer', description: 'How many calls were made.' },
        correct: { type: 'integer', description: 'How many calls were made as expected.' },
        differences: { type: 'array', items: DIFFERENCE, description: 'What is not as expected.' },
        leftOut: { type: 'integer', description: 'How many differences there are besides the listed ones.' },
        warnings: { type: 'array', items: { type: 'string' } },
      },
      required: ['passed', 'failures', 'score', 'precision', 'recall', 'expected', 'made', 'correct', 'differences'],
    },
    run: (args, context) => run(args, context, settings),
  };
}

const DIFFERENCE = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['forbidden', 'incorrect', 'missed', 'extra'] },
    tool: { type: 'string' },
    details: { type: 'string', description: 'What differs, or the arguments of the call.' },
  },
  required: ['status', 'tool', 'details'],
} as const;

/** A call that is not as expected. */
interface Difference {
  readonly status: 'forbidden' | 'incorrect' | 'missed' | 'extra';
  readonly tool: string;
  readonly details: string;
}

async function run(args: Arguments, context: ToolContext, settings: ServerSettings): Promise<ToolAnswer> {
  const folders = foldersOf(settings, context);
  const actual = await requireDocument(args, ACTUAL, folders);
  const expected = await readDocument(args, EXPECTED, folders);
  const options = {
    ...(args.order !== undefined && { order: args.order as CallOrder }),
    ...(args.minScore !== undefined && { minScore: args.minScore as number }),
  };
  const compare = () => reportCallLists(expected?.bytes as ExpectedCalls | undefined, actual.bytes, options);
  return answer(
    comparing(expected ?? actual, actual, forCalls, compare),
    maxIssuesOf(args),
    args.minScore !== undefined,
  );
}

function answer({ result, gate }: Report<AccuracyResult>, most: number, hasGate: boolean): ToolAnswer {
  const all = differencesOf(result);
  const differences = all.slice(0, most);
  const leftOut = all.length - differences.length;
  const { score, precision, recall, totalExpected, totalActual, correctCalls, failures = [], warnings = [] } = result;
  const structured = {
    passed: gate.passed,
    failures: [...gate.failures, ...failures],
    score,
    precision,
    recall,
    expected: totalExpected,
    made: totalActual,
    correct: correctCalls.length,
    differences,
    leftOut,
    warnings,
  };
  const counts = `${correctCalls.length} correct of ${counted(totalExpected, 'expected call')}, ${totalActual} made`;
  const text = sections(
    [
      `${verdictOf(gate, hasGate)}Score ${scoreText(score)} (precision ${scoreText(precision)}, recall ${scoreText(recall)}); ${counts}.`,
    ],
    differences.map(({ status, tool, details }) => `- ${status} ${tool}: ${details}`),
    leftOut > 0 ? [`${counted(leftOut, 'more difference')} not listed. Set maxIssues to see more.`] : [],
    failures.map(failure => `Not met: ${failure}`),
    warnings.map(warning => `Warning: ${warning}`),
  );
  return { text, structured };
}

/** Without a lowest score there is no gate, unless a forbidden call fails it. */
function verdictOf({ passed, failures }: Gate, hasGate: boolean): string {
  if (!passed) return `FAILED: ${failures.join('; ')}. `;
  return hasGate ? 'PASSED. ' : '';
}

/** What is not as expected, the worst first. */
function differencesOf({ forbiddenCalls = [], incorrectCalls, missedCalls, extraCalls }: AccuracyResult): Difference[] {
  return [
    ...forbiddenCalls.map(({ actual }) => difference('forbidden', actual)),
    ...incorrectCalls.map(({ actual, details }) => difference('incorrect', actual, details)),
    ...missedCalls.map(({ expected }) => difference('missed', expected)),
    ...extraCalls.map(call => difference('extra', call)),
  ];
}

function difference(status: Difference['status'], { tool, args }: ScoredToolCall, details?: string): Difference {
  const shown = details === undefined ? jsonText(args, MOST_SHOWN) : shortened(details, 2 * MOST_SHOWN);
  return { status, tool: shortened(tool, 200), details: shown };
}
