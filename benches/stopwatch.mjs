// Times pieces of work against each other: in turns, so that what slows the machine slows all of them, and by the time that
// this process had a processor, so that what else the machine does counts little.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/**
 * Each sample repeats its work until it takes about this long: so long that the garbage that the work makes is collected in
 * its own time. JSON.parse of 600 KB fills the young generation in eight runs.
 */
const SAMPLE_MS = 100;

/**
 * How long each work runs before it is measured. WebAssembly is compiled quickly at first, and function by function a second
 * time once it has run often, by threads whose time counts too: with less than this, part of what is measured is compiling.
 */
const WARM_UP_MS = 1000;

/**
 * Runs every contender `rounds` times, in another order each round; work that gives a promise is waited for.
 * Returns the milliseconds of processor time of one run, by the contender's name: a list with one entry for each round.
 */
export async function race(contenders, rounds) {
  const entries = [];
  for (const [name, work] of Object.entries(contenders)) entries.push({ name, work, times: await repetitions(work) });
  const samples = Object.fromEntries(entries.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < entries.length; turn += 1) {
      const { name, work, times } = entries[(round + turn) % entries.length];
      // What one contender left behind is not the next one's to clear away.
      collectGarbage();
      samples[name].push(await sample(work, times));
    }
  }
  return samples;
}

/** How often `work` fits into one sample, once it is warm. */
async function repetitions(work) {
  const start = processorTime();
  let runs = 0;
  let last = 0;
  do {
    last = await sample(work, 1);
    runs += 1;
  } while (processorTime() - start < WARM_UP_MS || runs < 3);
  const mean = (processorTime() - start) / runs;
  return Math.max(1, Math.round(SAMPLE_MS / Math.min(last, mean)));
}

async function sample(work, times) {
  let result;
  const start = processorTime();
  for (let run = 0; run < times; run += 1) {
    result = work();
    if (result instanceof Promise) result = await result;
  }
  const time = processorTime() - start;
  // Looking at the result keeps the work from being left out.
  if (result === undefined) throw new Error('this work has no result');
  return time / times;
}

/** The median of `values`, the least and the greatest of them. */
export function distribution(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { median, low: sorted[0], high: sorted[sorted.length - 1] };
}

/** How many times as long `a` took as `b`, round by round. */
export function ratio(a, b) {
  return distribution(a.map((time, round) => time / b[round]));
}

/** The milliseconds that this process has used processors for, those of the garbage collector's threads among them. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
