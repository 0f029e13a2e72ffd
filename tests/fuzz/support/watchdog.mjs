// Ends the process when one execution takes too much processor time. Time in which others run does not count.
import { writeSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

/** Seconds of processor time that one execution may take. */
const MOST_SECONDS = 60;

const LOOK_EVERY_MS = 500;

/** The places in the shared numbers. */
const BEATS = 0;
const INPUT = 1;

/** Starts a thread that watches this one. */
export function startWatchdog() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { workerData: shared });
  worker.unref();
  return {
    beat: () => Atomics.add(shared, BEATS, 1),
    startInput: number => Atomics.store(shared, INPUT, number),
  };
}

function watch(shared) {
  let beats = -1;
  let since = process.cpuUsage();
  setInterval(() => {
    const now = Atomics.load(shared, BEATS);
    if (now !== beats) {
      beats = now;
      since = process.cpuUsage();
      return;
    }
    const { user, system } = process.cpuUsage(since);
    if ((user + system) / 1e6 < MOST_SECONDS) return;
    writeSync(1, `${JSON.stringify({ stuck: Atomics.load(shared, INPUT) })}\n`);
    process.kill(process.pid, 'SIGKILL');
  }, LOOK_EVERY_MS);
}

if (!isMainThread) watch(workerData);
