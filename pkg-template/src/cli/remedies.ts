import type { Remedy } from './failure.js';

const TRAJECTORIES = 'what OpenAI, Anthropic, Gemini, the AI SDK, LangChain, OpenTelemetry and others write';

/** For sources of trajectories. */
export const forTrajectories: Remedy = ({ code }) =>
  code === 'unknown_format' ? `known formats are ${TRAJECTORIES}; docs/formats.md lists all` : undefined;

/** For sources of tool definitions. */
export const forTools: Remedy = ({ code }) =>
  code === 'unknown_format'
    ? 'known are OpenAI, Anthropic, MCP, Gemini, Bedrock and AI SDK tools, and tools by name; see docs/formats.md'
    : undefined;

/** For sources of calls that are compared. */
export const forCalls: Remedy = ({ code }) =>
  code === 'unknown_format' ? `known are lists of {tool, args}, ${TRAJECTORIES}; docs/formats.md lists all` : undefined;

/** For sources of test cases. */
export const forTestCases: Remedy = ({ code, path }) => {
  const cases = 'give test cases {toolsCalled, expectedTools}, or trajectories that carry the expected calls';
  return code === 'unknown_format' && path === undefined ? cases : undefined;
};

/** For trajectories that should carry the calls that were expected. */
export const forCarriedCalls: Remedy = error => {
  if (error.code === 'unknown_format') return `${forTrajectories(error)}; a list of calls needs --expected <file>`;
  // With a path, it is a place in a trajectory that is wrong, and not that no trajectory says what was expected.
  if (error.code !== 'invalid_input' || error.path !== undefined) return undefined;
  return 'give the expected calls with --expected <file>';
};
