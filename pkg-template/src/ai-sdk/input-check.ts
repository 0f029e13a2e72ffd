import { compileTools, type Limits, repairToolCallSync, type ToolCallRepair, ToolgaugeError } from 'toolgauge';
import type { MaybePromise } from '../boundary/promise.js';
import { chain } from './maybe-promise.js';

/** What a schema of the SDK says about a value. */
export type Verdict = { success: true; value: unknown } | { success: false; error: Error };

export type Validate = (value: unknown) => MaybePromise<Verdict>;

/** Which input is checked, and how. */
export interface CheckSettings {
  /** The name of the tool. */
  readonly name: string;
  /** The JSON Schema of its input. */
  readonly parameters: () => MaybePromise<object>;
  readonly onRepair: ((repair: ToolCallRepair) => void) | undefined;
  readonly limits: Limits | undefined;
}

/** Checks input against the JSON Schema and repairs it. Synchronous, unless the schema is a promise. */
export function checkBySchema(settings: CheckSettings): Validate {
  const repair = repairer(settings);
  return value =>
    chain(repair(value), outcome => {
      if (outcome.status === 'unrepairable') return refusal(outcome);
      // Some models write null if there are no arguments.
      if (outcome.status === 'valid') return { success: true, value: value ?? outcome.arguments };
      settings.onRepair?.(outcome);
      return { success: true, value: outcome.arguments };
    });
}

/** Checks input with a validator. What that refuses is repaired according to the JSON Schema and validated again. */
export function checkByValidator(validate: Validate, settings: CheckSettings): Validate {
  const repair = repairer(settings);
  return async value => {
    const verdict = await validate(value);
    if (verdict.success) return verdict;
    const outcome = await unlessUnreadable(() => repair(value));
    if (outcome?.status === 'unrepairable') return refusal(outcome, verdict.error);
    // If it is valid, it broke a rule that only the validator knows.
    if (outcome?.status !== 'repaired') return verdict;
    const repaired = await validate(outcome.arguments);
    if (!repaired.success) return verdict;
    settings.onRepair?.(outcome);
    return repaired;
  };
}

/** Compiles the tool at the first call. */
function repairer({ name, parameters, limits }: CheckSettings): (value: unknown) => MaybePromise<ToolCallRepair> {
  const options = limits === undefined ? {} : { limits };
  const compile = once(() => chain(parameters(), schema => compileTools([{ name, parameters: schema }], options)));
  return value =>
    chain(compile(), tools => repairToolCallSync({ tools, toolCall: toToolCall(name, value), ...options }));
}

/** The input is written as JSON text, because a plain text would be parsed as JSON. */
function toToolCall(toolName: string, value: unknown) {
  return { type: 'tool-call', toolCallId: '', toolName, input: JSON.stringify(value) ?? 'null' } as const;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** `undefined` if toolgauge can't read the schema or the value. Then the validator alone decides. */
async function unlessUnreadable(repair: () => MaybePromise<ToolCallRepair>): Promise<ToolCallRepair | undefined> {
  try {
    return await repair();
  } catch (error) {
    if (error instanceof ToolgaugeError) return undefined;
    throw error;
  }
}

function refusal({ message, problems }: ToolCallRepair, cause?: Error): Verdict {
  const path = problems[0]?.path || undefined;
  return { success: false, error: new ToolgaugeError('invalid_input', message ?? 'invalid input', { path, cause }) };
}
