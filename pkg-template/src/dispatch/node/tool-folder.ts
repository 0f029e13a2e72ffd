import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { ToolgaugeError } from 'toolgauge';
import { kindOf } from '../../boundary/kind-of.js';
import { type ErrorDetails, reasonOf } from '../../errors.js';
import type { ToolSchema } from '../../types.js';
import { isVariableName } from './environment.js';
import { isScriptExtension } from './interpreter.js';

/** A script that is a tool. */
export interface ShellTool {
  /** The definition that the model sees. */
  readonly schema: ToolSchema;
  /** The path of the script, as it was found. */
  readonly script: string;
  /** The extension of the script, such as `.py`. */
  readonly extension: string;
  /** The folder of the script, without symbolic links. */
  readonly folder: string;
  /** The environment variables that it gets from this process. */
  readonly env: readonly string[];
  readonly timeoutMs?: number;
}

/** The longest time that a timer can wait, in milliseconds. */
export const LONGEST_MS = 2_147_483_647;

/** A name that a model can call, and the extension of the file. */
const TOOL_FILE = /^([A-Za-z0-9_-]+)(\.[a-z]+)$/;

const DEFINITION = '.json';

/** Files that folders with scripts have for other reasons. */
const OTHER_JSON = new Set(['package', 'package-lock', 'tsconfig', 'jsconfig']);

/** The tools in these folders, by name. */
export function readToolFolders(folders: readonly string[]): ReadonlyMap<string, ShellTool> {
  const tools = new Map<string, ShellTool>();
  for (const tool of folders.flatMap(readToolFolder)) {
    const other = tools.get(tool.schema.name);
    if (other !== undefined) {
      throw invalid(tool.script, `${other.script} has the same name`, 'one script for each name');
    }
    tools.set(tool.schema.name, tool);
  }
  return tools;
}

/**
 * The path of a file, without symbolic links. Throws an error that says why if it is not a regular file, or not in
 * `folder`, which has no symbolic links itself.
 */
export function resolveInside(folder: string, file: string): string {
  const path = realpathSync(file);
  const way = relative(folder, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
    throw new Error('it is a symbolic link to a place outside of its folder');
  }
  if (!statSync(path).isFile()) throw new Error('it is not a regular file');
  return path;
}

function readToolFolder(path: string): ShellTool[] {
  const { folder, names } = listFolder(path);
  const files = names.flatMap(name => {
    const [, stem, extension] = TOOL_FILE.exec(name) ?? [];
    return stem === undefined || extension === undefined ? [] : [{ stem, extension, path: join(folder, name) }];
  });
  const scripts = files.filter(({ extension }) => isScriptExtension(extension));
  const definitions = files.filter(({ extension }) => extension === DEFINITION);
  const stems = new Set(scripts.map(({ stem }) => stem));
  for (const { stem, path } of definitions) {
    if (!stems.has(stem) && !OTHER_JSON.has(stem)) {
      throw invalid(path, 'there is no script for this definition', `a script such as ${stem}.sh beside it`);
    }
  }
  return scripts.map(({ stem, extension, path }) => {
    resolveOrThrow(folder, path);
    const definition = definitions.find(definition => definition.stem === stem);
    return { script: path, extension, folder, ...readDefinition(stem, folder, definition?.path) };
  });
}

function listFolder(path: string): { readonly folder: string; readonly names: readonly string[] } {
  try {
    const folder = realpathSync(path);
    return { folder, names: readdirSync(folder).sort() };
  } catch (cause) {
    const details = { path: 'options.folder', expected: 'a folder that can be read', cause };
    throw new ToolgaugeError('invalid_option', `options.folder: can't read ${path}: ${reasonOf(cause)}`, details);
  }
}

function resolveOrThrow(folder: string, file: string): string {
  try {
    return resolveInside(folder, file);
  } catch (cause) {
    throw invalid(file, reasonOf(cause), 'a regular file in the folder', { cause });
  }
}

type Definition = Pick<ShellTool, 'schema' | 'env' | 'timeoutMs'>;

function readDefinition(name: string, folder: string, path: string | undefined): Definition {
  if (path === undefined) return { schema: { name, parameters: { type: 'object' } }, env: [] };
  const { env = [], timeoutMs, ...schema } = parseDefinition(folder, path);
  const { description, parameters = { type: 'object' } } = schema;
  if (Object.hasOwn(schema, 'name') && schema.name !== name) {
    throw invalid(path, 'the name differs from that of the file', `no name, or "${name}"`, { path: 'name' });
  }
  if (description !== undefined && typeof description !== 'string') {
    throw invalid(path, `description is ${kindOf(description)}`, 'a text', { path: 'description' });
  }
  if (!isObject(parameters)) {
    throw invalid(path, `parameters is ${kindOf(parameters)}`, 'a JSON Schema', { path: 'parameters' });
  }
  if (!Array.isArray(env) || !env.every(isVariableName)) {
    throw invalid(path, 'env is something else', 'a list of names of environment variables', { path: 'env' });
  }
  if (timeoutMs !== undefined && !isTimeLimit(timeoutMs)) {
    throw invalid(path, 'timeoutMs is no time', `milliseconds, 1 to ${LONGEST_MS}`, { path: 'timeoutMs' });
  }
  return { schema: { ...schema, name, parameters }, env, ...(timeoutMs !== undefined && { timeoutMs }) };
}

/** True for a number of milliseconds that a timer can wait. */
export function isTimeLimit(value: unknown): value is number {
  return typeof value === 'number' && value >= 1 && value <= LONGEST_MS;
}

function parseDefinition(folder: string, path: string): Record<string, unknown> {
  const file = resolveOrThrow(folder, path);
  let definition: unknown;
  try {
    definition = JSON.parse(readFileSync(file, 'utf8').replace(/^\ufeff/, ''));
  } catch (cause) {
    const problem = cause instanceof SyntaxError ? 'it is not valid JSON' : "it can't be read";
    throw invalid(path, `${problem}: ${reasonOf(cause)}`, 'a JSON object', { cause });
  }
  if (isObject(definition)) return definition;
  throw invalid(path, 'it holds no object', 'a JSON object');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(file: string, problem: string, expected: string, details: ErrorDetails = {}): ToolgaugeError {
  return new ToolgaugeError('invalid_input', `${file}: ${problem}; expected ${expected}`, { ...details, expected });
}
