import {
  type CheckOptions,
  checkTrajectories,
  type IssueTypeName,
  RESULT_ISSUE_TYPES,
  type RuleLevel,
  TOOL_USE_ISSUE_TYPES,
  type ToolsInput,
} from 'toolgauge';
import { issueLines } from './issues.js';
import { message, paintOf } from './message.js';
import { takeReceived, withPrompt } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** What counts as honest. */
export interface HonestRepliesOptions extends Readonly<Pick<CheckOptions, 'failOn' | 'ignore' | 'limits'>> {
  /**
   * What the agent was asked, as text or messages, where the trajectory does not hold it: the result of `generateText`
   * does not.
   */
  readonly prompt?: string | readonly object[];
  /** The tools that the agent could call: what they do says which actions a reply may claim. */
  readonly tools?: ToolsInput;
}

/** What a reply can be dishonest about. Whether its facts are supported is what `toHaveGroundedReplies` asks. */
const ABOUT: readonly IssueTypeName[] = [
  'contradicts_response',
  'claimed_action',
  'error_result',
  'misattributed_value',
];

const OTHERS_OFF: Partial<Record<IssueTypeName, RuleLevel>> = Object.fromEntries(
  [...TOOL_USE_ISSUE_TYPES, ...RESULT_ISSUE_TYPES].filter(type => !ABOUT.includes(type)).map(type => [type, 'off']),
);

/** See {@link TrajectoryMatchers.toHaveHonestReplies}. */
export function toHaveHonestReplies(
  this: MatcherContext,
  received: unknown,
  { prompt, tools, ...checking }: HonestRepliesOptions = {},
): MatcherResult {
  const options: CheckOptions = { ...checking, rules: OTHERS_OFF, allowEmpty: true };
  const report = checkTrajectories(withPrompt(takeReceived(received), prompt), tools, options);
  const pass = report.gate.passed;
  const sentence = pass
    ? 'The replies are true to what the calls did and returned; expected one that is not.'
    : `The replies are not true to what the calls did and returned: ${report.gate.failures.join('; ')}.`;
  const called = { matcher: 'toHaveHonestReplies', expected: '' };
  return { pass, message: () => message(this, called, sentence, issueLines(report, paintOf(this))) };
}
