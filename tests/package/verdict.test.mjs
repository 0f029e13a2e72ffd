import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite, test } from 'node:test';
import { assertFails } from './support/assertions.mjs';
import { consumer, folderIn, fromConsumer, run, TESTS } from './support/consumer.mjs';

const { checkLines, checkTrajectories, explainIssues, REPORT_FORMATS, reportTrajectories } =
  await fromConsumer('toolgauge');
const { matchers } = await fromConsumer('toolgauge/matchers');

const CLI = join(consumer, 'node_modules/.bin/toolgauge');
const ROOT = join(TESTS, '../..');
const EXAMPLES = join(ROOT, 'examples');
const SHOP = join(EXAMPLES, 'shop.tools.json');

const FIXTURES = join(TESTS, '../fixtures/formats');

/** Every example of a trajectory and every fixture of a format, with the tools that it is checked with. */
const TRAJECTORIES = [
  ...['.', 'issues', 'results', 'loops', 'outputs'].map(folder => join(EXAMPLES, folder)),
  ...readdirSync(FIXTURES).map(format => join(FIXTURES, format)),
].flatMap(folder =>
  readdirSync(folder)
    .filter(name => name.endsWith('.json') && !/tools|expected/.test(name))
    .map(name => ({
      name: join(relative(ROOT, folder), name),
      path: join(folder, name),
      tools: folder.endsWith('outputs') ? join(EXAMPLES, 'outputs/tools.json') : SHOP,
    })),
);

/** An issue as every surface shows it. */
const shown = ({ type, severity, turnId, toolName, description }) => ({
  type,
  severity,
  turnId,
  toolName,
  description,
});

const issuesOf = ({ results, resultIssues }) =>
  [...results.flatMap(({ issues }) => issues), ...resultIssues].map(shown);

suite('one verdict', () => {
  for (const { name, path, tools } of TRAJECTORIES) {
    test(`of ${name} is the same on every surface`, async t => {
      const text = readFileSync(path, 'utf8');
      const definitions = readFileSync(tools, 'utf8');
      const report = checkTrajectories(text, definitions);
      const expected = report.trajectories.flatMap(issuesOf);

      const lines = checkLines([`${JSON.stringify(JSON.parse(text))}\n`], definitions);
      const verdicts = [];
      for await (const verdict of lines) verdicts.push(verdict);
      assert.deepEqual(verdicts.flatMap(issuesOf), expected);
      assert.deepEqual(lines.summary.issuesByType, report.summary.issuesByType);
      assert.deepEqual(lines.gate, report.gate);

      const json = await run(CLI, ['check', path, '--tools', tools, '--format', 'json', '--no-config']);
      const printed = JSON.parse(json.stdout);
      assert.deepEqual(printed.results.flatMap(issuesOf), expected);
      assert.deepEqual(printed.summary, report.summary);
      assert.equal(json.code, report.gate.passed ? 0 : 1);

      const folder = folderIn(consumer, t, { 'known.json': json.stdout });
      const known = ['--baseline', join(folder, 'known.json'), '--format', 'json', '--no-config'];
      const held = JSON.parse((await run(CLI, ['check', path, '--tools', tools, ...known])).stdout);
      assert.deepEqual(held.summary.knownBySeverity, report.summary.issuesBySeverity);

      const { pass, message } = matchers.toHaveValidToolCalls.call(CONTEXT, text, definitions, {
        detectHallucination: true,
        allowNoCalls: true,
      });
      assert.equal(pass, report.gate.passed || onlyEmpty(report));
      const shown = message();
      for (const { type } of expected) assert.ok(shown.includes(type), shown);

      // Annotations of one kind are at most ten.
      for (const as of REPORT_FORMATS.filter(format => format !== 'github')) {
        const { text: written } = reportTrajectories(text, definitions, { as, source: 'x.json' });
        for (const [type, count] of Object.entries(report.summary.issuesByType)) {
          assert.ok(written.includes(type), `${as} shows no ${type}`);
          if (as in COUNTED) assert.equal(COUNTED[as](written, type), count, `${as}: ${type}`);
        }
      }
    });
  }

  test('about a reply quotes its sentence and has its turn', () => {
    const turns = [
      { turn_id: 1, role: 'user', content: 'Please cancel order A-1017.' },
      {
        turn_id: 2,
        role: 'agent',
        content: '',
        tool_calls: [{ name: 'cancel_order', arguments: { order_id: 'A-1017' }, result: { error: 'already sent' } }],
      },
      { turn_id: 3, role: 'agent', content: 'Good news. I have cancelled your order A-1017. Anything else?' },
    ];
    const { trajectories, summary, gate } = checkTrajectories({ turns });
    const issue = trajectories[0].resultIssues.find(({ type }) => type === 'contradicts_response');
    assert.equal(issue?.severity, 'high');
    assert.equal(issue.turnId, 3);
    assert.equal(issue.details.quote, 'I have cancelled your order A-1017.');
    assert.match(issue.description, /already sent/);
    assert.equal(summary.tools.cancel_order.errors, 1);
    assert.equal(gate.passed, false);
    const { text } = reportTrajectories({ turns });
    assert.match(text, /turn 3 +✖ reply/);
  });
});

suite('calls without arguments', () => {
  const check = parameters => {
    const messages = [
      { role: 'user', content: 'What time is it?' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', type: 'function', function: { name: 'get_time' } }] },
      { role: 'tool', tool_call_id: 'c', content: '12:30' },
      { role: 'assistant', content: 'It is 12:30.' },
    ];
    const { trajectories } = checkTrajectories(messages, [{ name: 'get_time', parameters }]);
    return trajectories.flatMap(issuesOf).map(({ type }) => type);
  };

  test('are fine where the tool needs none', () => {
    assert.deepEqual(check({ type: 'object', properties: { zone: { type: 'string' } } }), []);
  });

  test('are an issue where it needs some', () => {
    const parameters = { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] };
    assert.deepEqual(check(parameters).sort(), ['missing_arguments', 'missing_required_param']);
  });
});

/** What a matcher gets from its runner. */
const CONTEXT = { isNot: false, utils: undefined };

/** Whether the gate failed only because no tools were called, which the matcher lets pass here. */
function onlyEmpty({ gate, summary }) {
  return summary.calls === 0 && gate.failures.every(failure => failure === 'no tools were called');
}

/** How reports that programs read count the issues of a type. */
const COUNTED = {
  json: (text, type) => JSON.parse(text).summary.issuesByType[type],
  sarif: (text, type) =>
    JSON.parse(text).runs[0].results.filter(({ ruleId }) => ruleId.split('/').at(-1) === type).length,
};

const MISUSED = {
  trajectory_id: 'run-1',
  turns: [
    { turn_id: 1, role: 'user', content: 'Where is my order A-1017?' },
    ...[2, 3].map(turn_id => ({
      turn_id,
      role: 'agent',
      content: '',
      tool_calls: [{ name: 'get_order', arguments: { order_id: 'A-1017' }, result: { state: 'delivered' } }],
    })),
    { turn_id: 4, role: 'agent', content: 'Your order was delivered.' },
  ],
};

suite('rules', () => {
  const severities = options => {
    const { trajectories } = checkTrajectories(MISUSED, undefined, options);
    return trajectories.flatMap(issuesOf).map(({ type, severity }) => [type, severity]);
  };

  test('rate the issues of a type, and leave them out', () => {
    assert.deepEqual(severities(), [['tool_misuse', 'medium']]);
    assert.deepEqual(severities({ rules: { tool_misuse: 'critical' } }), [['tool_misuse', 'critical']]);
    assert.deepEqual(severities({ rules: { tool_misuse: 'off' } }), []);
    const rated = checkTrajectories(MISUSED, undefined, { rules: { tool_misuse: 'critical' } });
    assert.deepEqual([rated.trajectories[0].valid, rated.gate.passed], [false, false]);
    const off = checkTrajectories(MISUSED, undefined, { rules: { tool_misuse: 'off' } });
    assert.deepEqual([off.summary.clean, off.summary.score, off.summary.ignored], [1, 1, 0]);
  });

  test('ignore single findings, which are counted', () => {
    const reason = 'the order is asked for twice by design';
    for (const [finding, ignored] of [
      [{ tool: 'get_order' }, 1],
      [{ tool: 'get_*', type: 'tool_misuse' }, 1],
      [{ trajectory: 'run-1' }, 1],
      [{ trajectory: 'run-2' }, 0],
      [{ type: 'tool_misuse', path: 'order_id' }, 0],
    ]) {
      const { summary } = checkTrajectories(MISUSED, undefined, { ignore: [{ ...finding, reason }] });
      assert.deepEqual([summary.ignored, summary.issues], [ignored, 1 - ignored], JSON.stringify(finding));
    }
  });

  test('that can not match are refused', () => {
    assertFails(() => severities({ rules: { tool_missuse: 'off' } }), {
      code: 'invalid_option',
      says: /did you mean "tool_misuse"/,
    });
    assertFails(() => severities({ rules: { tool_misuse: 'loud' } }), { code: 'invalid_option' });
    assertFails(() => severities({ ignore: [{ tool: 'f' }] }), { code: 'invalid_option', says: /reason/ });
    assertFails(() => severities({ ignore: [{ reason: 'all' }] }), { code: 'invalid_option', says: /every finding/ });
  });

  test('come from flags and from the configuration, and flags go before', async t => {
    const config = {
      rules: { tool_misuse: 'high' },
      ignore: [{ type: 'tool_misuse', tool: 'other', reason: 'known' }],
    };
    const folder = folderIn(consumer, t, {
      'run.json': JSON.stringify(MISUSED),
      'toolgauge.config.json': JSON.stringify(config),
    });
    const check = (...args) => run(CLI, ['check', 'run.json', ...args], { cwd: folder });
    const configured = await check();
    assert.equal(configured.code, 1, configured.stderr);
    assert.match(configured.stdout, /high +tool_misuse/);
    const flagged = await check('--rule', 'tool_misuse=low');
    assert.equal(flagged.code, 0, flagged.stderr);
    const ignored = await check('--ignore', 'type=tool_misuse,reason=asked twice, by design');
    assert.match(ignored.stdout, /^ignored +1 finding$/m);
    for (const [flag, value, says] of [
      ['--rule', 'tool_misuse=loud', /It must be a type of issue/],
      ['--rule', 'tool_missuse=off', /did you mean "tool_misuse"/],
      ['--ignore', 'tool=f', /It must be like/],
    ]) {
      const refused = await check(flag, value);
      assert.equal(refused.code, 2, refused.stdout);
      assert.match(refused.stderr, says);
    }
  });
});

suite('toolgauge explain', () => {
  test('lists every type that a check reports, and explains each', async () => {
    const list = await run(CLI, ['explain']);
    assert.equal(list.code, 0, list.stderr);
    for (const { type, severity, meaning, example, remedy } of explainIssues()) {
      assert.match(list.stdout, new RegExp(`^${type} +${severity} +`, 'm'));
      for (const text of [meaning, example, remedy]) assert.ok(text.length > 10, `${type}: ${text}`);
    }
    const { stdout } = await run(CLI, ['explain', 'contradicts_response']);
    assert.match(stdout, /^contradicts_response {2}high\n/);
    for (const part of ['example', 'remedy', '--rule contradicts_response=off']) assert.ok(stdout.includes(part));
  });

  test('names an unknown type', async () => {
    const { code, stderr } = await run(CLI, ['explain', 'contradiction']);
    assert.equal(code, 2);
    assert.match(stderr, /there is no type of issue "contradiction"/);
  });
});

suite('what could not be judged', () => {
  test('is said once, with the reason', async t => {
    const call = { name: 'get_order', arguments: { order_id: 'A-1017' } };
    const turns = [
      { turn_id: 1, role: 'agent', content: '', tool_calls: [call] },
      { turn_id: 2, role: 'agent', content: '', tool_calls: [{ ...call, arguments: { order_id: 'B-2' } }] },
      { turn_id: 3, role: 'agent', content: 'Your order will arrive on May 3.' },
    ];
    const { trajectories, summary } = checkTrajectories({ turns });
    assert.deepEqual(trajectories[0].unjudged, ['no_results', 'no_request']);
    assert.deepEqual(summary.unjudged, { no_results: 1, no_request: 1 });
    assert.deepEqual(summary.issuesByType, { missing_result: 1 });
    const folder = folderIn(consumer, t, { 'run.json': JSON.stringify({ turns }) });
    const { stdout } = await run(CLI, ['check', 'run.json'], { cwd: folder });
    assert.equal(stdout.match(/^unjudged/gm)?.length, 2, stdout);
  });
});
