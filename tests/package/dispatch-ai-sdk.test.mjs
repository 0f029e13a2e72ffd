import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { compileErrors, consumer, folderIn, install, run, TESTS } from './support/consumer.mjs';

/** A project with each version of the SDK that the package supports. */
const PROJECTS = {
  'ai 5': install('ai5', 'zod', '@types/node'),
  'ai 6': install('ai6', 'zod', '@types/node'),
  'ai 7': consumer,
};

/** An agent on the SDK whose tools are those of a dispatcher; it prints what happened. */
const AGENT = `
import { generateText, stepCountIs, streamText } from 'ai';
import { checkTrajectories } from 'toolgauge';
import { dispatcherTools } from 'toolgauge/ai-sdk';
import { createDispatcher, EscalationQueue } from 'toolgauge/dispatch';
import { scriptedModel } from './scripted-model.mjs';

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const functions = [{ name: 'get_weather', description: 'The weather in a city', parameters }];
const ask = city => [{ toolName: 'get_weather', input: { city } }];

for (const loop of ['generateText', 'streamText']) {
  const escalations = new EscalationQueue();
  const handlers = { get_weather: ({ city }) => ({ city, celsius: 21 }) };
  const dispatcher = createDispatcher({ functions, handlers, escalations });
  const signal = new AbortController();
  dispatcher.addMessage('user', 'How warm is it in Oslo and in Rome?');
  const asked = escalations.ask({ kind: 'input', question: 'Which?', options: [] }, { signal: signal.signal });
  const settings = {
    model: scriptedModel([...ask('Oslo'), ...ask('Rome')], [{ toolName: 'get_weather', input: {} }], 'It is 21 degrees in both.'),
    tools: dispatcherTools(dispatcher),
    stopWhen: stepCountIs(5),
    prompt: 'How warm is it?',
  };
  let steps;
  if (loop === 'generateText') steps = (await generateText(settings)).steps;
  else {
    const result = streamText(settings);
    await result.consumeStream();
    steps = await result.steps;
  }
  signal.abort();
  await asked.catch(() => {});
  dispatcher.addMessage('agent', steps.at(-1).text);
  const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
  const [report] = checkTrajectories(dispatcher.trajectory()).trajectories;
  const issues = report.results.flatMap(({ issues }) => issues.map(({ type }) => type));
  console.log(JSON.stringify({ outputs, calls: report.calls, issues }));
}
`;

suite('dispatcherTools', () => {
  for (const [version, project] of Object.entries(PROJECTS)) {
    test(`${version}: the calls of a model go through the dispatcher`, async t => {
      const folder = folderIn(project, t, { 'agent.mjs': AGENT });
      cpSync(join(TESTS, '../../examples/repair/scripted-model.mjs'), join(folder, 'scripted-model.mjs'));
      const { stdout, stderr, code } = await run('node', ['agent.mjs'], { cwd: folder });
      assert.equal(code, 0, stderr);
      const runs = stdout.trim().split('\n').map(JSON.parse);
      assert.equal(runs.length, 2);
      for (const { outputs, calls, issues } of runs) {
        assert.deepEqual(
          outputs.slice(0, 2).map(({ output }) => output),
          ['Oslo', 'Rome'].map(city => ({ city, celsius: 21 })),
        );
        assert.equal(outputs[0].pending_escalations[0].question, 'Which?');
        assert.match(outputs[2].output.tool_call_error, /city: required, but missing/);
        assert.equal(calls, 3);
        assert.deepEqual(issues, ['missing_required_param']);
      }
    });
  }

  test('has the types that the SDK takes', async t => {
    const source = `
import { generateText, type LanguageModel, type ToolSet } from 'ai';
import { dispatcherTools, type DispatcherTools } from 'toolgauge/ai-sdk';
import { createDispatcher } from 'toolgauge/dispatch';
declare const model: LanguageModel;
const tools: DispatcherTools = dispatcherTools(createDispatcher({ handlers: { f: () => 1 } }));
const set: ToolSet = tools;
await generateText({ model, tools, prompt: Object.keys(set).join() });
`;
    assert.equal(await compileErrors(t, { 'tools.mts': source }), '');
  });
});
