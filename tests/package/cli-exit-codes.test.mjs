import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';

const COMMAND = join(consumer, 'node_modules/.bin/toolgauge');
const CLEAN = readFileSync(join(TESTS, 'fixtures/clean.json'), 'utf8');
const ROLLOUTS = readFileSync(join(TESTS, 'fixtures/rollouts.json'), 'utf8');

/** Every command that reads many inputs, with what else it needs, and a file that passes. */
const COMMANDS = {
  check: { args: [], good: CLEAN },
  score: { args: [], good: ROLLOUTS },
  correctness: { args: ['--threshold', '0'], good: ROLLOUTS },
  convert: { args: ['--to', 'harness'], good: CLEAN },
};

/** Those that read them one after the other and report what they can't read, and those that read them at once. */
const ALL = { ...COMMANDS, merge: { args: [] }, 'lint-tools': { args: [] } };

/** Asserts that the command stopped with exit code 2, nothing on standard output, and one message that says `says`. */
function assertRefused({ code, stdout, stderr }, says) {
  assert.deepEqual([code, stdout], [2, ''], stderr);
  assert.match(stderr, says);
  assert.doesNotMatch(stderr, /\n\s+at /);
}

for (const [command, { args }] of Object.entries(ALL)) {
  suite(`toolgauge ${command} exits with 2`, () => {
    const inFolder = (folder, ...paths) => run(COMMAND, [command, ...args, ...paths], { cwd: folder });

    test('when there are no files', async t => {
      const folder = folderIn(consumer, t, { 'notes.txt': 'x' });
      assertRefused(
        await inFolder(folder, 'logs/*.json'),
        /^toolgauge: no file matches logs\/\*\.json\n {2}check the path/,
      );
      assertRefused(
        await inFolder(folder, '.'),
        /^toolgauge: \. holds no file that ends in \.json, .*\n {2}name the files themselves/,
      );
      assertRefused(
        await inFolder(folder, 'a.json'),
        /^toolgauge: can't read a\.json: there is no such file\n {2}check the path/,
      );
      assertRefused(
        await inFolder(folder),
        /^toolgauge: (missing required argument 'inputs'|nothing to score|no test cases)\n {2}name files/,
      );
    });

    test('when a file is empty', async t => {
      const folder = folderIn(consumer, t, { 'empty.json': '', 'blank.jsonl': '\n \n' });
      for (const name of ['empty.json', 'blank.jsonl']) {
        assertRefused(await inFolder(folder, name), new RegExp(`^toolgauge: ${name}: .*empty`));
      }
    });

    test('when a file holds an unknown format', async t => {
      const folder = folderIn(consumer, t, { 'odd.json': '{"hello": 1}' });
      assertRefused(await inFolder(folder, 'odd.json'), /^toolgauge: odd\.json: .*\n {2}\S/);
    });

    test('when it does not know an option, and names the nearest', async t => {
      const folder = folderIn(consumer, t, {});
      assertRefused(
        await inFolder(folder, '--allow-emty'),
        /^toolgauge: unknown option '--allow-emty'\n\(Did you mean --allow-empty\?\)/,
      );
    });
  });
}

for (const [command, { args, good }] of Object.entries(COMMANDS)) {
  suite(`toolgauge ${command} of a file that may not be read`, () => {
    /** Runs the command as somebody who may not read everything: root may. */
    const asNobody = (folder, ...paths) => {
      const options = { cwd: folder };
      if (process.getuid?.() !== 0) return run(COMMAND, [command, ...args, ...paths], options);
      const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, COMMAND];
      return run('setpriv', [...drop, command, ...args, ...paths], options);
    };

    test('reports it, does the rest, and exits with 2, unless that is allowed', {
      skip: process.platform === 'win32',
    }, async t => {
      const folder = folderIn(consumer, t, { 'a.json': good, 'secret.json': good });
      chmodSync(folder, 0o755);
      chmodSync(join(folder, 'secret.json'), 0);
      mkdirSync(join(folder, 'locked'));
      chmodSync(join(folder, 'locked'), 0);
      assertRefused(
        await asNobody(folder, 'secret.json'),
        /^toolgauge: secret\.json: can't be read: permission denied\n/,
      );
      assertRefused(await asNobody(folder, 'locked'), /^toolgauge: can't read locked: permission denied\n/);
      chmodSync(join(folder, 'locked'), 0o755);
      const both = await asNobody(folder, 'a.json', 'secret.json');
      assert.equal(both.code, 2);
      assert.notEqual(both.stdout, '');
      assert.match(both.stderr, /^toolgauge: secret\.json: can't be read: permission denied\n/);
      assert.match(both.stderr, /1 of 2 documents could not be read; --allow-errors lets that pass\n$/);
      assert.equal((await asNobody(folder, 'a.json', 'secret.json', '--allow-errors')).code, 0);
    });
  });

  suite(`toolgauge ${command} that is ended early`, () => {
    const line = `${JSON.stringify(JSON.parse(good))}\n`;

    /** Starts the command on an endless input and waits for its first output. */
    async function start(...more) {
      const child = spawn(COMMAND, [command, '-', '--lines', ...args, ...more]);
      const output = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'])
        child[stream].setEncoding('utf8').on('data', text => (output[stream] += text));
      child.stdin.on('error', () => {});
      const closed = new Promise(settle => child.on('close', (code, signal) => settle({ code, signal, ...output })));
      child.stdin.write(line + line);
      while (!output.stdout.includes('\n')) await new Promise(settle => child.stdout.once('data', settle));
      return { child, closed };
    }

    for (const more of command === 'check' ? [[], ['--jobs', '2']] : [[]]) {
      test(`by Ctrl-C reports what was done, and exits with 130 ${more.join(' ')}`, async () => {
        const { child, closed } = await start(...more);
        child.kill('SIGINT');
        const { code, signal, stderr } = await closed;
        assert.deepEqual([code, signal], [130, null]);
        assert.match(stderr, /^toolgauge: interrupted; .*so far:/);
        assert.match(stderr, /\b2 (trajectories|test cases)|4 (trajectories|test cases)/);
      });

      test(`by a reader that closed the pipe says nothing, and exits with 141 ${more.join(' ')}`, async () => {
        const { child, closed } = await start(...more);
        child.stdout.destroy();
        const writing = setInterval(() => child.stdin.write(line), 20);
        const { code, stderr } = await closed;
        clearInterval(writing);
        assert.deepEqual({ code, stderr }, { code: 141, stderr: '' });
      });
    }
  });
}

suite('a reader of the output of one comparison', () => {
  test('that closes the pipe makes it exit with 141', async t => {
    const calls = Array.from({ length: 20_000 }, (_, at) => ({ tool: 'f', args: { at } }));
    const folder = folderIn(consumer, t, { 'calls.json': JSON.stringify(calls) });
    const child = spawn(COMMAND, ['score', '--expected', 'calls.json', '--actual', 'calls.json'], { cwd: folder });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise(settle => child.on('close', settle));
    assert.deepEqual({ code, stderr }, { code: 141, stderr: '' });
  });
});

suite('no tool call at all', () => {
  const chat = '[{"role":"user","content":"hi"}]';

  for (const [command, says] of [
    ['check', /gate +failed: no tools were called/],
    ['score', /gate +failed: no trajectory was scored: none has\s+expected\s+calls/],
    ['correctness', /gate +failed: no test case was measured/],
  ]) {
    test(`makes toolgauge ${command} exit with 1 and say so, unless that is allowed`, async t => {
      const folder = folderIn(consumer, t, { 'chat.json': chat });
      const { code, stdout, stderr } = await run(COMMAND, [command, 'chat.json'], { cwd: folder });
      assert.deepEqual([code, stderr], [1, '']);
      assert.match(stdout, says);
      assert.equal((await run(COMMAND, [command, 'chat.json', '--allow-empty'], { cwd: folder })).code, 0);
    });
  }

  test('is nothing that keeps a trajectory from being converted', async t => {
    const folder = folderIn(consumer, t, { 'chat.json': chat });
    const { code, stdout } = await run(COMMAND, ['convert', 'chat.json', '--to', 'openai-chat'], { cwd: folder });
    assert.deepEqual([code, stdout], [0, `${chat}\n`]);
  });
});
