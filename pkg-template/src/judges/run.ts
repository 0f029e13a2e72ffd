import { readingCaller } from '../boundary/caller.js';
import type { AggregationMethod, JudgeOptions, ScoreScale } from '../types.js';
import { ask } from './ask.js';
import { checkOptions, type Prepared, prepare } from './core.js';
import { JudgeError } from './error.js';
import { invalidOption, openSession, resultOf, toNamed, verdictOf } from './panel.js';
import type { Judge, JudgeRequest, Signal } from './request.js';
import { toSignal, unlessAborted } from './signal.js';

/** Whom to ask, and how. */
export interface RunJudgesOptions extends JudgeOptions {
  /** The judges. All of them are asked, and the same one may be listed several times. */
  readonly judges: readonly Judge[];
  /** Who is asked in turn when one of the judges fails, for each that does. */
  readonly fallbackJudges?: readonly Judge[] | undefined;
  /** Ends the call. */
  readonly signal?: Signal | undefined;
}

/** What one judge came to. */
export type JudgeResult = JudgeAnswered | JudgeUnanswered;

/** What is known of a judge, whether it answered or not. */
interface JudgeAsked {
  /** The judge's name. */
  readonly judge: string;
  /** How often it and its fallbacks were asked. */
  readonly attempts: number;
  /** Whether a fallback judge was asked. */
  readonly usedFallback: boolean;
  /** Who failed on the way and why, in order. */
  readonly failures: readonly JudgeError[];
}

/** A judge who answered, or one for whom a fallback judge did. */
export interface JudgeAnswered extends JudgeAsked {
  /** The name of the judge who answered: the same as `judge` or a fallback. */
  readonly answeredBy: string;
  /** The score of the answer. */
  readonly score: number;
  /** The answer, which fits the schema. */
  readonly answer: Record<string, unknown>;
  readonly error?: undefined;
}

/** A judge who failed, as all its fallbacks did. It does not count. */
export interface JudgeUnanswered extends JudgeAsked {
  /** Why the judge itself failed: the first of `failures`. */
  readonly error: JudgeError;
  readonly answeredBy?: undefined;
  readonly score?: undefined;
  readonly answer?: undefined;
}

/** What the judges came to. */
export interface JudgeVerdict {
  /** The one score, on the scale of the schema, to 3 decimals. */
  readonly score: number;
  /**
   * How far the judges agree, from 0 to 1, to 3 decimals; 1 only when all gave the same score, null when fewer than two
   * gave one. Under `majority_vote` the share of the judges who gave the winning score; otherwise 1 less the average
   * deviation from the mean over half the range of the scale.
   */
  readonly agreement: number | null;
  /** How the scores became one. */
  readonly aggregationMethod: AggregationMethod;
  /** The scores that the schema allows. */
  readonly scale: ScoreScale;
  /** What each judge came to, in the order of `judges`. */
  readonly results: readonly JudgeResult[];
}

/**
 * Asks several judges the same and makes their scores one. Each answer is held against the schema of the request; a
 * judge whose answer does not fit is corrected and asked again, one that fails is asked again after a pause, and when
 * that is no use the fallback judges are asked in turn. No score is ever made up: judges who gave none do not count.
 *
 * Rejects with a {@link JudgeError} when no judge gave a score, `judge_failed` or `judge_answer_invalid`, or when the
 * signal was aborted, `aborted`; before any judge is asked with `invalid_input`, `invalid_schema`, `invalid_option` or
 * `unsupported_value`.
 *
 * @example
 * const request = {
 *   name: 'politeness',
 *   prompt: `How polite is this reply?\n\n${reply}`,
 *   schema: {
 *     type: 'object',
 *     properties: { reason: { type: 'string' }, score: { type: 'integer', minimum: 1, maximum: 5 } },
 *     required: ['reason', 'score'],
 *     additionalProperties: false,
 *   },
 * };
 * const judges = ['judge-large', 'judge-small'].map(model => openAiJudge({ model, baseUrl: 'http://localhost:8000/v1' }));
 * const { score, agreement } = await runJudges(request, { judges, aggregationMethod: 'median' });
 */
export async function runJudges(request: JudgeRequest, options: RunJudgesOptions): Promise<JudgeVerdict> {
  const [verdict] = await askEach([request], options, Number.POSITIVE_INFINITY);
  if (verdict === undefined || verdict instanceof JudgeError) throw verdict;
  return verdict;
}

/**
 * Asks several judges each of `requests`, as {@link runJudges} does, and returns for each what they came to, or why there
 * is no score. At most `maxConcurrentJudges` are asked at a time, or else `most`.
 *
 * Rejects with a {@link JudgeError} when the signal was aborted; before any judge is asked as `runJudges` does.
 */
export async function askEach(
  requests: readonly JudgeRequest[],
  options: RunJudgesOptions,
  most: number,
): Promise<(JudgeVerdict | JudgeError)[]> {
  const { judges, fallbackJudges, signal, ...rest } = readingCaller('the options', () => ({ ...options }));
  const panel = {
    judges: toNamed(judges, 'judges', 'judge'),
    fallbacks: toNamed(fallbackJudges ?? [], 'fallbackJudges', 'fallback judge'),
  };
  if (panel.judges.length === 0) throw invalidOption('judges', 'expected at least one judge, got none');
  const ending = toSignal(signal);
  const [first, ...others] = requests.map(request => ({ request, prepared: prepare(request, rest) }));
  if (first === undefined) {
    checkOptions(rest);
    return [];
  }
  // However the call ends, what still runs is ended with it.
  return unlessAborted(ending, async inner => {
    const session = openSession(first.prepared.options, inner, most);
    const verdicts = [first, ...others].map(async ({ request, prepared }) => {
      const results = panel.judges.map(async judge =>
        resultOf(judge.name, await ask(judge, request, session), panel.fallbacks, request, session),
      );
      return verdictOrError(await Promise.all(results), request, prepared);
    });
    return Promise.all(verdicts);
  });
}

/** As {@link verdictOf}, but returns the error if no judge gave a score. */
function verdictOrError(
  results: readonly JudgeResult[],
  request: JudgeRequest,
  prepared: Prepared,
): JudgeVerdict | JudgeError {
  try {
    return verdictOf(results, request, prepared);
  } catch (error) {
    if (error instanceof JudgeError) return error;
    throw error;
  }
}
