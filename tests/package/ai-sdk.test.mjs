import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';

const { scoreToolCalls } = await fromConsumer('toolgauge');
const { toolCallAccuracyScoreTool } = await fromConsumer('toolgauge/ai-sdk');
const { asSchema, generateText, stepCountIs } = await fromConsumer('ai');
const mocks = await fromConsumer('ai/test');

const search = query => ({ tool: 'searchWeb', args: { query } });
const INPUT = { expected: [search('news'), search('weather')], actual: [search('news')] };

suite('toolCallAccuracyScoreTool', () => {
  test('executed by itself gives what scoreToolCalls gives', async () => {
    assert.deepEqual(await toolCallAccuracyScoreTool.execute(INPUT), scoreToolCalls(INPUT));
    assert.equal((await toolCallAccuracyScoreTool.execute(INPUT)).score, 0.667);
  });

  test('rejects what it cannot score with the error of the package', async () => {
    const broken = { expected: [search('news'), { args: {} }], actual: [] };
    const error = await toolCallAccuracyScoreTool.execute(broken).catch(thrown => thrown);
    assert.deepEqual([error.name, error.code, error.path], ['ToolgaugeError', 'invalid_input', 'expected[1].tool']);
  });

  test('names the place of a call that is none, the first of its list too', async () => {
    const error = await toolCallAccuracyScoreTool.execute({ expected: [{}], actual: [] }).catch(thrown => thrown);
    assert.deepEqual([error.code, error.path], ['invalid_input', 'expected[0].tool']);
  });

  test('describes itself and each of its fields to the model', async () => {
    assert.match(toolCallAccuracyScoreTool.description, /score/i);
    const { properties } = await asSchema(toolCallAccuracyScoreTool.inputSchema).jsonSchema;
    for (const list of [properties.expected, properties.actual]) {
      assert.match(list.description, /calls/);
      for (const field of Object.values(list.items.properties)) assert.match(field.description, /\w+ \w+/);
    }
  });

  for (const version of ['MockLanguageModelV3', 'MockLanguageModelV4']) {
    test(`is called by a model of the SDK (${version}), which gets the score`, async () => {
      const model = callingModel(mocks[version], INPUT);
      const result = await generateText({
        model,
        tools: { score: toolCallAccuracyScoreTool },
        stopWhen: stepCountIs(3),
        prompt: 'Score these calls.',
      });
      const [{ toolName, output }] = result.steps[0].toolResults;
      assert.equal(toolName, 'score');
      assert.deepEqual(output, scoreToolCalls(INPUT));
      assert.equal(result.text, 'done');
      assert.equal(sentToModel(model).score, 0.667);
    });
  }

  test('sends the four lists to the model once', async () => {
    const model = callingModel(mocks.MockLanguageModelV3, INPUT);
    const options = { model, tools: { score: toolCallAccuracyScoreTool }, stopWhen: stepCountIs(3) };
    await generateText({ ...options, prompt: 'Score these calls.' });
    assert.deepEqual(sentToModel(model), scoreToolCalls(INPUT));
    assert.ok(!('breakdown' in sentToModel(model)));
  });
});

suite('the input schema of toolCallAccuracyScoreTool', () => {
  const bad = {
    'a list instead of the object': [],
    'text instead of the object': '{"expected": [], "actual": []}',
    'no lists': {},
    'a missing list': { expected: [] },
    'a list that is none': { expected: {}, actual: [] },
    'a call without a tool': { expected: [{ args: {} }], actual: [] },
    'a call without arguments': { expected: [{ tool: 'f' }], actual: [] },
    'arguments that are no object': { expected: [{ tool: 'f', args: '{}' }], actual: [] },
    'a tool that is no text': { expected: [], actual: [{ tool: 5, args: {} }] },
    'an unknown field': { expected: [], actual: [], actuals: [] },
    'an unknown field of a call': { expected: [{ ...search('news'), id: 1 }], actual: [] },
  };

  for (const [title, input] of Object.entries(bad)) {
    test(`rejects ${title}, so that the model hears of it and nothing is scored`, async () => {
      const model = callingModel(mocks.MockLanguageModelV3, input);
      const options = { model, tools: { score: toolCallAccuracyScoreTool }, stopWhen: stepCountIs(3) };
      const { steps } = await generateText({ ...options, prompt: 'Score these calls.' });
      const part = steps[0].content.find(({ type }) => type === 'tool-error');
      assert.ok(part, JSON.stringify(steps[0].content));
      assert.equal(steps[0].toolResults.length, 0);
    });
  }
});

suite('the validation of its input', () => {
  const validate = value => asSchema(toolCallAccuracyScoreTool.inputSchema).validate(value);

  test('passes on what is right as it is', async () => {
    for (const value of [INPUT, { expected: [], actual: [] }]) {
      assert.deepEqual(await validate(value), { success: true, value });
    }
  });

  test('says each place that is wrong and what was expected there', async () => {
    const { success, error } = await validate({ expected: [{ tool: 5, args: '{}' }], actual: [{}], actuals: [] });
    assert.equal(success, false);
    assert.deepEqual([error.name, error.code, error.path], ['ToolgaugeError', 'invalid_input', 'expected[0].tool']);
    for (const says of [
      /expected\[0\]\.tool: expected string, got 5/,
      /expected\[0\]\.args: expected object/,
      /actual\[0\]\.tool: required/,
      /actual\[0\]\.args: required/,
      /actuals/,
    ]) {
      assert.match(error.message, says);
    }
  });
});

test('toolgauge/ai-sdk works from CommonJS', async t => {
  const code = `const { toolCallAccuracyScoreTool } = require('toolgauge/ai-sdk');
    toolCallAccuracyScoreTool.execute({ expected: [], actual: [] }).then(({ score }) => console.log(score));`;
  const folder = folderIn(consumer, t, { 'main.cjs': code });
  const { stdout, stderr } = await run('node', ['main.cjs'], { cwd: folder });
  assert.equal(stderr, '');
  assert.equal(stdout, '1\n');
});

/** A model that calls the tool `score` with `input` and then says "done". */
function callingModel(Mock, input) {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const reason = unified => ({ unified, raw: undefined });
  const call = { type: 'tool-call', toolCallId: 'call-1', toolName: 'score', input: JSON.stringify(input) };
  const answers = [
    { content: [call], finishReason: reason('tool-calls'), usage, warnings: [] },
    { content: [{ type: 'text', text: 'done' }], finishReason: reason('stop'), usage, warnings: [] },
  ];
  return new Mock({ doGenerate: async () => answers.shift() });
}

/** The result of the tool as the model got it in its second turn. */
function sentToModel(model) {
  const [, { prompt }] = model.doGenerateCalls;
  const { content } = prompt.findLast(({ role }) => role === 'tool');
  return content[0].output.value;
}
