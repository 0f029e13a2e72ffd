// What expectations mean, as README.md and the types of the package say it: without any speed, by trying everything.

/** Thrown where the documents leave open what is meant, so that nothing can be compared. */
export const UNCLEAR = Symbol('unclear');

/** Calls without the members that are null, in nested objects, too. */
export function withoutNulls(calls) {
  return JSON.parse(JSON.stringify(calls), (_, value) => {
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
  });
}

/** Whether a name or pattern names a tool, with or without the prefixes of an MCP server. */
export function names(pattern, tool) {
  const parts = tool.split('__');
  return parts.some((_, at) => reaches(pattern, parts.slice(at).join('__')));
}

/** The calls that count. */
export function counted({ ignoreTools = [] }, made) {
  return made.filter(({ tool }) => !ignoreTools.some(pattern => names(pattern, tool)));
}

/** Whether a call is forbidden, by a pattern or because its tool is not among those that may be called. */
export function isForbidden({ forbidden = [], only, matchers }, made) {
  if (only !== undefined && !only.some(pattern => names(pattern, made.tool))) return true;
  return forbidden.some(pattern => forbids(pattern, made, matchers));
}

/** How many unexpected calls do not lower the score. */
export function allowedExtra({ extra = 'forbid' }) {
  return { forbid: 0, allow: Infinity }[extra] ?? extra.max;
}

/** Whether a call fits a pattern; `shared` are the matchers by tool, which count before those of the pattern. */
export function fits(pattern, made, shared = {}) {
  if (typeof pattern === 'string') return nameFits(pattern, made, shared);
  if (!names(pattern.tool, bareName(made))) return false;
  if (isOpen(pattern)) return nameFits(pattern.tool, made, shared);
  const rules = [...sharedFor(pattern.tool, made, shared), pattern.matchers].flatMap(rulesOf);
  return argumentsFit(pattern.args ?? {}, made.args ?? {}, rules);
}

/** Whether it names several tools and says nothing of the arguments, which are then any. */
function isOpen({ tool, args, matchers }) {
  return tool.includes('*') && args === undefined && matchers === undefined;
}

/** The matchers for a call that a pattern names: those of patterns, and then those of its tool. */
function sharedFor(tool, made, shared) {
  const isFor = name => name === tool || names(name, bareName(made));
  const found = Object.entries(shared).filter(([name]) => isFor(name));
  const isPattern = ([name]) => name.includes('*');
  return [...found.filter(isPattern), ...found.filter(entry => !isPattern(entry))].map(([, matchers]) => matchers);
}

/** A name alone is a call with any arguments. Whether matchers that all calls of the tool share still count is open. */
function nameFits(tool, made, shared = {}) {
  const isCalled = names(tool, bareName(made));
  if (isCalled && sharedFor(tool, made, shared).length > 0) throw UNCLEAR;
  return isCalled;
}

/** The name of a called tool without the prefix of an MCP server. */
function bareName({ tool }) {
  return tool.replace(/^mcp__[a-z]+__/, '');
}

/** Whether a forbidden pattern stands for a call: without `args` for any. */
function forbids(pattern, made, shared) {
  if (typeof pattern === 'string' || !('args' in pattern)) return nameForbids(pattern, made, shared);
  return fits(pattern, made, shared);
}

/** Whether matchers count where there are no `args` is open. */
function nameForbids(pattern, made, shared) {
  if (pattern.matchers !== undefined && names(pattern.tool, bareName(made))) throw UNCLEAR;
  return nameFits(pattern.tool ?? pattern, made, shared);
}

/** The patterns of an expected call, and how often it is made. */
export function readExpected(expected) {
  const alternatives = expected.anyOf ?? [expected];
  const { optional = false, times = 1 } = typeof expected === 'string' ? {} : expected;
  const { min, max } = typeof times === 'number' ? { min: times, max: times } : { min: 1, max: Infinity, ...times };
  return { alternatives, min: optional ? 0 : min, max };
}

/** Matchers as a list of `{ path, ...rule }`. */
function rulesOf(matchers) {
  if (matchers === undefined) return [];
  if (typeof matchers === 'string') return [{ path: '', ...ruleOf(matchers) }];
  return Object.entries(matchers).map(([path, matcher]) => ({ path, ...ruleOf(matcher) }));
}

function ruleOf(matcher) {
  if (matcher === 'optional') return { optional: true };
  return typeof matcher === 'string' ? { match: matcher } : matcher;
}

function argumentsFit(expected, actual, rules) {
  const whole = rules.filter(({ path }) => path === '').reduce(merge, {});
  const names = [...Object.keys(expected), ...Object.keys(actual), ...membersWithRules(rules)];
  return names.every(name => memberFits(name, expected, actual, rules, whole));
}

function membersWithRules(rules) {
  return rules.map(({ path }) => path).filter(path => path !== '' && !path.includes('*'));
}

/** Whether a path names a member. Its `*` matches any characters. */
function reaches(path, name) {
  return path !== '' && new RegExp(`^${path.split('*').join('.*')}$`).test(name);
}

/** Of several matchers for one place the last counts; `optional` and `default` may stand beside a matcher. */
function merge(rule, other) {
  const { optional, default: fallback, ...matcher } = other;
  const hasMatcher = Object.keys(matcher).some(key => key !== 'path' && key !== 'label');
  return {
    ...(hasMatcher ? matcher : without(rule, ['optional', 'default'])),
    optional: (rule.optional ?? false) || (optional ?? false),
    ...('default' in other ? { default: fallback } : 'default' in rule ? { default: rule.default } : {}),
  };
}

function without(object, keys) {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

function memberFits(name, expectedAll, actualAll, rules, whole) {
  const own = rules.filter(({ path }) => reaches(path, name)).reduce(merge, {});
  const kind =
    'oneOf' in own ? 'oneOf' : Object.keys(own).find(key => !['path', 'label', 'optional', 'default'].includes(key));
  const fallback = 'default' in own ? own.default : undefined;
  const given = own.optional && fallback !== undefined && actualAll[name] === null ? undefined : actualAll[name];
  const expected = name in expectedAll ? expectedAll[name] : fallback;
  const actual = given === undefined ? fallback : given;
  if (own.optional && (actual === undefined || actual === null)) return true;
  const matcher = kind === undefined ? (whole.match ?? 'exact') : kind === 'match' ? own.match : kind;
  if (matcher === 'ignore') return true;
  if (DECIDE_ALONE[matcher] !== undefined && kind === matcher) {
    return actual !== undefined && DECIDE_ALONE[matcher](own[kind], actual, expected, own.match);
  }
  if (actual === undefined) return expected === undefined;
  if (expected === undefined) return ['superset', 'ignore'].includes(whole.match);
  if (kind === 'similar') return isSimilar(own.similar, expected, actual);
  return kind === 'tolerance' ? isClose(own.tolerance, expected, actual) : COMPARE[matcher](expected, actual);
}

/** Matchers that carry what they ask for. */
const DECIDE_ALONE = {
  oneOf: (values, actual, expected, match = 'exact') => {
    const all = [...values, ...(expected === undefined ? [] : [expected])];
    if (all.some(one => equal(one, actual))) return true;
    return all.filter(one => match === 'ignore' || COMPARE[match](one, actual)).length > 0;
  },
  range: ({ min = -Infinity, max = Infinity }, actual) => typeof actual === 'number' && min <= actual && actual <= max,
  regex: (pattern, actual) => typeof actual === 'string' && new RegExp(pattern, 'u').test(actual),
  contains: (wanted, actual) => contains(wanted, actual),
  type: (types, actual) => [types].flat().some(type => isOfType(type, actual)),
  schema: (schema, actual) => fitsSchema(schema, actual),
};

const COMPARE = {
  exact: equal,
  subset: (expected, actual) => isWithin(actual, expected),
  superset: (expected, actual) => isWithin(expected, actual),
  contains,
  caseInsensitive: (expected, actual) =>
    typeof expected === 'string' && typeof actual === 'string'
      ? expected.toLowerCase() === actual.toLowerCase()
      : equalWhole(expected, actual),
  normalized: (expected, actual) =>
    typeof expected === 'string' && typeof actual === 'string'
      ? normalized(expected) === normalized(actual)
      : equalWhole(expected, actual),
  coerce: (expected, actual) => {
    if (equal(expected, actual)) return true;
    if (isHolder(expected) || isHolder(actual)) throw UNCLEAR;
    return holds(expected, actual) || holds(actual, expected);
  },
  unordered: (expected, actual) =>
    Array.isArray(expected) && Array.isArray(actual)
      ? equal(sorted(expected), sorted(actual))
      : equal(expected, actual),
  type: (expected, actual) => typeOf(expected) === typeOf(actual),
};

/** The JSON type of a value, of which all numbers have the same. */
function typeOf(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function equal(a, b) {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value) {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, ordered(member)]);
}

function sorted(list) {
  return list.map(item => JSON.stringify(ordered(item))).sort();
}

/** Whether `larger` has all that `smaller` has, in nested objects too. */
function isWithin(smaller, larger) {
  if (!isObject(smaller) || !isObject(larger)) return equal(smaller, larger);
  return Object.entries(smaller).every(([key, member]) => key in larger && isWithin(member, larger[key]));
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function contains(wanted, actual) {
  if (typeof actual === 'string') return textContains(wanted, actual);
  if (!Array.isArray(actual)) return otherContains(wanted, actual);
  const items = Array.isArray(wanted) ? wanted : [wanted];
  return items.every(item => actual.some(one => equal(one, item)));
}

/** Whether a text may contain several others is open. */
function textContains(wanted, actual) {
  if (Array.isArray(wanted)) throw UNCLEAR;
  return typeof wanted === 'string' && actual.includes(wanted);
}

/** What is neither text nor array contains nothing else; whether it contains itself is open. */
function otherContains(wanted, actual) {
  if (equal(wanted, actual)) throw UNCLEAR;
  return false;
}

/** Whether a matcher for texts or numbers reaches those in lists and objects is open. */
function equalWhole(expected, actual) {
  const same = equal(expected, actual);
  if (!same && isHolder(expected) && isHolder(actual)) throw UNCLEAR;
  return same;
}

function isHolder(value) {
  return typeof value === 'object' && value !== null;
}

/** A text as the Berkeley Function Calling Leaderboard compares it. */
function normalized(text) {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"');
}

/** Whether a text holds a number, a boolean or null. */
function holds(text, value) {
  if (typeof text !== 'string') return false;
  if (typeof value === 'number') return /^-?\d+(\.\d+)?$/.test(text) && Number(text) === value;
  return typeof value !== 'string' && text.toLowerCase() === String(value);
}

function isSimilar(least, expected, actual) {
  if (typeof expected !== 'string' || typeof actual !== 'string') return equalWhole(expected, actual);
  const longer = Math.max(expected.length, actual.length);
  return longer === 0 || 1 - edits(expected, actual) / longer > least - 1e-9;
}

/** The least number of characters to insert, delete or replace. */
function edits(a, b) {
  if (a === '' || b === '') return a.length + b.length;
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return edits(restOfA, restOfB);
  return 1 + Math.min(edits(restOfA, b), edits(a, restOfB), edits(restOfA, restOfB));
}

function isClose(tolerance, expected, actual) {
  if (typeof expected !== 'number' || typeof actual !== 'number') return equalWhole(expected, actual);
  const { absolute = 0, relative = 0 } = typeof tolerance === 'number' ? { absolute: tolerance } : tolerance;
  return Math.abs(expected - actual) <= Math.max(absolute, relative * Math.abs(expected));
}

function isOfType(type, value) {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function fitsSchema(schema, value) {
  if (typeof schema === 'boolean') return schema;
  const { type, enum: allowed, minLength = 0 } = schema;
  if (type !== undefined && !isOfType(type, value)) return false;
  if (allowed !== undefined && !allowed.some(one => equal(one, value))) return false;
  return typeof value !== 'string' || [...value].length >= minLength;
}
