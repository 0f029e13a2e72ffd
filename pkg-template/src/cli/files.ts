import { readFile } from 'node:fs/promises';
import { Failure } from './failure.js';

/** A file or standard input, read. */
export interface Source {
  /** The name for messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const STDIN = '-';

/** Reads files, in order; `-` is standard input and may stand for one of them. */
export async function readSources(paths: readonly string[]): Promise<Source[]> {
  if (paths.filter(path => path === STDIN).length > 1) {
    throw new Failure('only one input can be read from standard input', 'give a file for the other');
  }
  return Promise.all(paths.map(readSource));
}

async function readSource(path: string): Promise<Source> {
  if (path === STDIN) return { name: 'standard input', bytes: await readStdin() };
  try {
    return { name: path, bytes: await readFile(path) };
  } catch (error) {
    throw new Failure(`can't read ${path}: ${reasonOf(error)}`, 'check the path, or use - for standard input');
  }
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const REASONS: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
};

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? error.message;
}
