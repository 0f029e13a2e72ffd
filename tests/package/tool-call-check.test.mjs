import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { assertFails, forms } from './support/assertions.mjs';
import { fromConsumer } from './support/consumer.mjs';
import { providerCalls, providerRefusals } from './support/provider-calls.mjs';
import { CHECKS, forecast, frozen, RIGHT, TOOLS } from './support/tool-calls.mjs';

const { checkToolCall, compileTools, repairToolCallSync } = await fromConsumer('toolgauge');
const { tool } = await fromConsumer('ai');
const { z } = await fromConsumer('zod');

const check = (toolCall, tools = TOOLS) => checkToolCall({ tools, toolCall });
const repair = (toolCall, tools = TOOLS) => repairToolCallSync({ tools, toolCall });
const failedIn = ({ metrics }) => CHECKS.filter(name => !metrics[name].valid);
const failed = (toolCall, tools) => failedIn(check(toolCall, tools));

suite('checkToolCall', () => {
  test('gives nine checks in a fixed order, each with a description', () => {
    const { metrics, overall_valid, score } = check(forecast(RIGHT));
    assert.deepEqual([overall_valid, score], [true, 1]);
    assert.deepEqual(Object.keys(metrics), CHECKS);
    for (const name of CHECKS) {
      assert.deepEqual(Object.keys(metrics[name]), ['valid', 'description', 'explanation']);
      assert.deepEqual([metrics[name].valid, metrics[name].explanation], [true, null]);
      assert.match(metrics[name].description, /^[A-Z].+\.$/);
    }
    assert.equal(new Set(CHECKS.map(name => metrics[name].description)).size, 9);
  });

  const faults = {
    'an unknown tool': [
      { name: 'get_weather', arguments: RIGHT },
      ['non_existent_function'],
      /there is no tool "get_weather".*"get_forecast", "cancel_order"/,
    ],
    'an undeclared argument': [
      forecast({ ...RIGHT, wind: 1 }),
      ['non_existent_parameter'],
      /^wind: unknown argument "wind".*"city"/,
    ],
    'a value of the wrong type': [
      forecast({ ...RIGHT, days: '3' }),
      ['incorrect_parameter_type'],
      /^days: expected integer, got "3" \(string\)/,
    ],
    'a missing argument': [forecast({ unit: 'celsius' }), ['missing_required_parameter'], /^city: required/],
    'a value that is not allowed': [
      forecast({ ...RIGHT, unit: 'kelvin' }),
      ['allowed_values_violation'],
      /^unit: expected one of "celsius", "fahrenheit", got "kelvin"/,
    ],
    'another constant': [forecast({ ...RIGHT, kind: 'climate' }), ['allowed_values_violation'], /^kind: .*"weather"/],
    'a number that is too large': [forecast({ ...RIGHT, days: 15 }), ['json_schema_violation'], /^days: .*14/],
    'an undeclared member of an argument': [
      forecast({ ...RIGHT, area: { zap: '1' } }),
      ['json_schema_violation'],
      /^area\.zap: /,
    ],
    'a call without a name': [{ arguments: RIGHT }, ['invalid_tool_call'], /names no tool/],
    'a name that is empty': [{ name: '', arguments: RIGHT }, ['invalid_tool_call'], /names no tool/],
    'a name that is a number': [{ name: 5, arguments: RIGHT }, ['invalid_tool_call'], /names no tool/],
    'argument text that is cut off': [forecast('{"city": "Os'), ['invalid_tool_call'], /not valid JSON/],
    'a call that is still being written': [
      { type: 'tool-get_forecast', toolCallId: 'c', state: 'input-streaming', input: RIGHT },
      ['invalid_tool_call'],
      /still being written/,
    ],
  };
  for (const [title, [toolCall, checks, says]] of Object.entries(faults)) {
    test(`${title} fails ${checks.join(' and ')}, with the reason`, () => {
      const result = check(toolCall);
      assert.deepEqual(failedIn(result), checks);
      assert.deepEqual([result.overall_valid, result.score], [false, 0]);
      assert.match(result.metrics[checks[0]].explanation, says);
    });
  }

  test('an argument that is wrong in several ways fails several checks', () => {
    const result = check(forecast({ unit: 3, wind: 1, days: 0, hourly: 'maybe' }));
    assert.deepEqual(failedIn(result), CHECKS.slice(1, 6));
  });

  test('one explanation names every place', () => {
    const { explanation } = check(forecast({ ...RIGHT, days: 'x', hourly: 'y' })).metrics.incorrect_parameter_type;
    assert.match(explanation, /^days: .*; hourly: /);
  });

  test('every failed check carries the same correction of the whole call, in the shape of the call', () => {
    const [wrong, right] = [
      { ...RIGHT, days: '3', wind: 1 },
      { ...RIGHT, days: 3 },
    ].map(args => providerCalls('get_forecast', args));
    for (const [provider, toolCall] of Object.entries(wrong)) {
      const { metrics } = check(toolCall);
      const correction = { correctedArguments: { ...RIGHT, days: 3 }, toolCall: right[provider] };
      for (const name of CHECKS) {
        const expected = ['non_existent_parameter', 'incorrect_parameter_type'].includes(name) ? correction : undefined;
        assert.deepEqual(metrics[name].correction, expected, `${provider}, ${name}`);
      }
    }
  });

  test('there is no correction when the call stays wrong', () => {
    const { metrics } = check(forecast({ wind: 1 }));
    for (const name of CHECKS) assert.ok(!('correction' in metrics[name]), name);
  });

  test('a misspelt tool name is corrected too', () => {
    const { correction } = check({ name: 'getForecast', arguments: RIGHT }).metrics.non_existent_function;
    assert.deepEqual(correction, { correctedArguments: RIGHT, toolCall: forecast(RIGHT) });
  });

  test('results play no role', () => {
    for (const outcome of [{}, { result: null }, { error: 'timeout' }, { result: 'x' }]) {
      assert.equal(check({ ...forecast(RIGHT), ...outcome }).overall_valid, true);
    }
  });

  test('a tool without parameters needs no arguments', () => {
    const tools = [{ name: 'list_cities', parameters: { type: 'object', properties: {} } }];
    for (const args of [undefined, null, {}, '', '{}']) {
      assert.equal(check({ name: 'list_cities', arguments: args }, tools).overall_valid, true, JSON.stringify(args));
    }
  });

  test('the call may be JSON text or bytes', () => {
    for (const args of [RIGHT, { ...RIGHT, days: '3' }]) {
      const { object, text, bytes } = forms(forecast(args));
      assert.deepEqual(check(text), check(object));
      assert.deepEqual(check(bytes), check(object));
    }
  });

  test('the call and the tools are not changed', () => {
    const tools = frozen(structuredClone(TOOLS));
    for (const toolCall of Object.values(providerCalls('get_forecast', { ...RIGHT, days: '3' }))) {
      check(frozen(toolCall), tools);
    }
  });

  suite('tools that say nothing are a result, not an error', () => {
    const empty = {
      'an empty list': [],
      'an empty record': {},
      null: null,
      undefined: undefined,
      'an empty list of an MCP server': { tools: [] },
      'the text of an empty list': '[]',
      'the text null': 'null',
      'compiled tools without any': compileTools([]),
    };
    for (const [title, tools] of Object.entries(empty)) {
      test(title, () => {
        const result = checkToolCall({ tools, toolCall: forecast(RIGHT) });
        assert.deepEqual(failedIn(result), ['empty_api_spec']);
        assert.match(result.metrics.empty_api_spec.explanation, /no tools/);
        assert.equal(result.overall_valid, false);
      });
    }

    test('tools that are left out', () => {
      assert.deepEqual(failedIn(checkToolCall({ toolCall: forecast(RIGHT) })), ['empty_api_spec']);
    });
  });

  suite('tools that cannot be used are a result, not an error', () => {
    const invalid = {
      'a schema with an unknown type': [{ name: 'f', parameters: { type: 'text' } }],
      'a schema with a reference to nowhere': [{ name: 'f', parameters: { $ref: '#/$defs/gone' } }],
      'a schema with a broken pattern': [{ name: 'f', parameters: { properties: { a: { pattern: '(' } } } }],
      'a tool without a name': [{ description: 'x' }],
      'a list of numbers': [5],
      'a number': 5,
      'a boolean': true,
    };
    for (const [title, tools] of Object.entries(invalid)) {
      test(title, () => {
        const result = check({ name: 'f', arguments: {} }, tools);
        assert.deepEqual(failedIn(result), ['invalid_api_spec']);
        assert.match(result.metrics.invalid_api_spec.explanation, /can't be used: ./);
      });
    }
  });

  suite('what is not a call is a result, not an error', () => {
    for (const toolCall of [null, 5, true, [], [forecast(RIGHT)], {}, '5', '[]', 'null', '"get_forecast"']) {
      test(JSON.stringify(toolCall), () => {
        const result = check(toolCall);
        assert.deepEqual(failedIn(result), ['invalid_tool_call']);
        assert.match(result.metrics.invalid_tool_call.explanation, /expected a tool call|names no tool/);
      });
    }

    test('arguments that are no object', () => {
      for (const args of [5, true, [1]]) {
        assert.deepEqual(failed(forecast(args)), ['incorrect_parameter_type', 'invalid_tool_call']);
      }
    });

    test('arguments that are no object, where the schema does not name the type of the arguments', () => {
      const tools = [{ name: 'f', parameters: { properties: { city: { type: 'string' } }, required: ['city'] } }];
      for (const args of [5, true, [1]]) {
        assert.ok(failed({ name: 'f', arguments: args }, tools).includes('invalid_tool_call'), JSON.stringify(args));
      }
    });
  });

  test('what is no JSON is an error', () => {
    assertFails(() => check(undefined), { code: 'invalid_input', says: /tool call/ });
    assertFails(() => check('{"name": '), { code: 'invalid_json' });
    assertFails(() => check(forecast(RIGHT), '[{"name": '), { code: 'invalid_json' });
    assertFails(() => check({ ...forecast(RIGHT), id: 1n }), { code: 'unsupported_value', path: 'id' });
  });

  test('without any input at all it throws the error of the package', () => {
    for (const input of [undefined, null, 5, 'x', []]) {
      assertFails(() => checkToolCall(input), { code: 'invalid_input' });
      assertFails(() => repairToolCallSync(input), { code: 'invalid_input' });
    }
  });

  test('compiled tools give the same as their definitions', () => {
    const tools = compileTools(TOOLS);
    for (const args of [RIGHT, { ...RIGHT, days: '3' }, { wind: 1 }]) {
      assert.deepEqual(check(forecast(args), tools), check(forecast(args)));
      assert.deepEqual(repair(forecast(args), tools), repair(forecast(args)));
    }
    tools.free();
    assertFails(() => check(forecast(RIGHT), tools), { code: 'invalid_input', says: /freed/ });
  });

  test('tools are taken as every provider and schema library writes them', () => {
    const shape = z.object({ city: z.string(), days: z.int().optional() });
    const inputSchema = { type: 'object', properties: { city: {}, days: { type: 'integer' } }, required: ['city'] };
    const all = {
      zod: { get_forecast: shape },
      'AI SDK': { get_forecast: tool({ inputSchema: shape }) },
      OpenAI: [{ type: 'function', function: { name: 'get_forecast', parameters: inputSchema } }],
      Anthropic: [{ name: 'get_forecast', input_schema: inputSchema }],
      MCP: { tools: [{ name: 'get_forecast', inputSchema }] },
      Gemini: [{ functionDeclarations: [{ name: 'get_forecast', parametersJsonSchema: inputSchema }] }],
      Bedrock: { tools: [{ toolSpec: { name: 'get_forecast', inputSchema: { json: inputSchema } } }] },
    };
    for (const [title, tools] of Object.entries(all)) {
      assert.equal(check(forecast({ city: 'Oslo', days: 2 }), tools).overall_valid, true, title);
      const { status, toolCall } = repair(forecast({ city: 'Oslo', days: '2' }), tools);
      assert.deepEqual([status, toolCall], ['repaired', forecast({ city: 'Oslo', days: 2 })], title);
      assert.deepEqual(failed(forecast({ days: 2 }), tools), ['missing_required_parameter'], title);
    }
  });

  test('names match across MCP prefixes', () => {
    assert.equal(check({ name: 'mcp__weather__get_forecast', arguments: RIGHT }).overall_valid, true);
  });

  test('limits hold for the call and the tools', () => {
    const deep = forecast({ ...RIGHT, area: { a: { b: {} } } });
    const limited = limits => checkToolCall({ tools: TOOLS, toolCall: deep, limits });
    assert.equal(limited({ maxDepth: 20 }).overall_valid, false);
    assertFails(() => limited({ maxDepth: 3 }), { code: 'limit_exceeded' });
    assertFails(() => limited({ maxInputBytes: 10 }), { code: 'limit_exceeded' });
    assertFails(() => limited({ maxDept: 3 }), { code: 'invalid_option', path: 'options.limits.maxDept' });
  });

  test('a promise of tools is refused and not taken for no tools', () => {
    const promise = Promise.resolve(TOOLS);
    for (const call of [checkToolCall, repairToolCallSync]) {
      assertFails(() => call({ tools: promise, toolCall: forecast(RIGHT) }), {
        code: 'invalid_input',
        says: /promise: await/,
      });
    }
  });
});

suite('repairToolCallSync', () => {
  const repairs = {
    'drops an argument that the tool does not take': [
      { ...RIGHT, wind: 1 },
      RIGHT,
      [{ kind: 'dropped', path: 'wind', from: 1 }],
    ],
    'drops an undeclared member of an argument': [
      { ...RIGHT, area: { zip: '1', zap: 2 } },
      { ...RIGHT, area: { zip: '1' } },
      [{ kind: 'dropped', path: 'area.zap', from: 2 }],
    ],
    'drops an optional argument that is null': [
      { ...RIGHT, hourly: null },
      RIGHT,
      [{ kind: 'dropped', path: 'hourly', from: null }],
    ],
    'converts a number in a text': [
      { ...RIGHT, days: '7' },
      { ...RIGHT, days: 7 },
      [{ kind: 'converted', path: 'days', from: '7', to: 7 }],
    ],
    'converts a truth value in a text': [
      { ...RIGHT, hourly: 'True' },
      { ...RIGHT, hourly: true },
      [{ kind: 'converted', path: 'hourly', from: 'True', to: true }],
    ],
    'converts a number to a text': [
      { ...RIGHT, area: { zip: 150 } },
      { ...RIGHT, area: { zip: '150' } },
      [{ kind: 'converted', path: 'area.zip', from: 150, to: '150' }],
    ],
    'puts a value into the list that is wanted': [
      { ...RIGHT, tags: 7 },
      { ...RIGHT, tags: [7] },
      [{ kind: 'converted', path: 'tags', from: 7, to: [7] }],
    ],
    'takes a value out of a list that is not wanted': [
      { ...RIGHT, city: ['Oslo'] },
      RIGHT,
      [{ kind: 'converted', path: 'city', from: ['Oslo'], to: 'Oslo' }],
    ],
    'converts an item of a list': [
      { ...RIGHT, tags: [1, '2'] },
      { ...RIGHT, tags: [1, 2] },
      [{ kind: 'converted', path: 'tags[1]', from: '2', to: 2 }],
    ],
    'converts to a type of a union': [
      { ...RIGHT, at: '4' },
      { ...RIGHT, at: 4 },
      [{ kind: 'converted', path: 'at', from: '4', to: 4 }],
    ],
    'spells an allowed value as the schema does': [
      { ...RIGHT, unit: 'Celsius' },
      RIGHT,
      [{ kind: 'converted', path: 'unit', from: 'Celsius', to: 'celsius' }],
    ],
    'corrects a misspelt allowed value': [
      { ...RIGHT, unit: 'farenheit' },
      { ...RIGHT, unit: 'fahrenheit' },
      [{ kind: 'converted', path: 'unit', from: 'farenheit', to: 'fahrenheit' }],
    ],
    'reads JSON text where an object is wanted': [
      { ...RIGHT, area: '{"zip":"0150"}' },
      { ...RIGHT, area: { zip: '0150' } },
      [{ kind: 'parsed_json', path: 'area', from: '{"zip":"0150"}', to: { zip: '0150' } }],
    ],
    'reads arguments in a code fence': [
      `\`\`\`json\n${JSON.stringify(RIGHT)}\n\`\`\``,
      RIGHT,
      [{ kind: 'parsed_json', path: '', from: `\`\`\`json\n${JSON.stringify(RIGHT)}\n\`\`\``, to: RIGHT }],
    ],
    'reads arguments that are a Python literal': [
      "{'city': 'Oslo', 'unit': 'celsius'}",
      RIGHT,
      [{ kind: 'parsed_json', path: '', from: "{'city': 'Oslo', 'unit': 'celsius'}", to: RIGHT }],
    ],
    'takes the arguments out of an envelope': [
      { arguments: RIGHT },
      RIGHT,
      [{ kind: 'unwrapped', path: '', from: { arguments: RIGHT }, to: RIGHT }],
    ],
    'takes the arguments out of two envelopes': [
      { args: { input: RIGHT } },
      RIGHT,
      [
        { kind: 'unwrapped', path: '', from: { args: { input: RIGHT } }, to: { input: RIGHT } },
        { kind: 'unwrapped', path: '', from: { input: RIGHT }, to: RIGHT },
      ],
    ],
    'fills in the default of a missing argument': [
      { city: 'Oslo' },
      RIGHT,
      [{ kind: 'filled', path: 'unit', to: 'celsius' }],
    ],
    'renames a misspelt argument': [
      { City: 'Oslo', unit: 'celsius' },
      RIGHT,
      [{ kind: 'renamed', path: 'City', from: 'Oslo', to: 'city' }],
    ],
  };
  for (const [title, [args, becomes, changes]] of Object.entries(repairs)) {
    test(title, () => {
      const { message, ...result } = repair(forecast(args));
      const descriptions = result.changes.map(({ description }) => description);
      assert.deepEqual(result, {
        status: 'repaired',
        // Arguments that were text are text again.
        toolCall: forecast(typeof args === 'string' ? JSON.stringify(becomes) : becomes),
        name: 'get_forecast',
        arguments: becomes,
        changes: changes.map((change, at) => ({ ...change, description: descriptions[at] })),
        problems: [],
      });
      assert.equal(message, `The call of "get_forecast" was repaired before it ran: ${descriptions.join('; ')}.`);
      for (const [at, { path }] of changes.entries()) assert.ok(descriptions[at].includes(path), descriptions[at]);
      assert.equal(check(result.toolCall).overall_valid, true);
    });
  }

  test('takes the arguments out of an envelope before it drops anything', () => {
    const tools = [{ name: 'search', parameters: { properties: { query: {}, limit: { type: 'integer' } } } }];
    const search = args => ({ name: 'search', arguments: args });
    for (const inner of [
      { query: 'hotels', limit: '5' },
      { query: 'hotels', limit: 5, wind: 1 },
    ]) {
      const { status, arguments: args } = repair(search({ arguments: inner }), tools);
      assert.deepEqual([status, args], ['repaired', { query: 'hotels', limit: 5 }]);
    }
  });

  test('fills in the only value that an argument can have', () => {
    const parameters = {
      properties: { kind: { const: 'weather' }, mode: { enum: ['fast'] } },
      required: ['kind', 'mode'],
    };
    const { status, arguments: filled } = repair({ name: 'f', arguments: {} }, [{ name: 'f', parameters }]);
    assert.deepEqual([status, filled], ['repaired', { kind: 'weather', mode: 'fast' }]);
  });

  for (const name of ['getForecast', 'get_forcast', 'functions.get_forecast', 'get_forecast<|channel|>json']) {
    test(`corrects the tool name ${JSON.stringify(name)}`, () => {
      const { status, name: mended, changes, toolCall } = repair({ id: 'c', name, arguments: RIGHT });
      assert.deepEqual([status, mended], ['repaired', 'get_forecast']);
      assert.deepEqual(
        changes.map(({ kind, path, from, to }) => ({ kind, path, from, to })),
        [{ kind: 'tool_name', path: '', from: name, to: 'get_forecast' }],
      );
      assert.deepEqual(toolCall, { id: 'c', name: 'get_forecast', arguments: RIGHT });
    });
  }

  test('never takes one tool for another', () => {
    for (const name of ['get_weather', 'set_forecast', 'forecast', 'cancel_orders_now', 'accept_order']) {
      const result = repair({ name, arguments: RIGHT });
      assert.deepEqual([result.status, result.name], ['unrepairable', name]);
      assert.match(result.message, /there is no tool/);
      assert.match(result.message, /Call one of the tools/);
    }
  });

  test('makes several changes, each reported at its place', () => {
    const {
      status,
      changes,
      arguments: args,
    } = repair({ name: 'getForecast', arguments: { City: 'Oslo', days: '2' } });
    assert.equal(status, 'repaired');
    assert.deepEqual(args, { city: 'Oslo', unit: 'celsius', days: 2 });
    assert.deepEqual(changes.map(({ kind, path }) => [kind, path]).sort(), [
      ['converted', 'days'],
      ['filled', 'unit'],
      ['renamed', 'City'],
      ['tool_name', ''],
    ]);
  });

  const hopeless = {
    'a missing argument without a default': [{ unit: 'celsius' }, 'city'],
    'a required argument that is null': [{ city: null, unit: 'celsius' }, 'city'],
    'a value that means nothing of the wanted type': [{ ...RIGHT, days: 'many' }, 'days'],
    'a value out of range': [{ ...RIGHT, days: 40 }, 'days'],
    'a value that is not allowed': [{ ...RIGHT, unit: 'kelvin' }, 'unit'],
    'a fraction for a whole number': [{ ...RIGHT, days: 2.5 }, 'days'],
    'text that is no JSON': ['Oslo', ''],
  };
  for (const [title, [args, path]] of Object.entries(hopeless)) {
    test(`leaves the call alone and says why: ${title}`, () => {
      const toolCall = forecast(args);
      const result = repair(toolCall);
      assert.equal(result.status, 'unrepairable');
      assert.deepEqual(result.toolCall, toolCall);
      assert.deepEqual([result.name, result.arguments, result.changes], ['get_forecast', args, []]);
      assert.deepEqual(Object.keys(result.problems[0]), ['path', 'message']);
      assert.equal(result.problems[0].path, path);
      const place = path === '' ? '' : `${path}: `;
      assert.ok(result.message.includes(`\n- ${place}${result.problems[0].message}\n`), result.message);
      assert.match(result.message, /^The call of "get_forecast" was not run:/);
      assert.match(result.message, /Call "get_forecast" again/);
      assert.deepEqual(result.refusal, { error: result.message });
    });
  }

  test('mends nothing when a part stays wrong', () => {
    const args = { days: '3', wind: 1 };
    const { status, arguments: same, changes, problems } = repair(forecast(args));
    assert.deepEqual([status, same, changes], ['unrepairable', args, []]);
    assert.deepEqual(problems.map(({ path }) => path).sort(), ['city', 'days', 'unit', 'wind']);
  });

  test('a valid call stays as it is, in every shape and with all that it carries', () => {
    for (const [provider, toolCall] of Object.entries(providerCalls('get_forecast', { ...RIGHT, days: 3 }))) {
      const carrying = frozen({ ...toolCall, metadata: { trace: [1, null] } });
      const result = repair(carrying);
      assert.deepEqual(
        result,
        {
          status: 'valid',
          toolCall: carrying,
          name: 'get_forecast',
          arguments: { ...RIGHT, days: 3 },
          changes: [],
          problems: [],
        },
        provider,
      );
    }
  });

  const wrong = providerCalls('get_forecast', { ...RIGHT, days: '3' });
  const right = providerCalls('get_forecast', { ...RIGHT, days: 3 });
  for (const [provider, toolCall] of Object.entries(wrong)) {
    test(`writes the repaired call as it was given: ${provider}`, () => {
      const result = repair(frozen({ ...toolCall, metadata: 1 }));
      assert.deepEqual(result.toolCall, { ...right[provider], metadata: 1 });
      assert.deepEqual(result.arguments, { ...RIGHT, days: 3 });
      assert.ok(!('refusal' in result));
    });
  }

  test('keeps arguments an object where OpenAI would write text', () => {
    const call = args => ({ function: { name: 'get_forecast', arguments: args } });
    assert.deepEqual(repair(call({ ...RIGHT, days: '3' })).toolCall, call({ ...RIGHT, days: 3 }));
  });

  const lacking = { unit: 'celsius' };
  for (const [provider, toolCall] of Object.entries(providerCalls('get_forecast', lacking))) {
    test(`refuses a call as its provider expects it: ${provider}`, () => {
      const { status, message, refusal } = repair(frozen(toolCall));
      assert.equal(status, 'unrepairable');
      assert.deepEqual(refusal, providerRefusals('get_forecast', lacking, message)[provider]);
    });
  }

  test('refuses a custom tool call of OpenAI Responses with the output of a custom tool call', () => {
    const toolCall = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'sql', input: 'SELECT 1' };
    const { refusal, message } = repair(toolCall);
    assert.deepEqual(refusal, { type: 'custom_tool_call_output', call_id: 'call_1', output: message });
  });

  test('without a name it asks for one', () => {
    for (const toolCall of [{ arguments: {} }, { name: '', arguments: {} }, {}, null]) {
      const { status, message } = repair(toolCall);
      assert.equal(status, 'unrepairable');
      assert.match(message, /^The call was not run:\n/, JSON.stringify(toolCall));
      assert.match(message, /by its name and with its arguments/);
    }
  });

  test('without tools nothing is repaired', () => {
    for (const tools of [[], null, [{ name: 'f', parameters: { type: 'text' } }]]) {
      const { status, message, problems } = repair(forecast({ ...RIGHT, days: '3' }), tools);
      assert.deepEqual([status, problems.length], ['unrepairable', 1]);
      assert.match(message, /No call can be checked/);
    }
  });

  test('a number that JSON has no form for is not replaced by another one', () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const result = repair(forecast({ ...RIGHT, days: number }));
      assert.equal(result.status, 'unrepairable');
      assert.match(result.message, /days: expected a finite number/);
      assert.deepEqual(result.arguments.days, null);
      assert.deepEqual(result.toolCall.arguments.days, null);
    }
  });

  test('a call that is still being written is not repaired', () => {
    const toolCall = { type: 'tool-get_forecast', toolCallId: 'c', state: 'input-streaming', input: { city: 'Os' } };
    const { status, message } = repair(toolCall);
    assert.equal(status, 'unrepairable');
    assert.match(message, /still being written/);
  });
});

suite('repaired calls are valid, and valid calls stay the same: random schemas and calls', () => {
  const SEEDS = 40;
  const CASES = 60;

  for (let seed = 1; seed <= SEEDS; seed += 1) {
    test(`seed ${seed}`, () => {
      const random = randomOf(seed);
      for (let at = 0; at < CASES; at += 1) {
        const { tools, toolCall } = randomCase(random);
        const label = JSON.stringify({ tools, toolCall });
        const { overall_valid, metrics } = checkToolCall({ tools, toolCall: frozen(toolCall) });
        const result = repairToolCallSync({ tools, toolCall });
        const corrections = CHECKS.flatMap(name => metrics[name].correction ?? []);
        assert.equal(overall_valid, failedIn({ metrics }).length === 0, label);
        assert.equal(result.status === 'valid', overall_valid, label);
        if (result.status === 'repaired') {
          const again = repairToolCallSync({ tools, toolCall: result.toolCall });
          assert.equal(again.status, 'valid', `${label} became ${JSON.stringify(result)}`);
          assert.deepEqual([again.name, again.arguments], [result.name, result.arguments], label);
          assert.notDeepEqual(result.toolCall, toolCall, label);
          assert.ok(result.changes.length > 0 && result.message.length > 0, label);
          const correction = { correctedArguments: result.arguments, toolCall: result.toolCall };
          for (const other of corrections) assert.deepEqual(other, correction, label);
        } else {
          assert.deepEqual([result.toolCall, result.changes, corrections], [toolCall, [], []], label);
          assert.equal(result.problems.length > 0, result.status === 'unrepairable', label);
          assert.equal('refusal' in result, result.status === 'unrepairable', label);
        }
      }
    });
  }

  /** Numbers from 0 to 1 that are the same for the same seed. */
  function randomOf(seed) {
    let state = seed * 0x9e3779b9;
    return () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    };
  }

  /** Tools with random schemas, and a call that fits them more or less, as some provider writes it. */
  function randomCase(random) {
    const pick = list => list[Math.floor(random() * list.length)];
    const chance = share => random() < share;
    const NAMES = ['alpha', 'beta_id', 'Alpha', 'gamma', 'alhpa', 'betaId', 'arguments', 'input', '__proto__', 'a b'];
    const STRANGE = [null, '5', 'ab', 'AB', ' ab ', 'true', '2024-02-30', '', 1, 2.5, -3, 1e21, true, [], {}, '[1]'];
    STRANGE.push('{"alpha": 2}', "{'alpha': 2}", '\ufffd', 'x'.repeat(200), [1, 'ab'], { alpha: 1 });

    /** A schema, and a function that makes values which fit it in most cases. */
    const leaf = () =>
      pick([
        [{ type: 'string' }, () => pick(['ab', '5', ''])],
        [{ type: 'string', minLength: 2, pattern: '^[a-z]+$' }, () => 'ab'],
        [{ type: 'string', format: 'date' }, () => '2024-02-28'],
        [{ type: 'integer', minimum: 0 }, () => pick([0, 7, 3.0])],
        [{ type: 'number', exclusiveMaximum: 10 }, () => pick([2.5, -1e21])],
        [{ type: ['number', 'null'] }, () => pick([1, null])],
        [{ type: 'boolean' }, () => chance(0.5)],
        [{ enum: ['ab', 'cd', 3] }, () => pick(['ab', 3])],
        [{ const: 'only' }, () => 'only'],
        [{ type: 'integer', default: 4 }, () => 5],
        [{ type: 'string', default: 7 }, () => 'cd'],
        [{ $ref: '#/$defs/shared' }, () => 1],
        [{ not: { type: 'string' } }, () => 5],
        [{}, () => pick(STRANGE)],
        [true, () => pick(STRANGE)],
      ]);
    const anySchema = depth => {
      if (depth === 0 || chance(0.5)) return leaf();
      const [inner, make] = anySchema(depth - 1);
      const [other, makeOther] = anySchema(depth - 1);
      return pick([
        () => [{ type: 'array', items: inner, maxItems: 2 }, () => (chance(0.5) ? [make()] : [make(), make()])],
        () => objectSchema(depth - 1),
        () => [{ anyOf: [inner, other] }, () => (chance(0.5) ? make() : makeOther())],
        () => [{ oneOf: [inner, { type: 'null' }] }, make],
        () => [{ allOf: [inner, true] }, make],
        () => [{ type: 'array', prefixItems: [inner], items: false }, () => [make()]],
        () => [{ type: 'object', additionalProperties: inner }, () => ({ alpha: make() })],
      ])();
    };
    const objectSchema = depth => {
      const members = NAMES.filter(() => chance(0.35)).map(name => [name, anySchema(depth)]);
      const required = members.map(([name]) => name).filter(() => chance(0.4));
      // fromEntries keeps a property named __proto__, which a literal would lose.
      const properties = Object.fromEntries(members.map(([name, [schema]]) => [name, schema]));
      const schema = { type: 'object', properties, required, ...(chance(0.4) ? { additionalProperties: false } : {}) };
      const make = () => {
        const wanted = members.filter(([name]) => required.includes(name) || chance(0.6));
        return Object.fromEntries(wanted.map(([name, [, makeMember]]) => [name, makeMember()]));
      };
      return [schema, make];
    };
    /** A value with some of its parts replaced, renamed, left out, added, or written as text. */
    const spoilt = value => {
      if (chance(0.1)) return pick(STRANGE);
      if (chance(0.1)) return JSON.stringify(value);
      if (Array.isArray(value)) return value.map(spoilt);
      if (typeof value !== 'object' || value === null) return value;
      const members = Object.entries(value).filter(() => !chance(0.05));
      const renamed = members.map(([name, member]) => [chance(0.1) ? pick(NAMES) : name, spoilt(member)]);
      return Object.fromEntries(chance(0.2) ? [...renamed, [pick(NAMES), pick(STRANGE)]] : renamed);
    };

    const [parameters, make] = objectSchema(2);
    const tools = [
      { name: 'find_order', parameters: { ...parameters, $defs: { shared: { type: 'integer' } } } },
      { name: 'find_orders', parameters: { type: 'object' } },
      { name: 'list', parameters: { type: 'object', properties: { page: { type: 'integer' } } } },
    ];
    const made = chance(0.3) ? make() : spoilt(make());
    const args = pick([
      made,
      made,
      made,
      made,
      { arguments: made },
      JSON.stringify(made),
      `\`\`\`\n${JSON.stringify(made)}\n\`\`\``,
    ]);
    const names = [...Array(8).fill('find_order'), 'findOrder', 'find_ordr', 'list', 'lists', 'other', ''];
    return { tools, toolCall: JSON.parse(JSON.stringify(pick(Object.values(providerCalls(pick(names), args))))) };
  }
});
