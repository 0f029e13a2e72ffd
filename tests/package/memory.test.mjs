// Memory stays where it is: however long a file is, and however often a function is called.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { consumer, folderIn } from './support/consumer.mjs';
import { OF_SCENES, OTHERS } from './support/public-functions.mjs';
import { moduleMemory } from './support/work.mjs';

const MEGABYTE = 1_000_000;

/** How many bytes of memory a command may have resident, with one worker: less than it reads. Node itself takes 50 MB. */
const MOST = 190 * MEGABYTE;

/** What each further worker may add. */
const MOST_OF_A_WORKER = 110 * MEGABYTE;

/** Writes the most memory that the process had resident, in kilobytes, where it is asked for it. */
const HOOK = `
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));
`;

const LONG_ARGUMENT = 'a lamp '.repeat(1000);

/** Every tenth call is of a tool that does not exist, so that there are issues to report. */
function line(at) {
  const tool_calls = [
    { id: 'c1', name: at % 10 === 0 ? 'g' : 'f', arguments: { q: LONG_ARGUMENT }, result: { ok: true } },
  ];
  const turns = [
    { turn_id: 1, role: 'user', content: 'Where is it?' },
    { turn_id: 2, role: 'agent', content: 'On its way.', tool_calls },
  ];
  return `${JSON.stringify({ trajectory_id: `t${at}`, turns })}\n`;
}

/** Checks so many bytes of lines with the command, and gives the most memory that it had, in bytes. */
async function peakOfCheck(t, bytes, jobs) {
  const tools = JSON.stringify([{ name: 'f', parameters: { type: 'object' } }]);
  const folder = folderIn(consumer, t, { 'hook.mjs': HOOK, 'tools.json': tools });
  const command = join(consumer, 'node_modules/toolgauge/dist/cli.js');
  const options = ['check', '-', '--tools', 'tools.json', '--fail-on', 'never', '--jobs', String(jobs)];
  const peakFile = join(folder, 'peak');
  const child = spawn(process.execPath, ['--import', './hook.mjs', command, ...options], {
    cwd: folder,
    env: { ...process.env, PEAK_FILE: peakFile },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', text => {
    printed += text;
  });
  const closed = once(child, 'close');
  let lines = 0;
  for (let written = 0; written < bytes; lines += 1) {
    const text = line(lines);
    written += text.length;
    if (!child.stdin.write(text)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  assert.deepEqual(await closed, [0, null]);
  assert.equal(Number(/checked +([\d,]+) trajectories/.exec(printed)[1].replaceAll(',', '')), lines);
  return Number(readFileSync(peakFile, 'utf8')) * 1024;
}

suite('toolgauge check of 200 MB of lines', () => {
  for (const jobs of [1, 2]) {
    test(`with --jobs ${jobs} has no more memory than for 20 MB`, async t => {
      const [short, long] = [await peakOfCheck(t, 20 * MEGABYTE, jobs), await peakOfCheck(t, 200 * MEGABYTE, jobs)];
      t.diagnostic(`${Math.round(short / MEGABYTE)} MB for 20 MB, ${Math.round(long / MEGABYTE)} MB for 200 MB`);
      const most = MOST + (jobs - 1) * MOST_OF_A_WORKER;
      assert.ok(long < most, `${long} bytes, at most ${most}`);
      assert.ok(long < short * 1.3, `${long} bytes for 200 MB, ${short} for 20 MB`);
    });
  }
});

/** How many turns, calls or rows there are in the inputs of the calls. */
const SIZE = 2;

const CALLS = 10_000;

/** What takes milliseconds is called a tenth as often: judges, reports and lint. */
const SLOW = /^(reportT|lintT|[rR]eflect|repairToolCall$|runJudge|createD|createT|mcpS|checkLines)/;

/** What these leave is freed with the garbage of JavaScript, which is not collected before there is much of it. */
const FREED_WITH_GARBAGE = ['createDispatcher', 'dispatcherTools', 'guardTools', 'mcpServers'];

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

suite('thousands of calls leave the memory of the module where it was after the first hundred', () => {
  const functions = Object.entries(OF_SCENES).map(([name, [growing, run]]) => [
    name,
    Object.values(growing)[0].make,
    run,
  ]);
  for (const [name, make, run] of [
    ...functions,
    ...Object.entries(OTHERS).map(([name, row]) => [name, row.make, row.run]),
  ]) {
    test(name, async () => {
      const input = make(SIZE);
      const repeat = async count => {
        for (let at = 0; at < count; at += 1) {
          await run(input);
          if (at % 100 !== 0) continue;
          if (FREED_WITH_GARBAGE.includes(name)) collectGarbage();
          // What is found to be garbage is freed between turns of the event loop.
          await nextTurn();
        }
      };
      await repeat(100);
      const before = moduleMemory();
      await repeat((SLOW.test(name) ? CALLS / 10 : CALLS) - 100);
      assert.equal(moduleMemory(), before);
    });
  }
});
