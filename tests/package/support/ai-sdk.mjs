import { consumer, fromConsumer, install } from './consumer.mjs';

/** A project with each version of the SDK that the package supports. */
export const PROJECTS = {
  'ai 5': install('ai5', 'zod', '@types/node'),
  'ai 6': install('ai6', 'zod', '@types/node'),
  'ai 7': consumer,
};

/** What tests need of one version: the SDK, zod, and the package that was installed beside them. */
export async function sdkOf(version) {
  const project = PROJECTS[version];
  const get = specifier => fromConsumer(specifier, project);
  const [sdk, mocks, { z }, toolgauge, parts, matchers] = await Promise.all(
    ['ai', 'ai/test', 'zod', 'toolgauge', 'toolgauge/ai-sdk', 'toolgauge/matchers'].map(get),
  );
  return { version, number: Number(version.slice(-1)), project, sdk, mocks, z, toolgauge, parts, matchers };
}

/**
 * A model that answers with the given steps, one after the other: a text, or a list of parts as {@link call}, {@link ran}
 * and texts. After the last step it repeats it.
 */
export function scriptedModel({ mocks }, ...steps) {
  const { MockLanguageModelV2, MockLanguageModelV3, MockLanguageModelV4, convertArrayToReadableStream } = mocks;
  const Model = MockLanguageModelV4 ?? MockLanguageModelV3 ?? MockLanguageModelV2;
  let at = 0;
  const next = () => {
    const answer = answerOf(steps[Math.min(at, steps.length - 1)], at, Model === MockLanguageModelV2);
    at += 1;
    return answer;
  };
  return new Model({
    doGenerate: async () => ({ ...next(), warnings: [] }),
    doStream: async () => ({ stream: convertArrayToReadableStream(chunksOf(next())) }),
  });
}

/** A call that a model makes. `input` may be a text that is not JSON. `more` are further members of the part. */
export function call(toolName, input, more = {}) {
  return { type: 'tool-call', toolName, input: typeof input === 'string' ? input : JSON.stringify(input), ...more };
}

/** A call that the provider ran, with its result. */
export function ran(toolName, input, result, isError = false) {
  return [
    call(toolName, input, { providerExecuted: true }),
    { type: 'tool-result', toolName, result, isError, providerExecuted: true },
  ];
}

/** A tool that the provider runs, by the name `search`. */
export function providerTool({ number, z }) {
  return {
    type: number === 5 ? 'provider-defined' : 'provider',
    id: 'scripted.search',
    ...(number === 5 && { name: 'search' }),
    ...(number === 7 && { isProviderExecuted: true }),
    args: {},
    inputSchema: z.object({ query: z.string() }),
    outputSchema: z.any(),
  };
}

function answerOf(step, at, isV2) {
  const list = (Array.isArray(step) ? step : [step]).flat();
  let calls = 0;
  const content = list.map(part => {
    if (typeof part === 'string') return { type: 'text', text: part };
    if (part.type === 'tool-call') calls += 1;
    return 'toolName' in part ? { toolCallId: `call-${at + 1}-${calls}`, ...part } : part;
  });
  const awaits = content.some(part => part.type === 'tool-call' && !part.providerExecuted);
  const reason = awaits ? 'tool-calls' : 'stop';
  if (isV2) return { content, finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return { content, finishReason: { unified: reason, raw: undefined }, usage };
}

function chunksOf({ content, finishReason, usage }) {
  const parts = content.flatMap((part, at) => {
    if (part.type === 'text') return textChunks(part.text, `text-${at}`, 'text');
    if (part.type === 'reasoning') return textChunks(part.text, `reasoning-${at}`, 'reasoning');
    return part.type === 'tool-call' ? callChunks(part) : [part];
  });
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
}

function textChunks(text, id, kind) {
  const half = Math.ceil(text.length / 2);
  return [
    { type: `${kind}-start`, id },
    { type: `${kind}-delta`, id, delta: text.slice(0, half) },
    { type: `${kind}-delta`, id, delta: text.slice(half) },
    { type: `${kind}-end`, id },
  ];
}

function callChunks(part) {
  const { toolCallId: id, toolName, input, providerExecuted, dynamic } = part;
  return [
    { type: 'tool-input-start', id, toolName, providerExecuted, dynamic },
    { type: 'tool-input-delta', id, delta: input },
    { type: 'tool-input-end', id },
    part,
  ];
}
