import { APICallError, generateText, jsonSchema, NoObjectGeneratedError, Output } from 'ai';
import { type Judge, type JudgeContext, JudgeError, type JudgeRequest, ToolgaugeError } from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import { withoutColors } from '../texts.js';
import { answerFormat } from './prompts/answer-format.js';
import { named } from './request.js';
import { retryAfter } from './retry-after.js';
import { meetsStrictMode } from './strict-schema.js';

/** The SDK has no CommonJS types from version 7 on: its ESM ones serve both. */
type LanguageModel = import('ai', { with: { 'resolution-mode': 'import' }}).LanguageModel;

/** How a model of the AI SDK judges. */
export interface AiSdkJudgeOptions {
  /** The judge's name in results. Default: the model's id. */
  readonly name?: string | undefined;
  /** Further settings of `generateText`, such as `temperature`, `maxOutputTokens` or `providerOptions`. */
  readonly settings?: { readonly [setting: string]: unknown } | undefined;
}

/**
 * A judge that asks a model of the AI SDK (v5 to v7): the model of any provider, registry or middleware, or the id of
 * one, which the SDK looks up in its default provider (the AI Gateway, unless you set another). Retries, the time limit
 * and the check of the answer are those of `runJudges`; the SDK's own retries are off.
 *
 * Throws `invalid_option` if `model` is neither. If the SDK does not know the model, or has no key for it, the judge
 * fails and is not asked again.
 *
 * @example
 * const judge = aiSdkJudge(openai('gpt-5-mini'), { settings: { temperature: 0 } });
 * const { score } = await runJudges(request, { judges: [judge] });
 */
export function aiSdkJudge(model: LanguageModel, options: AiSdkJudgeOptions = {}): Judge {
  const id = idOf(model);
  const judge = async (request: JudgeRequest, { signal }: JudgeContext): Promise<string> => {
    try {
      const { text } = await generateText(callOf(model, request, signal, options));
      return text;
    } catch (error) {
      return saidIn(error);
    }
  };
  return named(options.name ?? id, judge);
}

function idOf(model: LanguageModel): string {
  const id: unknown = typeof model === 'object' && model !== null ? model.modelId : model;
  if (typeof id === 'string' && id !== '') return id;
  const expected = 'a model of the AI SDK, or the id of one';
  throw new ToolgaugeError('invalid_option', `model: expected ${expected}, got ${kindOf(model)}`, {
    path: 'model',
    expected,
  });
}

function callOf(
  model: LanguageModel,
  request: JudgeRequest,
  abortSignal: AbortSignal,
  { settings }: AiSdkJudgeOptions,
): Parameters<typeof generateText>[0] {
  const format = answerFormat(request.schema);
  return {
    ...settings,
    model,
    system: request.system === undefined ? format : `${request.system}\n\n${format}`,
    prompt: request.prompt,
    maxRetries: 0,
    abortSignal,
    ...outputsFor(request),
  };
}

/** Providers make schemas strict without being asked. One that can't be is asked for in words alone. */
function outputsFor({ schema }: JudgeRequest): object {
  if (!meetsStrictMode(schema)) return {};
  const output = Output.object({ schema: jsonSchema(schema) });
  // Version 5 knows the output by its second name only.
  return { output, experimental_output: output };
}

/** Errors of the SDK that come again however often the model is asked. */
const LASTING =
  /^(AI_(NoSuchModel|NoSuchProvider|UnsupportedModelVersion|LoadAPIKey|LoadSetting|InvalidArgument)|GatewayAuthentication)Error$/;

/** What the model said although the SDK could not read it. Throws when it said nothing. */
function saidIn(error: unknown): string {
  if (NoObjectGeneratedError.isInstance(error) && error.text !== undefined) return error.text;
  if (!(error instanceof Error)) throw error;
  const { statusCode, isRetryable } = error as { readonly statusCode?: unknown; readonly isRetryable?: unknown };
  // The AI Gateway colours its errors for terminals.
  throw new JudgeError('judge_failed', withoutColors(error.message), {
    status: typeof statusCode === 'number' ? statusCode : undefined,
    retryable: typeof isRetryable === 'boolean' ? isRetryable : !LASTING.test(error.name),
    retryAfter: APICallError.isInstance(error) ? retryAfter(new Headers(error.responseHeaders)) : undefined,
    cause: error,
  });
}
