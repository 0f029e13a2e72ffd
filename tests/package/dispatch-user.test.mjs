import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { fromConsumer } from './support/consumer.mjs';

const { ToolCallFailure, userToolkit } = await fromConsumer('toolgauge/dispatch');
const { checkToolCall, lintTools } = await fromConsumer('toolgauge');

/** Calls a tool of a toolkit, as a dispatcher does. */
const call = async (toolkit, action, args = {}, context = {}) =>
  toolkit.run(
    { name: `user__${action}`, arguments: args, route: { kind: 'user', action } },
    { signal: new AbortController().signal, depth: 0, ...context },
  );

const fails = (toolkit, action, args, message) =>
  assert.rejects(call(toolkit, action, args), { name: 'ToolCallFailure', message });

/** A user who answers always the same, and remembers what was asked. */
function userWho(answer) {
  const asked = [];
  const channel = {
    ask: (question, context) => {
      asked.push({ question, context });
      return answer;
    },
  };
  return { asked, tools: userToolkit(channel) };
}

const QUESTION = { question: 'Which size?' };
const CHOICE = { ...QUESTION, options: ['small', 'large'] };

suite('userToolkit', () => {
  test('declares its four tools', () => {
    const { definitions } = userToolkit(undefined);
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['user__ask', 'user__confirm', 'user__input', 'user__checkbox'],
    );
    assert.deepEqual(lintTools(definitions).issues, []);
    const isValid = (name, args) =>
      checkToolCall({ tools: definitions, toolCall: { name, arguments: args } }).overall_valid;
    assert.equal(isValid('user__ask', CHOICE), true);
    assert.equal(isValid('user__ask', { ...CHOICE, options: ['small'] }), false);
    assert.equal(isValid('user__checkbox', { ...CHOICE, options: ['small'] }), true);
    assert.equal(isValid('user__confirm', CHOICE), false);
  });

  test('puts each kind of question to the user and returns the answer', async () => {
    for (const [kind, args, answer] of [
      ['ask', CHOICE, 'large'],
      ['ask', CHOICE, 'neither, medium'],
      ['confirm', QUESTION, true],
      ['confirm', QUESTION, false],
      ['input', QUESTION, ''],
      ['checkbox', CHOICE, ['large', 'small']],
      ['checkbox', CHOICE, []],
    ]) {
      for (const given of [answer, Promise.resolve(answer)]) {
        const user = userWho(given);
        assert.deepEqual(await call(user.tools, kind, args), { answer });
        assert.deepEqual(
          user.asked.map(({ question }) => question),
          [{ kind, question: 'Which size?', options: args.options ?? [] }],
        );
      }
    }
  });

  test('names the agent that asks, if one does', async () => {
    const user = userWho(true);
    await call(user.tools, 'confirm', QUESTION, { depth: 1, agent: { id: 'cook-1', name: 'cook' } });
    await call(user.tools, 'confirm', QUESTION);
    assert.deepEqual(user.asked[0].context.agent, { id: 'cook-1', name: 'cook' });
    assert.equal('agent' in user.asked[1].context, false);
  });

  test('refuses answers of another type', async () => {
    for (const [kind, args, answer, message] of [
      ['ask', CHOICE, undefined, /expected a text, got undefined/],
      ['ask', CHOICE, ['large'], /expected a text, got another list/],
      ['input', QUESTION, 7, /expected a text, got number/],
      ['confirm', QUESTION, 'yes', /expected true or false, got string/],
      ['checkbox', CHOICE, 'large', /expected a list of the chosen options, got string/],
      ['checkbox', CHOICE, ['medium'], /expected a list of the chosen options, got another list/],
      ['checkbox', CHOICE, null, /expected a list of the chosen options, got null/],
    ]) {
      await fails(userWho(answer).tools, kind, args, message);
    }
  });

  test('does not ask what is no question', async () => {
    const user = userWho('large');
    for (const [kind, args, message] of [
      ['input', {}, 'question: expected a text, got nothing.'],
      ['input', { question: '' }, 'question: the text is empty.'],
      ['input', { question: 'x'.repeat(10_001) }, /at most 10000/],
      ['ask', QUESTION, 'options: expected a list of texts, got nothing.'],
      ['ask', { ...CHOICE, options: ['small'] }, 'options: expected 2 to 100 texts, got 1.'],
      ['ask', { ...CHOICE, options: ['small', null] }, 'options[1]: expected a text, got null.'],
      ['ask', { ...CHOICE, options: new Array(2) }, 'options[0]: expected a text, got nothing.'],
      ['ask', { ...CHOICE, options: ['small', 'small'] }, /two of the texts are equal/],
      ['checkbox', { ...CHOICE, options: [] }, 'options: expected 1 to 100 texts, got 0.'],
      ['checkbox', { ...CHOICE, options: Array(101).fill('x') }, 'options: expected 1 to 100 texts, got 101.'],
      ['checkbox', { ...CHOICE, options: 'small' }, 'options: expected a list of texts, got string.'],
      ['confirm', null, 'question: expected a text, got nothing.'],
      ['__proto__', CHOICE, /^There is no tool "user____proto__"/],
    ]) {
      await fails(user.tools, kind, args, message);
    }
    assert.deepEqual(user.asked, []);
  });

  test('fails with advice for the model when nobody can be asked', async () => {
    await fails(userToolkit(undefined), 'confirm', QUESTION, /^Nobody can be asked here\. Decide by yourself/);
  });

  test("passes on the error of a user who can't answer", async () => {
    const failure = new ToolCallFailure('The user has closed the page.');
    for (const ask of [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ]) {
      await assert.rejects(call(userToolkit({ ask }), 'confirm', QUESTION), failure);
    }
  });

  test('ends when its signal is aborted, and aborts that of the question', async () => {
    const controller = new AbortController();
    let signal;
    const channel = {
      ask: (_, context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
    };
    const answer = call(userToolkit(channel), 'confirm', QUESTION, { signal: controller.signal });
    const reason = new Error('the page was closed');
    controller.abort(reason);
    await assert.rejects(answer, reason);
    assert.equal(signal.aborted, true);
  });

  test('does not ask when its signal is aborted already', async () => {
    const user = userWho(true);
    const reason = new Error('too late');
    await assert.rejects(call(user.tools, 'confirm', QUESTION, { signal: AbortSignal.abort(reason) }), reason);
    assert.deepEqual(user.asked, []);
  });
});
