import assert from 'node:assert/strict';
import { fromConsumer } from './consumer.mjs';

const { ToolgaugeError } = await fromConsumer('toolgauge');

/** The answer of a judge who finds nothing wrong. */
export const FINE = {
  evidence: 'the user said so',
  explanation: 'It fits.',
  output: 5,
  confidence: 0.9,
  correction: null,
};

/** The answer of a judge who is sure that the call is wrong. */
export const WRONG = { ...FINE, evidence: 'nobody said so', explanation: 'It does not fit.', output: 1 };

/**
 * A judge who gives to each question, by its name, the answers in the list of that name in turn, the last one for good;
 * to all other questions those in `fallback`. An Error is thrown, and a function is called with the request.
 */
export function judgeOf(answers, fallback = [FINE]) {
  const given = new Map();
  const judge = async (request, { signal }) => {
    judge.asked.push(request);
    judge.signals.push(signal);
    const turn = given.get(request.name) ?? 0;
    given.set(request.name, turn + 1);
    const list = Object.hasOwn(answers, request.name) ? answers[request.name] : fallback;
    const answer = list[Math.min(turn, list.length - 1)];
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request) : answer;
  };
  Object.defineProperty(judge, 'name', { value: 'scripted' });
  return Object.assign(judge, { asked: [], signals: [] });
}

/** A judge who gives these answers to every question, in turn per question. */
export const always = (...answers) => judgeOf({}, answers);

/** A judge who takes a moment. `most` counts how many questions it had in hand at the same time. */
export const slowJudge = (answer = FINE) => counting(always, answer);

/** The judge that `make` makes of a slow answer. `most` counts how many questions it had in hand at the same time. */
export function counting(make, answer) {
  let open = 0;
  const judge = make(async () => {
    open += 1;
    judge.most = Math.max(judge.most, open);
    await new Promise(resolve => setTimeout(resolve, 5));
    open -= 1;
    return answer;
  });
  return Object.assign(judge, { most: 0 });
}

/** What never comes. */
export const never = () => new Promise(() => {});

/** The error with which `promise` rejects. */
export async function rejection(promise, code) {
  const error = await promise.then(
    result => assert.fail(`expected a rejection, got ${JSON.stringify(result)}`),
    thrown => thrown,
  );
  assert.ok(error instanceof ToolgaugeError, `expected a ToolgaugeError, got ${error?.stack ?? error}`);
  assert.equal(error.code, code, error.message);
  return error;
}
