import type { Document } from '#glue';
import * as core from '#glue';
import { guarded, withDocuments } from '../boundary/call.js';
import { optionsToPayload, toPayload, valueToPayload } from '../boundary/json.js';
import { toRecipe, withTools } from '../boundary/tool-handle.js';
import { answer } from '../bridge.js';
import { isA, ToolgaugeError } from '../errors.js';
import type { AggregationMethod, JudgeOptions, ScoreScale } from '../types.js';
import type { JudgeRequest } from './request.js';

/** The options with what they are when nothing is said. */
export type FilledOptions = Required<JudgeOptions>;

/** What is known of a request before a judge is asked. */
export interface Prepared {
  readonly scale: ScoreScale;
  readonly options: FilledOptions;
}

/** What a judge said, read: an answer with its score, or what is wrong with it. */
export type Reading =
  | { readonly answer: Record<string, unknown>; readonly score: number; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

/** The scores of several judges as one. */
export interface Combined {
  readonly score: number;
  readonly agreement: number | null;
}

/**
 * Checks a request, the schema of its answers, and the options. `at` is its place among several.
 * Throws `invalid_input`, `invalid_schema`, `invalid_option` or `unsupported_value`.
 */
export function prepare(request: JudgeRequest, options: JudgeOptions, at?: number): Prepared {
  const payloads = [valueToPayload(request, 'the request'), optionsToPayload(options)] as const;
  const call = (question: Document, settings: Document | undefined) => core.prepareJudging(question, settings, at);
  const prepared = answer<typeof payloads, Prepared>(call, payloads, undefined);
  const recipe = schemaOf(request);
  guarded(target => withTools(target, recipe, () => undefined));
  return prepared;
}

/** A request that is never asked. */
const NO_REQUEST: JudgeRequest = {
  name: 'none',
  prompt: 'none',
  schema: { type: 'object', properties: { score: { enum: [0, 1] } }, required: ['score'] },
};

/** Checks options alone, before it is known what is asked. Throws `invalid_option` or `unsupported_value`. */
export function checkOptions(options: JudgeOptions): void {
  if (Object.keys(options).length > 0) prepare(NO_REQUEST, options);
}

/** What a judge said to `request`. What is no answer at all is a problem of it, too. */
export function readAnswer(said: unknown, request: JudgeRequest): Reading {
  try {
    const payloads = [
      typeof said === 'string' ? toPayload(said, 'the answer') : valueToPayload(said, 'the answer'),
      valueToPayload(request, 'the request'),
    ] as const;
    const recipe = schemaOf(request);
    return guarded(target =>
      withTools(target, recipe, schema =>
        withDocuments(target, payloads, undefined, (answer, question) =>
          JSON.parse(core.readJudgeAnswer(answer, question, schema)),
        ),
      ),
    );
  } catch (error) {
    if (!isA(error, ToolgaugeError) || error.code === 'internal') throw error;
    return { problems: [error.message] };
  }
}

/** One score from several answers to `request`, and how far they agree. */
export function combine(
  scores: readonly number[],
  aggregationMethod: AggregationMethod,
  request: JudgeRequest,
): Combined {
  const payloads = [
    valueToPayload({ scores, aggregationMethod }, 'the scores'),
    valueToPayload(request, 'the request'),
  ] as const;
  return answer(core.combineScores, payloads, undefined);
}

function schemaOf({ name, schema }: JudgeRequest) {
  return toRecipe({ name, parameters: schema }, undefined);
}
