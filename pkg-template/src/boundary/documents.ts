import { Document } from '#glue';
import { ToolgaugeError } from '../errors.js';
import { readingCaller } from './caller.js';
import type { Instance } from './instance.js';
import type { Payload } from './json.js';

const encoder = new TextEncoder();

/** WebAssembly counts bytes in 32 bits: a larger number would wrap around. */
const MAX_BYTES = 0xffff_ffff;

/**
 * Copies a payload into WebAssembly memory, once.
 * Throws the core's limit error when it has more than `maxBytes` (default: the core's own limit).
 */
export function writeDocument(target: Instance, payload: Payload, maxBytes: number | undefined): Document {
  switch (payload.kind) {
    case 'text':
      return writeText(target, payload.text, maxBytes);
    case 'bytes':
      return writeBytes(target, payload.bytes, maxBytes);
    case 'value':
      return Document.fromValue(payload.value);
  }
}

function writeBytes(target: Instance, bytes: Uint8Array, maxBytes: number | undefined): Document {
  const document = allocate(bytes.length, maxBytes);
  // An array whose buffer was transferred away has no bytes, and set() throws on it.
  if (bytes.length > 0) view(target, document, bytes.length).set(bytes);
  return document;
}

/** Each UTF-16 unit takes at least one byte, and in ASCII text exactly one: that room is tried first. */
function writeText(target: Instance, text: string, maxBytes: number | undefined): Document {
  const document = allocate(text.length, maxBytes);
  const { read, written } = encoder.encodeInto(text, view(target, document, text.length));
  if (read === text.length) return document;
  try {
    return grow(target, document, written, encoder.encode(text.slice(read)), maxBytes);
  } finally {
    document.free();
  }
}

function grow(
  target: Instance,
  start: Document,
  written: number,
  rest: Uint8Array,
  maxBytes: number | undefined,
): Document {
  const length = written + rest.length;
  const whole = allocate(length, maxBytes);
  const room = view(target, whole, length);
  room.set(view(target, start, written));
  room.set(rest, written);
  return whole;
}

function allocate(bytes: number, maxBytes: number | undefined): Document {
  if (bytes > MAX_BYTES) {
    throw new ToolgaugeError('limit_exceeded', `the input has ${bytes} bytes; expected at most ${MAX_BYTES}`);
  }
  return Document.allocate(bytes, maxBytes);
}

/** Created for each write: when the memory grows, earlier views are detached. */
function view(target: Instance, document: Document, length: number): Uint8Array {
  return new Uint8Array(target.memory.buffer, document.pointer, length);
}

/** The caller's `limits.maxInputBytes`, if it is a number; the core rejects anything else. */
export function maxInputBytes(options: unknown): number | undefined {
  const given = options as { limits?: { maxInputBytes?: unknown } } | undefined;
  const limit = readingCaller('the options', () => given?.limits?.maxInputBytes);
  if (typeof limit !== 'number' || !Number.isSafeInteger(limit) || limit < 0) return undefined;
  return Math.min(limit, MAX_BYTES);
}
