import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import stripJsonComments from 'strip-json-comments';
import { validateSchema, visible } from 'toolgauge';
import {
  type ConfigSchema,
  configKey,
  configSchema,
  configurable,
  configurableArgument,
  IGNORE,
  isConfigured,
  isWritten,
  PASS_HAT,
  REPORTS,
  RULES,
  sectionOf,
  valueName,
} from './config-schema.js';
import { Failure, reading, reasonOf } from './failure.js';
import { STDIN } from './inputs.js';
import { findProject } from './project.js';
import { confine, noteInput, noteLooked } from './run-files.js';
import { NoFile, statOf } from './walk.js';

/** The names by which a configuration file is found. Both may have comments; editors expect them in the second. */
export const CONFIG_NAMES = ['toolgauge.config.json', 'toolgauge.config.jsonc'] as const;

/** A configuration file. */
interface ConfigText {
  readonly path: string;
  readonly text: string;
  /** Whether it was found, not named: then its use is announced, and it may write only in its own folder. */
  readonly isFound: boolean;
}

/** A configuration file, read and in order. */
interface ConfigFile extends ConfigText {
  readonly values: Readonly<Record<string, unknown>>;
}

/** Lets the commands that can be configured take options from a configuration file. Flags override it. */
export function addConfig(program: Command): void {
  const nearest = CONFIG_NAMES.join(' or ');
  for (const command of program.commands.filter(isConfigured)) {
    command
      .addOption(new Option('--config <file>', `read options from there; default: the nearest ${nearest}`))
      .addOption(new Option('--no-config', 'read no configuration file'));
  }
  const schema = configSchema(program);
  program.hook('preAction', async (_, command) => {
    if (!isConfigured(command)) return;
    const file = await findConfig(command.getOptionValue('config'));
    if (file === undefined) return;
    const isUsed = applyConfig(readConfig(file, schema), command);
    if (file.isFound && isUsed) process.stderr.write(`toolgauge: using ${visible(file.path)}\n`);
  });
}

async function findConfig(given: unknown): Promise<ConfigText | undefined> {
  if (given === false) return undefined;
  if (typeof given === 'string') return { path: given, text: await readText(given), isFound: false };
  const { folders, isTrusted } = await findProject();
  for (const folder of folders) {
    const path = await configIn(folder);
    if (path === undefined) continue;
    const stats = await trying(path, () => statOf(path));
    if (!isTrusted(Number(stats?.uid))) {
      throw new Failure(`${path} belongs to another user`, 'name it with --config <file>, or pass --no-config');
    }
    // It would be waited for.
    if (stats?.isFIFO()) throw notRead(path, new NoFile());
    return { path, text: await readText(path), isFound: true };
  }
  return undefined;
}

/** The path of the nearest configuration file. Undefined if there is none, or if it can't be used. */
export async function findConfigPath(): Promise<string | undefined> {
  return (await findConfig(undefined).catch(() => undefined))?.path;
}

/** The configuration file in a folder. */
async function configIn(folder: string): Promise<string | undefined> {
  const paths = CONFIG_NAMES.map(name => relative(process.cwd(), join(folder, name)));
  const found: string[] = [];
  for (const path of paths) {
    noteLooked(path);
    if ((await trying(path, () => statOf(path))) !== undefined) found.push(path);
  }
  if (found.length > 1) throw new Failure(`${found.join(' and ')} both exist`, 'keep one of them');
  return found[0];
}

async function readText(path: string): Promise<string> {
  return trying(path, async () => {
    const stats = await statOf(path);
    noteLooked(path);
    if (stats !== undefined) noteInput(stats);
    return readFile(path, 'utf8');
  });
}

async function trying<Result>(path: string, body: () => Promise<Result>): Promise<Result> {
  return body().catch(error => {
    throw notRead(path, error);
  });
}

function notRead(path: string, error: unknown): Failure {
  return new Failure(`can't read ${path}: ${reasonOf(error)}`, 'check the path, or pass --no-config');
}

function readConfig(file: ConfigText, schema: ConfigSchema): ConfigFile {
  const { path, text } = file;
  let values: unknown;
  try {
    values = JSON.parse(stripJsonComments(text.replace(/^\ufeff/, ''), { trailingCommas: true }));
  } catch (error) {
    throw new Failure(`${path}: not valid JSON: ${reasonOf(error)}`, 'the file must hold one JSON object');
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values)) {
    throw new Failure(`${path}: expected an object of options`, 'see toolgauge/config.schema.json');
  }
  const tool = { name: 'config', parameters: schema as Record<string, unknown> };
  const validate = () => validateSchema({ name: 'config', arguments: values }, tool);
  const [issue] = reading({ name: path }, () => undefined, validate).issues;
  if (issue !== undefined) {
    const place = issue.path === '' ? '' : `${issue.path}: `;
    throw new Failure(`${path}: ${place}${reasonFor(issue, schema)}`, 'see toolgauge/config.schema.json');
  }
  return { ...file, values: values as Record<string, unknown> };
}

/** What is wrong, in the words of the file. */
function reasonFor(
  { keyword, path, message, suggestion }: ReturnType<typeof validateSchema>['issues'][number],
  schema: ConfigSchema,
): string {
  if (keyword !== 'additionalProperties') return message;
  const [section = ''] = path.split('.');
  const known = Object.keys((path.includes('.') ? schema.properties?.[section] : schema)?.properties ?? {});
  const hint =
    suggestion === undefined ? `known are ${known.join(', ')}` : `did you mean ${JSON.stringify(suggestion)}?`;
  return `unknown option; ${hint}`;
}

/** Gives a command what the file says, where no flag does. Returns whether the file says anything of that kind. */
function applyConfig({ path, isFound, values }: ConfigFile, command: Command): boolean {
  let isUsed = false;
  const section = sectionOf(command);
  const own = (values[section] ?? {}) as Record<string, unknown>;
  const folder = dirname(resolve(path));
  const givenFor = (key: string) => {
    if (Object.hasOwn(own, key)) return { value: own[key], place: `${section}.${key}` };
    return Object.hasOwn(values, key) ? { value: values[key], place: key } : undefined;
  };
  const argument = configurableArgument(command);
  const inputs = argument === undefined ? undefined : givenFor(argument);
  if (inputs !== undefined && command.args.length === 0 && command.getOptionValueSource('actual') !== 'cli') {
    command.processedArgs[0] = (inputs.value as string[]).map(input => fromFolder(folder, input));
    isUsed = true;
  }
  for (const option of configurable(command)) {
    const given = givenFor(configKey(option));
    const name = option.attributeName();
    if (given === undefined || command.getOptionValueSource(name) === 'cli') continue;
    isUsed = true;
    if (isFound && isWritten(option)) for (const place of placesIn(given.value, folder)) confine(path, place);
    try {
      command.setOptionValueWithSource(name, parsed(option, given.value, folder), 'config');
    } catch (error) {
      const isShared = given.place === configKey(option);
      const remedy = isShared
        ? `toolgauge ${command.name()} does not have this option: move it to the sections of the commands that have it`
        : undefined;
      throw new Failure(`${path}: ${given.place}: ${reasonOf(error)}`, remedy);
    }
  }
  return isUsed;
}

/** The paths that a value names: itself, or those of reports by format. */
function placesIn(value: unknown, folder: string): string[] {
  const paths = typeof value === 'string' ? [value] : Object.values(value as Record<string, string>);
  return paths.filter(path => path !== STDIN).map(path => fromFolder(folder, path));
}

/** What the option makes of a value of the file. */
function parsed(option: Option, value: unknown, folder: string): unknown {
  // A flag that is not given has no value; one that begins with --no- is true then.
  if (typeof value === 'boolean') return value || option.negate ? value : undefined;
  if (configKey(option) === REPORTS) {
    const reports = Object.entries(value as Record<string, string>);
    return reports.reduce<unknown>(
      (before, [format, file]) => parse(option, `${format}=${fromFolder(folder, file)}`, before),
      option.defaultValue,
    );
  }
  if (configKey(option) === RULES || configKey(option) === PASS_HAT) {
    const rules = Object.entries(value as Record<string, unknown>);
    return rules.reduce<unknown>((before, [type, level]) => parse(option, `${type}=${level}`, before), undefined);
  }
  if (configKey(option) === IGNORE) return value;
  const text = Array.isArray(value) ? value.join(',') : String(value);
  return parse(option, isPath(option) ? fromFolder(folder, text) : text, option.defaultValue);
}

function parse(option: Option, text: string, before: unknown): unknown {
  return option.parseArg === undefined ? text : option.parseArg(text, before as never);
}

/** Whether the value of an option is a path: it is called so in its flags. */
function isPath(option: Option): boolean {
  return /^(file|folder|path)/.test(valueName(option));
}

/** A path that is relative to the folder of the file, made relative to the working folder. */
function fromFolder(folder: string, path: string): string {
  if (path === STDIN) return path;
  const end = /[\\/]$/.test(path) ? '/' : '';
  return (relative(process.cwd(), resolve(folder, path)) || '.') + end;
}
