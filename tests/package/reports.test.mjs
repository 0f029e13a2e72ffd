import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import Ajv from 'ajv';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';
import { ANNOTATION, assertJunit, FOREIGN_MARKDOWN, MARKUP, SARIF } from './support/report-syntax.mjs';
import { launchBrowser, parseXml } from './support/site.mjs';

const { explainIssues, reportTrajectories } = await fromConsumer('toolgauge');

const MARKED_NAME = MARKUP.join('');

const TOOLS = {
  send: { name: 'send', parameters: { type: 'object', properties: { to: { enum: ['a'] } }, required: ['to'] } },
};

const calling = (id, ...calls) => ({
  trajectory_id: id,
  turns: [
    { turn_id: 1, role: 'user', content: 'Send it.' },
    { turn_id: 2, role: 'agent', content: 'ok', tool_calls: calls },
  ],
});
const clean = calling('clean', { name: 'send', arguments: { to: 'a' }, result: 'ok' });
const hostile = MARKUP.map(text =>
  calling(text, { name: text, arguments: { to: text }, result: text }, { name: 'send', arguments: {}, result: text }),
);
const hostileInput = [clean, ...hostile];

const reported = (input, as, options) =>
  reportTrajectories(input, TOOLS, { as, source: 'runs/rollouts.json', ...options });

suite('junit', () => {
  test('is XML of the structure that Jenkins and Surefire publish, whatever the trajectories hold', async t => {
    const root = await parseXml(t, reported(hostileInput, 'junit').text);
    assert.equal(root.error, undefined);
    assertJunit(root);
    const [{ attributes, children }] = root.children;
    const cases = children.filter(({ name }) => name === 'testcase');
    const failing = cases.filter(({ children }) => children[0].name === 'failure');
    assert.equal(attributes.name, 'runs/rollouts.json');
    assert.deepEqual([attributes.tests, attributes.failures], [String(cases.length), String(failing.length)]);
    assert.equal(cases.length, hostileInput.length);
    assert.equal(failing.length, MARKUP.length);
    assert.equal(cases[0].attributes.name, 'clean');
    assert.equal(cases[0].children[0].text, '2 turns · 1 call · score 1.000');
    assert.equal(cases[1].attributes.name, MARKUP[0]);
    assert.match(cases[1].children[0].text, /^high turn 2, call 2, send: /);
    assert.match(cases[1].children.at(-1).text, /medium unknown_tool turn 2, call 1/);
  });

  test('has a failing case for a gate that fails by the score alone', async t => {
    const unknown = calling('x', { name: 'send', arguments: { to: 'b' }, result: 1 });
    const { text, gate } = reported([unknown], 'junit', { minScore: 0.9 });
    const suites = (await parseXml(t, text)).children;
    assert.equal(gate.passed, false);
    const last = suites.at(-1).children.at(-1);
    assert.equal(last.attributes.name, 'gate');
    assert.equal(last.children[0].text, gate.failures.join('; '));
  });
});

suite('sarif', () => {
  test('is a log by the specification, whatever the trajectories hold', () => {
    const validate = new Ajv({ allErrors: true }).compile(SARIF);
    for (const [input, source] of [
      [hostileInput, 'runs/a b.json'],
      [[clean], undefined],
      [hostileInput, MARKED_NAME],
    ]) {
      const log = JSON.parse(reported(input, 'sarif', { source }).text);
      assert.ok(validate(log), JSON.stringify(validate.errors));
    }
  });

  test('has a result for each issue, whose rule and level are those of the issue', () => {
    const { text, result } = reported(hostileInput, 'sarif');
    const [run] = JSON.parse(text).runs;
    assert.equal(run.results.length, result.issues);
    const types = new Set(run.tool.driver.rules.map(({ id }) => id.split('/').at(-1)));
    types.delete('unread_document');
    assert.deepEqual(
      [...types].sort(),
      explainIssues()
        .map(({ type }) => type)
        .sort(),
    );
    const levels = { critical: 'error', high: 'error', medium: 'warning', low: 'note' };
    for (const { ruleId, ruleIndex, level, properties } of run.results) {
      assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId);
      assert.equal(level, levels[properties.severity]);
    }
    const fingerprints = new Set(run.results.map(({ partialFingerprints }) => partialFingerprints['toolgauge/v1']));
    assert.equal(fingerprints.size, run.results.length);
  });
});

suite('github', () => {
  test('annotations are those that GitHub reads back', () => {
    const { text } = reported(hostileInput, 'github');
    const lines = text.trimEnd().split('\n');
    assert.ok(lines.every(line => ANNOTATION.test(line)));
    const errors = lines.filter(line => line.startsWith('::error '));
    assert.equal(errors.length, 10);
    assert.match(errors[0], /the gate failed::\d+ issues are high or worse$/);
    assert.match(errors[9], /\d+ more errors left out/);
  });

  test('of a clean input there are none', () => {
    assert.equal(reported([clean], 'github').text, '');
  });
});

suite('markdown', () => {
  test('shows the verdict, the totals, and each issue at its place', () => {
    const wrong = calling('wrong', { name: 'send', arguments: {}, result: 1 });
    const { text } = reported([clean, wrong], 'markdown');
    assert.match(text, /^## ✖ toolgauge: failed\n\n- 1 issue is high or worse\n/);
    assert.match(text, /\| Input \| runs&#47;rollouts&#46;json \|/);
    assert.match(text, /\| Checked \| 2 trajectories, 1 clean \|/);
    assert.match(text, /- \*\*high\*\* `missing_required_param` turn 2, call 1, <code>send<\/code>: /);
  });

  test('no text of the input becomes markup, a mention or a link', () => {
    const { text } = reported(hostileInput, 'markdown');
    assert.doesNotMatch(text, FOREIGN_MARKDOWN);
  });
});

suite('html', () => {
  test('is a page without markup of the input, that loads nothing and reports no problem', async t => {
    const browser = await launchBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 360, height: 800 } });
    const problems = [];
    page.on('console', message => problems.push(message.text()));
    page.on('dialog', dialog => problems.push(dialog.message()));
    page.on('request', request => problems.push(request.url()));
    await page.setContent(reported(hostileInput, 'html', { source: MARKED_NAME }).text);
    const found = await page.evaluate(() => ({
      foreign: [
        ...document.querySelectorAll('script, img, a, iframe, [onload], [onerror], [onmouseover], style ~ style'),
      ].length,
      trajectories: [...document.querySelectorAll('.trajectory')].length,
      calls: [...document.querySelectorAll('.timeline > li')].length,
      tools: [...document.querySelectorAll('.tool')].map(tool => tool.textContent),
      headings: [...document.querySelectorAll('h1, h2, h3')].map(heading => Number(heading.localName[1])),
      landmarks: ['header', 'main', 'footer'].map(name => document.querySelectorAll(`body > ${name}`).length),
      overflow: document.documentElement.scrollWidth - innerWidth,
    }));
    const { tools, headings, ...counts } = found;
    assert.deepEqual(counts, {
      foreign: 0,
      trajectories: hostileInput.length,
      calls: 2 * MARKUP.length + 1,
      landmarks: [1, 1, 1],
      overflow: 0,
    });
    assert.ok(tools.includes(MARKUP[0]) && tools.includes(MARKUP[8]), tools.join('\n'));
    assert.ok(headings.every((level, at) => level - (headings[at - 1] ?? 0) <= 1));
    assert.deepEqual(problems, []);
  });
});

suite('examples/github-workflow.yml', () => {
  test('its command writes the reports and fails with the gate', async t => {
    const lines = [...hostileInput, 'no trajectory'].map(value => JSON.stringify(value).replaceAll('\\ud800', ''));
    const input = { 'rollouts.jsonl': lines.join('\n'), 'tools.json': JSON.stringify(TOOLS) };
    const folder = folderIn(consumer, t, input);
    const workflow = readFileSync(join(TESTS, '../../examples/github-workflow.yml'), 'utf8');
    const [command] = /npx toolgauge check [^\n]*(\n {10,}--[^\n]*)*/.exec(workflow);
    const bin = join(consumer, 'node_modules/.bin');
    const env = { ...process.env, GITHUB_STEP_SUMMARY: 'summary.md', PATH: `${bin}:${process.env.PATH}` };
    const script = command.replace('npx ', '').replaceAll('\n', ' ');
    const { code, stdout } = await run('sh', ['-c', script], { cwd: folder, env });
    assert.equal(code, 2, 'one line could not be read');
    assert.match(stdout, /^::error file=rollouts\.jsonl,title=toolgauge%3A the gate failed::/);
    assert.match(stdout, /^::error file=rollouts\.jsonl,line=23,title=not read::/m);
    assert.match(readFileSync(join(folder, 'summary.md'), 'utf8'), /1 of 23 documents not read/);
    const written = readdirSync(join(folder, 'reports')).toSorted();
    assert.deepEqual(written, ['toolgauge.html', 'toolgauge.sarif', 'toolgauge.xml']);
    const [{ results }] = JSON.parse(readFileSync(join(folder, 'reports/toolgauge.sarif'), 'utf8')).runs;
    const unread = results.filter(({ ruleId }) => ruleId === 'unread_document');
    assert.deepEqual(
      unread.map(({ locations }) => locations[0].physicalLocation.region),
      [{ startLine: 23 }],
    );
  });
});
