// Random expectations and calls: the score against what trying every pairing gives.
import { anyExpectations, anyMade, isSound } from '../support/expectations.mjs';
import { expectThat } from '../support/finding.mjs';
import { allowedExtra, counted, isForbidden, names, UNCLEAR, withoutNulls } from '../support/meaning.mjs';
import {
  allInAnyOrder,
  allInSequence,
  allInStrictOrder,
  mostInAnyOrder,
  mostInSequence,
  slotsOf,
} from '../support/pairing.mjs';
import { keysOf, valueAt } from '../support/paths.mjs';
import { Random } from '../support/random.mjs';

/** More slots than this can't be tried one by one. */
const MOST_SLOTS = 14;

export default { generate, run };

function generate(random) {
  const expected = anyExpectations(random);
  return {
    expected,
    actual: anyMade(random, expected),
    forms: random.chance(0.05),
    shuffle: random.below(1000),
    others: anyOthers(random),
  };
}

/** How many calls of another tool are made besides: few, or a long session of them. */
function anyOthers(random) {
  return random.chance(0.004) ? random.between(300, 1200) : random.below(4);
}

function run(input, session) {
  const { expected, actual, forms } = input;
  if (!isSound(expected)) return;
  const document = { expected, actual };
  const outcome = forms
    ? session.callInAllForms('scoreToolCalls', document)
    : session.call('scoreToolCalls', JSON.stringify(document));
  if (outcome.error !== undefined) return;
  checkCounts(expected, outcome.result);
  const read = input.expected.nullIsAbsent ? { ...input, ...withoutNulls({ expected, actual }) } : input;
  if (isClear(read)) checkMeaning(read, outcome.result);
  checkReadBack(input, outcome.result, session);
  checkDifferences(input, outcome.result);
  checkOthers(input, outcome.result, session);
  if ((expected.order ?? 'any') === 'any') checkShuffled(input, outcome.result, session);
}

/** Every expected call and every call that was made is accounted for once, and the scores follow from the counts. */
function checkCounts(expected, result) {
  const {
    correctCalls,
    incorrectCalls,
    missedCalls,
    extraCalls,
    forbiddenCalls = [],
    totalExpected,
    totalActual,
  } = result;
  const paired = correctCalls.length + incorrectCalls.length;
  const says = () => result.summary;
  expectThat(paired + missedCalls.length === totalExpected, 'expected_not_accounted_for', says);
  expectThat(paired + extraCalls.length === totalActual, 'actual_not_accounted_for', says);
  const counting = totalActual - Math.min(extraCalls.length, allowedExtra(expected));
  const precision = counting === 0 ? 1 : correctCalls.length / counting;
  const recall = totalExpected === 0 ? 1 : correctCalls.length / totalExpected;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const score = forbiddenCalls.length > 0 ? 0 : f1;
  const scores = { precision, recall, f1, score };
  for (const [name, value] of Object.entries(scores)) {
    expectThat(Math.abs(result[name] - value) < 0.00051, 'score_wrong', () => `${name} ${result[name]}: ${says()}`);
  }
}

/** Whether what is meant is clear. What matchers make of null where null is left out is not. */
function isClear({ expected, actual }) {
  const { calls, forbidden = [], matchers, nullIsAbsent = false } = expected;
  if (nullIsAbsent && JSON.stringify({ calls, forbidden, matchers }).includes('"matchers"')) return false;
  try {
    slotsOf(calls, actual, matchers);
    for (const made of actual) isForbidden({ ...expected, only: undefined }, made);
    return true;
  } catch (error) {
    if (error === UNCLEAR) return false;
    throw error;
  }
}

/** Whether all is as expected, by the order of the calls. */
const PERFECT = { any: allInAnyOrder, sequence: allInSequence, strict: allInStrictOrder };

function checkMeaning({ expected, actual: all }, result) {
  const { calls, order = 'any', matchers } = expected;
  const actual = counted(expected, all);
  const allowed = actual.filter(made => !isForbidden(expected, made));
  const forbiddenCount = result.forbiddenCalls?.length ?? 0;
  const says = () => result.summary;
  expectThat(forbiddenCount === actual.length - allowed.length, 'forbidden_wrong', says);
  if (forbiddenCount > 0) return;
  const slots = slotsOf(calls, actual, matchers);
  if (slots.length > MOST_SLOTS) return;
  const spare = allowedExtra(expected);
  // In a strict order it is open whether a call may be left over in the place of one that is optional.
  if (order !== 'strict' || spare === 0 || slots.every(({ required }) => required)) {
    const perfect = PERFECT[order](slots, actual.length, spare);
    expectThat((result.score === 1) === perfect, perfect ? 'right_calls_rejected' : 'wrong_calls_accepted', says);
  }
  const most = (order === 'any' ? mostInAnyOrder : mostInSequence)(slots, actual.length);
  const correct = result.correctCalls.length;
  expectThat(correct <= most, 'too_many_correct', () => `${correct} correct, at most ${most} can be: ${says()}`);
  const isExact = order === 'any' || (order === 'sequence' && slots.every(({ required }) => required));
  expectThat(!isExact || correct === most, 'too_few_correct', () => `${correct} correct, ${most} can be: ${says()}`);
}

/** What is imported from expectations means the same. */
function checkReadBack({ expected, actual }, { summary }, session) {
  const imported = session.call('importExpectations', JSON.stringify(expected));
  expectThat(imported.error === undefined, 'not_imported', () => imported.error.message);
  const document = { expected: imported.result.value, actual };
  const again = session.call('scoreToolCalls', JSON.stringify(document));
  expectThat(
    again.result?.summary === summary,
    'imported_otherwise',
    () => `${summary}, then ${again.result?.summary}`,
  );
}

/** Where the order does not count, that of the lists does not, either. */
function checkShuffled({ expected, actual, shuffle }, { summary }, session) {
  const random = new Random(shuffle);
  const calls = random.shuffle(expected.calls);
  const document = { expected: { ...expected, calls }, actual: random.shuffle(actual) };
  const other = session.call('scoreToolCalls', JSON.stringify(document));
  expectThat(other.result?.summary === summary, 'order_counts', () => `${summary}, then ${other.result?.summary}`);
}

/** A difference names the place of what it quotes. Matchers may compare with what stands elsewhere. */
function checkDifferences({ expected }, { incorrectCalls }) {
  if (JSON.stringify(expected).includes('"matchers"')) return;
  for (const { expected: wanted, actual: made, differences } of incorrectCalls) {
    for (const difference of differences) {
      const says = () => JSON.stringify(difference);
      const [root, ...keys] = keysOf(difference.path) ?? [];
      expectThat(root === 'args', 'no_path', says);
      const [a, b] = [wanted.args, made.args].map(args => {
        const value = valueAt(args, keys);
        return expected.nullIsAbsent && value === null ? undefined : JSON.stringify(value);
      });
      const isRight = a === JSON.stringify(difference.expected) && b === JSON.stringify(difference.actual);
      expectThat(isRight, 'wrong_place', says);
    }
  }
}

/** Whether expectations say something about a tool. */
function speaksOf(tool, { calls, forbidden = [], only = [], ignoreTools = [] }) {
  const patterns = [...calls.flatMap(call => call.anyOf ?? [call]), ...forbidden];
  const named = [...patterns.map(pattern => pattern.tool ?? pattern), ...ignoreTools];
  return only.length > 0 || named.some(pattern => names(pattern, tool));
}

/** Calls of a tool that nobody speaks of are extra, and change nothing else, however many there are. */
function checkOthers({ expected, actual, others }, result, session) {
  if (expected.order === 'strict' || !(others > 0) || speaksOf('other', expected)) return;
  const more = Array.from({ length: others }, (_, at) => ({ tool: 'other', args: { at } }));
  const document = JSON.stringify({ expected, actual: [...actual, ...more] });
  const { result: longer } = session.call('scoreToolCalls', document);
  const countsOf = one => [one.correctCalls, one.incorrectCalls, one.missedCalls].map(list => list.length);
  const [before, after] = [result, longer].map(one => String(countsOf(one)));
  expectThat(
    before === after,
    'others_count',
    () => `with ${others} others: ${result.summary}, then ${longer.summary}`,
  );
}
