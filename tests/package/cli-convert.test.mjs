import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { exportTrajectory, importTrajectories } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const [CLEAN, FAULTY, ROLLOUTS] = ['clean', 'faulty', 'rollouts'].map(name => join(TESTS, `fixtures/${name}.json`));

const toolgauge = (args, options) => run(COMMAND, args, options);

/** Runs a conversion in `folder`. */
const convertIn = (folder, ...args) => toolgauge(['convert', ...args], { cwd: folder });

const lineOf = path => JSON.stringify(JSON.parse(readFileSync(path, 'utf8')));

const parseLines = text =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

/** Each trajectory of a file in `format`. */
const exported = (path, format) =>
  importTrajectories(readFileSync(path)).value.map(trajectory => exportTrajectory(trajectory, { format }));

suite('toolgauge convert', () => {
  for (const format of ['openai-chat', 'ai-sdk-model', 'atif', 'harness']) {
    test(`writes what exportTrajectory gives as ${format}`, async () => {
      const one = await convertIn(consumer, CLEAN, '--to', format);
      assert.equal(one.code, 0, one.stderr);
      assert.deepEqual([JSON.parse(one.stdout)], exported(CLEAN, format));
      const two = await convertIn(consumer, ROLLOUTS, '--to', format);
      assert.equal(two.code, 0, two.stderr);
      assert.deepEqual(JSON.parse(two.stdout), exported(ROLLOUTS, format));
    });
  }

  test('writes a line for each line, as it comes, and reports a bad one by its number', async t => {
    const folder = folderIn(consumer, t, {
      'a.jsonl': `${lineOf(FAULTY)}\n{"turns": [\n\n${lineOf(CLEAN)}\n{"odd": 1}\n`,
    });
    const { code, stdout, stderr } = await convertIn(folder, 'a.jsonl', '--to', 'openai-chat');
    assert.equal(code, 2);
    assert.deepEqual(parseLines(stdout), [...exported(FAULTY, 'openai-chat'), ...exported(CLEAN, 'openai-chat')]);
    assert.match(stderr, /^toolgauge: a\.jsonl:2: not valid JSON: .* at line 2/);
    assert.match(stderr, /\ntoolgauge: a\.jsonl:5: no known trajectory format/);
    assert.match(stderr, /\ntoolgauge: 2 of 4 documents could not be read; --allow-errors lets that pass\n$/);
    const allowed = await convertIn(folder, 'a.jsonl', '--to', 'openai-chat', '--allow-errors');
    assert.deepEqual([allowed.code, allowed.stdout], [0, stdout]);
  });

  test('answers each piece of standard input at once, and reads back what it writes', async () => {
    const child = spawn(COMMAND, ['convert', '-', '--to', 'harness']);
    const closed = new Promise(settle => child.on('close', settle));
    let output = '';
    child.stdout.setEncoding('utf8').on('data', text => (output += text));
    child.stdin.write(`${lineOf(CLEAN)}\n${lineOf(FAULTY)}\n`);
    while (!output.endsWith('\n')) await new Promise(settle => child.stdout.once('data', settle));
    assert.equal(parseLines(output).length, 3);
    child.stdin.end();
    assert.equal(await closed, 0);
    const again = await toolgauge(['convert', '-', '--to', 'harness', '--lines'], { input: output });
    assert.deepEqual(again, { code: 0, stdout: output, stderr: '' });
  });

  test('of several inputs writes lines to one place, and a file for each into a folder', async t => {
    const folder = folderIn(consumer, t, { 'c.json': lineOf(CLEAN) });
    mkdirSync(join(folder, 'logs/deep'), { recursive: true });
    writeFileSync(join(folder, 'logs/a.json'), lineOf(ROLLOUTS));
    writeFileSync(join(folder, 'logs/a.jsonl'), `${lineOf(CLEAN)}\n${lineOf(FAULTY)}\n`);
    writeFileSync(join(folder, 'logs/deep/a.traj'), lineOf(CLEAN));
    writeFileSync(join(folder, 'logs/deep/a.json'), lineOf(FAULTY));
    writeFileSync(join(folder, 'logs/deep/bad.json'), '{');
    const together = await convertIn(folder, 'logs', 'c.json', '--to', 'atif', '--output', 'all.jsonl');
    assert.equal(together.code, 2);
    assert.equal(together.stdout, '');
    const text = readFileSync(join(folder, 'all.jsonl'), 'utf8');
    assert.equal(parseLines(text).length, 2 + 3 + 1 + 2 + 1);
    const each = await convertIn(folder, 'logs', 'c.json', '--to', 'atif', '--output', 'out/');
    assert.equal(each.code, 2);
    const files = readdirSync(join(folder, 'out'), { recursive: true }).filter(name => /json/.test(name));
    assert.deepEqual(files.sort(), [
      'c.json',
      'logs/a.json',
      'logs/a.jsonl',
      'logs/deep/a.json',
      'logs/deep/a.traj.json',
    ]);
    const read = name => readFileSync(join(folder, 'out', name), 'utf8');
    assert.deepEqual(JSON.parse(read('logs/a.json')), exported(ROLLOUTS, 'atif'));
    assert.deepEqual(parseLines(read('logs/a.jsonl')), [...exported(CLEAN, 'atif'), ...exported(FAULTY, 'atif')]);
  });

  test('says what the format has no place for, and nothing when it has', async t => {
    const call = { id: 'a', name: 'f', arguments: {}, error: 'no', latency: 3 };
    const turn = { turn_id: 1, role: 'agent', content: '', timestamp: '2024-05-16T10:00:00Z', tool_calls: [call] };
    const rich = { trajectory_id: 't', turns: [turn], expected_calls: [{ tool: 'f', args: {} }], reward: 1 };
    const lines = `${JSON.stringify(rich)}\n`.repeat(3);
    const folder = folderIn(consumer, t, { 'a.jsonl': lines });
    const chat = await convertIn(folder, 'a.jsonl', '--to', 'openai-chat');
    assert.equal(chat.code, 0);
    assert.equal(
      chat.stderr,
      `toolgauge: openai-chat has no place for the following, so it is left out:
  3 trajectory ids
  3 lists of expected calls
  3 timestamps
  3 marks of failed calls: errors are written as results
  fields: call.latency (3), trajectory.reward (3)
`,
    );
    const atif = await convertIn(folder, 'a.jsonl', '--to', 'atif');
    assert.deepEqual(atif.stderr.split('\n').slice(1), [
      '  3 lists of expected calls',
      '  fields: call.latency (3), trajectory.reward (3)',
      '',
    ]);
    const own = await convertIn(folder, 'a.jsonl', '--to', 'harness');
    assert.deepEqual([own.stderr, own.stdout], ['', lines]);
  });

  test('says what could not be read of a document, the first of many', async t => {
    const orphan = { role: 'tool', tool_call_id: 'x\u001b[2J', content: 'x' };
    const messages = JSON.stringify([{ role: 'user', content: 'x' }, ...Array.from({ length: 15 }, () => orphan)]);
    const folder = folderIn(consumer, t, { 'a.json': messages });
    const { code, stderr } = await convertIn(folder, 'a.json', '--to', 'openai-chat');
    assert.equal(code, 0);
    const lines = stderr.trimEnd().split('\n');
    assert.match(lines[0], /^toolgauge: a\.json: \[1\]: warning: this result answers the call .*x\\u\{1b\}\[2J/);
    assert.match(stderr, /\ntoolgauge: 5 more warnings\n/);
  });

  test('--from and --input-format force the format that is read', async t => {
    const folder = folderIn(consumer, t, { 'a.json': '[{"role":"user","content":"hi"}]' });
    for (const flag of ['--from', '--input-format']) {
      const { code, stdout } = await convertIn(folder, 'a.json', '--to', 'harness', flag, 'anthropic');
      assert.equal(code, 0);
      assert.equal(JSON.parse(stdout).turns.length, 1);
      const other = await convertIn(folder, 'a.json', '--to', 'harness', flag, 'tau-bench');
      assert.equal(other.code, 2);
      assert.match(other.stderr, /^toolgauge: a\.json: \[0\]\.traj: expected a list of messages/);
    }
    const unknown = await convertIn(folder, 'a.json', '--to', 'harness', '--from', 'openai');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /argument 'openai' is invalid.*openai-chat/);
  });

  test('keeps numbers as they were written', async t => {
    const text =
      '{"turns":[{"turn_id":1,"role":"agent","content":"","tool_calls":[{"name":"f","arguments":{"n":12345678901234567890,"x":1.0}}]}]}\n';
    const folder = folderIn(consumer, t, { 'a.json': text });
    assert.equal((await convertIn(folder, 'a.json', '--to', 'harness')).stdout, text);
  });
});

suite('toolgauge convert refuses', () => {
  test('to overwrite what it reads', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': `${lineOf(CLEAN)}\n`, 'b.json': lineOf(CLEAN) });
    for (const output of ['a.jsonl', './b.json', '.']) {
      const { code, stderr } = await convertIn(folder, 'a.jsonl', 'b.json', '--to', 'atif', '--output', output);
      assert.equal(code, 2, output);
      assert.match(stderr, /is an input and would be overwritten/);
    }
    assert.equal(readFileSync(join(folder, 'a.jsonl'), 'utf8'), `${lineOf(CLEAN)}\n`);
  });

  test('a missing or unknown format to write, and names those that are known', async () => {
    const missing = await convertIn(consumer, CLEAN);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /--to with one of harness, openai-chat, ai-sdk-model, atif/);
    const unknown = await convertIn(consumer, CLEAN, '--to', 'yaml');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /harness, openai-chat, ai-sdk-model, atif/);
  });

  test('inputs that hold nothing, unless that is allowed, and makes no file of what can not be read', async t => {
    const folder = folderIn(consumer, t, { 'empty.jsonl': '', 'bad.json': '{' });
    const empty = await convertIn(folder, 'empty.jsonl', '--to', 'atif');
    assert.deepEqual([empty.code, empty.stdout], [2, '']);
    assert.match(empty.stderr, /^toolgauge: empty\.jsonl: it is empty\n/);
    assert.equal((await convertIn(folder, 'empty.jsonl', '--to', 'atif', '--allow-empty')).code, 0);
    assert.equal((await convertIn(folder, 'bad.json', '--to', 'atif', '--output', 'out.json')).code, 2);
    assert.ok(!existsSync(join(folder, 'out.json')));
  });
});

suite('toolgauge convert that is ended early', () => {
  const start = () => {
    const child = spawn(COMMAND, ['convert', '-', '--to', 'harness']);
    child.stdin.on('error', () => {});
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', text => (output[stream] += text));
    child.stdin.write(`${lineOf(CLEAN)}\n${lineOf(CLEAN)}\n`);
    return { child, closed: new Promise(settle => child.on('close', code => settle({ code, ...output }))) };
  };

  test('by Ctrl-C says how much is converted and exits with 130', async () => {
    const { child, closed } = start();
    await new Promise(settle => child.stdout.once('data', settle));
    child.kill('SIGINT');
    const { code, stdout, stderr } = await closed;
    assert.equal(code, 130);
    assert.equal(parseLines(stdout).length, 2);
    assert.equal(stderr, 'toolgauge: interrupted; converted so far: 2 trajectories of 2 documents\n');
  });

  test('by a reader that closes the pipe exits with 141 and says nothing', async () => {
    const { child, closed } = start();
    await new Promise(settle => child.stdout.once('data', settle));
    child.stdout.destroy();
    const more = setInterval(() => child.stdin.write(`${lineOf(FAULTY)}\n`), 20);
    const { code, stderr } = await closed;
    clearInterval(more);
    assert.deepEqual({ code, stderr }, { code: 141, stderr: '' });
  });
});
