import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** The most bytes of one message. A model can't write as much; programs name a file instead. */
export const MOST_MESSAGE_BYTES: number = 16 * 1024 * 1024;

/** How much of each end of a line that is too long is kept to find the id of its request. */
const KEPT_BYTES = 200;

const NEWLINE = 10;

/** A message that can't be answered in the usual way. */
interface Refusal {
  readonly id: RequestId | null;
  readonly code: ErrorCode;
  readonly message: string;
}

/**
 * JSON-RPC messages on the lines of two streams. Unlike the transport of the SDK, it answers lines that are not messages,
 * as JSON-RPC requires, and goes on after a line that is too long.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;

  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new LineCollector(
    line => this.#take(line),
    (head, tail) => this.#refuse(tooLong(head, tail)),
  );

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input.on('data', chunk => this.#lines.add(chunk));
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#write(message);
  }

  async close(): Promise<void> {
    this.#input.pause();
    this.onclose?.();
  }

  #take(line: string): void {
    if (line.trim() === '') return;
    const message = parse(line);
    if ('code' in message) this.#refuse(message);
    else this.onmessage?.(message);
  }

  #refuse({ id, code, message }: Refusal): void {
    void this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: object): Promise<void> {
    return new Promise(settle => {
      if (this.#output.write(`${JSON.stringify(message)}\n`)) settle();
      else this.#output.once('drain', settle);
    });
  }
}

/** Puts lines together from the chunks of a stream. Only the ends of a line that is too long are kept. */
class LineCollector {
  readonly #onLine: (line: string) => void;
  readonly #onLong: (head: string, tail: string) => void;
  #parts: Uint8Array[] = [];
  #size = 0;
  #head: string | undefined;

  constructor(onLine: (line: string) => void, onLong: (head: string, tail: string) => void) {
    this.#onLine = onLine;
    this.#onLong = onLong;
  }

  add(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#end();
      start = end + 1;
    }
    if (start < chunk.length) this.#keep(chunk.subarray(start));
  }

  #keep(part: Uint8Array): void {
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size <= MOST_MESSAGE_BYTES) return;
    const whole = Buffer.concat(this.#parts);
    this.#head ??= whole.toString('utf8', 0, KEPT_BYTES);
    this.#parts = [whole.subarray(-KEPT_BYTES)];
  }

  #end(): void {
    const text = Buffer.concat(this.#parts).toString('utf8');
    const head = this.#head;
    this.#parts = [];
    this.#size = 0;
    this.#head = undefined;
    if (head === undefined) this.#onLine(text);
    else this.#onLong(head, text);
  }
}

function parse(line: string): JSONRPCMessage | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { id: null, code: ErrorCode.ParseError, message: `not valid JSON: ${(error as Error).message}` };
  }
  const { success, data } = JSONRPCMessageSchema.safeParse(value);
  if (success) return data;
  const message = Array.isArray(value)
    ? 'batches are not supported: send each message on its own line'
    : 'not a JSON-RPC 2.0 request, notification or response';
  return { id: idOf(value), code: ErrorCode.InvalidRequest, message };
}

function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

/** The id of a request, where it is its first member after the version, or its last member. */
const ID_FIRST = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")\s*,/;
const ID_LAST = /"id"\s*:\s*(\d+|"[^"\\]*")\s*\}\s*$/;

function tooLong(head: string, tail: string): Refusal {
  const [, id] = ID_FIRST.exec(head) ?? ID_LAST.exec(tail) ?? [];
  return {
    id: id === undefined ? null : JSON.parse(id),
    code: ErrorCode.InvalidRequest,
    message: `the message has more than ${MOST_MESSAGE_BYTES} bytes: name a file by its path instead`,
  };
}
