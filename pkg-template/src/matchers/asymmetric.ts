import type { Comparator, Comparators, ExpectedCalls, PathMatchers, ScoringOptions } from 'toolgauge';
import type { MatcherContext } from './runner.js';

/** Expected calls in which `expect.any(String)` and the like have become matchers, with the comparators behind them. */
export interface PlainExpectations {
  readonly expected: ExpectedCalls;
  readonly options: ScoringOptions;
}

/** What is looked at no deeper than this: arguments that go on are refused as too deep anyway. */
const DEEPEST = 500;

interface AsymmetricMatcher {
  asymmetricMatch(value: unknown): unknown;
}

interface Call {
  readonly args?: unknown;
  readonly anyOf?: unknown;
  readonly matchers?: PathMatchers;
}

/**
 * The expected calls without asymmetric matchers inside their arguments: each becomes a matcher `{ compare }` at its
 * place, and a comparator in the options.
 */
export function plainExpectations(
  context: MatcherContext,
  expected: ExpectedCalls,
  options: ScoringOptions,
): PlainExpectations {
  const found = new Found(context);
  const plain = found.inExpectations(expected);
  const comparators = { ...options.comparators, ...found.comparators() };
  const isWithout = options.comparators === undefined && Object.keys(comparators).length === 0;
  return { expected: plain as ExpectedCalls, options: isWithout ? options : { ...options, comparators } };
}

class Found {
  readonly #context: MatcherContext;
  readonly #comparators: Comparator[] = [];

  constructor(context: MatcherContext) {
    this.#context = context;
  }

  comparators(): Comparators {
    return Object.fromEntries(this.#comparators.map((comparator, at) => [nameOf(at), comparator]));
  }

  inExpectations(expected: unknown): unknown {
    if (Array.isArray(expected)) return expected.map(call => this.inCall(call));
    if (!isObject(expected) || !Array.isArray(expected.calls)) return expected;
    const { calls, forbidden, ...rest } = expected;
    const inAll = (list: unknown): unknown => (Array.isArray(list) ? list.map(call => this.inCall(call)) : list);
    return { ...rest, calls: inAll(calls), ...(forbidden === undefined ? {} : { forbidden: inAll(forbidden) }) };
  }

  private inCall(call: unknown): unknown {
    if (!isObject(call)) return call;
    const { args, anyOf, matchers } = call as Call;
    if (Array.isArray(anyOf)) return { ...call, anyOf: anyOf.map(other => this.inCall(other)) };
    const own: Record<string, object> = {};
    const plain = this.#without(args, '', own, 0);
    if (Object.keys(own).length === 0) return call;
    return { ...call, args: plain, matchers: merged(matchers, own) };
  }

  /**
   * `value` without asymmetric matchers, which go to `own` by their paths, while null keeps their places; itself when it
   * holds none.
   */
  #without(value: unknown, path: string, own: Record<string, object>, depth: number): unknown {
    if (isAsymmetric(value)) {
      const name = nameOf(this.#comparators.push((_, actual) => Boolean(value.asymmetricMatch(actual))) - 1);
      own[path] = { compare: name, label: this.#context.utils?.stringify?.(value) ?? String(value) };
      return depth === 0 ? undefined : null;
    }
    if (depth > DEEPEST) return value;
    if (Array.isArray(value)) {
      const items = value.map((item, at) => this.#without(item, `${path}[${at}]`, own, depth + 1));
      return items.some((item, at) => item !== value[at]) ? items : value;
    }
    if (!isObject(value) || typeof value.toJSON === 'function') return value;
    const members = Object.entries(value).map(
      ([key, member]) => [key, this.#without(member, join(path, key), own, depth + 1)] as const,
    );
    return members.some(([key, member]) => member !== value[key]) ? Object.fromEntries(members) : value;
  }
}

function nameOf(at: number): string {
  return `asymmetric matcher ${at + 1}`;
}

/** The matchers of a call, and after them those that were found in its arguments. */
function merged(matchers: PathMatchers | undefined, found: Record<string, object>): PathMatchers {
  const given = typeof matchers === 'string' ? { '': matchers } : (matchers ?? {});
  const others = Object.entries(given).filter(([path]) => !Object.hasOwn(found, path));
  return Object.fromEntries([...others, ...Object.entries(found)]) as PathMatchers;
}

/** Keys that a path of a matcher can hold as they are. */
const PLAIN_KEY = /^[\p{L}\p{N}_$-]+$/u;

function join(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  return isObject(value) && typeof value.asymmetricMatch === 'function';
}
