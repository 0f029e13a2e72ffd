import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Who may own folders that are searched, and files that are found there; undefined where files have no owners. */
type Owners = ReadonlySet<number> | undefined;

/** The folders of a project, and who may own what is found in them. */
export interface Project {
  /** The working folder and those above it, up to the root of the project. */
  readonly folders: readonly string[];
  isTrusted(owner: number): boolean;
}

/**
 * The project that the working folder belongs to. Its root is the nearest folder with `.git`, without one the nearest
 * root of a workspace of npm, Yarn or pnpm, or else the nearest folder with a `package.json`; without any of them the
 * working folder is all there is. Folders above the home folder, or of other users, belong to no project.
 */
export async function findProject(): Promise<Project> {
  const here = process.cwd();
  const owners = await trustedOwners(here);
  const isTrusted = (owner: number) => owners?.has(owner) ?? true;
  const folders = await foldersFrom(here, isTrusted);
  const root = await rootOf(folders);
  return { folders: root === undefined ? [here] : folders.slice(0, folders.indexOf(root) + 1), isTrusted };
}

/** This user; and who owns the working folder, if that is root, or if root looks, as in a container of a CI system. */
async function trustedOwners(here: string): Promise<Owners> {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const { uid } = await stat(here);
  return new Set(user === 0 || uid === 0 ? [user, uid] : [user]);
}

async function foldersFrom(here: string, isTrusted: (owner: number) => boolean): Promise<string[]> {
  const home = await realpath(homedir()).catch(() => undefined);
  const folders = [here];
  for (let folder = here; folder !== home && folder !== dirname(folder); ) {
    folder = dirname(folder);
    const { uid } = await stat(folder);
    if (!isTrusted(uid)) break;
    folders.push(folder);
  }
  return folders;
}

async function rootOf(folders: readonly string[]): Promise<string | undefined> {
  for (const isRoot of [isRepository, isWorkspace, isPackage]) {
    for (const folder of folders) {
      if (await isRoot(folder)) return folder;
    }
  }
  return undefined;
}

function isRepository(folder: string): Promise<boolean> {
  return exists(join(folder, '.git'));
}

function isPackage(folder: string): Promise<boolean> {
  return exists(join(folder, 'package.json'));
}

async function isWorkspace(folder: string): Promise<boolean> {
  if (await exists(join(folder, 'pnpm-workspace.yaml'))) return true;
  try {
    const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return typeof manifest === 'object' && manifest !== null && 'workspaces' in manifest;
  } catch {
    return false;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
