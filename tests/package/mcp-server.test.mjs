// `toolgauge mcp`, as a client of the Model Context Protocol has it: a project with nothing but toolgauge, a child
// process, and the client of the MCP SDK.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { fromConsumer, install, run } from './support/consumer.mjs';
import { blocksOf, ROOT, replaceAfter } from './support/documents.mjs';
import { mutations } from './support/mutations.mjs';

const project = install();
const CLI = join(project, 'node_modules/.bin/toolgauge');
const { checkTrajectories, explainIssues, lintTools, scoreToolCalls, scoreTrajectories } = await fromConsumer(
  'toolgauge',
  project,
);

const TOOLS = ['check_trajectory', 'check_tool_call', 'lint_tools', 'score_tool_calls', 'explain_issue'];

/** A folder with the examples, and one outside of it. */
const work = mkdtempSync(join(tmpdir(), 'toolgauge-mcp-'));
const elsewhere = mkdtempSync(join(tmpdir(), 'toolgauge-mcp-elsewhere-'));
cpSync(join(ROOT, 'examples'), join(work, 'examples'), { recursive: true });
cpSync(join(ROOT, 'examples/refund.json'), join(elsewhere, 'secret.json'));
after(() => {
  for (const folder of [work, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

const example = name => readFileSync(join(work, 'examples', name), 'utf8');
const REFUND = { path: 'examples/refund.json', toolsPath: 'examples/shop.tools.json' };

/** The client of most tests, connected when the first of them asks for it. */
let shared;
after(() => shared?.then(({ client }) => client.close()));

/** A client that is connected to a server in the folder with the examples. */
function connected() {
  shared ??= connect();
  return shared;
}

/** A client that is connected to a server of its own, which ends after the test. */
async function connectedAlone(t, options) {
  const connection = await connect(options);
  t.after(() => connection.client.close());
  return connection;
}

async function connect({ args = [], cwd = work, roots } = {}) {
  const capabilities = roots === undefined ? {} : { roots: { listChanged: true } };
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities });
  const asked = { count: 0 };
  if (roots !== undefined) {
    client.setRequestHandler(ListRootsRequestSchema, () => {
      asked.count += 1;
      return { roots: roots().map(folder => ({ uri: pathToFileURL(folder).href })) };
    });
  }
  const transport = new StdioClientTransport({ command: CLI, args: ['mcp', ...args], cwd, stderr: 'inherit' });
  await client.connect(transport);
  // The client then validates structured content against the output schemas.
  await client.listTools();
  return { client, asked };
}

/** Calls a tool that must succeed. */
async function call(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, result.content[0].text);
  return { ...result.structuredContent, text: textOf(result) };
}

/** Calls a tool that must fail, and returns the text of the error. */
async function failure(client, name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert.equal(result.isError, true, JSON.stringify(result).slice(0, 500));
  return textOf(result);
}

function textOf({ content }) {
  assert.deepEqual(
    content.map(({ type }) => type),
    ['text'],
  );
  return content[0].text;
}

/** The answers to raw lines, of a server that has then ended. */
async function exchange(lines, { args = [], cwd = work } = {}) {
  const input = lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  const { stdout, stderr, code } = await run(CLI, ['mcp', ...args], { cwd, input });
  return { answers: stdout.split('\n').filter(Boolean).map(JSON.parse), stderr, code };
}

const request = (id, method, params = {}) => ({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = request(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});

suite('the server', () => {
  test('needs no package but those that toolgauge depends on', () => {
    const names = readdirSync(join(project, 'node_modules')).filter(name => !name.startsWith('.'));
    assert.deepEqual(names.sort(), ['commander', 'fdir', 'picomatch', 'tinyglobby', 'toolgauge']);
  });

  test('says what it is and how to use it', async () => {
    const { client } = await connected();
    const { version } = JSON.parse(readFileSync(join(project, 'node_modules/toolgauge/package.json'), 'utf8'));
    assert.deepEqual(client.getServerVersion(), { name: 'toolgauge', title: 'toolgauge', version });
    assert.deepEqual(client.getServerCapabilities(), { tools: {}, resources: {}, prompts: {} });
    for (const tool of TOOLS) assert.ok(client.getInstructions().includes(tool), tool);
    await client.ping();
  });

  test('lists its tools, which only read', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      TOOLS,
    );
    for (const { name, annotations, outputSchema, description } of tools) {
      assert.equal(annotations.readOnlyHint, true, name);
      assert.equal(annotations.openWorldHint, false, name);
      assert.equal(outputSchema.type, 'object', name);
      assert.ok(description.length > 100, name);
    }
  });

  test('passes its own check of tool definitions, by the rules of every provider', async () => {
    const { client } = await connected();
    const { tools } = await client.listTools();
    assert.deepEqual(lintTools(tools, { provider: 'all' }).issues, []);
  });

  for (const [asked, answered] of [
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2024-10-07'],
    ['1999-01-01', '2025-11-25'],
  ]) {
    test(`answers a client that speaks ${asked} in ${answered}`, async () => {
      const params = { ...INITIALIZE.params, protocolVersion: asked };
      const { answers } = await exchange([{ ...INITIALIZE, params }, request(1, 'tools/list')]);
      assert.equal(answers[0].result.protocolVersion, answered);
      assert.equal(answers[1].result.tools.length, TOOLS.length);
    });
  }

  test('ends when its input ends, after it has answered', async () => {
    const calls = [1, 2, 3].map(id => request(id, 'tools/call', { name: 'check_trajectory', arguments: REFUND }));
    const { answers, stderr, code } = await exchange([INITIALIZE, ...calls]);
    assert.deepEqual(answers.map(({ id }) => id).toSorted(), [0, 1, 2, 3]);
    assert.equal(stderr, '');
    assert.equal(code, 0);
  });

  test('ends when its input ends before a client has named its roots', async () => {
    const params = { ...INITIALIZE.params, capabilities: { roots: {} } };
    const check = request(1, 'tools/call', { name: 'check_trajectory', arguments: REFUND });
    const { answers, code } = await exchange([{ ...INITIALIZE, params }, check]);
    const answer = answers.find(({ id, result }) => id === 1 && result !== undefined);
    assert.match(answer.result.content[0].text, /^FAILED/);
    assert.equal(code, 0);
  });

  test('answers 50 calls at once, each with its own result', async () => {
    const { client } = await connected();
    const calls = Array.from({ length: 50 }, async (_, at) => {
      const toolCall = { name: 'search', arguments: { limit: at % 2 === 0 ? at : `${at}` } };
      const tools = [{ name: 'search', inputSchema: { properties: { limit: { type: 'integer' } } } }];
      const [{ valid, correctedArguments }, { trajectories }] = await Promise.all([
        call(client, 'check_tool_call', { tools, toolCall }),
        call(client, 'check_trajectory', REFUND),
      ]);
      assert.equal(valid, at % 2 === 0);
      if (!valid) assert.deepEqual(correctedArguments, { limit: at });
      assert.equal(trajectories, 1);
    });
    await Promise.all(calls);
  });

  test('reports how much of a log is done, if the client asks for it', async () => {
    const { client } = await connected();
    const text = `${JSON.stringify(JSON.parse(example('clean.json')))}\n`.repeat(6_000);
    writeFileSync(join(work, 'long.jsonl'), text);
    const seen = [];
    const onprogress = ({ progress, total }) => seen.push([progress, total]);
    const params = { name: 'check_trajectory', arguments: { path: 'long.jsonl' } };
    await client.callTool(params, undefined, { onprogress });
    // What arrives together with the result comes too late for the client.
    assert.ok(seen.length >= 1);
    for (const [at, [progress, total]] of seen.entries()) {
      assert.equal(total, text.length);
      assert.ok(progress > (seen[at - 1]?.[0] ?? 0) && progress <= total);
    }
  });

  test('goes on after calls that were cancelled', async () => {
    const { client } = await connected();
    const line = JSON.stringify(JSON.parse(example('refund.json')));
    writeFileSync(join(work, 'cancelled.jsonl'), `${line}\n`.repeat(2_000));
    const stop = new AbortController();
    const cancelled = client.callTool({ name: 'check_trajectory', arguments: { path: 'cancelled.jsonl' } }, undefined, {
      signal: stop.signal,
    });
    stop.abort();
    await assert.rejects(cancelled);
    assert.equal((await call(client, 'check_trajectory', REFUND)).trajectories, 1);
  });
});

suite('lines that are not requests', () => {
  const list = request(9, 'tools/list');

  /** The error with which `line` is answered; the next request is still answered. */
  async function errorFor(line) {
    const { answers, code } = await exchange([INITIALIZE, line, list]);
    assert.equal(answers.length, 3, JSON.stringify(answers).slice(0, 500));
    assert.equal(answers.find(({ id }) => id === 9).result.tools.length, TOOLS.length);
    assert.equal(code, 0);
    const { jsonrpc, id, error } = answers.find(({ error }) => error !== undefined);
    assert.equal(jsonrpc, '2.0');
    return { id, ...error };
  }

  test('what is not JSON is a parse error', async () => {
    const { id, code } = await errorFor('{"jsonrpc": "2.0", "id": 1, "method"');
    assert.deepEqual([id, code], [null, -32_700]);
  });

  for (const [what, line, id] of [
    ['a request without a version', { id: 5, method: 'tools/list' }, 5],
    ['a number', '7', null],
    ['a batch', [list], null],
    ['an object without a method', { jsonrpc: '2.0', id: 'x' }, 'x'],
  ]) {
    test(`${what} is an invalid request`, async () => {
      const error = await errorFor(line);
      assert.deepEqual([error.id, error.code], [id, -32_600]);
    });
  }

  for (const [where, member] of [
    ['first', text => `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"${text}"}}`],
    ['last', text => `{"method":"tools/call","params":{"name":"${text}","id":4},"jsonrpc":"2.0","id":5}`],
  ]) {
    test(`a line of more than 16 MiB is refused with its id, its ${where} member`, async () => {
      const { id, code, message } = await errorFor(member('x'.repeat(17 * 1024 * 1024)));
      assert.deepEqual([id, code], [5, -32_600]);
      assert.match(message, /more than 16777216 bytes: name a file by its path instead/);
    });
  }

  test('an unknown method and an unknown tool are errors of the protocol', async () => {
    const lines = [INITIALIZE, request(1, 'tools/run'), request(2, 'tools/call', { name: 'check' }), '', '  '];
    const { answers, stderr } = await exchange(lines);
    const [method, tool] = [1, 2].map(wanted => answers.find(({ id }) => id === wanted).error);
    assert.deepEqual([answers.length, method.code, tool.code], [3, -32_601, -32_602]);
    assert.match(tool.message, /there is no tool "check"; there are check_trajectory, check_tool_call/);
    assert.equal(stderr, '');
  });
});

suite('hostile clients', () => {
  const ping = request(99_999, 'ping');

  /** Sends lines, and asserts that the server answers the last one, in nothing but messages. Returns the answers. */
  async function survived(lines) {
    const { answers, code } = await exchange([INITIALIZE, ...lines, ping]);
    assert.equal(code, 0);
    for (const { jsonrpc, result, error } of answers) {
      assert.equal(jsonrpc, '2.0');
      assert.ok((result === undefined) !== (error === undefined));
    }
    assert.ok(answers.some(({ id }) => id === ping.id));
    return answers;
  }

  test('do not end the server with requests in which one member is replaced', async () => {
    const toolCall = { name: 'get_order', arguments: { order_id: 'A-1017' } };
    const calls = [
      request(1, 'tools/call', { name: 'check_trajectory', arguments: { ...REFUND, rules: { unused_result: 'off' } } }),
      request(1, 'tools/call', { name: 'check_tool_call', arguments: { toolCall, tools: [{ name: 'a' }] } }),
      request(1, 'tools/call', { name: 'score_tool_calls', arguments: { expected: [{ tool: 'a' }], actual: [] } }),
      request(1, 'tools/call', { name: 'explain_issue', arguments: { type: 'claimed_action' } }),
      request(1, 'resources/read', { uri: 'toolgauge://issues/claimed_action' }),
      request(1, 'prompts/get', { name: 'review-agent-run', arguments: { path: 'a' } }),
    ];
    const changed = calls.flatMap(message => [...mutations(message)].map(([, changed]) => changed));
    assert.ok(changed.length > 500, `${changed.length}`);
    const answers = await survived(changed);
    const failed = answers.flatMap(({ result }) => (result?.isError ? [result.content[0].text] : []));
    assert.ok(failed.length > 50);
    for (const text of failed) assert.doesNotMatch(text, /^toolgauge failed|^internal|undefined/);
  });

  test('do not end the server with deep, odd and broken values', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const check = trajectory => request(2, 'tools/call', { name: 'check_trajectory', arguments: { trajectory } });
    const raw = JSON.stringify(check('HERE'));
    const answers = await survived([
      raw.replace('"HERE"', deep),
      raw.replace('"HERE"', JSON.stringify(deep)),
      raw.replace('"HERE"', '{"__proto__": {"turns": []}, "constructor": 1}'),
      raw.replace('"HERE"', '"\\ud800"'),
      raw.replace('"HERE"', '1e999'),
      raw.slice(0, -20),
      '\u0000'.repeat(100),
      '{}',
      '[]',
      'null',
    ]);
    assert.equal(answers.length, 12);
  });
});

suite('check_trajectory', () => {
  test('finds what the function finds, in a file and inline', async () => {
    const { client } = await connected();
    const report = checkTrajectories(example('refund.json'), example('shop.tools.json'));
    const inline = { trajectory: JSON.parse(example('refund.json')), tools: JSON.parse(example('shop.tools.json')) };
    const asText = { trajectory: example('refund.json'), tools: example('shop.tools.json') };
    for (const args of [REFUND, inline, asText]) {
      const found = await call(client, 'check_trajectory', args);
      assert.equal(found.score, report.summary.score);
      assert.deepEqual(found.issuesByType, report.summary.issuesByType);
      assert.deepEqual(found.failures, report.gate.failures);
      assert.equal(found.issues.length, report.summary.issues);
      assert.equal(
        found.issues.every(({ source }) => (source === undefined) === (args.path === undefined)),
        true,
      );
      assert.deepEqual([found.passed, found.leftOut, found.unread], [false, 0, []]);
    }
  });

  test('gives each issue its place, and each type its remedy', async () => {
    const { client } = await connected();
    const { issues, remedies, text } = await call(client, 'check_trajectory', REFUND);
    const [reply] = issues.filter(({ type }) => type === 'hallucinated_result');
    const { turnId, callIndex, toolName, replyTurnId, source } = reply;
    assert.deepEqual(
      { turnId, callIndex, toolName, replyTurnId, source },
      {
        turnId: 2,
        callIndex: 0,
        toolName: 'get_order',
        replyTurnId: 6,
        source: 'examples/refund.json',
      },
    );
    assert.match(text, /^- high hallucinated_result at turn 6 \(reply about turn 2, call 1, get_order\): the reply/m);
    assert.match(text, /^- high type_mismatch at turn 4, call 1, refund_order: amount: expected number/m);
    const known = new Map(explainIssues().map(({ type, remedy }) => [type, remedy]));
    for (const { type } of issues) assert.equal(remedies[type], known.get(type));
  });

  test('lists the worst issues, different ones first, and counts the others', async () => {
    const { client } = await connected();
    const line = JSON.stringify(JSON.parse(example('refund.json')));
    writeFileSync(join(work, 'many.jsonl'), `${line}\n`.repeat(300));
    const args = { path: 'many.jsonl', toolsPath: REFUND.toolsPath };
    const usual = await call(client, 'check_trajectory', args);
    assert.deepEqual([usual.trajectories, usual.issues.length, usual.leftOut], [300, 20, 2_680]);
    const few = await call(client, 'check_trajectory', { ...args, maxIssues: 5 });
    assert.deepEqual([few.issues.length, few.leftOut], [5, 2_695]);
    assert.deepEqual(few.issues, usual.issues.slice(0, 5));
    assert.equal(new Set(few.issues.map(({ type }) => type)).size, 5);
    assert.ok(few.issues.every(({ severity, line }) => severity === 'high' && line === 1));
    assert.match(few.text, /^2695 more issues not listed \(maxIssues lists more\)\. All by type: .*type_mismatch 300/m);
    assert.ok(few.text.length < 3_000, `${few.text.length} characters`);
  });

  test('lists a bad issue that comes after many milder ones of its type and tool', async () => {
    const { client } = await connected();
    const run = reply => ({
      turns: [
        { turn_id: 1, role: 'user', content: 'Book a table.' },
        { turn_id: 2, role: 'agent', content: '', tool_calls: [{ name: 'book', arguments: {}, error: 'it is full' }] },
        { turn_id: 3, role: 'agent', content: reply },
      ],
    });
    const trajectory = [...Array(30).fill(run('Sorry, that failed: it is full.')), run('Have a nice evening.')];
    const found = await call(client, 'check_trajectory', { trajectory, maxIssues: 1 });
    assert.deepEqual([found.issuesByType, found.issuesBySeverity.low], [{ error_result: 31 }, 30]);
    assert.deepEqual([found.issues[0].severity, found.issues[0].index], ['high', 30]);
  });

  test('reads folders, lines, and what is compressed', async () => {
    const { client } = await connected();
    mkdirSync(join(work, 'logs'), { recursive: true });
    writeFileSync(join(work, 'logs/a.json'), example('refund.json'));
    writeFileSync(join(work, 'logs/b.jsonl'), example('trials.jsonl'));
    writeFileSync(join(work, 'logs/c.jsonl.gz'), gzipSync(example('trials.jsonl')));
    writeFileSync(join(work, 'logs/d.json'), '{"turns": [');
    const { trajectories, issues, unread, formats } = await call(client, 'check_trajectory', { path: 'logs' });
    assert.deepEqual([trajectories, formats], [25, { harness: 25 }]);
    assert.ok(issues.some(({ source, trajectoryId }) => source === 'logs/a.json' && trajectoryId !== undefined));
    assert.equal(unread.length, 1);
    assert.match(unread[0], /^logs\/d\.json: not valid JSON/);
  });

  test('takes the gate and the rules of the call', async () => {
    const { client } = await connected();
    const never = await call(client, 'check_trajectory', { ...REFUND, failOn: 'never' });
    assert.equal(never.passed, true);
    assert.match(never.text, /^PASSED/);
    const strict = await call(client, 'check_trajectory', { ...REFUND, failOn: 'never', minScore: 0.9 });
    assert.deepEqual(strict.failures, ['the score 0.225 is below 0.9']);
    const ruled = await call(client, 'check_trajectory', { ...REFUND, rules: { type_mismatch: 'off' } });
    assert.equal(ruled.issuesByType.type_mismatch, undefined);
  });

  test('says so if there are no tool definitions, and if some are broken', async () => {
    const { client } = await connected();
    const { text, withTools } = await call(client, 'check_trajectory', { path: REFUND.path });
    assert.equal(withTools, 0);
    assert.match(text, /^Not checked: names and arguments, because there are no tool definitions: give tools/m);
    const good = { name: 'get_order', input_schema: { type: 'object' } };
    const broken = [good, { name: 'b', input_schema: { type: 'objekt' } }];
    const { unread } = await call(client, 'check_trajectory', { path: REFUND.path, tools: broken });
    assert.match(unread.join(), /^tool definitions: .*objekt/);
  });

  test('says what else could not be checked or read as it is written', async () => {
    const { client } = await connected();
    const tool_calls = [{ id: 'c1', type: 'function', function: { name: 'a', arguments: '{}' } }];
    const trajectory = { messages: [{ role: 'assistant', content: null, tool_calls }], tools: ['a'] };
    const { text, warnings, notChecked } = await call(client, 'check_trajectory', { trajectory, failOn: 'never' });
    assert.equal(warnings.length, 1);
    assert.match(text, /^Warning: tools\[0\]: /m);
    assert.ok(notChecked.includes('results and replies, because the log contains no results'), notChecked.join('\n'));
    assert.match(text, /^Not checked: results and replies, because the log contains no results$/m);
  });

  test('takes what the command line and the configuration file set, unless the call says otherwise', async t => {
    const folder = mkdtempSync(join(work, 'configured-'));
    cpSync(join(work, 'examples'), join(folder, 'examples'), { recursive: true });
    const config = { tools: 'examples/shop.tools.json', mcp: { failOn: 'never', rules: { type_mismatch: 'off' } } };
    writeFileSync(join(folder, 'toolgauge.config.json'), JSON.stringify(config));
    const ignore = ['--ignore', 'type=error_result,reason=known'];
    const { client } = await connectedAlone(t, { cwd: folder, args: ['--min-score', '0.8', ...ignore] });
    const found = await call(client, 'check_trajectory', { path: REFUND.path });
    assert.deepEqual([found.withTools, found.issuesByType.type_mismatch, found.ignored], [1, undefined, 1]);
    assert.match(found.text, /, 1 more ignored by the settings\./);
    assert.match(found.failures.join(), /^the score 0\.\d+ is below 0\.8$/);
    const args = { path: REFUND.path, failOn: 'critical', minScore: 0, rules: { type_mismatch: 'critical' } };
    const other = await call(client, 'check_trajectory', args);
    assert.deepEqual(other.failures, ['1 issue is critical or worse']);
  });
});

suite('the other tools', () => {
  test('check_tool_call says what is wrong with a call, and what would be right', async () => {
    const { client } = await connected();
    const toolCall = { name: 'search_products', arguments: { query: 'lamp', limit: '5' } };
    const { toolsPath } = REFUND;
    const wrong = await call(client, 'check_tool_call', { toolCall, toolsPath });
    assert.equal(wrong.valid, false);
    assert.deepEqual(
      wrong.problems.map(({ check }) => check),
      ['incorrect_parameter_type'],
    );
    assert.deepEqual(wrong.correctedCall, { name: 'search_products', arguments: { query: 'lamp', limit: 5 } });
    const right = await call(client, 'check_tool_call', { toolCall: wrong.correctedCall, toolsPath });
    assert.deepEqual([right.valid, right.problems], [true, []]);
    const unknown = await call(client, 'check_tool_call', { toolCall: { name: 'fly', arguments: {} }, toolsPath });
    assert.match(unknown.text, /^NOT VALID.*non_existent_function.*No correction is clear/s);
    const openai = { id: 'c1', type: 'function', function: { name: 'search_products', arguments: '{"query":5}' } };
    const corrected = await call(client, 'check_tool_call', { toolCall: openai, toolsPath });
    assert.equal(corrected.valid, false);
  });

  test('lint_tools finds what the function finds, with hints', async () => {
    const { client } = await connected();
    const toolsPath = 'examples/lint.tools.json';
    const { issues, score } = lintTools(example('lint.tools.json'));
    const found = await call(client, 'lint_tools', { toolsPath });
    assert.deepEqual([found.score, found.issues.length, found.passed], [score, issues.length, false]);
    for (const { hint, path } of found.issues) assert.ok(hint !== '' && path !== '');
    const few = await call(client, 'lint_tools', { toolsPath, maxIssues: 2, failOn: 'never', provider: 'openai' });
    assert.deepEqual([few.issues.length, few.passed], [2, true]);
    assert.ok(few.leftOut > 0);
    assert.match(few.text, /more issues? not listed/);
  });

  test('score_tool_calls compares as the function does', async () => {
    const { client } = await connected();
    const args = { expectedPath: 'examples/expected.json', actualPath: 'examples/refund.json' };
    const { score, precision, recall } = scoreToolCalls({
      expected: example('expected.json'),
      actual: example('refund.json'),
    });
    const found = await call(client, 'score_tool_calls', args);
    assert.deepEqual([found.score, found.precision, found.recall], [score, precision, recall]);
    assert.deepEqual(
      found.differences.map(({ status, tool }) => [status, tool]),
      [
        ['incorrect', 'refund_order'],
        ['extra', 'lookup_customer'],
        ['extra', 'search_product'],
        ['extra', 'refund_order'],
      ],
    );
    const gated = await call(client, 'score_tool_calls', { ...args, minScore: 0.8, maxIssues: 1 });
    assert.deepEqual([gated.passed, gated.leftOut], [false, 3]);
    const calls = [
      { tool: 'a', args: {} },
      { tool: 'b', args: {} },
    ];
    const turned = { expected: calls, actual: calls.toReversed() };
    assert.equal((await call(client, 'score_tool_calls', turned)).score, 1);
    assert.ok((await call(client, 'score_tool_calls', { ...turned, order: 'sequence' })).score < 1);
  });

  test('score_tool_calls scores trajectories by the calls that they carry', async () => {
    const { client } = await connected();
    const report = scoreTrajectories(example('rollouts.json'));
    const found = await call(client, 'score_tool_calls', { actualPath: 'examples/rollouts.json', minScore: 0.9 });
    assert.deepEqual([found.score, found.trajectories, found.passed], [report.score, 2, report.score >= 0.9]);
    assert.ok(found.differences.every(({ trajectory }) => trajectory !== undefined));
    assert.ok(found.differences.length > 0);
    assert.match(found.text, /the means of 2 trajectories/);
  });

  test('explain_issue gives the text of the command', async () => {
    const { client } = await connected();
    const one = await call(client, 'explain_issue', { type: 'claimed_action' });
    assert.equal(one.text, (await run(CLI, ['explain', 'claimed_action'])).stdout);
    assert.deepEqual(one.issues, [explainIssues().find(({ type }) => type === 'claimed_action')]);
    const all = await call(client, 'explain_issue', {});
    assert.equal(all.text, (await run(CLI, ['explain'])).stdout);
    assert.deepEqual(all.issues, explainIssues());
  });
});

suite('errors', () => {
  for (const [what, tool, args, ...patterns] of [
    ['neither content nor a path', 'check_trajectory', {}, /trajectory is missing\ngive trajectory itself, or path/],
    ['both', 'check_trajectory', { ...REFUND, trajectory: [] }, /give trajectory or path, not both/],
    [
      'an unknown argument',
      'check_trajectory',
      { paths: 'x' },
      /did you mean "path"\?/,
      /check_trajectory\(\{"path":"x"\}\)/,
    ],
    ['an argument of the wrong type', 'check_trajectory', { ...REFUND, maxIssues: '5' }, /expected integer, got "5"/],
    ['text that is no JSON', 'check_trajectory', { trajectory: '{"turns": [' }, /^trajectory: not valid JSON/],
    [
      'a path in the place of content',
      'check_trajectory',
      { trajectory: 'examples/refund.json' },
      /^trajectory: expected JSON, got a text\nfor a file, give its path as path$/,
    ],
    [
      'an unknown format',
      'check_trajectory',
      { trajectory: { a: 1 } },
      /no known trajectory format/,
      /known formats are/,
    ],
    [
      'tools for a log',
      'check_trajectory',
      { path: REFUND.toolsPath },
      /this contains tool definitions; pass it as the tools/,
    ],
    [
      'an unknown rule',
      'check_trajectory',
      { ...REFUND, rules: { foo: 'off' } },
      /options\.rules\.foo: there is no type/,
    ],
    [
      'no such file',
      'check_trajectory',
      { path: 'none.json' },
      /can't read none\.json: there is no such file\npaths start at/,
    ],
    ['a log for tools', 'lint_tools', { toolsPath: REFUND.path }, /examples\/refund\.json: no known tools format/],
    ['a folder for tools', 'lint_tools', { toolsPath: 'examples' }, /it is a folder/],
    ['no tools', 'check_tool_call', { toolCall: { name: 'a' } }, /tools is missing\ngive tools itself, or toolsPath/],
    [
      'a call that is no JSON',
      'check_tool_call',
      { toolCall: 'search(1)', toolsPath: REFUND.toolsPath },
      /^toolCall: not valid JSON.*\ngive a call such as/,
    ],
    ['calls without expected ones', 'score_tool_calls', { actual: [{ tool: 'a' }] }, /give expected or expectedPath/],
    [
      'many trajectories for one',
      'score_tool_calls',
      { actualPath: 'examples/rollouts.json', expected: [] },
      /expected one trajectory.*got 2\n.*leave out expected/s,
    ],
    [
      'an unknown type',
      'explain_issue',
      { type: 'x' },
      /there is no type of issue "x"\nthe types are missing_tool_name/,
    ],
    [
      'a type of lint issue',
      'explain_issue',
      { type: 'duplicate_name' },
      /lint_tools says with each issue how to fix it/,
    ],
    [
      'a wrong matcher',
      'score_tool_calls',
      { expected: { calls: ['a'], matchers: { a: { x: { foo: 1 } } } }, actual: [] },
      /expected/,
    ],
  ]) {
    test(`${what} is an error that says what to do`, async () => {
      const { client } = await connected();
      const text = await failure(client, tool, args);
      for (const pattern of patterns) assert.match(text, pattern);
      assert.ok(text.length < 2_000);
    });
  }
});

suite('files', () => {
  const check = path => ({ path, failOn: 'never' });

  test('outside of the working folder are not read', async () => {
    const { client } = await connected();
    symlinkSync(join(elsewhere, 'secret.json'), join(work, 'link.json'));
    symlinkSync(elsewhere, join(work, 'folder-link'));
    for (const path of [
      join(elsewhere, 'secret.json'),
      '../x.json',
      '/etc/passwd',
      'link.json',
      'folder-link/secret.json',
    ]) {
      const text = await failure(client, 'check_trajectory', check(path));
      assert.match(
        text,
        /lies outside of .*\npass the content itself instead of a path, or start the server with --root/,
      );
    }
    for (const tool of ['lint_tools', 'check_tool_call']) {
      const args = { toolsPath: 'link.json', ...(tool === 'check_tool_call' && { toolCall: { name: 'a' } }) };
      assert.match(await failure(client, tool, args), /lies outside of/);
    }
    rmSync(join(work, 'link.json'));
    rmSync(join(work, 'folder-link'));
  });

  test('that leave a folder by a link are not read with the folder', async t => {
    const folder = mkdtempSync(join(work, 'linked-'));
    writeFileSync(join(folder, 'own.json'), example('clean.json'));
    symlinkSync(join(elsewhere, 'secret.json'), join(folder, 'stolen.json'));
    const { client } = await connectedAlone(t, { cwd: folder });
    const { trajectories, unread } = await call(client, 'check_trajectory', check('.'));
    assert.equal(trajectories, 1);
    assert.deepEqual(unread, ["stolen.json: can't be read, or leads out of the folder"]);
  });

  test('that nobody writes are refused, instead of being waited for', {
    skip: process.platform === 'win32',
  }, async () => {
    const { client } = await connected();
    execFileSync('mkfifo', [join(work, 'pipe.json')]);
    assert.match(await failure(client, 'check_trajectory', check('pipe.json')), /it is no regular file/);
    rmSync(join(work, 'pipe.json'));
  });

  test('are those of the roots of the client, which may change', async t => {
    let roots = [elsewhere];
    const { client, asked } = await connectedAlone(t, { roots: () => roots });
    assert.equal((await call(client, 'check_trajectory', check('secret.json'))).trajectories, 1);
    assert.equal((await call(client, 'check_trajectory', check(join(elsewhere, 'secret.json')))).trajectories, 1);
    assert.match(await failure(client, 'check_trajectory', REFUND), /there is no such file/);
    assert.match(await failure(client, 'check_trajectory', check(join(work, REFUND.path))), /lies outside of/);
    assert.equal(asked.count, 1);
    roots = [elsewhere, work];
    await client.sendRootsListChanged();
    assert.equal((await call(client, 'check_trajectory', REFUND)).trajectories, 1);
    assert.equal(asked.count, 2);
  });

  test('are found by the name that the client has for a root, which may be a link', async t => {
    const root = join(elsewhere, 'root-link');
    symlinkSync(work, root);
    const { client } = await connectedAlone(t, { roots: () => [root] });
    for (const path of [REFUND.path, join(root, REFUND.path), join(work, REFUND.path)]) {
      const { issues } = await call(client, 'check_trajectory', { path });
      assert.equal(issues[0].source, 'examples/refund.json');
    }
    rmSync(root);
  });

  test('are those of the working folder if the client names no root', async t => {
    const { client } = await connectedAlone(t, { roots: () => [] });
    assert.equal((await call(client, 'check_trajectory', REFUND)).trajectories, 1);
  });

  test('are those of --root, whatever the client names', async t => {
    const { client } = await connectedAlone(t, { args: ['--root', 'examples'], roots: () => [elsewhere] });
    assert.equal((await call(client, 'check_trajectory', check('refund.json'))).trajectories, 1);
    assert.match(await failure(client, 'check_trajectory', check('../many.jsonl')), /lies outside of/);
    assert.match(await failure(client, 'check_trajectory', check(join(elsewhere, 'secret.json'))), /lies outside of/);
  });

  test('need a folder in --root', async () => {
    for (const [root, reason] of [
      ['none', 'there is no such folder'],
      ['examples/refund.json', 'it is no folder'],
    ]) {
      const { answers, stderr, code } = await exchange([INITIALIZE], { args: ['--root', root] });
      assert.deepEqual([answers, code], [[], 2]);
      assert.match(stderr, new RegExp(`^toolgauge: can't serve files of ${root}: ${reason}\n  check --root`));
    }
  });

  test('are none if the working folder is the root of the file system', async t => {
    const { client } = await connectedAlone(t, { cwd: '/' });
    assert.match(await failure(client, 'check_trajectory', check('etc/passwd')), /the server may read no folder/);
    const inline = { trajectory: JSON.parse(example('clean.json')) };
    assert.equal((await call(client, 'check_trajectory', inline)).trajectories, 1);
  });
});

suite('resources and prompts', () => {
  test('the explanation of each type of issue is a resource', async () => {
    const { client } = await connected();
    const { resources } = await client.listResources();
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      explainIssues().map(({ type }) => `toolgauge://issues/${type}`),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.equal(resourceTemplates[0].uriTemplate, 'toolgauge://issues/{type}');
    const { contents } = await client.readResource({ uri: 'toolgauge://issues/claimed_action' });
    assert.equal(contents[0].text, (await run(CLI, ['explain', 'claimed_action'])).stdout);
    await assert.rejects(client.readResource({ uri: 'toolgauge://issues/none' }), { code: -32_002 });
  });

  test('a prompt has a run reviewed with the tools', async () => {
    const { client } = await connected();
    const { prompts } = await client.listPrompts();
    assert.deepEqual(
      prompts.map(({ name, arguments: args }) => [name, args.map(({ name, required }) => [name, required])]),
      [
        [
          'review-agent-run',
          [
            ['path', true],
            ['toolsPath', false],
          ],
        ],
      ],
    );
    const { messages } = await client.getPrompt({ name: 'review-agent-run', arguments: { path: 'a.json' } });
    assert.match(messages[0].content.text, /check_trajectory with path "a\.json"\./);
    const args = { path: 'a.json', toolsPath: 't.json' };
    const withTools = await client.getPrompt({ name: 'review-agent-run', arguments: args });
    assert.match(withTools.messages[0].content.text, /path "a\.json", toolsPath "t\.json"\./);
    await assert.rejects(client.getPrompt({ name: 'review-agent-run' }), /the argument "path" is missing/);
    await assert.rejects(client.getPrompt({ name: 'none' }), /there is no prompt "none"/);
  });
});

test('docs/mcp.md shows what the tools answer', async () => {
  const { client } = await connected();
  const blocks = blocksOf('docs/mcp.md');
  let shown = 0;
  for (const [at, { language, text }] of blocks.entries()) {
    const { name, arguments: args } = language === 'json' ? JSON.parse(text) : {};
    if (name === undefined) continue;
    const answer = `${(await call(client, name, args)).text.trimEnd()}\n`;
    if (process.env.UPDATE_DOCS !== undefined) replaceAfter('docs/mcp.md', text, answer);
    else assert.equal(blocks[at + 1].text, answer);
    shown += 1;
  }
  assert.ok(shown >= 3);
});
