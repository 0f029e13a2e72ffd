import { checkToolCall, ToolgaugeError } from 'toolgauge';
import { kindOf } from '../boundary/kind-of.js';
import { reasonOf } from '../errors.js';
import { shortened } from '../texts.js';
import { bounded } from '../timing.js';
import type { ToolSchema } from '../types.js';
import { refusalOfArguments } from './mcp/arguments-check.js';
import { type McpClient, request } from './mcp/client.js';
import { metaFunctions, SEARCH_LIMIT } from './mcp/definitions.js';
import { isJsonObject, type JsonObject } from './mcp/json.js';
import { type McpTool, type McpTools, ToolList } from './mcp/tool-list.js';
import { outputOf } from './mcp/tool-result.js';
import { rankTools } from './ranking.js';
import { type CallContext, type RoutedCall, ToolCallFailure, type Toolkit } from './toolkit.js';

export type { McpClient, McpRequestOptions } from './mcp/client.js';

/** How {@link mcpServers} presents servers. */
export interface McpServersOptions {
  /**
   * What each server is for, by its name, as the model reads it. Default: the first 500 characters of the
   * instructions that the server sends.
   */
  readonly descriptions?: Readonly<Record<string, string>> | undefined;
}

/** MCP servers whose tools a model can search, look at and call. */
export interface McpServers extends Toolkit {
  /** The names of the servers. */
  readonly servers: readonly string[];
  /** `mcp_search_<server>`, `mcp_describe_<server>` and `mcp_invoke_<server>` of each server. */
  readonly definitions: readonly ToolSchema[];
  /**
   * Forgets the tools of a server, or of all, so that they are listed again at the next call. A tool that is not known
   * is looked for in a new list anyway.
   */
  refresh(server?: string): void;
}

/** What a search returns. */
export interface McpSearchResult {
  /** The best matches, best first, with the first 200 characters of their descriptions. */
  readonly tools: readonly {
    /** The tool's name. */
    readonly name: string;
    /** What the tool does, shortened. */
    readonly description?: string;
  }[];
  /** How many tools match. */
  readonly total: number;
  /** What to do if no tool matches. */
  readonly hint?: string;
}

interface Server {
  readonly name: string;
  readonly client: McpClient;
  readonly list: ToolList;
}

/** Names as function names may have them. */
const SERVER_NAME = /^[A-Za-z0-9_-]+$/;

const MOST_DESCRIBED = 200;
const MOST_INSTRUCTIONS = 500;

/** A server may send megabytes of description, and a model a long query. */
const MOST_RANKED = 1_000;

/** Among more tools, a similar name would take too long to find. */
const MOST_COMPARED = 1_000;

/**
 * Makes connected MCP clients usable by a model, by three functions for each server, however many tools it has:
 * `mcp_search_<server>`, `mcp_describe_<server>` and `mcp_invoke_<server>`. Arguments that do not fit the schema of a
 * tool are refused before the server sees them.
 *
 * Throws `invalid_option` if a name has other characters than letters, digits, `_` and `-`, or if a value is not an MCP client.
 *
 * @example
 * const mcp = mcpServers({ github: client });
 * const dispatcher = createDispatcher({ mcp });
 * client.setNotificationHandler(ToolListChangedNotificationSchema, () => mcp.refresh('github'));
 */
export function mcpServers(clients: Readonly<Record<string, McpClient>>, options: McpServersOptions = {}): McpServers {
  if (!isJsonObject(clients)) throw invalid('clients', 'an object of clients by the names of their servers');
  const entries = Object.entries(clients);
  for (const [name, client] of entries) checkServer(name, client);
  const servers = new Map(entries.map(([name, client]) => [name, { name, client, list: new ToolList(client) }]));
  return {
    servers: [...servers.keys()],
    // Read when they are needed: a client that connects later has instructions only then.
    get definitions() {
      return entries.flatMap(([name, client]) => metaFunctions(name, descriptionOf(name, client, options)));
    },
    run: (call, context) => run(servers, call, context),
    refresh: name => {
      for (const server of servers.values()) if (name === undefined || name === server.name) server.list.forget();
    },
  };
}

function checkServer(name: string, client: unknown): void {
  const path = `clients[${JSON.stringify(name)}]`;
  if (!SERVER_NAME.test(name)) throw invalid(path, 'a name of letters, digits, "_" and "-"');
  const { listTools, callTool } = (client ?? {}) as Partial<McpClient>;
  if (typeof listTools === 'function' && typeof callTool === 'function') return;
  throw invalid(path, 'a connected MCP client with listTools and callTool');
}

function invalid(path: string, expected: string): ToolgaugeError {
  return new ToolgaugeError('invalid_option', `${path}: expected ${expected}`, { path, expected });
}

function descriptionOf(name: string, client: McpClient, { descriptions = {} }: McpServersOptions): string | undefined {
  if (Object.hasOwn(descriptions, name)) return descriptions[name];
  const instructions = client.getInstructions?.();
  return typeof instructions === 'string' ? shortened(instructions, MOST_INSTRUCTIONS) : undefined;
}

async function run(
  servers: ReadonlyMap<string, Server>,
  { route, arguments: args }: RoutedCall,
  { signal }: CallContext,
): Promise<unknown> {
  const name = route.kind === 'mcp' ? route.server : undefined;
  const server = name === undefined ? undefined : servers.get(name);
  if (route.kind !== 'mcp' || server === undefined) throw unknownServer(servers, name);
  switch (route.action) {
    case 'search':
      return search(server, args, signal);
    case 'describe':
      return describe(await findTool(server, textOf(args, 'tool'), signal));
    case 'invoke':
      return invoke(server, args, signal);
  }
}

function unknownServer(servers: ReadonlyMap<string, Server>, name: string | undefined): ToolCallFailure {
  const known = [...servers.keys()].join(', ') || 'none';
  const which = name === undefined ? 'The call names no MCP server.' : `There is no MCP server ${quoted(name)}.`;
  return new ToolCallFailure(`${which} The servers are: ${known}.`);
}

async function search(server: Server, args: JsonObject, signal: AbortSignal): Promise<McpSearchResult> {
  const query = textOf(args, 'query').trim();
  const limit = limitOf(args);
  let known = await listed(server, signal, server.list.get());
  let matches = matching(query, known);
  if (matches.length === 0) {
    known = await listed(server, signal, server.list.newerThan(known));
    matches = matching(query, known);
  }
  const tools = matches.slice(0, limit).map(({ name, description }) => ({
    name,
    ...(description !== undefined && { description: shortened(description, MOST_DESCRIBED) }),
  }));
  return { tools, total: matches.length, ...(matches.length === 0 && { hint: hintFor(server, query, known) }) };
}

function matching(query: string, tools: McpTools): McpTool[] {
  const all = [...tools.values()];
  if (query === '') return all;
  const searchable = all.map(({ name, description }) => ({ name, description: description?.slice(0, MOST_RANKED) }));
  return rankTools(query.slice(0, MOST_RANKED), searchable).flatMap(index => all[index] ?? []);
}

function hintFor({ name }: Server, query: string, { size }: McpTools): string {
  if (size === 0) return `The MCP server "${name}" has no tools.`;
  return `No tool of "${name}" matches ${quoted(query)}. Use other words, or an empty query to list all ${size} tools.`;
}

/** The parts of a definition that help a model. */
function describe({ name, description, definition }: McpTool): JsonObject {
  const { inputSchema, outputSchema, annotations } = definition;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema,
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
}

async function invoke(server: Server, args: JsonObject, signal: AbortSignal): Promise<unknown> {
  const name = textOf(args, 'tool');
  const input = args.arguments ?? {};
  if (!isJsonObject(input)) {
    throw new ToolCallFailure(`arguments: expected an object with the arguments of the tool, got ${kindOf(input)}`);
  }
  const tool = await findTool(server, name, signal);
  const refusal = refusalOfArguments(tool, input);
  if (refusal !== undefined) throw new ToolCallFailure(refusal);
  const failed = `The MCP server "${server.name}" failed to run ${quoted(name)}`;
  const result = await failingAs(failed, () =>
    request(signal, undefined, options => server.client.callTool({ name, arguments: input }, undefined, options)),
  );
  return outputOf(result, failed);
}

/** Finds a tool. If the list that is known lacks it, a new one is fetched. */
async function findTool(server: Server, name: string, signal: AbortSignal): Promise<McpTool> {
  const known = await listed(server, signal, server.list.get());
  const tool = known.get(name);
  if (tool !== undefined) return tool;
  const tools = await listed(server, signal, server.list.newerThan(known));
  const added = tools.get(name);
  if (added === undefined) throw new ToolCallFailure(unknownTool(server, name, tools));
  return added;
}

function unknownTool({ name: server }: Server, name: string, tools: McpTools): string {
  const problem = similarTools(name, tools) ?? `there is no tool ${quoted(name)}`;
  return `On the MCP server "${server}", ${problem}. Find tools with mcp_search_${server}; an empty query lists all.`;
}

/** Says that a tool does not exist, which one was probably meant, and which there are. */
function similarTools(name: string, tools: McpTools): string | null {
  if (tools.size > MOST_COMPARED) return null;
  const definitions = [...tools.keys()].map(known => ({ name: known, parameters: {} }));
  const toolCall = { name: name.slice(0, MOST_RANKED), arguments: {} };
  return checkToolCall({ tools: definitions, toolCall }).metrics.non_existent_function.explanation;
}

/** Waits for a list of tools as long as the caller does. Others may wait longer. */
function listed({ name }: Server, signal: AbortSignal, tools: Promise<McpTools>): Promise<McpTools> {
  return failingAs(`The MCP server "${name}" failed to list its tools`, () => bounded(signal, undefined, () => tools));
}

async function failingAs<Result>(message: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ToolCallFailure(`${message}: ${reasonOf(error)}`, { cause: error });
  }
}

function textOf(args: JsonObject, name: 'query' | 'tool'): string {
  const value = args[name];
  if (typeof value !== 'string') throw new ToolCallFailure(`${name}: expected a text, got ${kindOf(value)}`);
  return value;
}

function limitOf({ limit = SEARCH_LIMIT.usual }: JsonObject): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= SEARCH_LIMIT.most) return limit;
  throw new ToolCallFailure(`limit: expected a whole number from 1 to ${SEARCH_LIMIT.most}`);
}

function quoted(name: string): string {
  return JSON.stringify(shortened(name, 100));
}
