import { realpath, stat } from 'node:fs/promises';
import { parse, relative, resolve } from 'node:path';
import { Failure, reasonOf } from '../cli/failure.js';
import { isInside } from '../cli/run-files.js';
import type { ToolContext } from './service.js';
import type { ServerSettings } from './settings.js';

/** A file or folder that may be read. */
export interface AllowedPath {
  /** The real path, links followed. */
  readonly real: string;
  /** The path for messages: relative to the folder that it was found in. */
  readonly shown: string;
  readonly isFolder: boolean;
}

/** A folder whose content may be read, under the name that it was given and its real one. */
interface Folder {
  readonly given: string;
  readonly real: string;
}

const REMEDY = 'pass the content itself instead of a path, or start the server with --root <folder>';

/**
 * The folders whose files clients may name: `root` if the server was started with one, or else the roots of the client,
 * or else the working folder.
 */
export class Folders {
  readonly #folders: readonly Folder[];

  private constructor(folders: readonly Folder[]) {
    this.#folders = folders;
  }

  static async open(root: string | undefined, roots: () => Promise<readonly string[]>): Promise<Folders> {
    const given = root === undefined ? await roots() : [root];
    const named = given.length > 0 ? given : workingFolder();
    const folders = await Promise.all(
      named.map(async folder => ({ given: resolve(folder), real: await real(folder) })),
    );
    return new Folders(folders.flatMap(({ given, real }) => (real === undefined ? [] : [{ given, real }])));
  }

  /** Finds what `path` names. Throws a `Failure` if it does not exist, or if it lies outside of the folders. */
  async find(path: string): Promise<AllowedPath> {
    let isAllowed = false;
    for (const folder of this.#folders) {
      const candidate = resolve(folder.real, relativeTo(folder, path));
      if (!isInside(folder.real, candidate)) continue;
      isAllowed = true;
      const found = await this.#lookAt(candidate, path);
      if (found !== undefined) return found;
    }
    if (isAllowed) throw new Failure(`can't read ${path}: there is no such file`, `paths start at ${this.#names()}`);
    throw this.#outside(path);
  }

  /** Whether a file that was found in a folder lies in one of these folders, links followed. */
  async holds(path: string): Promise<boolean> {
    const target = await real(path);
    return target !== undefined && this.#folders.some(folder => isInside(folder.real, target));
  }

  async #lookAt(candidate: string, path: string): Promise<AllowedPath | undefined> {
    const target = await real(candidate);
    if (target === undefined) return undefined;
    const folder = this.#folders.find(folder => isInside(folder.real, target));
    if (folder === undefined) throw this.#outside(path);
    const stats = await stat(target).catch(error => {
      throw new Failure(`can't read ${path}: ${reasonOf(error)}`);
    });
    if (!stats.isFile() && !stats.isDirectory()) throw new Failure(`can't read ${path}: it is no regular file`);
    return { real: target, shown: relative(folder.real, target) || '.', isFolder: stats.isDirectory() };
  }

  #outside(path: string): Failure {
    if (this.#folders.length === 0) return new Failure(`can't read ${path}: the server may read no folder`, REMEDY);
    return new Failure(`can't read ${path}: it lies outside of ${this.#names()}`, REMEDY);
  }

  #names(): string {
    return this.#folders.map(({ given }) => given).join(', ');
  }
}

/** The working folder, unless it is the root of the file system, where some clients start their servers. */
function workingFolder(): readonly string[] {
  const folder = process.cwd();
  return folder === parse(folder).root ? [] : [folder];
}

/** Opens the folders when a call first names a path: only then the client has to say its roots. */
export function foldersOf({ root }: ServerSettings, { roots }: ToolContext): () => Promise<Folders> {
  let opened: Promise<Folders> | undefined;
  return () => {
    opened ??= Folders.open(root, roots);
    return opened;
  };
}

/** A path below the given name of a folder, as a path below its real name. */
function relativeTo({ given }: Folder, path: string): string {
  const absolute = resolve(given, path);
  return isInside(given, absolute) ? relative(given, absolute) : path;
}

async function real(path: string): Promise<string | undefined> {
  return realpath(path).catch(() => undefined);
}
