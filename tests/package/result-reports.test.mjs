import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import Ajv from 'ajv';
import { consumer, folderIn, run } from './support/consumer.mjs';
import { assertJunit, FOREIGN_MARKDOWN, MARKUP, SARIF } from './support/report-syntax.mjs';
import { parseXml } from './support/site.mjs';

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');

/** A trajectory with markup everywhere, of which one call is wrong, one extra, one missed and one as expected. */
const hostile = MARKUP.map(text => ({
  trajectory_id: text,
  turns: [
    {
      turn_id: 1,
      role: 'agent',
      content: '',
      tool_calls: [
        { name: 'send', arguments: { to: text } },
        { name: 'ok', arguments: {} },
        { name: text, arguments: { [text]: text } },
      ],
    },
  ],
  expected_calls: [
    { tool: 'send', args: { to: 'a' } },
    { tool: 'ok', args: {} },
    { tool: 'missed', args: { [text]: 1 } },
  ],
}));
const cases = hostile.map(({ trajectory_id, turns: [{ tool_calls }], expected_calls }) => ({
  id: trajectory_id,
  input: trajectory_id,
  toolsCalled: tool_calls.map(({ name, arguments: inputParameters }) => ({ name, inputParameters })),
  expectedTools: expected_calls.map(({ tool: name, args: inputParameters }) => ({ name, inputParameters })),
}));

const COMMANDS = {
  score: ['score', 'runs.json'],
  correctness: ['correctness', 'cases.json', '--params', 'input_parameters'],
};

async function reportIn(t, command, format, ...more) {
  const folder = folderIn(consumer, t, {
    'runs.json': JSON.stringify(hostile),
    'cases.json': JSON.stringify(cases),
    'bad.json': '{',
  });
  const { stdout, code } = await run(COMMAND, [...COMMANDS[command], '--format', format, ...more], { cwd: folder });
  return { text: stdout, code };
}

for (const command of Object.keys(COMMANDS)) {
  suite(`the reports of toolgauge ${command}`, () => {
    test('junit has a test case for each result, and a failure for each fault', async t => {
      const { text, code } = await reportIn(t, command, 'junit', '--min-score', '0.9');
      assert.equal(code, 1);
      const root = await parseXml(t, text);
      assertJunit(root);
      const [{ children }] = root.children;
      const found = children.filter(({ name }) => name === 'testcase');
      assert.equal(found.length, MARKUP.length);
      assert.equal(found[0].attributes.name, MARKUP[0]);
      const failures = found[0].children.filter(({ name }) => name === 'failure');
      assert.deepEqual(
        failures.map(({ attributes }) => attributes.type),
        ['wrong_call', 'missed_call', 'extra_call'],
      );
      assert.match(failures[0].text, /call 1, send .*args\.to: expected "a", got /s);
    });

    test('sarif is valid, with a result for each fault', async t => {
      const { text } = await reportIn(t, command, 'sarif', 'bad.json');
      const log = JSON.parse(text);
      const validate = new Ajv({ allErrors: true }).compile(SARIF);
      assert.ok(validate(log), JSON.stringify(validate.errors?.slice(0, 3)));
      const [{ results, tool }] = log.runs;
      assert.equal(results.length, MARKUP.length * 3 + 1);
      for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
      assert.equal(results.at(-1).ruleId, 'unread_document');
      const [wrong, missed, extra] = results;
      assert.deepEqual(
        [wrong, missed, extra].map(({ ruleId, level }) => [ruleId, level]),
        [
          ['expected/wrong_call', 'error'],
          ['expected/missed_call', 'error'],
          ['expected/extra_call', 'warning'],
        ],
      );
      const prints = results.map(({ partialFingerprints }) => partialFingerprints?.['toolgauge/v1']);
      assert.equal(new Set(prints).size, results.length);
    });

    test('github has at most ten annotations of a kind, one a line', async t => {
      const { text } = await reportIn(t, command, 'github', '--min-score', '0.9');
      const found = text.trimEnd().split('\n');
      for (const line of found)
        assert.match(line, /^::(error|warning|notice) file=(runs|cases)\.json,title=[^:,\r]*::[^\r]*$/);
      const errors = found.filter(line => line.startsWith('::error '));
      assert.equal(errors.length, Math.min(10, MARKUP.length * 2 + 1));
      assert.match(errors[0], /the gate failed/);
    });

    test('markdown and html hold no markup of the input', async t => {
      const { text } = await reportIn(t, command, 'markdown');
      assert.doesNotMatch(text, FOREIGN_MARKDOWN);
      assert.match(text, new RegExp(`\\| \`wrong_call\` \\| ${MARKUP.length} \\|`));
      const html = (await reportIn(t, command, 'html')).text;
      assert.equal(html.match(/<details class="trajectory"/g).length, MARKUP.length);
      assert.doesNotMatch(html, /<(script|img|iframe|a|link|svg\/)\b|url\(/);
      assert.match(html, new RegExp(`<p class="product">toolgauge ${command}</p>`));
    });
  });
}

test('toolgauge lint-tools writes one SARIF log of all files', async t => {
  const tool = { name: 'get', input_schema: { type: 'object', required: ['id'], properties: {} } };
  const folder = folderIn(consumer, t, { 'a.json': JSON.stringify([tool]), 'b.json': JSON.stringify([tool]) });
  const { stdout, code } = await run(COMMAND, ['lint-tools', 'a.json', 'b.json', '--format', 'sarif'], { cwd: folder });
  assert.equal(code, 1);
  const log = JSON.parse(stdout);
  const validate = new Ajv({ allErrors: true }).compile(SARIF);
  assert.ok(validate(log), JSON.stringify(validate.errors?.slice(0, 3)));
  assert.equal(log.runs.length, 1);
  const [{ results, tool: about }] = log.runs;
  const found = results.map(({ ruleId, locations: [{ physicalLocation, logicalLocations }] }) => [
    ruleId,
    physicalLocation.artifactLocation.uri,
    logicalLocations[0].name,
  ]);
  for (const file of ['a.json', 'b.json']) {
    const isThere = found.some(one => one.join() === `tools/required_not_property,${file},get`);
    assert.ok(isThere, JSON.stringify(found));
  }
  for (const { ruleId, ruleIndex } of results) assert.equal(about.driver.rules[ruleIndex].id, ruleId);
});
