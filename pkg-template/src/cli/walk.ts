import { type BigIntStats, type Dirent, readdir as listFolder } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type FileSystemAdapter, glob } from 'tinyglobby';

/** What was found in a folder: a file, or what can't be read and why. */
export interface Found {
  readonly name: string;
  readonly error?: unknown;
}

/** Something that is found where a file is looked for, and that reading may wait for without an end. */
export class NoFile extends Error {
  constructor(reason = 'it is no regular file') {
    super(reason);
  }
}

/** What the system knows of a path, links followed; undefined when there is nothing. */
export async function statOf(path: string): Promise<BigIntStats | undefined> {
  return stat(path, { bigint: true }).catch(error => {
    if (!isAbsent(error)) throw error;
    return undefined;
  });
}

/** The files below `folder` that end in one of `extensions`. What hides, and what npm installed, is left out. */
export async function filesIn(folder: string, extensions: readonly string[]): Promise<Found[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return [{ name: folder, error }];
  }
  const files: Found[] = [];
  for (const entry of entries.sort((a, b) => byName(a.name, b.name))) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...(await filesIn(path, extensions)));
    else if (extensions.some(extension => entry.name.endsWith(extension)))
      files.push(entry.isFile() ? { name: path } : await looked(path));
  }
  return files;
}

/** The files that match a glob. */
export async function filesThatMatch(pattern: string): Promise<Found[]> {
  const folders: Found[] = [];
  const fs = fileSystem((folder, error) => folders.push({ name: relative(process.cwd(), folder) || '.', error }));
  const names = await glob(pattern, { expandDirectories: false, fs });
  const files = await Promise.all(names.map(looked));
  return [...files, ...folders].sort((a, b) => byName(a.name, b.name));
}

/**
 * The file system as globs see it. They would leave out what is no file, such as a link to nothing: here it counts as
 * one, to be reported when it matches. `report` learns of folders that can't be read.
 */
function fileSystem(report: (folder: string, error: unknown) => void): FileSystemAdapter {
  let isFirst = true;
  const list = (folder: string, _: object, done: (error: NodeJS.ErrnoException | null, entries?: Dirent[]) => void) => {
    // The folder that the glob begins with may be missing: then nothing matches.
    const mayMiss = isFirst;
    isFirst = false;
    listFolder(folder, { withFileTypes: true }, (error, entries = []) => {
      if (error !== null && !(mayMiss && error.code === 'ENOENT')) report(folder, error);
      Promise.all(entries.map(entry => asFile(folder, entry))).then(seen => done(null, seen), done);
    });
  };
  return { readdir: list as FileSystemAdapter['readdir'] & {} };
}

async function asFile(folder: string, entry: Dirent): Promise<Dirent> {
  if (entry.isFile() || entry.isDirectory()) return entry;
  const leadsToFolder = await stat(join(folder, entry.name)).then(
    stats => stats.isDirectory(),
    () => false,
  );
  return leadsToFolder ? entry : Object.assign(entry, { isFile: () => true });
}

/** A file that was found, with the reason when it can't be read. */
async function looked(name: string): Promise<Found> {
  try {
    return (await stat(name)).isFile() ? { name } : { name, error: new NoFile() };
  } catch (error) {
    return { name, error: (await isLink(name)) && isAbsent(error) ? new NoFile('it is a link to nothing') : error };
  }
}

function isLink(name: string): Promise<boolean> {
  return lstat(name).then(
    stats => stats.isSymbolicLink(),
    () => false,
  );
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function byName(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
