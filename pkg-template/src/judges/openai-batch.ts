import { bounded } from '../timing.js';
import type { BatchAnswer, BatchJudge, BatchRequest, BatchStatus } from './batch.js';
import { JudgeError } from './error.js';
import { readChatAnswer } from './openai-chat.js';
import { explanationIn, readObject, refusal } from './openai-client.js';
import type { OpenAiJudgeOptions } from './openai-options.js';
import { type OpenAiParts, takeApart } from './openai-parts.js';
import type { JudgeContext } from './request.js';

/** A model behind the batches of an OpenAI-compatible API, as a judge. */
export interface OpenAiBatchJudgeOptions extends OpenAiJudgeOptions {
  /** By when the batch has to be done, as the API writes it. Default `24h`. */
  readonly completionWindow?: string | undefined;
}

/** Where the requests of a batch go. */
const ENDPOINT = '/v1/chat/completions';

/** Seconds in which a batch must be made, also when nobody waits for it any longer. */
const CREATING = 60;

/** The states in which the API still works on a batch. */
const RUNNING = new Set(['validating', 'in_progress', 'finalizing', 'cancelling']);

/**
 * A batch judge that asks a model through the files and batches of OpenAI, or of a server that speaks the same. It asks
 * as `openAiJudge` does; requests that a server refuses for the format of the answer are asked with less the next time.
 *
 * Throws `invalid_option` when the options can't be those of a judge.
 *
 * @example
 * const judge = openAiBatchJudge({ model: 'gpt-5-mini', apiKey: process.env.OPENAI_API_KEY });
 * const items = await runJudgeBatch(requests, { judges: [judge] });
 */
export function openAiBatchJudge(options: OpenAiBatchJudgeOptions): BatchJudge {
  const parts = takeApart(options);
  const window = options.completionWindow ?? '24h';
  return {
    name: parts.name,
    submit: (requests, context) => submit(parts, window, requests, context),
    poll: async (batchId, context) => statusOf(await look(parts, batchId, context)),
    results: (batchId, context) => fetchAnswers(parts, batchId, context),
    cancel: (batchId, { signal }) => cancel(parts, batchId, signal),
  };
}

async function submit(
  parts: OpenAiParts,
  window: string,
  requests: readonly BatchRequest[],
  { signal }: JudgeContext,
): Promise<string> {
  const { client, format } = parts;
  const lines = requests.map(({ customId, request }) =>
    JSON.stringify({ custom_id: customId, method: 'POST', url: ENDPOINT, body: format.write(request) }),
  );
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([`${lines.join('\n')}\n`], { type: 'application/jsonl' }), 'requests.jsonl');
  const file = readId(await client({ path: '/files', signal, body: form }));
  // Not ended with the rest: a batch that is made without anybody knowing of it could not be cancelled.
  const body = { input_file_id: file, endpoint: ENDPOINT, completion_window: window };
  const batchId = readId(
    await bounded(undefined, CREATING, creating => client({ path: '/batches', signal: creating, body })),
  );
  if (signal.aborted) await bounded(undefined, CREATING, cancelling => cancel(parts, batchId, cancelling));
  return batchId;
}

function cancel({ client }: OpenAiParts, batchId: string, signal: AbortSignal): Promise<string> {
  return client({ path: `/batches/${encodeURIComponent(batchId)}/cancel`, signal, body: {} });
}

async function look({ client }: OpenAiParts, batchId: string, { signal }: JudgeContext): Promise<OpenAiBatch> {
  return readObject(await client({ path: `/batches/${encodeURIComponent(batchId)}`, signal })) as OpenAiBatch;
}

/** A batch as the API describes it. */
interface OpenAiBatch {
  readonly status?: string;
  readonly output_file_id?: string | null;
  readonly error_file_id?: string | null;
  readonly request_counts?: { readonly completed?: number; readonly failed?: number } | null;
  readonly errors?: { readonly data?: readonly { readonly message?: string }[] | null } | null;
}

function statusOf({ status, request_counts: counts, errors }: OpenAiBatch): BatchStatus {
  const done = (counts?.completed ?? 0) + (counts?.failed ?? 0);
  if (status !== undefined && RUNNING.has(status)) return { state: 'running', done };
  if (status === 'completed') return { state: 'ended', done };
  if (status === 'expired' || status === 'cancelled') return { state: 'ended', reason: `it was ${status}`, done };
  const reasons = errors?.data?.map(({ message }) => message).filter(message => typeof message === 'string');
  return { state: 'failed', reason: reasons?.join('; ') || `its status is ${JSON.stringify(status)}`, done };
}

async function fetchAnswers(parts: OpenAiParts, batchId: string, context: JudgeContext): Promise<BatchAnswer[]> {
  const { output_file_id: output, error_file_id: errors } = await look(parts, batchId, context);
  const { mode } = parts.format;
  const files = [output, errors].filter(id => typeof id === 'string' && id !== '') as string[];
  const texts = await Promise.all(
    files.map(id => parts.client({ path: `/files/${encodeURIComponent(id)}/content`, signal: context.signal })),
  );
  return texts.flatMap(text => text.split('\n')).flatMap(line => answerIn(line, parts, mode) ?? []);
}

/** A line of an output file or an error file. */
interface BatchLine {
  readonly custom_id?: unknown;
  readonly response?: { readonly status_code?: number; readonly body?: Record<string, unknown> } | null;
  readonly error?: { readonly message?: string } | null;
}

/** The answer in a line. Undefined for any other line: its request then counts as missing. */
function answerIn(line: string, { format }: OpenAiParts, mode: OpenAiParts['format']['mode']): BatchAnswer | undefined {
  const read = readLine(line);
  if (typeof read?.custom_id !== 'string') return undefined;
  const { custom_id: customId, response, error } = read;
  try {
    if (response?.body === undefined || response.body === null) {
      throw new JudgeError('judge_failed', explanationIn({ error: error ?? 'there is no response' }).message);
    }
    const { status_code: status = 200, body } = response;
    if (status !== 200) {
      const refused = refusal('the API', status, explanationIn(body));
      const retryable = refused.retryable || format.learnFrom(status, refused.message, mode);
      throw new JudgeError('judge_failed', refused.message, { status, retryable });
    }
    return { customId, answer: readChatAnswer(body) };
  } catch (error) {
    return { customId, error: error as Error };
  }
}

function readLine(line: string): BatchLine | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

function readId(text: string): string {
  const { id } = readObject(text);
  if (typeof id === 'string' && id !== '') return id;
  throw new JudgeError('judge_failed', 'the server gave no id', { rawAnswer: text });
}
