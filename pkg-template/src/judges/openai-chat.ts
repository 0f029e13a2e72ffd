import { JudgeError } from './error.js';
import { explanationIn } from './openai-client.js';
import type { ChatModel } from './openai-options.js';
import { answerFormat } from './prompts/answer-format.js';
import type { JudgeRequest } from './request.js';
import { meetsStrictMode } from './strict-schema.js';

/** How a server is asked for JSON; not every server knows every way. */
type AnswerMode = 'json_schema' | 'json_object' | 'text';

const MODES: readonly AnswerMode[] = ['json_schema', 'json_object', 'text'];

/** How a server says that it does not know a way, or can't follow a schema. */
const ABOUT_FORMAT = /response_format|json_schema|json_object|structured output|schema/i;

/** Those by which a server refuses what a request asks for. */
const REFUSED = new Set([400, 404, 415, 422, 501]);

/** Writes requests as an API of this kind takes them, and remembers which ways of asking for JSON it refused. */
export class ChatFormat {
  readonly #model: ChatModel;
  #refused = 0;

  constructor(model: ChatModel) {
    this.#model = model;
  }

  /** The way in which JSON is asked for next. */
  get mode(): AnswerMode {
    return MODES[this.#refused] ?? 'text';
  }

  /** The body of a request. */
  write(request: JudgeRequest): Record<string, unknown> {
    const format = answerFormat(request.schema);
    const system = request.system === undefined ? format : `${request.system}\n\n${format}`;
    return {
      model: this.#model.model,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: request.prompt },
      ],
      ...responseFormat(this.mode, request),
      ...this.#model.parameters,
    };
  }

  /** Whether the error says that `mode` is refused and another way is left, which then is the next. */
  learnFrom(status: number | undefined, says: string, mode: AnswerMode): boolean {
    if (mode === 'text' || status === undefined || !REFUSED.has(status) || !ABOUT_FORMAT.test(says)) return false;
    this.#refused = Math.max(this.#refused, MODES.indexOf(mode) + 1);
    return true;
  }
}

/** What the model said in a response, as text. */
export function readChatAnswer(response: Record<string, unknown>): string {
  if ('error' in response && response.error !== null) {
    throw new JudgeError('judge_failed', `the server answered with an error: ${explanationIn(response).message}`);
  }
  const choices = response.choices as readonly { message?: ChatMessage }[] | undefined;
  const message = Array.isArray(choices) ? (choices[0]?.message ?? undefined) : undefined;
  const text = textOf(message?.content);
  if (text !== undefined) return text;
  if (typeof message?.refusal === 'string') {
    throw new JudgeError('judge_failed', `the model refused: ${message.refusal}`, { rawAnswer: message.refusal });
  }
  const rawAnswer = JSON.stringify(response);
  throw new JudgeError('judge_failed', 'the response has no message with text', { rawAnswer });
}

interface ChatMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
}

/** Some servers send the text in parts. */
function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map(part => (part as { text?: unknown } | null)?.text).filter(text => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}

function responseFormat(mode: AnswerMode, { name, schema }: JudgeRequest): Record<string, unknown> {
  switch (mode) {
    case 'json_schema':
      return {
        response_format: {
          type: 'json_schema',
          json_schema: {
            name: name.replace(/[^\w-]/g, '_').slice(0, 64),
            strict: meetsStrictMode(schema),
            schema,
          },
        },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'text':
      return {};
  }
}
