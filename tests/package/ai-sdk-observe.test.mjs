import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { call, PROJECTS, providerTool, ran, scriptedModel, sdkOf } from './support/ai-sdk.mjs';

const SYSTEM = 'You help with the weather.';
const PROMPT = 'How warm is it in Oslo and in Rome?';

/** How an agent runs to its end in each way that the SDK has. Each returns the steps. */
const LOOPS = {
  generateText: async ({ sdk }, settings) => (await sdk.generateText(settings)).steps,
  streamText: async ({ sdk }, settings) => {
    const result = sdk.streamText({ ...settings, onError() {} });
    await result.consumeStream();
    return result.steps;
  },
  agent: async ({ sdk, number }, { system, prompt, ...settings }) => {
    const Agent = sdk.ToolLoopAgent ?? sdk.Experimental_Agent;
    const agent = new Agent({ ...settings, ...(number === 5 ? { system } : { instructions: system }) });
    return (await agent.generate({ prompt })).steps;
  },
};

function toolsOf({ sdk: { tool, jsonSchema }, z }) {
  return {
    weather: tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => ({ city, celsius: 21 }),
    }),
    // The SDK does not check the input of such a tool.
    book: tool({
      inputSchema: jsonSchema({ type: 'object', properties: { guests: { type: 'integer' } }, required: ['guests'] }),
      execute: async () => ({ booked: true }),
    }),
    fail: tool({
      inputSchema: z.object({}),
      execute: async () => {
        throw new Error('no such table');
      },
    }),
  };
}

/** The tools and the request, for versions that do not pass them to an observer. */
function passed({ number }, tools, { system = SYSTEM, prompt = PROMPT } = {}) {
  return number === 5 ? { tools, system, prompt } : {};
}

const allIssues = ({ trajectories }) =>
  trajectories.flatMap(({ results, resultIssues }) => [...results.flatMap(({ issues }) => issues), ...resultIssues]);
const inOrder = issues => issues.map(({ type, turnId, toolName }) => `${turnId} ${type} ${toolName ?? ''}`).sort();

for (const version of Object.keys(PROJECTS)) {
  const kit = await sdkOf(version);
  const { sdk, toolgauge, parts } = kit;
  const { observeRun } = parts;
  const stopWhen = sdk.stepCountIs(12);
  const tools = toolsOf(kit);

  for (const [name, loop] of Object.entries(LOOPS)) {
    suite(`${version}: observeRun with ${name}`, () => {
      test('reports an issue of a call when its step ends, and those of the reply at the end', async () => {
        const model = scriptedModel(
          kit,
          [call('weather', { city: 'Oslo' }), call('book', { guests: 'two' })],
          [call('nosuch', {})],
          'It is 21 degrees in Oslo and 35 in Rome.',
        );
        const asked = () => model.doGenerateCalls.length + model.doStreamCalls.length;
        const seen = [];
        const onIssue = ({ type }, { stepNumber, toolCall }) =>
          seen.push([type, asked(), stepNumber, toolCall?.toolCallId]);
        const observer = observeRun({ ...passed(kit, tools), onIssue });
        await loop(kit, { model, tools, system: SYSTEM, prompt: PROMPT, stopWhen, ...observer.callbacks });
        const ofCalls = seen.filter(([type]) => /type_mismatch|tool_not_found|unknown_tool/.test(type));
        assert.deepEqual(ofCalls.slice(0, 1), [['type_mismatch', 1, 0, 'call-1-2']]);
        assert.deepEqual(
          ofCalls.slice(1).map(seenThen => seenThen.slice(1)),
          ofCalls.slice(1).map(() => [2, 1, 'call-2-1']),
        );
        assert.ok(ofCalls.length >= 2, JSON.stringify(seen));
        const reply = seen.find(([type]) => type === 'hallucinated_result');
        assert.equal(reply?.[1], 3, JSON.stringify(seen));
      });

      test('gives the verdict of a check of the whole run, and has reported its issues once each', async () => {
        const model = scriptedModel(
          kit,
          ['Let me see.', call('weather', { city: 'Oslo' }), call('fail', {})],
          [call('book', { guests: 'two' }), call('weather', { town: 'Rome' })],
          [call('weather', '{"city": "Ro')],
          'It is 21 degrees in Oslo and 35 in Rome. I have cancelled your order.',
        );
        const seen = [];
        const observer = observeRun({ ...passed(kit, tools), onIssue: issue => void seen.push(issue) });
        const steps = await loop(kit, {
          model,
          tools,
          system: SYSTEM,
          prompt: PROMPT,
          stopWhen,
          ...observer.callbacks,
        });
        const report = observer.report();
        const whole = { system: SYSTEM, prompt: PROMPT, steps };
        const expected = toolgauge.checkTrajectories(whole, tools);
        assert.deepEqual({ ...report, warnings: [] }, { ...expected, warnings: [] });
        assert.ok(allIssues(report).length > 4);
        assert.deepEqual(inOrder(seen), inOrder(allIssues(report)));
      });

      test('stops a run that goes round in circles, and reports the loop once', async () => {
        const model = scriptedModel(kit, [call('weather', { city: 'Oslo' })]);
        const seen = [];
        const observer = observeRun({ ...passed(kit, tools), onIssue: issue => void seen.push(issue) });
        const steps = await loop(kit, {
          ...{ model, tools, system: SYSTEM, prompt: PROMPT, ...observer.callbacks },
          stopWhen: [stopWhen, observer.hasLoop()],
        });
        assert.equal(steps.length, 3);
        assert.equal(seen.filter(({ details }) => details?.loop).length, 1);
        const unstopped = observeRun({ ...passed(kit, tools), onIssue: issue => void seen.push(issue) });
        const settings = { model, tools, system: SYSTEM, prompt: PROMPT, stopWhen, ...unstopped.callbacks };
        seen.length = 0;
        assert.equal((await loop(kit, settings)).length, 12);
        assert.equal(seen.filter(({ details }) => details?.loop).length, 1);
        assert.deepEqual(inOrder(seen), inOrder(allIssues(unstopped.report())));
      });

      test('stops after an issue of a severity or a type, and after no other', async () => {
        const stepsUntil = async condition => {
          const model = scriptedModel(
            kit,
            [call('weather', { city: 'Oslo' })],
            [call('book', {})],
            [call('fail', {})],
            'Done.',
          );
          const observer = observeRun(passed(kit, tools));
          const stops = [stopWhen, ...(condition === undefined ? [] : [observer.hasIssue(condition)])];
          const settings = { model, tools, system: SYSTEM, prompt: PROMPT, ...observer.callbacks, stopWhen: stops };
          return (await loop(kit, settings)).length;
        };
        assert.equal(await stepsUntil(undefined), 4);
        assert.equal(await stepsUntil('high'), 2);
        assert.equal(await stepsUntil('low'), 2);
        assert.equal(await stepsUntil('missing_required_param'), 2);
        assert.equal(await stepsUntil('critical'), 4);
      });

      test('never throws into the run', async () => {
        const errors = [];
        const script = [[call('big', {}), call('book', {})], 'Done.'];
        const withBigInt = {
          ...tools,
          big: sdk.tool({
            inputSchema: kit.z.object({}),
            execute: async () => 5n,
            toModelOutput: () => ({ type: 'text', value: '5' }),
          }),
        };
        const settings = observer => ({
          ...{ model: scriptedModel(kit, ...script), tools: withBigInt, system: SYSTEM, prompt: PROMPT },
          ...{ stopWhen: [stopWhen, observer.hasIssue('critical')], ...observer.callbacks },
        });
        const unreadable = observeRun({ ...passed(kit, withBigInt), onError: error => void errors.push(error) });
        assert.equal((await loop(kit, settings(unreadable))).length, 2);
        assert.match(String(errors[0]), /BigInt/);
        assert.throws(() => unreadable.report(), /BigInt/);

        const throwing = onError =>
          observeRun({
            ...passed(kit, tools),
            onError,
            onIssue() {
              throw new Error('my handler');
            },
          });
        const model = () => scriptedModel(kit, [call('book', {})], 'Done.');
        const run = observer =>
          loop(kit, { model: model(), tools, system: SYSTEM, prompt: PROMPT, stopWhen, ...observer.callbacks });
        const silent = throwing(undefined);
        assert.equal((await run(silent)).length, 2);
        assert.throws(() => silent.report(), /my handler/);
        errors.length = 0;
        const loud = throwing(error => {
          errors.push(error);
          throw error;
        });
        assert.equal((await run(loud)).length, 2);
        assert.match(String(errors[0]), /my handler/);
        assert.equal(loud.report().gate.passed, false);
      });

      test('calls onReport at the end', async t => {
        if (kit.number === 5 && name !== 'streamText') return t.skip('this version has no onFinish there');
        const reports = [];
        const observer = observeRun({
          ...passed(kit, tools),
          onReport: report => void reports.push(report),
          failOn: 'never',
        });
        const model = scriptedModel(kit, [call('book', {})], 'Done.');
        await loop(kit, { model, tools, system: SYSTEM, prompt: PROMPT, stopWhen, ...observer.callbacks });
        assert.deepEqual(reports, [observer.report()]);
        assert.equal(reports[0].gate.passed, true);
      });
    });
  }

  suite(`${version}: observeRun`, () => {
    test('does not report issues of the messages before the run', async () => {
      const before = [
        { role: 'user', content: 'Book a table for two.' },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'old', toolName: 'book', input: { guests: 'two' } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'old',
              toolName: 'book',
              output: { type: 'json', value: { booked: true } },
            },
          ],
        },
        { role: 'assistant', content: 'It is booked.' },
        { role: 'user', content: 'And one for three.' },
      ];
      const seen = [];
      const observer = observeRun({
        ...(kit.number === 5 ? { tools, messages: before } : {}),
        onIssue: (issue, { toolCall }) => void seen.push([issue.type, toolCall?.toolCallId]),
      });
      const model = scriptedModel(kit, [call('book', { guests: 'three' })], 'It is booked.');
      await sdk.generateText({ model, tools, messages: before, stopWhen, ...observer.callbacks });
      const mismatches = allIssues(observer.report()).filter(({ type }) => type === 'type_mismatch');
      assert.equal(mismatches.length, 2);
      assert.deepEqual(
        seen.filter(([type]) => type === 'type_mismatch'),
        [['type_mismatch', 'call-1-1']],
      );
    });

    test('keeps tools that the provider runs and steps of several turns apart', async () => {
      const seen = [];
      const observer = observeRun({
        ...passed(kit, tools),
        onIssue: ({ type }, { stepNumber }) => void seen.push([type, stepNumber]),
      });
      const withSearch = { ...tools, search: providerTool(kit) };
      const script = [[...ran('search', { query: 'x' }, { hits: [] }), 'Looking further.', call('book', {})], 'Done.'];
      await sdk.generateText({
        model: scriptedModel(kit, ...script),
        tools: withSearch,
        prompt: PROMPT,
        stopWhen,
        ...observer.callbacks,
      });
      assert.ok(
        seen.some(([type, step]) => type === 'missing_required_param' && step === 0),
        JSON.stringify(seen),
      );
    });

    test('gives the verdict on the steps that there were if a run fails', async () => {
      const observer = observeRun(passed(kit, tools));
      const model = scriptedModel(kit, [call('book', {})]);
      const { doGenerate } = model;
      let asked = 0;
      model.doGenerate = async options => {
        asked += 1;
        if (asked === 2) throw new Error('no power');
        return doGenerate(options);
      };
      const settings = { model, tools, system: SYSTEM, prompt: PROMPT, stopWhen, maxRetries: 0, ...observer.callbacks };
      await assert.rejects(sdk.generateText(settings), /no power/);
      const types = allIssues(observer.report()).map(({ type }) => type);
      assert.deepEqual(types, ['missing_required_param']);
    });

    test('starts over when an agent that has its callbacks runs again', async t => {
      if (kit.number === 5) return t.skip('this version does not say that a run begins');
      const observer = observeRun();
      const model = scriptedModel(kit, [call('book', {})], 'Done.', 'Hello.');
      const agent = new sdk.ToolLoopAgent({ model, tools, ...observer.callbacks });
      await agent.generate({ prompt: PROMPT });
      assert.equal(observer.report().gate.passed, false);
      await agent.generate({ prompt: 'Say hello.' });
      const { summary } = observer.report();
      assert.deepEqual([summary.calls, summary.turns], [0, 2]);
    });

    test('refuses tools that can not be used before the run begins', () => {
      assert.throws(() => observeRun({ tools: { f: { name: 'f', parameters: { type: 'nonsense' } } } }), {
        code: 'invalid_schema',
      });
    });
  });
}
