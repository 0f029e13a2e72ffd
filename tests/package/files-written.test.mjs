import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';
import { noSmallDisk, smallDisk } from './support/small-disk.mjs';

const COMMAND = join(consumer, 'node_modules/toolgauge/dist/cli.js');
const fixture = name => readFileSync(join(TESTS, `fixtures/${name}.json`), 'utf8');
const CLEAN = fixture('clean');
const FILES = {
  'log.json': CLEAN,
  'other.json': CLEAN,
  'rollouts.json': fixture('rollouts'),
  'tools.json': fixture('tools'),
  'expected.json': fixture('expected'),
};

const isWindows = process.platform === 'win32';

/** Runs the command in `folder`, in which a configuration file of this repository is out of sight. */
const toolgauge = (folder, args, options) => run(process.execPath, [COMMAND, ...args], { cwd: folder, ...options });

/** What the files below a folder hold, by name; of links what they lead to. */
function contentsOf(folder, below = '') {
  const entries = readdirSync(join(folder, below), { withFileTypes: true }).map(entry => {
    const [name, path] = [join(below, entry.name), join(folder, below, entry.name)];
    if (entry.isDirectory()) return contentsOf(folder, name);
    return { [name]: entry.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8') };
  });
  return Object.assign({}, ...entries);
}

/** Asserts that a command refuses to write `path`, for the reason `says`, and touches nothing in its folder. */
async function assertUntouched(folder, args, path, says, options) {
  const before = contentsOf(folder);
  const { code, stdout, stderr } = await toolgauge(folder, args, options);
  assert.deepEqual([code, stdout], [2, ''], `${args.join(' ')}\n${stderr}`);
  assert.equal(stderr.split('\n')[0], `toolgauge: ${path} ${says}`);
  assert.deepEqual(contentsOf(folder), before, args.join(' '));
}

const IS_INPUT = 'is an input and would be overwritten';
const IS_TWICE = 'would be written twice';

suite('no command overwrites what it reads:', () => {
  for (const [title, path, ...args] of [
    ['check', 'log.json', 'check', 'log.json', '--output', 'log.json'],
    ['check, by a report', 'log.json', 'check', 'log.json', '--report', 'junit=log.json'],
    ['check, by the totals', 'log.json', 'check', 'log.json', '--summary', 'log.json'],
    ['check, of a folder', './log.json', 'check', '.', '--output', './log.json'],
    ['check, of a glob', 'other.json', 'check', 'o*.json', '--report', 'html=other.json'],
    ['check, its tools', 'tools.json', 'check', 'log.json', '--tools', 'tools.json', '--output', 'tools.json'],
    ['reflect', 'log.json', 'reflect', 'log.json', '--tools', 'tools.json', '--output', 'log.json'],
    ['score of many', 'rollouts.json', 'score', 'rollouts.json', '--output', 'rollouts.json'],
    ['score', 'log.json', 'score', '--expected', 'expected.json', '--actual', 'log.json', '--output', 'log.json'],
    [
      'score, what is expected',
      'expected.json',
      ...['score', '--expected', 'expected.json', '--actual', 'log.json', '--output', 'expected.json'],
    ],
    ['correctness', 'rollouts.json', 'correctness', 'rollouts.json', '--output', 'rollouts.json'],
    [
      'correctness of two files',
      'expected.json',
      ...['correctness', '--expected', 'expected.json', '--actual', 'log.json', '--output', 'expected.json'],
    ],
    ['convert', 'log.json', 'convert', 'log.json', '--to', 'harness', '--output', 'log.json'],
    ['convert into a folder', 'other.json', 'convert', 'other.json', 'log.json', '--to', 'atif', '--output', './'],
  ]) {
    test(title, async t => {
      const folder = folderIn(consumer, t, FILES);
      await assertUntouched(folder, args, path, IS_INPUT);
    });
  }

  test('check, its baseline', async t => {
    const folder = folderIn(consumer, t, FILES);
    await toolgauge(folder, ['check', 'log.json', '--output', 'base.jsonl', '--format', 'jsonl']);
    const args = ['check', 'log.json', '--baseline', 'base.jsonl', '--format', 'jsonl', '--output', 'base.jsonl'];
    await assertUntouched(folder, args, 'base.jsonl', IS_INPUT);
  });

  test('merge', async t => {
    const folder = folderIn(consumer, t, FILES);
    await toolgauge(folder, ['check', 'log.json', '--summary', 'sum.json']);
    await assertUntouched(folder, ['merge', 'sum.json', '--summary', './sum.json'], './sum.json', IS_INPUT);
  });

  test('any, its configuration', async t => {
    const folder = folderIn(consumer, t, { ...FILES, 'own.json': '{"check":{"failOn":"low"}}' });
    const args = ['check', 'log.json', '--config', 'own.json', '--output', 'own.json'];
    await assertUntouched(folder, args, 'own.json', IS_INPUT);
  });

  test('however it is spelled, linked or given', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, FILES);
    mkdirSync(join(folder, 'sub'));
    symlinkSync('..', join(folder, 'sub/up'));
    symlinkSync('log.json', join(folder, 'soft'));
    linkSync(join(folder, 'log.json'), join(folder, 'hard'));
    for (const path of [
      './log.json',
      'sub/../log.json',
      'sub/up/log.json',
      join(folder, 'log.json'),
      'soft',
      'sub/up/soft',
      'hard',
    ]) {
      await assertUntouched(folder, ['check', 'log.json', '--output', path], path, IS_INPUT);
      await assertUntouched(folder, ['check', path, '--output', 'log.json'], 'log.json', IS_INPUT);
    }
  });

  test('as standard input, or as standard output', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, FILES);
    const before = contentsOf(folder);
    const input = openSync(join(folder, 'log.json'), 'r');
    const end = openSync(join(folder, 'log.json'), 'a');
    t.after(() => [input, end].forEach(closeSync));
    const runWith = (stdio, ...args) => spawnSync(process.execPath, [COMMAND, ...args], { cwd: folder, stdio });
    const read = runWith([input, 'pipe', 'pipe'], 'check', '-', '--output', 'log.json');
    assert.equal(read.status, 2);
    assert.match(String(read.stderr), new RegExp(`^toolgauge: log\\.json ${IS_INPUT}\n`));
    for (const command of [['check'], ['score'], ['convert', '--to', 'harness'], ['correctness']]) {
      const appended = runWith(['ignore', end, 'pipe'], ...command, 'log.json', 'other.json');
      assert.equal(appended.status, 2);
      assert.match(String(appended.stderr), /^toolgauge: standard output goes into an input\n/);
    }
    assert.deepEqual(contentsOf(folder), before);
  });
});

suite('no command writes two things into one file:', () => {
  test('reports and totals', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, { ...FILES, 'old.txt': 'old' });
    symlinkSync('old.txt', join(folder, 'link'));
    symlinkSync('new.txt', join(folder, 'nowhere'));
    for (const [first, second] of [
      ['new.txt', './new.txt'],
      ['old.txt', 'link'],
      ['new.txt', 'nowhere'],
    ]) {
      for (const args of [
        ['--output', first, '--report', `json=${second}`],
        ['--output', first, '--summary', second],
        ['--report', `json=${first}`, '--report', `junit=${second}`],
      ]) {
        await assertUntouched(folder, ['check', 'log.json', ...args], second, IS_TWICE);
      }
    }
    assert.equal(existsSync(join(folder, 'new.txt')), false);
  });

  test('a report, and what is printed', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, FILES);
    const script = 'exec "$@" > out.txt';
    for (const [args, code] of [
      [['--report', 'json=out.txt'], 2],
      [['--output', 'other.txt', '--summary', '-', '--report', 'json=./out.txt'], 2],
      [['--output', 'out.txt'], 0],
      [['--output', '/dev/stdout', '--summary', '-'], 0],
    ]) {
      const command = [process.execPath, COMMAND, 'check', 'log.json', ...args];
      const ended = await run('sh', ['-c', script, 'sh', ...command], { cwd: folder });
      assert.equal(ended.code, code, ended.stderr);
      if (code === 2) assert.match(ended.stderr, new RegExp(`out\\.txt ${IS_TWICE}`));
      else assert.match(readFileSync(join(folder, 'out.txt'), 'utf8'), /^toolgauge check/);
    }
  });

  test('conversions', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, FILES);
    mkdirSync(join(folder, 'out'));
    symlinkSync('log.json', join(folder, 'out/other.json'));
    const args = ['convert', 'log.json', 'other.json', '--to', 'harness', '--output', 'out/'];
    const { code, stderr } = await toolgauge(folder, args);
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`^toolgauge: out/other\\.json ${IS_TWICE}\n`));
    assert.deepEqual(JSON.parse(readFileSync(join(folder, 'out/log.json'), 'utf8')).turns.length, 4);
  });
});

suite('a file that is written', () => {
  const check = (folder, path, options) => toolgauge(folder, ['check', 'log.json', '--output', path], options);

  test('takes its place whole, with the mode and owner of the old one, and leaves nothing else', {
    skip: isWindows,
  }, async t => {
    const folder = folderIn(consumer, t, { ...FILES, 'old.txt': 'old' });
    for (const mode of [0o600, 0o640, 0o755]) {
      chmodSync(join(folder, 'old.txt'), mode);
      assert.equal((await check(folder, 'old.txt')).code, 0);
      assert.equal(statSync(join(folder, 'old.txt')).mode & 0o777, mode);
    }
    assert.equal((await check(folder, 'deep/er/new.txt')).code, 0);
    assert.equal(statSync(join(folder, 'deep/er/new.txt')).mode & 0o777, 0o666 & ~process.umask());
    assert.equal(readFileSync(join(folder, 'old.txt'), 'utf8'), readFileSync(join(folder, 'deep/er/new.txt'), 'utf8'));
    const names = Object.keys(contentsOf(folder)).sort();
    assert.deepEqual(names, [...Object.keys(FILES), 'deep/er/new.txt', 'old.txt'].sort());
  });

  test('may be one of many', async t => {
    const names = Array.from({ length: 40 }, (_, at) => `${at}.json`);
    const folder = folderIn(consumer, t, Object.fromEntries(names.map(name => [name, CLEAN])));
    for (const _ of ['new', 'replaced']) {
      const { code, stderr } = await toolgauge(folder, ['convert', ...names, '--to', 'harness', '--output', 'out/']);
      assert.deepEqual([code, stderr], [0, '']);
      assert.deepEqual(readdirSync(join(folder, 'out')).sort(), [...names].sort());
    }
  });

  test('is the one that a link names, there or not, and the link stays', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, { ...FILES, 'old.txt': 'old' });
    mkdirSync(join(folder, 'sub'));
    symlinkSync('../old.txt', join(folder, 'sub/one'));
    symlinkSync('sub/one', join(folder, 'two'));
    symlinkSync('sub/new.txt', join(folder, 'three'));
    for (const [link, target, named] of [
      ['two', 'sub/one', 'old.txt'],
      ['three', 'sub/new.txt', 'sub/new.txt'],
    ]) {
      assert.equal((await check(folder, link)).code, 0);
      assert.equal(readlinkSync(join(folder, link)), target);
      assert.ok(lstatSync(join(folder, named)).isFile());
      assert.match(readFileSync(join(folder, named), 'utf8'), /^toolgauge check/);
    }
  });

  test('is refused where it could not be written in place, either', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, { ...FILES, 'fixed.txt': 'old' });
    chmodSync(join(folder, 'fixed.txt'), 0o444);
    chmodSync(folder, 0o777);
    symlinkSync('circle', join(folder, 'circle'));
    for (const [path, says] of [
      ['fixed.txt', 'permission denied'],
      ['circle', 'its links lead in a circle'],
      ['log.json/x', 'what should be a folder above it is a file'],
      ['.', 'it is a folder'],
      ['none/', 'it is a folder'],
    ]) {
      const args = [COMMAND, 'check', 'log.json', '--output', path];
      const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
      const isRoot = process.getuid() === 0;
      const { code, stderr } = await run(isRoot ? 'setpriv' : process.execPath, isRoot ? [...drop, ...args] : args, {
        cwd: folder,
      });
      assert.equal(code, 2, path);
      assert.equal(stderr.split('\n')[0], `toolgauge: can't write ${path}: ${says}`);
    }
    assert.equal(readFileSync(join(folder, 'fixed.txt'), 'utf8'), 'old');
  });

  test('needs a folder that takes new files', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, { ...FILES, 'open.txt': 'old' });
    chmodSync(join(folder, 'open.txt'), 0o666);
    chmodSync(folder, 0o755);
    const args = [COMMAND, 'check', 'log.json', '--output', 'open.txt'];
    if (process.getuid() !== 0) chmodSync(folder, 0o555);
    const drop = ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath];
    const isRoot = process.getuid() === 0;
    const { code, stderr } = await run(isRoot ? 'setpriv' : process.execPath, isRoot ? [...drop, ...args] : args, {
      cwd: folder,
    });
    chmodSync(folder, 0o755);
    assert.equal(code, 2);
    assert.match(
      stderr,
      /^toolgauge: can't write open\.txt: permission denied\n {2}.*its folder must take new ones\n$/,
    );
    assert.equal(readFileSync(join(folder, 'open.txt'), 'utf8'), 'old');
  });

  test('is written in place where there is no file to replace', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, FILES);
    spawnSync('mkfifo', [join(folder, 'pipe')]);
    const reader = spawn('cat', [join(folder, 'pipe')]);
    t.after(() => reader.kill());
    let read = '';
    reader.stdout.setEncoding('utf8').on('data', text => (read += text));
    const ended = new Promise(settle => reader.on('close', settle));
    assert.equal((await check(folder, 'pipe')).code, 0);
    await ended;
    const { stdout } = await toolgauge(folder, ['check', 'log.json']);
    assert.equal(read, stdout);
    assert.ok(lstatSync(join(folder, 'pipe')).isFIFO());
    assert.equal((await check(folder, '/dev/null')).code, 0);
    assert.ok(lstatSync('/dev/null').isCharacterDevice());
    assert.equal((await check(folder, '/dev/stdout')).stdout, stdout);
    const inShell = script => run('sh', ['-c', script, 'sh', process.execPath, COMMAND], { cwd: folder });
    await inShell('echo before > out.txt; "$1" "$2" check log.json --output /dev/stdout >> out.txt');
    assert.equal(readFileSync(join(folder, 'out.txt'), 'utf8'), `before\n${stdout}`);
    await inShell('echo before > out.txt; "$1" "$2" check log.json --output /dev/fd/3 3>> out.txt');
    assert.equal(readFileSync(join(folder, 'out.txt'), 'utf8'), `before\n${stdout}`);
  });
});

suite('standard output that takes no more', () => {
  const COMMANDS = [
    ['--help'],
    ['--version'],
    ['check', '--help'],
    ['explain'],
    ['check', 'log.json'],
    ['check', 'log.json', '--format', 'jsonl', '--jobs', '2'],
    ['check', 'log.json', '--output', 'report.txt', '--summary', '-'],
    ['reflect', 'log.json', '--tools', 'tools.json'],
    ['score', 'rollouts.json'],
    ['score', '--expected', 'expected.json', '--actual', 'log.json'],
    ['correctness', 'rollouts.json'],
    ['correctness', '--expected', 'expected.json', '--actual', 'log.json'],
    ['convert', 'log.json', '--to', 'harness'],
    ['lint-tools', 'tools.json'],
    ['merge', 'sum.json'],
  ];

  /** Runs a command with standard output going into the file at `path`. */
  const into = (folder, path, args) => {
    const script = 'exec "$@" > "$OUT"';
    const env = { OUT: path };
    return run('sh', ['-c', script, 'sh', process.execPath, COMMAND, ...args], { cwd: folder, env });
  };

  test('is reported in one line, with exit code 2, by every command', { skip: !existsSync('/dev/full') }, async t => {
    const folder = folderIn(consumer, t, FILES);
    await toolgauge(folder, ['check', 'log.json', '--summary', 'sum.json']);
    for (const args of COMMANDS) {
      const { code, stderr } = await into(folder, '/dev/full', args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^toolgauge: can't write standard output: .*no space left.*\n$/, args.join(' '));
    }
  });

  test('is reported also when the disk takes a part of what is written', { skip: noSmallDisk }, async t => {
    const folder = folderIn(consumer, t, FILES);
    const disk = smallDisk(t, 64);
    if (disk === undefined) return t.skip('this machine lets no disk be mounted');
    writeFileSync(join(disk, 'filler'), Buffer.alloc(63 * 1024));
    const { code, stderr } = await into(folder, join(disk, 'out.txt'), ['explain']);
    assert.equal(code, 2);
    assert.match(stderr, /^toolgauge: can't write standard output: .*no space left.*\n$/);
    const { size } = statSync(join(disk, 'out.txt'));
    assert.ok(size < (await toolgauge(folder, ['explain'])).stdout.length);
  });

  test('since its reader left ends every command in silence', { skip: isWindows }, async t => {
    const folder = folderIn(consumer, t, FILES);
    await toolgauge(folder, ['check', 'log.json', '--summary', 'sum.json']);
    for (const args of COMMANDS) {
      const script = '{ "$@"; echo "code $?" >&2; } | true';
      // The reader is gone before Node has started.
      const { stderr } = await run('sh', ['-c', script, 'sh', process.execPath, COMMAND, ...args], { cwd: folder });
      assert.equal(stderr, 'code 141\n', args.join(' '));
    }
  });

  test('of errors changes no exit code', { skip: !existsSync('/dev/full') }, async t => {
    const folder = folderIn(consumer, t, FILES);
    const script = 'exec "$@" 2> /dev/full';
    for (const [args, expected] of [
      [['check', 'log.json', 'nowhere.json'], 2],
      [['check', '--nope'], 2],
      [['check', 'log.json'], 0],
    ]) {
      const { code } = await run('sh', ['-c', script, 'sh', process.execPath, COMMAND, ...args], { cwd: folder });
      assert.equal(code, expected, args.join(' '));
    }
  });
});
