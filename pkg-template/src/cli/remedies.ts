import type { Remedy } from './failure.js';

const TRAJECTORIES = 'OpenAI chat messages, tau-bench rollouts and the shape of toolgauge itself';

/** For sources of trajectories. */
export const forTrajectories: Remedy = ({ code }) =>
  code === 'unknown_format' ? `known are ${TRAJECTORIES}; see the README` : undefined;

/** For sources of tool definitions. */
export const forTools: Remedy = ({ code }) =>
  code === 'unknown_format'
    ? 'known are OpenAI, Anthropic and MCP tools, and tools by name; see the README'
    : undefined;

/** For sources of calls that are compared. */
export const forCalls: Remedy = ({ code }) =>
  code === 'unknown_format' ? `known are lists of {tool, args}, ${TRAJECTORIES}; see the README` : undefined;

/** For trajectories that should carry the calls that were expected. */
export const forCarriedCalls: Remedy = error => {
  if (error.code === 'unknown_format') return `${forTrajectories(error)}; a list of calls needs --expected <file>`;
  // With a path, it is a place in a trajectory that is wrong, and not that no trajectory says what was expected.
  if (error.code !== 'invalid_input' || error.path !== undefined) return undefined;
  return 'give the expected calls with --expected <file>';
};
