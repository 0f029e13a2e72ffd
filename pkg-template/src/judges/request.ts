/** What a judge is asked. Plain data, so that it can be sent, stored and put in a batch. */
export interface JudgeRequest {
  /** What is asked for, such as `tool_choice`: letters, digits, `_` and `-`. */
  readonly name: string;
  /** The version of the wording, so that scores of different wordings are not mixed up. */
  readonly version?: string | undefined;
  /** Who the judge is and by which rules it judges. */
  readonly system?: string | undefined;
  /** The case to judge. */
  readonly prompt: string;
  /**
   * The JSON Schema of the answer, an object. It must require the member with the score and say which scores there
   * are: a number or an integer with `minimum` and `maximum`, or an `enum` of numbers.
   */
  readonly schema: { readonly [keyword: string]: unknown };
  /** The member of the answer that holds the score. Default `score`. */
  readonly scoreField?: string | undefined;
}

/** An AbortSignal; where the types of the platform are not loaded, what there is of it. */
export type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : {
      /** Whether it was aborted. */
      readonly aborted: boolean;
      /** Why it was aborted. */
      readonly reason: unknown;
      /** Calls `listener` when it is aborted. */
      addEventListener(type: 'abort', listener: () => void): void;
      /** No longer calls `listener`. */
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** What a judge gets beside the request. */
export interface JudgeContext {
  /** Aborted when the answer is no longer wanted: the caller aborted, or the time of the attempt is up. */
  readonly signal: Signal;
}

/**
 * Asks a model, or whoever can judge. The answer is an object, or the text in which a model wrote it as JSON, and is
 * held against the schema of the request. When it does not fit, or the judge throws, the judge is asked again; the
 * prompt then says what was wrong with the last answer.
 *
 * The function's name is the judge's name in results. What it throws may carry `retryable: false` when asking again is
 * no use, and `retryAfter`, in seconds.
 *
 * @example
 * const judge: Judge = async (request, { signal }) => {
 *   const response = await fetch('https://judge.example/', { method: 'POST', body: JSON.stringify(request), signal });
 *   return response.json();
 * };
 */
export type Judge = (request: JudgeRequest, context: JudgeContext) => Promise<object | string>;

/** A judge under a name. */
export function named(name: string, judge: Judge): Judge {
  return Object.defineProperty(judge, 'name', { value: name });
}

/** The name of a judge in results: its own, or which one it is. */
export function nameOf(judge: Judge, kind: string, index: number): string {
  return judge.name === '' ? `${kind} ${index + 1}` : judge.name;
}
