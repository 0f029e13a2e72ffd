import { isDynamicPattern } from 'tinyglobby';
import { EXTENSIONS_OF_FOLDERS } from '../inputs.js';
import { type Found, filesIn, filesThatMatch, statOf } from '../walk.js';

/** The state of a file: it changes with the file, also if another file takes its place. */
interface FileState {
  readonly mark: string;
  /** When the file, or its name, was last changed, in milliseconds. */
  readonly changedAt: number;
}

/** The files behind paths, by name. */
export type Snapshot = ReadonlyMap<string, FileState>;

/** Returns the state of all files that `paths` name: files, folders and globs. What is missing is left out. */
export async function snapshotOf(paths: readonly string[]): Promise<Snapshot> {
  const states = new Map<string, FileState>();
  for (const path of paths) {
    for (const { name } of await filesBehind(path)) {
      if (states.has(name)) continue;
      const state = await stateOf(name);
      if (state !== undefined) states.set(name, state);
    }
  }
  return states;
}

async function filesBehind(path: string): Promise<readonly Found[]> {
  const stats = await statOf(path).catch(() => undefined);
  if (stats?.isDirectory()) return filesIn(path, EXTENSIONS_OF_FOLDERS);
  if (stats !== undefined) return [{ name: path }];
  return isDynamicPattern(path) ? filesThatMatch(path) : [];
}

async function stateOf(name: string): Promise<FileState | undefined> {
  const stats = await statOf(name).catch(() => undefined);
  if (!stats?.isFile()) return undefined;
  const { ino, size, mtimeNs, ctimeMs } = stats;
  return { mark: `${ino} ${size} ${mtimeNs}`, changedAt: Number(ctimeMs) };
}

/** Returns the names of the files that are new, gone or different. */
export function changedFiles(before: Snapshot, after: Snapshot): string[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter(name => before.get(name)?.mark !== after.get(name)?.mark);
}

/** Returns the names of the files that were changed after `time`, in milliseconds. */
export function changedSince(time: number, snapshot: Snapshot): string[] {
  return [...snapshot].filter(([, { changedAt }]) => changedAt > time).map(([name]) => name);
}
