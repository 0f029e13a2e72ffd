// The programs that rows run, in fixed versions.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { install, TESTS } from '../support/consumer.mjs';

const PINNED = JSON.parse(readFileSync(join(TESTS, 'package.json'), 'utf8')).devDependencies;

/** What is too large to be installed for each run of CI, and what the other tests do not use. */
const VERSIONS = {
  '@types/bun': '1.4.5',
  '@rspack/core': '2.3.4',
  'edge-runtime': '4.0.1',
  next: '16.4.6',
  'puppeteer-core': '24.8.2',
  react: '19.3.1',
  'react-dom': '19.3.1',
  'ts-jest': '29.4.15',
  // ts-jest knows no later version.
  typescript: '5.9.3',
};

/** The version of a tool that rows run. */
export const versionOf = name => VERSIONS[name] ?? PINNED[name];

/** The folder of a project that has the package and these tools, in the versions that rows run. */
export function projectWith(...names) {
  return install(...names.map(name => (name in VERSIONS ? `${name}@${VERSIONS[name]}` : name)));
}

/** The program of a runtime that npm brings as a package for this very platform. */
function platformProgram(scope, ...path) {
  const scoped = join(TESTS, 'node_modules', scope);
  return join(scoped, readdirSync(scoped)[0], ...path);
}

export const denoProgram = () => platformProgram('@deno', 'deno');

/** If install scripts ran, Bun's own has moved the program. */
export function bunProgram() {
  const program = platformProgram('@oven', 'bin', 'bun');
  return existsSync(program) ? program : join(TESTS, 'node_modules/bun/bin/bun.exe');
}
