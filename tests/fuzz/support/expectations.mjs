// Random expectations and calls, small enough that every way to pair them can be tried.

/** Matchers for all arguments, and paths, of which it is clear what they mean together. */
const WHOLE = ['exact', 'ignore', 'superset'];
const PATHS = ['x', 'y', '*'];
const GLOBS = ['x*', '*y', '**'];

/** The matchers that take no value, but for dates, whose meaning is not tried here. */
const NAMES = [
  'exact',
  'ignore',
  'subset',
  'superset',
  'contains',
  'caseInsensitive',
  'normalized',
  'coerce',
  'unordered',
  'type',
];

const TOOLS = ['f', 'g', 'find_order'];

/** Patterns that name some of them. */
const TOOL_PATTERNS = ['*', 'f*', '*_order', 'find_*', 'g*'];
const VALUES = [
  1,
  2,
  2.5,
  'Oslo',
  'oslo',
  'O-slo.',
  '1',
  'true',
  'a',
  'ab',
  '',
  null,
  true,
  [1, 2],
  [2, 1],
  ['a'],
  { k: 1 },
  { k: 1, m: 'a' },
  { k: 1, m: null },
];

/** Whether expectations are such as are made here: those that are made smaller may not be. */
export function isSound({ calls, forbidden = [], matchers = {}, only = [], ignoreTools = [], extra = 'forbid' }) {
  const patterns = [...calls.flatMap(call => call.anyOf ?? [call]), ...forbidden];
  const lists = [...patterns.map(pattern => pattern.matchers ?? {}), ...Object.values(matchers)];
  const isExtra = ['forbid', 'allow'].includes(extra) || Number.isInteger(extra.max);
  return patterns.every(isPattern) && lists.every(isMatchers) && [...only, ...ignoreTools].every(isTool) && isExtra;
}

function isTool(tool) {
  return TOOLS.includes(tool) || TOOL_PATTERNS.includes(tool);
}

function isPattern(pattern) {
  const { tool, args = {} } = typeof pattern === 'string' ? { tool: pattern } : pattern;
  return isTool(tool) && isRecord(args) && Object.keys(args).every(name => PATHS.includes(name));
}

function isMatchers(matchers) {
  return isRecord(matchers)
    ? Object.keys(matchers).every(path => [...PATHS, ...GLOBS].includes(path))
    : WHOLE.includes(matchers);
}

function isRecord(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The arguments of one call. */
function anyArguments(random) {
  return Object.fromEntries(random.some(['x', 'y']).map(name => [name, anyValue(random)]));
}

export function anyExpectations(random) {
  return {
    calls: random.list(0, 4, () => anyExpected(random)),
    ...(random.chance(0.2) ? { forbidden: random.list(1, 2, () => anyCall(random)) } : {}),
    ...(random.chance(0.6) ? { order: random.pick(['any', 'sequence', 'strict']) } : {}),
    ...(random.chance(0.3) ? { matchers: anyToolMatchers(random) } : {}),
    ...(random.chance(0.1) ? { only: random.list(1, 3, () => anyTool(random, 0.4)) } : {}),
    ...(random.chance(0.1) ? { ignoreTools: random.list(1, 2, () => anyTool(random, 0.4)) } : {}),
    ...(random.chance(0.2) ? { extra: random.pick(['forbid', 'allow', { max: random.below(3) }]) } : {}),
    ...(random.chance(0.15) ? { nullIsAbsent: random.chance(0.8) } : {}),
  };
}

/** The name of a tool, or in `share` of all cases a pattern. */
function anyTool(random, share = 0.15) {
  return random.pick(random.chance(share) ? TOOL_PATTERNS : TOOLS);
}

function anyToolMatchers(random) {
  return Object.fromEntries(random.list(1, 2, () => [anyTool(random, 0.4), anyMatchers(random)]));
}

/** Calls that were made: those that are expected, some with other arguments, and others. */
export function anyMade(random, { calls }) {
  const fitting = random.some(calls, 0.8).flatMap(expected => madeFor(random, expected));
  const others = random.list(0, 2, () => ({ tool: random.pick(TOOLS), args: anyArguments(random) }));
  for (const call of random.some(others, 0.1)) call.tool = `mcp__shop__${call.tool}`;
  const made = random.chance(0.4) ? [...fitting, ...others] : random.shuffle([...fitting, ...others]);
  return made.slice(0, 5);
}

function madeFor(random, expected) {
  const { tool, args = {} } = random.pick(
    expected.anyOf ?? [typeof expected === 'string' ? { tool: expected } : expected],
  );
  const times = random.pick([1, 1, 1, 2, 3]);
  return Array.from({ length: times }, () => ({
    tool: `${random.chance(0.1) ? 'mcp__shop__' : ''}${toolOf(random, tool)}`,
    args: random.chance(0.7) ? args : anyArguments(random),
  }));
}

/** A tool that a name or pattern names. */
function toolOf(random, pattern) {
  if (!pattern.includes('*')) return pattern;
  const named = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
  return random.pick(TOOLS.filter(tool => named.test(tool)));
}

function anyExpected(random) {
  if (random.chance(0.15)) return anyTool(random);
  const call = random.chance(0.2) ? { anyOf: random.list(1, 2, () => anyCall(random)) } : anyCall(random);
  return {
    ...call,
    ...(random.chance(0.2) ? { optional: random.chance(0.8) } : {}),
    ...(random.chance(0.3) ? { times: anyTimes(random) } : {}),
  };
}

function anyTimes(random) {
  const min = random.below(3);
  const max = min + random.below(3);
  return random.pick([min, { min }, { max: Math.max(1, max) }, { min, max }, {}]);
}

function anyCall(random) {
  return {
    tool: anyTool(random),
    args: anyArguments(random),
    ...(random.chance(0.4) ? { matchers: anyMatchers(random) } : {}),
  };
}

function anyMatchers(random) {
  if (random.chance(0.2)) return random.pick(WHOLE);
  return Object.fromEntries(
    random.some(random.chance(0.3) ? [...PATHS, ...GLOBS] : PATHS).map(path => [path, anyMatcher(random)]),
  );
}

function anyMatcher(random) {
  const name = () => random.pick(NAMES);
  if (random.chance(0.35)) return random.chance(0.2) ? 'optional' : name();
  return {
    ...random.pick([
      () => ({}),
      () => ({ match: name() }),
      () => ({ oneOf: random.list(0, 3, () => anyValue(random)) }),
      () => ({ oneOf: random.list(0, 3, () => anyValue(random)), match: name() }),
      () => ({ similar: random.pick([0, 0.5, 0.8, 1]) }),
      () => ({ range: random.pick([{ min: 2 }, { max: 2 }, { min: 1, max: 2 }]) }),
      () => ({ regex: random.pick(['^O', 'o$', 'a', '^.$', '^$']) }),
      () => ({ contains: random.pick(['a', 's', 1, ['a'], [1, 2]]) }),
      () => ({ tolerance: random.pick([0, 0.5, 1, { absolute: 1 }, { relative: 0.5 }]) }),
      () => ({
        type: random.pick(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null', ['string', 'null']]),
      }),
      () => ({
        schema: random.pick([true, false, { type: 'string' }, { enum: [1, 'a'] }, { type: 'string', minLength: 2 }]),
      }),
    ])(),
    ...(random.chance(0.2) ? { optional: random.chance(0.8) } : {}),
    ...(random.chance(0.2) ? { default: anyValue(random) } : {}),
  };
}

function anyValue(random) {
  return random.pick(VALUES);
}
