import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fromConsumer } from './support/consumer.mjs';

const { checkTrajectories, scoreToolCalls } = await fromConsumer('toolgauge');
const { createDispatcher } = await fromConsumer('toolgauge/dispatch');
const { guardTools } = await fromConsumer('toolgauge/ai-sdk');

const LONG = '😀'.repeat(5000);
const CALLS = { expected: [{ tool: 'f', args: { a: 1 } }], actual: [{ tool: 'f', args: { a: 2 } }] };

/** What is wrong in each of them goes on for 5000 characters. */
const WRONG = {
  'the name of an option': () => checkTrajectories({ turns: [] }, undefined, { [LONG]: () => {} }),
  'the name of a comparator': () => scoreToolCalls({ ...CALLS, comparators: { [LONG]: 1 } }),
  'the name of a comparator that fails': () =>
    scoreToolCalls({ ...CALLS, matchers: { f: { a: { compare: LONG } } }, comparators: { [LONG]: () => 'no' } }),
  'a place in an input': () => checkTrajectories({ turns: [], [LONG]: 1n }),
  'a choice of the dispatcher': () => createDispatcher({ tools: {}, invalidCalls: LONG }),
  'a number of the dispatcher': () => createDispatcher({ tools: {}, concurrency: LONG }),
  'a choice of the guard': () => guardTools({}, { onInvalid: LONG }),
};

suite('a message quotes no more than 200 characters of', () => {
  for (const [what, use] of Object.entries(WRONG)) {
    test(what, () => {
      assert.throws(use, error => {
        const quoted = /(?:😀)+/u.exec(error.message)?.[0] ?? '';
        assert.ok([...quoted].length <= 200, `${[...quoted].length} in ${error.message.slice(0, 80)}`);
        assert.ok(quoted.length > 0, error.message.slice(0, 200));
        assert.ok(error.message.isWellFormed());
        return true;
      });
    });
  }
});
