import { Failure, reasonOf } from './failure.js';
import { type Input, inputOf, pathRemedy, STDIN } from './inputs.js';

/** A file or standard input, read. */
export interface Source {
  /** The name for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Reads files, in order; `-` is standard input, for at most one of them. */
export async function readSources(paths: readonly string[]): Promise<Source[]> {
  refuseTwiceStdin(paths);
  return Promise.all(paths.map(readSource));
}

/** Standard input can be read once. */
export function refuseTwiceStdin(paths: readonly string[]): void {
  if (paths.filter(path => path === STDIN).length > 1) {
    throw new Failure('only one input can be read from standard input', 'give a file for the other');
  }
}

/** Reads an input as a whole. */
export async function readWhole({ name, open }: Input): Promise<Source> {
  try {
    const pieces: Uint8Array[] = [];
    for await (const piece of open()) pieces.push(piece);
    return { name, bytes: Buffer.concat(pieces) };
  } catch (error) {
    throw new Failure(`can't read ${name}: ${reasonOf(error)}`, pathRemedy(name));
  }
}

async function readSource(path: string): Promise<Source> {
  return readWhole(await inputOf(path));
}
