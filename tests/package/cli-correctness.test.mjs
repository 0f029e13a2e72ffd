import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { measureCorrectness } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const [CLEAN, EXPECTED, ROLLOUTS] = ['clean', 'expected', 'rollouts'].map(name => join(TESTS, `fixtures/${name}.json`));

const tool = (name, inputParameters, output) => ({ name, inputParameters, output });

const GOOD = {
  id: 'good',
  input: 'Find a fern',
  toolsCalled: [tool('find', { q: 'fern' })],
  expectedTools: [tool('find', { q: 'fern' })],
};
const HALF = {
  name: 'half',
  input: 'Find a rose, then order it',
  tools_called: [
    { name: 'order_x1y2', input_parameters: { id: 7, count: 2 } },
    { name: 'find', input_parameters: { q: 'rose' }, output: { id: 7 } },
  ],
  expected_tools: [
    { name: 'find', input_parameters: { q: 'rose' }, output: { id: 8 } },
    { name: 'order', input_parameters: { id: 7, count: 1 } },
  ],
};
const BAD = { toolsCalled: [tool('pay')], expectedTools: [tool('find')] };

const correctnessIn = (folder, ...args) => run(COMMAND, ['correctness', ...args], { cwd: folder });

const parseLines = text =>
  text
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line));

const jsonOf = async (folder, ...args) => {
  const { code, stdout, stderr } = await correctnessIn(folder, ...args, '--format', 'json');
  return { code, stderr, ...JSON.parse(stdout) };
};

suite('toolgauge correctness', () => {
  test('--no-normalize-names keeps the endings of names', async t => {
    const folder = folderIn(consumer, t, { 'half.json': JSON.stringify(HALF) });
    const { summary } = await jsonOf(folder, 'half.json', '--no-normalize-names');
    assert.equal(summary.score, 0.5);
    assert.equal((await jsonOf(folder, 'half.json')).summary.score, 1);
  });

  test('reports each test case, what is wrong with it, and the totals', async t => {
    const folder = folderIn(consumer, t, { 'cases.json': JSON.stringify([GOOD, HALF, BAD]) });
    const { code, stdout, stderr } = await correctnessIn(folder, 'cases.json', '--params', 'input_parameters');
    assert.equal(stderr, '');
    assert.equal(code, 1);
    assert.deepEqual(stdout.split('\n'), [
      'toolgauge correctness  cases.json · names and arguments · threshold 0.5',
      '',
      '✔ good  score 1.000 · 1 expected · 1 called',
      '',
      '▲ half  score 0.750 · 2 expected · 2 called',
      '  asked       "Find a rose, then order it"',
      '  ✔ correct   find {"q": "rose"}',
      '  ✖ differs   order {"id": 7, "count": 2}',
      '              args.count: expected 1, got 2',
      '',
      '✖ #2  score 0.000 · 1 expected · 1 called',
      '  − missed    find {}',
      '  + extra     pay {}',
      '',
      'measured 3 test cases, 1 perfect, 2 passed',
      'calls    4 expected, 4 called',
      'score    0.583 (mean)',
      'gate     failed: 1 of 3 test cases does not reach the threshold',
      '',
    ]);
  });

  test('prints as JSON what measureCorrectness gives, with each option', async t => {
    const folder = folderIn(consumer, t, { 'cases.jsonl': `${JSON.stringify(GOOD)}\n${JSON.stringify(HALF)}\n` });
    for (const [args, options] of [
      [[], {}],
      [['--params', 'input_parameters,output'], { evaluationParams: ['input_parameters', 'output'] }],
      [['--ordering'], { shouldConsiderOrdering: true }],
      [['--exact'], { shouldExactMatch: true }],
      [['--strict', '--ordering'], { strictMode: true, shouldConsiderOrdering: true }],
      [
        ['--threshold', '0.9', '--params', 'input_parameters'],
        { threshold: 0.9, evaluationParams: ['input_parameters'] },
      ],
    ]) {
      const { code, results, summary } = await jsonOf(folder, 'cases.jsonl', ...args);
      const [good, half] = [GOOD, HALF].map(one => measureCorrectness(one, options));
      assert.deepEqual(results, [
        { source: 'cases.jsonl', line: 1, index: 0, id: 'good', ...good },
        { source: 'cases.jsonl', line: 2, index: 0, id: 'half', ...half },
      ]);
      assert.equal(code, good.success && half.success ? 0 : 1, args.join(' '));
      assert.equal(summary.cases, 2);
      assert.equal(summary.score, Math.round(((good.score + half.score) / 2) * 1000) / 1000);
    }
  });

  test('calls that were made in another order are reported as moved', async t => {
    const folder = folderIn(consumer, t, { 'case.json': JSON.stringify(HALF) });
    const { stdout } = await correctnessIn(folder, 'case.json', '--ordering');
    assert.match(stdout, /· in order · names · threshold 0\.5/);
    assert.match(stdout, /✖ moved/);
    assert.doesNotMatch(stdout, /missing/);
  });

  test('takes runs of test cases and rollouts that carry expected calls', async t => {
    const folder = folderIn(consumer, t, { 'run.json': JSON.stringify({ testCases: [GOOD, BAD] }) });
    const run = await jsonOf(folder, 'run.json');
    assert.deepEqual(
      run.results.map(({ index, score }) => [index, score]),
      [
        [0, 1],
        [1, 0],
      ],
    );
    const rollouts = await jsonOf(folder, ROLLOUTS, '--params', 'input_parameters');
    assert.deepEqual(
      rollouts.results.map(({ id, score }) => [id, score]),
      [
        ['ferns', 1],
        ['roses', 0],
      ],
    );
    const none = await correctnessIn(folder, CLEAN);
    assert.equal(none.code, 1);
    assert.match(none.stdout, /0 test cases, 0 perfect, 0 passed; 1 trajectory without expected\s+calls/);
    assert.match(none.stdout, /gate +failed: no test case was measured/);
    assert.equal((await correctnessIn(folder, CLEAN, '--allow-empty')).code, 0);
  });

  test('--expected and --actual are one test case', async () => {
    const { code, results } = await jsonOf(consumer, '--expected', EXPECTED, '--actual', CLEAN);
    assert.deepEqual([code, results.length, results[0].score], [0, 1, 1]);
    const strict = await jsonOf(consumer, '--expected', EXPECTED, '--actual', CLEAN, '--params', 'input_parameters');
    assert.equal(strict.results[0].score, 0.75);
    const piped = await run(COMMAND, ['correctness', '--expected', EXPECTED, '--actual', '-', '--exact'], {
      input: readFileSync(CLEAN),
    });
    assert.equal(piped.code, 0, piped.stdout);
  });

  test('--min-score holds the mean, --threshold each test case', async t => {
    const folder = folderIn(consumer, t, { 'cases.json': JSON.stringify([GOOD, HALF]) });
    const codeOf = async (...args) =>
      (await correctnessIn(folder, 'cases.json', '--params', 'input_parameters', ...args)).code;
    assert.equal(await codeOf('--min-score', '0.875'), 0);
    assert.equal(await codeOf('--min-score', '0.876'), 1);
    assert.equal(await codeOf('--threshold', '0.75'), 0);
    assert.equal(await codeOf('--threshold', '0.76'), 1);
    assert.equal(await codeOf('--strict'), 1);
  });

  test('a bad line is reported by its number, the rest is measured, and the exit code is 2', async t => {
    const lines = [JSON.stringify(GOOD), '{', '{"toolsCalled": []}', JSON.stringify(GOOD), '{"odd": 1}'];
    const folder = folderIn(consumer, t, { 'cases.jsonl': lines.join('\n') });
    const { code, stdout, stderr } = await correctnessIn(folder, 'cases.jsonl', '--format', 'jsonl');
    assert.equal(code, 2);
    assert.deepEqual(
      parseLines(stdout).map(({ line, score, error }) => [line, score ?? error.code]),
      [
        [1, 1],
        [2, 'invalid_json'],
        [3, 'invalid_input'],
        [4, 1],
        [5, 'unknown_format'],
      ],
    );
    assert.match(stderr, /^toolgauge: cases\.jsonl:2: .*\ntoolgauge: cases\.jsonl:3: expectedTools: expected/);
    assert.match(stderr, /3 of 5 documents could not be read; --allow-errors lets that pass\n$/);
    assert.equal((await correctnessIn(folder, 'cases.jsonl', '--allow-errors')).code, 0);
    const pretty = await correctnessIn(folder, 'cases.jsonl', '--show', 'failing', '--output', 'report.txt');
    assert.equal(pretty.stdout, '');
    assert.match(
      readFileSync(join(folder, 'report.txt'), 'utf8'),
      /✖ line 2 {2}not read: not valid JSON[\s\S]*unread {3}3 of 5/,
    );
  });

  test('says what can not be used', async t => {
    const folder = folderIn(consumer, t, { 'odd.json': '{"odd": 1}', 'wrong.json': '[{"args": {}}]' });
    for (const [args, says] of [
      [[], /no test cases\n {2}name files with them, or give --expected and --actual/],
      [['--expected', EXPECTED], /--actual is missing/],
      [['odd.json', '--expected', EXPECTED, '--actual', CLEAN], /give one of them/],
      [['odd.json'], /odd\.json: no known trajectory format.*\n {2}give test cases \{toolsCalled, expectedTools\}/],
      [['--expected', EXPECTED, '--actual', 'wrong.json'], /^toolgauge: wrong\.json: actual\[0\]\.tool: expected/],
      [['odd.json', '--params', 'input'], /Known are input_parameters and output/],
      [['odd.json', '--threshold', '2'], /0 to 1/],
    ]) {
      const { code, stdout, stderr } = await correctnessIn(folder, ...args);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, says);
    }
  });
});
