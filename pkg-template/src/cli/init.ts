import { lstat, mkdir, writeFile } from 'node:fs/promises';
import { dirname, posix, relative, resolve, sep } from 'node:path';
import { type Command, Option } from 'commander';
import { CONFIG_NAMES } from './config.js';
import { Failure, reasonOf } from './failure.js';
import { notes, wrapped } from './help.js';
import { installCommand, TITLES, testCommand, toolgaugeCommand } from './init/commands.js';
import { findSurroundings, RUNNERS, type Runner, type Surroundings } from './init/surroundings.js';
import { configText, EXAMPLE, exampleLog, type NewFile, testName, testText } from './init/texts.js';
import type { Outcome } from './options.js';
import { columnsOf } from './terminal.js';

interface InitFlags {
  readonly runner?: Runner;
  readonly folder: string;
  readonly dryRun?: true;
}

const NOTES = `
The test runner is found by package.json and configuration files; so is whether the project is written in TypeScript, and
as ES modules. Files that exist are not changed.

Examples:
  $ toolgauge init
  $ toolgauge init --runner jest --folder tests
  $ toolgauge init --dry-run
`;

/** Adds `toolgauge init`. */
export function addInit(program: Command, finish: (outcome: Outcome) => Promise<void>): void {
  program
    .command('init')
    .summary('write a configuration file, and a first test for your test runner')
    .description('Writes a configuration file, a small log, and a first test of it that passes right away.')
    .addOption(new Option('--runner <name>', 'the test runner; default: the one of the project').choices(RUNNERS))
    .option('--folder <folder>', 'where the test and its log go', '.')
    .option('--dry-run', 'print the files instead of writing them')
    .addHelpText('after', notes(NOTES))
    .action(async (flags: InitFlags) => finish(await init(flags)));
}

async function init({ runner, folder, dryRun }: InitFlags): Promise<Outcome> {
  const surroundings = await findSurroundings(runner);
  const title = TITLES[surroundings.runner];
  const files = filesFor(surroundings, folder);
  const lines = [`toolgauge init  ${title} (${surroundings.reason}), ${languageOf(surroundings)}`, ''];
  const width = Math.max(...files.map(({ path }) => path.length));
  const labels = [];
  for (const file of files) labels.push(await (dryRun ? planned(file) : written(file)));
  for (const [at, file] of files.entries()) {
    const label = labels[at] as Label;
    const about = label === 'kept' ? 'exists and was not changed' : file.about;
    lines.push(`${label.padEnd(dryRun ? 'would write'.length : 'wrote'.length)}  ${file.path.padEnd(width)}  ${about}`);
    if (dryRun && label !== 'kept') lines.push('', ...file.text.trimEnd().split('\n').map(indented), '');
  }
  const isKept = labels.includes('kept');
  return { output: `${[...lines, '', ...nextSteps(surroundings, files, isKept)].join('\n')}\n`, verdict: 'passed' };
}

/** The language of the test, and why it is not that of the project. */
function languageOf({ isTypeScript, hasTypeScript, runner }: Surroundings): string {
  if (isTypeScript) return 'TypeScript';
  return hasTypeScript ? `JavaScript, since no package lets ${TITLES[runner]} read TypeScript` : 'JavaScript';
}

type Label = 'wrote' | 'kept' | 'would write';

function indented(line: string): string {
  return line === '' ? '' : `    ${line}`;
}

/** The configuration file comes first. */
function filesFor(surroundings: Surroundings, folder: string): [config: NewFile, log: NewFile, test: NewFile] {
  const log = pathIn(folder, EXAMPLE);
  const test = pathIn(folder, testName(surroundings));
  const installed = surroundings.installed?.split(sep).join('/') ?? 'node_modules/toolgauge';
  const schema = `${installed.startsWith('.') ? '' : './'}${installed}/schemas/config.schema.json`;
  return [
    { path: CONFIG_NAMES[1], text: configText(log, schema), about: 'what is checked, and what fails' },
    { path: log, text: exampleLog(), about: 'a log of an agent, with its tools' },
    { path: test, text: testText(surroundings), about: 'three tests of that log' },
  ];
}

/** A path relative to the working folder, with slashes. */
function pathIn(folder: string, name: string): string {
  return posix.join(relative(process.cwd(), resolve(folder)).split(sep).join('/'), name);
}

async function planned({ path }: NewFile): Promise<Label> {
  return (await isThere(path)) ? 'kept' : 'would write';
}

async function written({ path, text }: NewFile): Promise<Label> {
  if (await isThere(path)) return 'kept';
  try {
    await mkdir(dirname(path), { recursive: true });
    // Another program may write the file at the same time: it is not overwritten either.
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    throw new Failure(`can't write ${path}: ${reasonOf(error)}`, 'check the path, or name another --folder');
  }
  return 'wrote';
}

/** Whether there is a file, or for the configuration file one of its other name. */
async function isThere(path: string): Promise<boolean> {
  const names: readonly string[] = path === CONFIG_NAMES[1] ? CONFIG_NAMES : [path];
  for (const name of names) {
    if (await lstat(name).catch(() => undefined)) return true;
  }
  return false;
}

/** The packages that the test needs, and that are not installed. */
function missingPackages({ installed, isTypeScript, runner, hasNodeTypes }: Surroundings): string[] {
  const needsTypes = isTypeScript && runner !== 'bun' && !hasNodeTypes;
  return [...(installed === undefined ? ['toolgauge'] : []), ...(needsTypes ? ['@types/node'] : [])];
}

function nextSteps(surroundings: Surroundings, [, log, test]: readonly [NewFile, NewFile, NewFile], isKept: boolean) {
  const missing = missingPackages(surroundings);
  const install = missing.length > 0 ? [`  $ ${installCommand(surroundings, missing)}`] : [];
  const isOther = isKept ? [' Files that existed before may name other logs.'] : [];
  const about = `Both read ${log.path}. Put a log of your agent in its place.${isOther.join('')}
docs/getting-started.md in the package goes on from here.`;
  return [
    'Next:',
    ...install,
    `  $ ${testCommand(surroundings, test.path)}`,
    `  $ ${toolgaugeCommand(surroundings)} check`,
    '',
    wrapped(about, columnsOf(process.stdout)),
  ];
}
