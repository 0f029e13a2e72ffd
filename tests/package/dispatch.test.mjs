import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';

const { checkTrajectories } = await fromConsumer('toolgauge');
const { createDispatcher, createSupervisor, EscalationQueue, selectFunctions, TodoList, ToolCallTracker } =
  await fromConsumer('toolgauge/dispatch');

const getWeather = {
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city'],
    additionalProperties: false,
  },
};

const weather = options =>
  createDispatcher({
    functions: [getWeather],
    handlers: { get_weather: ({ city }) => ({ city, celsius: 21 }) },
    ...options,
  });

const call = (id, name, args = {}) => ({ id, name, arguments: args });

/** A toolkit that returns what it was asked for. */
const echoes = (...names) => ({
  definitions: names.map(name => ({ name, parameters: { type: 'object' } })),
  run: ({ name, arguments: args, route }, { depth }) => ({ name, args, route, depth }),
});

const outputs = results => results.map(({ output }) => output);
const errorOf = ({ output }) => output.tool_call_error;

suite('evalToolCalls', () => {
  test('returns each call, as it was given, with its output, in the order of the calls', async () => {
    const waits = { a: 30, b: 1, c: 10 };
    const handlers = {
      wait: async ({ name }) => {
        await new Promise(resume => setTimeout(resume, waits[name]));
        return name;
      },
    };
    const calls = ['a', 'b', 'c'].map(name => call(name, 'wait', { name }));
    const results = await createDispatcher({ handlers }).evalToolCalls(calls);
    assert.deepEqual(
      results,
      calls.map(made => ({ call: made, output: made.id })),
    );
    assert.ok(results.every((result, at) => result.call === calls[at]));
  });

  test('takes calls as any provider writes them', async () => {
    const results = await weather().evalToolCalls([
      { id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
      { type: 'tool_use', id: 'b', name: 'get_weather', input: { city: 'Rome' } },
      { type: 'tool-call', toolCallId: 'c', toolName: 'get_weather', input: { city: 'Bonn' } },
      { functionCall: { name: 'get_weather', args: { city: 'Lima' } } },
    ]);
    assert.deepEqual(
      results.map(({ output }) => output.city),
      ['Oslo', 'Rome', 'Bonn', 'Lima'],
    );
  });

  test('runs calls at the same time, up to the limit', async () => {
    let running = 0;
    let most = 0;
    const handlers = {
      work: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(resume => setTimeout(resume, 5));
        running -= 1;
        return most;
      },
    };
    const calls = Array.from({ length: 20 }, (_, at) => call(`c${at}`, 'work', { at }));
    await createDispatcher({ handlers, concurrency: 3 }).evalToolCalls(calls);
    assert.equal(most, 3);
    await createDispatcher({ handlers }).evalToolCalls(calls);
    assert.equal(most, 8);
  });

  test('runs the last of several calls with the same id, and reports the others', async () => {
    const warnings = [];
    const dispatcher = weather({ onWarning: warning => warnings.push(warning) });
    const results = await dispatcher.evalToolCalls([
      call('a', 'get_weather', { city: 'Oslo' }),
      call('b', 'get_weather', { city: 'Rome' }),
      call('a', 'get_weather', { city: 'Bonn' }),
    ]);
    assert.deepEqual(
      results.map(({ output }) => output.city),
      ['Rome', 'Bonn'],
    );
    assert.deepEqual(
      warnings.map(({ kind, index }) => [kind, index]),
      [['duplicate_call', 0]],
    );
  });

  test('rejects when nothing is left after removing duplicates: all calls are running already', async () => {
    let finish;
    const handlers = { work: () => new Promise(resolve => (finish = resolve)) };
    const dispatcher = createDispatcher({ handlers });
    const first = dispatcher.evalToolCalls([call('a', 'work')]);
    await assert.rejects(dispatcher.evalToolCalls([call('a', 'work')]), {
      code: 'invalid_input',
      message: 'no call is left to run: the call is running already',
    });
    finish('ready');
    assert.deepEqual(outputs(await first), ['ready']);
    const again = dispatcher.evalToolCalls([call('a', 'work')]);
    finish('once more');
    assert.deepEqual(outputs(await again), ['once more']);
  });

  test('returns "DONE" for a call that returns nothing, and an empty list if all do', async () => {
    const handlers = { nothing: () => undefined, nil: () => null, one: () => 1 };
    const dispatcher = createDispatcher({ handlers });
    assert.deepEqual(outputs(await dispatcher.evalToolCalls([call('a', 'nothing'), call('b', 'one')])), ['DONE', 1]);
    assert.deepEqual(await dispatcher.evalToolCalls([call('a', 'nothing'), call('b', 'nil')]), []);
    assert.deepEqual(await dispatcher.evalToolCalls([]), []);
  });

  test('turns every failure into an output and never rejects because of a call', async () => {
    const cyclic = {};
    cyclic.self = cyclic;
    const handlers = {
      throws: () => {
        throw new Error('broken');
      },
      rejects: async () => Promise.reject(new TypeError('late')),
      throws_text: () => {
        throw 'just text';
      },
      throws_nothing: () => Promise.reject(),
      cyclic: () => cyclic,
      big_number: () => 10n,
      large: () => 'x'.repeat(2000),
      hangs: () => new Promise(() => {}),
    };
    const names = Object.keys(handlers);
    const dispatcher = createDispatcher({ handlers, timeoutMs: 50, maxOutputBytes: 1000 });
    const results = await dispatcher.evalToolCalls(names.map(name => call(name, name)));
    const messages = Object.fromEntries(results.map(result => [result.call.name, errorOf(result)]));
    assert.equal(messages.throws, 'broken');
    assert.equal(messages.rejects, 'late');
    assert.equal(messages.throws_text, 'just text');
    assert.equal(typeof messages.throws_nothing, 'string');
    assert.match(messages.cyclic, /^The tool returned a value that is not JSON: /);
    assert.match(messages.big_number, /^The tool returned a value that is not JSON: /);
    assert.match(messages.large, /^The output has 2002 bytes, and at most 1000 are allowed/);
    assert.equal(messages.hangs, 'The call had no result within 0.05 s and was stopped.');
  });

  test('stops a handler when its time is up or the caller gives up', async () => {
    const reasons = [];
    const handlers = {
      hangs: (_, { signal }) =>
        new Promise(() => signal.addEventListener('abort', () => reasons.push(signal.reason.name))),
    };
    const dispatcher = createDispatcher({ handlers, timeoutMs: 20 });
    await dispatcher.evalToolCalls([call('a', 'hangs')]);
    const controller = new AbortController();
    const patient = createDispatcher({ handlers });
    const pending = patient.evalToolCalls([call('a', 'hangs')], { signal: controller.signal });
    controller.abort();
    assert.deepEqual(outputs(await pending), [{ tool_call_error: 'The call was aborted before it had a result.' }]);
    assert.deepEqual(reasons, ['TimeoutError', 'AbortError']);
  });

  test('gives outputs as JSON has them, which later changes do not reach', async () => {
    const shared = { when: new Date(0), hidden: undefined, list: [1] };
    const results = await createDispatcher({ handlers: { read: () => shared } }).evalToolCalls([call('a', 'read')]);
    shared.list.push(2);
    assert.deepEqual(outputs(results), [{ when: '1970-01-01T00:00:00.000Z', list: [1] }]);
  });

  test('refuses what is no list of calls', async () => {
    for (const calls of [undefined, null, {}, 'text', 7]) {
      await assert.rejects(weather().evalToolCalls(calls), { code: 'invalid_input' });
    }
  });

  test('answers an unreadable call and runs the others', async () => {
    const odd = { id: 'x', name: 'get_weather', arguments: { city: 10n } };
    const results = await weather().evalToolCalls([7, null, odd, {}, call('a', 'get_weather', { city: 'Oslo' })]);
    assert.equal(results.length, 5);
    for (const result of results.slice(0, 4)) assert.equal(typeof errorOf(result), 'string');
    assert.deepEqual(results[4].output, { city: 'Oslo', celsius: 21 });
  });
});

suite('the route of a call', () => {
  const toolkits = {
    handlers: { get_time: () => 'noon' },
    shell: echoes('run_script'),
    mcp: echoes('mcp_invoke_github', 'mcp_search_github', 'mcp_describe_github'),
    supervisor: { ...echoes('agent__spawn'), escalations: new EscalationQueue() },
    agent: { name: 'lead' },
    user: { ask: ({ question }) => `answer to ${question}` },
  };
  const dispatcher = createDispatcher(toolkits);
  const outputOf = async (name, args) => outputs(await dispatcher.evalToolCalls([call('a', name, args)]))[0];

  test('agent__* leads to the supervisor', async () => {
    assert.deepEqual((await outputOf('agent__spawn')).route, { kind: 'agent', action: 'spawn' });
  });

  test('todo__* leads to the to-do list', async () => {
    await outputOf('todo__init', { goal: 'Plan' });
    assert.deepEqual((await outputOf('todo__add', { task: 'Ask' })).items?.length, 1);
    assert.equal(dispatcher.todo.toJSON().items.length, 1);
  });

  test('user__* leads to the user at depth 0', async () => {
    assert.deepEqual(await outputOf('user__input', { question: 'Why?' }), { answer: 'answer to Why?' });
  });

  test('user__* becomes an escalation below depth 0', async () => {
    const escalations = new EscalationQueue();
    const user = { ask: () => assert.fail('the user is not asked') };
    const below = createDispatcher({ depth: 1, escalations, user });
    const pending = below.evalToolCalls([call('a', 'user__confirm', { question: 'Go on?' })]);
    await escalations.nextPending(AbortSignal.timeout(10_000));
    assert.equal(escalations.pending()[0].question, 'Go on?');
    escalations.reply(escalations.pending()[0].escalation_id, 'yes');
    assert.deepEqual(outputs(await pending), [{ answer: true }]);
  });

  test('mcp_invoke_*, mcp_search_* and mcp_describe_* lead to the server', async () => {
    for (const action of ['invoke', 'search', 'describe']) {
      const { route } = await outputOf(`mcp_${action}_github`);
      assert.deepEqual(route, { kind: 'mcp', action, server: 'github' });
    }
  });

  test('any other name leads to a function or a shell tool', async () => {
    assert.equal(await outputOf('get_time'), 'noon');
    assert.deepEqual((await outputOf('run_script')).route, { kind: 'function' });
  });

  test('a name that nothing answers to is an error, whatever it is called', async () => {
    const names = [
      'get_tim',
      'agent__fly',
      'mcp_invoke_gitlab',
      'todo__',
      '__proto__',
      'constructor',
      '../get_time',
      '\0',
    ];
    const results = await createDispatcher(toolkits).evalToolCalls(names.map((name, at) => call(`c${at}`, name)));
    for (const result of results) assert.match(errorOf(result), /there is no tool|is no tool|names no tool/);
    assert.match(errorOf(results[0]), /did you mean "get_time"/);
  });

  test('a function may not have a name that leads elsewhere', () => {
    assertFails(() => createDispatcher({ handlers: { agent__mine: () => 1 } }), {
      code: 'invalid_option',
      says: /agent__mine/,
    });
    assertFails(() => createDispatcher({ handlers: { get_time: () => 1 }, shell: echoes('get_time') }), {
      code: 'invalid_option',
      says: /there are two tools of this name/,
    });
  });
});

suite('a call before it runs', () => {
  test('is refused when it is not valid, with what is wrong', async () => {
    let ran = 0;
    const dispatcher = weather({ handlers: { get_weather: () => (ran += 1) } });
    const results = await dispatcher.evalToolCalls([
      call('a', 'get_weather', {}),
      call('b', 'get_weather', { city: 'Oslo', days: '3' }),
      { id: 'c', function: { name: 'get_weather', arguments: '{"city": "Os' } },
    ]);
    assert.match(errorOf(results[0]), /city: required, but missing/);
    assert.match(errorOf(results[1]), /days: expected integer, got "3" \(string\)/);
    assert.equal(typeof errorOf(results[2]), 'string');
    assert.equal(ran, 0);
  });

  test('is repaired on request, and the repair is reported', async () => {
    const warnings = [];
    const seen = [];
    const dispatcher = weather({
      invalidCalls: 'repair',
      onWarning: warning => warnings.push(warning),
      handlers: { get_weather: args => seen.push(args) },
    });
    await dispatcher.evalToolCalls([call('a', 'getWeather', { city: 'Oslo', days: '3' })]);
    assert.deepEqual(seen, [{ city: 'Oslo', days: 3 }]);
    assert.deepEqual(
      warnings.map(({ kind, name, changes }) => [kind, name, changes.map(change => change.kind)]),
      [['repaired_call', 'get_weather', ['tool_name', 'converted']]],
    );
  });

  test('runs as it is when invalid calls may run', async () => {
    const dispatcher = weather({ invalidCalls: 'run', handlers: { get_weather: args => args } });
    assert.deepEqual(outputs(await dispatcher.evalToolCalls([call('a', 'get_weather', { days: 'x' })])), [
      { days: 'x' },
    ]);
  });
});

suite('the tracker of a dispatcher', () => {
  const oslo = id => call(id, 'get_weather', { city: 'Oslo' });

  test('counts identical calls in a row and refuses the one that is too many', async () => {
    const warnings = [];
    const dispatcher = weather({ onWarning: warning => warnings.push(warning) });
    for (const repeats of [1, 2]) {
      await dispatcher.evalToolCalls([oslo('a')]);
      assert.equal(dispatcher.tracker.repeats, repeats);
    }
    const [result] = await dispatcher.evalToolCalls([oslo('a')]);
    assert.match(errorOf(result), /^Loop detected\. You have made the call get_weather\(.*Oslo.*\) 2 times in a row/);
    assert.deepEqual(
      warnings.map(({ kind, name, loop }) => [kind, name, loop.kind, loop.repetitions]),
      [['loop', 'get_weather', 'repeated_call', 2]],
    );
    const [other] = await dispatcher.evalToolCalls([call('b', 'get_weather', { city: 'Rome' })]);
    assert.equal(other.output.city, 'Rome');
  });

  test('tracks the chain of calls across rounds and names it', async () => {
    const dispatcher = weather();
    const cities = ['Oslo', 'Rome', 'Oslo', 'Rome', 'Oslo'];
    const results = [];
    for (const city of cities) {
      results.push(...(await dispatcher.evalToolCalls([call(city, 'get_weather', { city })])));
    }
    assert.equal(dispatcher.tracker.chain.length, 4);
    assert.match(errorOf(results[4]), /get_weather\(.*Oslo.*\) -> get_weather\(.*Rome.*\)/);
  });

  test('lets a call be repeated whose output changes', async () => {
    let done = 0;
    const dispatcher = createDispatcher({ handlers: { progress: () => (done += 1) } });
    for (let round = 1; round <= 10; round += 1) {
      assert.deepEqual(outputs(await dispatcher.evalToolCalls([call('a', 'progress')])), [round]);
    }
  });

  test('only warns on request, and may be left out', async () => {
    const warnings = [];
    const lenient = weather({ onLoop: 'warn', onWarning: ({ kind }) => warnings.push(kind) });
    const untracked = weather({ tracker: false, onWarning: () => assert.fail('no warning is due') });
    for (let round = 0; round < 4; round += 1) {
      for (const dispatcher of [lenient, untracked]) {
        assert.equal((await dispatcher.evalToolCalls([oslo('a')]))[0].output.city, 'Oslo');
      }
    }
    assert.deepEqual(warnings, ['loop', 'loop']);
    assert.equal(untracked.tracker, undefined);
  });

  test('keeps its state when it is saved between the rounds of a conversation', async () => {
    const first = weather();
    await first.evalToolCalls([oslo('a')]);
    await first.evalToolCalls([oslo('b')]);
    const state = JSON.parse(JSON.stringify(first.tracker));
    const second = weather({ tracker: ToolCallTracker.from(state) });
    const [result] = await second.evalToolCalls([oslo('c')]);
    assert.match(errorOf(result), /Loop detected/);
  });
});

suite('ToolCallTracker', () => {
  test('warns from the call on that is one repetition too many', () => {
    for (const [maxRepeats, expected] of [
      [1, [false, true, true]],
      [2, [false, false, true]],
      [3, [false, false, false]],
    ]) {
      const tracker = new ToolCallTracker({ maxRepeats });
      const warned = [1, 2, 3].map(() => {
        const warning = tracker.check({ name: 'f', arguments: { a: 1, b: 2 } });
        tracker.record({ name: 'f', arguments: { b: 2, a: 1 } });
        return warning !== undefined;
      });
      assert.deepEqual(warned, expected);
    }
  });

  test('has the documented defaults', () => {
    const { maxRepeats, chainLength, repeats, calls } = new ToolCallTracker().toJSON();
    assert.deepEqual(
      { maxRepeats, chainLength, repeats, calls },
      { maxRepeats: 2, chainLength: 3, repeats: 0, calls: [] },
    );
  });

  test('finds chains up to the given length', () => {
    const chainOf = (length, options) => {
      const tracker = new ToolCallTracker(options);
      const names = Array.from({ length }, (_, at) => `tool_${at}`);
      for (const name of [...names, ...names]) tracker.record({ name });
      return tracker.check({ name: 'tool_0' })?.chain.length;
    };
    assert.equal(chainOf(3), 3);
    assert.equal(chainOf(4), undefined);
    assert.equal(chainOf(4, { chainLength: 4 }), 4);
  });

  test('refuses options and states that are none', () => {
    for (const options of [{ maxRepeats: 0 }, { maxRepeats: 1.5 }, { chainLength: 1e9 }, { maxRepeats: 'two' }]) {
      assertFails(() => new ToolCallTracker(options), { code: 'invalid_option', says: /maxRepeats|chainLength/ });
    }
    for (const state of [null, 7, { calls: 'x' }, { maxRepeats: 2, calls: [{ call: 'f', key: '1', output: null }] }]) {
      assertFails(() => ToolCallTracker.from(state), { code: 'invalid_option' });
    }
  });
});

suite('selectFunctions', () => {
  const functions = [
    'agent__spawn',
    'todo__add',
    'user__ask',
    'mcp_invoke_github',
    'mcp_search_github',
    'mcp_describe_github',
    'mcp_invoke_slack',
    'fs_cat',
    'fs_ls',
    'get_weather',
  ].map(name => ({ name, parameters: {} }));
  const select = options => selectFunctions({ functions, ...options }).map(({ name }) => name);
  const role = (enabled_tools, enabled_mcp_servers = '') => ({ role: { enabled_tools, enabled_mcp_servers } });

  test('filters by the enabled_tools of the role', () => {
    assert.deepEqual(select(role(['fs_ls'])), ['user__ask', 'fs_ls']);
    assert.deepEqual(select(role('')), ['user__ask']);
  });

  test('takes a list that is separated by commas, and aliases', () => {
    assert.deepEqual(select(role(' get_weather,fs_cat ')), ['user__ask', 'fs_cat', 'get_weather']);
    assert.deepEqual(select({ ...role('fs'), aliases: { fs: 'fs_cat,fs_ls' } }), ['user__ask', 'fs_cat', 'fs_ls']);
  });

  test('enables all functions with "all"', () => {
    assert.deepEqual(select(role('all')), ['user__ask', 'fs_cat', 'fs_ls', 'get_weather']);
  });

  test('includes the MCP meta functions of enabled servers', () => {
    assert.deepEqual(select(role('', 'github')), [
      'user__ask',
      'mcp_invoke_github',
      'mcp_search_github',
      'mcp_describe_github',
    ]);
    assert.deepEqual(select({ ...role('', 'chat'), mcpAliases: { chat: ['slack'] } }), [
      'user__ask',
      'mcp_invoke_slack',
    ]);
    assert.equal(select(role('', 'all')).length, 5);
  });

  test('includes agent functions only while an agent is active', () => {
    const isOfAgent = name => /^(agent|todo)__/.test(name);
    assert.deepEqual(select({}).filter(isOfAgent), []);
    assert.deepEqual(select({ agent: {} }).filter(isOfAgent), ['agent__spawn', 'todo__add']);
  });

  test("puts the agent's own functions first, in place of others of the same name", () => {
    const own = { name: 'get_weather', parameters: { type: 'object' } };
    const selected = selectFunctions({ functions, agent: { functions: [own] }, ...role('get_weather') });
    assert.equal(selected[0], own);
    assert.equal(selected.filter(({ name }) => name === 'get_weather').length, 1);
  });

  test('returns definitions as they were given, in any form', () => {
    const openai = { type: 'function', function: { name: 'fs_cat', parameters: { type: 'object' } } };
    const anthropic = { name: 'fs_ls', input_schema: { type: 'object' } };
    assert.deepEqual(selectFunctions({ functions: [openai, anthropic], ...role('fs_cat') }), [openai]);
  });

  test('reports names that enable nothing', () => {
    const warnings = [];
    select({ ...role('get_wether', 'gihub'), onWarning: warning => warnings.push(warning) });
    assert.deepEqual(
      warnings.map(({ list, name, suggestion }) => [list, name, suggestion]),
      [
        ['enabled_tools', 'get_wether', 'get_weather'],
        ['enabled_mcp_servers', 'gihub', 'github'],
      ],
    );
    assert.equal(
      warnings[0].message,
      'enabled_tools names "get_wether", but there is no such function. Did you mean "get_weather"?',
    );
  });
});

suite('the context of a dispatcher', () => {
  const names = ({ functions }) => functions.map(({ name }) => name);
  const options = {
    handlers: { fs_cat: () => 'text', get_weather: () => 'sun' },
    mcp: echoes('mcp_invoke_github', 'mcp_search_github', 'mcp_describe_github'),
    supervisor: createSupervisor({ agents: { helper: { description: 'Helps', run: () => 'done' } } }),
  };

  test('with an agent, the functions of agents and of that agent are available', async () => {
    const agent = { name: 'lead', handlers: { plan: () => 'a plan', get_weather: () => 'rain' } };
    const dispatcher = createDispatcher({ ...options, agent });
    assert.ok(names(dispatcher).includes('agent__spawn') && names(dispatcher).includes('todo__add'));
    const results = await dispatcher.evalToolCalls([call('a', 'plan'), call('b', 'get_weather')]);
    assert.deepEqual(outputs(results), ['a plan', 'rain']);
  });

  test('with a role, what it enables is available and the rest is refused', async () => {
    const role = { enabled_tools: 'get_weather', enabled_mcp_servers: '' };
    const dispatcher = createDispatcher({ ...options, role });
    assert.deepEqual(names(dispatcher), ['get_weather']);
    const results = await dispatcher.evalToolCalls([call('a', 'get_weather'), call('b', 'fs_cat')]);
    assert.equal(results[0].output, 'sun');
    assert.equal(errorOf(results[1]), 'The tool "fs_cat" is not enabled. Enabled tools: get_weather.');
  });

  test('with MCP servers, search, describe and invoke work', async () => {
    const role = { enabled_tools: '', enabled_mcp_servers: 'github' };
    const dispatcher = createDispatcher({ ...options, role });
    const calls = ['search', 'describe', 'invoke'].map(action => call(action, `mcp_${action}_github`));
    const results = await dispatcher.evalToolCalls(calls);
    assert.deepEqual(
      results.map(({ output }) => output.route.action),
      ['search', 'describe', 'invoke'],
    );
  });

  test('without an agent, no agent__ and todo__ functions are declared', async () => {
    const dispatcher = createDispatcher(options);
    assert.deepEqual(
      names(dispatcher).filter(name => /^(agent|todo)__/.test(name)),
      [],
    );
    const [result] = await dispatcher.evalToolCalls([call('a', 'agent__spawn', { agent: 'helper', prompt: 'Go' })]);
    assert.match(errorOf(result), /The tool "agent__spawn" is not enabled/);
  });

  test('can be switched between rounds', async () => {
    const dispatcher = createDispatcher(options);
    dispatcher.use({ agent: { name: 'lead' }, role: { enabled_tools: '', enabled_mcp_servers: '' } });
    assert.ok(names(dispatcher).every(name => /^(agent|todo)__/.test(name)));
    dispatcher.use({ agent: undefined });
    assert.deepEqual(names(dispatcher), []);
    dispatcher.use({ role: undefined });
    assert.equal(names(dispatcher).length, 5);
  });
});

suite('escalations', () => {
  const waiting = escalations =>
    escalations.ask({ kind: 'input', question: 'Which one?', options: [] }, { signal: new AbortController().signal });

  test('the agent at depth 0 is notified after each round while an agent waits', async () => {
    const escalations = new EscalationQueue();
    const dispatcher = weather({ escalations });
    const calls = [call('a', 'get_weather', { city: 'Oslo' })];
    assert.equal((await dispatcher.evalToolCalls(calls)).length, 1);
    const answer = waiting(escalations);
    const results = await dispatcher.evalToolCalls(calls);
    assert.equal(results.length, 2);
    assert.equal(results[1].notification, true);
    assert.equal(results[1].output.pending_escalations[0].question, 'Which one?');
    escalations.reply(results[1].output.pending_escalations[0].escalation_id, 'The first');
    assert.equal(await answer, 'The first');
    dispatcher.tracker.record({ name: 'other' });
    assert.equal((await dispatcher.evalToolCalls(calls)).length, 1);
  });

  test('an agent below depth 0 is not notified', async () => {
    const escalations = new EscalationQueue();
    const answer = waiting(escalations);
    const results = await weather({ escalations, depth: 1 }).evalToolCalls([
      call('a', 'get_weather', { city: 'Oslo' }),
    ]);
    assert.equal(results.length, 1);
    escalations.reply(escalations.pending()[0].escalation_id, 'x');
    await answer;
  });

  test('a question of an agent reaches the agent at depth 0, which answers it', async () => {
    const supervisor = createSupervisor({
      agents: {
        packer: {
          description: 'Packs a bag',
          run: async ({ run }) => {
            const dispatcher = createDispatcher({ agentRun: run });
            const asked = { question: 'For how many days?', options: ['2', '7'] };
            const [{ output }] = await dispatcher.evalToolCalls([call('q', 'user__ask', asked)]);
            return `packed for ${output.answer} days`;
          },
        },
      },
    });
    const dispatcher = createDispatcher({ supervisor, agent: { name: 'lead' } });
    const one = async (name, args) => (await dispatcher.evalToolCalls([call(name, name, args)]))[0].output;
    const { id } = await one('agent__spawn', { agent: 'packer', prompt: 'Pack' });
    const early = await one('agent__collect', { id });
    const [{ escalation_id, agent }] = early.pending_escalations;
    assert.equal(agent.name, 'packer');
    await one('agent__reply_escalation', { id: escalation_id, reply: '7' });
    assert.equal((await one('agent__collect', { id })).result, 'packed for 7 days');
    await supervisor.close();
  });
});

suite('an agent that is cancelled', () => {
  test('has its calls aborted and its questions taken back', async () => {
    const ended = [];
    const supervisor = createSupervisor({
      agents: {
        worker: {
          description: 'Works',
          run: async ({ run }) => {
            const hangs = (_, { signal }) =>
              new Promise(() => signal.addEventListener('abort', () => ended.push('call aborted')));
            const dispatcher = createDispatcher({ agentRun: run, handlers: { hangs } });
            const calls = [call('a', 'hangs'), call('b', 'user__confirm', { question: 'Go on?' })];
            const results = await dispatcher.evalToolCalls(calls);
            ended.push(...results.map(errorOf));
          },
        },
      },
    });
    const dispatcher = createDispatcher({ supervisor, agent: { name: 'lead' } });
    const one = async (name, args) => (await dispatcher.evalToolCalls([call(name, name, args)]))[0].output;
    const { id } = await one('agent__spawn', { agent: 'worker', prompt: 'Work' });
    await supervisor.escalations.nextPending(AbortSignal.timeout(10_000));
    assert.equal((await one('agent__cancel', { id })).status, 'cancelled');
    await supervisor.close();
    const aborted = 'The call was aborted before it had a result.';
    assert.deepEqual(ended, ['call aborted', aborted, aborted]);
    assert.equal(supervisor.escalations.size, 0);
  });
});

suite('events', () => {
  test('show each call as it starts and as it ends, with its time', async () => {
    const events = [];
    const dispatcher = weather({
      onCall: event => events.push(['call', event]),
      onResult: event => events.push(['result', event]),
    });
    const before = Date.now();
    await dispatcher.evalToolCalls([call('a', 'get_weather', { city: 'Oslo' }), call('b', 'get_weather', {})]);
    const shown = events.map(([what, { id, name, status, round, index }]) => [what, id, name, status, round, index]);
    assert.deepEqual(shown.toSorted(), [
      ['call', 'a', 'get_weather', undefined, 1, 0],
      ['result', 'a', 'get_weather', 'success', 1, 0],
      ['result', 'b', 'get_weather', 'refused', 1, 1],
    ]);
    const [, result] = events.find(([what, { id }]) => what === 'result' && id === 'a');
    assert.ok(before <= result.startedAt && result.startedAt <= Date.now() && result.durationMs >= 0);
    assert.deepEqual(result.route, { kind: 'function' });
  });

  test('of an observer that throws are reported, and the run goes on', async () => {
    const warnings = [];
    const dispatcher = weather({
      onCall: () => {
        throw new Error('no screen');
      },
      onWarning: warning => {
        warnings.push(warning);
        throw new Error('nor a log');
      },
    });
    const [{ output }] = await dispatcher.evalToolCalls([call('a', 'get_weather', { city: 'Oslo' })]);
    assert.equal(output.city, 'Oslo');
    assert.deepEqual(warnings, [{ kind: 'observer_failed', message: 'onCall threw: no screen' }]);
  });
});

suite('the trajectory of a run', () => {
  test('holds what was said and called, and can be checked', async () => {
    const dispatcher = weather();
    dispatcher.addMessage('user', 'How warm is it in Oslo?');
    await dispatcher.evalToolCalls([call('a', 'get_weather', { city: 'Oslo' })], { content: 'I will look it up.' });
    dispatcher.addMessage('agent', 'It is 21 degrees in Oslo.');
    const trajectory = dispatcher.trajectory('run-1');
    assert.equal(trajectory.trajectory_id, 'run-1');
    assert.deepEqual(
      trajectory.turns.map(({ turn_id, role, content }) => [turn_id, role, content]),
      [
        [1, 'user', 'How warm is it in Oslo?'],
        [2, 'agent', 'I will look it up.'],
        [3, 'agent', 'It is 21 degrees in Oslo.'],
      ],
    );
    const report = checkTrajectories(trajectory);
    assert.equal(report.summary.passed, 1);
    assert.equal(report.trajectories[0].hasTools, true);
    assert.deepEqual(report.trajectories[0].results[0].issues, []);
  });

  test('shows a false reply and an invalid call', async () => {
    const dispatcher = weather();
    dispatcher.addMessage('user', 'How warm is it in Oslo?');
    await dispatcher.evalToolCalls([call('a', 'get_weather', { place: 'Oslo' })]);
    await dispatcher.evalToolCalls([call('b', 'get_weather', { city: 'Oslo' })]);
    dispatcher.addMessage('agent', 'It is 35 degrees in Oslo.');
    const { results } = checkTrajectories(dispatcher.trajectory()).trajectories[0];
    const types = results.flatMap(({ issues }) => issues.map(({ type }) => type));
    assert.ok(types.includes('missing_required_param'), types.join());
    assert.ok(types.includes('hallucinated_result'), types.join());
  });

  test('has the tools of all its rounds, also after the context was switched', async () => {
    const dispatcher = weather({ agent: { name: 'lead', handlers: { plan: () => 'a plan' } } });
    await dispatcher.evalToolCalls([call('a', 'plan')]);
    dispatcher.use({ agent: undefined });
    await dispatcher.evalToolCalls([call('b', 'get_weather', { city: 'Oslo' })]);
    const names = dispatcher.trajectory().tools.map(({ name }) => name);
    assert.ok(names.includes('plan') && names.includes('get_weather'));
    assert.equal(dispatcher.functions.length, 1);
  });

  test('is a copy, can be forgotten, and need not be kept', async () => {
    const dispatcher = weather();
    dispatcher.addMessage('user', 'Hello');
    const before = dispatcher.trajectory();
    dispatcher.addMessage('user', 'Are you there?');
    assert.equal(before.turns.length, 1);
    dispatcher.clear();
    assert.deepEqual(dispatcher.trajectory().turns, []);
    assertFails(() => weather({ record: false }).trajectory(), { code: 'invalid_option', says: /record/ });
  });
});

suite('options of a dispatcher', () => {
  test('that can not be used are refused by name', () => {
    for (const [options, named] of [
      [{ concurrency: 0 }, /concurrency/],
      [{ timeoutMs: -1 }, /timeoutMs/],
      [{ maxOutputBytes: Number.NaN }, /maxOutputBytes/],
      [{ depth: 0.5 }, /depth/],
      [{ onLoop: 'ignore' }, /onLoop/],
      [{ invalidCalls: 'maybe' }, /invalidCalls/],
      [{ handlers: { f: 7 } }, /handlers\.f/],
      [{ functions: [getWeather] }, /handlers\.get_weather/],
    ]) {
      assertFails(() => createDispatcher(options), { code: 'invalid_option', says: named });
    }
  });

  test('that are no object, or can not be read, are refused', () => {
    const unreadable = new Proxy({}, { get: () => assert.fail('read'), ownKeys: () => assert.fail('read') });
    const makers = [
      createDispatcher,
      createSupervisor,
      options => new EscalationQueue(options),
      options => new ToolCallTracker(options),
    ];
    for (const make of makers) {
      for (const options of [null, 7, 'text', []]) {
        assertFails(() => make(options), { code: 'invalid_option', says: /options: expected an object/ });
      }
      assertFails(() => make(unreadable), { code: 'unsupported_value', says: /can't be read/ });
    }
    assertFails(() => createSupervisor(), { code: 'invalid_option', says: /options: expected an object/ });
  });

  test('may name a to-do list, which is then the one that is used', async () => {
    const todo = new TodoList();
    const dispatcher = createDispatcher({ todo, agent: { name: 'lead' } });
    await dispatcher.evalToolCalls([call('a', 'todo__init', { goal: 'Plan' })]);
    assert.equal(todo.toJSON().goal, 'Plan');
    assert.equal(createDispatcher({ todo: false, agent: { name: 'lead' } }).functions.length, 0);
  });
});
