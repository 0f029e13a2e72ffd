import { checkToolCall, type StaticMetric } from 'toolgauge';
import { Failure, reading } from '../../cli/failure.js';
import { forTools } from '../../cli/remedies.js';
import { reasonOf } from '../../errors.js';
import { foldersOf } from '../folders.js';
import { ARGUMENTS } from '../schemas.js';
import type { Arguments, ObjectSchema, ServedTool, ToolAnswer, ToolContext } from '../service.js';
import type { ServerSettings } from '../settings.js';
import { jsonText, sections } from '../texts.js';
import { requireToolDefinitions } from '../tool-definitions.js';

const MOST_SHOWN = 4_000;

const CALL = 'toolCall';

const INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    toolCall: {
      description:
        'The call, as toolgauge or a provider writes it, such as {"name": "search", "arguments": {"query": "lamp"}}.',
      anyOf: [{ type: 'object' }, { type: 'string' }],
    },
    tools: ARGUMENTS.tools,
    toolsPath: ARGUMENTS.toolsPath,
  },
  required: [CALL],
};

const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    valid: { type: 'boolean', description: 'Whether the call passes all checks.' },
    problems: {
      type: 'array',
      items: {
        type: 'object',
        properties: { check: { type: 'string' }, explanation: { type: 'string' } },
        required: ['check', 'explanation'],
      },
      description: 'The checks that fail, and why.',
    },
    correctedCall: { description: 'The corrected call, in the form of the given one. Absent if it is not clear.' },
    correctedArguments: { description: 'The arguments of the corrected call.' },
  },
  required: ['valid', 'problems'],
};

/** Makes the tool `check_tool_call`. */
export function checkToolCallTool(settings: ServerSettings): ServedTool {
  return {
    name: 'check_tool_call',
    title: 'Check a tool call',
    description:
      'Checks one tool call against tool definitions before it runs: the name, missing, unknown and wrongly typed arguments, allowed values and the whole JSON Schema. Returns what is wrong and, where it is clear, the corrected call. Runs nothing.',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    run: (args, context) => run(args, context, settings),
  };
}

async function run(args: Arguments, context: ToolContext, settings: ServerSettings): Promise<ToolAnswer> {
  const source = await requireToolDefinitions(args, foldersOf(settings, context), settings);
  const toolCall = readCall(args[CALL]);
  const { metrics, overall_valid } = reading(source, forTools, () => checkToolCall({ tools: source.bytes, toolCall }));
  const failed = Object.entries<StaticMetric>({ ...metrics }).filter(([, { valid }]) => !valid);
  const problems = failed.map(([check, { explanation }]) => ({ check, explanation: explanation ?? '' }));
  const correction = failed.map(([, metric]) => metric.correction).find(found => found !== undefined);
  const structured = {
    valid: overall_valid,
    problems,
    ...(correction !== undefined && {
      correctedCall: correction.toolCall,
      correctedArguments: correction.correctedArguments,
    }),
  };
  if (overall_valid) return { text: 'VALID: the call fits the definition of its tool.', structured };
  const hint =
    correction === undefined
      ? 'No correction is clear: change the call as the explanations say, and check it again.'
      : `Corrected call: ${jsonText(correction.toolCall, MOST_SHOWN)}`;
  const text = sections(
    ['NOT VALID.'],
    problems.map(({ check, explanation }) => `- ${check}: ${explanation}`),
    [hint],
  );
  return { text, structured };
}

/** The call, which may be given as JSON text. Read here, so that its errors are not taken for those of the tools. */
function readCall(given: unknown): Record<string, never> {
  if (typeof given !== 'string') return given as Record<string, never>;
  try {
    return JSON.parse(given);
  } catch (error) {
    const remedy = 'give a call such as {"name": "search", "arguments": {"query": "lamp"}}';
    throw new Failure(`${CALL}: not valid JSON: ${reasonOf(error)}`, remedy);
  }
}
