import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { valueToPayload } from './boundary/json.js';
import { answer } from './judge.js';
import type { Judge, Signal } from './judges/request.js';
import { limiter } from './judges/timing.js';
import type { Conversation, ToolCallReflection } from './reflect.js';
import { reflectWith } from './reflection/conclude.js';
import { questionsOf } from './reflection/questions.js';
import { checkToolCall, type ToolCallCheckInput } from './tool-call-check.js';
import type { JudgeOptions, ReflectOptions, StaticCheckName, ToolCallCheck } from './types.js';

/** A call to judge: the call itself, the tools that the agent has, and what led to it. */
export interface ToolCallCase extends Pick<ToolCallCheckInput, 'tools' | 'toolCall'> {
  readonly conversation?: Conversation | undefined;
}

/** Who judges calls, and how. */
export interface ReflectionMetricOptions extends ReflectOptions, JudgeOptions {
  /** Who is asked about the meaning of each call. Default nobody: then only the static checks are made. */
  readonly judges?: readonly Judge[] | undefined;
  /** Who is asked in turn when a judge fails. */
  readonly fallbackJudges?: readonly Judge[] | undefined;
}

/** What may end the judging. */
export interface ReflectionContext {
  /** Ends what judges are asked. */
  readonly signal?: Signal | undefined;
}

/** The scores of static checks: shares of calls that pass, from 0 to 1; null without calls. */
export type StaticScores = Record<StaticCheckName | 'overall_valid' | 'score', number | null>;

/**
 * The scores of reflections, from 0 to 1, higher is better: by static check the share of calls that pass, by semantic
 * metric the share in which judges find nothing wrong, by kind of metric the mean score, and the share that is valid
 * over all. Null where no call has such a score. Metrics of single arguments are there only if they were asked.
 */
export type ReflectionScores = Record<
  | `static_${StaticCheckName}`
  | 'semantic_general_hallucination_check'
  | 'semantic_general_value_format_alignment'
  | 'semantic_avg_score_general'
  | 'semantic_function_selection_appropriateness'
  | 'semantic_agentic_constraints_satisfaction'
  | 'semantic_avg_score_function_selection'
  | 'overall_valid',
  number | null
> &
  Partial<
    Record<
      | 'semantic_parameter_hallucination_check'
      | 'semantic_parameter_value_format_alignment'
      | 'semantic_avg_score_parameter',
      number | null
    >
  >;

/**
 * Judges tool calls by static checks and by what judges say of their meaning. `map` judges each call as
 * `reflectToolCall` does, and `reduce` makes one set of scores of them. Other than there, judges are asked about calls
 * that fail the static checks, too, unless `continueOnStatic` is false: scores are of all calls.
 *
 * The constructor throws `invalid_option`. `map` rejects as `reflectToolCall` does.
 *
 * @example
 * const metric = new ReflectionToolCallingMetric({ judges: [judge] });
 * const scores = metric.reduce(await metric.map([{ tools, toolCall, conversation: messages }]));
 * scores.overall_valid; // 1
 */
export class ReflectionToolCallingMetric {
  /** What the metric is called in reports. */
  readonly name: string = 'reflection';
  /** The score that counts over all. */
  readonly mainScore = 'overall_valid';
  readonly #options: ReflectionMetricOptions;
  readonly #maxConcurrency: number;

  constructor(options: ReflectionMetricOptions = {}) {
    this.#options = readingCaller('the options', () => ({ continueOnStatic: true, ...options }));
    // Wrong options are an error here and not with the first call.
    const { options: filled } = questionsOf({ ...this.#options, tools: [], toolCall: {} });
    this.#maxConcurrency = filled.maxConcurrency;
  }

  /** Judges one call. */
  map(testCase: ToolCallCase, context?: ReflectionContext): Promise<ToolCallReflection>;
  /** Judges many calls, in order. At most `maxConcurrency` questions are asked at a time over all of them. */
  map(testCases: readonly ToolCallCase[], context?: ReflectionContext): Promise<ToolCallReflection[]>;
  async map(
    cases: ToolCallCase | readonly ToolCallCase[],
    { signal }: ReflectionContext = {},
  ): Promise<ToolCallReflection | ToolCallReflection[]> {
    const limit = limiter(this.#maxConcurrency);
    const reflect = ({ tools, toolCall, conversation }: ToolCallCase) =>
      reflectWith({ ...this.#options, tools, toolCall, conversation, signal }, limit);
    return isList(cases) ? Promise.all(cases.map(reflect)) : reflect(cases);
  }

  /** The scores of reflections that `map` or `reflectToolCall` gave. */
  reduce(reflections: readonly ToolCallReflection[]): ReflectionScores {
    return answer(core.reduceReflections, [valueToPayload(reflections, 'the reflections')] as const, undefined);
  }
}

/**
 * Judges tool calls by static checks alone, at once and without judges. `map` checks each call as `checkToolCall` does,
 * and `reduce` makes one set of scores of them.
 *
 * @example
 * const metric = new ReflectionToolCallingMetricSyntactic();
 * metric.reduce(metric.map([{ tools, toolCall }])).missing_required_parameter; // 1
 */
export class ReflectionToolCallingMetricSyntactic {
  /** What the metric is called in reports. */
  readonly name: string = 'reflection_syntactic';
  /** The score that counts over all. */
  readonly mainScore = 'overall_valid';

  /** Checks one call. */
  map(testCase: ToolCallCase): ToolCallCheck;
  /** Checks many calls, in order. */
  map(testCases: readonly ToolCallCase[]): ToolCallCheck[];
  map(cases: ToolCallCase | readonly ToolCallCase[]): ToolCallCheck | ToolCallCheck[] {
    const check = ({ tools, toolCall }: ToolCallCase) => checkToolCall({ tools, toolCall });
    return isList(cases) ? cases.map(check) : check(cases);
  }

  /** The scores of checks that `map` or `checkToolCall` gave. */
  reduce(checks: readonly ToolCallCheck[]): StaticScores {
    return answer(core.reduceChecks, [valueToPayload(checks, 'the checks')] as const, undefined);
  }
}

function isList(cases: ToolCallCase | readonly ToolCallCase[]): cases is readonly ToolCallCase[] {
  return Array.isArray(cases);
}
