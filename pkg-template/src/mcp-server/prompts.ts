import type { ServedPrompt } from './service.js';

/** A prompt with which a user has the log of an agent reviewed. */
export const REVIEW_AGENT_RUN: ServedPrompt = {
  name: 'review-agent-run',
  title: 'Review an agent run',
  description: 'Checks the log of an agent, explains what went wrong, and proposes how to fix the agent.',
  arguments: [
    { name: 'path', description: 'the file with the log', required: true },
    { name: 'toolsPath', description: 'the file with the tool definitions', required: false },
  ],
  write: ({ path = '', toolsPath = '' }) => {
    const tools = toolsPath === '' ? '' : `, toolsPath ${JSON.stringify(toolsPath)}`;
    return `Review the agent run in ${JSON.stringify(path)}.

1. Call check_trajectory with path ${JSON.stringify(path)}${tools}.
2. For each type of issue that you do not know, call explain_issue.
3. Read the turns that the issues name, and find the cause of each: the prompt, the tool definitions, the tools or the model.
4. If calls have wrong names or arguments, call lint_tools with the tool definitions.
5. Report the causes, the worst first, each with the turn and a quotation that shows it, and propose a change for each. Say which issues you think are no mistakes of the agent, and why.`;
  },
};
