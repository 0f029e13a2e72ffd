import * as core from '#glue';
import { readingCaller } from './boundary/caller.js';
import { compare, read } from './bridge.js';
import { withComparators } from './comparators.js';
import type { JsonInput, JsonObject } from './input.js';
import { type AskedValues, askValues, type JudgedValue, type Opinions } from './judges/opinions.js';
import { JUDGE_OPTIONS } from './judges/options.js';
import { invalidOptions } from './judges/panel.js';
import type { RunJudgesOptions } from './judges/run.js';
import {
  type AccuracyResult,
  type ScoreInput,
  scoreToolCalls,
  scoreTrajectories,
  type TrajectoryScoringOptions,
} from './score.js';
import type { OpenQuestion, ScoreReport } from './types.js';

/** How close the actual calls are to the expected ones, and what judges said about their values. */
export interface JudgedAccuracyResult extends AccuracyResult {
  /** The values that judges were asked about. */
  readonly judged: readonly JudgedValue[];
}

/** The scores of trajectories, and what judges said about values in their calls. */
export interface JudgedScoreReport extends ScoreReport {
  /** The values that judges were asked about. */
  readonly judged: readonly JudgedValue[];
}

/** How trajectories are scored, and who judges. */
export type JudgedScoringOptions = TrajectoryScoringOptions & RunJudgesOptions;

/**
 * Returns the questions of matchers `{ judge: 'question' }` on whose answers the score depends, each once, without those
 * that `opinions` answer. For those who answer them in their own way: pass the answers by key as `opinions` to
 * {@link scoreToolCalls}. A no can raise further questions, so call this again until nothing is open.
 * {@link scoreToolCallsAsync} does all of that.
 *
 * Throws as `scoreToolCalls` does.
 *
 * @example
 * const expected = [{ tool: 'send', matchers: { text: { judge: 'Is it an apology?' } } }];
 * const actual = [{ tool: 'send', args: { text: 'So sorry!' } }];
 * const [question] = openQuestions({ expected, actual });
 * question?.actual; // 'So sorry!'
 * scoreToolCalls({ expected, actual, opinions: { [question?.key ?? '']: { score: 1 } } }).score; // 1
 */
export function openQuestions(input: ScoreInput): OpenQuestion[] {
  const { expected, actual, ...options } = readingCaller('the input', () => ({ ...input }));
  return withComparators(options, (settings, compareBy) =>
    compare(
      (wanted, made, chosen) => core.openQuestions(wanted, made, chosen, compareBy),
      { value: expected, name: 'the expected calls' },
      { value: actual, name: 'the actual calls' },
      settings,
    ),
  );
}

/** Returns the open questions about trajectories that contain their expected calls. */
export function openQuestionsOfTrajectories(
  input: JsonInput<JsonObject>,
  options: TrajectoryScoringOptions,
): OpenQuestion[] {
  return withComparators(options, (settings, compareBy) =>
    read(
      (document, chosen) => core.openQuestionsOfTrajectories(document, chosen, compareBy),
      { value: input, name: 'the input' },
      settings,
    ),
  );
}

/**
 * Scores as {@link scoreToolCalls} does, and asks judges the questions of matchers `{ judge: 'question' }`. They are only
 * asked about values that decide whether a call is as expected: not if the call differs anyway, and not if the value
 * equals the expected one. At most `maxConcurrentJudges` (8) are asked at a time. A score of more than 0.5 is a yes.
 *
 * Rejects as `scoreToolCalls` throws, and as {@link runJudges} does: no score is made up if a question has no answer.
 *
 * @example
 * const expected = [{ tool: 'send', matchers: { text: { judge: 'Is it an apology?' } } }];
 * const actual = [{ tool: 'send', args: { text: 'Your fault.' } }];
 * const { score, incorrectCalls } = await scoreToolCallsAsync({ expected, actual }, { judges: [judge] });
 * incorrectCalls[0]?.details; // 'args.text: expected a judge to say yes to "Is it an apology?", got "Your fault." (judge: …)'
 */
export async function scoreToolCallsAsync(input: ScoreInput, judging: RunJudgesOptions): Promise<JudgedAccuracyResult> {
  const taken = readingCaller('the input', () => ({ ...input }));
  const open = (opinions: Opinions) => openQuestions({ ...taken, opinions });
  const { opinions, judged } = answered(await askValues(open, taken.opinions, judging));
  return Object.assign(scoreToolCalls({ ...taken, opinions }), { judged });
}

/**
 * Scores as {@link scoreTrajectories} does, and asks judges as {@link scoreToolCallsAsync} does.
 *
 * @example
 * const { score, judged } = await scoreTrajectoriesAsync(readFileSync('rollouts.json'), { judges: [judge] });
 */
export async function scoreTrajectoriesAsync(
  input: JsonInput<JsonObject>,
  options: JudgedScoringOptions,
): Promise<JudgedScoreReport> {
  const { judging, scoring } = partOptions(options);
  const open = (opinions: Opinions) => openQuestionsOfTrajectories(input, { ...scoring, opinions });
  const { opinions, judged } = answered(await askValues(open, scoring.opinions, judging));
  return { ...scoreTrajectories(input, { ...scoring, opinions }), judged };
}

/** Throws the first failure of judges. */
function answered(asked: AskedValues): AskedValues {
  const [failure] = asked.failures;
  if (failure !== undefined) throw failure;
  return asked;
}

/** The options of judges, and those of scores. */
function partOptions(options: JudgedScoringOptions): {
  judging: RunJudgesOptions;
  scoring: TrajectoryScoringOptions;
} {
  if (typeof options !== 'object' || options === null) throw invalidOptions(options);
  const taken = Object.entries(readingCaller('the options', () => ({ ...options })));
  const isForJudges = ([name]: [string, unknown]) => Object.hasOwn(OF_JUDGES, name);
  return {
    judging: Object.fromEntries(taken.filter(isForJudges)) as unknown as RunJudgesOptions,
    scoring: Object.fromEntries(taken.filter(entry => !isForJudges(entry))),
  };
}

const OF_JUDGES = { ...JUDGE_OPTIONS, judges: true, fallbackJudges: true, signal: true };
