import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { assertFails, forms } from './support/assertions.mjs';
import { consumer, fromConsumer } from './support/consumer.mjs';
import {
  ACTUAL,
  BOOK,
  CALL,
  EXPECTED,
  GOOD_CALL,
  INPUTS,
  MESSAGES,
  NAMED_INPUTS,
  ROLLOUT,
  TOOLS,
  TRAJECTORY,
  TURN,
} from './support/inputs.mjs';

const toolgauge = await fromConsumer('toolgauge');
const {
  checkTrajectories,
  createToolSchema,
  reportCallLists,
  reportTrajectories,
  scoreToolCalls,
  reportTrajectoryScores,
  scoreTrajectories,
  validateSchema,
  validateToolCall,
  validateTrajectory,
  validateTurn,
} = toolgauge;

suite('every function gives the same for an object, its JSON text and the bytes of that text', () => {
  for (const [name, values] of Object.entries(INPUTS)) {
    test(name, () => {
      const call = (...given) => JSON.parse(JSON.stringify(toolgauge[name](...given)));
      const expected = call(...values);
      for (const [at, value] of values.entries()) {
        for (const [form, formed] of Object.entries(forms(value))) {
          assert.deepEqual(call(...values.with(at, formed)), expected, `argument ${at} as ${form}`);
        }
      }
    });
  }

  for (const [name, input] of Object.entries(NAMED_INPUTS)) {
    test(name, async () => {
      const expected = await toolgauge[name](input);
      for (const [member, value] of Object.entries(input)) {
        for (const [form, formed] of Object.entries(forms(value))) {
          const result = await toolgauge[name]({ ...input, [member]: formed });
          assert.deepEqual(result, expected, `${member} as ${form}`);
        }
      }
    });
  }

  test('createToolSchema', () => {
    const { object, text, bytes } = forms(BOOK.parameters);
    const expected = createToolSchema('book_table', object);
    assert.deepEqual(createToolSchema('book_table', text), expected);
    assert.deepEqual(createToolSchema('book_table', bytes), expected);
  });

  test('and no public function is left out of these tests', () => {
    const functions = Object.keys(toolgauge).filter(name => !/^[A-Z]/.test(name));
    const reading = [...Object.keys(INPUTS), ...Object.keys(NAMED_INPUTS), 'createToolSchema'];
    const asking = [...JUDGING, ...JUDGED_SCORES, ...REFLECTION_REQUESTS];
    const covered = [...reading, ...asking, ...BATCHES, ...RUNS, 'explainIssues', 'version'];
    assert.deepEqual(functions.sort(), [...covered, ...INTERNAL].sort());
  });

  test('and what toolgauge/dispatch takes from the core is no public function', () => {
    const types = readFileSync(join(consumer, 'node_modules/toolgauge/dist/esm/index.d.ts'), 'utf8');
    for (const name of INTERNAL) assert.ok(!types.includes(name), `the declarations show ${name}`);
  });
});

/** What `toolgauge/dispatch` takes from the core, which is loaded once. No declaration shows it. */
const INTERNAL = ['dispatchCore', 'visible'];

/** Those of batch.test.mjs. */
const BATCHES = ['checkLines', 'mergeSummaries'];

/** Those of cli-diff.test.mjs. */
const RUNS = ['reportRunDiff'];

/** Those of judges.test.mjs. */
const JUDGING = ['openAiBatchJudge', 'openAiJudge', 'runJudgeBatch', 'runJudges', 'toolChoiceRequest'];

/** Those of judged-score.test.mjs. */
const JUDGED_SCORES = ['scoreToolCallsAsync', 'scoreTrajectoriesAsync', 'valueRequest'];

/** Those of reflection-prompts.test.mjs. */
const REFLECTION_REQUESTS = ['parameterRequest', 'reflectionRequest'];

suite('validation', () => {
  const issuesOf = (call, tools = TOOLS, options = {}) =>
    validateToolCall(call, tools, options).issues.map(({ type, severity }) => `${severity} ${type}`);

  test('a correct call has no issue and the full score', () => {
    const schema = createToolSchema('send_email', {
      properties: { to: { type: 'string', format: 'email' }, subject: { type: 'string' } },
      required: ['to'],
    });
    const call = {
      name: 'send_email',
      arguments: { to: 'user@example.com', subject: 'Hi' },
      result: { status: 'sent' },
    };
    assert.deepEqual(validateToolCall(call, schema), { valid: true, issues: [], suggestions: [], score: 1 });
  });

  test('a call without a name is critical, so the result is invalid', () => {
    assert.deepEqual(validateToolCall({ arguments: {}, result: 1 }, TOOLS), {
      valid: false,
      issues: [
        {
          type: 'missing_tool_name',
          severity: 'critical',
          description: 'the call names no tool',
          details: { callIndex: 0 },
        },
      ],
      suggestions: [],
      score: 0,
    });
  });

  test('absent arguments are reported, and each required one with them', () => {
    const call = { name: 'book_table', result: 1 };
    assert.deepEqual(issuesOf(call), ['high missing_arguments', 'high missing_required_param']);
  });

  test('a value outside its enum says what is allowed', () => {
    const call = { ...GOOD_CALL, arguments: { guests: 2, area: 'roof' } };
    const [issue] = validateToolCall(call, TOOLS).issues;
    assert.deepEqual(issue, {
      type: 'invalid_arguments',
      severity: 'medium',
      description: 'area: expected one of "garden", "hall", got "roof" (string)',
      toolName: 'book_table',
      details: {
        callIndex: 0,
        callId: 'c1',
        path: 'area',
        keyword: 'enum',
        expected: ['garden', 'hall'],
        actual: 'roof',
      },
    });
  });

  test('a number in a string is a type mismatch that carries the number it means', () => {
    const [issue] = validateToolCall({ ...GOOD_CALL, arguments: { guests: '2' } }, TOOLS).issues;
    assert.equal(issue.type, 'type_mismatch');
    assert.equal(issue.severity, 'high');
    const { path, keyword, expected, actual, coercible, coerced } = issue.details;
    assert.deepEqual([path, keyword, expected, actual], ['guests', 'type', 'integer', '2']);
    assert.deepEqual([coercible, coerced], [true, 2]);
  });

  test('a JSON-encoded array is a type mismatch that carries the array', () => {
    const [issue] = validateToolCall(
      { ...GOOD_CALL, arguments: { guests: 2, wishes: '[{"text":"x"}]' } },
      TOOLS,
    ).issues;
    assert.equal(issue.type, 'type_mismatch');
    assert.deepEqual(issue.details.coerced, [{ text: 'x' }]);
  });

  test('a value of the wrong type is not also reported for its enum', () => {
    assert.deepEqual(issuesOf({ ...GOOD_CALL, arguments: { guests: 2, area: 5 } }), ['high type_mismatch']);
  });

  test('a missing required value is reported at its place, nested places too', () => {
    const { issues } = validateToolCall({ ...GOOD_CALL, arguments: { wishes: [{ text: 'x' }, {}] } }, TOOLS);
    assert.deepEqual(issues.map(({ type, details }) => [type, details.path]).sort(), [
      ['missing_required_param', 'guests'],
      ['missing_required_param', 'wishes[1].text'],
    ]);
  });

  test('bounds, formats and unexpected arguments are schema violations with their keyword', () => {
    const { issues } = validateToolCall({ ...GOOD_CALL, arguments: { guests: 0, mail: 'x', gests: 1 } }, TOOLS);
    assert.deepEqual(
      issues.map(({ type, severity, details }) => [type, severity, details.path, details.keyword]).sort(),
      [
        ['schema_violation', 'high', 'gests', 'additionalProperties'],
        ['schema_violation', 'high', 'guests', 'minimum'],
        ['schema_violation', 'high', 'mail', 'format'],
      ],
    );
  });

  test('a call without a result has the issue missing_result', () => {
    assert.deepEqual(issuesOf({ name: 'list_tables', arguments: {} }), ['medium missing_result']);
  });

  test('a call that failed with an error has a result all the same', () => {
    assert.deepEqual(issuesOf({ name: 'list_tables', arguments: {}, error: 'timeout' }), []);
  });

  test('an unknown tool comes with the nearest known name, in the details and as a suggestion', () => {
    const { issues, suggestions } = validateToolCall({ ...GOOD_CALL, name: 'bookTable' }, TOOLS);
    assert.equal(issues[0].type, 'unknown_tool');
    assert.equal(issues[0].severity, 'medium');
    assert.equal(issues[0].details.suggestion, 'book_table');
    assert.match(suggestions[0], /"book_table"/);
  });

  test('without tools no call is unknown and no argument is judged', () => {
    assert.deepEqual(validateToolCall({ ...CALL, name: 'anything' }).issues, []);
  });

  test('an empty set of tools makes every call unknown', () => {
    assert.deepEqual(issuesOf(GOOD_CALL, {}), ['medium unknown_tool']);
  });

  test('names match across MCP prefixes', () => {
    assert.deepEqual(issuesOf({ ...GOOD_CALL, name: 'mcp__restaurant__book_table' }), []);
    assert.deepEqual(issuesOf({ ...GOOD_CALL, name: 'restaurant__book_table' }), []);
  });

  test('a deprecated tool is reported with its replacement', () => {
    const tools = { ...TOOLS, old: { name: 'old', parameters: {}, deprecated: true, replacedBy: 'list_tables' } };
    const { issues, suggestions } = validateToolCall({ name: 'old', arguments: {}, result: 1 }, tools);
    assert.deepEqual(
      issues.map(({ type, severity }) => [type, severity]),
      [['deprecated_tool', 'medium']],
    );
    assert.equal(issues[0].details.replacedBy, 'list_tables');
    assert.match(suggestions[0], /"list_tables" instead of .*"old"/);
  });

  test('a replacement that is no tool is not found', () => {
    const tools = { old: { name: 'old', parameters: {}, deprecated: true, replacedBy: 'gone' } };
    const call = { name: 'old', arguments: {}, result: 1 };
    assert.deepEqual(issuesOf(call, tools), ['medium deprecated_tool', 'high tool_not_found']);
  });

  test('a result in which the runtime says that the tool does not exist is the issue tool_not_found', () => {
    const call = { name: 'book_tabel', arguments: {}, error: 'Unknown tool: book_tabel' };
    assert.deepEqual(issuesOf(call), ['medium unknown_tool', 'high tool_not_found']);
  });

  test('the score is 1 less the weights of the issues', () => {
    const scoreOf = args => validateToolCall({ ...GOOD_CALL, arguments: args }, TOOLS).score;
    assert.equal(scoreOf({ guests: 2, area: 'roof' }), 0.6);
    assert.equal(scoreOf({ guests: '2' }), 0.3);
    assert.equal(scoreOf({ guests: '2', area: 'roof' }), 0);
  });

  test('validateTrajectory gives one result for each agent turn that calls tools, in order', () => {
    const turns = [
      { turn_id: 1, role: 'user', content: 'hi' },
      { ...TURN, turn_id: 2 },
      { turn_id: 3, role: 'agent', content: 'no call' },
      { ...TURN, turn_id: 7, tool_calls: [GOOD_CALL, CALL] },
    ];
    const results = validateTrajectory({ turns }, TOOLS);
    assert.deepEqual(
      results.map(result => result.turnId),
      [2, 7],
    );
    assert.deepEqual(new Set(results[1].issues.map(issue => issue.details.callIndex)), new Set([1]));
    assert.ok(results[1].issues.every(issue => issue.turnId === 7));
  });

  test('validateTurn gives what validateTrajectory gives for that turn', () => {
    assert.deepEqual(validateTurn(TURN, TOOLS), validateTrajectory(TRAJECTORY, TOOLS)[0]);
  });

  test('validateTrajectory reads every known format', () => {
    const calls = ['a', 'b'].map(id => ({ id, type: 'function', function: { name: 'list_tables', arguments: '{}' } }));
    const messages = [
      { role: 'assistant', content: null, tool_calls: calls },
      { role: 'tool', tool_call_id: 'b', content: '["window"]' },
    ];
    assert.deepEqual(
      validateTrajectory(messages, TOOLS)[0].issues.map(issue => issue.type),
      ['missing_result'],
    );
  });

  test('tools that were changed in place are judged as they are now', () => {
    const tools = { f: { name: 'f', parameters: { type: 'object', required: ['a'] } } };
    const call = { name: 'f', arguments: { b: 1 }, result: 1 };
    assert.equal(validateToolCall(call, tools).issues[0].details.path, 'a');
    tools.f.parameters.required = ['b'];
    assert.deepEqual(validateToolCall(call, tools).issues, []);
  });
});

suite('the options of validation', () => {
  const unknown = { ...GOOD_CALL, name: 'mystery' };
  const typesOf = result => result.issues.map(issue => issue.type);

  test('allowUnknownTools says nothing about tools without a schema', () => {
    assert.deepEqual(typesOf(validateToolCall(unknown, TOOLS)), ['unknown_tool']);
    assert.deepEqual(typesOf(validateToolCall(unknown, TOOLS, { allowUnknownTools: true })), []);
  });

  test('validateSchemas: false leaves the arguments unjudged', () => {
    assert.equal(validateToolCall(CALL, TOOLS).issues.length, 2);
    assert.deepEqual(typesOf(validateToolCall(CALL, TOOLS, { validateSchemas: false })), []);
  });

  test('checkResultUsage: false does not ask for results', () => {
    const call = { name: 'list_tables', arguments: {} };
    assert.deepEqual(typesOf(validateToolCall(call, TOOLS)), ['missing_result']);
    assert.deepEqual(typesOf(validateToolCall(call, TOOLS, { checkResultUsage: false })), []);
  });

  test('strict scores 0 for a high issue, and makes an unknown tool one', () => {
    const high = { ...GOOD_CALL, arguments: { guests: '2' } };
    const medium = { ...GOOD_CALL, arguments: { guests: 2, area: 'roof' } };
    assert.equal(validateToolCall(high, TOOLS).score, 0.3);
    assert.equal(validateToolCall(high, TOOLS, { strict: true }).score, 0);
    assert.equal(validateToolCall(medium, TOOLS, { strict: true }).score, 0.6);
    const { issues, score } = validateToolCall(unknown, TOOLS, { strict: true });
    assert.deepEqual([issues[0].severity, score], ['high', 0]);
  });

  test('limits.maxInputBytes refuses an input with more bytes, however it is given', () => {
    const size = forms(CALL).bytes.length;
    for (const form of Object.values(forms(CALL))) {
      const options = bytes => ({ limits: { maxInputBytes: bytes } });
      assert.equal(validateToolCall(form, undefined, options(size)).score, 1);
      assertFails(() => validateToolCall(form, undefined, options(size - 1)), {
        code: 'limit_exceeded',
        says: new RegExp(`maxInputBytes is ${size - 1}\\D+${size}`),
      });
    }
  });

  test('limits.maxInputBytes counts bytes, not characters', () => {
    const text = '{"name":"f","arguments":{"é":"🦀"},"result":1}';
    const size = Buffer.byteLength(text);
    assert.equal(validateToolCall(text, undefined, { limits: { maxInputBytes: size } }).score, 1);
    assertFails(() => validateToolCall(text, undefined, { limits: { maxInputBytes: size - 1 } }), {
      code: 'limit_exceeded',
    });
  });

  test('limits.maxDepth refuses deeper nesting and says where', () => {
    const nested = { ...CALL, arguments: { a: { b: { c: 1 } } } };
    assert.equal(validateToolCall(nested, undefined, { limits: { maxDepth: 4 } }).score, 1);
    assertFails(() => validateToolCall(nested, undefined, { limits: { maxDepth: 3 } }), {
      code: 'limit_exceeded',
      path: 'arguments.a.b',
      says: /maxDepth is 3/,
    });
  });

  test('limits.maxIssuesPerCall cuts the schema issues off and says so', () => {
    const call = { ...GOOD_CALL, arguments: { guests: 2, a: 1, b: 1, c: 1 } };
    assert.equal(validateToolCall(call, TOOLS).truncated, undefined);
    const { issues, truncated } = validateToolCall(call, TOOLS, { limits: { maxIssuesPerCall: 2 } });
    assert.deepEqual([issues.length, truncated], [2, true]);
    const result = validateSchema(call, BOOK, { limits: { maxIssuesPerCall: 2 } });
    assert.deepEqual([result.issues.length, result.truncated], [2, true]);
  });

  test('an unknown option and a limit out of its range are errors that name it', () => {
    for (const [name, options] of [
      ['stict', { stict: true }],
      ['maxDept', { limits: { maxDept: 1 } }],
      ['maxDepth', { limits: { maxDepth: 0 } }],
    ]) {
      assertFails(() => validateToolCall(CALL, TOOLS, options), { code: 'invalid_option', says: new RegExp(name) });
    }
  });

  test('a wrong value is an error that names its option', () => {
    for (const options of [{ strict: 'yes' }, { validateSchemas: 1 }, { limits: { maxDepth: 'x' } }]) {
      const path = options.limits ? 'options.limits.maxDepth' : `options.${Object.keys(options)[0]}`;
      assertFails(() => validateToolCall(CALL, TOOLS, options), { code: 'invalid_option', path });
    }
  });

  test('an option that is undefined counts as not given', () => {
    const options = { strict: undefined, limits: undefined };
    assert.deepEqual(validateToolCall(CALL, TOOLS, options), validateToolCall(CALL, TOOLS));
  });
});

suite('validateSchema', () => {
  const check = args => validateSchema({ name: 'book_table', arguments: args }, BOOK);

  test('without arguments the one issue is critical', () => {
    const { valid, score, issues } = validateSchema({ name: 'book_table' }, BOOK);
    assert.deepEqual([valid, score], [false, 0]);
    assert.deepEqual(
      issues.map(({ type, severity, path }) => [type, severity, path]),
      [['missing_arguments', 'critical', '']],
    );
  });

  test('each keyword has its type and severity', () => {
    const wanted = [
      [{}, 'required_field_missing', 'high', 'guests', 'required'],
      [{ guests: 'x' }, 'type_error', 'high', 'guests', 'type'],
      [{ guests: 2, area: 'roof' }, 'invalid_enum_value', 'high', 'area', 'enum'],
      [{ guests: 2, mail: 'x' }, 'invalid_format', 'medium', 'mail', 'format'],
      [{ guests: 0 }, 'constraint_violation', 'high', 'guests', 'minimum'],
      [{ guests: 2, more: 1 }, 'constraint_violation', 'high', 'more', 'additionalProperties'],
      [{ guests: Number.NaN }, 'invalid_number', 'high', 'guests', 'type'],
      [{ guests: Number.POSITIVE_INFINITY }, 'invalid_number', 'high', 'guests', 'type'],
      [{ guests: Number.NEGATIVE_INFINITY }, 'invalid_number', 'high', 'guests', 'type'],
      [{ guests: 2, wishes: [{}, { text: 1 }] }, 'type_error', 'high', 'wishes[1].text', 'type'],
    ];
    for (const [args, ...issue] of wanted) {
      const found = check(args).issues.map(({ type, severity, path, keyword }) => [type, severity, path, keyword]);
      assert.deepEqual(found.at(-1), issue, JSON.stringify(args));
    }
  });

  test('the score is 1 less 0.5 for each high and 0.2 for each medium issue, and valid means no critical one', () => {
    const scores = [{ guests: 2 }, { guests: 2, mail: 'x' }, { guests: 0 }, { guests: 0, mail: 'x' }, { area: 1 }].map(
      args => check(args).score,
    );
    assert.deepEqual(scores, [1, 0.8, 0.5, 0.3, 0]);
    assert.equal(check({ area: 1 }).valid, true);
  });

  test('an issue says what was expected, what is there and what could be meant', () => {
    const [issue] = check({ guests: '3' }).issues;
    const { expected, actual, coercible, coerced } = issue;
    assert.deepEqual(
      { expected, actual, coercible, coerced },
      {
        expected: 'integer',
        actual: '3',
        coercible: true,
        coerced: 3,
      },
    );
    assert.match(issue.message, /expected integer, got "3" \(string\)/);
  });

  test('it judges the arguments by the given schema, whatever the call is named', () => {
    assert.equal(validateSchema({ name: 'other', arguments: { guests: 2 } }, BOOK).score, 1);
  });

  test('several tools are an error, since it takes one schema', () => {
    assertFails(() => validateSchema(CALL, TOOLS), { code: 'invalid_input', says: /one tool, got 2 tools/ });
  });
});

suite('scoreToolCalls', () => {
  const search = { tool: 'searchWeb', args: { query: 'AI news' } };
  const summarize = text => ({ tool: 'summarize', args: { text } });

  test('one of two right, with one call too many, scores 0.4', () => {
    const translate = { tool: 'translateText', args: { text: 'hello', to: 'es' } };
    const result = scoreToolCalls({
      expected: [search, summarize('long article...')],
      actual: [search, summarize('different text'), translate],
    });
    assert.deepEqual(result, {
      score: 0.4,
      precision: 0.333,
      recall: 0.5,
      f1: 0.4,
      totalExpected: 2,
      totalActual: 3,
      correctCalls: [{ expected: search, actual: search, status: 'correct', argsMatch: true }],
      incorrectCalls: [
        {
          expected: summarize('long article...'),
          actual: summarize('different text'),
          status: 'incorrect',
          reason: 'arguments',
          argsMatch: false,
          details: 'args.text: expected "long article...", got "different text"',
          differences: [{ path: 'args.text', kind: 'changed', expected: 'long article...', actual: 'different text' }],
        },
      ],
      missedCalls: [],
      extraCalls: [translate],
      summary: 'Accuracy Score: 40.0% | Correct: 1/2 | Incorrect: 1 | Missed: 0 | Extra: 1',
    });
  });

  test('two of three right and none too many scores 0.8', () => {
    const fetchUrl = { tool: 'fetchUrl', args: { url: 'https://example.com/paper' } };
    const result = scoreToolCalls({ expected: [search, fetchUrl, summarize('x')], actual: [search, fetchUrl] });
    assert.equal(result.score, 0.8);
    assert.deepEqual(
      result.missedCalls.map(({ expected, status, argsMatch }) => ({ expected, status, argsMatch })),
      [{ expected: summarize('x'), status: 'missed', argsMatch: false }],
    );
    assert.equal(typeof result.missedCalls[0].details, 'string');
  });

  test('nothing expected and nothing called is 1, and anything against nothing is 0', () => {
    const scores = [
      [[], []],
      [[search], []],
      [[], [search]],
    ].map(([expected, actual]) => scoreToolCalls({ expected, actual }));
    assert.deepEqual(
      scores.map(({ score }) => score),
      [1, 0, 0],
    );
    assert.deepEqual(
      scores.map(({ f1 }) => f1),
      [1, 0, 0],
    );
  });

  test('repeated calls count as often as they occur', () => {
    assert.equal(scoreToolCalls({ expected: [search, search], actual: [search, search] }).score, 1);
    assert.equal(scoreToolCalls({ expected: [search, search], actual: [search] }).score, 0.667);
  });

  test('the order of the calls and of the arguments does not matter', () => {
    const one = { tool: 'f', args: { a: 1, b: [1, 2] } };
    const other = { tool: 'f', args: { b: [1, 2], a: 1.0 } };
    assert.equal(scoreToolCalls({ expected: [one, search], actual: [search, other] }).score, 1);
    const swapped = { tool: 'f', args: { a: 1, b: [2, 1] } };
    assert.equal(scoreToolCalls({ expected: [one], actual: [swapped] }).score, 0);
  });

  test('identical calls are paired before calls of the same tool', () => {
    const calls = [1, 2].map(n => ({ tool: 'f', args: { n } }));
    const { correctCalls, incorrectCalls } = scoreToolCalls({
      expected: calls,
      actual: [calls[1], { tool: 'f', args: {} }],
    });
    assert.deepEqual([correctCalls.length, incorrectCalls.length], [1, 1]);
    assert.deepEqual(correctCalls[0].expected, calls[1]);
  });

  test('differences name each place with what was expected and what was there', () => {
    const expected = { tool: 'f', args: { limit: 5, tags: ['a'], gone: null } };
    const actual = { tool: 'f', args: { limit: '5', tags: ['a', 'b'] } };
    const [call] = scoreToolCalls({ expected: [expected], actual: [actual] }).incorrectCalls;
    assert.deepEqual(call.differences, [
      { path: 'args.limit', kind: 'changed', expected: 5, actual: '5' },
      { path: 'args.tags[1]', kind: 'unexpected', actual: 'b' },
      { path: 'args.gone', kind: 'missing', expected: null },
    ]);
    assert.match(call.details, /args\.limit: expected 5, got "5"/);
  });

  test('breakdown holds the four lists but is not enumerable', () => {
    const result = scoreToolCalls({ expected: [search], actual: [] });
    const { correctCalls, incorrectCalls, missedCalls, extraCalls } = result;
    assert.deepEqual(result.breakdown, { correctCalls, incorrectCalls, missedCalls, extraCalls });
    assert.ok(!Object.keys(result).includes('breakdown'));
  });

  test('a trajectory may stand for the actual calls', () => {
    const call = { id: 'a', type: 'function', function: { name: 'searchWeb', arguments: '{"query":"AI news"}' } };
    const actual = [{ role: 'assistant', content: null, tool_calls: [call] }];
    assert.equal(scoreToolCalls({ expected: [search], actual }).score, 1);
  });

  test('a trajectory that carries its expected calls needs no others', () => {
    const turn = { turn_id: 1, role: 'agent', content: '', tool_calls: [{ name: 'f', arguments: {} }] };
    const actual = { turns: [turn], expected_calls: [{ tool: 'f', args: {} }] };
    assert.equal(scoreToolCalls({ actual }).score, 1);
    assertFails(() => scoreToolCalls({ actual: { turns: [turn] } }), { code: 'invalid_input', path: 'expected' });
  });

  test('its limits hold for both lists', () => {
    const big = [{ tool: 'f', args: { text: 'x'.repeat(100) } }];
    for (const input of [
      { expected: big, actual: [] },
      { expected: [], actual: big },
    ]) {
      assertFails(() => scoreToolCalls({ ...input, limits: { maxInputBytes: 50 } }), { code: 'limit_exceeded' });
      assert.equal(scoreToolCalls({ ...input, limits: { maxInputBytes: 500 } }).score, 0);
    }
  });
});

suite('checks over many trajectories', () => {
  const rollouts = [TRAJECTORY, { trajectory_id: 'fine', turns: [{ ...TURN, tool_calls: [GOOD_CALL] }] }];

  test('the report adds up what validateTrajectory finds', () => {
    const report = checkTrajectories(rollouts, TOOLS);
    assert.equal(report.format, 'harness');
    assert.deepEqual(
      report.trajectories.map(({ index, id, valid, score, turns, calls }) => [index, id, valid, score, turns, calls]),
      [
        [0, 'dinner', true, 0, 2, 1],
        [1, 'fine', true, 1, 1, 1],
      ],
    );
    assert.deepEqual(report.trajectories[0].results, validateTrajectory(TRAJECTORY, TOOLS));
    const { version, ...summary } = report.summary;
    assert.equal(version, 1);
    assert.deepEqual(summary, {
      documents: 1,
      unread: 0,
      trajectories: 2,
      valid: 2,
      passed: 1,
      clean: 1,
      turns: 3,
      calls: 2,
      results: 2,
      texts: 3,
      issues: 2,
      ignored: 0,
      unjudged: { no_request: 1 },
      issuesByType: { invalid_arguments: 1, type_mismatch: 1 },
      issuesBySeverity: { low: 0, medium: 1, high: 1, critical: 0 },
      knownBySeverity: { low: 0, medium: 0, high: 0, critical: 0 },
      formats: { harness: 2 },
      withTools: 2,
      tools: { book_table: { calls: 2, errors: 0, issues: 2 } },
      warnings: 0,
      scores: { count: 2, thousandths: 1000, histogram: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
      score: 0.5,
    });
    assert.deepEqual(report.gate, { passed: false, failures: ['1 issue is high or worse'] });
    assert.deepEqual(report.warnings, []);
  });

  test('minScore fails the gate on a lower mean score, and says both', () => {
    const gateOf = minScore => checkTrajectories(rollouts, TOOLS, { minScore, failOn: 'never' }).gate;
    assert.equal(gateOf(0.5).passed, true);
    assert.equal(gateOf(0.6).passed, false);
    assert.match(gateOf(0.6).failures.join(), /0\.5.*0\.6/);
  });

  test('failOn fails the gate from that severity on', () => {
    const passed = failOn => checkTrajectories(rollouts, TOOLS, { failOn }).gate.passed;
    const verdicts = ['low', 'medium', 'high', 'critical', 'never'].map(passed);
    assert.deepEqual(verdicts, [false, false, false, true, true]);
  });

  test('by default an issue that is high or worse fails the gate', () => {
    const gateOf = call => checkTrajectories({ turns: [{ ...TURN, tool_calls: [call] }] }, TOOLS).gate;
    assert.equal(gateOf({ ...GOOD_CALL, arguments: { guests: 2, area: 'roof' } }).passed, true);
    assert.equal(gateOf({ ...GOOD_CALL, arguments: { guests: '2' } }).passed, false);
    assert.equal(gateOf({ arguments: {} }).passed, false);
  });

  test('the options of validation are taken too', () => {
    assert.equal(checkTrajectories(rollouts, TOOLS, { validateSchemas: false }).summary.issues, 0);
  });

  test('tools that a trajectory carries are used where none are given', () => {
    const carrying = { ...TRAJECTORY, tools: [BOOK] };
    assert.equal(checkTrajectories(carrying).summary.issues, 2);
    assert.equal(checkTrajectories(TRAJECTORY).summary.issues, 0);
  });

  test('an input without any call is scored null and says so in a warning', () => {
    const report = checkTrajectories(MESSAGES.slice(0, 1));
    assert.equal(report.summary.score, null);
    assert.equal(report.trajectories[0].score, null);
    assert.match(report.warnings[0].message, /no tool call/);
  });

  test('format forces how the input is read', () => {
    const turn = { turn_id: 1, role: 'user', content: 'hi' };
    assert.equal(checkTrajectories([turn]).format, 'harness');
    assert.equal(checkTrajectories([turn], undefined, { format: 'openai-chat' }).format, 'openai-chat');
  });

  test('the report as text has the same gate and summary, and one line for each call', () => {
    const { text, gate, result } = reportTrajectories(rollouts, TOOLS, { failOn: 'high' });
    const checked = checkTrajectories(rollouts, TOOLS, { failOn: 'high' });
    assert.deepEqual([gate, result], [checked.gate, checked.summary]);
    assert.match(text, /dinner[\s\S]*turn 4 .*book_table[\s\S]*type_mismatch[\s\S]*fine/);
  });

  test('color colours the text, and width bounds its lines', () => {
    const plain = reportTrajectories(rollouts, TOOLS, { width: 60 }).text;
    assert.ok(!plain.includes('\u001b'));
    assert.ok(Math.max(...plain.split('\n').map(line => line.length)) <= 60);
    const colored = reportTrajectories(rollouts, TOOLS, { width: 60, color: true }).text;
    assert.ok(colored.includes('\u001b['));
    assert.equal(stripVTControlCharacters(colored), plain);
    const wide = reportTrajectories(rollouts, TOOLS, { width: 200 }).text;
    assert.ok(wide.split('\n').length < plain.split('\n').length);
  });
});

suite('scores as reports', () => {
  test('reportCallLists reports each call, and its result is that of scoreToolCalls', () => {
    const { text, gate, result } = reportCallLists(EXPECTED, ACTUAL);
    assert.deepEqual(result, scoreToolCalls({ expected: EXPECTED, actual: ACTUAL }));
    assert.deepEqual(gate, { passed: true, failures: [] });
    assert.match(text, /args\.guests: expected 2, got 3/);
  });

  test('minScore fails its gate', () => {
    assert.equal(reportCallLists(EXPECTED, EXPECTED, { minScore: 1 }).gate.passed, true);
    assert.equal(reportCallLists(EXPECTED, ACTUAL, { minScore: 0.1 }).gate.passed, false);
  });

  test('scoreTrajectories scores each rollout by the calls it carries, and gates on the mean', () => {
    const call = { id: 'a', type: 'function', function: { name: 'list_tables', arguments: '{}' } };
    const right = { ...ROLLOUT, task_id: 2, traj: [{ role: 'assistant', content: null, tool_calls: [call] }] };
    const report = scoreTrajectories([ROLLOUT, right]);
    assert.equal(report.score, 0.5);
    assert.deepEqual(
      report.trajectories.map(({ id, accuracy }) => [id, accuracy.score]),
      [
        ['1', 0],
        ['2', 1],
      ],
    );
    assert.equal(scoreTrajectories([ROLLOUT, right], { minScore: 0.5 }).gate.passed, true);
    assert.equal(scoreTrajectories([ROLLOUT, right], { minScore: 0.6 }).gate.passed, false);
    assert.equal(report.trials, undefined);
  });

  test('scoreTrajectories tells how often each task passes', () => {
    const trial = (trajectory_id, tool, seed) => ({
      trajectory_id,
      task: 'look up',
      seed,
      turns: [{ role: 'agent', tool_calls: [{ name: tool, arguments: {} }] }],
      expected_calls: [{ tool: 'search', args: {} }],
    });
    const runs = [trial('a', 'search', 1), trial('b', 'fetch', 1), trial('c', 'search', 2)];
    assert.equal(scoreTrajectories(runs).trials, undefined);
    const { trials } = scoreTrajectories(runs, { taskKey: 'task' });
    assert.deepEqual([trials.tasks, trials.trials, trials.passed, trials.flaky], [1, 3, 2, 1]);
    assert.deepEqual(trials.estimates[1], { k: 2, tasks: 1, passAt: 1, passHat: 0.333 });
    assert.equal(trials.worst[0].worst.id, 'b');
    assert.equal(scoreTrajectories(runs, { taskKey: 'seed', minScore: 0 }).trials.flaky, 0);
    assert.match(reportTrajectoryScores(runs, { taskKey: 'task' }).text, /pass\^k +1: 0\.667 · 2: 0\.333/);
    assert.throws(() => scoreTrajectories(runs, { format: 'openai-chat' }), { code: 'invalid_input' });
  });
});
