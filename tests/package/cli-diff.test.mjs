import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';

const { diffRuns, reportRunDiff, checkTrajectories, scoreTrajectories } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');

const diffIn = (folder, ...args) => run(COMMAND, ['diff', ...args], { cwd: folder });

const lines = values => values.map(value => `${JSON.stringify(value)}\n`).join('');

const TOOLS = [
  {
    name: 'cancel_booking',
    inputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
  },
];

/** A rollout as tau-bench writes it: one trial of a task, in which the agent cancels a booking, or gets it wrong. */
function rollout(task, trial, isGood) {
  const args = isGood ? { code: 'QX7LMN' } : { code: 4711 };
  return {
    task_id: task,
    trial,
    reward: isGood ? 1 : 0,
    info: { task: { user_id: `guest_${task}`, actions: [{ name: 'cancel_booking', kwargs: { code: 'QX7LMN' } }] } },
    traj: [
      { role: 'system', content: 'You help guests of an airline. Booking QX7LMN belongs to the guest.' },
      { role: 'user', content: 'Please cancel QX7LMN.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'cancel_booking', arguments: JSON.stringify(args) } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', name: 'cancel_booking', content: '{"state": "cancelled"}' },
      { role: 'assistant', content: 'Booking QX7LMN is cancelled.' },
    ],
  };
}

/** A run of tasks with these trials: true for a good one. */
const runOf = tasks =>
  Object.entries(tasks).flatMap(([task, trials]) => trials.map((isGood, trial) => rollout(task, trial, isGood)));

const [GOOD, BAD] = [true, false];
const BEFORE = runOf({ a: [GOOD, GOOD], b: [BAD, GOOD], c: [BAD, BAD], d: [GOOD, GOOD], old: [GOOD] });
const AFTER = runOf({ a: [GOOD, BAD], b: [GOOD, GOOD], c: [BAD, BAD], d: [GOOD, GOOD], fresh: [GOOD] });
const FILES = { 'before.jsonl': lines(BEFORE), 'after.jsonl': lines(AFTER), 'tools.json': JSON.stringify(TOOLS) };

const changesOf = ({ tasks }) => Object.fromEntries(tasks.map(one => [one.task, [one.direction, one.stability]]));

const CHANGES = {
  a: ['worse', 'flaky'],
  b: ['better', 'stable'],
  c: ['same', undefined],
  d: ['same', undefined],
};

suite('toolgauge diff', () => {
  test('reports what changed, as diffRuns does', async t => {
    const folder = folderIn(consumer, t, FILES);
    const args = ['before.jsonl', 'after.jsonl', '--tools', 'tools.json', '--format', 'json'];
    const { code, stdout, stderr } = await diffIn(folder, ...args);
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const diff = JSON.parse(stdout);
    assert.deepEqual(changesOf(diff), CHANGES);
    assert.deepEqual([diff.onlyBefore, diff.onlyAfter], [['old'], ['fresh']]);
    const issue = task => ({ task, type: 'type_mismatch', toolName: 'cancel_booking', severity: 'high', trials: 1 });
    assert.deepEqual(diff.newIssues, [issue('a')]);
    assert.deepEqual(diff.goneIssues, [issue('b')]);
    assert.equal(diff.passRate.difference, 0);
    assert.deepEqual(diff.before, { tasks: 5, trials: 9, passed: 6, unread: 0 });
    for (const [before, after] of [
      [BEFORE, AFTER],
      [FILES['before.jsonl'], Buffer.from(FILES['after.jsonl'])],
      [checkTrajectories(BEFORE, TOOLS), checkTrajectories(AFTER, TOOLS)],
    ]) {
      const found = diffRuns(before, after, before === BEFORE || typeof before === 'string' ? { tools: TOOLS } : {});
      assert.deepEqual(found, diff);
    }
  });

  test('reads folders and the verdicts of check', async t => {
    const folder = folderIn(consumer, t, FILES);
    mkdirSync(join(folder, 'one'));
    writeFileSync(join(folder, 'one/x.jsonl'), FILES['before.jsonl']);
    const check = await run(COMMAND, ['check', 'after.jsonl', '--tools', 'tools.json', '--format', 'jsonl'], {
      cwd: folder,
    });
    assert.equal(check.code, 1);
    const report = folderIn(consumer, t, { 'after.jsonl': check.stdout });
    const args = ['one', join(report, 'after.jsonl'), '--tools', 'tools.json', '--format', 'json'];
    const { code, stdout, stderr } = await diffIn(folder, ...args);
    assert.deepEqual([code, stderr], [0, '']);
    assert.deepEqual(changesOf(JSON.parse(stdout)), CHANGES);
    const verdicts = await diffIn(report, 'after.jsonl', 'after.jsonl', '--task-key', 'id', '--format', 'json');
    assert.equal(JSON.parse(verdicts.stdout).tasks.length, 5);
  });

  test('scores trajectories against expected calls', async t => {
    const expected = JSON.stringify([{ tool: 'cancel_booking', args: { code: 'QX7LMN' } }]);
    const folder = folderIn(consumer, t, { ...FILES, 'expected.json': expected });
    const args = ['before.jsonl', 'after.jsonl', '--expected', 'expected.json', '--format', 'json'];
    const { code, stdout } = await diffIn(folder, ...args);
    assert.equal(code, 0);
    const diff = JSON.parse(stdout);
    assert.deepEqual(changesOf(diff), CHANGES);
    assert.deepEqual(diff.newIssues, [{ task: 'a', type: 'incorrect_call', toolName: 'cancel_booking', trials: 1 }]);
    assert.deepEqual(diffRuns(scoreTrajectories(BEFORE), scoreTrajectories(AFTER)), diff);
    const lenient = await diffIn(folder, ...args, '--pass-score', '0');
    assert.equal(JSON.parse(lenient.stdout).passRate.after, 1);
  });

  test('--jobs changes nothing but the time', async t => {
    // Several pieces of each run, with a line that can't be read, and expectations that each thread needs.
    const many = run =>
      Array.from({ length: 400 }, (_, at) => run.map(one => ({ ...one, task_id: `${one.task_id}${at}` })));
    const files = {
      ...FILES,
      'before.jsonl': `${lines(many(BEFORE).flat())}{\n`,
      'after.jsonl': lines(many(AFTER).flat()),
      'expected.json': JSON.stringify([{ tool: 'cancel_booking', args: { code: 'QX7LMN' } }]),
    };
    const folder = folderIn(consumer, t, files);
    for (const sides of [
      ['--tools', 'tools.json'],
      ['--expected', 'expected.json'],
    ]) {
      const args = ['before.jsonl', 'after.jsonl', ...sides, '--format', 'json'];
      const one = await diffIn(folder, ...args);
      assert.equal(one.code, 2);
      assert.equal(JSON.parse(one.stdout).before.trials, 3600);
      assert.deepEqual(await diffIn(folder, ...args, '--jobs', '3'), one);
    }
  });

  test('a field names the task', async t => {
    const folder = folderIn(consumer, t, FILES);
    const args = ['before.jsonl', 'after.jsonl', '--format', 'json', '--task-key'];
    const named = await diffIn(folder, ...args, 'info.task.user_id');
    assert.deepEqual(JSON.parse(named.stdout).onlyBefore, ['guest_old']);
    const { code, stderr } = await diffIn(folder, ...args, 'info.task.guest');
    assert.equal(code, 2);
    assert.match(stderr, /no trajectory of the first run has the field "info\.task\.guest"/);
  });

  test('--fail-on-worse fails only a significantly worse run', async t => {
    const tasks = isGood => runOf(Object.fromEntries(Array.from({ length: 6 }, (_, at) => [at, [isGood, isGood]])));
    const folder = folderIn(consumer, t, {
      'good.jsonl': lines(tasks(GOOD)),
      'bad.jsonl': lines(tasks(BAD)),
      ...FILES,
    });
    const asked = (...args) => diffIn(folder, ...args, '--tools', 'tools.json', '--fail-on-worse');
    const worse = await asked('good.jsonl', 'bad.jsonl');
    assert.equal(worse.code, 1);
    assert.match(worse.stdout, /gate {7}failed: the pass rate fell from 1\.000 to 0\.000 \(p = 0\.0313\)/);
    assert.equal((await asked('bad.jsonl', 'good.jsonl')).code, 0);
    assert.equal((await asked('before.jsonl', 'after.jsonl')).code, 0);
    assert.equal((await diffIn(folder, 'good.jsonl', 'bad.jsonl', '--tools', 'tools.json')).code, 0);
  });

  test('runs without a common task fail, and unreadable lines are exit code 2', async t => {
    const other = lines(runOf({ other: [GOOD] }));
    const broken = `${FILES['after.jsonl']}{"task_id":\n`;
    const folder = folderIn(consumer, t, { ...FILES, 'other.jsonl': other, 'broken.jsonl': broken, 'empty.jsonl': '' });
    const apart = await diffIn(folder, 'before.jsonl', 'other.jsonl');
    assert.equal(apart.code, 1);
    assert.match(apart.stdout, /no task is in both runs/);
    assert.equal((await diffIn(folder, 'before.jsonl', 'other.jsonl', '--allow-empty')).code, 0);
    const unread = await diffIn(folder, 'before.jsonl', 'broken.jsonl');
    assert.equal(unread.code, 2);
    assert.match(unread.stderr, /broken\.jsonl:10: not valid JSON/);
    assert.equal((await diffIn(folder, 'before.jsonl', 'broken.jsonl', '--allow-errors')).code, 0);
    assert.equal((await diffIn(folder, 'before.jsonl', 'empty.jsonl')).code, 2);
    assert.equal((await diffIn(folder, 'before.jsonl')).code, 2);
  });

  test('--output writes Markdown, and never over a run', async t => {
    const folder = folderIn(consumer, t, FILES);
    const args = ['before.jsonl', 'after.jsonl', '--tools', 'tools.json', '--format', 'markdown', '--output'];
    const { code, stdout } = await diffIn(folder, ...args, 'comment.md');
    assert.deepEqual([code, stdout], [0, '']);
    const comment = readFileSync(join(folder, 'comment.md'), 'utf8');
    const names = ['before.jsonl', 'after.jsonl'];
    assert.equal(comment, reportRunDiff(diffRuns(BEFORE, AFTER, { tools: TOOLS }), { as: 'markdown', names }));
    assert.ok(comment.startsWith('## toolgauge diff: no clear difference\n'));
    const refused = await diffIn(folder, ...args, 'after.jsonl');
    assert.equal(refused.code, 2);
    assert.equal(readFileSync(join(folder, 'after.jsonl'), 'utf8'), FILES['after.jsonl']);
    const wrong = await diffIn(folder, 'before.jsonl', 'after.jsonl', '--task-key', 'none', '--output', 'new.md');
    assert.equal(wrong.code, 2);
    assert.equal(existsSync(join(folder, 'new.md')), false);
  });

  test('options come from the configuration file', async t => {
    const config = JSON.stringify({ diff: { tools: 'tools.json', format: 'json', failOn: 'never' } });
    const folder = folderIn(consumer, t, { ...FILES, 'toolgauge.config.json': config });
    const { stdout, stderr } = await diffIn(folder, 'before.jsonl', 'after.jsonl');
    assert.equal(JSON.parse(stdout).passRate.after, 1);
    assert.match(stderr, /using toolgauge\.config\.json/);
    const plain = await diffIn(folder, 'before.jsonl', 'after.jsonl', '--no-config');
    assert.match(plain.stdout, /^toolgauge diff {2}before\.jsonl → after\.jsonl\n/);
  });
});

suite('diffRuns', () => {
  test('errors say which run they are about', () => {
    assert.throws(() => diffRuns('{', AFTER), { code: 'invalid_json', path: 'before' });
    assert.throws(() => diffRuns(BEFORE, { odd: 1 }), { code: 'unknown_format', path: 'after' });
    assert.throws(() => diffRuns(BEFORE, AFTER, { taskKei: 'x' }), { code: 'invalid_option' });
    const minScore = { code: 'invalid_option', path: 'options.minScore' };
    assert.throws(() => diffRuns(BEFORE, AFTER, { minScore: 0.5 }), minScore);
    assert.throws(() => diffRuns(checkTrajectories(BEFORE), scoreTrajectories(AFTER)), { code: 'invalid_input' });
  });

  test('says that tools have no effect on verdicts', () => {
    const verdicts = checkTrajectories(BEFORE, TOOLS);
    const { warnings } = diffRuns(verdicts, verdicts, { tools: TOOLS });
    assert.match(warnings.join(), /no effect: both runs are verdicts already/);
  });

  test('the runs swapped have the opposite difference, and one run has none to itself', () => {
    const [one, other] = [diffRuns(BEFORE, AFTER, { tools: TOOLS }), diffRuns(AFTER, BEFORE, { tools: TOOLS })];
    assert.deepEqual(one.newIssues, other.goneIssues);
    assert.deepEqual(one.score.interval, other.score.interval.map(end => 0 - end).reverse());
    const same = diffRuns(BEFORE, BEFORE, { tools: TOOLS });
    assert.ok(same.tasks.every(({ direction, stability }) => direction === 'same' && stability === undefined));
    assert.deepEqual([same.passRate.difference, same.passRate.pValue], [0, 1]);
  });
});
