import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { cleanUpAtExit } from './at-exit.js';

/** A process and all that it starts: they share a process group, and the mark is in their environment. */
export interface Family {
  readonly pid: number;
  readonly mark: string;
}

/** The environment variable that holds the marks of a tool, and of the tools that started this process. */
const MARKS = 'TOOLGAUGE_RUN';

/** How often processes are searched for that left the group. More rounds are only needed if they keep forking. */
const MOST_SEARCHES = 100;

const BETWEEN_SEARCHES_MS = 10;

/** The families that run now, and what ends the watch over each. */
const watched = new Map<Family, () => void>();

/** The variable that marks a process. Marks of outer runs stay, so that these find it as well. */
export function markVariable(mark: string): Record<string, string> {
  const outer = process.env[MARKS];
  return { [MARKS]: outer === undefined ? mark : `${outer} ${mark}` };
}

/** From now until `endFamily`, the family does not outlive this process. */
export function adopt(family: Family): void {
  const release = cleanUpAtExit(() => {
    signalFamily(family, 'SIGKILL');
    killMarked(family.mark);
  });
  watched.set(family, release);
}

/** Sends a signal to the process and its group. On Windows, ends the process and its children at once. */
export function signalFamily({ pid }: Family, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') endOnWindows(pid);
  else signalIfAlive(-pid, signal);
}

/**
 * Kills what is left of a family whose first process has ended. On Linux, it also finds processes that left the group,
 * as daemons do, by their mark. It cannot find those that left the group and cleared their environment.
 */
export async function endFamily(family: Family): Promise<void> {
  signalFamily(family, 'SIGKILL');
  for (let search = 0; search < MOST_SEARCHES && killMarked(family.mark) > 0; search += 1) {
    await wait(BETWEEN_SEARCHES_MS);
  }
  watched.get(family)?.();
  watched.delete(family);
}

/** Kills all processes with this mark and returns how many there were. */
function killMarked(mark: string): number {
  const marked = processIds().filter(pid => isMarked(pid, mark));
  for (const pid of marked) signalIfAlive(pid, 'SIGKILL');
  return marked.length;
}

function processIds(): number[] {
  if (process.platform !== 'linux') return [];
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(mark);
  } catch {
    // It has ended, or belongs to another user.
    return false;
  }
}

function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

function endOnWindows(pid: number): void {
  const { SystemRoot = 'C:\\Windows' } = process.env;
  const child = spawn(`${SystemRoot}\\System32\\taskkill.exe`, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore' });
  child.on('error', () => {});
}
