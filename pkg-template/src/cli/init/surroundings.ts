import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import stripJsonComments from 'strip-json-comments';
import { Failure } from '../failure.js';
import type { PackageManager } from '../package-managers.js';
import { findProject } from '../project.js';

/** The test runners that there is a first test for; `node` is the one of Node.js, `node:test`. */
export const RUNNERS = ['vitest', 'jest', 'bun', 'node'] as const;

/** A test runner. */
export type Runner = (typeof RUNNERS)[number];

/** What is known of the project that a first test is written for. */
export interface Surroundings {
  readonly runner: Runner;
  /** How the runner was found. */
  readonly reason: string;
  /** Whether the test is written in TypeScript: the project is, and the runner reads it. */
  readonly isTypeScript: boolean;
  /** Whether the project is written in TypeScript. */
  readonly hasTypeScript: boolean;
  /** Whether a `.js` file of the project is an ES module. */
  readonly isModule: boolean;
  /** Whether Jest runs TypeScript as ES modules. */
  readonly isJestModule: boolean;
  readonly manager: PackageManager;
  /** The installed package toolgauge, relative to the working folder; undefined if it is not installed. */
  readonly installed: string | undefined;
  /** Whether the settings of TypeScript list the packages whose types are known everywhere, without those of Node.js. */
  readonly hidesTypes: boolean;
  /** Whether the types of Node.js are installed. */
  readonly hasNodeTypes: boolean;
  /** The names of all packages that the project depends on. */
  readonly dependencies: ReadonlySet<string>;
}

/** What `package.json` and the names of files say about one folder. */
interface Folder {
  readonly path: string;
  readonly manifest: Manifest | undefined;
  readonly files: readonly string[];
}

/** The members of `package.json` that are read here. */
interface Manifest {
  readonly type?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly dependencies?: object;
  readonly devDependencies?: object;
  readonly jest?: unknown;
  readonly packageManager?: unknown;
}

/** Looks at the project of the working folder. `given` is the runner that the user names. */
export async function findSurroundings(given: Runner | undefined): Promise<Surroundings> {
  const { folders: paths } = await findProject();
  const folders = await Promise.all(paths.map(readFolder));
  const dependencies = new Set(folders.flatMap(dependenciesOf));
  const { runner, reason } = given === undefined ? await findRunner(folders) : { runner: given, reason: 'as you say' };
  const nearest = folders.find(({ manifest }) => manifest !== undefined)?.manifest;
  const hasTypeScript = dependencies.has('typescript') || folders.some(({ files }) => files.includes('tsconfig.json'));
  return {
    runner,
    reason,
    hasTypeScript,
    isTypeScript: hasTypeScript && readsTypeScript(runner, dependencies),
    isModule: nearest?.type === 'module',
    isJestModule: runner === 'jest' && (await isJestModule(folders)),
    manager: managerOf(folders),
    installed: await findInstalled(process.cwd(), 'toolgauge'),
    hidesTypes: await hidesTypes(folders),
    hasNodeTypes: (await findInstalled(process.cwd(), '@types/node')) !== undefined,
    dependencies,
  };
}

async function readFolder(path: string): Promise<Folder> {
  const files = await readdir(path).catch(() => []);
  return { path, manifest: await readManifest(join(path, 'package.json')), files };
}

async function readManifest(path: string): Promise<Manifest | undefined> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : undefined;
  } catch {
    return undefined;
  }
}

function dependenciesOf({ manifest }: Pick<Folder, 'manifest'>): string[] {
  return [manifest?.dependencies, manifest?.devDependencies].flatMap(packages => Object.keys(packages ?? {}));
}

/** What in a script runs each runner. */
const IN_SCRIPTS: Readonly<Record<Runner, RegExp>> = {
  vitest: /\bvitest\b/,
  jest: /\bjest\b|\breact-scripts test\b/,
  bun: /\bbun (?:run )?test\b|\bbun --bun test\b/,
  node: /\b(?:node|tsx)\b.*\s--test\b/,
};

/** The packages that only projects with a runner depend on. */
const PACKAGES: Readonly<Record<Runner, readonly string[]>> = {
  vitest: ['vitest'],
  jest: ['jest', 'ts-jest', 'jest-cli', '@jest/globals', 'babel-jest', '@types/jest', 'react-scripts'],
  bun: [],
  node: [],
};

/** The configuration files of each runner. */
const CONFIG_FILES: Readonly<Record<Runner, RegExp>> = {
  vitest: /^vitest\.(?:config|workspace)\.[cm]?[jt]s$/,
  jest: /^jest\.config\.(?:[cm]?[jt]s|json)$/,
  bun: /^(?:bunfig\.toml|bun\.lockb?)$/,
  node: /$^/,
};

/**
 * Finds the runner by the nearest folder that says anything: by its scripts, or else what it depends on, or else its
 * files.
 */
async function findRunner(folders: readonly Folder[]): Promise<Pick<Surroundings, 'runner' | 'reason'>> {
  for (const folder of folders) {
    const [test, others] = scriptsOf(folder);
    const signs: readonly [reason: string, isSign: (runner: Runner) => boolean][] = [
      ['the script "test"', runner => IN_SCRIPTS[runner].test(test)],
      ['the scripts', runner => IN_SCRIPTS[runner].test(others)],
      ['the dependencies', runner => hasPackage(folder, runner)],
      ['the configuration files', runner => hasConfiguration(folder, runner)],
    ];
    for (const [reason, isSign] of signs) {
      const [runner, ...more] = RUNNERS.filter(isSign);
      if (runner === undefined) continue;
      if (more.length === 0) return { runner, reason: `found in ${reason}` };
      const names = [runner, ...more];
      throw new Failure(
        `${names.join(' and ')} are both in ${reason}`,
        `say which one runs the test: ${names.map(name => `--runner ${name}`).join(' or ')}`,
      );
    }
  }
  return { runner: 'node', reason: 'no other runner was found; --runner names one' };
}

/** The script `test`, and all other scripts, one a line. */
function scriptsOf({ manifest }: Folder): [string, string] {
  const { test = '', ...others } = manifest?.scripts ?? {};
  return [String(test), Object.values(others).join('\n')];
}

function hasPackage({ manifest }: Folder, runner: Runner): boolean {
  return dependenciesOf({ manifest }).some(name => PACKAGES[runner].includes(name));
}

function hasConfiguration({ manifest, files }: Folder, runner: Runner): boolean {
  return (runner === 'jest' && manifest?.jest !== undefined) || files.some(file => CONFIG_FILES[runner].test(file));
}

/** The packages that let Jest read TypeScript. */
const JEST_TRANSFORMERS = [
  'ts-jest',
  '@swc/jest',
  'esbuild-jest',
  '@babel/preset-typescript',
  'next',
  'react-scripts',
  'jest-expo',
  'jest-preset-angular',
];

function readsTypeScript(runner: Runner, dependencies: ReadonlySet<string>): boolean {
  switch (runner) {
    case 'vitest':
    case 'bun':
      return true;
    case 'jest':
      return JEST_TRANSFORMERS.some(name => dependencies.has(name));
    case 'node':
      return dependencies.has('tsx') || stripsTypes();
  }
}

/** Whether this Node.js reads TypeScript by itself, as it does from version 22.18 on. */
function stripsTypes(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

/** What in the configuration of Jest says that TypeScript stays ES modules. */
const JEST_MODULES = /extensionsToTreatAsEsm|useESM/;

async function isJestModule(folders: readonly Folder[]): Promise<boolean> {
  for (const { path, files, manifest } of folders) {
    if (JEST_MODULES.test(JSON.stringify(manifest?.jest ?? ''))) return true;
    const config = files.find(file => CONFIG_FILES.jest.test(file));
    if (config !== undefined) return JEST_MODULES.test(await readFile(join(path, config), 'utf8').catch(() => ''));
  }
  return false;
}

const LOCK_FILES: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'bun.lock': 'bun',
  'bun.lockb': 'bun',
  'package-lock.json': 'npm',
};

function managerOf(folders: readonly Folder[]): PackageManager {
  for (const { files, manifest } of folders) {
    const named = /^(npm|pnpm|yarn|bun)@/.exec(String(manifest?.packageManager))?.[1];
    if (named !== undefined) return named as PackageManager;
    const lock = Object.keys(LOCK_FILES).find(name => files.includes(name));
    if (lock !== undefined) return LOCK_FILES[lock] as PackageManager;
  }
  return 'npm';
}

/** A list of types in the settings of TypeScript. */
const TYPES = /"types"\s*:\s*\[([^\]]*)\]/;

async function hidesTypes(folders: readonly Folder[]): Promise<boolean> {
  const nearest = folders.find(({ files }) => files.includes('tsconfig.json'));
  if (nearest === undefined) return false;
  const settings = await readFile(join(nearest.path, 'tsconfig.json'), 'utf8').catch(() => '');
  const [, types] = TYPES.exec(stripJsonComments(settings)) ?? [];
  return types !== undefined && !/"(?:node|bun)"/.test(types);
}

/** The nearest package of this name, where Node.js finds it: it may lie above the project. */
async function findInstalled(folder: string, name: string): Promise<string | undefined> {
  const installed = join(folder, 'node_modules', name);
  if (await stat(installed).catch(() => undefined)) return relative(process.cwd(), installed);
  return folder === dirname(folder) ? undefined : findInstalled(dirname(folder), name);
}
