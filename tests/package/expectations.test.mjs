// What should be called: the schema of expectation files, matchers, order, alternatives, counts, forbidden calls,
// comparators, and what expectations are read from.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { anyExpectations } from '../fuzz/support/expectations.mjs';
import { Random } from '../fuzz/support/random.mjs';
import { assertFails, forms, outcomeOf } from './support/assertions.mjs';
import { consumer, folderIn, fromConsumer, run, runTool } from './support/consumer.mjs';
import { BAD, GOOD } from './support/expectation-documents.mjs';
import { ANSWER, CALL, MESSAGES, ROLLOUT } from './support/inputs.mjs';
import { matchersMissingIn, SCHEMA } from './support/matcher-names.mjs';

const {
  compileTools,
  importExpectations,
  reportCallLists,
  reportTrajectoryScores,
  scoreToolCalls,
  scoreTrajectories,
  ToolgaugeError,
  validateSchema,
  validateToolCall,
} = await fromConsumer('toolgauge');

suite('the JSON Schema of expectation files', () => {
  // Calls by turns need a conversation.
  const actual = { turns: [] };
  const documents = [
    ...Object.entries(GOOD).map(([name, document]) => ({ name, document, good: true })),
    ...Object.entries(BAD).map(([name, [document, path, others]]) => ({ name, document, path, ...others })),
  ];
  const comparators = { mine: () => true };

  test('the core takes what is good, and refuses what is bad at its place', () => {
    for (const { name, document, good, path } of documents) {
      const score = () => scoreToolCalls({ expected: document, actual, comparators, opinions: {}, tools: [] });
      if (good) assert.equal(typeof score().score, 'number', name);
      else if (path === undefined) assert.throws(score, ToolgaugeError, name);
      else assertFails(score, { code: 'invalid_input', path: `expected${path.startsWith('[') ? '' : '.'}${path}` });
    }
  });

  test('importExpectations takes and refuses the same', () => {
    for (const { name, document, good } of documents) {
      if (good) {
        const { calls, turns } = importExpectations(document).value;
        assert.ok(calls ?? turns, name);
      } else assert.throws(() => importExpectations(document), ToolgaugeError, name);
    }
  });

  test('Ajv comes to the same verdicts, in strict mode', () => {
    const formats = { regex: text => isRegex(text) };
    const valid = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats }).compile(SCHEMA);
    for (const { name, document, good, schema } of documents) {
      assert.equal(valid(document), good === true || schema === 'good', `${name}: ${JSON.stringify(valid.errors)}`);
    }
  });

  test('toolgauge itself comes to the same verdicts', () => {
    for (const { name, document, good, schema } of documents) {
      const { issues } = validateSchema({ arguments: document }, { name: 'f', parameters: SCHEMA });
      assert.equal(issues.length === 0, good === true || schema === 'good', `${name}: ${JSON.stringify(issues)}`);
    }
  });

  test('the compiler comes to the same verdicts on the declared types', async t => {
    const lines = documents.map(({ name, document, good, types }, at) => {
      const literal = `export const x${at}: Expected = ${JSON.stringify(document)};`;
      return good || types === 'good' ? `// ${name}\n${literal}` : `// @ts-expect-error ${name}\n${literal}`;
    });
    const header = `import type { ExpectedCallInput, Expectations } from 'toolgauge';
      type Expected = Expectations | readonly ExpectedCallInput[];\n`;
    const folder = folderIn(consumer, t, { 'main.mts': header + lines.join('\n') });
    const strict = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', '--types', ''];
    const { stdout } = await runTool('tsc', [...strict, '--module', 'node16', 'main.mts'], { cwd: folder });
    assert.equal(stdout, '');
  });

  test('has no matcher that the documents lack', () => {
    assert.deepEqual(matchersMissingIn(matchersOf(Object.values(GOOD))), []);
  });

  test('has no matcher that random expectations lack, but for dates, comparators, judges and labels', () => {
    const random = Array.from({ length: 2_000 }, (_, at) => anyExpectations(new Random(at)));
    assert.deepEqual(matchersMissingIn(matchersOf(random)), ['date', '{compare}', '{judge}', '{label}']);
  });

  test('says what each of its parts is', () => {
    const silent = [];
    const visit = (schema, place) => {
      if (typeof schema !== 'object') return;
      for (const [name, property] of Object.entries(schema.properties ?? {})) {
        const said = property.description ?? SCHEMA.$defs[property.$ref?.replace('#/$defs/', '')]?.description;
        if (property !== false && !said) silent.push(`${place}.${name}`);
        visit(property, `${place}.${name}`);
      }
      for (const keyword of ['anyOf', 'allOf', 'oneOf'])
        schema[keyword]?.forEach((part, at) => {
          visit(part, `${place}.${keyword}[${at}]`);
        });
    };
    for (const [name, definition] of Object.entries(SCHEMA.$defs)) {
      if (!definition.description) silent.push(name);
      visit(definition, name);
    }
    assert.deepEqual(silent, []);
  });

  test('is imported by its name, and of draft 2020-12', async t => {
    const code = `import schema from 'toolgauge/expectations.schema.json' with { type: 'json' };
      import { createRequire } from 'node:module';
      const required = createRequire(import.meta.url)('toolgauge/expectations.schema.json');
      console.log(schema.$schema, schema.$id === required.$id);`;
    const folder = folderIn(consumer, t, { 'main.mjs': code });
    const { stdout } = await run('node', ['--no-warnings', 'main.mjs'], { cwd: folder });
    assert.equal(stdout, 'https://json-schema.org/draft/2020-12/schema true\n');
  });
});

/** The matchers by path of all calls in these expectations. */
function matchersOf(documents) {
  const calls = documents.flatMap(document => document.calls ?? document);
  const patterns = calls.flatMap(call => call.anyOf ?? [call]);
  return patterns.flatMap(({ matchers = {} }) => (typeof matchers === 'string' ? [matchers] : Object.values(matchers)));
}

function isRegex(text) {
  try {
    return Boolean(new RegExp(text, 'u'));
  } catch {
    return false;
  }
}

const f = (args, more = {}) => ({ tool: 'f', args, ...more });
const score = (expected, actual, options = {}) => scoreToolCalls({ expected, actual, ...options });

/** What is said of the one call that differs. */
const differing = (...given) => score(...given).incorrectCalls.map(({ details }) => details);

suite('each matcher takes what it should, and says what it asks for otherwise', () => {
  const cases = [
    ['exact', 5, [5.0], '5', 'expected 5, got "5"'],
    ['ignore', 5, ['x', null, []], undefined, undefined],
    ['subset', { a: 1, b: 2 }, [{ a: 1 }, {}], { z: 1 }, 'args.x.z: expected nothing, got 1'],
    ['superset', { a: 1 }, [{ a: 1, b: 2 }], {}, 'args.x.a: expected 1, got nothing'],
    ['contains', 'Oslo', ['to Oslo'], 'Bergen', 'expected something that contains "Oslo", got "Bergen"'],
    ['caseInsensitive', 'Oslo', ['OSLO'], 'Oslos', 'expected "Oslo" in any case, got "Oslos"'],
    ['date', '2024-05-16', ['May 16, 2024'], '2024-05-17', 'expected the moment "2024-05-16", got "2024-05-17"'],
    ['unordered', ['a', 'b'], [['b', 'a']], ['b', 'c'], 'args.x[0]: expected "a", got "c"'],
    ['type', 'text', ['another'], 5, 'expected a value of type string, got 5'],
    ['optional', 5, [5, null], 6, 'expected 5, got 6'],
    [{ match: 'caseInsensitive', optional: true }, 'a', ['A', null], 'b', 'expected "a" in any case, got "b"'],
    [{ oneOf: ['km', 'mi'] }, 'm', ['km', 'mi', 'm'], 'cm', 'expected one of "m", "km", "mi", got "cm"'],
    [{ regex: '^[A-Z]{2}$' }, undefined, ['AB'], 'ab', 'expected a text that matches "^[A-Z]{2}$", got "ab"'],
    [
      { contains: ['a', 'b'] },
      undefined,
      [['c', 'b', 'a']],
      ['a'],
      'expected something that contains "a", "b", got ["a"]',
    ],
    [{ tolerance: 0.5 }, 10, [10.5, 9.5, 10], 10.6, 'expected 10 ± 0.5, got 10.6'],
    [{ tolerance: { relative: 0.1 } }, 200, [220, 180], 221, 'expected 200 ± 10%, got 221'],
    [{ type: ['integer', 'null'] }, undefined, [7, null], 7.5, 'expected a value of type integer or null, got 7.5'],
    [
      'normalized',
      'San Francisco, CA',
      ['san francisco ca', 'San_Francisco/CA'],
      'San Jose',
      'expected "San Francisco, CA" in any case and punctuation, got "San Jose"',
    ],
    [
      'normalized',
      ['A, B', { c: 'd.e' }],
      [['a b', { c: 'DE' }]],
      ['a', { c: 'de' }],
      'args.x[0]: expected "A, B" in any case and punctuation, got "a"',
    ],
    [
      { oneOf: ['San Francisco, CA', 'SF'], match: 'normalized' },
      undefined,
      ['sf', 'san francisco ca'],
      'LA',
      'expected one of "San Francisco, CA", "SF" (normalized), got "LA"',
    ],
    ['coerce', 5, ['5', 5, '5.0', [5]], 'five', 'expected 5 in any type, got "five"'],
    ['coerce', true, ['true', 'True'], 1, 'expected true in any type, got 1'],
    [
      { similar: 0.9 },
      'San Francisco',
      ['San Fransisco'],
      'San Frantisko',
      'expected a text like "San Francisco" (similarity from 0.9), got "San Frantisko"',
    ],
    [{ range: { min: 1, max: 10 } }, undefined, [1, 10, 2.5], 11, 'expected a number from 1 to 10, got 11'],
    [{ schema: { minLength: 3 } }, undefined, ['abc'], 'ab', 'expected a value that the schema accepts, got "ab"'],
    [{ default: 10 }, undefined, [10], 5, 'expected 10, got 5'],
    [{ regex: '^\\d+$', label: 'digits' }, undefined, ['12'], 'x', 'expected digits, got "x"'],
  ];
  test('all but comparators, and judges, which judged-score.test.mjs tests', () => {
    assert.deepEqual(matchersMissingIn(cases.map(([matcher]) => matcher)), ['{compare}', '{judge}']);
  });

  for (const [matcher, expected, accepted, refused, says] of cases) {
    test(JSON.stringify(matcher), () => {
      const options = { matchers: { f: { x: matcher } } };
      const wanted = expected === undefined ? f({}) : f({ x: expected });
      for (const x of accepted) assert.equal(score([wanted], [f({ x })], options).score, 1, JSON.stringify(x));
      if (says === undefined) return;
      const difference = says.startsWith('args') ? says : `args.x: ${says}`;
      assert.deepEqual(differing([wanted], [f({ x: refused })], options), [difference]);
    });
  }

  test('a default stands for what is left out, on either side', () => {
    const options = { matchers: { f: { limit: { default: 10 } } } };
    assert.equal(score([f({})], [f({ limit: 10 })], options).score, 1);
    assert.equal(score([f({ limit: 10 })], [f({})], options).score, 1);
    assert.deepEqual(differing([f({ limit: 5 })], [f({})], options), ['args.limit: expected 5, got 10']);
  });

  test('what is ignored or optional may be missing', () => {
    for (const matcher of ['ignore', 'optional']) {
      assert.equal(score([f({ id: 1 })], [f({})], { matchers: { f: { id: matcher } } }).score, 1);
    }
  });
});

suite('matchers are for tools and places', () => {
  test('of one tool, of all tools, of one call: the more special counts', () => {
    const expected = {
      matchers: { f: { q: 'exact' }, '*': { q: 'caseInsensitive' } },
      calls: [f({ q: 'A' }), { tool: 'g', args: { q: 'A' } }, f({ q: 'B' }, { matchers: { q: 'caseInsensitive' } })],
    };
    const actual = [f({ q: 'a' }), { tool: 'g', args: { q: 'a' } }, f({ q: 'b' })];
    assert.deepEqual(differing(expected, actual), ['args.q: expected "A", got "a"']);
  });

  test('a star in a path stands for any characters of a key, except in brackets', () => {
    const args = { order_id: 1, filters: { made_at: 'a', 'x*': 1 } };
    const other = { order_id: 2, filters: { made_at: 'b', 'x*': 2 }, request_id: 3 };
    const matchers = { '*_id': 'ignore', 'filters.*_at': 'ignore', 'filters["x*"]': 'ignore' };
    assert.equal(score([f(args, { matchers })], [f(other)]).score, 1);
    const literal = { ...matchers, 'filters["*_at"]': 'exact', '["*_id"]': 'exact' };
    assert.equal(score([f(args, { matchers: literal })], [f(other)]).score, 1);
    const long = `${'a'.repeat(20_000)}b`;
    const many = `${'*a'.repeat(5_000)}*c`;
    assert.equal(score([f({ [long]: 1 }, { matchers: { [many]: 'ignore' } })], [f({ [long]: 2 })]).score, 0);
  });

  test('of one name for all arguments', () => {
    assert.equal(score([f({ a: 1 }, { matchers: 'superset' })], [f({ a: 1, b: 2 })]).score, 1);
    assert.equal(score([f({ a: 1 })], [f({ a: 1, b: 2 })], { matchers: { '*': 'superset' } }).score, 1);
  });

  test('members, items, and any of them', () => {
    const args = { filters: { lang: 'no', tags: [{ id: 1, name: 'A' }] }, 'odd.key': { note: 'X' } };
    const other = { filters: { lang: 'NO', tags: [{ id: 2, name: 'A' }] }, 'odd.key': { note: 'x' } };
    const all = {
      'filters.lang': 'caseInsensitive',
      'filters.tags[*].id': 'ignore',
      '*.note': 'caseInsensitive',
    };
    assert.equal(score([f(args, { matchers: all })], [f(other)]).score, 1);
    const without = path => differing([f(args, { matchers: { ...all, [path]: 'exact' } })], [f(other)]);
    assert.deepEqual(without('filters.lang'), ['args.filters.lang: expected "no", got "NO"']);
    assert.deepEqual(without('filters.tags[*].id'), ['args.filters.tags[0].id: expected 1, got 2']);
    assert.deepEqual(without('filters.tags[0].id'), ['args.filters.tags[0].id: expected 1, got 2']);
    assert.deepEqual(without('["odd.key"].note'), ['args["odd.key"].note: expected "X", got "x"']);
  });

  test('of those that fit one place the last counts', () => {
    const expected = matchers => [f({ a: 1, b: 2 }, { matchers })];
    assert.equal(score(expected({ '*': 'exact', a: 'ignore' }), [f({ a: 9, b: 2 })]).score, 1);
    assert.equal(score(expected({ a: 'ignore', '*': 'exact' }), [f({ a: 9, b: 2 })]).score, 0);
    assert.equal(score(expected({ '': 'ignore', b: 'exact' }), [f({ a: 9, b: 2 })]).score, 1);
    assert.equal(score(expected({ '': 'ignore', b: 'exact' }), [f({ a: 9, b: 3 })]).score, 0);
  });

  test('every place that differs is reported', () => {
    const [call] = score([f({ a: 1, b: { c: [1, 2] } })], [f({ b: { c: [1, 3, 4] }, d: 5 })]).incorrectCalls;
    assert.deepEqual(
      call.differences.map(({ path, kind }) => [path, kind]),
      [
        ['args.a', 'missing'],
        ['args.b.c[1]', 'changed'],
        ['args.b.c[2]', 'unexpected'],
        ['args.d', 'unexpected'],
      ],
    );
  });
});

suite('what is left out', () => {
  const tools = [
    {
      name: 'mcp__web__f',
      inputSchema: {
        type: 'object',
        properties: {
          limit: { type: 'integer', default: 10 },
          filters: {
            type: 'object',
            properties: { lang: { type: 'string', default: 'en' }, since: { type: 'integer' } },
          },
        },
      },
    },
  ];

  test('equals null, at every depth of objects, if the expectations or the options say so', () => {
    const [wanted, made] = [
      { a: 1, b: { c: null } },
      { a: 1, b: {}, d: null },
    ];
    assert.equal(score([f(wanted)], [f(made)]).score, 0);
    assert.equal(score([f(wanted)], [f(made)], { nullIsAbsent: true }).score, 1);
    assert.equal(score({ calls: [f(made)], nullIsAbsent: true }, [f(wanted)]).score, 1);
    assert.equal(score({ calls: [f(made)], nullIsAbsent: true }, [f(wanted)], { nullIsAbsent: false }).score, 0);
    assert.deepEqual(differing([f({ a: [null] })], [f({ a: [] })], { nullIsAbsent: true }), [
      'args.a[0]: expected null, got nothing',
    ]);
  });

  test('equals the default of the schema, on both sides and in nested objects', () => {
    const options = { tools, schemaDefaults: true };
    const pairs = [
      [{ limit: 10 }, {}],
      [{ filters: { lang: 'en', since: 2020 } }, { filters: { since: 2020 } }],
      [{ filters: { lang: 'en' } }, {}],
    ];
    for (const [a, b] of pairs) {
      assert.equal(score([f(a)], [f(b)], options).score, 1);
      assert.equal(score([f(b)], [f(a)], options).score, 1);
      assert.equal(score([f(a)], [f(b)], { tools }).score, 0);
    }
    assert.deepEqual(differing([f({ limit: 5 })], [f({})], options), ['args.limit: expected 5, got 10']);
  });

  test('tools may be text, bytes, compiled, or in the trajectory', () => {
    const text = JSON.stringify(tools);
    for (const given of [text, new TextEncoder().encode(text), compileTools(tools)]) {
      assert.equal(score([f({ limit: 10 })], [f({})], { tools: given, schemaDefaults: true }).score, 1);
    }
    const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'f', arguments: {} }] }];
    const expected = { calls: [f({ limit: 10 })], schemaDefaults: true };
    assert.equal(scoreToolCalls({ expected, actual: { turns, tools } }).score, 1);
    assertFails(() => scoreToolCalls({ expected, actual: { turns } }), {
      code: 'invalid_option',
      path: 'options.tools',
    });
  });
});

suite('how often, in which order, or not at all', () => {
  const made = tools => [...tools].map(tool => ({ tool, args: {} }));
  const counts = ({ correctCalls, incorrectCalls, missedCalls, extraCalls }) =>
    [correctCalls, incorrectCalls, missedCalls, extraCalls].map(calls => calls.length).join('/');

  test('the name of a tool stands for any call of it', () => {
    const any = score(['f', { anyOf: ['g', 'h'] }], [f({ a: 1 }), { tool: 'h', args: { b: 2 } }]);
    assert.deepEqual([any.score, any.totalExpected], [1, 2]);
    assert.equal(score(['f'], [{ tool: 'mcp__server__f', args: {} }]).score, 1);
  });

  test('an optional call may be left out, and counts as expected when it is made', () => {
    const expected = [f({}), { tool: 'log', args: { n: 1 }, optional: true }];
    assert.equal(score(expected, made('f')).score, 1);
    assert.equal(score(expected, [...made('f'), { tool: 'log', args: { n: 1 } }]).score, 1);
    assert.equal(counts(score(expected, [...made('f'), { tool: 'log', args: { n: 2 } }])), '1/0/0/1');
  });

  test('a call is wanted so many times', () => {
    const times = (times, count) => counts(score([{ tool: 'f', times }], made('f'.repeat(count))));
    assert.deepEqual([times(2, 1), times(2, 2), times(2, 3)], ['1/0/1/0', '2/0/0/0', '2/0/0/1']);
    assert.deepEqual(
      [0, 1, 3, 4].map(count => times({ min: 1, max: 3 }, count)),
      ['0/0/1/0', '1/0/0/0', '3/0/0/0', '3/0/0/1'],
    );
    assert.deepEqual([times({ min: 2 }, 9), times(0, 1), times({ max: 2 }, 0)], ['9/0/0/0', '0/0/0/1', '0/0/1/0']);
  });

  test('one alternative is enough, and the nearest one is reported', () => {
    const expected = [{ anyOf: [f({ q: 'x' }), { tool: 'g', args: { id: 1, n: 2 } }] }];
    assert.equal(score(expected, [{ tool: 'g', args: { id: 1, n: 2 } }]).score, 1);
    assert.deepEqual(differing(expected, [{ tool: 'g', args: { id: 1, n: 3 } }]), ['args.n: expected 2, got 3']);
    const [missed] = score(expected, []).missedCalls;
    assert.equal(missed.details, 'none of "f", "g" was called');
  });

  test('a sequence allows other calls in between, a strict order does not', () => {
    const ordered = (order, calls) => counts(score({ calls: made('abc'), order }, made(calls)));
    assert.deepEqual(
      ['abc', 'axbxc', 'cba', 'acb', 'ac'].map(calls => ordered('sequence', calls)),
      ['3/0/0/0', '3/0/0/2', '1/2/0/0', '2/1/0/0', '2/0/1/0'],
    );
    assert.deepEqual(
      ['abc', 'xabc', 'abcd', 'abx'].map(calls => ordered('strict', calls)),
      ['3/0/0/0', '0/3/0/1', '3/0/0/1', '2/0/1/1'],
    );
    assert.equal(ordered('any', 'cba'), '3/0/0/0');
  });

  test('a call out of order is distinguished from a call with other arguments', () => {
    const { incorrectCalls } = score({ calls: made('ab'), order: 'strict' }, made('ba'));
    assert.deepEqual(
      incorrectCalls.map(({ reason, argsMatch, details, differences }) => [reason, argsMatch, details, differences]),
      [
        ['order', true, 'made out of order: as call 2', []],
        ['order', true, 'made out of order: as call 1', []],
      ],
    );
  });

  test('a forbidden call makes the score 0, whatever else was made', () => {
    const expected = {
      calls: [f({})],
      forbidden: [
        'delete',
        { tool: 'pay', args: { amount: 0 } },
        { tool: 'mail', matchers: { to: { regex: '@evil' } } },
      ],
    };
    const forbidden = call => score(expected, [f({}), call]).forbiddenCalls?.map(call => call.forbidden.tool);
    assert.deepEqual(forbidden({ tool: 'delete', args: { id: 1 } }), ['delete']);
    assert.deepEqual(forbidden({ tool: 'pay', args: { amount: 0 } }), ['pay']);
    assert.deepEqual(forbidden({ tool: 'pay', args: { amount: 5 } }), undefined);
    assert.deepEqual(forbidden({ tool: 'mail', args: { to: 'x@evil', text: 'hi' } }), ['mail']);
    assert.deepEqual(forbidden({ tool: 'mail', args: { to: 'x@good' } }), undefined);
    const result = score(expected, [f({}), { tool: 'delete', args: {} }]);
    assert.deepEqual([result.score, result.f1 > 0, result.summary.endsWith('Forbidden: 1')], [0, true, true]);
  });
});

suite('the tools that exist', () => {
  const tool = (name, readOnlyHint) => ({
    name,
    inputSchema: { type: 'object' },
    ...(readOnlyHint === undefined ? {} : { annotations: { readOnlyHint } }),
  });
  const tools = [tool('search', true), tool('read_file', true), tool('pay', false), tool('write_file')];
  const call = name => ({ tool: name, args: {} });

  test('say which of them only read, so that their calls do not count', () => {
    const actual = ['search', 'read_file', 'mcp__fs__read_file', 'pay', 'write_file'].map(call);
    const expected = { calls: ['pay'], ignoreTools: [{ readOnly: true }] };
    const result = scoreToolCalls({ expected, actual, tools });
    assert.deepEqual(
      [result.totalActual, result.extraCalls.map(extra => extra.tool), result.warnings],
      [2, ['write_file'], undefined],
    );
    const byOption = { expected: ['pay'], actual, tools: JSON.stringify(tools) };
    assert.equal(scoreToolCalls({ ...byOption, ignoreTools: ['write_*', { readOnly: true }] }).score, 1);
    const carried = { turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'search' }] }], tools };
    assert.equal(scoreToolCalls({ expected: { ...expected, calls: [] }, actual: carried }).score, 1);
  });

  test('must be known for that', () => {
    const scored = given => () =>
      scoreToolCalls({ expected: ['pay'], actual: [], ignoreTools: [{ readOnly: true }], ...given });
    assertFails(scored({}), { code: 'invalid_option', path: 'options.tools', says: /readOnly.* needs the tools/ });
    assert.match(
      scored({ tools: [tool('pay')] })().warnings.join(),
      /leaves out nothing, because no tool has annotations/,
    );
    assert.match(scored({ tools: [tool('pay', true)] })().warnings.join(), /leaves out "pay", which is expected/);
  });

  test('show which names and patterns name none of them', () => {
    const expected = {
      calls: ['search', { tool: 'reed_file', args: {} }],
      forbidden: ['pay_*', 'delete'],
      only: ['search', '*_file'],
      ignoreTools: ['log_*', 'think'],
    };
    const { warnings } = scoreToolCalls({ expected, actual: [call('think')], tools });
    assert.deepEqual(
      warnings.filter(warning => warning.includes('no given tool')),
      [
        'calls: no given tool is named "reed_file"; did you mean "read_file"?',
        'forbidden: no given tool is named "delete"',
        'forbidden: no given tool is named "pay_*"; did you mean "pay"?',
        'ignoreTools: no given tool is named "log_*"',
      ],
    );
    const without = scoreToolCalls({ expected, actual: [call('think')] });
    assert.ok(!without.warnings?.some(warning => warning.includes('no given tool')));
  });
});

suite('comparators of the caller', () => {
  const near = { matchers: { f: { city: { compare: 'sameCity' } } } };
  const compared = sameCity =>
    score([f({ city: 'Oslo' })], [f({ city: 'Christiania' })], { ...near, comparators: { sameCity } });

  test('are asked with both values and the place', () => {
    const asked = [];
    const result = compared((...given) => asked.push(given) > 0);
    assert.equal(result.score, 1);
    assert.deepEqual(asked[0], ['Oslo', 'Christiania', { tool: 'f', path: 'args.city' }]);
  });

  test('are asked with undefined where nothing is expected', () => {
    const comparators = { isCity: expected => expected === undefined };
    const calls = [f({}, { matchers: { city: { compare: 'isCity' } } })];
    assert.equal(score(calls, [f({ city: 'Oslo' })], { comparators }).score, 1);
    assert.deepEqual(differing(calls, [f({})], { comparators }), [
      'args.city: expected what "isCity" accepts, got nothing',
    ]);
  });

  test('say no', () => {
    const [call] = compared(() => false).incorrectCalls;
    assert.equal(call.details, 'args.city: expected what "sameCity" takes for "Oslo", got "Christiania"');
  });

  test('work in every function that scores', () => {
    const options = { matchers: { '*': { '': { compare: 'any' } } }, comparators: { any: () => true } };
    const rollout = {
      ...ROLLOUT,
      info: { task: { actions: [{ name: 'book_table', kwargs: { guests: 9 } }] } },
      traj: MESSAGES,
    };
    assert.equal(scoreTrajectories([rollout], options).score, 1);
    assert.equal(reportTrajectoryScores([rollout], options).result.score, 1);
    assert.equal(reportCallLists([f({ n: 1 })], [f({ n: 2 })], options).result.score, 1);
    assert.equal(scoreToolCalls(JSON.stringify({ expected: [f({ n: 1 })], actual: [f({ n: 2 })] }), options).score, 1);
  });

  test('that throw end the call with their error as the cause', () => {
    const cause = new Error('the map is offline');
    assertFails(
      () =>
        compared(() => {
          throw cause;
        }),
      {
        code: 'invalid_option',
        path: 'options.comparators.sameCity',
        cause,
        says: /"sameCity" failed at args\.city of f: the map is offline/,
      },
    );
  });

  test('that answer anything but true or false are refused', async () => {
    const rejected = async () => {
      throw new Error('late');
    };
    for (const answer of [async () => true, rejected, () => 1, () => undefined, () => 'yes']) {
      assertFails(() => compared(answer), { code: 'invalid_option', says: /true or false, and at once/ });
    }
    await new Promise(setImmediate);
  });

  test('that are not given, or no functions, are errors with their names', () => {
    for (const comparators of [undefined, {}, { other: () => true }]) {
      assertFails(() => score([f({ city: 1 })], [], { ...near, comparators }), {
        code: 'invalid_option',
        path: 'options.comparators.sameCity',
      });
    }
    for (const comparators of [null, 5, 'sameCity', { sameCity: 5 }, { sameCity: null }, ['sameCity']]) {
      assertFails(() => score([f({ city: 1 })], [f({ city: 1 })], { ...near, comparators }), {
        code: 'invalid_option',
      });
    }
    const throwing = {
      get sameCity() {
        throw new Error('no');
      },
    };
    assertFails(() => score([f({})], [f({})], { ...near, comparators: throwing }), { code: 'unsupported_value' });
  });

  test('are never looked for in prototypes', () => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      const matchers = { f: { city: { compare: name } } };
      assertFails(() => score([f({ city: 1 })], [f({ city: 1 })], { matchers, comparators: {} }), {
        code: 'invalid_option',
      });
    }
  });

  test('may call toolgauge themselves, to any depth', () => {
    const inner = validateToolCall(CALL);
    const nested = levels =>
      compared(() => {
        assert.deepEqual(validateToolCall(CALL), inner);
        return levels === 0 || nested(levels - 1).score === 1;
      });
    assert.equal(nested(4).score, 1);
    assertFails(() => compared(() => validateToolCall('{').valid), { code: 'invalid_option', says: /sameCity/ });
    assert.deepEqual(validateToolCall(CALL), inner);
  });

  test('may call toolgauge where it fails in the middle of its work: their own call goes on, and so do later ones', () => {
    const wanted = validateToolCall(CALL);
    const child = { type: 'object', properties: { a: { $ref: '#/$defs/node' } } };
    const heavy = { $ref: '#/$defs/node', $defs: { node: { anyOf: [child, { ...child, required: ['b'] }] } } };
    const args = Array.from({ length: 200 }).reduce(inner => ({ a: inner }), 1);
    const stopped = () => {
      assertFails(() => validateToolCall({ name: 'f', arguments: args, result: 1 }, { name: 'f', parameters: heavy }), {
        code: 'limit_exceeded',
      });
      return true;
    };
    for (let round = 0; round < 3; round += 1) {
      assert.equal(compared(stopped).score, 1);
      assert.deepEqual(validateToolCall(CALL), wanted);
    }
  });

  test('that never stop calling run out of stack with an error, and later calls work', () => {
    const wanted = validateToolCall(CALL);
    const endless = () => compared(endless).score === 1;
    assert.throws(() => compared(endless), ToolgaugeError);
    assert.deepEqual(validateToolCall(CALL), wanted);
    assert.equal(compared(() => true).score, 1);
  });
});

suite('expectations come from', () => {
  const expectations = { calls: [f({ q: 'x' })], matchers: { f: 'superset' } };
  const actual = [f({ q: 'x', limit: 5 })];

  test('an object, its text, its bytes', () => {
    for (const form of Object.values(forms(expectations))) assert.equal(score(form, actual).score, 1);
  });

  test('a list, with what each call says', () => {
    const list = [f({ q: 'x' }, { matchers: 'superset', times: { max: 2 } })];
    for (const form of Object.values(forms(list))) assert.equal(score(form, actual).score, 1);
  });

  test('a trajectory: the calls that it says should have been made, or else those made in it', () => {
    const made = [{ tool: 'book_table', args: { guests: 2 } }];
    for (const form of Object.values(forms(MESSAGES))) assert.equal(score(form, made).score, 1);
    for (const form of Object.values(forms(ROLLOUT)))
      assert.equal(score(form, [{ tool: 'list_tables', args: {} }]).score, 1);
  });

  test('another notation, by importExpectations', () => {
    const { value, format, warnings } = importExpectations(ANSWER);
    assert.deepEqual([format, warnings], ['bfcl', []]);
    const scoreOf = args => score(value, [{ tool: 'book_table', args }]).score;
    assert.deepEqual(
      [{ guests: 2 }, { guests: 2, area: 'hall' }, { guests: 3 }, { guests: 2, area: 'roof' }, { area: 'hall' }].map(
        scoreOf,
      ),
      [1, 1, 0, 0, 0],
    );
    assertFails(() => importExpectations(MESSAGES), { code: 'invalid_input', says: /expected calls/ });
  });

  test('answers of BFCL compare texts as BFCL does, and accept what it accepts for an argument that is left out', () => {
    const truth = {
      find: { city: ['San Francisco, CA', 'SF'], day: ['2024-05-16'], limit: [5, ''], tags: [['a b'], ''] },
    };
    const { value } = importExpectations({ id: 'x', ground_truth: [truth] });
    const scoreOf = args => score(value, [{ tool: 'find', args }]).score;
    const args = { city: 'san francisco ca', day: '2024/05/16' };
    const right = [
      args,
      { ...args, city: 'sf' },
      { ...args, limit: 5 },
      { ...args, tags: ['A-B'] },
      { ...args, tags: [] },
    ];
    assert.deepEqual(right.map(scoreOf), [1, 1, 1, 1, 1]);
    const wrong = [
      { ...args, city: 'LA' },
      { ...args, limit: '' },
      { ...args, limit: null },
      { ...args, tags: ['c'] },
    ];
    assert.deepEqual(wrong.map(scoreOf), [0, 0, 0, 0]);
  });

  test('answers with plain objects and without acceptable values are read', () => {
    const ground_truth = [{ headway: { ego: [{ position: [{ lateral: 10.5 }] }] } }, { record: { start: [] } }];
    const { value, warnings } = importExpectations({ id: 'x', ground_truth });
    const { correctCalls } = score(value, [
      { tool: 'headway', args: { ego: { position: { lateral: 10.5 } } } },
      { tool: 'record', args: { start: [] } },
    ]);
    assert.deepEqual([correctCalls.length, correctCalls[0].actual.tool], [1, 'headway']);
    assert.deepEqual(
      warnings.map(({ path }) => path),
      ['ground_truth[1].record.start'],
    );
  });

  test('the expectations that a trajectory contains, rather than its expected calls', () => {
    const turns = [{ turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'f', arguments: { q: 'X' } }] }];
    const expectations = { calls: [f({ q: 'x' })], matchers: { f: { q: 'caseInsensitive' } } };
    const trajectory = { turns, expected_calls: [f({ q: 'x' })], expectations };
    assert.equal(scoreTrajectories(trajectory).score, 1);
    assert.equal(scoreToolCalls({ actual: trajectory }).score, 1);
    assert.equal(scoreTrajectories({ ...trajectory, expectations: undefined }).score, 0);
  });

  test('the arguments that tau2 compares', () => {
    const actions = [
      { name: 'f', arguments: { id: 1, note: 'a' }, compare_args: ['id'] },
      { name: 'g', arguments: { summary: 'a' }, compare_args: [] },
    ];
    const call = (name, args) => ({ id: name, name, arguments: args });
    const scoreOf = id => {
      const tool_calls = [call('f', { id, note: 'b' }), call('g', { summary: 'b' })];
      const messages = [{ role: 'assistant', content: null, tool_calls }];
      const tasks = [{ id: '1', evaluation_criteria: { actions } }];
      return scoreTrajectories({ tasks, simulations: [{ id: 's', task_id: '1', messages }] }).score;
    };
    assert.deepEqual([scoreOf(1), scoreOf(2)], [1, 0.5]);
  });
});

suite('options add to what expectations say', () => {
  const expected = {
    calls: [f({ q: 'A' }), { tool: 'g', args: {} }],
    order: 'strict',
    matchers: { f: { q: 'exact' } },
    forbidden: ['pay'],
  };
  const actual = [{ tool: 'g', args: {} }, f({ q: 'A' })];

  test('order replaces the order', () => {
    assert.equal(score(expected, actual).score, 0);
    assert.equal(score(expected, actual, { order: 'any' }).score, 1);
    assert.equal(score(expected.calls, actual, { order: 'sequence' }).score, 0.5);
  });

  test('matchers count after those of the file and before those of a call', () => {
    const lower = [f({ q: 'a' }), { tool: 'g', args: {} }];
    const matchers = { f: { q: 'caseInsensitive' } };
    assert.equal(score(expected, lower).score, 0.5);
    assert.equal(score(expected, lower, { matchers }).score, 1);
    const own = { ...expected, calls: [f({ q: 'A' }, { matchers: { q: 'exact' } }), expected.calls[1]] };
    assert.equal(score(own, lower, { matchers }).score, 0.5);
  });

  test('forbidden calls are added', () => {
    const { forbiddenCalls } = score(expected, [...actual, { tool: 'pay', args: {} }], { forbidden: ['g'] });
    assert.deepEqual(forbiddenCalls.map(({ actual: { tool } }) => tool).sort(), ['g', 'pay']);
  });

  test('errors in them start with their place in the options', () => {
    const wrong = { order: 'sorted', matchers: { f: { q: 'equal' } }, forbidden: [{}] };
    const paths = { order: 'options.order', matchers: 'options.matchers.f.q', forbidden: 'options.forbidden[0].tool' };
    for (const [name, value] of Object.entries(wrong)) {
      assert.throws(() => score(expected, actual, { [name]: value }), { path: paths[name] });
    }
    assertFails(() => score(expected, actual, { ordre: 'any' }), { code: 'invalid_option', says: /ordre/ });
  });
});

suite('hostile expectations', () => {
  const KEYS = ['__proto__', 'constructor', 'prototype', 'toString'];

  test('names of prototypes are names like others, as tools, arguments and paths', () => {
    for (const key of KEYS) {
      const args = JSON.parse(`{${JSON.stringify(key)}: {"a": 1}}`);
      const other = JSON.parse(`{${JSON.stringify(key)}: {"a": 2}}`);
      const matchers = JSON.parse(`{${JSON.stringify(key)}: {${JSON.stringify(`${key}.a`)}: "ignore"}}`);
      const expected = [{ tool: key, args }];
      assert.deepEqual(differing(expected, [{ tool: key, args: other }]), [`args.${key}.a: expected 1, got 2`]);
      assert.equal(score(expected, [{ tool: key, args: other }], { matchers }).score, 1);
      assert.equal(score([{ tool: key, args }], [{ tool: 'x', args }]).missedCalls[0].expected.tool, key);
    }
    assert.equal({}.a, undefined);
  });

  test('lone surrogates are read as U+FFFD, in tools, arguments and paths', () => {
    const [odd, replaced] = ['\ud83d', '\ufffd'];
    assert.equal(
      score([{ tool: odd, args: { [odd]: odd } }], [{ tool: replaced, args: { [replaced]: replaced } }]).score,
      1,
    );
    assert.equal(score([f({ [odd]: 1 }, { matchers: { [odd]: 'ignore' } })], [f({ [odd]: 2 })]).score, 1);
  });

  test('markup and control characters are kept as they are', () => {
    const odd = '<img src=x onerror=alert(1)>\u001b[31m\u202e';
    const { details } = score([f({ q: odd })], [f({ q: 'x' })]).incorrectCalls[0];
    assert.ok(details.includes('<img'));
    const { text } = reportCallLists([f({ q: odd })], [f({ q: 'x' })]);
    assert.ok(!text.includes('\u001b') && !text.includes('\u202e'));
  });

  test('deep arguments and patterns of any length are compared or refused, never a crash', () => {
    const nest = (levels, inner) => Array.from({ length: levels }).reduce(value => ({ a: value }), inner);
    assert.deepEqual(differing([f(nest(200, 1))], [f(nest(200, 2))])[0].endsWith('expected 1, got 2'), true);
    const path = Array.from({ length: 200 }, () => 'a').join('.');
    assert.equal(score([f(nest(200, 1), { matchers: { [path]: 'ignore' } })], [f(nest(200, 2))]).score, 1);
    assertFails(() => score([f(nest(2000, 1))], []), { code: 'limit_exceeded' });
    const long = 'a?'.repeat(50_000);
    outcomeOf(() => score([f({}, { matchers: { q: { regex: long } } })], [f({ q: 'a' })]), 'a long pattern');
  });
});
