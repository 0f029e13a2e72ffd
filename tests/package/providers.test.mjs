import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { assertFails, forms } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';
import { providerCalls } from './support/provider-calls.mjs';
import { rejection } from './support/scripted-judges.mjs';

const toolgauge = await fromConsumer('toolgauge');
const {
  checkToolCall,
  checkTrajectories,
  compileTools,
  exportTrajectory,
  findUnsupportedFacts,
  importTrajectories,
  importTrajectory,
  measureCorrectness,
  reflectToolCall,
  repairToolCall,
  repairToolCallSync,
  reportCallLists,
  reportTrajectories,
  scoreToolCalls,
  validateSchema,
  validateToolCall,
  validateTrajectory,
  validateTurn,
  verifyResult,
  verifyTurnResults,
} = toolgauge;
const { streamText } = await fromConsumer('ai');
const { MockLanguageModelV4 } = await fromConsumer('ai/test');

const FIND = {
  name: 'find_order',
  parameters: {
    type: 'object',
    properties: { number: { type: 'integer' }, note: { type: 'string' } },
    required: ['number'],
    additionalProperties: false,
  },
};
const TOOLS = [FIND, { name: 'list_orders', parameters: { type: 'object', properties: {} } }];
const RIGHT = { number: 5, note: 'as asked' };
const PLAIN = 'toolgauge';

/** Calls by title, each as every provider writes it. */
const CALLS = {
  'a right call': providerCalls('find_order', RIGHT),
  'a call with a wrong type and an unknown argument': providerCalls('find_order', { number: '5', wind: 1 }),
  'a call without arguments': providerCalls('find_order', {}),
  'a call of an unknown tool': providerCalls('find_orders', RIGHT),
  'a call with a nested text that looks like JSON': providerCalls('find_order', { number: 5, note: '{"a": [1' }),
};

const turnWith = (...calls) => ({ turn_id: 1, role: 'agent', content: 'It is R7654321.', tool_calls: calls });
const scored = { expected: [{ tool: 'find_order', args: RIGHT }], actual: [{ tool: 'find_order', args: RIGHT }] };
const called = [{ name: 'find_order', inputParameters: RIGHT }];
const byArguments = { evaluationParams: ['input_parameters'] };

/** What each function says of a call, wherever it takes one. */
const VERDICTS = {
  validateToolCall: call => validateToolCall(call, TOOLS),
  'validateToolCall, as JSON text': call => validateToolCall(JSON.stringify(call), TOOLS),
  validateSchema: call => validateSchema(call, FIND),
  validateTurn: call => validateTurn(turnWith(call), TOOLS),
  'validateTurn, among other calls': call =>
    validateTurn(turnWith(...Object.values(CALLS['a right call']), call), TOOLS),
  validateTrajectory: call => validateTrajectory({ turns: [turnWith(call)] }, TOOLS),
  checkTrajectories: call => checkTrajectories({ turns: [turnWith(call)] }, TOOLS),
  'checkToolCall, but for the shape of the correction': call => {
    const { metrics, ...rest } = checkToolCall({ tools: TOOLS, toolCall: call });
    const withoutShape = Object.entries(metrics).map(([name, { correction, ...metric }]) => [
      name,
      { ...metric, correctedArguments: correction?.correctedArguments },
    ]);
    return { metrics: Object.fromEntries(withoutShape), ...rest };
  },
  'repairToolCallSync, but for the shapes': call => {
    const { toolCall, refusal, ...rest } = repairToolCallSync({ tools: TOOLS, toolCall: call });
    return rest;
  },
  verifyResult: call => verifyResult(call, turnWith(call)),
  'verifyResult, with a result': call => {
    const answered = { ...call, result: { order: 'R7654322' } };
    return verifyResult(answered, turnWith(answered));
  },
  verifyTurnResults: call => verifyTurnResults(turnWith({ ...call, error: 'not found' })),
  'scoreToolCalls, as an actual call': call => scoreToolCalls({ expected: scored.expected, actual: [call] }),
  'scoreToolCalls, as two actual calls': call => scoreToolCalls({ expected: scored.expected, actual: [call, call] }),
  'scoreToolCalls, as an expected call': call => scoreToolCalls({ expected: [call], actual: scored.actual }),
  'scoreToolCalls, as JSON text': call => scoreToolCalls(JSON.stringify({ expected: scored.expected, actual: [call] })),
  'scoreToolCalls, in a turn': call =>
    scoreToolCalls({ expected: scored.expected, actual: { turns: [turnWith(call)] } }),
  reportCallLists: call => reportCallLists(scored.expected, [call]),
  'measureCorrectness, as a called tool': call =>
    measureCorrectness({ toolsCalled: [call], expectedTools: called }, byArguments),
  'measureCorrectness, as an expected tool': call =>
    measureCorrectness({ toolsCalled: called, expectedTools: [call] }, byArguments),
};

/** A verdict without the ids of calls: `{tool, args}` has none. */
const withoutIds = verdict =>
  JSON.parse(JSON.stringify(verdict, (key, value) => (key === 'callId' ? undefined : value)));

for (const [place, verdictOf] of Object.entries(VERDICTS)) {
  suite(`${place}, says the same of a call, whoever wrote it`, () => {
    for (const [title, calls] of Object.entries(CALLS)) {
      test(title, () => {
        const expected = withoutIds(verdictOf(calls[PLAIN]));
        const others = Object.keys(calls).map(provider => [provider, withoutIds(verdictOf(calls[provider]))]);
        const different = others.filter(([, verdict]) => !isDeepStrictEqual(verdict, expected));
        assert.deepEqual(Object.fromEntries(different), {});
      });
    }
  });
}

suite('the verdicts of this table differ between a right call and a wrong one', () => {
  const [right, wrong] = Object.values(CALLS);
  for (const [place, verdictOf] of Object.entries(VERDICTS)) {
    // Results are verified whatever the arguments are.
    const isAboutArguments = !place.startsWith('verify');
    test(place, () => {
      const isSame = JSON.stringify(verdictOf(right[PLAIN])) === JSON.stringify(verdictOf(wrong[PLAIN]));
      assert.equal(isSame, !isAboutArguments);
    });
  }
});

test('the id of a call is found, whoever wrote it', () => {
  for (const [provider, call] of Object.entries(CALLS['a call without arguments'])) {
    if (!('tool' in call)) assert.equal(validateToolCall(call, TOOLS).issues[0].details.callId, 'call_1', provider);
  }
});

test('a list of calls from several providers is scored', () => {
  // Items of OpenAI Responses make a list a trajectory.
  const { 'OpenAI Responses': _, ...others } = CALLS['a right call'];
  const calls = Object.values(others);
  const expected = calls.map(() => scored.expected[0]);
  assert.equal(scoreToolCalls({ expected, actual: calls }).score, 1);
  assert.equal(scoreToolCalls({ expected: calls, actual: expected }).score, 1);
  assert.equal(measureCorrectness({ toolsCalled: calls, expectedTools: calls.toReversed() }, byArguments).score, 1);
});

suite('a call of a tool that takes no arguments', () => {
  const written = {
    Gemini: { functionCall: { name: 'list_orders' } },
    MCP: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_orders' } },
    'OpenAI chat': { id: 'c', type: 'function', function: { name: 'list_orders', arguments: '' } },
    Anthropic: { type: 'tool_use', id: 'c', name: 'list_orders', input: {} },
  };
  for (const [provider, call] of Object.entries(written)) {
    test(`is right as ${provider} writes it`, () => {
      assert.deepEqual(validateToolCall({ ...call, result: 1 }, TOOLS).issues, []);
      assert.equal(checkToolCall({ tools: TOOLS, toolCall: call }).overall_valid, true);
    });
  }
});

suite('results that stand with a call', () => {
  const result = { order: 'R7654321' };
  const written = {
    'AI SDK part of a UI message': [
      { type: 'tool-find_order', toolCallId: 'c', state: 'output-available', input: RIGHT, output: result },
      { type: 'tool-find_order', toolCallId: 'c', state: 'output-error', input: RIGHT, errorText: 'not found' },
    ],
    'AI SDK result': [
      { type: 'tool-result', toolCallId: 'c', toolName: 'find_order', input: RIGHT, output: result },
      { type: 'tool-error', toolCallId: 'c', toolName: 'find_order', input: RIGHT, error: 'not found' },
    ],
    'OpenAI Responses, a call of a server': [
      { type: 'mcp_call', id: 'c', name: 'find_order', arguments: '{"number":5}', output: JSON.stringify(result) },
      { type: 'mcp_call', id: 'c', name: 'find_order', arguments: '{"number":5}', error: 'not found' },
    ],
  };
  for (const [provider, [answered, failed]] of Object.entries(written)) {
    test(`are found: ${provider}`, () => {
      assert.deepEqual(validateToolCall(answered, TOOLS).issues, []);
      assert.deepEqual(verifyResult(answered, turnWith(answered)).issues, []);
      assert.deepEqual(validateToolCall(failed, TOOLS).issues, []);
      const types = verifyResult(failed, { ...turnWith(failed), content: 'It failed.' }).issues.map(({ type }) => type);
      assert.deepEqual(types, ['error_result']);
    });
  }
});

/** What people pass by mistake for what it will hold, and the words that help them. */
const UNSETTLED = {
  'a promise': [() => Promise.resolve({}), /is a promise: await it/],
  'something else that can be awaited': [
    () => Object.fromEntries([['then', resolve => resolve({})]]),
    /is a promise: await it/,
  ],
  'a result of streamText': [
    () => ({ steps: Promise.resolve([]), text: Promise.resolve('') }),
    /is a stream: pass \{ steps: await result\.steps \}/,
  ],
  'a real result of streamText': [streamOfSdk, /is a stream: pass \{ steps: await result\.steps \}/],
  'a ReadableStream': [() => new ReadableStream(), /is a stream: read it to its end/],
  'an async generator': [
    async function* () {
      yield 1;
    },
    /is a stream: read it to its end/,
  ],
};
const PATHS = ['traces/run.json', './run.jsonl', '/tmp/traces/run.json', 'C:\\traces\\run.json'];
const PATH_HINT = /looks like the path of a file.*readFileSync\(path\)/;

/** Every place that takes a call or a trajectory. */
const CALL_PLACES = {
  validateToolCall: input => validateToolCall(input, TOOLS),
  validateSchema: input => validateSchema(input, FIND),
  validateTurn: input => validateTurn(input, TOOLS),
  validateTrajectory: input => validateTrajectory(input, TOOLS),
  checkTrajectories: input => checkTrajectories(input, TOOLS),
  reportTrajectories: input => reportTrajectories(input, TOOLS),
  checkToolCall: input => checkToolCall({ tools: TOOLS, toolCall: input }),
  repairToolCallSync: input => repairToolCallSync({ tools: TOOLS, toolCall: input }),
  verifyResult: input => verifyResult(input, turnWith()),
  'verifyResult, the turn': input => verifyResult(CALLS['a right call'][PLAIN], input),
  findUnsupportedFacts,
  'scoreToolCalls, actual': input => scoreToolCalls({ expected: [], actual: input }),
  'scoreToolCalls, expected': input => scoreToolCalls({ expected: input, actual: [] }),
  'reportCallLists, actual': input => reportCallLists([], input),
  measureCorrectness,
  'measureCorrectness, agentTrajectory': input => measureCorrectness({ agentTrajectory: input, expectedTools: [] }),
  'measureCorrectness, toolsCalled': input => measureCorrectness({ toolsCalled: input, expectedTools: [] }),
  importTrajectory,
  importTrajectories,
  exportTrajectory,
};

for (const [place, call] of Object.entries(CALL_PLACES)) {
  suite(`${place} refuses what is not there yet, and says what to do`, () => {
    for (const [title, [make, says]] of Object.entries(UNSETTLED)) {
      test(title, () => {
        assertFails(() => call(make()), { code: 'invalid_input', says });
      });
    }

    test('the path of a file', () => {
      for (const path of PATHS) assertFails(() => call(path), { says: PATH_HINT });
    });
  });
}

suite('tools that are not there yet are refused, and not taken for no tools', () => {
  const places = {
    validateToolCall: tools => validateToolCall(CALLS['a right call'][PLAIN], tools),
    validateTurn: tools => validateTurn(turnWith(), tools),
    checkTrajectories: tools => checkTrajectories({ turns: [turnWith()] }, tools),
    checkToolCall: tools => checkToolCall({ tools, toolCall: CALLS['a right call'][PLAIN] }),
    repairToolCallSync: tools => repairToolCallSync({ tools, toolCall: CALLS['a right call'][PLAIN] }),
    compileTools,
  };
  for (const [place, call] of Object.entries(places)) {
    for (const title of ['a promise', 'a ReadableStream', 'an async generator']) {
      test(`${title} by ${place}`, () => {
        const [make, says] = UNSETTLED[title];
        assertFails(() => call(make()), { code: 'invalid_input', says });
      });
    }

    test(`the path of a file by ${place}`, () => {
      assertFails(() => call('tools/tools.json'), { says: PATH_HINT });
    });
  }
});

test('the functions that ask judges reject what is not there yet, also as the conversation', async () => {
  for (const call of [reflectToolCall, repairToolCall]) {
    for (const [make, says] of Object.values(UNSETTLED)) {
      const input = { tools: TOOLS, toolCall: CALLS['a right call'][PLAIN], judges: [async () => ({})] };
      for (const member of ['toolCall', 'conversation']) {
        const error = await rejection(call({ ...input, [member]: make() }), 'invalid_input');
        assert.match(error.message, says);
      }
    }
  }
});

suite('a promise in a list is refused, with its place', () => {
  const promise = () => Promise.resolve({});
  const right = { name: 'find_order', arguments: { number: 5 } };
  const cases = {
    'a call of a turn': [() => validateTurn(turnWith(right, promise()), TOOLS), 'tool_calls[1]'],
    'a call of a message': [
      () => validateTrajectory([{ role: 'assistant', tool_calls: [promise()] }], TOOLS),
      '[0].tool_calls[0]',
    ],
    'messages that were mapped': [() => checkTrajectories([1, 2].map(promise), TOOLS), '[0]'],
    'a tool in a list': [() => compileTools([promise()]), '[0]'],
    'a tool by its name': [() => compileTools({ find: promise() }), 'find'],
  };
  for (const [title, [call, path]] of Object.entries(cases)) {
    test(title, () => {
      assertFails(call, { code: 'invalid_input', path, says: /is a promise: await it/ });
    });
  }

  test('and an empty object is not one', () => {
    assert.equal(validateTurn(turnWith({ ...right, result: [{}, {}] }), TOOLS).valid, true);
  });
});

test('measureCorrectness says how to pass a record that was given as JSON text', () => {
  for (const [name, text] of [
    ['agentTrajectory', '[{"role": "user", "content": "Hi"}]'],
    ['toolsCalled', '[{"name": "find_order"}]'],
  ]) {
    assertFails(() => measureCorrectness({ [name]: text, expectedTools: [] }), {
      path: name,
      says: /JSON\.parse\(text\)/,
    });
  }
});

test('a subject in the plural has a verb that agrees with it', () => {
  assertFails(() => compileTools(Promise.resolve([])), {
    says: /^the value passed as the tool definitions is a promise/,
  });
  assertFails(() => scoreToolCalls({ expected: [], actual: 5n }), { says: /the actual calls/ });
});

test('a stream that fails later is nobody else to wait for', async () => {
  let unhandled = 0;
  const count = () => {
    unhandled += 1;
  };
  process.on('unhandledRejection', count);
  const steps = Promise.reject(new Error('no connection'));
  assertFails(() => checkTrajectories({ steps }), { code: 'invalid_input', says: /stream/ });
  await new Promise(resolve => setTimeout(resolve, 20));
  process.off('unhandledRejection', count);
  assert.equal(unhandled, 0);
});

test('what the hint for a stream of the SDK says works', async () => {
  const steps = await streamOfSdk().steps;
  const { value, format } = importTrajectory({ steps });
  assert.equal(format, 'ai-sdk-steps');
  assert.equal(value.turns.length, 1);
});

test('the text and the bytes of a call of any provider are taken', () => {
  for (const [provider, call] of Object.entries(CALLS['a call without arguments'])) {
    const { object, text, bytes } = forms(call);
    const verdict = validateToolCall(object, TOOLS);
    assert.deepEqual(validateToolCall(text, TOOLS), verdict, provider);
    assert.deepEqual(validateToolCall(bytes, TOOLS), verdict, provider);
  }
});

/** What streamText returns, of a model that says one word. */
function streamOfSdk() {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const parts = [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Hello' },
    { type: 'text-end', id: '1' },
    { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
  ];
  const stream = () => new ReadableStream({ start: controller => enqueue(controller, parts) });
  return streamText({ model: new MockLanguageModelV4({ doStream: async () => ({ stream: stream() }) }), prompt: 'Hi' });
}

function enqueue(controller, parts) {
  for (const part of parts) controller.enqueue(part);
  controller.close();
}
