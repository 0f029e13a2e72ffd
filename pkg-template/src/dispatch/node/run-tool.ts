import { ToolCallFailure } from 'toolgauge/dispatch';
import { reasonOf } from '../../errors.js';
import { bounded } from '../../timing.js';
import { type Ending, runProgram } from './child.js';
import { type Environment, environmentOf } from './environment.js';
import { interpretersFor } from './interpreter.js';
import { makeResultFile, type ResultFile, readResultFile, removeResultFile, sizeOfResult } from './result-file.js';
import { resolveInside, type ShellTool } from './tool-folder.js';

/** How tools are run; see the options of `shellTools`. */
export interface RunSettings {
  readonly env: Environment;
  readonly cwd?: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly killGraceMs: number;
}

/** Longer arguments are only passed on standard input: Linux takes at most 128 KiB in one argument, Windows 32 KiB in all. */
const MOST_ARGUMENT_BYTES = process.platform === 'win32' ? 8_000 : 100_000;

/** How much of what a failed tool has printed the model sees. */
const SHOWN_BYTES = 2_000;

/** Runs a tool and returns its result. Throws a `ToolCallFailure` if it fails; when it settles, all processes have ended. */
export async function runTool(
  tool: ShellTool,
  args: unknown,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<unknown> {
  const input = toJson(tool, args);
  const seconds = (tool.timeoutMs ?? settings.timeoutMs) / 1000;
  let running: Promise<unknown> | undefined;
  const inTime = bounded(signal, seconds, stopped => {
    running = runWithResultFile(tool, input, settings, stopped);
    return running;
  });
  try {
    await inTime;
  } catch (error) {
    // When time is up, the program still has to be ended. It knows best how it ended.
    if (running === undefined) throw new ToolCallFailure(`${tool.schema.name} was not started: ${reasonOf(error)}`);
  }
  return running;
}

function toJson({ schema }: ShellTool, args: unknown): string {
  try {
    const text = JSON.stringify(args ?? {});
    if (text !== undefined) return text;
  } catch {
    // Reported below.
  }
  throw new ToolCallFailure(`The arguments of ${schema.name} can't be written as JSON.`);
}

async function runWithResultFile(
  tool: ShellTool,
  input: string,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<unknown> {
  const file = makeResultFile();
  try {
    const ending = await runScript(tool, input, file, settings, signal);
    return await resultOf(tool, ending, file, settings, signal);
  } finally {
    await removeResultFile(file);
  }
}

async function runScript(
  tool: ShellTool,
  input: string,
  file: ResultFile,
  settings: RunSettings,
  signal: AbortSignal,
): Promise<Ending> {
  const script = scriptOf(tool);
  const argument = Buffer.byteLength(input) > MOST_ARGUMENT_BYTES ? [] : [input];
  const program = {
    cwd: settings.cwd ?? tool.folder,
    env: {
      ...environmentOf(tool.env, settings.env),
      LLM_OUTPUT: file.path,
      LLM_TOOL_NAME: tool.schema.name,
      LLM_TOOL_FOLDER: tool.folder,
    },
    input,
    maxOutputBytes: settings.maxOutputBytes,
    killGraceMs: settings.killGraceMs,
    sizeElsewhere: () => sizeOfResult(file),
  };
  const interpreters = interpretersFor(tool.extension, tool.folder);
  for (const { program: file, options } of interpreters) {
    try {
      return await runProgram({ ...program, file, args: [...options, script, ...argument] }, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
      throw new ToolCallFailure(`${tool.schema.name} could not be started: ${reasonOf(error)}`);
    }
  }
  const names = interpreters.map(({ program }) => program).join(' or ');
  throw new ToolCallFailure(
    `${tool.schema.name} could not be started: ${names} was not found on the PATH, or the folder ${program.cwd} no longer exists.`,
  );
}

/** Looked at anew before each run: the file may have been replaced. */
function scriptOf({ schema, script, folder }: ShellTool): string {
  try {
    return resolveInside(folder, script);
  } catch (error) {
    throw new ToolCallFailure(`${schema.name} was not run: ${script}: ${reasonOf(error)}`);
  }
}

async function resultOf(
  { schema: { name } }: ShellTool,
  { stopped, code, signal, stdout, stderr }: Ending,
  file: ResultFile,
  { maxOutputBytes }: RunSettings,
  aborted: AbortSignal,
): Promise<unknown> {
  const printed = lastPart(stderr) || lastPart(stdout);
  if (stopped === 'aborted') throw failure(`${name} was stopped: ${reasonOf(aborted.reason)}`, printed);
  if (stopped === 'flooded') throw tooMuch(name, maxOutputBytes);
  if (signal !== null) throw failure(`${name} was ended by the signal ${signal}`, printed);
  if (code !== 0) throw failure(`${name} exited with code ${code}`, printed);
  const content = await readResultFile(file, maxOutputBytes);
  if (content.kind === 'too-long') throw tooMuch(name, maxOutputBytes);
  if (content.kind === 'not-a-file') {
    throw new ToolCallFailure(`${name} left something at the path in LLM_OUTPUT that is not a readable file.`);
  }
  const written = content.kind === 'bytes' ? parsed(content.bytes) : undefined;
  return written === undefined ? (parsed(stdout) ?? null) : written;
}

function failure(problem: string, printed: string): ToolCallFailure {
  return new ToolCallFailure(printed === '' ? `${problem}.` : `${problem}: ${printed}`);
}

function tooMuch(name: string, most: number): ToolCallFailure {
  return new ToolCallFailure(
    `${name} wrote more than ${most.toLocaleString('en-US')} bytes. Call it with arguments that ask for less.`,
  );
}

function lastPart(bytes: Uint8Array): string {
  const text = textOf(bytes.subarray(-SHOWN_BYTES));
  // The cut may have gone through a character.
  return bytes.length > SHOWN_BYTES ? `…${text.replace(/^\ufffd+/, '')}` : text;
}

/** The value of JSON text, or the text itself if it is not JSON; undefined if there is none. */
function parsed(bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // An id of many digits would become another number.
    return typeof value === 'number' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).trim();
}
