import type { ErrorCode } from './types.js';

/** What an error says beside its message. */
export interface ErrorDetails {
  /** Place in the input, such as `turns[2].tool_calls[0].arguments`. */
  path?: string | undefined;
  /** What should have been there. */
  expected?: string | undefined;
  /** The error behind this one. */
  cause?: unknown;
}

/**
 * The one error that this package throws.
 *
 * @example
 * try {
 *   validateTrajectory('{"turns": [');
 * } catch (error) {
 *   if (error instanceof ToolgaugeError) error.code; // 'invalid_json'
 * }
 */
export class ToolgaugeError extends Error {
  /** The name of the class, as errors have it. */
  override readonly name = 'ToolgaugeError';
  /** What went wrong, for a program to decide on. */
  readonly code: ErrorCode;
  /** Place in the input, such as `turns[2].tool_calls[0].arguments`; absent when it is the input as a whole. */
  declare readonly path?: string;
  /** What should have been there, in words. */
  declare readonly expected?: string;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    if (details.path !== undefined) this.path = details.path;
    if (details.expected !== undefined) this.expected = details.expected;
  }
}

/** `instanceof` for what was thrown, which may be anything: a revoked proxy throws when it is asked. */
export function isA<Type>(thrown: unknown, type: abstract new (...args: never[]) => Type): thrown is Type {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}

/** What a thrown value says, of which it may also throw when it is asked. */
export function reasonOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown);
  } catch {
    return 'what was thrown has no text';
  }
}
