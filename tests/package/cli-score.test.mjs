import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { scoreToolCalls, scoreTrajectories } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const [CLEAN, EXPECTED, ROLLOUTS] = ['clean', 'expected', 'rollouts'].map(name => join(TESTS, `fixtures/${name}.json`));

const scoreIn = (folder, ...args) => run(COMMAND, ['score', ...args], { cwd: folder });

const parseLines = text =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

const plain = value => JSON.parse(JSON.stringify(value));

/** A trajectory that calls these tools. */
const trajectory = (id, ...names) => ({
  trajectory_id: id,
  turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: names.map(name => ({ name, arguments: {} })) }],
});

const lines = (...values) => values.map(value => `${JSON.stringify(value)}\n`).join('');

/** The id and the score of each trajectory that was scored. */
async function scores(folder, ...args) {
  const { code, stdout, stderr } = await scoreIn(folder, ...args, '--format', 'jsonl');
  return { code, stderr, scores: parseLines(stdout).map(({ id, accuracy }) => [id, accuracy?.score]) };
}

suite('toolgauge score of many inputs', () => {
  test('scores what each trajectory carries, as scoreTrajectories does', async t => {
    const folder = folderIn(consumer, t, { 'a.jsonl': lines(...JSON.parse(readFileSync(ROLLOUTS, 'utf8'))) });
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/b.json'), readFileSync(ROLLOUTS));
    const { code, stdout, stderr } = await scoreIn(folder, 'a.jsonl', 'logs', '--format', 'json');
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const { results, summary, gate } = JSON.parse(stdout);
    const wanted = plain(scoreTrajectories(readFileSync(ROLLOUTS)).trajectories);
    assert.deepEqual(
      results.slice(2),
      wanted.map(one => ({ source: 'logs/b.json', format: 'tau-bench', ...one })),
    );
    assert.deepEqual(
      results.slice(0, 2),
      wanted.map((one, at) => ({ source: 'a.jsonl', line: at + 1, format: 'tau-bench', ...one, index: 0 })),
    );
    assert.equal(summary.scored, 4);
    assert.equal(summary.score, 0.5);
    assert.deepEqual([summary.expected, summary.made, summary.correct, summary.missed], [4, 2, 2, 2]);
    assert.deepEqual(gate, { passed: true, failures: [] });
    const jsonl = await scoreIn(folder, 'a.jsonl', 'logs', '--format', 'jsonl');
    assert.deepEqual(parseLines(jsonl.stdout), results);
    assert.equal((await scoreIn(folder, 'a.jsonl', '--min-score', '0.5')).code, 0);
    assert.equal((await scoreIn(folder, 'a.jsonl', '--min-score', '0.6')).code, 1);
  });

  test('prints each trajectory and the totals', async t => {
    const folder = folderIn(consumer, t, {
      'a.jsonl': lines(
        { ...trajectory('one', 'f'), expected_calls: [{ tool: 'f', args: {} }] },
        { ...trajectory('two', 'g'), expected_calls: [{ tool: 'f', args: {} }] },
        trajectory('three', 'f'),
      ),
    });
    const { stdout } = await scoreIn(folder, 'a.jsonl');
    assert.deepEqual(stdout.split('\n'), [
      'toolgauge score  a.jsonl',
      '',
      '✔ one  line 1 · score 1.000 · 1 expected · 1 actual',
      '',
      '✖ two  line 2 · score 0.000 · 1 expected · 1 actual',
      '  − missed    f {}',
      '              "f" was not called',
      '  + extra     g {}',
      '',
      'scored   2 trajectories, 1 perfect; 1 trajectory not scored: no expected calls',
      'calls    1 correct, 0 incorrect, 1 missed, 1 extra of 2 expected calls',
      'score    0.500 (mean)',
      'gate     no gate: give --min-score, --min-pass-rate or --min-pass-hat to fail on',
      '         a low score',
      '',
    ]);
    const shown = async which => (await scoreIn(folder, 'a.jsonl', '--show', which)).stdout.match(/^[✔✖] \w+/gm);
    assert.deepEqual(await shown('issues'), ['✖ two']);
    assert.equal(await shown('none'), null);
  });

  test('holds trajectories against what is expected for their ids, in every shape of it', async t => {
    const calls = name => [{ tool: name, args: {} }];
    const folder = folderIn(consumer, t, {
      'a.jsonl': lines(trajectory('one', 'f'), trajectory('two', 'g'), trajectory('three', 'h')),
      'record.json': JSON.stringify({ two: { calls: calls('f') }, one: calls('f') }),
      'list.jsonl': lines({ id: 'one', calls: calls('f') }, { id: 'two', expected: calls('f') }),
      'runs.json': JSON.stringify([trajectory('one', 'f'), trajectory('two', 'f')]),
      'answers.jsonl': lines({ id: 'two', ground_truth: [{ f: {} }] }, { id: 'one', ground_truth: [{ f: {} }] }),
    });
    for (const name of ['record.json', 'list.jsonl', 'runs.json', 'answers.jsonl']) {
      assert.deepEqual(
        await scores(folder, 'a.jsonl', '--expected', name),
        {
          code: 0,
          stderr: '',
          scores: [
            ['one', 1],
            ['two', 0],
          ],
        },
        name,
      );
    }
  });

  test('reports answers that cannot be read, and uses the others', async t => {
    const folder = folderIn(consumer, t, {
      'a.jsonl': lines(trajectory('one', 'f'), trajectory('two', 'g')),
      'answers.jsonl': lines({ id: 'one', ground_truth: [{ f: {} }] }, { id: 'two', ground_truth: [['g()']] }),
    });
    const found = await scores(folder, 'a.jsonl', '--expected', 'answers.jsonl');
    assert.deepEqual([found.code, found.scores], [2, [['one', 1]]]);
    assert.match(
      found.stderr,
      /^toolgauge: the expected calls of two \(answer 2\) are not read: \[1\]\.ground_truth\[0\]/,
    );
    const allowed = await scores(folder, 'a.jsonl', '--expected', 'answers.jsonl', '--allow-errors');
    assert.equal(allowed.code, 0);
  });

  test('takes the defaults of the schemas in --tools', async t => {
    const folder = folderIn(consumer, t, {
      'a.jsonl': lines(trajectory('one', 'f')),
      'expected.json': JSON.stringify({ calls: [{ tool: 'f', args: { limit: 10 } }], schemaDefaults: true }),
      'tools.json': JSON.stringify([{ name: 'f', parameters: { properties: { limit: { default: 10 } } } }]),
    });
    const found = await scores(folder, 'a.jsonl', '--expected', 'expected.json', '--tools', 'tools.json');
    assert.deepEqual([found.code, found.scores], [0, [['one', 1]]]);
  });

  test('holds all trajectories against expectations without ids', async t => {
    const folder = folderIn(consumer, t, {
      'a.jsonl': lines(trajectory('one', 'f', 'pay'), trajectory('two', 'f')),
      'expected.json': JSON.stringify({ calls: ['f'], forbidden: ['pay'] }),
    });
    const found = await scores(folder, 'a.jsonl', '--expected', 'expected.json', '--min-score', '0.6');
    assert.deepEqual(found.scores, [
      ['one', 0],
      ['two', 1],
    ]);
    assert.equal(found.code, 1);
  });

  test('reports the ids with expected calls that no trajectory has, and exits with 2', async t => {
    const folder = folderIn(consumer, t, {
      'a.jsonl': lines(trajectory('one', 'f')),
      'expected.json': JSON.stringify({ one: ['f'], two: ['f'], 'thr\u001b[2Jee': ['f'] }),
    });
    const args = ['a.jsonl', '--expected', 'expected.json'];
    const found = await scores(folder, ...args);
    assert.equal(found.code, 2);
    assert.equal(
      found.stderr,
      'toolgauge: calls are expected for 2 ids that no trajectory has: two, thr\\u{1b}[2Jee; --allow-errors lets that pass\n',
    );
    assert.equal((await scores(folder, ...args, '--allow-errors')).code, 0);
  });

  test('a bad line is reported by its number, the rest is scored, and the exit code is 2', async t => {
    const good = { ...trajectory('one', 'f'), expected_calls: [{ tool: 'f', args: {} }] };
    const folder = folderIn(consumer, t, { 'a.jsonl': `${lines(good)}{"turns": [\n${lines(good)}` });
    const found = await scores(folder, 'a.jsonl');
    assert.equal(found.code, 2);
    assert.deepEqual(found.scores, [
      ['one', 1],
      [undefined, undefined],
      ['one', 1],
    ]);
    assert.match(found.stderr, /^toolgauge: a\.jsonl:2: not valid JSON/);
    const pretty = await scoreIn(folder, 'a.jsonl');
    assert.match(pretty.stdout, /✖ line 2 {2}not read: not valid JSON/);
    assert.match(pretty.stdout, /unread {3}1 of 3 documents/);
  });

  test('answers each piece of standard input at once, and prints the totals on Ctrl-C', async () => {
    const child = spawn(COMMAND, ['score', '-', '--format', 'jsonl']);
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'])
      child[stream].setEncoding('utf8').on('data', text => (output[stream] += text));
    const closed = new Promise(settle => child.on('close', settle));
    const good = { ...trajectory('one', 'f'), expected_calls: [{ tool: 'f', args: {} }] };
    child.stdin.write(lines(good, good));
    while (!output.stdout.includes('\n')) await new Promise(settle => child.stdout.once('data', settle));
    child.kill('SIGINT');
    assert.equal(await closed, 130);
    assert.match(output.stderr, /^toolgauge: interrupted; the totals so far:\n\nscored {3}2 trajectories, 2 perfect\n/);
  });

  test('nothing to score fails and says why, unless that is allowed', async () => {
    const { code, stdout } = await scoreIn(consumer, CLEAN);
    assert.equal(code, 1);
    assert.match(stdout, /gate +failed: no trajectory was scored: none has\s+expected\s+calls/);
    assert.equal((await scoreIn(consumer, CLEAN, '--allow-empty')).code, 0);
  });

  test('--input-format forces the format', async t => {
    const folder = folderIn(consumer, t, { 'a.json': '[{"role":"user","content":"hi"}]', 'e.json': '[]' });
    const forced = await scoreIn(
      folder,
      'a.json',
      '--expected',
      'e.json',
      '--input-format',
      'anthropic',
      '--format',
      'jsonl',
    );
    assert.equal(JSON.parse(forced.stdout).format, 'anthropic');
  });

  test('--actual still compares two files, and writes into a file', async t => {
    const folder = folderIn(consumer, t, {});
    const args = ['--expected', EXPECTED, '--actual', CLEAN, '--format', 'json', '--output', 'score.json'];
    const { code, stdout } = await scoreIn(folder, ...args);
    assert.deepEqual([code, stdout], [0, '']);
    const wanted = scoreToolCalls({ expected: readFileSync(EXPECTED), actual: readFileSync(CLEAN) });
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'score.json'), 'utf8')), plain(wanted));
  });

  test('says what can not be used', async t => {
    const folder = folderIn(consumer, t, {
      'twice.json': JSON.stringify([
        { id: 'a', calls: [] },
        { id: 'a', calls: [] },
      ]),
    });
    for (const [args, says] of [
      [[], /nothing to score\n {2}name files with trajectories, or give --actual/],
      [[CLEAN, '--actual', CLEAN], /inputs and --actual were given/],
      [[CLEAN, '--expected', 'twice.json'], /^toolgauge: twice\.json: \[1\]: expected each id once, got "a" once more/],
      [['-', '--expected', '-'], /standard input/],
    ]) {
      const { code, stdout, stderr } = await scoreIn(folder, ...args);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, says);
    }
  });
});
