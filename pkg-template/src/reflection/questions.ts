import * as core from '#glue';
import { optionsToPayload, toPayload, valueToPayload } from '../boundary/json.js';
import { takeMembers } from '../boundary/members.js';
import { answer, read } from '../bridge.js';
import { importTools } from '../formats.js';
import { holdAgainst } from '../hold-against.js';
import { checkOptions } from '../judges/core.js';
import { JudgeError } from '../judges/error.js';
import { JUDGE_OPTIONS, type NamesOf, partJudgeOptions, refuseUnknown } from '../judges/options.js';
import { toNamed } from '../judges/panel.js';
import {
  parameterRequest,
  type ReflectionCase,
  type ReflectionTurn,
  reflectionRequest,
} from '../judges/prompts/reflection.js';
import type { Judge, JudgeRequest, Signal } from '../judges/request.js';
import { type JudgeVerdict, runJudges } from '../judges/run.js';
import { throwIfAborted, toSignal, unlessAborted } from '../judges/signal.js';
import type { ToolCallRepairInput } from '../reflect.js';
import { type Limiter, limiter } from '../timing.js';
import type { ToolDefinitions } from '../tool-definitions.js';
import { CompiledTools } from '../tools.js';
import type {
  Groundedness,
  JsonValue,
  JudgeOptions,
  ReflectOptions,
  RepairProblem,
  SemanticResult,
  ToolCall,
  Turn,
} from '../types.js';

/** Whom to ask about a call, and how. */
export interface Questions {
  readonly input: ToolCallRepairInput;
  readonly options: Required<ReflectOptions>;
  readonly judges: readonly Judge[];
  readonly judging: JudgeOptions;
  readonly signal: AbortSignal | undefined;
  readonly limit: Limiter;
}

/** The conclusion of judges about a call. */
export interface Conclusion {
  readonly semantic: SemanticResult;
  readonly overall_valid: boolean;
  readonly overall_avg_score: number | null;
  readonly correction: JsonValue;
  readonly objections: readonly RepairProblem[];
}

/** What came of one question. */
type Asked = { readonly verdict: JudgeVerdict } | { readonly error: JudgeError };

/** Every option that says how calls are judged. */
export const REFLECT_OPTIONS: NamesOf<ReflectOptions> = {
  form: true,
  metrics: true,
  parameterMetrics: true,
  minConfidence: true,
  continueOnStatic: true,
  maxConcurrency: true,
};

const INPUT: NamesOf<ToolCallRepairInput> = {
  tools: true,
  toolCall: true,
  conversation: true,
  judges: true,
  fallbackJudges: true,
  signal: true,
  limits: true,
  ...REFLECT_OPTIONS,
  ...JUDGE_OPTIONS,
};

/** The members of an input, each read once. Throws `invalid_input` when it is no object. */
export function takeInput(input: ToolCallRepairInput): ToolCallRepairInput {
  return takeMembers(input, 'the input', '{tools, toolCall}', taken => {
    const { tools, toolCall, limits, conversation, judges, fallbackJudges, signal, ...options } = taken;
    return { tools, toolCall, limits, conversation, judges, fallbackJudges, signal, ...options };
  });
}

/**
 * How `input` wants its call to be judged; `limit` lets several calls share a limit. Throws `invalid_option` for any
 * option that is wrong, whether judges are asked or not, and `aborted` when the signal is.
 */
export function questionsOf(input: ToolCallRepairInput, limit?: Limiter): Questions {
  refuseUnknown(input, INPUT);
  const { tools, toolCall, limits, conversation, judges, fallbackJudges, signal, ...rest } = input;
  const [judging, reflecting] = partJudgeOptions(rest);
  const options = answer<readonly [ReturnType<typeof optionsToPayload>], Required<ReflectOptions>>(
    core.prepareReflection,
    [optionsToPayload(reflecting)],
    undefined,
  );
  toNamed(judges ?? [], 'judges', 'judge');
  toNamed(fallbackJudges ?? [], 'fallbackJudges', 'fallback judge');
  checkOptions(judging);
  const ending = toSignal(signal);
  throwIfAborted(ending);
  return {
    input,
    options,
    judges: judges ?? [],
    judging,
    signal: ending,
    limit: limit ?? limiter(options.maxConcurrency),
  };
}

/** Asks the judges everything about a call, and concludes. Rejects only when the signal is aborted, with `aborted`. */
export async function askJudges(questions: Questions, staticValid: boolean): Promise<Conclusion> {
  const { input, options } = questions;
  const asked = caseOf(input);
  const named = <Name extends string>(names: readonly Name[], request: (name: Name) => JudgeRequest) =>
    names.map(name => [name, request(name)] as const);
  const whole = named(options.metrics, name => reflectionRequest(name, asked, options.form));
  const parameters = Object.keys(asked.toolCall.arguments ?? {}).map(
    parameter =>
      [
        parameter,
        named(options.parameterMetrics, name => parameterRequest(name, asked, parameter, options.form)),
      ] as const,
  );
  return unlessAborted(questions.signal, async inner => {
    const ask = async (requests: readonly (readonly [string, JudgeRequest])[]) => {
      const answers = requests.map(async ([name, request]) => [name, await askOne(questions, request, inner)] as const);
      return Object.fromEntries(await Promise.all(answers));
    };
    const [general, functionSelection, parameter] = await Promise.all([
      ask(whole.filter(([name]) => name.startsWith('general_'))),
      ask(whole.filter(([name]) => !name.startsWith('general_'))),
      Promise.all(parameters.map(async ([name, requests]) => [name, await ask(requests)] as const)),
    ]);
    return conclude({
      staticValid,
      minConfidence: options.minConfidence,
      ...(isEmpty(general) ? {} : { general }),
      ...(isEmpty(functionSelection) ? {} : { functionSelection }),
      ...(options.parameterMetrics.length === 0 ? {} : { parameter: Object.fromEntries(parameter) }),
    });
  });
}

async function askOne(
  { input, judges, judging, limit }: Questions,
  request: JudgeRequest,
  signal: Signal,
): Promise<Asked> {
  const { fallbackJudges } = input;
  try {
    return { verdict: await limit(() => runJudges(request, { ...judging, judges, fallbackJudges, signal })) };
  } catch (error) {
    const isAnswer = error instanceof JudgeError && error.code !== 'aborted';
    if (isAnswer) return { error };
    throw error;
  }
}

function conclude(answers: object): Conclusion {
  return answer<readonly [ReturnType<typeof valueToPayload>], Conclusion>(
    core.concludeReflection,
    [valueToPayload(answers, 'the answers')],
    undefined,
  );
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0;
}

/** A call with all that judges need to know of it. */
function caseOf(input: ToolCallRepairInput): ReflectionCase {
  const { tools, toolCall, limits, conversation } = input;
  const options = limits === undefined ? undefined : { limits };
  const call = read<ToolCall>(core.readToolCall, { value: toolCall, name: 'the tool call' }, options);
  const calledTool = holdAgainst<string | null>(input, core.calledTool);
  const definitions = tools instanceof CompiledTools ? (tools.toJSON() as ToolDefinitions) : (tools as ToolDefinitions);
  return {
    tools: Object.values(importTools(definitions, options).value),
    toolCall: { name: call.name ?? '', arguments: call.arguments ?? call.rawArguments ?? {} },
    ...(calledTool === null ? {} : { calledTool }),
    conversation: conversation === undefined ? [] : turnsBefore(input).map(toReflectionTurn),
  };
}

function toReflectionTurn({ role, content, tool_calls }: Turn): ReflectionTurn {
  const toolCalls = tool_calls?.map(({ name, arguments: given, rawArguments, result, error }) => ({
    name: name ?? '',
    arguments: given ?? rawArguments,
    result,
    error,
  }));
  return { role, content, ...(toolCalls === undefined ? {} : { toolCalls }) };
}

/** The turns that led to a call. */
function turnsBefore(input: ToolCallRepairInput): Turn[] {
  return answer(core.conversationBefore, ...withConversation(input));
}

/** Whether the values of a call occur in what led to it; null if nothing was said there. */
export function groundednessOf(input: ToolCallRepairInput): Groundedness | null {
  return answer(core.groundedness, ...withConversation(input));
}

function withConversation({ toolCall, conversation, limits }: ToolCallRepairInput) {
  const messages = typeof conversation === 'string' ? [{ role: 'user', content: conversation }] : conversation;
  const options = limits === undefined ? undefined : { limits };
  const payloads = [
    toPayload(toolCall, 'the tool call'),
    toPayload(messages, 'the conversation'),
    optionsToPayload(options),
  ] as const;
  return [payloads, options] as const;
}
