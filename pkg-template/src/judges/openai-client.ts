import { reasonOf, ToolgaugeError } from '../errors.js';
import { JudgeError } from './error.js';
import type { OpenAiConnection } from './openai-options.js';
import { retryAfter } from './retry-after.js';

/** A request to the API. */
export interface ApiCall {
  readonly path: string;
  readonly signal: AbortSignal;
  /** What is sent, as JSON or as a form; without it the call is a GET. */
  readonly body?: object | FormData;
}

/** What answers requests: the text of the response, or a {@link JudgeError}. */
export type ApiClient = (call: ApiCall) => Promise<string>;

const OPENAI = 'https://api.openai.com/v1';

/** Most characters of an error response in a message. */
const EXCERPT = 500;

/** Those by which a server says that the same request may work later. All from 500 on say so, too. */
const RETRYABLE = new Set([408, 409, 425, 429]);

/** Calls an OpenAI-compatible API with the global fetch. Throws `invalid_option` when the connection can't be one. */
export function connect(connection: OpenAiConnection): ApiClient {
  const base = readBaseUrl(connection.baseUrl ?? OPENAI);
  const headers = readHeaders(connection);
  return async ({ path, signal, body }) => {
    const url = new URL(base);
    url.pathname = url.pathname.replace(/\/+$/, '') + path;
    // Not to be redirected: what is asked, and with which key, is for this server alone.
    const response = await reach(url, { signal, redirect: 'manual', ...payloadOf(body, headers) });
    const text = await reading(url, response);
    if (response.ok) return text;
    throw refused(url, response, text);
  };
}

/** The JSON object that `text` holds. */
export function readObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The check below reports it: the text is not an object, whatever else it is.
  }
  throw new JudgeError('judge_failed', `the server sent no JSON object: ${excerpt(text)}`, { rawAnswer: text });
}

/** What an error response says about itself. */
function explanationOf(text: string): Explanation {
  try {
    return explanationIn(JSON.parse(text));
  } catch {
    return { message: excerpt(text) };
  }
}

/** What an error says about itself: `{error: {message, code}}`, `{error: text}`, or all of it. */
export function explanationIn(response: unknown): Explanation {
  const error = (response as { error?: { message?: unknown; code?: unknown } | string } | null)?.error;
  if (typeof error === 'string') return { message: excerpt(error) };
  if (typeof error?.message === 'string') return { message: excerpt(error.message), code: error.code };
  return { message: excerpt(JSON.stringify(response)) };
}

interface Explanation {
  readonly message: string;
  readonly code?: unknown;
}

/** What the API says with this status to a request. */
export function refusal(place: string, status: number, { message, code }: Explanation): JudgeError {
  const says = message === '' ? '' : `: ${message}`;
  // Money that is used up does not come back by waiting.
  const retryable = (RETRYABLE.has(status) || status >= 500) && code !== 'insufficient_quota';
  return new JudgeError('judge_failed', `${place} answered with HTTP ${status}${says}`, { status, retryable });
}

function payloadOf(body: ApiCall['body'], headers: Record<string, string>): RequestInit {
  if (body === undefined) return { headers };
  // fetch itself names the boundary of a form.
  if (body instanceof FormData) return { method: 'POST', headers, body };
  return {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

async function reach(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

async function reading(url: URL, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unreachable(url, cause);
  }
}

function unreachable(url: URL, cause: unknown): JudgeError {
  const behind = cause instanceof Error && cause.cause !== undefined ? ` (${reasonOf(cause.cause)})` : '';
  return new JudgeError('judge_failed', `${placeOf(url)} could not be reached: ${reasonOf(cause)}${behind}`, { cause });
}

function refused(url: URL, response: Response, text: string): JudgeError {
  const { message, status, retryable } = refusal(placeOf(url), response.status, explanationOf(text));
  return new JudgeError('judge_failed', message, { status, retryable, retryAfter: retryAfter(response.headers) });
}

/** The URL without its query, which may contain a key. */
function placeOf(url: URL): string {
  return url.origin + url.pathname;
}

function excerpt(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > EXCERPT ? `${trimmed.slice(0, EXCERPT)} […]` : trimmed;
}

function readBaseUrl(baseUrl: string): URL {
  const expected = 'a URL with http or https';
  let url: URL | undefined;
  try {
    url = new URL(baseUrl);
  } catch {
    // The check below reports it, like any other unusable URL.
  }
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ToolgaugeError('invalid_option', `options.baseUrl: expected ${expected}`, {
    path: 'options.baseUrl',
    expected,
  });
}

function readHeaders({ apiKey, headers }: OpenAiConnection): Record<string, string> {
  const key = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    return Object.fromEntries(new Headers({ ...key, ...headers }));
  } catch {
    // The reason would show the header, which may contain a key.
    const path = 'options.headers';
    throw new ToolgaugeError('invalid_option', `${path}: expected headers that HTTP allows, as is options.apiKey`, {
      path,
    });
  }
}
