import { ToolgaugeError } from 'toolgauge';
import { Failure } from '../cli/failure.js';
import { reasonOf } from '../errors.js';
import { withCheckedArguments } from './checked-arguments.js';
import { REVIEW_AGENT_RUN } from './prompts.js';
import { ISSUE_TEMPLATE, issueResources } from './resources.js';
import type { Service } from './service.js';
import type { ServerSettings } from './settings.js';
import { checkToolCallTool } from './tools/check-tool-call.js';
import { checkTrajectoryTool } from './tools/check-trajectory.js';
import { explainIssueTool } from './tools/explain-issue.js';
import { lintToolsTool } from './tools/lint-tools.js';
import { scoreToolCallsTool } from './tools/score-tool-calls.js';

const INSTRUCTIONS = `toolgauge checks how AI agents use their tools. It asks no model and changes nothing.
- A log of an agent run: check_trajectory. Prefer path to trajectory, and give toolsPath if the tool definitions are in a file.
- Tool definitions that you write or change: lint_tools.
- A single call before it runs: check_tool_call.
- The calls that you expect of an agent: score_tool_calls.
- A type of issue that you do not know: explain_issue.`;

/** What the MCP server of toolgauge offers. */
export function toolgaugeService(version: string, settings: ServerSettings): Service {
  const tools = [
    checkTrajectoryTool(settings),
    checkToolCallTool(settings),
    lintToolsTool(settings),
    scoreToolCallsTool(settings),
    explainIssueTool(),
  ];
  return {
    name: 'toolgauge',
    title: 'toolgauge',
    version,
    instructions: INSTRUCTIONS,
    tools: tools.map(withCheckedArguments),
    resources: issueResources(),
    resourceTemplate: ISSUE_TEMPLATE,
    prompts: [REVIEW_AGENT_RUN],
    describe,
  };
}

/** What is wrong with a call, and what to do: the message of the error already names the place. */
function describe(error: unknown): string {
  if (error instanceof Failure) return error.remedy === undefined ? error.message : `${error.message}\n${error.remedy}`;
  if (error instanceof ToolgaugeError) return `${error.code}: ${error.message}`;
  return `toolgauge failed: ${reasonOf(error)}`;
}
