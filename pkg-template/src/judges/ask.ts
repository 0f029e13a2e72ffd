import { isA, reasonOf } from '../errors.js';
import { bounded, type Limiter, pause, TimeUp } from '../timing.js';
import { type FilledOptions, type Reading, readAnswer } from './core.js';
import { abortedBy, JudgeError, toJudgeError } from './error.js';
import { correctionPrompt } from './prompts/correction.js';
import type { Judge, JudgeRequest } from './request.js';

/** What all judges of one call share. */
export interface Session {
  readonly options: FilledOptions;
  readonly signal: AbortSignal;
  readonly limit: Limiter;
}

/** A judge and its name in results. */
export interface NamedJudge {
  readonly name: string;
  readonly ask: Judge;
}

/** What came of asking one judge, as often as it took. */
export interface Asked {
  readonly attempts: number;
  readonly outcome: Answered | JudgeError;
}

/** An answer that fits its schema. */
export interface Answered {
  readonly answer: Record<string, unknown>;
  readonly score: number;
}

/**
 * Asks one judge until its answer fits, at most as often as the options say.
 * Rejects only when the session is over.
 */
export async function ask(judge: NamedJudge, request: JudgeRequest, session: Session): Promise<Asked> {
  const { maxRetries } = session.options;
  let asked = request;
  for (let attempts = 1; ; attempts += 1) {
    const outcome = await session.limit(() => askOnce(judge, asked, session));
    if (!(outcome instanceof JudgeError)) return { attempts, outcome };
    if (attempts > maxRetries || !outcome.retryable) return { attempts, outcome };
    if (outcome.code === 'judge_answer_invalid') {
      asked = withCorrection(request, outcome);
    } else {
      const seconds = delayBefore(attempts, outcome, session.options);
      if (seconds === undefined) return { attempts, outcome };
      await pause(seconds, session.signal);
    }
  }
}

async function askOnce(judge: NamedJudge, request: JudgeRequest, session: Session): Promise<Answered | JudgeError> {
  const { value, error } = await attempt(judge.name, session, async signal => judge.ask(request, { signal }));
  return error ?? judged(value, request, judge.name);
}

/** What came of one attempt at something that a judge has to do. */
export type Attempted<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly error: JudgeError; readonly value?: undefined };

/** Lets a judge do something once, within the time that an attempt may take. Rejects only when the session is over. */
export async function attempt<Value>(
  judge: string,
  session: Session,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Attempted<Value>> {
  const { signal, options } = session;
  try {
    return { value: await bounded(signal, options.timeout, work) };
  } catch (thrown) {
    if (signal.aborted) throw abortedBy(signal);
    return { error: isA(thrown, TimeUp) ? timedOut(judge, thrown) : toJudgeError(thrown, judge) };
  }
}

/** Reads `said`: an answer, or the error that names what is wrong with it. */
export function judged(said: unknown, request: JudgeRequest, judge: string): Answered | JudgeError {
  const reading: Reading = readAnswer(said, request);
  return reading.problems === undefined ? reading : new WrongAnswer(judge, textOf(said), reading.problems);
}

/** What a judge said does not fit. */
class WrongAnswer extends JudgeError {
  readonly problems: readonly string[];

  constructor(judge: string, rawAnswer: string, problems: readonly string[]) {
    const message = `what judge ${JSON.stringify(judge)} said is no answer: ${problems.join('; ')}`;
    super('judge_answer_invalid', message, { judge, rawAnswer });
    this.problems = problems;
  }
}

/** The request, with what was wrong with the last answer of the judge. */
export function withCorrection(request: JudgeRequest, error: JudgeError): JudgeRequest {
  const problems = error instanceof WrongAnswer ? error.problems : [error.message];
  return { ...request, prompt: correctionPrompt(request.prompt, error.rawAnswer ?? '', problems) };
}

function timedOut(judge: string, cause: TimeUp): JudgeError {
  return new JudgeError('judge_failed', `judge ${JSON.stringify(judge)} failed: ${cause.message}`, { judge, cause });
}

/**
 * Seconds up to the next attempt: exponential, with up to half of them taken off at random so that judges who failed
 * together do not come back together. Undefined when the judge asks for more than it gets.
 */
export function delayBefore(attempts: number, error: JudgeError, options: FilledOptions): number | undefined {
  const { retryDelay, maxRetryDelay } = options;
  const { retryAfter } = error;
  if (retryAfter !== undefined) return retryAfter > maxRetryDelay ? undefined : Math.max(0, retryAfter);
  const longest = Math.min(retryDelay * 2 ** (attempts - 1), maxRetryDelay);
  return longest * (1 - Math.random() / 2);
}

function textOf(said: unknown): string {
  if (typeof said === 'string') return said;
  try {
    return JSON.stringify(said) ?? String(said);
  } catch (error) {
    return `(a value that can't be written as JSON: ${reasonOf(error)})`;
  }
}
