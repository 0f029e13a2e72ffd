import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fromConsumer } from './support/consumer.mjs';

const { checkTrajectories, reportToolLint, reportTrajectories, scoreToolCalls } = await fromConsumer('toolgauge');
const { selectFunctions, ToolCallTracker } = await fromConsumer('toolgauge/dispatch');

/** Texts that end, begin or hold half a pair, and what they are read as. */
const TEXTS = [
  ['left \ud83d', 'left \ufffd'],
  ['\ude00 right', '\ufffd right'],
  ['a\udc00b\ud800c', 'a\ufffdb\ufffdc'],
  ['\ud83d\ud83d\ude00', '\ufffd\u{1f600}'],
];

/** What an option gives when it is said with half a pair, and with what that is read as. */
const OPTIONS = {
  'forbidden of scoreToolCalls': text =>
    scoreToolCalls({ expected: [], actual: [called(text)], forbidden: [called(text)] }),
  'matchers of scoreToolCalls': text =>
    scoreToolCalls({
      expected: [called('x')],
      actual: [called(text)],
      matchers: { send: { text: { oneOf: [text] } } },
    }),
  'a place in the matchers': text =>
    scoreToolCalls({
      expected: [{ tool: text, args: { [text]: 1 } }],
      actual: [{ tool: text, args: { [text]: 2 } }],
      matchers: { [text]: { [text]: 'ignore' } },
    }),
  'comparators of scoreToolCalls': text =>
    scoreToolCalls({
      expected: [called('x')],
      actual: [called('y')],
      matchers: { send: { text: { compare: text } } },
      comparators: { [text]: () => true },
    }),
  'ignore of checkTrajectories': text =>
    checkTrajectories(calling(text), { send: TOOL }, { ignore: [{ tool: text, reason: text }] }),
  'source of reportTrajectories': text =>
    reportTrajectories(calling(text), undefined, { source: text, as: 'json' }).text,
  'source of reportToolLint': text => reportToolLint([TOOL], { source: text }).text,
  'the roles of selectFunctions': text =>
    selectFunctions({ role: { enabled_tools: text }, functions: [{ name: text, description: text }] }).map(
      ({ description }) => description,
    ),
  'a call that is tracked': text => {
    const tracker = new ToolCallTracker({ maxRepeats: 1 });
    return [1, 2].map(() => tracker.track([{ name: text, arguments: { text } }]));
  },
};

const TOOL = { name: 'send', description: 'Sends.', parameters: { type: 'object', properties: {} } };
const called = text => ({ tool: 'send', args: { text } });
const calling = name => ({
  turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name, arguments: {}, result: 1 }] }],
});

/** Half pairs that come back as they were given, to those who gave them, are the caller's own. */
const wellFormed = value => JSON.stringify(value).replace(/\\ud[89a-f][0-9a-f]{2}/g, '\ufffd');

suite('half a surrogate pair is read as U+FFFD in', () => {
  for (const [option, use] of Object.entries(OPTIONS)) {
    test(option, () => {
      for (const [text, read] of TEXTS) assert.equal(wellFormed(use(text)), wellFormed(use(read)));
    });
  }
});
