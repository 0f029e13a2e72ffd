// The cost of judging grows with the conversation, and not with its square.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fromConsumer } from './support/consumer.mjs';

const { scoreToolCalls, summarizeResultVerification, validateTrajectory } = await fromConsumer('toolgauge');

/** Ten times the turns cost about ten times as much; the square would be a hundred times. */
const MOST = 20;

/** Other work may slow one of two measurements: the best of several rounds is told. */
const ROUNDS = 5;

const encoder = new TextEncoder();

/** A conversation of `count` turns in which ids, amounts and codes keep their length. */
function conversation(count, { asked, invented }) {
  const turns = Array.from({ length: count }, (_, at) => {
    const number = 100_000 + at;
    if (at === 0 || (asked && at % 4 === 0)) return { turn_id: at, role: 'user', content: `Where is R-${number}?` };
    if (at % 4 === 1) {
      const result = { id: `R-${number}`, total: number / 4, when: '2024-05-16', items: [{ sku: `LAMP${number}` }] };
      const tool_calls = [{ id: `c${at}`, name: 'get', arguments: { id: `R-${number}` }, result }];
      return { turn_id: at, role: 'agent', content: '', tool_calls };
    }
    const code = invented ? `code ZZ${number}Q` : 'no code';
    return { turn_id: at, role: 'agent', content: `R-${number - 1} costs $${(number - 1) / 4} on May 16, ${code}.` };
  });
  return encoder.encode(JSON.stringify({ turns }));
}

function timeOf(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** How many times as long `long` takes as `short`, each at its best. */
function growth(short, long) {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    least = Math.min(least, timeOf(short));
    most = Math.min(most, timeOf(long));
  }
  return most / least;
}

suite('ten times the turns cost about ten times as much', () => {
  for (const asked of [true, false]) {
    for (const invented of [true, false]) {
      const [short, long] = [1_000, 10_000].map(count => conversation(count, { asked, invented }));
      const what = `${asked ? 'many questions' : 'one question'}, ${invented ? 'invented' : 'true'} replies`;
      for (const [name, judge] of Object.entries({ validateTrajectory, summarizeResultVerification })) {
        test(`${name}: ${what}`, () => {
          const factor = growth(
            () => judge(short),
            () => judge(long),
          );
          assert.ok(factor < MOST, `took ${factor.toFixed(1)} times as long`);
        });
      }
    }
  }

  test('scoreToolCalls, where calls are identical', () => {
    const lists = count => {
      const calls = Array.from({ length: count }, (_, n) => ({ tool: `f${n % 7}`, args: { n } }));
      return { expected: calls, actual: calls.toReversed() };
    };
    const [short, long] = [lists(1_000), lists(10_000)];
    const factor = growth(
      () => scoreToolCalls(short),
      () => scoreToolCalls(long),
    );
    assert.ok(factor < MOST, `took ${factor.toFixed(1)} times as long`);
  });
});
