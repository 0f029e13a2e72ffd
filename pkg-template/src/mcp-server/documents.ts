import { Failure, reasonOf } from '../cli/failure.js';
import type { Source } from '../cli/files.js';
import { type Input, inputOf } from '../cli/inputs.js';
import type { Folders } from './folders.js';
import type { Arguments } from './service.js';

/** The most bytes of a document that is read as a whole. The core reads no more by default, either. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A text that can't begin a JSON document, but may be a path. */
const PATH = /^[^\s[{"].{0,1000}$/;

/** The names of two arguments for one document: its content, or the path of a file that holds it. */
export interface DocumentArguments {
  readonly inline: string;
  readonly path: string;
}

/**
 * Reads the document of a call: its inline content, or a file. Returns undefined if the call gives neither. Throws a `Failure` if
 * the call gives both, or if the file can't be read.
 */
export async function readDocument(
  args: Arguments,
  names: DocumentArguments,
  folders: () => Promise<Folders>,
): Promise<Source | undefined> {
  refuseBoth(args, names);
  const path = args[names.path];
  if (typeof path === 'string') return readFile(path, await folders());
  const bytes = inlineBytes(args, names);
  return bytes === undefined ? undefined : { name: names.inline, bytes };
}

/** Reads a document that a call must give. */
export async function requireDocument(
  args: Arguments,
  names: DocumentArguments,
  folders: () => Promise<Folders>,
): Promise<Source> {
  const source = await readDocument(args, names, folders);
  if (source === undefined) throw missing(names);
  return source;
}

/** Throws a `Failure` if a call gives a document twice. */
export function refuseBoth(args: Arguments, { inline, path }: DocumentArguments): void {
  if (isGiven(args[inline]) && isGiven(args[path])) throw new Failure(`give ${inline} or ${path}, not both`);
}

/** The error for a document that a call does not give. */
export function missing({ inline, path }: DocumentArguments): Failure {
  return new Failure(`${inline} is missing`, `give ${inline} itself, or ${path}: a file that holds it`);
}

/**
 * The bytes of a document that a call contains: JSON, or a text that holds JSON or JSON Lines. Undefined if there is
 * none. Throws a `Failure` if it is a path.
 */
export function inlineBytes(args: Arguments, { inline, path }: DocumentArguments): Uint8Array | undefined {
  const given = args[inline];
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string') return Buffer.from(JSON.stringify(given));
  if (PATH.test(given))
    throw new Failure(`${inline}: expected JSON, got a text`, `for a file, give its path as ${path}`);
  return Buffer.from(given);
}

/** Reads an input as a whole, if it has at most 64 MiB. */
export async function readBounded(input: Input): Promise<Source> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const piece of input.open()) {
      size += piece.length;
      if (size > MOST_BYTES) break;
      pieces.push(piece);
    }
  } catch (error) {
    throw new Failure(`can't read ${input.name}: ${reasonOf(error)}`);
  }
  if (size > MOST_BYTES) throw new Failure(`${input.name} has more than 64 MiB`, 'give a part of it');
  return { name: input.name, bytes: Buffer.concat(pieces) };
}

async function readFile(path: string, folders: Folders): Promise<Source> {
  const { real, shown, isFolder } = await folders.find(path);
  if (isFolder) throw new Failure(`can't read ${path}: it is a folder`, 'name a file in it');
  return readBounded({ ...(await inputOf(real)), name: shown });
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
