import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consumer, folderIn, run } from './support/consumer.mjs';

/** Runs 100 rounds of 1,000 calls each and prints what is left at the end. */
const LOAD = `
import { createDispatcher } from 'toolgauge/dispatch';
let running = 0;
let most = 0;
let ran = 0;
const work = async ({ round, at }) => {
  running += 1;
  ran += 1;
  most = Math.max(most, running);
  // Calls end in another order than they began.
  if (at % 7 === 0) await new Promise(resume => setImmediate(resume));
  running -= 1;
  return { round, at };
};
const parameters = {
  type: 'object',
  properties: { round: { type: 'integer' }, at: { type: 'integer' } },
  required: ['round', 'at'],
};
const dispatcher = createDispatcher({ functions: [{ name: 'work', parameters }], handlers: { work }, ...OPTIONS });
const used = () => {
  for (let times = 0; times < 3; times += 1) globalThis.gc();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};
const inOrder = [];
let after10;
for (let round = 1; round <= 100; round += 1) {
  const calls = Array.from({ length: 1000 }, (_, at) => ({ id: 'c' + at, name: 'work', arguments: { round, at } }));
  const results = await dispatcher.evalToolCalls(calls);
  const isRight = ({ call, output }, at) => call === calls[at] && output.round === round && output.at === at;
  inOrder.push(results.length === 1000 && results.every(isRight));
  dispatcher.clear();
  if (round === 10) after10 = used();
}
const handles = process.getActiveResourcesInfo().filter(name => !/^(Pipe|TTY|File|FSReq|ConsoleWrap)/.test(name));
console.log(JSON.stringify({ ran, most, running, inOrder: inOrder.every(Boolean), grown: used() - after10, handles }));
`;

for (const [name, options] of [
  ['recorded and forgotten', '{}'],
  ['not recorded', '{ record: false }'],
]) {
  test(`100 rounds of 1,000 calls, ${name}, keep their order and leave nothing behind`, async t => {
    const folder = folderIn(consumer, t, { 'load.mjs': LOAD.replace('OPTIONS', options) });
    const { code, stdout, stderr } = await run('node', ['--expose-gc', 'load.mjs'], { cwd: folder });
    assert.equal(stderr, '');
    assert.equal(code, 0);
    const { grown, ...rest } = JSON.parse(stdout);
    assert.deepEqual(rest, { ran: 100_000, most: 8, running: 0, inOrder: true, handles: [] });
    // Less than 30 bytes for each of 90,000 calls: nothing is kept of them.
    assert.ok(grown < 2_700_000, `${grown} bytes more are in use after round 100 than after round 10`);
  });
}
