/** Expectation documents that are as they should be, by what they show. */
export const GOOD = {
  'nothing expected': { calls: [] },
  'a list': [{ tool: 'f', args: { n: 1 } }],
  'a list of names': ['f', 'g'],
  'an empty list': [],
  'a call without arguments': { calls: [{ tool: 'f' }] },
  'arguments of any type': {
    calls: [
      { tool: 'f', args: null },
      { tool: 'g', args: [1] },
      { tool: 'h', args: 'text' },
    ],
  },
  'a member that is not known': { calls: [{ tool: 'f', note: 'why', args: {} }] },
  'a schema for editors': { $schema: './expectations.schema.json', calls: [] },
  orders: { calls: [], order: 'any' },
  'a sequence': { calls: [], order: 'sequence' },
  'a strict order': { calls: [], order: 'strict' },
  'an optional call': { calls: [{ tool: 'f', optional: true }] },
  'a call that is not optional': { calls: [{ tool: 'f', optional: false }] },
  'a number of times': { calls: [{ tool: 'f', times: 3 }] },
  never: { calls: [{ tool: 'f', times: 0 }] },
  'from some to many times': { calls: [{ tool: 'f', times: { min: 0, max: 10000 } }] },
  'times without bounds': { calls: [{ tool: 'f', times: {} }] },
  alternatives: { calls: [{ anyOf: ['f', { tool: 'g', args: { n: 1 }, matchers: { n: 'type' } }] }] },
  'optional alternatives': { calls: [{ anyOf: ['f'], optional: true, times: { max: 2 } }] },
  'forbidden calls': {
    calls: [],
    forbidden: ['f', { tool: 'g' }, { tool: 'h', args: { n: 1 }, matchers: 'superset' }],
  },
  'matchers by tool': { calls: [], matchers: { '*': 'superset', f: { n: 'ignore' }, g: {} } },
  'every name of a matcher': {
    calls: [
      {
        tool: 'f',
        matchers: {
          a: 'exact',
          b: 'ignore',
          c: 'subset',
          d: 'superset',
          e: 'contains',
          f: 'caseInsensitive',
          g: 'date',
          h: 'unordered',
          i: 'type',
          j: 'optional',
          k: 'normalized',
          l: 'coerce',
        },
      },
    ],
  },
  'null and defaults': { calls: [], nullIsAbsent: true, schemaDefaults: false },
  'every matcher with a value': {
    calls: [
      {
        tool: 'f',
        matchers: {
          a: { match: 'date' },
          b: { oneOf: [1, null, { x: [] }] },
          c: { regex: '^[A-Z]{2}\\d+$' },
          d: { contains: 'x' },
          e: { contains: ['x', 1] },
          f: { tolerance: 0 },
          g: { tolerance: { absolute: 1, relative: 0.5 } },
          h: { tolerance: {} },
          i: { type: 'integer' },
          j: { type: ['string', 'null'] },
          k: { schema: { type: 'string', minLength: 2 } },
          l: { schema: true },
          m: { compare: 'mine' },
          n: { similar: 0.9 },
          o: { range: { min: 1, max: 1 } },
          p: { range: { min: -1 } },
          q: { range: { max: 0.5 } },
          r: { oneOf: ['San Francisco, CA'], match: 'normalized' },
          s: { match: 'date', oneOf: [], default: 1 },
        },
      },
    ],
  },
  'what is said beside a matcher': {
    calls: [
      {
        tool: 'f',
        matchers: {
          a: { optional: true },
          b: { default: null },
          c: { label: 'five' },
          d: {},
          e: { oneOf: [], default: 1 },
        },
      },
    ],
  },
  'all sorts of paths': {
    calls: [
      {
        tool: 'f',
        matchers: {
          '': 'superset',
          a: 'ignore',
          'a.b': 'ignore',
          'a[0]': 'ignore',
          'a[12][*].*.b': 'ignore',
          '*': 'ignore',
          '[*]': 'ignore',
          '["odd.key"]': 'ignore',
          '*_id': 'ignore',
          'filters.*_at[*]': 'ignore',
          '["*_id"]': 'ignore',
          'a["q\\"]"].c': 'ignore',
          'a]': 'ignore',
          'å ß-1': 'ignore',
        },
      },
    ],
  },
};

/** What can't be said of a document: by a JSON Schema, by the types of TypeScript. */
const NOT_IN_SCHEMA = { schema: 'good' };
const NOT_IN_TYPES = { types: 'good' };

/** Documents that are not as they should be: each with the place of what is wrong, and where that can't be said. */
export const BAD = {
  'no calls': [{}, undefined],
  'another name for the calls': [{ call: [] }, undefined],
  'a member of another name': [{ calls: [], matcher: {} }, 'matcher'],
  'calls that are no list': [{ calls: {} }, undefined],
  'a call that is a number': [{ calls: [5] }, 'calls[0]'],
  'a call that is null': [{ calls: [null] }, 'calls[0]'],
  'a call without a tool': [{ calls: [{ args: {} }] }, 'calls[0].tool'],
  'a tool that is no text': [{ calls: [{ tool: 5 }] }, 'calls[0].tool'],
  'an order of another name': [{ calls: [], order: 'sorted' }, 'order'],
  'an order that is null': [{ calls: [], order: null }, 'order'],
  'an optional call of another type': [{ calls: [{ tool: 'f', optional: 'yes' }] }, 'calls[0].optional'],
  'times that are text': [{ calls: [{ tool: 'f', times: '2' }] }, 'calls[0].times'],
  'times with a fraction': [{ calls: [{ tool: 'f', times: 1.5 }] }, 'calls[0].times', NOT_IN_TYPES],
  'times below nothing': [{ calls: [{ tool: 'f', times: -1 }] }, 'calls[0].times', NOT_IN_TYPES],
  'too many times': [{ calls: [{ tool: 'f', times: 10001 }] }, 'calls[0].times', NOT_IN_TYPES],
  'times by another name': [{ calls: [{ tool: 'f', times: { least: 1 } }] }, 'calls[0].times.least'],
  'a bound that is null': [{ calls: [{ tool: 'f', times: { min: null } }] }, 'calls[0].times.min'],
  'bounds the wrong way round': [
    { calls: [{ tool: 'f', times: { min: 3, max: 2 } }] },
    'calls[0].times.max',
    { ...NOT_IN_SCHEMA, ...NOT_IN_TYPES },
  ],
  'no alternative': [{ calls: [{ anyOf: [] }] }, 'calls[0].anyOf', NOT_IN_TYPES],
  'alternatives that are no list': [{ calls: [{ anyOf: {} }] }, 'calls[0].anyOf'],
  'an alternative without a tool': [{ calls: [{ anyOf: [{ args: {} }] }] }, 'calls[0].anyOf[0].tool'],
  'an alternative that is made some times': [
    { calls: [{ anyOf: [{ tool: 'f', times: 2 }] }] },
    'calls[0].anyOf[0].times',
  ],
  'alternatives of alternatives': [{ calls: [{ anyOf: [{ anyOf: ['f'] }] }] }, 'calls[0].anyOf[0].anyOf'],
  'a tool beside alternatives': [{ calls: [{ tool: 'f', anyOf: ['g'] }] }, 'calls[0].tool'],
  'matchers beside alternatives': [{ calls: [{ anyOf: ['f'], matchers: 'superset' }] }, 'calls[0].matchers'],
  'forbidden calls that are no list': [{ calls: [], forbidden: 'f' }, 'forbidden'],
  'a forbidden call without a tool': [{ calls: [], forbidden: [{}] }, 'forbidden[0].tool'],
  'a forbidden call that is optional': [
    { calls: [], forbidden: [{ tool: 'f', optional: true }] },
    'forbidden[0].optional',
  ],
  'matchers that are a list': [{ calls: [], matchers: [] }, 'matchers'],
  'matchers of no tool': [{ calls: [], matchers: 'superset' }, 'matchers'],
  'a matcher of another name': [{ calls: [{ tool: 'f', matchers: { a: 'equal' } }] }, 'calls[0].matchers.a'],
  'a matcher for all arguments of another name': [{ calls: [{ tool: 'f', matchers: 'equal' }] }, 'calls[0].matchers'],
  'matchers that are null': [{ calls: [{ tool: 'f', matchers: null }] }, 'calls[0].matchers'],
  'a matcher with another member': [
    { calls: [{ tool: 'f', matchers: { a: { oneof: [1] } } }] },
    'calls[0].matchers.a.oneof',
  ],
  'two matchers': [
    { calls: [{ tool: 'f', matchers: { a: { regex: 'x', oneOf: [1] } } }] },
    'calls[0].matchers.a.oneOf',
  ],
  'a name beside a matcher that is not oneOf': [
    { calls: [{ tool: 'f', matchers: { a: { regex: 'x', match: 'normalized' } } }] },
    'calls[0].matchers.a.match',
  ],
  'a third matcher': [
    { calls: [{ tool: 'f', matchers: { a: { oneOf: [1], match: 'normalized', type: 'string' } } }] },
    'calls[0].matchers.a.type',
  ],
  'a similarity above 1': [
    { calls: [{ tool: 'f', matchers: { a: { similar: 1.1 } } }] },
    'calls[0].matchers.a.similar',
    NOT_IN_TYPES,
  ],
  'a similarity that is text': [
    { calls: [{ tool: 'f', matchers: { a: { similar: 'high' } } }] },
    'calls[0].matchers.a.similar',
  ],
  'a range without bounds': [{ calls: [{ tool: 'f', matchers: { a: { range: {} } } }] }, 'calls[0].matchers.a.range'],
  'a range that is a number': [{ calls: [{ tool: 'f', matchers: { a: { range: 5 } } }] }, 'calls[0].matchers.a.range'],
  'a bound of a range that is text': [
    { calls: [{ tool: 'f', matchers: { a: { range: { min: '1' } } } }] },
    'calls[0].matchers.a.range.min',
  ],
  'a range with another member': [
    { calls: [{ tool: 'f', matchers: { a: { range: { min: 1, most: 2 } } } }] },
    'calls[0].matchers.a.range.most',
  ],
  'a range the wrong way round': [
    { calls: [{ tool: 'f', matchers: { a: { range: { min: 2, max: 1 } } } }] },
    'calls[0].matchers.a.range.max',
    { ...NOT_IN_SCHEMA, ...NOT_IN_TYPES },
  ],
  'null that is absent by text': [{ calls: [], nullIsAbsent: 'yes' }, 'nullIsAbsent'],
  'defaults of schemas that are null': [{ calls: [], schemaDefaults: null }, 'schemaDefaults'],
  'the match of another name': [
    { calls: [{ tool: 'f', matchers: { a: { match: 'oneOf' } } }] },
    'calls[0].matchers.a.match',
  ],
  'oneOf that is no list': [{ calls: [{ tool: 'f', matchers: { a: { oneOf: 1 } } }] }, 'calls[0].matchers.a.oneOf'],
  'a pattern that is none': [
    { calls: [{ tool: 'f', matchers: { a: { regex: '(' } } }] },
    'calls[0].matchers.a.regex',
    NOT_IN_TYPES,
  ],
  'a pattern that is no text': [{ calls: [{ tool: 'f', matchers: { a: { regex: 1 } } }] }, 'calls[0].matchers.a.regex'],
  'a tolerance below nothing': [
    { calls: [{ tool: 'f', matchers: { a: { tolerance: -0.1 } } }] },
    'calls[0].matchers.a.tolerance',
    NOT_IN_TYPES,
  ],
  'a tolerance with another member': [
    { calls: [{ tool: 'f', matchers: { a: { tolerance: { relativ: 1 } } } }] },
    'calls[0].matchers.a.tolerance.relativ',
  ],
  'a type of another name': [{ calls: [{ tool: 'f', matchers: { a: { type: 'text' } } }] }, 'calls[0].matchers.a.type'],
  'a schema that is none': [
    { calls: [{ tool: 'f', matchers: { a: { schema: { type: 5 } } } }] },
    'calls[0].matchers.a.schema',
    { ...NOT_IN_SCHEMA, ...NOT_IN_TYPES },
  ],
  'a schema that is text': [
    { calls: [{ tool: 'f', matchers: { a: { schema: 'string' } } }] },
    'calls[0].matchers.a.schema',
  ],
  'a comparator that is no name': [
    { calls: [{ tool: 'f', matchers: { a: { compare: 1 } } }] },
    'calls[0].matchers.a.compare',
  ],
  'a label that is no text': [{ calls: [{ tool: 'f', matchers: { a: { label: 1 } } }] }, 'calls[0].matchers.a.label'],
  'an argument that is optional by text': [
    { calls: [{ tool: 'f', matchers: { a: { optional: 'yes' } } }] },
    'calls[0].matchers.a.optional',
  ],
  ...Object.fromEntries(
    ['.', 'a.', '.a', 'a..b', 'a[', 'a[x]', 'a[-1]', 'a[+1]', 'a["b]', 'a[0]b', '[1', '[]'].map(path => [
      `the path ${path}`,
      [
        { calls: [{ tool: 'f', matchers: { [path]: 'exact' } }] },
        `calls[0].matchers[${JSON.stringify(path)}]`,
        NOT_IN_TYPES,
      ],
    ]),
  ),
};
