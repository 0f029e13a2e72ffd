import type { ExtraCalls, MatcherName, ScoringOptions } from 'toolgauge';

/** Matchers that a failing test may have wanted, and what each lets pass. */
const LENIENT: readonly (readonly [MatcherName, string])[] = [
  ['superset', 'which allows arguments that are not expected'],
  ['coerce', 'which accepts a value of another type that means the same'],
  ['caseInsensitive', 'which ignores upper and lower case'],
  ['normalized', 'which ignores case, punctuation and spaces'],
  ['date', 'which compares dates in any notation'],
  ['unordered', 'which ignores the order of items'],
];

/** The first matcher with which `passes` returns true, as a hint. */
export function matcherHint(
  write: (name: MatcherName) => string,
  passes: (name: MatcherName) => boolean,
): string | undefined {
  const found = LENIENT.find(([name]) => passes(name));
  return found && wouldPass(write(found[0]), found[1]);
}

/**
 * The first option of scoring with which `passes` returns true, as a hint. Options that the test set are left alone, and if
 * no call is `expected`, there is nothing to be lenient about.
 */
export function scoringHint(
  options: ScoringOptions,
  expected: number,
  passes: (options: ScoringOptions) => boolean,
): string | undefined {
  if (expected === 0) return undefined;
  const extra: ExtraCalls = 'allow';
  if (options.extra === undefined && passes({ ...options, extra })) {
    return wouldPass(`{ extra: 'allow' }`, 'which allows calls that are not expected');
  }
  if (options.matchers !== undefined) return undefined;
  return matcherHint(
    name => `{ matchers: { '*': '${name}' } }`,
    name => passes({ ...options, matchers: { '*': name } }),
  );
}

function wouldPass(option: string, meaning: string): string {
  return `it would pass with ${option}, ${meaning}.`;
}
