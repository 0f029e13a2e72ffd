import { readingCaller } from '../boundary/caller.js';
import { ToolgaugeError } from '../errors.js';
import { ChatFormat } from './openai-chat.js';
import { type ApiClient, connect } from './openai-client.js';
import type { OpenAiJudgeOptions } from './openai-options.js';

/** The parts of a judge that asks an OpenAI-compatible API. */
export interface OpenAiParts {
  readonly name: string;
  readonly client: ApiClient;
  readonly format: ChatFormat;
}

/** What it takes to ask, from the options of a judge. */
export function takeApart(options: OpenAiJudgeOptions): OpenAiParts {
  const given = readingCaller('the options', () => ({ ...options }));
  if (typeof given.model !== 'string' || given.model === '') {
    const expected = 'the name of a model';
    throw new ToolgaugeError('invalid_option', `options.model: expected ${expected}`, {
      path: 'options.model',
      expected,
    });
  }
  return { name: given.name ?? given.model, client: connect(given), format: new ChatFormat(given) };
}
