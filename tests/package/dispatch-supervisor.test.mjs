import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';

const { createSupervisor, EscalationQueue, userToolkit } = await fromConsumer('toolgauge/dispatch');
const { checkToolCall, lintTools } = await fromConsumer('toolgauge');

/** Calls a tool of a toolkit, as a dispatcher at depth 0 does. */
const call = async (toolkit, name, args = {}, context = {}) => {
  const [kind, action] = name.split('__');
  const signal = context.signal ?? new AbortController().signal;
  return toolkit.run({ name, arguments: args, route: { kind, action } }, { depth: 0, ...context, signal });
};

/** Calls a tool of the supervisor as the agent does that runs. */
const callAs = (agent, name, args) => call(agent.supervisor, name, args, contextOf(agent));

const contextOf = ({ id, name, depth, signal }) => ({ agent: { id, name }, depth, signal });

const fails = (promise, message) => assert.rejects(promise, { name: 'ToolCallFailure', message });

/** A promise that is settled from outside. */
function gate() {
  const doors = {};
  const passed = new Promise((resolve, reject) => Object.assign(doors, { open: resolve, fail: reject }));
  return { passed, ...doors };
}

/** Waits until something is the case. */
async function until(isSo) {
  const end = Date.now() + 60_000;
  while (!(await isSo())) {
    assert.ok(Date.now() < end, `still not so: ${isSo}`);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}

/** Lets everything go on that can go on without a timer. */
const settle = () => new Promise(resolve => setTimeout(resolve, 5));

/** A supervisor with one agent, `worker`, that runs this function. It is closed after the test `t`. */
function supervise(t, work, options = {}) {
  const supervisor = createSupervisor({
    agents: { worker: { description: 'Does any work', run: work } },
    ...options,
  });
  t.after(() => supervisor.close());
  return supervisor;
}

/** Agents that end when their gate is opened, which has the name of their prompt. */
function gatedWork() {
  const gates = new Map();
  const started = [];
  const gateOf = name => {
    if (!gates.has(name)) gates.set(name, gate());
    return gates.get(name);
  };
  const work = ({ prompt }) => {
    started.push(prompt);
    return gateOf(prompt).passed;
  };
  return { work, started, gateOf };
}

const spawn = async (supervisor, prompt) => (await call(supervisor, 'agent__spawn', { agent: 'worker', prompt })).id;
const collect = (supervisor, id, context) => call(supervisor, 'agent__collect', { id }, context);
const statuses = supervisor => supervisor.list().map(({ status }) => status);

suite('createSupervisor', () => {
  test('declares its tools with the agents that can be spawned', t => {
    const { definitions } = supervise(t, () => {});
    assert.deepEqual(
      definitions.map(({ name }) => name.slice('agent__'.length)),
      [
        ...['spawn', 'check', 'collect', 'list', 'cancel', 'send_message', 'check_inbox'],
        ...['task_create', 'task_list', 'task_complete', 'task_fail', 'reply_escalation'],
      ],
    );
    assert.deepEqual(lintTools(definitions).issues, []);
    assert.match(definitions[0].description, /\n- worker: Does any work$/);
    const isValid = args =>
      checkToolCall({ tools: definitions, toolCall: { name: 'agent__spawn', arguments: args } }).overall_valid;
    assert.equal(isValid({ agent: 'worker', prompt: 'Work' }), true);
    assert.equal(isValid({ agent: 'wroker', prompt: 'Work' }), false);
  });

  test('refuses options that are out of range', () => {
    const worker = { description: 'Works', run: () => {} };
    for (const [options, path] of [
      [{}, 'options.agents'],
      [{ agents: {} }, 'options.agents'],
      [{ agents: { 'a b': worker } }, 'options.agents.a b'],
      [{ agents: { ['x'.repeat(65)]: worker } }, `options.agents.${'x'.repeat(65)}`],
      [{ agents: { worker: null } }, 'options.agents.worker.description'],
      [{ agents: { worker: { run: () => {} } } }, 'options.agents.worker.description'],
      [{ agents: { worker: { description: 'Works' } } }, 'options.agents.worker.run'],
      [{ agents: { worker }, maxRunning: 0 }, 'options.maxRunning'],
      [{ agents: { worker }, maxAgents: 1.5 }, 'options.maxAgents'],
      [{ agents: { worker }, maxDepth: Number.NaN }, 'options.maxDepth'],
      [{ agents: { worker }, escalationTimeoutMs: 0 }, 'options.timeoutMs'],
    ]) {
      assertFails(() => createSupervisor(options), { code: 'invalid_option', path });
    }
  });

  suite('spawn, check and collect', () => {
    test('an agent runs in the background and its result can be collected again', async t => {
      const { work, gateOf } = gatedWork();
      const supervisor = supervise(t, work);
      assert.deepEqual(await call(supervisor, 'agent__spawn', { agent: 'worker', prompt: 'report' }), {
        id: 'worker-1',
        status: 'running',
      });
      const running = { id: 'worker-1', agent: 'worker', status: 'running' };
      assert.deepEqual(await call(supervisor, 'agent__check', { id: 'worker-1' }), running);
      const collected = collect(supervisor, 'worker-1');
      gateOf('report').open({ pages: 3 });
      const ended = { ...running, status: 'completed', result: { pages: 3 } };
      assert.deepEqual(await collected, ended);
      assert.deepEqual(await collect(supervisor, 'worker-1'), ended);
      assert.deepEqual(await call(supervisor, 'agent__check', { id: 'worker-1' }), ended);
      assert.deepEqual(supervisor.list(), [ended]);
    });

    test('agents are collected in any order', async t => {
      const { work, gateOf } = gatedWork();
      const supervisor = supervise(t, work);
      const ids = await Promise.all(['a', 'b', 'c'].map(prompt => spawn(supervisor, prompt)));
      const collected = [2, 0, 1].map(index => collect(supervisor, ids[index]));
      for (const name of ['b', 'c', 'a']) {
        gateOf(name).open(`result of ${name}`);
        await settle();
      }
      const results = (await Promise.all(collected)).map(({ result }) => result);
      assert.deepEqual(results, ['result of c', 'result of a', 'result of b']);
    });

    test('an agent knows who it is', async t => {
      let seen;
      const supervisor = supervise(t, task => {
        seen = task;
      });
      await collect(supervisor, await spawn(supervisor, 'Look'));
      const { prompt, signal, run } = seen;
      assert.deepEqual(
        [prompt, run.id, run.name, run.depth, run.supervisor === supervisor, run.signal === signal],
        ['Look', 'worker-1', 'worker', 1, true, true],
      );
      assert.deepEqual(run.inbox.read(), []);
      // What it started for its work is of no more use.
      assert.equal(signal.aborted, true);
    });

    test('an agent that throws has failed with its message', async t => {
      const thrown = {
        sync: () => {
          throw new Error('no disk');
        },
        async: async () => {
          throw new Error('no net');
        },
        text: () => Promise.reject('no reason'),
        nothing: () => Promise.reject(),
        empty: () => Promise.reject(new Error('')),
        hostile: () =>
          Promise.reject(
            Object.defineProperty(new Error(''), 'message', {
              get() {
                throw new Error('never');
              },
            }),
          ),
      };
      const supervisor = supervise(t, ({ prompt }) => thrown[prompt]());
      const errors = {};
      for (const prompt of Object.keys(thrown)) {
        const { status, error } = await collect(supervisor, await spawn(supervisor, prompt));
        assert.equal(status, 'failed');
        errors[prompt] = error;
      }
      assert.deepEqual(errors, {
        sync: 'no disk',
        async: 'no net',
        text: 'no reason',
        nothing: 'undefined',
        empty: 'it gave no reason',
        hostile: 'what was thrown has no text',
      });
    });

    test('a result is kept as JSON says it', async t => {
      const cycle = {};
      cycle.self = cycle;
      let deep = [];
      for (let level = 0; level < 100_000; level += 1) deep = [deep];
      const results = [
        [undefined, null],
        [null, null],
        ['text', 'text'],
        [12n, '12'],
        [Symbol('x'), 'Symbol(x)'],
        [new Date(0), '1970-01-01T00:00:00.000Z'],
        [{ a: undefined, b: new Map() }, { b: {} }],
      ];
      const failing = [cycle, deep, { n: 1n }, { toJSON: () => assert.fail('not this') }];
      const all = [...results.map(([result]) => result), ...failing];
      const supervisor = supervise(t, ({ prompt }) => all[prompt]);
      for (const [index, [, result]] of results.entries()) {
        const id = await spawn(supervisor, String(index));
        assert.deepEqual(await collect(supervisor, id), { id, agent: 'worker', status: 'completed', result });
      }
      for (const index of failing.keys()) {
        const id = await spawn(supervisor, String(results.length + index));
        const { status, error } = await collect(supervisor, id);
        assert.equal(status, 'failed');
        assert.match(error, /^its result can't be written as JSON: ./);
      }
    });

    test('a result does not change after the agent has ended', async t => {
      const result = { pages: 3 };
      const supervisor = supervise(t, () => result);
      const id = await spawn(supervisor, 'Count');
      await collect(supervisor, id);
      result.pages = 4;
      assert.deepEqual((await collect(supervisor, id)).result, { pages: 3 });
    });

    test('collect ends when its signal is aborted, and the agent goes on', async t => {
      const { work, gateOf } = gatedWork();
      const supervisor = supervise(t, work);
      const id = await spawn(supervisor, 'a');
      const controller = new AbortController();
      const collected = collect(supervisor, id, { signal: controller.signal });
      const reason = new Error('given up');
      controller.abort(reason);
      await assert.rejects(collected, reason);
      assert.deepEqual(statuses(supervisor), ['running']);
      gateOf('a').open('done');
      assert.equal((await collect(supervisor, id)).result, 'done');
    });

    test('unknown agents and ids are refused with a list of the known', async t => {
      const supervisor = supervise(t, () => {});
      await fails(
        call(supervisor, 'agent__spawn', { agent: 'wroker', prompt: 'Work' }),
        'There is no agent "wroker". The agents are: worker.',
      );
      await fails(collect(supervisor, 'worker-1'), 'You have no agent "worker-1". Your agents: none.');
      await spawn(supervisor, 'Work');
      await fails(collect(supervisor, 'worker-2'), 'You have no agent "worker-2". Your agents: worker-1.');
    });

    test('hostile names and arguments do nothing', async t => {
      const supervisor = supervise(t, () => {});
      const names = ['__proto__', 'constructor', 'toString', 'a\0b', 'a\nb', '../x', 'x'.repeat(100_000), '💥'];
      for (const name of names) {
        for (const promise of [
          call(supervisor, 'agent__spawn', { agent: name, prompt: 'Work' }),
          call(supervisor, 'agent__check', { id: name }),
          call(supervisor, 'agent__send_message', { to: name, message: 'Hello' }),
          call(supervisor, 'agent__task_create', { subject: 'Work', blocked_by: [name] }),
          call(supervisor, 'agent__task_create', { subject: 'Work', agent: name }),
          call(supervisor, 'agent__task_complete', { id: name }),
          call(supervisor, 'agent__reply_escalation', { id: name, reply: 'yes' }),
          call(supervisor, `agent__${name}`),
        ]) {
          await assert.rejects(promise, ({ name: kind, message }) => {
            assert.equal(kind, 'ToolCallFailure');
            return message.length < 11_000 && !message.includes('\0');
          });
        }
      }
      for (const args of [null, undefined, 7, 'worker', [], { agent: ['worker'] }, { id: {}, to: 1, subject: null }]) {
        for (const { name } of supervisor.definitions) {
          if (/list$|inbox$/.test(name)) continue;
          await assert.rejects(call(supervisor, name, args), { name: 'ToolCallFailure' }, name);
        }
      }
      assert.deepEqual(supervisor.list(), []);
      assert.deepEqual(await call(supervisor, 'agent__task_list'), { tasks: [] });
    });
  });

  suite('limits', () => {
    test('no more agents run at the same time than allowed, and all run', async t => {
      let now = 0;
      let most = 0;
      const order = [];
      const supervisor = supervise(
        t,
        async ({ prompt }) => {
          now += 1;
          most = Math.max(most, now);
          order.push(prompt);
          await new Promise(setImmediate);
          now -= 1;
          return prompt;
        },
        { maxRunning: 2 },
      );
      const prompts = Array.from({ length: 50 }, (_, index) => `job ${index}`);
      const spawned = await Promise.all(
        prompts.map(prompt => call(supervisor, 'agent__spawn', { agent: 'worker', prompt })),
      );
      assert.deepEqual(
        spawned.map(({ status }) => status),
        ['running', 'running', ...Array(48).fill('queued')],
      );
      const ended = await Promise.all(spawned.map(({ id }) => collect(supervisor, id)));
      assert.deepEqual(
        ended.map(({ result }) => result),
        prompts,
      );
      assert.deepEqual([most, now], [2, 0]);
      assert.deepEqual(order, prompts);
    });

    test('agents spawn others down to the deepest level', async t => {
      const work = async ({ prompt, run }) => {
        if (run.depth === 3) {
          await fails(callAs(run, 'agent__spawn', { agent: 'worker', prompt }), /can't be nested more than 3 deep/);
          await fails(callAs(run, 'agent__task_create', { subject: 'x', agent: 'worker' }), /more than 3 deep/);
          return [run.id];
        }
        const { id } = await callAs(run, 'agent__spawn', { agent: 'worker', prompt });
        const { result } = await callAs(run, 'agent__collect', { id });
        return [run.id, ...result];
      };
      // One place for all: each gives it up while it waits for the next.
      const supervisor = supervise(t, work, { maxRunning: 1 });
      const { status, result, error } = await collect(supervisor, await spawn(supervisor, 'Dig'));
      assert.deepEqual([status, result, error], ['completed', ['worker-1', 'worker-2', 'worker-3'], undefined]);
    });

    test('agents that wait for many others at the same time do not block each other', async t => {
      const work = async ({ prompt, run }) => {
        if (run.depth === 3) return 1;
        const spawned = [];
        for (let child = 0; child < 3; child += 1) {
          spawned.push(await callAs(run, 'agent__spawn', { agent: 'worker', prompt }));
        }
        const ended = await Promise.all(spawned.map(({ id }) => callAs(run, 'agent__collect', { id })));
        return ended.reduce((sum, { result }) => sum + result, 0);
      };
      for (const maxRunning of [1, 2]) {
        const supervisor = supervise(t, work, { maxRunning });
        const ids = [await spawn(supervisor, 'Count'), await spawn(supervisor, 'Count')];
        const results = await Promise.all(ids.map(async id => (await collect(supervisor, id)).result));
        assert.deepEqual(results, [9, 9]);
      }
    });

    test('an agent that is collecting leaves its place to others, and takes it again', async t => {
      const { work, started, gateOf } = gatedWork();
      const parent = async task => {
        if (!task.prompt.startsWith('parent')) return work(task);
        const { id } = await callAs(task.run, 'agent__spawn', { agent: 'worker', prompt: 'child' });
        await callAs(task.run, 'agent__collect', { id });
        return work(task);
      };
      const supervisor = supervise(t, parent, { maxRunning: 1 });
      const id = await spawn(supervisor, 'parent');
      await until(() => started.includes('child'));
      await spawn(supervisor, 'other');
      assert.deepEqual(statuses(supervisor), ['running', 'running', 'queued']);
      gateOf('child').open();
      await until(() => started.includes('parent'));
      await spawn(supervisor, 'last');
      gateOf('other').open();
      await until(() => started.includes('other'));
      await settle();
      assert.equal(started.includes('last'), false);
      gateOf('parent').open('done');
      assert.equal((await collect(supervisor, id)).result, 'done');
      await until(() => started.includes('last'));
    });

    test('the agent that ended first is forgotten first', async t => {
      const { work, gateOf } = gatedWork();
      const supervisor = supervise(t, work, { maxAgents: 2 });
      const [a, b] = [await spawn(supervisor, 'a'), await spawn(supervisor, 'b')];
      await fails(spawn(supervisor, 'c'), /^2 agents run or are queued already\./);
      gateOf('b').open('second');
      await collect(supervisor, b);
      gateOf('a').open('first');
      await collect(supervisor, a);
      const c = await spawn(supervisor, 'c');
      assert.equal(c, 'worker-3');
      await fails(
        collect(supervisor, b),
        'worker-2 ended and was forgotten: only the last agents are kept. Your agents: worker-1, worker-3.',
      );
      assert.equal((await collect(supervisor, a)).result, 'first');
      await fails(collect(supervisor, 'worker-4'), /^You have no agent "worker-4"\./);
      await fails(collect(supervisor, 'worker-0'), /^You have no agent "worker-0"\./);
      gateOf('c').open();
      for (const prompt of ['a', 'b', 'c']) {
        await collect(supervisor, await spawn(supervisor, prompt));
        assert.equal(supervisor.list().length, 2);
      }
    });
  });

  suite('cancel', () => {
    test('stops an agent that runs, even one that does not listen', async t => {
      const signals = [];
      const supervisor = supervise(t, ({ signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      });
      const id = await spawn(supervisor, 'Never ends');
      const collected = collect(supervisor, id);
      const cancelled = {
        id,
        agent: 'worker',
        status: 'cancelled',
        error: 'it was stopped by agent__cancel',
      };
      assert.deepEqual(await call(supervisor, 'agent__cancel', { id }), cancelled);
      assert.deepEqual(await collected, cancelled);
      assert.equal(signals[0].aborted, true);
      assert.match(signals[0].reason.message, /^worker-1 has ended: it was stopped/);
    });

    test('never starts an agent that was queued', async t => {
      const { work, started, gateOf } = gatedWork();
      const supervisor = supervise(t, work, { maxRunning: 1 });
      const [a, b, c] = [await spawn(supervisor, 'a'), await spawn(supervisor, 'b'), await spawn(supervisor, 'c')];
      assert.equal((await call(supervisor, 'agent__cancel', { id: b })).status, 'cancelled');
      gateOf('a').open();
      gateOf('c').open();
      await collect(supervisor, a);
      await collect(supervisor, c);
      assert.deepEqual(started, ['a', 'c']);
      assert.deepEqual(statuses(supervisor), ['completed', 'cancelled', 'completed']);
    });

    test('leaves alone what has ended', async t => {
      const supervisor = supervise(t, () => 'done');
      const id = await spawn(supervisor, 'Work');
      const ended = await collect(supervisor, id);
      assert.deepEqual(await call(supervisor, 'agent__cancel', { id }), ended);
    });

    test('makes room for the next agent', async t => {
      const { work, started } = gatedWork();
      const supervisor = supervise(t, work, { maxRunning: 1 });
      const id = await spawn(supervisor, 'a');
      await spawn(supervisor, 'b');
      await call(supervisor, 'agent__cancel', { id });
      assert.deepEqual(started, ['a', 'b']);
    });

    test('takes the result of an agent no more that ends too late', async t => {
      const { work, gateOf } = gatedWork();
      const supervisor = supervise(t, work);
      const ids = [await spawn(supervisor, 'a'), await spawn(supervisor, 'b')];
      for (const id of ids) await call(supervisor, 'agent__cancel', { id });
      gateOf('a').open('late');
      gateOf('b').fail(new Error('late'));
      await settle();
      assert.deepEqual(statuses(supervisor), ['cancelled', 'cancelled']);
      assert.deepEqual(
        supervisor.list().map(({ result }) => result),
        [undefined, undefined],
      );
    });

    test('stops all agents below, and starts none of them in the place of another', async t => {
      const started = [];
      const work = async ({ prompt, run }) => {
        started.push(prompt);
        if (prompt === 'parent') {
          for (const child of ['child', 'queued child']) {
            await callAs(run, 'agent__spawn', { agent: 'worker', prompt: child });
          }
        }
        if (prompt === 'child') await callAs(run, 'agent__spawn', { agent: 'worker', prompt: 'queued grandchild' });
        return new Promise(() => {});
      };
      const supervisor = supervise(t, work, { maxRunning: 2 });
      const id = await spawn(supervisor, 'parent');
      await until(() => supervisor.list().length === 4);
      await spawn(supervisor, 'other');
      await call(supervisor, 'agent__cancel', { id });
      assert.deepEqual(statuses(supervisor), [...Array(4).fill('cancelled'), 'running']);
      assert.deepEqual(started, ['parent', 'child', 'other']);
      assert.deepEqual(
        supervisor.list().map(({ spawned_by }) => spawned_by),
        [undefined, 'worker-1', 'worker-2', 'worker-1', undefined],
      );
      assert.equal(supervisor.list()[2].error, 'worker-1, an agent above it, has ended');
    });

    test('happens to agents that the one that spawned them leaves behind', async t => {
      const work = async ({ prompt, run }) => {
        if (prompt !== 'parent') return new Promise(() => {});
        await callAs(run, 'agent__spawn', { agent: 'worker', prompt: 'child' });
        return 'done';
      };
      const supervisor = supervise(t, work);
      await collect(supervisor, await spawn(supervisor, 'parent'));
      assert.deepEqual(statuses(supervisor), ['completed', 'cancelled']);
    });

    test("an agent that has ended can't use others any more", async t => {
      const runs = [];
      const supervisor = supervise(t, ({ run }) => {
        runs.push(run);
        return new Promise(() => {});
      });
      const id = await spawn(supervisor, 'Work');
      await call(supervisor, 'agent__cancel', { id });
      for (const [name, args] of [
        ['agent__spawn', { agent: 'worker', prompt: 'More' }],
        ['agent__list', {}],
        ['agent__send_message', { to: 'parent', message: 'Hello' }],
        ['agent__task_create', { subject: 'More', agent: 'worker' }],
        ['agent__task_list', {}],
        ['agent__task_complete', { id: 'task-1' }],
        ['agent__task_fail', { id: 'task-1', reason: 'Stopped' }],
        ['agent__reply_escalation', { id: 'escalation-1', reply: 'yes' }],
      ]) {
        await fails(callAs(runs[0], name, args), "worker-1 is cancelled: it can't use other agents any more.");
      }
      assert.equal(supervisor.list().length, 1);
    });

    test('cancelAll stops all, and new ones may follow', async t => {
      const { work, started, gateOf } = gatedWork();
      const supervisor = supervise(t, work, { maxRunning: 1 });
      for (const prompt of ['a', 'b', 'c']) await spawn(supervisor, prompt);
      supervisor.cancelAll();
      assert.deepEqual(statuses(supervisor), ['cancelled', 'cancelled', 'cancelled']);
      const id = await spawn(supervisor, 'd');
      gateOf('d').open('done');
      assert.equal((await collect(supervisor, id)).result, 'done');
      assert.deepEqual(started, ['a', 'd']);
    });

    test('close waits for functions that listen, and lets no more agents start', async t => {
      let cleaned = false;
      const supervisor = supervise(t, async ({ signal }) => {
        await new Promise(resolve => signal.addEventListener('abort', resolve));
        await new Promise(setImmediate);
        cleaned = true;
      });
      await spawn(supervisor, 'Work');
      await supervisor.close();
      assert.equal(cleaned, true);
      assert.deepEqual(statuses(supervisor), ['cancelled']);
      await fails(spawn(supervisor, 'More'), /the supervisor was closed/);
      await supervisor.close();
    });
  });

  suite('who reaches whom', () => {
    /** A supervisor with two agents, each with one below it: `{ lead, left: [parent, child], right: [parent, child] }`. */
    async function family(t) {
      const runs = new Map();
      const supervisor = supervise(
        t,
        async ({ prompt, run }) => {
          runs.set(prompt, run);
          if (run.depth === 1) await callAs(run, 'agent__spawn', { agent: 'worker', prompt: `${prompt} child` });
          return new Promise(() => {});
        },
        { maxRunning: 10 },
      );
      await spawn(supervisor, 'left');
      await spawn(supervisor, 'right');
      await until(() => runs.size === 4);
      return { supervisor, of: name => runs.get(name) };
    }

    test('an agent reaches those below it, and the one at depth 0 reaches all', async t => {
      const { supervisor, of } = await family(t);
      const [left, child, right] = ['left', 'left child', 'right'].map(of);
      const { agents } = await callAs(left, 'agent__list');
      assert.deepEqual(agents, [{ id: child.id, agent: 'worker', status: 'running', spawned_by: left.id }]);
      assert.deepEqual(await callAs(child, 'agent__list'), { agents: [] });
      assert.equal((await call(supervisor, 'agent__list')).agents.length, 4);
      for (const action of ['check', 'collect', 'cancel']) {
        for (const id of [right.id, left.id, of('right child').id]) {
          await fails(callAs(left, `agent__${action}`, { id }), `You have no agent "${id}". Your agents: ${child.id}.`);
        }
        await fails(callAs(child, `agent__${action}`, { id: left.id }), /Your agents: none\.$/);
      }
      assert.equal((await callAs(left, 'agent__cancel', { id: child.id })).status, 'cancelled');
      assert.equal((await call(supervisor, 'agent__cancel', { id: of('right child').id })).status, 'cancelled');
    });

    test('messages go up to the parent and down to those below', async t => {
      const { supervisor, of } = await family(t);
      const [left, child, right] = ['left', 'left child', 'right'].map(of);
      const send = (agent, to, message) => callAs(agent, 'agent__send_message', { to, message });
      assert.deepEqual(await send(child, 'parent', 'up'), { sent: true, to: 'parent' });
      await send(left, 'parent', 'further up');
      await send(left, child.id, 'down');
      await call(supervisor, 'agent__send_message', { to: left.id, message: 'from above' });
      await call(supervisor, 'agent__send_message', { to: child.id, message: 'from far above' });
      await fails(send(left, right.id, 'aside'), /^You have no agent/);
      await fails(call(supervisor, 'agent__send_message', { to: 'parent', message: 'x' }), /no agent above you/);

      assert.deepEqual(await callAs(left, 'agent__check_inbox'), {
        messages: [
          { from: child.id, message: 'up' },
          { from: 'parent', message: 'from above' },
        ],
      });
      assert.deepEqual(await callAs(left, 'agent__check_inbox'), { messages: [] });
      assert.deepEqual(child.inbox.read(), [
        { from: 'parent', message: 'down' },
        { from: 'lead', message: 'from far above' },
      ]);
      assert.deepEqual(await call(supervisor, 'agent__check_inbox'), {
        messages: [{ from: left.id, message: 'further up' }],
      });
      assert.deepEqual(right.inbox.read(), []);
    });

    test('a caller that the supervisor does not run is refused', async t => {
      const { supervisor, of } = await family(t);
      const left = of('left');
      for (const context of [
        { depth: 1 },
        { depth: 0, agent: { id: 'worker-99', name: 'worker' } },
        { depth: 0, agent: { id: '__proto__', name: 'worker' } },
      ]) {
        await fails(call(supervisor, 'agent__cancel', { id: left.id }, context), /^You are not an agent/);
      }
      const other = supervise(t, () => {});
      await fails(call(other, 'agent__list', {}, contextOf(left)), /^You are not an agent/);
    });
  });

  suite('inbox', () => {
    test('an agent waits for messages, which come in order', async t => {
      const supervisor = supervise(t, async ({ run, signal }) => {
        const first = await run.inbox.next(signal);
        const second = await run.inbox.next(signal);
        return [first.message, second.message, run.inbox.read()];
      });
      const id = await spawn(supervisor, 'Listen');
      await settle();
      await call(supervisor, 'agent__send_message', { to: id, message: 'one' });
      await call(supervisor, 'agent__send_message', { to: id, message: 'two' });
      assert.deepEqual((await collect(supervisor, id)).result, ['one', 'two', []]);
    });

    test('several that wait get one message each, and one that gives up loses none', async t => {
      const supervisor = supervise(t, async ({ run, signal }) => {
        const controller = new AbortController();
        const given = run.inbox.next(controller.signal).catch(error => error.message);
        const others = [run.inbox.next(signal), run.inbox.next(signal)];
        controller.abort(new Error('given up'));
        const messages = (await Promise.all(others)).map(({ message }) => message);
        return [await given, messages.toSorted()];
      });
      const id = await spawn(supervisor, 'Listen');
      await call(supervisor, 'agent__send_message', { to: id, message: 'one' });
      await call(supervisor, 'agent__send_message', { to: id, message: 'two' });
      const { status, result } = await collect(supervisor, id);
      assert.deepEqual([status, result], ['completed', ['given up', ['one', 'two']]]);
    });

    test('an agent that waits for a message leaves its place to the one that sends it', async t => {
      const supervisor = supervise(
        t,
        async ({ prompt, run }) => {
          if (prompt === 'child') return callAs(run, 'agent__send_message', { to: 'parent', message: 'found' });
          await callAs(run, 'agent__spawn', { agent: 'worker', prompt: 'child' });
          return run.inbox.next(run.signal);
        },
        { maxRunning: 1 },
      );
      const { result } = await collect(supervisor, await spawn(supervisor, 'parent'));
      assert.deepEqual(result, { from: 'worker-2', message: 'found' });
    });

    test('waiting for a message ends with the agent', async t => {
      const supervisor = supervise(t, ({ run, signal }) => run.inbox.next(signal));
      const id = await spawn(supervisor, 'Listen');
      assert.equal((await call(supervisor, 'agent__cancel', { id })).status, 'cancelled');
      await fails(
        call(supervisor, 'agent__send_message', { to: id, message: 'Hello' }),
        "worker-1 can't read messages any more: it is cancelled.",
      );
    });

    test('holds at most 1,000 messages', async t => {
      const supervisor = supervise(t, () => new Promise(() => {}));
      const to = await spawn(supervisor, 'Never reads');
      const send = message => call(supervisor, 'agent__send_message', { to, message });
      for (let count = 0; count < 1_000; count += 1) await send('Hello');
      await fails(send('Hello'), /^The inbox of worker-1 is full\./);
      await fails(send('x'.repeat(10_001)), /at most 10000/);
    });
  });

  suite('tasks', () => {
    const create = (supervisor, task) => call(supervisor, 'agent__task_create', task);
    const complete = (supervisor, id, result) => call(supervisor, 'agent__task_complete', { id, result });
    const tasksOf = async supervisor => (await call(supervisor, 'agent__task_list')).tasks;
    const taskStatuses = async supervisor => (await tasksOf(supervisor)).map(({ status }) => status);

    /** One task, two that depend on it, and one that depends on both. */
    async function diamond(supervisor, extra = {}) {
      for (const [subject, blocked_by] of [
        ['top', []],
        ['left', ['task-1']],
        ['right', ['task-1']],
        ['bottom', ['task-2', 'task-3']],
      ]) {
        await create(supervisor, { subject, blocked_by, ...extra });
      }
    }

    test('become ready when all tasks before them are completed', async t => {
      const supervisor = supervise(t, () => {});
      await diamond(supervisor);
      assert.deepEqual(await tasksOf(supervisor), [
        { id: 'task-1', subject: 'top', status: 'ready' },
        { id: 'task-2', subject: 'left', status: 'blocked', blocked_by: ['task-1'] },
        { id: 'task-3', subject: 'right', status: 'blocked', blocked_by: ['task-1'] },
        { id: 'task-4', subject: 'bottom', status: 'blocked', blocked_by: ['task-2', 'task-3'] },
      ]);
      assert.deepEqual(await complete(supervisor, 'task-1', 'laid'), {
        id: 'task-1',
        subject: 'top',
        status: 'completed',
        result: 'laid',
      });
      assert.deepEqual(await taskStatuses(supervisor), ['completed', 'ready', 'ready', 'blocked']);
      await complete(supervisor, 'task-3');
      assert.deepEqual((await tasksOf(supervisor))[3].blocked_by, ['task-2']);
      await complete(supervisor, 'task-2');
      assert.deepEqual(await taskStatuses(supervisor), ['completed', 'completed', 'ready', 'completed'].toSorted());
      const late = await create(supervisor, { subject: 'late', description: 'After it', blocked_by: ['task-1'] });
      assert.deepEqual(late, { id: 'task-5', subject: 'late', description: 'After it', status: 'ready' });
    });

    test('with an agent are done by it as soon as they are ready', async t => {
      const { work, started, gateOf } = gatedWork();
      const supervisor = supervise(t, work);
      await create(supervisor, { subject: 'first', agent: 'worker', prompt: 'a' });
      await create(supervisor, { subject: 'second', agent: 'worker', prompt: 'b', blocked_by: ['task-1'] });
      await create(supervisor, { subject: 'third', description: 'c', agent: 'worker', blocked_by: ['task-2'] });
      await create(supervisor, { subject: 'd', agent: 'worker', blocked_by: ['task-2'] });
      assert.deepEqual(started, ['a']);
      assert.deepEqual((await tasksOf(supervisor))[0], {
        id: 'task-1',
        subject: 'first',
        status: 'running',
        agent: 'worker',
        agent_id: 'worker-1',
      });
      gateOf('a').open({ pages: 3 });
      assert.deepEqual((await collect(supervisor, 'worker-1')).result, { pages: 3 });
      assert.deepEqual(started, ['a', 'b']);
      const [first] = await tasksOf(supervisor);
      assert.deepEqual([first.status, first.result], ['completed', { pages: 3 }]);
      gateOf('b').open();
      await collect(supervisor, 'worker-2');
      assert.deepEqual(started, ['a', 'b', 'c', 'd']);
      for (const name of ['c', 'd']) gateOf(name).open();
      await until(async () => (await taskStatuses(supervisor)).every(status => status === 'completed'));
    });

    test('a diamond of agents runs in its order', async t => {
      const order = [];
      const supervisor = supervise(t, async ({ prompt }) => {
        order.push(`${prompt} begins`);
        await new Promise(setImmediate);
        order.push(`${prompt} ends`);
      });
      await diamond(supervisor, { agent: 'worker' });
      await until(async () => (await taskStatuses(supervisor)).every(status => status === 'completed'));
      const at = event => order.indexOf(event);
      assert.equal(order.length, 8);
      for (const middle of ['left', 'right']) {
        assert.ok(at('top ends') < at(`${middle} begins`));
        assert.ok(at(`${middle} ends`) < at('bottom begins'));
      }
    });

    test('stay blocked by a task that failed, and say which, until it is completed after all', async t => {
      const supervisor = supervise(t, () => {});
      await diamond(supervisor);
      const failed = await call(supervisor, 'agent__task_fail', { id: 'task-1', reason: 'no stones' });
      assert.deepEqual(failed, { id: 'task-1', subject: 'top', status: 'failed', reason: 'no stones' });
      const after = await tasksOf(supervisor);
      assert.deepEqual(
        after.map(({ status, blocked_by_failed }) => [status, blocked_by_failed]),
        [['failed', undefined], ...Array(3).fill(['blocked', ['task-1']])],
      );
      await fails(complete(supervisor, 'task-2'), 'task-2 is blocked by task-1. Complete that first.');
      const { reason, status } = await complete(supervisor, 'task-1', 'bricks');
      assert.deepEqual([status, reason], ['completed', undefined]);
      assert.deepEqual(await taskStatuses(supervisor), ['completed', 'ready', 'ready', 'blocked']);
      assert.equal('blocked_by_failed' in (await tasksOf(supervisor))[3], false);
    });

    test('that failed while they were blocked may be completed after all', async t => {
      const supervisor = supervise(t, () => {});
      await diamond(supervisor);
      const failed = await call(supervisor, 'agent__task_fail', { id: 'task-2', reason: 'no stones' });
      assert.deepEqual([failed.status, failed.blocked_by], ['failed', ['task-1']]);
      const completed = await complete(supervisor, 'task-2');
      assert.deepEqual(completed, { id: 'task-2', subject: 'left', status: 'completed' });
      await complete(supervisor, 'task-1');
      assert.deepEqual(await taskStatuses(supervisor), ['completed', 'completed', 'ready', 'blocked']);
    });

    test('fail with their agent', async t => {
      const supervisor = supervise(t, ({ prompt, signal }) => {
        if (prompt === 'fails') throw new Error('no stones');
        return new Promise(resolve => signal.addEventListener('abort', resolve));
      });
      await create(supervisor, { subject: 'fails', agent: 'worker' });
      await create(supervisor, { subject: 'hangs', agent: 'worker' });
      await create(supervisor, { subject: 'never', agent: 'worker', blocked_by: ['task-1', 'task-2'] });
      await collect(supervisor, 'worker-1');
      await call(supervisor, 'agent__cancel', { id: 'worker-2' });
      const [first, second, third] = await tasksOf(supervisor);
      assert.equal(first.reason, 'worker-1 failed: no stones');
      assert.equal(second.reason, 'worker-2 was cancelled: it was stopped by agent__cancel');
      assert.deepEqual([third.status, third.blocked_by_failed], ['blocked', ['task-1', 'task-2']]);
      assert.equal(supervisor.list().length, 2);
      await complete(supervisor, 'task-1');
      await complete(supervisor, 'task-2');
      assert.equal((await tasksOf(supervisor))[2].agent_id, 'worker-3');
    });

    test("fail when their agent can't be spawned", async t => {
      const { work, gateOf } = gatedWork();
      const supervisor = supervise(t, work, { maxAgents: 1 });
      await spawn(supervisor, 'a');
      const task = await create(supervisor, { subject: 'b', agent: 'worker' });
      assert.equal(task.status, 'failed');
      assert.match(task.reason, /^1 agents run or are queued already/);
      gateOf('a').open();
    });

    test('of an agent that has ended start no more agents', async t => {
      const supervisor = supervise(t, async ({ prompt, run }) => {
        if (prompt !== 'parent') return;
        await create(run.supervisor, { subject: 'manual' });
        await callAs(run, 'agent__task_create', { subject: 'child', agent: 'worker', blocked_by: ['task-1'] });
      });
      await collect(supervisor, await spawn(supervisor, 'parent'));
      await complete(supervisor, 'task-1');
      assert.equal((await tasksOf(supervisor))[1].reason, 'worker-1, for which it would work, has ended.');
      assert.equal(supervisor.list().length, 1);
    });

    test('that follow start no agent that the one before left behind', async t => {
      const started = [];
      const supervisor = supervise(
        t,
        async ({ prompt, run }) => {
          started.push(prompt);
          if (prompt === 'first') await callAs(run, 'agent__spawn', { agent: 'worker', prompt: 'left behind' });
        },
        { maxRunning: 1 },
      );
      await create(supervisor, { subject: 'first', agent: 'worker' });
      await create(supervisor, { subject: 'second', agent: 'worker', blocked_by: ['task-1'] });
      await until(async () => (await taskStatuses(supervisor)).every(status => status === 'completed'));
      assert.deepEqual(started, ['first', 'second']);
      assert.deepEqual(statuses(supervisor), ['completed', 'cancelled', 'completed']);
    });

    test('that an agent works on end with it', async t => {
      const supervisor = supervise(t, () => new Promise(() => {}));
      await create(supervisor, { subject: 'a', agent: 'worker' });
      await fails(complete(supervisor, 'task-1'), /^worker-1 works on task-1\. The task ends with it/);
      const fail = call(supervisor, 'agent__task_fail', { id: 'task-1', reason: 'enough' });
      await fails(fail, /^worker-1 works on task-1\. The task ends with it/);
      assert.deepEqual(await taskStatuses(supervisor), ['running']);
    });

    test('that an agent works on are not completed by its calls', async t => {
      const supervisor = supervise(t, ({ run }) => {
        const done = callAs(run, 'agent__task_complete', { id: 'task-1', result: 'by a call' });
        return done.catch(error => error.message);
      });
      const { status } = await create(supervisor, { subject: 'a', agent: 'worker' });
      assert.equal(status, 'running');
      await collect(supervisor, 'worker-1');
      assert.match((await tasksOf(supervisor))[0].result, /^its agent works on task-1\./);
    });

    test('are completed once, and do not fail afterwards', async t => {
      const supervisor = supervise(t, () => {});
      await create(supervisor, { subject: 'a' });
      await complete(supervisor, 'task-1', 'first');
      assert.equal((await complete(supervisor, 'task-1', 'second')).result, 'first');
      const fail = call(supervisor, 'agent__task_fail', { id: 'task-1', reason: 'after all' });
      await fails(fail, /^task-1 is completed already/);
    });

    test('depend only on tasks that exist', async t => {
      const supervisor = supervise(t, () => {});
      const known = 'The tasks are: none.';
      await fails(create(supervisor, { subject: 'a', blocked_by: ['task-1'] }), `There is no task "task-1". ${known}`);
      await create(supervisor, { subject: 'a' });
      await fails(create(supervisor, { subject: 'b', blocked_by: ['task-1', 'task-2'] }), /no task "task-2"/);
      await fails(create(supervisor, { subject: 'b', blocked_by: 'task-1' }), /^blocked_by: expected a list of texts/);
      await fails(create(supervisor, { subject: 'b', blocked_by: ['task-1', 'task-1'] }), /two of the texts are equal/);
      await fails(create(supervisor, { subject: 'b', prompt: 'Work' }), /^prompt: it is for the agent/);
      assert.deepEqual(await taskStatuses(supervisor), ['ready']);
    });

    test('are kept up to 1,000; completed ones make room', async t => {
      const supervisor = supervise(t, () => {});
      for (let count = 0; count < 1_000; count += 1) await create(supervisor, { subject: 'a' });
      await fails(create(supervisor, { subject: 'b' }), /^There are 1000 open tasks already\./);
      await complete(supervisor, 'task-7');
      assert.equal((await create(supervisor, { subject: 'b' })).id, 'task-1001');
      await fails(complete(supervisor, 'task-7'), /^There is no task "task-7"/);
    });

    test('are shared by all agents', async t => {
      const supervisor = supervise(t, async ({ run }) => {
        const { tasks } = await callAs(run, 'agent__task_list');
        return callAs(run, 'agent__task_complete', { id: tasks[0].id, result: 'by the worker' });
      });
      await create(supervisor, { subject: 'a' });
      await collect(supervisor, await spawn(supervisor, 'Work'));
      assert.equal((await tasksOf(supervisor))[0].result, 'by the worker');
    });
  });

  suite('escalations', () => {
    const QUESTION = { question: 'Overwrite it?' };

    /** Agents that ask the user, which they can't reach, and return the answer. */
    const asker =
      kind =>
      async ({ prompt, run }) =>
        call(userToolkit(run.supervisor.escalations), `user__${kind}`, JSON.parse(prompt), contextOf(run));

    test('collect returns early with the question, and the reply lets the agent go on', async t => {
      const supervisor = supervise(t, asker('confirm'));
      const id = await spawn(supervisor, JSON.stringify(QUESTION));
      const { pending_escalations, ...rest } = await collect(supervisor, id);
      assert.deepEqual(rest, { id, agent: 'worker', status: 'running' });
      const [{ waiting_seconds, ...escalation }] = pending_escalations;
      assert.ok(Number.isInteger(waiting_seconds) && waiting_seconds >= 0);
      assert.deepEqual(escalation, {
        escalation_id: 'escalation-1',
        agent: { id, name: 'worker' },
        kind: 'confirm',
        question: 'Overwrite it?',
        options: [],
      });
      assert.deepEqual(await call(supervisor, 'agent__reply_escalation', { id: 'escalation-1', reply: 'Yes' }), {
        escalation_id: 'escalation-1',
        answer: true,
      });
      assert.deepEqual((await collect(supervisor, id)).result, { answer: true });
      assert.equal(supervisor.escalations.size, 0);
    });

    test('a collect that waits already returns when a question comes', async t => {
      const ready = gate();
      const ask = asker('confirm');
      const supervisor = supervise(t, async task => {
        await ready.passed;
        return ask(task);
      });
      const id = await spawn(supervisor, JSON.stringify(QUESTION));
      const collected = collect(supervisor, id);
      ready.open();
      assert.equal((await collected).pending_escalations.length, 1);
    });

    test('a question from two levels below reaches the one at depth 0, not the one between', async t => {
      const ask = asker('confirm');
      const waits = gate();
      const supervisor = supervise(
        t,
        async task => {
          if (task.run.depth === 2) return ask(task);
          const { id } = await callAs(task.run, 'agent__spawn', { agent: 'worker', prompt: task.prompt });
          await until(() => task.run.supervisor.escalations.size === 1);
          const reply = callAs(task.run, 'agent__reply_escalation', { id: 'escalation-1', reply: 'yes' });
          await fails(reply, /^Only the agent that talks to the user can answer/);
          const collected = callAs(task.run, 'agent__collect', { id });
          waits.open();
          return collected;
        },
        { maxRunning: 2 },
      );
      const id = await spawn(supervisor, JSON.stringify(QUESTION));
      const { pending_escalations } = await collect(supervisor, id);
      assert.equal(pending_escalations[0].agent.id, 'worker-2');
      await waits.passed;
      await call(supervisor, 'agent__reply_escalation', { id: 'escalation-1', reply: 'no' });
      const { result } = await collect(supervisor, id);
      assert.deepEqual(result.result, { answer: false });
    });

    test('a question disappears with the agent that asked', async t => {
      const supervisor = supervise(t, asker('confirm'));
      const id = await spawn(supervisor, JSON.stringify(QUESTION));
      await collect(supervisor, id);
      await call(supervisor, 'agent__cancel', { id });
      await until(() => supervisor.escalations.size === 0);
      await fails(
        call(supervisor, 'agent__reply_escalation', { id: 'escalation-1', reply: 'yes' }),
        /^escalation-1 is no longer open.* Open escalations: none\.$/,
      );
    });

    test('a question that nobody answers fails', async t => {
      const supervisor = supervise(t, asker('confirm'), { escalationTimeoutMs: 20 });
      const id = await spawn(supervisor, JSON.stringify(QUESTION));
      await until(() => statuses(supervisor)[0] === 'failed');
      const { error } = await collect(supervisor, id);
      assert.equal(error, 'Nobody answered the question within 0.02 s. Use your own judgement, or stop.');
      assert.deepEqual(supervisor.escalations.pending(), []);
    });
  });

  test('leaves no timer, no promise without a handler and nothing that keeps the process alive', async t => {
    const program = `
      import { createSupervisor, userToolkit } from 'toolgauge/dispatch';
      process.on('unhandledRejection', error => console.log('unhandled', error));
      const supervisor = createSupervisor({
        agents: {
          hangs: { description: 'Never ends', run: () => new Promise(() => {}) },
          fails: { description: 'Fails late', run: ({ signal }) =>
            new Promise((_, fail) => signal.addEventListener('abort', () => setTimeout(fail, 10, new Error('late')))) },
          asks: { description: 'Asks', run: ({ run }) => userToolkit(run.supervisor.escalations).run(
            { name: 'user__input', arguments: { question: 'Why?' }, route: { kind: 'user', action: 'input' } },
            { signal: run.signal, depth: run.depth, agent: run }) },
          listens: { description: 'Listens', run: ({ run }) => run.inbox.next(run.signal) },
        },
        maxRunning: 6,
      });
      const call = async (action, args) => supervisor.run(
        { name: 'agent__' + action, arguments: args, route: { kind: 'agent', action } },
        { signal: new AbortController().signal, depth: 0 });
      for (const agent of ['hangs', 'fails', 'asks', 'listens']) {
        for (let count = 0; count < 3; count += 1) await call('spawn', { agent, prompt: 'x' });
        await call('task_create', { subject: 'x', agent });
      }
      const collected = call('collect', { id: 'hangs-1' });
      await supervisor.close();
      const { status } = await collected;
      console.log(status, supervisor.escalations.size, supervisor.list().filter(agent => agent.status === 'cancelled').length);
      await new Promise(setImmediate);
      console.log(process.getActiveResourcesInfo().filter(kind => kind === 'Timeout'));`;
    const folder = folderIn(consumer, t, { 'close.mjs': program });
    const { code, stdout, stderr } = await run(process.execPath, ['close.mjs'], { cwd: folder, timeout: 60_000 });
    assert.deepEqual([code, stdout, stderr], [0, 'cancelled 0 16\n[]\n', '']);
  });
});

suite('EscalationQueue', () => {
  const question = (kind, options = []) => ({ kind, question: 'Which?', options });
  const context = (signal = new AbortController().signal) => ({ signal });

  test('reads replies as the kind of the question wants it', async () => {
    const sizes = ['small', 'Large', 'small, but red'];
    for (const [asked, reply, answer] of [
      [question('confirm'), 'yes', true],
      [question('confirm'), ' Y ', true],
      [question('confirm'), 'TRUE', true],
      [question('confirm'), true, true],
      [question('confirm'), 'no', false],
      [question('confirm'), 'n', false],
      [question('confirm'), false, false],
      [question('ask', sizes), 'small', 'small'],
      [question('ask', sizes), 'LARGE', 'Large'],
      [question('ask', sizes), '3', 'small, but red'],
      [question('ask', sizes), 2, 'Large'],
      [question('ask', sizes), 'something else', 'something else'],
      [question('ask', sizes), '4', '4'],
      [question('ask', ['a', 'A']), 'A', 'A'],
      [question('ask', ['5', '10']), '1', '1'],
      [question('ask', ['__proto__', 'b']), '1', '__proto__'],
      [question('input'), '', ''],
      [question('input'), 'any text', 'any text'],
      [question('checkbox', sizes), 'small, large', ['small', 'Large']],
      [question('checkbox', sizes), 'small\n3', ['small', 'small, but red']],
      [question('checkbox', sizes), 'small, but red', ['small, but red']],
      [question('checkbox', sizes), '["small, but red", 1, "1"]', ['small, but red', 'small']],
      [question('checkbox', sizes), ['Large'], ['Large']],
      [question('checkbox', sizes), '1,2', ['small', 'Large']],
      [question('checkbox', sizes), '', []],
      [question('checkbox', sizes), 'none', []],
      [question('checkbox', sizes), '[]', []],
      [question('checkbox', ['none', 'all']), 'None', ['none']],
    ]) {
      const queue = new EscalationQueue();
      const asking = queue.ask(asked, context());
      assert.deepEqual(queue.reply('escalation-1', reply), answer);
      assert.deepEqual(await asking, answer);
    }
  });

  test("leaves a question open when the reply can't be read", async () => {
    const sizes = ['small', 'large'];
    for (const [asked, replies, message, good] of [
      [
        question('confirm'),
        ['maybe', '', 'yes, but not all', 1, null, {}, { toString: 1 }],
        /expected yes or no/,
        'no',
      ],
      [question('ask', sizes), ['', ' ', null, {}, []], /expected one of the options, its number, or another/, '1'],
      [question('input'), [7, null, undefined], /expected a text/, 'x'],
      [
        question('checkbox', sizes),
        ['medium', 'small, medium', '[1', '[{}]', '{"a": 1}', 7, null, [null], '0', '3'],
        /expected a JSON list of the chosen options, such as \["small","large"\], or \[\]/,
        '2',
      ],
    ]) {
      const queue = new EscalationQueue();
      const asking = queue.ask(asked, context());
      for (const reply of replies) {
        assert.throws(() => queue.reply('escalation-1', reply), { name: 'ToolCallFailure', message });
        assert.equal(queue.size, 1);
      }
      const answer = queue.reply('escalation-1', good);
      assert.deepEqual(await asking, answer);
    }
  });

  test('shows open questions in their order, and each is answered by its id', async () => {
    const queue = new EscalationQueue();
    const agent = { id: 'cook-1', name: 'cook' };
    const options = ['a', 'b'];
    const asking = [
      queue.ask(question('input'), context()),
      queue.ask({ ...question('ask'), options }, { ...context(), agent }),
    ];
    options.push('c');
    const shown = queue.pending().map(({ waiting_seconds, ...rest }) => rest);
    assert.deepEqual(shown, [
      { escalation_id: 'escalation-1', kind: 'input', question: 'Which?', options: [] },
      { escalation_id: 'escalation-2', agent, kind: 'ask', question: 'Which?', options: ['a', 'b'] },
    ]);
    queue.reply('escalation-2', 'b');
    queue.reply('escalation-1', 'text');
    assert.deepEqual(await Promise.all(asking), ['text', 'b']);
    assert.deepEqual([queue.size, queue.pending()], [0, []]);
  });

  test('refuses a late reply and an unknown id', async () => {
    const queue = new EscalationQueue();
    const asking = queue.ask(question('confirm'), context());
    queue.reply('escalation-1', 'yes');
    await asking;
    const open = queue.ask(question('confirm'), context());
    const fails = (id, message) => assert.throws(() => queue.reply(id, 'yes'), { name: 'ToolCallFailure', message });
    fails('escalation-1', /^escalation-1 is no longer open: .* Open escalations: escalation-2\.$/);
    for (const id of ['escalation-3', 'escalation-0', 'escalation-01', '__proto__', '']) {
      fails(id, /^There is no escalation .* Open escalations: escalation-2\.$/);
    }
    queue.reply('escalation-2', 'yes');
    assert.equal(await open, true);
  });

  test('an asker that gives up takes the question back', async () => {
    const queue = new EscalationQueue();
    const controller = new AbortController();
    const asking = queue.ask(question('confirm'), context(controller.signal));
    const reason = new Error('given up');
    controller.abort(reason);
    await assert.rejects(asking, reason);
    assert.equal(queue.size, 0);
    await assert.rejects(queue.ask(question('confirm'), context(AbortSignal.abort(reason))), reason);
    assert.equal(queue.size, 0);
  });

  test('fails a question whose time is up', async () => {
    const queue = new EscalationQueue({ timeoutMs: 5 });
    await assert.rejects(queue.ask(question('confirm'), context()), {
      name: 'ToolCallFailure',
      message: 'Nobody answered the question within 0.005 s. Use your own judgement, or stop.',
    });
    assert.equal(queue.size, 0);
  });

  test('reports the next open question to all that wait for one', async () => {
    const queue = new EscalationQueue();
    const { signal } = new AbortController();
    const given = new AbortController();
    const reason = new Error('given up');
    const waiting = [queue.nextPending(signal), queue.nextPending(signal)];
    const aborted = queue.nextPending(given.signal);
    given.abort(reason);
    await assert.rejects(aborted, reason);
    const asking = queue.ask(question('confirm'), context());
    assert.deepEqual(await Promise.all([...waiting, queue.nextPending(signal)]), [undefined, undefined, undefined]);
    queue.reply('escalation-1', 'yes');
    assert.equal(await asking, true);
  });

  test('holds at most 100 questions', async () => {
    const queue = new EscalationQueue();
    const asking = Array.from({ length: 100 }, () => queue.ask(question('confirm'), context()));
    await assert.rejects(queue.ask(question('confirm'), context()), {
      name: 'ToolCallFailure',
      message: /^100 questions are waiting for an answer already\./,
    });
    for (const { escalation_id } of queue.pending()) queue.reply(escalation_id, 'no');
    assert.deepEqual(new Set(await Promise.all(asking)), new Set([false]));
  });

  test('refuses a time limit that is none', () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '5 s', null]) {
      assertFails(() => new EscalationQueue({ timeoutMs }), { code: 'invalid_option', path: 'options.timeoutMs' });
    }
  });
});
