import { repairToolCall as repair, type Signal, type ToolCallRepair, type ToolCallRepairInput } from 'toolgauge';
import { toConversation } from './conversation.js';
import { isProviderTool } from './provider-tool.js';

/**
 * How {@link repairToolCall} repairs: the options of the function of that name in `toolgauge`, without what the SDK
 * passes on. Those of judges count only if you pass `judges`.
 */
export interface RepairToolCallOptions extends Omit<ToolCallRepairInput, 'tools' | 'toolCall' | 'conversation'> {
  /** Called with every call that was repaired, for example to log `repair.changes`. */
  readonly onRepair?: ((repair: ToolCallRepair) => void) | undefined;
}

/** A tool call whose `input` is the JSON text that the model wrote. */
export interface UnparsedToolCall {
  /** The id of the call. */
  readonly toolCallId: string;
  /** The name of the tool, as the model wrote it. */
  readonly toolName: string;
  /** The JSON text of the arguments, as the model wrote it. */
  readonly input: string;
  /** Whether the provider runs the tool; such calls are not repaired. Default false. */
  readonly providerExecuted?: boolean | undefined;
}

/** What the SDK passes on about a call that it could not use. Declared here because ai 5, 6 and 7 declare it differently. */
export interface FailedToolCall<Call extends UnparsedToolCall> {
  /** The call that could not be used. */
  readonly toolCall: Call;
  /** The tools of the run, by name. */
  readonly tools: object;
  /** Returns the JSON Schema of the arguments of a tool, or a promise of it. */
  readonly inputSchema: (options: { toolName: string }) => unknown;
  /** The messages before the call. */
  readonly messages: readonly unknown[];
  /** The instructions, if there are any. */
  readonly system?: unknown;
  /** Only ai 7 passes it. */
  readonly abortSignal?: Signal | undefined;
}

/** Fits `experimental_repairToolCall` of ai 5, 6 and 7, and `repairToolCall` of ai 7. */
export type ToolCallRepairer = <Call extends UnparsedToolCall>(failed: FailedToolCall<Call>) => Promise<Call | null>;

/**
 * Makes the function that `generateText`, `streamText` and agents take as `experimental_repairToolCall` (ai 5 to 7)
 * or as `repairToolCall` (ai 7).
 *
 * The SDK calls it when a model names an unknown tool, or when the input is not JSON or the tool's schema refuses it.
 * The function repairs the call as `repairToolCall` of `toolgauge` does, with the help of judges if you pass any. If the
 * call can't be repaired, it returns `null`: the SDK reports its own error to the model, and the loop goes on.
 *
 * The SDK does not check input against a `jsonSchema(…)` without `validate`, so it calls no repair function either.
 * Wrap such tools in `guardTools`.
 *
 * @example
 * await generateText({ model, tools, prompt, experimental_repairToolCall: repairToolCall() });
 */
export function repairToolCall(options: RepairToolCallOptions = {}): ToolCallRepairer {
  const { onRepair, ...settings } = options;
  const asksJudges = settings.judges !== undefined && settings.judges.length > 0;
  return async failed => {
    const { toolCall, system, messages, abortSignal } = failed;
    if (toolCall.providerExecuted) return null;
    const repaired = await repair({
      ...settings,
      signal: settings.signal ?? abortSignal,
      tools: await definitions(failed, asksJudges),
      toolCall: toToolCall(toolCall),
      ...(asksJudges && { conversation: toConversation(system, messages) }),
    });
    // The SDK refused the call, so a call that is valid here broke a rule that no JSON Schema states.
    if (repaired.status !== 'repaired') return null;
    onRepair?.(repaired);
    return { ...toolCall, toolName: repaired.name ?? toolCall.toolName, input: JSON.stringify(repaired.arguments) };
  };
}

/** The SDK takes empty input for an empty object. */
function toToolCall({ toolCallId, toolName, input }: UnparsedToolCall) {
  return { type: 'tool-call', toolCallId, toolName, input: input.trim() === '' ? '{}' : input } as const;
}

/**
 * The tools by which the call is checked: the called one alone, so that nothing depends on the schemas of others. All
 * of them if no tool has the name of the call, and for judges, who may find that another tool fits better.
 */
function definitions({ toolCall, tools, inputSchema }: FailedToolCall<UnparsedToolCall>, forJudges: boolean) {
  const known = Object.hasOwn(tools, toolCall.toolName);
  const relevant = Object.entries(tools).filter(([name, tool]) => {
    if (name === toolCall.toolName) return true;
    return (forJudges || !known) && !isProviderTool(tool);
  });
  return Promise.all(
    relevant.map(async ([name, { description }]) => ({
      name,
      // In ai 7 it may be a function.
      ...(typeof description === 'string' && { description }),
      parameters: (await inputSchema({ toolName: name })) as object,
    })),
  );
}
