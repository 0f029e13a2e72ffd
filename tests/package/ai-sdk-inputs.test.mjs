import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { call, PROJECTS, providerTool, ran, scriptedModel, sdkOf } from './support/ai-sdk.mjs';

/** What matchers take from their runner. */
const RUNNER = { isNot: false, utils: {}, equals: isDeepStrictEqual };

const SYSTEM = 'You are helpful.';
const PROMPT = 'How warm is it in Oslo, Rome and Paris?';
const REPLY = 'It is 21 degrees in Oslo, Rome and Paris.';

/** The calls of the script below: the names, arguments and results that each reading must have. */
const CALLS = [
  { id: 'call-1-1', name: 'weather', arguments: { city: 'Oslo' }, result: { city: 'Oslo', celsius: 21 } },
  { id: 'call-1-2', name: 'weather', arguments: { city: 'Rome' }, result: { city: 'Rome', celsius: 21 } },
  { id: 'call-1-3', name: 'fail', arguments: { id: 7 }, error: /no such table/ },
  { id: 'call-2-1', name: 'weather', arguments: { town: 'Bergen' }, error: /Invalid input for tool weather/ },
  { id: 'call-2-2', name: 'nosuch', arguments: { a: 1 }, error: /unavailable tool 'nosuch'/ },
  { id: 'call-2-3', name: 'anything', arguments: { deep: [1] }, result: { echo: { deep: [1] } } },
  { id: 'call-2-4', name: 'progress', arguments: {}, result: { status: 'done', found: 3 } },
  { id: 'call-3-1', name: 'search', arguments: { query: 'storms' }, result: { hits: ['a'] } },
  { id: 'call-3-2', name: 'weather', arguments: { city: 'Paris' }, result: { city: 'Paris', celsius: 21 } },
];

/** The texts of the agent and the numbers of calls, turn by turn: what follows a result of the provider is a turn. */
const TURNS = ['I will look. 3', ' 4', ' 1', 'Found something. 1', `${REPLY} 0`];

const ISSUES = ['missing_required_param weather', 'tool_not_found nosuch'];

function toolsOf(kit) {
  const {
    sdk: { tool, dynamicTool, jsonSchema },
    z,
  } = kit;
  return {
    weather: tool({
      description: 'The weather in a city',
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => ({ city, celsius: 21 }),
    }),
    fail: tool({
      inputSchema: jsonSchema({ type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }),
      execute: async () => {
        throw new Error('no such table');
      },
    }),
    anything: dynamicTool({ inputSchema: jsonSchema({ type: 'object' }), execute: async input => ({ echo: input }) }),
    progress: tool({
      inputSchema: z.object({}),
      async *execute() {
        yield { status: 'working' };
        yield { status: 'done', found: 3 };
      },
    }),
    pay: tool({
      inputSchema: z.object({ amount: z.number() }),
      needsApproval: true,
      execute: async () => ({ paid: 5 }),
    }),
    search: providerTool(kit),
  };
}

/** A run with parallel calls, a failure, invalid calls, a dynamic tool, one of the provider, and reasoning. */
function settingsOf(kit, tools) {
  const model = scriptedModel(
    kit,
    [
      { type: 'reasoning', text: 'Let me think.' },
      ...[
        'I will look.',
        call('weather', { city: 'Oslo' }),
        call('weather', { city: 'Rome' }),
        call('fail', { id: 7 }),
      ],
    ],
    [
      call('weather', { town: 'Bergen' }),
      call('nosuch', { a: 1 }),
      call('anything', { deep: [1] }),
      call('progress', {}),
    ],
    [...ran('search', { query: 'storms' }, { hits: ['a'] }), 'Found something.', call('weather', { city: 'Paris' })],
    REPLY,
  );
  return { model, tools, system: SYSTEM, prompt: PROMPT, stopWhen: kit.sdk.stepCountIs(9), onError() {} };
}

/** Every output of the SDK that a user may have, by name. */
async function outputsOf(kit, tools) {
  const { sdk, number } = kit;
  const settings = () => settingsOf(kit, tools);
  const generated = await sdk.generateText(settings());
  const stream = sdk.streamText(settings());
  const parts = [];
  for await (const part of stream.fullStream) parts.push(part);
  const question = { id: 'u', role: 'user', parts: [{ type: 'text', text: PROMPT }] };
  const chunks = [];
  let uiMessages;
  const ui = sdk.streamText(settings()).toUIMessageStream({
    originalMessages: [question],
    onError: error => error.message ?? String(error),
    onFinish: ({ messages }) => {
      uiMessages = messages;
    },
  });
  for await (const chunk of ui) chunks.push(chunk);
  const response = sdk
    .streamText(settings())
    .toUIMessageStreamResponse({ onError: error => error.message ?? String(error) });
  const messages = number === 7 ? generated.responseMessages : generated.response.messages;
  const saved = value => JSON.parse(JSON.stringify(value));
  return {
    'the result of generateText': generated,
    'the steps of generateText': { prompt: PROMPT, steps: generated.steps },
    'the result of generateText as saved': saved({ prompt: PROMPT, steps: generated.steps }),
    'the steps of streamText': { system: SYSTEM, prompt: PROMPT, steps: await stream.steps },
    'the parts of fullStream': parts,
    'the chunks of a UI message stream': chunks,
    'the response of a chat route': await response.text(),
    'UI messages': uiMessages,
    'UI messages as saved': JSON.stringify(uiMessages),
    'UI messages as model messages': await sdk.convertToModelMessages(uiMessages, { tools }),
    'the messages of the response': [{ role: 'user', content: PROMPT }, ...messages],
  };
}

for (const version of Object.keys(PROJECTS)) {
  const kit = await sdkOf(version);
  const { sdk, number, toolgauge, matchers } = kit;
  const { checkTrajectories, importTrajectory, importTools, validateTrajectory, scoreToolCalls } = toolgauge;
  const tools = toolsOf(kit);

  suite(`${version}: outputs as input`, async () => {
    const outputs = await outputsOf(kit, tools);

    for (const [name, output] of Object.entries(outputs)) {
      test(`${name}: calls, results, errors and texts`, () => {
        const { turns } = importTrajectory(output).value;
        const calls = turns.flatMap(turn => turn.tool_calls ?? []);
        assert.deepEqual(
          calls.map(({ id }) => id),
          CALLS.map(({ id }) => id),
        );
        for (const [at, { error, ...expected }] of CALLS.entries()) {
          const { id, name, arguments: args, result } = calls[at];
          assert.deepEqual({ id, name, arguments: args, ...(result !== undefined && { result }) }, expected);
          if (error !== undefined) assert.match(JSON.stringify(calls[at].error), error);
          else assert.equal(calls[at].error, undefined);
        }
        const said = turns
          .filter(({ role }) => role === 'agent')
          .map(turn => `${turn.content} ${turn.tool_calls?.length ?? 0}`);
        assert.deepEqual(said, TURNS);
      });

      test(`${name}: the verdict`, () => {
        const { trajectories } = checkTrajectories(output, tools);
        const issues = trajectories[0].results.flatMap(({ issues }) => issues);
        const found = issues
          .filter(({ severity }) => severity === 'high')
          .map(({ type, toolName }) => `${type} ${toolName}`);
        assert.deepEqual(found.sort(), ISSUES);
        const results = validateTrajectory(output, tools);
        assert.equal(results.length, 4);
        assert.equal(results[0].score, 1);
        const { score } = scoreToolCalls({
          expected: CALLS.map(({ name, arguments: args }) => ({ tool: name, args })),
          actual: output,
        });
        assert.equal(score, 1);
      });

      test(`${name}: matchers`, () => {
        const passes = (matcher, ...args) => matchers.matchers[matcher].call(RUNNER, output, ...args).pass;
        assert.ok(passes('toHaveCalledTool', 'weather', { city: 'Rome' }));
        assert.ok(!passes('toHaveCalledTool', 'weather', { city: 'Bonn' }));
        assert.ok(!passes('toHaveValidToolCalls', tools));
      });
    }

    test('the tools are definitions as they are', () => {
      const { value } = importTools(tools);
      assert.deepEqual(value.weather.parameters.required, ['city']);
      assert.deepEqual(value.fail.parameters.properties, { id: { type: 'integer' } });
      assert.deepEqual(Object.keys(value), Object.keys(tools));
    });

    test('a tool that a provider defines has the name of its key', () => {
      assert.deepEqual(Object.keys(importTools({ web: providerTool(kit) }).value), ['web']);
    });
  });

  suite(`${version}: what is not there yet`, () => {
    const settings = () => ({ ...settingsOf(kit, tools), model: scriptedModel(kit, 'Hello.') });

    test('a promise of a result is an error that says to await it', async () => {
      const promise = sdk.generateText(settings());
      assert.throws(() => checkTrajectories(promise, tools), {
        code: 'invalid_input',
        message: 'the input is a promise: await it',
      });
      await promise;
    });

    test('a stream is an error that says what to await', async () => {
      const stream = sdk.streamText(settings());
      assert.throws(() => importTrajectory(stream), {
        code: 'invalid_input',
        message: /a stream: pass \{ steps: await result\.steps \}/,
      });
      assert.throws(() => importTrajectory(stream.steps), { code: 'invalid_input', message: /a promise: await it/ });
      assert.throws(() => importTrajectory({ prompt: 'x', steps: stream.steps }), {
        code: 'invalid_input',
        message: /await/,
      });
      await stream.consumeStream();
    });
  });

  suite(`${version}: partial UI messages`, () => {
    const message = part => [
      { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Weather in Oslo?' }] },
      { id: 'a', role: 'assistant', parts: [{ type: 'step-start' }, { toolCallId: 'c', ...part }] },
    ];
    const only = part => importTrajectory(message(part)).value.turns.at(-1).tool_calls[0];

    test('a call that is being written, one that runs, and one that failed', () => {
      const streaming = only({ type: 'tool-weather', state: 'input-streaming', input: { city: 'Os' } });
      assert.equal(streaming.incomplete, true);
      const running = only({ type: 'tool-weather', state: 'input-available', input: { city: 'Oslo' } });
      assert.deepEqual([running.name, running.arguments, running.result], ['weather', { city: 'Oslo' }, undefined]);
      const failed = only({
        type: 'dynamic-tool',
        toolName: 'weather',
        state: 'output-error',
        input: {},
        errorText: 'no',
      });
      assert.deepEqual([failed.name, failed.error], ['weather', 'no']);
      const running2 = message({ type: 'tool-weather', state: 'input-available', input: { city: 'Oslo' } });
      assert.deepEqual(checkTrajectories(running2, tools).trajectories[0].results[0].issues, []);
    });

    for (const state of ['input-streaming', 'input-available', 'approval-requested', 'approval-responded']) {
      test(`a call in the state ${state} beside one with a result is not missing its result`, () => {
        const done = { type: 'tool-weather', toolCallId: 'd', state: 'output-available', input: { city: 'Oslo' } };
        const [asked, answer] = message({ type: 'tool-pay', state, input: { amount: 5 } });
        answer.parts.splice(1, 0, { type: 'text', text: 'Paying.' }, { ...done, output: { celsius: 21 } });
        const [{ results }] = checkTrajectories([asked, answer], tools).trajectories;
        assert.deepEqual(
          results.flatMap(({ issues }) => issues),
          [],
        );
        const [first, second] = importTrajectory([asked, answer]).value.turns[1].tool_calls;
        assert.deepEqual([first.pending, second.pending], [undefined, true]);
        const later = { id: 'b', role: 'assistant', parts: [{ type: 'text', text: 'It is 21 degrees and paid.' }] };
        const issues = validateTrajectory([asked, answer, later], tools).flatMap(result => result.issues);
        assert.ok(issues.some(({ type }) => type === 'missing_result'));
      });
    }
  });

  if (number >= 6) {
    suite(`${version}: approval`, async () => {
      const model = scriptedModel(kit, ['Paying.', call('pay', { amount: 5 })]);
      const asked = [{ role: 'user', content: 'Pay 5.' }];
      const pending = await sdk.generateText({ model, tools, messages: asked });
      const { approvalId } = pending.content.find(({ type }) => type === 'tool-approval-request');

      /** The second run, which begins with the answer of the user. */
      async function answered(approved) {
        const answer = {
          type: 'tool-approval-response',
          approvalId,
          approved,
          ...(approved ? {} : { reason: 'too much' }),
        };
        const history = [...asked, ...pending.response.messages, { role: 'tool', content: [answer] }];
        const result = await sdk.generateText({ model: scriptedModel(kit, 'Done.'), tools, messages: history });
        return { history, result };
      }

      test('a call that awaits approval has no outcome', () => {
        const [turn] = importTrajectory(pending).value.turns;
        assert.deepEqual([turn.tool_calls[0].result, turn.tool_calls[0].error], [undefined, undefined]);
        assert.equal(turn.tool_calls[0].pending, true);
      });

      test('a call that awaits approval beside one with a result is no issue', async () => {
        const model = scriptedModel(kit, ['Paying.', call('pay', { amount: 5 }), call('weather', { city: 'Oslo' })]);
        const { steps, response } = await sdk.generateText({ model, tools, messages: asked });
        const messages = number === 7 ? steps.at(-1).response.messages : response.messages;
        for (const input of [{ messages: asked, steps }, [...asked, ...messages]]) {
          const calls = importTrajectory(input).value.turns.flatMap(turn => turn.tool_calls ?? []);
          assert.deepEqual(
            calls.map(({ name, pending }) => [name, pending]),
            [
              ['pay', true],
              ['weather', undefined],
            ],
          );
          const [{ results }] = checkTrajectories(input, tools).trajectories;
          assert.deepEqual(
            results.flatMap(({ issues }) => issues),
            [],
          );
        }
      });

      for (const approved of [true, false]) {
        test(`a call that was ${approved ? 'approved has its result' : 'denied says why'}`, async () => {
          const { history, result } = await answered(approved);
          const newer = number === 7 ? result.responseMessages : result.response.messages;
          const inputs = [
            [...history, ...newer],
            {
              messages: history,
              steps: result.steps,
              ...(number === 7 && { initialResponseMessages: newer.slice(0, 1) }),
            },
          ];
          for (const input of inputs) {
            const calls = importTrajectory(input).value.turns.flatMap(turn => turn.tool_calls ?? []);
            assert.equal(calls.length, 1);
            assert.equal(calls[0].pending, undefined);
            const issues = validateTrajectory(input, tools).flatMap(result => result.issues);
            assert.ok(issues.every(({ type }) => type !== 'missing_result'));
            if (approved) assert.deepEqual(calls[0].result, { paid: 5 });
            else assert.match(calls[0].error, /denied: too much/);
          }
        });
      }
    });
  }

  suite(`${version}: an agent`, () => {
    test('its result is an input', async () => {
      const Agent = sdk.ToolLoopAgent ?? sdk.Experimental_Agent;
      const model = scriptedModel(kit, [call('weather', { city: 'Oslo' })], 'It is 21 degrees in Oslo.');
      const agent = new Agent({ model, tools, stopWhen: sdk.stepCountIs(4) });
      const result = await agent.generate({ prompt: 'How warm is it in Oslo?' });
      const { gate, summary } = checkTrajectories({ prompt: 'How warm is it in Oslo?', steps: result.steps }, tools);
      assert.deepEqual([gate.passed, summary.calls], [true, 1]);
    });
  });
}

test('ai 7: the request is part of the result if the SDK includes it', async () => {
  const kit = await sdkOf('ai 7');
  const model = scriptedModel(kit, 'It is 35 degrees.');
  const result = await kit.sdk.generateText({
    model,
    prompt: 'Say it is 35 degrees.',
    include: { requestMessages: true },
  });
  const { turns } = kit.toolgauge.importTrajectory(result).value;
  assert.deepEqual(
    turns.map(({ role, content }) => [role, content]),
    [
      ['user', 'Say it is 35 degrees.'],
      ['agent', 'It is 35 degrees.'],
    ],
  );
});
