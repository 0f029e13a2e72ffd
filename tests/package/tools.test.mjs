import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { assertFails, forms } from './support/assertions.mjs';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';

const { checkTrajectories, compileTools, createToolSchema, importTools, validateSchema, validateToolCall } =
  await fromConsumer('toolgauge');
const { z } = await fromConsumer('zod');
const { jsonSchema, tool, zodSchema } = await fromConsumer('ai');

const pathsOf = (args, schema) =>
  validateSchema({ name: 'f', arguments: args }, schema).issues.map(issue => issue.path);

suite('what importTools gives', () => {
  const parameters = { type: 'object', properties: { bed: { type: 'integer' } }, required: ['bed'] };
  const folder = join(import.meta.dirname, '../fixtures/tools');
  const files = readdirSync(folder).map(name => [name, JSON.parse(readFileSync(join(folder, name), 'utf8'))]);
  const written = {
    'an Anthropic tool that names its type': [{ type: 'custom', name: 'sow', input_schema: parameters }],
    'a custom tool of OpenAI': [{ type: 'custom', name: 'note', format: { type: 'text' } }],
    'a nested custom tool of OpenAI': [{ type: 'custom', custom: { name: 'note' } }],
    'a function of OpenAI': [{ type: 'function', name: 'sow', parameters, strict: true }],
    'a tool of MCP': { tools: [{ name: 'sow', inputSchema: parameters, annotations: { readOnlyHint: true } }] },
    'tools of the AI SDK by name': { sow: { inputSchema: { jsonSchema: parameters } } },
    'functions of older requests': { functions: [{ name: 'sow', parameters }] },
  };

  for (const [name, definitions] of [...files, ...Object.entries(written)]) {
    test(`is imported as it is, and judges calls the same: ${name}`, () => {
      const { value } = importTools(definitions);
      const again = importTools(value);
      assert.deepEqual([again.value, again.warnings], [value, []]);
      assert.deepEqual(importTools(Object.values(value)).value, value);
      for (const called of [...Object.keys(value), 'none']) {
        for (const args of [{ bed: 1 }, { bed: 'x' }, {}, 'text', undefined]) {
          const call = { name: called, arguments: args, result: 1 };
          assert.deepEqual(validateToolCall(call, value), validateToolCall(call, definitions));
        }
      }
    });
  }

  test('has each tool of a record, also when one is called as a wrapper is', () => {
    for (const name of [
      'function',
      'functions',
      'tools',
      'name',
      'type',
      'parameters',
      'toolSpec',
      'config',
      'result',
    ]) {
      for (const tool of [{ parameters }, { name, parameters }, { description: 'd', inputSchema: parameters }]) {
        for (const record of [
          { [name]: tool, hoe: { parameters } },
          { hoe: { parameters }, [name]: tool },
        ]) {
          const names = Object.keys(record);
          assert.deepEqual(Object.keys(importTools(record).value), names);
          assert.deepEqual(Object.keys(importTools({ tools: record }).value), names);
        }
      }
    }
  });
});

suite('createToolSchema', () => {
  test('keeps the whole JSON Schema, nested parts and all keywords included', () => {
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        point: { $ref: '#/$defs/point' },
        size: { anyOf: [{ type: 'integer', minimum: 1 }, { const: 'auto' }] },
      },
      required: ['point'],
      additionalProperties: false,
      'x-owner': 'maps',
      $defs: { point: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'number' }], items: false } },
    };
    assert.deepEqual(createToolSchema('pan', parameters, 'Moves the map'), {
      name: 'pan',
      description: 'Moves the map',
      parameters,
    });
  });

  test('adds what arguments always are to a schema that does not say it', () => {
    assert.deepEqual(createToolSchema('f', { properties: { a: {} } }).parameters, {
      type: 'object',
      properties: { a: {} },
    });
    assert.deepEqual(createToolSchema('f', {}).parameters, { type: 'object', properties: {} });
  });

  test('takes a zod schema by its input side', () => {
    const schema = createToolSchema(
      'book',
      z.object({ mail: z.email(), guests: z.int().min(1).default(2), area: z.enum(['garden', 'hall']).optional() }),
    );
    assert.deepEqual(schema.parameters.required, ['mail']);
    assert.equal(schema.parameters.properties.mail.format, 'email');
    assert.deepEqual(pathsOf({ mail: 'a@example.com' }, schema), []);
    assert.deepEqual(pathsOf({ mail: 'a@example.com', guests: 0, area: 'roof' }, schema).sort(), ['area', 'guests']);
  });

  test('reports a value that breaks the format of a zod schema once', () => {
    const schema = createToolSchema('f', z.object({ mail: z.email(), id: z.uuid() }));
    const { issues } = validateSchema({ name: 'f', arguments: { mail: 'nobody', id: '7' } }, schema);
    assert.deepEqual(
      issues.map(({ type, path }) => [type, path]),
      [
        ['invalid_format', 'mail'],
        ['invalid_format', 'id'],
      ],
    );
  });

  test('takes a recursive zod schema', () => {
    const node = z.object({
      value: z.number(),
      get next() {
        return node.optional();
      },
    });
    const schema = createToolSchema('list', node);
    assert.deepEqual(pathsOf({ value: 1, next: { value: 2, next: { value: '3' } } }, schema), ['next.next.value']);
  });

  test('says which tool a zod type without JSON Schema belongs to', () => {
    assertFails(() => createToolSchema('when', z.object({ at: z.date() })), {
      code: 'invalid_schema',
      says: /"when".*zod/,
    });
  });

  test('takes any Standard Schema that exports JSON Schema, and asks for 2020-12', () => {
    const asked = [];
    const input = options => {
      asked.push(options.target);
      return { type: 'object', required: ['a'] };
    };
    const validate = value => ({ value });
    const source = { '~standard': { version: 1, vendor: 'home', validate, jsonSchema: { input } } };
    assert.deepEqual(pathsOf({}, createToolSchema('f', source)), ['a']);
    assert.deepEqual(asked, ['draft-2020-12']);
  });

  test('says which library a Standard Schema without JSON Schema is from', () => {
    const source = { '~standard': { version: 1, vendor: 'home', validate: value => ({ value }) } };
    assertFails(() => createToolSchema('f', source), { code: 'invalid_schema', says: /"f".*home/ });
  });

  test('takes the schemas of the AI SDK', () => {
    assert.deepEqual(pathsOf({}, createToolSchema('f', jsonSchema({ type: 'object', required: ['a'] }))), ['a']);
    assert.deepEqual(pathsOf({}, createToolSchema('f', zodSchema(z.object({ b: z.string() })))), ['b']);
  });

  test('says which tool and which place an invalid schema has, once', () => {
    const broken = { type: 'object', properties: { a: { type: 'strin' } } };
    for (const form of Object.values(forms(broken))) {
      assertFails(() => createToolSchema('send', form), {
        code: 'invalid_schema',
        path: 'parameters.properties.a.type',
        says: /"send"/,
      });
    }
  });

  test('refuses what is no schema at all', () => {
    for (const value of [5, null, [], 'true story', () => {}, undefined, Symbol('s')]) {
      assert.throws(() => createToolSchema('f', value), { name: 'ToolgaugeError', message: /./ });
    }
    assertFails(() => createToolSchema(5, {}), { code: 'invalid_input', says: /name/ });
    assertFails(() => createToolSchema('f', {}, 5), { code: 'invalid_input', says: /description/ });
  });

  test('does not change the schema it is given', () => {
    const schema = Object.freeze({ properties: Object.freeze({ a: Object.freeze({ nullable: true }) }) });
    const before = structuredClone(schema);
    createToolSchema('f', schema);
    assert.deepEqual(schema, before);
  });
});

suite('tools in the forms that TypeScript users have them', () => {
  const call = { name: 'send', arguments: { to: 5 }, result: 1 };
  const shape = z.object({ to: z.string() });
  const wanted = [['type_mismatch', 'to']];
  const judge = tools => validateToolCall(call, tools).issues.map(({ type, details }) => [type, details.path]);

  test('one tool schema', () => assert.deepEqual(judge(createToolSchema('send', shape)), wanted));
  test('a record of zod schemas', () => assert.deepEqual(judge({ send: shape }), wanted));
  test('a record whose parameters are zod', () => {
    assert.deepEqual(judge({ send: { name: 'send', parameters: shape } }), wanted);
  });
  test('a list whose parameters are zod', () => {
    assert.deepEqual(judge([{ name: 'send', parameters: shape }]), wanted);
    assert.deepEqual(judge([{ type: 'function', function: { name: 'send', parameters: shape } }]), wanted);
  });
  test('tools of the AI SDK', () => {
    const execute = async () => 'sent';
    assert.deepEqual(judge({ send: tool({ description: 'Sends', inputSchema: shape, execute }) }), wanted);
    assert.deepEqual(judge({ send: tool({ inputSchema: jsonSchema({ required: ['by'] }), execute }) }), [
      ['missing_required_param', 'by'],
    ]);
  });
  test('tools whose schema is made by a function', () => {
    assert.deepEqual(judge({ send: { inputSchema: () => shape } }), wanted);
    assert.deepEqual(judge([{ name: 'send', parameters: () => z.toJSONSchema(shape) }]), wanted);
  });
  test('a function that makes no schema, a class too, is an error that names the tool', () => {
    const cause = new Error('mine');
    const throwing = () => {
      throw cause;
    };
    for (const make of [() => {}, async () => shape, () => 'text', () => null, class {}, throwing]) {
      for (const tools of [{ send: { inputSchema: make } }, [{ name: 'send', parameters: make }]]) {
        assertFails(() => validateToolCall(call, tools), { code: 'invalid_schema', says: /"send".*function/ });
      }
    }
    assertFails(() => validateToolCall(call, { send: { inputSchema: throwing } }), { cause, says: /mine/ });
  });
  test('other binary data than a Uint8Array is an error that says how to wrap it', () => {
    const { buffer } = forms([createToolSchema('send', shape)]).bytes;
    for (const data of [buffer, new DataView(buffer)]) {
      assertFails(() => validateToolCall(call, data), { code: 'invalid_input', says: /new Uint8Array\(/ });
    }
  });
  test('a schema alone has no name and is an error that says how to give one', () => {
    assertFails(() => validateToolCall(call, shape), { code: 'invalid_schema', says: /createToolSchema/ });
  });
});

suite('compiled tools', () => {
  const definitions = {
    send: { name: 'send', parameters: { type: 'object', required: ['to'] } },
    wait: { name: 'wait', parameters: { type: 'object' } },
  };
  const call = { name: 'send', arguments: {}, result: 1 };

  test('judge as their definitions do, as often as one likes', () => {
    const tools = compileTools(definitions);
    const expected = validateToolCall(call, definitions);
    for (let round = 0; round < 100; round += 1) assert.deepEqual(validateToolCall(call, tools), expected);
    tools.free();
  });

  test('name the tools in the order of the definitions', () => {
    assert.deepEqual(compileTools(definitions).names, ['send', 'wait']);
    assert.deepEqual(compileTools([definitions.wait, definitions.send]).names, ['wait', 'send']);
  });

  test('turn into the JSON of their definitions', () => {
    for (const form of Object.values(forms(definitions))) {
      assert.deepEqual(JSON.parse(JSON.stringify(compileTools(form))), definitions);
    }
  });

  test('can be compiled again and are then other tools', () => {
    const first = compileTools(definitions);
    const second = compileTools(first);
    first.free();
    assert.equal(validateToolCall(call, second).issues.length, 1);
  });

  test('can be freed twice', () => {
    const tools = compileTools(definitions);
    tools.free();
    tools.free();
    assert.deepEqual(tools.names, ['send', 'wait']);
  });

  test('are refused after they were freed, and everything else goes on', () => {
    const tools = compileTools(definitions);
    tools.free();
    assertFails(() => validateToolCall(call, tools), { code: 'invalid_input', says: /freed/ });
    assert.equal(validateToolCall(call, definitions).issues.length, 1);
  });

  test('are not harmed when others of the same definitions are freed', () => {
    const [one, other] = [compileTools(definitions), compileTools(definitions)];
    one.free();
    assert.equal(validateToolCall(call, other).issues.length, 1);
  });

  test('are freed at the end of a `using` block', () => {
    const tools = compileTools(definitions);
    tools[Symbol.dispose]();
    assertFails(() => validateToolCall(call, tools), { code: 'invalid_input', says: /freed/ });
  });

  test('do not change when the bytes that they were made from do', () => {
    const bytes = new TextEncoder().encode(JSON.stringify(definitions));
    const tools = compileTools(bytes);
    bytes.fill(0);
    assert.equal(validateToolCall(call, tools).issues.length, 1);
    assert.deepEqual(tools.toJSON(), definitions);
  });

  test('reach other documents through `schemas`, by their URI, and nothing else', () => {
    const parameters = { type: 'object', properties: { at: { $ref: 'https://example.com/point' } } };
    const tools = { pan: { name: 'pan', parameters } };
    const schemas = { 'https://example.com/point': { type: 'array', minItems: 2 } };
    const pan = { name: 'pan', arguments: { at: [1] }, result: 1 };
    const [issue] = validateToolCall(pan, compileTools(tools, { schemas })).issues;
    assert.equal(issue.details.keyword, 'minItems');
    assertFails(() => compileTools(tools), { code: 'invalid_schema', says: /"pan"/ });
  });

  test('have limits of their own', () => {
    assertFails(() => compileTools(definitions, { limits: { maxInputBytes: 10 } }), { code: 'limit_exceeded' });
    assertFails(() => compileTools(definitions, { limits: { maxDepth: 2 } }), { code: 'limit_exceeded' });
    assertFails(() => compileTools(definitions, { schema: {} }), { code: 'invalid_option', says: /schema/ });
  });

  test('can be made by compileTools alone', async () => {
    const { CompiledTools } = await fromConsumer('toolgauge');
    assert.ok(compileTools(definitions) instanceof CompiledTools);
    assert.throws(() => new CompiledTools());
  });

  test('give their memory back when they are no longer referenced', async t => {
    const folder = folderIn(consumer, t, { 'main.mjs': FORGETFUL });
    const { stdout, stderr } = await run('node', ['--expose-gc', 'main.mjs'], { cwd: folder });
    assert.equal(stderr, '');
    const { warm, end } = JSON.parse(stdout);
    assert.ok(end < 2 * warm, `memory grew from ${warm} to ${end} bytes`);
  });
});

/** Compiles many different tools, forgets them, and prints how large the memory was early and in the end. */
const FORGETFUL = `
const memories = [];
const { Instance } = WebAssembly;
WebAssembly.Instance = class extends Instance {
  constructor(...args) {
    super(...args);
    memories.push(this.exports.memory);
  }
};
const { compileTools } = await import('toolgauge');
const size = () => memories.at(-1).buffer.byteLength;
const compile = n => compileTools({ f: { name: 'f', parameters: { enum: Array.from({ length: 2000 }, (_, i) => n + '-' + i) } } });
let warm;
for (let n = 0; n < 600; n += 1) {
  compile(n);
  if (n % 20 === 0) {
    globalThis.gc();
    await new Promise(settle => setTimeout(settle));
  }
  if (n === 60) warm = size();
}
console.log(JSON.stringify({ warm, end: size() }));
`;

suite("definitions that can't be used", () => {
  const sow = { name: 'sow', parameters: { type: 'object', properties: { bed: { type: 'integer' } } } };
  const odd = { name: 'odd', parameters: { type: 'strange' } };
  const call = (name, args) => ({ name, arguments: args, result: 1 });
  const typesOf = (name, args, tools) => validateToolCall(call(name, args), tools).issues.map(({ type }) => type);

  test('are errors that take no other tool down, if that is allowed', () => {
    const tools = compileTools([sow, odd], { allowErrors: true });
    assert.deepEqual(
      tools.errors.map(({ code, path }) => [code, path]),
      [['invalid_schema', 'parameters.type']],
    );
    assert.deepEqual(typesOf('sow', { bed: 'x' }, tools), ['type_mismatch']);
    assert.deepEqual(typesOf('odd', { bed: 'x' }, tools), []);
    assert.deepEqual(typesOf('reap', {}, tools), ['unknown_tool']);
    assert.deepEqual(compileTools([sow], { allowErrors: true }).errors, []);
  });

  test('may be of any tool, if they show no name', () => {
    const tools = compileTools([sow, { type: 'weeding' }], { allowErrors: true });
    assert.deepEqual(
      tools.errors.map(({ path }) => path),
      ['[1].name'],
    );
    assert.deepEqual(typesOf('reap', {}, tools), []);
    assert.deepEqual(typesOf('sow', { bed: 'x' }, tools), ['type_mismatch']);
  });

  test('are thrown if errors are not allowed, or if there is no other', () => {
    assertFails(() => compileTools([sow, odd]), { code: 'invalid_schema', says: /"odd"/ });
    assertFails(() => compileTools([odd], { allowErrors: true }), { code: 'invalid_schema', says: /"odd"/ });
    assertFails(() => compileTools([{ role: 'user' }], { allowErrors: true }), { code: 'unknown_format' });
  });
});

suite('the tools that a trajectory carries', () => {
  const sow = { name: 'sow', input_schema: { type: 'object', properties: { bed: { type: 'integer' } } } };
  const log = (tools, ...blocks) => ({
    tools,
    messages: [
      { role: 'user', content: 'Sow bed 1.' },
      { role: 'assistant', content: blocks.map((block, at) => ({ type: 'tool_use', id: `t${at}`, ...block })) },
      {
        role: 'user',
        content: blocks.map((_, at) => ({ type: 'tool_result', tool_use_id: `t${at}`, content: 'done' })),
      },
    ],
  });
  const checked = (tools, ...blocks) => {
    const { trajectories, warnings } = checkTrajectories(log(tools, ...blocks));
    const issues = trajectories.flatMap(({ results }) => results.flatMap(result => result.issues));
    return { issues: issues.map(({ type, toolName }) => `${type} ${toolName}`), warnings };
  };
  const wrong = { name: 'sow', input: { bed: 'x' } };
  const other = { name: 'reap', input: {} };

  test("are used as far as they can be read, and what can't be is a warning", () => {
    for (const [definition, path, isNamed] of [
      [{ type: 'weeding' }, 'tools[1]', false],
      [{}, 'tools[1]', false],
      [{ type: 'mcp_toolset', mcp_server_name: 'farm' }, 'tools[1]', false],
      ['reap', 'tools[1]', true],
      [{ name: 'reap' }, 'tools[1]', true],
      [{ name: 'reap', input_schema: 'none' }, 'tools[1]', true],
      [{ name: 'reap', input_schema: { type: 'strange' } }, 'tools[1]', true],
    ]) {
      const { issues, warnings } = checked([sow, definition], wrong, other);
      assert.deepEqual(issues, ['type_mismatch sow'], JSON.stringify(definition));
      assert.deepEqual(
        warnings.map(warning => warning.path),
        [path],
      );
      assert.match(warnings[0].message, /calls are not judged by a schema$/);
      const unknown = checked([sow, definition], { name: 'dig', input: {} }).issues;
      assert.deepEqual(unknown, isNamed ? ['unknown_tool dig'] : [], JSON.stringify(definition));
    }
  });

  test('are reported once for all trajectories of a document', () => {
    const { warnings, summary } = checkTrajectories([log([sow, {}], wrong), log([sow, {}], wrong)]);
    assert.equal(summary.trajectories, 2);
    assert.equal(warnings.length, 1);
  });

  test('are none if the list is empty', () => {
    const { trajectories } = checkTrajectories(log([], other));
    assert.equal(trajectories[0].hasTools, false);
    assert.deepEqual(trajectories[0].results[0].issues, []);
  });

  test('may switch on a search that is not logged, whose facts are then not judged', () => {
    const asked = tools => ({
      tools: [{ functionDeclarations: [{ name: 'find_bed', parameters: { type: 'OBJECT' } }] }, ...tools],
      contents: [
        { role: 'user', parts: [{ text: 'Which bed is free, and how cold will it be?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'find_bed', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'find_bed', response: { bed: 'B-204' } } }] },
        { role: 'model', parts: [{ text: 'Bed B-204 is free, and it will be 7.25 degrees at Flora Station.' }] },
      ],
    });
    const found = tools => {
      const [{ results, unjudged = [] }] = checkTrajectories(asked(tools)).trajectories;
      return [results.flatMap(({ issues }) => issues.map(({ type }) => type)), unjudged];
    };
    assert.deepEqual(found([]), [['hallucinated_result'], []]);
    assert.deepEqual(found([{ googleSearch: {} }]), [[], ['hidden_results']]);
  });

  test('are not needed for what the platform runs or a server of tools lists', () => {
    for (const type of ['server_tool_use', 'mcp_tool_use']) {
      const { issues, warnings } = checked([sow], { ...other, type });
      assert.deepEqual([issues, warnings], [[], []]);
    }
    assert.deepEqual(checked([sow], other).issues, ['unknown_tool reap']);
  });
});
