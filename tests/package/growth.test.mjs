// The cost of judging grows with the conversation, and not with its square.
import { suite, test } from 'node:test';
import { fromConsumer } from './support/consumer.mjs';
import { assertGrowsLinearly } from './support/cost.mjs';

const { scoreToolCalls, summarizeResultVerification, validateTrajectory } = await fromConsumer('toolgauge');

/** How much longer the long conversations are. */
const SCALE = 10;

const SHORT = 1_000;

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

suite('ten times the turns cost about ten times as much', () => {
  for (const asked of [true, false]) {
    for (const invented of [true, false]) {
      const [short, long] = [SHORT, SHORT * SCALE].map(count => conversation(count, { asked, invented }));
      const what = `${asked ? 'many questions' : 'one question'}, ${invented ? 'invented' : 'true'} replies`;
      for (const [name, judge] of Object.entries({ validateTrajectory, summarizeResultVerification })) {
        test(`${name}: ${what}`, () => {
          assertGrowsLinearly({ small: () => judge(short), large: () => judge(long), scale: SCALE });
        });
      }
    }
  }

  test('scoreToolCalls, where calls are identical', () => {
    const lists = count => {
      const calls = Array.from({ length: count }, (_, n) => ({ tool: `f${n % 7}`, args: { n } }));
      return { expected: calls, actual: calls.toReversed() };
    };
    const [short, long] = [SHORT, SHORT * SCALE].map(lists);
    assertGrowsLinearly({ small: () => scoreToolCalls(short), large: () => scoreToolCalls(long), scale: SCALE });
  });
});

/** How often each part is repeated in the shorter text. */
const PARTS = 1_500;

/** Parts of texts without white space, as CSV, embeddings and lists of addresses have them. */
const GLUED = {
  numbers: at => `${((at * 7919) % 100_003) / 100_003},`,
  emails: at => `user${at}@example.com,`,
  'at signs': () => 'a@',
  addresses: at => `https://example.com/${at},`,
  ids: at => `R-${at}_`,
};

suite('ten times the text without white space costs about ten times as much', () => {
  for (const [name, part] of Object.entries(GLUED)) {
    for (const place of ['reply', 'result']) {
      test(`${name} in a ${place}`, () => {
        const [short, long] = [PARTS, PARTS * SCALE].map(count => {
          const text = Array.from({ length: count }, (_, at) => part(at)).join('');
          const [content, result] = place === 'reply' ? [text, 'x'] : ['ok', text];
          const asked = { turn_id: 1, role: 'user', content: 'hi' };
          const made = { turn_id: 2, role: 'agent', content, tool_calls: [{ name: 'f', arguments: {}, result }] };
          return encoder.encode(JSON.stringify({ turns: [asked, made] }));
        });
        const judge = validateTrajectory;
        assertGrowsLinearly({ small: () => judge(short), large: () => judge(long), scale: SCALE });
      });
    }
  }
});
