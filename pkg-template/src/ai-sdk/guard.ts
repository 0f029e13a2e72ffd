import { asSchema, jsonSchema } from 'ai';
import { type Limits, type ToolCallRepair, ToolgaugeError } from 'toolgauge';
import { isPromise } from '../boundary/promise.js';
import { excerpt } from '../excerpt.js';
import { checkBySchema, checkByValidator, type Validate, type Verdict } from './input-check.js';
import { chain, isObject } from './maybe-promise.js';
import { isProviderTool } from './provider-tool.js';

/** How {@link guardTools} treats invalid calls. */
export interface GuardToolsOptions {
  /**
   * What happens if a call can't be repaired. `throw`: the SDK gets an error, calls its own repair function, if any,
   * and then reports the error to the model. `return`: the tool returns `{ error: message }` as its output; input that
   * is not an object and tools without `execute` are treated as with `throw`. Default: `throw`.
   */
  readonly onInvalid?: 'throw' | 'return' | undefined;
  /** Called with every call that was repaired, for example to log `repair.changes`. */
  readonly onRepair?: ((repair: ToolCallRepair) => void) | undefined;
  /** Limits on the work of each call. */
  readonly limits?: Limits | undefined;
}

/** Tools by name, as `generateText` takes them. Declared here because ai 5, 6 and 7 declare them differently. */
export interface GuardableTools {
  readonly [name: string]: {
    /** The schema of the arguments. */
    readonly inputSchema?: unknown;
  };
}

/** What the guard uses of a tool. */
interface Tool {
  readonly type?: unknown;
  readonly inputSchema?: Parameters<typeof asSchema>[0];
  readonly execute?: (input: unknown, options: unknown) => unknown;
}

/**
 * Returns the same tools, except that they don't run with invalid input. Input that can be repaired is repaired before
 * approval, callbacks or `execute` see it. Other invalid input is refused with a message that says what is wrong, so
 * that the model can correct its call.
 *
 * If a tool's schema validates, as zod schemas do, that decides what is valid, and the guard only repairs what the
 * schema refuses. Other input is checked against the JSON Schema: the SDK itself does not check input of tools with a
 * `jsonSchema(…)` without `validate`, such as those of MCP clients.
 *
 * The guard does not see calls of unknown tools and input that is not JSON. Pass `repairToolCall` to the SDK as well to
 * have these repaired.
 *
 * The tools you pass are not changed. Tools that a provider defines are returned as they are.
 *
 * @example
 * await generateText({ model, tools: guardTools(tools), prompt });
 */
export function guardTools<Tools extends GuardableTools>(tools: Tools, options: GuardToolsOptions = {}): Tools {
  const { onInvalid } = options;
  if (onInvalid !== undefined && onInvalid !== 'throw' && onInvalid !== 'return') {
    throw new ToolgaugeError('invalid_option', `onInvalid: expected "throw" or "return", got ${excerpt(onInvalid)}`);
  }
  const guarded = Object.entries(tools).map(([name, tool]) => [name, guardTool(name, tool as Tool, options)]);
  return Object.fromEntries(guarded);
}

function guardTool(name: string, tool: Tool, { onInvalid, onRepair, limits }: GuardToolsOptions): Tool {
  if (!isObject(tool) || isProviderTool(tool)) return tool;
  const schema = asSchema(tool.inputSchema);
  const own = schema.validate?.bind(schema) as Validate | undefined;
  const settings = { name, parameters: () => schema.jsonSchema, onRepair, limits };
  const check = own === undefined ? checkBySchema(settings) : checkByValidator(own, settings);
  const returns = onInvalid === 'return' && tool.execute !== undefined;
  /** By the object that the SDK gets, and normally passes to `execute`. */
  const verdicts = new WeakMap<object, Verdict>();

  const validate: Validate = value =>
    chain(check(value), verdict => {
      const passedOn = verdict.success ? verdict.value : value;
      if (!isObject(passedOn)) return verdict;
      verdicts.set(passedOn, verdict);
      return returns ? { success: true, value: passedOn } : verdict;
    });

  /** For input that did not come from `validate`: from a direct call, say, or from a history with approved calls. */
  const recheck: Validate = input => {
    if (own === undefined) return check(input);
    // The SDK never gets here with invalid input, and what a validator has transformed it may refuse.
    if (!returns || !isObject(input)) return { success: true, value: input };
    return chain(own(input), verdict => (verdict.success ? { success: true, value: input } : verdict));
  };

  const act = (verdict: Verdict, options: unknown): unknown => {
    if (verdict.success) return tool.execute?.(verdict.value, options);
    if (returns) return { error: verdict.error.message };
    throw verdict.error;
  };

  /** Not async: if `execute` is a generator, the SDK has to see what it returns. */
  const execute = (input: unknown, options: unknown): unknown => {
    const verdict = (isObject(input) && verdicts.get(input)) || recheck(input);
    return isPromise(verdict) ? verdict.then(settled => finalOutput(act(settled, options))) : act(verdict, options);
  };

  return copy(tool, {
    inputSchema: jsonSchema(() => schema.jsonSchema, { validate }),
    ...(tool.execute && { execute }),
  });
}

/** The result of `execute`; for a generator, its last output. */
async function finalOutput(output: unknown): Promise<unknown> {
  if (!isObject(output) || !(Symbol.asyncIterator in output)) return output;
  let last: unknown;
  for await (last of output as AsyncIterable<unknown>);
  return last;
}

/** Keeps what a spread would lose: accessors, and methods of a class. */
function copy(tool: Tool, changes: Partial<Tool>): Tool {
  const descriptors = { ...Object.getOwnPropertyDescriptors(tool), ...Object.getOwnPropertyDescriptors(changes) };
  return Object.create(Object.getPrototypeOf(tool), descriptors);
}
