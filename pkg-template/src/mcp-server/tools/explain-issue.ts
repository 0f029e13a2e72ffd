import { explainIssues, LINT_ISSUE_TYPES } from 'toolgauge';
import { explanationLine, explanationText } from '../../cli/explain.js';
import { Failure } from '../../cli/failure.js';
import { excerpt } from '../../excerpt.js';
import { RESULTS } from '../schemas.js';
import type { ServedTool, ToolAnswer } from '../service.js';

/** Makes the tool `explain_issue`. */
export function explainIssueTool(): ServedTool {
  const types = explainIssues().map(({ type }) => type);
  return {
    name: 'explain_issue',
    title: 'Explain an issue',
    description:
      'Explains a type of issue that check_trajectory reports: its meaning, an example, the remedy, and how to switch it off. Without a type it lists all types.',
    inputSchema: {
      type: 'object',
      properties: { type: { type: 'string', description: `The type of the issue, such as ${types[0]}.` } },
    },
    outputSchema: {
      type: 'object',
      properties: {
        issues: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              type: { type: 'string' },
              severity: RESULTS.severity,
              meaning: { type: 'string' },
              example: { type: 'string' },
              remedy: { type: 'string' },
            },
            required: ['type', 'severity', 'meaning', 'example', 'remedy'],
          },
          description: 'The type that was asked for, or all types.',
        },
      },
      required: ['issues'],
    },
    run: async ({ type }) => (type === undefined ? explainAll() : explain(String(type))),
  };
}

function explainAll(): ToolAnswer {
  const issues = explainIssues();
  return { text: issues.map(explanationLine).join(''), structured: { issues } };
}

function explain(type: string): ToolAnswer {
  const known = explainIssues();
  const issue = known.find(issue => issue.type === type);
  if (issue !== undefined) return { text: explanationText(issue), structured: { issues: [issue] } };
  if (LINT_ISSUE_TYPES.some(lint => lint === type)) {
    throw new Failure(`${type} is an issue of tool definitions`, 'lint_tools says with each issue how to fix it');
  }
  const types = known.map(({ type }) => type).join(', ');
  throw new Failure(`there is no type of issue ${JSON.stringify(excerpt(type))}`, `the types are ${types}`);
}
