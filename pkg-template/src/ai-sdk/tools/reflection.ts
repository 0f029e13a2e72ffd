import { reflectToolCall, type ToolCallReflection, type ToolCallReflectionInput } from 'toolgauge';
import { type ModelTool, modelTool } from '../model-tool.js';
import { CALL, type ModelCall, type ModelToolDefinition, objectOf, TOOLS, toPlainCall } from './schemas.js';

/** How calls are reflected on: the options of `reflectToolCall`, such as `judges`. */
export interface ReflectionToolOptions extends Omit<ToolCallReflectionInput, 'tools' | 'toolCall' | 'conversation'> {
  /** The tools of the agent, if the model shall not pass them. Default: the model passes them. */
  readonly tools?: ToolCallReflectionInput['tools'];
}

/** What the tool takes: a call that has not run yet, the tools that the agent has, and what the user asked. */
export interface ToolCallReflectionToolInput {
  /** The call to check. It has not run yet. */
  readonly call: ModelCall;
  /** The tools that the agent has. Only if the tool was made without `tools`. */
  readonly tools?: readonly ModelToolDefinition[] | undefined;
  /** The exact text of the user's request. Default: unknown. */
  readonly request?: string | undefined;
}

/** An AI SDK tool whose `execute` may also be called by itself, with the input alone. */
export type ToolCallReflectionTool = ModelTool<ToolCallReflectionToolInput, ToolCallReflection>;

/**
 * Makes a tool with which a model checks a call before it makes it. The result is that of `reflectToolCall`: the static
 * checks with a correction for each that fails and, if you pass judges, what they say of the meaning of the call.
 *
 * @example
 * const reflect = reflectToolCallTool({ tools });
 * await generateText({ model, tools: { ...tools, reflect }, prompt });
 *
 * @example
 * const { overall_valid } = await reflectToolCallTool({ tools }).execute({ call: { tool: 'book', args: { guests: '4' } } });
 * overall_valid; // false
 */
export function reflectToolCallTool(options: ReflectionToolOptions = {}): ToolCallReflectionTool {
  const { tools: given, ...settings } = options;
  const takesTools = given === undefined;
  return modelTool<ToolCallReflectionToolInput, ToolCallReflection>({
    description:
      'Checks a tool call before it is made: whether there is such a tool, and whether its arguments fit. Returns each ' +
      'check with an explanation and, where it is clear, the corrected call.',
    parameters: objectOf(
      {
        call: CALL,
        ...(takesTools && { tools: TOOLS }),
        request: { type: 'string', description: "The exact text of the user's request" },
      },
      takesTools ? ['call', 'tools'] : ['call'],
    ),
    expected: takesTools ? 'a call, {tool, args}, and tools, [{name, parameters}]' : 'a call, {tool, args}',
    run: ({ call, tools, request }) =>
      reflectToolCall({
        ...settings,
        tools: given === undefined ? tools : given,
        toolCall: toPlainCall(call),
        conversation: request,
      }),
  });
}
