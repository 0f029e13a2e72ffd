import {
  type AccuracyResult,
  type ExpectedCalls,
  type MismatchReason,
  type ScoringOptions,
  scoreToolCalls,
  ToolgaugeError,
} from 'toolgauge';
import { excerpt } from '../excerpt.js';
import { counted } from '../texts.js';
import { plainExpectations } from './asymmetric.js';
import { callLines, merelyExtra } from './calls.js';
import { scoringHint } from './hints.js';
import { message, paintOf } from './message.js';
import { takeReceived } from './received.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** See {@link TrajectoryMatchers.toHaveCalledTools}. */
export function toHaveCalledTools(
  this: MatcherContext,
  received: unknown,
  expected: ExpectedCalls,
  options: ScoringOptions = {},
): MatcherResult {
  const result = scored(this, received, expected, options);
  const { failures = [] } = result;
  const pass = isPerfect(result);
  const wrong = [...countsOf(result), ...failures].join(', ');
  const sentence = pass
    ? 'Every call was made as expected, and no other; expected something to differ.'
    : `${result.correctCalls.length} of ${counted(result.totalExpected, 'call')} as expected; ${wrong}.`;
  const called = { matcher: 'toHaveCalledTools', expected: 'expected' };
  const hint = (): string | undefined =>
    pass
      ? undefined
      : scoringHint(options, result.totalExpected, other => isPerfect(scored(this, received, expected, other)));
  return { pass, message: () => message(this, called, sentence, callLines(result, paintOf(this)), hint()) };
}

function isPerfect({ score, failures = [] }: AccuracyResult): boolean {
  return score === 1 && failures.length === 0;
}

/** See {@link TrajectoryMatchers.toHaveToolScore}. */
export function toHaveToolScore(
  this: MatcherContext,
  received: unknown,
  least: number,
  expected?: ExpectedCalls,
  options: ScoringOptions = {},
): MatcherResult {
  if (typeof least !== 'number' || !(least >= 0 && least <= 1)) {
    throw new ToolgaugeError('invalid_option', `toHaveToolScore: expected a score from 0 to 1, got ${excerpt(least)}`);
  }
  const result = scored(this, received, expected, options);
  const { score, precision, recall, failures = [] } = result;
  const isEnough = (other: AccuracyResult): boolean => other.score >= least && (other.failures ?? []).length === 0;
  const pass = isEnough(result);
  const also = failures.map(failure => ` Also: ${failure}.`).join('');
  const sentence = `The score is ${score} (precision ${precision}, recall ${recall}); expected ${pass ? 'less than' : 'at least'} ${least}.${also}`;
  const called = { matcher: 'toHaveToolScore', expected: `${least}, expected` };
  const hint = (): string | undefined =>
    pass
      ? undefined
      : scoringHint(options, result.totalExpected, other => isEnough(scored(this, received, expected, other)));
  return { pass, message: () => message(this, called, sentence, callLines(result, paintOf(this)), hint()) };
}

function scored(
  context: MatcherContext,
  received: unknown,
  expected: ExpectedCalls | undefined,
  options: ScoringOptions,
): AccuracyResult {
  const actual = takeReceived(received);
  if (expected === undefined) return scoreToolCalls({ ...options, actual });
  const plain = plainExpectations(context, expected, options);
  return scoreToolCalls({ ...plain.options, expected: plain.expected, actual });
}

/** What is wrong with the calls, in numbers. */
function countsOf(result: AccuracyResult): string[] {
  const { incorrectCalls, missedCalls, forbiddenCalls = [], precision } = result;
  const because = (...reasons: MismatchReason[]) =>
    incorrectCalls.filter(({ reason }) => reasons.includes(reason)).length;
  const counts: [number, string, string][] = [
    [because('arguments', 'outcome'), 'differs', 'differ'],
    [because('order'), 'is out of order', 'are out of order'],
    [because('turn'), 'is in another turn', 'are in another turn'],
    [missedCalls.length, 'is missed', 'are missed'],
    [precision < 1 ? merelyExtra(result).length : 0, 'is extra', 'are extra'],
    [forbiddenCalls.length, 'is forbidden', 'are forbidden'],
  ];
  return counts.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
}
