import { type AccuracyResult, type ForbiddenCall, type IncorrectCall, type ScoredToolCall, visible } from 'toolgauge';
import { type Paint, shown } from './message.js';

/** The indent of the name of a call, and of the details below it. */
const INDENT = '              ';

/** A line for every call of a result, and below it what is wrong with it, path by path. */
export function callLines(result: AccuracyResult, paint: Paint): string[] {
  const { correctCalls, incorrectCalls, missedCalls, forbiddenCalls = [] } = result;
  return [
    ...correctCalls.map(({ actual }) => callLine(paint.right, '✔ correct', actual)),
    ...incorrectCalls.flatMap(call => incorrectLines(call, paint)),
    ...missedCalls.flatMap(({ expected, details }) => [callLine(paint.wrong, '− missed', expected), below(details)]),
    ...merelyExtra(result).map(call => callLine(paint.wrong, '+ extra', call)),
    ...forbiddenCalls.flatMap(call => forbiddenLines(call, paint)),
  ];
}

/** The unexpected calls, without those that are reported as forbidden. */
export function merelyExtra({ extraCalls, forbiddenCalls = [] }: AccuracyResult): ScoredToolCall[] {
  const forbidden = forbiddenCalls.map(({ actual }) => JSON.stringify(actual));
  return extraCalls.filter(call => {
    const at = forbidden.indexOf(JSON.stringify(call));
    if (at >= 0) forbidden.splice(at, 1);
    return at < 0;
  });
}

/** A line for a call, after a mark that says what it is. */
export function callLine(tone: (text: string) => string, label: string, call: ScoredToolCall): string {
  return `  ${tone(label.padEnd(11))} ${nameAndArguments(call)}`;
}

/** What is wrong with a call. */
export function incorrectLines({ actual, differences, details }: IncorrectCall, paint: Paint): string[] {
  const lines = differences.map(({ path, rule, expected, actual }) => {
    const wanted = rule ?? (expected === undefined ? 'nothing' : shown(expected));
    const got = actual === undefined ? 'nothing' : shown(actual);
    return `${INDENT}${visible(path)}: expected ${paint.right(visible(wanted))}, got ${paint.wrong(got)}`;
  });
  return [callLine(paint.wrong, '✖ differs', actual), ...(lines.length > 0 ? lines : [below(details)])];
}

function forbiddenLines({ actual, forbidden }: ForbiddenCall, paint: Paint): string[] {
  const line = callLine(paint.wrong, '✖ forbidden', actual);
  return shown(forbidden.args) === '{}' ? [line] : [line, below(`forbidden is ${nameAndArguments(forbidden)}`)];
}

function below(text: string): string {
  return `${INDENT}${visible(text)}`;
}

function nameAndArguments({ tool, args }: ScoredToolCall): string {
  return `${visible(tool)} ${shown(args)}`;
}
