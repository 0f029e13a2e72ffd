// Replaces a real model, so that the example runs without a network. Works with ai 5, 6 and 7.
import * as mocks from 'ai/test';

const { MockLanguageModelV2, MockLanguageModelV3, MockLanguageModelV4, convertArrayToReadableStream } = mocks;

/** A model that answers with the given steps, one after the other: text, or a list of tool calls. */
export function scriptedModel(...steps) {
  const Model = MockLanguageModelV4 ?? MockLanguageModelV3 ?? MockLanguageModelV2;
  const answers = steps.map((step, at) => answer(step, at, Model === MockLanguageModelV2));
  return new Model({
    doGenerate: async () => ({ ...answers.shift(), warnings: [] }),
    doStream: async () => ({ stream: convertArrayToReadableStream(chunks(answers.shift())) }),
  });
}

function answer(step, at, isV2) {
  const content = typeof step === 'string' ? [{ type: 'text', text: step }] : step.map((call, n) => part(call, at, n));
  const reason = typeof step === 'string' ? 'stop' : 'tool-calls';
  if (isV2) return { content, finishReason: reason, usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 } };
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  return { content, finishReason: { unified: reason, raw: undefined }, usage };
}

function part({ toolName, input }, at, n) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return { type: 'tool-call', toolCallId: `call-${at + 1}-${n + 1}`, toolName, input: text };
}

function chunks({ content, finishReason, usage }) {
  const parts = content.flatMap(part => (part.type === 'text' ? textChunks(part) : callChunks(part)));
  return [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
}

function textChunks({ text }) {
  return [
    { type: 'text-start', id: 'text' },
    { type: 'text-delta', id: 'text', delta: text },
    { type: 'text-end', id: 'text' },
  ];
}

function callChunks(call) {
  const { toolCallId: id, toolName, input } = call;
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: input },
    { type: 'tool-input-end', id },
    call,
  ];
}
