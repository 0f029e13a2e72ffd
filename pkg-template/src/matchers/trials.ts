import { measureTrials, ToolgaugeError, type TrialOptions, visible } from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import { isError } from '../boundary/library-values.js';
import { isPromise } from '../boundary/promise.js';
import { withoutColors } from '../texts.js';
import { message, type Paint, paintOf } from './message.js';
import type { MatcherContext, MatcherResult } from './runner.js';

/** Checks one run, and throws if it does not pass, as `expect` does. */
export type Trial<Run> = (run: Run, index: number) => void;

/** Mistakes in the test itself. A trial that ends with another error fails. */
const MISTAKES = /^(?:Eval|Range|Reference|Syntax|Type|URI|Toolgauge)Error$/;

/** Longest reason that is shown for a trial that fails. */
const LONGEST = 200;

/** See {@link TrajectoryMatchers.toPassTrials}. */
export function toPassTrials<Run>(
  this: MatcherContext,
  received: unknown,
  trial: Trial<Run>,
  options: TrialOptions = {},
): MatcherResult {
  if (!Array.isArray(received)) throw wrong('the runs of a task in a list', kindOf(received));
  if (typeof trial !== 'function') throw wrong('a function that checks one run', kindOf(trial));
  const reasons = received.map((run: Run, index) => failureOf(trial, run, index));
  const outcomes = reasons.map(reason => ({ passed: reason === undefined }));
  const { gate } = measureTrials(outcomes, options);
  const passed = outcomes.filter(outcome => outcome.passed).length;
  const sentence = gate.passed
    ? `${passed} of ${received.length} trials pass, which is enough; expected fewer.`
    : `Too few trials pass: ${gate.failures.join('; ')}.`;
  const called = { matcher: 'toPassTrials', expected: 'trial' };
  return { pass: gate.passed, message: () => message(this, called, sentence, trialLines(reasons, paintOf(this))) };
}

/** Why a run fails; undefined if it passes. */
function failureOf<Run>(trial: Trial<Run>, run: Run, index: number): string | undefined {
  let returned: unknown;
  try {
    returned = trial(run, index);
  } catch (error) {
    if (isMistake(error)) throw error;
    return reasonOf(error);
  }
  if (!isPromise(returned)) return undefined;
  // Nobody awaits it.
  Promise.resolve(returned).catch(() => {});
  throw wrong('a function that is not async', 'one that returned a promise. Await the runs, and then check them');
}

function isMistake(error: unknown): boolean {
  return (error instanceof Error || isError(error)) && MISTAKES.test(error.name);
}

/** The first sentence of a message, in one line, without how the matcher was called. */
function reasonOf(error: unknown): string {
  const text = withoutColors(String((error as { readonly message?: unknown } | null)?.message ?? error));
  const parts = text.split('\n\n').filter(part => !part.startsWith('expect('));
  const [first = text, second = ''] = parts;
  const sentence = first.endsWith(':') ? `${first} ${second}` : first;
  const line = visible(sentence.replace(/\s+/g, ' ').trim());
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}

function trialLines(reasons: readonly (string | undefined)[], paint: Paint): string[] {
  const width = String(reasons.length).length;
  return reasons.map((reason, index) => {
    const number = String(index + 1).padStart(width);
    return reason === undefined ? `  ${paint.right('✔')} ${number}` : `  ${paint.wrong('✖')} ${number}  ${reason}`;
  });
}

function wrong(expected: string, got: string): ToolgaugeError {
  return new ToolgaugeError('invalid_input', `toPassTrials: expected ${expected}, got ${got}`, { expected });
}
