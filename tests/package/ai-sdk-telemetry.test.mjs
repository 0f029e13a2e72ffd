import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { call, providerTool, ran, scriptedModel } from './support/ai-sdk.mjs';
import { fromConsumer, install } from './support/consumer.mjs';

const OTEL = ['@opentelemetry/sdk-trace-base', '@opentelemetry/otlp-transformer', '@opentelemetry/context-async-hooks'];
const COMMON = ['zod', '@types/node', ...OTEL];

/** A project with each version of the SDK, and the ways in which it writes spans. */
const PROJECTS = {
  'ai 5': { project: install('ai5', ...COMMON), conventions: ['experimental_telemetry'] },
  'ai 6': { project: install('ai6', ...COMMON), conventions: ['experimental_telemetry'] },
  'ai 7': { project: install('ai', '@ai-sdk/otel', ...COMMON), conventions: ['OpenTelemetry', 'LegacyOpenTelemetry'] },
};

const SYSTEM = 'You are helpful.';
const PROMPT = 'How warm is it in Oslo and Rome?';
const REPLY = 'It is 21 degrees in Oslo and 35 in Rome.';

/** How an agent runs to its end. */
const LOOPS = {
  generateText: (sdk, settings) => sdk.generateText(settings),
  streamText: (sdk, settings) => sdk.streamText({ ...settings, onError() {} }).consumeStream(),
};

/** Both forms in which spans are at hand: as the exporter in memory has them, and as they are sent to a collector. */
const FORMS = {
  'in memory': spans => spans,
  'as OTLP JSON': (spans, { JsonTraceSerializer }) =>
    new TextDecoder().decode(JsonTraceSerializer.serializeRequest(spans)),
};

for (const [version, { project, conventions }] of Object.entries(PROJECTS)) {
  const get = specifier => fromConsumer(specifier, project);
  const [sdk, mocks, { z }, toolgauge, tracing, otlp, hooks, api] = await Promise.all(
    ['ai', 'ai/test', 'zod', 'toolgauge', ...OTEL, '@opentelemetry/api'].map(get),
  );
  const otel = version === 'ai 7' ? await get('@ai-sdk/otel') : undefined;
  // Without one, every span is a trace of its own. The SDKs of OpenTelemetry for Node set it.
  api.context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());

  const tools = {
    weather: sdk.tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => ({ city, celsius: 21 }),
    }),
    fail: sdk.tool({
      inputSchema: z.object({ id: z.number() }),
      execute: async () => {
        throw new Error('no such table');
      },
    }),
    search: providerTool({ number: Number(version.slice(-1)), z }),
  };

  const script = [
    ['I will look.', call('weather', { city: 'Oslo' }), call('weather', { city: 'Rome' }), call('fail', { id: 7 })],
    [call('weather', { town: 'Bergen' })],
    REPLY,
  ];

  /** The spans of a run. */
  async function spansOf(convention, loop, recording, steps = script) {
    const exporter = new tracing.InMemorySpanExporter();
    const spanProcessors = [new tracing.SimpleSpanProcessor(exporter)];
    const tracer = new tracing.BasicTracerProvider({ spanProcessors }).getTracer('test');
    const telemetry =
      otel === undefined
        ? { experimental_telemetry: { isEnabled: true, tracer, ...recording } }
        : { telemetry: { integrations: [new otel[convention]({ tracer })], ...recording } };
    const model = scriptedModel({ mocks }, ...steps);
    const settings = { model, tools, system: SYSTEM, prompt: PROMPT, stopWhen: sdk.stepCountIs(5), ...telemetry };
    await LOOPS[loop](sdk, settings);
    return exporter.getFinishedSpans();
  }

  for (const convention of conventions) {
    for (const loop of Object.keys(LOOPS)) {
      suite(`${version}: spans of ${loop}, ${convention}`, async () => {
        for (const [form, write] of Object.entries(FORMS)) {
          test(`${form}: the run is one trajectory with its request, calls, results, errors and texts`, async () => {
            const { format, value } = toolgauge.importTrajectory(write(await spansOf(convention, loop), otlp));
            assert.equal(format, 'otel-genai');
            const texts = value.turns.map(({ role, content }) => [role, content]);
            assert.deepEqual(texts, [
              ['system', SYSTEM],
              ['user', PROMPT],
              ['agent', 'I will look.'],
              ['agent', ''],
              ['agent', REPLY],
            ]);
            const calls = value.turns.flatMap(turn => turn.tool_calls ?? []);
            assert.deepEqual(
              calls.map(({ id, name, arguments: args }) => [id, name, args]),
              [
                ['call-1-1', 'weather', { city: 'Oslo' }],
                ['call-1-2', 'weather', { city: 'Rome' }],
                ['call-1-3', 'fail', { id: 7 }],
                ['call-2-1', 'weather', { town: 'Bergen' }],
              ],
            );
            assert.deepEqual(calls[1].result, { city: 'Rome', celsius: 21 });
            assert.match(calls[2].error, /no such table/);
            // The conventions for generative AI have no mark for a failed call that did not run.
            assert.match(JSON.stringify(calls[3].error ?? calls[3].result), /Invalid input/);
          });

          test(`${form}: the verdict`, async () => {
            const spans = write(await spansOf(convention, loop), otlp);
            const [{ results }] = toolgauge.checkTrajectories(spans, tools).trajectories;
            const high = results.flatMap(({ issues }) => issues).filter(({ severity }) => severity === 'high');
            assert.deepEqual(high.map(({ type }) => type).sort(), ['hallucinated_result', 'missing_required_param']);
          });

          test(`${form}: what is not recorded is marked and not judged`, async () => {
            const recording = { recordInputs: false, recordOutputs: false };
            const spans = write(await spansOf(convention, loop, recording), otlp);
            const { value, warnings } = toolgauge.importTrajectory(spans);
            const calls = value.turns.flatMap(turn => turn.tool_calls ?? []);
            assert.deepEqual(
              calls.map(({ unrecorded }) => unrecorded),
              [true, true, true],
            );
            assert.match(warnings[0].message, /does not record the arguments or the result of 3 tool calls/);
            const { trajectories } = toolgauge.checkTrajectories(spans, tools);
            assert.deepEqual(
              trajectories[0].results.flatMap(({ issues }) => issues),
              [],
            );
            assert.ok(trajectories[0].unjudged.includes('unrecorded_contents'));
          });

          test(`${form}: without outputs, each call is once there, with what the next input shows`, async () => {
            const spans = write(await spansOf(convention, loop, { recordOutputs: false }), otlp);
            const calls = toolgauge.importTrajectory(spans).value.turns.flatMap(turn => turn.tool_calls ?? []);
            assert.deepEqual(
              calls.map(({ id, arguments: args, unrecorded }) => [id, args, unrecorded]),
              [
                ['call-1-1', { city: 'Oslo' }, undefined],
                ['call-1-2', { city: 'Rome' }, undefined],
                ['call-1-3', { id: 7 }, undefined],
                ['call-2-1', { town: 'Bergen' }, undefined],
              ],
            );
            assert.deepEqual(calls[1].result, { city: 'Rome', celsius: 21 });
            const results = toolgauge.validateTrajectory(spans, tools);
            const types = results.flatMap(({ issues }) => issues.map(({ type }) => type));
            assert.deepEqual(types, ['missing_required_param']);
          });

          test(`${form}: without inputs, a call that did not run is not missing its result`, async () => {
            const spans = write(await spansOf(convention, loop, { recordInputs: false }), otlp);
            const calls = toolgauge.importTrajectory(spans).value.turns.flatMap(turn => turn.tool_calls ?? []);
            const invalid = calls.find(({ id }) => id === 'call-2-1');
            assert.equal(invalid.unrecorded, true);
            const results = toolgauge.validateTrajectory(spans, tools);
            const types = results.flatMap(({ issues }) => issues.map(({ type }) => type));
            assert.ok(!types.includes('missing_result'), types.join());
          });

          test(`${form}: a call that the provider ran is once there, with its result`, async () => {
            const steps = [
              [
                ...ran('search', { query: 'storms' }, { hits: ['Storm in Oslo'] }),
                'Found.',
                call('weather', { city: 'Oslo' }),
              ],
              'A storm in Oslo, at 21 degrees.',
            ];
            const spans = write(await spansOf(convention, loop, {}, steps), otlp);
            const calls = toolgauge.importTrajectory(spans).value.turns.flatMap(turn => turn.tool_calls ?? []);
            assert.deepEqual(
              calls.map(({ id, name }) => [id, name]),
              [
                ['call-1-1', 'search'],
                ['call-1-2', 'weather'],
              ],
            );
            assert.deepEqual(calls[0].result, { hits: ['Storm in Oslo'] });
            const results = toolgauge.validateTrajectory(spans, tools);
            const types = results.flatMap(({ issues }) => issues.map(({ type }) => type));
            assert.deepEqual(types, []);
          });
        }
      });
    }
  }
}
