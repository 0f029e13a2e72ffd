import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PROJECTS } from './support/ai-sdk.mjs';
import { compileErrors } from './support/consumer.mjs';

/** What compiles with every version: each output of the SDK as input, and each part of `toolgauge/ai-sdk`. */
const RIGHT = `
import { convertToModelMessages, generateText, jsonSchema, stepCountIs, streamText, tool, type LanguageModel, type ToolSet, type UIMessage } from 'ai';
import { checkTrajectories, compileTools, findUnsupportedFacts, importTrajectory, scoreToolCalls, validateTrajectory } from 'toolgauge';
import {
  checkTrajectoryTool, observeRun, reflectToolCallTool, toolCallAccuracyScoreTool, validateToolCallTool, verifyResultTool,
  type ObserveRunOptions, type RunCallbacks, type RunIssue, type RunObserver,
} from 'toolgauge/ai-sdk';
import { z } from 'zod';

export const tools = {
  weather: tool({ description: 'Weather', inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => ({ city }) }),
  book: tool({ inputSchema: jsonSchema<{ guests: number }>({ type: 'object' }), execute: async ({ guests }) => guests }),
};
export const set: ToolSet = tools;

export async function inputs(model: LanguageModel, uiMessages: UIMessage[]): Promise<void> {
  const result = await generateText({ model, tools, prompt: 'x' });
  checkTrajectories(result, tools);
  checkTrajectories({ prompt: 'x', steps: result.steps }, set);
  validateTrajectory(result, tools);
  findUnsupportedFacts({ messages: result.response.messages });
  scoreToolCalls({ expected: ['weather'], actual: result });
  importTrajectory(result.steps);
  const stream = streamText({ model, tools, prompt: 'x' });
  const parts = [];
  for await (const part of stream.fullStream) parts.push(part);
  importTrajectory(parts);
  importTrajectory(await stream.steps);
  importTrajectory(await stream.response);
  importTrajectory(uiMessages);
  importTrajectory(await convertToModelMessages(uiMessages));
  compileTools(tools);
  compileTools(set);
}

export async function observed(model: LanguageModel): Promise<void> {
  const options: ObserveRunOptions = { tools, prompt: 'x', failOn: 'medium', onError: console.error };
  const observer: RunObserver = observeRun({
    ...options,
    onIssue: (issue: RunIssue, { stepNumber, toolCall }) => console.log(stepNumber.toFixed(), toolCall?.toolName, issue.severity),
    onReport: async report => console.log(report.gate.passed),
  });
  const callbacks: RunCallbacks = observer.callbacks;
  const stopWhen = [stepCountIs(3), observer.hasIssue('high'), observer.hasIssue('tool_misuse'), observer.hasLoop(4)];
  const { steps } = await generateText({ model, tools, prompt: 'x', stopWhen, ...callbacks });
  // The types of the tools are still those of the run.
  for (const call of steps[0]?.toolCalls ?? []) if (!call.dynamic && call.toolName === 'weather') console.log(call.input.city.trim());
  const stream = streamText({ model, tools, prompt: 'x', stopWhen: observer.hasIssue('critical'), ...observer.callbacks });
  await stream.consumeStream();
  await generateText({ model, prompt: 'x', ...observeRun().callbacks });
  await generateText({
    model, tools, prompt: 'x', stopWhen, ...callbacks,
    onStepFinish: async step => {
      await callbacks.onStepFinish(step);
      console.log(step.usage);
    },
  });
}

export async function forModels(model: LanguageModel): Promise<void> {
  await generateText({
    model,
    prompt: 'x',
    tools: {
      score: toolCallAccuracyScoreTool,
      validate: validateToolCallTool,
      check: checkTrajectoryTool,
      verify: verifyResultTool,
      reflect: reflectToolCallTool({ tools, judges: [async () => ({})] }),
    },
  });
  const { valid } = await validateToolCallTool.execute({ call: { tool: 'f', args: {} }, tools: [] });
  const { passed } = await checkTrajectoryTool.execute({ turns: [{ role: 'user', content: 'x' }] });
  const { hallucinated } = await verifyResultTool.execute({ call: { tool: 'f', args: {}, result: 1 }, reply: 'x' });
  const { overall_valid } = await reflectToolCallTool().execute({ call: { tool: 'f', args: {} }, tools: [] });
  const all: boolean[] = [valid, passed, hallucinated, overall_valid];
  console.log(all);
}
`;

const AGENTS = {
  'ai 5': `
import { Experimental_Agent as Agent } from 'ai';
export async function agents(model: LanguageModel): Promise<void> {
  const observer = observeRun({ tools });
  const agent = new Agent({ model, tools, ...observer.callbacks });
  checkTrajectories(await agent.generate({ prompt: 'x' }));
}
`,
  'ai 6': `
import { ToolLoopAgent } from 'ai';
export async function agents(model: LanguageModel): Promise<void> {
  const observer = observeRun({ tools });
  const agent = new ToolLoopAgent({ model, tools, stopWhen: observer.hasLoop(), ...observer.callbacks });
  checkTrajectories(await agent.generate({ prompt: 'x', ...observer.callbacks }));
  importTrajectory(await (await agent.stream({ prompt: 'x', ...observer.callbacks })).steps);
}
`,
};
AGENTS['ai 7'] = `${AGENTS['ai 6']}
export async function latest(model: LanguageModel): Promise<void> {
  const { callbacks } = observeRun();
  const result = await generateText({ model, tools, prompt: 'x', onStart: callbacks.onStart, onStepEnd: callbacks.onStepFinish, onEnd: callbacks.onFinish });
  importTrajectory(result.responseMessages);
}
`;

const WRONG = `
import { generateText, streamText, type LanguageModel } from 'ai';
import { checkTrajectories, importTrajectory, validateTrajectory } from 'toolgauge';
import { observeRun, verifyResultTool } from 'toolgauge/ai-sdk';

export function wrong(model: LanguageModel): void {
  const stream = streamText({ model, prompt: 'x' });
  // @ts-expect-error await it
  checkTrajectories(generateText({ model, prompt: 'x' }));
  // @ts-expect-error await it
  validateTrajectory(stream.steps);
  // @ts-expect-error await it
  importTrajectory(stream.response);
  // @ts-expect-error there is no such severity
  observeRun().hasIssue('fatal');
  // @ts-expect-error there is no such option
  observeRun({ onIssues: () => {} });
  // @ts-expect-error a reply is missing
  verifyResultTool.execute({ call: { tool: 'f', args: {} } });
}
`;

suite('types', () => {
  for (const [version, project] of Object.entries(PROJECTS)) {
    test(`${version}: outputs of the SDK are inputs, and promises of them are errors`, async t => {
      const files = { 'right.mts': RIGHT + AGENTS[version], 'wrong.mts': WRONG };
      assert.equal(await compileErrors(t, files, project), '');
    });
  }
});
