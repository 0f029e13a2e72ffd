import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Failure, reasonOf } from './failure.js';

/** Where text goes: a file, or a stream of this process. */
export interface Output {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Whoever read the output has what they want and closed it. */
export class ClosedPipe extends Error {}

/** Standard output or standard error. */
export function standardOutput(stream: NodeJS.WriteStream): Output {
  return {
    write: text =>
      new Promise((settle, fail) => {
        stream.write(text, error => {
          if (error == null) settle();
          else fail(isClosedPipe(error) ? new ClosedPipe() : error);
        });
      }),
    close: async () => {},
  };
}

/** A file, which is made or emptied, and the folders that it is in. */
export async function fileOutput(path: string): Promise<Output> {
  const file = await writing(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    return open(path, 'w');
  });
  return {
    write: text => writing(path, () => writeWhole(file, text)),
    close: () => writing(path, () => file.close()),
  };
}

/** A file that holds `text`. */
export async function writeFile(path: string, text: string): Promise<void> {
  const output = await fileOutput(path);
  await output.write(text);
  await output.close();
}

async function writeWhole(file: FileHandle, text: string): Promise<void> {
  await file.appendFile(text);
}

async function writing<Result>(path: string, body: () => Promise<Result>): Promise<Result> {
  try {
    return await body();
  } catch (error) {
    throw new Failure(`can't write ${path}: ${reasonOf(error)}`, 'check the path');
  }
}

/** Whether whoever read a stream closed it. */
export function isClosedPipe(error: Error): boolean {
  return 'code' in error && (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED');
}
