import type { ParameterMetricName, ReflectionForm, SemanticMetricName } from '../../types.js';
import type { JudgeRequest } from '../request.js';
import { answerSchema } from './reflection/answer-schema.js';
import { CONSTRAINTS } from './reflection/constraints.js';
import { FUNCTION_SELECTION } from './reflection/function-selection.js';
import { HALLUCINATION, PARAMETER_HALLUCINATION } from './reflection/hallucination.js';
import { PARAMETER_VALUE_FORMAT, VALUE_FORMAT } from './reflection/value-format.js';
import type { Wording } from './reflection/wording.js';
import type { AvailableTool } from './tool-choice.js';

/** A call that the agent made earlier in the conversation. */
export interface ReflectionPastCall {
  /** The tool's name. */
  readonly name: string;
  /** The arguments, as JSON data. */
  readonly arguments?: unknown;
  /** What the tool returned, as JSON data. Absent if nothing came back yet, or an error did. */
  readonly result?: unknown;
  /** The error that came back instead of a result, as JSON data. */
  readonly error?: unknown;
}

/** One turn of the conversation before the call. */
export interface ReflectionTurn {
  /** Who speaks. */
  readonly role: 'system' | 'user' | 'agent';
  /** What was said; empty if the turn consists of calls only. */
  readonly content: string;
  /** The calls of an agent's turn, in order, with their results. */
  readonly toolCalls?: readonly ReflectionPastCall[] | undefined;
}

/** A call that has not run yet, with everything a judge needs to know about it. Plain data, ready for JSON. */
export interface ReflectionCase {
  /** All tools that the agent can call. */
  readonly tools: readonly AvailableTool[];
  /** The call to judge. Its tool need not be among `tools`. */
  readonly toolCall: {
    /** The tool's name, as the call writes it. */
    readonly name: string;
    /** The arguments, as the call writes them. */
    readonly arguments: unknown;
  };
  /** The name in `tools` of the tool that is called, if the call writes it in another way. */
  readonly calledTool?: string;
  /** The conversation up to the call, oldest turn first. */
  readonly conversation: readonly ReflectionTurn[];
}

const SEMANTIC: Record<SemanticMetricName, Wording> = {
  general_hallucination_check: HALLUCINATION,
  general_value_format_alignment: VALUE_FORMAT,
  function_selection_appropriateness: FUNCTION_SELECTION,
  agentic_constraints_satisfaction: CONSTRAINTS,
};

const PARAMETER: Record<ParameterMetricName, Wording> = {
  parameter_hallucination_check: PARAMETER_HALLUCINATION,
  parameter_value_format_alignment: PARAMETER_VALUE_FORMAT,
};

/**
 * Asks one question about a call that has not run yet. The score is the member `output`, an integer from 1 to 5; higher
 * is more valid. Answers have the shape
 * `{evidence: string, explanation: string, output: 1..5, confidence: 0..1, correction: object | null}`.
 *
 * `correction` is null if nothing is wrong, otherwise `{name?: string, arguments?: object, missing?: string[]}`:
 *
 * - With `arguments` it is the call to make instead, with all its arguments. Without `name` the tool stays the same.
 * - `missing` lists what has to be asked of the user or looked up by another call before the call can be made.
 * - An object without all three means that no call should be made.
 *
 * The `runtime` form has a short system prompt, for use before every call of a running agent. The `full` form explains
 * each score, and its corrections also have `recommendations: string[]` for whoever maintains the agent.
 *
 * @example
 * const request = reflectionRequest(
 *   'general_hallucination_check',
 *   {
 *     tools: [{ name: 'get_weather', description: 'Current weather of a city' }],
 *     toolCall: { name: 'get_weather', arguments: { city: 'Oslo' } },
 *     conversation: [{ role: 'user', content: 'Do I need an umbrella in Bergen?' }],
 *   },
 *   'runtime',
 * );
 * const { score } = await runJudges(request, { judges: [judge] });
 */
export function reflectionRequest(
  metric: SemanticMetricName,
  reflectionCase: ReflectionCase,
  form: ReflectionForm,
): JudgeRequest {
  // To choose between tools takes all of their definitions; the other questions are about the called tool.
  const showsDefinitions = metric === 'function_selection_appropriateness' && form === 'full';
  const shown = shownCase(reflectionCase, showsDefinitions);
  return request(metric, SEMANTIC[metric], form, 'The case, with "toolCall" as the call to judge:', shown);
}

/**
 * Asks one question about a single argument of a call that has not run yet. `parameter` is the name of a member of the
 * call's arguments. Answers and forms are those of {@link reflectionRequest}.
 *
 * @example
 * const request = parameterRequest('parameter_value_format_alignment', reflectionCase, 'departure_date', 'full');
 */
export function parameterRequest(
  metric: ParameterMetricName,
  reflectionCase: ReflectionCase,
  parameter: string,
  form: ReflectionForm,
): JudgeRequest {
  const judgedParameter = { name: parameter, value: memberOf(reflectionCase.toolCall.arguments, parameter) };
  const shown = { ...shownCase(reflectionCase, false), judgedParameter };
  return request(metric, PARAMETER[metric], form, 'The case, with "judgedParameter" as the argument to judge:', shown);
}

function request(
  name: SemanticMetricName | ParameterMetricName,
  { version, system }: Wording,
  form: ReflectionForm,
  lead: string,
  shown: object,
): JudgeRequest {
  return {
    name,
    version,
    system: system[form],
    prompt: `${lead}\n\n${JSON.stringify(shown, null, 2)}`,
    schema: answerSchema(form),
    scoreField: 'output',
  };
}

/**
 * What a judge sees of a case. The conversation comes first: it begins the same for every call of a conversation, which
 * lets servers reuse their work on it. The call comes last, next to the definition of its tool.
 */
function shownCase(reflectionCase: ReflectionCase, showsDefinitions: boolean): object {
  const { tools, toolCall, calledTool, conversation } = reflectionCase;
  const called = tools.find(({ name }) => name === (calledTool ?? toolCall.name));
  const others = tools.filter(tool => tool !== called);
  return {
    conversation: conversation.map(({ role, content, toolCalls }) => ({
      role,
      content,
      toolCalls: toolCalls?.map(({ name, arguments: given, result, error }) => ({
        name,
        arguments: given,
        result,
        error,
      })),
    })),
    otherTools: others.map(tool => (showsDefinitions ? definitionOf(tool) : summaryOf(tool))),
    calledTool: called === undefined ? null : definitionOf(called),
    toolCall: { name: toolCall.name, arguments: toolCall.arguments },
  };
}

function summaryOf({ name, description }: AvailableTool): AvailableTool {
  return { name, description };
}

function definitionOf({ name, description, parameters }: AvailableTool): AvailableTool {
  return { name, description, parameters };
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
