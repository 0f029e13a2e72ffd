// Compares the times of pieces of work. They run in turns, so that a slow phase of the machine affects all of them, and
// only processor time of this process counts, so that other processes matter little.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/**
 * Each sample repeats its work for about this long, so that its garbage is collected within its own time. JSON.parse of
 * 600 KB fills the young generation in eight runs.
 */
const SAMPLE_MS = 100;

/**
 * How long each work runs before it is measured. WebAssembly is compiled quickly at first, and frequently run functions are
 * compiled again, by threads whose time counts, too. With a shorter warm-up the measurement would include compiling.
 */
const WARM_UP_MS = 1000;

/**
 * Runs every contender `rounds` times, in another order each round, and awaits promises. Returns the milliseconds of
 * processor time of one run, by the contender's name, as a list with one entry per round.
 */
export async function race(contenders, rounds) {
  const entries = [];
  for (const [name, work] of Object.entries(contenders)) entries.push({ name, work, times: await repetitions(work) });
  const samples = Object.fromEntries(entries.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < entries.length; turn += 1) {
      const { name, work, times } = entries[(round + turn) % entries.length];
      // Collect the garbage of one contender before the next one runs.
      collectGarbage();
      samples[name].push(await sample(work, times));
    }
  }
  return samples;
}

/** Returns how often `work` fits into one sample after the warm-up. */
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
  // Using the result prevents the compiler from removing the work.
  if (result === undefined) throw new Error('this work has no result');
  return time / times;
}

/** Returns the median, the minimum and the maximum of `values`. */
export function distribution(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
  return { median, low: sorted[0], high: sorted[sorted.length - 1] };
}

/** Returns how many times as long `a` took as `b`, round by round. */
export function ratio(a, b) {
  return distribution(a.map((time, round) => time / b[round]));
}

/** Returns the processor time of this process in milliseconds, including the threads of the garbage collector. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
