import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { consumer, folderIn, run, TESTS } from './support/consumer.mjs';
import { randomOf } from './support/random.mjs';
import { noSmallDisk, smallDisk } from './support/small-disk.mjs';

const COMMAND = join(consumer, 'node_modules/toolgauge/dist/cli.js');
const lineOf = name => `${JSON.stringify(JSON.parse(readFileSync(join(TESTS, `fixtures/${name}.json`), 'utf8')))}\n`;
const [FAULTY, ROLLOUTS] = ['faulty', 'rollouts'].map(lineOf);

/** All that writes a file piece by piece, and a line of what it reads. */
const WRITERS = [
  { title: 'check, as JSON', args: ['check', '--format', 'json'], line: FAULTY },
  { title: 'check, as JUnit', args: ['check', '--format', 'junit'], line: FAULTY },
  { title: 'check, a verdict a line', args: ['check', '--format', 'jsonl'], line: FAULTY },
  { title: 'score', args: ['score', '--format', 'json'], line: ROLLOUTS },
  { title: 'convert', args: ['convert', '--to', 'harness'], line: FAULTY },
];

const OLD = 'the old report\n';
const LINES = 40;
const PIECES = 8;
const MOMENTS = 10;

const argsOf = (args, out) => [COMMAND, ...args, '-', '--lines', '--output', out];

/** What `writer` writes when it is left alone. */
async function wholeOf(folder, { args, line }) {
  const out = join(folder, 'whole');
  const { stderr } = await run(process.execPath, argsOf(args, out), { input: line.repeat(LINES) });
  assert.equal(stderr, '');
  return readFileSync(out, 'utf8');
}

/** Starts a command that replaces `out` and gives it so many pieces of its input, or all and then its end. */
async function startWriting({ args, line }, out, pieces) {
  const child = spawn(process.execPath, argsOf(args, out), { stdio: ['pipe', 'ignore', 'pipe'] });
  child.stdin.on('error', () => {});
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', text => (stderr += text));
  const ended = new Promise(settle => child.on('close', (code, signal) => settle({ code, signal, stderr })));
  for (let piece = 0; piece < pieces; piece += 1) child.stdin.write(line.repeat(LINES / PIECES));
  if (pieces === PIECES) child.stdin.end();
  return { child, ended };
}

/** What a run left in `folder`, beside `out`. */
const strays = folder => readdirSync(folder).filter(name => name.startsWith('.'));

const bytesIn = folder => strays(folder).reduce((sum, name) => sum + (statOf(join(folder, name))?.size ?? 0), 0);

/** A file that is written may take its place meanwhile. */
const statOf = path => statSync(path, { throwIfNoEntry: false });

/** Waits until the command writes, beside `out` or into it, or has ended. */
async function untilWriting(out, ended) {
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  const isTouched = () => readFileSync(out, 'utf8') !== OLD;
  while (!isOver && bytesIn(dirname(out)) === 0 && !isTouched()) await sleep(1);
}

suite(`${WRITERS.length * MOMENTS} times, at moments taken at random, a file that is replaced is the old one or whole:`, () => {
  for (const [at, writer] of WRITERS.entries()) {
    test(writer.title, { skip: process.platform === 'win32' }, async t => {
      const folder = folderIn(consumer, t, {});
      const whole = await wholeOf(folder, writer);
      rmSync(join(folder, 'whole'));
      const out = join(folder, 'out');
      const random = randomOf(at + 1);
      const left = [];
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        writeFileSync(out, OLD);
        const how = ['SIGKILL', 'SIGINT', 'full', 'SIGTERM', 'SIGKILL', 'full'][moment % 6];
        if (how === 'full') await assertFull(writer, out, Math.floor(random() * whole.length * 1.2));
        else await assertEnded(writer, out, how, 1 + Math.floor(random() * PIECES), random() * 20);
        const now = readFileSync(out, 'utf8');
        assert.ok(now === OLD || now === whole, `${how} at moment ${moment} left ${now.length} characters`);
        // Nothing can tidy up after a process that is killed, but its file is out of the way.
        if (how !== 'SIGKILL') assert.deepEqual(strays(folder), [], how);
        for (const name of strays(folder)) rmSync(join(folder, name));
        left.push(now);
      }
      assert.ok(left.includes(OLD), 'some moments are before the end');
    });
  }

  /** Runs a writer until it has begun to write, and then ends it. */
  async function assertEnded(writer, out, signal, pieces, delay) {
    const { child, ended } = await startWriting(writer, out, pieces);
    await untilWriting(out, ended);
    await sleep(delay);
    child.kill(signal);
    const { code, signal: endedBy, stderr } = await ended;
    if (signal === 'SIGKILL') assert.ok(endedBy === 'SIGKILL' || code !== null);
    // It may have come to its end by itself before.
    else if (code > 1)
      assert.deepEqual([code, stderr.slice(0, 22)], [{ SIGINT: 130, SIGTERM: 143 }[signal], 'toolgauge: interrupted']);
  }

  /** Runs a writer whose files may have so many bytes, in blocks of 512. */
  async function assertFull(writer, out, bytes) {
    const script = 'ulimit -f "$0" && exec "$@"';
    const blocks = String(Math.floor(bytes / 512));
    const args = ['-c', script, blocks, process.execPath, ...argsOf(writer.args, out)];
    const { code, stderr } = await run('sh', args, { input: writer.line.repeat(LINES) });
    if (readFileSync(out, 'utf8') !== OLD) return assert.ok(code < 2, stderr);
    assert.equal(code, 2);
    assert.match(stderr, /^toolgauge: can't write .*out: EFBIG/);
  }
});

suite('a disk that is full', () => {
  for (const writer of WRITERS) {
    test(`keeps the old file, and nothing beside it: ${writer.title}`, { skip: noSmallDisk }, async t => {
      const folder = folderIn(consumer, t, {});
      const whole = await wholeOf(folder, writer);
      const disk = smallDisk(t, Math.max(8, Math.floor(whole.length / 2048)));
      if (disk === undefined) return t.skip('this machine lets no disk be mounted');
      const out = join(disk, 'out');
      writeFileSync(out, OLD);
      const input = writer.line.repeat(LINES);
      const { code, stderr } = await run(process.execPath, argsOf(writer.args, out), { input });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^toolgauge: can't write .*out: .*no space left/);
      assert.equal(readFileSync(out, 'utf8'), OLD);
      assert.deepEqual(readdirSync(disk), ['out']);
    });
  }
});

suite('what an interrupted command leaves', () => {
  test('of several reports and the totals is what was there', { skip: process.platform === 'win32' }, async t => {
    const files = { 'a.json': OLD, 'b.xml': OLD, 'c.html': OLD, 'sum.json': OLD };
    const folder = folderIn(consumer, t, files);
    const args = ['--format', 'json', '--report', 'junit=b.xml', '--report', 'html=c.html', '--summary', 'sum.json'];
    const child = spawn(process.execPath, [COMMAND, 'check', '-', '--lines', ...args, '--output', 'a.json'], {
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const ended = new Promise(settle => child.on('close', settle));
    child.stdin.on('error', () => {});
    child.stdin.write(FAULTY.repeat(10));
    await untilWriting(join(folder, 'a.json'), ended);
    child.kill('SIGINT');
    assert.equal(await ended, 130);
    const left = readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]);
    assert.deepEqual(Object.fromEntries(left), files);
  });
});
