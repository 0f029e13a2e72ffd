import type { Remedy } from './failure.js';

/** For sources of trajectories. */
export const forTrajectories: Remedy = ({ code }) =>
  code === 'unknown_format' ? 'the README lists the known formats' : undefined;

/** For sources of tool definitions. */
export const forTools: Remedy = ({ code }) =>
  code === 'unknown_format' ? 'the README lists the known formats of tools' : undefined;

/** For sources of calls that are compared. */
export const forCalls: Remedy = ({ code }) =>
  code === 'unknown_format'
    ? 'known are lists of {tool, args} and trajectories, whose formats the README lists'
    : undefined;

/** For trajectories that should carry the calls that were expected. */
export const forCarriedCalls: Remedy = error => {
  if (error.code === 'unknown_format') return `${forTrajectories(error)}; a list of calls needs --expected <file>`;
  // With a path, it is a place in a trajectory that is wrong, and not that no trajectory says what was expected.
  if (error.code !== 'invalid_input' || error.path !== undefined) return undefined;
  return 'give the expected calls with --expected <file>';
};
