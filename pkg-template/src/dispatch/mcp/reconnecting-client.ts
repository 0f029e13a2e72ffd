import type { McpClient, McpRequestOptions } from './client.js';

/** A connection to a server, which may end by itself. */
export interface McpConnection {
  /** What the server says about itself. */
  readonly instructions: string | undefined;
  /** Why the connection ended, such as `it exited with code 1`. Absent while it is open. */
  readonly ended: string | undefined;
  send(method: string, params: object | undefined, options: McpRequestOptions): Promise<unknown>;
  close(): Promise<void>;
}

/** Connects to the server. Rejects when `signal` is aborted, and calls `onEnd` when the connection has ended. */
export type Connect = (signal: AbortSignal, onEnd: () => void) => Promise<McpConnection>;

/** A client that connects again, at the next request, when its connection has ended. */
export class ReconnectingClient implements McpClient {
  readonly #connect: Connect;
  readonly #closing = new AbortController();
  #connection: Promise<McpConnection> | undefined;
  #instructions: string | undefined;

  constructor(connect: Connect) {
    this.#connect = connect;
  }

  /** Connects, unless it has. */
  async start(): Promise<void> {
    const { instructions } = await this.#open();
    this.#instructions = instructions;
  }

  /** Ends the connection. Later requests fail. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('it was closed'));
    // A connection that fails to open has closed itself.
    const connection = await this.#connection?.catch(() => undefined);
    await connection?.close();
  }

  getInstructions(): string | undefined {
    return this.#instructions;
  }

  listTools(params?: { cursor?: string }, options: McpRequestOptions = {}): Promise<unknown> {
    return this.#request('tools/list', params, options);
  }

  callTool(params: object, _resultSchema?: undefined, options: McpRequestOptions = {}): Promise<unknown> {
    return this.#request('tools/call', params, options);
  }

  async #request(method: string, params: object | undefined, options: McpRequestOptions): Promise<unknown> {
    const connection = await this.#open();
    try {
      return await connection.send(method, params, options);
    } catch (error) {
      if (connection.ended === undefined || this.#closing.signal.aborted) throw error;
      throw new Error(`${connection.ended}. The next call starts it again`, { cause: error });
    }
  }

  async #open(): Promise<McpConnection> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    if (this.#connection !== undefined) return this.#connection;
    const forget = () => {
      if (this.#connection === connection) this.#connection = undefined;
    };
    const connection = this.#connect(signal, forget);
    this.#connection = connection;
    connection.catch(forget);
    return connection;
  }
}
