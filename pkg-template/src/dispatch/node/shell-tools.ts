import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolgaugeError } from 'toolgauge';
import { ToolCallFailure } from 'toolgauge/dispatch';
import type { CallContext, RoutedCall, Toolkit } from '../toolkit.js';
import { isVariableName } from './environment.js';
import { type RunSettings, runTool } from './run-tool.js';
import { isTimeLimit, LONGEST_MS, readToolFolders } from './tool-folder.js';

/** Where the scripts are, and how they are run. */
export interface ShellToolsOptions {
  /** The folder that holds the scripts, or several. Relative paths start at the working folder of this process. */
  readonly folder: string | readonly string[];
  /**
   * Environment variables of all tools. A variable of this process that a tool's definition lists under `env` is
   * passed on unless it is set here.
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The working folder. Default: the folder of the tool. */
  readonly cwd?: string | undefined;
  /** How long a tool may run, in milliseconds, unless its definition sets `timeoutMs`. Default: 60,000. */
  readonly timeoutMs?: number | undefined;
  /** The most bytes that a tool may write to each of standard output, standard error and the result file. Default: 1 MiB. */
  readonly maxOutputBytes?: number | undefined;
  /** How long a tool that is stopped may take to clean up, in milliseconds. Default: 500. */
  readonly killGraceMs?: number | undefined;
}

/** Scripts that a model can call; see {@link shellTools}. */
export interface ShellTools extends Toolkit {
  /** Runs a script and resolves with its result. Rejects with a `ToolCallFailure` if it fails. */
  run(call: RoutedCall, context: CallContext): Promise<unknown>;
}

/** How many names an error lists. */
const LISTED = 50;

/**
 * Tools that are scripts in a folder: `.sh` (bash), `.py` (python3 or python), `.js` and `.mjs`, `.ts` and `.mts`
 * (Node.js; before 22.18, with the package `tsx` that you install). The name of the file is the name of the tool:
 * letters, digits, `_` and `-`. Other files are ignored. The folder is read once.
 *
 * `get_weather.json` beside `get_weather.py` holds its definition: `description`, `parameters`, `env` (the names of
 * environment variables that it gets from this process) and `timeoutMs`. A script without one takes any arguments.
 *
 * A script gets its arguments as JSON, as its first argument and on standard input; if they are longer than 100 KB
 * (8 KB on Windows), only on standard input. The environment has `LLM_OUTPUT`, `LLM_TOOL_NAME` and `LLM_TOOL_FOLDER`,
 * and of this process's variables only a few such as `PATH`, `HOME` and `LANG`, and those that the definition lists.
 *
 * The result is what the script wrote into the file that `LLM_OUTPUT` names, or else what it printed: a value if that
 * is JSON, otherwise a text. If the exit code is not 0, the call fails with the end of standard error.
 *
 * What a script started is killed when the script ends or is stopped, and when this process ends. SIGINT, SIGTERM and
 * SIGHUP stop the running scripts even if this process handles them. A process that leaves the process group is found on
 * Linux only, and only if it keeps its environment. On Windows, which is not tested, processes that outlive their script
 * are not found.
 *
 * @throws {ToolgaugeError} `invalid_option` if an option is wrong or the folder can't be read; `invalid_input`, with the
 * name of the file, if a definition is wrong or has no script, if two scripts have the same name, or if a script is not
 * a regular file inside the folder.
 *
 * @example
 * const shell = shellTools({ folder: './tools', env: { UNITS: 'metric' } });
 * const dispatcher = createDispatcher({ shell });
 */
export function shellTools(options: ShellToolsOptions): ShellTools {
  const settings = readSettings(options);
  const tools = readToolFolders(readFolders(options.folder));
  return {
    definitions: [...tools.values()].map(({ schema }) => schema),
    async run(call, { signal }) {
      const tool = tools.get(call.name);
      if (tool === undefined) throw unknownTool(call.name, [...tools.keys()]);
      return runTool(tool, call.arguments, settings, signal);
    },
  };
}

function readFolders(folder: ShellToolsOptions['folder']): readonly string[] {
  const folders: readonly unknown[] = Array.isArray(folder) ? folder : [folder];
  if (folders.length > 0 && folders.every(isPath)) return folders;
  throw wrong('folder', 'the path of a folder, or a list of them');
}

function readSettings(options: ShellToolsOptions): RunSettings {
  const { env = {}, cwd, timeoutMs = 60_000, maxOutputBytes = 1_048_576, killGraceMs = 500 } = options;
  for (const [name, value] of Object.entries(env)) {
    const isText = value === undefined || (typeof value === 'string' && !value.includes('\0'));
    if (!isVariableName(name) || !isText) throw wrong('env', 'texts by the names of environment variables');
  }
  if (cwd !== undefined && !isFolder(cwd)) throw wrong('cwd', 'a folder that exists');
  if (!isTimeLimit(timeoutMs)) throw wrong('timeoutMs', `milliseconds, 1 to ${LONGEST_MS}`);
  if (!Number.isSafeInteger(maxOutputBytes) || maxOutputBytes < 1) {
    throw wrong('maxOutputBytes', 'a whole number of at least 1');
  }
  if (killGraceMs !== 0 && !isTimeLimit(killGraceMs)) throw wrong('killGraceMs', `milliseconds, 0 to ${LONGEST_MS}`);
  return { env: { ...env }, ...(cwd !== undefined && { cwd: resolve(cwd) }), timeoutMs, maxOutputBytes, killGraceMs };
}

function isPath(path: unknown): path is string {
  return typeof path === 'string' && path !== '' && !path.includes('\0');
}

function isFolder(path: unknown): boolean {
  return isPath(path) && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function wrong(option: keyof ShellToolsOptions, expected: string): ToolgaugeError {
  const path = `options.${option}`;
  return new ToolgaugeError('invalid_option', `${path}: expected ${expected}`, { path, expected });
}

function unknownTool(name: string, known: readonly string[]): ToolCallFailure {
  const more = known.length > LISTED ? `, and ${known.length - LISTED} more` : '';
  const list = known.length === 0 ? 'There are none.' : `There are: ${known.slice(0, LISTED).join(', ')}${more}.`;
  return new ToolCallFailure(`There is no tool ${JSON.stringify(name.slice(0, 80))}. ${list}`);
}
