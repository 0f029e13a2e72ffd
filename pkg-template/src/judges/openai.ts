import { JudgeError } from './error.js';
import { readChatAnswer } from './openai-chat.js';
import { readObject } from './openai-client.js';
import type { OpenAiJudgeOptions } from './openai-options.js';
import { takeApart } from './openai-parts.js';
import { type Judge, type JudgeContext, type JudgeRequest, named } from './request.js';

/**
 * A judge that asks a model through the chat completions of OpenAI, or of any server that speaks the same: vLLM, Ollama,
 * LM Studio, llama.cpp, OpenRouter, Azure, … The answer is asked for by its JSON Schema; a server that refuses that is
 * asked for any JSON object, and one that refuses that too only in words. Errors that may pass (408, 409, 425, 429, and
 * from 500 on) are errors that can be retried, with the pause that `Retry-After` asks for.
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
