/** JavaScript values that JSON does not know, by the names that stand for them in kept inputs. */
const ODD = {
  undefined: () => undefined,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-0': () => -0,
  'long text': () => 'x'.repeat(20_000),
  bigint: () => 10n,
  symbol: () => Symbol('s'),
  function: () => () => true,
  'throwing function': () => () => {
    throw new Error('mine');
  },
  date: () => new Date(0),
  map: () => new Map([['a', 1]]),
  regexp: () => /x/,
  promise: () => Promise.resolve(1),
  bytes: () => new Uint8Array([123, 125]),
  cycle: () => {
    const cycle = {};
    cycle.self = cycle;
    return cycle;
  },
  'null prototype': () => Object.assign(Object.create(null), { a: 1 }),
  'throwing getter': () => ({
    get limits() {
      throw new Error('mine');
    },
  }),
  'revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  'sparse array': () => new Array(3),
  'boxed number': () => Object(5),
};

export function anyOdd(random) {
  return { $odd: random.pick(Object.keys(ODD)) };
}

/** A copy of an input in which the values of {@link ODD} stand for their names. */
export function revive(value) {
  if (Array.isArray(value)) return value.map(revive);
  if (typeof value !== 'object' || value === null) return value;
  if (Object.hasOwn(value, '$odd') && Object.hasOwn(ODD, value.$odd)) return ODD[value.$odd]();
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revive(member)]));
}
