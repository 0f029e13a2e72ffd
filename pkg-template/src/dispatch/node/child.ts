import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { bounded } from '../../timing.js';
import { adopt, endFamily, type Family, markVariable, signalFamily } from './family.js';

/** A program to run, and its limits. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from standard input. */
  readonly input: string;
  /** The most bytes that it may write to standard output, and to standard error. */
  readonly maxOutputBytes: number;
  /** How long it may take to end by itself when the signal is aborted, in milliseconds. */
  readonly killGraceMs: number;
  /** Resolves with the size in bytes of what it has written elsewhere, which has the same limit. */
  readonly sizeElsewhere: () => Promise<number>;
}

/** How a program ended, and what it wrote. */
export interface Ending {
  /** Why it was stopped; absent if it ended by itself. */
  readonly stopped?: 'aborted' | 'flooded';
  /** Its exit code; null if a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** At most `maxOutputBytes` bytes, as is `stderr`. */
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
}

const WATCH_EVERY_MS = 100;

/** How long output may still arrive after the end: longer if a process that could not be found holds the pipe. */
const DRAIN_SECONDS = 1;

/**
 * Runs a program to its end, and ends all that it started. It is stopped when `signal` is aborted and when it writes
 * too much. Rejects with the error of the operating system if it cannot be started.
 */
export async function runProgram(program: Program, signal: AbortSignal): Promise<Ending> {
  const { child, family } = await start(program);
  const { exited, closed } = endOf(child);
  const stop = stopper(family, program.killGraceMs);
  const stdout = collect(child.stdout, program.maxOutputBytes, stop.flooded);
  const stderr = collect(child.stderr, program.maxOutputBytes, stop.flooded);
  feed(child, program.input);
  const watch = setInterval(async () => {
    if ((await program.sizeElsewhere()) > program.maxOutputBytes) stop.flooded();
  }, WATCH_EVERY_MS);
  signal.addEventListener('abort', stop.aborted, { once: true });
  if (signal.aborted) stop.aborted();
  const exit = await exited;
  clearInterval(watch);
  signal.removeEventListener('abort', stop.aborted);
  stop.over();
  await endFamily(family);
  await bounded(undefined, DRAIN_SECONDS, () => closed).catch(() => {});
  for (const stream of child.stdio) stream?.destroy();
  const stopped = stop.reason();
  return { ...exit, ...(stopped && { stopped }), stdout: stdout(), stderr: stderr() };
}

async function start({ file, args, cwd, env }: Program): Promise<{
  readonly child: ChildProcessWithoutNullStreams;
  readonly family: Family;
}> {
  const mark = randomUUID();
  const child = spawn(file, args, {
    cwd,
    env: { ...env, ...markVariable(mark) },
    shell: false,
    // A process group of its own, which can be ended as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, 'error');
    throw error;
  }
  const family = { pid, mark };
  adopt(family);
  return { child, family };
}

/**
 * When a process has ended, and when all that it printed has arrived: that takes longer if something that it started
 * keeps the pipes open.
 */
function endOf(child: ChildProcessWithoutNullStreams): {
  readonly exited: Promise<Pick<Ending, 'code' | 'signal'>>;
  readonly closed: Promise<void>;
} {
  return {
    exited: new Promise(resolve => child.once('exit', (code, signal) => resolve({ code, signal }))),
    closed: new Promise(resolve => child.once('close', () => resolve())),
  };
}

/** A program that does not read its input closes the pipe, which is no error. */
function feed({ stdin }: ChildProcessWithoutNullStreams, input: string): void {
  stdin.on('error', () => {});
  stdin.end(input);
}

/** Gathers what a stream brings; calls `onFull` when that is more than `most` bytes, and then keeps no more. */
function collect(stream: Readable, most: number, onFull: () => void): () => Uint8Array {
  const pieces: Buffer[] = [];
  let size = 0;
  stream.on('error', () => {});
  stream.on('data', (piece: Buffer) => {
    size += piece.length;
    if (size > most) onFull();
    else pieces.push(piece);
  });
  return () => Buffer.concat(pieces);
}

interface Stopper {
  readonly aborted: () => void;
  readonly flooded: () => void;
  /** Called when the program has ended: from then on, nothing is sent to it. */
  readonly over: () => void;
  readonly reason: () => Ending['stopped'];
}

/** Ends a program for the first reason that comes. */
function stopper(family: Family, graceMs: number): Stopper {
  let reason: Ending['stopped'];
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: Ending['stopped'], signal: NodeJS.Signals) => {
    reason ??= why;
    if (!isOver) signalFamily(family, signal);
  };
  return {
    aborted() {
      if (reason !== undefined) return;
      stop('aborted', 'SIGTERM');
      timer = setTimeout(() => stop('aborted', 'SIGKILL'), graceMs);
    },
    flooded: () => stop('flooded', 'SIGKILL'),
    over() {
      isOver = true;
      clearTimeout(timer);
    },
    reason: () => reason,
  };
}
