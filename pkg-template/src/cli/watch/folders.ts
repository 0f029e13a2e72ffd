import { type FSWatcher, watch } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isDynamicPattern } from 'tinyglobby';
import { statOf } from '../walk.js';

/**
 * Calls a function whenever something happens in a folder. Only folders are watched, so that files that are replaced,
 * moved or created again are noticed like those that are written to.
 */
export class FolderWatch {
  readonly #wake: () => void;
  readonly #watchers = new Map<string, FSWatcher>();
  /** Why a folder can't be watched. */
  #failure: Error | undefined;

  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** Watches the folders in which files, folders and globs lie, or will lie, and no others. */
  async follow(paths: readonly string[]): Promise<void> {
    const folders = new Set<string>();
    for (const path of paths) await addFolders(path, folders);
    for (const [folder, watcher] of this.#watchers) {
      if (!folders.has(folder)) this.#close(folder, watcher);
    }
    this.#failure = undefined;
    for (const folder of folders) this.#open(folder);
  }

  /** Returns why some changes may be missed: the system watches only so many folders. */
  get failure(): string | undefined {
    return this.#failure?.message;
  }

  #open(folder: string): void {
    if (this.#watchers.has(folder)) return;
    try {
      const watcher = watch(folder, this.#wake);
      // A folder that was removed is no longer watched: the folder above it reports when it exists again.
      watcher.on('error', () => {
        this.#close(folder, watcher);
        this.#wake();
      });
      this.#watchers.set(folder, watcher);
    } catch (error) {
      if (!isGone(error)) this.#failure = error as Error;
    }
  }

  #close(folder: string, watcher: FSWatcher): void {
    watcher.close();
    this.#watchers.delete(folder);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

async function addFolders(path: string, folders: Set<string>): Promise<void> {
  const place = resolve(startOfGlob(path));
  // Also the folder above: the place itself may be removed and created again.
  folders.add(await nearestFolder(dirname(place)));
  if (path === startOfGlob(path) && !(await isFolder(place))) return;
  await addBelow(place, folders);
}

/** The part of a path before the first segment that is a pattern. */
function startOfGlob(path: string): string {
  if (!isDynamicPattern(path)) return path;
  const segments = path.split('/');
  const fixed = segments.slice(
    0,
    segments.findIndex(segment => isDynamicPattern(segment)),
  );
  return fixed.length === 0 ? '.' : fixed.join('/') || '/';
}

async function isFolder(path: string): Promise<boolean> {
  return (await statOf(path).catch(() => undefined))?.isDirectory() === true;
}

async function nearestFolder(path: string): Promise<string> {
  return (await isFolder(path)) || path === dirname(path) ? path : nearestFolder(dirname(path));
}

/** Adds a folder and those below it, without what is never read. */
async function addBelow(folder: string, folders: Set<string>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined);
  if (entries === undefined) return;
  folders.add(folder);
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    await addBelow(join(folder, entry.name), folders);
  }
}
