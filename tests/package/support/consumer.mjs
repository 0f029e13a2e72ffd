import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The folder of these tests, which holds the tools that they run. */
export const TESTS = dirname(dirname(fileURLToPath(import.meta.url)));

const TARBALL = resolve(process.env.TOOLGAUGE_TARBALL ?? join(TESTS, '../../target/toolgauge.tgz'));
const PINNED = JSON.parse(readFileSync(join(TESTS, 'package.json'), 'utf8')).devDependencies;

/** Outside the repository: from a folder in it, Node would also find the packages of these tests. */
const INSTALLED = join(tmpdir(), 'toolgauge-package-tests');

/**
 * The folder of a project that has installed the tarball and `companions`: in the versions that these tests pin, or in
 * the one that a companion such as `next@16.4.6` names.
 * Every test file that asks for the same gets the same folder, as long as the tarball is the same.
 */
export function install(...companions) {
  const dependencies = Object.fromEntries(companions.map(pinnedVersion));
  const manifest = JSON.stringify({ private: true, dependencies });
  const key = createHash('sha256').update(readFileSync(TARBALL)).update(manifest).digest('hex').slice(0, 16);
  const folder = join(INSTALLED, key);
  if (existsSync(folder)) return folder;
  removeStale();
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, 'package.json'), manifest);
  npmInstall(fresh);
  return publish(fresh, folder);
}

/** The package and its version. `ai5` and `ai6` pin older versions of `ai`, by an alias such as `npm:ai@5.0.277`. */
function pinnedVersion(companion) {
  const at = companion.lastIndexOf('@');
  if (at > 0) return [companion.slice(0, at), companion.slice(at + 1)];
  const alias = /^npm:(.+)@(.+)$/.exec(PINNED[companion]);
  return alias === null ? [companion, PINNED[companion]] : alias.slice(1);
}

function npmInstall(folder) {
  const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', ['install', ...quiet, TARBALL], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm install of the tarball failed:\n${stderr}`);
}

/** Test files run at the same time: the first that is ready counts. */
function publish(fresh, folder) {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(fresh, { recursive: true });
  }
  return folder;
}

/** Each tarball leaves a project behind; those of an earlier day are of no more use. */
function removeStale() {
  if (!existsSync(INSTALLED)) return;
  const folders = readdirSync(INSTALLED).map(name => join(INSTALLED, name));
  for (const folder of folders.filter(isOld)) rmSync(folder, { recursive: true, force: true });
}

function isOld(folder) {
  return Date.now() - statSync(folder).mtimeMs > 24 * 60 * 60 * 1000;
}

/** The project that most tests share: the package with all its optional companions. */
export const consumer = install('ai', 'zod', '@types/node');

/**
 * A copy of `project` that `change` has altered. Every test file that asks for the same `key` gets the same folder.
 */
export function copyOf(project, key, change) {
  const folder = `${project}-${key.slice(0, 16)}`;
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.${process.pid}`;
  cpSync(join(project, 'package.json'), join(fresh, 'package.json'), { recursive: true });
  cpSync(join(project, 'node_modules'), join(fresh, 'node_modules'), { recursive: true, verbatimSymlinks: true });
  change(fresh);
  return publish(fresh, folder);
}

/** The exports of a package as `project` gets them. */
export async function fromConsumer(specifier, project = consumer) {
  const entry = join(project, `entry-${specifier.replaceAll('/', '-')}.mjs`);
  // Other test files may be importing it: they must not find half a file.
  const fresh = `${entry}.${process.pid}`;
  writeFileSync(fresh, `export * from ${JSON.stringify(specifier)};\n`);
  renameSync(fresh, entry);
  return import(pathToFileURL(entry));
}

/** A folder inside `project` that holds `files`, by name, and is removed after the test `t`. */
export function folderIn(project, t, files) {
  const folder = mkdtempSync(join(project, 'case-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/**
 * Runs a program to its end and returns its exit code and all that it printed. If `timeout` milliseconds pass, it is
 * killed, and the exit code is `null`.
 */
export function run(command, args, { cwd = consumer, env = {}, input, timeout } = {}) {
  return new Promise((settle, fail) => {
    const child = spawn(command, args, { cwd, env: { ...plainEnvironment(), ...env }, timeout });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', text => {
        output[stream] += text;
      });
    }
    // A program that does not read its input closes it.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.on('error', fail).on('close', code => settle({ code, ...output }));
  });
}

/** The environment without what would colour or redirect output, or would make Node print more. */
function plainEnvironment() {
  const { FORCE_COLOR, NO_COLOR, NODE_OPTIONS, NODE_TEST_CONTEXT, ...rest } = process.env;
  return rest;
}

/** Runs a tool that these tests have installed for themselves, such as `tsc`. */
export function runTool(name, args, options) {
  return run(join(TESTS, 'node_modules/.bin', name), args, options);
}

/** What the TypeScript compiler, at its strictest, reports about these files of a project, by default the consumer. */
export async function compileErrors(t, files, project = consumer) {
  const checks = [
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--noUncheckedIndexedAccess',
    '--skipLibCheck',
  ];
  const modules = ['--target', 'es2022', '--module', 'nodenext', '--types', 'node'];
  const { stdout } = await runTool('tsc', [...checks, ...modules, ...Object.keys(files)], {
    cwd: folderIn(project, t, files),
  });
  return stdout;
}
