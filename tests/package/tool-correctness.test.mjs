// ToolCorrectnessMetric: each option changes what is measured, and judges can only lower the score.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';

const { JudgeError, measureCorrectness, ToolCallParser, ToolCorrectnessMetric, ToolgaugeError, TrajectoryParser } =
  await fromConsumer('toolgauge');

const called = (name, inputParameters, output) => ({ name, inputParameters, output });
const HALF = {
  input: 'Book a room in Oslo and tell me the weather',
  toolsCalled: [called('book', { city: 'Oslo' }, 'ok')],
  expectedTools: [called('book', { city: 'Oslo' }, 'ok'), called('weather', { city: 'Oslo' }, 'rain')],
};
const WEATHER_AND_BOOK = [
  { name: 'book', description: 'Books a room', parameters: { type: 'object' } },
  { name: 'weather', description: 'The weather', parameters: { type: 'object' } },
];

/** A judge that always gives this score, and keeps what it was asked. */
function giving(score, name = 'fixed') {
  const asked = [];
  const judge = async request => {
    asked.push(request);
    return { reason: `${name} says so.`, score };
  };
  return Object.assign(Object.defineProperty(judge, 'name', { value: name }), { asked });
}

/** What `body` throws. */
function failureOf(body) {
  try {
    body();
  } catch (error) {
    return error;
  }
  return assert.fail('nothing was thrown');
}

const failing = Object.defineProperty(
  async () => {
    throw Object.assign(new Error('out of order'), { retryable: false });
  },
  'name',
  { value: 'failing' },
);

const measure = (options, testCase = HALF, context) => new ToolCorrectnessMetric(options).measure(testCase, context);

suite('ToolCorrectnessMetric without judges', () => {
  test('measures the share of the expected tools that were called, and says why', async () => {
    const { score, success, reason, threshold, matched, missing, extra } = await measure();
    assert.deepEqual([score, success, threshold], [0.5, true, 0.5]);
    assert.equal(reason, '1 of 2 expected calls were made as expected. Missed: weather.');
    assert.deepEqual([matched, missing, extra], [[{ expected: 0, called: 0, score: 1 }], [1], []]);
  });

  test('compares what evaluationParams names', async () => {
    const testCase = {
      toolsCalled: [called('f', { a: 1, b: 2 }, 'x')],
      expectedTools: [called('f', { a: 1, b: 3 }, 'y')],
    };
    const scoreWith = async evaluationParams => (await measure({ evaluationParams }, testCase)).score;
    assert.equal(await scoreWith([]), 1);
    assert.equal(await scoreWith(['input_parameters']), 0.5);
    assert.equal(await scoreWith(['output']), 0);
    assert.equal(await scoreWith(['input_parameters', 'output']), 0);
  });

  test('takes the order into account where it is asked to', async () => {
    const [a, b, x] = ['a', 'b', 'x'].map(name => called(name, {}));
    const testCase = { toolsCalled: [b, x, a], expectedTools: [a, b] };
    assert.equal((await measure({}, testCase)).score, 1);
    assert.equal((await measure({ shouldConsiderOrdering: true }, testCase)).score, 0.5);
    assert.equal((await measure({ shouldExactMatch: true }, testCase)).score, 0);
  });

  test('passes from the threshold on; strict mode wants everything', async () => {
    assert.equal((await measure({ threshold: 0.6 })).success, false);
    const strict = await measure({ strictMode: true, threshold: 0 });
    assert.deepEqual([strict.score, strict.success, strict.threshold], [0, false, 1]);
  });

  test('leaves the reason out where it is not wanted', async () => {
    assert.equal('reason' in (await measure({ includeReason: false })), false);
  });

  test('takes tools from trajectories, in both spellings, without random endings of names', async () => {
    const trajectory = name => [
      { role: 'user', content: 'go' },
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name, arguments: '{}' } }] },
    ];
    const testCase = { agent_trajectory: trajectory('ask_x1y2'), expectedAgentTrajectory: trajectory('ask_b7c8') };
    assert.equal((await measure({}, testCase)).score, 1);
  });

  test('says that nobody judged the choice of tools', async () => {
    const { reason, score } = await measure({ availableTools: WEATHER_AND_BOOK });
    assert.ok(reason.endsWith('The choice of tools was not judged: no judge is given.'), reason);
    assert.equal(score, 0.5);
  });

  test('refuses wrong options at once and wrong test cases with their place', async () => {
    for (const options of [{ treshold: 1 }, { threshold: 2 }, { evaluationParams: ['args'] }, { strictMode: 'yes' }]) {
      assert.throws(() => new ToolCorrectnessMetric(options), { name: 'ToolgaugeError', code: 'invalid_option' });
    }
    await assert.rejects(measure({}, { toolsCalled: [] }), { code: 'invalid_input', path: 'expectedTools' });
    await assert.rejects(measure({}, { toolsCalled: [{}], expectedTools: [] }), { path: 'toolsCalled[0].name' });
    await assert.rejects(measure({}, null), error => error instanceof ToolgaugeError);
    assert.equal((await measure()).score, 0.5);
  });
});

suite('The constructor of ToolCorrectnessMetric refuses', () => {
  const judge = giving(1);
  const wrong = {
    'an aggregation that does not exist': [{ aggregationMethod: 'mean' }, 'aggregationMethod'],
    'no concurrent judges': [{ maxConcurrentJudges: 0 }, 'maxConcurrentJudges'],
    'no look at a batch': [{ batchMaxIterations: 0 }, 'batchMaxIterations'],
    'a negative interval': [{ batchStatusCheckInterval: -1 }, 'batchStatusCheckInterval'],
    'negative retries': [{ maxRetries: -1 }, 'maxRetries'],
    'judges that are a text': [{ judges: 'gpt-5' }, 'judges'],
    'a judge that is a text': [{ judges: [judge, 'gpt-5'] }, 'judges[1]'],
    'a fallback judge that is a number': [{ fallbackJudges: [1] }, 'fallbackJudges[0]'],
    'a batch judge that is a function': [{ batchJudges: [judge] }, 'batchJudges[0]'],
    'tools that are a number': [{ availableTools: 5 }, 'availableTools'],
    'tools that are no definitions': [{ availableTools: [{ title: 'find' }] }, 'availableTools'],
    'the score of judges, which only they can give': [{ toolChoice: { score: 1, reason: 'Made up.' } }, 'toolChoice'],
  };
  for (const [title, [options, path]] of Object.entries(wrong)) {
    test(title, () => {
      const refused = { name: 'ToolgaugeError', code: 'invalid_option', path: `options.${path}` };
      assert.throws(() => new ToolCorrectnessMetric(options), refused);
    });
  }

  test('an option that does not exist, and suggests one that does', () => {
    const cases = [
      [{ judge }, 'judges'],
      [{ max_retries: 1 }, 'maxRetries'],
      [{ avaliableTools: [] }, 'availableTools'],
    ];
    for (const [options, meant] of cases) {
      const { message } = failureOf(() => new ToolCorrectnessMetric(options));
      assert.ok(message.endsWith(`; did you mean "${meant}"?`), message);
    }
    const { message } = failureOf(() => new ToolCorrectnessMetric({ colour: 'red' }));
    assert.match(message, /^options\.colour: unknown option, expected one of threshold, .*judges, .*limits$/);
    assert.doesNotMatch(message, /toolChoice/);
  });

  test('what is no object', () => {
    for (const options of [5, 'x', null]) {
      assert.throws(() => new ToolCorrectnessMetric(options), { code: 'invalid_option', path: 'options' });
    }
  });
});

suite('Names of tools', () => {
  const scoreOf = (called, expected, options, more) =>
    measureCorrectness(
      { toolsCalled: called.map(name => ({ name })), expectedTools: expected.map(name => ({ name })), ...more },
      options,
    ).score;

  test('lose a random ending, unless the options say otherwise', () => {
    assert.equal(scoreOf(['ask_x1y2'], ['ask_b7c8']), 1);
    assert.equal(scoreOf(['ask_x1y2'], ['ask_b7c8'], { normalizeNames: false }), 0);
  });

  test('of tools that exist beside each other are never made one', async () => {
    const [called, expected] = [['hash_sha1'], ['hash_sha2']];
    const both = [...called, ...expected];
    assert.equal(scoreOf(called, expected), 1);
    assert.equal(scoreOf(called, expected, {}, { availableTools: both }), 0);
    assert.equal(scoreOf(['hash_sha1', 'hash_sha1', 'hash_sha2'], both, { shouldExactMatch: true }), 0);
    assert.equal(scoreOf(both.toReversed(), both, { shouldConsiderOrdering: true }), 0.5);
    const availableTools = both.map(name => ({ name, parameters: { type: 'object' } }));
    const testCase = { toolsCalled: [{ name: 'hash_sha1' }], expectedTools: [{ name: 'hash_sha2' }] };
    assert.equal((await measure({ availableTools }, testCase)).score, 0);
    assert.equal((await measure({}, { ...testCase, availableTools })).score, 0);
  });
});

suite('Outputs and trajectories', () => {
  test('JSON text in an output is read, on both sides', () => {
    const scoreOf = (called, expected) =>
      measureCorrectness(
        { toolsCalled: [{ name: 'f', output: called }], expectedTools: [{ name: 'f', output: expected }] },
        { evaluationParams: ['output'] },
      ).score;
    assert.equal(scoreOf({ rows: 1 }, '{"rows": 1}'), 1);
    assert.equal(scoreOf('{"rows":1}', '{ "rows": 1.0 }'), 1);
    assert.equal(scoreOf('7', 7), 1);
    assert.equal(scoreOf('007', 7), 0);
    assert.equal(scoreOf('12345678901234567890123', '12345678901234567890124'), 0);
    assert.equal(scoreOf('{"rows":1}', { rows: 2 }), 0);
  });

  test('a trajectory may itself contain what is expected', () => {
    const expecting = expectations => ({
      turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'a', arguments: { n: 1 } }] }],
      expectations,
    });
    const own = expectations => ({ agentTrajectory: expecting(expectations) });
    const twice = { calls: ['a', { tool: 'b', args: {} }, { tool: 'c', optional: true }], forbidden: ['d'] };
    assert.equal(measureCorrectness(own(twice)).score, 0.5);
    assert.equal(measureCorrectness({ ...own(twice), expectedTools: [{ name: 'a' }] }).score, 1);
    const byArguments = { evaluationParams: ['input_parameters'] };
    assert.equal(measureCorrectness(own({ calls: [{ tool: 'a', args: { n: 1 } }] }), byArguments).score, 1);
    const loose = own({ calls: [{ tool: 'a', args: { n: 9 }, matchers: { n: 'ignore' } }] });
    assert.equal(measureCorrectness(loose).score, 1);
    assertFails(() => measureCorrectness(loose, byArguments), { code: 'invalid_input', path: 'expectations' });
    assertFails(() => measureCorrectness(own({ calls: [{ anyOf: ['a', 'b'] }] })), {
      code: 'invalid_input',
      path: 'agentTrajectory.expectations.calls',
    });
  });

  test('a trajectory may be empty', () => {
    assert.equal(measureCorrectness({ agentTrajectory: [], expectedAgentTrajectory: [] }).score, 1);
    assert.equal(measureCorrectness({ agentTrajectory: [], expectedTools: [{ name: 'a' }] }).score, 0);
    assert.deepEqual(new TrajectoryParser().parse([]), []);
    assert.deepEqual(new TrajectoryParser().convertTrajectoryToSteps([]), []);
  });
});

suite('ToolCorrectnessMetric with judges', () => {
  test('scores the lower of what was called and of what the judges say', async () => {
    const low = await measure({ availableTools: WEATHER_AND_BOOK, judges: [giving(0.25)] });
    assert.deepEqual([low.score, low.callingScore, low.toolChoiceScore, low.success], [0.25, 0.5, 0.25, false]);
    assert.ok(low.reason.endsWith('Choice of tools: 0.25. fixed: fixed says so.'), low.reason);
    assert.equal(low.verdict.results[0].answeredBy, 'fixed');
    const high = await measure({ availableTools: WEATHER_AND_BOOK, judges: [giving(1)] });
    assert.deepEqual([high.score, high.toolChoiceScore], [0.5, 1]);
  });

  test('asks with the input, the calls and the available tools, in any format of tools', async () => {
    const judge = giving(1);
    const mcp = { tools: [{ name: 'weather', description: 'The weather', inputSchema: { type: 'object' } }] };
    await measure({ judges: [judge], availableTools: WEATHER_AND_BOOK }, { ...HALF, available_tools: mcp });
    const [{ prompt }] = judge.asked;
    assert.ok(prompt.includes(HALF.input) && prompt.includes('"tool": "book"') && prompt.includes('The weather'));
    assert.ok(!prompt.includes('Books a room'), 'the tools of the test case go before');
  });

  test('asks nobody where no tools are known to choose from', async () => {
    const judge = giving(0);
    const { score, verdict } = await measure({ judges: [judge] });
    assert.deepEqual([score, verdict, judge.asked.length], [0.5, undefined, 0]);
  });

  test('makes one score of several by aggregationMethod', async () => {
    const judges = [giving(0, 'a'), giving(0.3, 'b'), giving(0.3, 'c')];
    const chosen = async aggregationMethod =>
      (await measure({ availableTools: WEATHER_AND_BOOK, judges, aggregationMethod })).toolChoiceScore;
    assert.equal(await chosen('average'), 0.2);
    assert.equal(await chosen('median'), 0.3);
    assert.equal(await chosen('majority_vote'), 0.3);
  });

  test('asks the fallback judges when one fails, and makes no score up when all do', async () => {
    const options = { availableTools: WEATHER_AND_BOOK, judges: [failing] };
    const saved = await measure({ ...options, fallbackJudges: [giving(0.4, 'second')] });
    assert.equal(saved.toolChoiceScore, 0.4);
    assert.equal(saved.verdict.results[0].usedFallback, true);
    await assert.rejects(measure(options), error => error instanceof JudgeError && error.code === 'judge_failed');
  });

  test('asks at most maxConcurrentJudges at a time', async () => {
    let running = 0;
    let most = 0;
    const slow = async () => {
      most = Math.max(most, ++running);
      await new Promise(resume => setTimeout(resume, 5));
      running -= 1;
      return { reason: '', score: 1 };
    };
    const options = { availableTools: WEATHER_AND_BOOK, judges: [slow, slow, slow, slow] };
    await measure({ ...options, maxConcurrentJudges: 2 });
    assert.equal(most, 2);
  });

  test('needs an input for judges to read, and stops on its signal', async () => {
    const options = { availableTools: WEATHER_AND_BOOK, judges: [giving(1)] };
    await assert.rejects(measure(options, { toolsCalled: [], expectedTools: [] }), { path: 'input' });
    await assert.rejects(measure(options, HALF, { signal: AbortSignal.abort() }), { code: 'aborted' });
  });

  test('judges many test cases in batches, asking as often as the option says', { timeout: 60_000 }, async () => {
    const submitted = [];
    let polls = 0;
    const batchJudge = {
      name: 'batch',
      submit: async requests => submitted.push(requests) && 'one',
      poll: async () => ({ state: ++polls < 3 ? 'running' : 'ended' }),
      results: async () =>
        submitted[0].map(({ customId }, index) => ({ customId, answer: { reason: '', score: index / 10 } })),
    };
    const options = { availableTools: WEATHER_AND_BOOK, batchJudges: [batchJudge], batchStatusCheckInterval: 0.001 };
    const results = await new ToolCorrectnessMetric(options).measureAll([HALF, HALF, HALF]);
    assert.deepEqual(
      results.map(({ score }) => score),
      [0, 0.1, 0.2],
    );
    assert.deepEqual([submitted[0].length, polls], [3, 3]);
    polls = -10;
    await assert.rejects(new ToolCorrectnessMetric({ ...options, batchMaxIterations: 2 }).measureAll([HALF]), {
      code: 'batch_unfinished',
    });
  });
});

suite('ToolCallParser', () => {
  const calls = [{ name: 'ask_x1y2', input_parameters: { q: 1 }, output: 7 }, { name: 'get_data' }];

  test('normalizeToolName drops random endings alone', () => {
    const names = ['delegate_to_agent_xg7c', 'get_data', 'version_2024', 'a_1b', '', '__proto__'];
    assert.deepEqual(
      names.map(name => ToolCallParser.normalizeToolName(name)),
      ['delegate_to_agent', 'get_data', 'version_2024', 'a_1b', '', '__proto__'],
    );
  });

  test('parse reads both spellings and leaves names alone', () => {
    assert.deepEqual(ToolCallParser.parse(calls), [
      { name: 'ask_x1y2', inputParameters: { q: 1 }, output: 7 },
      { name: 'get_data', inputParameters: {} },
    ]);
    assert.throws(() => ToolCallParser.parse([{ input_parameters: {} }]), { code: 'invalid_input', path: '[0].name' });
  });

  test('toToolCalls normalizes names and keeps outputs, unless the options say otherwise', () => {
    const first = options => ToolCallParser.toToolCalls(calls, options)[0];
    assert.deepEqual(first(), { name: 'ask', inputParameters: { q: 1 }, output: 7 });
    assert.equal(first({ normalizeNames: false }).name, 'ask_x1y2');
    assert.equal('output' in first({ includeOutput: false }), false);
    assert.throws(() => first({ normaliseNames: true }), { code: 'invalid_option' });
  });
});

suite('TrajectoryParser', () => {
  const messages = [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      tool_calls: [
        { id: 'a', function: { name: 'find', arguments: '{"q":1}' } },
        { id: 'b', function: { name: 'find', arguments: '{"q":2}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'a', content: '{"n":3}' },
  ];
  const parser = new TrajectoryParser();
  const asked = { toolCallId: 'a', kind: 'tool_call', name: 'find', args: { q: 1 } };
  const answered = { ...asked, kind: 'tool_output', output: { n: 3 } };
  const open = { toolCallId: 'b', kind: 'tool_call', name: 'find', args: { q: 2 } };

  test('convertTrajectoryToSteps gives a call and its output the same id', () => {
    assert.deepEqual(parser.convertTrajectoryToSteps(messages), [asked, answered, open]);
  });

  test('parse gives one step for each call', () => {
    assert.deepEqual(parser.parse(messages), [answered, open]);
  });

  test('steps become called tools again, whichever they are', () => {
    const tools = [
      { name: 'find', inputParameters: { q: 1 }, output: { n: 3 } },
      { name: 'find', inputParameters: { q: 2 } },
    ];
    assert.deepEqual(ToolCallParser.fromTrajectorySteps(parser.convertTrajectoryToSteps(messages)), tools);
    assert.deepEqual(ToolCallParser.fromTrajectorySteps(parser.parse(messages)), tools);
  });

  test('what is no trajectory is an error', () => {
    assert.throws(() => parser.parse({ hello: 1 }), { code: 'unknown_format' });
  });
});
