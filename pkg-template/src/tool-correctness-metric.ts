import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { type CorrectnessOptions, measureCorrectness, type ToolTestCase } from './correctness.js';
import { isA, ToolgaugeError } from './errors.js';
import { importTools, type LimitOptions } from './formats.js';
import { type BatchJudge, checkBatchJudges, runJudgeBatch } from './judges/batch.js';
import { checkOptions } from './judges/core.js';
import { JUDGE_OPTIONS, type NamesOf, partJudgeOptions, refuseUnknown } from './judges/options.js';
import { invalidOption, invalidOptions, reasonOf, toNamed } from './judges/panel.js';
import { type AvailableTool, toolChoiceRequest } from './judges/prompts/tool-choice.js';
import type { Judge, JudgeRequest, Signal } from './judges/request.js';
import { type JudgeVerdict, runJudges } from './judges/run.js';
import { type MetricContext, readTestCase } from './test-case.js';
import type { ToolDefinitions } from './tool-definitions.js';
import type { CalledTool, CorrectnessResult, JudgeOptions, ToolSchema } from './types.js';

/** How tool correctness is measured, and who judges the choice of tools. */
export interface ToolCorrectnessOptions extends CorrectnessOptions, JudgeOptions {
  /**
   * All tools that the agent could call, in any known format. With them judges are asked whether the right ones were
   * chosen for the test case's `input`; the final score is the lower of the two. A test case's own go before.
   */
  readonly availableTools?: ToolDefinitions;
  /** Who judges the choice of tools. Without judges only the calls are compared, and the reason says so. */
  readonly judges?: readonly Judge[];
  /** Who judges it in batches instead: slower and cheaper. See `measureAll`. */
  readonly batchJudges?: readonly BatchJudge[];
  /** Who is asked in turn when a judge fails. */
  readonly fallbackJudges?: readonly Judge[];
}

/** How correct the calls of a test case are. */
export interface ToolCorrectnessResult extends CorrectnessResult {
  /** The least score that passes. */
  readonly threshold: number;
  /** What the judges of the choice of tools came to; absent when none was asked. */
  readonly verdict?: JudgeVerdict;
}

/** What may end a measurement. */
export interface MeasureContext {
  /** Ends what judges are asked. */
  readonly signal?: Signal;
}

/** What judges of a choice of tools need of a test case. */
interface ChoiceToJudge {
  /** The place of the test case among those that are measured. */
  readonly place: number;
  readonly request: JudgeRequest;
}

const DEFAULT_THRESHOLD = 0.5;

const OPTIONS: NamesOf<ToolCorrectnessOptions> = {
  threshold: true,
  includeReason: true,
  strictMode: true,
  shouldExactMatch: true,
  shouldConsiderOrdering: true,
  evaluationParams: true,
  normalizeNames: true,
  availableTools: true,
  judges: true,
  batchJudges: true,
  fallbackJudges: true,
  ...JUDGE_OPTIONS,
  limits: true,
};

/**
 * Measures whether an agent called the tools that it should have called, as DeepEval's tool correctness does, with the
 * best pairing of calls instead of the first that fits. See {@link measureCorrectness} for the modes and the score.
 *
 * The constructor throws `invalid_option` for an option that does not exist or is wrong. `measure` rejects as `measureCorrectness` throws, and with a `JudgeError`
 * when judges were asked and none gave a valid score.
 *
 * @example
 * const metric = new ToolCorrectnessMetric({ threshold: 0.8, evaluationParams: ['input_parameters'] });
 * const { score, success, reason } = await metric.measure({
 *   input: 'Book a room in Oslo',
 *   toolsCalled: [{ name: 'book', inputParameters: { city: 'Oslo' } }],
 *   expectedTools: [{ name: 'book', inputParameters: { city: 'Oslo', nights: 1 } }],
 * });
 * // 0.5, false, '0 of 1 expected calls were made as expected. book differs: args.nights: expected 1, got nothing.'
 */
export class ToolCorrectnessMetric {
  /** What the metric is called in reports. */
  readonly name: string = 'tool_correctness';
  /** The least score that passes, from 0 to 1; in strict mode 1. */
  readonly threshold: number;
  readonly #comparison: CorrectnessOptions;
  readonly #judging: JudgeOptions;
  /** The tools of the options by name, read once. */
  readonly #availableTools: KnownTools | undefined;
  readonly #judges: readonly Judge[];
  readonly #batchJudges: readonly BatchJudge[];
  readonly #fallbackJudges: readonly Judge[];

  constructor(options: ToolCorrectnessOptions = {}) {
    if (typeof options !== 'object' || options === null) throw invalidOptions(options);
    const given = readingCaller('the options', () => ({ ...options }));
    refuseUnknown(given, OPTIONS);
    const { availableTools, judges, batchJudges, fallbackJudges, ...settings } = given;
    [this.#judging, this.#comparison] = partJudgeOptions(settings);
    this.#judges = judges ?? [];
    this.#batchJudges = batchJudges ?? [];
    this.#fallbackJudges = fallbackJudges ?? [];
    this.threshold = this.#comparison.strictMode === true ? 1 : (this.#comparison.threshold ?? DEFAULT_THRESHOLD);
    // Wrong options are an error here and not with the first test case.
    toNamed(this.#judges, 'judges', 'judge');
    toNamed(this.#fallbackJudges, 'fallbackJudges', 'fallback judge');
    checkBatchJudges(this.#batchJudges, 'batchJudges');
    checkOptions(this.#judging);
    measureCorrectness({ toolsCalled: [], expectedTools: [] }, this.#comparison);
    this.#availableTools = toolsInOptions(availableTools, limitsOf(this.#comparison));
  }

  /** Measures one test case. Judges are asked at once; batch judges only where there are no others. */
  async measure(testCase: ToolTestCase, context: MeasureContext = {}): Promise<ToolCorrectnessResult> {
    const [result] = await this.#measureEach([testCase], context, this.#judges.length === 0);
    return result as ToolCorrectnessResult;
  }

  /**
   * Measures many test cases, in order. With `batchJudges` the choices of tools of all of them are judged in batches.
   * Rejects when that fails for one of them.
   */
  async measureAll(testCases: readonly ToolTestCase[], context: MeasureContext = {}): Promise<ToolCorrectnessResult[]> {
    return this.#measureEach(testCases, context, this.#batchJudges.length > 0);
  }

  async #measureEach(
    testCases: readonly ToolTestCase[],
    context: MeasureContext,
    inBatches: boolean,
  ): Promise<ToolCorrectnessResult[]> {
    // Problems of a test case are reported before any judge is asked.
    const plain = testCases.map(testCase => this.#conclude(testCase, undefined));
    const judged = inBatches ? this.#batchJudges.length > 0 : this.#judges.length > 0;
    if (!judged) return plain;
    const choices = testCases.flatMap((testCase, place) => this.#choiceOf(testCase, place) ?? []);
    const verdicts = inBatches ? await this.#judgeInBatches(choices, context) : await this.#judge(choices, context);
    const results = [...plain];
    for (const [index, { place }] of choices.entries()) {
      results[place] = this.#conclude(testCases[place] as ToolTestCase, verdicts[index]);
    }
    return results;
  }

  #conclude(testCase: ToolTestCase, verdict: JudgeVerdict | undefined): ToolCorrectnessResult {
    const tools = this.#toolsOf(testCase);
    const toolChoice =
      verdict !== undefined
        ? { score: verdict.score, reason: reasonOf(verdict) }
        : tools !== undefined && this.#judges.length + this.#batchJudges.length === 0
          ? { score: null, reason: 'The choice of tools was not judged: no judge is given.' }
          : undefined;
    const context = { ...contextOf(tools), ...(toolChoice === undefined ? {} : { toolChoice }) };
    const result: CorrectnessResult = readTestCase(core.measureCorrectness, testCase, this.#comparison, context);
    return { ...result, threshold: this.threshold, ...(verdict === undefined ? {} : { verdict }) };
  }

  /** The question for the judges; none where no tools are known to choose from. */
  #choiceOf(testCase: ToolTestCase, place: number): ChoiceToJudge | undefined {
    const tools = this.#toolsOf(testCase);
    if (tools === undefined) return undefined;
    const input = testCase.input ?? testCase.query;
    if (typeof input !== 'string') {
      throw new ToolgaugeError('invalid_input', 'input: expected what the user asked, for the judges to read', {
        path: 'input',
        expected: 'a text',
      });
    }
    const context = contextOf(tools);
    const called: { toolsCalled: CalledTool[] } = readTestCase(core.readTestCase, testCase, this.#comparison, context);
    const choices: AvailableTool[] = Object.values(tools);
    return { place, request: toolChoiceRequest({ input, toolsCalled: called.toolsCalled }, choices) };
  }

  /** The tools that the agent could call in a test case; undefined if they are not known. */
  #toolsOf(testCase: ToolTestCase): KnownTools | undefined {
    const own = readingCaller('the test case', () => {
      const { availableTools, available_tools } = (testCase ?? {}) as {
        availableTools?: unknown;
        available_tools?: unknown;
      };
      return availableTools ?? available_tools;
    });
    if (own === undefined || own === null) return this.#availableTools;
    return importTools(own as ToolDefinitions, limitsOf(this.#comparison)).value;
  }

  async #judge(choices: readonly ChoiceToJudge[], { signal }: MeasureContext): Promise<JudgeVerdict[]> {
    const options = { ...this.#judging, judges: this.#judges, fallbackJudges: this.#fallbackJudges, signal };
    const verdicts: JudgeVerdict[] = [];
    // One test case after the other: each asks all judges at once, as many as the options allow.
    for (const { request } of choices) verdicts.push(await runJudges(request, options));
    return verdicts;
  }

  async #judgeInBatches(choices: readonly ChoiceToJudge[], { signal }: MeasureContext): Promise<JudgeVerdict[]> {
    const options = { ...this.#judging, judges: this.#batchJudges, fallbackJudges: this.#fallbackJudges, signal };
    const items = await runJudgeBatch(
      choices.map(({ request }) => request),
      options,
    );
    return items.map(({ verdict, error }) => {
      if (verdict === undefined) throw error;
      return verdict;
    });
  }
}

function limitsOf({ limits }: LimitOptions): LimitOptions | undefined {
  return limits === undefined ? undefined : { limits };
}

/** Tools by name. */
type KnownTools = Readonly<Record<string, ToolSchema>>;

/** The names of the tools that the agent could call, so that no two of them are taken for one. */
function contextOf(tools: KnownTools | undefined): MetricContext {
  return tools === undefined ? {} : { availableTools: Object.keys(tools) };
}

/** The tools of the options. Throws `invalid_option` if they can't be read. */
function toolsInOptions(tools: ToolDefinitions | undefined, limits: LimitOptions | undefined): KnownTools | undefined {
  if (tools === undefined) return undefined;
  try {
    return importTools(tools, limits).value;
  } catch (error) {
    if (!isA(error, ToolgaugeError) || !UNREADABLE.has(error.code)) throw error;
    throw invalidOption('availableTools', error.message, error);
  }
}

/** What reading tools throws when they are wrong, rather than too large. */
const UNREADABLE: ReadonlySet<string> = new Set(['invalid_input', 'invalid_json', 'invalid_schema', 'unknown_format']);
