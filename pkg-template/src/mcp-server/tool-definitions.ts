import { type CompiledTools, compileTools } from 'toolgauge';
import { reading } from '../cli/failure.js';
import type { Source } from '../cli/files.js';
import { inputOf } from '../cli/inputs.js';
import { forTools } from '../cli/remedies.js';
import { missing, readBounded, readDocument } from './documents.js';
import type { Folders } from './folders.js';
import type { Arguments } from './service.js';
import type { ServerSettings } from './settings.js';

/** The arguments that give tool definitions. */
const TOOLS = { inline: 'tools', path: 'toolsPath' } as const;

/** The tool definitions that a call gives, or else those that the server was started with. */
async function toolDefinitions(
  args: Arguments,
  folders: () => Promise<Folders>,
  { tools }: ServerSettings,
): Promise<Source | undefined> {
  const given = await readDocument(args, TOOLS, folders);
  return given ?? (tools === undefined ? undefined : readBounded(await inputOf(tools)));
}

/** The tool definitions of a call that needs some. Throws a `Failure` if there are none. */
export async function requireToolDefinitions(
  args: Arguments,
  folders: () => Promise<Folders>,
  settings: ServerSettings,
): Promise<Source> {
  const source = await toolDefinitions(args, folders, settings);
  if (source === undefined) throw missing(TOOLS);
  return source;
}

/** The tool definitions, compiled. Definitions that can't be used are its `errors`. */
export async function compiledTools(
  args: Arguments,
  folders: () => Promise<Folders>,
  settings: ServerSettings,
): Promise<CompiledTools | undefined> {
  const source = await toolDefinitions(args, folders, settings);
  return source && reading(source, forTools, () => compileTools(source.bytes, { allowErrors: true }));
}
