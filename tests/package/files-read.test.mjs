import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';

const COMMAND = join(consumer, 'node_modules/toolgauge/dist/cli.js');
const fixture = name => readFileSync(join(TESTS, `fixtures/${name}.json`), 'utf8');
const [CLEAN, ROLLOUTS, TOOLS] = ['clean', 'rollouts', 'tools'].map(fixture);

/** The commands that read what is in folders, with a file that passes, and what shows that it was read. */
const COMMANDS = {
  check: { args: ['--show', 'none'], good: CLEAN, done: /1 trajectory/ },
  reflect: { args: ['--show', 'none', '--tools', '../tools.json'], good: CLEAN, done: /1 trajectory/ },
  score: { args: [], good: ROLLOUTS, done: /2 trajectories/ },
  correctness: { args: ['--threshold', '0'], good: ROLLOUTS, done: /2 test cases/ },
  convert: { args: ['--to', 'harness'], good: CLEAN, done: /"turns"/ },
  'lint-tools': { args: ['--fail-on', 'never'], good: TOOLS, done: /2 tools/ },
};

const REASONS = {
  'link.json': 'it is a link to nothing',
  'circle.json': 'its links lead in a circle',
  'pipe.json': 'it is no regular file',
  'socket.json': 'it is no regular file',
  'device.json': 'it is no regular file',
  'folder.json': 'it is no regular file',
};

/** Makes what can't be read beside `good`, in a folder and in one below. Returns the places of it. */
async function furnish(t, folder) {
  for (const below of ['', 'sub']) {
    const at = name => join(folder, below, name);
    if (below !== '') mkdirSync(at(''));
    symlinkSync('/nowhere/at/all', at('link.json'));
    symlinkSync('circle.json', at('circle.json'));
    symlinkSync('/dev/null', at('device.json'));
    mkdirSync(at('plain'));
    symlinkSync('plain', at('folder.json'));
    spawnSync('mkfifo', [at('pipe.json')]);
    const server = createServer();
    await new Promise(settle => server.listen(at('socket.json'), settle));
    t.after(() => server.close());
  }
  const names = Object.keys(REASONS);
  return [...names, ...names.map(name => `sub/${name}`)];
}

/** Runs a command to its end; one that waits for a FIFO is stopped, and has no exit code. */
const toolgauge = (folder, args) => run(process.execPath, [COMMAND, ...args], { cwd: folder, timeout: 60_000 });

/** The places of which standard error says that they can't be read, with the reason. */
function unreadIn(stderr) {
  const lines = stderr
    .split('\n')
    .map(line => /^toolgauge: (?:can't read )?(\S+?):(?: can't be read:)? (.*)$/.exec(line));
  return Object.fromEntries(lines.filter(line => line !== null).map(([, place, reason]) => [place, reason]));
}

for (const [command, { args, good, done }] of Object.entries(COMMANDS)) {
  suite(`toolgauge ${command} of a folder`, { skip: process.platform === 'win32' }, () => {
    for (const named of ['walked', 'glob']) {
      test(`reports what in it can't be read, does the rest, and exits with 2: ${named}`, async t => {
        const outer = folderIn(consumer, t, { 'tools.json': TOOLS });
        const folder = join(outer, 'in');
        mkdirSync(folder);
        const places = await furnish(t, folder);
        writeFileSync(join(folder, 'm.json'), good);
        const { code, stdout, stderr } = await toolgauge(folder, [
          command,
          named === 'glob' ? '**/*.json' : '.',
          ...args,
        ]);
        assert.equal(code, 2, stderr);
        assert.match(stdout, done);
        const expected = places
          // A glob goes into folders that links name.
          .filter(place => named !== 'glob' || !place.endsWith('folder.json'))
          .map(place => [place, REASONS[place.split('/').at(-1)]]);
        assert.deepEqual(unreadIn(stderr), Object.fromEntries(expected));
      });
    }
  });
}

suite('a folder without permission', { skip: process.platform === 'win32' }, () => {
  const asNobody = (folder, ...args) => {
    if (process.getuid() !== 0) return toolgauge(folder, args);
    const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, COMMAND];
    return run('setpriv', [...drop, ...args], { cwd: folder });
  };

  for (const inputs of [['.'], ['**/*.json'], ['a.json', 'sub/locked']]) {
    test(`costs nothing but itself: ${inputs.join(' ')}`, async t => {
      const folder = folderIn(consumer, t, { 'a.json': CLEAN });
      chmodSync(folder, 0o755);
      mkdirSync(join(folder, 'sub/locked'), { recursive: true });
      chmodSync(join(folder, 'sub/locked'), 0);
      const { code, stdout, stderr } = await asNobody(folder, 'check', ...inputs, '--show', 'none');
      assert.equal(code, 2, stderr);
      assert.match(stdout, /1 trajectory/);
      assert.deepEqual(unreadIn(stderr), { 'sub/locked': 'permission denied' });
      assert.equal((await asNobody(folder, 'check', ...inputs, '--allow-errors')).code, 0);
    });
  }
});

suite('what is named itself', { skip: process.platform === 'win32' }, () => {
  test('may be a FIFO, or what a shell makes of a program', async t => {
    const folder = folderIn(consumer, t, { 'a.json': CLEAN, 'tools.json': TOOLS });
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const scripts = [
      'cat a.json > pipe & "$1" "$2" check pipe --tools tools.json',
      'cat tools.json > pipe & "$1" "$2" check a.json --tools pipe',
      '"$1" "$2" check <(cat a.json) --tools <(cat tools.json)',
      '"$1" "$2" check /dev/stdin --tools tools.json < a.json',
    ];
    for (const script of scripts) {
      // A shell may have a program to run before each script.
      const options = { cwd: folder, timeout: 60_000, env: { BASH_ENV: '' } };
      const { code, stdout, stderr } = await run('bash', ['-c', script, 'bash', process.execPath, COMMAND], options);
      assert.deepEqual([code, stderr], [0, ''], script);
      assert.match(stdout, /1 trajectory/, script);
      assert.match(stdout, /2 tools/, script);
    }
  });

  test('and leads nowhere ends the command', async t => {
    const folder = folderIn(consumer, t, { 'a.json': CLEAN });
    symlinkSync('nowhere', join(folder, 'link.json'));
    symlinkSync('circle.json', join(folder, 'circle.json'));
    for (const [name, reason] of [
      ['link.json', 'there is no such file'],
      ['circle.json', 'its links lead in a circle'],
    ]) {
      const { code, stdout, stderr } = await toolgauge(folder, ['check', 'a.json', name]);
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(stderr.split('\n')[0], `toolgauge: can't read ${name}: ${reason}`);
    }
  });
});

test('a file that is gone when its turn comes is reported, and the rest is checked', async t => {
  const folder = folderIn(consumer, t, { 'b.json': CLEAN, 'c.json': CLEAN });
  // What is before it in the list keeps the command waiting until it is gone.
  if (process.platform === 'win32') return t.skip('there are no FIFOs');
  spawnSync('mkfifo', [join(folder, 'a.pipe')]);
  const running = run(process.execPath, [COMMAND, 'check', 'a.pipe', 'b.json', 'c.json', '--show', 'none'], {
    cwd: folder,
    timeout: 60_000,
  });
  // Opening the FIFO waits for the command to open it, which has found its files by then.
  const script = 'exec 3> a.pipe; rm b.json; cat >&3';
  await run('sh', ['-c', script], { cwd: folder, input: CLEAN });
  const { code, stdout, stderr } = await running;
  assert.equal(code, 2);
  assert.deepEqual(unreadIn(stderr), { 'b.json': 'there is no such file' });
  assert.match(stdout, /2 trajectories/);
});
