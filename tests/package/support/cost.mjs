import assert from 'node:assert/strict';

/** How many times both sides of a comparison are measured. The median ignores up to two that were disturbed. */
const ROUNDS = 5;

/** How many times the cost of many small inputs a large one of the same size may cost. */
const MOST = 2;

/**
 * Milliseconds of processor time that `work` takes. Unlike elapsed time, it leaves out the time in which other processes
 * run. It covers all threads of this process, so nothing else may run in it.
 */
export function processorTime(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Asserts that `large`, whose input is `scale` times as large as that of `small`, costs about as much as `scale` runs of
 * `small`: quadratic work costs up to `scale` times as much as those.
 */
export function assertGrowsLinearly({ small, large, scale }) {
  const manySmall = () => {
    for (let run = 0; run < scale; run += 1) small();
  };
  // The first runs are slower, because the engine still compiles.
  manySmall();
  large();
  // Both sides are measured in turn: a busy machine can also raise the processor time, and then it raises that of both.
  const ratios = Array.from({ length: ROUNDS }, () => processorTime(large) / processorTime(manySmall));
  const ratio = median(ratios);
  assert.ok(ratio < MOST, `${scale} times the input costs ${(ratio * scale).toFixed(1)} times as much`);
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
