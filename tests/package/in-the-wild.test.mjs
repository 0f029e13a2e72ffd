// What goes wrong in the wild: the complaints that users of such tools make most often, each as a test.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';

const {
  checkTrajectories,
  importTrajectory,
  measureCorrectness,
  scoreToolCalls,
  validateToolCall,
  validateTrajectory,
  verifyResult,
} = await fromConsumer('toolgauge');

const tool = (properties, more = {}) => ({ name: 'f', parameters: { type: 'object', properties, ...more } });
const made = (args, more = {}) => ({ name: 'f', arguments: args, result: { ok: true }, ...more });
const call = (args, name = 'f') => ({ tool: name, args });
const typesOf = ({ issues }) => issues.map(({ type }) => type).sort();
const assistant = (...calls) => ({ role: 'assistant', content: null, tool_calls: calls });
const functionCall = (id, args, name = 'f') => ({ id, type: 'function', function: { name, arguments: args } });
const toolResult = (id, content) => ({ role: 'tool', tool_call_id: id, content });
const callsOf = messages => importTrajectory(messages).value.turns.flatMap(({ tool_calls }) => tool_calls ?? []);

suite('in the wild', () => {
  test('1. numbers, booleans and objects sent as text are reported, with what they can be read as', () => {
    const schema = tool({
      n: { type: 'integer' },
      b: { type: 'boolean' },
      o: { type: 'object' },
      s: { type: 'string' },
    });
    const { issues } = validateToolCall(made({ n: '5', b: 'true', o: '{"a": 1}', s: '{"a": 1}' }), schema);
    assert.deepEqual(
      issues.map(({ type, details }) => [type, details.path, details.coercible, details.coerced]),
      [
        ['type_mismatch', 'n', true, 5],
        ['type_mismatch', 'b', true, true],
        ['type_mismatch', 'o', true, { a: 1 }],
      ],
    );
    const [{ details }] = scoreToolCalls({ expected: [call({ n: 5 })], actual: [call({ n: '5' })] }).incorrectCalls;
    assert.equal(details, 'args.n: expected 5, got "5"');
  });

  test('2. volatile ids are ignored and other arguments are not', () => {
    const expected = [call({ id: 'a1', q: 'x' })];
    const matchers = { f: { id: 'ignore' } };
    assert.equal(scoreToolCalls({ expected, actual: [call({ id: 'b2', q: 'x' })], matchers }).score, 1);
    assert.equal(scoreToolCalls({ expected, actual: [call({ id: 'a1', q: 'y' })], matchers }).score, 0);
  });

  test('3. repeated calls count as often as they occur, in whatever order the lists are', () => {
    const twice = [call({ n: 1 }), call({ n: 1 })];
    assert.equal(scoreToolCalls({ expected: twice, actual: twice }).score, 1);
    assert.equal(scoreToolCalls({ expected: twice, actual: twice.slice(1) }).score, 0.667);
    const expectedTools = [
      { name: 'f', inputParameters: { a: 1, b: 1 } },
      { name: 'f', inputParameters: { a: 1 } },
    ];
    const toolsCalled = [
      { name: 'f', inputParameters: { a: 1 } },
      { name: 'f', inputParameters: { a: 1, b: 1 } },
    ];
    for (const calls of [toolsCalled, toolsCalled.toReversed()]) {
      const options = { evaluationParams: ['input_parameters'] };
      assert.equal(measureCorrectness({ expectedTools, toolsCalled: calls }, options).score, 1);
    }
  });

  test('4. absent, empty, null and odd arguments are what they are, and no crash', () => {
    const wanted = { type: 'object', properties: { n: { type: 'integer' } } };
    const issuesOf = text =>
      typesOf(
        validateToolCall(callsOf([assistant(functionCall('a', text)), toolResult('a', '{"ok": true}')])[0], {
          name: 'f',
          parameters: wanted,
        }),
      );
    assert.deepEqual(['', '{}'].map(issuesOf), [[], []]);
    assert.deepEqual(issuesOf('null'), ['missing_arguments']);
    for (const text of ['[1]', '"n"', '7', '{"n": ']) assert.deepEqual(issuesOf(text), ['type_mismatch'], text);
    const optional = { f: { n: 'optional' } };
    assert.equal(
      scoreToolCalls({ expected: [call({ n: 1 })], actual: [call({ n: null })], matchers: optional }).score,
      1,
    );
  });

  test('5. arguments that the schema does not know are reported if it allows no others', () => {
    const closed = tool({ a: {} }, { additionalProperties: false });
    const { issues } = validateToolCall(made({ a: 1, b: 2 }), closed);
    assert.deepEqual(
      issues.map(({ type, details }) => [type, details.path, details.keyword]),
      [['schema_violation', 'b', 'additionalProperties']],
    );
    assert.deepEqual(typesOf(validateToolCall(made({ a: 1, b: 2 }), tool({ a: {} }))), []);
  });

  test('6. an unknown format is an error and no silent score', () => {
    for (const judge of [validateTrajectory, checkTrajectories]) {
      assertFails(() => judge([{ kind: 'call', fn: 'f' }]), { code: 'unknown_format' });
    }
    assertFails(() => scoreToolCalls({ expected: [call({})], actual: { log: [] } }), { code: 'unknown_format' });
  });

  test('7. nothing expected and nothing called is 1, and something called then is not', () => {
    assert.equal(scoreToolCalls({ expected: [], actual: [] }).score, 1);
    assert.equal(scoreToolCalls({ expected: [], actual: [call({})] }).score, 0);
    assert.equal(measureCorrectness({ expectedTools: [], toolsCalled: [] }).score, 1);
    assert.equal(measureCorrectness({ expectedTools: [], toolsCalled: [{ name: 'f' }] }).score, 0);
  });

  test('8. references, nullable unions and the anyOf of generated schemas are understood', () => {
    const generated = tool(
      {
        when: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }], default: null },
        place: { $ref: '#/$defs/Place' },
        old: { type: 'string', nullable: true },
      },
      { $defs: { Place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } } },
    );
    assert.deepEqual(
      typesOf(validateToolCall(made({ when: null, place: { city: 'Oslo' }, old: null }), generated)),
      [],
    );
    const { issues } = validateToolCall(made({ when: 5, place: {} }), generated);
    assert.deepEqual(
      issues.map(({ type, details }) => [type, details.path]),
      [
        ['type_mismatch', 'when'],
        ['missing_required_param', 'place.city'],
      ],
    );
  });

  test('9. orphan results, calls without result and ids that are used again keep their places', () => {
    const messages = [
      assistant(functionCall('x', '{"n":1}')),
      toolResult('x', 'first'),
      assistant(functionCall('x', '{"n":2}'), functionCall('y', '{"n":3}')),
      toolResult('x', 'second'),
      toolResult('z', 'nobody asked'),
    ];
    const { value, warnings } = importTrajectory(messages);
    const calls = value.turns.flatMap(({ tool_calls }) => tool_calls ?? []);
    assert.deepEqual(
      calls.slice(0, 3).map(({ arguments: { n }, result }) => [n, result]),
      [
        [1, 'first'],
        [2, 'second'],
        [3, undefined],
      ],
    );
    assert.equal(warnings.length, 1);
  });

  test('10. parallel calls may come in another order, and glued arguments are reported', () => {
    const expected = [call({ n: 1 }), call({ n: 2 })];
    assert.equal(scoreToolCalls({ expected, actual: expected.toReversed() }).score, 1);
    const [glued] = callsOf([assistant(functionCall('a', '{"n":1}{"n":2}')), toolResult('a', 'ok')]);
    assert.equal(glued.rawArguments, '{"n":1}{"n":2}');
    assert.deepEqual(typesOf(validateToolCall(glued, tool({}))), ['type_mismatch']);
  });

  test('11. a default that is left out and one that is spelled out are the same call', () => {
    const matchers = { f: { limit: { default: 10 } } };
    for (const [expected, actual] of [
      [{}, { limit: 10 }],
      [{ limit: 10 }, {}],
    ]) {
      assert.equal(scoreToolCalls({ expected: [call(expected)], actual: [call(actual)], matchers }).score, 1);
    }
    assert.equal(scoreToolCalls({ expected: [call({})], actual: [call({ limit: 5 })], matchers }).score, 0);
  });

  test('12. prefixes of MCP servers do not make another tool of it', () => {
    const names = ['search', 'web__search', 'mcp__web__search'];
    for (const expected of names) {
      for (const actual of names) {
        assert.equal(scoreToolCalls({ expected: [call({}, expected)], actual: [call({}, actual)] }).score, 1);
      }
    }
    const two = [call({}, 'mcp__a__search'), call({}, 'mcp__b__search')];
    assert.equal(scoreToolCalls({ expected: two, actual: [call({}, 'search')] }).score, 0);
  });

  test('13. 1 and 1.0, tolerances, and times and dates in two notations', () => {
    const score = (expected, actual, matcher) =>
      scoreToolCalls({
        expected: `[{"tool":"f","args":{"x":${expected}}}]`,
        actual: `[{"tool":"f","args":{"x":${actual}}}]`,
        matchers: { f: { x: matcher } },
      }).score;
    assert.equal(score('1', '1.0', 'exact'), 1);
    assert.equal(score('0.3', '0.30000000000000004', { tolerance: 1e-9 }), 1);
    assert.equal(score('"5:00 PM"', '"5 pm"', 'date'), 1);
    assert.equal(score('"2024-05-16"', '"May 16, 2024"', 'date'), 1);
    assert.equal(score('"2024-05-16"', '"May 17, 2024"', 'date'), 0);
  });

  test('14. errors of tools are no successes, in whichever shape they come', () => {
    const errors = [
      { status: 'error', message: 'x' },
      { isError: true, content: [] },
      { error: 'x' },
      'Error: timeout',
      { exit_code: 1 },
    ];
    for (const result of errors) {
      const failed = made({}, { result });
      const turn = {
        turn_id: 1,
        role: 'agent',
        content: 'Done: it has been booked successfully.',
        tool_calls: [failed],
      };
      assert.ok(typesOf(verifyResult(failed, turn)).includes('contradicts_response'), JSON.stringify(result));
    }
    const { turns } = importTrajectory([
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'no such file', is_error: true }] },
    ]).value;
    assert.equal(turns.flatMap(({ tool_calls }) => tool_calls ?? [])[0].error, 'no such file');
  });

  test('15. what no tool gave, and errors that did not happen, are found in the reply', () => {
    const found = made({}, { result: { order: 'R1234567', total: 40 } });
    const reply = content => verifyResult(found, { turn_id: 1, role: 'agent', content, tool_calls: [found] });
    assert.ok(typesOf(reply('Your order R1234568 is on its way.')).includes('hallucinated_content'));
    assert.ok(
      typesOf(reply('Sorry, order R1234567 could not be found: the search failed.')).includes('contradicts_response'),
    );
    assert.deepEqual(typesOf(reply('Order R1234567 costs $40.')), []);
  });

  test('16. every verdict says why', () => {
    const { incorrectCalls, missedCalls } = scoreToolCalls({
      expected: [call({ n: 1 }), call({}, 'g')],
      actual: [call({ n: 2 })],
    });
    assert.equal(incorrectCalls[0].details, 'args.n: expected 1, got 2');
    assert.equal(missedCalls[0].details, '"g" was not called');
    const { reason } = measureCorrectness({ expectedTools: [{ name: 'g' }], toolsCalled: [{ name: 'f' }] });
    assert.equal(reason, '0 of 1 expected calls were made as expected. Missed: g. Extra: f.');
    const { issues } = validateToolCall(made({ n: 'x' }), tool({ n: { type: 'integer' } }));
    assert.match(issues[0].description, /n: expected integer, got "x"/);
  });
});
