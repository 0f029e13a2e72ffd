import { readingCaller } from './boundary/caller.js';
import { isBytes } from './boundary/json.js';
import { kindOf } from './boundary/kind-of.js';
import { reasonOf, ToolgaugeError } from './errors.js';
import { excerpt } from './excerpt.js';
import type { Comparator, Comparators } from './expectations.js';
import { toPlainDefinitions } from './tool-definitions.js';

/** What the core calls for each comparison; what it throws ends the core's work. */
export type Compare = (name: string, expected: unknown, actual: unknown, tool: string, path: string) => boolean;

/** Options as the core takes them: comparators by their names. */
export type NamedComparators<Options> = Omit<Options, 'comparators'> & { readonly comparators?: readonly string[] };

/**
 * Runs `score`, which may compare by the functions in `options.comparators`. What one of them throws is thrown as a
 * {@link ToolgaugeError} that has it as its cause.
 */
export function withComparators<Options extends { readonly comparators?: Comparators }, Result>(
  given: Options | undefined,
  score: (options: NamedComparators<Options> | undefined, compare: Compare | undefined) => Result,
): Result {
  const options = readingCaller('the options', () => withPlainTools(given));
  const taken = readingCaller('the options', () => takeComparators(options));
  if (taken === undefined) return score(options as NamedComparators<Options> | undefined, undefined);
  const { comparators, others } = taken;
  let failure: ToolgaugeError | undefined;
  const compare: Compare = (name, expected, actual, tool, path) => {
    try {
      return ask(comparators.get(name), expected, actual, tool, path);
    } catch (cause) {
      const message = `the comparator ${JSON.stringify(excerpt(name))} failed at ${excerpt(path)} of ${excerpt(tool)}: ${reasonOf(cause)}`;
      failure ??= new ToolgaugeError('invalid_option', message, { path: `options.comparators.${name}`, cause });
      throw failure;
    }
  };
  try {
    return score({ ...others, comparators: [...comparators.keys()] }, compare);
  } catch (error) {
    throw failure ?? error;
  }
}

/** The options with tool definitions that JSON can hold. */
function withPlainTools<Options>(options: Options): Options {
  if (typeof options !== 'object' || options === null || !('tools' in options)) return options;
  const { tools } = options;
  if (tools === undefined) return options;
  const plain = toPlainDefinitions(tools);
  return { ...options, tools: isBytes(plain) ? new TextDecoder().decode(plain) : plain };
}

interface Taken<Options> {
  readonly comparators: ReadonlyMap<string, Comparator>;
  readonly others: Omit<Options, 'comparators'>;
}

/** Lone surrogates, which the core reads as U+FFFD. */
const LONE = /\p{Surrogate}/gu;

/** The comparators and the other options, each read once; undefined when there are none. */
function takeComparators<Options extends { readonly comparators?: Comparators }>(
  options: Options | undefined,
): Taken<Options> | undefined {
  if (typeof options !== 'object' || options === null || !('comparators' in options)) return undefined;
  const { comparators, ...others } = options;
  if (comparators === undefined) return undefined;
  if (typeof comparators !== 'object' || comparators === null) throw notComparators('options.comparators', comparators);
  const named = new Map(Object.entries(comparators).map(([name, it]) => [name.replace(LONE, '\ufffd'), it]));
  for (const [name, comparator] of named) {
    if (typeof comparator !== 'function') throw notComparators(`options.comparators.${name}`, comparator);
  }
  return { comparators: named, others };
}

function notComparators(path: string, given: unknown): ToolgaugeError {
  const expected = path === 'options.comparators' ? 'functions by name' : 'a function';
  return new ToolgaugeError('invalid_option', `${excerpt(path)}: expected ${expected}, got ${kindOf(given)}`, {
    path,
    expected,
  });
}

function ask(
  comparator: Comparator | undefined,
  expected: unknown,
  actual: unknown,
  tool: string,
  path: string,
): boolean {
  const answer: unknown = comparator?.(expected, actual, { tool, path });
  // A promise that nobody waits for must not end the process.
  if (answer instanceof Promise) answer.catch(() => {});
  if (typeof answer !== 'boolean') throw new TypeError('it must return true or false, and at once');
  return answer;
}
