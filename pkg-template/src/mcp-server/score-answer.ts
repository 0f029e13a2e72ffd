import type { Gate, ScoredToolCall } from 'toolgauge';
import { counted, shortened } from '../texts.js';
import type { NamedResult, Scored } from './call-scores.js';
import type { ToolAnswer } from './service.js';
import { firstTexts, jsonText, scoreText, sections } from './texts.js';

/** How much of a call is shown. */
const MOST_SHOWN = 300;

/** A call that is not as expected. */
interface Difference {
  readonly status: 'forbidden' | 'incorrect' | 'missed' | 'extra';
  readonly tool: string;
  readonly details: string;
  /** The trajectory, if there are several: its id, or else its position. */
  readonly trajectory?: string;
}

type Accuracy = NamedResult['accuracy'];

/** What `score_tool_calls` answers, with at most `most` differences. */
export function scoreAnswer({ score, gate, results, warnings }: Scored, most: number, hasGate: boolean): ToolAnswer {
  const all = results.flatMap(differencesOf);
  const differences = all.slice(0, most);
  const leftOut = all.length - differences.length;
  const unmet = results.flatMap(({ accuracy }) => accuracy.failures ?? []);
  const sum = (count: (result: Accuracy) => number) => results.reduce((sum, { accuracy }) => sum + count(accuracy), 0);
  const mean = (share: (result: Accuracy) => number) => Math.round((1000 * sum(share)) / results.length) / 1000;
  const counts = {
    score,
    precision: mean(result => result.precision),
    recall: mean(result => result.recall),
    trajectories: results.length,
    expected: sum(result => result.totalExpected),
    actual: sum(result => result.totalActual),
    correct: sum(result => result.correctCalls.length),
  };
  const failures = [...gate.failures, ...firstTexts(unmet, most, unmet.length)];
  const structured = { passed: gate.passed, failures, ...counts, differences, leftOut, warnings };
  const text = sections(
    [`${verdictOf(gate, hasGate)}${countsText(counts)}`],
    differences.map(differenceText),
    leftOut > 0 ? [`${counted(leftOut, 'more difference')} not listed. Set maxIssues to see more.`] : [],
    failures.slice(gate.failures.length).map(failure => `Not met: ${failure}`),
    warnings.map(warning => `Warning: ${warning}`),
  );
  return { text, structured };
}

function countsText(
  counts: Readonly<
    Record<'score' | 'precision' | 'recall' | 'trajectories' | 'expected' | 'actual' | 'correct', number>
  >,
) {
  const { score, precision, recall, trajectories, expected, actual, correct } = counts;
  const scores = `Score ${scoreText(score)} (precision ${scoreText(precision)}, recall ${scoreText(recall)})`;
  const mean = trajectories === 1 ? '' : `, the means of ${trajectories} trajectories`;
  return `${scores}${mean}; ${correct} correct of ${counted(expected, 'expected call')}, ${actual} actual.`;
}

function differenceText({ status, tool, details, trajectory }: Difference): string {
  return `- ${status} ${tool}${trajectory === undefined ? '' : ` in ${JSON.stringify(trajectory)}`}: ${details}`;
}

/** Without a lowest score there is no gate, unless a forbidden call fails it. */
function verdictOf({ passed, failures }: Gate, hasGate: boolean): string {
  if (!passed) return `FAILED: ${failures.join('; ')}. `;
  return hasGate ? 'PASSED. ' : '';
}

/** What is not as expected, the worst first. */
function differencesOf({ accuracy, trajectory }: NamedResult): Difference[] {
  const { forbiddenCalls = [], incorrectCalls, missedCalls, extraCalls } = accuracy;
  const differences = [
    ...forbiddenCalls.map(({ actual }) => difference('forbidden', actual)),
    ...incorrectCalls.map(({ actual, details }) => difference('incorrect', actual, details)),
    ...missedCalls.map(({ expected }) => difference('missed', expected)),
    ...extraCalls.map(call => difference('extra', call)),
  ];
  return trajectory === undefined ? differences : differences.map(found => ({ ...found, trajectory }));
}

function difference(status: Difference['status'], { tool, args }: ScoredToolCall, details?: string): Difference {
  const shown = details === undefined ? jsonText(args, MOST_SHOWN) : shortened(details, 2 * MOST_SHOWN);
  return { status, tool: shortened(tool, 200), details: shown };
}
