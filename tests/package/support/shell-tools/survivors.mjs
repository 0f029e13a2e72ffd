import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const LONGEST_MS = 60_000;

/** Waits until `condition` holds, however busy the machine is. */
export async function until(condition, what) {
  for (const start = Date.now(); !(await condition()); await wait(20)) {
    if (Date.now() - start > LONGEST_MS) throw new Error(`waited in vain until ${what}`);
  }
}

/** The ids of the processes whose environment holds this text: on Linux, where it can be read. */
export function processesWith(text) {
  return readdirSync('/proc').filter(name => /^\d+$/.test(name) && environmentOf(name).includes(text));
}

/** Whether this process runs; not if it has ended and only its parent has not noticed. */
export function isRunning(pid) {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
