import { FAIL_ON, LINT_PROVIDERS, SEVERITIES } from 'toolgauge';
import type { Arguments } from './service.js';

/** Any JSON document, or its text. */
function document(description: string): object {
  return { description, anyOf: [{ type: 'object' }, { type: 'array', items: {} }, { type: 'string' }] };
}

const FORMATS = 'OpenAI, Anthropic, Gemini, Bedrock, AI SDK, LangChain, OpenTelemetry, Claude Code, Codex and others';

type ArgumentName = 'trajectory' | 'path' | 'tools' | 'toolsPath' | 'failOn' | 'minScore' | 'maxIssues' | 'provider';

type ResultName = 'passed' | 'failures' | 'leftOut' | 'severity' | 'counts';

/** The arguments that several tools take. */
export const ARGUMENTS: Readonly<Record<ArgumentName, object>> = {
  trajectory: document(
    `The log of the agent itself, as a JSON value or as its text: messages, a session, a trace, or one document per line. Formats of ${FORMATS} are detected.`,
  ),
  path: {
    type: 'string',
    description: 'Instead of trajectory: the path of a file with logs, or of a folder that holds such files.',
  },
  tools: document('The tool definitions of the agent, in any format of a provider or of MCP.'),
  toolsPath: { type: 'string', description: 'Instead of tools: the path of a file with the tool definitions.' },
  failOn: {
    type: 'string',
    enum: [...FAIL_ON],
    description: 'The lowest severity of an issue that makes the check fail, or never. Default: high.',
  },
  minScore: { type: 'number', minimum: 0, maximum: 1, description: 'The lowest score that passes. Default: any.' },
  maxIssues: {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    description: 'How many issues to return, the worst first; the others are only counted. Default: 20.',
  },
  provider: {
    type: 'string',
    enum: [...LINT_PROVIDERS],
    description:
      'Whose rules apply. Default: the provider whose format the definitions have, or else what at least two reject.',
  },
};

/** The values that several results have. */
export const RESULTS: Readonly<Record<ResultName, object>> = {
  passed: { type: 'boolean', description: 'Whether the gate passed.' },
  failures: {
    type: 'array',
    items: { type: 'string' },
    description: 'Why the gate failed, a sentence for each reason.',
  },
  leftOut: { type: 'integer', description: 'How many issues there are besides the listed ones.' },
  severity: { type: 'string', enum: [...SEVERITIES] },
  counts: { type: 'object', additionalProperties: { type: 'integer' } },
};

/** How many issues are returned if a call does not say it. */
const USUAL_ISSUES = 20;

/** How many issues a call asks for. */
export function maxIssuesOf({ maxIssues }: Arguments): number {
  return typeof maxIssues === 'number' ? maxIssues : USUAL_ISSUES;
}
