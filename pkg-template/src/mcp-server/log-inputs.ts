import { relative } from 'node:path';
import { Failure } from '../cli/failure.js';
import { EXTENSIONS, EXTENSIONS_OF_FOLDERS, type Input, inputOf } from '../cli/inputs.js';
import { filesIn } from '../cli/walk.js';
import { inlineBytes, missing, refuseBoth } from './documents.js';
import type { Folders } from './folders.js';
import type { Arguments } from './service.js';

const LOG = { inline: 'trajectory', path: 'path' } as const;

/** The logs that a call gives or names. */
export interface LogInputs {
  readonly inputs: readonly Input[];
  /** Whether they are files, and not given in the call itself. */
  readonly areFiles: boolean;
  /** Files of a folder that may not be read, with the reasons. */
  readonly refused: readonly string[];
}

/**
 * Finds the logs that a call gives or names. Throws a `Failure` if there are none, or if the path lies outside of the
 * folders.
 */
export async function findLogs(args: Arguments, folders: () => Promise<Folders>): Promise<LogInputs> {
  refuseBoth(args, LOG);
  if (typeof args.path === 'string') return findFiles(args.path, await folders());
  const bytes = inlineBytes(args, LOG);
  if (bytes === undefined) throw missing(LOG);
  return { inputs: [inMemory(bytes)], areFiles: false, refused: [] };
}

async function findFiles(path: string, folders: Folders): Promise<LogInputs> {
  const { real, shown, isFolder } = await folders.find(path);
  if (!isFolder) return { inputs: [{ ...(await inputOf(real)), name: shown }], areFiles: true, refused: [] };
  const inputs: Input[] = [];
  const refused: string[] = [];
  for (const { name: file, error } of await filesIn(real, EXTENSIONS_OF_FOLDERS)) {
    const name = `${shown === '.' ? '' : `${shown}/`}${relative(real, file)}`;
    if (error === undefined && (await folders.holds(file))) inputs.push({ ...(await inputOf(file)), name });
    else refused.push(`${name}: can't be read, or leads out of the folder`);
  }
  if (inputs.length > 0) return { inputs, areFiles: true, refused };
  throw new Failure(`${path} holds no file that ends in ${EXTENSIONS.join(', ')}`, 'name a file');
}

function inMemory(bytes: Uint8Array): Input {
  async function* open(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { name: LOG.inline, size: bytes.length, isLines: false, open };
}
