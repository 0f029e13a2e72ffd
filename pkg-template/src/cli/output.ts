import { randomBytes } from 'node:crypto';
import {
  type BigIntStats,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { access, mkdir, open } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Failure, reasonOf } from './failure.js';
import { claimOutput, claimStandardOutput, refuseInput, refuseOutside } from './run-files.js';
import { type Target, targetOf } from './target.js';
import { keep, removeAtEnd } from './temporary.js';

/** Where text goes: a file, or a stream of this process. */
export interface Output {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** A file that will be written, and that nothing else of this run may touch. Nothing is opened or made yet. */
export interface ReservedFile {
  open(): Promise<Output>;
}

/** Whoever read the output has what they want and closed it. */
export class ClosedPipe extends Error {}

/** Standard output or standard error; the first may not go into what is read. */
export function standardOutput(stream: typeof process.stdout | typeof process.stderr): Output {
  if (stream === process.stdout) claimStandardOutput();
  // Node writes once, and a disk that fills up takes a part of that without an error.
  const isFile = fstatSync(stream.fd).isFile();
  const name = stream === process.stdout ? 'standard output' : 'standard error';
  const write = isFile ? async (text: string) => writeWhole(stream.fd, text) : (text: string) => send(stream, text);
  return {
    write: text => writing(name, undefined, () => write(text)),
    close: async () => {},
  };
}

function send(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((settle, fail) => {
    stream.write(text, error => {
      if (error == null) settle();
      else fail(isClosedPipe(error) ? new ClosedPipe() : error);
    });
  });
}

/**
 * The file at `path`, or what links there lead to; folders above it are made. A file is written beside its place and
 * takes that when it is closed: until then what was there before stays whole.
 */
export async function reserveFile(path: string): Promise<ReservedFile> {
  const target = await findTarget(path);
  claimOutput(target, path);
  return { open: () => writing(path, PATH_REMEDY, () => openTarget(target, path)) };
}

/** Refuses `path` if it leads to what is read; nothing is reserved. */
export async function refuseInputAt(path: string): Promise<void> {
  refuseInput(await findTarget(path), path);
}

/** Opens the files at `paths`; when one of them may not be written, none is touched. */
export async function openFiles(paths: readonly string[]): Promise<Output[]> {
  const files: ReservedFile[] = [];
  for (const path of paths) files.push(await reserveFile(path));
  return Promise.all(files.map(file => file.open()));
}

/** The file at `path`, or without one standard output. */
export async function openOutput(path: string | undefined): Promise<Output> {
  return path === undefined ? standardOutput(process.stdout) : (await reserveFile(path)).open();
}

const PATH_REMEDY = 'check the path';
const FOLDER_REMEDY = 'check the path: a file is written beside its place, so its folder must take new ones';

async function findTarget(path: string): Promise<Target> {
  if (path.endsWith('/') || path.endsWith(sep)) throw new Failure(`can't write ${path}: it is a folder`, PATH_REMEDY);
  const target = await writing(path, PATH_REMEDY, () => targetOf(path));
  refuseOutside(target, path);
  return target;
}

async function openTarget(target: Target, path: string): Promise<Output> {
  switch (target.kind) {
    case 'file':
      await mkdir(dirname(path), { recursive: true });
      return replacement(target.path, path, target.stats);
    case 'special':
      return inPlace(target.path, path, 'w');
    case 'open':
      if (target.number === process.stdout.fd) return standardOutput(process.stdout);
      if (target.number === process.stderr.fd) return standardOutput(process.stderr);
      // Whoever opened it has emptied it, or wants to keep what it holds.
      return inPlace(target.path, path, 'a');
  }
}

async function inPlace(place: string, path: string, flags: string): Promise<Output> {
  const file = await open(place, flags);
  return {
    write: text => writing(path, PATH_REMEDY, () => file.appendFile(text)),
    close: () => writing(path, PATH_REMEDY, () => file.close()),
  };
}

/** Writes beside `place`, which the user calls `path`. Nothing is under way when a signal comes: all writes are whole. */
async function replacement(place: string, path: string, before: BigIntStats | undefined): Promise<Output> {
  // A file that may not be written may not be replaced, either.
  if (before !== undefined) await access(place, constants.W_OK);
  const temporary = join(dirname(place), `.toolgauge-${randomBytes(8).toString('hex')}.tmp`);
  removeAtEnd(temporary);
  const mode = before === undefined ? 0o666 : 0o600;
  const file = await writing(path, FOLDER_REMEDY, async () => openSync(temporary, 'wx', mode));
  if (before !== undefined) takeOver(file, before);
  return {
    write: text => writing(path, PATH_REMEDY, async () => writeWhole(file, text)),
    close: () =>
      writing(path, PATH_REMEDY, async () => {
        // Only then the disk holds all of it, should the machine fail once the old file is gone.
        if (before !== undefined) fsyncSync(file);
        closeSync(file);
        renameSync(temporary, place);
        keep(temporary);
      }),
  };
}

/** Gives a file the owner, where that is allowed, and the mode of another one. */
function takeOver(file: number, { uid, gid, mode }: BigIntStats): void {
  try {
    fchownSync(file, Number(uid), Number(gid));
  } catch {
    // Only root may give files away: then it belongs to whoever wrote it, as a new file would.
  }
  fchmodSync(file, Number(mode) & 0o777);
}

function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

async function writing<Result>(name: string, remedy: string | undefined, body: () => Promise<Result>): Promise<Result> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof ClosedPipe || error instanceof Failure) throw error;
    throw new Failure(`can't write ${name}: ${reasonOf(error)}`, remedy);
  }
}

/** Whether whoever read a stream closed it. */
function isClosedPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
