// The checks as functions, for node:test.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { fromConsumer } from './support/consumer.mjs';

const toolgauge = await fromConsumer('toolgauge/assert');
const { assertCalledTool, assertNotCalledTool, assertCalledTools, assertToolScore } = toolgauge;
const { assertValidToolCalls, assertGroundedReplies, TrajectoryAssertionError } = toolgauge;

const example = name => readFileSync(new URL(`../../examples/${name}`, import.meta.url));
const REFUND = example('refund.json');
const TOOLS = example('shop.tools.json');

/** The message of the assertion that `body` fails with. */
function failure(body) {
  try {
    body();
  } catch (error) {
    assert.ok(error instanceof TrajectoryAssertionError, String(error));
    assert.equal(error.code, 'ERR_ASSERTION');
    return error;
  }
  return assert.fail('nothing was thrown');
}

suite('assertions', () => {
  test('what holds throws nothing', () => {
    assertCalledTool(REFUND, 'get_order', { order_id: 'A-1017' }, { times: 1 });
    assertNotCalledTool(REFUND, 'cancel_order');
    assertNotCalledTool(REFUND, 'get_order', { order_id: 'B-1' });
    assertToolScore(REFUND, 0.3, ['get_order', 'refund_order', 'search_product']);
    assertCalledTools(example('clean.json'), ['get_order'], { extra: 'allow' });
    assertValidToolCalls(example('clean.json'), TOOLS);
    assertGroundedReplies(example('clean.json'));
  });

  test('what does not hold says what is wrong', () => {
    const messages = [
      [() => assertCalledTool(REFUND, 'pay'), /^"pay" was not called\. Called instead: get_order, /],
      [
        () => assertNotCalledTool(REFUND, 'get_order'),
        /^"get_order" was called once; expected it not to be\.\n\n {2}✖ made/,
      ],
      [() => assertCalledTools(REFUND, ['get_order']), /^1 of 1 call as expected; 4 are extra\./],
      [() => assertToolScore(REFUND, 0.9, ['get_order']), /^The score is 0\.333 .*; expected at least 0\.9\./],
      [
        () => assertValidToolCalls(REFUND, TOOLS),
        /^3 issues are high or worse, in 5 tool calls\.\n\n {2}turn 3 {2}lookup_customer/,
      ],
      [() => assertGroundedReplies(REFUND), /^The replies state 1 fact that no result.*\n\n {2}turn 6 {2}95\.80 euros/],
    ];
    for (const [body, message] of messages) assert.match(failure(body).message, message);
  });

  test('calls without tool definitions are no valid calls, unless that is allowed', () => {
    const clean = example('clean.json');
    assert.match(
      failure(() => assertValidToolCalls(clean)).message,
      /^There are no tool definitions, .* pass the tools/,
    );
    assertValidToolCalls(clean, undefined, { allowNoTools: true });
    const chat = { messages: [{ role: 'user', content: 'Hi' }] };
    assertValidToolCalls(chat, undefined, { allowNoCalls: true });
  });

  test('a failure is traced to the line of the test, and bad input is no failure', () => {
    const { stack } = failure(() => assertCalledTool(REFUND, 'pay'));
    assert.match(
      stack.split('\n').find(line => line.startsWith('    at')),
      /assert\.test\.mjs/,
    );
    assert.throws(() => assertCalledTool(5, 'pay'), { name: 'ToolgaugeError', code: 'invalid_input' });
  });
});
