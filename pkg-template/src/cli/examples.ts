import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the examples in the package, relative if it lies below the working folder. */
function examplesFolder(): string {
  // Relative to the built file, dist/cli.js.
  const path = fileURLToPath(new URL('../examples', import.meta.url));
  const below = relative(process.cwd(), path);
  return below.startsWith('..') ? path : below;
}

/** The path of an example in the package. */
export function examplePath(name: string): string {
  return `${examplesFolder()}/${name}`;
}

/** What to do about a missing file that the documents use as an example; undefined for any other. */
export function exampleRemedy(path: string): string | undefined {
  const [, name] = /^examples\/(.+)$/.exec(path) ?? [];
  if (name === undefined || !existsSync(examplePath(name))) return undefined;
  return `the examples of the documents are in the package: cp -r ${examplesFolder()} .`;
}
