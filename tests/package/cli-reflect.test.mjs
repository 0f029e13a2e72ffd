import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';
import { startJudgeServer } from './support/judge-server.mjs';

const { checkToolCall, REPORT_FORMATS, repairToolCallSync } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');

const TOOLS = [
  {
    name: 'find_table',
    description: 'Finds a free table.',
    parameters: {
      type: 'object',
      properties: { guests: { type: 'integer' }, area: { enum: ['inside', 'outside'] } },
      required: ['guests'],
    },
  },
];

const call = (id, name, args) => ({
  id,
  type: 'function',
  function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
});

/** A conversation in OpenAI's shape that makes these calls, one a turn, and gets results. */
const conversation = (...calls) => [
  { role: 'system', content: 'You find tables.' },
  { role: 'user', content: 'A table for four, please.' },
  ...calls.flatMap(made => [
    { role: 'assistant', content: null, tool_calls: [made] },
    { role: 'tool', tool_call_id: made.id, content: '{"ok": true}' },
  ]),
];

const RIGHT = call('a', 'find_table', { guests: 4 });
const MENDABLE = call('b', 'findTable', { guests: '4', smoking: false });
const HOPELESS = call('c', 'find_table', { guests: 'a few' });
const BROKEN = call('d', 'find_table', '{"guests": ');

function folderWith(t, ...files) {
  const named = files.map((messages, at) => [`${at}.json`, JSON.stringify(messages)]);
  return folderIn(consumer, t, { 'tools.json': JSON.stringify(TOOLS), ...Object.fromEntries(named) });
}

const reflect = (folder, args, options) =>
  run(COMMAND, ['reflect', '--tools', 'tools.json', ...args], { cwd: folder, ...options });

const verdictsIn = ({ stdout }) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));

suite('toolgauge reflect', () => {
  test('checks each call by itself, and says nothing of results', async t => {
    const folder = folderWith(t, conversation(RIGHT, MENDABLE, HOPELESS, BROKEN));
    const printed = await reflect(folder, ['0.json', '--format', 'jsonl']);
    assert.deepEqual([printed.code, printed.stderr], [1, '']);
    const [verdict] = verdictsIn(printed);
    assert.deepEqual([verdict.calls, verdict.score, verdict.valid, verdict.passed], [4, 0.25, false, false]);
    assert.deepEqual(
      verdict.reflectionIssues.map(({ type, severity, details }) => [type, severity, details.callId, details.path]),
      [
        ['non_existent_function', 'high', 'b', ''],
        ['incorrect_parameter_type', 'high', 'c', 'guests'],
        ['invalid_tool_call', 'critical', 'd', ''],
      ],
    );
    assert.deepEqual([verdict.results, verdict.repairs], [[], undefined]);
  });

  test('agrees with checkToolCall and repairToolCallSync', async t => {
    const made = [RIGHT, MENDABLE, HOPELESS, BROKEN];
    const folder = folderWith(t, ...made.map(one => conversation(one)));
    const printed = await reflect(folder, ['[0-3].json', '--repair', '--format', 'jsonl']);
    for (const [at, verdict] of verdictsIn(printed).entries()) {
      const [tools, toolCall] = [TOOLS, made[at]];
      const check = checkToolCall({ tools, toolCall });
      const repair = repairToolCallSync({ tools, toolCall });
      const failed = Object.entries(check.metrics).filter(([, { valid }]) => !valid);
      assert.deepEqual(
        [...new Set(verdict.reflectionIssues?.map(({ type }) => type))],
        failed.map(([name]) => name),
      );
      const [repaired] = verdict.repairs ?? [];
      if (repair.status === 'valid') assert.equal(repaired, undefined);
      else {
        const { status, name, changes, message } = repaired;
        assert.deepEqual(
          [status, name, changes, message],
          [repair.status, repair.name, repair.changes, repair.message],
        );
        assert.deepEqual(repaired.arguments, repair.arguments);
      }
    }
  });

  test('with --repair only what can not be repaired fails the gate', async t => {
    const folder = folderWith(t, conversation(RIGHT, MENDABLE), conversation(HOPELESS));
    assert.equal((await reflect(folder, ['0.json'])).code, 1);
    const mended = await reflect(folder, ['0.json', '--repair']);
    assert.equal(mended.code, 0);
    assert.match(mended.stdout, /repaired {2}the tool "findTable" became "find_table"/);
    assert.match(mended.stdout, /→ find_table \{"guests": 4\}/);
    assert.equal((await reflect(folder, ['1.json', '--repair'])).code, 1);
  });

  test('without tools it judges nothing and says so, once for each trajectory', async t => {
    const folder = folderWith(t, conversation(RIGHT, HOPELESS));
    const printed = await run(COMMAND, ['reflect', '0.json', '--format', 'jsonl'], { cwd: folder });
    const [{ reflectionIssues, score, hasTools }] = verdictsIn(printed);
    assert.deepEqual(
      reflectionIssues.map(({ type, severity }) => [type, severity]),
      [['empty_api_spec', 'medium']],
    );
    assert.deepEqual([printed.code, score, hasTools], [0, null, false]);
  });

  test('writes every report of check, and takes a baseline', async t => {
    const folder = folderWith(t, conversation(MENDABLE, HOPELESS));
    const reports = REPORT_FORMATS.flatMap(format => ['--report', `${format}=report.${format}`]);
    await reflect(folder, ['0.json', ...reports]);
    for (const format of REPORT_FORMATS) {
      const text = readFileSync(join(folder, `report.${format}`), 'utf8');
      assert.match(text, /non_existent_function/, format);
      assert.match(text, /incorrect_parameter_type/, format);
    }
    const again = await reflect(folder, ['0.json', '--baseline', 'report.jsonl']);
    assert.equal(again.code, 0);
    assert.match(again.stdout, /\(known\)/);
  });

  test('reads many lines in threads, with the same totals', async t => {
    const line = `${JSON.stringify(conversation(RIGHT, MENDABLE, HOPELESS))}\n`;
    const folder = folderIn(consumer, t, { 'tools.json': JSON.stringify(TOOLS), 'logs.jsonl': line.repeat(50) });
    const alone = await reflect(folder, ['logs.jsonl', '--repair', '--format', 'json']);
    const threads = await reflect(folder, ['logs.jsonl', '--repair', '--format', 'json', '--jobs', '2']);
    assert.equal(threads.stdout, alone.stdout);
    assert.equal(JSON.parse(alone.stdout).summary.calls, 150);
  });
});

suite('toolgauge reflect --judge', () => {
  const FINE = { evidence: 'e', explanation: 'It fits.', output: 5, confidence: 0.9, correction: null };
  const WRONG = {
    ...FINE,
    explanation: 'The user said four.',
    output: 1,
    correction: { arguments: { guests: 4, area: 'inside' } },
  };

  /** A server whose model finds fault with calls for nine by one metric alone. */
  const serverIn = t =>
    startJudgeServer(t, ({ messages }) => {
      const [system, user] = messages.map(({ content }) => content);
      const isHallucination = system.includes('has a source');
      return { say: isHallucination && user.includes('"guests": 9') ? WRONG : FINE };
    });

  const NINE = call('n', 'find_table', { guests: 9 });

  test('asks about each call, and reports what judges find', async t => {
    const server = await serverIn(t);
    const folder = folderWith(t, conversation(RIGHT, NINE));
    const args = ['0.json', '--judge', 'm', '--judge-url', server.baseUrl, '--format', 'jsonl'];
    const printed = await reflect(folder, args, { env: { OPENAI_API_KEY: 'secret' } });
    assert.deepEqual([printed.code, printed.stderr], [1, '']);
    const [{ reflectionIssues, score }] = verdictsIn(printed);
    assert.deepEqual(
      reflectionIssues.map(({ type, description, details }) => [type, description, details.callId]),
      [['general_hallucination_check', 'The user said four.', 'n']],
    );
    assert.equal(score, 0.5);
    assert.equal(server.chats.length, 8);
    assert.ok(server.requests.every(({ headers }) => headers.authorization === 'Bearer secret'));
    // The second call is judged with the first and its result before it, and without its own result.
    const prompts = server.chats.map(({ messages }) => messages.at(-1).content);
    assert.equal(prompts.filter(prompt => prompt.includes('"ok": true')).length, 4);
  });

  test('repairs with the correction of a judge', async t => {
    const server = await serverIn(t);
    const folder = folderWith(t, conversation(NINE));
    const args = ['0.json', '--repair', '--judge', 'm', '--judge-url', server.baseUrl, '--format', 'jsonl'];
    const printed = await reflect(folder, args);
    const [{ repairs, reflectionIssues }] = verdictsIn(printed);
    assert.deepEqual([repairs[0].status, repairs[0].arguments], ['repaired', { guests: 4, area: 'inside' }]);
    assert.deepEqual(
      reflectionIssues.map(({ severity }) => severity),
      ['low'],
    );
    assert.equal(printed.code, 0);
  });

  test('counts lines, so that each call gets its own answer', async t => {
    const server = await serverIn(t);
    const lines = [RIGHT, NINE, RIGHT].map(one => JSON.stringify(conversation(one)));
    const text = `${lines[0]}\n\n${lines[1]}\r\n{"turns": [\n${lines[2]}`;
    const folder = folderIn(consumer, t, { 'tools.json': JSON.stringify(TOOLS), 'logs.jsonl': text });
    const args = ['logs.jsonl', '--allow-errors', '--judge', 'm', '--judge-url', server.baseUrl, '--format', 'jsonl'];
    const verdicts = verdictsIn(await reflect(folder, args));
    const wrong = verdicts.filter(({ reflectionIssues }) => reflectionIssues !== undefined);
    assert.deepEqual(
      wrong.map(({ line }) => line),
      [3],
    );
  });

  test('says how many questions had no valid answer, and fails for it', async t => {
    const server = await startJudgeServer(t, () => ({ status: 401, error: 'no such key' }));
    const folder = folderWith(t, conversation(RIGHT));
    const args = ['0.json', '--judge', 'm', '--judge-url', server.baseUrl];
    const printed = await reflect(folder, args);
    assert.equal(printed.code, 2);
    assert.match(printed.stderr, /4 questions got no valid answer: .*no such key/);
    assert.equal((await reflect(folder, [...args, '--allow-errors'])).code, 0);
  });

  test('is refused with options that have no effect, and is not pointed elsewhere by a file that is found', async t => {
    const folder = folderWith(t, conversation(RIGHT));
    const alone = await reflect(folder, ['0.json', '--judge-url', 'http://127.0.0.1:9/v1']);
    assert.deepEqual(
      [alone.code, alone.stderr],
      [2, 'toolgauge: --judge-url needs --judge\n  name the model with --judge <names>\n'],
    );
    const config = JSON.stringify({ reflect: { judge: 'm', judgeUrl: 'http://127.0.0.1:9/v1' } });
    const found = folderIn(consumer, t, { 'toolgauge.config.json': config, '0.json': '[]' });
    const { code, stderr } = await run(COMMAND, ['reflect', '0.json'], { cwd: found });
    assert.equal(code, 2);
    assert.match(stderr, /reflect\.judgeUrl: unknown option/);
  });
});
