import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { compileTools, lintTools, reportToolLint, ToolgaugeError } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const FIXTURES = join(TESTS, '../fixtures/lint');
const [FAULTY, SOUND] = ['faulty', 'sound'].map(name => join(FIXTURES, `${name}.tools.json`));

const lint = (...args) => run(COMMAND, ['lint-tools', ...args]);

/** The severity, type and path of each issue of a result. */
const summaryOf = ({ issues }) => issues.map(({ severity, type, details }) => `${severity} ${type} ${details.path}`);

const DESCRIPTION = 'Walks on, straight ahead.';

suite('lintTools', () => {
  test('finds what is wrong, with its place in the source, and how to mend it', () => {
    const result = lintTools(readFileSync(FAULTY));
    assert.deepEqual(summaryOf(result), [
      'high invalid_name tools[0].function.name',
      'high required_not_property tools[0].function.parameters.required[1]',
      'low missing_parameter_description tools[1].function.parameters.properties.query',
      'high missing_items tools[1].function.parameters.properties.tags',
      'medium similar_names tools[2].function',
      'medium missing_description tools[2].function',
      'critical unknown_type tools[2].function.parameters.properties.limit.type',
    ]);
    assert.equal(result.valid, false);
    assert.equal(result.tools, 3);
    assert.equal(result.score, 0.15);
    assert.deepEqual(result.summary.issuesBySeverity, { critical: 1, high: 3, low: 1, medium: 2 });
    const [, required] = result.issues;
    assert.equal(required.toolName, 'get weather');
    assert.match(
      required.description,
      /^"get weather": parameters\.required\[1\]: "town" is required but not in properties/,
    );
    assert.match(required.details.hint, /properties/);
  });

  test('takes text, bytes, values and compiled tools alike', () => {
    const text = readFileSync(SOUND, 'utf8');
    const value = JSON.parse(text);
    const inputs = [text, new TextEncoder().encode(text), value, compileTools(value)];
    for (const input of inputs) assert.deepEqual(summaryOf(lintTools(input)), []);
  });

  test('takes the schema objects of other libraries', () => {
    const parameters = z.object({ city: z.string().describe('where the walk starts'), limit: z.int() });
    const issues = summaryOf(lintTools({ walk: { name: 'walk', description: DESCRIPTION, parameters } }));
    assert.deepEqual(issues, ['low missing_parameter_description walk.parameters.properties.limit']);
  });

  test('holds definitions to the provider that is asked for', () => {
    const schema = { type: 'object', properties: {}, additionalProperties: false };
    const tools = [{ name: 'walk', description: DESCRIPTION, inputSchema: schema }];
    assert.deepEqual(summaryOf(lintTools(tools)), []);
    assert.deepEqual(summaryOf(lintTools(tools, { provider: 'openai' })), []);
    const issue = 'high unsupported_keyword [0].inputSchema.additionalProperties';
    assert.deepEqual(summaryOf(lintTools(tools, { provider: 'gemini' })), [issue]);
    const [{ details }] = lintTools(tools, { provider: 'all' }).issues;
    assert.deepEqual(details.providers, ['gemini']);
  });

  test('follows references to the given documents alone', () => {
    const tools = [
      { name: 'walk', description: DESCRIPTION, inputSchema: { type: 'object', allOf: [{ $ref: 'urn:pace' }] } },
    ];
    const schemas = { 'urn:pace': { type: 'object' } };
    const types = options => lintTools(tools, options).issues.map(({ type }) => type);
    assert.deepEqual(types({ schemas }), ['unsupported_root']);
    assert.deepEqual(types(), ['unresolved_reference', 'unsupported_root']);
  });

  test('of no tools finds nothing', () => {
    const none = { valid: true, score: 1, tools: 0, issues: [] };
    const summary = { clean: 0, issuesByType: {}, issuesBySeverity: {} };
    for (const input of [[], {}, '[]', { tools: [] }]) assert.deepEqual(lintTools(input), { ...none, summary });
  });

  test('refuses what is no tool, and wrong options', () => {
    const code = expected => error => error instanceof ToolgaugeError && error.code === expected;
    assert.throws(() => lintTools('{"tools": ['), code('invalid_json'));
    assert.throws(() => lintTools('7'), code('unknown_format'));
    assert.throws(() => lintTools({ name: 'a package', version: '1.0.0' }), code('unknown_format'));
    assert.throws(() => lintTools([{ role: 'user', content: 'Hi' }]), code('unknown_format'));
    assert.throws(() => lintTools([{ name: 'walk', parameters: [] }]), code('invalid_input'));
    assert.throws(() => lintTools([], { provider: 'acme' }), code('invalid_option'));
    assert.throws(() => lintTools([], { strict: true }), code('invalid_option'));
  });

  test('survives hostile definitions, and the next call works', () => {
    const nested = depth => `${'{"type":"object","properties":{"a":'.repeat(depth)}{}${'}}'.repeat(depth)}`;
    assert.throws(() => lintTools(`[{"name":"walk","parameters":${nested(10_000)}}]`), { code: 'limit_exceeded' });
    const deep = lintTools(`[{"name":"walk","parameters":${nested(100)}}]`);
    assert.equal(deep.issues.filter(({ type }) => type === 'missing_parameter_description').length, 100);
    const markup = '<img src=x onerror=alert(1)>\u001b[31m';
    const named = lintTools([{ name: markup, description: markup, parameters: { type: markup, required: [markup] } }]);
    assert.equal(named.valid, false);
    const proto = lintTools('{"__proto__": {"parameters": {"type": "object", "properties": {"__proto__": {}}}}}');
    assert.equal(proto.issues[0].toolName, '__proto__');
    assert.equal({}.parameters, undefined);
    const circular = { type: 'object', $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a' } } };
    assert.ok(lintTools([{ name: 'walk', parameters: circular }]).issues.length > 0);
    const pattern = { type: 'string', pattern: '(a+)+$', default: `${'a'.repeat(40)}!` };
    assert.ok(lintTools([{ name: 'walk', parameters: { type: 'object', properties: { pattern } } }]).tools === 1);
    assert.equal(lintTools(readFileSync(SOUND)).score, 1);
  });
});

suite('toolgauge lint-tools', () => {
  test('prints each tool with its issues and exits with 1 when the gate fails', async () => {
    const { code, stdout, stderr } = await lint(FAULTY);
    assert.equal(stderr, '');
    assert.equal(code, 1);
    const lines = stdout.split('\n');
    assert.equal(lines[0], `toolgauge lint-tools  ${FAULTY} · 3 tools`);
    assert.ok(lines.includes('✖ get weather'), stdout);
    assert.match(stdout, / {2}high {6}required_not_property {2}parameters\.required\[1\]: "town" is/);
    assert.match(stdout, / {12}→ Describe it in properties, or remove it from required\.\n/);
    assert.match(stdout, /\ngate {5}failed: 4 issues are high or worse\n$/);
    assert.equal(stdout, reportToolLint(readFileSync(FAULTY), { source: FAULTY, width: 80 }).text);
  });

  test('lints the tools of servers, rows and lines, and says what configures a client', async t => {
    const tool = name => ({ name, description: `Walks on and on, to ${name}.`, inputSchema: { type: 'object' } });
    const [notes, mail] = [
      { name: 'notes', tools: [tool('read')] },
      { name: 'mail', tools: [tool('send')] },
    ];
    const said = [{ from: 'human', value: 'hi' }];
    const folder = folderIn(consumer, t, {
      'server.json': JSON.stringify(notes),
      'servers.json': JSON.stringify([notes, mail]),
      'rows.jsonl': `${[tool('read'), tool('send')].map(it => JSON.stringify({ conversations: said, tools: JSON.stringify([it]) })).join('\n')}\n`,
      'lines.jsonl': `${JSON.stringify(tool('read'))}\n${JSON.stringify(tool('send'))}\n`,
      'mcp.json': JSON.stringify({ mcpServers: { notes: { command: 'notes' } } }),
    });
    for (const [file, tools] of [
      ['server.json', 1],
      ['servers.json', 2],
      ['rows.jsonl', 2],
      ['lines.jsonl', 2],
    ]) {
      const { code, stdout, stderr } = await lint(join(folder, file), '--format', 'json');
      assert.equal(code, 0, stdout + stderr);
      const [result] = JSON.parse(stdout).results;
      assert.deepEqual([result.tools, result.issues], [tools, []], file);
    }
    const { code, stderr } = await lint(join(folder, 'mcp.json'));
    assert.equal(code, 2);
    assert.match(stderr, /configures the servers of an MCP client and holds no tools/);
  });

  test("reports a definition that it can't read, and lints the others", async t => {
    const tools = [{ type: 'strolling' }, { name: 'walk', input_schema: { type: 'object' } }];
    const folder = folderIn(consumer, t, { 'tools.json': JSON.stringify(tools) });
    const { code, stdout, stderr } = await lint(join(folder, 'tools.json'));
    assert.equal(code, 2);
    assert.match(stderr, /tools\.json: \[0\]\.name: expected the name of a tool/);
    assert.match(stdout, /linted {3}1 tool, /);
  });

  test('exits with 0 when nothing is as bad as --fail-on says', async () => {
    assert.equal((await lint(SOUND)).code, 0);
    assert.equal((await lint(FAULTY, '--fail-on', 'never')).code, 0);
    assert.equal((await lint(SOUND, '--fail-on', 'low')).code, 0);
    assert.equal((await lint(SOUND, '--provider', 'gemini')).code, 1);
  });

  test('prints JSON, and JSON Lines, of several files', async () => {
    const json = JSON.parse((await lint(FAULTY, SOUND, '--format', 'json')).stdout);
    assert.deepEqual(
      json.results.map(({ source, tools, valid }) => [source, tools, valid]),
      [
        [FAULTY, 3, false],
        [SOUND, 2, true],
      ],
    );
    assert.equal(json.passed, false);
    const lines = (await lint(FIXTURES, '--format', 'jsonl')).stdout
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    assert.deepEqual(lines, json.results);
    const { issues, gate } = json.results[0];
    assert.deepEqual(issues, lintTools(readFileSync(FAULTY)).issues);
    assert.deepEqual(gate, { passed: false, failures: ['4 issues are high or worse'] });
  });

  test('reads standard input, and logs of requests', async () => {
    const tools = JSON.parse(readFileSync(FAULTY, 'utf8')).tools;
    const request = JSON.stringify({ model: 'm', messages: [], tools });
    const input = `${request}\n${request}\n`;
    const piped = await run(COMMAND, ['lint-tools', '-', '--format', 'jsonl'], { input });
    assert.equal(piped.code, 1);
    assert.equal(JSON.parse(piped.stdout).tools, 3);
  });

  test('reports what it can not read, lints the rest, and exits with 2', async t => {
    const folder = folderIn(consumer, t, {
      'a.json': '{"tools": [',
      'b.json': '[{"role": "user", "content": "Hi"}]',
      'c.json': '[]',
      'd.json': readFileSync(SOUND, 'utf8'),
    });
    const { code, stdout, stderr } = await lint(folder);
    assert.equal(code, 2);
    assert.match(stdout, /^toolgauge lint-tools {2}.*d\.json · 2 tools\n/);
    assert.match(stderr, /a\.json: not valid JSON/);
    assert.match(stderr, /b\.json: no known tools format/);
    assert.match(stderr, /c\.json: it holds no tools\n {2}check the path, or let that pass with --allow-empty/);
    assert.equal((await lint(join(folder, 'c.json'), '--allow-empty')).code, 0);
  });

  test('refuses wrong usage with 2', async () => {
    for (const args of [[], ['none.json'], [SOUND, '--provider', 'acme'], [SOUND, '--format', 'xml']]) {
      const { code, stdout } = await lint(...args);
      assert.equal(code, 2);
      assert.equal(stdout, '');
    }
  });

  test('prints nothing that steers the terminal', async t => {
    const name = 'a\u001b[2J\u202e';
    const tools = JSON.stringify([{ name, description: name, parameters: { type: name } }]);
    const folder = folderIn(consumer, t, { 'tools.json': tools });
    const { stdout, stderr } = await lint(join(folder, 'tools.json'));
    assert.ok(stdout.includes(String.raw`a\u{1b}[2J\u{202e}`), stdout);
    for (const character of name.slice(1, 2) + name.slice(-1)) assert.ok(!(stdout + stderr).includes(character));
  });
});
