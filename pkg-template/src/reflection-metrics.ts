import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { optionsToPayload, valueToPayload } from './boundary/json.js';
import { takeMembers } from './boundary/members.js';
import { answer } from './bridge.js';
import { isA, ToolgaugeError } from './errors.js';
import type { LimitOptions } from './formats.js';
import { JUDGE_OPTIONS, type NamesOf, refuseUnknown } from './judges/options.js';
import { invalidOptions } from './judges/panel.js';
import type { Judge, Signal } from './judges/request.js';
import { toSignal, unlessAborted } from './judges/signal.js';
import type { Conversation, ToolCallReflection } from './reflect.js';
import { reflectWith } from './reflection/conclude.js';
import { questionsOf, REFLECT_OPTIONS } from './reflection/questions.js';
import { limiter } from './timing.js';
import { checkToolCall, type ToolCallCheckInput } from './tool-call-check.js';
import type { JudgeOptions, Limits, ReflectOptions, StaticCheckName, ToolCallCheck } from './types.js';

/** A call to judge: the call itself, the tools that the agent has, and what led to it. */
export interface ToolCallCase extends Pick<ToolCallCheckInput, 'tools' | 'toolCall'> {
  /** What was said and called before the call. Default: nothing. */
  readonly conversation?: Conversation | undefined;
}

/** Who judges calls, and how. */
export interface ReflectionMetricOptions extends ReflectOptions, JudgeOptions {
  /** Who is asked about the meaning of each call. Default nobody: then only the static checks are made. */
  readonly judges?: readonly Judge[] | undefined;
  /** Who is asked in turn when a judge fails. */
  readonly fallbackJudges?: readonly Judge[] | undefined;
  /** How much each call may ask for. */
  readonly limits?: Limits | undefined;
}

const OPTIONS: NamesOf<ReflectionMetricOptions> = {
  judges: true,
  fallbackJudges: true,
  ...REFLECT_OPTIONS,
  ...JUDGE_OPTIONS,
  limits: true,
};

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
 * The constructor throws `invalid_option` for an option that does not exist or is wrong. `map` rejects as
 * `reflectToolCall` does.
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
    if (typeof options !== 'object' || options === null) throw invalidOptions(options);
    this.#options = readingCaller('the options', () => ({ continueOnStatic: true, ...options }));
    refuseUnknown(this.#options, OPTIONS);
    // Wrong options are an error here and not with the first call.
    checkLimits(this.#options.limits);
    const { options: filled } = questionsOf({ ...this.#options, tools: [], toolCall: {} });
    this.#maxConcurrency = filled.maxConcurrency;
  }

  /** Judges one call. */
  map(testCase: ToolCallCase, context?: ReflectionContext): Promise<ToolCallReflection>;
  /**
   * Judges many calls, in order. At most `maxConcurrency` questions are asked at a time over all of them. Once it
   * rejects, judges are asked nothing more.
   */
  map(testCases: readonly ToolCallCase[], context?: ReflectionContext): Promise<ToolCallReflection[]>;
  async map(
    cases: ToolCallCase | readonly ToolCallCase[],
    context: ReflectionContext = {},
  ): Promise<ToolCallReflection | ToolCallReflection[]> {
    const ending = toSignal(readingCaller('the context', () => context?.signal));
    const taken = takeCases(cases);
    const limit = limiter(this.#maxConcurrency);
    return unlessAborted(ending, async signal => {
      const reflect = (it: ToolCallCase) => reflectWith({ ...this.#options, ...it, signal }, limit);
      return isList(taken) ? Promise.all(taken.map(reflect)) : reflect(taken);
    });
  }

  /** The scores of reflections that `map` or `reflectToolCall` gave. */
  reduce(reflections: readonly ToolCallReflection[]): ReflectionScores {
    return answer(core.reduceReflections, [valueToPayload(reflections, 'the reflections')] as const, undefined);
  }
}

/**
 * Judges tool calls by static checks alone, at once and without judges. `map` checks each call as `checkToolCall` does,
 * and `reduce` makes one set of scores of them. The constructor takes `limits` alone, and throws `invalid_option` for any
 * other option.
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
  readonly #limits: Limits | undefined;

  constructor(options: LimitOptions = {}) {
    if (typeof options !== 'object' || options === null) throw invalidOptions(options);
    const given = readingCaller('the options', () => ({ ...options }));
    refuseUnknown(given, { limits: true });
    checkLimits(given.limits);
    this.#limits = given.limits;
  }

  /** Checks one call. */
  map(testCase: ToolCallCase): ToolCallCheck;
  /** Checks many calls, in order. */
  map(testCases: readonly ToolCallCase[]): ToolCallCheck[];
  map(cases: ToolCallCase | readonly ToolCallCase[]): ToolCallCheck | ToolCallCheck[] {
    const taken = takeCases(cases);
    const check = (it: ToolCallCase) => checkToolCall({ ...it, limits: this.#limits });
    return isList(taken) ? taken.map(check) : check(taken);
  }

  /** The scores of checks that `map` or `checkToolCall` gave. */
  reduce(checks: readonly ToolCallCheck[]): StaticScores {
    return answer(core.reduceChecks, [valueToPayload(checks, 'the checks')] as const, undefined);
  }
}

/** Reads each member of the cases once. Throws `invalid_input` if a case is not an object. */
function takeCases(cases: ToolCallCase | readonly ToolCallCase[]): ToolCallCase | ToolCallCase[] {
  const list = readingCaller('the calls', () => (isList(cases) ? Array.from(cases) : undefined));
  if (list === undefined) return takeCase(cases as ToolCallCase, 'the call');
  return list.map((it, index) => takeCase(it, `the call [${index}]`));
}

function takeCase(testCase: ToolCallCase, subject: string): ToolCallCase {
  return takeMembers(testCase, subject, '{tools, toolCall}', ({ tools, toolCall, conversation }) => ({
    tools,
    toolCall,
    conversation,
  }));
}

/** Throws `invalid_option` for limits that are none. */
function checkLimits(limits: Limits | undefined): void {
  if (limits === undefined) return;
  try {
    answer(core.readToolCall, [{ kind: 'text', text: '{}' }, optionsToPayload({ limits })] as const, undefined);
  } catch (error) {
    // They may be too low even for a call of nothing.
    if (!isA(error, ToolgaugeError) || error.code !== 'limit_exceeded') throw error;
  }
}

function isList(cases: ToolCallCase | readonly ToolCallCase[]): cases is readonly ToolCallCase[] {
  return Array.isArray(cases);
}
