import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';

const { TodoList } = await fromConsumer('toolgauge/dispatch');
const { checkToolCall, lintTools } = await fromConsumer('toolgauge');

/** Calls a tool of a list, as a dispatcher does. */
const call = (list, action, args = {}) =>
  list.run(
    { name: `todo__${action}`, arguments: args, route: { kind: 'todo', action } },
    { signal: new AbortController().signal, depth: 0 },
  );

const fails = (list, action, args, message) =>
  assert.throws(() => call(list, action, args), { name: 'ToolCallFailure', message });

function listOf(...tasks) {
  const list = new TodoList();
  call(list, 'init', { goal: 'Bake bread' });
  for (const task of tasks) call(list, 'add', { task });
  return list;
}

suite('TodoList', () => {
  test('declares its five tools', () => {
    const { definitions } = new TodoList();
    assert.deepEqual(
      definitions.map(({ name }) => name),
      ['todo__init', 'todo__add', 'todo__done', 'todo__list', 'todo__clear'],
    );
    assert.deepEqual(lintTools(definitions).issues, []);
    const isValid = toolCall => checkToolCall({ tools: definitions, toolCall }).overall_valid;
    assert.equal(isValid({ name: 'todo__done', arguments: { id: 1 } }), true);
    assert.equal(isValid({ name: 'todo__done', arguments: { id: 'first' } }), false);
    assert.equal(isValid({ name: 'todo__add', arguments: {} }), false);
  });

  test('is worked through from the goal to the last item', () => {
    const list = new TodoList();
    assert.deepEqual(call(list, 'init', { goal: 'Bake bread' }), { goal: 'Bake bread', items: [], remaining: 0 });
    assert.deepEqual(call(list, 'add', { task: 'Knead' }), {
      added: 1,
      goal: 'Bake bread',
      items: [{ id: 1, task: 'Knead', done: false }],
      remaining: 1,
    });
    assert.equal(call(list, 'add', { task: 'Bake' }).added, 2);
    call(list, 'done', { id: 1 });
    assert.deepEqual(call(list, 'list'), {
      goal: 'Bake bread',
      items: [
        { id: 1, task: 'Knead', done: true },
        { id: 2, task: 'Bake', done: false },
      ],
      remaining: 1,
    });
    assert.equal(call(list, 'done', { id: 2 }).remaining, 0);
  });

  test('says of an item that is done twice that it was done already', () => {
    const list = listOf('Knead');
    assert.equal('note' in call(list, 'done', { id: 1 }), false);
    const { note, remaining } = call(list, 'done', { id: 1 });
    assert.deepEqual([note, remaining], ['Item 1 was done already.', 0]);
  });

  test('takes tasks without a goal', () => {
    const { goal, items } = call(new TodoList(), 'add', { task: 'Knead' });
    assert.deepEqual([goal, items], [null, [{ id: 1, task: 'Knead', done: false }]]);
  });

  test('starts anew with another goal, and is empty after it is cleared', () => {
    const list = listOf('Knead', 'Bake');
    assert.deepEqual(call(list, 'init', { goal: 'Cook soup' }), { goal: 'Cook soup', items: [], remaining: 0 });
    assert.equal(call(list, 'add', { task: 'Boil water' }).added, 1);
    assert.deepEqual(call(list, 'clear'), { goal: null, items: [], remaining: 0 });
    assert.deepEqual(call(list, 'list'), { goal: null, items: [], remaining: 0 });
  });

  test('names the open items when an id is unknown', () => {
    const list = listOf('Knead', 'Bake');
    call(list, 'done', { id: 1 });
    for (const id of [0, 3, -1, 1.5, Number.NaN, 1e300]) {
      fails(list, 'done', { id }, `The to-do list has no item ${id}. Open items: 2 (Bake).`);
    }
    fails(new TodoList(), 'done', { id: 1 }, 'The to-do list has no item 1. No item is open.');
  });

  test('lists only the first open items of many in a message', () => {
    const list = listOf(...Array.from({ length: 500 }, () => 'x'.repeat(10_000)));
    assert.throws(
      () => call(list, 'done', { id: 501 }),
      ({ message }) => message.endsWith('and 480 more.') && message.length < 2_000,
    );
  });

  test('refuses arguments of the wrong type', () => {
    const list = listOf('Knead');
    fails(list, 'add', {}, 'task: expected a text, got nothing.');
    fails(list, 'add', { task: 7 }, 'task: expected a text, got number.');
    fails(list, 'add', { task: ' \n' }, 'task: the text is empty.');
    fails(list, 'init', { goal: ['bread'] }, 'goal: expected a text, got a list.');
    fails(list, 'done', { id: '1' }, 'id: expected the number of an item, got string.');
    fails(list, 'done', JSON.parse('{"__proto__": {"id": 1}}'), 'id: expected the number of an item, got nothing.');
    for (const args of [null, undefined, 'Knead', 7, []]) {
      assert.throws(() => list.run({ name: 'todo__add', arguments: args, route: { kind: 'todo', action: 'add' } }), {
        name: 'ToolCallFailure',
      });
    }
    assert.equal(call(list, 'list').items.length, 1);
  });

  test('refuses tools that it does not have', () => {
    for (const action of ['remove', '__proto__', 'constructor', '', 'add\n', 'add\0', 'x'.repeat(100_000)]) {
      assert.throws(
        () => call(new TodoList(), action, { task: 'Knead' }),
        ({ name, message }) => {
          assert.equal(name, 'ToolCallFailure');
          assert.match(
            message,
            /^There is no tool "todo__.*The todo tools are todo__init, todo__add, .*todo__clear\.$/,
          );
          return message.length < 500;
        },
      );
    }
    const route = { kind: 'agent', action: 'add' };
    assert.throws(() => new TodoList().run({ name: 'agent__add', arguments: { task: 'Knead' }, route }), {
      name: 'ToolCallFailure',
    });
  });

  test('holds at most 1,000 items of at most 10,000 characters', () => {
    const list = listOf('x'.repeat(10_000));
    fails(list, 'add', { task: 'x'.repeat(10_001) }, 'task: the text has 10001 characters; at most 10000 are allowed.');
    for (let id = 2; id <= 1_000; id += 1) assert.equal(call(list, 'add', { task: 'Knead' }).added, id);
    fails(list, 'add', { task: 'Bake' }, /^The to-do list is full: it has 1000 items\./);
    assert.equal(call(list, 'list').items.length, 1_000);
    assert.equal(call(list, 'init', { goal: 'Less' }).items.length, 0);
  });

  test('is saved and restored as JSON', () => {
    const list = listOf('Knead', 'Bake');
    call(list, 'done', { id: 1 });
    const text = JSON.stringify(list);
    const restored = TodoList.from(JSON.parse(text));
    assert.equal(JSON.stringify(restored), text);
    assert.deepEqual(call(restored, 'list'), call(list, 'list'));
    assert.equal(call(restored, 'add', { task: 'Eat' }).added, 3);
    assert.equal(call(list, 'list').items.length, 2);
    assert.deepEqual(TodoList.from(JSON.parse(JSON.stringify(new TodoList()))).toJSON(), { goal: null, items: [] });
  });

  test('is not changed through what it returned', () => {
    const list = listOf('Knead');
    call(list, 'list').items[0].task = 'Eat';
    list.toJSON().items.pop();
    assert.deepEqual(call(list, 'list').items, [{ id: 1, task: 'Knead', done: false }]);
  });

  test('refuses to be restored from anything else', () => {
    const item = { id: 1, task: 'Knead', done: false };
    for (const [json, path] of [
      [null, undefined],
      ['{}', undefined],
      [[], undefined],
      [{}, 'items'],
      [{ goal: 7, items: [] }, 'goal'],
      [{ goal: 'x'.repeat(10_001), items: [] }, 'goal'],
      [{ items: { length: 1 } }, 'items'],
      [{ items: Array(1_001).fill(item) }, 'items'],
      [{ items: [item, null] }, 'items[1]'],
      [{ items: new Array(1) }, 'items[0]'],
      [{ items: [{ ...item, task: null }] }, 'items[0].task'],
      [{ items: [{ ...item, done: 'no' }] }, 'items[0].done'],
    ]) {
      assertFails(() => TodoList.from(json), { code: 'invalid_input', path, says: /expected/ });
    }
  });
});
