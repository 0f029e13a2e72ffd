import { bounded } from '../../timing.js';

/** What toolgauge uses of a connected MCP client. A `Client` of `@modelcontextprotocol/sdk` is one. */
export interface McpClient {
  /** Requests `tools/list`. */
  listTools(params?: { cursor?: string }, options?: McpRequestOptions): Promise<unknown>;
  /** Requests `tools/call`. */
  callTool(
    params: { name: string; arguments?: Record<string, unknown> },
    resultSchema?: undefined,
    options?: McpRequestOptions,
  ): Promise<unknown>;
  /** What the server says about itself. */
  getInstructions?(): string | undefined;
}

/** How a request ends. */
export interface McpRequestOptions {
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Milliseconds until the client gives up. */
  timeout?: number;
}

/** The longest time limit of a timer, in milliseconds. Without one, the SDK gives up after a minute. */
const NO_TIMEOUT = 2 ** 31 - 1;

/**
 * Sends a request. It ends when `parent` is aborted or `seconds` have passed, even if the client listens to neither.
 * Rejects with the reason of the abort, or as the client does.
 */
export function request<Result>(
  parent: AbortSignal | undefined,
  seconds: number | undefined,
  send: (options: McpRequestOptions) => Promise<Result>,
): Promise<Result> {
  return bounded(parent, seconds, signal =>
    whilePending(signal, pending => send({ signal: pending, timeout: NO_TIMEOUT })),
  );
}

/**
 * Forwards an abort only while the work runs. Otherwise the SDK, which keeps its listener, would send the server a
 * cancellation for each request that has been answered.
 */
async function whilePending<Result>(
  parent: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort(parent.reason);
  parent.addEventListener('abort', abort, { once: true });
  try {
    return await work(controller.signal);
  } finally {
    parent.removeEventListener('abort', abort);
  }
}
