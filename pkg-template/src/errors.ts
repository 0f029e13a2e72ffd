/**
 * What went wrong, for a program to decide on:
 * - `invalid_json`: text or bytes that are not JSON
 * - `invalid_input`: JSON of another shape than the function reads
 * - `invalid_option`: an option that does not exist, or a value it can't have
 * - `invalid_schema`: a tool's schema that is no JSON Schema, or that can't be turned into one
 * - `unknown_format`: no known format fits
 * - `limit_exceeded`: larger or deeper than the limits allow
 * - `unsupported_value`: a value that JSON has no form for (a BigInt, a cycle)
 * - `internal`: a defect of this package, or WebAssembly could not be started
 */
export type ErrorCode =
  | 'invalid_json'
  | 'invalid_input'
  | 'invalid_option'
  | 'invalid_schema'
  | 'unknown_format'
  | 'limit_exceeded'
  | 'unsupported_value'
  | 'internal';

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
 *   validateTrajectory('{"turns": 5}');
 * } catch (error) {
 *   if (error instanceof ToolgaugeError) error.code; // 'invalid_input'
 * }
 */
export class ToolgaugeError extends Error {
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
