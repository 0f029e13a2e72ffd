import {
  type CheckOptions,
  type FailOn,
  type GateOptions,
  RULE_LEVELS,
  TRAJECTORY_FORMATS,
  type TrajectoryFormat,
} from 'toolgauge';
import { checkAnswer } from '../check-answer.js';
import { checkLogs } from '../check-logs.js';
import { foldersOf } from '../folders.js';
import { findLogs } from '../log-inputs.js';
import { ARGUMENTS, maxIssuesOf, RESULTS } from '../schemas.js';
import type { Arguments, ObjectSchema, ServedTool, ToolAnswer, ToolContext } from '../service.js';
import type { ServerSettings } from '../settings.js';
import { compiledTools } from '../tool-definitions.js';

const DESCRIPTION = `Checks the log of an AI agent run without asking a model: wrong tool names and arguments, loops, missing or unused results, and replies that state what no tool returned. Returns whether it passes, a score from 0 to 1, and the worst issues with their places. Pass the log as trajectory or its path. Give tools or toolsPath so that arguments are checked against their schemas, unless the log contains the definitions.`;

const INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    trajectory: ARGUMENTS.trajectory,
    path: ARGUMENTS.path,
    tools: ARGUMENTS.tools,
    toolsPath: ARGUMENTS.toolsPath,
    format: {
      type: 'string',
      enum: [...TRAJECTORY_FORMATS],
      description: 'The format of the log, if it is detected wrongly. Default: detected.',
    },
    failOn: ARGUMENTS.failOn,
    minScore: ARGUMENTS.minScore,
    rules: {
      type: 'object',
      description: `The severity of types of issues, such as {"unused_result": "off"}. Levels: ${RULE_LEVELS.join(', ')}.`,
    },
    maxIssues: ARGUMENTS.maxIssues,
  },
};

const ISSUE = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    severity: RESULTS.severity,
    description: { type: 'string' },
    toolName: { type: 'string' },
    turnId: { type: 'integer', description: 'The number of the turn.' },
    callIndex: { type: 'integer', description: 'The position of the call in its turn, from 0.' },
    replyTurnId: { type: 'integer', description: 'The turn of the reply, if another turn made the call.' },
    source: { type: 'string', description: 'The file.' },
    line: { type: 'integer', description: 'The line of the document, from 1.' },
    trajectoryId: { type: 'string' },
    index: { type: 'integer', description: 'The position of the trajectory in its document, from 0.' },
  },
  required: ['type', 'severity', 'description', 'index'],
} as const;

const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    passed: RESULTS.passed,
    failures: RESULTS.failures,
    score: { type: ['number', 'null'], description: 'The mean score from 0 to 1; null if no tool was called.' },
    trajectories: { type: 'integer', description: 'How many trajectories were checked.' },
    clean: { type: 'integer', description: 'How many of them have no issue.' },
    failed: { type: 'integer', description: 'How many of them have an issue as bad as failOn.' },
    calls: { type: 'integer', description: 'How many tool calls were checked.' },
    withTools: { type: 'integer', description: 'How many trajectories were checked against tool definitions.' },
    formats: { ...RESULTS.counts, description: 'How many trajectories were read from each format.' },
    issuesByType: { ...RESULTS.counts, description: 'How many issues of each type there are.' },
    issuesBySeverity: { ...RESULTS.counts, description: 'How many issues of each severity there are.' },
    issues: { type: 'array', items: ISSUE, description: 'The worst issues.' },
    leftOut: RESULTS.leftOut,
    remedies: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'What to do about each type among the listed issues.',
    },
    unread: {
      type: 'array',
      items: { type: 'string' },
      description: 'Documents and tool definitions that could not be read, with the reasons.',
    },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'What in the log was not read as it is written, such as calls in an unknown notation.',
    },
    ignored: { type: 'integer', description: 'How many findings the settings of the server ignore.' },
    notChecked: { type: 'array', items: { type: 'string' }, description: 'What could not be checked, and why.' },
  },
  required: ['passed', 'failures', 'score', 'trajectories', 'calls', 'issuesByType', 'issues', 'leftOut', 'unread'],
};

/** Makes the tool `check_trajectory`. */
export function checkTrajectoryTool(settings: ServerSettings): ServedTool {
  return {
    name: 'check_trajectory',
    title: 'Check an agent run',
    description: DESCRIPTION,
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    run: (args, context) => run(args, context, settings),
  };
}

async function run(args: Arguments, context: ToolContext, settings: ServerSettings): Promise<ToolAnswer> {
  const folders = foldersOf(settings, context);
  const logs = await findLogs(args, folders);
  const tools = await compiledTools(args, folders, settings);
  const checked = await checkLogs(logs, {
    tools,
    gate: gateOptionsOf(args, settings),
    check: checkOptionsOf(args, settings),
    maxIssues: maxIssuesOf(args),
    context,
  });
  const broken = tools?.errors.map(({ message }) => `tool definitions: ${message}`) ?? [];
  const isMany = logs.inputs.length > 1 || checked.summary.trajectories > 1;
  return checkAnswer({ ...checked, unread: [...broken, ...checked.unread] }, isMany);
}

function gateOptionsOf(args: Arguments, settings: ServerSettings): GateOptions {
  const { failOn = settings.failOn ?? 'high', minScore = settings.minScore } = args;
  return { failOn: failOn as FailOn, ...(minScore !== undefined && { minScore: minScore as number }) };
}

function checkOptionsOf({ rules, format }: Arguments, settings: ServerSettings): CheckOptions {
  return {
    ...(format !== undefined && { format: format as TrajectoryFormat }),
    rules: { ...settings.rules, ...(rules as CheckOptions['rules']) },
    ignore: [...(settings.ignore ?? [])],
  };
}
