import { reasonOf } from '../errors.js';
import type { JsonValue } from '../types.js';
import { ToolCallFailure } from './toolkit.js';

const encoder = new TextEncoder();

/** A copy of what a handler returned, as JSON has it. Throws a failure if it is no JSON or too large. */
export function toOutput(returned: unknown, maxBytes: number): JsonValue {
  const text = toJson(returned);
  if (text === undefined) return null;
  const bytes = text.length * 3 <= maxBytes ? 0 : encoder.encode(text).length;
  if (bytes > maxBytes) {
    throw new ToolCallFailure(
      `The output has ${bytes} bytes, and at most ${maxBytes} are allowed. Ask for less, for example for a part or a summary.`,
    );
  }
  return JSON.parse(text);
}

function toJson(returned: unknown): string | undefined {
  try {
    return JSON.stringify(returned);
  } catch (error) {
    throw new ToolCallFailure(`The tool returned a value that is not JSON: ${reasonOf(error)}`);
  }
}
