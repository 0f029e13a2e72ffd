import { jsonSchema, tool } from 'ai';
import type { JsonValue } from 'toolgauge';
import type { Dispatcher } from 'toolgauge/dispatch';

/** The SDK has no CommonJS types from version 7 on: its ESM ones serve both. */
type Tool<Input, Output> = import('ai', { with: { 'resolution-mode': 'import' }}).Tool<Input, Output>;

/** Tools of the AI SDK, by name, that a dispatcher runs. */
export type DispatcherTools = Record<string, Tool<Record<string, unknown>, JsonValue>>;

/** What the SDK passes to `execute`, as far as it is used. */
interface Execution {
  readonly toolCallId?: string;
  readonly abortSignal?: AbortSignal | undefined;
}

/**
 * The functions that a dispatcher has now, as tools for `generateText` and `streamText`. Each call goes through
 * `evalToolCalls`, so it is checked, tracked, limited and recorded. A call that fails has the output
 * `{ tool_call_error: message }`. While agents wait for answers, an output is `{ output, pending_escalations }`.
 *
 * After `dispatcher.use(…)`, call this again, for example in `prepareStep`.
 *
 * @example
 * await generateText({ model, tools: dispatcherTools(dispatcher), stopWhen: stepCountIs(10), prompt });
 * checkTrajectories(dispatcher.trajectory());
 */
export function dispatcherTools(dispatcher: Dispatcher): DispatcherTools {
  const tools = dispatcher.functions.map(({ name, description, parameters }) => {
    const execute = (input: Record<string, unknown>, options: Execution) => run(dispatcher, name, input, options);
    const inputSchema = jsonSchema<Record<string, unknown>>(parameters as Parameters<typeof jsonSchema>[0]);
    return [name, tool({ ...(description === undefined ? {} : { description }), inputSchema, execute })];
  });
  return Object.fromEntries(tools);
}

async function run(
  dispatcher: Dispatcher,
  name: string,
  input: Record<string, unknown>,
  { toolCallId, abortSignal }: Execution,
): Promise<JsonValue> {
  const call = { ...(toolCallId ? { id: toolCallId } : {}), name, arguments: input };
  const results = await dispatcher.evalToolCalls([call], { signal: abortSignal });
  const output = results.find(({ notification }) => !notification)?.output ?? 'DONE';
  const pending = results.find(({ notification }) => notification)?.output;
  return pending === undefined ? output : { output, ...(pending as object) };
}
