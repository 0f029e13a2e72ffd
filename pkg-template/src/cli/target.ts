import type { BigIntStats } from 'node:fs';
import { readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';

/** Where a path leads, without links, when something is written to it. */
export type Target =
  /** A file, or the place where there will be one. */
  | { readonly kind: 'file'; readonly path: string; readonly stats: BigIntStats | undefined }
  /** A device, a FIFO, a folder: nothing that can be replaced. */
  | { readonly kind: 'special'; readonly path: string; readonly stats: BigIntStats }
  /** What this process has open: `/dev/stdout`, or what a shell made of `>(…)`. */
  | { readonly kind: 'open'; readonly path: string; readonly number: number; readonly stats: BigIntStats };

/** The folders that hold the open files of a process. */
const OPEN_FILES = /^\/(?:dev|proc\/.+)\/fd$/;

/** Follows the links of `path` to what is written; that need not be there yet, nor the folders above it. */
export async function targetOf(path: string): Promise<Target> {
  const stats = await stat(path, { bigint: true }).catch(unlessAbsent);
  const real = await endOfLinks(path);
  if (stats !== undefined && OPEN_FILES.test(dirname(real))) {
    return { kind: 'open', path: real, number: Number(basename(real)), stats };
  }
  if (stats !== undefined && !stats.isFile()) return { kind: 'special', path: real, stats };
  return { kind: 'file', path: real, stats };
}

/** The real path of the folder `path`, also when only some folder above it is there. */
export async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(unlessAbsent);
  if (real !== undefined) return real;
  const above = dirname(path);
  return above === path ? path : join(await realFolder(above), basename(path));
}

async function endOfLinks(path: string): Promise<string> {
  const folder = await realFolder(dirname(path));
  const place = join(folder, basename(path));
  if (OPEN_FILES.test(folder)) return place;
  const link = await readlink(place).catch(() => undefined);
  if (link === undefined) return place;
  // Not joined: that would take `..` for the folder before it, which may be a link, too.
  return endOfLinks(isAbsolute(link) ? link : folder + sep + link);
}

function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
