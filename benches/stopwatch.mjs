// Times pieces of work against each other: in turns, so that what slows the machine slows all of them.
import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

/** Each sample repeats its work until it takes about this long. */
const SAMPLE_MS = 12;

/**
 * Runs every contender `rounds` times, in another order each round.
 * Returns the milliseconds of one run, by the contender's name: a list with one entry for each round.
 */
export function race(contenders, rounds) {
  const entries = Object.entries(contenders).map(([name, work]) => ({ name, work, times: repetitions(work) }));
  const samples = Object.fromEntries(entries.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < entries.length; turn += 1) {
      const { name, work, times } = entries[(round + turn) % entries.length];
      // What one contender left behind is not the next one's to clear away.
      collectGarbage();
      samples[name].push(sample(work, times));
    }
  }
  return samples;
}

/** How often `work` fits into one sample, once it is warm. */
function repetitions(work) {
  const start = performance.now();
  let runs = 0;
  let last = 0;
  do {
    last = sample(work, 1);
    runs += 1;
  } while (performance.now() - start < 8 * SAMPLE_MS || runs < 3);
  const mean = (performance.now() - start) / runs;
  return Math.max(1, Math.round(SAMPLE_MS / Math.min(last, mean)));
}

function sample(work, times) {
  let result;
  const start = performance.now();
  for (let run = 0; run < times; run += 1) result = work();
  const time = performance.now() - start;
  // Looking at the result keeps the work from being left out.
  if (result === undefined) throw new Error('this work has no result');
  return time / times;
}

/** The median and the quartiles of `values`. */
export function distribution(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) };
}

/** How many times as long `a` took as `b`, round by round. */
export function ratio(a, b) {
  return distribution(a.map((time, round) => time / b[round]));
}

function quantile(sorted, share) {
  const at = (sorted.length - 1) * share;
  const below = Math.floor(at);
  const above = Math.ceil(at);
  return sorted[below] + (sorted[above] - sorted[below]) * (at - below);
}
