// Random test cases: the score of tool correctness against what trying every pairing gives.
import { expectThat } from '../support/finding.mjs';
import { Random } from '../support/random.mjs';

const NAMES = ['find', 'book', 'cancel'];
const VALUES = [1, 2, 'a', '', null, [1], { k: 1 }, { k: 1, m: 2 }, { k: 2, m: 2 }];

/** How far sums of the same numbers in another order may be apart. */
const ROUNDING = 1e-9;

export default { generate, run };

function generate(random) {
  const expected = random.list(0, 4, () => anyTool(random));
  const repeated = random.some(expected, 0.7).map(tool => (random.chance(0.7) ? tool : anyTool(random)));
  const called = random.shuffle([...repeated, ...random.list(0, 2, () => anyTool(random))]).slice(0, 5);
  const shouldExactMatch = random.chance(0.2);
  return {
    expected,
    called,
    options: {
      evaluationParams: random.some(['input_parameters', 'output'], 0.6),
      strictMode: random.chance(0.1),
      shouldExactMatch,
      shouldConsiderOrdering: !shouldExactMatch && random.chance(0.4),
    },
    shuffle: random.below(1000),
  };
}

function anyTool(random) {
  const inputParameters = Object.fromEntries(random.some(['x', 'y', 'z']).map(key => [key, random.pick(VALUES)]));
  return { name: random.pick(NAMES), inputParameters, output: random.pick(VALUES) };
}

function run(input, session) {
  if (!isSound(input)) return;
  const { expected, called, options } = input;
  const { result, error } = measure(expected, called, options, session);
  expectThat(error === undefined, 'test_case_rejected', () => error.message);
  const says = () => JSON.stringify(result);
  const best = bestScore(input);
  const score = options.strictMode && best < 0.9995 ? 0 : best;
  expectThat(Math.abs(result.score - score) < 0.001, 'score_wrong', () => `${score} is right: ${says()}`);
  checkPlaces(input, result, says);
  if (options.shouldExactMatch || options.shouldConsiderOrdering) return;
  const random = new Random(input.shuffle);
  const other = measure(random.shuffle(expected), random.shuffle(called), options, session);
  const differs = Math.abs(other.result.score - result.score) > ROUNDING;
  expectThat(!differs, 'order_counts', () => `${says()}, then ${JSON.stringify(other.result)}`);
}

function isSound({ expected, called, options }) {
  const isTool = tool => NAMES.includes(tool.name) && isRecord(tool.inputParameters) && 'output' in tool;
  return [...expected, ...called].every(isTool) && Array.isArray(options?.evaluationParams);
}

function measure(expectedTools, toolsCalled, options, session) {
  return session.call('measureCorrectness', JSON.stringify({ input: 'x', toolsCalled, expectedTools }), options);
}

/** Every expected call is matched or missing, and every call that was made is matched or extra. */
function checkPlaces({ expected, called }, { matched, missing, extra }, says) {
  const places = list => JSON.stringify(list.toSorted((a, b) => a - b));
  const all = list => places([...list.keys()]);
  const wanted = [...matched.map(pair => pair.expected), ...missing];
  const made = [...matched.map(pair => pair.called), ...extra];
  expectThat(places(wanted) === all(expected) && places(made) === all(called), 'not_accounted_for', says);
}

function bestScore({ expected, called, options }) {
  if (expected.length === 0) return called.length === 0 ? 1 : 0;
  const agrees = (at, place) => agreement(expected[at], called[place], options.evaluationParams);
  if (options.shouldExactMatch) return areSame(expected, called, agrees) ? 1 : 0;
  const most = options.shouldConsiderOrdering ? mostInOrder : mostInAnyOrder;
  return most(expected.length, called.length, agrees) / expected.length;
}

function areSame(expected, called, agrees) {
  return expected.length === called.length && expected.every((_, at) => agrees(at, at) === 1);
}

function mostInAnyOrder(count, calls, agrees) {
  const best = (at, free) => {
    if (at === count) return 0;
    const pairs = free.map(
      place =>
        agrees(at, place) +
        best(
          at + 1,
          free.filter(other => other !== place),
        ),
    );
    return Math.max(best(at + 1, free), ...pairs);
  };
  return best(0, [...Array(calls).keys()]);
}

function mostInOrder(count, calls, agrees) {
  const best = (at, place) => {
    if (at === count || place === calls) return 0;
    const paired = agrees(at, place) + best(at + 1, place + 1);
    return Math.max(paired, best(at + 1, place), best(at, place + 1));
  };
  return best(0, 0);
}

function agreement(expected, called, params) {
  if (expected.name !== called.name) return 0;
  if (params.includes('output') && !equal(expected.output, called.output)) return 0;
  return params.includes('input_parameters') ? share(expected.inputParameters, called.inputParameters) : 1;
}

/** The share of the union of the keys that agrees, in nested objects too. */
function share(a, b) {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  if (keys.length === 0) return 1;
  const each = keys.map(key => (key in a && key in b ? shareOfValue(a[key], b[key]) : 0));
  return each.reduce((sum, one) => sum + one, 0) / keys.length;
}

function shareOfValue(a, b) {
  if (isRecord(a) && isRecord(b)) return share(a, b);
  return equal(a, b) ? 1 : 0;
}

function equal(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
