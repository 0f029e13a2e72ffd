import { constants, mkdtempSync, rmSync } from 'node:fs';
import { chmod, type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUpAtExit } from './at-exit.js';

/** The file into which a tool writes its result, in a folder that only this user can open. */
export interface ResultFile {
  readonly folder: string;
  /** The path of the file, which does not exist at first. */
  readonly path: string;
  /** Ends the watch that removes the folder if this process ends. */
  readonly release: () => void;
}

/** What is in a result file: bytes, nothing, too many bytes, or something that is not a file. */
export type ResultContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | { readonly kind: 'missing' | 'too-long' | 'not-a-file' };

/** Windows has neither flag, and no FIFOs in folders. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Makes a place for a result. */
export function makeResultFile(): ResultFile {
  // At once, so that this process can't end between making the folder and watching it.
  const folder = mkdtempSync(join(tmpdir(), 'toolgauge-'));
  const release = cleanUpAtExit(() => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // The tool has locked it.
    }
  });
  return { folder, path: join(folder, 'result'), release };
}

/** Removes the file and its folder. */
export async function removeResultFile({ folder, release }: ResultFile): Promise<void> {
  try {
    // The tool may have taken the rights away.
    await chmod(folder, 0o700);
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A folder that the tool removed or locked is no reason to lose its result.
  }
  release();
}

/** The size in bytes of what the tool has written so far. */
export async function sizeOfResult({ path }: ResultFile): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch {
    return 0;
  }
}

/** Reads at most `most` bytes. Does not follow a symbolic link, and does not wait for the other end of a FIFO. */
export async function readResultFile({ path }: ResultFile, most: number): Promise<ResultContent> {
  let file: FileHandle;
  try {
    file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return { kind: (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : 'not-a-file' };
  }
  try {
    return await readContent(file, most);
  } finally {
    await file.close();
  }
}

async function readContent(file: FileHandle, most: number): Promise<ResultContent> {
  const stats = await file.stat();
  if (!stats.isFile()) return { kind: 'not-a-file' };
  if (stats.size > most) return { kind: 'too-long' };
  return { kind: 'bytes', bytes: await file.readFile() };
}
