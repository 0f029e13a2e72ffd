import { type FailOn, type LintIssue, type LintProvider, reportToolLint, SEVERITIES } from 'toolgauge';
import { Failure, reading } from '../../cli/failure.js';
import { forTools } from '../../cli/remedies.js';
import { counted, shortened } from '../../texts.js';
import { foldersOf } from '../folders.js';
import { ARGUMENTS, maxIssuesOf, RESULTS } from '../schemas.js';
import type { Arguments, ObjectSchema, ServedTool, ToolAnswer, ToolContext } from '../service.js';
import type { ServerSettings } from '../settings.js';
import { firstTexts, scoreText, sections } from '../texts.js';
import { requireToolDefinitions } from '../tool-definitions.js';

const MOST_DESCRIBED = 400;

/** How many definitions that can't be read are listed. */
const MOST_ERRORS = 10;

const INPUT: ObjectSchema = {
  type: 'object',
  properties: {
    tools: ARGUMENTS.tools,
    toolsPath: ARGUMENTS.toolsPath,
    provider: ARGUMENTS.provider,
    failOn: ARGUMENTS.failOn,
    maxIssues: ARGUMENTS.maxIssues,
  },
};

const ISSUE = {
  type: 'object',
  properties: {
    type: { type: 'string' },
    severity: RESULTS.severity,
    path: { type: 'string', description: 'The place in the definitions, such as tools[2].parameters.required[0].' },
    description: { type: 'string' },
    hint: { type: 'string', description: 'What to do.' },
    toolName: { type: 'string' },
  },
  required: ['type', 'severity', 'path', 'description', 'hint'],
} as const;

const OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    passed: RESULTS.passed,
    failures: RESULTS.failures,
    score: { type: 'number', description: 'From 0 to 1: the mean over the tools.' },
    tools: { type: 'integer', description: 'How many tools are defined.' },
    issuesByType: { ...RESULTS.counts, description: 'How many issues of each type there are.' },
    issues: { type: 'array', items: ISSUE, description: 'The worst issues.' },
    leftOut: RESULTS.leftOut,
    unread: { type: 'array', items: { type: 'string' }, description: 'Definitions that could not be read.' },
  },
  required: ['passed', 'failures', 'score', 'tools', 'issuesByType', 'issues', 'leftOut', 'unread'],
};

/** Makes the tool `lint_tools`. */
export function lintToolsTool(settings: ServerSettings): ServedTool {
  return {
    name: 'lint_tools',
    title: 'Lint tool definitions',
    description:
      'Finds mistakes in tool definitions that make models misuse tools or make providers reject them: invalid or contradictory schemas, missing descriptions, names that are too similar. Each issue has its path and a hint how to fix it. Run it after you write or change tools.',
    inputSchema: INPUT,
    outputSchema: OUTPUT,
    run: (args, context) => run(args, context, settings),
  };
}

async function run(args: Arguments, context: ToolContext, settings: ServerSettings): Promise<ToolAnswer> {
  const source = await requireToolDefinitions(args, foldersOf(settings, context), settings);
  const failOn = (args.failOn ?? settings.failOn ?? 'high') as FailOn;
  const asked = args.provider === undefined ? {} : { provider: args.provider as LintProvider };
  const { result, gate } = reading(source, forTools, () => reportToolLint(source.bytes, { ...asked, failOn }));
  if (result.tools === 0) throw new Failure(`${source.name}: it holds no tools`);
  const issues = result.issues.toSorted(byWorst).slice(0, maxIssuesOf(args)).map(placed);
  const leftOut = result.issues.length - issues.length;
  const errors = result.errors?.map(({ message }) => shortened(message, 300)) ?? [];
  const unread = firstTexts(errors, MOST_ERRORS, errors.length);
  const structured = {
    passed: gate.passed,
    failures: gate.failures,
    score: result.score,
    tools: result.tools,
    issuesByType: result.summary.issuesByType,
    issues,
    leftOut,
    unread,
  };
  const verdict = gate.passed ? 'PASSED' : `FAILED: ${gate.failures.join('; ')}`;
  const found = result.issues.length === 0 ? 'no issues' : counted(result.issues.length, 'issue');
  const text = sections(
    [`${verdict}. Score ${scoreText(result.score)}; ${counted(result.tools, 'tool')}, ${found}.`],
    issues.map(issueText),
    leftOut > 0 ? [`${counted(leftOut, 'more issue')} not listed. Set maxIssues to see more.`] : [],
    unread.map(reason => `Not read: ${reason}`),
  );
  return { text, structured };
}

function byWorst(a: LintIssue, b: LintIssue): number {
  return SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity);
}

function placed({ type, severity, description, toolName, details }: LintIssue) {
  return {
    type,
    severity,
    path: details?.path ?? '',
    description: shortened(description, MOST_DESCRIBED),
    hint: details?.hint ?? '',
    ...(toolName !== undefined && { toolName: shortened(toolName, 200) }),
  };
}

/** The description names the tool, and the place in it. */
function issueText({ type, severity, description, hint }: ReturnType<typeof placed>): string {
  return `- ${severity} ${type}: ${description} → ${hint}`;
}
