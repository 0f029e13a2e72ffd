import { realpath } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { isDynamicPattern } from 'tinyglobby';
import { visible } from 'toolgauge';
import { exampleRemedy } from './examples.js';
import { Failure, reasonOf } from './failure.js';
import { noteInput, noteLooked, noteStandardInput } from './run-files.js';
import { readFile, readStream } from './unpacked.js';
import { type Found, filesIn, filesThatMatch, statOf } from './walk.js';

/** A file or standard input, to be read piece by piece. */
export interface Input {
  /** The name for messages and reports. */
  readonly name: string;
  /** The number of bytes that are read from it, if known. */
  readonly size: number | undefined;
  /** Whether each of its lines is JSON, as its name says. */
  readonly isLines: boolean;
  open(): AsyncIterable<Uint8Array>;
}

/** The name of standard input. */
export const STDIN = '-';

/** The endings of the files that are read from a folder, apart from compressed ones. */
export const EXTENSIONS: readonly string[] = ['.json', '.jsonl', '.ndjson', '.traj', '.eval'];

const COMPRESSED = ['.json.gz', '.jsonl.gz', '.ndjson.gz'];

/** The endings of the files that are read from a folder, including compressed ones. */
export const EXTENSIONS_OF_FOLDERS: readonly string[] = [...EXTENSIONS, ...COMPRESSED];

/** An Inspect log has a sample on each line. */
const LINES = ['.jsonl', '.ndjson', '.eval'];

/** What is expanded while it is read. */
const PACKED = ['.eval', '.gz'];

/** Files that options name, by these options. */
export type Sides = Readonly<Record<string, string | undefined>>;

/**
 * The inputs that arguments name: files, folders with all that they hold, globs, `-` for standard input. One that is
 * named twice is read once. What is found in a folder and can't be read is an input that fails when it is opened. What
 * is found and is one of the `sides` is no input.
 */
export async function findInputs(paths: readonly string[], sides: Sides = {}): Promise<Input[]> {
  if (paths.length === 0) {
    throw new Failure(
      "missing required argument 'inputs'",
      'name files, folders or globs, or - for standard input; toolgauge demo shows an example',
    );
  }
  const found = new Map<string, Input>();
  const options = await optionsByFile(sides);
  for (const path of paths) {
    for (const { name, error } of await expand(path)) {
      const key = error === undefined ? await realNameOf(name) : name;
      const option = name === path ? undefined : options.get(key);
      if (option !== undefined) {
        process.stderr.write(`toolgauge: ${visible(name)} is no input: it is given with ${option}\n`);
        continue;
      }
      if (!found.has(key)) found.set(key, error === undefined ? await inputOf(name) : unreadable(name, error));
    }
  }
  const inputs = [...found.values()];
  if (inputs.length === 0) throw new Failure('there are no inputs besides these files', 'name the trajectories');
  const [only] = inputs;
  if (inputs.length === 1 && only !== undefined && unread.has(only)) throw cantRead(only.name, unread.get(only));
  return inputs;
}

/** The options that name files, by the real paths of these. */
async function optionsByFile(sides: Sides): Promise<Map<string, string>> {
  const named = Object.entries(sides).flatMap(([option, path]) => (path === undefined ? [] : [{ option, path }]));
  return new Map(await Promise.all(named.map(async ({ option, path }) => [await realNameOf(path), option] as const)));
}

/** Inputs that were found and can't be read, and why. */
const unread = new WeakMap<Input, unknown>();

function unreadable(name: string, error: unknown): Input {
  // biome-ignore lint/correctness/useYield: it fails before there is anything to give
  async function* open(): AsyncGenerator<Uint8Array> {
    throw error;
  }
  const input = { name, size: undefined, isLines: holdsLines(name), open };
  unread.set(input, error);
  return input;
}

/** The real path of a file. A pipe that a shell made from `<(…)` keeps its name: it has no real path. */
async function realNameOf(name: string): Promise<string> {
  return name === STDIN ? STDIN : realpath(name).catch(() => name);
}

async function expand(path: string): Promise<readonly Found[]> {
  if (path === STDIN) return [{ name: STDIN }];
  noteLooked(path);
  const stats = await statNamed(path);
  if (stats?.isDirectory()) return filesOf(path);
  if (stats !== undefined) return [{ name: path }];
  if (!isDynamicPattern(path)) throw new Failure(`can't read ${path}: there is no such file`, pathRemedy(path));
  const matches = await filesThatMatch(path);
  if (matches.length === 0) throw new Failure(`no file matches ${path}`, PATH_REMEDY);
  return matches;
}

const PATH_REMEDY = 'check the path, or use - for standard input';

/** What to do about a file that can't be read. */
export function pathRemedy(path: string): string {
  return exampleRemedy(path) ?? PATH_REMEDY;
}

function cantRead(path: string, error: unknown): Failure {
  return new Failure(`can't read ${path}: ${reasonOf(error)}`, pathRemedy(path));
}

async function statNamed(path: string): ReturnType<typeof statOf> {
  try {
    return await statOf(path);
  } catch (error) {
    throw cantRead(path, error);
  }
}

/** All files below a folder that could hold trajectories. */
async function filesOf(folder: string): Promise<readonly Found[]> {
  const files = await filesIn(folder, EXTENSIONS_OF_FOLDERS);
  if (files.length > 0) return files;
  throw new Failure(`${folder} holds no file that ends in ${EXTENSIONS.join(', ')}`, 'name the files themselves');
}

/** The input that is one file, or standard input. */
export async function inputOf(name: string): Promise<Input> {
  if (name === STDIN) {
    noteStandardInput();
    return { name: 'standard input', size: undefined, isLines: false, open: () => readStream(process.stdin) };
  }
  noteLooked(name);
  const stats = await statNamed(name);
  if (stats !== undefined) noteInput(stats);
  const isFile = stats?.isFile() === true;
  return {
    name,
    size: isFile && !isPacked(name) ? Number(stats.size) : undefined,
    isLines: holdsLines(name),
    open: () => readFile(name, isFile),
  };
}

/** Whether a file is expanded while it is read, as its name says. */
export function isPacked(name: string): boolean {
  return PACKED.includes(extname(name));
}

function holdsLines(name: string): boolean {
  return LINES.includes(extname(basename(name, '.gz')));
}
