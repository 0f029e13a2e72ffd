import { type CheckOptions, checkTrajectories, type FailOn, type ToolsInput } from 'toolgauge';
import { counted } from '../texts.js';
import { issueLines } from './issues.js';
import { message, paintOf } from './message.js';
import { takeReceived } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** What makes a call invalid. */
export interface ValidToolCallsOptions extends Omit<CheckOptions, 'minScore' | 'format' | 'allowEmpty'> {
  /** The least severity of an issue that fails. Default `high`. */
  readonly failOn?: FailOn;
  /** Whether facts without a source are issues, in replies and arguments. Default false: see `toHaveGroundedReplies`. */
  readonly detectHallucination?: boolean;
  /** Whether a trajectory without any tool call passes. Default false. */
  readonly allowNoCalls?: boolean;
  /**
   * Whether calls pass if there are no tool definitions: none were passed, and the trajectory contains none. Default
   * false.
   */
  readonly allowNoTools?: boolean;
}

const NO_TOOLS =
  'There are no tool definitions, so arguments could not be validated: pass the tools, or { allowNoTools: true }.';

/** See {@link TrajectoryMatchers.toHaveValidToolCalls}. */
export function toHaveValidToolCalls(
  this: MatcherContext,
  received: unknown,
  tools?: ToolsInput,
  options: ValidToolCallsOptions = {},
): MatcherResult {
  const { allowNoCalls = false, allowNoTools = false, ...checking } = options;
  const check = (others: CheckOptions) =>
    checkTrajectories(takeReceived(received), tools, {
      detectHallucination: false,
      ...others,
      // Without calls, the message below says so, not the gate.
      allowEmpty: true,
    });
  const report = check(checking);
  const { calls, issues } = report.summary;
  const hasCalls = calls > 0 || allowNoCalls;
  const hasTools = allowNoTools || report.trajectories.every(one => one.hasTools || one.calls === 0);
  const pass = report.gate.passed && hasCalls && hasTools;
  const failure = (): string => {
    if (!hasCalls) return `No tools were called, so there is nothing to validate (read as ${report.format}).`;
    if (!report.gate.passed) return `${report.gate.failures.join('; ')}, in ${counted(calls, 'tool call')}.`;
    return NO_TOOLS;
  };
  const sentence = pass
    ? `${counted(calls, 'tool call')} with ${counted(issues, 'issue')}, none of them ${checking.failOn ?? 'high'} or worse; expected some.`
    : failure();
  const called = { matcher: 'toHaveValidToolCalls', expected: tools === undefined ? '' : 'tools' };
  const hint = (): string | undefined => {
    if (report.gate.passed || !check({ ...checking, allowUnknownTools: true }).gate.passed) return undefined;
    return 'pass the definitions of all tools, or { allowUnknownTools: true }.';
  };
  return { pass, message: () => message(this, called, sentence, issueLines(report, paintOf(this)), hint()) };
}
