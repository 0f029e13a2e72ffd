// toolgauge check and score with --watch, run as users run them.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';
import { noTerminal, Watching } from './support/watching.mjs';

const fixture = name => readFileSync(join(TESTS, `fixtures/${name}.json`), 'utf8');
const [TOOLS, CLEAN, FAULTY] = ['tools', 'clean', 'faulty'].map(fixture);

/** A trajectory whose only call has these arguments. */
const log = (id, args) =>
  JSON.stringify({
    trajectory_id: id,
    tools: [{ name: 'search', parameters: { type: 'object', properties: { limit: { type: 'integer' } } } }],
    turns: [
      { turn_id: 1, role: 'user', content: 'Find lamps, 5 of them.' },
      { turn_id: 2, role: 'agent', content: '', tool_calls: [{ name: 'search', arguments: args, result: ['a lamp'] }] },
    ],
  });
const [GOOD, BAD] = [log('lamps', { limit: 5 }), log('lamps', { limit: 'five' })];

const ended = /watching \d+ files?.*\n/;

const watching = (t, files, args, options) => {
  const folder = folderIn(consumer, t, files);
  return { folder, program: new Watching(t, [...args, '--watch'], { cwd: folder, ...options }) };
};

/** Replaces a file as editors do. */
function replace(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

suite('toolgauge check --watch', { timeout: 120_000 }, () => {
  test('runs again when a file changes, and says what is new and what is gone', async t => {
    const { folder, program } = watching(t, { 'log.json': GOOD }, ['check', 'log.json']);
    const first = await program.until(ended);
    assert.match(first, /gate {5}passed\n/);
    assert.match(first, /\nwatching 1 file\n$/);
    assert.doesNotMatch(first, /since the last run/);

    writeFileSync(join(folder, 'log.json'), BAD);
    const second = await program.until(ended);
    assert.match(second, /^\d\d:\d\d:\d\d {2}changed: log\.json\n\ntoolgauge check {2}log\.json\n/);
    assert.match(second, /\nsince the last run\n {2}new {3}high {6}type_mismatch search {2}in lamps\n/);
    assert.match(second, /\n {2}score 1\.000 → \d\.\d{3} · passed 1\.000 → 0\.000\n/);

    replace(join(folder, 'log.json'), GOOD);
    const third = await program.until(ended);
    assert.match(third, /\nsince the last run\n {2}gone {2}high {6}type_mismatch search {2}in lamps\n/);

    program.child.kill('SIGINT');
    assert.equal(await program.ended, 130);
  });

  test('sees files that come and go in folders, and folders that come and go', async t => {
    const { folder, program } = watching(t, {}, ['check', 'logs', '--tools', 'tools.json']);
    assert.match(await program.until(ended), /can't read tools\.json: there is no such file[\s\S]*watching 0 files\n/);
    writeFileSync(join(folder, 'tools.json'), TOOLS);
    assert.match(await program.until(ended), /changed: tools\.json\n[\s\S]*can't read logs: there is no such file/);
    mkdirSync(join(folder, 'logs/deep'), { recursive: true });
    writeFileSync(join(folder, 'logs/deep/a.json'), GOOD);
    assert.match(await program.until(ended), /checked {2}1 trajectory /);
    writeFileSync(join(folder, 'logs/deep/b.json'), CLEAN);
    const second = await program.until(ended);
    assert.match(second, /changed: logs\/deep\/b\.json\n[\s\S]*checked {2}2 trajectories /);
    assert.match(second, /since the last run\n {2}new {3}trajectory \S+\n {2}trajectories 1 → 2\n/);
    rmSync(join(folder, 'logs'), { recursive: true });
    assert.match(await program.until(ended), /can't read logs: there is no such file/);
    mkdirSync(join(folder, 'logs'));
    writeFileSync(join(folder, 'logs/c.json'), GOOD);
    assert.match(await program.until(ended), /changed: logs\/c\.json\n[\s\S]*checked {2}1 trajectory /);
  });

  test('reads globs, the tools and the configuration file again', async t => {
    const config = JSON.stringify({ check: { inputs: ['runs/**/*.jsonl'], tools: 'tools.json', show: 'none' } });
    const { folder, program } = watching(t, { 'toolgauge.config.json': config, 'tools.json': TOOLS }, ['check']);
    assert.match(await program.until(ended), /no file matches runs\/\*\*\/\*\.jsonl/);
    mkdirSync(join(folder, 'runs/monday'), { recursive: true });
    writeFileSync(join(folder, 'runs/monday/a.jsonl'), `${JSON.stringify(JSON.parse(CLEAN))}\n`);
    assert.match(await program.until(ended), /· 2 tools\n[\s\S]*gate {5}passed/);
    writeFileSync(join(folder, 'tools.json'), '[]');
    assert.match(await program.until(ended), /changed: tools\.json\n[\s\S]*new {3}medium {4}unknown_tool/);
    writeFileSync(join(folder, 'toolgauge.config.json'), config.replace('"none"', '"none", "failOn": "medium"'));
    assert.match(await program.until(ended), /changed: toolgauge\.config\.json\n[\s\S]*are medium or worse/);
  });

  test('goes on after unreadable files, and writes reports again', async t => {
    const args = ['check', 'log.json', '--report', 'json=report.json'];
    const { folder, program } = watching(t, { 'log.json': GOOD }, args);
    await program.until(ended);
    writeFileSync(join(folder, 'log.json'), '{');
    assert.match(await program.until(ended), /log\.json: not valid JSON|log\.json: .*JSON/);
    writeFileSync(join(folder, 'log.json'), BAD);
    await program.until(ended);
    assert.equal(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')).gate.passed, false);
  });

  test('on a terminal, takes keys and clears it', { skip: noTerminal }, async t => {
    const { folder, program } = watching(t, { 'log.json': GOOD }, ['check', 'log.json'], { terminal: true });
    assert.match(await program.until(ended), /watching 1 file · Enter or a: run again · q: quit/);
    program.child.stdin.write('a');
    const again = await program.until(ended);
    assert.ok(again.startsWith('\u001b[H\u001b[2J'), again);
    assert.match(again, /\d\d:\d\d:\d\d {2}run again\n[\s\S]* {2}no issue is new, and none is gone\n/);
    writeFileSync(join(folder, 'log.json'), BAD);
    assert.match(await program.until(ended), /changed: log\.json/);
    program.child.stdin.write('\r');
    await program.until(ended);
    program.child.stdin.write('q');
    assert.equal(await program.ended, 0);
  });

  test('on a terminal, ends with Ctrl+C', { skip: noTerminal }, async t => {
    const { program } = watching(t, { 'log.json': GOOD }, ['check', 'log.json'], { terminal: true });
    await program.until(ended);
    program.child.stdin.write('\u0003');
    assert.equal(await program.ended, 130);
  });

  test('refuses standard input, and is not an option of other commands', async t => {
    const command = (...args) => run(join(consumer, 'node_modules/.bin/toolgauge'), args, { input: CLEAN });
    const stdin = await command('check', '-', '--watch');
    assert.deepEqual([stdin.code, stdin.stdout], [2, '']);
    assert.match(stdin.stderr, /^toolgauge: --watch can't read standard input a second time\n/);
    const other = await command('convert', 'x.json', '--to', 'atif', '--watch');
    assert.deepEqual([other.code, other.stdout], [2, '']);
    assert.match(other.stderr, /unknown option '--watch'/);
    const folder = folderIn(consumer, t, { 'toolgauge.config.json': '{"check": {"watch": true}}', 'a.json': FAULTY });
    const config = await run(join(consumer, 'node_modules/.bin/toolgauge'), ['check', 'a.json'], { cwd: folder });
    assert.match(config.stderr, /check\.watch: unknown option/);
  });
});

suite('toolgauge score --watch', { timeout: 120_000 }, () => {
  const expected = limit => JSON.stringify([{ tool: 'search', args: { limit } }]);

  test('scores many logs again when the expectations change', async t => {
    const files = { 'log.jsonl': `${GOOD}\n`, 'expected.json': expected(5) };
    const { folder, program } = watching(t, files, ['score', 'log.jsonl', '--expected', 'expected.json']);
    assert.match(await program.until(ended), /score {4}1\.000/);
    writeFileSync(join(folder, 'expected.json'), expected(6));
    const second = await program.until(ended);
    assert.match(second, /changed: expected\.json\n/);
    assert.match(second, /since the last run\n {2}new {3}incorrect_call search {2}in lamps\n {2}score 1\.000 → 0\.000/);
  });

  test('compares one log with what is expected again', async t => {
    const files = { 'log.json': GOOD, 'expected.json': expected(5) };
    const args = ['score', '--actual', 'log.json', '--expected', 'expected.json'];
    const { folder, program } = watching(t, files, args);
    assert.match(await program.until(ended), /1 expected · 1 actual[\s\S]*score {4}1\.000/);
    writeFileSync(join(folder, 'log.json'), log('lamps', { limit: 7 }));
    const second = await program.until(ended);
    assert.match(second, /args\.limit: expected 5, got 7[\s\S]*since the last run\n {2}new {3}incorrect_call search/);
  });
});
