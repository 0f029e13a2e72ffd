import type { Document, Tools } from '#glue';
import { guarded, withDocuments } from './boundary/call.js';
import { readingCaller } from './boundary/caller.js';
import { maxInputBytes } from './boundary/documents.js';
import { optionsToPayload, toPayload } from './boundary/json.js';
import { handleOf, type Recipe, type ToolHandle, toRecipe, withTools } from './boundary/tool-handle.js';
import type { LimitOptions } from './formats.js';
import type { ToolsInput } from './tools.js';

/** A function of the core that judges one input by some tools and answers in JSON. */
type Judge = (input: Document, tools: Tools, options?: Document) => string;

/** A function of the core that reads one input and answers in JSON. */
type Reader = (input: Document, options?: Document) => string;

/** A function of the core that compares two inputs, of which the second may hold both, and answers in JSON. */
type Comparison = (expected: Document | undefined, actual: Document, options?: Document) => string;

/** An input, and its name in error messages. */
interface Subject {
  readonly value: unknown;
  readonly name: string;
}

/** Calls a judge of the core. */
export function judge<Result>(
  call: Judge,
  subject: Subject,
  tools: ToolsInput | undefined,
  options: LimitOptions | undefined,
): Result {
  const payloads = [toPayload(subject.value, subject.name), optionsToPayload(options)] as const;
  const prepared = prepareTools(tools, options);
  const maxBytes = maxInputBytes(options);
  return guarded(target =>
    withTools(target, prepared, compiled =>
      withDocuments(target, payloads, maxBytes, (input, settings) => JSON.parse(call(input, compiled, settings))),
    ),
  );
}

/** Calls a reader of the core. */
export function read<Result>(call: Reader, subject: Subject, options: LimitOptions | undefined): Result {
  const payloads = [toPayload(subject.value, subject.name), optionsToPayload(options)] as const;
  const maxBytes = maxInputBytes(options);
  return guarded(target =>
    withDocuments(target, payloads, maxBytes, (input, settings) => JSON.parse(call(input, settings))),
  );
}

/** Calls a comparison of the core. */
export function compare<Result>(
  call: Comparison,
  expected: Subject,
  actual: Subject,
  options: LimitOptions | undefined,
): Result {
  const payloads = [
    expected.value === undefined ? undefined : toPayload(expected.value, expected.name),
    toPayload(actual.value, actual.name),
    optionsToPayload(options),
  ] as const;
  const maxBytes = maxInputBytes(options);
  return guarded(target =>
    withDocuments(target, payloads, maxBytes, (first, second, settings) => JSON.parse(call(first, second, settings))),
  );
}

function prepareTools(
  tools: ToolsInput | undefined,
  options: LimitOptions | undefined,
): ToolHandle | Recipe | undefined {
  if (tools === undefined) return undefined;
  const limits = readingCaller('the options', () => options?.limits);
  return handleOf(tools) ?? toRecipe(tools, limits === undefined ? undefined : { limits });
}
