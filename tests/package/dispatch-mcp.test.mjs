import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { compileErrors, folderIn, fromConsumer, install, run, runTool, TESTS } from './support/consumer.mjs';

const project = install('@modelcontextprotocol/sdk', '@modelcontextprotocol/server-everything', 'zod', '@types/node');
const { createDispatcher, mcpServers, ToolCallFailure } = await fromConsumer('toolgauge/dispatch', project);
const { connectMcpServers } = await fromConsumer('toolgauge/dispatch/node', project);
const { ToolgaugeError } = await fromConsumer('toolgauge', project);

const EVERYTHING = {
  command: process.execPath,
  args: [join(project, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
};
const hostile = mode => ({ command: process.execPath, args: [join(TESTS, 'support/mcp-servers/hostile.mjs'), mode] });

/** Long enough on a machine with much else to do. */
const PATIENCE = { timeout: 120_000 };

/** Runs a call as a dispatcher does. */
async function call(mcp, action, server, args, signal = new AbortController().signal) {
  const route = { kind: 'mcp', action, server };
  return mcp.run({ name: `mcp_${action}_${server}`, arguments: args, route }, { signal, depth: 0 });
}

const invoke = (mcp, server, tool, args, signal) => call(mcp, 'invoke', server, { tool, arguments: args }, signal);

/** Asserts that a call fails with a message for the model that matches `patterns`, and returns the message. */
async function failure(promise, ...patterns) {
  const error = await promise.then(
    output => assert.fail(`expected a failure, got ${JSON.stringify(output).slice(0, 200)}`),
    error => error,
  );
  assert.ok(error instanceof ToolCallFailure, `expected a ToolCallFailure, got ${error.stack}`);
  for (const pattern of patterns) assert.match(error.message, pattern);
  return error.message;
}

/** Servers that are ended after the test. */
async function connected(t, configs, options) {
  const mcp = await connectMcpServers(configs, options);
  t.after(() => mcp.close());
  return mcp;
}

/** A client in this process that lists `pages` and answers each call with what `answer` makes of it. */
function clientOf(pages, answer = params => ({ content: [{ type: 'text', text: JSON.stringify(params) }] })) {
  const requests = [];
  return {
    requests,
    async listTools(params) {
      requests.push(['list', params?.cursor]);
      const page = pages[Number(params?.cursor ?? 0)];
      return typeof page === 'function' ? page() : page;
    },
    async callTool(params, schema, options) {
      requests.push(['call', params]);
      assert.equal(schema, undefined);
      return answer(params, options);
    },
  };
}

const tool = (name, rest = {}) => ({ name, inputSchema: { type: 'object' }, ...rest });
const result = value => clientOf([{ tools: [tool('it')] }], () => value);
const outputOf = value => invoke(mcpServers({ s: result(value) }), 's', 'it');

/** Whether a process runs. One that has ended may wait for its parent, as a zombie. */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function assertEnds(pid) {
  for (let tries = 0; isRunning(pid); tries += 1) {
    assert.ok(tries < 600, `process ${pid} still runs`);
    await wait(50);
  }
}

suite('mcpServers', () => {
  test('declares three functions for each server', () => {
    const mcp = mcpServers({ github: clientOf([]), 'my-files': clientOf([]) });
    assert.deepEqual(mcp.servers, ['github', 'my-files']);
    assert.deepEqual(
      mcp.definitions.map(({ name }) => name),
      ['github', 'my-files'].flatMap(name => ['search', 'describe', 'invoke'].map(action => `mcp_${action}_${name}`)),
    );
    for (const { description, parameters } of mcp.definitions.slice(0, 3)) {
      assert.match(description, /"github"/);
      assert.deepEqual([parameters.type, parameters.additionalProperties], ['object', false]);
    }
  });

  test('says what a server is for: as the options say, or else as the server does, in short', () => {
    const client = { ...clientOf([]), getInstructions: () => `Handle with care. ${'x'.repeat(10_000)}` };
    const [own] = mcpServers({ s: client }).definitions;
    assert.match(own.description, /About the server: Handle with care\. x+…$/);
    assert.ok(own.description.length < 1_000);
    const [given] = mcpServers({ s: client }, { descriptions: { s: 'Holds the files.' } }).definitions;
    assert.match(given.description, /About the server: Holds the files\.$/);
    const [none] = mcpServers({ s: clientOf([]) }).definitions;
    assert.doesNotMatch(none.description, /About/);
  });

  test('rejects names that do not fit into function names, and values that are not clients', () => {
    for (const name of ['', 'a b', 'a.b', 'a\n', 'ä', '../x']) {
      assert.throws(
        () => mcpServers({ [name]: clientOf([]) }),
        error => error instanceof ToolgaugeError && error.code === 'invalid_option',
        name,
      );
    }
    for (const clients of [null, undefined, [], 'x']) {
      assert.throws(() => mcpServers(clients), { code: 'invalid_option', path: 'clients' });
    }
    for (const client of [null, undefined, 5, {}, { listTools() {} }]) {
      assert.throws(() => mcpServers({ s: client }), { code: 'invalid_option', path: 'clients["s"]' });
    }
  });

  test('a call of an unknown server fails and names those that exist', async () => {
    const mcp = mcpServers({ github: clientOf([]), files: clientOf([]) });
    for (const server of ['gitlab', '__proto__', 'constructor', '']) {
      await failure(call(mcp, 'search', server, { query: '' }), /no MCP server/, /github, files/);
    }
    const route = { kind: 'function' };
    await failure(
      mcp.run({ name: 'x', arguments: {}, route }, { signal: new AbortController().signal, depth: 0 }),
      /github/,
    );
  });

  test('search lists what matches, best first, with short descriptions', async () => {
    const tools = [
      tool('create_issue', { description: `Creates an issue. ${'x'.repeat(500)}` }),
      tool('send_mail', { description: 'Sends mail' }),
      tool('list_issues'),
    ];
    const mcp = mcpServers({ s: clientOf([{ tools }]) });
    const found = await call(mcp, 'search', 's', { query: 'create an issue' });
    assert.equal(found.tools[0].name, 'create_issue');
    assert.equal(found.tools[0].description.length, 201);
    assert.ok(!found.tools.some(({ name }) => name === 'send_mail'));
    assert.equal(found.total, found.tools.length);
  });

  test('search with an empty query lists all tools in order, up to the limit', async () => {
    const tools = Array.from({ length: 60 }, (_, index) => tool(`tool_${index}`));
    const mcp = mcpServers({ s: clientOf([{ tools }]) });
    for (const [limit, count] of [
      [undefined, 8],
      [1, 1],
      [50, 50],
    ]) {
      const found = await call(mcp, 'search', 's', { query: ' ', ...(limit && { limit }) });
      assert.equal(found.total, 60);
      assert.deepEqual(
        found.tools,
        tools.slice(0, count).map(({ name }) => ({ name })),
      );
    }
    for (const limit of [0, 51, 1.5, '5', null]) {
      await failure(call(mcp, 'search', 's', { query: '', limit }), /limit: expected a whole number from 1 to 50/);
    }
  });

  test('search without a match says how to list all tools', async () => {
    const mcp = mcpServers({ s: clientOf([{ tools: [tool('send_mail')] }]), empty: clientOf([{ tools: [] }]) });
    const found = await call(mcp, 'search', 's', { query: 'xylophone' });
    assert.deepEqual([found.tools, found.total], [[], 0]);
    assert.match(found.hint, /"xylophone".*empty query to list all 1 tools/);
    assert.match((await call(mcp, 'search', 'empty', { query: '' })).hint, /no tools/);
  });

  test('describe returns the whole definition', async () => {
    const definition = tool('send', {
      title: 'Send',
      description: 'x'.repeat(5_000),
      outputSchema: { type: 'object' },
      annotations: { readOnlyHint: true },
    });
    const mcp = mcpServers({ s: clientOf([{ tools: [definition, tool('plain')] }]) });
    const { title, ...expected } = definition;
    assert.deepEqual(await call(mcp, 'describe', 's', { tool: 'send' }), expected);
    assert.deepEqual(await call(mcp, 'describe', 's', { tool: 'plain' }), tool('plain'));
  });

  test('an unknown tool fails with what was probably meant and how to search', async () => {
    const mcp = mcpServers({ s: clientOf([{ tools: [tool('create_issue'), tool('send_mail')] }]) });
    for (const action of ['describe', 'invoke']) {
      await failure(call(mcp, action, 's', { tool: 'create_isue' }), /"create_issue"/, /mcp_search_s/);
      for (const name of ['__proto__', 'constructor', '', 'a\0b\n', '../../etc/passwd', 'x'.repeat(100_000)]) {
        const message = await failure(call(mcp, action, 's', { tool: name }), /mcp_search_s/);
        assert.ok(message.length < 1_000);
      }
    }
  });

  test('arguments of the wrong kind fail with what was expected', async () => {
    const mcp = mcpServers({ s: clientOf([{ tools: [tool('it')] }]) });
    await failure(call(mcp, 'search', 's', {}), /query: expected a text, got undefined/);
    await failure(call(mcp, 'describe', 's', { tool: 5 }), /tool: expected a text, got number/);
    for (const args of ['{}', 5, [], true]) {
      await failure(invoke(mcp, 's', 'it', args), /arguments: expected an object/);
    }
    for (const args of [undefined, null]) assert.equal((await invoke(mcp, 's', 'it', args)).name, 'it');
  });

  test('refuses wrong arguments before the server sees them, and shows what would fit', async () => {
    const inputSchema = {
      type: 'object',
      properties: { days: { type: 'integer' }, city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    };
    const client = clientOf([{ tools: [tool('forecast', { inputSchema })] }]);
    const mcp = mcpServers({ s: client });
    await failure(invoke(mcp, 's', 'forecast', { days: 3 }), /"forecast" was not run/, /city: required, but missing/);
    await failure(
      invoke(mcp, 's', 'forecast', { city: 'Oslo', days: '3' }),
      /days: expected integer, got "3"/,
      /\{"city":"Oslo","days":3\}|\{"days":3,"city":"Oslo"\}/,
    );
    await failure(invoke(mcp, 's', 'forecast', JSON.parse('{"city":"Oslo","__proto__":{"x":1}}')), /__proto__/);
    assert.deepEqual(client.requests, [['list', undefined]]);
    await invoke(mcp, 's', 'forecast', { city: 'Oslo', days: 3 });
    assert.deepEqual(client.requests[1], ['call', { name: 'forecast', arguments: { city: 'Oslo', days: 3 } }]);
  });

  test('a definition that is invalid takes no other tool down', async () => {
    const tools = [
      tool('broken', { inputSchema: { type: 'town' } }),
      null,
      5,
      { name: 7 },
      JSON.parse('{"name": "__proto__", "__proto__": {"name": "x"}, "inputSchema": {"type": "object"}}'),
      tool('twice', { description: 'first' }),
      tool('twice', { description: 'second' }),
      tool('fine'),
    ];
    const mcp = mcpServers({ s: clientOf([{ tools }]) });
    await failure(invoke(mcp, 's', 'broken', {}), /"broken" can't be called/, /invalid schema/);
    for (const name of ['__proto__', 'twice', 'fine']) assert.equal((await invoke(mcp, 's', name)).name, name);
    assert.equal((await call(mcp, 'describe', 's', { tool: 'twice' })).description, 'first');
    const { total } = await call(mcp, 'search', 's', { query: '' });
    assert.equal(total, 4);
    assert.equal({}.name, undefined);
  });

  test('fetches all pages, once for calls at the same time', async () => {
    const client = clientOf([
      { tools: [tool('a')], nextCursor: '1' },
      { tools: [tool('b')], nextCursor: '2' },
      { tools: [tool('c')], nextCursor: '' },
    ]);
    const mcp = mcpServers({ s: client });
    const found = await Promise.all(['a', 'b', 'c'].map(name => call(mcp, 'describe', 's', { tool: name })));
    assert.deepEqual(
      found.map(({ name }) => name),
      ['a', 'b', 'c'],
    );
    assert.deepEqual(client.requests, [
      ['list', undefined],
      ['list', '1'],
      ['list', '2'],
    ]);
  });

  test('looks in a new list for a tool that it does not know, once for calls at the same time', async () => {
    let tools = [tool('old')];
    const client = clientOf([() => ({ tools })]);
    const mcp = mcpServers({ s: client });
    await invoke(mcp, 's', 'old');
    tools = [tool('old'), tool('new')];
    await Promise.all(Array.from({ length: 20 }, () => call(mcp, 'describe', 's', { tool: 'new' })));
    assert.equal(client.requests.filter(([kind]) => kind === 'list').length, 2);
    tools = [tool('newest')];
    assert.equal((await call(mcp, 'search', 's', { query: 'newest' })).tools[0].name, 'newest');
  });

  test('refresh forgets the tools of one server or of all', async () => {
    const clients = { a: clientOf([{ tools: [tool('it')] }]), b: clientOf([{ tools: [tool('it')] }]) };
    const mcp = mcpServers(clients);
    const lists = async () => {
      for (const server of mcp.servers) await call(mcp, 'describe', server, { tool: 'it' });
      return Object.values(clients).map(({ requests }) => requests.length);
    };
    assert.deepEqual(await lists(), [1, 1]);
    mcp.refresh('b');
    assert.deepEqual(await lists(), [1, 2]);
    mcp.refresh();
    assert.deepEqual(await lists(), [2, 3]);
  });

  test('a list that could not be fetched is fetched again by the next call', async () => {
    const errors = [new Error('no network')];
    const client = clientOf([
      () => {
        const error = errors.pop();
        if (error) throw error;
        return { tools: [tool('it')] };
      },
    ]);
    const mcp = mcpServers({ s: client });
    await failure(invoke(mcp, 's', 'it'), /"s" failed to list its tools: no network/);
    assert.equal((await invoke(mcp, 's', 'it')).name, 'it');
  });

  test('a caller that gives up does not end the fetch that others wait for', async () => {
    let answer;
    const client = clientOf([
      () =>
        new Promise(resolve => {
          answer = resolve;
        }),
    ]);
    const mcp = mcpServers({ s: client });
    const controller = new AbortController();
    const impatient = call(mcp, 'describe', 's', { tool: 'it' }, controller.signal);
    const patient = call(mcp, 'describe', 's', { tool: 'it' });
    controller.abort(new Error('no time'));
    await failure(impatient, /no time/);
    answer({ tools: [tool('it')] });
    assert.equal((await patient).name, 'it');
    assert.equal(client.requests.length, 1);
  });

  test('a list without end fails', async () => {
    const endless = { tools: [] };
    let page = 0;
    const clients = {
      same: clientOf([{ tools: [tool('it')], nextCursor: '0' }]),
      more: { ...clientOf([]), listTools: async () => ({ ...endless, nextCursor: String(page++) }) },
      many: clientOf([{ tools: Array.from({ length: 5_001 }, (_, index) => tool(`t${index}`)) }]),
      none: clientOf([{ tools: 'none' }]),
    };
    const mcp = mcpServers(clients);
    await failure(invoke(mcp, 'same', 'it'), /same page comes again/);
    await failure(invoke(mcp, 'more', 'it'), /more than 1000 pages/);
    await failure(invoke(mcp, 'many', 'it'), /more than 5000 tools/);
    await failure(invoke(mcp, 'none', 'it'), /no list of tools/);
  });

  test('thousands of tools with huge descriptions can be searched and called', PATIENCE, async () => {
    const tools = Array.from({ length: 5_000 }, (_, index) =>
      tool(`tool_${index}`, { description: 'lorem '.repeat(500) }),
    );
    tools[4_321].description = 'Paints a fence green';
    const mcp = mcpServers({ s: clientOf([{ tools }]) });
    const found = await call(mcp, 'search', 's', { query: 'paint the fence '.repeat(1_000) });
    assert.equal(found.tools[0].name, 'tool_4321');
    assert.equal((await invoke(mcp, 's', 'tool_4999')).name, 'tool_4999');
    await failure(invoke(mcp, 's', 'tol_4999'), /there is no tool "tol_4999"/);
  });

  test('the output is the structured content, one text, or the list of contents', async () => {
    const text = value => ({ type: 'text', text: value });
    for (const [value, output] of [
      [{ content: [text('{"a": 2}')], structuredContent: { a: 1 } }, { a: 1 }],
      [{ content: [text('hello')] }, 'hello'],
      [{ content: [text(' [1, 2]')] }, [1, 2]],
      [{ content: [text('{"a": 1}')] }, { a: 1 }],
      [{ content: [text('{a: 1}')] }, '{a: 1}'],
      [{ content: [text('007')] }, '007'],
      [{ content: [text('null')] }, 'null'],
      [{ content: [text('')] }, ''],
      [{ content: [text('a'), text('b')] }, [text('a'), text('b')]],
      [{ content: [] }, null],
      [{}, null],
      [{ toolResult: 5 }, 5],
    ]) {
      assert.deepEqual(await outputOf(value), output, JSON.stringify(value));
    }
    for (const value of [undefined, null, 'x', 5, []]) await failure(outputOf(value), /sent no result/);
  });

  test('binary data is replaced by its type and size', async () => {
    const data = Buffer.from('four').toString('base64');
    const output = await outputOf({
      content: [
        { type: 'image', data, mimeType: 'image/png' },
        { type: 'audio', data: '', mimeType: 5 },
        { type: 'resource', resource: { uri: 'a://b', mimeType: 'application/zip', blob: data } },
        { type: 'resource', resource: { uri: 'a://c', text: 'kept' } },
        { type: 'resource_link', uri: 'a://d', name: 'kept' },
        5,
        null,
      ],
    });
    assert.deepEqual(output, [
      { type: 'image', data: '[image/png, 4 bytes, left out]', mimeType: 'image/png' },
      { type: 'audio', data: '[binary data, 0 bytes, left out]', mimeType: 5 },
      {
        type: 'resource',
        resource: { uri: 'a://b', mimeType: 'application/zip', blob: '[application/zip, 4 bytes, left out]' },
      },
      { type: 'resource', resource: { uri: 'a://c', text: 'kept' } },
      { type: 'resource_link', uri: 'a://d', name: 'kept' },
      5,
      null,
    ]);
  });

  test('an error result fails with its text', async () => {
    const content = ['disk full', 'try later'].map(text => ({ type: 'text', text }));
    assert.equal(await failure(outputOf({ content, isError: true })), 'disk full\ntry later');
    assert.equal(await failure(outputOf({ structuredContent: { code: 5 }, isError: true })), '{"code":5}');
    await failure(outputOf({ content: [], isError: true }), /"s" failed to run "it"/);
  });

  test('a call ends with its signal, also when the client does not listen', async () => {
    const controller = new AbortController();
    let signal;
    const client = clientOf([{ tools: [tool('it')] }], (_, options) => {
      signal = options.signal;
      controller.abort(new Error('time is up'));
      return new Promise(() => {});
    });
    await failure(
      invoke(mcpServers({ s: client }), 's', 'it', {}, controller.signal),
      /"s" failed to run "it": time is up/,
    );
    assert.equal(signal.aborted, true);
    await failure(invoke(mcpServers({ s: client }), 's', 'it', {}, controller.signal), /time is up/);
  });
});

suite('connectMcpServers', PATIENCE, () => {
  test('finds, describes and calls tools of a real server', async t => {
    const mcp = await connected(t, { everything: EVERYTHING });
    assert.deepEqual(mcp.servers, ['everything']);
    assert.match(mcp.definitions[0].description, /About the server: .*Everything/s);
    for (const [query, name] of [
      ['repeat a message back', 'echo'],
      ['add two numbers', 'get-sum'],
      ['environment variables', 'get-env'],
      ['image', 'get-tiny-image'],
    ]) {
      const { tools } = await call(mcp, 'search', 'everything', { query });
      assert.ok(
        tools.slice(0, 3).some(found => found.name === name),
        `${query}: ${JSON.stringify(tools)}`,
      );
    }
    const described = await call(mcp, 'describe', 'everything', { tool: 'get-sum' });
    assert.deepEqual(Object.keys(described.inputSchema.properties), ['a', 'b']);
    assert.equal(described.annotations.readOnlyHint, true);
    assert.match(await invoke(mcp, 'everything', 'get-sum', { a: 2, b: 3 }), /sum of 2 and 3 is 5/);
    await failure(invoke(mcp, 'everything', 'get-sum', { a: 2 }), /b: required, but missing/);
    await failure(invoke(mcp, 'everything', 'get-summ', { a: 2 }), /"get-sum"/);
  });

  test('a dispatcher runs the three functions, and ends what hangs or floods', async t => {
    const mcp = await connected(t, { everything: EVERYTHING, s: hostile('calls') });
    const dispatcher = createDispatcher({ mcp });
    const args = [
      ['search_everything', { query: 'add two numbers' }],
      ['describe_everything', { tool: 'get-sum' }],
      ['invoke_everything', { tool: 'get-sum', arguments: { a: 2, b: 3 } }],
      ['invoke_everything', { tool: 'get-sum', arguments: { a: 'two', b: 3 } }],
      ['invoke_s', { tool: 'nothing' }],
      ['invoke_s', { tool: 'flood', arguments: { bytes: 10_000_000 } }],
      ['invoke_t', { tool: 'hang' }],
    ];
    const calls = args.map(([name, value], index) => ({ id: String(index), name: `mcp_${name}`, arguments: value }));
    const outputs = (await dispatcher.evalToolCalls(calls)).map(({ output }) => output);
    assert.ok(outputs[0].tools.some(({ name }) => name === 'get-sum'));
    assert.equal(outputs[1].name, 'get-sum');
    assert.match(outputs[2], /is 5/);
    assert.match(outputs[3].tool_call_error, /a: expected number, got "two"/);
    assert.equal(outputs[4], 'DONE');
    assert.ok(JSON.stringify(outputs[5]).length < 2_000_000);
    assert.equal(typeof outputs[6].tool_call_error, 'string');
    const impatient = createDispatcher({ mcp, timeoutMs: 500 });
    const hanging = { id: '0', name: 'mcp_invoke_s', arguments: { tool: 'hang' } };
    const [{ output }] = await impatient.evalToolCalls([hanging]);
    assert.equal(typeof output.tool_call_error, 'string');
  });

  test('close ends a server that npx has started', { skip: process.platform !== 'linux' }, async t => {
    const npx = { command: 'npx', args: ['--no-install', 'mcp-server-everything'], cwd: project };
    const mcp = await connected(t, { everything: npx });
    const { npm_lifecycle_event } = await invoke(mcp, 'everything', 'get-env');
    assert.equal(npm_lifecycle_event, 'npx');
    const before = children();
    assert.equal(before.length, 1);
    const [server] = descendants(before[0]).slice(-1);
    await mcp.close();
    await assertEnds(server);
  });

  test('returns structured content, images and embedded files of a real server', async t => {
    const mcp = await connected(t, { everything: EVERYTHING });
    const weather = await invoke(mcp, 'everything', 'get-structured-content', { location: 'Chicago' });
    assert.deepEqual(weather, { temperature: 36, conditions: 'Light rain / drizzle', humidity: 82 });
    const [before, image, after] = await invoke(mcp, 'everything', 'get-tiny-image');
    assert.deepEqual([before.type, after.type, image.type], ['text', 'text', 'image']);
    assert.match(image.data, /^\[image\/png, \d+ bytes, left out\]$/);
    const blob = { resourceType: 'Blob', resourceId: 1 };
    const contents = await invoke(mcp, 'everything', 'get-resource-reference', blob);
    assert.match(contents.find(({ type }) => type === 'resource').resource.blob, /bytes, left out/);
  });

  test('a task that the server only runs in the background fails with the reason', async t => {
    const mcp = await connected(t, { everything: EVERYTHING });
    await failure(invoke(mcp, 'everything', 'simulate-research-query', { topic: 'x' }), /task/i);
  });

  test('serves many calls at the same time', async t => {
    const mcp = await connected(t, { everything: EVERYTHING });
    const messages = Array.from({ length: 200 }, (_, index) => `message ${index}`);
    const outputs = await Promise.all(messages.map(message => invoke(mcp, 'everything', 'echo', { message })));
    assert.deepEqual(
      outputs,
      messages.map(message => `Echo: ${message}`),
    );
  });

  test('the server gets few environment variables, and those of its configuration', async t => {
    process.env.TOOLGAUGE_TEST_SECRET = 'secret';
    t.after(() => delete process.env.TOOLGAUGE_TEST_SECRET);
    const mcp = await connected(t, { s: { ...hostile('calls'), env: { UNITS: 'metric' } } });
    const environment = await invoke(mcp, 's', 'environment');
    assert.equal(environment.UNITS, 'metric');
    assert.equal(environment.PATH, process.env.PATH);
    assert.equal('TOOLGAUGE_TEST_SECRET' in environment, false);
  });

  test('error results, refusals, empty and malformed results are reported', async t => {
    const mcp = await connected(t, { s: hostile('calls') });
    assert.equal(await failure(invoke(mcp, 's', 'fail')), 'the disk is full');
    await failure(invoke(mcp, 's', 'failSilently'), /"s" failed to run "failSilently"/);
    await failure(invoke(mcp, 's', 'refuse'), /"s" failed to run "refuse": .*not today/);
    assert.equal(await invoke(mcp, 's', 'nothing'), null);
    assert.equal(await invoke(mcp, 's', 'nonsense'), null);
  });

  test('a call that hangs ends with its signal, and the server learns of that call only', async t => {
    const mcp = await connected(t, { s: hostile('calls') });
    const controller = new AbortController();
    assert.deepEqual(await invoke(mcp, 's', 'echo', { a: 1 }, controller.signal), { a: 1 });
    const hanging = invoke(mcp, 's', 'hang', {}, controller.signal);
    setTimeout(() => controller.abort(new Error('time is up')), 200);
    await failure(hanging, /"s" failed to run "hang": time is up/);
    assert.equal((await invoke(mcp, 's', 'cancelled')).length, 1);
    assert.deepEqual(await invoke(mcp, 's', 'echo', { a: 2 }), { a: 2 });
  });

  test('a result of many megabytes arrives, and one that is too large ends the connection', async t => {
    const mcp = await connected(t, { s: hostile('calls') });
    const bytes = 20 * 1024 * 1024;
    assert.equal((await invoke(mcp, 's', 'flood', { bytes })).length, bytes);
    await failure(invoke(mcp, 's', 'flood', { bytes: 2 * bytes }), /sent a message of more than \d+ bytes/);
    assert.deepEqual(await invoke(mcp, 's', 'echo', { a: 1 }), { a: 1 });
  });

  test('a crash fails the calls that run, and the next call starts the server again', async t => {
    const mcp = await connected(t, { s: hostile('calls') });
    const first = await invoke(mcp, 's', 'pid');
    const running = [invoke(mcp, 's', 'hang'), invoke(mcp, 's', 'crash')];
    for (const each of running)
      await failure(each, /exited with code 7/, /reactor.* melts/, /next call starts it again/);
    const outputs = await Promise.all(Array.from({ length: 5 }, () => invoke(mcp, 's', 'pid')));
    assert.equal(new Set(outputs).size, 1);
    assert.notEqual(outputs[0], first);
    await failure(invoke(mcp, 's', 'abort'), /ended by SIGKILL/);
    assert.notEqual(await invoke(mcp, 's', 'pid'), outputs[0]);
  });

  test('when a server reports that its tools have changed, they are listed again', async t => {
    const mcp = await connected(t, { s: hostile('calls') });
    const before = await call(mcp, 'search', 's', { query: '' });
    await invoke(mcp, 's', 'grow');
    const after = await call(mcp, 'search', 's', { query: '' });
    assert.equal(after.total, before.total + 1);
    assert.equal(await invoke(mcp, 's', 'lists'), '2');
  });

  test('lines on stdout that are not messages are ignored', async t => {
    const mcp = await connected(t, { s: hostile('garbage') });
    assert.deepEqual(await invoke(mcp, 's', 'echo', { a: 1 }), { a: 1 });
  });

  test('invalid definitions of a server take none of its other tools down', async t => {
    const mcp = await connected(t, { s: hostile('invalid-schema') });
    assert.equal((await call(mcp, 'search', 's', { query: '' })).total, 5);
    for (const name of ['broken', 'number'])
      await failure(invoke(mcp, 's', name, {}), /can't be called/, /invalid schema/);
    for (const name of ['output', 'schemaless', 'echo']) assert.deepEqual(await invoke(mcp, 's', name, {}), {});
  });

  test('an endless or malformed list of tools fails', async t => {
    const modes = ['endless-pages', 'same-page', 'no-list'];
    const mcp = await connected(t, Object.fromEntries(modes.map(mode => [mode, hostile(mode)])));
    await failure(invoke(mcp, 'endless-pages', 'echo'), /more than 1000 pages/);
    await failure(invoke(mcp, 'same-page', 'echo'), /same page/);
    await failure(invoke(mcp, 'no-list', 'echo'), /no list of tools/);
  });

  test('close ends the servers and what they started, and later calls fail', async t => {
    const mcp = await connected(t, { a: hostile('calls'), b: hostile('stubborn') });
    const pids = await Promise.all([
      ...['a', 'b'].map(server => invoke(mcp, server, 'pid')),
      ...['a', 'b'].map(server => invoke(mcp, server, 'breed')),
    ]);
    assert.deepEqual(pids.map(Number).map(isRunning), [true, true, true, true]);
    const hanging = failure(invoke(mcp, 'a', 'hang'), /"a" failed to run "hang"/);
    await Promise.all([mcp.close(), mcp.close(), hanging]);
    for (const pid of pids) await assertEnds(Number(pid));
    await failure(invoke(mcp, 'a', 'pid'), /was closed/);
    await mcp.close();
  });

  test('a crash takes down what the server had started', async t => {
    const mcp = await connected(t, { s: hostile('calls') });
    const child = Number(await invoke(mcp, 's', 'breed'));
    assert.equal(isRunning(child), true);
    await failure(invoke(mcp, 's', 'crash'), /exited with code 7/);
    await assertEnds(child);
  });

  test('a server that does not start is named with the end of its stderr, and the others are ended', async () => {
    for (const [config, says, options] of [
      [hostile('dies-at-start'), /exited with code 3\. Its stderr ends with: x+ no configuration found$/],
      [hostile('silent'), /no answer within 0\.5 s/, { startTimeoutMs: 500 }],
      [{ command: 'toolgauge-no-such-program' }, /ENOENT/],
      [{ command: process.execPath, args: ['a\0b'] }, /null byte/],
      [{ command: 5 }, /string/],
      [null, /did not start/],
    ]) {
      const before = children();
      // In half a second, the one that is fine might not start either.
      const others = options === undefined ? { fine: hostile('calls') } : {};
      const error = await connectMcpServers({ ...others, bad: config }, options).catch(error => error);
      assert.ok(error instanceof ToolgaugeError, String(error));
      assert.match(error.message, /"bad" did not start/);
      assert.match(error.message, says);
      assert.ok(error.message.length < 3_000);
      assert.deepEqual(children(), before);
    }
  });

  test('rejects invalid options, and starts nothing', async () => {
    const before = children();
    for (const [configs, options, path] of [
      [{ 'a b': hostile('calls') }, {}, 'clients["a b"]'],
      [undefined, {}, 'configs'],
      ...[0, -1, Number.NaN, '5', 2 ** 31].map(startTimeoutMs => [
        { a: hostile('calls') },
        { startTimeoutMs },
        'options.startTimeoutMs',
      ]),
    ]) {
      await assert.rejects(connectMcpServers(configs, options), { code: 'invalid_option', path });
    }
    assert.deepEqual(children(), before);
  });

  test('a program ends by itself after close, and servers do not outlive a program that never closes', async t => {
    const program = end => `
      import { connectMcpServers } from 'toolgauge/dispatch/node';
      const mcp = await connectMcpServers({ s: ${JSON.stringify(hostile('stubborn'))} });
      const route = { kind: 'mcp', action: 'invoke', server: 's' };
      const call = { name: 'mcp_invoke_s', arguments: { tool: 'pid' }, route };
      console.log(await mcp.run(call, { signal: new AbortController().signal, depth: 0 }));
      ${end}`;
    const ends = { close: 'await mcp.close();', dispose: 'await mcp[Symbol.asyncDispose]();', exit: 'process.exit();' };
    const files = Object.entries(ends).map(([name, end]) => [`${name}.mjs`, program(end)]);
    const folder = folderIn(project, t, Object.fromEntries(files));
    for (const [file] of files) {
      const { code, stdout, stderr } = await run(process.execPath, [file], { cwd: folder, timeout: 60_000 });
      assert.deepEqual([code, stderr], [0, ''], file);
      assert.match(stdout, /^\d+\n$/);
      await assertEnds(Number(stdout));
    }
  });

  test('without the SDK, the error says what to install', async () => {
    const bare = await fromConsumer('toolgauge/dispatch/node');
    await assert.rejects(bare.connectMcpServers({}), {
      name: 'ToolgaugeError',
      code: 'invalid_option',
      message: /npm install @modelcontextprotocol\/sdk/,
    });
  });

  test('types need no SDK, and its client fits', async t => {
    const servers = `
      import { mcpServers, type McpClient, type McpServers } from 'toolgauge/dispatch';
      import { connectMcpServers, type ConnectedMcpServers, type McpServerConfig } from 'toolgauge/dispatch/node';
      const config: McpServerConfig = { command: 'node', args: ['server.js'] };
      const connected: ConnectedMcpServers = await connectMcpServers({ a: config }, { startTimeoutMs: 1000 });
      export const both: McpServers[] = [connected, mcpServers({}, { descriptions: { a: 'b' } })];
      await connected.close();
      // @ts-expect-error a client has to have callTool
      export const none: McpClient = { listTools: async () => ({ tools: [] }) };`;
    assert.equal(await compileErrors(t, { 'servers.mts': servers }), '');
    const client = `
      import { Client } from '@modelcontextprotocol/sdk/client/index.js';
      import { mcpServers } from 'toolgauge/dispatch';
      export const mcp = mcpServers({ a: new Client({ name: 'a', version: '1' }) });`;
    const cwd = folderIn(project, t, { 'client.mts': client });
    const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', 'node'];
    const modules = ['--target', 'es2022', '--module', 'nodenext'];
    assert.equal((await runTool('tsc', [...flags, ...modules, 'client.mts'], { cwd })).stdout, '');
  });
});

/** The processes that this one has started and that still run. */
function children(pid = process.pid) {
  if (process.platform !== 'linux') return [];
  const ids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return ids.map(Number).filter(isRunning);
}

function descendants(pid) {
  return children(pid).flatMap(child => [child, ...descendants(child)]);
}
