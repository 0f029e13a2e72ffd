import { createReadStream, type Dirent, type Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { Failure, reasonOf } from './failure.js';

/** A file or standard input, to be read piece by piece. */
export interface Input {
  /** The name for messages and reports. */
  readonly name: string;
  /** How many bytes it has, where that is known. */
  readonly size: number | undefined;
  /** Whether each of its lines is JSON, as its name says. */
  readonly isLines: boolean;
  open(): AsyncIterable<Uint8Array>;
}

/** What stands for standard input. */
export const STDIN = '-';

/** What is read of a folder. */
const EXTENSIONS = ['.json', '.jsonl', '.ndjson', '.traj'];

const LINES = ['.jsonl', '.ndjson'];

/** Large enough that what a call to the core costs by itself does not count, small enough for flat memory. */
const PIECE_BYTES = 1024 * 1024;

/**
 * The inputs that arguments name: files, folders with all that they hold, globs, `-` for standard input. One that is
 * named twice is read once.
 */
export async function findInputs(paths: readonly string[]): Promise<Input[]> {
  if (paths.length === 0) {
    throw new Failure("missing required argument 'inputs'", 'name files, folders or globs, or - for standard input');
  }
  const found = new Map<string, Input>();
  for (const path of paths) {
    for (const name of await expand(path)) {
      const key = name === STDIN ? STDIN : await realpath(name);
      if (!found.has(key)) found.set(key, await inputOf(name));
    }
  }
  return [...found.values()];
}

async function expand(path: string): Promise<string[]> {
  if (path === STDIN) return [STDIN];
  const stats = await statOf(path);
  if (stats?.isDirectory()) return filesOf(path);
  if (stats !== undefined) return [path];
  if (!isDynamicPattern(path)) throw new Failure(`can't read ${path}: there is no such file`, PATH_REMEDY);
  const matches = await glob(path, { expandDirectories: false });
  if (matches.length === 0) throw new Failure(`no file matches ${path}`, PATH_REMEDY);
  return matches.sort(byName);
}

/** What to do about a file that can't be read. */
export const PATH_REMEDY = 'check the path, or use - for standard input';

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new Failure(`can't read ${path}: ${reasonOf(error)}`, PATH_REMEDY);
  }
}

/** All files below a folder that could hold trajectories. What hides, and what npm installed, is left out. */
async function filesOf(folder: string): Promise<string[]> {
  const files = await walk(folder);
  if (files.length > 0) return files;
  throw new Failure(`${folder} holds no file that ends in ${EXTENSIONS.join(', ')}`, 'name the files themselves');
}

async function walk(folder: string): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw new Failure(`can't read ${folder}: ${reasonOf(error)}`, PATH_REMEDY);
  }
  const files: string[] = [];
  for (const entry of entries.sort((a, b) => byName(a.name, b.name))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await walk(path)));
    else if (EXTENSIONS.includes(extname(entry.name))) files.push(path);
  }
  return files;
}

function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** The input that is one file, or standard input. */
export async function inputOf(name: string): Promise<Input> {
  if (name === STDIN) return { name: 'standard input', size: undefined, isLines: false, open: () => process.stdin };
  const stats = await statOf(name);
  return {
    name,
    size: stats?.isFile() ? stats.size : undefined,
    isLines: LINES.includes(extname(name)),
    open: () => createReadStream(name, { highWaterMark: PIECE_BYTES }),
  };
}
