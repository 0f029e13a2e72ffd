import { ToolgaugeError } from 'toolgauge';

/** What the test runner gives to a matcher as `this`, as far as the matchers here use it. */
export interface MatcherContext {
  /** Whether it was called as `.not`. */
  readonly isNot?: boolean | undefined;
  /** `resolves` or `rejects`, when it was called so. */
  readonly promise?: string | undefined;
  /** The runner's comparison. Bun's asymmetric matchers have no function of their own. */
  equals?(actual: unknown, expected: unknown): boolean;
  /** The runner's own ways to show things, if it has any. */
  readonly utils?: MatcherUtils | undefined;
}

/** The runner's own ways to show things. Not every runner has all of them. */
export interface MatcherUtils {
  /** Returns the first line of a message, such as `expect(received).toBe(expected)`. */
  matcherHint?(name: string, received?: string, expected?: string, options?: object): string;
  /** Returns a value as text. */
  stringify?(value: unknown): string;
  /** Colours what was received. */
  RECEIVED_COLOR?(text: string): string;
  /** Colours what was expected. */
  EXPECTED_COLOR?(text: string): string;
  /** Colours what matters less. */
  DIM_COLOR?(text: string): string;
}

/**
 * The same matcher, whose errors are traced to where it was called: the runner then shows that line of the test and not
 * one of this package.
 */
export function traced<Given extends unknown[]>(
  matcher: (this: MatcherContext, ...given: Given) => MatcherResult,
): (this: MatcherContext, ...given: Given) => MatcherResult {
  function outermost(this: MatcherContext, ...given: Given): MatcherResult {
    try {
      return matcher.apply(this, given);
    } catch (error) {
      if (error instanceof ToolgaugeError) Error.captureStackTrace?.(error, outermost);
      throw error;
    }
  }
  // Some runners show the name of the function.
  return Object.defineProperty(outermost, 'name', { value: matcher.name });
}

/** What a matcher answers. */
export interface MatcherResult {
  /** Whether what the matcher says is so; `.not` turns it round. */
  pass: boolean;
  /** Returns the message with which the test fails. */
  message: () => string;
}
