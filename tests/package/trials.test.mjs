import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, fromConsumer, run } from './support/consumer.mjs';

const { checkLines, checkTrajectories, measureTrials, mergeSummaries } = await fromConsumer('toolgauge');

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const GOOD = { name: 'f', arguments: {}, result: 1 };
const BAD = { name: 'f', result: 1 };

/** A run of a task, which calls these and is expected to call `f` once. */
const runOf = (task, id, ...calls) => ({
  trajectory_id: id,
  metadata: { task },
  turns: [{ turn_id: 1, role: 'agent', content: '', tool_calls: calls }],
  expected_calls: [{ tool: 'f', args: {} }],
});

const lines = runs => runs.map(one => `${JSON.stringify(one)}\n`).join('');

/** Task a passes in two of three trials, task b in none of two, task c has one trial. */
const RUNS = [
  runOf('a', '1', GOOD),
  runOf('a', '2', BAD),
  runOf('b', '3', BAD),
  runOf('a', '4', GOOD),
  runOf('b', '5', BAD),
  runOf('c', '6', GOOD),
];
/** The same runs, in which a call of another tool is the mistake. */
const SCORED = RUNS.map(one => ({
  ...one,
  turns: one.turns.map(turn => ({
    ...turn,
    tool_calls: turn.tool_calls.map(call => (call === GOOD ? GOOD : { ...GOOD, name: 'delete_user' })),
  })),
}));

const KEY = ['--task-key', 'metadata.task'];

/** The figures that a summary has of trials, by command. */
const figures = ({ trials }) => [trials.tasks, trials.trials, trials.passed, trials.always, trials.flaky, trials.never];

const folderWith = t => folderIn(consumer, t, { 'runs.jsonl': lines(RUNS), 'scored.jsonl': lines(SCORED) });

const inFolder =
  folder =>
  (...args) =>
    run(COMMAND, args, { cwd: folder, env: { COLUMNS: '100' } });

suite('trials of one task', () => {
  test('are counted by checkTrajectories and checkLines, by a field or the id', async () => {
    const { summary, gate } = checkTrajectories(RUNS, undefined, { taskKey: 'metadata.task' });
    assert.deepEqual(figures(summary), [3, 6, 3, 1, 1, 1]);
    assert.equal(summary.trials.passRate, 0.5);
    assert.deepEqual(summary.trials.estimates, [
      { k: 1, tasks: 3, passAt: 0.556, passHat: 0.556 },
      { k: 2, tasks: 2, passAt: 0.5, passHat: 0.167 },
      { k: 3, tasks: 1, passAt: 1, passHat: 0 },
    ]);
    const [flaky, failing] = summary.trials.worst;
    assert.deepEqual([flaky.task, flaky.passed, flaky.trials, flaky.flaky, flaky.worst.id], ['a', 2, 3, true, '2']);
    assert.deepEqual([failing.task, failing.flaky, failing.worst.id], ['b', false, '3']);
    assert.equal(gate.passed, false);

    const check = checkLines([lines(RUNS)], undefined, { taskKey: 'metadata.task', minPassRate: 0.5 });
    const tasks = [];
    for await (const verdict of check) tasks.push(verdict.task);
    assert.deepEqual(tasks, ['a', 'a', 'b', 'a', 'b', 'c']);
    assert.deepEqual(figures(check.summary), [3, 6, 3, 1, 1, 1]);
    assert.deepEqual(check.gate, { passed: true, failures: [] });
  });

  test('of one are no trials', () => {
    const { summary, trials } = checkTrajectories(RUNS);
    assert.deepEqual([summary.trials, summary.tasks, trials], [undefined, undefined, undefined]);
    const twice = checkTrajectories([RUNS[0], RUNS[1], { ...RUNS[1], trajectory_id: '1' }]);
    assert.deepEqual(figures(twice), [2, 3, 1, 0, 1, 1]);
    assert.deepEqual(twice.summary.trials, undefined);
  });

  test('merge exactly, however they are split', () => {
    const options = { taskKey: 'metadata.task' };
    const ofRuns = runs => checkTrajectories(runs, undefined, options).summary;
    const numbers = ({ trials: { worst, ...trials } }) => [trials, worst.map(({ worst, ...task }) => task)];
    const whole = numbers(ofRuns(RUNS));
    for (const at of [1, 2, 3, 4, 5]) {
      const parts = [RUNS.slice(at), RUNS.slice(0, at)].map(ofRuns);
      const merged = mergeSummaries(...parts);
      assert.deepEqual(numbers(merged), whole, `${at}`);
    }
    const forgetful = mergeSummaries(ofRuns(RUNS), checkTrajectories(RUNS).summary);
    assert.equal(forgetful.trials.unknown, RUNS.length);
  });

  test('gate on the share of passes and on pass^k', () => {
    const failures = options =>
      checkTrajectories(RUNS, undefined, { taskKey: 'metadata.task', ...options }).gate.failures;
    assert.deepEqual(failures({ minPassRate: 0.5, minPassHat: { 1: 0.5, 2: 0.1 } }), []);
    assert.deepEqual(failures({ minPassRate: 0.6, minPassHat: { 2: 0.5, 4: 0.1 } }), [
      'the share of passes 0.5 (3 of 6) is below 0.6',
      'pass^2 0.167 is below 0.5',
      'there is no pass^4 because no task has 4 trials, but 0.1 is needed',
    ]);
    for (const wrong of [{ minPassRate: 2 }, { minPassHat: { 0: 1 } }, { minPassHat: { 2: 'x' } }]) {
      assert.throws(() => failures(wrong), { code: 'invalid_option' });
    }
  });
});

suite('toolgauge check with trials', () => {
  test('reports them in every report for people, and gates on them', async t => {
    const folder = folderWith(t);
    const toolgauge = inFolder(folder);
    const gate = ['--min-pass-rate', '0.5', '--min-pass-hat', '2=0.1'];
    const { stdout, code } = await toolgauge('check', 'runs.jsonl', '--show', 'none', ...KEY, ...gate);
    assert.equal(code, 0);
    assert.deepEqual(stdout.split('\n').slice(-8), [
      'trials   6 trials of 3 tasks, 3 passed (0.500): 1 task always, 1 never, 1 flaky',
      'pass@k   1: 0.556 · 2: 0.500 · 3: 1.000',
      'pass^k   1: 0.556 · 2: 0.167 · 3: 0.000',
      'spread   0.202, the mean standard deviation of the scores of a task',
      'flaky    a: 2 of 3 passed, mean score 0.767 ± 0.404; worst: 2 · runs.jsonl · line 2',
      'failing  b: 0 of 2 passed, mean score 0.300 ± 0.000; worst: 3 · runs.jsonl · line 3',
      'gate     passed',
      '',
    ]);
    const failed = await toolgauge('check', 'runs.jsonl', ...KEY, '--min-pass-hat', '3=0.5', '--format', 'json');
    assert.equal(failed.code, 1);
    assert.deepEqual(JSON.parse(failed.stdout).gate.failures, ['pass^3 0 is below 0.5']);
    const markdown = await toolgauge('check', 'runs.jsonl', ...KEY, '--format', 'markdown');
    assert.match(markdown.stdout, /\| a \(flaky\) \| 2 of 3 \| 0\.767 ± 0\.404 \|/);
    const html = await toolgauge('check', 'runs.jsonl', ...KEY, '--format', 'html');
    assert.match(html.stdout, /<h2 id="trials">Trials<\/h2>/);
    writeFileSync(join(folder, 'ids.jsonl'), lines([RUNS[0], RUNS[0], RUNS[1]]));
    const byId = await toolgauge('check', 'ids.jsonl', '--show', 'none');
    assert.match(byId.stdout, /trials {3}3 trials of 2 tasks, 2 passed/);
    const json = await toolgauge('score', 'ids.jsonl', '--format', 'json');
    const { trials, summary } = JSON.parse(json.stdout);
    assert.deepEqual([figures({ trials }), summary.trials], [[2, 3, 3, 2, 0, 0], undefined]);
    const alone = await toolgauge('check', 'runs.jsonl', '--show', 'none');
    assert.doesNotMatch(alone.stdout, /trials|flaky|pass\^k/);
  });

  test('merges parts to the whole, in threads and across runs', async t => {
    const folder = folderWith(t);
    const toolgauge = inFolder(folder);
    for (const at of [0, 3]) writeFileSync(join(folder, `part-${at}.jsonl`), lines(RUNS.slice(at, at + 3)));
    for (const name of ['runs', 'part-0', 'part-3']) {
      await toolgauge('check', `${name}.jsonl`, ...KEY, '--summary', `${name}.json`, '--jobs', '2');
    }
    const sum = await toolgauge('merge', 'part-3.json', 'part-0.json', '--format', 'json', '--min-pass-rate', '0.5');
    assert.equal(sum.code, 0);
    const whole = JSON.parse(readFileSync(join(folder, 'runs.json'), 'utf8'));
    const { summary } = JSON.parse(sum.stdout);
    assert.deepEqual(summary.trials.estimates, whole.trials.estimates);
    assert.deepEqual(figures(summary), figures(whole));
    assert.equal((await toolgauge('merge', 'runs.json', '--min-pass-hat', '2=0.5')).code, 1);
  });

  test('reports a key that no trajectory has, and refuses values that are not rates', async t => {
    const toolgauge = inFolder(folderWith(t));
    for (const command of ['check', 'score']) {
      const { stderr } = await toolgauge(command, 'runs.jsonl', '--task-key', 'task');
      assert.equal(stderr, 'toolgauge: --task-key task: no trajectory has this field, so there are no trials\n');
      for (const wrong of ['4', '0=1', '2=1.5', 'x=0.5', '=0.5']) {
        const { code, stderr } = await toolgauge(command, 'runs.jsonl', '--min-pass-hat', wrong);
        assert.equal(code, 2, wrong);
        assert.match(stderr, /--min-pass-hat/);
      }
    }
  });

  test('takes the gates from a configuration file', async t => {
    const folder = folderWith(t);
    const config = { taskKey: 'metadata.task', minPassRate: 0.5, minPassHat: { 2: 0.2 } };
    writeFileSync(join(folder, 'c.json'), JSON.stringify(config));
    const args = ['check', 'runs.jsonl', '--show', 'none', '--config', 'c.json'];
    const { code, stdout } = await inFolder(folder)(...args);
    assert.equal(code, 1);
    assert.match(stdout, /failed: pass\^2 0\.167 is below 0\.2/);
    writeFileSync(join(folder, 'c.json'), JSON.stringify({ ...config, minPassHat: { 2: 3 } }));
    assert.equal((await inFolder(folder)(...args)).code, 2);
  });
});

suite('toolgauge score with trials', () => {
  test('a trial passes with the lowest score, and without a forbidden call', async t => {
    const folder = folderWith(t);
    const toolgauge = inFolder(folder);
    const ofScores = async (...args) => {
      const { stdout, code } = await toolgauge('score', 'scored.jsonl', ...KEY, '--format', 'json', ...args);
      return { ...JSON.parse(stdout), code };
    };
    const { summary, results, code } = await ofScores('--min-pass-rate', '0.5', '--min-pass-hat', '2=0.1');
    assert.equal(code, 0);
    assert.deepEqual(figures(summary), [3, 6, 3, 1, 1, 1]);
    assert.deepEqual(summary.trials.worst[0].worst, {
      passed: false,
      score: 0,
      source: 'scored.jsonl',
      line: 2,
      index: 0,
      id: '2',
    });
    assert.equal(results[1].task, 'a');
    assert.equal((await ofScores('--min-pass-rate', '0.6')).code, 1);
    assert.equal((await ofScores('--min-pass-rate', '1', '--min-score', '0')).code, 0);
    writeFileSync(join(folder, 'expected.json'), JSON.stringify({ calls: ['f'], forbidden: ['delete_user'] }));
    const forbidden = await ofScores('--expected', 'expected.json', '--min-score', '0', '--min-pass-rate', '0.5');
    assert.equal(forbidden.code, 1);
    assert.deepEqual(forbidden.gate.failures, ['3 forbidden calls were made: delete_user']);
    assert.equal(forbidden.summary.passed, 3);
  });

  test('its summaries are merged, but not with those of checks', async t => {
    const folder = folderWith(t);
    const toolgauge = inFolder(folder);
    for (const at of [0, 3]) writeFileSync(join(folder, `part-${at}.jsonl`), lines(SCORED.slice(at, at + 3)));
    for (const name of ['scored', 'part-0', 'part-3']) {
      await toolgauge('score', `${name}.jsonl`, ...KEY, '--summary', `${name}.json`);
    }
    const args = ['merge', 'part-3.json', 'part-0.json'];
    const sum = await toolgauge(...args, '--format', 'json', '--min-pass-hat', '1=0.5', '--summary', 'sum.json');
    assert.equal(sum.code, 0);
    const [whole, written] = ['scored', 'sum'].map(name => JSON.parse(readFileSync(join(folder, `${name}.json`))));
    const { summary } = JSON.parse(sum.stdout);
    assert.deepEqual(summary, written);
    const { tasks, trials, ...totals } = summary;
    const { tasks: _, trials: ofWhole, ...wanted } = whole;
    assert.deepEqual(totals, wanted);
    assert.deepEqual(trials.estimates, ofWhole.estimates);
    const pretty = await toolgauge(...args, '--min-score', '0.6');
    assert.equal(pretty.code, 1);
    assert.match(pretty.stdout, /^toolgauge merge {2}2 files\n\nscored {3}6 trajectories, 3 perfect\n/);
    assert.match(pretty.stdout, /\ngate {5}failed: the score 0\.5 is below 0\.6\n$/);
    await toolgauge('check', 'runs.jsonl', '--summary', 'check.json');
    const mixed = await toolgauge('merge', 'scored.json', 'check.json');
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /summaries of check and of score were given/);
  });
});

suite('the gate of toolgauge score', () => {
  test('fails for a forbidden call, and says when there is none', async t => {
    const folder = folderIn(consumer, t, {
      'made.json': '[{"tool": "f", "args": {}}, {"tool": "delete_user", "args": {}}]',
      'forbids.json': '{"calls": ["f"], "forbidden": ["delete_user"]}',
      'allows.json': '{"calls": ["f"]}',
    });
    const score = (expected, ...args) =>
      inFolder(folder)('score', '--expected', expected, '--actual', 'made.json', ...args);
    const failed = await score('forbids.json');
    assert.equal(failed.code, 1);
    assert.match(failed.stdout, /\ngate {5}failed: a forbidden call was made: delete_user\n$/);
    const none = await score('allows.json');
    assert.equal(none.code, 0);
    assert.match(none.stdout, /\ngate {5}no gate: give --min-score, --min-pass-rate or --min-pass-hat/);
    const passed = await score('allows.json', '--min-score', '0.1');
    assert.match(passed.stdout, /\ngate {5}passed\n$/);
  });
});

suite('measureTrials', () => {
  const outcomes = passes => passes.map(passed => ({ passed }));

  test('counts trials whose outcome is known', () => {
    const { trials, gate } = measureTrials(outcomes([true, false, true]), { minPassRate: 0.9 });
    assert.deepEqual(figures({ trials }), [1, 3, 2, 0, 1, 0]);
    assert.deepEqual(trials.estimates[1], { k: 2, tasks: 1, passAt: 1, passHat: 0.333 });
    assert.equal(trials.worst[0].worst.index, 1);
    assert.deepEqual(gate, { passed: false, failures: ['the share of passes 0.667 (2 of 3) is below 0.9'] });
  });

  test('returns what checkTrajectories returns for the same outcomes of tasks', () => {
    const { trajectories, trials } = checkTrajectories(RUNS, undefined, { taskKey: 'metadata.task' });
    const same = trajectories.map(({ passed, score }, at) => ({ passed, score, task: RUNS[at].metadata.task }));
    const { trials: measured } = measureTrials(same);
    const withoutIds = ({ worst, ...rest }) => [
      rest,
      worst.map(({ worst: { id, ...place }, ...task }) => [task, place]),
    ];
    assert.deepEqual(withoutIds(measured), withoutIds(trials));
  });

  test('needs all to pass unless options say otherwise, and at least one trial', () => {
    assert.equal(measureTrials(outcomes([true, true])).gate.passed, true);
    assert.equal(measureTrials(outcomes([true, false])).gate.passed, false);
    assert.equal(measureTrials(outcomes([true])).trials, undefined);
    assert.deepEqual(measureTrials([]).gate.failures, ['there are no trials']);
  });

  test('reports values that are not outcomes, with their paths', () => {
    for (const [input, path] of [
      [{}],
      [[1], '[0]'],
      [[{ passed: true }, {}], '[1].passed'],
      [[{ passed: true, task: 5 }], '[0].task'],
      [[{ passed: true, score: 2 }], '[0].score'],
    ]) {
      assert.throws(() => measureTrials(input), { code: 'invalid_input', ...(path && { path }) });
    }
    assert.throws(() => measureTrials([], { minScore: 1 }), { code: 'invalid_option' });
  });
});
