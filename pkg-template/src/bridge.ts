import type { Document, Tools } from '#glue';
import { type Documents, guarded, withDocuments } from './boundary/call.js';
import { readingCaller } from './boundary/caller.js';
import { maxInputBytes } from './boundary/documents.js';
import { optionsToPayload, type Payload, toPayload } from './boundary/json.js';
import { handleOf, type Recipe, type ToolHandle, toRecipe, withTools } from './boundary/tool-handle.js';
import type { LimitOptions } from './formats.js';
import type { ToolsInput } from './tools.js';

/** A function of the core that checks one input against some tools and answers in JSON. */
type Check = (input: Document, tools: Tools, options?: Document) => string;

/** A function of the core that reads one input and answers in JSON. */
type Reader = (input: Document, options?: Document) => string;

/** A function of the core that compares two inputs, of which the second may hold both, and answers in JSON. */
type Comparison = (expected: Document | undefined, actual: Document, options?: Document) => string;

/** An input, and its name in error messages. */
interface Subject {
  readonly value: unknown;
  readonly name: string;
}

/** Calls a function of the core that checks one input against some tools. */
export function checkByTools<Result>(
  call: Check,
  subject: Subject,
  tools: ToolsInput | undefined,
  options: LimitOptions | undefined,
): Result {
  const payloads = [toPayload(subject.value, subject.name), optionsToPayload(options)] as const;
  return answerByTools((compiled, input, settings) => call(input, compiled, settings), tools, payloads, options);
}

/** Calls a function of the core that takes tools and these payloads, and answers in JSON. */
export function answerByTools<const Payloads extends readonly (Payload | undefined)[], Result>(
  call: (tools: Tools, ...documents: Documents<Payloads>) => string,
  tools: ToolsInput | undefined,
  payloads: Payloads,
  options: LimitOptions | undefined,
): Result {
  const prepared = prepareTools(tools, options);
  const maxBytes = maxInputBytes(options);
  return guarded(target =>
    withTools(target, prepared, compiled =>
      withDocuments(target, payloads, maxBytes, (...documents: Documents<Payloads>) =>
        JSON.parse(call(compiled, ...documents)),
      ),
    ),
  );
}

/** Calls a reader of the core. */
export function read<Result>(call: Reader, subject: Subject, options: LimitOptions | undefined): Result {
  return answer(call, [toPayload(subject.value, subject.name), optionsToPayload(options)], options);
}

/** Calls a comparison of the core. */
export function compare<Result>(
  call: Comparison,
  expected: Subject,
  actual: Subject,
  options: LimitOptions | undefined,
): Result {
  const payloads = [
    optionalPayload(expected),
    toPayload(actual.value, actual.name),
    optionsToPayload(options),
  ] as const;
  return answer(call, payloads, options);
}

/** Calls a function of the core that takes these payloads and answers in JSON. */
export function answer<const Payloads extends readonly (Payload | undefined)[], Result>(
  call: (...documents: Documents<Payloads>) => string,
  payloads: Payloads,
  options: LimitOptions | undefined,
): Result {
  const maxBytes = maxInputBytes(options);
  return guarded(target =>
    withDocuments(target, payloads, maxBytes, (...documents: Documents<Payloads>) => JSON.parse(call(...documents))),
  );
}

/** The payload of an input that may be left out. */
export function optionalPayload({ value, name }: Subject): Payload | undefined {
  return value === undefined ? undefined : toPayload(value, name);
}

/** Tools as a call to the core takes them. */
export function prepareTools(
  tools: ToolsInput | undefined,
  options: LimitOptions | undefined,
): ToolHandle | Recipe | undefined {
  if (tools === undefined) return undefined;
  const limits = readingCaller('the options', () => options?.limits);
  return handleOf(tools) ?? toRecipe(tools, limits === undefined ? undefined : { limits });
}
