// Rows of other projects' datasets and results: scored, measured, and taken as expectations.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';

const { detectFormat, importExpectations, importTrajectory, scoreToolCalls, scoreTrajectories } =
  await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');

const lines = (...values) => values.map(value => `${JSON.stringify(value)}\n`).join('');

const runIn = async (folder, ...args) => {
  const { code, stdout, stderr } = await run(COMMAND, [...args, '--format', 'json'], { cwd: folder });
  return { code, stderr, ...JSON.parse(stdout) };
};

const WANTED = { tool: 'weather', args: { city: 'Oslo' } };

const said = text => ({ role: 'model', parts: [{ text }] });

/** Rows in which one of two calls is as expected: the score is 0.5. */
const ROWS = {
  deepeval: {
    name: 'row',
    input: 'Weather?',
    actual_output: 'Fine.',
    tools_called: [
      { name: 'weather', input_parameters: { city: 'Oslo' } },
      { name: 'weather', input_parameters: { city: 'Bern' } },
    ],
    expected_tools: [
      { name: 'weather', input_parameters: { city: 'Oslo' } },
      { name: 'weather', input_parameters: { city: 'Rome' } },
    ],
  },
  ragas: {
    user_input: [
      { content: 'Weather?', type: 'human' },
      {
        content: '',
        type: 'ai',
        tool_calls: [
          { name: 'weather', args: { city: 'Oslo' } },
          { name: 'weather', args: { city: 'Bern' } },
        ],
      },
      { content: 'rain', type: 'tool' },
      { content: 'sun', type: 'tool' },
    ],
    reference_tool_calls: [
      { name: 'weather', args: { city: 'Oslo' } },
      { name: 'weather', args: { city: 'Rome' } },
    ],
  },
  langsmith: {
    run: {
      run_type: 'chain',
      name: 'agent',
      inputs: { messages: [{ type: 'human', content: 'Weather?' }] },
      outputs: {
        messages: [
          {
            type: 'ai',
            content: '',
            tool_calls: [
              { id: 'a', name: 'weather', args: { city: 'Oslo' } },
              { id: 'b', name: 'weather', args: { city: 'Bern' } },
            ],
          },
        ],
      },
    },
    example: {
      id: 'row',
      inputs: { question: 'Weather?' },
      outputs: {
        tool_calls: [
          { name: 'weather', args: { city: 'Oslo' } },
          { name: 'weather', args: { city: 'Rome' } },
        ],
      },
    },
  },
  adk: {
    eval_set_id: 'set',
    eval_case_results: [
      {
        eval_id: 'row',
        eval_metric_result_per_invocation: [
          {
            actual_invocation: {
              user_content: said('Weather?'),
              intermediate_data: {
                tool_uses: [
                  { name: 'weather', args: { city: 'Oslo' } },
                  { name: 'weather', args: { city: 'Bern' } },
                ],
              },
            },
            expected_invocation: {
              user_content: said('Weather?'),
              intermediate_data: {
                tool_uses: [
                  { name: 'weather', args: { city: 'Oslo' } },
                  { name: 'weather', args: { city: 'Rome' } },
                ],
              },
            },
          },
        ],
      },
    ],
  },
};

suite('Rows of datasets', () => {
  for (const [format, row] of Object.entries(ROWS)) {
    test(`of ${format} are detected and scored against what they expect`, () => {
      assert.deepEqual(detectFormat(row), { kind: 'trajectory', format });
      const { trajectories, warnings } = scoreTrajectories(row);
      assert.deepEqual(warnings, []);
      const [{ accuracy }] = trajectories;
      assert.equal(accuracy.score, 0.5);
      assert.equal(accuracy.incorrectCalls[0].details, 'args.city: expected "Rome", got "Bern"');
    });

    test(`of ${format} are scored and measured by the command, one per line`, async t => {
      const folder = folderIn(consumer, t, { 'rows.jsonl': lines(row, row) });
      const scored = await runIn(folder, 'score', 'rows.jsonl');
      assert.deepEqual([scored.code, scored.stderr], [0, '']);
      assert.deepEqual([scored.summary.scored, scored.summary.score], [2, 0.5]);
      const measured = await runIn(folder, 'correctness', 'rows.jsonl', '--params', 'input_parameters');
      assert.deepEqual([measured.code, measured.stderr], [0, '']);
      assert.deepEqual([measured.summary.cases, measured.summary.score], [2, 0.5]);
    });

    test(`of ${format} state expectations`, () => {
      const { value, warnings } = importExpectations(row);
      assert.deepEqual(warnings, []);
      assert.deepEqual(value.calls, [WANTED, { tool: 'weather', args: { city: 'Rome' } }]);
      assert.equal(scoreToolCalls({ expected: row, actual: [WANTED] }).score, 0.667);
    });
  }

  test('goldens that were not run state what other trajectories should do', async t => {
    const goldens = ['one', 'two'].map(name => ({
      name,
      input: 'Weather?',
      expectedTools: [{ name: 'weather', inputParameters: { city: 'Oslo' } }],
    }));
    const made = (id, city) => ({
      trajectory_id: id,
      turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'weather', arguments: { city } }] }],
    });
    const folder = folderIn(consumer, t, {
      'goldens.json': JSON.stringify(goldens),
      'logs.jsonl': lines(made('one', 'Oslo'), made('two', 'Bern')),
    });
    const { code, summary } = await runIn(folder, 'score', '--expected', 'goldens.json', 'logs.jsonl');
    assert.deepEqual([code, summary.scored, summary.perfect], [0, 2, 1]);
    const { warnings } = scoreTrajectories(goldens);
    assert.match(warnings[0].message, /not run/);
  });

  test('what is not read gives a warning', () => {
    const warningOf = row => importTrajectory(row).warnings.map(({ path, message }) => `${path}: ${message}`);
    const example = { inputs: { question: 'a' }, outputs: {}, reference_outputs: { answer: 'b' } };
    assert.match(warningOf(example)[0], /^reference_outputs: .*nothing is expected/);
    assert.match(warningOf({ id: 'a', result: '[weather(Oslo)]' })[0], /^result: .*not read as calls/);
  });

  test('that name tools without arguments expect any arguments', () => {
    const called = { name: 'weather', args: { city: 'Oslo' } };
    const rows = [
      {
        input: 'a',
        tools_called: [{ name: 'weather', input_parameters: called.args }],
        expected_tools: [{ name: 'weather' }],
      },
      { inputs: { question: 'a' }, outputs: { tool_calls: [called] }, reference_outputs: { trajectory: ['weather'] } },
    ];
    for (const row of rows) {
      const { trajectories, warnings } = scoreTrajectories(row);
      assert.deepEqual(warnings, []);
      assert.equal(trajectories[0].accuracy.score, 1);
      assert.equal(scoreToolCalls({ expected: row, actual: [{ tool: 'weather', args: { city: 'Rome' } }] }).score, 1);
      assert.equal(scoreToolCalls({ expected: row, actual: [{ tool: 'find', args: {} }] }).score, 0);
    }
  });
});

suite('Result files of BFCL', () => {
  test('may hold names without dots, as many interfaces want them', () => {
    const expected = { id: 'a', ground_truth: [{ 'math.gcd': { a: [8], b: [12] } }] };
    const actual = { id: 'a', result: [{ math_gcd: '{"a": 8, "b": 12}' }] };
    assert.equal(scoreToolCalls({ expected, actual }).score, 1);
  });

  const ANSWERS = [
    { id: 'simple_0', ground_truth: [{ weather: { city: ['Oslo', 'Oslo, Norway'], unit: ['celsius', ''] } }] },
    { id: 'parallel_0', ground_truth: [{ weather: { city: ['Oslo'] } }, { weather: { city: ['Bern'] } }] },
    { id: 'simple_1', ground_truth: [{ weather: { city: ['Oslo'] } }] },
  ];
  const RESULTS = [
    { id: 'simple_0', result: "[weather(city='Oslo, Norway')]", latency: 0.6 },
    { id: 'parallel_0', result: [{ weather: '{"city": "Bern"}' }, { weather: '{"city": "Rome"}' }] },
    { id: 'simple_1', result: 'Which Oslo do you mean?' },
  ];

  test('are scored against the answers by id, whatever the files are called', async t => {
    for (const end of ['jsonl', 'json']) {
      const folder = folderIn(consumer, t, {
        [`answers.${end}`]: lines(...ANSWERS),
        [`results.${end}`]: lines(...RESULTS),
      });
      const scored = await runIn(folder, 'score', '--expected', `answers.${end}`, `results.${end}`);
      assert.deepEqual([scored.code, scored.stderr], [0, '']);
      assert.deepEqual(
        scored.results.map(({ id, accuracy }) => [id, accuracy.score]),
        [
          ['simple_0', 1],
          ['parallel_0', 0.5],
          ['simple_1', 0],
        ],
      );
    }
  });
});
