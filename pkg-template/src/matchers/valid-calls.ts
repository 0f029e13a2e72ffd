import {
  type CheckOptions,
  type CheckReport,
  checkTrajectories,
  type FailOn,
  type ToolsInput,
  visible,
} from 'toolgauge';
import { counted, message, type Paint, paintOf } from './message.js';
import { takeReceived } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** What makes a call invalid. */
export interface ValidToolCallsOptions extends Omit<CheckOptions, 'minScore' | 'format' | 'allowEmpty'> {
  /** The least severity of an issue that fails. Default `high`. */
  readonly failOn?: FailOn;
  /** Whether replies and arguments are searched for what nothing said before. Default false: see `toHaveGroundedReplies`. */
  readonly detectHallucination?: boolean;
  /** Whether a trajectory without any tool call passes. Default false. */
  readonly allowNoCalls?: boolean;
  /**
   * Whether calls pass that no tool definition can be held against, because none were passed and the trajectory contains
   * none. Default false.
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
  const report = checkTrajectories(takeReceived(received), tools, {
    detectHallucination: false,
    ...checking,
    // That calls are missing is reported apart from what is wrong with calls.
    allowEmpty: true,
  });
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
  return { pass, message: () => message(this, called, sentence, issueLines(report, paintOf(this))) };
}

/** All issues, below the turn and the tool that they are of. */
function issueLines({ trajectories }: CheckReport, paint: Paint): string[] {
  return trajectories.flatMap(({ index, id, results, resultIssues }) => {
    const issues = [...results.flatMap(({ issues }) => issues), ...resultIssues];
    if (issues.length === 0) return [];
    const lines = issues.map(({ turnId, toolName, severity, type, description, details }) => {
      const label = severity === 'high' || severity === 'critical' ? paint.wrong(severity) : severity;
      const isReply = details !== undefined && 'quote' in details;
      const subject = toolName ?? (isReply ? 'reply' : '(no name)');
      return `  turn ${turnId}  ${visible(subject)}  ${label} ${type}: ${visible(description)}`;
    });
    return trajectories.length === 1 ? lines : [visible(id ?? `#${index}`), ...lines];
  });
}
