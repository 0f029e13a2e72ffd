/**
 * Values of libraries that `JSON.stringify` would write without their content, or not at all.
 */

/** A span as the SDK of OpenTelemetry has it. It refers to its processors, and those refer to all spans. */
interface ReadableSpan {
  readonly name: unknown;
  readonly attributes: unknown;
  readonly events?: unknown;
  readonly status?: unknown;
  readonly startTime?: unknown;
  readonly endTime?: unknown;
  readonly parentSpanContext?: { readonly spanId?: unknown } | undefined;
  /** The same in version 1. */
  readonly parentSpanId?: unknown;
  readonly spanContext: () => { readonly traceId: unknown; readonly spanId: unknown };
}

/** The input, with spans as exporters write them. */
export function toPlainSpans(input: unknown): unknown {
  return Array.isArray(input) && isSpan(input[0]) && input.every(isSpan) ? input.map(toPlainSpan) : input;
}

function isSpan(value: unknown): value is ReadableSpan {
  if (typeof value !== 'object' || value === null) return false;
  const { spanContext, attributes } = value as Partial<ReadableSpan>;
  return typeof spanContext === 'function' && typeof attributes === 'object';
}

function toPlainSpan(span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext();
  const { name, attributes, events, status } = span;
  return {
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? span.parentSpanId,
    name,
    startTimeUnixNano: toNanoseconds(span.startTime),
    endTimeUnixNano: toNanoseconds(span.endTime),
    attributes,
    events,
    status,
  };
}

/** A time of OpenTelemetry, `[seconds, nanoseconds]`, as text: it has more digits than a number. */
function toNanoseconds(time: unknown): string | undefined {
  if (!Array.isArray(time)) return undefined;
  const [seconds, nanoseconds] = time;
  return `${seconds}${String(nanoseconds).padStart(9, '0')}`;
}

/** How `JSON.stringify` writes a part of the AI SDK in which an error may be. */
const MAY_HOLD_ERROR = '"type":"tool-error"';

/** Whether `text`, which is JSON, may have lost what an error says: JSON writes an `Error` as `{}`. */
export function mayHaveLostErrors(text: string): boolean {
  return text.includes(MAY_HOLD_ERROR);
}

/** A replacer for `JSON.stringify` that keeps what an `Error` says. */
export function errorsAsText(_key: string, value: unknown): unknown {
  return isError(value) ? String(value) : value;
}

/** True for errors of any realm: Jest runs tests in a realm of their own. */
export function isError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === '[object Error]';
}
