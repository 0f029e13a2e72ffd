// Random JSON Schemas of every draft, and instances that come close to fitting them.

/** The drafts in order of age, by the URIs that name them. */
export const DRAFTS = [
  'http://json-schema.org/draft-04/schema#',
  'http://json-schema.org/draft-06/schema#',
  'http://json-schema.org/draft-07/schema#',
  'https://json-schema.org/draft/2019-09/schema',
  'https://json-schema.org/draft/2020-12/schema',
];

const [DRAFT_4, DRAFT_6, DRAFT_7, DRAFT_2019, DRAFT_2020] = DRAFTS.keys();

const NAMES = ['a', 'b', 'c', 'ab', '', 'x.y'];
const TEXTS = ['', 'a', 'b', 'ab', 'abc', 'ba', 'a1', '7', '😀', 'é', 'A b'];
const NUMBERS = [0, 1, 2, 3, 4, -1, -2, 0.5, 1.5, 2.25, 10, 1e15, -1e15];

/** Patterns that mean the same in ECMAScript and in Python. */
const PATTERNS = [
  '^a',
  'b$',
  'a|b',
  '^[a-c]+$',
  '^.{2}$',
  'a.c',
  '^(ab)*$',
  '[0-9]',
  '^[^a]*$',
  '^a?b+$',
  '(?=a)',
  '\\.',
];
const TYPES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

/** How deep schemas are nested. */
const DEPTH = 3;

/** Keywords with the draft that brought them, the last draft that has them, and what makes their values. */
const KEYWORDS = [
  ['type', DRAFT_4, DRAFT_2020, ({ random }) => types(random)],
  ['enum', DRAFT_4, DRAFT_2020, ({ random }) => distinct(random.list(1, 3, () => anyInstance(random, 1)))],
  ['const', DRAFT_6, DRAFT_2020, ({ random }) => anyInstance(random, 1)],
  ['multipleOf', DRAFT_4, DRAFT_2020, ({ random }) => random.pick([1, 2, 3, 0.5, 0.25])],
  ['maximum', DRAFT_4, DRAFT_2020, ({ random }) => random.pick(NUMBERS)],
  ['minimum', DRAFT_4, DRAFT_2020, ({ random }) => random.pick(NUMBERS)],
  ['exclusiveMaximum', DRAFT_6, DRAFT_2020, ({ random }) => random.pick(NUMBERS)],
  ['exclusiveMinimum', DRAFT_6, DRAFT_2020, ({ random }) => random.pick(NUMBERS)],
  ['maxLength', DRAFT_4, DRAFT_2020, count],
  ['minLength', DRAFT_4, DRAFT_2020, count],
  ['pattern', DRAFT_4, DRAFT_2020, ({ random }) => random.pick(PATTERNS)],
  ['items', DRAFT_4, DRAFT_2020, items],
  ['additionalItems', DRAFT_4, DRAFT_2019, subschemaOrBoolean],
  ['prefixItems', DRAFT_2020, DRAFT_2020, subschemas],
  ['maxItems', DRAFT_4, DRAFT_2020, count],
  ['minItems', DRAFT_4, DRAFT_2020, count],
  ['uniqueItems', DRAFT_4, DRAFT_2020, ({ random }) => random.chance(0.9)],
  ['contains', DRAFT_6, DRAFT_2020, subschema],
  ['minContains', DRAFT_2019, DRAFT_2020, count],
  ['maxContains', DRAFT_2019, DRAFT_2020, count],
  ['properties', DRAFT_4, DRAFT_2020, context => record(context, NAMES)],
  ['properties', DRAFT_4, DRAFT_2020, context => record(context, NAMES)],
  ['patternProperties', DRAFT_4, DRAFT_2020, context => record(context, PATTERNS)],
  ['additionalProperties', DRAFT_4, DRAFT_2020, subschemaOrBoolean],
  ['required', DRAFT_4, DRAFT_2020, names],
  ['minProperties', DRAFT_4, DRAFT_2020, count],
  ['maxProperties', DRAFT_4, DRAFT_2020, count],
  ['propertyNames', DRAFT_6, DRAFT_2020, subschema],
  ['dependencies', DRAFT_4, DRAFT_7, context => record(context, NAMES, dependency)],
  ['dependentRequired', DRAFT_2019, DRAFT_2020, context => record(context, NAMES, names)],
  ['dependentSchemas', DRAFT_2019, DRAFT_2020, context => record(context, NAMES)],
  ['unevaluatedProperties', DRAFT_2019, DRAFT_2020, subschemaOrBoolean],
  ['unevaluatedItems', DRAFT_2019, DRAFT_2020, subschemaOrBoolean],
  ['allOf', DRAFT_4, DRAFT_2020, subschemas],
  ['anyOf', DRAFT_4, DRAFT_2020, subschemas],
  ['oneOf', DRAFT_4, DRAFT_2020, subschemas],
  ['not', DRAFT_4, DRAFT_2020, subschema],
  ['if', DRAFT_7, DRAFT_2020, subschema],
  ['then', DRAFT_7, DRAFT_2020, subschema],
  ['else', DRAFT_7, DRAFT_2020, subschema],
];

/** A schema of the draft with this place in {@link DRAFTS}. */
export function anySchema(random, draft) {
  const context = { random, draft, depth: DEPTH, keywords: keywordsOf(draft), refers: new Set() };
  const schema = keywordsFrom(context);
  if (context.refers.size > 0) schema[holderOf(draft)] = definitions(context);
  return { $schema: DRAFTS[draft], ...dynamicAnchor(draft), ...schema };
}

/** Whether a schema names its draft, and each of its references leads somewhere: one that is made smaller may not. */
export function isSound(schema) {
  return DRAFTS.includes(schema.$schema) && referencesIn(schema).every(reference => leadsSomewhere(schema, reference));
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef'];
const ANCHORS = ['$anchor', '$dynamicAnchor'];

function referencesIn(schema) {
  return subschemasIn(schema).flatMap(part => REFERENCES.map(keyword => part[keyword]).filter(isText));
}

function isText(value) {
  return typeof value === 'string';
}

/** All objects in a schema; those in lists too. */
function subschemasIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? [] : [value];
  return [...own, ...Object.values(value).flatMap(subschemasIn)];
}

function leadsSomewhere(schema, reference) {
  const [root, ...keys] = reference.split('/');
  if (root === '#') return keys.reduce((value, key) => value?.[key], schema) !== undefined;
  return subschemasIn(schema).some(part => ANCHORS.some(keyword => `#${part[keyword]}` === root));
}

/** A small JSON value, built of the same names, texts and numbers as the schemas. */
export function anyInstance(random, depth = 3) {
  const kind = random.below(depth > 0 ? 10 : 6);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind <= 3) return random.pick(NUMBERS);
  if (kind <= 5) return random.pick(TEXTS);
  if (kind <= 7) return random.list(0, 4, () => anyInstance(random, depth - 1));
  return Object.fromEntries(random.some(NAMES).map(name => [name, anyInstance(random, depth - 1)]));
}

function keywordsOf(draft) {
  return KEYWORDS.filter(([, first, last]) => first <= draft && draft <= last);
}

function keywordsFrom(context) {
  const { random, keywords, depth } = context;
  if (depth < DEPTH && random.chance(0.18)) return reference(context);
  const chosen = random.list(1, depth === DEPTH ? 5 : 3, () => random.pick(keywords));
  const schema = Object.fromEntries(chosen.map(([name, , , make]) => [name, make(context)]));
  if (context.draft === DRAFT_4) addDraft4Bounds(random, schema);
  return schema;
}

/** In draft 4 a bound is made exclusive by a boolean beside it. */
function addDraft4Bounds(random, schema) {
  if ('maximum' in schema && random.chance(0.4)) schema.exclusiveMaximum = random.chance(0.5);
  if ('minimum' in schema && random.chance(0.4)) schema.exclusiveMinimum = random.chance(0.5);
}

/** The definitions that are referred to, and those that these refer to. */
function definitions(context) {
  const made = {};
  for (const name of context.refers) {
    const schema = subschema({ ...context, depth: 2 });
    made[name] = context.draft < DRAFT_2019 || typeof schema === 'boolean' ? schema : { $anchor: name, ...schema };
  }
  return made;
}

function holderOf(draft) {
  return draft < DRAFT_2019 ? 'definitions' : '$defs';
}

/** A reference to the whole schema or to a definition, in each way that the draft has. */
function reference(context) {
  const { random, draft, refers } = context;
  const name = random.pick(['', 'a', 'b']);
  if (name !== '') refers.add(name);
  const pointer = name === '' ? '#' : `#/${holderOf(draft)}/${name}`;
  const isNamed = name !== '' && draft >= DRAFT_2019 && random.chance(0.3);
  const referring = random.chance(0.25) ? dynamicReference(draft) : undefined;
  const made = referring ?? { $ref: isNamed ? `#${name}` : pointer };
  return draft >= DRAFT_2019 && random.chance(0.2) ? { ...made, ...keywordsFrom({ ...context, depth: 0 }) } : made;
}

/** A reference that another document could redirect, where the draft has one. */
function dynamicReference(draft) {
  if (draft === DRAFT_2019) return { $recursiveRef: '#' };
  return draft === DRAFT_2020 ? { $dynamicRef: '#root' } : undefined;
}

/** What makes the whole schema a target of these. */
function dynamicAnchor(draft) {
  if (draft === DRAFT_2019) return { $recursiveAnchor: true };
  return draft === DRAFT_2020 ? { $dynamicAnchor: 'root' } : {};
}

function subschema(context) {
  const { random, draft, depth } = context;
  if (depth === 0) return { type: types(random) };
  if (draft >= DRAFT_6 && random.chance(0.12)) return random.chance(0.5);
  return keywordsFrom({ ...context, depth: depth - 1 });
}

/** Where draft 4 takes a boolean, too. */
function subschemaOrBoolean(context) {
  return context.random.chance(0.4) ? context.random.chance(0.3) : subschema(context);
}

function subschemas(context) {
  return context.random.list(1, 3, () => subschema(context));
}

function items(context) {
  return context.draft < DRAFT_2020 && context.random.chance(0.4) ? subschemas(context) : subschema(context);
}

function record(context, keys, make = subschema) {
  return Object.fromEntries(context.random.some(keys).map(key => [key, make(context)]));
}

function dependency(context) {
  return context.random.chance(0.5) ? names(context) : subschema(context);
}

/** Draft 4 wants at least one name. */
function names({ random }) {
  const chosen = random.some(NAMES, 0.4);
  return chosen.length > 0 ? chosen : [random.pick(NAMES)];
}

function count({ random }) {
  return random.below(4);
}

function types(random) {
  return random.chance(0.7) ? random.pick(TYPES) : distinct(random.list(1, 3, () => random.pick(TYPES)));
}

function distinct(values) {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()];
}
