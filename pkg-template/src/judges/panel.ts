import { readingCaller } from '../boundary/caller.js';
import { kindOf } from '../boundary/kind-of.js';
import { ToolgaugeError } from '../errors.js';
import { limiter } from '../timing.js';
import { type Asked, ask, type NamedJudge, type Session } from './ask.js';
import { combine, type FilledOptions, type Prepared } from './core.js';
import { JudgeError } from './error.js';
import { type Judge, type JudgeRequest, nameOf } from './request.js';
import type { JudgeResult, JudgeVerdict } from './run.js';

/** What judges who are asked by one call share; `most` are asked at a time unless the options say it. */
export function openSession(
  options: FilledOptions,
  signal: AbortSignal,
  most: number = Number.POSITIVE_INFINITY,
): Session {
  return { options, signal, limit: limiter(options.maxConcurrentJudges ?? most) };
}

/** The judges under their names. Throws `invalid_option` when that is no list of functions. */
export function toNamed(judges: readonly Judge[], option: string, kind: string): NamedJudge[] {
  return readingCaller(`options.${option}`, () => {
    if (!Array.isArray(judges)) throw invalidOption(option, `expected a list of judges, got ${kindOf(judges)}`);
    return Array.from(judges as readonly Judge[], (judge, index) => {
      if (typeof judge === 'function') return { name: nameOf(judge, kind, index), ask: judge };
      throw invalidOption(`${option}[${index}]`, `expected a judge, a function, got ${kindOf(judge)}`);
    });
  });
}

/** What a judge came to who was `asked`, after the fallbacks were asked in turn where that is needed. */
export async function resultOf(
  judge: string,
  asked: Asked,
  fallbacks: readonly NamedJudge[],
  request: JudgeRequest,
  session: Session,
): Promise<JudgeResult> {
  const failures: JudgeError[] = [];
  let attempts = 0;
  let [answeredBy, last] = [judge, asked];
  for (let next = 0; ; next += 1) {
    attempts += last.attempts;
    const known = { judge, attempts, usedFallback: next > 0, failures };
    if (!(last.outcome instanceof JudgeError)) return { ...known, answeredBy, ...last.outcome };
    failures.push(last.outcome);
    const fallback = fallbacks[next];
    if (fallback === undefined) return { ...known, error: failures[0] as JudgeError };
    [answeredBy, last] = [fallback.name, await ask(fallback, request, session)];
  }
}

/** What the judges came to. Throws when none of them gave a score. */
export function verdictOf(
  results: readonly JudgeResult[],
  request: JudgeRequest,
  { scale, options }: Prepared,
): JudgeVerdict {
  const scores = results.flatMap(({ score }) => score ?? []);
  if (scores.length === 0) throw noScore(results);
  const { aggregationMethod } = options;
  return { ...combine(scores, aggregationMethod, request), aggregationMethod, scale, results };
}

/** What the judges say, each under its name. */
export function reasonOf({ results }: JudgeVerdict): string {
  const reasons = results.flatMap(({ answeredBy, answer }) => {
    const { reason } = answer ?? {};
    return typeof reason === 'string' ? [`${answeredBy}: ${reason}`] : [];
  });
  return reasons.join(' ');
}

function noScore(results: readonly JudgeResult[]): JudgeError {
  const failures = results.flatMap(result => result.failures);
  const [first] = failures;
  const code = failures.every(({ code }) => code === 'judge_answer_invalid') ? 'judge_answer_invalid' : 'judge_failed';
  const rawAnswer = failures.find(failure => failure.rawAnswer !== undefined)?.rawAnswer;
  const message = `no judge gave a score: ${failures.map(failure => failure.message).join('; ')}`;
  const cause = failures.length === 1 ? first : new AggregateError(failures, message);
  return new JudgeError(code, message, { judge: first?.judge, status: first?.status, rawAnswer, cause });
}

/** The error of options that are no object. */
export function invalidOptions(options: unknown): ToolgaugeError {
  const expected = 'an object';
  return new ToolgaugeError('invalid_option', `options: expected ${expected}, got ${kindOf(options)}`, {
    path: 'options',
    expected,
  });
}

/** The error of an option that holds what it can't. */
export function invalidOption(option: string, reason: string, cause?: unknown): ToolgaugeError {
  const path = `options.${option}`;
  return new ToolgaugeError('invalid_option', `${path}: ${reason}`, cause === undefined ? { path } : { path, cause });
}
