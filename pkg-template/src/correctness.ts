import * as core from '#glue';
import { guarded } from './boundary/call.js';
import { read } from './bridge.js';
import type { LimitOptions } from './formats.js';
import type { Extensible, JsonInput, JsonObject, ToolCallInput } from './input.js';
import { readTestCase } from './test-case.js';
import type { CalledTool, CorrectnessResult, ToolCallParam, TrajectoryStep } from './types.js';

/**
 * A called tool as the functions take it: in either spelling, see {@link CalledTool} for what each field means, or as
 * whoever made the call writes it.
 */
export type CalledToolInput =
  | Extensible<{
      /** The tool's name. */
      readonly name: string;
      /** The arguments. Default: none. */
      readonly inputParameters?: unknown;
      /** The same as `inputParameters`, in the other spelling. */
      readonly input_parameters?: unknown;
      /** What the tool returned. */
      readonly output?: unknown;
    }>
  | ToolCallInput;

/**
 * What the correctness metric judges. Tools are taken from the trajectories, in any known format, where the lists are
 * not given. Every field may also be spelled in snake_case.
 */
export type ToolTestCase = Extensible<{
  /** What the user asked; judges of the choice of tools read it. */
  readonly input?: string;
  /** The same as `input`. If both are given, `input` counts. */
  readonly query?: string;
  /** What the agent answered. */
  readonly actualOutput?: string;
  /** What it should have answered. */
  readonly expectedOutput?: string;
  /** The tools that were called. */
  readonly toolsCalled?: readonly CalledToolInput[];
  /** The tools that should have been called. */
  readonly expectedTools?: readonly CalledToolInput[];
  /** What the agent did, for `toolsCalled`. */
  readonly agentTrajectory?: JsonObject;
  /** What it should have done, for `expectedTools`. Default: what `agentTrajectory` itself contains as expected. */
  readonly expectedAgentTrajectory?: JsonObject;
  /** All tools that the agent could call: names, or definitions in any known format. */
  readonly availableTools?: unknown;
}>;

/** How correctness is measured. */
export interface CorrectnessOptions extends LimitOptions {
  /** The least score that passes, from 0 to 1. Default 0.5. */
  readonly threshold?: number;
  /** Whether the result says why. Default true. */
  readonly includeReason?: boolean;
  /** Whether any score under 1 counts as 0, and only 1 passes. Default false. */
  readonly strictMode?: boolean;
  /** Whether the calls must be the same at the same places. Goes before `shouldConsiderOrdering`. Default false. */
  readonly shouldExactMatch?: boolean;
  /** Whether the order of the calls counts. Default false. */
  readonly shouldConsiderOrdering?: boolean;
  /** What is compared besides the names of the tools. Default nothing. */
  readonly evaluationParams?: readonly ToolCallParam[];
  /**
   * Whether random endings of names are dropped, see {@link ToolCallParser.normalizeToolName}. Names of tools that exist
   * beside each other are never made one: those of `availableTools`, and those that are both called and expected.
   * Default true.
   */
  readonly normalizeNames?: boolean;
}

/**
 * Says how correct the called tools are, without judges: what {@link ToolCorrectnessMetric} measures by itself.
 *
 * - default: the best pairing of called and expected tools, divided by the number of expected ones;
 * - `shouldConsiderOrdering`: the weighted longest common subsequence, divided likewise;
 * - `shouldExactMatch`: 1 when the lists are the same, else 0.
 *
 * Arguments agree by the share of the union of their keys that is equal, recursively. Outputs agree when they are equal;
 * JSON text is read first, on both sides. Extra calls cost nothing but in the exact mode. Throws `invalid_json`, `invalid_input`, `unknown_format`, `invalid_option`, `limit_exceeded` or
 * `unsupported_value`.
 *
 * @example
 * measureCorrectness(
 *   {
 *     toolsCalled: [{ name: 'search', inputParameters: { q: 'Oslo', limit: 5 } }],
 *     expectedTools: [{ name: 'search', inputParameters: { q: 'Oslo', limit: 10 } }],
 *   },
 *   { evaluationParams: ['input_parameters'] },
 * );
 * // { score: 0.5, success: true, reason: '0 of 1 expected calls were made as expected. search differs: args.limit: expected 10, got 5.', … }
 */
export function measureCorrectness(testCase: JsonInput<ToolTestCase>, options?: CorrectnessOptions): CorrectnessResult {
  return readTestCase(core.measureCorrectness, testCase, options);
}

/** A step as the functions take it, in either spelling; see {@link TrajectoryStep} for what each field means. */
export type TrajectoryStepInput = Extensible<StepId & StepContents>;

type StepId = { readonly toolCallId: string } | { readonly tool_call_id: string };

interface StepContents {
  readonly kind?: string | undefined;
  readonly name: string;
  readonly args?: unknown;
  readonly output?: unknown;
}

/** How called tools are made ready to compare. */
export interface ToToolCallsOptions extends LimitOptions {
  /** Whether random endings of names are dropped, see {@link ToolCallParser.normalizeToolName}. Default true. */
  readonly normalizeNames?: boolean;
  /** Whether outputs are kept. Default true. */
  readonly includeOutput?: boolean;
}

/** Turns tool calls of several shapes into called tools that can be compared. Its functions throw as `measureCorrectness` does. */
export interface ToolCallParser {
  /**
   * The calls of trajectory steps: one for each `toolCallId`, with the output that any of its steps has.
   *
   * @example
   * ToolCallParser.fromTrajectorySteps([
   *   { toolCallId: 'a', kind: 'tool_call', name: 'find', args: { q: 1 } },
   *   { toolCallId: 'a', kind: 'tool_output', name: 'find', args: { q: 1 }, output: 7 },
   * ]);
   * // [{ name: 'find', inputParameters: { q: 1 }, output: 7 }]
   */
  fromTrajectorySteps(steps: JsonInput<readonly TrajectoryStepInput[]>): CalledTool[];

  /**
   * The name without a random ending: `_` and four letters and digits that hold at least one of each.
   *
   * @example
   * ToolCallParser.normalizeToolName('delegate_xg7c'); // 'delegate'
   * ToolCallParser.normalizeToolName('get_data'); // 'get_data'
   */
  normalizeToolName(toolName: string): string;

  /**
   * The called tools of a list in either spelling, checked, with names as they are.
   *
   * @example
   * ToolCallParser.parse([{ name: 'find', input_parameters: { q: 1 } }]); // [{ name: 'find', inputParameters: { q: 1 } }]
   */
  parse(toolCalls: JsonInput<readonly CalledToolInput[]>): CalledTool[];

  /**
   * The called tools of a list as the metric compares them.
   *
   * @example
   * ToolCallParser.toToolCalls([{ name: 'find_a1b2', inputParameters: {}, output: 7 }], { includeOutput: false });
   * // [{ name: 'find', inputParameters: {} }]
   */
  toToolCalls(steps: JsonInput<readonly CalledToolInput[]>, options?: ToToolCallsOptions): CalledTool[];
}

/** Turns tool calls of several shapes into called tools that can be compared; see each function. */
export const ToolCallParser: ToolCallParser = /* @__PURE__ */ Object.freeze({
  fromTrajectorySteps(steps: JsonInput<readonly TrajectoryStepInput[]>): CalledTool[] {
    return read(core.calledInSteps, { value: steps, name: 'the steps' }, undefined);
  },
  normalizeToolName(toolName: string): string {
    return guarded(() => core.normalizeToolName(String(toolName)));
  },
  parse(toolCalls: JsonInput<readonly CalledToolInput[]>): CalledTool[] {
    return ToolCallParser.toToolCalls(toolCalls, { normalizeNames: false });
  },
  toToolCalls(steps: JsonInput<readonly CalledToolInput[]>, options?: ToToolCallsOptions): CalledTool[] {
    return read(core.calledTools, { value: steps, name: 'the tool calls' }, options);
  },
});

/** Takes trajectories in any known format apart into steps. Its functions throw as `measureCorrectness` does. */
export class TrajectoryParser {
  /**
   * Every call as a step and, when it was answered, as a second one with its output; both have the same `toolCallId`.
   *
   * @example
   * new TrajectoryParser().convertTrajectoryToSteps([
   *   { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'find', arguments: '{"q":1}' } }] },
   *   { role: 'tool', tool_call_id: 'a', content: '7' },
   * ]);
   * // [{ toolCallId: 'a', kind: 'tool_call', name: 'find', args: { q: 1 } },
   * //  { toolCallId: 'a', kind: 'tool_output', name: 'find', args: { q: 1 }, output: '7' }]
   */
  convertTrajectoryToSteps(trajectory: JsonInput<JsonObject>): TrajectoryStep[] {
    return read(core.trajectorySteps, { value: trajectory, name: 'the trajectory' }, undefined);
  }

  /**
   * One step for each call: the one with its output where it was answered.
   *
   * @example
   * new TrajectoryParser().parse([
   *   { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'find', arguments: '{"q":1}' } }] },
   *   { role: 'tool', tool_call_id: 'a', content: '7' },
   * ]);
   * // [{ toolCallId: 'a', kind: 'tool_output', name: 'find', args: { q: 1 }, output: '7' }]
   */
  parse(trajectory: JsonInput<JsonObject>): TrajectoryStep[] {
    return read(core.finalSteps, { value: trajectory, name: 'the trajectory' }, undefined);
  }
}
