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
  /** Absent in Bun. */
  asymmetricMatch?(value: unknown): unknown;
}

interface Call {
  readonly args?: unknown;
  readonly matchers?: PathMatchers;
  readonly result?: unknown;
  readonly resultMatchers?: PathMatchers;
}

/** Members that hold a list of calls or groups. */
const LISTS = ['anyOf', 'sequence', 'unordered'];

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
    if (!isObject(expected)) return expected;
    const isByTurns = Array.isArray(expected.turns) && expected.turns.every(isTurn);
    if (!isByTurns && !Array.isArray(expected.calls)) return expected;
    const { calls, turns, forbidden } = expected;
    const inAll = (list: unknown): unknown => (Array.isArray(list) ? list.map(call => this.inCall(call)) : list);
    return {
      ...expected,
      ...(calls !== undefined && { calls: inAll(calls) }),
      ...(isByTurns && { turns: (turns as object[]).map(turn => this.inExpectations(turn)) }),
      ...(forbidden !== undefined && { forbidden: inAll(forbidden) }),
    };
  }

  private inCall(call: unknown): unknown {
    if (!isObject(call)) return call;
    for (const name of LISTS) {
      const list = call[name];
      if (Array.isArray(list)) return { ...call, [name]: list.map(other => this.inCall(other)) };
    }
    const { args, matchers, result, resultMatchers } = call as Call;
    const [plainArgs, ownOfArgs] = this.#plain(args);
    const [plainResult, ownOfResult] = this.#plain(result);
    return {
      ...call,
      ...(ownOfArgs !== undefined && { args: plainArgs, matchers: merged(matchers, ownOfArgs) }),
      ...(ownOfResult !== undefined && { result: plainResult, resultMatchers: merged(resultMatchers, ownOfResult) }),
    };
  }

  /** The value without asymmetric matchers, and those by their paths if there are any. */
  #plain(value: unknown): [unknown, Record<string, object> | undefined] {
    const own: Record<string, object> = {};
    const plain = this.#without(value, '', own, 0);
    return [plain, Object.keys(own).length === 0 ? undefined : own];
  }

  #matches(matcher: AsymmetricMatcher, actual: unknown): boolean {
    return Boolean(matcher.asymmetricMatch?.(actual) ?? this.#context.equals?.(actual, matcher));
  }

  /**
   * `value` without asymmetric matchers, which go to `own` by their paths, while null keeps their places; itself when it
   * holds none.
   */
  #without(value: unknown, path: string, own: Record<string, object>, depth: number): unknown {
    if (isAsymmetric(value)) {
      const name = nameOf(this.#comparators.push((_, actual) => this.#matches(value, actual)) - 1);
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

/** Whether this is what is expected in a turn, not a turn of a conversation. */
function isTurn(turn: unknown): boolean {
  return isObject(turn) && Array.isArray(turn.calls) && !('role' in turn);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !ArrayBuffer.isView(value);
}

/** What Bun's asymmetric matchers are called, which are native objects. */
const BUN_MATCHER = /^\[object Expect[A-Z]/;

function isAsymmetric(value: unknown): value is AsymmetricMatcher {
  if (!isObject(value)) return false;
  return typeof value.asymmetricMatch === 'function' || BUN_MATCHER.test(Object.prototype.toString.call(value));
}
