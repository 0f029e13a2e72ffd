import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';

const { exportTrajectory, importTrajectories, importTrajectory } = await fromConsumer('toolgauge');

const TURNS = [
  { turn_id: 1, role: 'system', content: 'Be brief.' },
  { turn_id: 2, role: 'user', content: 'Weather in Oslo and Rome?' },
  {
    turn_id: 3,
    role: 'agent',
    content: '',
    timestamp: '2026-01-01T00:00:00Z',
    tool_calls: [
      { id: 'a', name: 'weather', arguments: { city: 'Oslo' }, result: { celsius: -3 } },
      { name: 'weather', rawArguments: '{"city":', error: 'no such city' },
      { id: 'c', name: 'clock', arguments: {} },
    ],
  },
  { turn_id: 4, role: 'agent', content: 'Cold in Oslo.' },
];
const TRAJECTORY = { trajectory_id: 't-1', turns: TURNS };

suite('a trajectory is written as', () => {
  test('OpenAI chat messages', () => {
    const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: args } });
    assert.deepEqual(exportTrajectory(TRAJECTORY, { format: 'openai-chat' }), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          call('a', 'weather', '{"city":"Oslo"}'),
          call('call_3_2', 'weather', '{"city":'),
          call('c', 'clock', '{}'),
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: '{"celsius":-3}' },
      { role: 'tool', tool_call_id: 'call_3_2', content: 'no such city' },
      { role: 'assistant', content: 'Cold in Oslo.' },
    ]);
  });

  test('AI SDK model messages', () => {
    const result = (toolCallId, output) => ({ type: 'tool-result', toolCallId, toolName: 'weather', output });
    assert.deepEqual(exportTrajectory(TRAJECTORY, { format: 'ai-sdk-model' }), [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Oslo and Rome?' },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Oslo' } },
          { type: 'tool-call', toolCallId: 'call_3_2', toolName: 'weather', input: '{"city":' },
          { type: 'tool-call', toolCallId: 'c', toolName: 'clock', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          result('a', { type: 'json', value: { celsius: -3 } }),
          result('call_3_2', { type: 'error-text', value: 'no such city' }),
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Cold in Oslo.' }] },
    ]);
  });

  test('ATIF', () => {
    const { steps, ...about } = exportTrajectory(TRAJECTORY, { format: 'atif' });
    assert.deepEqual(about, {
      schema_version: 'ATIF-v1.7',
      session_id: 't-1',
      agent: { name: 'unknown', version: 'unknown' },
    });
    assert.deepEqual(steps[2], {
      step_id: 3,
      timestamp: '2026-01-01T00:00:00Z',
      source: 'agent',
      message: '',
      tool_calls: [
        { tool_call_id: 'a', function_name: 'weather', arguments: { city: 'Oslo' } },
        {
          tool_call_id: 'call_3_2',
          function_name: 'weather',
          arguments: {},
          extra: { raw_arguments: '{"city":' },
        },
        { tool_call_id: 'c', function_name: 'clock', arguments: {} },
      ],
      observation: {
        results: [
          { source_call_id: 'a', content: '{"celsius":-3}' },
          { source_call_id: 'call_3_2', content: 'no such city', extra: { is_error: true } },
        ],
      },
    });
  });

  test("toolgauge's own shape, also when no format is named", () => {
    assert.deepEqual(exportTrajectory(TRAJECTORY), TRAJECTORY);
    assert.deepEqual(exportTrajectory(TRAJECTORY, { format: 'harness' }), TRAJECTORY);
  });
});

suite('every format that is read', () => {
  const folder = join(import.meta.dirname, '../fixtures/formats');
  for (const file of readdirSync(folder, { recursive: true }).filter(file => /\.jsonl?$/.test(file))) {
    test(`${file} is written and read again`, () => {
      const bytes = readFileSync(join(folder, file));
      const callsOf = ({ turns }) =>
        turns.filter(({ role }) => role === 'agent').flatMap(turn => turn.tool_calls ?? []);
      for (const trajectory of importTrajectories(bytes).value.filter(it => callsOf(it).length > 0)) {
        for (const format of ['openai-chat', 'ai-sdk-model', 'atif', 'harness']) {
          const again = importTrajectory(exportTrajectory(trajectory, { format }));
          assert.equal(again.format, format);
          const names = callsOf(trajectory).map(({ name = '' }) => name);
          assert.deepEqual(
            callsOf(again.value).map(({ name = '' }) => name),
            names,
          );
          if (format === 'harness') assert.deepEqual(again.value, trajectory);
        }
      }
    });
  }
});

suite('what is refused', () => {
  test('a format that is not written', () => {
    assertFails(() => exportTrajectory(TRAJECTORY, { format: 'gemini' }), {
      code: 'invalid_option',
      says: /harness.*openai-chat.*ai-sdk-model.*atif/,
    });
  });

  test('several trajectories', () => {
    assertFails(() => exportTrajectory([TRAJECTORY, TRAJECTORY]), { code: 'invalid_input', says: /got 2/ });
  });

  test('an input that is not of the format that it is read as', () => {
    const options = { format: 'atif', from: 'tau-bench' };
    assertFails(() => exportTrajectory(TRAJECTORY, options), { code: 'invalid_input', path: 'traj' });
  });
});
