import { reasonOf, ToolgaugeError } from './errors.js';
import type { Comparators } from './expectations.js';

/** What the core calls for each comparison; what it throws ends the core's work. */
export type Compare = (name: string, expected: unknown, actual: unknown, tool: string, path: string) => boolean;

/** Options as the core takes them: comparators by their names. */
export type NamedComparators<Options> = Omit<Options, 'comparators'> & { readonly comparators?: readonly string[] };

/**
 * Runs `score`, which may compare by the functions in `options.comparators`. What one of them throws is thrown as a
 * {@link ToolgaugeError} that has it as its cause.
 */
export function withComparators<Options extends { readonly comparators?: Comparators }, Result>(
  options: Options | undefined,
  score: (options: NamedComparators<Options> | undefined, compare: Compare | undefined) => Result,
): Result {
  if (options?.comparators === undefined) return score(options as NamedComparators<Options> | undefined, undefined);
  const { comparators, ...others } = options;
  const names = Object.keys(comparators);
  let failure: ToolgaugeError | undefined;
  const compare: Compare = (name, expected, actual, tool, path) => {
    try {
      return ask(comparators, name, expected, actual, tool, path);
    } catch (cause) {
      const message = `the comparator ${JSON.stringify(name)} failed at ${path} of ${tool}: ${reasonOf(cause)}`;
      failure ??= new ToolgaugeError('invalid_option', message, { path: `options.comparators.${name}`, cause });
      throw failure;
    }
  };
  try {
    return score({ ...others, comparators: names }, compare);
  } catch (error) {
    throw failure ?? error;
  }
}

function ask(
  comparators: Comparators,
  name: string,
  expected: unknown,
  actual: unknown,
  tool: string,
  path: string,
): boolean {
  const answer: unknown = comparators[name]?.(expected, actual, { tool, path });
  if (typeof answer !== 'boolean') throw new TypeError('it must return true or false, and at once');
  return answer;
}
