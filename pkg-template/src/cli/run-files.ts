import { type BigIntStats, fstatSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { Failure } from './failure.js';
import type { Target } from './target.js';

const [STDIN_FILE, STDOUT_FILE] = [0, 1];

/** What this run reads and writes, by device and inode, which no other name changes. */
const inputs = new Set<string>();
const outputs = new Set<string>();

/** What this run looked for, as the user or a default names it: files, folders and globs. */
const looked = new Set<string>();

/** What a configuration file that was only found lets be written. */
interface Confinement {
  readonly config: string;
  /** The file, or the folder of files, that it names. */
  readonly place: string;
  /** Where that must lie. */
  readonly folder: string;
}

const confinements: Confinement[] = [];

/** Forgets what an earlier run in this process read, wrote and looked for. */
export function startRun(): void {
  for (const seen of [inputs, outputs, looked]) seen.clear();
  confinements.length = 0;
}

/** Records that this run looked for a file, a folder or a glob, whether it exists or not. */
export function noteLooked(path: string): void {
  looked.add(path);
}

/** Returns what this run looked for. */
export function lookedFor(): readonly string[] {
  return [...looked];
}

/** Restricts what is written at `path`, or below it, to the folder of the configuration file that names it. */
export function confine(config: string, path: string): void {
  confinements.push({ config, place: resolve(path), folder: dirname(resolve(config)) });
}

/** Refuses to write `target`, which a configuration file calls `path`, outside of the folder of that file. */
export function refuseOutside(target: Target, path: string): void {
  const confined = confinements.find(({ place }) => isInside(place, resolve(path)));
  if (confined === undefined || isInside(confined.folder, target.path)) return;
  throw new Failure(
    `${confined.config}: ${path} lies outside of the folder of this file`,
    'a configuration file that is only found may not write there: name it with --config <file>',
  );
}

/** Whether a path is that of a folder, or lies below it. */
export function isInside(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below);
}

/** Takes note that a file is read. */
export function noteInput(stats: BigIntStats): void {
  if (isClaimed(stats)) inputs.add(identityOf(stats));
}

/** Takes note that standard input is read, which may be a file, too. */
export function noteStandardInput(): void {
  noteInput(fstatSync(STDIN_FILE, { bigint: true }));
}

/** Refuses to write `target`, which the user calls `path`, if it is read. */
export function refuseInput({ stats }: Target, path: string): void {
  if (stats === undefined || !isClaimed(stats) || !inputs.has(identityOf(stats))) return;
  throw new Failure(`${path} is an input and would be overwritten`, 'give another file to write');
}

/** Takes note that `target` is written, which the user calls `path`. Refuses what is read, or written already. */
export function claimOutput(target: Target, path: string): void {
  refuseInput(target, path);
  // What is open already takes one thing after the other.
  if (target.kind === 'open' || (target.stats !== undefined && !isClaimed(target.stats))) return;
  // What is written takes the place of a file: only its path stays.
  const names = target.stats === undefined ? [target.path] : [target.path, identityOf(target.stats)];
  if (names.some(name => outputs.has(name))) {
    throw new Failure(`${path} would be written twice`, 'give each report a file of its own');
  }
  for (const name of names) outputs.add(name);
}

/** Takes note that standard output is written. Refuses it where it goes into a file that is read. */
export function claimStandardOutput(): void {
  const stats = fstatSync(STDOUT_FILE, { bigint: true });
  if (!stats.isFile()) return;
  const identity = identityOf(stats);
  if (inputs.has(identity)) throw new Failure('standard output goes into an input', 'let it go into another file');
  outputs.add(identity);
}

/** A terminal is read and written by everybody; so is a socket or a device. */
function isClaimed(stats: BigIntStats): boolean {
  return stats.isFile() || stats.isFIFO();
}

function identityOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
