import { readingCaller } from '../boundary/caller.js';
import { ToolgaugeError } from '../errors.js';
import { JudgeError } from './error.js';
import { ChatFormat, type ChatModel, readChatAnswer } from './openai-chat.js';
import { type ApiClient, connect, type OpenAiConnection, readObject } from './openai-client.js';
import { type Judge, type JudgeContext, type JudgeRequest, named } from './request.js';

/** A model behind an OpenAI-compatible API, as a judge. */
export interface OpenAiJudgeOptions extends OpenAiConnection, ChatModel {
  /** The judge's name in results. Default: the model's. */
  readonly name?: string | undefined;
}

/** The parts of a judge that asks an OpenAI-compatible API. */
export interface OpenAiParts {
  readonly name: string;
  readonly client: ApiClient;
  readonly format: ChatFormat;
}

/**
 * A judge that asks a model through the chat completions of OpenAI, or of any server that speaks the same: vLLM, Ollama,
 * LM Studio, llama.cpp, OpenRouter, Azure, … The answer is asked for by its JSON Schema; a server that refuses that is
 * asked for any JSON object, and one that refuses that too only in words. Errors that may pass (408, 409, 425, 429, and
 * from 500 on) are told as such, with the pause that `Retry-After` asks for.
 *
 * Throws `invalid_option` when the options can't be those of a judge.
 *
 * @example
 * const judge = openAiJudge({ model: 'gpt-5-mini', apiKey: process.env.OPENAI_API_KEY });
 *
 * @example
 * const local = openAiJudge({ model: 'qwen3:8b', baseUrl: 'http://localhost:11434/v1', parameters: { temperature: 0 } });
 */
export function openAiJudge(options: OpenAiJudgeOptions): Judge {
  const { name, client, format } = takeApart(options);
  const judge = async (request: JudgeRequest, { signal }: JudgeContext): Promise<string> => {
    for (;;) {
      const { mode } = format;
      try {
        const text = await client({ path: '/chat/completions', signal, body: format.write(request) });
        return readChatAnswer(readObject(text));
      } catch (error) {
        if (!(error instanceof JudgeError) || !format.learnFrom(error.status, error.message, mode)) throw error;
      }
    }
  };
  return named(name, judge);
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
