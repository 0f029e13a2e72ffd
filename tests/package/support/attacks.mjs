import { counted } from './work.mjs';

const { compileTools, importTrajectory, scoreToolCalls, validateToolCall, validateTurn, reportTrajectories } =
  await counted('toolgauge');

const times = (count, make) => Array.from({ length: count }, (_, index) => make(index));
const record = (count, make) => Object.fromEntries(times(count, index => make(index)));
const nested = levels => times(levels, String).reduce(inner => ({ a: inner }), 1);

/** Judges one call by one schema. Text is prepared here, so that only the package's own work is counted. */
function judging(parameters, args) {
  const call = JSON.stringify({ name: 'f', arguments: args, result: 1 });
  const tools = JSON.stringify({ f: { name: 'f', parameters } });
  return () => validateToolCall(call, tools);
}

const pattern = (source, text = `${'a'.repeat(50_000)}!`) =>
  judging({ properties: { s: { pattern: source } } }, { s: text });

const node = alternatives => ({ $ref: '#/$defs/node', $defs: { node: alternatives } });
const child = { type: 'object', properties: { a: { $ref: '#/$defs/node' } } };

/** A chain of definitions, each made by `link` from a reference to the next; the last one is `end`. */
function chain(length, link, end) {
  const definitions = record(length, index => [`d${index}`, link({ $ref: `#/$defs/d${index + 1}` })]);
  return { $ref: '#/$defs/d0', $defs: { ...definitions, [`d${length}`]: end } };
}

const words = count => times(count, index => `word-${index}`);
const calls = (count, args) => times(count, index => ({ tool: 'f', args: args(index) }));

/** Inputs of a few megabytes at most that cost much more than their size, by what they are. */
export const ATTACKS = {
  'a pattern of nested repetitions': () => pattern('(a+)+$'),
  'a pattern of overlapping alternatives': () => pattern('^(a|aa)+$'),
  'nested repetitions in a look-ahead': () => pattern('^(?=(a+)+$)'),
  'look-aheads that start again everywhere': () => pattern('(?=.*a)(?=.*b)(x+x+)+y'),
  'a look-behind of any length': () => pattern('(?<!a+)b'),
  'nested repetitions with a back-reference': () => pattern('^(?:(a+)\\1?)+$'),
  'a back-reference on thousands of texts': () =>
    judging(
      { items: { pattern: '^(?:(a+)\\1?)+$' } },
      times(5000, () => `${'a'.repeat(40)}!`),
    ),
  'a pattern of huge repetitions': () => pattern('(?:a{0,9999}){0,9999}'),
  'a pattern of a million letters': () => pattern(`^${'a?'.repeat(500_000)}$`, 'a'.repeat(1000)),
  'thousands of patterns': () =>
    judging(
      { patternProperties: record(3000, index => [`^${index}(a+)+$`, {}]) },
      record(300, index => [`k${index}`, 1]),
    ),
  'nested repetitions in the names of properties': () =>
    judging({ patternProperties: { '(a+)+$': { type: 'string' } } }, { [`${'a'.repeat(50_000)}!`]: 1 }),
  'nested repetitions in property names': () =>
    judging({ propertyNames: { pattern: '^(?=(a+)+$)' } }, { [`${'a'.repeat(50_000)}!`]: 1 }),

  'alternatives that double with each level of the data': () =>
    judging(node({ anyOf: [child, { ...child, required: ['b'] }] }), nested(200)),
  'exclusive alternatives that double with each level of the data': () =>
    judging(node({ oneOf: [{ type: 'integer' }, child, child] }), nested(200)),
  'definitions that double with each reference': () =>
    judging(
      chain(200, next => ({ allOf: [next, next] }), { type: 'string' }),
      {},
    ),
  'alternatives that double with each reference': () =>
    judging(
      chain(200, next => ({ anyOf: [next, next] }), { type: 'string' }),
      {},
    ),
  'negations that double with each reference': () =>
    judging(
      chain(200, next => ({ not: { anyOf: [next, next] } }), { type: 'string' }),
      {},
    ),
  'conditions that double with each level of the data': () =>
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    judging(node({ if: child, then: child, else: child }), nested(200)),
  'unevaluated properties of doubling alternatives': () =>
    judging(
      { ...chain(200, next => ({ anyOf: [next, { ...next, required: ['x'] }] }), {}), unevaluatedProperties: false },
      { a: 1 },
    ),
  'a chain of thousands of references': () =>
    judging(
      chain(10_000, next => next, { type: 'string' }),
      {},
    ),

  'an enum of 200,000 values': () => judging({ properties: { s: { enum: words(200_000) } } }, { s: 'x' }),
  'an enum of 20,000 values for 5,000 items': () => judging({ items: { enum: words(20_000) } }, words(5000)),
  'an enum of 5,000 objects for 2,000 items': () =>
    judging(
      { items: { enum: times(5000, index => ({ a: index })) } },
      times(2000, () => ({ a: -1 })),
    ),
  '100,000 properties': () =>
    judging(
      { additionalProperties: { type: 'integer' } },
      record(100_000, index => [`k${index}`, index]),
    ),
  '100,000 unexpected properties beside 20,000 known ones': () =>
    judging(
      { properties: record(20_000, index => [`p${index}`, {}]), additionalProperties: false },
      record(100_000, index => [`k${index}`, index]),
    ),
  '100,000 property names that are wrong': () =>
    judging(
      { propertyNames: { maxLength: 2 } },
      record(100_000, index => [`k${index}`, index]),
    ),
  '20,000 missing properties': () =>
    judging(
      { properties: record(20_000, index => [`p${index}`, {}]), required: times(20_000, index => `p${index}`) },
      {},
    ),
  'a million items of the wrong type': () =>
    judging(
      { items: { type: 'integer' } },
      times(1_000_000, () => 'x'),
    ),
  '100,000 items that must be unique': () =>
    judging(
      { uniqueItems: true },
      times(100_000, index => ({ a: index % 99_999 })),
    ),
  'a number of a million digits': () => () =>
    validateToolCall(`{"name":"f","result":1,"arguments":{"n":${'9'.repeat(1_000_000)}}}`),
  'a multiple of a tiny number': () => judging({ properties: { n: { multipleOf: 1e-300 } } }, { n: 1e300 }),
  'a length that no text has': () => judging({ properties: { s: { minLength: 1e300, maxLength: 1e308 } } }, { s: 'x' }),

  '3,000 unknown calls beside 3,000 tools': () => {
    const tools = compileTools(times(3000, index => ({ name: `tool_number_${index}`, parameters: {} })));
    const tool_calls = times(3000, index => ({ name: `tool_nmber_${index}`, arguments: {}, result: 1 }));
    const turn = JSON.stringify({ turn_id: 1, role: 'agent', content: '', tool_calls });
    return () => validateTurn(turn, tools);
  },
  '20,000 calls that differ from 3,000 tools in their prefix alone': () => {
    const tools = compileTools(times(3000, index => ({ name: `s${index}__t`, parameters: {} })));
    const tool_calls = times(20_000, index => ({ name: `q${index}__t`, arguments: {}, result: 1 }));
    const turn = JSON.stringify({ turn_id: 1, role: 'agent', content: '', tool_calls });
    return () => validateTurn(turn, tools);
  },
  '20,000 calls to compare with 20,000 others': () => {
    const input = JSON.stringify({ expected: calls(20_000, n => ({ n })), actual: calls(20_000, n => ({ n: -n })) });
    return () => scoreToolCalls(input);
  },
  '150 calls with 5,000 arguments to compare with 150 others': () => {
    const many = index => ({ many: words(5000), index });
    const input = JSON.stringify({ expected: calls(150, many), actual: calls(150, index => many(-1 - index)) });
    return () => scoreToolCalls(input);
  },
  'a conversation of one id used 100,000 times': () => {
    const call = { id: 'x', type: 'function', function: { name: 'f', arguments: '{}' } };
    const result = { role: 'tool', tool_call_id: 'x', content: 'ok' };
    const messages = [{ role: 'assistant', content: null, tool_calls: times(50_000, () => call) }];
    const text = JSON.stringify([...messages, ...times(50_000, () => result)]);
    return () => importTrajectory(text);
  },
  '100,000 results without an id': () => {
    const call = { type: 'function', function: { name: 'f', arguments: '{}' } };
    const messages = [{ role: 'assistant', content: null, tool_calls: times(50_000, () => call) }];
    const text = JSON.stringify([...messages, ...times(50_000, () => ({ role: 'tool', content: 'ok' }))]);
    return () => importTrajectory(text);
  },
  '20,000 broken argument texts': () => {
    const call = { id: 'x', type: 'function', function: { name: 'f', arguments: `{"a": "${'x'.repeat(50)}` } };
    const text = JSON.stringify([{ role: 'assistant', content: null, tool_calls: times(20_000, () => call) }]);
    return () => importTrajectory(text);
  },
  'a million escapes of lone surrogates': () => () =>
    validateToolCall(`{"name":"f","result":1,"arguments":{"s":"${'\\ud83d'.repeat(1_000_000)}"}}`),
  'a report of a name of a million letters': () => {
    const turns = [
      { turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'x'.repeat(1_000_000), arguments: {} }] },
    ];
    const text = JSON.stringify({ turns });
    return () => reportTrajectories(text, [], { width: 40 });
  },
};
